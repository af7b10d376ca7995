"""No input stops a document from being read, and every span lies in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracecite_lint.documents import read_document
from tracecite_lint.model import Document, DocumentKind
from tracecite_lint.text.lines import Lines

PIECES = [
    *(
        "“",
        "”",
        '"',
        "«",
        "»",
        "「",
        "」",
        "„",
        "> ",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "|",
        "`",
        "```\n",
    ),
    *(
        "[",
        "](http://u.v)",
        "[t](http://u.v)",
        "([t](http://u.v))",
        "[^1]",
        "[^1]: ",
        "[1]",
        "【1】",
    ),
    *(
        "[1] http://u.v\n",
        "# References\n",
        '<blockquote cite="u">',
        "</blockquote>",
        '<q cite="u">',
    ),
    *(
        "</q>",
        "<!--",
        "-->",
        "<!-- tracecite-disable -->",
        '<a href="x">',
        "</a>",
        "\\",
        "&amp;",
        "&",
    ),
    *(
        "\t",
        "    ",
        "- ",
        "1. ",
        "---\n",
        "😀",
        "漢字",
        "。",
        "（",
        "）",
        "\x00",
        "\u2028",
        "\ufeff",
        "*",
    ),
    *("_", "~~", "{/* ", " */}", "<figure>", "</figure>", "— ", "> [!quote] ", "\n: ", "> Quote: "),
    *("> Source: ", "http://a.b/c。", "<br>", "\u200b", "|-|-|\n", "![i](u)", "three words here"),
    *("#:~:text=a,b", "\ud800", "claim: x\n", "quote: y\n", "url: z\n", " "),
]


def assert_sound(document: Document) -> None:
    lines = Lines(document.text)
    for item in (*document.citations, *document.diagnostics, *document.suppressions):
        span = item.span
        start = lines.offset(span.line, span.column)
        end = lines.offset(span.end_line, span.end_column)
        assert 0 <= start <= end <= len(document.text)
        assert lines.span(start, end) == span
    for citation in document.citations:
        assert citation.passages
        assert all(passage.strip() for passage in citation.passages)
        assert citation.source.uri
    spans = [citation.span for citation in document.citations]
    assert spans == sorted(spans)


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.sampled_from(["a.md", "a.mdx", "a.txt"]),
    st.booleans(),
)
@settings(max_examples=600)
def test_any_mixture_of_markup_is_read(text, path, eager):
    assert_sound(read_document(path, text, eager=eager))


@given(st.text(max_size=80))
@settings(max_examples=200)
def test_any_text_is_read(text):
    assert_sound(read_document("a.md", text))


@pytest.mark.parametrize(
    "text",
    [
        "> " * 3_000 + "“a b c” ([t](http://u.v))",
        ">" * 200_000,
        "> - " * 100_000,
        "\n".join("  " * level + "- “a b c d”" for level in range(300)),
        "[" * 20_000,
        "*a **b " * 10_000,
        '"' * 20_000,
        "“" * 20_000 + "”" * 20_000,
        ' "a' * 20_000,
        "“" + "a" * 500_000 + "” ([t](http://u.v))",
        "“a b c” " + "(" * 100_000,
        "“a b c”" + "." * 100_000,
        "“a b c”" + " " * 100_000 + "[t](http://u.v)",
        "<a " * 50_000,
        "<div>\n" + '<p a="' * 50_000,
        '<blockquote cite="u">\n\nx\n\n' * 1_000,
        "<!-- tracecite-disable " * 10_000,
        "{/* " * 50_000,
        "`a" * 20_000,
        "`" * 20_000,
        "|a" * 2_000 + "\n" + "|-" * 2_000 + "\n" + "|“b c d e”" * 2_000,
        "[t](http://u.v#:~:text=" + "a," * 50_000 + "b)",
        "&amp;" * 50_000,
        "---\n" + "a: b\n" * 20_000,
        "[a]: http://x\n" * 10_000,
        "> a" + "-" * 100_000 + " [t](http://u.v)",
        "> a!" + " " * 100_000 + "x [t](http://u.v)",
        "- [t](http://u.v)" + " " * 100_000 + "x “a b c d”",
        "“a b c d” ([t](http://u.v) " * 2_000,
        "quote: a" + " " * 100_000 + "b\nclaim: x\nurl: y",
        "“a b c d” " + "[1], " * 20_000,
        "<div>[a](b" + " " * 100_000 + "x",
        "> Note" + " " * 100_000 + "x\n>\n> — [t](http://u.v)",
        "[t](http://u.v) says" + " " * 100_000 + "(x)" + " " * 100_000 + "y:\n\n> a b c d",
        "> “a b c d” ([t](http://u.v))\n" * 2_000,
        "> “a b c d” [1]\n" * 2_000 + "\n# References\n\n1. <http://u.v>",
        "\x00" * 50_000,
        "",
        "\n" * 50_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_documents_are_read(text):
    assert_sound(read_document("a.md", text))
    assert_sound(read_document("a.mdx", text, eager=True))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", DocumentKind.MARKDOWN),
        ("dir.x/A.markdown", DocumentKind.MARKDOWN),
        ("a.mdx", DocumentKind.MARKDOWN),
        ("a.qmd", DocumentKind.MARKDOWN),
        ("a.Rmd", DocumentKind.MARKDOWN),
        ("a.RMD", DocumentKind.MARKDOWN),
        ("a.txt", DocumentKind.MARKDOWN),
        ("-", DocumentKind.MARKDOWN),
        ("a.jsonl", DocumentKind.UNKNOWN),
        ("LOG.JSONL", DocumentKind.UNKNOWN),
        ("a.Ndjson", DocumentKind.UNKNOWN),
        ("dir\\a.jsonl", DocumentKind.UNKNOWN),
    ],
)
def test_the_suffix_says_how_a_document_is_read(path, kind):
    assert read_document(path, "text").kind is kind
