"""Quotations written in HTML: `<blockquote cite>`, `<q cite>`, and quotations with a link as their credit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tracecite_lint.documents.citing import quoted_blocks
from tracecite_lint.documents.citing.candidate import (
    Candidate,
    Found,
    Hit,
    Part,
    rule,
    without_marks,
)
from tracecite_lint.documents.citing.links import Source
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.citing.translations import italic_originals
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Mark
from tracecite_lint.documents.markup.html_flow import BLOCK_TAGS
from tracecite_lint.documents.markup.html_tags import attributes, tag_of
from tracecite_lint.model import Shape

QUOTES = frozenset({"blockquote", "quote", "pullquote"})
_CITE = ("cite", "source", "href", "url", "link", "src")
_ADDRESS = re.compile(r"(?:https?:)?//|[./]")
_QUOTE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:p|pull|block|big)?quot(?:e|ation)s?(?:$|[\s_-])|epigraph|twitter-tweet",
    re.IGNORECASE,
)
_CREDIT_CLASS = re.compile(
    r"credit|attribution|author|source|caption|cite|citation|title|byline", re.IGNORECASE
)
_CREDITS = frozenset({"cite", "footer", "figcaption"})
_VOID = frozenset(
    {"img", "br", "hr", "wbr", "input", "source", "meta", "link", "area", "col", "embed", "track"}
)
_URL_TEXT = re.compile(r"\s*(?:https?://\S+|pic\.twitter\.com/\S+)\s*$")


@dataclass(slots=True)
class _Open:
    """A quotation whose element is open."""

    tag: str
    cite: Source | None
    depth: int = 1
    """How many elements of the same name are open in it, itself counted."""
    parts: list[Part] = field(default_factory=list)
    italic: list[bool] = field(default_factory=list)
    credits: list[Part] = field(default_factory=list)
    credit_depth: list[str] = field(default_factory=list)
    """The open elements from the one that holds the credit inwards."""
    blocks: list[Block] = field(default_factory=list)


class HtmlQuoteReader:
    """Reads the HTML blocks of one document; a quotation may begin in one and end in a later one."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._unclosed: set[tuple[int, str]] = set()
        """Containers that hold an element of that name which is never closed."""

    def read(self, block: Block) -> None:
        """Collect the quotations that begin in *block*, and mark what they hold as taken."""
        at = 0
        while True:
            index = self._opening(block, at)
            if index is None:
                return
            at = self._quotation(block, index)

    def _opening(self, block: Block, at: int) -> int | None:
        """Return the index of the next tag of *block*, from *at*, that opens a quotation."""
        for index in range(at, len(block.flow.tags)):
            name, closing = tag_of(block.flow.tags[index].name)
            if closing or (id(block.parent), name) in self._unclosed:
                continue
            if name in QUOTES or name == "figure":
                return index
            if name in BLOCK_TAGS and _QUOTE_CLASS.search(
                attributes(block.flow.tags[index].name).get("class", "")
            ):
                return index
        return None

    def _quotation(self, block: Block, index: int) -> int:
        """Read the quotation that the tag at *index* opens; return the index of the tag to go on from in *block*."""
        mark = block.flow.tags[index]
        opened = _Open(tag_of(mark.name)[0], cite_of(mark))
        current: Block | None = block
        first = index + 1
        while current is not None:
            opened.blocks.append(current)
            closed = self._walk(opened, current, first)
            if closed is not None:
                self._close(opened)
                return closed + 1 if current is block else len(block.flow.tags)
            current = current.next()
            first = 0
        self._unclosed.add((id(block.parent), opened.tag))
        return index + 1

    def _walk(self, opened: _Open, block: Block, first: int) -> int | None:
        """Take in the text of *block*; return the index of the tag that closes the quotation."""
        if block.kind is not BlockKind.HTML:
            for leaf in _texts(block):
                self._text(opened, leaf.flow, 0, len(leaf.flow.text))
            return None
        flow = block.flow
        start = flow.tags[first - 1].at if first else 0
        for index in range(first, len(flow.tags)):
            mark = flow.tags[index]
            name, closing = tag_of(mark.name)
            if name in BLOCK_TAGS or name in _CREDITS:
                self._text(opened, flow, start, mark.at)
                start = mark.at
            if name == opened.tag:
                opened.depth += -1 if closing else 1
                if opened.depth == 0:
                    return index
            self._track(opened, mark, name, closing=closing)
        self._text(opened, flow, start, len(flow.text))
        return None

    def _track(self, opened: _Open, mark: Mark, name: str, *, closing: bool) -> None:
        if name in QUOTES and not closing and opened.cite is None:
            opened.cite = cite_of(mark)
        if name in _VOID or mark.name.endswith("/>"):
            return
        inside = bool(opened.credit_depth)
        if closing:
            if inside and name in opened.credit_depth:
                while opened.credit_depth.pop() != name:
                    pass
            return
        credit = name in _CREDITS or (
            name in BLOCK_TAGS
            and _CREDIT_CLASS.search(attributes(mark.name).get("class", "")) is not None
        )
        if inside or credit:
            opened.credit_depth.append(name)

    def _text(self, opened: _Open, flow: Flow, start: int, end: int) -> None:
        start, end = flow.trimmed(start, end)
        if start >= end:
            return
        part = Part(flow, start, end)
        if opened.credit_depth:
            opened.credits.append(part)
        else:
            opened.parts.append(part)
            opened.italic.append(_is_italic(part))

    def _close(self, opened: _Open) -> None:
        reading, blocks = self._reading, opened.blocks
        if opened.tag == "figure" and not any(
            tag_of(mark.name)[0] in QUOTES for block in blocks for mark in block.flow.tags
        ):
            return
        candidate = Candidate(
            reading,
            blocks[0],
            opened.parts,
            last_block=blocks[-1],
            attribute=opened.cite,
            credits=opened.credits,
        )
        outcome = reading.decide(candidate, quoted_blocks.ELEMENTS, quoted_blocks.EAGER)
        if not isinstance(outcome, Found):
            reading.pass_over(candidate, outcome.refusal)
            return
        parts = outcome.hit.parts or opened.parts
        parts = italic_originals(parts, opened.italic)
        parts = without_marks([_without_url(part) for part in parts])
        if reading.add(parts, outcome.hit.sources, outcome.rule, Shape.HTML):
            reading.taken.update(id(inner) for block in blocks for inner in block.walk())
            if outcome.rule.shape is Shape.SOURCE_AFTER:
                reading.taken.add(id(quoted_blocks.credit_of(blocks[-1])))


def _texts(block: Block) -> Iterator[Block]:
    for inner in block.walk():
        if inner.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            yield inner


def _is_italic(part: Part) -> bool:
    if any(start <= part.start and end >= part.end for start, end in part.flow.emphases):
        return True
    text = part.flow.text[part.start : part.end]
    return len(text) > 2 and text[0] == text[-1] and text[0] in "_*"


def _without_url(part: Part) -> Part:
    """Drop the address of a picture or of a link that an embedded post ends in."""
    match = _URL_TEXT.search(part.flow.text, part.start, part.end)
    return Part(part.flow, part.start, match.start()) if match else part


def cite_of(mark: Mark) -> Source | None:
    """Return the source that a tag's own attribute names."""
    found = attributes(mark.name)
    for name in _CITE:
        value = found.get(name, "").strip()
        if value and " " not in value and (name == "cite" or _ADDRESS.match(value)):
            return Source(value, mark.source_start, mark.source_end)
    return None


@rule(Shape.HTML)
def q_element(c: Candidate) -> Hit | None:
    """`<q cite>` in running text.

    ```markdown
    She wrote <q cite="https://example.org/essay">never read again</q> into the margin.
    ```
    """
    return Hit([c.attribute]) if c.attribute is not None else None


def read_quote_tags(block: Block, reading: Reading) -> list[tuple[int, int]]:
    """Take in `<q cite="u">…</q>` in running text; return the ranges taken, in order."""
    opened: list[tuple[str, Mark, Source | None]] = []
    taken: list[tuple[int, int]] = []
    for mark in block.flow.tags:
        name, closing = tag_of(mark.name)
        if name != "q" and name not in QUOTES:
            continue
        if not closing:
            opened.append((name, mark, cite_of(mark)))
        elif opened and opened[-1][0] == name:
            _, first, source = opened.pop()
            if _add_quote_tag(block, reading, name, (first.at, mark.at), source):
                taken.append((first.at, mark.at))
    return sorted(taken)


def _add_quote_tag(
    block: Block, reading: Reading, name: str, place: tuple[int, int], source: Source | None
) -> bool:
    if name in QUOTES and block.flow.link_around(*block.flow.trimmed(*place)) is not None:
        return False  # The title of an embedded page, not its words.
    parts = without_marks([Part(block.flow, *place)])
    return source is not None and reading.add(parts, [source], q_element, Shape.HTML)
