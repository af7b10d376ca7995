"""The figures of a claim: which of its numbers, percentages, sums of money and dates say something that can be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.text.figures import words
from tracecite_lint.text.figures.values import Value, numerals, plain_digits

_LONGEST = 2_000
"""Characters of a claim that are looked at: more is no sentence."""
LEAST = 13
"""The smallest whole number that counts by itself: smaller ones stand on every page."""


class Kind(StrEnum):
    """What sort of figure it is."""

    PERCENT = "percent"
    MONEY = "money"
    SCALED = "scaled"
    DECIMAL = "decimal"
    INTEGER = "integer"
    YEAR = "year"
    DATE = "date"

    @property
    def is_counted(self) -> bool:
        """Whether it is looked up by itself: a year or a date only where every figure of the claim is missing."""
        return self not in (Kind.YEAR, Kind.DATE)


@dataclass(frozen=True, slots=True)
class Date:
    """What a claim says of a date: each part may be missing (0)."""

    year: int
    month: int = 0
    day: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a claim: its place there, the words it is written with, and what it may stand for."""

    start: int
    end: int
    text: str
    kind: Kind
    readings: tuple[Value, ...] = ()
    is_about: bool = False
    """It is said to be no more than about right."""
    date: Date | None = None
    is_converted: bool = False
    """It stands in brackets behind another figure, and may be the same amount in another unit."""


_MONTH = "|".join(sorted(map(re.escape, words.MONTHS), key=len, reverse=True))
_YEAR = r"(?P<{0}>(?:1\d|20)\d\d)"
_DAY = r"(?P<{0}>[0-3]?\d)(?:st|nd|rd|th|er|º|\.)?"
_DATES = regex(
    "|".join(
        (
            rf"(?<!\w)(?P<m1>{_MONTH})\.? {_DAY.format('d1')}(?:,? (?:of )?{_YEAR.format('y1')})?(?!\w)",
            rf"(?<!\w){_DAY.format('d2')} (?:of |de |d['’])?(?P<m2>{_MONTH})\.?,?(?: (?:de |del )?{_YEAR.format('y2')})?(?!\w)",
            rf"(?<!\w)(?P<m3>{_MONTH})\.?,? (?:of |de )?{_YEAR.format('y3')}(?!\w)",
            r"(?<![\d.,/-])(?P<y4>(?:1\d|20)\d\d)[-/.](?P<m4>[01]?\d)(?:[-/.](?P<d4>[0-3]?\d))?(?![\d/-])",
            r"(?<![\d.,/-])(?P<d5>[0-3]?\d)[./-](?P<m5>[0-3]?\d)[./-](?P<y5>(?:(?:1\d|20)\d\d)|\d\d)(?![\d/-])",
            r"(?P<y6>(?:1\d|20)\d\d) ?[年년] ?(?P<m6>1?\d) ?[月월](?: ?(?P<d6>[0-3]?\d) ?[日일])?",
            r"(?<!\d)(?P<m7>1?\d) ?[月월] ?(?P<d7>[0-3]?\d) ?[日일]",
        )
    ),
    re.IGNORECASE,
)
_TIME = regex(
    r"(?<!\d)\d{1,2}[:.h]\d{2}(?: ?(?:uhr|[ap]\.?m\.?)\b|(?<=:\d\d)(?::\d\d)?(?![\d]))|(?<!\d)\d{1,2} ?(?:[ap]\.?m\.?\b|uhr\b|o'clock|時|点(?!\d)|시)",
    re.IGNORECASE,
)
_VERSION = regex(r"(?<!\w)[vV]\.? ?\d+(?:\.\d+)*|(?<![\w.])\d+(?:\.\d+){2,}(?![\w])")
_JOINED = regex(r"(?<![\w.,])\d+(?:[-–/]\d+)+(?!\w)")
# Bounded, so that what looks like the beginning of an address is not tried anew at each of its characters.
_ADDRESS = regex(
    r"(?:https?://|www\.)\S{1,2000}|(?<![\w.-])[\w.-]{1,64}@[\w.-]{1,64}"
    r"|(?<![\w.-])(?:[\w-]{1,40}\.){1,4}(?:com|org|net|gov|edu|io|de|fr|ru|jp|cn)\b[\w/.?=&%-]{0,200}",
    re.IGNORECASE,
)
_MARKER = regex(r"\[\^?[\w ,;–-]{1,12}\]|【[^】]{0,40}】|[⁰¹²³⁴-⁹]+")
_LIST_NUMBER = regex(r"\s*\(?\d{1,3}[.)](?=\s)")
_LABEL = regex(
    rf"(?:(?<!\w)(?:{words.LABELS})[ ]?|(?:{words.CJK_LABELS}))(?:\d+(?:\.\d+)*(?:, ?| and | & |[-–]| to | und | et | и ))*$",
    re.IGNORECASE,
)
_ORDINAL = regex(rf" ?(?:{words.ORDINAL})")
_CURRENCY = regex(rf"(?:{words.CURRENCY}) ?$")
_CURRENCY_AFTER = regex(rf"(?:[ -]?(?:{words.CURRENCY_AFTER}))", re.IGNORECASE)
_ABOUT = regex(rf"(?:(?<!\w)(?:{words.APPROXIMATELY})) ?(?:{words.CURRENCY})? ?$", re.IGNORECASE)
_ABOUT_AFTER = regex(rf" ?(?:{words.APPROXIMATELY_AFTER})", re.IGNORECASE)
_UNIT = regex(r"[^\W\d_]+[²³]?|°[CF]?|″|′")
_READ_ON = regex(words.READ_ON, re.IGNORECASE)
_BRACKET = regex(r"[(（]\s?(?:[~≈]|about |approx\.? |ca\. )?[$€£¥]?$")
_TOKEN = regex(r"[\w-]*$")
# Numbers that name a work: arXiv's, with or without its name.
_IDENTIFIER = regex(r"(?<![\d.])\d{4}\.\d{4,5}(?:v\d+)?(?![\d.])|\b10\.\d{4,9}/\S+")
_MOST_BEFORE = 40
"""Characters before a number that say what it is."""


def figures_of(claim: str, skipped: Iterable[tuple[int, int]] = ()) -> list[Figure]:
    """Return the figures of *claim*, one sentence, in their order.

    *skipped* are ranges that are no part of what is claimed: what is quoted, and reference markers. A sentence that says when
    a page was read has none.
    """
    plain = plain_digits(claim[:_LONGEST])
    if _READ_ON.search(plain):
        return []
    plain = _masked(plain, skipped)
    dates = list(dates_in(plain))
    for date in dates:
        plain = _blank(plain, date.start, date.end)
    for pattern in (_TIME, _VERSION):
        plain = _without(plain, pattern)
    found = [*dates, *_amounts(plain, claim)]
    found.sort(key=lambda figure: figure.start)
    return found


def dates_in(plain: str) -> Iterator[Figure]:
    """Yield the dates of a text whose digits are plain."""
    for match in _DATES.finditer(plain):
        parts = {name: text for name, text in match.groupdict().items() if text}
        year = next((text for name, text in parts.items() if name[0] == "y"), "0")
        month = next(text for name, text in parts.items() if name[0] == "m")
        day = next((text for name, text in parts.items() if name[0] == "d"), "0")
        if "y5" in parts and len(year) == 2:
            year = ("20" if int(year) < 50 else "19") + year
        number = int(month) if month.isdecimal() else words.MONTHS[month.lower()]
        first, second = number, int(day)
        if "d5" in parts and first > 12 >= second:
            first, second = second, first
        if 1 <= first <= 12 and second <= 31 and (year != "0" or second):
            date = Date(int(year), first, second)
            yield Figure(match.start(), match.end(), match[0], Kind.DATE, date=date)


def _masked(plain: str, skipped: Iterable[tuple[int, int]]) -> str:
    for start, end in skipped:
        plain = _blank(plain, start, end)
    if number := _LIST_NUMBER.match(plain):
        plain = _blank(plain, 0, number.end())
    for pattern in (_ADDRESS, _IDENTIFIER, _MARKER):
        plain = _without(plain, pattern)
    return plain


def _blank(text: str, start: int, end: int) -> str:
    # A sign of its own, so that what stood there is neither a space between digits nor a part of a word.
    return f"{text[:start]}{'¤' * (end - start)}{text[end:]}"


def _without(text: str, pattern: re.Pattern[str]) -> str:
    for match in pattern.finditer(text):
        text = _blank(text, match.start(), match.end())
    return text


def _amounts(plain: str, claim: str) -> Iterator[Figure]:
    by_start: dict[int, list[Value]] = {}
    for value in numerals(plain):
        by_start.setdefault(value.start, []).append(value)
    joined = [match.span() for match in _JOINED.finditer(plain)]
    last: Figure | None = None
    end = 0
    for start, readings in by_start.items():
        if start < end:
            continue  # the rest of a number that spaces group
        stop = max(item.end for item in readings)
        # Without its scale it is a reading of the same number, a part of its digits is none.
        longest = [item for item in readings if not any(map(str.isdigit, plain[item.end : stop]))]
        kind = _kind(plain, start, stop, longest, joined)
        end = stop
        if kind is None:
            continue
        before = plain[max(start - _MOST_BEFORE, 0) : start]
        last = Figure(
            start,
            stop,
            claim[start:stop],
            kind,
            tuple(longest),
            is_about=bool(_ABOUT.search(before) or _ABOUT_AFTER.match(plain, stop)),
            is_converted=last is not None
            and start - last.end < 12
            and _BRACKET.search(before) is not None,
        )
        yield last


def _kind(
    plain: str, start: int, stop: int, readings: Sequence[Value], joined: list[tuple[int, int]]
) -> Kind | None:
    before = plain[max(start - _MOST_BEFORE, 0) : start]
    if _is_a_name(plain, start, stop, before, readings):
        return None
    if any(item.is_percent for item in readings):
        return Kind.PERCENT
    money = _CURRENCY.search(before) or _CURRENCY_AFTER.match(plain, stop)
    if (
        not money
        and not _has_unit(plain, stop)
        and any(first <= start < end for first, end in joined)
    ):
        return None
    if any(item.factor > 1 for item in readings):
        return Kind.MONEY if money else Kind.SCALED
    digits = plain[start:stop]
    if money:
        return Kind.MONEY
    if digits.isdecimal():
        if 1100 <= int(digits) < 2100 and len(digits) == 4 and not _has_unit(plain, stop):
            return Kind.YEAR
        return Kind.INTEGER if int(digits) >= LEAST else None
    return Kind.DECIMAL if all(item.step < 1 for item in readings) else Kind.INTEGER


def _is_a_name(plain: str, start: int, stop: int, before: str, readings: Sequence[Value]) -> bool:
    """Tell whether a number is (a part of) a name, an ordinal or the number of something."""
    digits = plain[start:stop]
    if digits.startswith("0") and digits[1:2].isdecimal():
        return True
    if _ORDINAL.match(plain, stop) and not any(
        item.is_percent or item.factor > 1 for item in readings
    ):
        return True
    tail = before[-1:]
    currency = _CURRENCY.search(before)
    if not currency and (
        (tail.isalpha() and not "\u3040" <= tail <= "\u9fff" and not "\uac00" <= tail <= "\ud7a3")
        or tail == "_"
    ):
        return True
    if not currency and tail == "-" and any(map(str.isalpha, _TOKEN.search(before)[0])):  # type: ignore[index]
        return True
    if tail in ("/", ".") and before[-2:-1].isdecimal():
        return True
    if _LABEL.search(before) and not any(item.is_percent for item in readings):
        return True
    behind = plain[stop : stop + 1]
    if behind.isalpha() and behind.isascii():
        unit = _UNIT.match(plain, stop)
        return unit is not None and unit[0].lower() not in words.UNITS
    return False


def _has_unit(plain: str, stop: int) -> bool:
    unit = _UNIT.match(plain, stop + (plain[stop : stop + 1] in (" ", "-")))
    return unit is not None and unit[0].lower() in words.UNITS
