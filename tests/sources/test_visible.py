"""The visible text of a page, case by case: what a browser shows with scripts off."""

import pytest

from tracecite_lint.model import MARKER_END, MARKER_START
from tracecite_lint.sources.visible import visible_text

INLINE_AND_BLOCK = [
    ("Hel<b>lo</b>", "Hello"),
    ("Hel<!-- a comment -->lo", "Hello"),
    ("long<wbr>word", "longword"),
    ("one<br>two", "one\ntwo"),
    ("one <br> two", "one\ntwo"),
    ("<ul><li>one<li>two</ul>", "one\ntwo"),
    ("<div>one</div><div>two</div>", "one\ntwo"),
    ("<p>one</p><p>two</p>", "one\n\ntwo"),
    ("one<p>two</p>three", "one\n\ntwo\n\nthree"),
    ("one<div></div>two", "one\ntwo"),
    ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
    ("<table><tr><td>a<td><td>c</table>", "a\t\tc"),
    ("<table><caption>t</caption><tr><td>a</table>", "t\na"),
    ("<dl><dt>term<dd>meaning</dl>", "term\nmeaning"),
    ("one<hr>two", "one\ntwo"),
    ("a <span> b </span> c", "a b c"),
    ("  a\n\t b  ", "a b"),
    ("a&nbsp;b", "a\xa0b"),
    ("soft&shy;hyphen", "soft\xadhyphen"),
    ("a <img alt=x> b", "a  b"),
    ("press<button> OK </button>now", "pressOKnow"),
    ("one<fieldset><legend>two</legend>three</fieldset>", "one\ntwo\nthree"),
    ("<h1>Title</h1>text", "Title\ntext"),
    ("<applet>a</applet>b", "ab"),
    ("<span>a<div>b</div>c</span>", "a\nb\nc"),
    ("<marquee>a</marquee>", "a"),
]
PREFORMATTED = [
    ("<pre>a  b\n  c</pre>", "a  b\n  c"),
    ("<pre>a\r\nb</pre>", "a\nb"),
    ("<pre>\na</pre>b", "a\nb"),
    ("<p style='white-space: pre-wrap'>a  b\nc", "a  b\nc"),
    ("<p style='white-space: pre-line'>a  b \n c", "a b\nc"),
    ("<pre style='white-space: normal'>a  b\nc</pre>", "a b c"),
]
ENTITIES = [
    ("&lt;b&gt; &amp;amp; &#39;&#x27;", "<b> &amp; ''"),
    ("&copy &notit; &unknown;", "© ¬it; &unknown;"),
    ("&#128; &#0;", "€ \ufffd"),
]
LEFT_OUT = [
    ("a<script>b</script>c", "ac"),
    ("a<style>b</style>c", "ac"),
    ("a<template>b</template>c", "ac"),
    ("a<iframe>b</iframe>c", "ac"),
    ("a<object>b</object>c", "ac"),
    ("a<canvas>b</canvas><video>c</video><audio>d</audio>e", "ae"),
    ("a<textarea>b</textarea><input value=c>d", "ad"),
    ("a<progress>b</progress><meter>c</meter>d", "ad"),
    ("a<datalist><option>b</datalist>c", "ac"),
    ("a<title>b</title>c", "ac"),
    ("a<dialog>b</dialog>c", "ac"),
    ("a<rp>b</rp>c", "ac"),
    ("a<p hidden>b</p>c", "ac"),
    ("a<div popover>b</div>c", "ac"),
    ("a<b style='display:none'>b</b>c", "ac"),
    ("a<b style='DISPLAY : None ! important; display: inline'>b</b>c", "ac"),
    ("a<b style='display:none; display:bogus'>b</b>c", "ac"),
    ("a<b style='/* ; */display:none'>b</b>c", "ac"),
    ("a<b style='visibility:hidden'>b</b>c", "ac"),
    ("a<tt style='visibility:collapse'>b</tt>c", "ac"),
    ("<svg><title>a</title><defs><text>b</text></defs>c<text>d</text></svg>", "d"),
    ("<math><semantics><mi>x</mi><annotation>y</annotation></semantics></math>", "x"),
    ("<select>a<option>b</select>", "b"),
    ("a\ufdd0b\ufdd1c&#xFDD0;d", "abcd"),
]
KEPT = [
    ("<noscript>a <b>b</b></noscript>", "a b"),
    ("<svg><text>a</text><text>b</text></svg>", "a\nb"),
    ("<svg><foreignObject><p>a<b>b</b></p></foreignObject></svg>", "ab"),
    ("<select><option>a<option>b</select>", "a\nb"),
    ("<b aria-hidden=true>a</b>", "a"),
    ("<details><summary>a</summary>b</details>", "a\nb"),
    ("<dialog open>a</dialog>", "a"),
    ("<p hidden style='display:block'>a</p>", "a"),
    ("<div style='visibility:hidden'>a<b style='visibility:visible'>b</b></div>", "b"),
    ("<b style='opacity:0'>a</b>", "a"),
    ("<b style='display:hidden'>a</b>", "a"),
    ("<body style='display:none'>a", "a"),
    ("<body style='visibility:hidden'>a<p>b", "a\n\nb"),
]
STYLED = [
    ("a<span style='display:block'>b</span>c", "a\nb\nc"),
    ("a<div style='display:inline'>b</div>c", "abc"),
    ("a<span style='float:left'>b</span>c", "a\nb\nc"),
    ("a<span style='position: absolute'>b</span>c", "a\nb\nc"),
    ("<div style='display:flex'><b>a</b><b>b</b></div>", "a\nb"),
    ("a<span style='display:inline-block'> b </span>c", "abc"),
    ("a<img style='display:block'>b", "a\nb"),
    ("<b style='text-transform:uppercase'>Maß</b>", "MASS"),
]


@pytest.mark.parametrize(
    ("html", "text"),
    [*INLINE_AND_BLOCK, *PREFORMATTED, *ENTITIES, *LEFT_OUT, *KEPT, *STYLED],
)
def test_the_text_is_what_a_reader_sees(html, text):
    assert visible_text(html).text == text


def marked(text: str) -> str:
    return text.replace("{", MARKER_START).replace("}", MARKER_END)


MARKERS = [
    ("word<sup>12</sup> next", "word{12} next"),
    ("word.<sup><a href='#n'>[3]</a></sup> Next", "word.{[3]} Next"),
    ("word<sup>1,2</sup><sup>a</sup>", "word{1,2}a"),
    ("word<sup class='reference'>a</sup>", "word{a}"),
    ("word<sup><a href='#b'>b</a></sup>", "word{b}"),
    ("word<a href='#b'><sup>b</sup></a>", "word{b}"),
    ("word<sup id=fn-ref>[nb 1]</sup>", "word{[nb 1]}"),
    ("word<a class='footnote-ref' href='#f'>1</a>.", "word{1}."),
    ("word<a role='doc-noteref' href='#f'>1</a>.", "word{1}."),
    ("word<sup>1 </sup> next", "word{1} next"),
    ("m<sup>2</sup>", "m{2}"),
    ("word<sup>[1]</sup><sup>: 45–46 </sup> next", "word{[1]}{: 45–46} next"),
    ("word<sup>[<i>kaynak belirtilmeli</i>]</sup> next", "word{[kaynak belirtilmeli]} next"),
    ("word<sup>[a] [b]</sup> next", "word[a] [b] next"),
    ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>の", "漢{かん}字{じ}の"),
    ("the 19<sup>th</sup> century", "the 19th century"),
    ("word<sup>1234</sup>", "word1234"),
    ("word<sup>®</sup>", "word®"),
    ("word<a href='#f'>1</a>", "word1"),
    ("<p>text</p><sup>1</sup> a footnote", "text\n\n1 a footnote"),
    ("word<sup hidden>1</sup>", "word"),
]


@pytest.mark.parametrize(("html", "text"), MARKERS)
def test_raised_numbers_are_marked(html, text):
    assert visible_text(html).text == marked(text)


ANCHORED = """<h1 id=top>Top</h1><p>zero</p>
<h2><a name=first></a>First</h2><p>one</p><h3 id=inner>Inner</h3><p>two</p>
<a id=before></a><h2>Second</h2><p id=para>three</p><a id=empty></a>four<h1 id=last>Last</h1>five"""
SECTIONS = [
    ("top", ["Top", "zero", "First", "one", "Inner", "two", "Second", "three", "four"]),
    ("first", ["First", "one", "Inner", "two"]),
    ("inner", ["Inner", "two"]),
    ("before", ["Second", "three", "four"]),
    ("para", ["three"]),
    ("empty", ["four"]),
    ("last", ["Last", "five"]),
]


@pytest.mark.parametrize(("name", "words"), SECTIONS)
def test_an_anchor_names_its_section(name, words):
    visible = visible_text(ANCHORED, positions=True)
    start, end = visible.anchors[name]
    assert visible.text[start:end].split() == words


def test_positions_are_not_kept_unless_asked_for():
    assert visible_text(ANCHORED).anchors == {}


def test_a_frameset_is_said_to_be_one():
    visible = visible_text("<frameset><frame src=a><noframes>b</noframes></frameset>")
    assert visible.frames
    assert visible.text == ""


def test_twelve_thousand_nested_elements_are_walked():
    assert visible_text("<div>" * 12000 + "deep" + "</div>" * 12000).text == "deep"
