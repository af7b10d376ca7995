"""Pairs of quotation marks in running text, and how much stands between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from tracecite_lint.documents.vocabulary import CLIPPED, SMALL_WORDS
from tracecite_lint.light.lazy import dataclass, regex

# Which marks close what each mark opened. Writers mix straight and curly marks within one pair. Of the single marks only
# those are read whose form tells them from apostrophes.
_CLOSERS = {
    "“": '”"',
    "”": "”",
    '"': '"”',
    "„": '“”"',
    "«": "»",
    "»": "«»",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "＂": "＂",
    "❝": "❞",
    "‘": "’",
    "‚": "‘’",
    "'": "'",
}
_MARK = regex('[“”"„«»「」『』〝〞〟＂❝❞‘’‚]')
# A straight single mark counts only where it can be no apostrophe: at the beginning or the end of a word.
_ANY_MARK = regex(
    rf"['{_MARK.pattern[1:]}(?:(?<!')|(?<!\w')(?=\w)(?!{CLIPPED})|(?<=[\w.,!?…]')(?!\w))",
    re.IGNORECASE,
)
STRAIGHT_WORDS = 5
"""Between straight single marks fewer words are a name, a string, something typed."""
OPENING = frozenset(_CLOSERS) - {"'"}
CLOSING = frozenset("".join(_CLOSERS.values())) - {"'"}
_ALWAYS_OPEN = frozenset("„「『〝❝‚")
_ALWAYS_CLOSE = frozenset("」』〞〟❞")
_BEFORE_OPENING = frozenset("([{<—–-/=:：，、。；！？（［｛《〈【*_~|…>‘'")
_AFTER_CLOSING = frozenset(")]}>—–-/.,;:!?…，、。；：！？）］｝》〉】*_~|<’'")
_CJK_STOPS = frozenset("，、。！？；：")
CJK = regex(
    "[\u1100-\u11ff\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
# Much faster to compile than CJK, which most documents do without.
_JAMO = regex("[\u1100-\u11ff]")
_FIRST_RADICAL = "\u2e80"
_SHORT = 1000
_MAY_BE_CJK = regex("[\u1100-\u11ff\u2e80-\U0010ffff]")
_WORD = regex(r"[^\W_]+(?:['’.-][^\W_]+)*")
WORDS = 2
"""A string of fewer words is a single one."""
FEW = 3
"""A string of fewer words is more often a title or a term."""
_PLURAL = 200
"""How many characters behind the apostrophe of a plural the end of the quotation is looked for."""
_CAPITALS_PER_LOWER = 7
"""In a long title a verb may be small: one word in so many."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of marks in a flow's text: the opening mark at `start`, the closing one just before `end`."""

    start: int
    end: int

    @property
    def inner(self) -> tuple[int, int]:
        """The range between the marks."""
        return self.start + 1, self.end - 1


def is_cjk(character: str) -> bool:
    """Tell whether *character* is written without spaces between words (Han, Kana) or is Hangul."""
    return not character.isascii() and CJK.match(character) is not None


def _may_be_cjk(text: str) -> bool:
    # For short texts alone the pattern is not compiled: all of its characters take 3 ms.
    if len(text) > _SHORT:
        return _MAY_BE_CJK.search(text) is not None
    return max(text) >= _FIRST_RADICAL or _JAMO.search(text) is not None


def weight(text: str) -> float:
    """Return how many words *text* has; five Han, Kana or Hangul characters count as two."""
    if text.isascii() or not _may_be_cjk(text):
        return len(_WORD.findall(text))
    characters = len(CJK.findall(text))
    return len(_WORD.findall(CJK.sub(" ", text))) + characters / 2.5


def is_short(text: str) -> bool:
    """Tell whether *text* has fewer than three words or eight CJK characters: more often a title or a term."""
    return weight(text) < FEW


def is_word(text: str) -> bool:
    """Tell whether *text* is a single word, or fewer than five CJK characters: a term, a name, irony."""
    return weight(text) < WORDS


def find_pairs(
    text: str,
    is_code: Callable[[int], bool],
    borders: Container[int] = (),
    notes: Container[int] = (),
) -> list[Pair]:
    """Return the outermost pairs of quotation marks of *text*, in order; marks in code spans are not read.

    *borders* are the offsets at which a link or an element begins: a mark may close there, `"so"<sup>1</sup>`. *notes* are
    those of footnotes, which leave no trace in the text: `“so [^1]”`. An inner pair does not end the outer one, an
    apostrophe closes nothing, and a mark without a partner is no pair.
    """
    found: list[Pair] = []
    opened: list[tuple[str, int]] = []
    for match in (_ANY_MARK if "'" in text else _MARK).finditer(text):
        at, mark = match.start(), match[0]
        if is_code(at):
            continue
        closes = _can_close(text, at, borders, notes)
        partner = _partner(opened, mark) if closes else None
        if partner is not None:
            start = opened[partner][1]
            del opened[partner:]
            while found and found[-1].start > start:
                found.pop()
            if mark != "'" or weight(text[start + 1 : at]) >= STRAIGHT_WORDS:
                found.append(Pair(start, at + 1))
        elif mark in _CLOSERS and _can_open(text, at):
            opened.append((mark, at))
    return found


def _partner(opened: list[tuple[str, int]], mark: str) -> int | None:
    """Return the index of the innermost open mark that *mark* closes."""
    # A handful of levels is all that prose has; the bound keeps a text of nothing but marks linear.
    for index in range(len(opened) - 1, max(len(opened) - 9, -1), -1):
        if mark in _CLOSERS[opened[index][0]]:
            return index
    return None


def _can_open(text: str, at: int) -> bool:
    mark = text[at]
    if mark in _ALWAYS_OPEN:
        return True
    after = text[at + 1 : at + 2]
    if not after or (after.isspace() and mark not in "«"):
        return False
    before = text[at - 1 : at]
    if mark == "“":
        return True
    return (
        not before
        or before.isspace()
        or before in _BEFORE_OPENING
        or before in OPENING
        or is_cjk(before)
    )


def _can_close(text: str, at: int, borders: Container[int], notes: Container[int]) -> bool:
    mark = text[at]
    if mark in _ALWAYS_CLOSE:
        return True
    if mark in "‘’'" and _is_apostrophe(text, at):
        return False
    before = text[at - 1 : at]
    if not before or (before.isspace() and mark not in "»" and at not in notes):
        return False
    after = text[at + 1 : at + 2]
    if mark in "”»":
        return True
    return (
        not after
        or at + 1 in borders
        or after.isspace()
        or after in _AFTER_CLOSING
        or after in CLOSING
        or is_cjk(after)
        or is_cjk(before)
        or before in _CJK_STOPS
        or not after.isalnum()
    )


def _is_apostrophe(text: str, at: int) -> bool:
    """Tell whether a single mark stands inside a word, or behind a plural with the end of the quotation still to come."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if after.isalnum():
        return True
    if before not in ("s", "x", "z") or after != " " or not text[at + 2 : at + 3].islower():
        return False
    closing = text.find(text[at], at + 1, at + _PLURAL)
    opening = text.find(" '" if text[at] == "'" else "‘", at + 1, at + _PLURAL)
    return (
        closing != -1
        and not text[closing + 1 : closing + 2].isalnum()
        and not -1 < opening < closing
    )


_TITLE_WORD = regex(r"[^\W\d_][\w'’.-]*")
_SENTENCE_MARK = regex('[.!?…。！？]["”’]*$')


def is_sentence(text: str) -> bool:
    """Tell whether *text* ends as a sentence does."""
    return _SENTENCE_MARK.search(text) is not None


def is_title(text: str, longest: int = 12) -> bool:
    """Tell whether *text* is written like a title: three to *longest* words, (nearly) all but the small ones capitalised."""
    words = _TITLE_WORD.findall(text)
    if not 3 <= len(words) <= longest or _SENTENCE_MARK.search(text):
        return False
    if not words[0][0].isupper():
        return False
    large = [word for word in words if word.lower() not in SMALL_WORDS]
    lower = sum(not word[0].isupper() for word in large)
    return len(large) >= 2 and lower <= len(large) // _CAPITALS_PER_LOWER
