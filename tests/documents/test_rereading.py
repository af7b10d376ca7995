"""A document that is read again after an edit is what a whole reading of it is, and little of it is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from editing import document, edited

from tracecite_lint.documents import read_document, rereading
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.rereading import Read, read, read_again
from tracecite_lint.light.lazy import fields

FOLDERS = os.environ.get("TRACECITE_LINT_DOCUMENTS", "")
"""Folders with Markdown documents, as in PATH, whose files the exhaustive run edits too."""


def check_edits(text: str, draw: Random, count: int, path: str, *, eager: bool) -> int:
    """Edit *text* again and again, each time what came of the edit before; return how often a part of it was enough."""
    before = read(path, text, eager=eager)
    in_parts = 0
    for _ in range(count):
        text = edited(draw, text)
        whole = read(path, text, eager=eager)
        assert whole.document == read_document(path, text, eager=eager)
        again = read_again(before, text)
        if again is not None:
            in_parts += 1
            assert_same(again, whole)
        before = again or whole
    return in_parts


def assert_same(again: Read, whole: Read) -> None:
    """Assert that two readings are the same, and that the next edit meets the same parts."""
    for item in fields(type(whole.document)):
        assert getattr(again.document, item.name) == getattr(whole.document, item.name), item.name
    if whole.parts:
        assert list(again.starts) == list(whole.starts)
        assert list(again.parts) == list(whole.parts)


def by_chance(seed: int, edits: int) -> int:
    draw = Random(seed)
    path = draw.choice(("a.md", "a.md", "a.md", "a.mdx"))
    text = document(draw, draw.choice((12, 40)))
    return check_edits(text, draw, edits, path, eager=draw.random() < 0.3)


def test_reading_again_is_reading_as_a_whole():
    in_parts = [by_chance(seed, 6) for seed in range(40)]
    assert sum(in_parts) > 6 * 40 / 3  # else nothing was tried


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_reading_again_is_reading_as_a_whole_thousands_of_times(seed: int):
    by_chance(seed, 50)


def given_documents() -> list[Path]:
    folders = filter(None, FOLDERS.split(os.pathsep))
    return [path for folder in folders for path in sorted(Path(folder).glob("**/*.md"))]


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", given_documents(), ids=lambda path: path.name[:40])
def test_so_it_is_in_documents_that_people_wrote(path: Path):
    draw = Random(path.name)
    text = path.read_bytes().decode("utf-8", "replace")
    begin = draw.randrange(max(len(text) - 40_000, 1))
    check_edits(text[begin : begin + 40_000], draw, 12, path.name, eager=False)


# ---- What is read ---------------------------------------------------------------------------------------------------


def survey(citations: int) -> list[str]:
    """Return the lines of a report with so many citations, five lines for each."""
    lines = ["# A report", ""]
    for number in range(citations):
        lines += [
            f"Reading {number}: “In year {number} the gauge read {number} lines” ([survey](http://u.v/{number})).",
            "",
            "Between two quotations there is text that quotes nothing,",
            "and it has two lines.",
            "",
        ]
    return lines


@pytest.fixture
def blocks_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many blocks each reading of an excerpt has had."""
    counts: list[int] = []
    read_blocks: Callable[[Reading], Reading] = rereading.read_blocks

    def counted(reading: Reading) -> Reading:
        counts.append(len(reading.tree.root.children))
        return read_blocks(reading)

    monkeypatch.setattr(rereading, "read_blocks", counted)
    return counts


@pytest.mark.parametrize("typed", ["x", "\n", " “more” ([t](http://u.v/w))", "> "])
def test_a_key_reads_a_few_blocks_however_long_the_document_is(typed: str, blocks_read: list[int]):
    for citations in (100, 1000):
        lines = survey(citations)
        before = read("a.md", "\n".join(lines))
        lines[citations * 5 // 2 + 2] += typed
        blocks_read.clear()
        assert read_again(before, "\n".join(lines)) is not None
        assert len(blocks_read) == 1
        assert blocks_read[0] <= 16


def test_what_stands_before_and_behind_is_moved_and_nothing_else():
    lines = survey(200)
    before = read("a.md", "\n".join(lines))
    lines[502] += "x"
    again = read_again(before, "\n".join(lines))
    assert again is not None
    kept = [
        old is new
        for old, new in zip(before.document.citations, again.document.citations, strict=True)
    ]
    assert kept.count(False) <= 8


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[x]: http://d.e/f", "[x]: http://d.e/g"),  # a definition
        ("[^1]: <http://n.o/p>", "[^1]: <http://n.o/q>"),  # a footnote
        ("## References\n\n1. [t](http://r.s/t)", "## References\n\n1. [t](http://r.s/u)"),
        ("[1] <http://r.s/t>", "[1] <http://r.s/u>"),  # an entry
        ("plain", "```"),  # a fence that nothing closes
        ("plain", "<div>"),  # an element that nothing closes
        ("plain", "<!--"),
        ("<!-- tracecite-disable -->", "<!-- tracecite-enable -->"),
        ("### One", "### Two"),  # the claim of all that stands below
        ("---\ntitle: x\n---", "---\ntitle: y\n---"),
    ],
    ids=repr,
)
def test_what_reaches_on_is_read_as_a_whole(before: str, after: str):
    rest = "\n".join(survey(60))
    first = read("a.md", f"{before}\n\n{rest}")
    assert read_again(first, f"{after}\n\n{rest}") is None


def test_a_comment_that_becomes_code_silences_nothing_any_more():
    end = [
        "A line.",
        "",
        "<!-- tracecite-disable-next-line -->",
        "",
        "“Nobody at all has read this.”",
        "",
    ]
    text = "\n".join([*survey(30), *end])
    before = read("a.md", text)
    assert len(before.document.suppressions) == 1
    after = text.replace("A line.", "```")
    assert (read_again(before, after) or read("a.md", after)).document.suppressions == ()


def test_a_reference_that_is_typed_finds_its_definition_far_away():
    lines = survey(100)
    end = ["[^n]: <http://n.o/p>", "", "[x]: http://d.e/f"]
    before = read("a.md", "\n".join(lines + end))
    lines[252] = (
        "“The gauge was read by nobody at all”[^n] and “it has never been read since then” ([t][x])."
    )
    text = "\n".join(lines + end)
    again = read_again(before, text)
    assert again is not None
    assert again.document == read_document("a.md", text)
    assert {"http://n.o/p", "http://d.e/f"} <= {
        item.source.uri for item in again.document.citations
    }


def test_links_by_reference_that_the_parser_gives_up_are_read_as_a_whole():
    """The parser expands links by reference up to as many bytes as the document has, counted from its beginning."""
    address = "http://u.v/" + "a" * 1000
    lines = [
        f"“The gauge was read by nobody at all” ([t][x]).\n\nIt was {number}.\n"
        for number in range(150)
    ]
    text = "\n".join([f"[x]: {address}\n", *lines])
    document = read_document("a.md", text)
    before = read("a.md", text)
    assert before.document == document
    assert len(document.citations) == 10
    assert read_again(before, text + "More.\n") is None


def test_links_by_reference_are_not_given_up_where_little_is_read():
    address = "http://u.v/" + "a" * 1000
    cited = "“The gauge was read by nobody at all” ([t][x]).\n"
    text = "\n".join([*survey(100), *[cited] * 10, *survey(100), f"[x]: {address}\n"])
    before = read("a.md", text)
    assert before.parts
    edited = text.replace("by nobody", "by anybody", 1)
    again = read_again(before, edited) or read("a.md", edited)
    assert again.document == read_document("a.md", edited)
    assert sum(item.source.uri == address for item in again.document.citations) == 10


def test_text_that_is_no_markdown_is_read_as_a_whole():
    notes = read("a.md", "claim: a\nquote: b\nurl: http://u.v/w\n")
    assert len(notes.document.citations) == 1
    assert read_again(notes, notes.text + "\n") is None
    plain = read("a.md", "A first line.\n")
    assert read_again(plain, "claim: a\nquote: b\nurl: http://u.v/w\n") is None
