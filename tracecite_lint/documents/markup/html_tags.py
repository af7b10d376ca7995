"""HTML inside Markdown: its tags and texts with their offsets, which the HTML parser of the sources does not give."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.documents.markup.entities import unescape
from tracecite_lint.light.lazy import dataclass, regex

_NAME = regex(r"<(/?)([A-Za-z][^\s/>]*)")
_ATTRIBUTE = regex(
    r"([^\s\"'<>/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|\{\s*[\"'`]([^\"'`}]*)[\"'`]\s*\}|([^\s\"'=<>`]+)))?"
)
_QUOTE_OR_END = regex("[\"'>]")


MOST_NESTED = 10
"""Elements of a kind in one another that are told apart: links in links, quotations in quotations."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of HTML from `start` to `end`: a tag when it has a `name`, else text."""

    start: int
    end: int
    name: str = ""
    closing: bool = False


def tag_of(raw: str) -> tuple[str, bool]:
    """Return the lower-case name of the tag *raw* (empty if it is none) and whether it is a closing one."""
    match = _NAME.match(raw)
    return (match[2].lower(), bool(match[1])) if match else ("", False)


def attributes(raw: str) -> dict[str, str]:
    """Return the attributes of the tag *raw*, entities decoded; the first of two with the same name counts.

    A string in braces (`cite={"…"}`) is what JSX, in MDX, makes of an attribute.
    """
    found: dict[str, str] = {}
    head = _NAME.match(raw)
    for match in _ATTRIBUTE.finditer(raw, head.end() if head else 0):
        value = next((group for group in match.groups()[1:] if group is not None), "")
        found.setdefault(match[1].lower(), unescape(value))
    return found


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """Yield the tags and texts from *start* to *end*; comments and declarations are left out.

    One pass over the text. A comment or a tag that is never closed swallows the rest, as it does in a browser.
    """
    at = start
    while at < end:
        opening = text.find("<", at, end)
        while (
            opening != -1
            and not text.startswith(("<!", "<?"), opening)
            and not _NAME.match(text, opening)
        ):
            opening = text.find("<", opening + 1, end)
        if opening == -1:
            yield Token(at, end)
            return
        if opening > at:
            yield Token(at, opening)
        if text.startswith("<!--", opening):
            closing = text.find("-->", opening + 4, end)
            at = end if closing == -1 else closing + 3
        elif text.startswith(("<!", "<?"), opening):
            closing = text.find(">", opening, end)
            at = end if closing == -1 else closing + 1
        else:
            at = _tag_end(text, opening, end)
            name, closes = tag_of(text[opening : min(at, opening + 64)])
            yield Token(opening, at, name, closes)


def _tag_end(text: str, start: int, end: int) -> int:
    at = start
    while True:
        match = _QUOTE_OR_END.search(text, at, end)
        if match is None:
            return end
        if match[0] == ">":
            return match.end()
        closing = text.find(match[0], match.end(), end)
        if closing == -1:
            return end
        at = closing + 1
