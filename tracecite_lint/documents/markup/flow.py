"""Visible text with a source map: what a reader sees of one block, and where each character stands in the document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import wraps
from itertools import accumulate
from operator import attrgetter

from tracecite_lint.documents.markup.pairs import Pair, find_pairs
from tracecite_lint.documents.markup.sentences import LONGEST, boundaries
from tracecite_lint.light.lazy import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol, TypeVar

    class _Subject(Protocol):
        facts: dict[object, Any]

    _T = TypeVar("_T", bound=_Subject)
    _Fact = TypeVar("_Fact")

_FEW_LINKS = 6
"""A sentence has no more links that could be meant."""


START, AT = attrgetter("start"), attrgetter("at")
"""By which links, pairs and numbers are in order, and what has no text of its own."""


def once(find: Callable[[_T], _Fact]) -> Callable[[_T], _Fact]:
    """Let what *find* tells of a flow or a block be found once, however many quotations ask for it.

    A paragraph may hold a hundred thousand quotations: what they share must not be looked for again by each.
    """

    @wraps(find)
    def known(subject: _T) -> _Fact:
        if find not in subject.facts:
            subject.facts[find] = find(subject)
        found: _Fact = subject.facts[find]
        return found

    return known


class LinkKind(Enum):
    """How a link is written."""

    MARKDOWN = "markdown"
    AUTOLINK = "autolink"
    """`<https://…>`"""
    BARE = "bare"
    HTML = "html"


@dataclass(slots=True)
class Link:
    """A link with its range in the flow's text and in the document."""

    start: int
    end: int
    url: str
    title: str
    kind: LinkKind
    source_start: int
    source_end: int
    image: bool = False
    """Nothing but an image stands in it."""

    @property
    def is_address(self) -> bool:
        """It is written as an address, without a text of its own."""
        return self.kind in (LinkKind.AUTOLINK, LinkKind.BARE)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at one point of a flow that has no text of its own: a footnote reference, a tag, an image."""

    at: int
    name: str
    source_start: int
    source_end: int


class Places:
    """The range in the document of each character of a text, kept as runs of characters that follow one another."""

    __slots__ = ("_ats", "_ends", "_starts", "length")

    def __init__(self) -> None:
        self.length = 0
        self._ats: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        """The end that all characters of a run share; 0 where each stands for itself."""

    def add(self, length: int, start: int) -> None:
        """Add characters that stand one after another in the document, from *start*."""
        if self._ats and not self._ends[-1]:
            follows = self._starts[-1] + self.length - self._ats[-1] == start
            if follows:
                self.length += length
                return
        self._ats.append(self.length)
        self._starts.append(start)
        self._ends.append(0)
        self.length += length

    def add_as_one(self, length: int, start: int, end: int) -> None:
        """Add characters that together are written from *start* to *end*: an entity, an escape, a line's end."""
        self._ats.append(self.length)
        self._starts.append(start)
        self._ends.append(end)
        self.length += length

    def copy(self, other: Places, start: int, end: int) -> None:
        """Add the characters from *start* to *end* to *other*."""
        run = max(bisect_right(self._ats, start) - 1, 0)
        while run < len(self._ats) and start < end:
            following = self._ats[run + 1] if run + 1 < len(self._ats) else self.length
            stop = min(following, end)
            if self._ends[run]:
                other.add_as_one(stop - start, self._starts[run], self._ends[run])
            else:
                other.add(stop - start, self._starts[run] + start - self._ats[run])
            start = stop
            run += 1

    def start(self, index: int) -> int:
        """Return the offset in the document of the character at *index*."""
        run = bisect_right(self._ats, index) - 1
        return self._starts[run] + (0 if self._ends[run] else index - self._ats[run])

    def end(self, index: int) -> int:
        """Return the offset just behind it."""
        run = bisect_right(self._ats, index) - 1
        return self._ends[run] or self._starts[run] + index - self._ats[run] + 1


class Ranges:
    """Ranges of a text, which may lie in one another, and which of them hold or lie in another one."""

    __slots__ = ("_ends_ahead", "_ends_behind", "_starts")

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        ordered = sorted(ranges)
        ends = [end for _, end in ordered]
        self._starts = [start for start, _ in ordered]
        self._ends_behind = list(accumulate(ends, max))
        """The furthest end of a range that begins there or before."""
        self._ends_ahead = list(accumulate(reversed(ends), min))[::-1]
        """The nearest end of a range that begins there or behind."""

    def hold(self, start: int, end: int) -> bool:
        """Tell whether one of them holds the range from *start* to *end*."""
        index = bisect_right(self._starts, start) - 1
        return index >= 0 and self._ends_behind[index] >= end

    def lie_in(self, start: int, end: int) -> bool:
        """Tell whether one of them lies in the range from *start* to *end*."""
        index = bisect_left(self._starts, start)
        return index < len(self._starts) and self._ends_ahead[index] <= end


@dataclass(slots=True)
class Flow:
    """Visible text with a source map. Line breaks of the source are `\\n` in `text`."""

    text: str = ""
    places: Places = field(default_factory=Places)
    links: list[Link] = field(default_factory=list)
    footnotes: list[Mark] = field(default_factory=list)
    tags: list[Mark] = field(default_factory=list)
    images: list[Mark] = field(default_factory=list)
    codes: list[tuple[int, int]] = field(default_factory=list)
    emphases: list[tuple[int, int]] = field(default_factory=list)
    strongs: list[tuple[int, int]] = field(default_factory=list)
    source_start: int = 0
    source_end: int = 0
    notes: dict[str, list[Link]] = field(default_factory=dict)
    """The links of notes that are written where they are referred to (`^[…]`), by the name of the reference."""
    facts: dict[object, Any] = field(default_factory=dict)
    """What was found of it once (see `once`)."""
    _pairs: list[Pair] | None = None
    _boundaries: list[int] | None = None

    def pairs(self) -> list[Pair]:
        """Return the outermost pairs of quotation marks, in order."""
        if self._pairs is None:
            borders = {link.start for link in self.links} | {tag.at for tag in self.tags}
            notes = {mark.at for mark in self.footnotes}
            self._pairs = find_pairs(self.text, self.in_code, borders, notes)
        return self._pairs

    def pair_behind(self, at: int) -> Pair | None:
        """Return the next pair of quotation marks that opens at *at* or behind it."""
        index = bisect_left(self.pairs(), at, key=START)
        return self.pairs()[index] if index < len(self.pairs()) else None

    def pair_ending_at(self, end: int) -> Pair | None:
        """Return the outermost pair of quotation marks whose closing mark is the one before *end*."""
        pairs = self.pairs()
        index = bisect_left(pairs, end, key=attrgetter("end"))
        return pairs[index] if index < len(pairs) and pairs[index].end == end else None

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the sentence or sentences that hold the range; one that is too long is cut."""
        ends = self._sentence_ends()
        first = bisect_right(ends, start) - 1
        last = bisect_left(ends, end)
        return (
            max(ends[first] if first >= 0 else 0, start - LONGEST),
            min(ends[last] if last < len(ends) else len(self.text), end + LONGEST),
        )

    def crosses_sentence(self, start: int, end: int) -> bool:
        """Tell whether a sentence ends between *start* and *end*."""
        ends = self._sentence_ends()
        index = bisect_right(ends, start)
        return index < len(ends) and ends[index] < end

    def _sentence_ends(self) -> list[int]:
        if self._boundaries is None:
            self._boundaries = boundaries(self.text)
        return self._boundaries

    def source_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the document's range of the characters from *start* to *end* (not empty)."""
        return self.places.start(start), self.places.end(end - 1)

    def words(self, start: int, end: int) -> str:
        """Return that stretch as a reader sees it: white space runs are one space, none at the ends."""
        return " ".join(self.text[start:end].split())

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return the range without white space at its ends."""
        text = self.text
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        return start, end

    def links_within(self, start: int, end: int) -> Iterator[Link]:
        """Yield the links that begin in the range."""
        index = bisect_left(self.links, start, key=START)
        while index < len(self.links) and self.links[index].start < end:
            yield self.links[index]
            index += 1

    def links_before(self, start: int, at: int) -> list[Link]:
        """Return the last few links that begin at *start* or behind it and end at *at* or before it."""
        index = bisect_left(self.links, at, key=START)
        few = self.links[max(index - _FEW_LINKS, 0) : index]
        return [link for link in few if link.start >= start and link.end <= at]

    def link_around(self, start: int, end: int) -> Link | None:
        """Return the link whose text holds the range."""
        index = bisect_right(self.links, start, key=START) - 1
        if index >= 0 and self.links[index].end >= end:
            return self.links[index]
        return None

    def lines(self) -> Iterator[tuple[int, int]]:
        """Yield the range of each line of `text`."""
        start = 0
        while start <= len(self.text):
            end = self.text.find("\n", start)
            end = len(self.text) if end == -1 else end
            yield start, end
            start = end + 1

    def is_code(self, start: int, end: int) -> bool:
        """Tell whether the range lies in a code span."""
        return bool(self.codes) and _codes(self).hold(start, end)

    def is_emphasis(self, start: int, end: int) -> bool:
        """Tell whether the range lies in an emphasis."""
        return bool(self.emphases) and _emphases(self).hold(start, end)

    def has_emphasis(self, start: int, end: int) -> bool:
        """Tell whether an emphasis lies in the range."""
        return bool(self.emphases) and _emphases(self).lie_in(start, end)

    def in_code(self, at: int) -> bool:
        """Tell whether the character at *at* stands in a code span."""
        index = bisect_right(self.codes, (at, len(self.text) + 1)) - 1
        return index >= 0 and self.codes[index][0] <= at < self.codes[index][1]


@dataclass(frozen=True, slots=True)
class Part:
    """One paragraph of a quotation: a stretch of a flow's text."""

    flow: Flow
    start: int
    end: int

    def trimmed(self) -> Part:
        """Return the part without white space at its ends."""
        return Part(self.flow, *self.flow.trimmed(self.start, self.end))

    @property
    def text(self) -> str:
        """The words as a reader sees them."""
        return self.flow.words(self.start, self.end)

    @property
    def first(self) -> str:
        """The first character, nothing where there is none."""
        return self.flow.text[self.start : self.end][:1]


@once
def _codes(flow: Flow) -> Ranges:
    return Ranges(flow.codes)


@once
def _emphases(flow: Flow) -> Ranges:
    return Ranges(flow.emphases)
