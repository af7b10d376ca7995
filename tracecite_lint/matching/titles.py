"""Whether a title is that of a page: how many of its words stand in the text."""

from __future__ import annotations

from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText

ENOUGH = 0.75
"""The part of a title's words that stand on its own page (97 of 100) and on no other (3 of 100)."""
_LEAST_WORDS = 3
# A word that says something: four letters, a number, or two signs of a script without spaces.
_WORD = regex(r"[^\W\d_]{4,}|\d{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}")


def title_words(title: str) -> frozenset[str]:
    """Return the words of *title* that are looked for; none of one that says too little to be known by."""
    found = _words(fold(title).text)
    return found if len(found) >= _LEAST_WORDS else frozenset()


def title_stands(title: str, page: FoldedText) -> bool:
    """Tell whether *page* holds enough of the words of *title*; it does of a title that says too little."""
    wanted = title_words(title)
    return not wanted or len(wanted & _words(page.text)) >= ENOUGH * len(wanted)


def _words(folded: str) -> frozenset[str]:
    return frozenset(_WORD.findall(folded.casefold()))
