"""The lines of a document that a finding is about, with carets below the words in question."""

from __future__ import annotations

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Span
from tracecite_lint.naming.uris import masked
from tracecite_lint.output.terminal import TAB_STOPS, Style, columns, printable, styled

WIDTH = 100
"""Columns that a line of a document may take before it is cut."""
_CONTEXT = 24
_NEARBY = 4 * WIDTH
_LINES_AT_START = 3
_LINE_END = regex(r"\r\n?|\n")
# What stands before the text of a line that a quotation runs through: indentation and blockquote marks.
_PREFIX = regex(r"[ \t>]*")


def document_lines(text: str) -> list[str]:
    """Return the lines of *text* without their ends, as spans count them: a line ends at LF, CRLF or CR.

    Each character of a password in a URL is a `*`, so that columns stay what they are.
    """
    return _LINE_END.split(masked(text))


def snippet(lines: list[str], span: Span, style: Style, *, color: bool) -> list[str]:
    """Return the lines of *span* for a terminal, each followed by its carets in *style*.

    Nothing is returned for a span that lies outside of *lines* (the whole file, or a file that has changed).
    """
    if not 1 <= span.line <= span.end_line <= len(lines):
        return []
    numbers = [*range(span.line, min(span.line + _LINES_AT_START, span.end_line + 1))]
    if span.end_line > numbers[-1]:
        numbers.append(span.end_line)
    gutter = len(str(span.end_line))
    bar = styled(f"{'':{gutter}} |", Style.DIM, color=color)
    result = [bar]
    for number in numbers:
        if number > span.line + _LINES_AT_START:
            result.append(styled(f"{'':{gutter}} | …", Style.DIM, color=color))
        shown, carets = _marked_line(lines[number - 1], span, number)
        result.append(f"{styled(f'{number:{gutter}} |', Style.DIM, color=color)} {shown}".rstrip())
        if carets:
            result.append(f"{bar} {' ' * carets[0]}{styled('^' * carets[1], style, color=color)}")
    return result


def _marked_line(line: str, span: Span, number: int) -> tuple[str, tuple[int, int] | None]:
    """Return the line as shown, and the column and count of its carets (None: none on this line)."""
    start = span.column - 1 if number == span.line else _prefix_length(line)
    # A line may be a megabyte long: only what can be shown is looked at, for each of many findings on it.
    end = (
        span.end_column - 1
        if number == span.end_line
        else start + len(line[start : start + _NEARBY].rstrip())
    )
    if end <= start and span.line != span.end_line:
        start = end = -1
    first_kept = max(0, start - _NEARBY)
    last_kept = min(len(line), max(start, 0) + _NEARBY)
    pieces, offsets = _cells(line[first_kept:last_kept])
    hidden = (first_kept > 0, last_kept < len(line))
    total = offsets[-1]
    if start < 0:
        return _window(pieces, offsets, (0, min(total, WIDTH)), hidden), None
    start, end = (min(max(at - first_kept, 0), len(pieces)) for at in (start, end))
    left, right = _visible_range(offsets[start], offsets[end], total)
    shown = _window(pieces, offsets, (left, right), hidden)
    lead = 1 if left or hidden[0] else 0
    first = max(offsets[start] - left, 0) + lead
    last = min(offsets[end], right) - left + lead
    return shown, (first, max(last - first, 1))


def _prefix_length(line: str) -> int:
    match = _PREFIX.match(line)
    return match.end() if match else 0


def _cells(line: str) -> tuple[list[str], list[int]]:
    """Return each character as shown, and the column at which it starts (one more: where the line ends)."""
    if line.isascii() and line.isprintable():
        return list(line), list(range(len(line) + 1))
    pieces: list[str] = []
    offsets = [0]
    column = 0
    for index, char in enumerate(line):
        if char.isascii() and char.isprintable():  # most of most lines
            column += 1
            pieces.append(char)
            offsets.append(column)
            continue
        piece = " " * (TAB_STOPS - column % TAB_STOPS) if char == "\t" else printable(char)
        # A mark or a joined emoji takes the width that it adds to what stands before it.
        before = line[index - 1] if index and not char.isascii() else ""
        before = before if printable(before) == before else ""
        column += columns(before + piece) - columns(before)
        pieces.append(piece)
        offsets.append(column)
    return pieces, offsets


def _visible_range(start: int, end: int, total: int) -> tuple[int, int]:
    """Return the range of columns to show so that the marked one is in it, with some context before it."""
    if total <= WIDTH:
        return 0, total
    left = max(0, min(start - _CONTEXT, total - WIDTH))
    if end <= WIDTH:
        left = 0
    return left, min(total, left + WIDTH)


def _window(
    pieces: list[str], offsets: list[int], visible: tuple[int, int], hidden: tuple[bool, bool]
) -> str:
    """Return the *visible* columns of a line; *hidden* says whether it goes on before and after *pieces*."""
    left, right = visible
    inside = [
        piece
        for piece, start, end in zip(pieces, offsets, offsets[1:], strict=False)
        if start >= left and end <= right
    ]
    # A wide character that is cut in two leaves a space, so that carets stay below their words.
    pad = " " if left and left not in offsets else ""
    before = "…" if left or hidden[0] else ""
    after = "…" if right < offsets[-1] or hidden[1] else ""
    return before + pad + "".join(inside) + after
