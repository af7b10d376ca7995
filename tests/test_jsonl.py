from __future__ import annotations

import io
import json
import math
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracecite_lint import jsonl
from tracecite_lint.jsonl import (
    JsonError,
    JsonLine,
    json_lines,
    lone_surrogate,
    parse_json,
    read_json_lines,
)


def lines_of(data: bytes) -> list[JsonLine]:
    """Read *data* both ways, which must agree."""
    from_file = list(read_json_lines(io.BytesIO(data)))
    from_text = list(json_lines(data.decode()))
    shown = [(line.number, line.text, line.value, str(line.error)) for line in from_file]
    assert shown == [(line.number, line.text, line.value, str(line.error)) for line in from_text]
    return from_file


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"1", [(1, "1")]),
        (b"1\n", [(1, "1")]),
        (b"1\n2", [(1, "1"), (2, "2")]),
        (b"1\r\n2\r\n", [(1, "1"), (2, "2")]),
        (b"1\r\r\n2", [(1, "1\r"), (2, "2")]),
        (b"[1,\r2]\n3\r", [(1, "[1,\r2]"), (2, "3")]),
        (b"\n \t\r\n1\n\n", [(3, "1")]),
        (b"\xef\xbb\xbf1\n", [(1, "1")]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n1", [(2, "1")]),
        (
            '"a\u2028b"\n"a\u2029b"\n"a\u0085b"'.encode(),
            [(1, '"a\u2028b"'), (2, '"a\u2029b"'), (3, '"a\u0085b"')],
        ),
    ],
)
def test_only_a_line_feed_ends_a_line(data: bytes, expected: list[tuple[int, str]]) -> None:
    lines = lines_of(data)
    assert [(line.number, line.text) for line in lines] == expected
    assert [line.error for line in lines] == [None] * len(expected)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-1", -1),
        ("9007199254740992", 9007199254740992),
        ('{"a":[{"b":null}],"c":true}', {"a": [{"b": None}], "c": True}),
        (' {"a" : 1 , "b" : [ ] } ', {"a": 1, "b": []}),
        ('{"a":{"k":1},"b":{"k":1}}', {"a": {"k": 1}, "b": {"k": 1}}),
        (r'"\u00e9\n\"\ud83d\ude00"', 'é\n"😀'),
        ("9" * 300, int("9" * 300)),
    ],
)
def test_json_is_read_as_json(text: str, value: object) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize(
    "literal", ["1.0", "1e2", "1E+2", "-0", "0.5", "9" * 301, "9" * 5000, "1e999", "-" + "9" * 5000]
)
def test_a_number_that_is_no_plain_integer_literal_is_a_float(literal: str) -> None:
    assert type(parse_json(literal)) is float
    assert type(parse_json(f"[{literal}]" + " " * 9)[0]) is float  # type: ignore[index]


def test_minus_zero_keeps_its_sign() -> None:
    assert math.copysign(1, parse_json("-0")) == -1  # type: ignore[arg-type]


def test_long_integers_do_not_depend_on_the_limit_of_the_interpreter() -> None:
    before = sys.get_int_max_str_digits()
    try:
        for limit in (0, 640, 4300):
            sys.set_int_max_str_digits(limit)
            assert type(parse_json("1" * 300)) is int
            assert type(parse_json("1" * 301)) is float
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("{bad", 2, "expected a key in double quotes"),
        ('{"a":1', 7, "expected `,` or `}`"),
        ("[1", 3, "expected `,` or `]`"),
        ("[1 2]", 4, "expected `,` or `]`"),
        ("[1,]", 4, "expected a value"),
        ('{"a":1,}', 8, "expected a key in double quotes"),
        ('{"a" 1}', 6, "expected `:` after the key"),
        ('{"a":', 6, "the text ends where a value is due"),
        ("1 2", 3, "text after the JSON value"),
        ('{"a":1} x', 9, "text after the JSON value"),
        ("[1]\f", 4, "text after the JSON value"),
        ("\ufeff1", 1, "expected a value"),
        ("0100", 1, "not a JSON number"),
        ("[-]", 2, "expected a value"),
        ("1.", 1, "not a JSON number"),
        (".5", 1, "expected a value"),
        ("+1", 1, "expected a value"),
        ("1e", 1, "not a JSON number"),
        ("[٣]", 2, "expected a value"),
        ("1٣", 2, "text after the JSON value"),
        ("NaN", 1, "NaN is no JSON number"),
        ("[Infinity]", 2, "Infinity is no JSON number"),
        ('{"é":-Infinity}', 6, "-Infinity is no JSON number"),
        ("True", 1, "expected a value"),
        ("nul", 1, "expected a value"),
        ("'a'", 1, "expected a value"),
        ('["a', 2, "the string has no end"),
        ('"a\tb"', 3, "a control character in a string must be escaped"),
        (r'"a\x"', 3, "not a JSON escape"),
        (r'"\u12g4"', 3, "not a JSON escape"),
        ('{"a":1,"a":1}', 8, "the object has the same key twice"),
        ('{"x":[{"k":1,"y":{"b":1,"b":2}}]}', 25, "the object has the same key twice"),
        (r'{"a":1,"\u0061":2}', 8, "the object has the same key twice"),
    ],
)
def test_what_is_not_json_is_refused_with_its_column(text: str, column: int, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (1, column, message)
    [line] = list(json_lines("\n\n" + text))
    assert line.error is not None
    assert (line.error.line, line.error.column, line.value) == (3, column, None)


def test_an_error_in_a_text_of_several_lines_names_its_line() -> None:
    with pytest.raises(JsonError, match=r"same key twice \(line 3, column 2\)"):
        parse_json('{"a":1,\n "b":2,\n "a":3}')


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


@pytest.mark.parametrize("depth", [1, 500, 989, 990, 991, 1023, 1024])
def test_nesting_up_to_the_limit_is_read_whatever_the_recursion_limit(depth: int) -> None:
    before = sys.getrecursionlimit()
    texts = [nested(depth), '{"a":' * depth + "1" + "}" * depth]
    try:
        for limit in (before, 300, 20_000):
            sys.setrecursionlimit(limit)
            for text in texts:
                value, seen = parse_json(text), 0
                while isinstance(value, list | dict):
                    seen += 1
                    value = next(iter(value.values() if isinstance(value, dict) else value), None)
                assert seen == depth
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (nested(1025), 1025),
        (nested(100_000), 1025),
        ("[" * 100_000, 1025),
        ('{"a":' * 100_000, 1024 * 5 + 1),
        (f'{{"]]]":"\\"]","b":{nested(1024)}}}', 17 + 1024),
        ('{"a":1,"a":' + nested(1024) + "}", 11 + 1024),
    ],
)
def test_nesting_beyond_the_limit_is_refused_before_anything_else(text: str, column: int) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    assert caught.value.message == "more than 1024 arrays and objects inside one another"
    assert caught.value.column == column


@pytest.mark.parametrize(
    "text",
    ["[" + "[]," * 5000 + "[]]", json.dumps("[" * 5000), json.dumps({'"' + "{" * 3000: "\\" * 9})],
)
def test_brackets_side_by_side_or_in_strings_are_no_nesting(text: str) -> None:
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("data", "number", "column", "message"),
    [
        (b'1\n{"a":"\xff"}\n', 2, 7, "not UTF-8: byte 0xff"),
        ("é".encode() + b"\xc3\n", 1, 2, "not UTF-8: byte 0xc3"),
        (b'"\xed\xa0\x80"', 1, 2, "not UTF-8: byte 0xed"),
        ('{"a":1}'.encode("utf-16"), 1, 1, "not UTF-8 but UTF-16: save the file as UTF-8"),
    ],
)
def test_a_line_that_is_not_utf8_is_an_error_and_reading_goes_on(
    data: bytes, number: int, column: int, message: str
) -> None:
    lines = list(read_json_lines(io.BytesIO(data + b"\n7")))
    wrong = next(line for line in lines if line.error)
    assert wrong.error is not None
    assert (wrong.number, wrong.error.line, wrong.error.column, wrong.error.message) == (
        number,
        number,
        column,
        message,
    )
    assert lines[-1].value == 7


def test_a_line_beyond_the_limit_is_an_error_and_reading_goes_on() -> None:
    data = b'"12345678"\n"123456789"\n' + b"[" * 3_000_000 + b"\n\n1"
    lines = list(read_json_lines(io.BytesIO(data), max_line_bytes=10))
    assert [(line.number, line.error and line.error.message) for line in lines] == [
        (1, None),
        (2, "the line is longer than 10 bytes"),
        (3, "the line is longer than 10 bytes"),
        (5, None),
    ]


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ('"plain"', None),
        (r'"\ud83d\ude00 \uD83D\uDE00"', None),
        (r'"\\ud800"', None),
        (r'"\\\ud800"', 3),
        (r'"a\ud83d"', 2),
        (r'"\ud83d\ud83d\ude00"', 1),
        (r'"\ud83dx\ude00"', 1),
        (r'"\ude00\ud83d"', 1),
        (r'["\ud83d","\ude00"]', 2),
        ('"é\ud800"', 2),
    ],
)
def test_half_a_surrogate_pair_is_json_and_can_be_found(text: str, offset: int | None) -> None:
    parse_json(text)
    assert lone_surrogate(text) == offset


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
SOUP = st.lists(
    st.sampled_from(
        [
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            '"',
            '"a"',
            '"b"',
            "\\",
            "1",
            "-",
            "0",
            ".5",
            "e1",
            "null",
            "true",
            " ",
            "x",
            "é",
        ]
    ),
    max_size=12,
).map("".join)


def outcome(parse: object, text: str) -> object:
    try:
        return repr(parse(text))  # type: ignore[operator]
    except ValueError:
        return "refused"


@given(
    JSON.map(json.dumps)
    | JSON.map(lambda value: json.dumps(value, ensure_ascii=False, indent=1))
    | SOUP
)
@settings(max_examples=300)
def test_the_fast_way_and_the_parser_without_recursion_agree(text: str) -> None:
    expected = outcome(jsonl._FAST.decode, text)
    assert outcome(lambda text: jsonl._Parser(text, 1).document(), text) == expected
    assert outcome(parse_json, text) == expected


def test_a_line_knows_where_it_begins_and_whether_it_ended() -> None:
    data = "\ufeff{}\n\n[é]\r\n".encode() + b'"' + b"x" * 40 + b'"\n1'
    by_bytes = list(read_json_lines(io.BytesIO(data), max_line_bytes=20))
    assert [(line.offset, line.ended) for line in by_bytes] == [
        (3, True),
        (7, True),
        (13, True),
        (56, False),
    ]
    by_characters = list(json_lines(data.decode()))
    assert [(line.offset, line.ended) for line in by_characters] == [
        (1, True),
        (5, True),
        (10, True),
        (53, False),
    ]


@pytest.mark.parametrize(
    ("data", "cut_off"),
    [
        (b'{"a":1', True),
        (b'{"a":"x', True),
        (b'{"a":"x\\', True),
        (b'{"a":"\xe2\x80', True),
        (b'[{"a":"]}"}', True),
        (b'{"a"', True),
        (b'{"a":', True),
        (b'{"a":tr', True),
        (b'{"a":-', True),
        (b'{"a":12345678.', True),
        (b'{"a":"\\u00', True),
        (b'{"a":NaN, "b":', False),
        (b"[,,", False),
        (b"[" * 2000, False),
        (b'{"a":1\n', False),
        (b'{"a":1}', False),
        (b"not json", False),
        (b'{"a":1}}', False),
    ],
)
def test_a_half_written_last_line_is_told_from_a_wrong_one(data: bytes, cut_off: bool) -> None:
    (line,) = read_json_lines(io.BytesIO(data))
    assert line.cut_off is cut_off
