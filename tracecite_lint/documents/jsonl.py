"""JSON Lines to citations: agent traces, records of model APIs and agents, call logs; told apart by their content."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from tracecite_lint.documents.markup.cost import TooCostlyError
from tracecite_lint.documents.vendors import READERS
from tracecite_lint.documents.vendors.record import Quotation, Reader, text_of
from tracecite_lint.json_strings import JsonPath, RawString, string_ranges
from tracecite_lint.jsonl import JsonValue, json_lines
from tracecite_lint.model import (
    Citation,
    Diagnostic,
    Document,
    DocumentKind,
    Shape,
    SourceRef,
    Span,
)
from tracecite_lint.trace.events import Finding, TextTrace, json_problem
from tracecite_lint.trace.report import EvidenceStatus
from tracecite_lint.trace.validate import Edge, diagnostic, validate

_LOOKED_AT = 100
"""How many well-formed records are looked at for one that tells the kind."""
_EVENT_TYPES = frozenset({"tool_call", "tool_result", "answer"})
_CALL_FIELDS = ("run_id", "task_id", "stage", "call_id")
_SPANS = "resourceSpans"
_CAPTURED_SCHEME = "captured:"
_OWN_WORDS = (
    "these are words of the agent or of its user, which no tool had read before: they are no source"
)


def read_jsonl(path: str, text: str) -> Document:
    """Read *text* as JSON Lines: LF ends a line, a BOM and blank lines are skipped.

    The first well-formed records tell the kind: a trace with its citations and what is wrong with it in evidence mode
    (docs/traces.md), records of a vendor with what they quote (docs/vendors.md), or, with nothing found in it, a call
    log or UNKNOWN. Spans are those of the quotations inside the raw lines. The document is always private.
    """
    kind = _kind(text)
    if kind is DocumentKind.TRACE:
        return _trace_document(path, text)
    if kind is DocumentKind.VENDOR:
        return _vendor_document(path, text)
    return Document(path=path, text=text, kind=kind, private=True)


def _kind(text: str) -> DocumentKind:
    readers = [reader() for reader in READERS]
    records = (line.value for line in json_lines(text) if isinstance(line.value, dict))
    for record in islice(records, _LOOKED_AT):
        if text_of(record.get("type")) in _EVENT_TYPES and isinstance(record.get("run_id"), str):
            return DocumentKind.TRACE
        if all(isinstance(record.get(name), str) for name in _CALL_FIELDS) or _SPANS in record:
            return DocumentKind.CALLS
        if any(reader.recognises(record) for reader in readers):
            return DocumentKind.VENDOR
    return DocumentKind.UNKNOWN


def _trace_document(path: str, text: str) -> Document:
    validation = validate(TextTrace(text), evidence=True)
    places = _Places()
    for finding in validation.findings:
        places.want(finding.line, finding.path)
    for edge in validation.edges:
        places.want(edge.line, edge.cited.path)
        if edge.source is not None:
            places.want(edge.source.line, edge.source_path)
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        places.find(number, line)
    return Document(
        path=path,
        text=text,
        kind=DocumentKind.TRACE,
        citations=tuple(_in_order(_trace_citations(validation.edges, places))),
        diagnostics=tuple(
            diagnostic(finding, places.whole(finding.line, finding.path))
            for finding in validation.findings
        ),
        private=True,
    )


def _trace_citations(edges: Iterable[Edge], places: _Places) -> Iterator[Citation]:
    for edge in edges:
        span = places.whole(edge.line, edge.cited.path)
        if edge.source is None or edge.cited.quote is None or span is None:
            continue
        captured = None
        if edge.status is not EvidenceStatus.UNVERIFIED:
            captured = edge.status is EvidenceStatus.MATCHED
        source = SourceRef(
            edge.source.uri,
            places.whole(edge.source.line, edge.source_path),
            edge.source.title or "",
        )
        yield Citation(
            passages=(edge.cited.quote,),
            span=span,
            source=source,
            shape=Shape.TRACE,
            captured=captured,
            private=True,
            record=edge.claim_index,
        )


def _vendor_document(path: str, text: str) -> Document:
    readers = [reader() for reader in READERS]
    places = _Places()
    findings: list[Finding] = []
    found: list[tuple[int, Quotation]] = []
    for line in json_lines(text):
        if line.error is not None:
            findings.append(Finding(line.number, "INVALID_JSON", json_problem(line) or ""))
            continue
        try:
            quotations = list(_quotations(line.value, readers))
        except TooCostlyError as error:
            findings.append(Finding(line.number, "FILE_TOO_LARGE", str(error)))
            continue
        for quotation in quotations:
            places.want(line.number, quotation.path)
            found.append((line.number, quotation))
        places.find(line.number, line.text)
    captured: dict[str, str] = {}
    cut: set[str] = set()
    citations: list[Citation] = []
    own: list[Diagnostic] = []
    for number, quotation in found:
        span = places.part(number, quotation.path, quotation.start, quotation.end)
        if span is None:
            continue
        if quotation.is_own is not None and quotation.is_own():
            own.append(Diagnostic(code="UNASSOCIATED_QUOTE", message=_OWN_WORDS, span=span))
            continue
        citations.append(_vendor_citation(quotation, span, captured))
        if quotation.is_cut is not None and quotation.is_cut():
            cut.add(quotation.uri)
    return Document(
        path=path,
        text=text,
        kind=DocumentKind.VENDOR,
        citations=tuple(_in_order(citations)),
        diagnostics=(*map(diagnostic, findings), *own),
        private=True,
        captured=captured,
        cut=frozenset(cut),
    )


def _quotations(value: JsonValue, readers: Iterable[Reader]) -> Iterator[Quotation]:
    if isinstance(value, dict):
        reader = next((reader for reader in readers if reader.recognises(value)), None)
        if reader is not None:
            yield from reader.quotations(value)


def _vendor_citation(quotation: Quotation, span: Span, captured_texts: dict[str, str]) -> Citation:
    """Return the citation, and put what the file holds of a source without an address into *captured_texts*."""
    captured = None
    if quotation.captured is not None:
        text = quotation.captured()
        captured = all(passage in text for passage in quotation.passages)
        if quotation.uri.startswith(_CAPTURED_SCHEME):
            captured_texts[quotation.uri] = text
    return Citation(
        passages=quotation.passages,
        span=span,
        source=SourceRef(quotation.uri, title=quotation.title),
        shape=Shape.VENDOR,
        directives=quotation.directives,
        captured=captured,
        private=True,
    )


class _Places:
    """Where strings stand in the raw lines: first what is wanted is named, then the lines are gone through."""

    def __init__(self) -> None:
        self._wanted: defaultdict[int, set[JsonPath]] = defaultdict(set)
        self._found: dict[tuple[int, JsonPath], tuple[RawString, int, int]] = {}

    def want(self, line: int, path: JsonPath) -> None:
        """Ask for the string at *path* in the 1-based *line*."""
        if path:
            self._wanted[line].add(path)

    def find(self, line: int, text: str) -> None:
        """Find what is wanted of the 1-based *line*, which reads *text*."""
        wanted = self._wanted.get(line)
        if wanted:
            for path, (start, end) in string_ranges(text, wanted).items():
                self._found[line, path] = RawString(text, start, end), start, end

    def whole(self, line: int, path: JsonPath) -> Span | None:
        """Return the span of a string without its quotation marks; None if it was not found."""
        found = self._found.get((line, path))
        return Span(line, found[1] + 1, line, found[2] + 1) if found else None

    def part(self, line: int, path: JsonPath, first: int, last: int) -> Span | None:
        """Return the span of the characters from *first* to *last* (exclusive) of a string, as parsed."""
        found = self._found.get((line, path))
        if found is None:
            return None
        raw = found[0]
        return Span(line, raw.offset(first) + 1, line, raw.offset(last) + 1)


def _in_order(citations: Iterable[Citation]) -> list[Citation]:
    return sorted(citations, key=lambda citation: citation.span)
