"""Documents to citations: pure, no I/O."""

from __future__ import annotations

from collections.abc import Collection

from tracecite_lint.model import Diagnostic, Document, DocumentKind, Span
from tracecite_lint.naming.file_names import FileKind, kind_of


def read_document(
    path: str, text: str, *, eager: bool = False, claims: Collection[str] | None = None
) -> Document:
    """Read *text* as what *path* and its content say it is: Markdown, citation notes, or JSON Lines.

    `eager` adds the shapes of citation that are off by default (Markdown only), *claims* is what is asked of
    linked claims (see `parse_markdown`). The result's kind is UNKNOWN where
    nothing fits; nothing is raised. Markdown that would take too long to read has the one finding FILE_TOO_LARGE.
    """
    from tracecite_lint.documents.notes import looks_like_notes, read_notes

    if kind_of(path) is FileKind.JSON_LINES:
        from tracecite_lint.documents.jsonl import read_jsonl

        return read_jsonl(path, text, claims=claims)
    if looks_like_notes(text):
        return read_notes(path, text)
    from tracecite_lint.documents.markdown import parse_markdown
    from tracecite_lint.documents.markup.cost import TooCostlyError

    try:
        return parse_markdown(path, text, eager=eager, claims=claims)
    except TooCostlyError as error:
        finding = Diagnostic(code="FILE_TOO_LARGE", message=str(error), span=Span(1, 1, 1, 1))
        return Document(path=path, text=text, kind=DocumentKind.MARKDOWN, diagnostics=(finding,))
