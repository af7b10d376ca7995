"""Quotations written in HTML, and HTML components in MDX."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations

from tracecite_lint.model import Shape

U, V = "https://example.org/one", "https://example.org/two"


@pytest.mark.parametrize(
    "text",
    [
        f'<blockquote cite="{U}">⟦The words of it.⟧</blockquote>',
        f'<blockquote cite="{U}">\n⟦The words\nof it.⟧\n</blockquote>',
        f'<blockquote cite="{U}"><p>⟦One.</p><p>Two.⟧</p></blockquote>',
        f"<BLOCKQUOTE CITE='{U}'>⟦The words of it.⟧</BLOCKQUOTE>",
        f'<blockquote cite="{U}">\n\n⟦The *words* of it.⟧\n\n</blockquote>',
        f'<blockquote cite="{U}">“⟦The words of it.⟧”</blockquote>',
        f'He said <q cite="{U}">⟦never in my life⟧</q>.',
        f'<p>He said <q cite="{U}">⟦never in my life⟧</q>.</p>',
        f'<blockquote>⟦The words of it.⟧<footer>— <a href="{U}">page</a></footer></blockquote>',
        f'<blockquote>⟦The words of it.⟧<br><cite><a href="{U}">page</a></cite></blockquote>',
        f'<blockquote><p>⟦The words of it.⟧</p>&mdash; Somebody <a href="{U}">July 20</a></blockquote>',
        f'<figure><blockquote>⟦The words of it.⟧</blockquote><figcaption><a href="{U}">page</a></figcaption></figure>',
        f'<figure>\n<blockquote>\n\n⟦The words of it.⟧\n\n</blockquote>\n<figcaption>By X, <a href="{U}">page</a></figcaption>\n</figure>',
        f'<aside class="pquote" markdown="1">\n⟦The words of it.⟧\n<p class="pquote-credit">\n— @x, ["Page"]({U})\n</p>\n</aside>',
        f'<div class="admonition quote">\n<p class="admonition-title">X: <a href="{U}">page</a></p>\n\n⟦The words of it.⟧\n\n</div>',
        f"As X [wrote]({U}):\n\n<blockquote>⟦The words of it.⟧</blockquote>",
        f"<blockquote>⟦The words of it.⟧</blockquote>\n\n— [page]({U})",
        f'> <blockquote cite="{U}">\n> ⟦The words\n> of it.⟧\n> </blockquote>',
        f'<blockquote cite="{U}">⟦漢字 &amp; 😀 words.⟧</blockquote>',
        f'<blockquote cite="{U}">⟦The words of it.⟧\r\n</blockquote>',
        f'<blockquote cite="{U}">⟦The words of it.⟧ <img src="a.png"></blockquote>',
    ],
)
def test_quotations_in_html(text):
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.HTML


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        (
            f'<blockquote cite="{U}"><p>One <b>bo</b>ld.</p><p>Two<br>lines.</p></blockquote>',
            ("One bold.", "Two lines."),
        ),
        (f'<blockquote cite="{U}">a<!-- b -->c<script>d</script></blockquote>', ("ac",)),
        (f'<blockquote cite="{U}">a\nb\n  c</blockquote>', ("a b c",)),
        (f'<blockquote cite="{U}"><ul><li>a<li>b</ul></blockquote>', ("a", "b")),
    ],
)
def test_the_passages_are_what_a_reader_sees(text, passages):
    (citation,) = citations(text)

    assert citation.passages == passages


def test_a_translation_and_the_original_in_italics():
    text = (
        '<aside class="pquote">\n  Es ist wahrlich wichtig so.\n\n  _⟦It is truly important so.⟧_\n\n'
        f'  <p class="pquote-credit">\n— X, ["Page"]({U})\n  </p>\n</aside>'
    )

    assert_cites(text, U)


def test_an_embedded_post_loses_the_address_it_ends_in():
    text = f'<blockquote class="twitter-tweet"><p>Some words. <a href="https://t.co/x">https://t.co/x</a></p>&mdash; X <a href="{U}">May</a></blockquote>'
    (citation,) = citations(text)

    assert (citation.passages, citation.source.uri) == (("Some words.",), U)


@pytest.mark.parametrize(
    "text",
    [
        "<blockquote>No source.</blockquote>",
        "<q>no source at all</q>",
        f'<figure><img src="a.png"><figcaption><a href="{U}">picture</a></figcaption></figure>',
        f'<div class="note">Words with <a href="{U}">a link</a></div>',
        f'<!-- <blockquote cite="{U}">hidden</blockquote> -->',
        f'<blockquote cite="{U}"></blockquote>',
        f'<blockquote><a href="{U}">A title to read</a></blockquote>',
    ],
)
def test_html_that_is_no_citation(text):
    assert citations(text) == []


def test_what_is_never_closed_takes_nothing():
    assert citations(f'<blockquote cite="{U}">\n\nwords\n\n<blockquote cite="{V}">\n\nmore') == []


def test_inline_quotations_in_html_text():
    assert_cites(f'<p>He said “⟦never in my life⟧” (<a href="{U}">page</a>).</p>', U)
    assert_cites(f"<table><tr><td>“⟦never in my life⟧” ([page]({U}))</td></tr></table>", U)


@pytest.mark.parametrize(
    "text",
    [
        f'<Quote source="{U}">\n\n⟦The words of it.⟧\n\n</Quote>',
        f"<Blockquote cite={{'{U}'}}>\n⟦The words of it.⟧\n</Blockquote>",
        f'import X from "some words long path"\n\n{{/* “hidden words here” ([t]({V})) */}}\n\n“⟦the words of it⟧” ([t]({U}))',
    ],
)
def test_mdx(text):
    assert_cites(text, U, path="page.mdx")


def test_an_embedded_page_is_no_quotation():
    page = f'<blockquote cite="{U}"><a href="{U}">The name of the page</a></blockquote>'

    assert citations(page) == []
    assert citations(f"<div>{page}</div>") == []


def test_escapes_in_html_that_is_read_as_markdown():
    (citation,) = citations(
        f'<aside markdown="1" class="pquote">\n<blockquote>Read \\[the docs\\] of it.</blockquote>\n\n— [page]({U})\n\n</aside>'
    )

    assert citation.passages == ("Read [the docs] of it.",)


def test_a_credit_that_is_a_person_is_no_source():
    assert (
        citations(
            "<blockquote>The words of it.\n<footer>— <a href='https://github.com/jane'>Jane</a></footer></blockquote>"
        )
        == []
    )
