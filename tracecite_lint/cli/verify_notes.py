"""`verify-notes FILE`: claim/quote/url notes against their web sources."""

from __future__ import annotations

import argparse

from tracecite_lint.cli import live_report
from tracecite_lint.documents.notes import parse_citation_notes

add_arguments = live_report.add_arguments


def run(args: argparse.Namespace) -> int:
    """Check the notes and return the exit status."""
    return live_report.run(
        args,
        parse_citation_notes,
        malformed="Invalid citation note input",
        place=lambda note: f"line {note.line}",
    )
