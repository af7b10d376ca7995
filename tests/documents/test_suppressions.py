"""Suppression comments: what they look like and which lines they silence."""

from __future__ import annotations

import pytest
from marked import read

A, B = "QUOTE_NOT_IN_LIVE_SOURCE", "HTTP_STATUS_404"


def ranges(text: str, path: str = "a.md") -> list[tuple[tuple[str, ...], int, int]]:
    return [(item.codes, item.first_line, item.last_line) for item in read(text, path).suppressions]


def findings(text: str, path: str = "a.md") -> list[tuple[str, int, int]]:
    return [
        (item.code, item.span.line, item.span.column)
        for item in read(text, path).diagnostics
        if "SUPPRESSION" in item.code
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"<!-- tracecite-disable-next-line {A} -->\nx\ny", [((A,), 2, 2)]),
        ("<!-- tracecite-disable-next-line -->\nx", [((), 2, 2)]),
        (f"<!--tracecite-disable-next-line {A}-->\n\nx\n", [((A,), 2, 3)]),
        (f"<!--\ntracecite-disable-next-line {A}\n-- because\n-->\nx", [((A,), 5, 5)]),
        (f"<!-- tracecite-disable-next-line {A}, {B} -->\nx", [((A, B), 2, 2)]),
        (f"<!-- tracecite-disable-next-line {A} {B} -->\nx", [((A, B), 2, 2)]),
        (f"x <!-- tracecite-disable-line {A} --> y\nz", [((A,), 1, 1)]),
        (f"- x\n- y <!-- tracecite-disable-line {A} -->\n- z", [((A,), 2, 2)]),
        (f"- x\n  <!-- tracecite-disable-next-line {A} -->\n  y", [((A,), 3, 3)]),
        (f"| a |\n|-|\n| b <!-- tracecite-disable-line {A} --> |", [((A,), 3, 3)]),
        (f"> x <!-- tracecite-disable-line {A} -->\n> y", [((A,), 1, 1)]),
        (f"> <!-- tracecite-disable-next-line {A} -->\n> y\n> z", [((A,), 2, 2)]),
        (f"# x <!-- tracecite-disable-line {A} -->\n", [((A,), 1, 1)]),
        (f"<!-- tracecite-disable-next-line {A} -->\n# x\n", [((A,), 2, 2)]),
        (f"*x <!-- tracecite-disable-line {A} --> y*", [((A,), 1, 1)]),
        (f"<div>\n<!-- tracecite-disable-line {A} -->\n</div>", [((A,), 2, 2)]),
        (
            f"<!-- tracecite-disable-next-line {A} -->\n> [!quote] t\n> x\n>\n> y\n\nz",
            [((A,), 2, 5)],
        ),
        (f"[//]: # (tracecite-disable-next-line {A})\n\nx", [((A,), 2, 3)]),
        (f'[//]: # "tracecite-disable-next-line {A}"\n\nx', [((A,), 2, 3)]),
        (f"[//]: <> (tracecite-disable-next-line {A})\n\nx", [((A,), 2, 3)]),
        (f"> [//]: # (tracecite-disable-file {A})\n> x", [((A,), 1, 2)]),
        (f"a\n\n<!-- tracecite-disable-file {A} -->\n\nb", [((A,), 1, 5)]),
        (f"a\n<!-- tracecite-disable {A} -->\nb\n<!-- tracecite-enable {A} -->\nc", [((A,), 2, 4)]),
        (f"<!-- tracecite-disable {A} -->\nb\n<!-- tracecite-enable -->\nc", [((A,), 1, 3)]),
        ("<!-- tracecite-disable -->\nb\n<!-- tracecite-enable -->\nc", [((), 1, 3)]),
        (f"<!-- tracecite-disable {A} -->\nb\nc", [((A,), 1, 3)]),
        (
            f"<!-- tracecite-disable {A} {B} -->\nb\n<!-- tracecite-enable {A} -->\nc",
            [((A,), 1, 3), ((B,), 1, 4)],
        ),
        (f"a\r\n<!-- tracecite-disable-next-line {A} -->\r\nb\r\n", [((A,), 3, 3)]),
        (f"a\r<!-- tracecite-disable-next-line {A} -->\rb\r", [((A,), 3, 3)]),
    ],
)
def test_the_lines_that_a_comment_silences(text, expected):
    assert ranges(text) == expected
    assert findings(text) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"<!-- tracecite-disable-line {A} -- the page is down -->", "the page is down"),
        (f"<!-- tracecite-disable-line {A}\n-- the page -- is down -->", "the page -- is down"),
        (f"[//]: # (tracecite-disable-line {A} -- (so) it is)", "(so) it is"),
        (f"<!-- tracecite-disable-line {A} -->", ""),
    ],
)
def test_the_reason_is_kept(text, reason):
    assert [item.reason for item in read(text).suppressions] == [reason]


def test_the_place_of_a_comment():
    (item,) = read(f"😀 <!-- tracecite-disable-line {A} --> b").suppressions

    assert (item.span.line, item.span.column, item.span.end_column) == (
        1,
        3,
        3 + len(f"<!-- tracecite-disable-line {A} -->"),
    )


@pytest.mark.parametrize(
    "text",
    [
        f"`<!-- tracecite-disable-line {A} -->`",
        f"```\n<!-- tracecite-disable-file {A} -->\n```",
        f"    <!-- tracecite-disable-file {A} -->",
        f"```\n[//]: # (tracecite-disable-file {A})\n```",
        f"{{/* tracecite-disable-file {A} */}}",
        f"<!-- see tracecite-disable-file {A} -->",
        f"tracecite-disable-file {A}",
        f"<!-- tracecite-disable-file {A}",
    ],
)
def test_what_is_no_comment(text):
    assert ranges(text) == []
    assert findings(text) == []


def test_comments_of_mdx():
    assert ranges(f"{{/* tracecite-disable-next-line {A} -- so */}}\n\n> x", "a.mdx") == [
        ((A,), 2, 3)
    ]
    assert ranges(f"x {{ /* tracecite-disable-line {A} */ }}", "a.mdx") == [((A,), 1, 1)]


@pytest.mark.parametrize(
    ("text", "expected", "kept"),
    [
        (
            "<!-- tracecite-disable-line QUOTE_NOT_IN_SORCE -->",
            [("UNKNOWN_SUPPRESSION_CODE", 1, 1)],
            [],
        ),
        (
            f"x <!-- tracecite-disable-line FOO {A} -->",
            [("UNKNOWN_SUPPRESSION_CODE", 1, 3)],
            [((A,), 1, 1)],
        ),
        (f"<!-- tracecite-disable-nextline {A} -->", [("MALFORMED_SUPPRESSION", 1, 1)], []),
        ("<!-- tracecite-ignore -->", [("MALFORMED_SUPPRESSION", 1, 1)], []),
        ("<!-- tracecite-enable -->", [("MALFORMED_SUPPRESSION", 1, 1)], []),
    ],
)
def test_what_is_wrong_with_a_comment_is_reported(text, expected, kept):
    assert findings(text) == expected
    assert ranges(text) == kept


def test_a_misspelt_code_is_answered_with_the_one_that_was_meant():
    (found,) = read("<!-- tracecite-disable-line QUOTE_NOT_IN_SORCE -->").diagnostics

    assert "QUOTE_NOT_IN_SOURCE" in found.message


def test_comments_of_notes_silence_the_next_record():
    record = "claim: c\nquote: q\nurl: u\n"
    text = (
        f"# tracecite-disable-next-line {A} -- so\n{record}\n{record}# tracecite-disable-file {B}\n"
    )

    assert ranges(text, "a.txt") == [((A,), 2, 4), ((B,), 1, 10)]


def test_to_enable_one_code_leaves_all_others_disabled():
    (ended, others) = sorted(
        ranges(f"<!-- tracecite-disable -->\nb\n<!-- tracecite-enable {A} -->\nc"),
        key=lambda item: item[2],
    )

    assert ended == ((A,), 1, 3)
    assert others[1:] == (1, 4)
    assert "MALFORMED_TEXT_DIRECTIVE" in others[0] and A not in others[0]
