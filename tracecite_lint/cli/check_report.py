"""`check-report FILE`: the labelled and inline quotations of one Markdown report against their web sources."""

from __future__ import annotations

import argparse

from tracecite_lint.cli import live_report
from tracecite_lint.documents.report import parse_markdown_report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, --json, --strict and the reach options."""
    live_report.add_arguments(parser)
    parser.add_argument(
        "--strict", action="store_true", help="fail for quotations that have no source in reach"
    )


def run(args: argparse.Namespace) -> int:
    """Check the report and return the exit status."""
    return live_report.run(
        args,
        parse_markdown_report,
        malformed="Invalid Markdown citation blocks",
        place=lambda note: f"{args.file}:{note.line}",
    )
