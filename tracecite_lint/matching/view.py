"""A folded text as one search sees it: whole, or without its reference markers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tracecite_lint.matching.markers import RAISED
from tracecite_lint.model import without_marks

if TYPE_CHECKING:
    from tracecite_lint.matching.fold import FoldedText


@dataclass(frozen=True, slots=True)
class View:
    """A searchable text made from a folded one by leaving ranges out.

    `cuts` are the positions in `text` where something was left out, `shifts` how much has been left out from there on.
    `edges` are the positions in `text` at which a reference marker starts, ends or was left out, or a superscript ends: a word
    may end there or begin.
    """

    folded: FoldedText
    text: str
    cuts: Sequence[int]
    shifts: Sequence[int]
    edges: frozenset[int]

    def _in_folded(self, position: int) -> int:
        cut = bisect_right(self.cuts, position)
        return position + self.shifts[cut - 1] if cut else position

    def start(self, position: int) -> int:
        """Return where the character at *position* begins in the original text."""
        return self.folded.offsets.start(self._in_folded(position))

    def end(self, position: int) -> int:
        """Return where the character before *position* ends in the original text."""
        return self.folded.offsets.end(self._in_folded(position - 1) + 1) if position else 0

    def position(self, offset: int) -> int:
        """Return the position of the first character at or after *offset* of the original text."""
        return self.in_view(self.folded.offsets.back(offset))

    def in_view(self, folded: int) -> int:
        """Return the position of the first character at or after position *folded* of the folded text."""
        cuts, shifts = self.cuts, self.shifts
        cut = bisect_right(range(len(cuts)), folded, key=lambda index: cuts[index] + shifts[index])
        position = folded - (shifts[cut - 1] if cut else 0)
        return min(position, cuts[cut]) if cut < len(cuts) else position

    def written(self, start: int, end: int) -> str:
        """Return the original text of a range, without what was left out of it."""
        original, parts, at = self.folded.original, [], start
        for cut in self.cuts[bisect_right(self.cuts, start) : bisect_right(self.cuts, end - 1)]:
            parts.append(original[self.start(at) : self.end(cut)])
            at = cut
        parts.append(original[self.start(at) : self.end(end)])
        return without_marks("".join(parts)).strip()


def plain(folded: FoldedText, spans: Iterable[tuple[int, int]]) -> View:
    """Return *folded* whole; *spans* are its reference markers."""
    edges = frozenset((*(p for span in spans for p in span), *folded.superscripts[1::2]))
    return View(folded, folded.text, (), (), edges)


def without(folded: FoldedText, spans: Iterable[tuple[int, int]]) -> View:
    """Return *folded* without the reference markers at *spans*, which are in order."""
    parts: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    at = left_out = 0
    for start, end in spans:
        parts.append(folded.text[at:start])
        left_out += end - start
        cuts.append(end - left_out)
        shifts.append(left_out)
        at = end
    parts.append(folded.text[at:])
    view = View(folded, "".join(parts), cuts, shifts, frozenset())
    ends = (view.in_view(end) for end in folded.superscripts[1::2])
    return replace(view, edges=frozenset((*cuts, *ends)))


def with_raised_numbers(folded: FoldedText) -> str:
    """Return the folded text with the superscripts that extraction marked as raised digits: km² for km2."""
    characters = list(folded.text)
    for start, end in zip(folded.superscripts[::2], folded.superscripts[1::2], strict=True):
        characters[start:end] = folded.text[start:end].translate(RAISED)
    return "".join(characters)
