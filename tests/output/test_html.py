"""The html report as a page: what stands in it, what it leads to, and that no word in it is anything but a word."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from output_sample import (
    ALTERED,
    DIAGNOSTICS,
    DUMPED,
    NOTHING_REACHED,
    REPORT,
    RESULT,
    SECRET,
    VERIFIED,
    span_of,
)
from page_parts import assert_only_ours, parsed

from tracecite_lint.model import (
    Applicability,
    CheckResult,
    Difference,
    Fix,
    Nearest,
    SourceRef,
    Span,
    Verdict,
)
from tracecite_lint.output import render
from tracecite_lint.output.html.elements import shortened, web_link
from tracecite_lint.output.html.paragraph import around
from tracecite_lint.output.html.passages import marked_passage, marked_quotation
from tracecite_lint.output.snippet import document_lines

HOSTILE = (
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "</style></script></title><svg onload=alert(1)>",
    "<!--<script>",
    "]]><iframe srcdoc='<script>alert(1)</script>'>",
    '" onmouseover=alert(1) x="',
    "&lt;script&gt; &#60;b&#62; &quot;",
    "<b>\x00\u2028\u202e\x1b[2J",
    "javascript:alert(1)",
)


def text_of(page: str, selector: str) -> list[str]:
    return [" ".join(node.text().split()) for node in parsed(page).css(selector)]


def links(page: str, selector: str) -> list[str]:
    return [node.attributes.get("href", "") for node in parsed(page).css(selector)]


@pytest.mark.parametrize("result", [RESULT, DUMPED, NOTHING_REACHED, CheckResult()])
def test_a_page_is_made_of_our_elements(result):
    assert_only_ours(render("html", result))


def hostile_everywhere(words: str) -> CheckResult:
    """Return the sample run with *words* in every field that a document, a page or a name can fill."""

    def spoiled(item):
        citation = replace(
            item.citation, passages=(words,), source=SourceRef(words, title=words), claim=words
        )
        return replace(
            item,
            file=words,
            citation=citation,
            code=words,
            folds=(words,),
            swallowed=(words,),
            final_url=words,
        )

    nearest = Nearest(
        words,
        0.9,
        (Difference("equal", words), Difference("delete", words), Difference("insert", words * 2)),
        words,
    )
    return replace(
        RESULT,
        citations=tuple(map(spoiled, RESULT.citations)),
        diagnostics=tuple(
            replace(
                item,
                code=words,
                message=words,
                file=words,
                help=words,
                source=words,
                nearest=nearest,
                elsewhere=(words,),
                fix=Fix(words, words, ()),
                quote=words,
            )
            for item in RESULT.diagnostics
        ),
        texts={words: f"{words}\n{words} “{words}”\n" * 20},
        notes=(words,),
        directory=words,
    )


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_are_words_in_every_field(words, monkeypatch):
    page = render("html", hostile_everywhere(words), written_to=words)
    assert_only_ours(page)

    value = words.replace("\0", "")
    monkeypatch.setenv("CI_PROJECT_URL", f"https://{value}")
    monkeypatch.setenv("CI_COMMIT_SHA", value)
    assert_only_ours(render("html", hostile_everywhere(words)))


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)//https://x.example",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "https://…@host.example/",
        "https:",
        "ftp://x.example",
    ],
)
def test_what_is_no_web_page_is_no_link(uri):
    assert web_link(uri) == ""


def test_links_of_the_web_are_ascii_without_marks():
    assert web_link("//例.example/ü?q=\"'<>`\n") == (
        "https://%E4%BE%8B.example/%C3%BC?q=%22'%3C%3E%60"
    )


def test_a_finding_shows_the_quotation_in_its_paragraph_beside_the_passage():
    page = render("html", RESULT)
    article = parsed(page).css_first("article.mismatch")

    assert [" ".join(node.text().split()) for node in article.css("blockquote")] == [
        "According to the page, “example domains may be used without permission” (IANA).",
        "example domains may be used with12 permission",
    ]
    assert article.css_first("del").text() == "without"
    assert article.css_first("ins").text() == "with12"
    assert "2026-11-29 12:00 UTC" in article.text()
    assert article.css_first("time").attributes["datetime"] == "2026-11-29T12:00:00Z"


def test_a_finding_shows_what_to_write_and_which_option_writes_it():
    page = render("html", RESULT)
    fixes = [
        f"--fix {item.fix.replacement}"
        for item in RESULT.diagnostics
        if item.fix and not item.private
    ]
    assert text_of(page, "article p.fix") == fixes
    unsafe = replace(DIAGNOSTICS[0], fix=Fix("", "<b>other</b> words", (), Applicability.UNSAFE))
    page = render("html", replace(RESULT, diagnostics=(unsafe,)))
    assert text_of(page, "article p.fix") == ["--fix --unsafe-fixes <b>other</b> words"]


@pytest.mark.parametrize(
    ("uri", "page", "address"),
    [
        ("notes.md", None, "notes.md#:~:text=maintained%20for%20documentation%20purposes"),
        ("notes.md#a", None, "notes.md#a:~:text=maintained%20for%20documentation%20purposes"),
        ("notes.md#L3-L9", None, "notes.md#L3-L9"),
        ("paper.pdf", 7, "paper.pdf#page=7"),
        ("../notes.md", None, None),
    ],
)
def test_a_local_source_is_opened_as_close_to_the_words_as_may_be(uri, page, address):
    source = SourceRef(uri)
    item = replace(VERIFIED, citation=replace(VERIFIED.citation, source=source), page=page)
    shown = render("html", CheckResult(citations=(item,)))
    assert links(shown, "li.verified a.src") == ([address] if address else [])


def test_links_lead_to_the_line_and_to_the_place_in_the_source():
    page = render("html", RESULT, written_to="out/report.html")

    assert links(page, "article.mismatch a.place")[0] == "../report.md#L5"
    assert links(page, "article.mismatch a.src")[0] == (
        "https://www.iana.org/help/example-domains"
        "#:~:text=You%20may%20use%20example%20domains%20may%20be%20used%20with%20permission%20and%20in%20literature."
    )
    assert (
        "#:~:text=maintained%20for%20documentation%20purposes"
        in links(page, "li.verified a.src")[0]
    )
    assert "../guide.md#install:~:text=Restart%20the%20service,after%20every%20change." in links(
        page, "li.verified a.src"
    )
    # Words that do not stand in a page are no way into it.
    assert links(page, "li.alternative a.src") == ["https://example.com/"]
    assert links(page, "li.suppressed a.src")[0] == "https://example.org/minutes"


@pytest.mark.parametrize(
    "quote", ["the geese … were counted", "[T]he geese were counted", "one\n\ntwo paragraphs of it"]
)
def test_the_place_of_an_abridged_quotation_is_named_by_its_ends(quote):
    item = replace(VERIFIED, citation=replace(VERIFIED.citation, passages=(quote,)))

    (address,) = links(render("html", CheckResult(citations=(item,))), "a.src")

    directive = address.partition(":~:text=")[2]
    assert "%5B" not in directive
    assert "%E2%80%A6" not in directive


@pytest.mark.parametrize(
    ("quoted", "found", "quotation", "passage"),
    [
        ("90 ", "180 ", "<del>90</del> ", "<ins>180</ins> "),
        ("2024 ", "2025 ", "<del>202<b>4</b></del> ", "<ins>202<b>5</b></ins> "),
        ("1,234", "1,324", "<del>1,<b>23</b>4</del>", "<ins>1,<b>32</b>4</ins>"),
        ("without", "with", "<del>without</del>", "<ins>with</ins>"),
        ("is not", "is", "<del>is not</del>", "<ins>is</ins>"),
        ("<b>", "</b>", "<del>&lt;b&gt;</del>", "<ins>&lt;/b&gt;</ins>"),
    ],
)
def test_words_and_digits_that_differ_are_marked(quoted, found, quotation, passage):
    differences = (
        Difference("equal", "it says "),
        Difference("delete", quoted),
        Difference("insert", found),
        Difference("equal", "there"),
    )

    assert marked_quotation(differences, 1000) == f"it says {quotation}there"
    assert marked_passage(differences, 1000) == f"it says {passage}there"


def test_long_agreement_is_left_out_and_the_difference_stays():
    differences = (
        Difference("equal", "word " * 300),
        Difference("delete", "ninety "),
        Difference("equal", "more " * 300),
    )

    shown = marked_quotation(differences, 400)

    assert re.fullmatch(r"…(word ){10,20}<del>ninety</del> (more ?){10,20}…", shown), shown


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("# Title\n\nOne\ntwo “XX” three\nfour.\n\nFive", "One two “", "” three four."),
        ("# Title\nOne “XX” two\n# Next", "One “", "” two"),
        ("> One\n> two “XX” three\n>\n> Five", "One two “", "” three"),
        ("- a\n- [b](c) “XX” ([d](e(f)))\n- g", "b “", "” (d)"),
        ("- a **b** `c`\n  “XX” d\n", "a b c “", "” d"),
        ("| a | “XX” | b |\n| c | d | e |", "a · “", "” · b"),
        ("“[XX](https://e.example/a_b)” said", "“[", "” said"),
        ("a*b “XX” 2 * 3", "a*b “", "” 2 * 3"),
    ],
)
def test_the_paragraph_is_shown_without_its_markup(text, before, after):
    lines = document_lines(text)

    assert around(lines, span_of(text, "XX")) == (before, after)


def test_a_span_outside_of_its_document_has_no_paragraph():
    assert around(["a"], Span(3, 1, 3, 2)) == around([], Span(0, 0, 0, 0)) == ("", "")


def test_totals_are_drawn_by_verdict_host_and_document():
    page = render("html", RESULT)

    assert text_of(page, ".legend li") == [
        "3 mismatched",
        "1 unverifiable",
        "3 other findings",
        "2 verified",
        "2 suppressed",
    ]
    bar = parsed(page).css_first(".all .bar")
    widths = [float(node.attributes["width"]) for node in bar.css("rect")]
    assert sum(widths) == pytest.approx(1000, abs=0.5)
    assert widths[0] == pytest.approx(3000 / 11, abs=0.1)
    hosts = [node.attributes["data-h"] for node in parsed(page).css("li[data-h]:not(.e)")]
    assert hosts[0] == "example.org"
    assert {"iana.org", "example.net", "local files"} <= set(hosts)
    files = [node.attributes["data-f"] for node in parsed(page).css("li[data-f]")]
    assert files[0] == "report.md"


def test_every_citation_and_finding_is_there_once():
    page = render("html", RESULT)

    assert len(parsed(page).css(".e")) == len(RESULT.citations) + 3
    assert len(parsed(render("html", DUMPED)).css("li.e.unknown")) == len(DUMPED.citations)


def test_words_of_records_are_in_no_page():
    private = replace(VERIFIED, citation=replace(VERIFIED.citation, private=True))
    warned = replace(ALTERED, citation=replace(ALTERED.citation, private=True))
    result = CheckResult(
        citations=(private, warned),
        diagnostics=(replace(DIAGNOSTICS[0], private=True),),
    )

    page = render("html", result)

    assert SECRET not in render("html", RESULT)
    for words in (VERIFIED.citation.quote, ALTERED.citation.quote, "with permission"):
        assert words not in page
        assert words.replace(" ", "%20") not in page


def test_a_password_is_in_no_page():
    uri = "https://user:secret@host.example/"
    item = replace(ALTERED, citation=replace(ALTERED.citation, source=SourceRef(uri)))
    text = REPORT.replace("https://example.org/zh", uri)
    finding = replace(DIAGNOSTICS[0], source=uri, elsewhere=(uri,))
    page = render(
        "html", CheckResult(citations=(item,), diagnostics=(finding,), texts={"report.md": text})
    )

    assert "secret" not in page
    assert "…@host.example" in page


@pytest.mark.parametrize("words", ["word " * 5000, "文字" * 5000, "<&>\"'" * 3000])
def test_a_page_of_very_long_quotations_stays_small(words):
    count = 40
    nearest = Nearest(
        words,
        0.9,
        (Difference("equal", words), Difference("delete", words), Difference("insert", words)),
    )
    spans = [Span(line, 1, line, 2) for line in range(1, count + 1)]
    result = CheckResult(
        citations=tuple(
            replace(
                ALTERED,
                citation=replace(ALTERED.citation, passages=(words,), span=span),
                verdict=Verdict.MISMATCH,
            )
            for span in spans
        ),
        diagnostics=tuple(
            replace(
                DIAGNOSTICS[0],
                span=span,
                nearest=nearest,
                quote=words,
                message=words,
                fix=Fix("", words, ()),
            )
            for span in spans
        ),
        texts={"report.md": f"{words[:3000]}\n" * count},
    )

    assert len(render("html", result).encode()) < count * 20_000


def test_shortened_words_keep_their_ends():
    assert shortened("one two three", 50) == "one two three"
    assert shortened("one two three four five six seven eight", 24) == "one two … seven eight"
    assert shortened("文字" * 50, 30) == "文字文字文 … 文字文字文"[:5] + " … 字文字文字"
