"""Quotations whose source stands in another block: another cell of the row, the paragraph or the item before or behind."""

from __future__ import annotations

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing.attributions import (
    attribution_sources,
    is_marked,
    is_only_a_reference,
)
from tracecite_lint.documents.citing.candidate import Answer, Candidate, Hit, rule
from tracecite_lint.documents.citing.lead_ins import after, before, lead_in_source
from tracecite_lint.documents.citing.links import is_source, is_work, only_profiles
from tracecite_lint.documents.citing.not_quoted import own_note, short, term, title
from tracecite_lint.documents.markup.blocks import MAY_LINK, Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, Part, once
from tracecite_lint.documents.markup.pairs import OPENING
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Shape

LEADS = (BlockKind.PARAGRAPH, BlockKind.HEADING)
"""The kinds of block that lead in what stands below."""
_CREDIT = regex(r"(?:--|[~—–―])[^\n]+")
_LINES_BETWEEN = 3
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


@rule(Shape.TABLE, short, title, beyond=True)
def table_row(c: Candidate) -> Answer:
    """The words are all of a cell, or stand in a column of quotations; another cell of the row holds the link.

    ```markdown
    | Claim | Quotation | Source |
    |---|---|---|
    | Nobody reads it | “The cache is never read again” | [essay](https://example.org/essay) |
    ```
    """
    row = _row(c)
    if row is None or not (_is_alone(c) or is_quote_column(c.block)):
        return None
    cells = [cell for cell in row.children if cell is not c.block]
    linked = [cell for cell in cells if any(map(is_source, cell.flow.links))]
    named = [cell for cell in linked if _is_source_column(cell)]
    chosen = named or [cell for cell in linked if _is_mostly_link(cell.flow)] or linked
    if len(chosen) == 1 and not chosen[0].flow.pairs():
        return next(filter(is_source, chosen[0].flow.links))
    referring = [cell.flow for cell in cells if _is_source_column(cell)]
    if len(referring) != 1:
        return None
    return c.reading.references.in_range(referring[0], 0, len(referring[0].text))


@rule(Shape.TABLE, term, title, beyond=True)
def source_column(c: Candidate) -> Answer:
    """A column of the table is titled `Source`, and the row has one link there: so is what the other cells quote.

    ```markdown
    | Terms | Source |
    |---|---|
    | They stop “whenever the law requires them to” | [terms](https://example.org/terms) |
    ```
    """
    row = _row(c)
    cells = row.children if row is not None else []
    named = [cell for cell in cells if cell is not c.block and _is_source_column(cell)]
    links = [link for cell in named for link in cell.flow.links if is_work(link)]
    return links[0] if len(links) == 1 else None


def is_quote_column(block: Block) -> bool:
    """Tell whether *block* is a cell of a column whose title says that it holds quotations, below that title."""
    title = _column_title(block)
    return title is not None and _names_quotations(title)


def _is_source_column(cell: Block) -> bool:
    title = _column_title(cell)
    return title is not None and _names_sources(title)


@once
def _names_quotations(title: Block) -> bool:
    return vocabulary.QUOTE_COLUMN.fullmatch(title.flow.text.strip()) is not None


@once
def _names_sources(title: Block) -> bool:
    return vocabulary.SOURCE_LABEL.fullmatch(title.flow.text.strip(" \t\n*_")) is not None


def _column_title(cell: Block) -> Block | None:
    """Return the title of the column that a cell below it stands in."""
    row = cell.parent if cell.kind is BlockKind.CELL else None
    header = row.parent.children[0] if row is not None and row.parent is not None else None
    if header is None or header is row or cell.index >= len(header.children):
        return None
    return header.children[cell.index]


@once
def _is_mostly_link(flow: Flow) -> bool:
    linked = sum(link.end - link.start for link in flow.links)
    return 2 * linked >= len(flow.text.strip())


@rule(Shape.LEAD_IN, short, title, beyond=True)
def below_item(c: Candidate) -> Answer:
    """The words are all of a list item, and the item around it ends in the link.

    ```markdown
    - Caches <https://example.org/essay>
      - “The cache is never read again.”
    ```
    """
    if c.item is None or c.item.parent is None or c.block.index or not _is_alone(c):
        return None
    outer = c.item.parent.parent
    if outer is None or outer.kind is not BlockKind.ITEM:
        return None
    lead = outer.children[0]
    return _last_link(lead) if lead.kind is BlockKind.PARAGRAPH else None


@once
def _last_link(lead: Block) -> Link | None:
    """Return the link that a list item ends in."""
    links = [link for link in lead.flow.links if is_source(link)]
    if not links or lead.flow.text[links[-1].end :].strip(" \t\n*_.:：。)"):
        return None
    return links[-1]


@rule(Shape.INLINE, short, beyond=True)
def source_line(c: Candidate) -> Answer:
    """The words are all of a line, and a line that begins with `Source:` stands with it.

    ```markdown
    - Quote: “The cache is never read again.”
    - Source: [A day without a cache](https://example.org/essay)
    ```
    """
    text = c.flow.text
    line = text.rfind("\n", max(c.start - _LABEL, 0), c.start) + 1
    before = text[line or max(c.start - _LABEL, 0) : c.start]
    if before.strip(" *_-") and vocabulary.QUOTE_LINE.fullmatch(before) is None:
        return None
    if text[c.end : c.end + 3].strip(" .*_") and "\n" not in text[c.end : c.end + 2]:
        return None
    above = _link_of_line(c.flow, text.rfind("\n", 0, line - 1) + 1, line) if line else None
    return above or _link_of_sibling(c)


def _link_of_sibling(c: Candidate) -> Link | None:
    """Return the link of the item with the source: those of a list come all before their quotations, or all behind."""
    item = c.item
    if item is None or item.parent is None or c.block.index:
        return None
    items = item.parent.children
    behind = items[item.index + 1 : item.index + 1 + _SIBLINGS]
    ahead = items[max(item.index - _SIBLINGS, 0) : item.index][::-1]
    first = next(filter(None, map(_link_of_item, items[:_SIBLINGS])), None)
    leads = first is not None and first.source_start < c.flow.source_start and item.index <= 1
    for chosen in (ahead, behind) if leads else (behind, ahead):
        for other in chosen:
            if link := _link_of_item(other):
                return link
            if other.children and other.children[0].flow.pairs():
                break
    return None


@once
def _link_of_item(item: Block) -> Link | None:
    first = item.children[0] if item.children else None
    if first is None or first.kind is not BlockKind.PARAGRAPH:
        return None
    return _link_of_line(first.flow, 0, len(first.flow.text))


def _link_of_line(flow: Flow, start: int, end: int) -> Link | None:
    """Return the link of a line that begins with a label such as `Source:`."""
    link = next(filter(is_work, flow.links_within(start, end)), None)
    if link is None or link.start - start > _LABEL:
        return None
    return link if vocabulary.SOURCE_LINE_LABEL.fullmatch(flow.text, start, link.start) else None


def _stands_alone(c: Candidate) -> bool:
    """Tell whether it is a block, or a paragraph that is nothing but words in marks; an item of a list has no neighbours."""
    if c.is_block:
        return True
    is_paragraph = c.block.kind is BlockKind.PARAGRAPH and (c.item is None or c.block.index > 0)
    return is_paragraph and _is_alone(c)


@rule(Shape.SOURCE_AFTER, own_note, beyond=True)
def credit_after(c: Candidate) -> Answer:
    """The next paragraph is a dash or a label and the link.

    ```markdown
    > The cache is never read again.

    — [Jane Smith](https://example.org/essay)
    ```
    """
    return _right_after(c, marked=True)


@rule(Shape.SOURCE_AFTER, own_note, beyond=True)
def link_after(c: Candidate) -> Answer:
    """The next paragraph is nothing but the link.

    ```markdown
    > The cache is never read again.

    [A day without a cache](https://example.org/essay)
    ```
    """
    # Only behind the lead-ins: where titles and quotations take turns, the link after one leads in the next.
    return _right_after(c, marked=False)


def _right_after(c: Candidate, *, marked: bool) -> Answer:
    """The next paragraph is nothing but a dash or label and a link; if not *marked*, a link alone will do."""
    block = c.last_block or c.block
    following = credit_of(block) if _stands_alone(c) else None
    if following is None or following.first_line - block.last_line > _LINES_BETWEEN:
        return None
    if not following.holds(MAY_LINK):
        return None
    flow = following.flow
    start, end = flow.trimmed(0, len(flow.text))
    line_end = flow.text.find("\n", start, end)
    end = end if line_end == -1 else line_end
    if (marked or line_end != -1) and not is_marked(flow, start, end):
        return None
    sources = attribution_sources(flow, start, end, bare=True)
    return None if only_profiles(sources) else c.hit(sources)


def credit_of(block: Block) -> Block | None:
    """Return the paragraph that may give the source of *block*: the next one, or a blockquote of its own there or inside."""
    inner = block.children[-1:]
    following = inner[0] if inner and inner[0].kind is BlockKind.BLOCKQUOTE else after(block)
    if following is not None and following.kind is BlockKind.LIST:
        # `- [t](u)`: its dash was meant as one before a credit.
        following = following.only_child.only_child if following.only_child is not None else None
        if following is None or not vocabulary.is_somebody(following.flow.text):
            return None
    elif following is not None and following.kind is BlockKind.BLOCKQUOTE:
        following = following.only_child
        if following is None or not _is_credit(following.flow):
            return None
    return following if following is not None and following.kind is BlockKind.PARAGRAPH else None


def _is_credit(flow: Flow) -> bool:
    whole = Part(flow, 0, len(flow.text))
    marked = is_marked(flow, whole.start, whole.end) and is_only_a_reference(whole)
    return marked or _CREDIT.fullmatch(flow.text) is not None


@rule(Shape.LEAD_IN, own_note, beyond=True)
def lead_in(c: Candidate) -> Answer:
    """The paragraph, item or heading before has the link and announces the words, is little more than the link, or
    is an item that ends in it.

    ```markdown
    As Smith [wrote](https://example.org/essay):

    > The cache is never read again.
    ```
    """
    lead = before(c.block) if _stands_alone(c) else None
    if lead is None or id(lead) in c.reading.taken or lead.kind not in LEADS:
        return None
    outside = lead.parent is not c.block.parent
    marked = c.is_block and bool(c.parts) and c.parts[0].trimmed().first in OPENING
    sources = lead_in_source(lead, c.reading.references, outside=outside, marked=marked)
    return Hit(sources, c.parts) if c.is_block and c.ending.is_bare else c.hit(sources)


def _row(c: Candidate) -> Block | None:
    """Return the row of the cell that the words stand in."""
    row = c.block.parent if c.block.kind is BlockKind.CELL else None
    return row if row is not None and len(row.children) <= _COLUMNS else None
