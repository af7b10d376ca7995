"""Which sentences of a document are linked claims, and with which sources."""

from __future__ import annotations

import pytest
from work import work

from tracecite_lint.documents.markdown import parse_markdown
from tracecite_lint.model import Asks

U, V, W = "https://a.example.org/", "https://b.example.org/", "https://c.example.org/"
LIST = f"\n## References\n\n1. [One work]({U})\n2. Author. Another work. {V}\n"


def claims(text: str):
    found = parse_markdown("r.md", text, claims=()).claims
    return [(item.words, item.sources, item.is_quoted) for item in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"The port grew fast ([one]({U})). Nobody was hurt.", [("The port grew fast (one).", (U,))]),
        (f"The port grew fast. ([one]({U})) It shrank again.", [("The port grew fast. (one)", (U,))]),
        (f"As [one]({U}) says, the port grew.", [("As one says, the port grew.", (U,))]),
        (f"The [port grew fast last year]({U}) again and again.", [("The port grew fast last year again and again.", (U,))]),
        (f"[The port grew fast last year.]({U})", [("The port grew fast last year.", (U,))]),
        (f"The U.S. port grew by 3.5 % ([a]({U}); [b]({V})).", [("The U.S. port grew by 3.5 % (a; b).", (U, V))]),
        (f"The port grew fast. [1] It shrank again. [2]{LIST}", [("The port grew fast. [1]", (U,)), ("It shrank again. [2]", (V,))]),
        (f"The port grew fast.[^1] It shrank again.\n\n[^1]: [One]({U})\n", [("The port grew fast.", (U,))]),
        (f"- The port grew fast [1]\n- [Docs]({U})\n{LIST}", [("The port grew fast [1]", (U,))]),
        (f"| What | Size | Source |\n|-|-|-|\n| Port | 84 ha | [one]({U}) |\n", [("Port | 84 ha", (U,))]),
        (f"| What | Text |\n|-|-|\n| Port | It grew by half ([one]({U})). |\n", [("It grew by half (one).", (U,))]),
        (f"Es kostet 9,4 Mrd. € ([Bericht]({U})).", [("Es kostet 9,4 Mrd. € (Bericht).", (U,))]),
        (f"The port holds 88 ships. (Source: [Carew]({U}))", [("The port holds 88 ships. (Source: Carew)", (U,))]),
        (f"The port holds 88 ships. Source: [Carew]({U})", [("The port holds 88 ships. Source: Carew", (U,))]),
        (f"The port holds 88 ships. — [Carew]({U})", [("The port holds 88 ships. — Carew", (U,))]),
        (f"The port holds 88 ships. [Carew Trust, 2019]({U})", [("The port holds 88 ships. Carew Trust, 2019", (U,))]),
        (f"The port holds 88 ships. [↗]({U})", [("The port holds 88 ships. ↗", (U,))]),
        (f"The port holds 88 ships. 【[1]({U})】", [("The port holds 88 ships. 【1】", (U,))]),
        (f"The port holds 88 ships. [^1]\n\n[^1]: [One]({U})\n", [("The port holds 88 ships.", (U,))]),
        (f"- The port holds 88 ships.\n  [Carew]({U})\n", [("The port holds 88 ships. Carew", (U,))]),
        (f"港口去年扩大了一倍（[报告]({U})）。之后又缩小了。", [("港口去年扩大了一倍（报告）。", (U,))]),
    ],
)  # fmt: skip
def test_a_sentence_with_a_source_is_a_claim(text, expected):
    assert claims(text) == [(words, sources, False) for words, sources in expected]


@pytest.mark.parametrize(
    "text",
    [
        f"# The port grew fast ([one]({U}))",
        f"See [the docs]({U}).",
        f"[Home]({U}) | [Docs]({V}) | [More]({W})",
        f"- [A title of a page]({U})\n- {V}",
        f"```\nThe port grew fast ([one]({U})).\n```",
        f"The port `grew` fast, and nobody was hurt.{LIST}",
        f"![A picture of the port]({U})",
        "The port grew fast [below](#below) and <a name='x'>here</a>.",
        f"[^1]: The port grew fast, says [one]({U}).",
        f"Sources: [one]({U}), [two]({V})",
        f"- Tidal Barriers and Their Keepers in the North ([2601.03986]({U}))",
        f"- A. Miller, “Barriers of the north” (2025-03-21): {U}",
    ],
)
def test_what_is_no_claim(text):
    assert claims(text) == []


def test_a_quotation_makes_a_claim_quoted_and_leaves_its_words_out():
    text = f"In 1970 she wrote “the harbour is shut for 90 days” ([one]({U})). It has 84 berths ([two]({V}))."

    assert claims(text) == [
        ("In 1970 she wrote “…” (one).", (U,), True),
        ("It has 84 berths (two).", (V,), False),
    ]


def test_quotations_of_one_sentence_are_one_claim_wherever_their_source_stands():
    text = f"He wrote: “the first heft is full”, “the second is empty now” [1].{LIST}"

    assert claims(text) == [("He wrote: “…”, “…” [1].", (U,), True)]


def test_a_blockquote_is_one_claim_with_its_lead_in_or_alone():
    led = f"As the [minutes]({U}) have it:\n\n> The harbour is shut for ninety days.\n"
    alone = f"> The harbour is shut for ninety days.\n>\n> — [minutes]({U})\n"

    assert claims(led) == [("As the minutes have it:", (U,), True)]
    assert claims(alone) == [("The harbour is shut for ninety days.", (U,), True)]


def test_what_is_asked_of_the_sources():
    text = f"It has 84 berths ([one]({U})). It is [a large one]({V}) and nothing else.\n\n- [A survey of harbours]({W})\n"
    asked = parse_markdown("r.md", text, claims={"figures", "titles", "sources"}).citations

    assert [(item.asks, item.source.uri, item.span.line) for item in asked] == [
        (Asks.FIGURES, U, 1),
        (Asks.SOURCE, U, 1),
        (Asks.SOURCE, V, 1),
        (Asks.SOURCE, W, 3),
        (Asks.TITLE, W, 3),
    ]
    assert (
        parse_markdown("r.md", text, claims={"titles"}).citations[0].quote == "A survey of harbours"
    )
    assert parse_markdown("r.md", text).claims == ()


@pytest.mark.parametrize(
    ("piece", "end"),
    [
        ("The port grew fast.[^1] ", f"\n\n[^1]: [One]({U})\n"),
        ("The port grew fast [1]. ", LIST),
        (f"The port grew by 84 ([a]({U})). ", ""),
        (f"She wrote “the port is. shut” ([a]({U})). ", ""),
        (f"| Port | 84 ha | [a]({U}) |\n", ""),
    ],
    ids=["footnotes", "numbers", "links", "quotations", "rows"],
)
def test_the_work_grows_with_the_text(piece, end):
    head = "| a | b | c |\n|-|-|-|\n" if piece.startswith("|") else ""

    def taken(count: int) -> int:
        text = f"{head}{piece * count}{end}"
        asked = {"figures", "titles", "sources"}
        return work(lambda: parse_markdown("r.md", text, claims=asked))

    taken(5)  # what is made once
    assert taken(400) < 5.5 * taken(100)
