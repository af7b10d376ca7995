"""The text of JSON and XML sources."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

from tracecite_lint.light.lazy import regex

_JSON_STRING = regex(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)', re.DOTALL)

# No XML parser: a feed that is not well-formed is read all the same, and no entity becomes more than a character.
_XML_DOCTYPE = regex(
    r"\A(?:\s++|<\?(?>.*?\?>)|<!--(?>.*?-->))*+<!DOCTYPE[^<>\[]*+(?:\[(?>.*?\]\s*+>)|>)",
    re.DOTALL | re.IGNORECASE,
)
_XML_TOKEN = regex(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)"
    r"|<(?P<closing>/?)(?P<name>[^\s/>!?<]+)(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+>|(?P<text>[^<]+|<+(?=<)|<[^<]*)",
    re.DOTALL,
)
_FEEDS = frozenset(["rss", "feed", "rdf:rdf"])
_MARKUP = regex(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")
_UNSEEN = frozenset(["script", "style"])


def json_text(source: str) -> str:
    """Return *source*, JSON or a line of it, with the escapes inside its strings decoded; all else as it is."""
    return _JSON_STRING.sub(_decoded_string, source) if "\\" in source else source


def _decoded_string(match: re.Match[str]) -> str:
    if "\\" not in match[0]:
        return match[0]
    try:
        # strict=False: raw control characters in strings are against RFC 8259 and common in logs.
        decoded: str = json.loads(match[0], strict=False)
    except ValueError:
        return match[0]
    # A lone surrogate escape stands for no character.
    return '"' + decoded.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") + '"'


def xml_text(source: str, markup_text: Callable[[str], str]) -> str:
    """Return the text of an XML document, its elements on lines of their own.

    Elements beside text of their parent are inline. In a feed (RSS, Atom), text that is HTML itself goes through
    *markup_text*.
    """
    doctype = _XML_DOCTYPE.match(source)
    tokens = list(_XML_TOKEN.finditer(source, doctype.end() if doctype else 0))
    # XML has no display values: `<p>one <b>two</b></p>` is one line, `<row><a>1</a><b>2</b></row>` is three.
    inline = _mixed_elements(tokens)
    feed = False
    parts: list[str] = []
    stack: list[tuple[str, bool]] = [("", False)]
    for index, token in enumerate(tokens):
        name = token["name"]
        if name is None:
            if stack[-1][0] not in _UNSEEN:
                text = _characters(token)
                parts.append(markup_text(text) if feed and _MARKUP.search(text) else text)
            continue
        name = name.lower()
        if len(stack) == 1 and not token["closing"]:
            feed = name in _FEEDS
        if token["closing"]:
            if len(stack) > 1:
                stack.pop()
            parts.append("" if stack[-1][1] else "\n")
            continue
        parts.append("" if stack[-1][1] else "\n")
        if not token[0].endswith("/>"):
            stack.append((name, index in inline))
    return re.sub(r"[ \t]*\n\s*", "\n", "".join(parts)).strip()


def _characters(token: re.Match[str]) -> str:
    if token["cdata"] is not None:
        return token["cdata"]
    return html.unescape(token["text"] or "")


def _mixed_elements(tokens: list[re.Match[str]]) -> set[int]:
    """Return the indexes of the start tags whose elements hold text of their own beside elements."""
    mixed: set[int] = set()
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token["name"] is None:
            if stack and _characters(token).strip():
                mixed.add(stack[-1])
        elif token["closing"]:
            if stack:
                stack.pop()
        elif not token[0].endswith("/>"):
            stack.append(index)
    return mixed
