"""Places in three encodings: pure conversions, and ranges end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import editor, neovim_0_7
from lsprotocol import types
from lsprotocol.types import Position, Range, TextDocumentContentChangePartial
from tracecite_lsp.document import Typed, changed_range
from tracecite_lsp.positions import Places, Positions, changed

from tracecite_lint.model import Document, DocumentKind, Span

UTF_8, UTF_16, UTF_32 = "utf-8", "utf-16", "utf-32"
ENCODINGS = (UTF_8, UTF_16, UTF_32)
TEXT = "a😀é\u2028b\r\nzwei\rdrei\n\tvier"


@pytest.mark.parametrize(
    ("encoding", "line", "character", "offset"),
    [
        (UTF_8, 0, 1, 1),
        (UTF_8, 0, 5, 2),
        (UTF_8, 0, 7, 3),
        (UTF_8, 0, 10, 4),  # U+2028 ends no line
        (UTF_16, 0, 3, 2),
        (UTF_16, 0, 5, 4),
        (UTF_32, 0, 2, 2),
        (UTF_32, 0, 5, 5),
        (UTF_16, 1, 0, 7),
        (UTF_16, 2, 2, 14),
        (UTF_16, 3, 1, 18),
    ],
)
def test_a_position_and_its_offset(encoding: str, line: int, character: int, offset: int):
    positions = Positions(TEXT, encoding)
    assert positions.offset(Position(line, character)) == offset
    assert positions.position(offset) == Position(line, character)


@pytest.mark.parametrize(
    ("encoding", "line", "character", "offset"),
    [
        (UTF_16, 0, 2, 1),  # in the middle of a surrogate pair
        (UTF_8, 0, 3, 1),  # in the middle of four bytes
        (UTF_16, 0, 99, 5),  # behind the end of a line: its end
        (UTF_32, 1, 99, 11),
        (UTF_8, 3, 99, 22),
        (UTF_16, 99, 0, 22),  # behind the last line: the end
    ],
)
def test_a_position_that_is_none_is_the_closest_before_it(
    encoding: str, line: int, character: int, offset: int
):
    assert Positions(TEXT, encoding).offset(Position(line, character)) == offset


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("start", "end", "new"),
    [
        ((0, 0), (0, 0), "x"),
        ((0, 1), (0, 1), "😀"),
        ((1, 0), (2, 0), ""),
        ((3, 1), (3, 99), "fünf"),
        ((9, 0), (9, 0), "end"),
    ],
)
def test_a_change_puts_its_text_where_it_belongs(
    encoding: str, start: tuple[int, int], end: tuple[int, int], new: str
):
    positions = Positions(TEXT, encoding)
    first, last = positions.offset(Position(*start)), positions.offset(Position(*end))
    change = TextDocumentContentChangePartial(Range(Position(*start), Position(*end)), new)
    assert changed(TEXT, change, encoding) == (TEXT[:first] + new + TEXT[last:], first)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("abc", "abxc", (2, 3)),
        ("abc", "ac", (1, 1)),
        ("", "abc", (0, 3)),
        ("aaa", "aaaa", (3, 4)),
        ("abc", "abc", (3, 3)),
        ("one two three", "one 2 three", (4, 5)),
    ],
)
def test_the_range_that_differs_between_two_texts(old: str, new: str, expected: tuple[int, int]):
    assert changed_range(old, new) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (Typed(14, 15), True),  # in the middle
        (Typed(19, 20), True),  # right behind its last character
        (Typed(20, 21), False),  # the bracket behind it
        (Typed(9, 10), False),  # the bracket before it
        (Typed(10, 20), False),  # put in as a whole
        (Typed(0, 50), False),
        (Typed(15, 15), True),  # a character taken out
        (Typed(30, 31), False),
    ],
)
def test_whether_an_address_is_being_typed(typed: Typed, expected: bool):
    assert typed.is_at_work_on(10, 20) is expected


def test_lines_of_records_end_at_lf_alone():
    text = '{"a":"x"}\r{"b":1}\n{"c":"y"}\n'
    document = Document(path="t.jsonl", text=text, kind=DocumentKind.TRACE)
    places = Places(document, text, UTF_16)
    start, end = places.offsets(Span(2, 7, 2, 8))
    assert text[start:end] == "y"
    assert places.range(Span(2, 7, 2, 8)).start == Position(2, 6)


def test_the_whole_of_a_file_is_its_start():
    document = Document(path="t.jsonl", text="{}\n", kind=DocumentKind.CALLS)
    places = Places(document, "{}\n", UTF_16)
    assert places.range(Span(0, 0, 0, 1)) == Range(Position(0, 0), Position(0, 0))


PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill 😀 stands at the mouth of the river, and café tables stand there."
CASES = {
    "emoji before": ("😀👩‍👩‍👧 “{}” ([m]({}))", "The old mill stood here once, near the café"),
    "tabs": ("-\titem:\t“{}” ([m]({}))", "The old mill\tstood at the mouth"),
    "wrapped": ("He said “{}” ([m]({}))", "The old mill stood\nat the mouth 😀 of\nthe river"),
    "wrapped with CRLF": ("He said “{}” ([m]({}))", "The old mill stood\r\nat the mouth"),
    "blockquote": ("> {}\n>\n> — [m]({})", "The old mill stood at\n> the mouth of the stream 😀"),
    "CR alone": ("Näh. “{}” ([m]({}))", "The old mill stood\rat the mouth of the river"),
    "separators that end no line": (
        "\u2028😀\x0c “{}” ([m]({}))",
        "The old mill stood\u2028at sea",
    ),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_the_range_of_a_mark_is_the_text_of_the_quotation(
    encoding: str, folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    capabilities = neovim_0_7()
    capabilities.general = types.GeneralClientCapabilities(
        position_encodings=[types.PositionEncodingKind(encoding)]
    )
    async with editor(capabilities, folder=folder, settings=reach) as ed:
        assert ed.capabilities.position_encoding == encoding
        for name, (shape, quotation) in CASES.items():
            uri = (folder / f"{name}.md").as_uri()
            text = f"# 😀\n\n{shape.format(quotation, PAGE)}\n"
            ed.open(uri, text)
            (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
            assert text_in(text, mark.range, encoding) == quotation, name


async def test_changes_by_range_leave_server_and_editor_with_the_same_text(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"\x0b\u2028😀\r\n“The old mill stood at the mouth” ([m]({PAGE}))\r\n")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        assert mark.range.start == Position(1, 1)
        ed.type(uri, 0, 4, "\r\n\r\n😀 ")
        version = ed.type(uri, 2, 0, "\u2028")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"], version=version)
        assert mark.range.start == Position(3, 1)
        version = ed.type(uri, 3, 14, "😀 stands ", delete=6)
        await ed.marks(uri, [], version=version)


def text_in(text: str, range: types.Range, encoding: str) -> str:
    """Return what an editor that counts in *encoding* finds in *range*, by a reading of the protocol of its own."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    codec, unit = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[
        encoding
    ]

    def cut(line: str, first: int, last: int | None) -> str:
        data = line.encode(codec)
        return data[first * unit : None if last is None else last * unit].decode(codec)

    start, end = range.start, range.end
    if start.line == end.line:
        return cut(lines[start.line], start.character, end.character)
    found = [cut(lines[start.line], start.character, None)]
    found += lines[start.line + 1 : end.line]
    found.append(cut(lines[end.line], 0, end.character))
    return ("\r\n" if "\r\n" in text else "\r" if "\r" in text else "\n").join(found)
