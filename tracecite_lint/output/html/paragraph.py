"""What stands around a quotation in its own paragraph, as a reader of the document sees it."""

from __future__ import annotations

from collections.abc import Sequence

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Span

_LINES = 12
"""Lines of a paragraph that are looked at before and after a quotation."""
_CHARACTERS = 2000
# What a block begins with, and so ends the one before it: an item, a heading, a fence; and what stands for nothing in it.
_OPENS = regex(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s|[\s>]*(?:#{1,6}\s|```|~~~|\|)")
_STANDS_ALONE = regex(r"[\s>]*(?:#{1,6}\s|```|~~~|\|)")
_CELL_END = regex(r"\s*\|\s*")
_PREFIX = regex(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+)?")
_LINK = regex(
    r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])"
)
_LINK_END = regex(r"^([^\[\]]*)\]\([^()\s]*\)")
_EMPHASIS = regex(r"(?<!\w)(\*{1,3}|_{1,3})(?=\S)|(?<=\S)(\*{1,3}|_{1,3})(?!\w)|`")


def around(lines: Sequence[str], span: Span) -> tuple[str, str]:
    """Return what stands before and after *span* in its paragraph, without the signs of Markdown.

    *lines* are those of the document (snippet.document_lines). Nothing is returned for a span that lies outside of them.
    """
    if not 1 <= span.line <= span.end_line <= len(lines):
        return "", ""
    first, last = lines[span.line - 1], lines[span.end_line - 1]
    before = [first[max(0, span.column - 1 - _CHARACTERS) : span.column - 1]]
    at = span.line - 1
    while not _OPENS.match(lines[at]) and at > 0 and span.line - at <= _LINES:
        if not _is_text(lines[at - 1]) or _STANDS_ALONE.match(lines[at - 1]):
            break
        at -= 1
        before.insert(0, lines[at][-_CHARACTERS:])
    after = [last[span.end_column - 1 : span.end_column - 1 + _CHARACTERS]]
    for line in lines[span.end_line : span.end_line + _LINES]:
        if not _is_text(line) or _OPENS.match(line):
            break
        after.append(line[:_CHARACTERS])
    shown = _plain(before, starts=True), _plain(after, starts=False)
    if first.lstrip(" \t>").startswith("|"):
        return _CELL_END.sub(" · ", shown[0]).lstrip(" ·"), _CELL_END.sub(" · ", shown[1]).rstrip(
            " ·"
        )
    return shown


def _is_text(line: str) -> bool:
    return bool(line.strip(" \t>"))


def _plain(lines: list[str], *, starts: bool) -> str:
    """Return *lines* as one; *starts* says that the first one begins where a line of the document does."""
    whole = [_PREFIX.sub("", line, count=1) for line in (lines if starts else lines[1:])]
    joined = " ".join(whole if starts else [lines[0], *whole])
    return _EMPHASIS.sub("", _LINK_END.sub(r"\1", _LINK.sub(r"\1", joined)))
