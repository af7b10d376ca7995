"""`--add-ignore REASON`: a comment over each finding, in every shape, after which a run is clean and no comment unused."""

from __future__ import annotations

import pytest
from traces import Cited, trace

from tracecite_lint.documents import markdown, read_document
from tracecite_lint.engine.suppressing import Insertion, suppressions
from tracecite_lint.model import Diagnostic, Span

SOURCE = "Nothing of what is quoted elsewhere stands in this file.\n"
S = "([s](source.txt))"
REASON = "settled in May"
LINE = f"<!-- tracecite-disable-line QUOTE_NOT_IN_SOURCE -- {REASON} -->"
NEXT = f"<!-- tracecite-disable-next-line QUOTE_NOT_IN_SOURCE -- {REASON} -->"

SHAPES = {
    "a paragraph of its own": (f"# T\n\n“zebras were counted twice” {S}\n", f"# T\n\n{NEXT}\n“zebras were counted twice” {S}\n"),
    "within a paragraph": (
        f"First,\nthen “zebras were counted twice” {S}\nand more.\n",
        f"First,\nthen “zebras were counted twice” {S} {LINE}\nand more.\n",
    ),
    "over two lines of a paragraph": (
        f"First,\nthen “zebras were counted\ntwice this year” {S}\n",
        f"First,\nthen “zebras were counted\ntwice this year” {S} {LINE}\n",
    ),
    "two on one line": (
        f"So\n“zebras were counted twice” {S}, “lions were never counted” {S}\n",
        f"So\n“zebras were counted twice” {S}, “lions were never counted” {S} {LINE}\n",
    ),
    "before a hard break": (
        f"So\n“zebras were counted twice” {S}\\\nand “lions were never counted” {S}  \nend\n",
        f"So\n“zebras were counted twice” {S} {LINE}\\\nand “lions were never counted” {S} {LINE}  \nend\n",
    ),
    "a list": (
        f"- one\n- “zebras were counted twice” {S}\n  1. “lions were never counted” {S}\n- three\n",
        f"- one\n- “zebras were counted twice” {S} {LINE}\n  1. “lions were never counted” {S} {LINE}\n- three\n",
    ),
    "a table": (
        "| a | b |\n| --- | --- |\n| “zebras were counted twice” | [s](source.txt) |\n| x | y |\n",
        f"| a | b |\n| --- | --- |\n| “zebras were counted twice” | [s](source.txt) | {LINE}\n| x | y |\n",
    ),
    "a blockquote": (
        "As they [wrote](source.txt):\n\n> Zebras were counted\n> twice this year\n>\n> and lions never\n",
        f"As they [wrote](source.txt):\n\n{NEXT}\n> Zebras were counted\n> twice this year\n>\n> and lions never\n",
    ),
    "within a blockquote": (
        f"> Text,\n> “zebras were counted twice” {S}\n> and more.\n",
        f"> Text,\n> “zebras were counted twice” {S} {LINE}\n> and more.\n",
    ),
    "before a footnote": (
        "So\n“zebras were counted twice”[^1] and\n\n[^1]: [s](source.txt)\n",
        f"So\n“zebras were counted twice”[^1] and {LINE}\n\n[^1]: [s](source.txt)\n",
    ),
    "in a footnote": (
        f"So[^1]\n\n[^1]: “zebras were counted twice” {S}\n",
        f"So[^1]\n\n{NEXT}\n[^1]: “zebras were counted twice” {S}\n",
    ),
    "after a footnote": (
        f"So[^1]\n\n[^1]: A note.\n\n“zebras were counted twice” {S}\n",
        f"So[^1]\n\n[^1]: A note.\n\n{NEXT}\n“zebras were counted twice” {S}\n",
    ),
    "CRLF": (
        f"So\r\n“zebras were counted twice” {S}\r\nend\r\n",
        f"So\r\n“zebras were counted twice” {S} {LINE}\r\nend\r\n",
    ),
    "no line end, a BOM": (f"\ufeff“zebras were counted twice” {S}", f"\ufeff{NEXT}\n“zebras were counted twice” {S}"),
}  # fmt: skip


@pytest.fixture
def source(write):
    return write("source.txt", SOURCE)


@pytest.mark.parametrize(("text", "expected"), SHAPES.values(), ids=SHAPES)
def test_the_next_run_is_clean_and_no_comment_is_unused(lint, write, source, text, expected):
    path = write("a.md", text)
    assert lint("a.md").status == 2
    ran = lint("a.md", "--add-ignore", REASON)
    assert ran.status == 0, ran.out
    assert "note: silenced" in ran.out
    assert path.read_bytes().decode() == expected
    again = lint("a.md", "--json").json
    assert again["diagnostics"] == []
    assert again["summary"]["suppressed"] == again["summary"]["citations"] > 0
    assert lint("a.md", "--add-ignore", REASON).status == 0  # with nothing left to write
    assert path.read_bytes().decode() == expected


def test_mdx_and_notes_have_comments_of_their_own(lint, write, source):
    mdx = write("a.mdx", f"“zebras were counted twice” {S}\n")
    notes = write("n.txt", "claim: c\nquote: zebras were counted twice\nurl: source.txt\n")
    assert lint("a.mdx", "n.txt", "--add-ignore", REASON).status == 0
    words = f"tracecite-disable-next-line QUOTE_NOT_IN_SOURCE -- {REASON}"
    assert mdx.read_text() == f"{{/* {words} */}}\n“zebras were counted twice” {S}\n"
    assert f"# {words}\nquote:" in notes.read_text()


def test_json_lines_are_left_as_they_are_and_that_is_said(lint, write, source):
    record = write("t.jsonl", trace(Cited("source.txt", "zebras", "lions were never counted")))
    before = record.read_bytes()
    report = write("a.md", f"“zebras were counted twice” {S}\n")
    ran = lint("a.md", "t.jsonl", "--add-ignore", REASON)
    assert ran.status == 2
    assert record.read_bytes() == before
    assert REASON in report.read_text()
    assert (
        "(t.jsonl); JSON Lines have no comments: use `per-file-ignores` in the settings" in ran.out
    )


def test_what_could_not_be_reached_is_not_silenced(lint, write):
    text = "“zebras were counted twice” ([s](https://www.example.org/a))\n"
    path = write("a.md", text)
    ran = lint("a.md", "--offline", "--add-ignore", REASON)
    assert (ran.status, path.read_text()) == (2, text)
    assert "not silenced: 1 finding in 1 file (a.md); the source could not be reached" in ran.out


def test_where_no_comment_can_stand_none_is_written():
    text = f"“zebras were counted twice” {S}\n\n```\n“lions were never counted” {S}\n```\n"
    document = read_document("a.md", text)
    found, in_code = (
        Diagnostic(code="QUOTE_NOT_IN_SOURCE", message="", span=Span(line, 2, line, 9))
        for line in (1, 4)
    )
    silenced = suppressions(document, [(found, REASON), (in_code, REASON)])
    assert silenced.insertions == (Insertion(0, f"{NEXT}\n"),)
    assert silenced.left == (in_code,)


def test_what_the_baseline_knows_is_silenced_already(lint, write, source):
    path = write("a.md", f"“zebras were counted twice” {S}\n")
    lint("baseline", "create", "a.md")
    before = path.read_text()
    assert lint("a.md", "--add-ignore", REASON).status == 0
    assert path.read_text() == before
    assert lint("a.md", "--no-baseline", "--add-ignore", REASON).status == 0
    assert REASON in path.read_text()


def test_the_difference_is_shown_and_nothing_written(lint, write, source):
    text = f"“zebras were counted twice” {S}\n"
    path = write("a.md", text)
    ran = lint("a.md", "--add-ignore", REASON, "--diff")
    assert (ran.status, path.read_text()) == (2, text)
    assert ran.out == f"--- a/a.md\n+++ b/a.md\n@@ -1 +1,2 @@\n+{NEXT}\n {text}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.md", "--add-ignore", " "], "a reason is needed"),
        (["a.md", "--add-ignore", "so --> there"], "would end the comment"),
        (["a.md", "--add-ignore", "so */} there"], "would end the comment"),
        (["a.md", "--add-ignore", "two\nlines"], "one line"),
        (["--add-ignore", "x"], "name them, or give --all"),
        (["a.md", "--fix", "--add-ignore", "x"], "fix first, then ignore"),
        (["a.md", "--dump", "--add-ignore", "x"], "--dump checks nothing"),
        (["-", "--add-ignore", "x"], "name them, or give --all"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_read(lint, write, arguments, said):
    path = write("a.md", f"“zebras were counted twice” {S}\n")
    before = path.read_bytes()
    ran = lint(*arguments)
    assert (ran.status, ran.out) == (1, "")
    assert said in ran.err
    assert path.read_bytes() == before


def test_many_comments_take_two_readings(monkeypatch, lint, write, source):
    text = "".join(f"“zebras were counted {number} times” {S}\n\n" for number in range(60))
    path = write("a.md", text)
    read = []
    parse = markdown.parse_markdown
    monkeypatch.setattr(
        markdown, "parse_markdown", lambda *given, **more: read.append(1) or parse(*given, **more)
    )
    assert lint("a.md", "--no-cache", "--add-ignore", REASON).status == 0
    assert path.read_text().count(REASON) == 60
    assert len(read) == 3  # as it is, as it would be, and as it then is
