"""Which links can be sources, and which of several links in one place is meant."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from tracecite_lint.documents.markup.flow import START, Flow, Link, once
from tracecite_lint.documents.vocabulary import is_aside, is_source_word, is_ticket
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.naming.uris import is_profile

MOST_SOURCES = 20
"""Links of one footnote or parenthesis that are sources of a quotation: with more it would be a list of what to read."""
_APART = 20
_LONGEST = 600
"""Characters of a parenthesis behind its first link."""
_JOINING = regex(r"[)）]?[\s,;/&|、，；和]*(?:(?:and|und|y|e|et)\s+)?[(（]?")
_AGAIN = regex(r"[)）]\s?[(（]")
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
def work_links(flow: Flow) -> list[Link]:
    """Return the links of *flow* that can be sources and are no person's own page, in order."""
    return [link for link in flow.links if is_work(link)]


def is_work(link: Link) -> bool:
    """Tell whether *link* can be a source and is no person's own page."""
    return is_source(link) and not is_profile(link.url)


def only_profiles(sources: list[Source]) -> bool:
    """Tell whether none of *sources* is more than somebody's own page; so it is of none at all."""
    return all(is_profile(source.uri) for source in sources)


def links_behind(flow: Flow, at: int, reach: int, *, sentence: bool) -> Iterator[Link]:
    """Yield the links from *at* on, no further than *reach* characters, that may be the source of words before them.

    The number of an issue or the hash of a commit stands behind the title of a change (`revert “fix it” (#12)`); behind a
    whole *sentence* it is where somebody wrote it.
    """
    links = work_links(flow) if sentence else _without_tickets(flow)
    index = bisect_left(links, at, key=START)
    while index < len(links) and links[index].start <= at + reach:
        yield links[index]
        index += 1


@once
def _without_tickets(flow: Flow) -> list[Link]:
    return [link for link in work_links(flow) if not is_ticket(flow.text[link.start : link.end])]


def sources_in_parentheses(flow: Flow, opening: int, first: Link) -> list[Source]:
    """Return the sources in a parenthesis, or in several side by side: the first link, and others that are named like one."""
    end = _closing(flow.text, opening, first.end)
    while again := _AGAIN.match(flow.text, end):
        end = _closing(flow.text, again.end() - 1, again.end())
    return sources_together(flow, first, end)


def sources_together(flow: Flow, first: Link, end: int) -> list[Source]:
    """Return *first* and the links up to *end* that stand right beside one another and are named like a source."""
    sources = [source_of(first)]
    first_label = flow.words(first.start, first.end)
    previous = first
    for link in flow.links_within(max(first.end, first.start + 1), end):
        if len(sources) >= MOST_SOURCES:
            break
        between = flow.text[previous.end : min(link.start, previous.end + _APART)]
        if _JOINING.fullmatch(between) is None:
            break
        label = flow.words(link.start, link.end)
        alike = label.casefold() == first_label.casefold() or is_source_word(label)
        plain = not is_source_word(first_label) and not is_aside(label)
        if is_source(link) and (alike or plain):
            sources.append(source_of(link))
        previous = link
    return sources


def _closing(text: str, opening: int, start: int) -> int:
    end = min(start + _LONGEST, len(text))
    at = text.find(_CLOSERS[text[opening]], start, end)
    return end if at == -1 else at
