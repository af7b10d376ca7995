"""Quotations written in HTML: `<blockquote cite>`, `<q cite>`, and quotations with a link as their credit."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

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
from tracecite_lint.documents.markup.flow import Flow, Mark, once
from tracecite_lint.documents.markup.html_flow import BLOCK_TAGS
from tracecite_lint.documents.markup.html_tags import MOST_NESTED, attributes, tag_of
from tracecite_lint.lazy import dataclass, field, regex
from tracecite_lint.model import Shape
from tracecite_lint.naming.uris import is_web

QUOTES = frozenset({"blockquote", "quote", "pullquote"})
_CITE = ("cite", "source", "href", "url", "link", "src")
_QUOTE_CLASS = regex(
    r"(?:^|[\s_-])(?:p|pull|block|big)?quot(?:e|ation)s?(?:$|[\s_-])|epigraph|twitter-tweet",
    re.IGNORECASE,
)
_CREDIT_CLASS = regex(
    r"credit|attribution|author|source|caption|cite|citation|title|byline", re.IGNORECASE
)
_CREDITS = frozenset({"cite", "footer", "figcaption"})
_VOID = frozenset(
    {"img", "br", "hr", "wbr", "input", "source", "meta", "link", "area", "col", "embed", "track"}
)
_URL_TEXT = regex(r"(?:https?://|pic\.twitter\.com/)\S")


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
    credit_names: Counter[str] = field(default_factory=Counter)
    """How many of them have each name."""
    blocks: list[Block] = field(default_factory=list)


class HtmlQuoteReader:
    """Reads the HTML blocks of one document; a quotation may begin in one and end in a later one."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._unclosed: defaultdict[int, set[str]] = defaultdict(set)
        """By container the names of elements in it that are never closed."""
        self._around: list[tuple[int, int]] = []
        """Where the elements end that were read without a source and hold what is read now: line and index of the tag."""

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
        unclosed = self._unclosed[id(block.parent)]
        for index in range(at, len(block.flow.tags)):
            tag = block.flow.tags[index].name
            name, closing = tag_of(tag)
            if closing or name in unclosed or len(unclosed) >= MOST_NESTED:
                continue
            if _opens(name, tag) and not self._is_too_deep(block, index):
                return index
        return None

    def _is_too_deep(self, block: Block, index: int) -> bool:
        """Tell whether the tag at *index* stands in so many elements that each reading of it again would take too long."""
        while self._around and self._around[-1] < (block.first_line, index):
            self._around.pop()
        return len(self._around) >= MOST_NESTED

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
                if not self._close(opened):
                    self._around.append((current.first_line, closed))
                return closed + 1 if current is block else len(block.flow.tags)
            current = current.next()
            first = 0
        self._unclosed[id(block.parent)].add(opened.tag)
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
            if opened.credit_names[name]:
                while (last := opened.credit_depth.pop()) != name:
                    opened.credit_names[last] -= 1
                opened.credit_names[name] -= 1
            return
        credit = name in _CREDITS or (
            name in BLOCK_TAGS
            and _CREDIT_CLASS.search(attributes(mark.name).get("class", "")) is not None
        )
        if inside or credit:
            opened.credit_depth.append(name)
            opened.credit_names[name] += 1

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

    def _close(self, opened: _Open) -> bool:
        """Take in a quotation whose element was closed; tell whether it is one that has a source."""
        reading, blocks = self._reading, opened.blocks
        if opened.tag == "figure" and not any(_has_quotes(block) for block in blocks):
            return False
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
            return False
        parts = outcome.hit.parts or opened.parts
        parts = italic_originals(parts, opened.italic)
        parts = without_marks([_without_url(part) for part in parts])
        if not reading.add(parts, outcome.hit.sources, outcome.rule, Shape.HTML):
            return False
        reading.taken.update(id(inner) for block in blocks for inner in block.walk())
        if outcome.rule.shape is Shape.SOURCE_AFTER:
            reading.taken.add(id(quoted_blocks.credit_of(blocks[-1])))
        return True


def _opens(name: str, tag: str) -> bool:
    """Tell whether an opening tag opens a quotation."""
    if name in QUOTES or name == "figure":
        return True
    return name in BLOCK_TAGS and _QUOTE_CLASS.search(attributes(tag).get("class", "")) is not None


@once
def _has_quotes(block: Block) -> bool:
    return any(tag_of(mark.name)[0] in QUOTES for mark in block.flow.tags)


def _texts(block: Block) -> Iterator[Block]:
    for inner in block.walk():
        if inner.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            yield inner


def _is_italic(part: Part) -> bool:
    if part.flow.is_emphasis(part.start, part.end):
        return True
    text = part.flow.text[part.start : part.end]
    return len(text) > 2 and text[0] == text[-1] and text[0] in "_*"


def _without_url(part: Part) -> Part:
    """Drop the address of a picture or of a link that an embedded post ends in."""
    text = part.flow.text[part.start : part.end].rstrip()
    last = "".join(text.rsplit(None, 1)[-1:])
    match = _URL_TEXT.search(last)
    if match is None:
        return part
    return Part(part.flow, part.start, part.start + len(text) - len(last) + match.start())


def cite_of(mark: Mark) -> Source | None:
    """Return the source that a tag's own attribute names."""
    found = attributes(mark.name)
    for name in _CITE:
        value = found.get(name, "").strip()
        if value and " " not in value and (name == "cite" or is_web(value) or value[0] in "./"):
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
            if len(opened) < MOST_NESTED and _add_quote_tag(
                block, reading, name, (first.at, mark.at), source
            ):
                taken.append((first.at, mark.at))
    return sorted(taken)


def _add_quote_tag(
    block: Block, reading: Reading, name: str, place: tuple[int, int], source: Source | None
) -> bool:
    if name in QUOTES and block.flow.link_around(*block.flow.trimmed(*place)) is not None:
        return False  # The title of an embedded page, not its words.
    parts = without_marks([Part(block.flow, *place)])
    return source is not None and reading.add(parts, [source], q_element, Shape.HTML)
