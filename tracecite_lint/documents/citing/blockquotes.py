"""Blockquotes that quote: which words, and from which source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.citing.attributions import (
    Quotation,
    attributed,
    attribution_sources,
    is_marked,
    is_only_a_reference,
)
from tracecite_lint.documents.citing.collected import Collected, Part, without_marks
from tracecite_lint.documents.citing.lead_ins import after, announces_words, before, lead_in_source
from tracecite_lint.documents.citing.references import References, undefined_at_end
from tracecite_lint.documents.citing.source_links import Source, is_source, source_links, source_of
from tracecite_lint.documents.citing.translations import is_mostly_cjk, originals
from tracecite_lint.documents.citing.turns import turns
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link
from tracecite_lint.documents.markup.pairs import OPENING
from tracecite_lint.documents.markup.sentences import sentence_start
from tracecite_lint.model import Shape

_CALLOUT = re.compile(r"\s*\[!([\w-]+)\][+-]?[ \t]*")
_CREDIT = re.compile(r"(?:--|[~—–―])[^\n]+")
_QUOTE_CALLOUTS = frozenset({"quote", "cite"})


def leaves(block: Block) -> Iterator[Block]:
    """Yield the paragraphs and headings of a blockquote, those of quotations inside it left out."""
    stack = list(reversed(block.children))
    while stack:
        current = stack.pop()
        if current.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            yield current
        elif current.kind is not BlockKind.BLOCKQUOTE:
            stack.extend(reversed(current.children))


class BlockquoteReader:
    """Reads the blockquotes of one document, outer ones first, and remembers which blocks they took."""

    def __init__(
        self,
        references: References,
        collected: Collected,
        eager: Callable[[Block], list[Source]] | None = None,
    ) -> None:
        self._eager = eager
        self._references = references
        self._collected = collected
        self._is_cjk: bool | None = None
        self.taken: set[int] = set()
        """The ids of the blocks whose text is part of a quotation or of its attribution."""

    def read(self, block: Block, claim: str) -> bool:
        """Collect the quotation that *block* is; False if it is none that has a source."""
        paragraphs = list(leaves(block))
        if not paragraphs:
            return False
        kind, title = _callout(paragraphs[0].flow)
        if kind and kind not in _QUOTE_CALLOUTS:
            return False
        parts = [Part(leaf.flow, 0, len(leaf.flow.text)) for leaf in paragraphs]
        if kind:
            parts[0] = Part(parts[0].flow, title[1], parts[0].end)
            parts = _without_metadata(parts)
        signed = self._each_signed(parts)
        if signed:
            for one in signed:
                self._collected.add(without_marks(one.parts), one.sources, one.shape, claim)
            self.taken.update(id(leaf) for leaf in paragraphs)
            return True
        found = self._source(block, parts, paragraphs[0].flow if kind else None, title)
        if found is None:
            return False
        if not kind and self._is_own_note(block, paragraphs[0].flow, found.shape):
            return False
        if not found.sources and self._eager is not None:
            found.sources, found.shape = self._eager(block), Shape.EAGER
        if not found.sources:
            self._report(found.parts)
            return False
        if found.shape is Shape.SOURCE_AFTER:
            self._take_credit(block)
        for turn in turns(self._originals(found.parts)):
            self._collected.add(without_marks(turn), found.sources, found.shape, claim)
        self.taken.update(id(leaf) for leaf in paragraphs)
        return True

    def _source(
        self, block: Block, parts: list[Part], callout: Flow | None, title: tuple[int, int]
    ) -> Quotation | None:
        found = attributed(parts, self._references)
        if found.not_quoted:
            return None
        if callout is not None:
            found.shape = Shape.CALLOUT
            if not found.sources:
                link = _first_source(callout, *title)
                found.sources = [source_of(link)] if link else []
            if not found.sources:
                found.sources = self._lead_in(block)
            return found
        if not found.sources:
            found.sources = self._right_after(block, marked=True)
            found.shape = Shape.SOURCE_AFTER
        if not found.sources or all(cues.is_profile(source.uri) for source in found.sources):
            found.sources, found.shape = self._lead_in(block), Shape.LEAD_IN
        if not found.sources:
            # Only now: where titles and quotations take turns, the link after one leads in the next.
            found.sources, found.shape = self._right_after(block), Shape.SOURCE_AFTER
        if not found.sources:
            found.sources, found.shape = self._carrying_sentence(block), Shape.FOOTNOTE
        return found

    def _each_signed(self, parts: list[Part]) -> list[Quotation]:
        """Return the quotations of a block whose every paragraph or line is one, in marks and with a source of its own."""
        if len(parts) == 1:
            parts = [Part(parts[0].flow, *line) for line in parts[0].flow.lines()]
        kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
        if len(kept) < 2 or any(part.flow.text[part.start] not in OPENING for part in kept):
            return []
        found = [attributed([part], self._references) for part in kept]
        return found if all(one.sources for one in found) else []

    def _is_own_note(self, block: Block, flow: Flow, shape: Shape) -> bool:
        """Tell whether a blockquote that opens with `Note:` is the author's: nobody signs it or is said to say it."""
        labelled = any(
            start == 0 and cues.OWN_NOTE_LABEL.fullmatch(flow.text, start, end)
            for start, end in flow.strongs
        )
        if not (labelled or cues.OWN_NOTE.match(flow.text)) or shape is Shape.ATTRIBUTION:
            return False
        lead = before(block)
        return shape is not Shape.LEAD_IN or lead is None or not announces_words(lead)

    def _originals(self, parts: list[Part]) -> list[Part]:
        if len(parts) < 2:
            return parts
        if self._is_cjk is None:
            self._is_cjk = is_mostly_cjk(self._collected.lines.text)
        return originals(parts, document_is_cjk=self._is_cjk)

    def _report(self, parts: Sequence[Part]) -> None:
        """Report a blockquote whose reference nothing defines, or that has no source."""
        if not parts:
            return
        first, last = parts[0].trimmed(), parts[-1].trimmed()
        if first.start >= first.end or last.start >= last.end:
            return
        undefined = undefined_at_end(last.flow, last.start, last.end, self._references)
        if undefined is not None:
            label, start, end = undefined
            message = f"the quotation's reference {label} is not defined in this document"
            self._collected.report("UNDEFINED_REFERENCE", message, start, end)
            return
        start = first.flow.source_range(first.start, first.end)[0]
        end = last.flow.source_range(last.start, last.end)[1]
        self._collected.report(
            "UNASSOCIATED_QUOTE", "this blockquote has no source in reach", start, end
        )

    def around(self, first: Block, last: Block) -> list[Source]:
        """Return the source that stands right after *last*, or that the lead-in before *first* gives."""
        sources = self._right_after(last)
        if sources:
            self._take_credit(last)
        return sources or self._lead_in(first)

    def _take_credit(self, block: Block) -> None:
        """Remember that the paragraph after *block* gives its source: it leads in nothing."""
        following = _credit_after(block)
        if following is not None:
            self.taken.add(id(following))

    def _right_after(self, block: Block, *, marked: bool = False) -> list[Source]:
        """The next paragraph is nothing but a dash or label and a link; if not *marked*, a link alone will do."""
        following = _credit_after(block)
        if following is None or following.first_line - block.last_line > 3:
            return []
        flow = following.flow
        start, end = flow.trimmed(0, len(flow.text))
        line_end = flow.text.find("\n", start, end)
        end = end if line_end == -1 else line_end
        if (marked or line_end != -1) and not is_marked(flow, start, end):
            return []
        sources = attribution_sources(flow, start, end, bare=True)
        return [] if all(cues.is_profile(source.uri) for source in sources) else sources

    def _lead_in(self, block: Block) -> list[Source]:
        previous = before(block)
        if previous is None or id(previous) in self.taken:
            return []
        if previous.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            return []
        return lead_in_source(
            previous, self._references, outside=previous.parent is not block.parent
        )

    def _carrying_sentence(self, block: Block) -> list[Source]:
        """A footnote that is a quotation without a link: its source is the link before the footnote's reference."""
        note = block.parent
        if note is None or note.kind is not BlockKind.FOOTNOTE:
            return []
        if block.index > 1 or any(leaf.flow.links for leaf in note.children[: block.index]):
            return []
        flow, at = self._references.first_uses.get(note.name.casefold(), (None, 0))
        if flow is None:
            return []
        start = sentence_start(flow.text, max(at - 2, 0))
        links = source_links(flow)
        index = bisect_left(links, at, key=lambda link: link.start) - 1
        if index < 0 or links[index].start < start:
            return []
        return [source_of(links[index])]


def _callout(flow: Flow) -> tuple[str, tuple[int, int]]:
    """Return the kind of callout that a blockquote's first paragraph opens, and the range of its title."""
    match = _CALLOUT.match(flow.text)
    if match is None:
        return "", (0, 0)
    end = flow.text.find("\n", match.end())
    return match[1].casefold(), (match.end(), len(flow.text) if end == -1 else end)


def _credit_after(block: Block) -> Block | None:
    """Return the paragraph that may give the source of *block*: the next one, or a blockquote of its own there or inside."""
    inner = block.children[-1:]
    following = inner[0] if inner and inner[0].kind is BlockKind.BLOCKQUOTE else after(block)
    if following is not None and following.kind is BlockKind.LIST:
        following = _only_text_of(following)
        if following is None or not cues.is_somebody(following.flow.text):
            return None
    if following is not None and following.kind is BlockKind.BLOCKQUOTE:
        following = following.children[0] if len(following.children) == 1 else None
        if following is None or not _is_credit(following.flow):
            return None
    return following if following is not None and following.kind is BlockKind.PARAGRAPH else None


def _only_text_of(items: Block) -> Block | None:
    """Return the paragraph that a list is nothing but: `- [t](u)`, whose dash was meant as one before a credit."""
    item = items.children[0]
    return item.children[0] if len(items.children) == len(item.children) == 1 else None


def _is_credit(flow: Flow) -> bool:
    if _CREDIT.fullmatch(flow.text):
        return True
    end = len(flow.text)
    return is_marked(flow, 0, end) and is_only_a_reference(Part(flow, 0, end))


def _first_source(flow: Flow, start: int, end: int) -> Link | None:
    return next(
        (link for link in flow.links_within(start, max(end, start)) if is_source(link)), None
    )


def _without_metadata(parts: list[Part]) -> list[Part]:
    """Drop a first line such as `Subtitle: …` or `Published: …`, which belongs to the callout, not to the source."""
    kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
    if len(kept) > 1 or (kept and "\n" in kept[0].flow.text[kept[0].start : kept[0].end]):
        first = kept[0]
        text = first.flow.text
        if cues.METADATA.match(text, first.start):
            end = text.find("\n", first.start, first.end)
            kept[0] = Part(first.flow, first.end if end == -1 else end, first.end)
    return kept
