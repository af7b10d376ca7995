"""One document being read: what its candidates may look up, and what comes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from tracecite_lint.documents.citing.candidate import (
    Candidate,
    Found,
    Hit,
    Outcome,
    Part,
    Refusal,
    Refused,
    Rule,
    Table,
    decide,
    no_source,
    too_many,
)
from tracecite_lint.documents.citing.lead_ins import begins_with
from tracecite_lint.documents.citing.leftovers import Undefined
from tracecite_lint.documents.citing.links import Source, is_work
from tracecite_lint.documents.citing.not_quoted import looks_like_works
from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.flow import Link, once
from tracecite_lint.documents.markup.pairs import CJK, Pair, weight
from tracecite_lint.documents.vocabulary import SAYING
from tracecite_lint.lazy import dataclass, field, regex
from tracecite_lint.model import Citation, Diagnostic, PassedOver, Shape, SourceRef, Span

_MOST = 10_000
"""Candidates of one document that are looked at: ten times what people write, and no more than some seconds of work."""
_LOOKED_AT = 20_000
"""Characters of a text by which its script is known."""
# What stands behind a link that an entry begins with, where the entry is about it.
_SEPARATOR = regex(r"[\s*_`”\"]*(?:[-–—―:：,，.;|(（\[\n]|$)")
_LONGEST_REMARK = 40
_FRONT_MATTER = regex(
    r"^(?:source|source[_-]?url|ref|reference|citation)[ \t]*[:=][ \t]*[\"']?(?P<uri>https?://[^\s\"']+)",
    re.IGNORECASE | re.MULTILINE,
)


def is_mostly_cjk(text: str) -> bool:
    """Tell whether *text* is written in Chinese, Japanese or Korean: one character in eight is enough."""
    head = text[:_LOOKED_AT]
    return 8 * len(CJK.findall(head)) > len(head)


@dataclass(eq=False)
class Reading:
    """The document, its references, and what was found so far."""

    tree: Tree
    references: References
    eager: bool = False
    is_report: bool = False
    """It is made to be checked: a single word in marks is a quotation too."""
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
    labelled: int = 0
    """How many labelled quotations there are, sound or not."""
    _works: dict[int, bool] = field(default_factory=dict)
    _headings: list[Block] = field(default_factory=list)
    _leading: dict[int, Link | None] = field(default_factory=dict)
    _sayings: dict[int, list[int]] = field(default_factory=dict)

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
        for heading in reversed(self._headings):
            link = self._leading_of(heading)
            if link is not None:
                return link
        return None

    def leading_link(self, block: Block) -> Link | None:
        """Return the link that the closest list item or table row around *block* begins with."""
        chain: list[Block] = []
        around: Block | None = block
        while around is not None and id(around) not in self._leading:
            chain.append(around)
            around = around.parent
        link = self._leading[id(around)] if around is not None else None
        for inner in reversed(chain):
            link = self._leading_of(inner) or link
            self._leading[id(inner)] = link
        return link

    def _leading_of(self, block: Block) -> Link | None:
        text = _first_text(block)
        if text is None:
            return None
        link = next((link for link in text.flow.links if is_work(link)), None)
        if link is None or not begins_with(text.flow, link):
            return None
        if not _SEPARATOR.match(text.flow.text, link.end, link.end + _LONGEST_REMARK):
            return None
        behind = text.flow.text[link.end :] if block.kind is BlockKind.HEADING else ""
        if block.kind is BlockKind.HEADING and (
            block.level == 1 or "://" not in link.url or weight(behind) > 2
        ):
            return None
        return link

    def is_list_of_works(self, items: Block) -> bool:
        """Tell whether a list looks like one of works that no heading calls so."""
        found = self._works.get(id(items))
        if found is None:
            found = self._works[id(items)] = looks_like_works(items)
        return found

    def hit_of(self, pair: Pair) -> Hit | None:
        """Return what was found for a quotation that stands behind the one asked about."""
        outcome = self.outcomes.get(id(pair))
        return Hit(outcome.hit.sources) if isinstance(outcome, Found) else None

    def sayings(self, block: Block) -> list[int]:
        """Return where the verbs of saying stand in the text of *block*, in order."""
        found = self._sayings.get(id(block))
        if found is None:
            found = self._sayings[id(block)] = [
                match.start() for match in SAYING.finditer(block.flow.text)
            ]
        return found

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
        kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
        if not kept:
            return False
        start = kept[0].flow.source_range(kept[0].start, kept[0].end)[0]
        end = kept[-1].flow.source_range(kept[-1].start, kept[-1].end)[1]
        for source in {source.uri: source for source in reversed([*sources])}.values():
            self.citations.append(
                Citation(
                    passages=tuple(part.text for part in kept),
                    span=self.tree.lines.span(start, end),
                    source=SourceRef(
                        source.uri, self.tree.lines.span(source.start, source.end), source.title
                    ),
                    shape=shape,
                    rule=rule.name,
                    claim=self.claim,
                )
            )
        return True

    def pass_over(self, candidate: Candidate, refusal: Refusal) -> None:
        """Take in that *candidate* is no citation: its reason, and a finding where somebody may have meant a quotation."""
        parts = [
            part for part in (part.trimmed() for part in candidate.parts) if part.start < part.end
        ]
        if not parts:
            return
        start = parts[0].flow.source_range(parts[0].start, parts[0].end)[0]
        end = parts[-1].flow.source_range(parts[-1].start, parts[-1].end)[1]
        self.passed_over.append(PassedOver(self.tree.lines.span(start, end), refusal.reason))
        if refusal.is_counted:
            what = "this quotation" if candidate.pair else "this blockquote"
            why = refusal.reason if refusal is no_source else f"source in reach: {refusal.reason}"
            message = f"{what} has {'' if refusal is no_source else 'no '}{why}"
            self.report("UNASSOCIATED_QUOTE", message, start, end)

    def undefined(self, candidate: Candidate, mark: Undefined, refusal: Refusal) -> None:
        """Take in that the reference of *candidate* leads nowhere."""
        parts = candidate.parts
        start = parts[0].flow.source_range(parts[0].start, parts[0].end)[0]
        end = parts[-1].flow.source_range(parts[-1].start, parts[-1].end)[1]
        self.passed_over.append(PassedOver(self.tree.lines.span(start, end), refusal.reason))
        self.told.add(self.tree.lines.span(mark.start, mark.end))
        message = f"the quotation's reference {mark.mark} is not defined in this document"
        self.report("UNDEFINED_REFERENCE", message, mark.start, mark.end)

    def is_full(self, block: Block, part: Part) -> bool:
        """Tell whether the document has had as many candidates as are looked at; the first one too many is told."""
        if len(self.outcomes) < _MOST:
            return False
        if not self.is_cut:
            self.is_cut = True
            self.pass_over(Candidate(self, block, [part]), too_many)
        return True

    def drop(self, code: str) -> None:
        """Forget the findings with this code."""
        self.diagnostics = [item for item in self.diagnostics if item.code != code]

    def report(self, code: str, message: str, start: int, end: int) -> None:
        """Take in a finding on the document's form, at the offsets from *start* to *end*."""
        span = self.tree.lines.span(start, end)
        self.diagnostics.append(Diagnostic(code=code, message=message, span=span))


@once
def _words(heading: Block) -> str:
    return heading.flow.words(0, len(heading.flow.text))


def _first_text(block: Block) -> Block | None:
    """Return the text that an item, a row or a section begins with."""
    if block.kind is BlockKind.HEADING:
        return block
    if block.kind is BlockKind.ITEM:
        first = block.children[0] if block.children else None
        return first if first is not None and first.kind is BlockKind.PARAGRAPH else None
    if block.kind is BlockKind.ROW and block.children:
        return next(
            (cell for cell in block.children[:2] if any(map(str.isalpha, cell.flow.text))), None
        )
    return None
