"""`audit`: the calls of one run, as its logs recorded them."""

from __future__ import annotations

import argparse
import errno
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TextIO, cast

from tracecite_lint import output
from tracecite_lint.calls import audit_into
from tracecite_lint.calls.diagnostics import diagnostics_of
from tracecite_lint.calls.providers import PROVIDERS
from tracecite_lint.calls.report import Finding, Summary
from tracecite_lint.cli.chosen_files import named, output_file, usage_errors
from tracecite_lint.cli.options import (
    FINDINGS,
    OK,
    UsageError,
    add_verbosity_options,
    environment_format,
    settings_from,
    wants_color,
)
from tracecite_lint.cli.time_limit import add_time_option, limited
from tracecite_lint.jsonl import JsonLine, read_json_lines
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.model import CheckResult, Diagnostic
from tracecite_lint.naming.file_names import portable_name
from tracecite_lint.output.audit import help_text, summary_text
from tracecite_lint.output.json_objects import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

FORMATS = tuple(name for name in output.FORMATS if name != "markdown")
"""The formats of an audit: `markdown` sums up citations, of which a log of calls has none."""

_IN_MEMORY = 8 * 1024 * 1024
"""Bytes of findings, or of a log that can be read once only, that are kept before a temporary file takes them."""


class Spool:
    """Findings in their order, kept in a temporary file once they are many: ten million of them need no memory."""

    def __init__(self, file: tempfile.SpooledTemporaryFile[str]) -> None:
        self._file = file

    def append(self, finding: Finding) -> None:
        """Add *finding*."""
        self._file.write(json.dumps(finding) + "\n")

    def clear(self) -> None:
        """Forget all findings."""
        self._file.seek(0)
        self._file.truncate()

    def __iter__(self) -> Iterator[Finding]:
        self._file.seek(0)
        for line in self._file:
            yield Finding(*json.loads(line))


@dataclass(frozen=True, slots=True)
class Audited:
    """One log and what was found in it, and where its manifest is."""

    name: str
    stream: BinaryIO
    summary: Summary
    findings: Spool
    manifest: str

    def file_of(self, finding: Finding) -> str:
        """Return the file that *finding* is about."""
        return self.manifest if finding.code == "invalid_manifest" else self.name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `audit`."""
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="CALLS.jsonl",
        help="a log of model calls, one record per line; - for standard input. Each file is audited by itself",
    )
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        help="what the run was expected to do: {run_id, model, task_ids, required_stages}; "
        "for a batch its input file",
    )
    parser.add_argument(
        "--provider",
        choices=tuple(PROVIDERS),
        default="normalized",
        help="what the log holds (default: normalized)",
    )
    add_time_option(parser)
    config = parser.add_argument_group("settings")
    config.add_argument("--config", metavar="FILE", type=Path, help="use this settings file")
    config.add_argument("--isolated", action="store_true", help="read no settings file")
    report = parser.add_argument_group("report")
    report.add_argument("--format", choices=FORMATS, help="how the report is written")
    report.add_argument("--json", action="store_true", help="the report as JSON, as --format json")
    report.add_argument(
        "-o", "--output-file", metavar="FILE", type=Path, help="write the report there"
    )
    report.add_argument("--exit-zero", action="store_true", help="exit with 0 even with findings")
    add_verbosity_options(report)
    width = max(map(len, PROVIDERS))
    parser.epilog = "providers:\n" + "\n".join(
        f"  {provider.name:<{width}}  {provider.records}" for provider in PROVIDERS.values()
    )


def run(args: argparse.Namespace) -> int:
    """Audit the logs and return the exit status: 0, or 2 with findings. Raises UsageError."""
    if args.json and args.format not in (None, "json"):
        raise UsageError(f"--json and --format {args.format} cannot be given together")
    if len(set(args.logs)) < len(args.logs):
        raise UsageError("a log is named twice")
    for name in args.logs:
        _refuse_unreadable(name)
    manifest = settings_from(args).manifest
    audits = _audits(args, manifest or "", _manifest(args, manifest))
    ok = _write(audits, args)
    return OK if args.exit_zero or ok else FINDINGS


def _refuse_unreadable(name: str) -> None:
    """Raise UsageError for a log that cannot be read, before anything is written about another one."""
    if name == "-":
        return
    with usage_errors(Path(name).as_posix()):
        if Path(name).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        Path(name).stat()
        if not os.access(name, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _audits(args: argparse.Namespace, manifest: str, expected: bytes | None) -> Iterator[Audited]:
    """Yield the logs one after the other, each open until the next one is asked for."""
    for name in args.logs:
        with _audited(name, manifest, expected, args) as audit:
            yield audit


@contextmanager
def _audited(
    name: str, manifest: str, expected: bytes | None, args: argparse.Namespace
) -> Iterator[Audited]:
    """Audit one log; it and its findings can be read until the context ends. Raises UsageError."""
    shown = "<stdin>" if name == "-" else Path(name).as_posix()
    with (
        _seekable(name, shown, args) as stream,
        tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as file,
    ):
        findings = Spool(file)

        def lines() -> Iterator[JsonLine]:
            stream.seek(0)
            return read_json_lines(stream)

        with usage_errors(shown), limited(args):
            summary = audit_into(findings, lines, expected, provider=args.provider)
        yield Audited(shown, stream, summary, findings, manifest)


@contextmanager
def _seekable(name: str, shown: str, args: argparse.Namespace) -> Iterator[BinaryIO]:
    """Open a log so that it can be read more than once: a pipe is copied first. Raises UsageError."""
    with usage_errors(shown):
        # Entered only below, so that an error of whoever reads the log is not taken for one of opening it.
        source = nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb")  # noqa: SIM115
    with source as stream:
        if name != "-" and stream.seekable():
            yield stream
            return
        with tempfile.TemporaryFile() as copy:
            with limited(args):
                shutil.copyfileobj(stream, copy)
            yield copy


def _manifest(args: argparse.Namespace, name: str | None) -> bytes | None:
    if name is None:
        return None
    from tracecite_lint.files.chosen import set_up
    from tracecite_lint.files.roots import repository_root

    cwd = Path.cwd()
    chosen = named(name, cwd) if args.manifest else set_up(name, repository_root(cwd, cwd))
    with usage_errors(f"--manifest {name}"):
        return chosen.read()


def _write(audits: Iterator[Audited], args: argparse.Namespace) -> bool:
    """Write the report and return whether no log has a finding. Raises UsageError."""
    on_github = os.environ.get("GITHUB_ACTIONS") == "true"
    default = environment_format(output.FORMATS)
    if default not in FORMATS:  # none, or one of reports on citations alone
        default = "github" if on_github else "full"
    format = "json" if args.json else args.format or default
    if args.output_file is None:
        color = wants_color(args.color)
        if not on_github or format == "github":
            return _write_to(sys.stdout, audits, format, args, color=color)
        from tracecite_lint.output.github import CommandFree

        out = cast(TextIO, CommandFree(sys.stdout, format))
        return _write_to(out, audits, format, args, color=color)
    with output_file(args.output_file) as out:
        return _write_to(out, audits, format, args, color=False)


def _write_to(
    out: TextIO, audits: Iterator[Audited], format: str, args: argparse.Namespace, *, color: bool
) -> bool:
    if format == "json" and len(args.logs) > 1:
        return _write_reports(out, audits)
    # These three are written as the logs are read, so that a log of ten million calls needs no memory.
    if format not in ("full", "concise", "json"):
        return _write_rendered(out, audits, format, args)
    ok = True
    for number, audit in enumerate(audits):
        ok = ok and audit.summary.ok
        if format == "json":
            _write_report(out, audit, {})
            out.write("\n")
        elif args.quiet < 2:
            out.write("\n" if number and format == "full" else "")
            _write_text(out, audit, args, full=format == "full", color=color)
    return ok


def _write_reports(out: TextIO, audits: Iterator[Audited]) -> bool:
    ok = True
    out.write('{"reports":[')
    for number, audit in enumerate(audits):
        ok = ok and audit.summary.ok
        out.write("," if number else "")
        _write_report(out, audit, {"file": portable_name(audit.name)})
    out.write(f'],"ok":{json.dumps(ok)}}}\n')
    return ok


def _write_report(out: TextIO, audit: Audited, head: dict[str, object]) -> None:
    """Write one report of the protocol, its findings one after the other."""
    out.write(_json({**head, **audit.summary.to_json()})[:-1])
    out.write(',"findings":[')
    for number, finding in enumerate(audit.findings):
        out.write("," if number else "")
        out.write(_json(finding.to_json()))
    out.write("]}")


def _json(value: object) -> str:
    return dumps(value, compact=True)


def _write_text(
    out: TextIO, audit: Audited, args: argparse.Namespace, *, full: bool, color: bool
) -> None:
    from tracecite_lint.output.concise import headline

    for finding in audit.findings:
        [diagnostic] = diagnostics_of([finding], {}, file=audit.file_of(finding))
        out.write(headline(diagnostic, color=color) + "\n")
    if args.quiet:
        return
    if full and audit.summary.codes:
        out.write(help_text(audit.summary, color=color) + "\n")
    text = summary_text(
        audit.summary, file=audit.name, color=color, every_row=full and args.verbose > 0
    )
    out.write(text if full else text.partition("\n")[0] + "\n")


def _write_rendered(
    out: TextIO, audits: Iterator[Audited], format: str, args: argparse.Namespace
) -> bool:
    """Write a format that other programs read; it needs all findings at once."""
    from tracecite_lint.output import render
    from tracecite_lint.output.github import without_commands

    diagnostics: list[Diagnostic] = []
    summaries = []
    for audit in audits:
        with limited(args):
            diagnostics += _diagnostics(audit)
        summaries.append(summary_text(audit.summary, file=audit.name))
    text = render(format, CheckResult(diagnostics=tuple(diagnostics)))
    if format == "github":
        # The workflow commands; the lines below them speak of citations, of which a log has none.
        text = "".join(line + "\n" for line in text.splitlines() if line.startswith("::"))
        text += without_commands("full", "".join(summaries))
    out.write(text)
    return not diagnostics


def _diagnostics(audit: Audited) -> tuple[Diagnostic, ...]:
    findings = tuple(audit.findings)
    numbers = {finding.line for finding in findings}
    audit.stream.seek(0)
    widths = {
        line.number: len(line.text)
        for line in read_json_lines(audit.stream)
        if line.number in numbers
    }
    return tuple(
        replace(item, file=audit.file_of(finding))
        for item, finding in zip(diagnostics_of(findings, widths), findings, strict=True)
    )
