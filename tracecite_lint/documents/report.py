"""Markdown reports as the earlier tool read them: each quotation with its web address (docs/citations.md, "Reports")."""

from __future__ import annotations

from tracecite_lint.documents.markdown import parse_markdown
from tracecite_lint.documents.markup.cost import TooCostlyError
from tracecite_lint.documents.notes import CitationNote, CitationNotes
from tracecite_lint.errors import require_text
from tracecite_lint.model import Citation, Diagnostic, Shape, Span
from tracecite_lint.naming.uris import is_web, public_uri

REPORT_CODES = frozenset(
    {
        "MISSING_REPORT_SOURCE",
        "SOURCE_WITHOUT_QUOTE",
        "EMPTY_REPORT_QUOTE",
        "INVALID_REPORT_SOURCE",
        "NO_REPORT_CITATIONS",
        "UNDEFINED_REFERENCE",
    }
)
UNASSOCIATED = "UNASSOCIATED_QUOTE"
_UNTITLED = "Markdown report"


def parse_markdown_report(text: str) -> CitationNotes:
    """Parse a Markdown report into one note for each quotation and its `http` or `https` source.

    A note's claim is the heading above it, its line (1-based) the one on which the quotation starts. What is malformed is
    a diagnostic: MISSING_REPORT_SOURCE, SOURCE_WITHOUT_QUOTE, EMPTY_REPORT_QUOTE, INVALID_REPORT_SOURCE; a report in which
    nothing at all was found has NO_REPORT_CITATIONS on line 1, one that would take too long to read FILE_TOO_LARGE. What is
    quoted and has no source in reach is `unassociated`.
    """
    require_text("parse_markdown_report", text=text)
    try:
        document = parse_markdown("", text, report=True)
    except TooCostlyError as error:
        return CitationNotes((), (_of_the_whole("FILE_TOO_LARGE", str(error)),))
    citations = report_citations(document.citations)
    diagnostics = [item for item in document.diagnostics if item.code in REPORT_CODES]
    diagnostics += [_invalid(item) for item in document.citations if not is_web(item.source.uri)]
    notes = tuple(
        CitationNote(
            item.claim or _UNTITLED, item.quote, item.source.uri, item.line or item.span.line
        )
        for item in citations
    )
    if not notes and not diagnostics:
        message = "no quotation with a source was found in this report"
        diagnostics.append(_of_the_whole("NO_REPORT_CITATIONS", message))
    unassociated = tuple(item for item in document.diagnostics if item.code == UNASSOCIATED)
    return CitationNotes(
        notes, tuple(sorted(diagnostics, key=lambda item: item.span)), unassociated
    )


def report_citations(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Return those that a report may have: quotations written out, with an `http` or `https` source."""
    return tuple(
        item
        for item in citations
        if is_web(item.source.uri) and item.shape is not Shape.TEXT_FRAGMENT
    )


def _of_the_whole(code: str, message: str) -> Diagnostic:
    return Diagnostic(code=code, message=message, span=Span(1, 1, 1, 1))


def _invalid(citation: Citation) -> Diagnostic:
    return Diagnostic(
        code="INVALID_REPORT_SOURCE",
        message=f"{public_uri(citation.source.uri)!r} is no web address",
        span=citation.source.span or citation.span,
        source=citation.source.uri,
    )
