"""Measures how the time to read grows with the size of what is read.

    python -m benchmarks.growth [WORD ...] [--size BYTES]

For each reader and kind of input the CPU seconds at a quarter, at half and at all of the size are shown, and the exponent of
the last doubling: 1 is linear, 2 quadratic. Only the kinds whose names hold a WORD are measured. Exit status 1 if an
exponent reaches 1.3 where the time can be told from noise.
"""

from __future__ import annotations

import argparse
import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from tracecite_lint.documents import read_document
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find
from tracecite_lint.matching.nearest import nearest
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Shape,
    SourceRef,
    Span,
    Summary,
    Verdict,
)
from tracecite_lint.output import FORMATS, render
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract

LIMIT = 1.3
NOISE = 0.1
"""Seconds below which an exponent says nothing."""

LINK = "[t](http://u.v)"
QUOTE = "“a b c d”"
REFERENCES = "\n\n# References\n\n1. <http://u.v>\n"

Make = Callable[[int], str]


def repeated(piece: str, before: str = "", behind: str = "") -> Make:
    """Return what makes *piece* over and over, `{i}` in it counted, to about a given number of characters."""

    def make(size: int) -> str:
        count = max((size - len(before) - len(behind)) // len(piece), 1)
        numbered = "{i}" in piece
        middle = (
            "".join(piece.replace("{i}", str(i)) for i in range(1, count + 1))
            if numbered
            else piece * count
        )
        return before + middle + behind

    return make


def halves(first: str, second: str, between: str = "") -> Make:
    """Return what makes half of *first* and half of *second*."""
    return lambda size: (
        first * (size // 2 // len(first)) + between + second * (size // 2 // len(second))
    )


def nested(opening: str, middle: str, closing: str) -> Make:
    """Return what makes *middle* in as many levels as there is room for."""

    def make(size: int) -> str:
        depth = max(size // (len(opening) + len(closing)), 1)
        return opening * depth + middle + closing * depth

    return make


def wide_table(size: int) -> str:
    """Return a table of one row and many columns."""
    columns = size // 16
    return f"{'|a' * columns}|\n{'|-' * columns}|\n{('|' + QUOTE) * columns}|\n"


MARKDOWN: Mapping[str, Make] = {
    "headings": repeated("# a\n"),
    "setext headings": repeated("a\n===\n"),
    "lists": repeated("- a\n"),
    "nested lists": lambda size: "\n".join(
        "  " * (level % 50) + f"- {QUOTE}" for level in range(size // 60)
    ),
    "items with their source": repeated(f"- {LINK}: {QUOTE}\n"),
    "items below one source": repeated(f"  - {QUOTE}\n", before=f"- {LINK}\n"),
    "definitions": repeated("[a{i}]: http://x\n"),
    "references": repeated(f"{QUOTE} [t][a] ", before="[a]: http://x\n\n"),
    "footnotes": repeated(f"{QUOTE}[^{{i}}].\n\n[^{{i}}]: {LINK}\n\n"),
    "footnote of many quotations": repeated(f"{QUOTE}[^1]. ", behind=f"\n\n[^1]: {LINK}\n"),
    "footnote at the end": repeated(f"{QUOTE} ", behind=f"x[^1].\n\n[^1]: {LINK}\n"),
    "footnote of many links": lambda size: (
        f"{QUOTE}[^1] " * (size // 28) + "\n\n[^1]: " + f"{LINK} " * (size // 32)
    ),
    "footnote that quotes": repeated(f"said {QUOTE}, ", before="[^1]: "),
    "links": repeated(f"{QUOTE} ({LINK}) "),
    "quotations, then links": halves(f"{QUOTE} ", f"{LINK} "),
    "quotations, then anchors": halves(f"{QUOTE} ", "[t](#u) "),
    "quotations, then profiles": halves(f"{QUOTE} ", "[t](https://x.com/a) "),
    "quotations, then tickets": halves(f"{QUOTE} ", "[#12](http://u.v) "),
    "anchors, then quotations": halves("[t](#u) ", f"{QUOTE} "),
    "links over line ends": repeated("[t](http://u.v\n'x') *a* "),
    "images": repeated("![i](u)\n\n"),
    "bare URLs": repeated("http://u.v "),
    "table": repeated(f"| {QUOTE} | {LINK} |\n", before="| a | Source |\n|-|-|\n"),
    "wide table": wide_table,
    "blockquotes": repeated(f"> a b c d\n>\n> — {LINK}\n\n"),
    "blockquote of lines": repeated(f"> “a `b` c d” — {LINK}\n"),
    "nested blockquotes": nested("> ", "a b c", ""),
    "lead-in of many links": repeated(f"{LINK} says ", behind=":\n\n> a b c d\n"),
    "labelled": repeated(f"> Quote: {QUOTE}\n> Source: {LINK}\n\n"),
    "code": repeated("`a` "),
    "HTML attributes": repeated('a="b" ', before="<div ", behind=">x</div>\n"),
    "HTML blocks": repeated('<blockquote cite="http://u.v">a b c d</blockquote>\n'),
    "HTML, nested": nested("<blockquote>\n\n", "a b c", "\n\n</blockquote>\n"),
    "HTML figures": repeated("<figure>a b c</figure>\n"),
    "HTML quotations, nested": nested('a <q cite="http://u.v">', "a b c", "</q>"),
    "HTML links, nested": nested('<a href="http://u.v">', QUOTE, "</a>"),
    "HTML credits": repeated("<cite></p>", before="<blockquote>", behind="</blockquote>\n"),
    "HTML spaces": repeated(" ", before="<blockquote cite='http://u.v'>a", behind="b</blockquote>"),
    "emphasis": repeated("*a **b "),
    "brackets": repeated("[a"),
    "parentheses": repeated("(", before=f"{QUOTE} "),
    "text fragments": repeated("[t](http://u.v#:~:text=a,b) "),
    "numbers": repeated(f"{QUOTE} [1] ", behind=REFERENCES),
    "number at the end": repeated(f"{QUOTE} ", behind=f"[1] {'x ' * 1000}[1]{REFERENCES}"),
    "reference list": repeated("[{i}] http://u.v\n", before="# References\n\n"),
    "front matter": repeated("a: b\n", before="---\n", behind="---\n"),
    "one line": repeated("a "),
    "CR": repeated(f"{QUOTE} ({LINK})\r\r"),
    "CRLF": repeated(f"{QUOTE} ({LINK})\r\n\r\n"),
    "claims": lambda size: (
        "# " + "a " * (size // 4) + "\n\n" + f"{QUOTE} ({LINK})\n\n" * (size // 60)
    ),
    "suppressions": repeated("<!-- tracecite-disable UNASSOCIATED_QUOTE -->\n"),
    "suppressions that stay": halves(
        "<!-- tracecite-disable UNASSOCIATED_QUOTE -->\n",
        "<!-- tracecite-enable NOT_IN_CACHE -->\n",
    ),
    "suppressions before blanks": halves("<!-- tracecite-disable-next-line -->", "\n"),
    "suppressions in one another": repeated("<!-- tracecite-disable ", behind="-->"),
    **{
        f"marks {opening}{closing}": repeated(f"{opening}a b c d{closing} ")
        for opening, closing in ("“”", '""', "„“", "«»", "»«", "「」", "『』", "〝〞", "＂＂", "❝❞")
    },
    **{f"marks {mark} alone": repeated(f" {mark}a") for mark in '“"„«»「『〝＂❝'},
}


def many_findings(size: int) -> CheckResult:
    """Return a result with many findings on one line."""
    count = size // 100
    text = f"{QUOTE} " * count
    spans = [Span(1, 10 * at + 2, 1, 10 * at + 9) for at in range(count)]
    return CheckResult(
        citations=tuple(
            CheckedCitation(
                file="a.md",
                citation=Citation(
                    passages=("a b c d",),
                    span=span,
                    source=SourceRef("http://u.v", span),
                    shape=Shape.INLINE,
                ),
                verdict=Verdict.MISMATCH,
                code="QUOTE_NOT_IN_SOURCE",
            )
            for span in spans
        ),
        diagnostics=tuple(
            Diagnostic(
                code="QUOTE_NOT_IN_SOURCE", message="m", span=span, file="a.md", source="http://u.v"
            )
            for span in spans
        ),
        summary=Summary(files=1, sources=1, citations=count, mismatch=count),
        texts={"a.md": text},
    )


def _page(body: str, content_type: str) -> None:
    with suppress(SourceError):  # A page that costs too much is refused.
        extract(body.encode(), content_type, "http://u.v/")


def _found(page: str, quote: str) -> None:
    folded = fold(page)
    find(folded, [quote])
    nearest(folded, [quote])


def _prepared(make: Make, read: Callable[[str], object]) -> Callable[[int], Callable[[], object]]:
    def prepare(size: int) -> Callable[[], object]:
        text = make(size)
        return lambda: read(text)

    return prepare


def _report(name: str) -> Callable[[int], Callable[[], object]]:
    def prepare(size: int) -> Callable[[], object]:
        result = many_findings(size)
        return lambda: render(name, result)

    return prepare


CASES: Mapping[str, Callable[[int], Callable[[], object]]] = {
    **{
        f"Markdown: {name}": _prepared(make, lambda text: read_document("a.md", text))
        for name, make in MARKDOWN.items()
    },
    "notes": _prepared(
        repeated("claim: a\nquote: b c d\nurl: http://u.v\n\n"),
        lambda text: read_document("a.txt", text),
    ),
    "JSONL": _prepared(
        repeated(
            '{"type":"assistant","message":{"content":[{"type":"text","text":"“a b c d”"}]}}\n'
        ),
        lambda text: read_document("a.jsonl", text),
    ),
    "page: HTML": _prepared(repeated("<p>a <b>b</b>\n"), lambda text: _page(text, "text/html")),
    "page: nested HTML": _prepared(
        nested("<div>", "a", "</div>"), lambda text: _page(text, "text/html")
    ),
    "page: text": _prepared(repeated("a b.\n"), lambda text: _page(text, "text/plain")),
    "page: JSON": _prepared(
        repeated('"a b",', before="[", behind='"a"]'), lambda text: _page(text, "application/json")
    ),
    "page: XML": _prepared(
        repeated("<a>b</a>", before="<r>", behind="</r>"),
        lambda text: _page(text, "application/xml"),
    ),
    "match: long quotation": _prepared(
        repeated("one two three four "), lambda text: _found(text, text[:-5] + "x")
    ),
    "match: omissions": _prepared(
        repeated("one two three "), lambda text: _found(text, "one … " * 50 + "x")
    ),
    "match: markers": _prepared(repeated("a[1] "), lambda text: _found(text, "a[1] " * 50 + "x")),
    "match: brackets": _prepared(
        repeated("one two "), lambda text: _found(text, "one [two] " * 50 + "x")
    ),
    **{f"output: {name}": _report(name) for name in FORMATS},
}


def seconds(run: Callable[[], object]) -> float:
    """Return the CPU time of *run*."""
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--size", type=int, default=512 * 1024)
    options = parser.parse_args(arguments)
    bad = 0
    for name, prepare in CASES.items():
        if options.words and not any(word in name for word in options.words):
            continue
        times = [seconds(prepare(options.size // part)) for part in (4, 2, 1)]
        exponent = math.log2(times[2] / times[1]) if times[1] else 0.0
        steep = exponent >= LIMIT and times[2] > NOISE
        bad += steep
        shown = " ".join(f"{value:8.3f}" for value in times)
        print(f"{name:40} {shown}  {exponent:5.2f}{'  STEEP' if steep else ''}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
