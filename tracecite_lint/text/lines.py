"""Offsets of a text and the lines and columns that editors count them by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Span

_LINE_END = regex(r"\r\n|\n|\r")


class Lines:
    """The lines of *text*: 1-based lines, 1-based columns in Unicode characters (code points).

    A line ends at LF, CRLF or CR and at nothing else (CommonMark, section 2.1; the Language Server Protocol agrees). A
    byte order mark at the start is no part of the first line, as in every editor.
    """

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts, self._ends = line_ranges(text)
        self._starts[0] = _first(text)

    @property
    def ranges(self) -> tuple[list[int], list[int]]:
        """Where the lines begin, and where they end before their line ends."""
        return self._starts, self._ends

    def __len__(self) -> int:
        """The number of lines; a text that ends in a line end has an empty last line."""
        return len(self._starts)

    def start(self, line: int) -> int:
        """Return the offset of the first character of *line*."""
        return self._starts[line - 1]

    def end(self, line: int) -> int:
        """Return the offset just behind the last character of *line*, before its line end."""
        return self._ends[line - 1]

    def line(self, number: int) -> str:
        """Return line *number* without its end; an empty string where there is none."""
        if not 1 <= number <= len(self._starts):
            return ""
        return self.text[self._starts[number - 1] : self._ends[number - 1]]

    def number(self, offset: int) -> int:
        """Return the 1-based line in which *offset* stands."""
        return max(bisect_right(self._starts, offset), 1)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of *offset*; inside a line end that is the end of its line."""
        line = self.number(offset)
        start = self._starts[line - 1]
        return line, max(min(offset, self._ends[line - 1]) - start, 0) + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of *line* and *column*; one past the end of either is its end."""
        if line < 1:
            return self._starts[0]
        if line > len(self._starts):
            return len(self.text)
        start = self._starts[line - 1]
        return min(start + max(column, 1) - 1, self._ends[line - 1])

    def span(self, start: int, end: int) -> Span:
        """Return the range from *start* to *end* (exclusive)."""
        return Span(*self.position(start), *self.position(end))

    def joined(self) -> str:
        """Return the lines joined by LF, without a byte order mark: what a Markdown parser is given."""
        return "\n".join(
            self.text[start:end] for start, end in zip(self._starts, self._ends, strict=True)
        )


def line_ranges(text: str) -> tuple[list[int], list[int]]:
    """Return the offsets at which the lines of *text* begin, and those at which they end before their line ends."""
    if "\r" in text:
        ends = [match.span() for match in _LINE_END.finditer(text)]
        return [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(text)]
    # Several times as fast, and what most texts are.
    behind = list(accumulate([len(line) + 1 for line in text.split("\n")]))
    return [0, *behind[:-1]], [end - 1 for end in behind]


def each_line(text: str) -> Iterator[str]:
    """Yield the lines of *text* without their ends, one after another: for who needs only some of the first."""
    start = _first(text)
    for match in _LINE_END.finditer(text):
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def _first(text: str) -> int:
    return 1 if text.startswith("\ufeff") else 0
