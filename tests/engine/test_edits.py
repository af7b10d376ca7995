"""The edits that put a source's words in place of a quotation."""

from __future__ import annotations

import json

import pytest
from marked import citations, read

from tracecite_lint.documents import read_document
from tracecite_lint.engine.edits import edited, replacement

U = "https://example.org/one"


def fixed(text: str, words: str, path: str = "a.md") -> str | None:
    document = read(text, path)
    edits = replacement(document, document.citations[0], words)
    return None if edits is None else edited(text, edits)


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        ("“a quick fox jumps”", "a slow fox jumps", "“a slow fox jumps”"),
        ("“a *quick* fox jumps”", "a *slow* fox jumps", "“a *\\*slow\\** fox jumps”"),
        ("“a *quick* fox jumps”", "a slow fox jumps", "“a *slow* fox jumps”"),
        ("“a *quick fox* jumps”", "a quick fox leaps", "“a *quick fox* leaps”"),
        ("“a quick *brown fox* jumps”", "a quick dog jumps", "“a quick *dog* jumps”"),
        ("“a *quick brown* fox jumps”", "a slow red dog jumps", None),
        ("“a quick fox jumps”", "a quick brown fox jumps", "“a quick brown fox jumps”"),
        ("“a quick brown fox”", "a quick fox", "“a quick fox”"),
        ("“a quick fox”", "quick fox", "“quick fox”"),
        ("“quick fox runs”", "a quick fox runs", "“a quick fox runs”"),
        ("“a quick fox”", "a quick fox.", "“a quick fox.”"),
        ("“the quick fox”", "[T]he quick fox", "“[T]he quick fox”"),
        ("“a b c d”", "a *b* c d", "“a \\*b\\* c d”"),
        ("“a b c d”", "a <b> c d", "“a \\<b\\> c d”"),
        ("“a b c d”", "a &amp; c d", "“a \\&amp; c d”"),
        ("“a b c d”", "a `b` c d", "“a \\`b\\` c d”"),
        ("“a b c d”", "a\n  b \t x d", "“a b x d”"),
        ('"he said so now"', 'he said "no" now', "\"he said 'no' now\""),
        ("“he said so now”", "he said “no” now", "“he said “no” now”"),
        ("“a &amp; b &lt; c”", "a & b > c", "“a &amp; b > c”"),
        ("“a `b` c d”", "a `b` c d", None),
        ("“a `b` c d”", "a b c e", "“a `b` c e”"),
        ("“一二三四五六七”", "一二三四五六八", "“一二三四五六八”"),
    ],
)
def test_only_the_words_that_differ_are_changed(before, words, after):
    source = f" ([page]({U}))"

    assert fixed(before + source, words) == (None if after is None else after + source)


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        ("> a quick\n> brown fox", "a slow brown fox", "> a slow\n> brown fox"),
        ("> a quick\n> brown fox", "a quick red fox", "> a quick\n> red fox"),
        ("> a quick\nbrown fox", "a quick red fox", "> a quick\nred fox"),
        ("> a quick\n> brown fox", "one slow red dog", "> one slow red dog"),
        ("> a quick fox", "- a quick fox", "> \\- a quick fox"),
        ("> a quick\r\n> brown fox", "a quick red fox", "> a quick\r\n> red fox"),
        ("> a\n>\n> b", "a c", None),
    ],
)
def test_blockquotes_keep_their_markers(before, words, after):
    source = f"\n>\n> — [page]({U})"

    assert fixed(before + source, words) == (None if after is None else after + source)


def test_a_table_cell_keeps_its_pipes():
    head = "| q | source |\n|-|-|\n"
    row = f"| “a b \\| c d” | [page]({U}) |"

    assert fixed(head + row, "a | b | c d") == f"{head}| “a \\| b \\| c d” | [page]({U}) |"


def test_html_is_escaped_as_html():
    assert (
        fixed(f'<blockquote cite="{U}">a b &amp; c</blockquote>', "a <x> & c")
        == f'<blockquote cite="{U}">a &lt;x&gt; &amp; c</blockquote>'
    )


def test_notes_hold_the_words_verbatim():
    assert fixed("claim: c\nquote: a b\nurl: u\n", "a *c*\n d", "n.txt") == (
        "claim: c\nquote: a *c* d\nurl: u\n"
    )


def test_json_strings_are_escaped():
    events = [
        {
            "type": "tool_call",
            "version": 1,
            "run_id": "r",
            "call_id": "c",
            "tool": "t",
            "input": {},
        },
    ]
    answer = (
        '{"schema_version":"1","type":"answer","run_id":"r1","claims":[{"id":"a","text":"t",'
        '"evidence":[{"source_id":"s","quote":"old \\"words\\""}]}]}'
    )
    text = "\n".join([*(json.dumps(event) for event in events), answer])
    document = read_document("a.jsonl", text)
    for citation in document.citations:
        edits = replacement(document, citation, 'new "wörds"')
        assert edits is not None
        assert json.loads(edited(text, edits).split("\n")[-1])


@pytest.mark.parametrize(
    "text",
    [
        f"[page]({U}#:~:text=some%20words)",
        f"As [X]({U}) wrote:\n\n> one\n>\n> two",
    ],
)
def test_what_is_not_mended(text):
    assert fixed(text, "other words") is None


def test_empty_words_are_no_fix():
    assert fixed(f"“a b c d” ([page]({U}))", "  ") is None


def test_a_fix_that_would_be_read_otherwise_is_none():
    assert fixed(f"“a b c d” ([page]({U}))", "a” c d") is None


def test_the_mended_document_is_right_afterwards():
    text = f"# H\n\n“a b c d” ([page]({U})) and “e f g h” ([page]({U}))\n"
    document = read(text)
    edits = replacement(document, document.citations[1], "e f x h")
    assert edits is not None

    assert [item.quote for item in citations(edited(text, edits))] == ["a b c d", "e f x h"]
