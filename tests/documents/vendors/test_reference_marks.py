"""References that are written into an answer: they take no number of its own, and lead back to its own offsets."""

from __future__ import annotations

import pytest

from tracecite_lint.documents.vendors.reference_marks import (
    Annotation,
    RecordSource,
    Rewritten,
    reference_marks,
)


@pytest.mark.parametrize(
    ("offset", "original"), [(0, 0), (1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 3)]
)
def test_an_offset_leads_back_and_in_a_replacement_to_where_it_begins(
    offset: int, original: int
) -> None:
    rewritten = Rewritten("abcd", [(1, 2, "[99]")], "\n\nadded")
    assert rewritten.text == "a[99]cd\n\nadded"
    assert rewritten.original(offset) == original


def test_a_reference_has_a_number_that_the_answer_does_not_use() -> None:
    text = "“Some words of a page” [999], and “other words of it” [998]."
    sources = (RecordSource("https://www.example.org/"),)
    [mark] = reference_marks(text, [Annotation(0, 22, sources, covers=True)])
    assert mark.number == 997
