from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracecite_lint.json_strings import JsonPath, RawString, string_ranges


@pytest.mark.parametrize(
    ("text", "path", "raw"),
    [
        ('"a"', (), "a"),
        ('["a", "b"]', (1,), "b"),
        ('{"a": [{}, [], {"b": ["x", "y"]}], "c": "z"}', ("a", 2, "b", 1), "y"),
        ('{"a": [{}, [], {"b": ["x", "y"]}], "c": "z"}', ("c",), "z"),
        ('{"a": {"a": "x"}, "b": "a"}', ("a", "a"), "x"),
        (r'{"\u0061\ud83d\ude00\"\n": "x"}', ('a😀"\n',), "x"),
        (r'{"a\\": "x\\\" y"}', ("a\\",), r"x\\\" y"),
        ('{"a": 1, "b": "\u2028 ,:[]{}"}', ("b",), "\u2028 ,:[]{}"),
        ('{"a": ""}', ("a",), ""),
    ],
)
def test_a_string_is_found_by_its_path(text: str, path: JsonPath, raw: str) -> None:
    start, end = string_ranges(text, [path])[path]
    assert text[start:end] == raw


@pytest.mark.parametrize("path", [("b",), ("a", 0), ("a", "a"), (0,), ()])
def test_a_path_that_leads_to_no_string_is_left_out(path: JsonPath) -> None:
    assert string_ranges('{"a": 1, "c": {"b": "x"}}', [path]) == {}


@pytest.mark.parametrize(
    ("raw", "parsed", "offset"),
    [
        ("abc", 2, 2),
        ("abc", 3, 3),
        (r"\n\"b", 2, 4),
        (r"\u00e9b", 1, 6),
        (r"\ud83d\ude00b", 1, 12),
        ("😀b", 1, 1),
        (r"\ud83d\ud83d\ude00b", 2, 18),
        (r"\\u0041", 1, 2),
    ],
)
def test_an_escape_counts_as_one_character(raw: str, parsed: int, offset: int) -> None:
    assert RawString(f'["{raw}"]', 2, 2 + len(raw)).offset(parsed) == 2 + offset


def strings(value: object, path: JsonPath = ()) -> Iterator[tuple[JsonPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, (*path, index))


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    ),
    st.booleans(),
    st.sampled_from([None, 1]),
)
def test_every_character_of_every_string_is_found(
    value: object, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    expected = dict(strings(value))
    ranges = string_ranges(text, expected)
    assert set(ranges) == set(expected)
    for path, (start, end) in ranges.items():
        raw = RawString(text, start, end)
        for length in range(len(expected[path]) + 1):
            assert json.loads(f'"{text[start : raw.offset(length)]}"') == expected[path][:length]
