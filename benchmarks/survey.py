"""Pages and documents to measure with, always the same.

    python -m benchmarks.survey DIR [--citations N] [--pages N] [--files N] [--skip N] [--wrong]

Page N is at http://hostHH.survey-readings.org/N and holds `sentence(N, 0)`, `sentence(N, 1)`, … among other words. The
documents cite the pages by turns.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
from collections import defaultdict
from functools import cache
from pathlib import Path

HOSTS = 20
FILLER = ("Between two quotations there is text that quotes nothing,", "and it has two lines.", "")


def sentence(page: int, number: int) -> str:
    """Return the words number *number* that page *page* and a document share."""
    value = (number * 7 + page) % 983
    return f"In year {number} of survey {page} the gauge at the lower weir read {value} lines"


def address(page: int) -> str:
    return f"http://host{page % HOSTS:02}.survey-readings.org/{page}"


@cache
def _sentences() -> list[str]:
    """Return sentences of made-up words with the typography that real pages have."""
    draw = random.Random(7)
    letters = "abcdefghilmnoprstuvé"
    words = ["".join(draw.choices(letters, k=draw.randint(1, 10))) for _ in range(3000)]
    made = []
    for _ in range(1500):
        some = draw.choices(words, k=draw.randint(8, 24))
        at = draw.randrange(1, len(some))
        some[at] = draw.choice(["“{}”", "{},", "{} —", "{}’s", "{}"]).format(some[at])
        made.append(" ".join(some).capitalize() + ".")
    return made


def paragraphs(page: int, size: int, quotes: int) -> list[str]:
    """Return the paragraphs of a page of *size* characters, its *quotes* sentences spread over it."""
    draw, pool = random.Random(page), _sentences()
    made: list[str] = []
    length = number = 0
    while length < size or number < quotes:
        some = draw.choices(pool, k=4)
        while number < quotes and length * quotes >= number * size:
            some.insert(1, f"{sentence(page, number)}.")
            number += 1
        made.append(" ".join(some))
        length += len(made[-1]) + 2
    return made


def html(page: int, size: int, quotes: int) -> bytes:
    """Return a page with navigation, headings, links and reference markers."""
    items = "".join(f"<li><a href='/{number}'>Page {number}</a></li>" for number in range(20))
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Survey</title><ul>{items}</ul>"
    ]
    for number, text in enumerate(paragraphs(page, size, quotes)):
        if number % 8 == 0:
            parts.append(f"<h2 id=s{number}>Section {number}</h2>")
        first, _, rest = text.partition(" ")
        mark = f"<sup><a href='#n{number}'>[{number % 90 + 1}]</a></sup>"
        parts.append(f"<p><a href='/{number}'>{first}</a> {rest}{mark}</p>\n")
    return "".join(parts).encode()


def write_documents(
    folder: Path, *, citations: int, pages: int, files: int, skip: int = 0, wrong: bool = False
) -> dict[int, list[str]]:
    """Write *files* documents that cite *pages* by turns; return what they quote, by page.

    The first *skip* sentences of each page are not quoted. With *wrong* no quotation stands on its page.
    """
    folder.mkdir(parents=True, exist_ok=True)
    quoted: dict[int, list[str]] = defaultdict(list)
    for file in range(files):
        lines = [f"# Report {file}", ""]
        for number in range(file * citations // files, (file + 1) * citations // files):
            page = number % pages
            words = sentence(page, skip + len(quoted[page]))
            quoted[page].append(words)
            words = words.replace("lower weir", "upper weir") if wrong else words
            lines += [f"Reading {number}: “{words}” ([survey]({address(page)})).", "", *FILLER]
        (folder / f"{file:05}.md").write_text("\n".join(lines) + "\n")
    return quoted


def write_plain(path: Path, quoted: dict[int, list[str]], size: int, quotes: int) -> None:
    """Write what a bare loop needs: the texts in a database, and beside it the quotations by page."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE texts (page INTEGER PRIMARY KEY, text TEXT)")
        rows = ((page, "\n\n".join(paragraphs(page, size, quotes))) for page in quoted)
        database.executemany("INSERT INTO texts VALUES (?, ?)", rows)
    path.with_suffix(".json").write_text(json.dumps(quoted))


def main() -> None:
    """Write documents, and with --plain what a bare loop needs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.survey", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--citations", type=int, default=10)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--quotes", type=int, default=12)
    parser.add_argument("--plain", type=Path)
    args = parser.parse_args()
    quoted = write_documents(
        args.folder,
        citations=args.citations,
        pages=args.pages,
        files=args.files,
        skip=args.skip,
        wrong=args.wrong,
    )
    if args.plain is not None:
        write_plain(args.plain, quoted, args.size, args.quotes)


if __name__ == "__main__":
    main()
