"""Documents to citations: pure, no I/O."""

from __future__ import annotations

from tracecite_lint.model import Document
from tracecite_lint.naming.file_names import FileKind, kind_of


def read_document(path: str, text: str, *, eager: bool = False) -> Document:
    """Read *text* as what *path* and its content say it is: Markdown, citation notes, or JSON Lines.

    `eager` adds the shapes of citation that are off by default (Markdown only). The result's kind is UNKNOWN where
    nothing fits; nothing is raised.
    """
    from tracecite_lint.documents.notes import looks_like_notes, read_notes

    if kind_of(path) is FileKind.JSON_LINES:
        from tracecite_lint.documents.jsonl import read_jsonl

        return read_jsonl(path, text)
    if looks_like_notes(text):
        return read_notes(path, text)
    from tracecite_lint.documents.markdown import parse_markdown

    return parse_markdown(path, text, eager=eager)
