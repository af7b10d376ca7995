"""Edits that silence a finding: in Markdown, MDX and notes by a comment, for JSON Lines in the settings."""

from __future__ import annotations

import pytest
from tracecite_lsp.suppressing import REASON, settings_suppression

from tracecite_lint.documents import read_document
from tracecite_lint.engine.suppressing import Insertion, file_suppression, line_suppression
from tracecite_lint.model import Diagnostic

CODE = "QUOTE_NOT_IN_LIVE_SOURCE"
NEXT = f"<!-- tracecite-disable-next-line {CODE} -- say why -->"
LINE = f"<!-- tracecite-disable-line {CODE} -- say why -->"
FILE = f"<!-- tracecite-disable-file {CODE} -- say why -->"
INLINE = "“Words that are quoted here” ([s](https://www.example.com/a))."


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", f"# T\n\n{INLINE}\n", f"# T\n\n{NEXT}\n{INLINE}\n"),
        ("a.md", f"# T\r\n\r\n{INLINE}\r\n", f"# T\r\n\r\n{NEXT}\r\n{INLINE}\r\n"),
        (
            "a.md",
            f"First line,\nthen {INLINE}  \nand more.\n",
            f"First line,\nthen {INLINE} {LINE}  \nand more.\n",
        ),
        ("a.md", f"- one\n- {INLINE}\n- three\n", f"- one\n- {INLINE} {LINE}\n- three\n"),
        (
            "a.md",
            "Text.\n\n> Words that are quoted here\n>\n> — [s](https://www.example.com/a)\n",
            f"Text.\n\n{NEXT}\n> Words that are quoted here\n>\n> — [s](https://www.example.com/a)\n",
        ),
        (
            "a.md",
            "| a | b |\n|---|---|\n| “Words that are quoted here” | [s](https://www.example.com/a) |\n",
            "| a | b |\n|---|---|\n| “Words that are quoted here” | [s](https://www.example.com/a) |"
            f" {LINE}\n",
        ),
        (
            "a.mdx",
            f"{INLINE}\n",
            f"{{/* tracecite-disable-next-line {CODE} -- say why */}}\n{INLINE}\n",
        ),
        (
            "a.txt",
            "claim: c\nquote: Words that are quoted\nurl: https://www.example.com/a\n",
            f"claim: c\n# tracecite-disable-next-line {CODE} -- say why\n"
            "quote: Words that are quoted\nurl: https://www.example.com/a\n",
        ),
    ],
)
def test_a_comment_silences_the_finding_and_changes_no_citation(
    name: str, text: str, expected: str
):
    document = read_document(name, text)
    (citation,) = document.citations
    finding = Diagnostic(code=CODE, message="", span=citation.span)
    insertion = line_suppression(document, finding, REASON)
    assert insertion is not None
    assert put_in(text, insertion) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", f"# T\n\n{INLINE}\n", f"{FILE}\n\n# T\n\n{INLINE}\n"),
        ("a.md", f"---\nt: 1\n---\n{INLINE}\n", f"---\nt: 1\n---\n{FILE}\n\n{INLINE}\n"),
        (
            "a.txt",
            "claim: c\nquote: Words that are quoted\nurl: https://www.example.com/a\n",
            f"# tracecite-disable-file {CODE} -- say why\n"
            "claim: c\nquote: Words that are quoted\nurl: https://www.example.com/a\n",
        ),
    ],
)
def test_a_comment_silences_a_whole_file(name: str, text: str, expected: str):
    document = read_document(name, text)
    finding = Diagnostic(code=CODE, message="", span=document.citations[0].span)
    insertion = file_suppression(document, finding, REASON)
    assert insertion is not None
    assert put_in(text, insertion) == expected


@pytest.mark.parametrize("code", ["HTTP_STATUS_404", "SOURCE_BLOCKED"])
def test_a_comment_names_the_code_that_is_shown(code: str):
    document = read_document("a.md", f"{INLINE}\n")
    finding = Diagnostic(code=code, message="", span=document.citations[0].span)
    insertion = line_suppression(document, finding, REASON)
    assert insertion is not None
    assert f"disable-next-line {code} --" in insertion.text


@pytest.mark.parametrize(
    ("text", "table", "expected"),
    [
        ("", "", '[per-file-ignores]\n"/t.jsonl" = ["X"]  # say why\n'),
        (
            'ignore = ["A"]\n',
            "",
            'ignore = ["A"]\n\n[per-file-ignores]\n"/t.jsonl" = ["X"]  # say why\n',
        ),
        (
            '[per-file-ignores]\n"b.md" = ["A"]\n',
            "",
            '[per-file-ignores]\n"/t.jsonl" = ["X"]  # say why\n"b.md" = ["A"]\n',
        ),
        (
            '[per-file-ignores]\n"/t.jsonl" = ["A"]  # why\n',
            "",
            '[per-file-ignores]\n"/t.jsonl" = ["A", "X"]  # why\n',
        ),
        (
            "[tool.tracecite-lint]\nttl = 1\n[tool.other]\na = 1\n",
            "tool.tracecite-lint",
            "[tool.tracecite-lint]\nttl = 1\n[tool.other]\na = 1\n\n"
            '[tool.tracecite-lint.per-file-ignores]\n"/t.jsonl" = ["X"]  # say why\n',
        ),
        ('[per-file-ignores]\n"/t.jsonl" = ["X"]\n', "", None),  # silenced already
        ('per-file-ignores = {"b.md" = ["A"]}\n', "", None),  # written in another way
        ("no TOML", "", None),
    ],
)
def test_settings_silence_a_code_in_json_lines(text: str, table: str, expected: str | None):
    assert settings_suppression(text, "t.jsonl", "X", table=table) == expected


def test_a_name_with_the_signs_of_a_pattern_means_itself():
    changed = settings_suppression("", 'runs/a[1]"*.jsonl', "X", table="")
    assert changed == '[per-file-ignores]\n"runs/a[[]1]\\"[*].jsonl" = ["X"]  # say why\n'


def put_in(text: str, insertion: Insertion) -> str:
    return text[: insertion.at] + insertion.text + text[insertion.at :]
