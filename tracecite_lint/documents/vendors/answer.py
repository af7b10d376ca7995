"""The Markdown of an answer: its quotations as in a report, with the links and the annotations of the record as sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from tracecite_lint.documents.markdown import parse_markdown
from tracecite_lint.documents.vendors.record import Quotation
from tracecite_lint.documents.vendors.reference_marks import (
    Annotation,
    RecordSource,
    ReferenceMark,
    Rewritten,
    reference_marks,
)
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.light.lazy import regex, replace
from tracecite_lint.model import Asks, Citation, Span
from tracecite_lint.naming.uris import is_web
from tracecite_lint.text.lines import Lines

# Without one of these a Markdown text quotes nothing, and need not be parsed.
_MAY_QUOTE = regex('["“”„«»「『〝＂❝>]|:~:text=')

# `[1]`, `[1, 3]`, `[1][3]`, but not the text of a link.
_NUMBERS = regex(r"\[\d{1,3}(?:, ?\d{1,3})*\](?:[ ,]{0,2}\[\d{1,3}(?:, ?\d{1,3})*\])*(?!\()")

# A line of the answer's own list of references, or a link reference definition.
_ENTRY = regex(r"^[ >*-]*\[(\d{1,3})\](?::|[^\n]*https?://)", re.MULTILINE)


def linked_quotations(
    text: str, path: JsonPath, accept: Callable[[str], bool] = is_web
) -> Iterator[Quotation]:
    """Yield what the Markdown *text* quotes with a link to a source that *accept* takes; first the answer itself."""
    yield from _answer(text, path)
    yield from _linked(text, path, accept)


def _answer(text: str, path: JsonPath) -> Iterator[Quotation]:
    if "://" in text:
        yield Quotation(path=path, start=0, end=len(text), passages=(), uri="", answer=text)


def _linked(text: str, path: JsonPath, accept: Callable[[str], bool]) -> Iterator[Quotation]:
    if not _MAY_QUOTE.search(text):
        return
    lines = Lines(text)
    for citation in parse_markdown("", text).citations:
        if accept(citation.source.uri):
            yield _quotation(
                citation, path, _range(lines, citation), RecordSource(citation.source.uri)
            )


def numbered_quotations(
    text: str, path: JsonPath, numbered: Mapping[int, RecordSource]
) -> Iterator[Quotation]:
    """Yield what the Markdown *text* quotes with a link, or with `[n]` for a source of *numbered*."""
    annotations = []
    entries = {entry.start(): entry for entry in _ENTRY.finditer(text)}
    own = {int(entry[1]) for entry in entries.values()}
    for mark in _NUMBERS.finditer(text):
        line = text.rfind("\n", 0, mark.start()) + 1
        numbers = [int(number) for number in re.findall(r"\d+", mark[0])]
        if (line in entries and mark.start() < entries[line].end()) or own.intersection(numbers):
            continue  # the answer has a list of its own, which Markdown reads
        sources = tuple(numbered[number] for number in numbers if number in numbered)
        annotations.append(Annotation(mark.start(), mark.end(), sources, covers=False))
    return annotated_quotations(text, path, annotations)


def annotated_quotations(
    text: str,
    path: JsonPath,
    annotations: Iterable[Annotation],
    accept: Callable[[str], bool] = is_web,
) -> Iterator[Quotation]:
    """Yield what the Markdown *text* quotes with a link that *accept* takes, or with an annotation for a source.

    The answer itself comes first.
    """
    yield from _answer(text, path)
    if not _MAY_QUOTE.search(text):
        return
    marks = reference_marks(text, annotations)
    if not marks:
        yield from _linked(text, path, accept)
        return
    # Numbers find what a paragraph quotes before its reference; links also find blockquotes.
    listing = "".join(f"\n[{mark.number}] {mark.placeholder}" for mark in marks)
    numbers = Rewritten(
        text, [(*mark.place, f" [{mark.number}]") for mark in marks], f"\n\n{listing}\n"
    )
    links = Rewritten(text, [(*mark.place, f" ([s]({mark.placeholder}))") for mark in marks], "")
    seen: set[tuple[int, int]] = set()
    for rewritten in (numbers, links):
        found = list(_marked_quotations(rewritten, path, marks, accept))
        yield from (item for item in found if (item.start, item.end) not in seen)
        seen.update((item.start, item.end) for item in found)


def _marked_quotations(
    rewritten: Rewritten,
    path: JsonPath,
    marks: Iterable[ReferenceMark],
    accept: Callable[[str], bool],
) -> Iterator[Quotation]:
    lines = Lines(rewritten.text)
    by_placeholder = {mark.placeholder: mark for mark in marks}
    for citation in parse_markdown("", rewritten.text).citations:
        start, end = map(rewritten.original, _range(lines, citation))
        uri = citation.source.uri
        mark = by_placeholder.get(uri)
        sources: tuple[RecordSource, ...] = ()
        if mark is None:
            sources = (RecordSource(uri),) if accept(uri) else ()
        elif mark.supports(start, end):
            sources = mark.annotation.sources
        for source in sources:
            yield _quotation(citation, path, (start, end), source)


def _range(lines: Lines, citation: Citation) -> tuple[int, int]:
    return _offsets(lines, citation.span)


def _offsets(lines: Lines, span: Span) -> tuple[int, int]:
    return lines.offset(span.line, span.column), lines.offset(span.end_line, span.end_column)


def _quotation(
    citation: Citation, path: JsonPath, place: tuple[int, int], source: RecordSource
) -> Quotation:
    return Quotation(
        path=path,
        start=place[0],
        end=place[1],
        passages=citation.passages,
        uri=source.uri,
        title=source.title,
        directives=citation.directives,
    )


def linked_claims(answer: Quotation, asked: Collection[str]) -> Iterator[Quotation]:
    """Yield the linked claims of an answer, to be counted, and what is *asked* of their sources."""
    lines = Lines(answer.answer)
    document = parse_markdown("", answer.answer, claims=asked)
    for claim in document.claims:
        if any(map(is_web, claim.sources)):
            start, end = _offsets(lines, claim.span)
            yield replace(answer, answer="", claim=claim, start=start, end=end)
    for citation in document.citations:
        if citation.asks is not Asks.QUOTATION and is_web(citation.source.uri):
            found = _quotation(
                citation, answer.path, _range(lines, citation), RecordSource(citation.source.uri)
            )
            yield replace(found, asks=citation.asks)
