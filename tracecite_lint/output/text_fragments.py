"""Links that lead a browser to a sentence: `#:~:text=start,end` (WICG, URL Fragment Text Directives)."""

from __future__ import annotations

import re
from urllib.parse import quote

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import MARKS

# A directive is read by people too, in the address bar, and breaks with every word that changes.
_WHOLE = 120
"""Characters of a passage that is named as a whole; of a longer one its first and last words are."""
_WORDS = 6
_CHARACTERS = 60
_CONTEXT_WORDS = 4

# A directive's part may not reach over the end of a block, and reference markers come and go; what a browser draws is no text.
_BREAK = regex(f"[\n{MARKS}]")
_WORD = regex(r"\S+")


def text_directive(text: str, start: int, end: int) -> str | None:
    """Return the value of a `text=` directive that names *text* from *start* to *end*, None if there is none to be had.

    A browser goes to the first place that a directive fits, so that the words before are added where that would be an
    earlier one.
    """
    first_break = _BREAK.search(text, start, end)
    if first_break is None and end - start <= _WHOLE:
        head, tail = _Part(start, end), None
    else:
        head = _first_words(text, start, first_break.start() if first_break else end)
        *_, last = [start, *(match.end() for match in _BREAK.finditer(text, start, end))]
        tail = _last_words(text, max(last, head.end), end)
        if head.start == head.end or tail.start == tail.end:
            return None
    parts = [head.directive(text)] + ([tail.directive(text)] if tail else [])
    if _is_first(text, head.start, [head]):
        return ",".join(parts)
    before = _context(text, start)
    if before.start < before.end and _is_first(text, before.start, [before, head]):
        return ",".join([f"{before.directive(text)}-", *parts])
    return None


def with_directive(uri: str, directive: str) -> str:
    """Return *uri* with the text *directive*, in place of those that it has; its fragment stays."""
    address, _, fragment = uri.partition("#")
    return f"{address}#{fragment.partition(':~:')[0]}:~:text={directive}"


class _Part:
    """A half-open range of a text that becomes one part of a directive."""

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end

    def words(self, text: str) -> list[str]:
        return text[self.start : self.end].split()

    def directive(self, text: str) -> str:
        # `-`, `,` and `&` have a meaning of their own in a directive.
        return quote(" ".join(self.words(text)), safe="").replace("-", "%2D")


def _first_words(text: str, start: int, end: int) -> _Part:
    last = start
    for count, match in enumerate(_WORD.finditer(text, start, min(end, start + _CHARACTERS))):
        if count == _WORDS:
            break
        last = match.end()
    return _Part(start, min(last, end))


def _last_words(text: str, start: int, end: int) -> _Part:
    words = [match.start() for match in _WORD.finditer(text, max(start, end - _CHARACTERS), end)]
    return _Part(words[-_WORDS:][0] if words else end, end)


def _context(text: str, start: int) -> _Part:
    """Return the words right before *start*, in the same block."""
    since = max([0, *(match.end() for match in _BREAK.finditer(text, max(0, start - 200), start))])
    words = list(_WORD.finditer(text, max(since, start - 200), start))[-_CONTEXT_WORDS:]
    return _Part(words[0].start(), words[-1].end()) if words else _Part(start, start)


def _is_first(text: str, at: int, parts: list[_Part]) -> bool:
    """Tell whether the words of *parts*, one part after the other, stand nowhere in *text* before *at*; case is nothing."""
    words = [word for part in parts for word in part.words(text)]
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found is not None and found.start() == at
