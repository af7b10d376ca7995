"""Which lines of a document silence which codes: looked up for each finding and each citation."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate

from tracecite_lint.model import Span, Suppression

PREFIX = "tracecite-"
"""What every suppression comment begins with."""
ANY_CODE = ""
"""Stands for every code."""


class CodeLines:
    """Ranges of lines by code, each inclusive, and which of them meet another range: looked up, not searched."""

    def __init__(self, ranges: Iterable[tuple[str, int, int]]) -> None:
        """*ranges* are a code (or ANY_CODE), a first line and a last one each."""
        by_code: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for code, first, last in ranges:
            by_code[code].append((first, last))
        self._by_code: dict[str, tuple[list[int], list[int]]] = {}
        """The first lines in order, and the furthest last line up to each."""
        for code, lines in by_code.items():
            lines.sort()
            furthest = list(accumulate((last for _, last in lines), max))
            self._by_code[code] = [first for first, _ in lines], furthest

    def meet(self, code: str, first: int, last: int) -> bool:
        """Tell whether a range for *code* has a line from *first* to *last*."""
        starts, furthest = self._by_code.get(code, ([], []))
        index = bisect_right(starts, last) - 1
        return index >= 0 and furthest[index] >= first

    def codes(self, span: Span) -> frozenset[str]:
        """Return the codes that have a range which meets the lines of *span*."""
        return frozenset(
            code for code in self._by_code if self.meet(code, span.line, span.end_line)
        )


def silenced_lines(suppressions: Iterable[Suppression]) -> CodeLines:
    """Return on which lines *suppressions* silence which code; all codes are ANY_CODE."""
    return CodeLines(
        (code, item.first_line, item.last_line)
        for item in suppressions
        for code in item.codes or (ANY_CODE,)
    )
