"""The baseline and the lock of a run: where they lie, what they change in its result, and when they are written."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tracecite_lint.check import Job
from tracecite_lint.cli.options import UsageError
from tracecite_lint.findings import Findings
from tracecite_lint.fingerprints import repository_path
from tracecite_lint.inputs import repository_root, shown
from tracecite_lint.ledgers import BASELINE_NAME, LedgerError
from tracecite_lint.model import CheckResult, Diagnostic
from tracecite_lint.scope import Scope
from tracecite_lint.settings import Settings


def add_ledger_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides which findings are known, and what is remembered of sources."""
    group = parser.add_argument_group("known findings and drift")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help=f"known findings that fail nothing (default: {BASELINE_NAME} at the root, if it is there)",
    )
    group.add_argument("--no-baseline", action="store_true", help="report known findings too")
    group.add_argument(
        "--strict-baseline",
        action="store_true",
        help="fail if the baseline lists what is not found any more",
    )
    group.add_argument(
        "--lock",
        metavar="FILE",
        help="remember what stood around each quotation, and tell when it changes",
    )
    group.add_argument(
        "--update-lock", action="store_true", help="accept what changed since the lock was written"
    )


def refuse_contradictions(args: argparse.Namespace) -> None:
    """Raise UsageError for options of `add_ledger_options` that cannot be given together."""
    if args.no_baseline and (args.baseline or args.strict_baseline):
        raise UsageError(
            "--no-baseline reads none; do not give --baseline or --strict-baseline too"
        )


def scope_of(jobs: Iterable[Job], directory: str, *, whole_folder: bool) -> Scope:
    """Return what a run in *directory* (CheckResult.directory) has looked at in full.

    *whole_folder* says that it looked for documents in all of the working directory, so that what is not among *jobs* is
    not there any more.
    """
    files = {
        repository_path(job.document.path, directory)
        for job in jobs
        if job.citations is None and job.diagnostics is None
    }
    return Scope(files, directory if whole_folder else None)


def baseline_path(args: argparse.Namespace, settings: Settings, cwd: Path) -> Path:
    """Return where the baseline lies: as the command line names it, else as the settings do, else at the root."""
    if args.baseline:
        return cwd / str(args.baseline)
    return repository_root(cwd / "x", cwd) / (settings.baseline or BASELINE_NAME)


def with_ledgers(
    result: CheckResult,
    jobs: Sequence[Job],
    args: argparse.Namespace,
    settings: Settings,
    cwd: Path,
) -> CheckResult:
    """Return *result* under the baseline and the lock that hold for it; the lock is written by a run in full.

    A run over what is new (the index, a range of commits, the hooks) compares with the lock and writes nothing.
    Raises UsageError for a file that is missing or cannot be used.
    """
    in_full = not args.changed and not args.diff_base and bool(args.all or args.paths)
    scope = scope_of(jobs, result.directory, whole_folder=bool(args.all and not args.paths))
    try:
        if not args.no_baseline:
            path = baseline_path(args, settings, cwd)
            if args.baseline or settings.baseline or path.is_file():
                result = _under_baseline(result, path, scope, args, settings, cwd)
        if settings.lock:
            path = (
                cwd / settings.lock
                if args.lock
                else repository_root(cwd / "x", cwd) / settings.lock
            )
            result = _under_lock(result, path, scope, jobs, write=in_full, accept=args.update_lock)
        elif args.update_lock:
            raise UsageError("--update-lock needs --lock FILE")
    except LedgerError as error:
        raise UsageError(str(error)) from None
    return result


def _under_baseline(
    result: CheckResult,
    path: Path,
    scope: Scope,
    args: argparse.Namespace,
    settings: Settings,
    cwd: Path,
) -> CheckResult:
    from tracecite_lint.baseline import apply_baseline, read_baseline, stale_entries

    applied = apply_baseline(result, read_baseline(path))
    name = shown(path, cwd)
    stale = []
    for finding in stale_entries(applied.unused, scope, name, strict=args.strict_baseline):
        severity = settings.severity_of(finding.code, finding.severity)
        if severity is not None:
            stale.append(replace(finding, severity=severity))
    known = len(result.diagnostics) - len(applied.result.diagnostics)
    findings = "1 known finding is" if known == 1 else f"{known} known findings are"
    notes = (f"{findings} left out: {name}",) if known else ()
    return replace(
        applied.result,
        diagnostics=(*applied.result.diagnostics, *stale),
        notes=(*applied.result.notes, *notes),
    )


def _under_lock(
    result: CheckResult, path: Path, scope: Scope, jobs: Sequence[Job], *, write: bool, accept: bool
) -> CheckResult:
    from tracecite_lint.lock import Lock, read_lock, updated_lock, with_drift, write_lock

    try:
        lock = read_lock(path)
    except FileNotFoundError:
        if not write:
            raise UsageError(
                f"{path}: no such lock file; `tracecite-lint --all --lock FILE` writes one"
            ) from None
        lock = Lock()
    updated = updated_lock(lock, result, scope, now=time.time(), accept=accept)
    if write:
        write_lock(path, updated)
    before = updated if accept else lock
    return with_drift(result, before, updated.failures, _Reporter(jobs).reported)


class _Reporter:
    """Gives findings the severity of their document's settings, and drops what its comments silence."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._findings: Mapping[str, Findings] = {
            job.document.path: Findings(job.document, job.settings) for job in jobs
        }

    def reported(self, finding: Diagnostic) -> Diagnostic | None:
        findings = self._findings[finding.file]
        return findings.kept[-1] if findings.add(finding) else None
