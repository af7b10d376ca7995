"""Text fragments are searched for by the rules of their draft."""

import pytest

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find_directive
from tracecite_lint.model import TextDirective

PAGE = "The quick brown fox — “quickly” said — jumps over the lazy dog.\n\nA non-toxic Quick fox can’t rest.[12] The end."


def found(*directives, page=PAGE):
    match = find_directive(fold(page), directives)
    return match and [page[start:end] for start, end in match.ranges]


@pytest.mark.parametrize(
    ("directive", "range_"),
    [
        (TextDirective("quick brown"), "quick brown"),
        (TextDirective("QUICK BROWN"), "quick brown"),
        (TextDirective("quick fox"), "Quick fox"),
        (TextDirective("quick", end="dog"), PAGE[4 : PAGE.index(".")]),
        (TextDirective("jumps", end="fox"), PAGE[PAGE.index("jumps") : PAGE.index(" can’t")]),
        (TextDirective("dog", end="quick brown"), None),
        (TextDirective("quick", prefix="non-toxic"), "Quick"),
        (TextDirective("quick", prefix="toxic"), "Quick"),
        (TextDirective("quick", prefix="oxic"), None),
        (TextDirective("quick", suffix="fox"), "Quick"),
        (TextDirective("quick", suffix="fo"), None),
        (TextDirective("quick", suffix="brown fox"), "quick"),
        (TextDirective("fox", prefix="brown", suffix="can’t"), None),
        (TextDirective("fox", prefix="quick", suffix="can't rest"), "fox"),
        (TextDirective("the", end="fox", suffix="can’t"), PAGE[: PAGE.index(" can’t")]),
        (TextDirective("toxic"), "toxic"),
        (TextDirective("uick"), None),
        (TextDirective("qui"), None),
        (TextDirective("can"), None),
        (TextDirective("quick", end="brow"), None),
        (TextDirective('fox - "quickly"'), "fox — “quickly” "),
        (TextDirective("dog. A non"), "dog.\n\nA non"),
        (TextDirective("can’t rest. The end"), "can’t rest.[12] The end"),
        (TextDirective("can’t rest.[12] The end"), "can’t rest.[12] The end"),
        (TextDirective(""), None),
    ],
)
def test_one_directive(directive, range_):
    assert found(directive) == (None if range_ is None else [range_])


def test_each_directive_must_be_found():
    assert found(TextDirective("lazy dog"), TextDirective("The end")) == ["lazy dog", "The end"]
    assert found(TextDirective("The end"), TextDirective("lazy cat")) is None
    assert found() is None


def test_the_first_pair_that_the_suffix_allows():
    page = "start one end two. start three end four."
    assert found(TextDirective("start", end="end", suffix="four"), page=page) == [
        "start one end two. start three end"
    ]
    assert found(TextDirective("start", end="end", prefix="two."), page=page) == ["start three end"]


def test_letters_that_grow_in_small_case_keep_their_places():
    page = "In \u0130stanbul the BRIDGE is long"
    assert found(TextDirective("bridge is"), page=page) == ["BRIDGE is"]


@pytest.mark.parametrize(
    ("start", "page", "holds"),
    [
        ("5 million", "It cost 1.5 million in all.", False),
        ("costs 5", "It costs 5,500 in all.", False),
        ("costs 5,500", "It costs 5,500 in all.", True),
        ("costs 5", "It costs 5, and no more.", True),
        ("costs 5", "It costs 5.", True),
        ("1.5 million", "It cost 1.5 million in all.", True),
        ("5", "It is 15.", False),
    ],
)
def test_a_directive_does_not_begin_or_end_inside_a_number(start, page, holds):
    assert (find_directive(fold(page), [TextDirective(start)]) is not None) is holds
