"""The values of a text: numbers in digits and in words, in any of the ways in which people write them.

Written by hand, as the packages that know numbers in texts (recognizers-text, number-parser, quantulum3, numerizer) know
about half of the spellings and take from thirty milliseconds a pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import decimal

from tracecite_lint.light.lazy import dataclass, regex, replace
from tracecite_lint.text.figures import words

_SPACES = dict.fromkeys(
    map(ord, "\u00a0\u2002\u2003\u2005\u2007\u2008\u2009\u200a\u202f\u3000\t"), " "
)
_SIGNS = _SPACES | {
    ord("’"): "'",
    ord("٫"): ".",
    ord("٬"): ",",
    ord("，"): ",",
    ord("．"): ".",
    ord("−"): "-",
    ord("‑"): "-",
}
_NUMERAL = regex(
    r"(?<!\d)(?:"
    r"\d{1,3}(?:(?P<mark>[,.' ])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d+)?(?!\d)"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)"  # 12,34,567 of India
    r"|\d+(?:[.,]\d+)?"
    r"|(?<![\w.])\.\d+)"
)
_POWER = regex(
    r" ?[x×·*⋅] ?10 ?(?:\^ ?\{?)?(?P<power>[-+]?\d{1,3}|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})|[eE](?P<e>[-+]?\d{1,3})(?!\w)"
)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_FRACTION = regex(
    rf" ?([{''.join(words.FRACTION_SIGNS)}])|(?:[ -](?P<top>\d{{1,2}}))?[/⁄](?P<bottom>\d{{1,2}})(?![\d/])"
)
_SIGN_ALONE = regex(f"(?<!\\d)(?<!\\d )[{''.join(words.FRACTION_SIGNS)}]")
_BY_WORD = {word: scale for scale, names in words.SCALES.items() for word in names.split()}
_LETTERS = sorted(
    (word for word in _BY_WORD if not "\u3040" <= word[0] <= "\uffff"), key=len, reverse=True
)
_CJK = "".join(word for word in _BY_WORD if "\u3040" <= word[0] <= "\uffff" and len(word) == 1)
_SCALE = regex(
    rf"[ -]?(?:({'|'.join(map(re.escape, _LETTERS))})(?![^\W\d_])| ?([{_CJK}]))", re.IGNORECASE
)
_PERCENT = regex(rf"[ -]?(?:{words.PERCENT})", re.IGNORECASE)
_PERCENT_BEFORE = regex(rf"(?:{words.PERCENT_BEFORE})$", re.IGNORECASE)
_TENTHS = regex(words.TENTHS)
_JOINING = regex(
    r" ?(?:[-–—~〜～/,、]|to|and|or|through|bis|und|oder|à|a|et|ou|y|o|e|до|и|или|から|至|到|和|与|and/or|and up to) ?[$€£¥₹]?"
)
_RATIO = regex(
    r" ?(?:in|out of|of|of every|in every|von|aus|sur|из|de cada|em cada|su|of the) ?",
    re.IGNORECASE,
)
_ONE_IN = regex(r" (?:in(?: every)?|out of|von|sur|из|de cada|em cada|su) (?=\w)", re.IGNORECASE)
_WORD = regex(r"[^\W\d_]+")
_GAP = regex(r"[ -]|[ -](?:and|und|et|y|e) ")
_CJK_NUMBER = regex(
    f"[{''.join(words.CJK_DIGITS)}{''.join(words.CJK_TENS)}{''.join(words.CJK_SCALES)}]+"
    f"(?:[点點・][{''.join(words.CJK_DIGITS)}]+)?"
)
_CJK_PART = regex(
    r"(?<![\d一二三四五六七八九十百])(?P<bottom>[\d一二三四五六七八九十百]{1,8})分(?:の|之)(?P<top>[\d一二三四五六七八九十百]{1,8})"
)
_SHORT_YEAR = regex(r"(?<!\d)((?:1[5-9]|20)\d\d)[-–—/](\d\d)(?!\d)|['’](\d\d)(?!\w)")
_DECADE = regex(r"(?<!\d)(?:(1[5-9]|20)?(\d)0)(?:'?s|er|е|-е|-х|年代)(?!\w)")
_LONGEST_NUMERAL = 40
_LARGEST_POWER = 100
_LONGEST_WORD = 60
"""Letters of a number in one word, as German writes it."""


@dataclass(frozen=True, slots=True)
class Value:
    """One reading of a number in a text: `start` and `end` are offsets in the text, `step` is what its last digit stands for.

    A percentage has the value that is written, 12 for `12 %`.
    """

    start: int
    end: int
    value: float
    step: float = 1.0
    is_percent: bool = False
    factor: float = 1.0
    """What its scale words multiply it by."""


def plain_digits(text: str) -> str:
    """Return *text* with the digits of every script as ASCII, and the spaces and signs in numbers as one; no character moves."""
    if text.isascii():
        return text
    others = {
        ord(sign): str(decimal(sign))
        for sign in set(text)
        if not sign.isascii() and sign.isdecimal()
    }
    return text.translate(_SIGNS | others)


def values(text: str) -> list[Value]:
    """Return the values of *text* in their order, all readings of each; ordinals are none."""
    plain = plain_digits(text)
    found = list(numerals(plain))
    found += _spelled(plain)
    found += _years(plain)
    found += [
        Value(match.start(), match.end(), words.FRACTION_SIGNS[match[0]], 0.01)
        for match in _SIGN_ALONE.finditer(plain)
    ]
    found.sort(key=lambda item: (item.start, item.end))
    return [*found, *_ratios(plain, found)]


def numerals(plain: str) -> Iterator[Value]:
    """Yield the values that are written in digits in a text whose digits are plain, in order."""
    groups = [list(_numeral(plain, match)) for match in _NUMERAL.finditer(plain)]
    groups = [group for group in groups if group]
    _add_up(plain, groups)
    _share(plain, groups)
    for group in groups:
        yield from group


def _numeral(plain: str, match: re.Match[str]) -> Iterator[Value]:
    written = match[0]
    if len(written) > _LONGEST_NUMERAL:
        return
    for text in _split(match):
        for number, step in _readings(text[0], text[1]):
            yield from _behind(
                plain, text[2], match.end() if text[3] else text[2] + len(text[0]), number, step
            )


def _split(match: re.Match[str]) -> Iterator[tuple[str, str, int, bool]]:
    """Yield a numeral with its grouping mark and place; digits that only spaces group may be numbers of their own."""
    mark = match["mark"] or ""
    yield match[0], mark, match.start(), True
    if mark == " ":
        at = match.start()
        for part in match[0].split(" "):
            yield part, "", at, at + len(part) == match.end()
            at += len(part) + 1


def _readings(written: str, mark: str) -> Iterator[tuple[float, float]]:
    """Yield what a numeral may stand for, with the step of its last digit."""
    if mark:
        whole, tail = _parts(written, mark)
        if not written.startswith("0"):
            yield _number(whole, tail)
        if mark in ",." and not tail and written.count(mark) == 1:
            yield _number(*written.split(mark))
        return
    if written.count(",") > 1:  # of India
        whole, _, tail = written.replace(",", "").partition(".")
        yield _number(whole, tail)
        return
    whole, _, tail = written.replace(",", ".").partition(".")
    yield _number(whole, tail)


def _parts(written: str, mark: str) -> tuple[str, str]:
    for point in ",.":
        if point != mark and point in written:
            whole, _, tail = written.rpartition(point)
            return whole.replace(mark, ""), tail
    last = written.rpartition(mark)[2]
    # `1.234.5` is grouped, and its last part is no group.
    if len(last) != 3 and mark in ",.":
        whole, _, tail = written.rpartition(mark)
        return whole.replace(mark, ""), tail
    return written.replace(mark, ""), ""


def _number(whole: str, tail: str) -> tuple[float, float]:
    return float(f"{whole or 0}.{tail or 0}"), 10.0 ** -len(tail)


def _behind(plain: str, start: int, end: int, number: float, step: float) -> Iterator[Value]:
    """Yield a number with what stands behind it: a fraction, a power, scales, a sign of percent."""
    if fraction := _FRACTION.match(plain, end):
        yield from _with_fraction(start, end, number, step, fraction)
        if fraction[1]:
            number, step, end = number + words.FRACTION_SIGNS[fraction[1]], 0.01, fraction.end()
    if power := _POWER.match(plain, end):
        exponent = int((power["power"] or power["e"]).translate(_SUPERSCRIPT))
        if abs(exponent) <= _LARGEST_POWER:
            factor = 10.0**exponent
            yield Value(start, power.end(), number * factor, step * factor, factor=factor)
    yield from _scaled(plain, start, end, number, step)


def _with_fraction(
    start: int, end: int, number: float, step: float, match: re.Match[str]
) -> Iterator[Value]:
    if match[1] or not int(match["bottom"] or 0):
        return
    bottom = int(match["bottom"])
    if match["top"]:
        yield Value(start, match.end(), number + int(match["top"]) / bottom, 0.01)
    elif 0 < number < bottom and step == 1:
        yield Value(start, match.end(), number / bottom, 0.01)


def _scaled(plain: str, start: int, end: int, number: float, step: float) -> Iterator[Value]:
    factors, behind, unsure = [1.0], end, False
    for _ in range(3):
        scale = _SCALE.match(plain, behind)
        if scale is None:
            break
        word = (scale[1] or scale[2]).lower()
        known = words.AMBIGUOUS.get(word, (_BY_WORD[word],))
        unsure |= word in words.UNITS  # `5 m` may be metres
        factors = [first * second for first in factors for second in known]
        behind = scale.end()
    percent = _PERCENT.match(plain, behind)
    before = _PERCENT_BEFORE.search(plain, max(start - 8, 0), start)
    is_percent = percent is not None or before is not None
    for factor in factors:
        yield Value(
            start,
            percent.end() if percent else behind,
            number * factor,
            step * factor,
            is_percent,
            factor,
        )
    if unsure:
        yield Value(start, end, number, step)
    if tenths := _TENTHS.match(plain, end):
        yield Value(start, tenths.end(), number * 10, step * 10, is_percent=True)


def _add_up(plain: str, groups: list[list[Value]]) -> None:
    """Add the sum of scaled numbers that stand together and become smaller: `3億5000万`, `1 million 200 thousand`."""
    for index in range(len(groups) - 1, 0, -1):
        first, second = groups[index - 1], groups[index]
        gap = plain[first[0].end : second[0].start]
        if gap not in ("", " ", " and "):
            continue
        for one in list(first):
            if one.factor > 1:
                first.extend(
                    Value(
                        one.start,
                        other.end,
                        one.value + other.value,
                        other.step,
                        other.is_percent,
                        other.factor,
                    )
                    for other in second[:4]
                    if other.value < one.factor and other.end != one.end
                )


def _share(plain: str, groups: list[list[Value]]) -> None:
    """Let the numbers of a range or list have the scale and the sign of percent that only the last one is written with."""
    for index in range(len(groups) - 1, 0, -1):
        first, second = groups[index - 1], groups[index]
        gap = plain[first[0].end : second[0].start]
        if len(gap) > 12 or not _JOINING.fullmatch(gap):
            continue
        percent = any(item.is_percent for item in second)
        factors = {item.factor for item in second} - {1.0}
        for item in list(first):
            if item.factor == 1:
                if percent and not item.is_percent:
                    first.append(replace(item, is_percent=True))
                first.extend(
                    replace(item, value=item.value * factor, step=item.step * factor, factor=factor)
                    for factor in factors
                )


def _years(plain: str) -> Iterator[Value]:
    for match in _SHORT_YEAR.finditer(plain):
        if match[1]:
            yield Value(match.start(), match.end(), float(match[1]))
            yield Value(match.start(), match.end(), float(match[1][:2] + match[2]))
        else:
            yield from (
                Value(match.start(), match.end(), float(f"{century}{match[3]}"))
                for century in (19, 20)
            )
    for match in _DECADE.finditer(plain):
        centuries = (match[1],) if match[1] else ("19", "20")
        yield from (
            Value(match.start(), match.end(), float(f"{one}{match[2]}0")) for one in centuries
        )


def _ratios(plain: str, found: list[Value]) -> list[Value]:
    """Return what `one in five` and `3 of 10` come to."""
    ratios = []
    for index, one in enumerate(found):
        for other in found[index + 1 : index + 4]:
            near = 0 <= other.start - one.end <= 14 and 0 < one.value < other.value <= 1e4
            if near and _RATIO.fullmatch(plain, one.end, other.start):
                ratios.append(Value(one.start, other.end, one.value / other.value, 0.01))
    return ratios


# ---- Numbers in words -----------------------------------------------------------------------------------------------


def _spelled(plain: str) -> Iterator[Value]:
    yield from _spelled_words(plain)
    if (
        any("一" <= sign <= "鿿" for sign in words.CJK_DIGITS if sign in plain)
        or "十" in plain
        or "百" in plain
    ):
        yield from _spelled_cjk(plain)


class _Run:
    """Number words that stand together, and what they come to so far."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.end = start
        self.total = 0.0
        self.current = 0.0
        self.count = 0
        self.last = ""
        self.factor = 1.0

    def take(self, word: str, end: int) -> bool:
        """Take in a further word, if it goes on with the number."""
        number = _word_number(word)
        if number is not None:
            if not self._goes_on(number):
                return False
            self.current += number
        elif (scale := _scale_of(word)) is not None and self.count:
            self.current = max(self.current, 1) * scale
            if scale >= 1000:
                self.total, self.current = self.total + self.current, 0.0
                self.factor = scale
        else:
            return False
        self.count += 1
        self.last = word
        self.end = end
        return True

    def take_quatre_vingt(self, end: int) -> None:
        """`quatre-vingts` is four times twenty."""
        self.current += 80 - 4
        self.count += 1
        self.last = "vingt"
        self.end = end

    def _goes_on(self, number: int) -> bool:
        if self.current == 0 or (self.last == "dix" and 7 <= number <= 9):
            return True
        if number >= 100:
            return False
        room = self.current % 100
        if room == 0:
            return True
        # soixante-dix, quatre-vingt-dix
        wide = self.last in ("soixante", "vingt", "vingts")
        return 20 <= room <= 90 and room % 10 == 0 and number < (20 if wide else 10)

    @property
    def value(self) -> float:
        return self.total + self.current


def _scale_of(word: str) -> float | None:
    return _BY_WORD.get(word) if len(word) > 2 else None


@lru_cache(maxsize=4096)
def _word_number(word: str) -> int | None:
    """Return what a number word stands for, German compounds included."""
    if len(word) > _LONGEST_WORD:
        return None
    if word in words.NUMBERS:
        return words.NUMBERS[word]
    for part, factor in (("tausend", 1000), ("hundert", 100)):
        first, middle, rest = word.partition(part)
        if middle and (first or rest):
            many = _word_number(first) if first else 1
            more = _word_number(rest.removeprefix("und")) if rest else 0
            return None if many is None or more is None else many * factor + more
    first, middle, rest = word.partition("und")
    if middle and first and rest:
        unit, ten = words.NUMBERS.get(first), words.NUMBERS.get(rest)
        if unit is not None and ten is not None and unit < 10 and ten >= 20:
            return unit + ten
    return None


def _spelled_words(plain: str) -> Iterator[Value]:
    run: _Run | None = None
    before, before_end = "", 0
    for match in _WORD.finditer(plain):
        word = match[0].lower()
        if run is not None:
            gap = plain[run.end : match.start()]
            joined = gap in (" ", "-") or _GAP.fullmatch(gap)
            if joined and run.last == "quatre" and word in ("vingt", "vingts"):
                run.take_quatre_vingt(match.end())
                continue
            if joined and run.take(word, match.end()):
                continue
            if word in ("and", "und", "et", "y", "e") and gap == " ":
                before, before_end = word, match.end()
                continue
            yield from _said(plain, run, word, match)
            run = None
        elif word in words.PARTS:
            yield from _part(before, before_end, word, match)
        if _word_number(word) is not None:
            run = _Run(match.start())
            run.take(word, match.end())
        before, before_end = word, match.end()
    if run is not None:
        yield from _said(plain, run, "", None)


def _said(plain: str, run: _Run, word: str, match: re.Match[str] | None) -> Iterator[Value]:
    percent = _PERCENT.match(plain, run.end)
    if match is not None and word in words.PARTS and match.start() - run.end == 1:
        yield Value(run.start, match.end(), run.value / words.PARTS[word], 0.01)
    counts = run.count > 1 or run.last not in words.PRONOUNS or percent is not None
    if counts or _ONE_IN.match(plain, run.end):
        step = run.factor if run.value % run.factor == 0 else 1.0
        yield Value(
            run.start,
            percent.end() if percent else run.end,
            run.value,
            step,
            percent is not None,
            run.factor,
        )


def _part(before: str, before_end: int, word: str, match: re.Match[str]) -> Iterator[Value]:
    """`a third` is one, `the third` is none."""
    part = words.PARTS[word]
    if word not in words.ORDINALS or (
        before in ("a", "an", "ein", "un", "une", "uma", "um", "eine")
        and match.start() - before_end == 1
    ):
        yield Value(match.start(), match.end(), 1 / part, 0.01)


def _spelled_cjk(plain: str) -> Iterator[Value]:
    for match in _CJK_PART.finditer(plain):
        top, bottom = _cjk(match["top"]), _cjk(match["bottom"])
        if top and bottom:
            factor = 100 if bottom == 100 else 1
            yield Value(
                match.start(), match.end(), factor * top / bottom, 0.01 * factor, bottom == 100
            )
    for match in _CJK_NUMBER.finditer(plain):
        value = _cjk(match[0]) if len(match[0]) <= _LONGEST_NUMERAL else None
        if value is None:
            continue
        before = plain[max(match.start() - 3, 0) : match.start()]
        percent = _PERCENT.match(plain, match.end())
        if before == "百分之" or percent:
            yield Value(match.start(), match.end(), value, 1.0, is_percent=True)
        elif _TENTHS.match(plain, match.end()):
            yield Value(match.start(), match.end(), 10 * value, 10.0, is_percent=True)
        elif len(match[0]) > 1:
            yield Value(match.start(), match.end(), value)


def _cjk(written: str) -> float | None:
    """Return the value of a number in Chinese characters: `三百五十万`, `二〇一九`, `三点五亿`."""
    if written.isdecimal():
        return float(written)
    if all(sign in words.CJK_DIGITS for sign in written):
        return float("".join(str(words.CJK_DIGITS[sign]) for sign in written))
    total = section = 0.0
    digit: float | None = None
    point = 0.0
    for sign in written:
        if sign in "点點・":
            section, point = section + (digit or 0), 0.1
            digit = None
        elif sign in words.CJK_DIGITS:
            if point:
                section, point = section + words.CJK_DIGITS[sign] * point, point / 10
            else:
                digit = words.CJK_DIGITS[sign]
        elif sign in words.CJK_TENS:
            section += (1 if digit is None else digit) * words.CJK_TENS[sign]
            digit = None
        else:
            total, section = (total + section + (digit or 0)) * words.CJK_SCALES[sign], 0.0
            digit, point = None, 0.0
    value = total + section + (digit or 0)
    return value or None
