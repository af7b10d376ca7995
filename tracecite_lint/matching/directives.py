"""Text fragments: find what a URL's `:~:text=` directives name (WICG, URL Fragment Text Directives, section 3.5)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText, View
from tracecite_lint.matching.result import FOLDS, Match
from tracecite_lint.matching.words import splits_letters
from tracecite_lint.model import TextDirective

_SEPARATORS = frozenset(".,'’")
"""What stands inside a number."""
_MOST_STEPS = 500_000
"""Places looked at for one directive; only a page made to be repetitive comes near."""


def find_directive(source: FoldedText, directives: Sequence[TextDirective]) -> Match | None:
    """Return where *source* holds all *directives*, each on its own, or None.

    Case is folded, as the draft asks, and besides it rules 1 to 6 and 11 of docs/matching.md apply.
    """
    ranges: list[tuple[int, int]] = []
    names: set[str] = set()
    for directive in directives:
        for view in _views(source):
            found = _Directive(view, directive).first()
            if found is not None:
                ranges.append((view.start(found[0]), view.end(found[1])))
                if view.cuts:
                    names.add("reference-markers")
                break
        else:
            return None
    return Match(tuple(ranges), tuple(name for name in FOLDS if name in names)) if ranges else None


def _views(source: FoldedText) -> Iterator[View]:
    yield source.whole
    if source.marker_spans:
        yield source.unmarked


def _small(text: str) -> str:
    """Return *text* in small letters, character for character."""
    # İ becomes two characters in small letters (SpecialCasing.txt), and offsets must stay what they are.
    small = text.lower()
    if len(small) != len(text):
        small = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return small


def _splits_number(text: str, position: int) -> bool:
    """Tell whether *position* lies inside a number: `1.|5`, `5|,500`."""
    before, after = text[max(position - 2, 0) : position], text[position : position + 2]
    if before[-1:].isdigit():
        return after[:1].isdigit() or (after[:1] in _SEPARATORS and after[1:].isdigit())
    return before[-1:] in _SEPARATORS and before[:1].isdigit() and after[:1].isdigit()


class _Directive:
    """The search for one directive: `[prefix-,]start[,end][,-suffix]`."""

    def __init__(self, view: View, directive: TextDirective) -> None:
        self.view = view
        self.text = _small(view.text)
        self.prefix, self.start, self.end, self.suffix = (
            _small(fold(part or "").text)
            for part in (directive.prefix, directive.start, directive.end, directive.suffix)
        )
        self.steps = 0

    def first(self) -> tuple[int, int] | None:
        """Return the first range in the view that the directive names."""
        if not self.start:
            return None
        starts = [
            (start, end)
            for start, end in self._occurrences(
                # The draft asks for a word boundary at the ends of the whole, not at the joints with prefix and suffix.
                self.start,
                begun=not self.prefix,
                ended=bool(self.end) or not self.suffix,
            )
            if self._follows_prefix(start) and (self.end or self._precedes_suffix(end))
        ]
        if not self.end:
            return starts[0] if starts else None
        ends = [
            span
            for span in self._occurrences(self.end, begun=True, ended=not self.suffix)
            if self._precedes_suffix(span[1])
        ]
        for start, end in starts:
            # Anywhere after the start, as in the draft: a range may span half a page.
            following = bisect_left(ends, (end, 0))
            if following < len(ends):
                return start, ends[following][1]
        return None

    def _occurrences(self, part: str, *, begun: bool, ended: bool) -> Iterator[tuple[int, int]]:
        """Yield where *part* stands; *begun* and *ended* ask for a word boundary at that end."""
        at = self.text.find(part)
        while at >= 0 and self.steps < _MOST_STEPS:
            self.steps += 1
            end = at + len(part)
            if (not begun or self._bounded(at, self.view.start)) and (
                not ended or self._bounded(end, self.view.end)
            ):
                yield at, end
            at = self.text.find(part, at + 1)

    def _bounded(self, position: int, offset: Callable[[int], int]) -> bool:
        if _splits_number(self.text, position):
            return False
        return position in self.view.edges or not splits_letters(
            self.view.folded.original, offset(position)
        )

    def _follows_prefix(self, start: int) -> bool:
        return not self.prefix or any(
            self.text.endswith(self.prefix + gap, 0, start)
            and self._bounded(start - len(gap) - len(self.prefix), self.view.start)
            for gap in ("", " ")
        )

    def _precedes_suffix(self, end: int) -> bool:
        return not self.suffix or any(
            self.text.startswith(gap + self.suffix, end)
            and self._bounded(end + len(gap) + len(self.suffix), self.view.end)
            for gap in ("", " ")
        )
