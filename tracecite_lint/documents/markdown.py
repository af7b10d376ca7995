"""Markdown to citations: which words a document quotes, and which source it gives for them (docs/citations.md)."""

from __future__ import annotations

import re

from tracecite_lint.documents.citing.blockquotes import BlockquoteReader
from tracecite_lint.documents.citing.collected import Collected
from tracecite_lint.documents.citing.eager import (
    eager_blockquote_sources,
    eager_sources,
    front_matter_sources,
)
from tracecite_lint.documents.citing.html_quotes import HtmlQuoteReader
from tracecite_lint.documents.citing.inline import read_inline
from tracecite_lint.documents.citing.labelled import read_labelled
from tracecite_lint.documents.citing.references import find_references
from tracecite_lint.documents.citing.source_links import Source, source_of
from tracecite_lint.documents.citing.text_fragments import DELIMITER
from tracecite_lint.documents.markup.blocks import Block, BlockKind, parse_blocks
from tracecite_lint.documents.markup.flow import Flow, once
from tracecite_lint.documents.markup.pairs import Pair
from tracecite_lint.documents.suppressions import markdown_suppressions
from tracecite_lint.model import Citation, Document, DocumentKind
from tracecite_lint.naming.file_names import is_mdx

# A quotation mark, as itself or as an entity, or a tag that may be `<q>`: a block without any has no inline quotation.
_QUOTED = re.compile('[“”"„«»「」『』〝＂❝]|&#|&[lrb]?[ad]?quo|<[qQ]')


def parse_markdown(path: str, text: str, *, eager: bool = False, report: bool = False) -> Document:
    """Read *text* as GitHub Flavored Markdown and return its citations in the order of their places.

    `eager` adds the shapes that more often take titles and scare quotes for quotations (docs/citations.md). In a *report*,
    which is made to be checked, a single word is a quotation too, and a label without its counterpart is a finding. Raises
    TooCostlyError.
    """
    mdx = is_mdx(path)
    tree = parse_blocks(text, mdx=mdx)
    references = find_references(tree)
    collected = Collected(tree.lines)
    fallback = front_matter_sources(tree) if eager else []

    def nearest(flow: Flow, pair: Pair) -> list[Source]:
        return eager_sources(flow, pair, fallback)

    def around(block: Block) -> list[Source]:
        return eager_blockquote_sources(block, fallback)

    blockquotes = BlockquoteReader(references, collected, around if eager else None)
    html = HtmlQuoteReader(references, collected, blockquotes)
    heading: Block | None = None
    everywhere = DELIMITER in text
    for block in tree.root.walk():
        if block.kind is BlockKind.HEADING:
            heading = block
        if block.kind is BlockKind.BLOCKQUOTE:
            taken = read_labelled(block, tree.lines, collected, _claim(heading), report=report)
            blockquotes.taken.update(taken)
            if not taken and id(block) not in blockquotes.taken:
                blockquotes.read(block, _claim(heading))
        elif block.kind is BlockKind.HTML and id(block) not in blockquotes.taken:
            html.read(block, _claim(heading))
        if not block.make_flow or not (everywhere or tree.holds(block, _QUOTED)):
            continue
        if id(block) not in blockquotes.taken:
            found = nearest if eager else None
            read_inline(block, references, collected, _claim(heading), found, report=report)
        for link in block.flow.links:
            if DELIMITER in link.url:
                collected.add_fragment(source_of(link), _claim(heading))
    if not report and not collected.labelled:
        collected.drop("SOURCE_WITHOUT_QUOTE")
    suppressions, malformed = markdown_suppressions(tree, mdx=mdx)
    return Document(
        path=path,
        text=text,
        kind=DocumentKind.MARKDOWN,
        citations=tuple(sorted(collected.citations, key=_place)),
        diagnostics=tuple(sorted((*collected.diagnostics, *malformed), key=lambda item: item.span)),
        suppressions=suppressions,
    )


def _claim(heading: Block | None) -> str:
    return "" if heading is None else _words(heading)


@once
def _words(heading: Block) -> str:
    return heading.flow.words(0, len(heading.flow.text))


def _place(citation: Citation) -> tuple[object, object]:
    return citation.span, citation.source.span
