"""Quotations whose source stands in another block: another cell of the row, the paragraph or the item before or behind."""

from __future__ import annotations

from tracecite_lint.documents.citing.attributions import attribution_sources
from tracecite_lint.documents.citing.candidate import Candidate, Hit, rule
from tracecite_lint.documents.citing.lead_ins import (
    after,
    lead_in_source,
    leads_with_link,
    skipping_pictures,
)
from tracecite_lint.documents.citing.links import is_source, is_work, source_of
from tracecite_lint.documents.citing.not_quoted import short, term, title
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, once
from tracecite_lint.documents.vocabulary import (
    QUOTE_COLUMN,
    QUOTE_LINE,
    SOURCE_LABEL,
    SOURCE_LINE_LABEL,
)
from tracecite_lint.model import Shape

_COLUMNS = 50
"""In a wider table no cell is looked for that holds the source of another."""
_AROUND = 20
"""How many characters of white space and punctuation may stand around a quotation that stands alone."""
_LABEL = 40
"""Characters of a label before a quotation."""
_SIBLINGS = 6
"""How many items away the line with the source may be."""


def _is_alone(c: Candidate) -> bool:
    """Tell whether a text is nothing but the quotation."""
    if len(c.flow.text) - (c.end - c.start) > _AROUND:
        return False
    return not (c.flow.text[: c.start] + c.flow.text[c.end :]).strip(" \t\n*_.。,!")


@rule(Shape.TABLE, unless=(short, title))
def table_row(c: Candidate) -> Hit | None:
    """The words are all of a cell, or stand in a column of quotations; another cell of the row holds the link.

    ```markdown
    | Claim | Quotation | Source |
    |---|---|---|
    | Nobody reads it | “The cache is never read again” | [essay](https://example.org/essay) |
    ```
    """
    row = c.block.parent
    if c.block.kind is not BlockKind.CELL or row is None or len(row.children) > _COLUMNS:
        return None
    if not _is_alone(c) and not is_quote_column(c.block):
        return None
    cells = [cell for cell in row.children if cell is not c.block]
    linked = [cell for cell in cells if any(is_source(link) for link in cell.flow.links)]
    named = [cell for cell in linked if _is_source_column(cell)]
    chosen = named or [cell for cell in linked if _is_mostly_link(cell.flow)] or linked
    if len(chosen) == 1 and not chosen[0].flow.pairs():
        link = next(link for link in chosen[0].flow.links if is_source(link))
        return Hit([source_of(link)])
    referring = [cell for cell in cells if _is_source_column(cell)]
    if len(referring) == 1:
        flow = referring[0].flow
        return Hit(c.reading.references.in_range(flow, 0, len(flow.text)))
    return None


@rule(Shape.TABLE, unless=(term, title))
def source_column(c: Candidate) -> Hit | None:
    """A column of the table is titled `Source`, and the row has one link there: so is what the other cells quote.

    ```markdown
    | Terms | Source |
    |---|---|
    | They stop “whenever the law requires them to” | [terms](https://example.org/terms) |
    ```
    """
    row = c.block.parent
    if c.block.kind is not BlockKind.CELL or row is None or len(row.children) > _COLUMNS:
        return None
    named = [cell for cell in row.children if cell is not c.block and _is_source_column(cell)]
    links = [link for cell in named for link in cell.flow.links if is_work(link)]
    return Hit([source_of(links[0])]) if len(links) == 1 else None


def is_quote_column(cell: Block) -> bool:
    """Tell whether *cell* stands in a column whose title says that it holds quotations, below that title."""
    title = _column_title(cell)
    return title is not None and QUOTE_COLUMN.fullmatch(title) is not None


def _is_source_column(cell: Block) -> bool:
    title = _column_title(cell)
    return title is not None and SOURCE_LABEL.fullmatch(title.strip(" \t*_")) is not None


def _column_title(cell: Block) -> str | None:
    row = cell.parent
    header = row.parent.children[0] if row is not None and row.parent is not None else None
    if header is None or header is row or cell.index >= len(header.children):
        return None
    return header.children[cell.index].flow.text.strip() or None


@once
def _is_mostly_link(flow: Flow) -> bool:
    linked = sum(link.end - link.start for link in flow.links)
    return 2 * linked >= len(flow.text.strip())


@rule(Shape.LEAD_IN, unless=(short, title))
def below_item(c: Candidate) -> Hit | None:
    """The words are all of a list item, and the item around it ends in the link.

    ```markdown
    - Caches <https://example.org/essay>
      - “The cache is never read again.”
    ```
    """
    item = c.block.parent
    if item is None or item.kind is not BlockKind.ITEM or c.block.index or not _is_alone(c):
        return None
    outer = item.parent.parent if item.parent is not None else None
    if outer is None or outer.kind is not BlockKind.ITEM:
        return None
    lead = outer.children[0]
    link = _last_link(lead) if lead.kind is BlockKind.PARAGRAPH else None
    return Hit([source_of(link)]) if link is not None else None


@once
def _last_link(lead: Block) -> Link | None:
    """Return the link that a list item ends in."""
    links = [link for link in lead.flow.links if is_source(link)]
    if not links or lead.flow.text[links[-1].end :].strip(" \t\n*_.:：。)"):
        return None
    return links[-1]


def _is_paragraph_alone(c: Candidate) -> bool:
    """Tell whether a paragraph is nothing but the quotation; an item of a list has no neighbours of this kind."""
    parent = c.block.parent
    in_item = parent is not None and parent.kind is BlockKind.ITEM and not c.block.index
    return c.block.kind is BlockKind.PARAGRAPH and not in_item and _is_alone(c)


@rule(Shape.LEAD_IN, unless=(term, title))
def led_in_list(c: Candidate) -> Hit | None:
    """The list in which the words stand is led in by a paragraph with the link and a colon.

    ```markdown
    These are the aims (via [Smith](https://example.org/essay)):

    - **First**: “The cache is never read again.”
    ```
    """
    item = c.block.parent
    if item is None or item.kind is not BlockKind.ITEM or item.parent is None:
        return None
    lead = item.parent.previous()
    if lead is None or lead.kind is not BlockKind.PARAGRAPH or not leads_with_link(lead):
        return None
    if any(map(is_work, c.flow.links)):
        return None
    return Hit(lead_in_source(lead, c.reading.references))


@rule(Shape.SOURCE_AFTER, unless=(short, title))
def alone_before_source(c: Candidate) -> Hit | None:
    """The words are all of a paragraph, and the next is a credit.

    ```markdown
    “The cache is never read again.”

    — [Jane Smith](https://example.org/essay)
    ```
    """
    following = after(c.block) if _is_paragraph_alone(c) else None
    if following is None or following.kind is not BlockKind.PARAGRAPH:
        return None
    flow = following.flow
    return Hit(attribution_sources(flow, *flow.trimmed(0, len(flow.text)), bare=True))


@rule(Shape.LEAD_IN, unless=(short, title))
def alone_behind_lead_in(c: Candidate) -> Hit | None:
    """The words are all of a paragraph, and the one before leads in.

    ```markdown
    As Smith [wrote](https://example.org/essay):

    “The cache is never read again.”
    ```
    """
    previous = skipping_pictures(c.block) if _is_paragraph_alone(c) else None
    if previous is None or previous.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING):
        return None
    return Hit(lead_in_source(previous, c.reading.references))


@rule(Shape.INLINE, unless=(short,))
def source_line(c: Candidate) -> Hit | None:
    """The words are all of a line, and a line that begins with `Source:` stands with it.

    ```markdown
    - Quote: “The cache is never read again.”
    - Source: [A day without a cache](https://example.org/essay)
    ```
    """
    line = c.flow.text.rfind("\n", max(c.start - _LABEL, 0), c.start) + 1
    before = c.flow.text[line or max(c.start - _LABEL, 0) : c.start]
    if before.strip(" *_-") and QUOTE_LINE.fullmatch(before) is None:
        return None
    if c.flow.text[c.end : c.end + 3].strip(" .*_") and "\n" not in c.flow.text[c.end : c.end + 2]:
        return None
    link = _link_of_line(c.flow, c.flow.text.rfind("\n", 0, line - 1) + 1, line) if line else None
    link = link or _link_of_sibling(c.block)
    return Hit([source_of(link)]) if link is not None else None


def _link_of_sibling(block: Block) -> Link | None:
    """Return the link of the item with the source: those of a list come all before their quotations, or all behind."""
    item = block.parent
    if item is None or item.kind is not BlockKind.ITEM or item.parent is None or block.index:
        return None
    items = item.parent.children
    behind = items[item.index + 1 : item.index + 1 + _SIBLINGS]
    ahead = items[max(item.index - _SIBLINGS, 0) : item.index]
    first = next((link for link in map(_link_of_item, items[:_SIBLINGS]) if link), None)
    leads = first is not None and first.source_start < block.flow.source_start and item.index <= 1
    for chosen in (ahead[::-1], behind) if leads else (behind, ahead[::-1]):
        for other in chosen:
            link = _link_of_item(other)
            if link is not None or (other.children and other.children[0].flow.pairs()):
                break
        else:
            continue
        if link is not None:
            return link
    return None


@once
def _link_of_item(item: Block) -> Link | None:
    first = item.children[0] if item.children else None
    if first is None or first.kind is not BlockKind.PARAGRAPH:
        return None
    return _link_of_line(first.flow, 0, len(first.flow.text))


def _link_of_line(flow: Flow, start: int, end: int) -> Link | None:
    """Return the link of a line that begins with a label such as `Source:`."""
    link = next((link for link in flow.links_within(start, end) if is_work(link)), None)
    if link is None or link.start - start > _LABEL:
        return None
    return link if SOURCE_LINE_LABEL.fullmatch(flow.text, start, link.start) else None
