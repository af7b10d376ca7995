"""The baseline and the lock of a run: where they lie, what they change in its result, and when they are written."""

from __future__ import annotations

import os
import time

from tracecite_lint.cli.options import UsageError
from tracecite_lint.errors import os_reason
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import Inputs, shown
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.naming.file_names import BASELINE_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tracecite_lint.engine.findings import Findings
    from tracecite_lint.engine.job import Job
    from tracecite_lint.files.chosen import ChosenFile
    from tracecite_lint.known.baseline import Baseline, Entry
    from tracecite_lint.known.lock import Lock
    from tracecite_lint.known.scope import Scope
    from tracecite_lint.model import CheckResult, Citation, Diagnostic
    from tracecite_lint.settings import Settings


def scope_of(inputs: Inputs, directory: str, *, whole_folder: bool) -> Scope:
    """Return what a run in *directory* (CheckResult.directory) has looked at in full.

    *whole_folder* says that it looked for documents in all of the working directory, so that what is not among *inputs*
    is not there any more.
    """
    from tracecite_lint.known.identity import repository_path
    from tracecite_lint.known.scope import Scope

    files = [job.document.path for job in inputs.jobs if job.is_whole and job.diagnostics is None]
    unread = [job.document.path for job in inputs.jobs if not job.was_read or not job.is_whole]
    unread += [item.file for item in inputs.problems if item.code != "FILE_NOT_FOUND"]
    unread += inputs.unseen

    def in_repository(names: Iterable[str]) -> frozenset[str]:
        return frozenset(repository_path(name, directory) for name in names)

    return Scope(in_repository(files), directory if whole_folder else None, in_repository(unread))


def baseline_file(args: argparse.Namespace, settings: Settings, cwd: Path) -> ChosenFile:
    """Return where the baseline lies: as the command line names it, else as the settings do, else at the root."""
    from tracecite_lint.cli.chosen_files import named
    from tracecite_lint.files.chosen import set_up

    if args.baseline:
        return named(args.baseline, cwd)
    return set_up(settings.baseline or BASELINE_NAME, repository_root(cwd, cwd))


def refuse_unwritable(place: ChosenFile) -> None:
    """Raise LedgerError if the file may not be written where it is: found out before anything is fetched."""
    try:
        place.real_path()
    except OSError as error:
        from tracecite_lint.known.ledger_files import LedgerError

        raise LedgerError(f"{place}: cannot be written: {os_reason(error)}") from None


@dataclass(frozen=True, slots=True)
class Ledgers:
    """The baseline and the lock that hold for a run, read before anything is fetched."""

    args: argparse.Namespace
    settings: Settings
    cwd: Path
    baseline: tuple[ChosenFile, Baseline] | None
    lock: tuple[ChosenFile, Lock] | None

    def applied(self, result: CheckResult, inputs: Inputs) -> CheckResult:
        """Return *result* under them, and write the lock. Raises LedgerError if that cannot be done.

        A run over what is new (the index, a range of commits, the hooks) compares with the lock and writes nothing.
        """
        if self.baseline is None and self.lock is None:
            return result
        whole_folder = bool(self.args.all and not self.args.paths)
        scope = scope_of(inputs, result.directory, whole_folder=whole_folder)
        if self.baseline is not None:
            result = self._under_baseline(result, *self.baseline, scope, inputs.jobs)
        if self.lock is not None:
            result = self._under_lock(result, *self.lock, scope, inputs.jobs)
        return result

    def without_known(self, result: CheckResult) -> CheckResult:
        """Return the *result* of a run that was interrupted without what the baseline knows; nothing else is said of it."""
        if self.baseline is None:
            return result
        from tracecite_lint.known.baseline import apply_baseline

        return apply_baseline(result, self.baseline[1]).result

    def _under_baseline(
        self,
        result: CheckResult,
        place: ChosenFile,
        baseline: Baseline,
        scope: Scope,
        jobs: Sequence[Job],
    ) -> CheckResult:
        from tracecite_lint.known.baseline import apply_baseline, stale_entries
        from tracecite_lint.known.identity import citation_identity, repository_path

        unchecked = [
            citation_identity(repository_path(job.document.path, result.directory), citation)
            for job in jobs
            for citation in _left_out(job)
        ]
        applied = apply_baseline(result, baseline, unchecked)
        name = shown(place.path, self.cwd)
        stale = stale_entries(applied.unused, scope)
        known = len(result.diagnostics) - len(applied.result.diagnostics)
        findings = "1 known finding is" if known == 1 else f"{known} known findings are"
        notes = (f"{findings} left out: {name}",) if known else ()
        return replace(
            applied.result,
            diagnostics=(*applied.result.diagnostics, *(self._stale(place, name, stale))),
            notes=(*applied.result.notes, *notes),
        )

    def _stale(
        self, place: ChosenFile, name: str, stale: Mapping[Entry, int]
    ) -> Iterator[Diagnostic]:
        """Yield the finding that entries are *stale*, unless none is or the settings do not want it."""
        if not stale:
            return
        from tracecite_lint.known.baseline import entry_lines, stale_finding

        finding = stale_finding(stale, entry_lines(place), name, strict=self.args.strict_baseline)
        severity = self.settings.severity_of(finding.code, finding.severity)
        if severity is not None:
            yield replace(finding, severity=severity)

    def _under_lock(
        self, result: CheckResult, place: ChosenFile, lock: Lock, scope: Scope, jobs: Sequence[Job]
    ) -> CheckResult:
        from tracecite_lint.known.lock import updated_lock, with_drift, write_lock

        accept = self.args.update_lock
        updated = updated_lock(lock, result, scope, now=time.time(), accept=accept)
        if _is_in_full(self.args):
            write_lock(place, updated)
        report = _Reporter(jobs).reported
        return with_drift(result, updated if accept else lock, updated.failures, report)


def open_ledgers(args: argparse.Namespace, settings: Settings, cwd: Path) -> Ledgers:
    """Return the baseline and the lock that hold for a run.

    Raises LedgerError for a file that is named and missing or cannot be used, UsageError for options that contradict.
    """
    if args.no_baseline and (args.baseline or args.strict_baseline):
        raise UsageError(
            "--no-baseline reads none; do not give --baseline or --strict-baseline too"
        )
    if args.update_lock and not settings.lock:
        raise UsageError("--update-lock needs --lock FILE")
    if args.update_lock and not _is_in_full(args):
        raise UsageError(
            "--update-lock accepts what stands in whole documents: name them, or give --all"
        )
    return Ledgers(
        args,
        settings,
        cwd,
        _open_baseline(args, settings, cwd),
        _open_lock(args, settings, cwd),
    )


def _open_baseline(
    args: argparse.Namespace, settings: Settings, cwd: Path
) -> tuple[ChosenFile, Baseline] | None:
    needed = bool(args.baseline or settings.baseline or args.strict_baseline)
    default = repository_root(cwd, cwd) / BASELINE_NAME
    if args.no_baseline or not (needed or os.path.lexists(default)):
        return None
    from tracecite_lint.known.baseline import read_baseline

    place = baseline_file(args, settings, cwd)
    return place, read_baseline(place)


def _open_lock(
    args: argparse.Namespace, settings: Settings, cwd: Path
) -> tuple[ChosenFile, Lock] | None:
    if not settings.lock:
        return None
    from tracecite_lint.known.lock import Lock, read_lock

    place = _lock_file(args, settings.lock, cwd)
    if _is_in_full(args):
        refuse_unwritable(place)
    try:
        return place, read_lock(place)
    except FileNotFoundError:
        if _is_in_full(args):
            return place, Lock()
        from tracecite_lint.known.ledger_files import LedgerError

        raise LedgerError(
            f"{place}: no such lock file; `tracecite-lint --all --lock FILE` writes one"
        ) from None


def _lock_file(args: argparse.Namespace, name: str, cwd: Path) -> ChosenFile:
    from tracecite_lint.cli.chosen_files import named
    from tracecite_lint.files.chosen import set_up

    return named(name, cwd) if args.lock else set_up(name, repository_root(cwd, cwd))


def _is_in_full(args: argparse.Namespace) -> bool:
    """Tell whether a run checks whole documents on disk, and not what is new in them."""
    # A run over a part knows nothing of the rest, so that nothing may be dropped from a lock for it.
    if args.changed or args.diff_base or args.paths == ["-"]:
        return False
    return bool(args.all or args.paths)


def _left_out(job: Job) -> list[Citation]:
    """Return the citations of the job's document that are not checked since they are not new, or their sources left out."""
    if job.is_whole:
        return []
    chosen = {(citation.span, citation.source.uri) for citation in job.chosen}
    return [
        citation
        for citation in job.document.citations
        if (citation.span, citation.source.uri) not in chosen
    ]


class _Reporter:
    """Gives findings the severity of their document's settings, and drops what its comments silence."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        from tracecite_lint.engine.findings import Findings

        self._findings: Mapping[str, Findings] = {job.document.path: Findings(job) for job in jobs}

    def reported(self, finding: Diagnostic) -> Diagnostic | None:
        findings = self._findings[finding.file]
        return findings.kept[-1] if findings.add(finding) else None
