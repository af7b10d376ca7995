"""Places in a text as editors count them, in UTF-8, UTF-16 or UTF-32 units, as the engine counts them, and as offsets.

pygls has a codec of its own, which takes U+2028, form feeds and more for line ends; the protocol (section "Text Documents")
knows three: LF, CRLF and CR.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from lsprotocol.types import Position, Range, TextDocumentContentChangePartial

from tracecite_lint.model import Document, DocumentKind, Span
from tracecite_lint.text.lines import Lines, line_ranges

UTF_8, UTF_16, UTF_32 = "utf-8", "utf-16", "utf-32"

# With the byte order named: without it Python puts a mark in front, which would count as units.
_CODECS = {UTF_8: ("utf-8", 1), UTF_16: ("utf-16-le", 2), UTF_32: ("utf-32-le", 4)}
_RECORD_KINDS = (DocumentKind.TRACE, DocumentKind.VENDOR, DocumentKind.CALLS, DocumentKind.UNKNOWN)


class Positions:
    """The positions of *text* in units of *encoding*; offsets count characters (code points).

    The text holds no surrogates. A position outside of the text, or inside a character, is moved to the closest one
    before it.
    """

    def __init__(
        self, text: str, encoding: str, ranges: tuple[list[int], list[int]] | None = None
    ) -> None:
        """*ranges* are the `line_ranges` of *text*, where they are known."""
        self.text = text
        self._encoding = encoding
        self._codec, self._unit = _CODECS[encoding]
        self._starts, self._ends = ranges or line_ranges(text)

    def offset(self, position: Position) -> int:
        """Return the offset of *position*."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[position.line], self._ends[position.line]
        return start + characters(self.text[start:end], position.character, self._encoding)

    def position(self, offset: int) -> Position:
        """Return the position of *offset*; inside a line end that is the end of its line."""
        line = bisect_right(self._starts, offset) - 1
        head = self.text[self._starts[line] : min(offset, self._ends[line])]
        units = len(head) if head.isascii() else len(head.encode(self._codec)) // self._unit
        return Position(line, units)

    def range(self, start: int, end: int) -> Range:
        """Return the range from the offset *start* to *end* (exclusive)."""
        return Range(self.position(start), self.position(end))


def characters(line: str, units: int, encoding: str) -> int:
    """Return how many characters of *line* lie in its first *units* units of *encoding*; one that is cut does not count."""
    if line.isascii():
        return min(units, len(line))
    codec, size = _CODECS[encoding]
    # No character takes less than a unit.
    return len(line[:units].encode(codec)[: units * size].decode(codec, "ignore"))


def changed(text: str, change: TextDocumentContentChangePartial, encoding: str) -> tuple[str, int]:
    """Return *text* after *change*, and the offset at which the new text begins."""
    positions = Positions(text, encoding)
    start = positions.offset(change.range.start)
    end = positions.offset(change.range.end)
    return text[:start] + change.text + text[max(start, end) :], start


class Places:
    """Where the spans of a document stand in the text that the editor has."""

    def __init__(
        self, document: Document, text: str, encoding: str, lines: Lines | None = None
    ) -> None:
        """*document* was read from *text*, which may begin with a byte order mark that the document lacks.

        *lines* are those of the document, where they are known.
        """
        self._shift = len(text) - len(document.text)
        ranges = lines.ranges if lines is not None and not self._shift else None
        self.positions = Positions(text, encoding, ranges)
        self._lines: Lines | _Records = (
            _Records(document.text)
            if document.kind in _RECORD_KINDS
            else lines or Lines(document.text)
        )

    def offsets(self, span: Span) -> tuple[int, int]:
        """Return the half-open range of offsets of *span*; a line 0 (a whole file) is the start of the text."""
        if span.line < 1:
            return 0, 0
        start = self._lines.offset(span.line, span.column)
        end = self._lines.offset(span.end_line, span.end_column)
        return start + self._shift, max(start, end) + self._shift

    def range(self, span: Span) -> Range:
        """Return the range of *span*."""
        return self.positions.range(*self.offsets(span))

    def position(self, offset: int) -> Position:
        """Return the position of an offset of the document as it was read."""
        return self.positions.position(offset + self._shift)


class _Records:
    """The lines of JSON Lines: LF alone ends one."""

    def __init__(self, text: str) -> None:
        self._starts: Sequence[int] = [0, *(match.end() for match in re.finditer("\n", text))]
        self._length = len(text)

    def offset(self, line: int, column: int) -> int:
        if line > len(self._starts):
            return self._length
        # A column behind the end of the line is its end, as for positions ("Text Documents" in the specification).
        return min(self._starts[line - 1] + max(column, 1) - 1, self._length)
