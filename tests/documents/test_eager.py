"""The shapes that are off by default."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations, marked

from tracecite_lint.model import Shape

U, V = "https://example.org/one", "https://example.org/two"


@pytest.mark.parametrize(
    "text",
    [
        f"On [the page]({U}) it is “⟦the words of it⟧”.",
        f"[The page]({U}) is long. It says “⟦the words of it⟧”.",
        f"[“⟦the words of it⟧”]({U})",
        f"“[⟦the words of it⟧]({U})”",
        f"breaking [their promise to “⟦send you an email⟧”]({U})",
        f"[{'x'}]({V}). On [the page]({U}) it is “⟦the words of it⟧”.",
        f"“⟦the words of it⟧” is what a sentence says in which [a page]({U}) stands far behind it, indeed",
        f"There is [a page]({U}) on this.\n\n> ⟦The words of it.⟧",
        f"---\nsource: {U}\n---\n\nIt says “⟦the words of it⟧”.",
        f"---\nsource: '{U}'\n---\n\n> ⟦The words of it.⟧",
    ],
)
def test_eager_shapes_are_found_only_when_asked_for(text):
    (citation,) = assert_cites(text, U, eager=True)

    assert citation.shape is Shape.EAGER
    assert citations(marked(text).text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"As [the page]({U}) says, “two words”.",
        f"As [the page]({U}) says, “The Title of a Book”.",
        "No link “anywhere in this one”.",
        f"[somewhere](#else) it says “the words of it”\n\n[elsewhere]({U})",
    ],
)
def test_titles_terms_and_lonely_quotations_stay_out(text):
    assert citations(text, eager=True) == []


def test_default_shapes_stay_what_they_are():
    (citation,) = citations(f"[x]({V}) “the words of it” ([page]({U}))", eager=True)

    assert (citation.shape, citation.source.uri) == (Shape.INLINE, U)
