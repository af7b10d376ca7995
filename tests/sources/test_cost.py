"""The bound on what a page costs to parse: hostile markup is over it, ordinary markup far below."""

import pytest

from tracecite_lint.sources.cost import parse_cost
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import MAX_PARSE_COST, extract

SIZE = 2 * 1024 * 1024


def filled(unit: str) -> str:
    return unit * (SIZE // len(unit))


def numbered(template: str) -> str:
    return "".join(template % number for number in range(SIZE // len(template) // 2))


HOSTILE = [
    filled("<div>"),
    filled("<ul><li>"),
    filled("<b>"),
    filled("<p><b>x"),
    numbered("<p><b a%d>x"),
    numbered("<font size=%d>x"),
    filled("<a><div>"),
    filled("<b><div></b>"),
    filled("<nobr>"),
    "<span>" * (SIZE // 12) + "</i>" * (SIZE // 8),
    "<svg>" + "<g>" * (SIZE // 6) + "</x>" * (SIZE // 8),
    "<div " + numbered("a%d ") + ">",
    "<div " + numbered("a%d='>' ") + ">",
    "<div " + numbered("a%d=\"<b>\"b='>'/") + ">",
    "<div x='>' " + numbered("a%d ") + ">",
    numbered("<html a%d>"),
    filled("<rt></x>"),
    filled("<span><li></span><span><dd></span>"),
    filled("<tr><li></tr><tr><dd></tr>"),
    "<rt>" * (SIZE // 8) + "</div>" * (SIZE // 12),
    "<svg><script>" + "<g>" * (SIZE // 4),
    filled("<div></p>"),
    filled("<table><div></div></table><i>"),
    filled("<i></i>"),
]


@pytest.mark.parametrize("html", HOSTILE)
def test_hostile_markup_is_refused(html):
    with pytest.raises(SourceError) as raised:
        extract(html.encode(), "text/html", "https://example.org/")
    assert raised.value.code == "HTML_PARSE_FAILED"


PARAGRAPH = "<p class='text'>Some <b>bold</b> and <i>other</i> <a href='/x?y=1'>words</a>.<br>"
ORDINARY = [
    "<div>" * 12000 + "deep" + "</div>" * 12000,
    PARAGRAPH * 5000,
    "<ul>" + "<li>item<p>text" * 10000 + "</ul>",
    "<table>" + "<tr><td>a<td>b<td><font color=red>c</font>" * 10000 + "</table>",
    "<p>" + "word " * (SIZE // 5),
    '<div data-html="<p>a</p><p>b</p>" title="a > b">text</div>' * 5000,
    "<script>" + "if (a<b && c>d) e = 'x>';\n" * 20000 + "</script>text",
]


@pytest.mark.parametrize("html", ORDINARY)
def test_ordinary_markup_is_read(html):
    assert extract(html.encode(), "text/html", "https://example.org/").text


def test_equal_formatting_elements_count_three_times_at_most():
    few = parse_cost("<p><b>x" * 3, MAX_PARSE_COST) // 3
    many = parse_cost("<div><b>x</div>" * 300, MAX_PARSE_COST) // 300
    assert many < 3 * few
