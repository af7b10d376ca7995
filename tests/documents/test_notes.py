"""Citation notes."""

from __future__ import annotations

import pytest
from marked import assert_cites, read

from tracecite_lint.documents.notes import looks_like_notes, parse_citation_notes
from tracecite_lint.model import DocumentKind

RECORD = "claim: A claim.\nquote: the words\nurl: https://example.org/\n"


def test_records_are_parted_by_blank_lines_or_rules():
    text = f"# a comment\n{RECORD}\n{RECORD}---\nurl: u\n# inside\nquote: q\nclaim: c\n"
    found = parse_citation_notes(text)

    assert [(note.claim, note.quote, note.url, note.line) for note in found.notes] == [
        ("A claim.", "the words", "https://example.org/", 2),
        ("A claim.", "the words", "https://example.org/", 6),
        ("c", "q", "u", 10),
    ]
    assert found.diagnostics == ()


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        ("quote:  “as: it \\*is\\*”  ", "“as: it \\*is\\*”"),
        ("  quote : x", "x"),
        ("quote:x", "x"),
        ("quote: a\u2028b", "a\u2028b"),
    ],
)
def test_values_are_verbatim_but_for_white_space_around_them(line, quote):
    (note,) = parse_citation_notes(f"claim: c\n{line}\nurl: u").notes

    assert note.quote == quote


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claim: a\nquote: b\nwords\n", [("INVALID_NOTE_LINE", 3), ("MISSING_NOTE_FIELD", 1)]),
        ("claim: a\nquote:\nurl: u", [("EMPTY_NOTE_FIELD", 2), ("MISSING_NOTE_FIELD", 1)]),
        (f"{RECORD}quote: c", [("DUPLICATE_NOTE_FIELD", 4)]),
        (f"{RECORD}note: c", [("UNKNOWN_NOTE_FIELD", 4)]),
        ("quote: b\nurl: u", [("MISSING_NOTE_FIELD", 1)]),
        ("\n# only\n---\n", [("EMPTY_NOTE_INPUT", 1)]),
        ("", [("EMPTY_NOTE_INPUT", 1)]),
    ],
)
def test_what_is_malformed(text, expected):
    found = parse_citation_notes(text)

    assert [(item.code, item.line) for item in found.diagnostics] == expected
    assert found.notes == ()


def test_line_ends_of_every_kind():
    for end in ("\n", "\r\n", "\r"):
        assert len(parse_citation_notes(f"{RECORD}\n{RECORD}".replace("\n", end)).notes) == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (RECORD, DocumentKind.NOTES),
        (f"# Comment\n\n{RECORD}", DocumentKind.NOTES),
        (f"{RECORD}a line that is broken\n", DocumentKind.NOTES),
        ("quote: x\n\nThis is a text.\n\nIt has three paragraphs.", DocumentKind.MARKDOWN),
        ("# Heading\n\nText.", DocumentKind.MARKDOWN),
        ("", DocumentKind.MARKDOWN),
    ],
)
def test_a_file_is_read_as_notes_by_its_content(text, kind):
    assert read(text, "notes.md").kind is kind
    assert read(text, "notes.txt").kind is kind
    assert looks_like_notes(text) is (kind is DocumentKind.NOTES)


def test_the_span_of_a_note_is_the_value_of_its_quote():
    (citation,) = assert_cites(
        "claim: c\nquote:  ⟦“the words”⟧ \nurl: https://example.org/", "https://example.org/"
    )

    assert (citation.line, citation.claim) == (1, "c")
    assert citation.source.span.column == 6


def test_what_is_wrong_with_notes_is_said_in_a_check_too():
    assert [item.code for item in read("quote: b\nurl: u\nclaim:", "a.txt").diagnostics] == [
        "EMPTY_NOTE_FIELD",
        "MISSING_NOTE_FIELD",
    ]
