"""What the html and markdown reports may be made of: every element, attribute and address in them is one of ours."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import comrak
from selectolax.lexbor import LexborHTMLParser

TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "link",
    "style",
    "body",
    "header",
    "h1",
    "h2",
    "h3",
    "p",
    "section",
    "span",
    "div",
    "ul",
    "ol",
    "li",
    "b",
    "i",
    "bdi",
    "small",
    "svg",
    "rect",
    "details",
    "summary",
    "a",
    "form",
    "input",
    "select",
    "fieldset",
    "legend",
    "output",
    "button",
    "dialog",
    "dl",
    "dt",
    "dd",
    "kbd",
    "main",
    "article",
    "figure",
    "figcaption",
    "blockquote",
    "mark",
    "del",
    "ins",
    "q",
    "time",
    "code",
    "footer",
    "script",
}
ATTRIBUTES = {
    "charset",
    "content",
    "name",
    "http-equiv",
    "rel",
    "href",
    "lang",
    "class",
    "id",
    "viewbox",
    "preserveaspectratio",
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "aria-haspopup",
    "x",
    "width",
    "height",
    "title",
    "role",
    "hidden",
    "type",
    "placeholder",
    "autocomplete",
    "spellcheck",
    "method",
    "tabindex",
    "datetime",
    "data-v",
    "data-c",
    "data-h",
    "data-f",
}


def parsed(page: str) -> LexborHTMLParser:
    """Return *page* as a browser reads it."""
    return LexborHTMLParser(page)


def assert_only_ours(page: str) -> None:
    """Assert that *page* holds nothing that a browser would obey but what this project has put there."""
    tree = parsed(page)
    for node in tree.root.traverse():
        assert node.tag in TAGS | {"-text", "!doctype"}, node.html
        assert {name.lower() for name in node.attributes} <= ATTRIBUTES, node.html
        address = node.attributes.get("href")
        assert address is None or re.match(r"https?://|#|data:,$|[^:#]*(?:[/#]|$)|\./", address), (
            node.html
        )
    (script,), (style,) = tree.css("script"), tree.css("style")
    (policy,) = (
        node.attributes["content"]
        for node in tree.css("meta")
        if node.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for node, rule in ((script, "script-src"), (style, "style-src")):
        digest = b64encode(sha256(node.text().encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def shown_by_markdown(report: str) -> str:
    """Return *report* as HTML, with everything that GitHub reads."""
    return comrak.markdown_to_html(
        report,
        comrak.ExtensionOptions(
            table=True, autolink=True, strikethrough=True, math_dollars=True, tasklist=True
        ),
        render_options=comrak.RenderOptions(unsafe_=True),
    )
