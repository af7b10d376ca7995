"""Whether a line is silenced is looked up, not searched for among all comments."""

from __future__ import annotations

import pytest

from tracecite_lint.rules.silenced import CodeLines


class Counted(int):
    """A number of a line that counts how often it is compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) < int(other)

    def __le__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) <= int(other)

    def __gt__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) > int(other)

    def __ge__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) >= int(other)


@pytest.mark.parametrize(("line", "met"), [(1, True), (2_002, False), (3_997, True)])
def test_a_thousand_comments_take_no_more_than_a_look_into_an_index(line, met):
    silenced = CodeLines(("CODE", Counted(4 * n), Counted(4 * n + 1)) for n in range(1_000))
    Counted.compared = 0
    assert silenced.meet("CODE", line, line) is met
    assert Counted.compared < 20


@pytest.mark.parametrize(
    ("first", "last", "met"),
    [(1, 2, False), (1, 3, True), (1, 9, True), (4, 4, True), (5, 9, True), (6, 9, False)],
)
def test_a_range_is_met_by_any_line_that_both_have(first, last, met):
    assert CodeLines([("CODE", 3, 5)]).meet("CODE", first, last) is met
