"""Records of model APIs and agents as a document: what they quote, and from where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from tracecite_lint.documents.markup.cost import TooCostlyError
from tracecite_lint.documents.vendors import READERS
from tracecite_lint.documents.vendors.answer import linked_claims
from tracecite_lint.documents.vendors.record import Quotation, Reader
from tracecite_lint.jsonl import JsonValue, json_lines
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import (
    Citation,
    Diagnostic,
    Document,
    DocumentKind,
    LinkedClaim,
    Shape,
    SourceRef,
    Span,
)
from tracecite_lint.trace.events import Finding, json_problem
from tracecite_lint.trace.places import Places
from tracecite_lint.trace.validate import diagnostic

_CAPTURED_SCHEME = "captured:"
_OWN_WORDS = (
    "these are words of the agent or of its user, which no tool had read before: they are no source"
)


def vendor_document(path: str, text: str, *, claims: Collection[str] | None = None) -> Document:
    """Return the records of vendors in *text* with what they quote (docs/vendors.md).

    *claims* is what is asked of the linked claims of their answers, as for Markdown; with None they are not looked for.
    """
    readers = [reader() for reader in READERS]
    places = Places()
    findings: list[Finding] = []
    found: list[tuple[int, Quotation]] = []
    for line in json_lines(text):
        if line.error is not None:
            findings.append(Finding(line.number, "INVALID_JSON", json_problem(line) or ""))
            continue
        try:
            quotations = list(_said(line.value, readers, claims))
        except TooCostlyError as error:
            findings.append(Finding(line.number, "FILE_TOO_LARGE", str(error)))
            continue
        for quotation in quotations:
            places.want(line.number, quotation.path)
            found.append((line.number, quotation))
        places.find(line.number, line.text)
    captured: dict[str, str] = {}
    linked: list[LinkedClaim] = []
    cut: set[str] = set()
    citations: list[Citation] = []
    own: list[Diagnostic] = []
    for number, quotation in found:
        span = places.part(number, quotation.path, quotation.start, quotation.end)
        if span is None:
            continue
        if quotation.claim is not None:
            linked.append(replace(quotation.claim, span=span))
            continue
        if quotation.is_own is not None and quotation.is_own():
            own.append(Diagnostic(code="UNASSOCIATED_QUOTE", message=_OWN_WORDS, span=span))
            continue
        citations.append(_citation(quotation, span, captured))
        if quotation.is_cut is not None and quotation.is_cut():
            cut.add(quotation.uri)
    return Document(
        path=path,
        text=text,
        kind=DocumentKind.VENDOR,
        citations=tuple(sorted(citations, key=lambda item: item.span)),
        diagnostics=(*map(diagnostic, findings), *own),
        private=True,
        claims=tuple(linked),
        captured=captured,
        cut=frozenset(cut),
    )


def _said(
    value: JsonValue, readers: Iterable[Reader], claims: Collection[str] | None
) -> Iterator[Quotation]:
    """Yield what a record quotes, and if asked for the linked claims of its answers."""
    for quotation in _quotations(value, readers):
        if not quotation.answer:
            yield quotation
        elif claims is not None:
            yield from linked_claims(quotation, claims)


def _quotations(value: JsonValue, readers: Iterable[Reader]) -> Iterator[Quotation]:
    if isinstance(value, dict):
        reader = next((reader for reader in readers if reader.recognises(value)), None)
        if reader is not None:
            yield from reader.quotations(value)


def _citation(quotation: Quotation, span: Span, captured_texts: dict[str, str]) -> Citation:
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
        asks=quotation.asks,
    )
