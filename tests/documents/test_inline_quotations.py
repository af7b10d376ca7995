"""Quotations in running text: which marks make one, and which link is its source."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations, codes, marked, read

from tracecite_lint.model import Shape, Span

U, V = "https://example.org/one", "https://example.org/two"


@pytest.mark.parametrize(
    "text",
    [
        f"“⟦the words of the page⟧” ([page]({U}))",
        f'"⟦the words of the page⟧" ([page]({U}))',
        f"«⟦the words of the page⟧» ([page]({U}))",
        f"« ⟦les mots de la page⟧ » ([page]({U}))",
        f"»⟦die Worte der Seite⟧« ([Seite]({U}))",
        f"„⟦die Worte der Seite⟧“ ([Seite]({U}))",
        f"‚⟦die Worte der Seite⟧‘ ([Seite]({U}))",
        f"‘⟦it isn’t what the users’ page says⟧’ ([page]({U}))",
        f"„⟦słowa z tej strony⟧” ([strona]({U}))",
        f"”⟦sidans egna ord här⟧” ([sida]({U}))",
        f"「⟦ページに書かれた言葉⟧」（[ページ]({U})）",
        f"『⟦ページに書かれた言葉⟧』（[ページ]({U})）",
        f"他说“⟦页面上的原话就是这样⟧”（[来源]({U})）。",
        f'他说"⟦页面上的原话就是这样⟧"（[来源]({U})）。',
        f'"⟦页面上的原话就是这样，⟧"([Smith]({U})说)',
        f'“⟦the words of the page⟧" ([page]({U}))',
    ],
)
def test_all_pairs_of_quotation_marks_are_known(text):
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.INLINE


@pytest.mark.parametrize(
    "text",
    [
        f"“⟦she said “stop it” and left⟧” ([page]({U}))",
        f'"⟦she said “stop it” and left⟧" ([page]({U}))',
        f'“⟦she said "stop it" and left⟧” ([page]({U}))',
        f'"⟦she said "stop it" and left⟧" ([page]({U}))',
        f"“⟦she said ‘stop it’ and left⟧” ([page]({U}))",
        f"“⟦it isn’t what the users’ page says⟧” ([page]({U}))",
        f"\"⟦it isn't what the users' page says⟧\" ([page]({U}))",
        f"„⟦sie sagte „nein danke“ und ging⟧“ ([Seite]({U}))",
        f"「⟦彼女は『いいえ』と言いました⟧」（[頁]({U})）",
        f"«⟦elle a dit «non merci» et partit⟧» ([page]({U}))",
    ],
)
def test_inner_marks_and_apostrophes_do_not_end_a_quotation(text):
    assert_cites(text, U)


@pytest.mark.parametrize(
    "text",
    [
        f'A 12" screen and a 15" one ([page]({U}))',
        f'An open " mark of some words here ([page]({U}))',
        f"“never closed in this paragraph ([page]({U}))\n\nhere it ends” for good",
        f"`“a b c d”` ([page]({U}))",
        f"```\n“a b c d” ([page]({U}))\n```",
        f"    “a b c d” ([page]({U}))",
        f"<!-- “a b c d” ([page]({U})) -->",
        f"<!--\n\n“a b c d” ([page]({U}))\n\n-->",
        f"<script>\nvar x = “a b c d” ([page]({U}))\n</script>",
        f"it isn’t what the users’ page says ([page]({U}))",
        f"《书名号里的是标题》（[来源]({U})）",
    ],
)
def test_what_is_no_quotation(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"“⟦the words of the page⟧” ([page]({U}))",
        f"“⟦the words of the page⟧”([page]({U}))",
        f"“⟦The words of the page.⟧” [source]({U}) In other words, the page has words.",
        f"“⟦the words of the page⟧”. ([page]({U}))",
        f"“⟦the words of the page.⟧” ([page]({U}))",
        f"“⟦the words of the page⟧”, as the authors wrote in their report last year ([page]({U})).",
        f"“⟦the words of the page⟧” (source: [page]({U}))",
        f"“⟦the words of the page⟧” (see [page]({U}), p. 12)",
        f"“⟦the words of the page⟧” Source: [page]({U})",
        f"“⟦the words of the page.⟧”\n*via:* {U}",
        f"「⟦ページに書かれた言葉。⟧」出典：[頁]({U})",
        f"“⟦the words of the page⟧” (Smith 2020, [page]({U}))",
        f"“⟦the words of the page⟧” ({U})",
        f"“⟦the words of the page⟧” (<{U}>)",
        f"“⟦the words of the page⟧” [page]({U})",
        f"“⟦the words of the page⟧” [Smith]({U}).",
        f"“⟦the words of the page⟧”, [Smith wrote]({U}) in May.",
        f"“⟦the words of the page⟧” — [page]({U})",
        f"“⟦the words of the page⟧” – [page]({U})",
        f"“⟦the words of the page⟧” - [page]({U})",
        f"“⟦the words of the page⟧”[page][ref]\n\n[ref]: {U}",
        f"“⟦the words of the page⟧” [page][REF]\n\n[ref]: {U}\n[ref]: {V}",
        f"“⟦the words of the page⟧” [ref][]\n\n[ref]: {U}",
        f"“⟦the words of the page⟧” ([ref])\n\n[ref]: {U}",
        f"“⟦the words of the page⟧” <{U}>",
        f"“⟦the words of the page⟧” {U}",
        f"“⟦the words of the page⟧” - {U}",
        f"“⟦the words of the page⟧” <a href='{U}'>page</a>",
        f"- “⟦the words of the page⟧” - An [archived slide]({U}).",
        f"“⟦the words of the page⟧” — Jane Doe, [Title]({U}), 2020",
        f"“⟦the words of the page⟧”\n([page]({U}))",
    ],
)
def test_the_source_behind_a_quotation(text):
    assert_cites(text, U)


@pytest.mark.parametrize(
    "text",
    [
        f"“the words of the page” are in one sentence. Another one has the link ([page]({U})).",
        f"“the words of the page” {'and so on ' * 10}([page]({U}))",
        f"“the words of the page” (in a vague and [quite incorrect sense]({U}))",
        f"“the words of the page” [approach]({U}) to everything",
        f"“the words of the page.” [Do not even say “such things”]({U}). As it is",
        f"“the words of the page” and more words [page]({U})",
        f"“the words of the page” in [the page]({U})",
        f"“a lazy cache” see: [page]({U})",
        f"[“the words of the page”]({U})",
        f"“[the words of the page]({U})” ([page]({V}))",
        f"revert “fix the words of the page” ([#123]({U}))",
        f"“the words of the page” ([0b5191f]({U}))",
        "“the words of the page” ([somebody](https://github.com/somebody))",
        "“the words of the page” ([below](#below))",
        f"“the words of the page” ([![a picture](p.png)]({U}))",
        f"“the words of the page” ([Figure 13-3]({U}))",
        f"“这里有六个汉字”（[图 2]({U})）",
        f"the tab “Words of the page” ([Browser bug 1539]({U}))",
        "“the words of the page” (no link here)",
        f'[Somebody]({U}) (p.6): "the words of the page"',
    ],
)
def test_links_that_are_not_the_source(text):
    assert citations(text) == []


def test_a_link_that_leads_another_quotation_is_not_the_source():
    text = f"They repeat that “the point is to maximize it”. [Littman]({U}) (p. 6): “it is to purr”"

    assert citations(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"“two words” ([page]({U}))", 1),
        (f"“two words” in a text ([page]({U}))", 0),
        (f"“three short words” in a text ([page]({U}))", 1),
        (f"“这里只有七个字” 在这里（[页]({U})）", 0),
        (f"“这里有了八个汉字” 在这里（[页]({U})）", 1),
        (f"“五个汉字了”（[页]({U})）", 1),
        (f"“two words” [page]({U}).", 1),
        (f"“two words” [comes from the page]({U}).", 0),
    ],
)
def test_a_short_pair_counts_only_right_before_its_link(text, found):
    assert len(citations(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        f"it is not “fast” ([page]({U}))",
        f"an „abgemeldet“ [page]({U})",
        f"所谓的“标配”（[页]({U})）",
        f"「散布」—— [頁]({U})",
        f"the “remote”[^1]\n\n[^1]: [page]({U})",
    ],
)
def test_a_single_word_is_a_term(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"the article “Why caches grow old” ([page]({U}))", 0),
        (f"a talk titled “Why caches grow old” ([page]({U}))", 0),
        (f"the paper “*Why caches grow old*”[^1]\n\n[^1]: [page]({U})", 0),
        (f"im Artikel „Warum Speicher altern“ ([Seite]({U}))", 0),
        (f"в статье «Почему кэш стареет» ([страница]({U}))", 0),
        (f"这篇文章「为什么缓存会变老」（[页]({U})）", 0),
        (f"See “Why caches grow old” ([page]({U}))", 0),
        (f"a file called “Why caches grow old” ([page]({U}))", 0),
        (f"he called it “Why caches grow old” ([page]({U}))", 1),
        (f"what he called “a very old cache” ([page]({U}))", 1),
        (f"the article “found that caches grow old” ([page]({U}))", 1),
        (f"the article: “Caches grow old” ([page]({U}))", 1),
        (f"the articles that say “Caches grow old” ([page]({U}))", 1),
    ],
)
def test_what_is_called_a_title_is_no_quotation(text, found):
    assert len(citations(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"“lazy cache eviction” (see [page]({U}))", 0),
        (f"„faules Verdrängen aus dem“ (vgl. [Seite]({U}))", 0),
        (f"“缓存的惰性淘汰”（参见[页]({U})）", 0),
        (f"“lazy cache eviction” ([page]({U}))", 1),
        (f"“the cache is never read again” (see [page]({U}))", 1),
    ],
)
def test_a_term_is_explained_elsewhere_not_quoted(text, found):
    assert len(citations(text)) == found


@pytest.mark.parametrize(
    "title",
    [
        "The Art of Computer Programming",
        "Seven Ways to Keep Caches That Nobody read in Use",
        "One Hundred Years of Solitude",
        "Der Prozess der Schulden",
    ],
)
def test_a_title_is_no_quotation(title):
    assert citations(f"“{title}” is a book that many know ([page]({U}))") == []


def test_a_title_behind_which_the_work_is_linked_is_no_quotation():
    title = (
        "A Very Long Title About Caches That Nobody Reads: How They Grow Old, and Why They Are Kept"
    )
    assert citations(f"Smith, “{title}” ([PDF]({U}))") == []
    assert citations(f"Smith, “Growing Old in Caches” ([link]({U}))") == []
    assert_cites(f"Smith finds that caches “⟦grow old and are kept⟧” ([PDF]({U}))", U)


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        ("https://example.org/@jane", 0),
        ("https://example.org/users/jane", 0),
        ("https://example.org/in/jane/", 0),
        ("https://example.org/@jane/why-caches-grow-old", 1),
        ("https://example.org/about", 1),
        ("https://example.org/about/caches", 1),
        ("https://example.org/users", 1),
    ],
)
def test_a_profile_is_the_page_of_somebody_not_what_they_wrote(uri, found):
    assert len(citations(f"“the words of the page” ([page]({uri}))")) == found


def test_each_quotation_has_its_own_source():
    assert_cites(
        f"“⟦the first of them⟧” ([one]({U})) and “⟦the second of them⟧” ([two]({V})).", U, V
    )


def test_two_quotations_may_share_a_source():
    assert_cites(f"“⟦the first of them⟧” and “⟦the second of them⟧” ([one]({U}))", U)


@pytest.mark.parametrize(
    ("parenthesis", "sources"),
    [
        (f"[source]({U}), [source]({V})", [U, V]),
        (f"[one]({U}); [two]({V})", [U, V]),
        (f"[1]({U})[2]({V})", [U, V]),
        (f"[source]({U}), thanks [Somebody]({V})", [U]),
        (f"[source]({U}), [podcast]({V})", [U]),
        (f"[page]({U}), [discussion]({V})", [U]),
    ],
)
def test_two_sources_of_one_quotation_are_two_citations_with_one_span(parenthesis, sources):
    found = citations(f"“the words of the page” ({parenthesis})")

    assert [item.source.uri for item in found] == sources
    assert {item.span for item in found} == {Span(1, 2, 1, 23)}


def test_list_item_that_starts_with_its_title():
    for dash in (" - ", " – ", " — ", ": ", " (2020): "):
        found = assert_cites(f"- [The guide]({U}){dash}“⟦use the current format⟧”", U)
        assert found[0].shape is Shape.LIST_TITLE
    assert citations(f"- [The guide]({U}) tells everybody: “use the current format”") == []
    assert_cites(f"- **[The guide]({U})**: “⟦use the current format⟧”", U)


def test_footnote_that_starts_with_its_title():
    assert_cites(f"text[^1]\n\n[^1]: [The guide]({U}): “⟦use the current format⟧”", U)


def test_a_quotation_alone_below_the_item_with_its_link():
    assert_cites(f"- TUID {U}\n  - “⟦a TUID is like a UUID⟧”\n  - other words", U)


def test_a_whole_sentence_may_come_from_an_issue():
    assert_cites(f"“⟦Linux and Windows are missing.⟧” ([#75]({U}))", U)


def test_a_quotation_alone_above_its_source():
    assert_cites(f"“⟦it was never so⟧”\n\n— [page]({U})", U)


def test_a_quotation_alone_above_the_lead_in_of_another():
    assert citations(f"“it was never so”\n\nFrom [page]({U}):\n\n```\ncode\n```") == []


def test_a_quotation_alone_below_its_lead_in():
    assert_cites(f"As Smith [wrote]({U}):\n\n“⟦it was never so⟧”", U)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (f"| “⟦the words of the page⟧” | [page]({U}) |", True),
        (f"| [page]({U}) | “⟦the words of the page⟧” |", True),
        (f"| a claim | “⟦the words \\| of the page⟧” | {U} |", True),
        (f"| “⟦the words of the page⟧” ([page]({U})) | [other]({V}) |", True),
        (f"| some “words of the page” in a cell | [page]({U}) |", False),
        (f"| “the words of the page” | [page]({U}) | [other]({V}) |", False),
    ],
)
def test_table_rows(row, found):
    columns = marked(row).text.replace("\\|", "").count("|") - 1
    table = "|a" * columns + "|\n" + "|-" * columns + "|\n" + row

    if found:
        assert_cites(table, U)
    else:
        assert citations(table.replace("⟦", "").replace("⟧", "")) == []


def test_the_column_of_sources_is_known_by_its_title():
    table = (
        f"| quote | repo | source |\n|-|-|-|\n| “⟦the words of the page⟧” | [r]({V}) | [p]({U}) |"
    )

    (citation,) = assert_cites(table, U)
    assert citation.shape is Shape.TABLE


@pytest.mark.parametrize(
    "text",
    [
        f"😀😀 “⟦the words 😀 of it⟧” ([page]({U}))",
        f"漢字\t“⟦the words\tof it⟧” ([page]({U}))",
        f"> - 1. “⟦the words of it⟧” ([page]({U})) and more",
        f"a\r\nb “⟦the words\r\nof it⟧” ([page]({U}))\r\nc",
        f"a\rb “⟦the words\rof it⟧” ([page]({U}))\rc",
        f"> a “⟦the words\n> of it⟧” ([page]({U}))",
        f"> a “⟦the words\nof it⟧” ([page]({U}))",
        f"- a “⟦the words\n  of it⟧” ([page]({U}))",
        f"- a “⟦the words\nof it⟧” ([page]({U}))",
        f"---\na: “b c d” ([page]({U}))\n---\n“⟦the words of it⟧” ([page]({U}))",
        f"“⟦the *words* of **it⟧**” ([page]({U}))",
        f"“*⟦the words of it⟧*” ([page]({U}))",
        f"*“⟦the words of it⟧”* ([page]({U}))",
        f"&ldquo;⟦the words of it⟧&rdquo; ([page]({U}))",
        f"“⟦the &amp; words of it\\.⟧” ([page]({U}))",
        f"“⟦the `code` of it⟧” ([page]({U}))",
        f"“⟦the [words]({V}) of it⟧” ([page]({U}))",
        f"“⟦the words[^1] of it⟧” ([page]({U}))\n\n[^1]: x",
        f"# “⟦the words of it⟧” ([page]({U}))",
        f"“⟦the words of it⟧” ([page]({U}))\n===",
        f"a [b](c\n'd') “⟦the words of it⟧” ([page]({U}))",
    ],
)
def test_spans_are_exact(text):
    assert_cites(text, U)


def test_a_byte_order_mark_takes_no_column():
    (citation,) = citations(f"\ufeff“the words of it” ([page]({U}))")

    assert citation.span == Span(1, 2, 1, 17)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("the *words* of `it`", "the words of it"),
        ("the &amp; words\\. of it", "the & words. of it"),
        ("the words\n  of   it", "the words of it"),
        (f"the [words]({V}) of it", "the words of it"),
        ("the words[^1] of it", "the words of it"),
        ("the ![picture](p.png)words of it", "the words of it"),
        ("the wor<wbr>ds of<br>it", "the words of it"),
    ],
)
def test_the_passage_is_what_a_reader_sees(quote, passage):
    (citation,) = citations(f"“{quote}” ([page]({U}))\n\n[^1]: a remark")

    assert citation.passages == (passage,)


def test_the_claim_is_the_nearest_heading():
    found = citations(f"“the words of it” ({U})\n\n# A *b*\n\n## C\n\n“the words of it” ({U})")

    assert [item.claim for item in found] == ["", "C"]


def test_the_source_has_its_title_and_its_place():
    (citation,) = citations(f"“the words of it” ([page]({U} 'The title'))")

    assert citation.source.title == "The title"
    assert citation.source.span == Span(1, 20, 1, 20 + len(f"[page]({U} 'The title')"))


@pytest.mark.parametrize(
    "uri",
    ["notes.md", "../notes.md#a-heading", "./code.py#L10-L20", "/docs/a.txt", "file:///tmp/a.txt"],
)
def test_local_sources_are_kept_as_written(uri):
    assert_cites(f"“⟦the words of it⟧” ([page]({uri}))", uri)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("“the words of it”[^nope]", 18, 25),
        ("“the words of it” [page][nope]", 19, 31),
        ("“the words of it” ([page][nope])", 20, 32),
        ("“the words of it” [3]", 19, 22),
        ("“the words of it” [3]\n\n## References\n\n1. http://a.b/c", 19, 22),
    ],
)
def test_an_undefined_reference_is_reported_and_never_guessed(text, start, end):
    document = read(text)

    assert document.citations == ()
    (found,) = [item for item in document.diagnostics if item.code == "UNDEFINED_REFERENCE"]
    assert found.span == Span(1, start, 1, end)


def test_an_escaped_bracket_is_no_reference():
    assert codes(read("“the words of it” \\[3\\]")) == []
    assert codes(read("“the words of it”\\[^nope]")) == []


def test_a_quotation_without_a_source_is_reported_with_its_place():
    expected = marked("He said “⟦never in my life⟧”.")
    (found,) = read(expected.text).diagnostics

    assert (found.code, found.span) == ("UNASSOCIATED_QUOTE", expected.spans[0])


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (f"([the page]({U}))", 1),
        (f"[the page]({U})", 1),
        (f"is what it is called there ([the page]({U}))", 0),
        (f"— [the page]({U})", 0),
        (U, 0),
    ],
)
def test_words_like_a_title_are_a_quotation_only_right_before_their_source(source, found):
    assert len(citations(f"“Paarungszeit der Hermeline” {source}\n")) == found
