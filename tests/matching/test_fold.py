"""The fold: what it makes of a text, how it leads back, and how it is stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracecite_lint.matching.fold import fold, fold_one_by_one
from tracecite_lint.matching.folded import FOLD_VERSION, FoldedText
from tracecite_lint.model import MARKER_END, MARKER_START

# The characters that the rules treat apart from others, and some that they do not.
CHARACTERS = st.one_of(
    st.sampled_from(
        "aebZ15中ー〜のก한,.;:!?()[]，。（）、'\"’“”„«»「」`´′‐–—−－…⋯ \n\t\u00a0\u3000\u2009\u2028"
    ),
    st.sampled_from("\u00ad\u200b\ufeff\ufe0fﬁﬄé\u0301\u1161\u1112" + MARKER_START + MARKER_END),
    st.sampled_from(
        ["  ", "\r\n", "--", "---", "----", "——", "...", ". . .", "……", "..", "e\u0301"]
    ),
)
TEXTS = st.lists(CHARACTERS, max_size=12).map("".join)


@given(TEXTS)
def test_the_fast_fold_is_the_rules_one_after_the_other(text):
    assert fold(text).text == fold_one_by_one(text)


@given(TEXTS)
def test_every_character_leads_back_to_what_it_stands_for(text):
    folded = fold(text)
    for position, character in enumerate(folded.text):
        start, end = folded.span_in_original(position, position + 1)
        assert 0 <= start < end <= len(text)
        assert character in fold(text[start:end]).text + " "


@given(TEXTS)
def test_stored_and_read_back(text):
    folded = fold(text)
    assert FoldedText.from_bytes(folded.to_bytes(), text) == folded


@given(TEXTS, st.data())
def test_damage_is_noticed(text, data):
    stored = bytearray(fold(text).to_bytes())
    place = data.draw(st.integers(0, len(stored) - 1))
    stored[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ValueError, match="folded text"):
        FoldedText.from_bytes(bytes(stored), text)


@pytest.mark.parametrize("data", [b"", b"TCFT", b"\x00" * 100, b"TCFT" + b"\xff" * 96])
def test_what_is_no_folded_text_is_refused(data):
    with pytest.raises(ValueError, match="folded text"):
        FoldedText.from_bytes(data, "")


def test_a_cut_text_and_another_version_are_refused():
    text = "one “two” three"
    stored = fold(text).to_bytes()
    with pytest.raises(ValueError, match=r"cut|damaged"):
        FoldedText.from_bytes(stored[:-1], text)
    other = stored[:4] + (FOLD_VERSION + 1).to_bytes(2, "little") + stored[6:]
    with pytest.raises(ValueError, match="version"):
        FoldedText.from_bytes(other, text)


def test_lone_surrogates_survive():
    text = "a lone \ud800 surrogate"
    assert FoldedText.from_bytes(fold(text).to_bytes(), text) == fold(text)


def test_a_fold_that_leads_out_of_its_text_is_refused():
    stored = fold("one “two” three").to_bytes()
    with pytest.raises(ValueError, match="inconsistent"):
        FoldedText.from_bytes(stored, "one")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("  alpha\n\tbeta  ", "alpha beta"),
        ("PATH .", "PATH."),
        ("say “ Bad things ” now", "say'Bad things'now"),
        ("don’t", "don't"),
        ("''\"quoted\"''", "'quoted'"),
        ("中文 和 English", "中文和English"),
        ("全角 ，标点", "全角，标点"),
        ("a — b", "a-b"),
        ("a——b", "a-b"),
        ("a -- b", "a-b"),
        ("x --option y", "x--option y"),
        ("-----", "-----"),
        ("well . . . then", "well…then"),
        ("he said……", "he said…"),
        ("end.... Next", "end…Next"),
        ("of\u00adﬁce\u200b", "office"),
        ("e\u0301t\u00e9", "été"),
        ("\u1112\u1161\u11ab", "한"),
        ("(  inner  )", "(inner)"),
        ("スーパー〜", "スーパー〜"),
    ],
)
def test_folded(text, folded):
    assert fold(text).text == folded


@pytest.mark.parametrize(
    ("text", "part", "original"),
    [
        ("one   two\n\nthree", "two three", "two\n\nthree"),
        ("of\u00adﬁ\u00adce hours", "office", "of\u00adﬁ\u00adce"),
        ("a ... b", "…", " ... "),
        ("un cafe\u0301 noir", "café", "cafe\u0301"),
        ("he said “ yes ” twice", "yes", "yes"),
        ("x — y", "x-y", "x — y"),
    ],
)
def test_a_range_leads_back(text, part, original):
    folded = fold(text)
    start = folded.text.index(part)
    first, last = folded.span_in_original(start, start + len(part))
    assert text[first:last] == original
