"""Text fragments: find what a URL's `:~:text=` directives name (WICG, URL Fragment Text Directives, section 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText, View
from tracecite_lint.matching.result import FOLDS, Match
from tracecite_lint.matching.words import splits_letters
from tracecite_lint.model import TextDirective

_SEPARATORS = frozenset(".,'’")
"""What stands inside a number."""
_MOST_STEPS = 500_000
"""Places looked at for the directives of one citation; only a page made to be repetitive comes near."""
_CHARACTERS_OF_A_STEP = 16
"""A long term takes time at each place: it is compared anew."""


def find_directive(source: FoldedText, directives: Sequence[TextDirective]) -> Match | None:
    """Return where *source* holds all *directives*, each on its own, or None.

    Case is folded, as the draft asks, and besides it rules 1 to 6 and 11 of docs/matching.md apply.
    """
    ranges: list[tuple[int, int]] = []
    names: set[str] = set()
    pages: dict[int, _Page] = {}
    for directive in directives:
        for number, view in enumerate(_views(source)):
            if number not in pages:
                pages[number] = _Page(view)
            found = _Directive(pages[number], directive).first()
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


class _Page:
    """What the directives of one citation are looked for in, and how much of that was done: a URL may hold thousands."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.text = _small(view.text)
        self.steps = 0


class _Directive:
    """The search for one directive: `[prefix-,]start[,end][,-suffix]`."""

    def __init__(self, page: _Page, directive: TextDirective) -> None:
        self.page = page
        self.view = page.view
        self.text = page.text
        self.prefix, self.start, self.end, self.suffix = (
            _small(fold(part or "").text)
            for part in (directive.prefix, directive.start, directive.end, directive.suffix)
        )

    def first(self) -> tuple[int, int] | None:
        """Return the first range in the view that the directive names."""
        if not self.start:
            return None
        starts = (
            (start, end)
            for start, end in self._occurrences(
                # The draft asks for a word boundary at the ends of the whole, not at the joints with prefix and suffix.
                self.start,
                0,
                begun=not self.prefix,
                ended=bool(self.end) or not self.suffix,
            )
            if self._follows_prefix(start) and (self.end or self._precedes_suffix(end))
        )
        start = next(starts, None)
        if start is None or not self.end:
            return start
        # Anywhere after the start, as in the draft: a range may span half a page. What does not follow the first start
        # follows no other.
        ends = (
            end
            for _, end in self._occurrences(self.end, start[1], begun=True, ended=not self.suffix)
            if self._precedes_suffix(end)
        )
        end = next(ends, None)
        return None if end is None else (start[0], end)

    def _occurrences(
        self, part: str, after: int, *, begun: bool, ended: bool
    ) -> Iterator[tuple[int, int]]:
        """Yield where *part* stands from *after* on; *begun* and *ended* ask for a word boundary at that end."""
        at = self.text.find(part, after)
        cost = 1 + len(part) // _CHARACTERS_OF_A_STEP
        while at >= 0 and self.page.steps < _MOST_STEPS:
            self.page.steps += cost
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
