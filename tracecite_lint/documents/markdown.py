"""Markdown to citations: which words a document quotes, and which source it gives for them (docs/citations.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tracecite_lint.documents.citing import quoted_blocks, running_text
from tracecite_lint.documents.citing.attributions import attributed
from tracecite_lint.documents.citing.candidate import (
    Candidate,
    Found,
    Refused,
    filled,
    without_quotation_marks,
)
from tracecite_lint.documents.citing.html_quotes import read_elements, read_quote_tags
from tracecite_lint.documents.citing.labelled import read_labelled
from tracecite_lint.documents.citing.leftovers import MAY_BE_LEFT, leftovers, tracking_parameters
from tracecite_lint.documents.citing.links import is_source, source_of
from tracecite_lint.documents.citing.neighbours import credit_of, is_quote_column
from tracecite_lint.documents.citing.quoted_blocks import QUOTE_CALLOUTS, callout_of
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.citing.references import find_references
from tracecite_lint.documents.citing.text_fragments import read_directives
from tracecite_lint.documents.citing.translations import originals
from tracecite_lint.documents.citing.turns import turns
from tracecite_lint.documents.claims import NO_CLAIMS, read_claims
from tracecite_lint.documents.markup.blocks import (
    MAY_LINK,
    MAY_QUOTE,
    Block,
    BlockKind,
    Tree,
    parse_blocks,
)
from tracecite_lint.documents.markup.flow import Part
from tracecite_lint.documents.markup.pairs import OPENING
from tracecite_lint.documents.vocabulary import METADATA
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Document, DocumentKind, Shape
from tracecite_lint.naming.file_names import is_mdx
from tracecite_lint.rules.silenced import PREFIX
from tracecite_lint.text.directives import DELIMITER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.rules.suppressions import Found as Suppressions

_DIRECTIVE = (regex(DELIMITER),)
# A link definition with a text directive: then any text may have a link to it.
_DEFINED_DIRECTIVE = regex(r"\]:[ \t\r\n]*\S{1,2000}?:~:")


def parse_markdown(
    path: str,
    text: str,
    *,
    eager: bool = False,
    report: bool = False,
    claims: Collection[str] | None = None,
) -> Document:
    """Read *text* as GitHub Flavored Markdown and return its citations in the order of their places.

    `eager` adds the shapes that more often take titles and scare quotes for quotations (docs/citations.md). In a *report*,
    which is made to be checked, a single word is a quotation too, and a label without its counterpart is a finding. *claims* is what
    is asked of linked claims that quote nothing (`sources`, `figures`, `years`, `dates`, `titles`); with None they are not even
    looked for. Raises TooCostlyError.
    """
    mdx = is_mdx(path)
    tree = parse_blocks(text, mdx=mdx)
    reading = read_blocks(Reading(tree, find_references(tree), eager=eager, is_report=report))
    return document_of(path, reading, claims)


def document_of(path: str, reading: Reading, claims: Collection[str] | None = None) -> Document:
    """Return what was read as a document; *claims* is that of `parse_markdown`."""
    mdx, report, tree = is_mdx(path), reading.is_report, reading.tree
    if not report and not reading.labelled:
        reading.drop("SOURCE_WITHOUT_QUOTE")
    reading.diagnostics.extend(tracking_parameters(reading.citations, tree.lines))
    suppressions, malformed = _suppressions(tree, mdx=mdx)
    linked = NO_CLAIMS if claims is None else read_claims(reading, claims)
    return Document(
        path=path,
        text=tree.lines.text,
        kind=DocumentKind.MARKDOWN,
        citations=tuple(
            sorted(
                (*reading.citations, *linked.citations),
                key=lambda item: (item.span, item.source.span),
            )
        ),
        diagnostics=tuple(sorted((*reading.diagnostics, *malformed), key=lambda item: item.span)),
        suppressions=suppressions,
        passed_over=tuple(sorted(reading.passed_over, key=lambda item: item.span)),
        claims=linked.linked,
        is_uncited=not reading.citations and first_linked(reading) is not None,
    )


def _suppressions(tree: Tree, *, mdx: bool) -> Suppressions:
    if PREFIX not in tree.lines.text:
        return (), ()
    # Few documents have any.
    from tracecite_lint.documents.suppressions import markdown_suppressions

    return markdown_suppressions(tree, mdx=mdx)


def first_linked(reading: Reading) -> Block | None:
    """Return the first block of a document that leads anywhere."""
    return next(filter(is_linked, reading.tree.blocks), None)


def is_linked(block: Block) -> bool:
    """Tell whether *block* leads anywhere."""
    may_be = block.make_flow is not None and block.holds(MAY_LINK)
    return may_be and any(map(is_source, block.flow.links))


def read_blocks(reading: Reading) -> Reading:
    """Take in all that the document of *reading* quotes; return the reading."""
    whole = reading.tree.root
    defined = _DEFINED_DIRECTIVE.search(reading.tree.lines.text) is not None
    directed, left = whole.holds(_DIRECTIVE), whole.holds(MAY_BE_LEFT)
    for block in reading.tree.blocks:
        if block.kind is BlockKind.HEADING:
            reading.enter(block)
        elif block.kind is BlockKind.BLOCKQUOTE:
            _read_blockquote(block, reading)
        elif block.kind is BlockKind.HTML and id(block) not in reading.taken:
            read_elements(block, reading)
        if not block.make_flow:
            continue
        quotes = block.holds(MAY_QUOTE) or is_quote_column(block)
        if quotes and id(block) not in reading.taken:
            _read_text(block, reading)
        if defined or (directed and block.holds(_DIRECTIVE)):
            for link in block.flow.links:
                read_directives(source_of(link), reading)
        if left and block.holds(MAY_BE_LEFT):
            _read_leftovers(block, reading)
    return reading


def _read_leftovers(block: Block, reading: Reading) -> None:
    for mark in leftovers(block.flow, reading.references):
        if reading.tree.lines.span(mark.start, mark.end) not in reading.told:
            message = f"{mark.mark} was left behind by an assistant and leads nowhere"
            reading.report("LEFTOVER_MARKER", message, mark.start, mark.end)


# ---- Words in marks -------------------------------------------------------------------------------------------------


def _read_text(block: Block, reading: Reading) -> None:
    """Take in the quotations of a paragraph, a heading, a cell or an HTML block, the last one first.

    What stands before another quotation may have the source of that.
    """
    flow = block.flow
    taken = read_quote_tags(block, reading) if flow.tags else []
    for pair in reversed(flow.pairs()):
        while taken and taken[-1][0] > pair.start:
            taken.pop()
        part = Part(flow, *pair.inner)
        if not part.text or (taken and pair.end <= taken[-1][1]):
            continue
        if reading.is_full(block, part):
            return
        _take_marks(Candidate(reading, block, [part], pair), reading)
    if not flow.pairs() and is_quote_column(block):
        whole = Part(flow, 0, len(flow.text)).trimmed()
        if whole.start < whole.end:
            _take_marks(Candidate(reading, block, [whole]), reading)


def _take_marks(candidate: Candidate, reading: Reading) -> None:
    outcome = reading.decide(candidate, running_text.TABLE, running_text.EAGER)
    reading.outcomes[id(candidate.pair)] = outcome
    if isinstance(outcome, Refused):
        reading.pass_over(candidate, outcome)
        return
    parts = outcome.hit.parts or candidate.parts
    reading.add(parts, outcome.hit.sources, outcome.rule, outcome.rule.shape)


# ---- Blockquotes ----------------------------------------------------------------------------------------------------


def leaves(block: Block) -> Iterator[Block]:
    """Yield the paragraphs and headings of a blockquote, those of quotations inside it left out."""
    stack = list(reversed(block.children))
    while stack:
        current = stack.pop()
        if current.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            yield current
        elif current.kind is not BlockKind.BLOCKQUOTE:
            stack.extend(reversed(current.children))


def _read_blockquote(block: Block, reading: Reading) -> None:
    paragraphs = list(leaves(block))
    if not paragraphs or id(block) in reading.taken:
        return
    flow = paragraphs[0].flow
    if reading.is_full(block, Part(flow, 0, len(flow.text))):
        return
    parts = [Part(leaf.flow, 0, len(leaf.flow.text)) for leaf in paragraphs]
    kind, start, end = callout_of(flow)
    callout = (flow, start, end) if kind in QUOTE_CALLOUTS else None
    if callout:
        parts = _without_metadata([Part(flow, end, len(flow.text)), *parts[1:]])
    if not read_labelled(paragraphs, reading) and not _each_signed(parts, reading):
        candidate = Candidate(reading, block, parts, callout=callout)
        outcome = reading.decide(candidate, quoted_blocks.BLOCKQUOTES, quoted_blocks.EAGER)
        reading.outcomes[id(block)] = outcome
        if isinstance(outcome, Refused):
            reading.pass_over(candidate, outcome)
            return
        _take_block(candidate, outcome, reading)
    reading.taken.update(map(id, paragraphs))


def _take_block(candidate: Candidate, found: Found, reading: Reading) -> None:
    parts = found.hit.parts or candidate.parts
    if len(parts) > 1:
        parts = originals(parts, document_is_cjk=reading.is_cjk)
    shape = Shape.CALLOUT if candidate.callout else found.rule.shape
    listed = any(child.kind is BlockKind.LIST for child in candidate.block.children)
    for turn in [parts] if listed else turns(parts):
        reading.add(without_quotation_marks(turn), found.hit.sources, found.rule, shape)
    if found.rule.shape is Shape.SOURCE_AFTER:
        reading.taken.add(id(credit_of(candidate.block)))


def _each_signed(parts: list[Part], reading: Reading) -> bool:
    """Take in a block whose every paragraph or line is a quotation, in marks and with a source of its own; tell if it is one."""
    if len(parts) == 1:
        parts = [Part(parts[0].flow, *line) for line in parts[0].flow.lines()]
    kept = filled(parts)
    if len(kept) < 2 or any(part.flow.text[part.start] not in OPENING for part in kept):
        return False
    found = [attributed([part], reading.references) for part in kept]
    if not all(one.sources for one in found):
        return False
    for one in found:
        shape = one.shape or Shape.ATTRIBUTION
        reading.add(
            without_quotation_marks(one.parts), one.sources, quoted_blocks.attribution, shape
        )
    return True


def _without_metadata(parts: list[Part]) -> list[Part]:
    """Drop a first line such as `Subtitle: …` or `Published: …`, which belongs to the callout, not to the source."""
    kept = filled(parts)
    first = kept[0] if kept else None
    if first is None or (len(kept) == 1 and "\n" not in first.flow.text[first.start : first.end]):
        return kept
    if METADATA.match(first.flow.text, first.start):
        end = first.flow.text.find("\n", first.start, first.end)
        kept[0] = Part(first.flow, first.end if end == -1 else end, first.end)
    return kept
