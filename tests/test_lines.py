"""Lines and columns as editors count them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracecite_lint.model import Span
from tracecite_lint.text.lines import Lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\r\r\nb", ["a", "", "b"]),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf", ["a\u2028b\x85c\x0bd\x0ce\x1cf"]),
        ("\ufeffa\nb", ["a", "b"]),
    ],
)
def test_lines_end_at_lf_crlf_and_cr_only(text, lines):
    found = Lines(text)

    assert [found.line(number) for number in range(1, len(found) + 1)] == lines
    assert found.joined() == "\n".join(lines)


def test_columns_count_characters_not_bytes_or_utf16_units():
    lines = Lines("é漢😀x")

    assert lines.position(3) == (1, 4)
    assert lines.span(0, 3) == Span(1, 1, 1, 4)


def test_a_byte_order_mark_takes_no_column():
    lines = Lines("\ufeffab")

    assert lines.position(1) == (1, 1)
    assert lines.offset(1, 1) == 1


def test_a_place_inside_a_line_end_is_the_end_of_its_line():
    assert Lines("ab\r\ncd").position(3) == (1, 3)


@pytest.mark.parametrize(
    ("line", "column", "offset"),
    [(1, 1, 0), (1, 3, 2), (1, 99, 2), (2, 1, 3), (2, 9, 5), (9, 1, 5), (0, 1, 0), (1, 0, 0)],
)
def test_a_place_outside_the_text_is_its_nearest_end(line, column, offset):
    assert Lines("ab\ncd").offset(line, column) == offset


def test_a_line_that_is_not_there_is_empty():
    assert Lines("a").line(2) == ""
    assert Lines("a").line(0) == ""


@given(st.text(alphabet="ab\r\n\u2028é😀", max_size=40), st.data())
def test_position_and_offset_are_inverse(text, data):
    lines = Lines(text)
    line = data.draw(st.integers(1, len(lines)))
    column = data.draw(st.integers(1, len(lines.line(line)) + 1))

    assert lines.position(lines.offset(line, column)) == (line, column)
