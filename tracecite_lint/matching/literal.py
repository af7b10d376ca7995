"""A quotation that stands in a text letter for letter: found without a fold, as most are (docs/matching.md)."""

from __future__ import annotations

from collections.abc import Sequence

from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.result import Match

# What every fold leaves as it is, whatever stands around it: letters in normal form C, digits between them, single spaces,
# and signs right between two letters or digits. No brackets, no dots in a row, no dash or quotation mark at a space: those
# may be read in several ways, and `match.find` tries them all.
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏА-я"


def _plain(letter: str) -> str:
    return rf"[{letter}](?:[{letter}0-9]|(?:[,;:.]? |['’.-])(?=[{letter}0-9]))*(?<=[{letter}])\.?"


_PLAIN = regex(_plain(_LETTER))
_PLAIN_ASCII = regex(_plain("A-Za-z"))  # compiled in a fifth of the time
_BEFORE = frozenset(" \n\t(“«„")
"""Behind which a word certainly begins."""
_AFTER = frozenset(" \n\t,;:?!)”»")
"""Before which a word certainly ends; a full stop may be one within a name: example.com, U.S."""
_AFTER_STOP = frozenset(" \n)”»")
_MOST_TRIED = 100


def find_literally(text: str, passages: Sequence[str]) -> Match | None:
    """Return the first place in *text* where the one passage of a quotation stands as whole words, without any fold.

    It decides for a quotation and never against it: None says nothing, and where this finds a place, `match.find` finds
    that one.
    """
    if len(passages) != 1:
        return None
    words = passages[0]
    if not (_PLAIN_ASCII if words.isascii() else _PLAIN).fullmatch(words):
        return None
    start = text.find(words)
    for _ in range(_MOST_TRIED):
        if start < 0:
            return None
        end = start + len(words)
        if (not start or text[start - 1] in _BEFORE) and _ends_whole(text, end):
            return Match(((start, end),))
        # A place of which more has to be known may be one.
        if not (_parts_letters(text, start) or _parts_letters(text, end)):
            return None
        start = text.find(words, start + 1)
    return None


def _ends_whole(text: str, end: int) -> bool:
    """Tell whether a word certainly ends at *end*, or a sentence with its full stop: `. . .` would be an omission mark."""
    after = text[end : end + 8]
    if text[end - 1] == ".":
        rest = after.lstrip()
        is_seen = bool(rest) or end + len(after) == len(text)
        return (
            (not after or after[0] in _AFTER_STOP)
            and is_seen
            and not rest.startswith((".", "…", "⋯"))
        )
    return not after or after[0] in _AFTER or after[:2] in (".", ". ", ".\n")


def _parts_letters(text: str, at: int) -> bool:
    """Tell whether *at* certainly lies within a word."""
    around = text[max(at - 1, 0) : at + 1]
    return len(around) == 2 and around.isascii() and around.isalnum()
