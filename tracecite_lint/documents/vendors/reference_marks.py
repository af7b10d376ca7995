"""References written into an answer where its record annotates it, and the way from the new text back to the old.

Markdown knows no annotation beside the text. So each becomes a reference that the reader of Markdown knows, to an address
that stands for its sources (RFC 2606 keeps the name from being a real one).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter

from tracecite_lint.documents.markup.blocks import parse_blocks
from tracecite_lint.light.lazy import dataclass, regex

# Stands for the sources of a reference while the Markdown is parsed (RFC 2606 keeps the name from being a real one).
_PLACEHOLDER = "https://source.invalid/"

_LARGEST_NUMBER = 999

_SPACES = regex(r"\s+")
_NUMBER = regex(r"\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True)
class RecordSource:
    """A source as a record names it."""

    uri: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Sources of a half-open range of an answer, in characters.

    `covers`: the range is the words that the sources support, and they say nothing of other quotations. Otherwise it is
    the mark of a reference, which stands behind the quotations that it is for.
    """

    start: int
    end: int
    sources: tuple[RecordSource, ...]
    covers: bool


@dataclass(frozen=True, slots=True)
class ReferenceMark:
    """A reference to be written in place of a range of the answer, which may be empty."""

    number: int
    place: tuple[int, int]
    annotation: Annotation

    @property
    def placeholder(self) -> str:
        return f"{_PLACEHOLDER}{self.number}"

    def supports(self, start: int, end: int) -> bool:
        """Tell whether the annotation can speak for a quotation from *start* to *end*."""
        annotation = self.annotation
        return not annotation.covers or (start < annotation.end and annotation.start < end)


class Rewritten:
    """A text with some ranges replaced and something added, and the way from its offsets back to the text's."""

    def __init__(self, text: str, edits: Iterable[tuple[int, int, str]], added: str) -> None:
        self._starts = [0]
        self._origins = [0]
        self._ends: list[int] = []
        pieces: list[str] = []
        length = kept = 0
        for start, end, replacement in edits:
            pieces += [text[kept:start], replacement]
            length += start - kept + len(replacement)
            self._ends.append(start)
            self._starts.append(length)
            self._origins.append(end)
            kept = end
        self._ends.append(len(text))
        self.text = "".join([*pieces, text[kept:], added])

    def original(self, offset: int) -> int:
        """Return the offset in the original text; in a replacement that is where it begins."""
        piece = bisect_right(self._starts, offset) - 1
        return min(self._origins[piece] + offset - self._starts[piece], self._ends[piece])


def reference_marks(text: str, annotations: Iterable[Annotation]) -> list[ReferenceMark]:
    """Return a mark for each of *annotations* that has sources, in order and apart; they lie in no quotation or link."""
    taken = {int(number) for number in _NUMBER.findall(text)}
    free = (number for number in range(_LARGEST_NUMBER, 0, -1) if number not in taken)
    whole, code = _indivisible(text)
    marks: list[ReferenceMark] = []
    for annotation in _merged(text, annotations):
        start, end = annotation.start, annotation.end
        if not annotation.covers and _outside(code, start) != start:
            continue
        behind = _outside(whole, end)
        if annotation.covers or behind != end:
            start = end = behind
        last = marks[-1].place[1] if marks else 0
        number = next(free, None)
        if number is None:
            break
        if start >= last:
            marks.append(ReferenceMark(number, (start, end), annotation))
    return marks


def _merged(text: str, annotations: Iterable[Annotation]) -> list[Annotation]:
    """Return the *annotations* in the order of their ends, those of one range as one."""
    merged: dict[tuple[int, int, bool], dict[RecordSource, None]] = {}
    spaces = [space.span() for space in _SPACES.finditer(text)]
    for item in annotations:
        # A range is often given with the space or the line end behind it.
        end = _start_of_range(spaces, min(item.end, len(text)))
        if item.sources and 0 <= item.start < end:
            key = (end, item.start, item.covers)
            merged.setdefault(key, {}).update(dict.fromkeys(item.sources))
    return [
        Annotation(start, end, tuple(sources), covers)
        for (end, start, covers), sources in sorted(merged.items(), key=itemgetter(0))
    ]


def _indivisible(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the ranges of *text* that no mark may be written into, quotations and links, and those of code."""
    whole: list[tuple[int, int]] = []
    code: list[tuple[int, int]] = []
    for block in parse_blocks(text).blocks:
        flow = block.flow
        if flow.text:
            whole += [flow.source_range(pair.start, pair.end) for pair in flow.pairs()]
            whole += [(link.source_start, link.source_end) for link in flow.links]
            code += [flow.source_range(start, end) for start, end in flow.codes if start < end]
    return _apart(whole), _apart(code)


def _apart(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return *ranges* in order, those that overlap as one."""
    apart: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if apart and start < apart[-1][1]:
            apart[-1] = apart[-1][0], max(apart[-1][1], end)
        else:
            apart.append((start, end))
    return apart


def _around(ranges: Sequence[tuple[int, int]], offset: int) -> tuple[int, int] | None:
    """Return which of *ranges*, in order and apart, begins before *offset* and ends there or behind it."""
    at = bisect_left(ranges, (offset,)) - 1
    return ranges[at] if at >= 0 and offset <= ranges[at][1] else None


def _outside(ranges: Sequence[tuple[int, int]], offset: int) -> int:
    """Return *offset*, or the end of the range that it lies inside."""
    around = _around(ranges, offset)
    return offset if around is None else around[1]


def _start_of_range(ranges: Sequence[tuple[int, int]], offset: int) -> int:
    """Return *offset*, or the start of the range that it lies inside or at the end of."""
    around = _around(ranges, offset)
    return offset if around is None else around[0]
