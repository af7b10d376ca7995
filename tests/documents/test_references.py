"""Footnotes and numbered references as sources."""

from __future__ import annotations

import pytest
from marked import assert_cites, citations, read

from tracecite_lint.model import Shape

U, V, W = "https://example.org/one", "https://example.org/two", "https://example.org/three"


@pytest.mark.parametrize(
    "text",
    [
        f"“⟦the words of it⟧”[^1]\n\n[^1]: [page]({U})",
        f"“⟦the words of it⟧”.[^1]\n\n[^1]: {U}",
        f"“⟦the words of it⟧” [^Long]\n\n[^long]: <{U}>",
        f"“⟦two words⟧”[^1]\n\n[^1]: [page]({U})",
        f"They know “⟦the words of it⟧” of a whole population.[^1]\n\n[^1]: [page]({U})",
        f"They know “⟦the words of it⟧” of a population[^1].\n\n[^1]: [page]({U})",
        f"“⟦the words of it⟧”[^1]\n\n[^1]: Smith, J. (2009). [page]({U}), p. 220. Press.\n[^1]: {V}",
        f"他说“⟦页面上的原话⟧”[^1]。\n\n[^1]: 来源：<{U}>",
    ],
)
def test_a_footnote_gives_the_source(text):
    (citation,) = assert_cites(text, U)

    assert citation.shape is Shape.FOOTNOTE


def test_a_footnote_with_two_links_gives_two_sources():
    found = citations(f"“the words of it”[^1]\n\n[^1]: [one]({U}) and [two]({V})")

    assert [item.source.uri for item in found] == [U, V]


@pytest.mark.parametrize(
    "text",
    [
        "“the words of it”[^1]\n\n[^1]: a remark without a link",
        f"“the words of it”[^1]\n\n[^1]: {'a long remark ' * 20}[page]({U})",
        f"“the words of it.” Another sentence.[^1]\n\n[^1]: [page]({U})",
        f"They say “the words of it” about[^1] everything else\n\n[^1]: [page]({U})",
        f"“scare quotes” in the whole sentence.[^1]\n\n[^1]: [page]({U})",
        f"“The Principle of Least Privilege”[^1]\n\n[^1]: [page]({U})",
    ],
)
def test_footnotes_that_are_not_the_source(text):
    assert citations(text) == []


def test_a_quotation_inside_a_footnote():
    assert_cites(f"text[^1]\n\n[^1]: “⟦the words of it⟧” {U}", U)


LIST = f"[1] {U} - One\n[2] {V} - Two\n[3] {W} - Three"


@pytest.mark.parametrize(
    "entries",
    [
        f"## References\n\n{LIST}",
        f"References:\n{LIST}",
        f"参考文献：\n{LIST}",
        f"## Sources\n\n1. {U}\n2. {V}\n3. {W}",
        f"## 参考\n\n1. [One]({U})\n2. Two, {V}\n3. {W}",
        f"**Bibliography**\n\n1) {U}\n2) {V}\n3) {W}",
        f"[1] [One]({U})\n\n[2] [Two]({V})\n\n[3] [Three]({W})",
        f"- [1] {U}\n- [2] {V}\n- [3] {W}",
    ],
)
def test_a_number_points_into_the_reference_list(entries):
    (citation,) = assert_cites(f"He said “⟦never in my life⟧” [2].\n\n{entries}", V)

    assert citation.shape is Shape.NUMERIC


def test_a_number_is_the_source_of_every_quotation_since_the_one_before():
    text = (
        "“⟦the first of them⟧” [1] and “⟦the second one of them⟧” or “⟦the third one of them⟧”. It was so. [2]\n\n"
        f"“the fourth has none”\n\n## References\n\n{LIST}"
    )

    assert_cites(text, U, V, V)


@pytest.mark.parametrize("numbers", [(1, 2, 7), (1, 1, 1), (5, 6, 7)])
def test_entries_count_by_the_number_that_they_are_written_with(numbers):
    entries = "".join(f"{number}. {uri}\n" for number, uri in zip(numbers, (U, V, W), strict=True))
    last = max(numbers[-1], 3)

    assert_cites(f"He said “⟦never in my life⟧” [{last}].\n\n## Sources\n\n{entries}", W)


@pytest.mark.parametrize(
    ("entry", "quoted"),
    [
        (f"Smith, “Of caches that nobody reads,” {U}", []),
        (f"“Of Caches That Nobody Reads.” {U}", []),
        (f"“Of caches that nobody reads”: “they are kept” ([p. 3]({U}))", ["they are kept"]),
        (f"“Nobody reads the caches any more.” {U}", ["Nobody reads the caches any more."]),
    ],
)
@pytest.mark.parametrize("start", ["## References\n\n1. ", "[1] "])
def test_the_title_of_an_entry_is_no_quotation(start, entry, quoted):
    assert [item.quote for item in citations(start + entry)] == quoted


def test_an_entry_that_starts_with_its_link_may_quote_it():
    assert_cites(f"## References\n\n1. [Of caches]({U}): “⟦nobody reads them⟧”", U)


@pytest.mark.parametrize("marks", ["[1, 3]", "[1][3]", "[1,3]", "[1; 3]", "【1, 3】"])
def test_several_numbers_give_several_sources(marks):
    found = citations(f"“the words of it” {marks}\n\n## References\n\n{LIST}")

    assert [item.source.uri for item in found][:1] == [U]
    assert {item.source.uri for item in found} <= {U, W}


@pytest.mark.parametrize(
    "mark",
    [
        "[2]",
        "[^2^]",
        "【2】",
        "【2†source】",
        "［2］",
        "[[2]](#ref-2)",
        "[2](#2)",
        "<sup>2</sup>",
        "<sup>[2](#2)</sup>",
        "2",
    ],
)
def test_forms_of_numbers(mark):
    (citation,) = assert_cites(f"He said “⟦never in my life⟧”{mark}\n\n## References\n\n{LIST}", V)

    assert citation.shape is Shape.NUMERIC


@pytest.mark.parametrize(
    "mark", [f"[2]({V})", f"[[2]]({V})", f"([2]({V}))", f"<sup>[2]({V})</sup>"]
)
def test_a_number_that_is_a_link_is_its_own_entry(mark):
    assert_cites(f"“⟦the first of them⟧” and “⟦the second of them⟧”.{mark}", V)


def test_a_number_at_the_end_of_a_sentence_whose_superscript_was_lost():
    assert_cites(
        f"He said “⟦never in my life⟧” to them.2 And so on.\n\n## Works cited\n\n{LIST}", V
    )


def test_a_range_of_numbers():
    found = citations(f"“the words of it” [1-3]\n\n## References\n\n{LIST}")

    assert [item.source.uri for item in found] == [U, V, W]


def test_the_next_list_counts_where_numbers_start_again():
    text = (
        f"“⟦the words of it⟧” [1]\n\n[1] {U}\n\n[2] {V}\n\n“⟦the words of that⟧” [1]\n\n[1] {W}\n"
    )

    assert_cites(text, U, W)


@pytest.mark.parametrize(
    "text",
    [
        f"“The Title of a Book” and more [1]\n\n## References\n\n{LIST}",
        f"“a term” and more [1]\n\n## References\n\n{LIST}",
        f"“the words of it” and more\n\n## References\n\n{LIST}",
        f"“the words of it” [1]\n\n## Steps\n\n1. {U}\n",
        f"## References\n\n[1] “The words of a title” {U}"[:0]
        + f"`arr[1]`\n\n## References\n\n{LIST}",
    ],
)
def test_numbers_that_are_not_the_source(text):
    assert citations(text) == []


@pytest.mark.parametrize(
    "heading",
    ["Key sources", "Web sources", "Fuentes consultadas", "数据来源", "Referências bibliográficas"],
)
def test_a_heading_of_references_may_have_words_beside(heading):
    assert_cites(f"“⟦the words of it⟧” [1]\n\n## {heading}\n\n1. [page]({U})", U)


@pytest.mark.parametrize(
    "text",
    [
        "“⟦the words of it⟧[1]”",
        "“⟦the words of it.⟧[1]”",
        "『⟦这里没有人读缓存。⟧[1]』",
        '"⟦the words of it⟧"<sup>1</sup>',
    ],
)
def test_a_number_inside_the_closing_mark_or_glued_to_it(text):
    assert_cites(f"{text} and more\n\n## References\n\n1. [page]({U})", U)


@pytest.mark.parametrize("link", [f"[1]({U})", f"<sup>[1]({U})</sup>", f"[[1]]({U})"])
def test_a_number_that_is_a_link_may_be_glued_to_the_mark(link):
    assert_cites(f'It is "⟦a cache of unknown function⟧"{link} there.', U)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"A word.[^1]\n\n[^1]: Smith, “Notes on the cache.” {U}", 0),
        (f"A word.[^1]\n\n[^1]: Smith says, “the cache is never read.” {U}", 1),
        (f"## References\n\n- “Caches That Nobody Reads” ([example.org]({U}))", 0),
        (f"## References\n\n- “the cache is never read” ([example.org]({U}))", 1),
        (f"From “Caches That Nobody Ever Reads” ([arXiv:2001.01234]({U}))", 0),
        (f"It speaks of “caches that nobody reads” ([arXiv:2001.01234]({U}))", 1),
        (f"**Figure 2: “the cache is never read” ([page]({U}))**", 0),
        (f"Table 2 says “the cache is never read” ([page]({U}))", 1),
        ("> The cache is never read.[^1]\n\n[^1]: [Smith](https://github.com/smith)", 0),
    ],
)
def test_titles_captions_and_people_in_references(text, found):
    assert len(citations(text)) == found


def test_a_footnote_inside_the_closing_mark():
    assert_cites(f"They said “⟦even then the cache is slow.⟧ [^1]”\n\n[^1]: [page]({U})", U)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "They call it “the words of it” [1].\n\n## References\n\n1. Smith, *Of Words*, 2020",
            "the entry of its number names no source ([1] has no link)",
        ),
        (
            f"They call it “the words of it” [1].\n\n[1] Smith, 2020\n\n[2] {U}",
            "the entry of its number names no source ([1] has no link)",
        ),
        (
            "> The words of it.[^1]\n\n[^1]: Smith, 2020",
            "its footnote names no source ([^1] has no link)",
        ),
        (
            f"“The words of it.”[^1]\n\n[^1]: {'He wrote it by the sea. ' * 20}[one]({U})",
            "its footnote names no source ([^1] is a remark)",
        ),
    ],
)
def test_a_reference_that_is_defined_without_a_source_is_told_as_such(text, reason):
    document = read(text)

    assert [item.reason for item in document.passed_over] == [reason]
    (finding,) = document.diagnostics
    assert finding.code == "UNASSOCIATED_QUOTE"
    assert finding.message.endswith(f"has no source in reach: {reason}")


def test_a_mark_of_an_assistant_in_the_place_of_a_source_has_its_own_help():
    (finding,) = read("“The words of it were these.” 【7†L16-L18】").diagnostics

    assert finding.code == "UNDEFINED_REFERENCE"
    assert "An assistant left this mark behind" in finding.help


def test_what_stands_nearby_is_told_only_where_nothing_else_is():
    (passed_over,) = read(f"They know [a page]({U}) on the “Words of It” ([pdf]({V})).").passed_over

    assert passed_over.reason == "a title behind which the work is linked"
