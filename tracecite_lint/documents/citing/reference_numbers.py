"""Numbered reference lists, and the numbers in running text that point into them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from tracecite_lint.documents.citing.links import Source, is_source, source_of
from tracecite_lint.documents.markup.flow import Flow, Link
from tracecite_lint.documents.markup.html_tags import tag_of
from tracecite_lint.documents.vocabulary import SOURCE_NAME
from tracecite_lint.light.lazy import dataclass, field, regex, replace

_NUMBERS = r"(\d{1,3}(?:\s*[,;，、–-]\s*\d{1,3})*)"
_BRACKETED = regex(
    rf"\[(?:cite:\s?)?{_NUMBERS}\]|\[\^{_NUMBERS}\^\]|【{_NUMBERS}(?:†[^】\n]{{0,80}})?】|［{_NUMBERS}］|([¹²³⁰⁴-⁹]{{1,3}})"
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
# A superscript whose form was lost in an export: digits right behind a closing mark or behind a word's full stop.
_ATTACHED = regex(
    r"(?=\d)(?:(?<=[”\"»」』])|(?<=[”\"»」』][.,;:])|(?<=[^\W\d_][.!?]))"
    rf"{_NUMBERS}(?=[\s;:)]|[.,](?!\d)|$)"
)
_LABEL = regex(rf"\s*\[?\^?{_NUMBERS}\^?\]?\s*")
_SOURCE_IN_BRACKETS = regex(rf"[(（\[【]\s*(?:{SOURCE_NAME.pattern})\s*[:：]\s*\Z", re.IGNORECASE)
_NEAR = 40
"""How many characters before an address are looked at."""
_MOST_AT_ONCE = 10
_APART = " \t\n.。,，;()（）"
"""The same, where each stands in parentheses: `([1]) ([2])`."""
BETWEEN = " \t\n.。,，;"
"""What may stand between numbers that belong together: `[1], [2]`."""


@dataclass(frozen=True, slots=True)
class NumberMark:
    """A reference by number in a flow's text, from `start` to `end`, with the sources it stands for."""

    start: int
    end: int
    sources: tuple[Source, ...]
    joined: bool = False
    """Nothing but punctuation stands between it and the reference before."""


@dataclass(slots=True)
class _List:
    """One numbered reference list: the offset of its first entry, and the sources of each entry."""

    start: int
    entries: dict[int, list[Source]] = field(default_factory=dict)
    last: int = 0


class NumberedLists:
    """The numbered reference lists of one document; numbers may start again several times."""

    def __init__(self) -> None:
        self._current: _List | None = None
        self._by_number: dict[int, list[_List]] = {}
        self._flows: set[int] = set()
        self._marks: dict[int, list[NumberMark]] = {}
        self.unlinked: set[int] = set()
        """The numbers of entries that name no source."""

    def add(self, number: int, sources: list[Source], flow: Flow) -> None:
        """Add an entry that stands in *flow*; a number no larger than the one before begins a new list."""
        if not sources:
            self.unlinked.add(number)
            return
        self._flows.add(id(flow))
        if self._current is None or number <= self._current.last:
            self._current = _List(flow.source_start)
        self._current.last = number
        self._current.entries[number] = sources
        self._by_number.setdefault(number, []).append(self._current)

    def is_entry(self, flow: Flow) -> bool:
        """Tell whether *flow* holds entries: numbers in it refer to nothing."""
        return id(flow) in self._flows

    def is_unlinked(self, written: str) -> bool:
        """Tell whether a reference leads to an entry that names no source."""
        match = _LABEL.fullmatch(written)
        return match is not None and not self.unlinked.isdisjoint(_numbers(match))

    def entry(self, number: int, at: int) -> list[Source]:
        """Return the sources of entry *number* in the reference list that serves the text at the offset *at*.

        That is the next list that has such an entry, or else the last one before.
        """
        lists = self._by_number.get(number, [])
        if not lists:
            return []
        index = bisect_right(lists, at, key=lambda item: item.start)
        return lists[min(index, len(lists) - 1)].entries[number]

    def marks(self, flow: Flow) -> list[NumberMark]:
        """Return the references by number in *flow* that lead somewhere, or would if there were such an entry."""
        found = self._marks.get(id(flow))
        if found is None:
            found = self._marks[id(flow)] = [] if self.is_entry(flow) else self._find(flow)
        return found

    def _find(self, flow: Flow) -> list[NumberMark]:
        found = [self._mark(flow, match) for match in _BRACKETED.finditer(flow.text)]
        found.extend(self._linked(flow, link) for link in flow.links if _is_number(flow, link))
        if self._current is not None:
            found.extend(self._mark(flow, match) for match in _ATTACHED.finditer(flow.text))
            found.extend(self._raised(flow))
        found.sort(key=lambda mark: (mark.start, -mark.end, not mark.sources))
        apart = [
            mark
            for index, mark in enumerate(found)
            if not index or mark.start >= found[index - 1].end
        ]
        joined = [
            replace(mark, joined=True)
            if not flow.text[before.end : mark.start].strip(_APART)
            else mark
            for before, mark in pairwise(apart)
        ]
        return [*apart[:1], *joined]

    def _mark(self, flow: Flow, match: re.Match[str]) -> NumberMark:
        return NumberMark(match.start(), match.end(), self._sources(flow, match))

    def _sources(self, flow: Flow, match: re.Match[str]) -> tuple[Source, ...]:
        return tuple(
            source for number in _numbers(match) for source in self.entry(number, flow.source_start)
        )

    def _linked(self, flow: Flow, link: Link) -> NumberMark:
        """`[1](u)` is its own entry; `[1](#ref-1)` points into the list."""
        if is_source(link):
            return NumberMark(link.start, link.end, (source_of(link),))
        match = _LABEL.fullmatch(flow.text, link.start, link.end)
        sources = self._sources(flow, match) if match is not None else ()
        return NumberMark(link.start, link.end, sources)

    def _raised(self, flow: Flow) -> list[NumberMark]:
        """`<sup>1</sup>`"""
        found = []
        opened = -1
        for tag in flow.tags:
            name, closing = tag_of(tag.name)
            if name != "sup":
                continue
            if not closing:
                opened = tag.at
            elif opened != -1:
                match = _LABEL.fullmatch(flow.text, opened, tag.at)
                if match is not None:
                    found.append(NumberMark(opened, tag.at, self._sources(flow, match)))
                opened = -1
        return found


def _is_number(flow: Flow, link: Link) -> bool:
    """`[1](u)`, `[source](u)`, `(source: u)`: a reference like a number, of all that was quoted since the one before."""
    if is_source(link) and SOURCE_NAME.fullmatch(flow.text, link.start, link.end):
        return True
    if link.is_address and _SOURCE_IN_BRACKETS.search(
        flow.text, max(link.start - _NEAR, 0), link.start
    ):
        return is_source(link)
    return link.end > link.start and _LABEL.fullmatch(flow.text, link.start, link.end) is not None


def number_of(match: re.Match[str]) -> int:
    """Return the number of an entry, in whichever form it is written."""
    return int(next(group for group in match.groups() if group).translate(_SUPERSCRIPTS))


def _numbers(match: re.Match[str]) -> list[int]:
    """Return the numbers of a reference mark: `[1, 3]`, `[2-4]`."""
    written = next(group for group in match.groups() if group).translate(_SUPERSCRIPTS)
    found: list[int] = []
    for piece in re.split(r"[,;，、]", written):
        first, _, last = re.sub(r"\s", "", piece).replace("–", "-").partition("-")
        found.extend(range(int(first), min(int(last or first), int(first) + _MOST_AT_ONCE) + 1))
    return found[:_MOST_AT_ONCE]
