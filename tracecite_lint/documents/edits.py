"""The edits that put a source's words in place of a quotation."""

from __future__ import annotations

from tracecite_lint.model import Citation, Document, TextEdit


def replacement(document: Document, citation: Citation, words: str) -> tuple[TextEdit, ...] | None:
    """Return the edits that put *words* in place of the quotation; None where that would not be safe."""
    return None
