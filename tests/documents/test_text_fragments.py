"""Text directives in URLs."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations

from tracecite_lint.model import Shape, TextDirective
from tracecite_lint.text.directives import text_directives


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        (":~:text=words", [TextDirective("words")]),
        (":~:text=first,last", [TextDirective("first", "last")]),
        (":~:text=before-,words", [TextDirective("words", prefix="before")]),
        (":~:text=words,-after", [TextDirective("words", suffix="after")]),
        (":~:text=b-,first,last,-a", [TextDirective("first", "last", "b", "a")]),
        (":~:text=one&text=two", [TextDirective("one"), TextDirective("two")]),
        ("section:~:text=words", [TextDirective("words")]),
        (":~:foo=bar&text=words", [TextDirective("words")]),
        (":~:text=a%2Cb%2Dc%20%E6%BC%A2", [TextDirective("a,b-c 漢")]),
        (":~:text=a+b", [TextDirective("a+b")]),
        (":~:text=", []),
        (":~:text=a,b,c,d", []),
        (":~:text=-,words", []),
        (":~:text=words,-", []),
        (":~:text=a,,b", []),
        ("text=words", []),
        ("", []),
    ],
)
def test_directives(fragment, expected):
    assert list(text_directives(f"https://example.org/#{fragment}")) == expected


def test_a_link_with_a_directive_is_a_quotation():
    text = "See [the page](https://example.org/#:~:text=⟦first%20words,last⟧)."
    (citation,) = assert_cites(text, "https://example.org/#:~:text=first%20words,last")

    assert citation.shape is Shape.TEXT_FRAGMENT
    assert citation.passages == ("first words", "last")
    assert citation.directives == (TextDirective("first words", "last"),)


def test_the_place_is_that_of_the_link_where_the_address_stands_elsewhere():
    (citation,) = citations("😀 [page][p]\n\n[p]: https://example.org/#:~:text=words")

    assert (citation.span.column, citation.span.end_column) == (3, 12)


def test_a_quotation_whose_source_has_a_directive_is_two_citations():
    found = citations("“the words of it” ([page](https://example.org/#:~:text=words))")

    assert [item.shape for item in found] == [Shape.INLINE, Shape.TEXT_FRAGMENT]


def test_links_inside_a_quotation_and_bare_ones_count_too():
    text = "> Words.\n>\n> — <https://example.org/#:~:text=a>\n\nhttps://example.org/#:~:text=b"

    assert [item.passages for item in citations(text)] == [("Words.",), ("a",), ("b",)]
