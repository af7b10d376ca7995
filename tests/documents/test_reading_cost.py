"""No Markdown takes longer to read than the bound allows, and what people write stays far below it."""

from __future__ import annotations

from pathlib import Path

import pytest
from work import work

from benchmarks.growth import LINK, MARKDOWN, QUOTE
from tracecite_lint.documents import read_document
from tracecite_lint.documents.markup import cost
from tracecite_lint.documents.markup.cost import MAX_COST, reading_cost
from tracecite_lint.documents.report import parse_markdown_report
from tracecite_lint.text.lines import Lines

SIZE = 2_000
WORK_PER_UNIT = 16
STARTING = 4_000
"""Work that is done once, whatever the size."""
PROJECT = Path(__file__).parents[2]


def short_rows(size: int) -> str:
    """Return a table of many columns and many rows of one cell, which the parser fills up."""
    columns = size // 16
    return f"{'|a' * columns}|\n{'|-' * columns}|\n" + "|a\n" * (size // 8)


def read(text: str):
    return read_document("a.md", text)


@pytest.mark.parametrize("name", MARKDOWN)
def test_reading_takes_no_more_work_than_its_bound_says(name):
    text = MARKDOWN[name](SIZE)
    read(text)  # imports
    assert work(lambda: read(text)) <= WORK_PER_UNIT * reading_cost(Lines(text).joined()) + STARTING


@pytest.mark.parametrize(
    "text",
    [
        "# a\n" * 2**18,
        "- a\n" * 2**17,
        "> a\n\n" * 2**15,
        f"- {QUOTE}\n" * 2**15,
        f"{QUOTE} ({LINK}) " * 2**16,
        "| `a` |\n" * 2**17,
        short_rows(2**15),
        short_rows(2**15).replace("\n", "\n> ").join(("> ", "")),
    ],
    ids=["headings", "bullets", "blockquotes", "quotations", "links", "cells", "rows", "> rows"],
)
def test_what_would_take_too_long_is_not_read_and_says_so(text):
    document = read(text)
    assert [item.code for item in document.diagnostics] == ["FILE_TOO_LARGE"]
    assert "times as much" in document.diagnostics[0].message
    assert document.citations == ()
    assert [item.code for item in parse_markdown_report(text).diagnostics] == ["FILE_TOO_LARGE"]


def test_it_is_refused_before_a_block_is_made_of_it(monkeypatch):
    text = f"> {QUOTE}\n\n" * 50
    whole = work(lambda: read(text))
    monkeypatch.setattr(cost, "MAX_COST", 1)
    assert work(lambda: read(text)) < whole / 10


def test_documents_that_people_write_are_twenty_times_below_the_bound():
    documents = [
        *PROJECT.glob("*.md"),
        *PROJECT.glob("docs/**/*.md"),
        *PROJECT.glob("fixtures/**/*.md"),
        *PROJECT.glob("tests/**/*.md"),
    ]
    costs = {
        path.name: reading_cost(Lines(path.read_bytes().decode("utf-8", "replace")).joined())
        for path in documents
    }
    assert len(costs) > 20
    assert max(costs.values()) * 20 < MAX_COST


def test_a_megabyte_of_running_text_with_its_quotations_is_read():
    paragraph = f"{'word ' * 60}said {QUOTE} ({LINK}) there.\n\n"
    text = paragraph * (2**20 // len(paragraph))
    assert reading_cost(text) < MAX_COST / 2
