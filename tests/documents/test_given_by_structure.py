"""Sources that only the structure around a quotation gives: entries, lead-ins, dialects, what an assistant writes."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations, codes, read

U, V = "https://example.org/one", "https://example.org/two"


@pytest.mark.parametrize(
    "text",
    [
        f"- [Title]({U}) - Some words: “⟦the cache is never read again⟧”, and how “⟦it is written all the time⟧”.",
        f"- **[Title]({U})** — On “⟦a cache that is never read⟧”.",
        f"| [Title]({U}) | It says “⟦the cache is never read again⟧” |\n|---|---|".replace(
            "|---|---|", ""
        )
        and f"| a | b |\n|---|---|\n| [Title]({U}) | It has “⟦a cache that is never read⟧” in it |",
        f"### [Title]({U})\n\n- “⟦The cache is never read again.⟧”\n- “⟦It is written all the time.⟧”",
        f"- Quote: “⟦The cache is never read again.⟧”\n- Source: {U}",
        f"- **Source:** [Title]({U})\n- **Quote:** “⟦The cache is never read again.⟧”",
        f"**Source:** [Title]({U})\n**Quote:** “⟦The cache is never read again.⟧”",
        f"- “⟦The cache is never read again.⟧” That was in May. [essay]({U})",
    ],
)
def test_entries(text):
    assert_cites(text, U)


def test_a_nearer_link_claims_the_quotation():
    assert_cites(f"- [Title]({V}) - “⟦The cache is never read again⟧” ([essay]({U})).", U)
    assert citations(f"- [Title]({V}) - As in [essay]({U}), “the cache is never read again”") == []


@pytest.mark.parametrize(
    "text",
    [
        f"According to the [minutes]({U}), one councillor objected that “⟦the pump was never paid for⟧”.",
        f"As [X put it]({U}), “⟦the pump was never paid for⟧”.",
        f"The council ([report]({U})) said “⟦the pump was never paid for⟧”.",
        f"“⟦The pump was never paid for,⟧” says [X]({U}).",
        f"“⟦The pump was never paid for⟧” according to [X]({U}).",
        f"Laut [Bericht]({U}) sagte sie, „⟦die Pumpe wurde nie bezahlt⟧“.",
        f"Selon [le rapport]({U}), « ⟦la pompe n'a jamais été payée⟧ ».",
        f"Según [el informe]({U}), «⟦la bomba nunca se pagó⟧».",
        f"Segundo [o relatório]({U}), “⟦a bomba nunca foi paga⟧”.",
        f"Как пишет [газета]({U}), «⟦насос так и не оплатили⟧».",
        f"根据[报告]({U})，“⟦水泵的钱从来没有人付过⟧”。",
        f"[記事]({U})によれば「⟦ポンプの代金は支払われていない⟧」。",
        f"“⟦It was so,⟧” he said. “⟦It was never paid for⟧” ([x]({U})).",
        f"Dass „⟦die Pumpe bezahlt⟧“ gewesen sei [Quelle]({U}).",
    ],
)
def test_said_by_the_source(text):
    assert_cites(text, U)


@pytest.mark.parametrize(
    "text",
    [
        f"As [the page]({U}) says, it is “fast”.",
        f"As [the page]({U}) says, it is “very fast”.",
        f"On [the page]({U}) there is “a pump that was never paid for”.",
        f"I said with [X]({U}) that “the pump was never paid for”.",
    ],
)
def test_not_said_by_the_source(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"From the blog [x]({U})\n\n> ⟦The pump was never paid for.⟧",
        f"[x]({U}) 블로그로부터\n\n> ⟦The pump was never paid for.⟧",
        f"Do blog [x]({U})\n\n> ⟦The pump was never paid for.⟧",
        f"As X [wrote]({U}):\n\n> ⟦The pump was never paid for.⟧\n\n> ⟦It runs on water.⟧",
        f"As X [wrote]({U}):\n\n> ⟦The pump was never paid for.⟧\n\nHe goes on:\n\n> ⟦It runs on water.⟧",
        f"- The pump was not paid ([source]({U}))\n  > ⟦The pump was never paid for.⟧",
        f"> [ann]({U}) ⟦The pump was never paid for by them.⟧",
        f"> [@ann]({U}): ⟦the pump was never paid for⟧",
        f"> [⟦The pump was never paid for.⟧]({U})",
        f"As X [wrote]({U}):\n\n> ⟦The pump was paid for. (In the words of [Ann](https://en.wikipedia.org/wiki/Ann))⟧",
    ],
)
def test_lead_ins_and_links_in_the_block(text):
    assert_cites(text, U)


def test_several_numbers_that_are_links_are_several_sources():
    found = citations(f"“the pump was never paid for”[\\[1\\]]({U})[\\[2\\]]({V})")

    assert [item.source.uri for item in found] == [U, V]


@pytest.mark.parametrize(
    ("text", "passage", "source"),
    [
        (f"> The pump was never paid.\n> ^quote-1\n\n— [x]({U})", "The pump was never paid.", U),
        (f"“the ==pump was== never paid” ([x]({U}))", "the pump was never paid", U),
        ("“the pump was never paid” ([[a note|shown]])", "the pump was never paid", "[[a note]]"),
        (
            "“the pump was never paid” ([[a/note#Head]])",
            "the pump was never paid",
            "[[a/note#Head]]",
        ),
        (f"“the pump %%hidden%% was never paid” ([x]({U}))", "the pump was never paid", U),
        (f"> [!quote|note] [x]({U})\n> The pump was never paid.", "The pump was never paid.", U),
        (
            f"> The pump was never paid. {{: .big}}\n\n— [x]({U}){{.y}}",
            "The pump was never paid.",
            U,
        ),
        (f"> The pump was never paid.^[Ann, [x]({U})]", "The pump was never paid.", U),
        (f"“the pump was never paid”^[Ann, [x]({U}), p. 2]", "the pump was never paid", U),
        (
            f"::: {{.box}}\n> The pump was never paid.\n>\n> — [x]({U})\n:::",
            "The pump was never paid.",
            U,
        ),
        (f"‘the pump was never paid’ ([x]({U}))", "the pump was never paid", U),
        (f"“the ![[picture.png]]pump was never paid” ([x]({U}))", "the pump was never paid", U),
    ],
)
def test_marks_of_editors_are_not_quoted_and_hide_no_source(text, passage, source):
    (citation,) = citations(text)

    assert (citation.passages, citation.source.uri) == ((passage,), source)


@pytest.mark.parametrize(
    "text",
    [
        f'“⟦the pump was never paid⟧” [3]\n\n## Sources\n\n- {{id: 3, url: "{U}"}}',
        f"“⟦the pump was never paid⟧” [cite: 3]\n\n## Sources\n\n3. {U}",
        f"“⟦the pump was never paid⟧”¹\n\n## Works cited\n\n1. {U}",
        f"“⟦the pump was never paid⟧”¹\n\n¹ [x]({U})",
        f"| Claim | Quote | Source |\n|---|---|---|\n| Nobody paid | ⟦the pump was never paid⟧ | [x]({U}) |",
        f"| Claim | Zitat | Quelle |\n|---|---|---|\n| Nobody paid | „⟦die Pumpe wurde nie bezahlt⟧“ | [x]({U}) |",
        f"“⟦the pump was never paid⟧” [1]\n\n## Источники\n\n1. {U}",
        f"“⟦the pump was never paid⟧” [1]\n\n## Kaynakça\n\n1. {U}",
        f"“⟦the pump was never paid⟧” [1]\n\n**출처**\n\n1. {U}",
    ],
)
def test_references_defined_otherwise(text):
    assert_cites(text, U)


@pytest.mark.parametrize(
    "mark",
    [
        "【7†L16-L18】",
        "citeturn0search1",
        "\ue200cite\ue202turn0search1\ue201",
        ":contentReference[oaicite:3]{index=3}",
        "[cite: 3]",
        "[s.id]",
        "[Verbatim quote pending]",
    ],
)
def test_what_an_assistant_leaves_behind(mark):
    document = read(f"The pump was never paid. {mark}")
    assert codes(document) == ["LEFTOVER_MARKER"]
    assert mark in document.diagnostics[0].message

    document = read(f"“The pump was never paid.” {mark}")
    assert codes(document) == ["UNDEFINED_REFERENCE"]
    assert mark.partition("{")[0] in document.diagnostics[0].message
    assert document.citations == ()

    assert codes(read(f"`{mark}`")) == []


def test_an_undefined_footnote_is_reported_although_a_number_follows():
    document = read(f"“The pump was never paid.” [^9] It was so [1].\n\n## Sources\n\n1. {U}")

    assert codes(document) == ["UNDEFINED_REFERENCE"]
    assert document.citations == ()


@pytest.mark.parametrize(
    ("uri", "bare"),
    [
        (f"{U}?utm_source=chatgpt.com", U),
        (f"{U}?a=b&utm_source=chatgpt.com#c", f"{U}?a=b#c"),
        (f"{U}?utm_source=openai&utm_medium=x&a=b", f"{U}?a=b"),
        (f"{U}?gclid=x", U),
    ],
)
def test_a_tracking_parameter_has_a_fix(uri, bare):
    document = read(f"“The pump was never paid.” ([x]({uri}))")
    (finding,) = [item for item in document.diagnostics if item.code == "TRACKING_PARAMETER"]

    assert finding.fix is not None
    assert finding.fix.replacement == bare
    assert codes(read(f"“The pump was never paid.” ([x]({bare}))")) == []


@pytest.mark.parametrize(
    ("fragment", "malformed"),
    [
        ("text=", True),
        ("text=a,,b", True),
        ("text=,b", True),
        ("text=well-known", True),
        ("text=a,b,c,d", True),
        ("text=well%2Dknown", False),
        ("text=pre-,words,-post", False),
        ("text=first,last", False),
    ],
)
def test_a_malformed_text_directive_is_reported(fragment, malformed):
    found = codes(read(f"[x]({U}#:~:{fragment})"))

    assert found == ["MALFORMED_TEXT_DIRECTIVE"] * malformed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            f"This is “lazy cache eviction”. It is bad. [1]\n\n## Sources\n\n1. {U}",
            "fewer than five words",
        ),
        (
            f"- Ann, “Caches Grow Old” ([x]({U}))\n- Bob, “Pumps Are Paid For” ([y]({V}))",
            "the title of a work in a list",
        ),
        (f"> **Key finding:** the pump was never paid. [x]({U})", "a claim of the author"),
        (f"Click “Pay for the pump” ([docs]({U})).", "a label or a search term"),
        (f"I searched for “pump never paid” ([x]({U})).", "a label or a search term"),
    ],
)
def test_what_is_refused_says_why(text, reason):
    document = read(text)

    assert document.citations == ()
    assert reason in [item.reason for item in document.passed_over]


@pytest.mark.parametrize(
    "text",
    [
        f'!!! quote "Smith"\n    ⟦The cache is never read again.⟧ ([essay]({U}))\n\nElse.',
        f'!!! quote "[Smith]({U}), in May"\n    ⟦The cache is never read again.⟧\n',
        f'??? cite "[Smith]({U})"\n\n    ⟦The cache is never read again.⟧\n',
        f'!!!  quote inline end  "Smith, [essay]({U})"\n    ⟦The cache is never read again.⟧\n',
        f"!!! quote\n\n    ⟦The cache is never read again.⟧\n\n    — [Smith]({U})\n",
        f"!!! note\n    Text.\n\n    He says “⟦the cache is never read⟧” ([essay]({U})).\n",
        f"??? tip\n    !!! note\n        “⟦The cache is never read.⟧” ([essay]({U}))\n",
        f":::{{epigraph}}\n⟦The cache is never read again.⟧\n\n-- [Smith]({U})\n:::\n",
        f":::{{note}}\nHe says “⟦the cache is never read⟧” ([essay]({U})).\n:::\n",
    ],
)
def test_admonitions_and_directives_of_other_dialects(text):
    assert_cites(text, U)


@pytest.mark.parametrize(
    "text",
    [
        f"!!! note\n    The cache is never read again. ([essay]({U}))\n",
        f":::{{warning}}\nThe cache is never read again. ([essay]({U}))\n:::\n",
    ],
)
def test_a_note_in_them_is_no_quotation(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"It says 'the cache is never read again' ([essay]({U})) and isn't wrong.", 1),
        (f"'The dogs' tails are never seen again,' it says ([essay]({U})).", 1),
        (f"Type 'make all' ([docs]({U})).", 0),
        (f"In the '90s the dogs' owners didn't care ([essay]({U})).", 0),
        (f"'Tis the season of all the owners' dogs ([essay]({U})).", 0),
    ],
)
def test_straight_single_marks_where_they_are_plainly_quotation_marks(text, count):
    assert len(citations(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (
            f"Or in another article of theirs [“The long title”]({U})\n\n> “The cache is never read.”",
            1,
        ),
        (
            f"Or in another article of theirs [“The long title”]({U})\n\n> The cache is never read.",
            0,
        ),
        (
            f"Or in another article of theirs [the long title]({U}).\n\n> “The cache is never read.”",
            0,
        ),
        (f"What does it mean?\nencyclopedia - [cache]({U})\n> A cache is never read again.", 1),
    ],
)
def test_a_line_that_ends_in_its_link_leads_in_a_block_that_is_surely_quoted(text, count):
    assert [item.source.uri for item in citations(text)] == [U] * count


@pytest.mark.parametrize(
    "text",
    [
        f"1. Yuan, L., et al. (2024). “Self-reading caches.” Research. {U}\n\n2. Wu, T. (2025). “It reads.” {V}",
        f"[1] Vance, A. “The cache says ‘stop’ as it fills...” Paper, 2025. {U}\n[2] Cold, D. “Caches fire back.” {V}",
    ],
)
def test_the_title_of_a_work_without_a_heading_above(text):
    assert citations(text) == []


def test_a_linked_number_is_that_of_what_stands_right_before():
    far = "It goes on about other things for a while. " * 6
    text = f"She said “the cache is never read again”. {far}It is said to be “an idea that nobody had”[\\[1\\]]({U})."

    assert [item.quote for item in citations(text)] == ["an idea that nobody had"]


@pytest.mark.parametrize(
    "text",
    [
        f"> ⟦The cache is never read.⟧\n>\n> \\-- [The cache that\n> nobody\n> reads]({U})",
        f"It says: “⟦the cache is never read again.⟧” So it goes on. [source: {U} (at the end)]",
        f"It says: “⟦the cache is never read again.⟧” So it goes on. (Quelle: <{U}>)",
        f"It says: “⟦Nobody reads this cache.⟧” So it goes on for a while. ([source]({U}))",
        f"[概要]({U})には「⟦キャッシュは二度と読まれることがない⟧」と述べている。",
        f"[소개]({U})에 “⟦캐시는 다시 읽히지 않는다고 한다⟧”라고 적혀 있다.",
        f"In [an essay]({U}), “⟦the cache is never read again,⟧” she said.",
    ],
)
def test_credits_over_lines_addresses_in_brackets_and_verbs_behind_the_words(text):
    assert_cites(text, U)


@pytest.mark.parametrize(
    "text",
    [
        f"> Download\n>\n> ---\n> <{U}>",
        f"> Sources of it:\n>\n> [A page]({U})",
        f"> What it is about, and more to read: [one]({U}),\n> [two]({V}).",
        f"The first page is “a cache that nobody reads” and then “[a page]({U}) said by them”.",
        "It says: “the cache is never read again” [chrome://settings/x].",
    ],
)
def test_headings_with_something_to_read_are_no_quotations(text):
    assert citations(text) == []


def test_labels_of_a_list_in_a_block_are_no_speakers():
    text = f"> - **Feeds:** They are never read.\n> - **Caches:** They are always read.\n>\n> — [Ann]({U})"

    assert [len(item.passages) for item in citations(text)] == [2]


def test_parentheses_side_by_side_are_several_sources():
    text = f"It is “a cache that nobody reads” and “it is written all of the time” ([source]({U})) ([source]({V}))."

    assert [item.source.uri for item in citations(text)] == [U, V] * 2


@pytest.mark.parametrize(
    "text",
    [
        f"> **Caches are written far more often than they are read.** [1][2]\n\n## Sources\n\n1. {U}\n2. {V}",
        f"> To be read:\n>\n> - {U} The manual, to be read first\n> - [The book]({V})",
        f"- 这是“多轮推理、深度分析的报告”的转变。自二月以来它已成为核心。[1]\n\n## 参考文献\n\n1. {U}",
        f"- **Revert “Drain the cache at boundaries”** It reverts what was done before. [GitHub]({U})",
    ],
)
def test_what_is_bold_listed_or_named_is_no_quotation(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"> Where something goes wrong with it, please see the page\n> [installing it]({U})",
        f"> 如果遇到安裝問題，請參考這篇\n> [安裝指南]({U})",
        f"它从[第一版]({U})出发，用“模型与数据一起进化的办法”的数据把它训练成新的。",
        f'- {{id: 3, title: "A day without", url: "{U}", source: "a paper that says much of it"}}',
        f"- Smith, “Caches as simulators of the world,” 2024. More: {U}",
        f"They are called “on the rails of it”, [“within its bounds”]({U}).",
        f"> copyright <{U}>",
        f"“A cache that nobody reads” is what became of the [Kubernetes]({U}).",
        f"This comes from [a list]({U}) of errors:\n\n- Anchoring: “This language is slow, so it is of no use.”",
    ],
)
def test_what_is_to_be_read_or_named_is_no_quotation(text):
    assert citations(text) == []


def test_a_source_behind_a_complete_sentence():
    text = f"Sie schrieb, dass „⟦die Täter alle begeisterte Spieler waren⟧“, und fragte nach dem Grund dafür [Neue Zeitung]({U})."

    assert_cites(text, U)


@pytest.mark.parametrize(
    "text",
    [
        f"> Tracked at\n> [cache#17]({U})",
        f"[Sources: Smith, “A day without a cache that nobody reads”, {U}]",
    ],
)
def test_what_a_line_leads_to_or_a_bracket_lists_is_no_quotation(text):
    assert citations(text) == []


def test_a_link_may_be_named_after_a_contribution():
    text = (
        f"> ⟦キャッシュは二度と読まれることがないと言われている。⟧\n>\n> [花子の投稿]({U})より引用"
    )

    assert_cites(text, U)
