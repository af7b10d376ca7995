"""One document being read: what its candidates may look up, and what comes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from tracecite_lint.documents.citing.candidate import (
    UNDEFINED,
    Candidate,
    Found,
    Outcome,
    Refused,
    Rule,
    Table,
    decide,
    filled,
    no_source,
    too_many,
)
from tracecite_lint.documents.citing.lead_ins import begins_with
from tracecite_lint.documents.citing.leftovers import LEFTOVER
from tracecite_lint.documents.citing.links import Source, work_links
from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.flow import Link, Part, once
from tracecite_lint.documents.markup.pairs import CJK, Pair, weight
from tracecite_lint.light.lazy import dataclass, field, regex
from tracecite_lint.model import Citation, Diagnostic, PassedOver, Shape, SourceRef, Span

MOST = 10_000
"""Candidates of one document that are looked at: ten times what people write, and no more than some seconds of work."""
SCRIPT_KNOWN_BY = 20_000
"""Characters of a text by which its script is known."""
# What stands behind a link that an entry begins with, where the entry is about it.
_SEPARATOR = regex(r"[\s*_`”\"]*(?:[-–—―:：,，.;|(（\[\n]|$)")
_LONGEST_REMARK = 40
_INSTEAD = "An assistant left this mark behind: put the source that it stood for in its place."
_FRONT_MATTER = regex(
    r"^(?:source|source[_-]?url|ref|reference|citation)[ \t]*[:=][ \t]*[\"']?(?P<uri>https?://[^\s\"']+)",
    re.IGNORECASE | re.MULTILINE,
)


def is_mostly_cjk(text: str) -> bool:
    """Tell whether *text* is written in Chinese, Japanese or Korean: one character in eight is enough."""
    head = text[:SCRIPT_KNOWN_BY]
    return 8 * len(CJK.findall(head)) > len(head)


@dataclass(eq=False)
class Reading:
    """The document, its references, and what was found so far."""

    tree: Tree
    references: References
    eager: bool = False
    is_report: bool = False
    """It is made to be checked: a single word in marks is a quotation too, and what has a link in its sentence is meant."""
    taken: set[int] = field(default_factory=set)
    """The ids of the blocks whose text is part of a quotation or of its attribution."""
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    """What came of each blockquote and of each quotation in marks, by the id of the block or of the pair."""
    citations: list[Citation] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    passed_over: list[PassedOver] = field(default_factory=list)
    told: set[Span] = field(default_factory=set)
    """The places of the references that were reported as undefined."""
    is_cut: bool = False
    """It has more candidates than are looked at."""
    labelled: list[int] = field(default_factory=list)
    """Where the labelled quotations begin, sound or not."""
    _headings: list[Block] = field(default_factory=list)
    _leading: dict[int, Link | None] = field(default_factory=dict)

    @cached_property
    def is_cjk(self) -> bool:
        """The document is written in Chinese, Japanese or Korean."""
        return is_mostly_cjk(self.tree.lines.text)

    @cached_property
    def front_matter(self) -> list[Source]:
        """The source that the front matter names."""
        match = _FRONT_MATTER.search(self.tree.front_matter)
        if match is None:
            return []
        start, end = match.span("uri")
        offset = self.tree.front_matter_start
        return [Source(match["uri"], offset + start, offset + end)]

    @property
    def claim(self) -> str:
        """The nearest heading."""
        heading = self._headings[-1] if self._headings else None
        return "" if heading is None else _words(heading)

    def enter(self, heading: Block) -> None:
        """Go into the section of *heading*."""
        while self._headings and self._headings[-1].level >= heading.level:
            self._headings.pop()
        self._headings.append(heading)

    @property
    def section_link(self) -> Link | None:
        """The link that the closest heading is nothing but, among those that the current section stands under."""
        return next(filter(None, map(_leading_of, reversed(self._headings))), None)

    def leading_link(self, block: Block) -> Link | None:
        """Return the link that the closest list item or table row around *block* begins with."""
        chain: list[Block] = []
        around: Block | None = block
        while around is not None and id(around) not in self._leading:
            chain.append(around)
            around = around.parent
        link = self._leading[id(around)] if around is not None else None
        for inner in reversed(chain):
            link = self._leading[id(inner)] = _leading_of(inner) or link
        return link

    def decide(self, candidate: Candidate, table: Table, eager: Table) -> Outcome:
        """Return the outcome by the *table*, or by the *eager* one where that is asked for and the first finds nothing."""
        outcome = decide(candidate, table)
        if self.eager and isinstance(outcome, Refused):
            second = decide(candidate, eager)
            outcome = second if isinstance(second, Found) else outcome
        return outcome

    def add(
        self, parts: Iterable[Part], sources: Iterable[Source], rule: Rule, shape: Shape
    ) -> bool:
        """Take in one quotation with all its sources; tell whether there was anything to take in."""
        kept, lines = filled(parts), self.tree.lines
        if not kept:
            return False
        for source in {source.uri: source for source in reversed([*sources])}.values():
            self.citations.append(
                Citation(
                    passages=tuple(part.text for part in kept),
                    span=lines.span(*_range(kept)),
                    source=SourceRef(
                        source.uri, lines.span(source.start, source.end), source.title
                    ),
                    shape=shape,
                    rule=rule.name,
                    claim=self.claim,
                )
            )
        return True

    def pass_over(self, candidate: Candidate, outcome: Refused) -> None:
        """Take in that *candidate* is no citation: its reason, and a finding where somebody may have meant a quotation.

        That is so too where a reference stands right behind and leads nowhere.
        """
        parts, mark, refusal = filled(candidate.parts), candidate.undefined, outcome.refusal
        if not parts:
            return
        place = _range(parts)
        self.passed_over.append(PassedOver(self.tree.lines.span(*place), outcome.reason))
        meant = refusal.reason == UNDEFINED
        if not candidate.is_block:
            meant = not candidate.is_linked and not candidate.is_short
        if mark is not None and meant:
            self.told.add(self.tree.lines.span(mark.start, mark.end))
            message = f"the quotation's reference {mark.mark} is not defined in this document"
            instead = _INSTEAD if LEFTOVER.fullmatch(mark.mark) else ""
            self.report("UNDEFINED_REFERENCE", message, mark.start, mark.end, instead)
        elif refusal.is_counted or (self.is_report and candidate.has_link_in_sentence):
            what = "this quotation" if candidate.pair else "this blockquote"
            why = refusal.reason if refusal is no_source else f"source in reach: {outcome.reason}"
            message = f"{what} has {'' if refusal is no_source else 'no '}{why}"
            self.report("UNASSOCIATED_QUOTE", message, *place)

    def is_full(self, block: Block, part: Part) -> bool:
        """Tell whether the document has had as many candidates as are looked at; the first one too many is told."""
        if len(self.outcomes) < MOST:
            return False
        if not self.is_cut:
            self.is_cut = True
            self.pass_over(Candidate(self, block, [part]), Refused(too_many))
        return True

    def drop(self, code: str) -> None:
        """Forget the findings with this code."""
        self.diagnostics = [item for item in self.diagnostics if item.code != code]

    def report(self, code: str, message: str, start: int, end: int, help: str = "") -> None:
        """Take in a finding on the document's form, at the offsets from *start* to *end*."""
        span = self.tree.lines.span(start, end)
        self.diagnostics.append(Diagnostic(code=code, message=message, span=span, help=help))

    def found(self, place: Block | Pair | None) -> Found | None:
        """Return what was found for another blockquote, or for another quotation in marks behind."""
        outcome = self.outcomes.get(id(place))
        return outcome if isinstance(outcome, Found) else None


def _range(parts: list[Part]) -> tuple[int, int]:
    """Return the document's range of the paragraphs of a quotation."""
    first, last = parts[0], parts[-1]
    start = first.flow.source_range(first.start, first.end)[0]
    return start, last.flow.source_range(last.start, last.end)[1]


@once
def _leading_of(block: Block) -> Link | None:
    """Return the link that an item, a row or a section begins with, where what follows is about it."""
    text = _first_text(block)
    link = next(iter(work_links(text.flow)), None) if text is not None else None
    if text is None or link is None or not begins_with(text.flow, link):
        return None
    if not _SEPARATOR.match(text.flow.text, link.end, link.end + _LONGEST_REMARK):
        return None
    if block.kind is BlockKind.HEADING and (
        block.level == 1 or "://" not in link.url or weight(text.flow.text[link.end :]) > 2
    ):
        return None
    return link


@once
def _words(heading: Block) -> str:
    return heading.flow.words(0, len(heading.flow.text))


def _first_text(block: Block) -> Block | None:
    """Return the text that an item, a row or a section begins with."""
    if block.kind is BlockKind.HEADING:
        return block
    if block.kind is BlockKind.ITEM:
        return next((one for one in block.children[:1] if one.kind is BlockKind.PARAGRAPH), None)
    cells = block.children[:2] if block.kind is BlockKind.ROW else []
    return next((cell for cell in cells if any(map(str.isalpha, cell.flow.text))), None)
