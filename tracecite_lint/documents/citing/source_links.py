"""Which links can be sources, and which of several links in one place is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.markup.flow import Flow, Link, once

MOST_SOURCES = 20
"""Links of one footnote or parenthesis that are sources of a quotation: with more it would be a list of what to read."""
_APART = 20
_LONGEST = 600
"""Characters of a parenthesis behind its first link."""
_JOINING = re.compile(r"[\s,;/&|、，；和]*(?:(?:and|und|y|e|et)\s+)?")
_CLOSERS = {"(": ")", "（": "）", "[": "]", "［": "］", "【": "】"}


@dataclass(frozen=True, slots=True)
class Source:
    """A source as found in the document: its URI and its place there (offsets)."""

    uri: str
    start: int
    end: int
    title: str = ""


def source_of(link: Link) -> Source:
    """Return the source that *link* names."""
    return Source(link.url, link.source_start, link.source_end, link.title)


def is_source(link: Link) -> bool:
    """Tell whether *link* can be a source at all: it leads somewhere else and is more than a picture."""
    return bool(link.url) and not link.url.startswith(("#", "mailto:")) and not link.image


@once
def source_links(flow: Flow) -> list[Link]:
    """Return the links of *flow* that can be sources, in order."""
    return [link for link in flow.links if is_source(link)]


def sources_in_parentheses(flow: Flow, opening: int, first: Link) -> list[Source]:
    """Return the sources in a parenthesis: its first link, and others that are named like one."""
    closing = _closing(flow.text, opening, first.end)
    sources = [source_of(first)]
    first_label = flow.words(first.start, first.end)
    previous = first
    for link in flow.links_within(first.end, closing):
        if len(sources) >= MOST_SOURCES:
            break
        if (
            _JOINING.fullmatch(flow.text[previous.end : min(link.start, previous.end + _APART)])
            is None
        ):
            break
        label = flow.words(link.start, link.end)
        alike = label.casefold() == first_label.casefold() or cues.is_source_word(label)
        plain = not cues.is_source_word(first_label) and not cues.is_aside(label)
        if is_source(link) and (alike or plain):
            sources.append(source_of(link))
        previous = link
    return sources


def _closing(text: str, opening: int, start: int) -> int:
    end = min(start + _LONGEST, len(text))
    at = text.find(_CLOSERS[text[opening]], start, end)
    return end if at == -1 else at
