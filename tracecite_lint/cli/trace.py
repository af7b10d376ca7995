"""`trace FILE`: validate an agent trace, or write one from the events of an agent."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tracecite_lint.cli.options import FINDINGS, OK, UsageError
from tracecite_lint.cli.time_limit import limited
from tracecite_lint.cli.trace_files import (
    add_trace_options,
    open_trace,
    print_diagnostics,
    print_json,
)
from tracecite_lint.output.terminal import printable
from tracecite_lint.trace.report import Report
from tracecite_lint.trace.validate import validate_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file and what to do with it."""
    parser.add_argument(
        "file", metavar="FILE", help="the trace, or the events; - is standard input"
    )
    parser.add_argument(
        "--evidence",
        action="store_true",
        help="require content for every source and a quote for every claim",
    )
    parser.add_argument(
        "--from",
        dest="exporter",
        choices=("codex",),
        help="write the trace of these events (codex: of `codex exec --json`) instead",
    )
    parser.add_argument(
        "-o", "--output-file", metavar="FILE", help="where --from writes; default stdout"
    )
    add_trace_options(parser)


def run(args: argparse.Namespace) -> int:
    """Validate the trace, or write one; return the exit status."""
    if args.exporter is not None:
        if args.evidence or args.json:
            raise UsageError("--from writes a trace: validate it in a second run")
        with limited(args):
            return _export(args.file, args.output_file)
    if args.output_file is not None:
        raise UsageError("--output-file goes with --from")
    with limited(args), open_trace(args.file) as stream:
        report = validate_file(stream, evidence=args.evidence)
    if args.json:
        print_json(report.to_json())
    else:
        _print_report(report)
    return OK if report.ok() else FINDINGS


def _print_report(report: Report) -> None:
    run_id = "(unknown)" if report.run_id is None else printable(report.run_id)
    if report.ok():
        print(
            f"PASS {run_id}: {report.event_count} events, {report.call_count} calls,"
            f" {report.source_count} sources, {report.claim_count} claims,"
            f" {report.verified_citation_count}/{len(report.citations)} matched citations"
        )
    else:
        print(f"FAIL {run_id}: {len(report.diagnostics)} diagnostics")
        print_diagnostics(report.diagnostics)


def _export(name: str, output: str | None) -> int:
    from tracecite_lint.documents.vendors.codex_trace import ExportError, codex_trace

    with open_trace(name) as stream:
        try:
            lines = codex_trace(stream)
            _write(lines, output)
        except ExportError as error:
            raise UsageError(f"{name}: {error}") from None
    return OK


def _write(lines: Iterator[str], output: str | None) -> None:
    if output is None:
        sys.stdout.writelines(lines)
        return
    from tracecite_lint.cli.chosen_files import output_file

    with output_file(Path(output)) as file:
        file.writelines(lines)
