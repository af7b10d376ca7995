"""`cache dir|stats|clear|prune`: where pages are kept, how many there are, and how to be rid of them."""

from __future__ import annotations

import argparse
import json
import os

from tracecite_lint.cli.options import OK, UsageError, add_json_option, settings_from
from tracecite_lint.files.user_directories import cache_directory
from tracecite_lint.sources.cache import Cache


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action and where the cache is."""
    parser.add_argument(
        "action",
        choices=("dir", "stats", "clear", "prune"),
        help="dir: print the directory; stats: count; clear: forget all pages; prune: forget what is too old to be used",
    )
    parser.add_argument("--cache-dir", metavar="DIR", help="where pages are kept")
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Do what the action says. Raises UsageError if the cache cannot be used."""
    directory = cache_directory(settings_from(args).cache_dir, os.environ)
    if args.action == "dir":
        print(directory)
        return OK
    cache = Cache(directory)
    try:
        _act(args, cache)
    finally:
        cache.close()
    # For a check an unusable cache is a note; here it is all that was asked about.
    if cache.problem is not None:
        raise UsageError(cache.problem)
    return OK


def _act(args: argparse.Namespace, cache: Cache) -> None:
    if args.action == "clear":
        print(f"{_count(cache.clear(), 'page')} forgotten")
    elif args.action == "prune":
        print(f"{_count(cache.prune(), 'entry')} forgotten")
    else:
        stats = cache.stats()
        if args.json:
            print(
                json.dumps(
                    {"directory": str(stats.directory), "pages": stats.pages, "bytes": stats.size}
                )
            )
        else:
            print(f"{stats.directory}: {_count(stats.pages, 'page')}, {_size(stats.size)}")


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB"


def _count(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun if number == 1 else plural}"
