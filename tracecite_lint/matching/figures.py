"""Whether the figures of a claim stand in a text: looked for as they are written, then by their value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property

from tracecite_lint.light.lazy import regex
from tracecite_lint.text.figures import words
from tracecite_lint.text.figures.claimed import Date, Figure, Kind, dates_in
from tracecite_lint.text.figures.values import Value, plain_digits, values

_LONGEST = 2_000_000
"""Characters of a text whose numbers are looked at."""
_SLACK = 1e-9
_LEAST_DIGITS = 3
"""Digits that have to be the same where they stand at another power of ten, as in a table in millions."""
_AROUND = 60
"""Characters that are shown on either side of a figure."""
_LOOKS = 2_000
"""Places of the same digits that are looked at one by one."""
_PERCENT = regex(rf"[ -]?(?:{words.PERCENT})")


class Standing:
    """A text that figures are looked up in; its numbers are listed when the first is not found as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text[:_LONGEST]
        """The text that is searched."""
        self._text = plain_digits(self.text)

    def place(self, figure: Figure) -> tuple[int, int] | None:
        """Return where *figure* stands in the text, in one of its spellings; None where it does not."""
        if figure.date is not None:
            return self._place_of_date(figure.date)
        written = self._as_written(figure)
        if written is not None:
            return written
        for reading in figure.readings:
            if found := self._by_value(figure, reading):
                return found
        return None

    def passage(self, figure: Figure) -> str:
        """Return what stands around *figure* in the text, cut at word ends; empty where it does not stand, or only its parts do."""
        place = self.place(figure)
        if place is None or place[0] == place[1]:
            return ""
        start, end = max(place[0] - _AROUND, 0), place[1] + _AROUND
        shown = self.text[start:end]
        if start:
            shown = "…" + shown.partition(" ")[2]
        return " ".join(shown.split()) + ("…" if end < len(self.text) else "")

    def missing(self, claimed: Sequence[Figure], asked: Collection[Kind] = ()) -> list[Figure]:
        """Return those of *claimed*, the figures of one claim, that do not stand in the text.

        Years and dates are told only where no figure of the claim stands, unless they are among the kinds that are *asked*
        for; what a figure that stands is converted into in brackets is not asked for.
        """
        places = [self.place(figure) is not None for figure in claimed]
        missing = [
            figure
            for index, (figure, stands) in enumerate(zip(claimed, places, strict=True))
            if not stands and not (figure.is_converted and index and places[index - 1])
        ]
        if not any(places):
            return missing
        return [figure for figure in missing if figure.kind.is_counted or figure.kind in asked]

    def _as_written(self, figure: Figure) -> tuple[int, int] | None:
        written = plain_digits(figure.text)
        at = self._text.find(written)
        for _ in range(_LOOKS):
            if at == -1:
                return None
            end = at + len(written)
            if self._is_apart(at, end) and (
                figure.kind is not Kind.PERCENT or not written[-1:].isdecimal()
            ):
                return at, end
            at = self._text.find(written, at + 1)
        return None

    def _is_apart(self, start: int, end: int) -> bool:
        """Tell whether no further digit belongs to the number in the range."""
        text = self._text
        before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
        if before[-1:].isdecimal() or (
            before[-1:] in (".", ",", " ", "'")
            and before[:1].isdecimal()
            and text[start].isdecimal()
        ):
            return False
        if not text[end - 1].isdecimal():
            return True
        return not behind[:1].isdecimal() and not (
            behind[:1] in (".", ",", " ", "'") and behind[1:].isdecimal()
        )

    @cached_property
    def _values(self) -> list[Value]:
        return sorted(values(self._text), key=lambda item: item.value)

    @cached_property
    def _keys(self) -> list[float]:
        return [item.value for item in self._values]

    @cached_property
    def _dates(self) -> list[Date]:
        return [figure.date for figure in dates_in(self._text) if figure.date is not None]

    @cached_property
    def _years(self) -> frozenset[int]:
        return frozenset(int(item.value) for item in self._values if 1000 <= item.value < 2200) | {
            date.year for date in self._dates
        }

    @cached_property
    def _digits(self) -> dict[str, Value]:
        """The values by their first three digits, at whatever power of ten."""
        found: dict[str, Value] = {}
        for item in self._values:
            found.setdefault(_significant(item.value), item)
        return found

    def _by_value(self, figure: Figure, reading: Value) -> tuple[int, int] | None:
        least, most = _bounds(reading, is_about=figure.is_about)
        if found := self._between(least, most, reading.is_percent):
            return found.start, found.end
        if reading.is_percent:
            part = self._between(least / 100, most / 100, None) if most <= 100 else None
            return (part.start, part.end) if part is not None and part.step < 1 else None
        return self._at_another_power(reading)

    def _between(self, least: float, most: float, is_percent: bool | None) -> Value | None:
        index = bisect_left(self._keys, least - _SLACK * abs(least))
        while index < len(self._keys) and self._keys[index] < most + _SLACK * abs(most):
            item = self._values[index]
            if is_percent is None or item.is_percent or not is_percent:
                return item
            index += 1
        return None

    def _at_another_power(self, reading: Value) -> tuple[int, int] | None:
        digits = _significant(reading.value)
        if len(digits) < _LEAST_DIGITS:
            return None
        found = self._digits.get(digits)
        return (found.start, found.end) if found is not None else None

    def _place_of_date(self, date: Date) -> tuple[int, int] | None:
        if date.year and date.year not in self._years:
            return None
        if any(
            other.month == date.month and (not date.day or other.day == date.day)
            for other in self._dates
            if not (date.year and other.year) or other.year == date.year
        ):
            return 0, 0
        return None


def _bounds(reading: Value, *, is_about: bool) -> tuple[float, float]:
    """Return between which values a source's may lie: those that are rounded or cut to the last digit of the claim's."""
    value, step = reading.value, reading.step
    if is_about:
        step = max(step, _trailing_step(value))
        return value - step * (1 - 1e-6), value + step * (1 - 1e-6)
    return value - step / 2, value + step * (1 - 1e-6)


def _trailing_step(value: float) -> float:
    """Return what the last digit of a whole number stands for that is not zero; 0 for any other."""
    step = 1.0 if value and value % 1 == 0 else 0.0
    while step and value % (10 * step) == 0:
        step *= 10
    return step


def _significant(value: float) -> str:
    """Return the digits of a value without zeros at either end."""
    return f"{value:.10g}".partition("e")[0].replace(".", "").strip("0")
