"""What is found without a fold is what is found with one, and at the same place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracecite_lint.matching import match
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.literal import find_literally
from tracecite_lint.model import DRAWN_QUOTE, MARKER_END, MARKER_START, SOFT_SPACE

WORDS = [
    "In", "the", "a", "x", "é", "e\u0301", "co", "3.5", "12", "500", "U.S.", "can't", "state’s", "well-known", "да", "km²",
    "n’t", "s", "1st", "ﬁ",
]  # fmt: skip
GAPS = [
    " ", " ", " ", "  ", "\n", ", ", ". ", ".", ". . .", "…", " … ", "-", " - ", " — ", "--", "“", "”", " “", "” ", "'", "’",
    "(", ")", "[", "]", "[12]", f"{MARKER_START}2{MARKER_END}", "\u00ad", "\u200b", DRAWN_QUOTE, f"{SOFT_SPACE}\n", "\u0301",
    "\xa0", "%", " %", ":", "?", "中", "/", "~", "_",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words", "start"),
    [
        ("He said so, and the mill was closed.", "the mill was closed", 16),
        ("the mill", "the mill", 0),
        ("Seen (the mill) there", "the mill", 6),
        ("On theatre, the mill", "the", 12),  # in a word it is passed over
        ("Näheres über die Mühle, sagt er", "über die Mühle", 8),
        ("It was the mill. It stood", "the mill.", 7),
        ("“It was the mill.”", "the mill.", 8),
        ("the 1905 mill, 3.5 km off", "mill, 3.5 km", 9),
    ],
)
def test_words_that_stand_there(text, words, start):
    found = find_literally(text, [words])
    assert found is not None and found.ranges == ((start, start + len(words)),)
    assert (found.folds, found.swallowed, found.left_out) == ((), (), 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the milliner", "the mill"),
        ("the mill-owner", "the mill"),  # a place of which more has to be known
        ("visit the mill.com", "the mill"),
        ("the mill\u0301", "the mill"),
        ("in 1905 the", "1905 the"),  # may be a part of a longer number
        ("the mill [12] was", "the mill [12] was"),
        ("the mill … was", "the mill … was"),
        ("the mill", "the mill."),
        ("the mill. . .", "the mill."),
        ("the mill.com", "the mill."),
        ("was “so” and", "was “so” and"),
        ("the  mill", "the  mill"),
    ],
)
def test_words_that_may_be_read_in_several_ways_are_left_to_the_fold(text, words):
    assert find_literally(text, [words]) is None


def test_several_passages_are_left_to_the_fold():
    assert find_literally("One. Two.", ["One", "Two"]) is None


@settings(max_examples=1500, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), min_size=2, max_size=20),
    st.data(),
)
def test_the_fold_finds_the_same_place(pieces, data):
    text = "".join(word + gap for word, gap in pieces)
    first = data.draw(st.integers(0, len(pieces) - 1))
    last = data.draw(st.integers(first, min(first + 4, len(pieces) - 1)))
    chosen = [word + gap for word, gap in pieces[first : last + 1]]
    words = "".join([*chosen[:-1], pieces[last][0], data.draw(st.sampled_from(["", "."]))])
    text = data.draw(st.sampled_from([text, f"{words}{text}", f"{text} {words}", text * 2]))
    found = find_literally(text, [words])
    if found is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "find_literally", lambda *_: None)
        by_fold = match.find(fold(text), [words])
    assert by_fold is not None and by_fold.folds == ()
    # A mark within the words of another place is no part of them, and that place counts for the fold.
    if not {MARKER_START, MARKER_END, DRAWN_QUOTE, SOFT_SPACE} & set(text):
        assert by_fold == found
