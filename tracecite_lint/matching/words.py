"""Whole words and numbers: whether a place in a text cuts one (docs/matching.md, rule 7)."""

from __future__ import annotations

import re
from unicodedata import category

from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.fold import HYPHENS, INVISIBLE
from tracecite_lint.model import MARKS

# Written without spaces between words: Han, kana, Thai, Lao, Khmer, Myanmar.
_UNSPACED = regex(
    "[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f\U0001b000-\U0001b16f\U00020000-\U000323af]"
)
_HIDDEN = regex(f"[{INVISIBLE}{MARKS}]+")
_APOSTROPHES = "'’‘‛ʻʼ′`´＇׳"
_JOINERS = HYPHENS + _APOSTROPHES + "_"
# Decimals, groups, parts of times and fractions; ranges and products.
_NUMBER_JOINTS = ".,:/٫٬·．：∶⁄" + "‒–−~～〜∼×^" + _APOSTROPHES
_GROUP_SPACES = " \xa0\u2007\u2009\u202f"
_SIGNS = HYPHENS + "−–+±~～〜∼≈<>≤≥"
_MEASURED = regex(rf"[{_GROUP_SPACES}]?(?:[%‰٪％°℃℉]|×[{_GROUP_SPACES}]?\d)")
# Whoever quotes “the state” of “the state’s” quotes a whole word; `t` is missing, since “can” of “can’t” turns it round.
_CLITIC = regex(r"(?:s|re|ve|ll|d|m)(?!\w)", re.IGNORECASE)
_NEGATED = regex(r"t(?!\w)", re.IGNORECASE)
_GROUP_BEFORE = regex(r"(?<!\d)[1-9]\d{0,2}$")
_GROUP_AFTER = regex(r"\d{3}(?!\d)|[¼-¾⅐-⅞]")
_LONE_LETTER = regex(r"(?<!\w)[^\W\d_]$")
_CONTEXT = 32


def is_word_character(character: str) -> bool:
    """Tell whether *character* is a letter, a mark or a digit."""
    return character.isalnum() or _is_mark(character)


def _is_mark(character: str) -> bool:
    """Tell whether *character* is a part of the letter before it."""
    return character > "\u02ff" and category(character).startswith("M")


def is_unspaced(character: str) -> bool:
    """Tell whether *character* belongs to a script that is written without spaces between words."""
    return character > "\u0dff" and _UNSPACED.match(character) is not None


def starts_inside_word(text: str, offset: int) -> bool:
    """Tell whether a passage that starts at *offset* of *text* would cut the word or number there."""
    left, right = _around(text, offset)
    if not left or not right or right[0].isspace():
        return False
    if left[-1].isspace():
        # “500” of “5 500” would be another number.
        return right[0].isdigit() and _parts_groups(left[:-1], left[-1] + right)
    return (
        _inside(left, right)
        or (_joined(left, right[0], right[1:]) and not _precedes_clitic(right))
        or (_joined(left[:-1], left[-1], right) and not _elides(left, right))
        # “5” of “-5” or “.5” too.
        or (right[0].isdigit() and _lacks_sign(left))
    )


def ends_inside_word(text: str, offset: int) -> bool:
    """Tell whether a passage that ends at *offset* of *text* would cut the word or number there."""
    left, right = _around(text, offset)
    if not left or not right or left[-1].isspace():
        return False
    if right[0].isspace():
        return left[-1].isdigit() and (_parts_groups(left, right) or _is_measured(right))
    return (
        _inside(left, right)
        or (left[-1].isdigit() and _is_measured(right))
        or (_joined(left, right[0], right[1:]) and not _precedes_clitic(right))
        or _joined(left[:-1], left[-1], right)
        or (right[0] == "." and _stops_short(left, right))
    )


def splits_letters(text: str, offset: int) -> bool:
    """Tell whether *offset* stands between two letters, marks or digits, or at an apostrophe between letters.

    That is the word boundary of text fragments, which a hyphen does not hinder.
    """
    left, right = _around(text, offset)
    return bool(left and right) and (
        _adjacent(left[-1], right[0])
        or (right[0] in _APOSTROPHES and _joined(left, right[0], right[1:]))
        or (left[-1] in _APOSTROPHES and _joined(left[:-1], left[-1], right))
    )


def _around(text: str, offset: int) -> tuple[str, str]:
    left, right = text[max(0, offset - _CONTEXT) : offset], text[offset : offset + _CONTEXT]
    if not left.isascii():
        left = _HIDDEN.sub("", left)
    return left, right if right.isascii() else _HIDDEN.sub("", right)


def _adjacent(left: str, right: str) -> bool:
    if not (is_word_character(left) and is_word_character(right)):
        return False
    return _is_mark(right) or not (is_unspaced(left) or is_unspaced(right))


def _joined(left: str, joiner: str, right: str) -> bool:
    """Tell whether *joiner* makes one word of what stands around it."""
    return joiner in _JOINERS and bool(left and right) and _adjacent(left[-1], right[0])


def _elides(left: str, right: str) -> bool:
    """Tell whether an apostrophe parts an article or pronoun from its word (l’homme, we’ve), which it does not in can’t."""
    return left[-1] in _APOSTROPHES and not (left[-2:-1] in "nN" and _NEGATED.match(right))


def _precedes_clitic(right: str) -> bool:
    """Tell whether a whole word ends before an English clitic: state’s, we’ve; the ’t of can’t is none."""
    return right[0] in _APOSTROPHES and _CLITIC.match(right, 1) is not None


def _inside(left: str, right: str) -> bool:
    """Tell whether the place is in the midst of a word or number, whichever side a passage lies on."""
    if _adjacent(left[-1], right[0]):
        return True
    before_joint = left[-1].isdigit() and right[0] in _NUMBER_JOINTS and right[1:2].isdigit()
    after_joint = left[-2:-1].isdigit() and left[-1] in _NUMBER_JOINTS and right[0].isdigit()
    return before_joint or after_joint


def _lacks_sign(left: str) -> bool:
    """Tell whether *left* ends in the sign or the decimal point of a number that starts next: -5, .5."""
    before = left[-2:-1]
    if left[-1] in _SIGNS:
        return not (before and is_word_character(before))
    return left[-1] == "." and not before.strip()


def _is_measured(right: str) -> bool:
    """Tell whether a number before *right* goes on with its percent or degree sign, or as 5 × 10⁶ does."""
    return _MEASURED.match(right) is not None


def _parts_groups(left: str, right: str) -> bool:
    """Tell whether the space between two groups of digits comes next: 5 500."""
    return (
        right[0] in _GROUP_SPACES
        and _GROUP_BEFORE.search(left) is not None
        and _GROUP_AFTER.match(right, 1) is not None
    )


def _stops_short(left: str, right: str) -> bool:
    """Tell whether a full stop goes on with a small letter (example.com) or stands in U.S."""
    return (
        right[1:2].isalpha()
        and left[-1].isalnum()
        and not is_unspaced(left[-1])
        and not is_unspaced(right[1])
        and (right[1].islower() or _LONE_LETTER.search(left) is not None)
    )
