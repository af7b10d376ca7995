"""Labelled blocks: `> Quote: “…”` with `> Source: [title](url)` in one blockquote, also 原文, 引文 and 来源."""

from __future__ import annotations

import re

from tracecite_lint.documents.citing.candidate import Candidate, Hit, rule, without_quotation_marks
from tracecite_lint.documents.citing.links import Source, source_of
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.markup.blocks import Block
from tracecite_lint.documents.markup.flow import Part
from tracecite_lint.documents.markup.pairs import OPENING
from tracecite_lint.documents.vocabulary import QUOTE_LABEL, SOURCE_LINE
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Shape

_MARKER = regex(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[\^[^\]]+\]:[ \t]*)?>")


@dataclass(slots=True)
class _Labelled:
    """A labelled quotation: its line, its words, and what stands behind the label of its source."""

    line: Part
    parts: list[Part]
    source: Part | None = None


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
    lines = [
        Part(each.flow, *line)
        for each in paragraphs
        for line in each.flow.lines()
        if line[0] < len(each.flow.text)
    ]
    if not any(_label(QUOTE_LABEL, line) or _label(SOURCE_LINE, line) for line in lines):
        return False
    found: list[_Labelled] = []
    opened: _Labelled | None = None
    text_before = False
    for line in lines:
        if not _has_marker(line, reading):
            opened, text_before = None, False
        elif words := _label(QUOTE_LABEL, line):
            opened, text_before = _Labelled(line, [words]), False
            found.append(opened)
        elif source := _label(SOURCE_LINE, line):
            if opened is not None:
                opened.source, opened = source, None
            elif not text_before:
                message = "this source has no quotation before it in its blockquote"
                _report(reading, "SOURCE_WITHOUT_QUOTE", message, line)
        elif opened is not None:
            _continue(opened.parts, line)
        elif line.text:
            text_before = True
    taken = [one.line for one in found if _take(one, reading)]
    reading.labelled += [line.flow.source_range(line.start, line.end)[0] for line in taken]
    return bool(found)


def _label(label: re.Pattern[str], line: Part) -> Part | None:
    """Return what stands behind *label* in a line that begins with it."""
    match = label.match(line.flow.text, line.start, line.end)
    return Part(line.flow, match.end(), line.end) if match is not None else None


def _continue(parts: list[Part], line: Part) -> None:
    if parts[-1].flow is line.flow:
        parts[-1] = Part(line.flow, parts[-1].start, line.end)
    else:
        parts.append(line)


def _has_marker(line: Part, reading: Reading) -> bool:
    lines = reading.tree.lines
    number = lines.number(line.flow.places.start(line.start))
    return _MARKER.match(lines.line(number)) is not None


def _take(found: _Labelled, reading: Reading) -> bool:
    """Take in a labelled quotation; tell whether it is surely meant as one."""
    if found.source is None:
        meant = reading.is_report or found.parts[0].trimmed().first in OPENING
        if meant:
            message = "this labelled quotation has no source line after it in its blockquote"
            _report(reading, "MISSING_REPORT_SOURCE", message, found.line)
        return meant
    parts = without_quotation_marks(found.parts)
    if parts:
        reading.add(parts, _sources(found.source), labelled, Shape.LABELLED)
    else:
        _report(reading, "EMPTY_REPORT_QUOTE", "this labelled quotation is empty", found.line)
    return True


def _report(reading: Reading, code: str, message: str, line: Part) -> None:
    end = max(line.end, line.start + 1)
    reading.report(code, message, *line.flow.source_range(line.start, end))


def _sources(source: Part) -> list[Source]:
    flow = source.flow
    links = [link for link in flow.links_within(source.start, source.end) if link.url]
    bare = source.trimmed()
    if links or bare.start == bare.end:
        return [source_of(link) for link in links]
    return [Source(bare.text, *flow.source_range(bare.start, bare.end))]
