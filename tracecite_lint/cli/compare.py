"""`compare OLD NEW`: which sources of two agent traces differ."""

from __future__ import annotations

import argparse

from tracecite_lint.cli.options import FINDINGS, OK
from tracecite_lint.cli.time_limit import limited
from tracecite_lint.cli.trace_files import (
    add_trace_options,
    open_trace,
    print_diagnostics,
    print_json,
)
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.output.terminal import printable
from tracecite_lint.trace.compare import compare_files
from tracecite_lint.trace.report import DriftReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two traces."""
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    add_trace_options(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the traces and return the exit status."""
    with limited(args), open_trace(args.old) as old, open_trace(args.new) as new:
        drift = compare_files(old, new)
    if args.json:
        print_json(drift.to_json())
    else:
        _print_drift(drift)
    return OK if drift.ok() else FINDINGS


def _print_drift(drift: DriftReport) -> None:
    if not (drift.old_valid and drift.new_valid):
        print("Cannot compare: input evidence validation failed")
        print_diagnostics(drift.old_diagnostics, prefix="old ")
        print_diagnostics(drift.new_diagnostics, prefix="new ")
        return
    print(f"{len(drift.changes)} source changes; {drift.unchanged_count} unchanged")
    for change in drift.changes:
        print(f"  [{change.kind}] {printable(public_uri(change.uri))}")
