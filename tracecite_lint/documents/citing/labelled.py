"""Labelled blocks: `> Quote: “…”` with `> Source: [title](url)` in one blockquote, also 原文, 引文 and 来源."""

from __future__ import annotations

from tracecite_lint.documents.citing.candidate import Candidate, Hit, Part, rule, without_marks
from tracecite_lint.documents.citing.links import Source, source_of
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.markup.blocks import Block
from tracecite_lint.documents.markup.flow import Flow
from tracecite_lint.documents.markup.pairs import OPENING
from tracecite_lint.documents.vocabulary import QUOTE_LABEL, SOURCE_LINE
from tracecite_lint.lazy import dataclass, field, regex
from tracecite_lint.model import Shape

_MARKER = regex(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[\^[^\]]+\]:[ \t]*)?>")


@dataclass(slots=True)
class _Labelled:
    """A labelled quotation on its way: what was read of it so far."""

    flow: Flow
    label_start: int
    label_end: int
    parts: list[Part] = field(default_factory=list)


@rule(Shape.LABELLED)
def labelled(_: Candidate) -> Hit | None:
    """`Quote:` and `Source:` in one blockquote; the lines are read one by one (`read_labelled`).

    ```markdown
    > Quote: “The cache is never read again.”
    > Source: [A day without a cache](https://example.org/essay)
    ```
    """
    return None


def read_labelled(paragraphs: list[Block], reading: Reading) -> bool:
    """Take in the labelled quotations of a blockquote's paragraphs; tell whether there are any.

    A line that does not begin with `>` (a lazy continuation) ends the block: it is a paragraph that lost its place. Outside a
    report a label without a source is a finding only before words in marks: `原文：` also heads a translated article.
    """
    reader = _Reader(reading)
    if not any(
        QUOTE_LABEL.match(p.flow.text, s, e) or SOURCE_LINE.match(p.flow.text, s, e)
        for p in paragraphs
        for s, e in p.flow.lines()
    ):
        return False
    for paragraph in paragraphs:
        for start, end in paragraph.flow.lines():
            reader.line(paragraph.flow, start, end)
    reader.end()
    reading.labelled += reader.sound
    return reader.quotes > 0


class _Reader:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._open: _Labelled | None = None
        self.quotes = 0
        self.sound = 0
        """How many of them are surely meant as quotations."""
        self._text_before = False

    def line(self, flow: Flow, start: int, end: int) -> None:
        if start >= len(flow.text):
            return
        if not self._has_marker(flow.places.start(start)):
            self.end()
            return
        quote = QUOTE_LABEL.match(flow.text, start, end)
        source = SOURCE_LINE.match(flow.text, start, end)
        if quote is not None:
            self.end()
            self.quotes += 1
            self._open = _Labelled(flow, start, end, [Part(flow, quote.end(), end)])
        elif source is not None:
            self._source(flow, source.end(), start, end)
        elif self._open is not None:
            self._continue(flow, start, end)
        elif flow.text[start:end].strip():
            self._text_before = True

    def _continue(self, flow: Flow, start: int, end: int) -> None:
        assert self._open is not None
        last = self._open.parts[-1]
        if last.flow is flow:
            self._open.parts[-1] = Part(flow, last.start, end)
        else:
            self._open.parts.append(Part(flow, start, end))

    def _has_marker(self, offset: int) -> bool:
        lines = self._reading.tree.lines
        return _MARKER.match(lines.line(lines.number(offset))) is not None

    def _source(self, flow: Flow, at: int, start: int, end: int) -> None:
        opened, self._open = self._open, None
        if opened is None:
            if not self._text_before:
                self._reading.report(
                    "SOURCE_WITHOUT_QUOTE",
                    "this source has no quotation before it in its blockquote",
                    *flow.source_range(start, max(end, start + 1)),
                )
            return
        self.sound += 1
        parts = without_marks(opened.parts)
        if not parts:
            self._reading.report(
                "EMPTY_REPORT_QUOTE",
                "this labelled quotation is empty",
                *opened.flow.source_range(opened.label_start, opened.label_end),
            )
            return
        self._reading.add(parts, _sources(flow, at, end), labelled, Shape.LABELLED)

    def end(self) -> None:
        """End the block: a quotation that still waits for its source has none."""
        opened, self._open = self._open, None
        self._text_before = False
        if opened is not None and (self._reading.is_report or _is_marked(opened.parts[0])):
            self.sound += 1
            self._reading.report(
                "MISSING_REPORT_SOURCE",
                "this labelled quotation has no source line after it in its blockquote",
                *opened.flow.source_range(opened.label_start, opened.label_end),
            )


def _is_marked(part: Part) -> bool:
    start, end = part.flow.trimmed(part.start, part.end)
    return start < end and part.flow.text[start] in OPENING


def _sources(flow: Flow, start: int, end: int) -> list[Source]:
    links = [link for link in flow.links_within(start, end) if link.url]
    if links:
        return [source_of(link) for link in links]
    first, last = flow.trimmed(start, end)
    if first == last:
        return []
    return [Source(flow.words(first, last), *flow.source_range(first, last))]
