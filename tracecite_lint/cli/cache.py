"""`cache dir|stats|list|show|clear|prune`: where pages are kept, which ones, and how to be rid of them."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime

from tracecite_lint.cli.options import OK, UsageError, add_json_option, settings_from
from tracecite_lint.files.user_directories import TOLD, cache_directory
from tracecite_lint.known.unchecked import UncheckedCitations
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.output.json_objects import dumps
from tracecite_lint.output.terminal import printable
from tracecite_lint.settings import Settings
from tracecite_lint.sources import policy
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.optional_database import OptionalDatabase
from tracecite_lint.sources.page import PageHead

_ACTIONS = {
    "dir": "print the directory",
    "stats": "count",
    "list": "a line for each page",
    "show": "what is known of the page of URL",
    "clear": "forget everything",
    "prune": "forget what is too old to be used",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action, the page and where the cache is."""
    parser.add_argument(
        "action",
        choices=tuple(_ACTIONS),
        help="; ".join(f"{name}: {what}" for name, what in _ACTIONS.items()),
    )
    parser.add_argument("url", metavar="URL", nargs="?", help="the page that show is asked for")
    parser.add_argument("--cache-dir", metavar="DIR", help="where pages are kept")
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Do what the action says. Raises UsageError if the cache cannot be used, or does not hold the page."""
    if (args.url is None) is (args.action == "show"):
        raise UsageError("cache show needs a URL, and no other action takes one")
    settings = settings_from(args)
    directory = cache_directory(settings.cache_dir, os.environ)
    if args.action == "dir":
        print(directory)
        return OK
    cache = Cache(directory)
    try:
        _act(args, cache, settings)
        # For a check an unusable cache is a note; here it is all that was asked about.
        if cache.problem is not None:
            raise UsageError(cache.problem)
    finally:
        cache.close()
    return OK


def _act(args: argparse.Namespace, cache: Cache, settings: Settings) -> None:
    match args.action:
        case "clear":
            _clear(cache)
        case "prune":
            print(f"{_count(cache.prune(), 'entry')} forgotten")
        case "list":
            _list(sorted(cache.heads(), key=lambda page: page.url), as_json=args.json)
        case "show":
            _show(args.url, cache, settings, as_json=args.json)
        case _:
            _print_stats(cache, as_json=args.json)


def _clear(cache: Cache) -> None:
    unchecked, told = UncheckedCitations(cache.directory), OptionalDatabase(cache.directory, TOLD)
    try:
        pages, citations = cache.clear(), unchecked.clear()
        told.tell(lambda database: database.clear())
    finally:
        unchecked.close()
        told.close()
    noted = f", and {_count(citations, 'citation')} noted as unchecked" if citations else ""
    print(f"{_count(pages, 'page')} forgotten{noted}")


def _list(pages: Iterable[PageHead], *, as_json: bool) -> None:
    if as_json:
        print(dumps([_object(page) for page in pages], indent=2))
        return
    for page in pages:
        print(f"{_time(page.fetched_at)}  {printable(public_uri(page.url))}")


def _show(url: str, cache: Cache, settings: Settings, *, as_json: bool) -> None:
    try:
        source = policy.resolve(url, allow_hosts=settings.allow_host)
    except SourceError as error:
        raise UsageError(f"{public_uri(url)}: {error.message}") from None
    pages = list(cache.heads(source.key))
    if not pages and cache.problem is None:
        raise UsageError(f"{source.url} is not in the cache")
    if as_json:
        print(dumps([_object(page) for page in pages], indent=2))
        return
    for page in pages:
        for name, value in _object(page).items():
            print(f"{name + ':':15} {printable(str(value))}")
        print(f"{'text:':15} tracecite-lint text {printable(public_uri(page.url))} --offline")


def _object(page: PageHead) -> dict[str, object]:
    """Return what is known of a page; what is empty is left out."""
    known: dict[str, object] = {
        "url": public_uri(page.url),
        "final_url": public_uri(page.final_url),
        "status": page.status,
        "content_type": page.content_type,
        "fetched_at": _time(page.fetched_at),
        "etag": page.etag,
        "last_modified": page.last_modified,
    }
    return {name: value for name, value in known.items() if value not in (None, "")}


def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}"


def _print_stats(cache: Cache, *, as_json: bool) -> None:
    stats = cache.stats()
    if as_json:
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
