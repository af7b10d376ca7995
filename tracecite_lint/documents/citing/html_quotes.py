"""Quotations written in HTML: `<blockquote cite>`, `<q cite>`, and quotations with a link as their credit."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator

from tracecite_lint.documents.citing import quoted_blocks
from tracecite_lint.documents.citing.candidate import (
    Answer,
    Candidate,
    Refused,
    filled,
    rule,
    without_quotation_marks,
)
from tracecite_lint.documents.citing.links import Source
from tracecite_lint.documents.citing.neighbours import credit_of
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.citing.translations import italic_originals
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Mark, Part, once
from tracecite_lint.documents.markup.html_flow import BLOCK_TAGS
from tracecite_lint.documents.markup.html_tags import MOST_NESTED, attributes, tag_of
from tracecite_lint.light.lazy import dataclass, regex
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
_At = tuple[int, int]
_BEFORE: _At = (-1, -1)
_NEVER: _At = (sys.maxsize, 0)
_URL_TEXT = regex(r"(?:https?://|pic\.twitter\.com/)\S")


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
def q_element(c: Candidate) -> Answer:
    """`<q cite>` in running text.

    ```markdown
    She wrote <q cite="https://example.org/essay">never read again</q> into the margin.
    ```
    """
    return [c.attribute] if c.attribute is not None else None


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
    parts = without_quotation_marks([Part(block.flow, *place)])
    return source is not None and reading.add(parts, [source], q_element, Shape.HTML)


@dataclass(slots=True)
class _Element:
    """An element of the HTML blocks of one container; a place is the number of the block and of the tag in it."""

    mark: Mark
    is_quote: bool
    is_credit: bool
    end: _At = _NEVER
    depth: int = 0
    """In how many elements that quote it stands."""


@once
def elements_of(container: Block) -> dict[_At, _Element]:
    """Return the elements that open in the HTML blocks of *container*, by the place of their tags."""
    found: dict[_At, _Element] = {}
    opened: defaultdict[str, list[_Element]] = defaultdict(list)
    for block in container.children:
        for index, mark in enumerate(block.flow.tags if block.kind is BlockKind.HTML else ()):
            name, closing = tag_of(mark.name)
            if closing:
                if opened[name]:
                    opened[name].pop().end = block.index, index
            elif name not in _VOID and not mark.name.endswith("/>"):
                element = found[block.index, index] = _element(name, mark)
                opened[name].append(element)
    around: list[_At] = []
    for place, element in found.items():
        while around and around[-1] < place:
            around.pop()
        element.depth = len(around)
        if element.is_quote and element.end != _NEVER:
            around.append(element.end)
    return found


def _element(name: str, mark: Mark) -> _Element:
    of_class = attributes(mark.name).get("class", "") if name in BLOCK_TAGS else ""
    return _Element(
        mark,
        is_quote=name in QUOTES or name == "figure" or _QUOTE_CLASS.search(of_class) is not None,
        is_credit=name in _CREDITS or _CREDIT_CLASS.search(of_class) is not None,
    )


def read_elements(block: Block, reading: Reading) -> None:
    """Take in the quotations that begin in an HTML block, which may end in a later one, and mark what they hold as taken."""
    assert block.parent is not None  # it is no document
    elements = elements_of(block.parent)
    behind = _BEFORE
    for index in range(len(block.flow.tags)):
        place = block.index, index
        element = elements.get(place)
        if element is None or not element.is_quote or element.end == _NEVER or place < behind:
            continue
        if element.depth < MOST_NESTED:
            _read_element(place, elements, block.parent, reading)
            behind = element.end


def _read_element(
    place: _At, elements: dict[_At, _Element], container: Block, reading: Reading
) -> None:
    element = elements[place]
    blocks = container.children[place[0] : element.end[0] + 1]
    is_figure = tag_of(element.mark.name)[0] == "figure"
    if is_figure and not any(_has_quotes(block) for block in blocks):
        return
    parts: list[Part] = []
    credits: list[Part] = []
    credit_end, cite = _BEFORE, cite_of(element.mark)
    for at, part in _pieces(blocks, place, element.end):
        (credits if at <= credit_end else parts).extend(filled([part]))
        inner = elements.get(at)
        if inner is not None and inner.is_credit and at > credit_end:
            credit_end = inner.end
        if inner is not None and cite is None and tag_of(inner.mark.name)[0] in QUOTES:
            cite = cite_of(inner.mark)
    candidate = Candidate(
        reading, blocks[0], parts, last_block=blocks[-1], attribute=cite, credits=credits
    )
    outcome = reading.decide(candidate, quoted_blocks.ELEMENTS, quoted_blocks.EAGER)
    if isinstance(outcome, Refused):
        reading.pass_over(candidate, outcome)
        return
    quoted = italic_originals(outcome.hit.parts or parts, list(map(_is_italic, parts)))
    quoted = without_quotation_marks([_without_url(part) for part in quoted])
    if reading.add(quoted, outcome.hit.sources, outcome.rule, Shape.HTML):
        reading.taken.update(id(inner) for block in blocks for inner in block.walk())
        if outcome.rule.shape is Shape.SOURCE_AFTER:
            reading.taken.add(id(credit_of(blocks[-1])))


def _pieces(blocks: list[Block], first: _At, last: _At) -> Iterator[tuple[_At, Part]]:
    """Yield each text between two tags that begin or end a paragraph or a credit, with the place of the tag behind it.

    Other tags have an empty text before them.
    """
    for block in blocks:
        flow, end = block.flow, (block.index, len(block.flow.tags))
        if block.kind is not BlockKind.HTML:
            yield from ((end, Part(leaf.flow, 0, len(leaf.flow.text))) for leaf in _texts(block))
            continue
        begin = first[1] + 1 if block.index == first[0] else 0
        start = flow.tags[begin - 1].at if begin else 0
        for index in range(begin, last[1] + 1 if block.index == last[0] else len(flow.tags)):
            mark = flow.tags[index]
            name = tag_of(mark.name)[0]
            parts_text = name in BLOCK_TAGS or name in _CREDITS
            yield (block.index, index), Part(flow, start, mark.at if parts_text else start)
            start = mark.at if parts_text else start
        if block.index != last[0]:
            yield end, Part(flow, start, len(flow.text))
