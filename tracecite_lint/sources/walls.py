"""Pages that stand in front of a text, or in its place: challenges, logins, cookie walls, shells (docs/visible-text.md)."""

from __future__ import annotations

from tracecite_lint.sources.errors import SourceError


def wall(text: str, html: str, *, frames: bool = False) -> SourceError | None:
    """Return the error of a page whose visible *text* is not what its address promises, else None."""
    if text.strip():
        return None
    return SourceError("SOURCE_HAS_NO_TEXT", "the page has no visible text")
