"""An agent trace as a document: its citations, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tracecite_lint.model import Citation, Document, DocumentKind, Shape, SourceRef
from tracecite_lint.trace.events import TextTrace
from tracecite_lint.trace.places import Places
from tracecite_lint.trace.report import EvidenceStatus
from tracecite_lint.trace.validate import Edge, diagnostic, validate


def trace_document(path: str, text: str) -> Document:
    """Return the trace *text* with its citations and what is wrong with it in evidence mode (docs/traces.md)."""
    validation = validate(TextTrace(text), evidence=True)
    places = Places()
    for finding in validation.findings:
        places.want(finding.line, finding.path)
    for edge in validation.edges:
        places.want(edge.line, edge.cited.path)
        if edge.source is not None:
            places.want(edge.source.line, edge.source_path)
    places.find_all(text.removeprefix("\ufeff"))
    return Document(
        path=path,
        text=text,
        kind=DocumentKind.TRACE,
        citations=tuple(sorted(_citations(validation.edges, places), key=lambda item: item.span)),
        diagnostics=tuple(
            diagnostic(finding, places.whole(finding.line, finding.path))
            for finding in validation.findings
        ),
        private=True,
    )


def _citations(edges: Iterable[Edge], places: Places) -> Iterator[Citation]:
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
