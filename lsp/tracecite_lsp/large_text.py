"""The text of a document that is too large to be checked: kept in lines, so that a key costs no more than its line."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from tracecite_lsp.positions import characters

MAX_CHARACTERS = 2 * 1024 * 1024
"""The longest document that is checked in an editor; to read it takes seconds, and every key asks for that."""


class LargeText:
    """A text of any length that can be edited."""

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self._text: str | None = text
        self._lines: list[str] = []

    def __str__(self) -> str:
        """Return the text."""
        return "".join(self._lines) if self._text is None else self._text

    def apply(
        self, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: str
    ) -> LargeText:
        """Return the text after *changes*, whose positions are in units of *encoding*; this one is used up."""
        text = self
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                text._replace(change, encoding)
            else:
                text = LargeText(change.text)
        return text

    def _replace(self, change: types.TextDocumentContentChangePartial, encoding: str) -> None:
        if self._text is not None:
            self._lines, self._text = _lines(self._text), None
        # Kept whole until the first change: most documents of this size are opened and never edited.
        first, head = self._place(change.range.start, encoding)
        last, tail = max((first, head), self._place(change.range.end, encoding))
        # A line feed that is put behind a lone carriage return makes one line end of both.
        since = first - 1 if first and self._lines[first - 1].endswith("\r") else first
        before = "".join(self._lines[since:first]) + self._lines[first][:head]
        new = before + change.text + self._lines[last][tail:]
        self.length += len(new) - sum(map(len, self._lines[since : last + 1]))
        is_end = last == len(self._lines) - 1
        self._lines[since : last + 1] = _lines(new) if is_end else _lines(new)[:-1]

    def _place(self, position: types.Position, encoding: str) -> tuple[int, int]:
        """Return line and column of *position*, the closest one before it if there is none such."""
        if position.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        line = self._lines[position.line].rstrip("\r\n")
        return position.line, characters(line, position.character, encoding)


def _lines(text: str) -> list[str]:
    """Return the lines of *text* with their ends, LF, CRLF or CR; the last one, perhaps empty, has none."""
    lines = []
    line = ""
    for piece in text.splitlines(keepends=True):  # which knows further line ends
        line += piece
        if piece[-1] in "\r\n":
            lines.append(line)
            line = ""
    lines.append(line)
    return lines
