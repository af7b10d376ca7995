"""What kind of difference there is between a quotation and the words of its source; decides how a mismatch counts, never a match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.editorial import fragments, has_negation
from tracecite_lint.matching.fold import CJK, HYPHENS, LONG_DASHES, fold
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import find
from tracecite_lint.model import DifferenceKind, Nearest

LONGEST = 20_000
"""Characters of a quotation for which a passage is looked for."""
SHORTEST = 8
"""Characters of a fragment below which anything is alike."""
# An apostrophe within a word belongs to it: “cant” and “can't” are two words.
_TOKEN = regex(rf"[{CJK}]|[^\W_{CJK}]+(?:['’ʼ][^\W_{CJK}]+)*")
_DASHES = re.escape(HYPHENS + LONG_DASHES)
# Not `'` and `’`, which may be apostrophes, and no sign that asks, exclaims, counts or computes.
_LIGHT = regex(rf"[\s,.:;“”„‟«»‹›\"‘‚「」『』，。、；：{_DASHES}]+")
_ASKS = regex(r"[?!？！.\s]+")
_AFTER_NUMBER = regex(r"[,.;:][\s”»\"]*(?:\Z|\s)|\s*[”»\"]?\Z")


class Tokens(NamedTuple):
    """The words and numbers of a text, and what stands before, between and after them: one more than words."""

    words: list[str]
    gaps: list[str]


def tokens(text: str) -> Tokens:
    """Return *text* as words and what parts them."""
    words, gaps, at = [], [], 0
    for match in _TOKEN.finditer(text):
        words.append(match[0].replace("’", "'").replace("ʼ", "'"))
        gaps.append(text[at : match.start()])
        at = match.end()
    return Tokens(words, [*gaps, text[at:]])


@lru_cache(maxsize=16)
def light_difference(quote: str, found: str) -> DifferenceKind | None:
    """Return CASE or PUNCTUATION if that is all that *quote* and *found* differ in; None for more, and for nothing.

    CASE is the first letter only. PUNCTUATION are commas, full stops, colons, semicolons, spaces between words, quotation
    marks and dashes: never `?`, `!`, an apostrophe, or a sign at a digit.
    """
    one, other = tokens(quote), tokens(found)
    if not one.words or len(one.words) != len(other.words) or one.words[1:] != other.words[1:]:
        return None
    first, wanted = one.words[0], other.words[0]
    if first != wanted and (first[:1].lower() + first[1:]) != (wanted[:1].lower() + wanted[1:]):
        return None
    pairs = list(zip(one.gaps, other.gaps, strict=True))
    if not all(
        _is_light(mine, theirs, one.words[at - 1 : at], one.words[at : at + 1])
        for at, (mine, theirs) in enumerate(pairs)
    ):
        return None
    if any(fold(mine).text != fold(theirs).text for mine, theirs in pairs[1:-1]):
        return DifferenceKind.PUNCTUATION
    if first != wanted:
        return DifferenceKind.CASE
    # At its ends a quotation may have other signs than its source without being another one.
    outer = any(mine.strip() != theirs.strip() for mine, theirs in (pairs[0], pairs[-1]))
    return DifferenceKind.PUNCTUATION if outer else None


def _is_light(mine: str, theirs: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell whether what parts two words differs in signs that fail nothing."""
    if mine == theirs or fold(mine).text == fold(theirs).text:
        return True
    if _LIGHT.sub("", mine) != _LIGHT.sub("", theirs):
        return False
    starts = bool(after) and after[0][0].isdigit()
    ends = bool(before) and before[0][-1].isdigit()
    if starts and (ends or mine[-1:].strip() != theirs[-1:].strip()):
        return False
    return not ends or all(
        not gap or gap.isspace() or _AFTER_NUMBER.match(gap) is not None for gap in (mine, theirs)
    )


def difference_kind(
    source: FoldedText, passages: Sequence[str], nearest: Nearest | None
) -> DifferenceKind | None:
    """Return what keeps a quotation from standing in *source*; *nearest* is the closest passage, if there is one.

    Returns None for a quotation that is too short or too long for a passage to be looked for.
    """
    if nearest is None:
        return _without_passage(source, passages)
    quote = "\n\n".join(passages)
    light = light_difference(quote, nearest.text)
    if light is not None:
        return light
    removed = " ".join(item.text for item in nearest.differences if item.op == "delete")
    added = " ".join(item.text for item in nearest.differences if item.op == "insert")
    if any(map(str.isdigit, removed + added)):
        return DifferenceKind.NUMBER
    if (signs := _signs_alone(tokens(quote), tokens(nearest.text))) is not None:
        return signs
    if has_negation(fold(removed).text) != has_negation(fold(added).text):
        return DifferenceKind.NEGATION
    if Counter(tokens(removed).words) == Counter(tokens(added).words) != Counter():
        return DifferenceKind.ORDER
    if len(passages) == 1 and fold(quote).text in source.unmarked.text:
        return DifferenceKind.PART_OF_WORD
    return DifferenceKind.WORD


def _signs_alone(mine: Tokens, theirs: Tokens) -> DifferenceKind | None:
    """Return NUMBER or SIGN if two texts have the same words, and signs that weigh differ: at a digit, or elsewhere."""
    if [word.lower() for word in mine.words] != [word.lower() for word in theirs.words]:
        return None
    kind = None
    for at, (one, other) in enumerate(zip(mine.gaps, theirs.gaps, strict=True)):
        before, after = mine.words[at - 1 : at], mine.words[at : at + 1]
        if _is_light(one, other, before, after):
            continue
        kind = DifferenceKind.SIGN
        is_at_digit = any(word[-1].isdigit() for word in before) or any(
            word[0].isdigit() for word in after
        )
        # “in 2019?” asks; the number is the same.
        if is_at_digit and _ASKS.sub("", one) != _ASKS.sub("", other):
            return DifferenceKind.NUMBER
    return kind


def _without_passage(source: FoldedText, passages: Sequence[str]) -> DifferenceKind | None:
    parts = [
        quote.text[start:end].strip()
        for quote in map(fold, passages)
        for start, end in fragments(quote.text)
    ]
    if len(parts) > 1 and all(find(source, (part,)) for part in parts):
        return DifferenceKind.ORDER
    if parts and all(part in source.unmarked.text for part in parts):
        return DifferenceKind.PART_OF_WORD
    if sum(map(len, passages)) > LONGEST or any(len(part) < SHORTEST for part in parts):
        return None
    return DifferenceKind.NOTHING_ALIKE
