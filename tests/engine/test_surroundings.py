"""The words around a quotation in its source."""

import pytest

from tracecite_lint.engine.surroundings import words_around


@pytest.mark.parametrize(
    ("text", "quote", "before", "after"),
    [
        (
            "Example domains are for documents. They may be QUOTE with us. More is in RFC 2606.",
            "QUOTE",
            "Example domains are for documents. They may be",
            "with us. More is in RFC 2606",
        ),
        ("one two three", "one two three", "", ""),
        ("a  b\n\n c QUOTE\td\u00a0e", "QUOTE", "a b c", "d e"),
        ("so\u00adlid QUOTE", "QUOTE", "solid", ""),
        ("said[12] QUOTE[a] and", "QUOTE", "said", "and"),
        ("said\ufdd012\ufdd1 QUOTE", "QUOTE", "said", ""),
        (
            "w " + " ".join(f"b{n}" for n in range(12)) + " QUOTE " + "a " * 12 + "z",
            "QUOTE",
            " ".join(f"b{n}" for n in range(12)),
            " ".join("a" * 12),
        ),
        ("一二三四五六七八九十甲乙丙丁QUOTE，戊己", "QUOTE", "三四五六七八九十甲乙丙丁", "，戊己"),
    ],
)
def test_the_words_around_a_quotation(text, quote, before, after):
    start = text.index(quote)

    assert words_around(text, [(start, start + len(quote))]) == (before, after)


def test_a_quotation_with_omissions_has_one_before_and_one_after():
    assert words_around("a FIRST b SECOND c", [(2, 7), (10, 16)]) == ("a", "c")
