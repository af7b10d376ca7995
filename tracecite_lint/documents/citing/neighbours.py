"""Quotations whose source stands in another block: another cell of the row, the paragraph or the item before."""

from __future__ import annotations

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.citing.attributions import attribution_sources
from tracecite_lint.documents.citing.lead_ins import after, lead_in_source, skipping_pictures
from tracecite_lint.documents.citing.references import References, SourcesFound
from tracecite_lint.documents.citing.source_links import source_links, source_of
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, once
from tracecite_lint.documents.markup.pairs import Pair, is_short, is_title
from tracecite_lint.model import Shape

_COLUMNS = 50
"""In a wider table no cell is looked for that holds the source of another."""
_AROUND = 20
"""How many characters of white space and punctuation may stand around a quotation that stands alone."""


def _is_alone(flow: Flow, pair: Pair, words: str) -> bool:
    """Tell whether *flow* is nothing but the quotation."""
    if len(flow.text) - (pair.end - pair.start) > _AROUND:
        return False
    outside = flow.text[: pair.start] + flow.text[pair.end :]
    return not outside.strip(" \t\n*_.。,") and not is_short(words)


def table_row(block: Block, pair: Pair, words: str) -> SourcesFound | None:
    """One cell is the quotation, another one holds the link."""
    row = block.parent
    if block.kind is not BlockKind.CELL or row is None or not _is_alone(block.flow, pair, words):
        return None
    if len(row.children) > _COLUMNS:
        return None
    if is_title(words):
        return None
    cells = [cell for cell in row.children if cell is not block]
    linked = [cell for cell in cells if source_links(cell.flow)]
    named = [cell for cell in linked if _is_source_column(cell)]
    chosen = named or [cell for cell in linked if _is_mostly_link(cell.flow)] or linked
    if len(chosen) != 1 or any(cell.flow.pairs() for cell in chosen):
        return None
    return SourcesFound([source_of(source_links(chosen[0].flow)[0])], Shape.TABLE)


def _is_source_column(cell: Block) -> bool:
    row = cell.parent
    header = row.parent.children[0] if row is not None and row.parent is not None else None
    if header is None or cell.index >= len(header.children):
        return False
    return _names_sources(header.children[cell.index])


@once
def _names_sources(header: Block) -> bool:
    title = header.flow.text
    return bool(title.strip()) and cues.SOURCE_LABEL.fullmatch(title.strip(" \t*_")) is not None


@once
def _is_mostly_link(flow: Flow) -> bool:
    linked = sum(link.end - link.start for link in flow.links)
    return 2 * linked >= len(flow.text.strip())


def alone_by_its_source(
    block: Block, pair: Pair, words: str, references: References
) -> SourcesFound | None:
    """A paragraph or list item that is nothing but a quotation, right after (or before) what gives its source."""
    if block.kind is not BlockKind.PARAGRAPH or not _is_alone(block.flow, pair, words):
        return None
    if is_title(words):
        return None
    item = block.parent
    if item is not None and item.kind is BlockKind.ITEM and not block.index:
        outer = item.parent.parent if item.parent is not None else None
        if outer is None or outer.kind is not BlockKind.ITEM:
            return None
        lead = outer.children[0]
        link = _last_link(lead) if lead.kind is BlockKind.PARAGRAPH else None
        return SourcesFound([source_of(link)], Shape.LEAD_IN) if link is not None else None
    following = after(block)
    if following is not None and following.kind is BlockKind.PARAGRAPH:
        flow = following.flow
        credit = attribution_sources(flow, *flow.trimmed(0, len(flow.text)), bare=True)
        if credit:
            return SourcesFound(credit, Shape.SOURCE_AFTER)
    previous = skipping_pictures(block)
    if previous is None or previous.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING):
        return None
    sources = lead_in_source(previous, references)
    return SourcesFound(sources, Shape.LEAD_IN) if sources else None


@once
def _last_link(lead: Block) -> Link | None:
    """Return the link that a list item ends in."""
    links = source_links(lead.flow)
    if not links or lead.flow.text[links[-1].end :].strip(" \t\n*_.:：。)"):
        return None
    return links[-1]
