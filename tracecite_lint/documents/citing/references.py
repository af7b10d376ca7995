"""What references point at: footnotes and numbered reference lists."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from tracecite_lint.documents.citing.links import MOST_SOURCES, Source, only_profiles, source_of
from tracecite_lint.documents.citing.reference_numbers import (
    BETWEEN,
    NumberedLists,
    NumberMark,
    number_of,
)
from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.flow import AT, START, Flow, Link, once
from tracecite_lint.documents.markup.pairs import weight
from tracecite_lint.documents.vocabulary import REFERENCE_HEADING, REFERENCE_WORD
from tracecite_lint.light.lazy import dataclass, field, regex

_ENTRY = regex(
    r"[\s>*-]*(?:\[(\d{1,3})\]|【(\d{1,3})】|［(\d{1,3})］|([¹²³⁰⁴-⁹]{1,3})|\{\s*[\"']?id[\"']?:\s*[\"']?(\d{1,3})[\"']?,)[:：.]?\s*"
)
_TEXTS = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CELL)
_FOOTNOTE = (regex(r"\[\^"),)
_HEADING_WORDS = 5
_HEADING_LIMIT = 80
"""Characters of a heading of references, as it is written."""
_MAY_BE_ENTRY = (regex(r"[\[【［¹²³⁰⁴-⁹{]"),)
_ENTRY_LINE = regex(r"^[\s>*+-]*(?:\\?[\[【［]\d|[¹²³⁰⁴-⁹]|\{\s*[\"']?id)", re.MULTILINE)
_MOST_TOGETHER = 10
_COMMENTARY = 240
"""A footnote with more text than this beside its links is a remark, not a source."""


@dataclass(slots=True)
class References:
    """The footnotes and reference lists of one document."""

    footnotes: dict[str, Block] = field(default_factory=dict)
    lists: NumberedLists = field(default_factory=NumberedLists)
    first_uses: dict[str, tuple[Flow, int]] = field(default_factory=dict)
    """Where each footnote is referred to first."""

    far: list[Block] = field(default_factory=list)
    """The blocks that others are read by, however far away: footnotes and paragraphs with entries."""
    bounds: list[tuple[Block, bool]] = field(default_factory=list)
    """The headings of references, and those that end what stands under them (False)."""

    _listed: set[int] = field(default_factory=set)

    def is_listed(self, block: Block) -> bool:
        """Tell whether *block* is the text of an item of a list under a heading of references."""
        return id(block.parent) in self._listed

    def footnotes_at(self, flow: Flow, start: int, end: int) -> list[Source]:
        """Return the sources of the footnotes referred to from *start* to *end* (inclusive)."""
        sources: list[Source] = []
        first = bisect_left(flow.footnotes, start, key=AT)
        for index in range(first, len(flow.footnotes)):
            mark = flow.footnotes[index]
            if mark.at > end or len(sources) >= MOST_SOURCES:
                break
            definition = self.footnotes.get(mark.name.casefold())
            if mark.name in flow.notes:
                sources.extend(source_of(link) for link in flow.notes[mark.name])
            elif definition is not None:
                sources.extend(footnote_sources(definition))
        return sources

    def add_item(self, item: Block) -> None:
        """Take in an item of a list under a heading of references; numbers in running text point to a numbered one."""
        self._listed.add(id(item))
        first = item.children[0] if item.children else None
        if not item.number or first is None or first.kind is not BlockKind.PARAGRAPH:
            return
        sources = _entry_sources(first.flow, 0, len(first.flow.text))
        self.lists.add(item.number, sources, first.flow)

    def at_end(self, flow: Flow, start: int, end: int) -> tuple[list[Source], int] | None:
        """Return the sources of the references that *flow* ends in, from *start* to *end*, and where they begin."""
        last = end
        while last > start and not flow.text[last - 1].isalnum():
            last -= 1
        behind = end  # `> The words. [^1]`: the mark stands behind the space
        while flow.text[behind : behind + 1].isspace():
            behind += 1
        notes = self.footnotes_at(flow, last, behind)
        if notes:
            return notes, end
        sources: list[Source] = []
        first = end
        for mark in reversed(self._marks_within(flow, start + 1, end)):
            if flow.text[mark.end : first].strip(BETWEEN):
                break
            first = mark.start
            sources[:0] = mark.sources
        return (sources, first) if sources else None

    def in_range(self, flow: Flow, start: int, end: int) -> list[Source]:
        """Return the sources of all references from *start* to *end*."""
        sources = self.footnotes_at(flow, start, end)
        for mark in self._marks_within(flow, start, end):
            sources.extend(mark.sources)
        return sources

    def _marks_within(self, flow: Flow, start: int, end: int) -> list[NumberMark]:
        marks = self.lists.marks(flow)
        first = bisect_left(marks, start, key=START)
        last = bisect_right(marks, end, key=lambda mark: mark.end)
        return marks[first:last]

    def next_number(self, flow: Flow, at: int) -> tuple[int, list[Source]]:
        """Return where the next number in brackets from *at* on stands, and the sources of all that stand there."""
        marks = self.lists.marks(flow)
        index = bisect_left(marks, at, key=START)
        sources: list[Source] = []
        for place, mark in enumerate(marks[index : index + _MOST_TOGETHER]):
            if place and not mark.joined:
                break
            sources.extend(mark.sources)
        return (marks[index].start if index < len(marks) else len(flow.text)), sources


@once
def footnote_sources(definition: Block) -> list[Source]:
    """Return the sources that a footnote names; none if it is a remark with links in it."""
    first = next(
        (child for child in definition.children if child.kind is BlockKind.PARAGRAPH), None
    )
    if first is None:
        return []
    flow = first.flow
    if flow.text.rstrip().endswith((":", "：")):
        return []  # It leads in a quotation of its own.
    links = [link for link in flow.links if link.url and not link.url.startswith("#")]
    beside = at = 0  # white space between links is no text
    for link in links:
        beside += len(flow.text[at : link.start].strip())
        at = max(at, link.end)
    if beside + len(flow.text[at:].strip()) > _COMMENTARY:
        return []
    outside = [link for link in links if not link.url.startswith("[[")]
    sources = [source_of(link) for link in (outside or links)[:MOST_SOURCES]]
    return [] if only_profiles(sources) else sources


def find_references(tree: Tree) -> References:
    """Return the footnotes and the numbered reference lists of a document."""
    references = References()
    under_heading, noted = False, tree.root.holds(_FOOTNOTE)
    for block in tree.blocks:
        if block.kind is BlockKind.FOOTNOTE:
            references.footnotes.setdefault(block.name.casefold(), block)
            references.far.append(block)
        elif block.kind is BlockKind.ITEM and under_heading:
            references.add_item(block)
        elif block.kind in _TEXTS:
            begins = _is_heading_of_references(block)
            if begins or (under_heading and block.kind is BlockKind.HEADING):
                references.bounds.append((block, begins))
                under_heading = begins
            elif block.kind is BlockKind.PARAGRAPH and _may_be_entry(block):
                _add_entries(references, block)
                references.far.append(block)
            if noted and block.holds(_FOOTNOTE):
                for mark in block.flow.footnotes:
                    references.first_uses.setdefault(mark.name.casefold(), (block.flow, mark.at))
    return references


def _is_heading_of_references(block: Block) -> bool:
    """Tell whether a line is the heading of a reference list; a heading may have some words beside: `Key sources`."""
    if block.last_line > block.first_line + 1 or len(raw := block.raw) > _HEADING_LIMIT:
        return False
    if block.kind is not BlockKind.HEADING:
        return REFERENCE_HEADING.fullmatch(raw.strip(" \t>*_")) is not None
    text = block.flow.text
    return REFERENCE_HEADING.fullmatch(text) is not None or (
        weight(text) <= _HEADING_WORDS and REFERENCE_WORD.search(text) is not None
    )


def _may_be_entry(block: Block) -> bool:
    return block.holds(_MAY_BE_ENTRY) and _ENTRY_LINE.search(block.raw) is not None


def _add_entries(references: References, block: Block) -> None:
    """Add the lines of a paragraph that are entries: `[3] … u`."""
    flow = block.flow
    for start, end in flow.lines():
        match = _ENTRY.match(flow.text, start, end)
        if match is None:
            continue
        sources = _entry_sources(flow, match.end(), end)
        references.lists.add(number_of(match), sources, flow)


def _entry_sources(flow: Flow, start: int, end: int) -> list[Source]:
    links: Iterable[Link] = flow.links_within(start, max(end, start + 1))
    return [source_of(link) for link in links if link.url and not link.url.startswith("#")][:1]
