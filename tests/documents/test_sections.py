"""No rule looks beyond its section, but for definitions, footnotes and reference lists: what stands in others changes nothing."""

from __future__ import annotations

import re

import pytest
from marked import read
from rules_page import CONTEXTS, entries

from tracecite_lint.documents.citing.candidate import described
from tracecite_lint.model import Document

EXAMPLES = list(
    dict.fromkeys(
        example
        for table in CONTEXTS.values()
        for entry in entries(table)
        if (example := described(entry)[1])
    )
)
_FAR = re.compile(r"\[\^|\[\d|^## References", re.MULTILINE)
ELSEWHERE = [example for example in EXAMPLES if not _FAR.search(example)]
"""Examples without what other sections are read by."""


def read_here(example: str, before: str, behind: str, *, eager: bool) -> list[tuple[object, ...]]:
    """Return what is read in a section between two others: on which of its lines, and as what."""
    head = f"# Title\n\n## Before\n\n{before}\n\n"
    here = f"## Here\n\n{example}\n\n"
    document = read(f"{head}{here}## Behind\n\n{behind}\n", eager=eager)
    first = head.count("\n") + 1
    return _within(document, range(first, first + here.count("\n")))


def _within(document: Document, lines: range) -> list[tuple[object, ...]]:
    def place(item: object) -> tuple[int, int, int, int]:
        span = item.span  # type: ignore[attr-defined]
        return (span.line - lines.start, span.column, span.end_line - lines.start, span.end_column)

    return [
        *(
            (place(item), item.passages, item.source.uri, item.rule, item.claim)
            for item in document.citations
            if item.span.line in lines
        ),
        *((place(item), item.reason) for item in document.passed_over if item.span.line in lines),
        *((place(item), item.code) for item in document.diagnostics if item.span.line in lines),
    ]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize(("number", "example"), list(enumerate(EXAMPLES)))
def test_what_other_sections_hold_changes_nothing_here(number, example, eager):
    alone = read_here(example, "Text.", "Text.", eager=eager)
    others = [each for each in ELSEWHERE[number % 4 :: 4] if each != example]

    assert alone
    before, behind = "\n\n".join(others), "\n\n### Another\n\n".join(reversed(others))
    assert read_here(example, before, behind, eager=eager) == alone


@pytest.mark.parametrize(
    ("here", "elsewhere"),
    [
        ("“The cache is never read again” [it says][essay].", "[essay]: https://example.org/essay"),
        ("“The cache is never read again.”[^1]", "[^1]: <https://example.org/essay>"),
        ("“The cache is never read again” [1].", "## References\n\n1. <https://example.org/essay>"),
    ],
)
def test_definitions_footnotes_and_reference_lists_are_read_from_anywhere(here, elsewhere):
    assert read_here(here, "Text.", "Text.", eager=False) != read_here(
        here, "Text.", elsewhere, eager=False
    )
