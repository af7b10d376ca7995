"""Blockquotes: which are quotations, where their words end, and which link is their source."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations, codes, read

from tracecite_lint.model import Shape

U, V = "https://example.org/one", "https://example.org/two"


@pytest.mark.parametrize(
    "lead",
    [
        f"As Smith [wrote]({U}):\n\n",
        f"As Smith [wrote]({U}):\n",
        f"As Smith [wrote][s]:\n\n[s]: {U}\n\n",
        f"[Smith]({U}) 写道：\n\n",
        f"[公式ドキュメント]({U})にはこう書いてあります。\n\n",
        f"From the [docs]({U}):\n\n![a picture](p.png)\n\n",
        f"From the [docs]({U}):\n\n<!-- a comment -->\n\n",
        f"- from [Smith]({U}):\n\n",
        f"Both [of them]({V}) start [their guide]({U}) with:\n\n",
        f"We learn to use [htmx]({U}). From the htmx main page:\n\n",
        f"1、[A page]({U})\n\n",
        f"## [A page]({U})\n\n",
        f"[A page]({U})\n\n",
        f"[RFC 3127 said]({U})\n",
        f"As Smith wrote:[^1]\n\n[^1]: [page]({U})\n\n",
        f"As Smith wrote [^1] :\n\n[^1]: [page]({U})\n\n",
    ],
)
def test_a_lead_in_with_the_link(lead):
    if "wrote:[^1]" in lead:
        text = f"As Smith wrote[^1]:\n\n> ⟦The words of it.⟧\n\n[^1]: [page]({U})"
    else:
        text = f"{lead}> ⟦The words of it.⟧"
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.LEAD_IN


@pytest.mark.parametrize(
    "text",
    [
        f"There is [a page]({U}) on this.\n\n> The author's own remark.",
        "[@jane](https://github.com/jane) says:\n\n> Words from somewhere.",
        f"He described it as like [a page]({U}). Here’s my summary:\n\n> Not his words.",
        f"See the [docs]({U}) for more.\n\n> It is important that you do.",
        f"# [tool]({U})\n\n> A line that says what the tool is.",
        f"# [![badge](b.svg)]({U}) tool\n\n> A line that says what the tool is.",
        f"## About [the page]({U})\n\n> A summary of this section.",
        "### [method](./index.js#L40)\n\n> What the method does.",
        f"- [one]({U})\n- [two]({V})\n\n> A legend of the list.",
        f"In [Node]({U}):\n\n> ⚠️ Note that this does not work.",
        f"In [Node]({U}):\n\n> **Note:** this does not work.",
        f"In [Node]({U}):\n\n> [!NOTE]\n> This does not work.",
        f"In [Node]({U}):\n\n> 注：这里不一样。",
        f"Run [this]({U}):\n\n> `make all`",
        f"> [A page to read]({U})",
        f"[A page]({V})\n\n> 出典：[写真]({U})",
        f"[A page]({V})\n\n> <img src='a.png'>\n> 出典：[写真]({U})",
        f"> [One]({U}) ·\n> [Two]({V})",
        f"> 출처: [One]({U}) ·\n> [Two]({V})",
        f"> [!quote]\n>\n> - [One]({U})\n> - [Two]({V})",
        f"In [Node]({U}):\n\n> 🔧 This does not work.",
        f"> Read more in [the docs]({U})",
        f"> This list used to be on {U}",
        f"> You can find more details in [this list]({U}).",
        f"Words.\n\n[a link]({U}):\n\nmore words\n\n> A blockquote.",
    ],
)
def test_blockquotes_that_are_no_quotation_of_the_link(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    "attribution",
    [
        f">\n> — [page]({U})",
        f"> — [page]({U})",
        f">\n> -- [page]({U})",
        f">\n> ~ [page]({U})",
        f">\n> —— [页]({U})",
        f">\n> ―― [頁]({U})",
        f">\n> ～ [頁]({U})",
        f">\n> — Jane Doe, [page]({U}), 2020",
        f">\n> Source: [page]({U})",
        f">\n> Source: {U}",
        f">\n> via [page]({U})",
        f">\n> 来源：[页]({U})",
        f">\n> <{U}>",
        f"— [page]({U})",
        f">\n> -- <cite>[page]({U})</cite>",
        f">\n> — [Jane Doe](https://github.com/jane), [page]({U})",
        f">\n> — Jane on [Site]({V}), [“The page”]({U})",
        f">\n> — Jane Doe, chapter 2\n> Source: [page]({U})",
        f"> 出典：[頁]({U})",
        f">\n> 출처: [page]({U})",
        f"> Источник: [page]({U})",
        f">\n> via Jane Doe, [page]({U})",
    ],
)
def test_an_attribution_inside(attribution):
    (citation,) = assert_cites(f"> ⟦The words of it.⟧\n{attribution}", U)

    assert citation.shape is Shape.ATTRIBUTION


@pytest.mark.parametrize(
    "end",
    [
        f" [source]({U})",
        f" [The Page]({U})",
        f" ([tweet]({U}))",
        f" – [Site]({U})",
        f"（摘自[《序言》]({U})）",
        f" {U}",
        f"\n> {U}",
    ],
)
def test_quoted_text_that_ends_in_its_link(end):
    (citation,) = citations(f"> The words of it.{end}")

    assert (citation.passages, citation.source.uri) == (("The words of it.",), U)


@pytest.mark.parametrize(
    "after",
    [
        f"— [page]({U})",
        f"– [page]({U}).",
        f"-- [page]({U})",
        f"[Smith on a site]({U})",
        f"Source: [page]({U})",
        f"来源：[页]({U})",
        f"<{U}>",
        U,
        f"— [page]({U})\n*A remark on the page, with [another link]({V}).*",
        f"> — [page]({U})",
        f"> ~ [page]({U})",
    ],
)
def test_the_source_right_after(after):
    text = f"> ⟦The words of it.⟧\n\n{after}\n\nThanks to [Somebody]({V})!"
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.SOURCE_AFTER


@pytest.mark.parametrize(
    "after",
    [
        f"Thanks to [Somebody]({U}) for this.",
        f"That is what [the page]({U}) is about.",
        f"[Live demo]({U})",
        "— Jane Doe",
        f"Source code: [page]({U})",
        f"From this we learn that [the page]({U}) is right.",
        f"From [the page]({U}) one learns that it is so.",
        f"[The page]({U}):",
        f"[The page]({U})\nand more on it",
        f"> 来源：[The page]({U})\n> 分类：文章",
        "![a picture](p.png)",
        f"\n\n\n\n\n[A page]({U}) far below",
    ],
)
def test_what_comes_after_may_have_nothing_to_do_with_it(after):
    assert citations(f"> The words of it.\n\n{after}") == []


def test_a_link_between_two_blockquotes_belongs_to_the_first():
    text = f"> ⟦The first words.⟧\n\n— [one]({U})\n\n> ⟦The second words.⟧\n\n— [two]({V})"

    assert_cites(text, U, V)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (f"[One]({U})", f"[Two]({V})"),
        (f"### [One]({U})", f"[Two]({V})"),
        (f"From [one]({U}):", f"From [two]({V}):"),
        (f"As [X]({U}) wrote:", f"Source: see [two]({V}):"),
    ],
)
def test_a_link_before_a_blockquote_does_not_belong_to_the_one_before(first, second):
    assert_cites(f"{first}\n\n> ⟦The first words.⟧\n\n{second}\n\n> ⟦The second words.⟧", U, V)


def test_a_link_after_a_note_of_the_author_leads_in_the_next_blockquote():
    assert_cites(f"> Note: look at this.\n\n[One]({U})\n\n> ⟦The words of it.⟧", U)


def test_a_blockquote_that_opens_with_its_link():
    assert_cites(f"> [The page]({U})\n>\n> ⟦The words of it.⟧", U)


@pytest.mark.parametrize("space", ["", " "])
def test_a_footnote_of_a_blockquote(space):
    (citation,) = assert_cites(f"> ⟦The words of it.⟧{space}[^1]\n\n[^1]: [page]({U})", U)

    assert citation.shape is Shape.FOOTNOTE


def test_a_footnote_of_an_attribution():
    text = f"> ⟦The words of it.⟧\n>\n> — Jane Doe[^1]\n\n[^1]: From Jane Doe's [talk]({U}) of some year."
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.FOOTNOTE


def test_a_number_at_the_end_of_a_blockquote():
    (citation,) = citations(f"> The words of it. [2]\n\n## References\n\n1. {V}\n2. {U}")

    assert citation.shape is Shape.NUMERIC
    assert (citation.passages, citation.source.uri) == (("The words of it.",), U)


def test_a_footnote_that_is_a_quotation_takes_the_link_before_its_reference():
    text = f"He spoke against it [in the pages of a journal]({U}).[^1]\n\n[^1]: > ⟦In summary, it is so.⟧"

    assert_cites(text, U)


def test_an_undefined_reference_of_a_blockquote():
    document = read("> The words of it.[^nope]")

    assert codes(document) == ["UNDEFINED_REFERENCE"]
    assert document.citations == ()


def test_several_paragraphs_are_one_citation_with_several_passages():
    text = f"As [X]({U}) wrote:\n\n> ⟦One *two*\n> three.\n>\n> - four\n> - five\n>\n> six.⟧"
    (citation,) = assert_cites(text, U)

    assert citation.passages == ("One two three.", "four", "five", "six.")
    assert citation.quote == "One two three.\n\nfour\n\nfive\n\nsix."


@pytest.mark.parametrize(
    ("before", "quoted"),
    [
        ("这篇文章说得很清楚：", "> ⟦The words of it.⟧\n>\n> 文章里的话。"),
        ("这篇文章说得很清楚：", "> 文章里的话。\n>\n> ⟦The words of it.⟧"),
        ("这篇文章说得很清楚：", "> ⟦One.\n>\n> Two.⟧\n>\n> 第一句。\n>\n> 第二句。"),
        ("The essay is clear on this point:", "> ⟦文章里的话。⟧\n>\n> The words of it."),
        ("这篇文章说得很清楚：", "> ⟦文章里的话。\n>\n> 还有更多的话。⟧"),
        ("这篇文章说得很清楚：", "> ⟦文章里的话。\n>\n> The words.\n>\n> 还有更多的话。⟧"),
    ],
)
def test_of_an_original_and_its_translation_the_original_counts(before, quoted):
    assert_cites(f"{before}\n\n{quoted}\n>\n> — [page]({U})", U)


@pytest.mark.parametrize(
    "quoted",
    [
        "> “⟦The words of it.⟧”",
        '> "⟦The words of it.⟧"',
        "> «⟦The words of it.⟧»",
        "> “⟦One.\n>\n> “Two.\n>\n> “Three.⟧”",
        "> ⟦“One,” he said. “Two.”⟧",
        '> ⟦"Tool" runs on the edge.⟧',
    ],
)
def test_marks_around_the_whole_are_left_out(quoted):
    assert_cites(f"As [X]({U}) wrote:\n\n{quoted}", U)


@pytest.mark.parametrize(
    "text",
    [
        f"> ⟦The words\nof it.⟧\n— [page]({U})",
        f"> > ⟦The words\n> of it.⟧\n> > — [page]({U})",
        f"- a\n\n  > ⟦The words\n  > of it.⟧\n  >\n  > — [page]({U})",
        f"1. As [X]({U}) wrote:\n   > ⟦The words of it.⟧",
        f"> ⟦The words\r\n> of it.⟧\r\n>\r\n> — [page]({U})\r\n",
        f"> ⟦The words\r> of it.⟧\r>\r> — [page]({U})\r",
        f">\t⟦漢字 😀 &amp; words.⟧\n>\n> — [page]({U})",
        f"[^1]:\n    As X [wrote]({U}):\n\n    > ⟦The words of it.⟧\n\ntext[^1]",
        f"> ⟦The words of it.⟧\n> - [page]({U})",
    ],
)
def test_spans_are_exact(text):
    assert_cites(text, U)


def test_an_inline_quotation_inside_a_blockquote_keeps_its_own_source():
    (citation,) = assert_cites(f"> As he put it, “⟦it was never so⟧” ([page]({U}))", U)

    assert citation.shape is Shape.INLINE


@pytest.mark.parametrize(
    ("head", "sources"),
    [
        (f"> [!quote] [page]({U})\n> ", [U]),
        (f"> [!QUOTE]+ Smith in [page]({U})\n>\n> ", [U]),
        (f"> [!quote]- [page]({U})\n> Subtitle: some day\n>\n> ", [U]),
        (f"> [!quote] [page]({U}) on [other]({V})\n> ", [U]),
        (f"> [!cite] [page]({U})\n> ", [U]),
        (f"Smith [made]({U}) this point:\n\n> [!quote] Smith\n>\n> ", [U]),
        ("> [!quote] My email\n>\n> ", []),
        (f"> [!info] [page]({U})\n> ", []),
    ],
)
def test_callouts(head, sources):
    found = citations(f"{head}The words of it.")

    assert [(item.passages, item.source.uri) for item in found] == [
        (("The words of it.",), uri) for uri in sources
    ]
    assert all(item.shape is Shape.CALLOUT for item in found)


def test_a_callout_with_an_attribution_inside():
    assert_cites(f"> [!quote]\n> ⟦The words of it.⟧\n>\n> — [page]({U})", U)


def test_a_quotation_inside_a_callout_of_the_author():
    text = f"> [!info] [x]({V})\n> Own words.\n>\n> > [!quote] [page]({U})\n> > ⟦The words of it.⟧"

    assert_cites(text, U)


def test_each_paragraph_of_a_blockquote_may_have_its_own_source():
    text = f"> “⟦The first words.⟧” — [one]({U})\n>\n> “⟦The second words.⟧” ([two]({V}))"
    assert_cites(text, U, V)

    (citation,) = citations(f"> “The first words.\n>\n> “The second words.” — [one]({U})")
    assert citation.passages == ("The first words.", "The second words.")


def test_a_quotation_inside_a_quotation_is_left_out_of_it():
    text = f"> [!quote] [one]({U})\n> ⟦Outer words.\n>\n> > [!quote] [two]({V})\n> > ⟦Inner words.⟧\n>\n> More words.⟧"
    found = citations(text.replace("⟦", "").replace("⟧", ""))

    assert [(item.passages, item.source.uri) for item in found] == [
        (("Outer words.", "More words."), U),
        (("Inner words.",), V),
    ]


@pytest.mark.parametrize(
    "turns",
    [
        "> Reporter\n> : ⟦Why did they do it?⟧\n>\n> Smith\n> : ⟦I cannot say.\n>\n> : So it is.⟧",
        "> **Reporter:** ⟦Why did they do it?⟧\n>\n> **Smith:** ⟦I cannot say.\n>\n> So it is.⟧",
        "> **Reporter**: ⟦Why did they do it?⟧\n>\n> **Smith**: ⟦I cannot say.\n>\n> So it is.⟧",
    ],
)
def test_each_turn_of_an_interview_is_a_citation(turns):
    first, second = assert_cites(f"> [!quote] [page]({U})\n>\n{turns}", U)

    assert first.passages == ("Why did they do it?",)
    assert second.passages == ("I cannot say.", "So it is.")


def test_local_sources():
    assert_cites("> ⟦The words of it.⟧\n>\n> — [page](../a.md#b)", "../a.md#b")


@pytest.mark.parametrize(
    "lead",
    [
        f"As [the notes]({U}) put it:",
        f"[The notes]({U}) say:",
        f"According to [the notes]({U}):",
        f"From [the notes]({U}):",
        f"Die [Seite]({U}) schreibt dazu:",
        f"[该页面]({U})写道：",
    ],
)
def test_a_note_that_a_source_is_said_to_say_is_a_quotation(lead):
    assert_cites(f"{lead}\n\n> ⟦Disclaimer: this does not work on Sundays.⟧", U)


def test_a_note_that_somebody_signs_is_a_quotation():
    assert_cites(f"> ⟦Disclaimer: this does not work on Sundays.⟧\n>\n> — [The notes]({U})", U)


@pytest.mark.parametrize(
    "lead",
    [
        f"As Smith [writes]({U}) about [the cache]({V}):",
        f"According to [the essay]({U}), [the cache]({V}) is dead:",
        f"She [found that]({U}) her project, [the cache]({V}), is never read:",
        f"[The essay says so]({U}) (via [a forum]({V})):",
        f"As [the essay]({U}) says,",
        f"As Smith said in [her essay]({U});",
        f"As Smith writes in [her essay]({U})",
        f"Как пишет Смит на [сайте]({U})",
        f"[여기 있는 문서]({U})에서는 다음과 같이 설명하고 있다.",
        f"[記事]({U})にはこう書いてあります（強調は筆者）。",
        f"The [cache]({V}) has a page of its own that says:[^1]",
    ],
)
def test_which_link_of_a_lead_in_announces_the_words(lead):
    assert_cites(f"{lead}\n\n> ⟦The cache is never read.⟧\n\n[^1]: {U}", U)


@pytest.mark.parametrize(
    "lead",
    [
        f"Here is what I asked (I [really like caches]({U})):",
        f"The page puts it well (thanks to [Smith]({U})):",
        f"This is what the model wrote about [the page]({U}):",
        f"Here is the output of the model for [the page]({U}):",
        f"Since we are on [the page]({U}),",
    ],
)
def test_links_of_a_lead_in_that_announce_nothing(lead):
    assert citations(f"{lead}\n\n> The cache is never read.") == []


@pytest.mark.parametrize(
    "credit",
    [
        f"\n[jane_smith on reddit]({U}).",
        f"\nFrom @Jane’s [Book of Caches]({U}).",
        f"\nTaken from [the book]({U}).",
        f"\n([Model of a cache > details of it]({U}))",
        f"\n> (Quelle: [die Seite]({U}))",
        f">\n> > 출처: {U}",
        f">\n> 引自[官网]({U})",
        f">\n> （[仕様]({U})より引用）",
        f">\n> [A cache]({U}), Smith",
        f">\n> [A cache]({U}) by Jane Smith",
        f"\n[A cache]({U}) (2020)",
        f"\n- [jane on /r/caches]({U})",
    ],
)
def test_forms_of_a_credit(credit):
    assert_cites(f"> ⟦The cache is never read.⟧\n{credit}", U)


@pytest.mark.parametrize(
    "call",
    [
        f"\n[Submit your quotations for next week]({U})!",
        f"\n[Back to top]({U})",
        f"\n[Get in touch]({U})",
        f">\n> [Join us]({U})!",
        f"\nFromage, [a page]({U})",
        f"\n- [a page]({U})\n- [another]({V})",
    ],
)
def test_a_call_to_do_something_is_no_credit(call):
    assert citations(f"> The cache is never read.\n{call}") == []


def test_a_link_in_the_midst_of_a_sentence_gives_way_to_the_lead_in():
    assert_cites(
        f"As [the page]({U}) says:\n\n> ⟦The cache is built for browsers, via [a tool]({V}).⟧", U
    )


@pytest.mark.parametrize(
    "text",
    [
        f"> **Pages**\n>\n> [One]({U})\n>\n> [Two]({V})",
        f"> :bulb: The cache is never read.\n\n[A page]({U})",
    ],
)
def test_lists_of_links_and_remarks_with_an_emblem_quote_nothing(text):
    assert citations(text) == []


@pytest.mark.parametrize("mark", ["[^1]", "[1]", f"([page]({U}))"])
def test_of_a_sentence_with_words_in_marks_only_these_are_quoted(mark):
    assert_cites(
        f"> The guide says: “⟦the cache is never read⟧” {mark}\n\n"
        f"[^1]: {U}\n\n## References\n\n1. [page]({U})",
        U,
    )


@pytest.mark.parametrize(
    "quoted", ["“⟦对于缓存来说，没有人读它。⟧“", '"⟦The cache is never read⟧":']
)
def test_marks_around_the_whole_need_not_be_tidy(quoted):
    assert_cites(f"> {quoted}\n\n— [page]({U})", U)


def test_each_line_of_a_blockquote_may_have_its_own_source():
    assert_cites(
        f"> “⟦The cache is never read.⟧” [[1]]({U})\n> “⟦It is written all the time.⟧” [[2]]({V})",
        U,
        V,
    )


@pytest.mark.parametrize("label", ["**TL;DR**", "**Key takeaway:**", "**要点：**", "Fazit:"])
def test_a_summary_of_the_author_is_no_quotation(label):
    assert citations(f"> {label} The cache is never read, as is well known. [[1]]({U})") == []


@pytest.mark.parametrize("label", ["Zitat: ", "Citation : ", "引用：", "**Smith:** "])
def test_a_label_before_words_in_marks_is_not_quoted(label):
    assert_cites(f"> {label}“⟦The cache is never read.⟧”\n>\n> Quelle: [Seite]({U})", U)
