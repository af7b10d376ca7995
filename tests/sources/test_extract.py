"""Bytes and a content type become text: every kind of source, and what is refused."""

import pytest

from tracecite_lint.model import without_added_marks
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract

WEB = "https://www.example.org/page"


def text_of(body: bytes | str, content_type: str | None, url: str = WEB) -> str:
    data = body.encode() if isinstance(body, str) else body
    return without_added_marks(extract(data, content_type, url).text)


FEED = """<?xml version="1.0"?><rss><channel><title>One &amp; two</title><item><title>Item</title>
<description>&lt;p&gt;Hel&lt;b&gt;lo&lt;/b&gt;&lt;/p&gt;</description>
<content:encoded><![CDATA[<ul><li>a<li>b</ul>]]></content:encoded></item></channel></rss>"""

KINDS = [
    ("<p>Hel<b>lo</b>", "text/html", "Hello"),
    ("<p>Hel<b>lo</b>", "application/xhtml+xml", "Hello"),
    ("<p>Hel<b>lo</b>", "TEXT/HTML; charset=UTF-8", "Hello"),
    ("<!-- x --> <p>a<p>b", None, "a\n\nb"),
    ("<?xml version='1.0'?><html><p>a", None, "a"),
    ("just text, 1 < 2", None, "just text, 1 < 2"),
    ("plain <b>text</b>\nas it is", "text/plain", "plain <b>text</b>\nas it is"),
    ("a,b\nc,d", "text/csv", "a,b\nc,d"),
    ("# Title\n\nSome **bold**\ntext", "text/markdown", "Title\n\nSome bold text"),
    (
        '{"a": "b\\nc \\u201cd\\u201d \\/", "e": 5}',
        "application/json",
        '{"a": "b\nc “d” /", "e": 5}',
    ),
    ('{"a": "\\ud83d\\ude00 \\ud800"}', "application/ld+json", '{"a": "😀 \ufffd"}'),
    ('{"a": "\\x"}', "application/json", '{"a": "\\x"}'),
    ('["open \\n', "application/json", '["open \\n'),
    (FEED, "application/rss+xml", "One & two\nItem\nHello\na\nb"),
    ("<a><p>one <i>t</i>wo</p><p>three</p></a>", "text/xml", "one two\nthree"),
    ("<a><!-- x --><b>1 &lt; 2</b><c/><d>e</d></a>", "application/xml", "1 < 2\ne"),
    ('<!DOCTYPE a [<!ENTITY b "c">]><a>d</a>', "application/xml", "d"),
    ("<a>b</c></d>e", "application/xml", "b\ne"),
    ("<?xml version='1.0'?><a><b>c</b></a>", None, "c"),
    ("<svg><title>a</title><text>b</text></svg>", "image/svg+xml", "b"),
    (b"\xef\xbb\xbftext", "text/plain", "text"),
    (b"caf\xe9", "text/plain; charset=latin1", "café"),
    (b'["caf\xe9"]', "application/json; charset=latin1", '["café"]'),
    ("noncharacters \ufdd0go\ufdd1", "text/plain", "noncharacters go"),
]


@pytest.mark.parametrize(("body", "content_type", "text"), KINDS)
def test_every_kind_of_source_has_its_text(body, content_type, text):
    assert text_of(body, content_type) == text


REFUSED = [
    (b"\x89PNG", "image/png", "UNSUPPORTED_CONTENT_TYPE"),
    (b"text", "application/octet-stream", "UNSUPPORTED_CONTENT_TYPE"),
    (b"caf\xe9", "text/plain", "SOURCE_NOT_UTF8"),
    (b"caf\xe9", None, "SOURCE_NOT_UTF8"),
    (b'["caf\xe9"]', "application/json", "SOURCE_NOT_UTF8"),
    (b"<a>caf\xe9</a>", "text/xml", "SOURCE_NOT_UTF8"),
    (b"", "text/html", "SOURCE_HAS_NO_TEXT"),
    (b"  \n", "text/plain", "SOURCE_HAS_NO_TEXT"),
    (b"<a><b/></a>", "text/xml", "SOURCE_HAS_NO_TEXT"),
    (b">" * 100_000, "text/markdown", "HTML_PARSE_FAILED"),
    (b"- > " * 100_000, "text/markdown", "HTML_PARSE_FAILED"),
    (b"<a>" * 400_000, "text/xml", "HTML_PARSE_FAILED"),
]


@pytest.mark.parametrize(("body", "content_type", "code"), REFUSED)
def test_what_has_no_text_is_refused_in_one_line(body, content_type, code):
    with pytest.raises(SourceError) as raised:
        extract(body, content_type, WEB)
    assert raised.value.code == code
    assert raised.value.help
    assert "\n" not in raised.value.message


@pytest.mark.parametrize(
    "url", ["https://raw.example.org/README.md", "https://raw.example.org/a/x.MARKDOWN?raw=1"]
)
def test_markdown_that_is_served_as_plain_text_is_rendered(url):
    assert text_of("Some *emphasis*", "text/plain; charset=utf-8", url) == "Some emphasis"


MARKDOWN = """\
# The *first* title

One line
and `another
one` here.

## Second & more

- item
  goes on

```text
code one

code two
```

    indented

| a | b |
|---|---|
| c | d |

A note.[^1]

[^1]: What it says.

<div>raw
html</div>

# The first title
last
"""


def section(fragment: str) -> list[str] | None:
    extracted = extract(MARKDOWN.encode(), "text/markdown", "/repository/docs/page.md")
    window = extracted.sections.window(fragment, len(extracted.text))
    return None if window is None else without_added_marks(extracted.text[slice(*window)]).split()


HEADINGS = [
    ("the-first-title", "The", "html"),
    ("second--more", "Second", "html"),
    ("The-First-Title", "The", "html"),
    ("the-first-title-1", "The", "↩"),
]


@pytest.mark.parametrize(("fragment", "first", "last"), HEADINGS)
def test_a_heading_of_markdown_is_found_by_its_slug(fragment, first, last):
    words = section(fragment)
    assert words is not None
    assert (words[0], words[-1]) == (first, last)


LINES = [
    ("L1", "The first title"),
    ("L3", "One line"),
    ("L4", "and another one here."),
    ("L5", "and another one here."),
    ("L3-L5", "One line and another one here."),
    ("L5-L3", "One line and another one here."),
    ("L9-L10", "item goes on"),
    ("L10", "goes on"),
    ("L13", "code one"),
    ("L15", "code two"),
    ("L18", "indented"),
    ("L22", "c d"),
    ("L31-L32", "The first title last What it says. ↩"),
]


@pytest.mark.parametrize(("fragment", "words"), LINES)
def test_lines_of_markdown_are_those_of_its_source(fragment, words):
    assert section(fragment) == words.split()


@pytest.mark.parametrize("fragment", ["", "nothing", "L0", "L999", "page=1"])
def test_a_fragment_that_names_nothing_gives_no_range(fragment):
    assert section(fragment) is None


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/plain", "one\r\ntwo\rthree\nfour", "two\rthree\n"),
        (None, "one\ntwo\nthree\nfour", "two\nthree\n"),
        ("application/json", '["a\\nb",\n"c\\n",\n"d"\n]', '"c\n",\n"d"\n'),
    ],
)
def test_lines_of_plain_text_are_found(content_type, body, expected):
    extracted = extract(body.encode(), content_type, "/repository/notes")
    window = extracted.sections.window("L2-L3", len(extracted.text))
    assert window is not None
    assert extracted.text[slice(*window)] == expected


def test_a_local_page_keeps_its_anchors_and_a_web_page_does_not():
    html = b"<h2 id=a>Title</h2><p>text"
    assert "a" in extract(html, "text/html", "/repository/page.html").sections.headings
    assert extract(html, "text/html", WEB).sections.headings == {}


def test_a_local_file_without_a_known_type_is_text():
    assert text_of("<p>a", None, "/repository/template.tmpl") == "<p>a"
