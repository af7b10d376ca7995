"""The shapes that are off by default: a link before the quotation, around it, or anywhere near it.

Most strings in quotation marks that have a link near them are titles, terms and irony; who wants these read too gets the
nearest link, and more false alarms.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

from tracecite_lint.documents.citing.lead_ins import before
from tracecite_lint.documents.citing.source_links import Source, is_source, source_of
from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.flow import Flow, Link
from tracecite_lint.documents.markup.pairs import Pair, is_short, is_title
from tracecite_lint.documents.markup.sentences import LONGEST, sentence_end, sentence_start

_FRONT_MATTER = re.compile(
    r"^(?:source|source[_-]?url|ref|reference|citation)[ \t]*[:=][ \t]*[\"']?(?P<uri>https?://[^\s\"']+)",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKED_AT = 50
"""How many links to each side are looked at for one that can be a source."""


def front_matter_sources(tree: Tree) -> list[Source]:
    """Return the source that the front matter of a document names."""
    match = _FRONT_MATTER.search(tree.front_matter)
    if match is None:
        return []
    start, end = match.span("uri")
    return [Source(match["uri"], tree.front_matter_start + start, tree.front_matter_start + end)]


def eager_sources(flow: Flow, pair: Pair, fallback: Sequence[Source]) -> list[Source]:
    """Return the source that a quotation may have: the link it stands in, or the nearest one of its paragraph."""
    words = flow.words(*pair.inner)
    if is_short(words) or is_title(words):
        return []
    around = flow.link_around(pair.start, pair.end) or flow.link_around(*flow.trimmed(*pair.inner))
    if around is not None and is_source(around):
        return [source_of(around)]
    nearest = _nearest(flow, pair)
    return [source_of(nearest)] if nearest is not None else list(fallback)


def _nearest(flow: Flow, pair: Pair) -> Link | None:
    """Return the last link before the pair in its sentence, else one behind it there, else the same in the paragraph."""
    before = _last_source(flow, pair.start)
    behind = next(_sources_from(flow, pair.end), None)
    if before is None or behind is None:
        return before or behind
    start = sentence_start(flow.text, pair.start, max(pair.start - LONGEST, 0))
    if before.end <= start and behind.start < sentence_end(flow.text, pair.end):
        return behind
    return before


def _last_source(flow: Flow, at: int) -> Link | None:
    index = bisect_left(flow.links, at, key=lambda link: link.start)
    return next(
        (
            link
            for link in reversed(flow.links[max(index - _LOOKED_AT, 0) : index])
            if is_source(link) and link.end <= at
        ),
        None,
    )


def _sources_from(flow: Flow, at: int) -> Iterator[Link]:
    return (
        link
        for link in islice(flow.links_within(at, len(flow.text) + 1), _LOOKED_AT)
        if is_source(link)
    )


def eager_blockquote_sources(block: Block, fallback: Sequence[Source]) -> list[Source]:
    """Return the source that a blockquote may have: the last link of the paragraph before it."""
    previous = before(block)
    if previous is not None and previous.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
        links = [link for link in previous.flow.links if is_source(link)]
        if links:
            return [source_of(links[-1])]
    return list(fallback)
