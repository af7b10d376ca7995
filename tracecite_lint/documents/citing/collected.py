"""What the readers of a Markdown document put together: quotations, their sources, and findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tracecite_lint.documents.citing.source_links import Source
from tracecite_lint.documents.citing.text_fragments import DELIMITER, TEXT, text_directives
from tracecite_lint.documents.markup.flow import Flow
from tracecite_lint.documents.markup.lines import Lines
from tracecite_lint.documents.markup.pairs import CLOSING, OPENING
from tracecite_lint.model import Citation, Diagnostic, Shape, SourceRef


@dataclass(frozen=True, slots=True)
class Part:
    """One paragraph of a quotation: a stretch of a flow's text."""

    flow: Flow
    start: int
    end: int

    def trimmed(self) -> Part:
        """Return the part without white space at its ends."""
        return Part(self.flow, *self.flow.trimmed(self.start, self.end))

    @property
    def text(self) -> str:
        """The words as a reader sees them."""
        return self.flow.words(self.start, self.end)


def without_marks(parts: Sequence[Part]) -> list[Part]:
    """Return the paragraphs of a quotation without the quotation marks around them.

    A quotation of several paragraphs opens each with a mark and closes only the last.
    """
    bare = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
    if not bare:
        return []
    first = bare[0].flow.text[bare[0].start]
    end = bare[-1]
    if first in OPENING and end.flow.text[end.end - 1] in ":;," and end.end - end.start > 1:
        end = Part(end.flow, end.start, end.end - 1)  # `> “so”:`
    last = end.flow.text[end.end - 1]
    if first not in OPENING or last not in CLOSING | {first}:
        return bare
    if len(bare) == 1 and not _is_one_pair(end):
        return bare
    bare[-1] = end
    bare[-1] = Part(bare[-1].flow, bare[-1].start, bare[-1].end - 1)
    opened = (
        Part(part.flow, part.start + (part.flow.text[part.start] == first), part.end).trimmed()
        for part in bare
    )
    return [part for part in opened if part.start < part.end]


def _is_one_pair(part: Part) -> bool:
    """Tell whether the marks at both ends are a pair, or the same one twice with no other between: `“so“`."""
    pair = part.flow.pair_ending_at(part.end)
    if pair is not None and pair.start == part.start:
        return True
    text = part.flow.text[part.start : part.end]
    return text[0] == text[-1] and not (OPENING | CLOSING) & set(text[1:-1])


@dataclass(slots=True)
class Collected:
    """Takes in what is found in one document."""

    lines: Lines
    citations: list[Citation] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    labelled: int = 0
    """How many labelled quotations there are, sound or not."""

    def add(
        self,
        parts: Iterable[Part],
        sources: Iterable[Source],
        shape: Shape,
        claim: str,
    ) -> bool:
        """Take in one quotation with all its sources; tell whether there was anything to take in."""
        kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
        passages = tuple(part.text for part in kept)
        if not passages:
            return False
        start = kept[0].flow.source_range(kept[0].start, kept[0].end)[0]
        end = kept[-1].flow.source_range(kept[-1].start, kept[-1].end)[1]
        span = self.lines.span(start, end)
        seen: set[str] = set()
        for source in sources:
            if source.uri in seen:
                continue
            seen.add(source.uri)
            self.citations.append(
                Citation(
                    passages=passages,
                    span=span,
                    source=SourceRef(
                        source.uri, self.lines.span(source.start, source.end), source.title
                    ),
                    shape=shape,
                    claim=claim,
                )
            )
        return bool(seen)

    def add_fragment(self, source: Source, claim: str) -> None:
        """Take in a link whose text directives are a quotation; its place is that of the directives in the link."""
        directives = text_directives(source.uri)
        if not directives:
            return
        place = self.lines.span(source.start, source.end)
        written = source.uri.partition(DELIMITER)[2].partition(TEXT)[2]
        at = self.lines.text.find(written, source.start, source.end)
        span = place if at == -1 else self.lines.span(at, at + len(written))
        self.citations.append(
            Citation(
                passages=tuple(
                    words for item in directives for words in (item.start, item.end) if words
                ),
                span=span,
                source=SourceRef(source.uri, place, source.title),
                shape=Shape.TEXT_FRAGMENT,
                directives=directives,
                claim=claim,
            )
        )

    def report(self, code: str, message: str, start: int, end: int) -> None:
        """Take in a finding on the document's form, at the offsets from *start* to *end*."""
        self.diagnostics.append(
            Diagnostic(code=code, message=message, span=self.lines.span(start, end))
        )

    def drop(self, code: str) -> None:
        """Forget the findings with this code."""
        self.diagnostics = [item for item in self.diagnostics if item.code != code]
