"""The visible text of a block and the place of each of its characters in the document."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tracecite_lint.documents.markup.blocks import BlockKind, parse_blocks
from tracecite_lint.documents.markup.flow import Flow, LinkKind


def flows(text: str) -> list[Flow]:
    return [block.flow for block in parse_blocks(text).root.walk() if block.make_flow]


def flow(text: str, index: int = 0) -> Flow:
    return flows(text)[index]


def written(text: str, found: Flow) -> list[str]:
    """Return what is written in the document for each visible character."""
    return [
        text[found.places.start(index) : found.places.end(index)]
        for index in range(len(found.text))
    ]


@pytest.mark.parametrize(
    ("text", "visible", "pieces"),
    [
        ("ab", "ab", ["a", "b"]),
        ("a\\*b", "a*b", ["a", "\\*", "b"]),
        ("\\*b", "*b", ["\\*", "b"]),
        ("*a*\\*b", "a*b", ["a", "\\*", "b"]),
        ("`a\\`\\\\b", "a\\\\b", ["a", "\\", "\\\\", "b"]),
        ("a&amp;b", "a&b", ["a", "&amp;", "b"]),
        ("&#x41;&#66;&nbsp;", "AB\xa0", ["&#x41;", "&#66;", "&nbsp;"]),
        ("&#0;x", "\ufffdx", ["&#0;", "x"]),
        ("&#128;x", "\x80x", ["&#128;", "x"]),
        ("a & b &c;", "a & b &c;", [*"a & b &c;"]),
        ("*a* **b** ~~c~~", "a b c", ["a", " ", "b", " ", "c"]),
        ("`a b`", "a b", ["a", " ", "b"]),
        ("`` a`b ``", "a`b", ["a", "`", "b"]),
        ("[a](u 'title') b", "a b", ["a", " ", "b"]),
        ("😀漢é", "😀漢é", ["😀", "漢", "é"]),
        ("a<!-- b -->c", "ac", ["a", "c"]),
        ("a<br>b", "a\nb", ["a", "<br>", "b"]),
        ("a ![alt](u) b", "a  b", ["a", " ", " ", "b"]),
    ],
)
def test_each_character_knows_how_it_is_written(text, visible, pieces):
    found = flow(text)

    assert found.text == visible
    assert written(text, found) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "one\ntwo",
        "one\r\ntwo",
        "one\rtwo",
        "> one\n> two",
        "> one\ntwo",
        "- one\n  two",
        "- one\ntwo",
        "> - one\n>   two",
        "1.\tone\n\ttwo",
        "one  \ntwo",
        "one\\\ntwo",
        "one `code\nspan` two",
        "> one `code\n> span` two",
        'one [a](http://x\n"title") two\nthree *four*',
        "> one [a][long\n> label] two\n> three\n\n[long label]: http://x",
        "one ![a](x\n'title') two\nthree",
        'one <b\nclass="c"> two\nthree',
        "[a]: http://x\none *two*\nthree",
        "> [a]: http://x\n> [b]: http://y 'title'\n> one *two*",
        "[a]:\nhttp://x\n  one *two*",
        "one\n===\n",
        "## one two ##",
        "\ufeffone",
        "é漢😀 one *two* 漢字 `three`",
        "| a\\|b | one |\n|---|---|\n| two \\| *three* \\| four | é\\|漢 *five* |",
        "[^n]: one *two*\n    three",
        "- [ ] one\n- [x] *two*",
    ],
)
def test_every_visible_character_stands_where_its_place_says(text):
    for found in flows(text):
        last = 0
        for index, character in enumerate(found.text):
            start = found.places.start(index)
            assert start >= last
            last = start
            if not character.isspace():
                assert text[start] in (character, "\\")


@given(
    st.lists(
        st.sampled_from(
            [
                "word",
                "漢字",
                "😀",
                " ",
                "\n",
                "*",
                "`",
                "\\*",
                "&amp;",
                "[a](http://x)",
                "> ",
                "- ",
                "|",
                "\\|",
                "\t",
                '"',
                "[b]: http://y\n",
                "<br>",
                "\r",
            ]
        ),
        max_size=25,
    ).map("".join)
)
@example("[b]: http://y\n\tword\n[b]: http://y\n[b]: http://y\n")
@example("> [b]: http://y\n word[b]: http://y\n[b]: http://y\n")
@example("> [b]: http://y\n [b]: http://y\n[b]: http://y\n")
@settings(max_examples=300)
def test_places_never_run_backwards_and_stay_in_the_document(text):
    for found in flows(text):
        assert found.places.length == len(found.text)
        places = [found.places.start(index) for index in range(len(found.text))]
        assert places == sorted(places)
        assert all(0 <= place <= len(text) for place in places)


@pytest.mark.parametrize(
    ("text", "url", "kind"),
    [
        ("[t](http://a.b/c)", "http://a.b/c", LinkKind.MARKDOWN),
        ("<http://a.b/c>", "http://a.b/c", LinkKind.AUTOLINK),
        ("http://a.b/c", "http://a.b/c", LinkKind.BARE),
        ("www.a.b", "http://www.a.b", LinkKind.BARE),
        ("<a href='http://a.b/?x&amp;y'>t</a>", "http://a.b/?x&y", LinkKind.HTML),
        ("[t][r]\n\n[R]: http://a.b/1\n[r]: http://a.b/2", "http://a.b/1", LinkKind.MARKDOWN),
        ("[r][]\n\n[r]: <http://a.b/x>", "http://a.b/x", LinkKind.MARKDOWN),
        ("[r]\n\n[r]: ./notes.md", "./notes.md", LinkKind.MARKDOWN),
        ("见 https://a.b/c。然后", "https://a.b/c", LinkKind.BARE),
        ("https://a.b/c，下一句", "https://a.b/c", LinkKind.BARE),
        ("https://a.b/漢字）", "https://a.b/漢字", LinkKind.BARE),
        ("“https://a.b/c”", "https://a.b/c", LinkKind.BARE),
        ("https://a.b/c_(d)", "https://a.b/c_(d)", LinkKind.BARE),
    ],
)
def test_links_are_found_with_their_address(text, url, kind):
    (link,) = flow(text).links

    assert (link.url, link.kind) == (url, kind)


def test_a_bare_url_swallows_no_second_one_behind_full_width_punctuation():
    links = flow("https://a.b/c，https://d.e/f。").links

    assert [link.url for link in links] == ["https://a.b/c", "https://d.e/f"]


def test_the_text_behind_a_shortened_url_is_text():
    found = flow("https://a.b/c。「引用文」")

    assert found.text == "https://a.b/c。「引用文」"
    assert [found.text[pair.start : pair.end] for pair in found.pairs()] == ["「引用文」"]


@pytest.mark.parametrize(
    ("text", "first_line", "front_matter"),
    [
        ("---\ntitle: x\n---\n\ntext", 5, "title: x\n"),
        ("---\r\ntitle: x\r\n---\r\ntext", 4, "title: x\r\n"),
        ("+++\ntitle = 'x'\n+++\ntext", 4, "title = 'x'\n"),
        ("---\ntitle: x\n...\ntext", 4, "title: x\n"),
    ],
)
def test_front_matter_is_set_apart(text, first_line, front_matter):
    tree = parse_blocks(text)
    (block,) = tree.root.children

    assert (block.first_line, block.flow.text) == (first_line, "text")
    assert tree.front_matter == front_matter


@pytest.mark.parametrize("text", ["---\n\ntext\n\n---\n", "---\nJust words\n---\n", "---\na: b\n"])
def test_a_thematic_break_is_no_front_matter(text):
    assert parse_blocks(text).front_matter == ""


def test_nul_and_lone_surrogates_are_replaced_not_fatal():
    assert flow("a\x00b\ud800c").text == "a\ufffdb\ufffdc"


def test_items_of_numbered_lists_have_their_numbers():
    root = parse_blocks("4. a\n4. b\n\n- c\n").root

    assert [block.number for block in root.walk() if block.kind is BlockKind.ITEM] == [4, 5, 0]
