"""The elements that mark a quotation and name its source in an attribute: `<q cite="u">` and the like."""

from __future__ import annotations

from tracecite_lint.documents.citing.collected import Collected, Part, without_marks
from tracecite_lint.documents.citing.source_links import Source
from tracecite_lint.documents.markup.blocks import Block
from tracecite_lint.documents.markup.flow import Mark
from tracecite_lint.documents.markup.html_tags import MOST_NESTED, attributes, tag_of
from tracecite_lint.model import Shape
from tracecite_lint.naming.uris import is_web

QUOTES = frozenset({"blockquote", "quote", "pullquote"})
_CITE = ("cite", "source", "href", "url", "link", "src")


def cite_of(mark: Mark) -> Source | None:
    """Return the source that a tag's own attribute names."""
    found = attributes(mark.name)
    for name in _CITE:
        value = found.get(name, "").strip()
        if value and " " not in value and (name == "cite" or is_web(value) or value[0] in "./"):
            return Source(value, mark.source_start, mark.source_end)
    return None


def read_inline_tags(block: Block, collected: Collected, claim: str) -> list[tuple[int, int]]:
    """Collect `<q cite="u">…</q>` in running text; return the ranges taken, in order."""
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
            if len(opened) >= MOST_NESTED:
                continue
            words = block.flow.trimmed(first.at, mark.at)
            if name in QUOTES and block.flow.link_around(*words) is not None:
                continue  # The title of an embedded page, not its words.
            parts = without_marks([Part(block.flow, first.at, mark.at)])
            if source is not None and collected.add(parts, [source], Shape.HTML, claim):
                taken.append((first.at, mark.at))
    return sorted(taken)
