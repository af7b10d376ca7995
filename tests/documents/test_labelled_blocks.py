"""Labelled blocks, and reports read as the earlier tool read them."""

from __future__ import annotations

import pytest
from marked import assert_cites, codes, read

from tracecite_lint.documents.report import parse_markdown_report
from tracecite_lint.model import Shape

U, V = "https://example.org/one", "https://example.org/two"


@pytest.mark.parametrize(
    "text",
    [
        f"> 原文：“⟦the words⟧”\n> 来源：[t]({U})",
        f"> 引文:“⟦the words⟧”\n> 来源: {U}",
        f'> Quote: "⟦the words⟧"\n> Source: <{U}>',
        f"> Quote： ⟦the words⟧\n> Source：[t]({U})",
        f"> **Quote:** “⟦the words⟧”\n>\n> **Source:** [t]({U})",
        f"> Quote: “⟦the\n> words⟧”\n> Source: [t]({U})",
        f"> Quote: “⟦the “inner” words⟧”\n> Source: [t][r]\n\n[r]: {U}",
        f"- > Quote: “⟦the words⟧”\n  > Source: [t]({U})",
        f"> > Quote: “⟦the words⟧”\n> > Source: [t]({U})",
        f"> Quote: “⟦one⟧”\r\n> Source: [t]({U})\r\n",
    ],
)
def test_a_labelled_quotation(text):
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.LABELLED


def test_several_in_one_blockquote():
    text = f"> Quote: “⟦one⟧”\n> Source: {U}\n>\n> Quote: “⟦two⟧”\n> Source: {V}"

    assert_cites(text, U, V)


def test_two_sources():
    found = read(f"> Quote: “one”\n> Source: [a]({U}), [b]({V})").citations

    assert [item.source.uri for item in found] == [U, V]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"> Quote: “a”\nlazy\n> Source: {U}",
            [("MISSING_REPORT_SOURCE", 1), ("SOURCE_WITHOUT_QUOTE", 3)],
        ),
        (
            f"> Quote: “a”\n\n> Source: {U}",
            [("MISSING_REPORT_SOURCE", 1), ("SOURCE_WITHOUT_QUOTE", 3)],
        ),
        (f"> Quote: “”\n> Source: {U}", [("EMPTY_REPORT_QUOTE", 1)]),
        (f"> Quote:\n> Source: {U}", [("EMPTY_REPORT_QUOTE", 1)]),
        ("> Quote: “a”\n> Source: [t](notes.md)", [("INVALID_REPORT_SOURCE", 2)]),
        ("> Quote: “a”\n> Source: somewhere", [("INVALID_REPORT_SOURCE", 2)]),
        (f"> Quote: “a”\n> Quote: “b”\n> Source: {U}", [("MISSING_REPORT_SOURCE", 1)]),
        ("# Nothing\n\nhere", [("NO_REPORT_CITATIONS", 1)]),
        ("", [("NO_REPORT_CITATIONS", 1)]),
        (f"> Quote: “a”\n> Source: {U}", []),
    ],
)
def test_what_is_malformed_in_a_report(text, expected):
    found = parse_markdown_report(text).diagnostics

    assert [(item.code, item.line) for item in found] == expected


def test_a_report_has_one_note_for_each_quotation_with_a_web_source():
    text = (
        f"> Quote: “one `two`”\n> Source: {U}\n\n# Head\n\n“three words here” ([t]({V}))\n\n"
        f"“a local one here” ([t](a.md))\n\n[link](https://example.org/#:~:text=four)\n"
    )
    found = parse_markdown_report(text)

    assert [note.to_json() for note in found.notes] == [
        {"claim": "Markdown report", "quote": "one two", "url": U, "line": 1},
        {"claim": "Head", "quote": "three words here", "url": V, "line": 6},
    ]
    assert [item.code for item in found.diagnostics] == ["INVALID_REPORT_SOURCE"]


def test_a_report_as_json_has_notes_and_diagnostics():
    assert parse_markdown_report("").to_json() == {
        "notes": [],
        "diagnostics": [
            {
                "line": 1,
                "code": "NO_REPORT_CITATIONS",
                "message": "no quotation with a source was found in this report",
            }
        ],
    }


def test_in_a_check_a_local_source_is_fine_and_a_document_without_citations_too():
    assert codes(read("> Quote: “a”\n> Source: [t](notes.md)")) == []
    assert codes(read("# Nothing\n\nhere")) == []


def test_the_source_line_of_another_blockquote_is_no_finding_by_itself():
    assert codes(read(f"> Source: [a picture]({U})")) == []


@pytest.mark.parametrize(
    "text",
    [f"> 原文：<{U}>", f"> **原文：**[A day]({U})", f"> 引文：{U}", f"> 原文：A day\n> 链接：{U}"],
)
def test_the_head_of_a_translated_article_is_no_labelled_quotation(text):
    document = read(text)

    assert document.citations == ()
    assert codes(document) == []


def test_words_in_marks_behind_a_label_want_a_source():
    assert codes(read("> 原文：“the words of it”")) == ["MISSING_REPORT_SOURCE"]


def test_in_a_report_a_single_word_is_a_quotation_too():
    assert len(parse_markdown_report(f"“cached” ([t]({U}))").notes) == 1
    assert read(f"“cached” ([t]({U}))").citations == ()
