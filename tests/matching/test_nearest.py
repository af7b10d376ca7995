"""The closest passage: what it is, what differs, and what to write instead."""

import pytest

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find
from tracecite_lint.matching.nearest import bracketed_capital, nearest
from tracecite_lint.model import MARKER_END, MARKER_START, Difference

PAGE = fold(
    "Owls of the north\n\nThe grey owl hunts at dusk, and it does not fly far from its nest. Its “wings” are\n"
    "silent[4] in the air, because the feathers break the flow of it. Young owls leave the nest after "
    "five weeks, though they cannot fly yet.\n\n"
    + "Something else is told here, which has nothing to do with birds. " * 40
    + "\n\n灰林鸮在黄昏时捕猎，并且不会飞离巢穴太远。"
)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("it does fly far from its nest", "it does not fly far from its nest"),
        ("it does not fly far away from its nest", "it does not fly far from its nest"),
        ("The grey owl hunts at dawn", "The grey owl hunts at dusk"),
        ("leave the nest after six weeks", "leave the nest after five weeks"),
        ("its 'wings' are loud in the air", "Its “wings” are silent in the air"),
        ("they [can] fly yet", "they cannot fly yet"),
        ("though they [can] fly yet", "though they cannot fly yet"),
        ("the feathers brake the flow of i", "the feathers break the flow of it"),
        ("灰林鸮在清晨时捕猎，并且不会", "灰林鸮在黄昏时捕猎，并且不会"),
        ("an entirely different matter of taxes and laws", None),
        ("owl", None),
        ("x", None),
        ("", None),
    ],
)
def test_the_closest_passage(quote, passage):
    result = nearest(PAGE, [quote])
    assert (result.text if result else None) == passage


def test_the_words_that_differ():
    result = nearest(PAGE, ["The grey owl, 'hunts' at dawn, and it doesn't fly far"])
    assert result.differences == (
        Difference("equal", "The grey owl "),
        Difference("delete", ", '"),
        Difference("equal", "hunts "),
        Difference("delete", "' "),
        Difference("equal", "at "),
        Difference("insert", "dusk"),
        Difference("delete", "dawn"),
        Difference("equal", ", and it "),
        Difference("insert", "does not "),
        Difference("delete", "doesn't "),
        Difference("equal", "fly far"),
    )


@pytest.mark.parametrize(
    "quote",
    [
        "The grey owl hunts at dawn, and it doesn't fly far",
        "Its 'wings' were silent in the air",
        "hunts at down […] after six weeks",
    ],
)
def test_equal_and_inserted_words_are_the_passage(quote):
    result = nearest(PAGE, [quote])
    assert (
        "".join(part.text for part in result.differences if part.op != "delete").split()
        == result.text.split()
    )


def test_an_abridged_quotation_keeps_its_marks():
    result = nearest(PAGE, ["… grey owl hunts at dawn (...) leave the nest after five weeks, […]"])
    assert result.text == "… grey owl hunts at dusk (...) leave the nest after five weeks, […]"
    assert result.suggestion == result.text


def test_paragraphs_are_kept_apart():
    result = nearest(PAGE, ["The grey owl hunts at dawn", "Young owls leave the nest"])
    assert result.text == "The grey owl hunts at dusk\n\nYoung owls leave the nest"


@pytest.mark.parametrize(
    ("quote", "suggestion"),
    [
        ("The Grey owl hunts", "The [G]rey owl hunts"),
        ("young owls leave the nest", "[y]oung owls leave the nest"),
        ("the Grey owl hunts", "[t]he [G]rey owl hunts"),
        ("THE GREY OWL HUNTS AT", ""),
        ("The grey owl hunted at dusk", "The grey owl hunts at dusk"),
        ("leave the nest after five weeks […] The grey owl hunts at dawn", ""),
    ],
)
def test_what_to_write_instead(quote, suggestion):
    result = nearest(PAGE, [quote])
    assert (result.suggestion if result else "") == suggestion
    if suggestion:
        assert find(PAGE, [suggestion])


def test_what_only_the_brackets_change():
    result = nearest(PAGE, ["Young owls leave the nest [never] after five weeks"])
    assert result.text == result.suggestion == "Young owls leave the nest after five weeks"


@pytest.mark.parametrize("page", ["", " ", "short", "A page shorter than what is quoted"])
def test_pages_that_are_shorter_than_the_quotation(page):
    result = nearest(fold(page), ["A page shorter than what is quoted from"])
    assert (result.text if result else None) == (page if len(page) > 5 else None)


def test_no_passage_for_what_stands_there_in_another_order():
    assert nearest(PAGE, ["leave the nest after five weeks […] The grey owl hunts"]) is None


def test_superscripts_do_not_come_along():
    page = fold(f"A sentence with a note{MARKER_START}12{MARKER_END} in the middle of it.")
    assert nearest(page, ["A sentence with a note in the center of it"]).text == (
        "A sentence with a note in the middle of it"
    )


@pytest.mark.parametrize("words", [30, 300, 2000])
def test_long_quotations(words):
    text = " ".join(f"word{number * 7919 % 10007}" for number in range(4000))
    quoted = text.split()[200 : 200 + words]
    changed = [*quoted[: words // 2], "another", *quoted[words // 2 + 1 :]]
    result = nearest(fold(text), [" ".join(changed)])
    assert result.text == " ".join(quoted)
    assert [part.text for part in result.differences if part.op == "delete"] == ["another "]


@pytest.mark.parametrize(
    ("quote", "source", "bracketed"),
    [
        ("The owl", "the owl", "[T]he owl"),
        ("the owl", "The owl", "[t]he owl"),
        ("The “Owl” flew", "the 'owl' flew", "[T]he “[O]wl” flew"),
        ("The owl", "The owl", None),
        ("The owl", "the  owl", "[T]he owl"),
        ("tHe owl", "the owl", None),
        ("I saw", "i saw", None),
        ("The owl", "the owls", None),
        ("The Old Grey Owl", "the old grey owl", None),
    ],
)
def test_capitals_in_brackets(quote, source, bracketed):
    assert bracketed_capital(quote, source) == bracketed


def test_the_spaces_between_han_and_latin_are_the_sources():
    page = fold("这座 建筑\n建于 1905 年，由 John Smith 设计 ，非常有名。")
    result = nearest(page, ["这座建筑建于1906年，由John Smith设计"])

    assert result is not None
    assert result.suggestion == "这座建筑建于 1905 年，由 John Smith 设计"
