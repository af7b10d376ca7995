"""The shapes that are off by default: a link before the quotation, around it, or anywhere near it.

Most strings in quotation marks that have a link near them are titles, terms and irony; who wants these read too gets the
nearest link, and more false alarms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tracecite_lint.documents.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.flow import Flow, Link
from tracecite_lint.documents.lead_ins import before
from tracecite_lint.documents.quotation_marks import Pair, is_short, is_title
from tracecite_lint.documents.sentences import sentence_end, sentence_start
from tracecite_lint.documents.source_links import Source, is_source, source_of

_FRONT_MATTER = re.compile(
    r"^(?:source|source[_-]?url|ref|reference|citation)[ \t]*[:=][ \t]*[\"']?(?P<uri>https?://[^\s\"']+)",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE_LIMIT = 1_000
"""How far, in characters, the ends of a sentence are looked for."""


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
    links = [link for link in flow.links if is_source(link)]
    nearest = _nearest(flow, pair, links)
    return [source_of(nearest)] if nearest is not None else list(fallback)


def _nearest(flow: Flow, pair: Pair, links: Sequence[Link]) -> Link | None:
    """Return the last link before the pair in its sentence, else one behind it there, else the same in the paragraph."""
    start = sentence_start(flow.text, pair.start, max(pair.start - _SENTENCE_LIMIT, 0))
    end = sentence_end(flow.text[: pair.end + _SENTENCE_LIMIT], pair.end)
    earlier = [link for link in links if link.end <= pair.start]
    later = [link for link in links if link.start >= pair.end]
    for candidates in (
        [link for link in earlier if link.end > start][-1:],
        [link for link in later if link.start < end][:1],
        earlier[-1:],
        later[:1],
    ):
        if candidates:
            return candidates[0]
    return None


def eager_blockquote_sources(block: Block, fallback: Sequence[Source]) -> list[Source]:
    """Return the source that a blockquote may have: the last link of the paragraph before it."""
    previous = before(block)
    if previous is not None and previous.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
        links = [link for link in previous.flow.links if is_source(link)]
        if links:
            return [source_of(links[-1])]
    return list(fallback)
