"""The text of a PDF."""

from __future__ import annotations

from tracecite_lint.sources.errors import SourceError


def pdf_text(body: bytes) -> tuple[str, tuple[int, ...]]:
    raise SourceError("UNSUPPORTED_CONTENT_TYPE", "PDF sources are not read yet")
