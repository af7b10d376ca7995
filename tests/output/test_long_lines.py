"""Of a line that is a megabyte long only what is shown is looked at, for each of the findings on it."""

from __future__ import annotations

from tracecite_lint.model import Span
from tracecite_lint.output.snippet import snippet
from tracecite_lint.output.terminal import Style


class Line(str):
    """A line that counts how many of its characters are taken."""

    taken = 0

    def __getitem__(self, key):
        part = super().__getitem__(key)
        Line.taken += len(part)
        return part


def test_a_snippet_takes_some_hundred_characters_of_its_line():
    line = Line("word " * 200_000)
    Line.taken = 0
    shown = snippet([line], Span(1, 500_001, 1, 500_005), Style.PLAIN, color=False)
    assert shown[1].count("word") > 10
    assert 0 < Line.taken < 2_000
