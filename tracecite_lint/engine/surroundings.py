"""The words around a quotation in its source, by which a later run tells that its surroundings changed."""

from __future__ import annotations

from collections.abc import Sequence

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import MARKER_END, MARKER_START, MARKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

WORDS: Final = 12
"""How many words before and after a quotation count; a Han or Kana character is a word."""

_WINDOW: Final = 400
_WORD = regex(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
# Also `[12]` as plain text: pages write their notes either way.
_REFERENCE_MARK = regex(rf"{MARKER_START}[^{MARKER_END}]*{MARKER_END}|\[\w{{1,3}}\]")
_INVISIBLE = regex(f"[\u00ad\u200b-\u200f\u2060\ufeff{MARKS}]")


def words_around(text: str, ranges: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """Return the words of *text* right before the first of *ranges* and right after the last one, on one line each.

    Reference markers are left out: they are numbered anew whenever a page gets another reference.
    """
    start, end = ranges[0][0], ranges[-1][1]
    before = _plain(text[max(0, start - _WINDOW) : start])
    after = _plain(text[end : end + _WINDOW])
    first = [match.start() for match in _WORD.finditer(before)][-WORDS:]
    last = [match.end() for match in _WORD.finditer(after)][:WORDS]
    return before[first[0] :] if first else "", after[: last[-1]] if last else ""


def words(text: str) -> list[str]:
    """Return the words of *text*, without the punctuation and white space between them."""
    return _WORD.findall(text)


def _plain(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", _REFERENCE_MARK.sub("", text)).split())
