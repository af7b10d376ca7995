"""Links to a sentence: what they name is found again, at the same place, by the engine's own reading of them."""

from __future__ import annotations

import pytest

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find_directive
from tracecite_lint.model import MARKER_END, MARKER_START
from tracecite_lint.output.text_fragments import text_directive, with_directive
from tracecite_lint.text.directives import text_directives

LONG = (
    "Water was let into the pond by the flood, kept there by a gate, and sent out over the wheel when the tide "
    "had fallen far enough for the wheel to turn freely in the race below."
)


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("The mill stands here. It is old.", "It is old"),
        ("A, b-c & d: 100% (of it)", "b-c & d: 100% (of it)"),
        ("磨坊在河口。它很老。", "它很老"),
        (f"Before. {LONG} After.", LONG),
        ("First block.\nSecond block begins.\nThird.", "block.\nSecond block begins"),
        ("The gate is shut. We say the gate is shut here.", "the gate is shut here"),
        ("One gate opens.\nOther gate opens.", "gate opens"),
        ("gate opens\nOther words: gate opens", "gate opens"),
        (f"Mills{MARKER_START}12{MARKER_END} grind grain at night.", "grind grain at night"),
        (
            f"They grind{MARKER_START}12{MARKER_END} grain at night.",
            f"grind{MARKER_START}12{MARKER_END} grain",
        ),
        ("wide  \u00a0 space in  here", "space in  here"),
    ],
)
def test_a_directive_leads_to_its_passage(text: str, passage: str):
    start = text.rindex(passage)
    end = start + len(passage)
    directive = text_directive(text, start, end)
    assert directive is not None
    uri = with_directive("https://www.example.com/a#top", directive)
    assert uri.startswith("https://www.example.com/a#top:~:text=")
    assert not set(uri) & set(' ()<>"')
    match = find_directive(fold(text), text_directives(uri))
    assert match is not None
    assert (match.ranges[0][0], match.ranges[-1][1]) == (start, end)


def test_words_that_stand_there_again_and_again_have_no_directive():
    text = "\n".join(["the gate is shut"] * 3)
    assert text_directive(text, text.rindex("gate"), len(text)) is None


def test_an_older_directive_goes():
    uri = with_directive("https://www.example.com/a#:~:text=old", "new")
    assert uri == "https://www.example.com/a#:~:text=new"
