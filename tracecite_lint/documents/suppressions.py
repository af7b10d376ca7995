"""Suppression comments."""

from __future__ import annotations

from tracecite_lint.documents.lines import Lines
from tracecite_lint.model import Diagnostic, Suppression


def note_suppressions(lines: Lines) -> tuple[tuple[Suppression, ...], tuple[Diagnostic, ...]]:
    """Return the suppressions in the comments of citation notes."""
    return (), ()
