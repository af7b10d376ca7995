"""`--fix` and `--diff`: the fixes of a check put into the files, or shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tracecite_lint.cli.options import UsageError
from tracecite_lint.documents.edits import edited
from tracecite_lint.engine.check import Job
from tracecite_lint.engine.fixes import difference, fixes_by_file, replace_file
from tracecite_lint.inputs.reader import BOM
from tracecite_lint.model import CheckResult, Fix
from tracecite_lint.output.terminal import printable_lines


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A document with its fixes: the old and the new text, without a BOM."""

    path: str
    location: Path
    old: str
    new: str
    count: int


def fixed_files(result: CheckResult, jobs: Iterable[Job]) -> list[FixedFile]:
    """Return the documents of *jobs* that the fixes in *result* change."""
    fixes = fixes_by_file(result.diagnostics)
    # A file that is named twice, once by a link, is fixed once.
    distinct = {job.location.resolve(): job for job in jobs if job.document.path in fixes}
    return [_fixed(job, fixes[job.document.path]) for job in distinct.values()]


def write_fixes(files: Iterable[FixedFile]) -> None:
    """Write *files*, each in one step. Raises UsageError for one that cannot be written or has changed meanwhile."""
    for file in files:
        try:
            old = file.location.read_bytes()
            mark = BOM if old.startswith(BOM.encode()) else ""
            unchanged = old == (mark + file.old).encode()
            written = unchanged and replace_file(file.location, old, (mark + file.new).encode())
        except OSError as error:
            raise UsageError(f"{file.path}: cannot be fixed: {error.strerror or error}") from None
        if not written:
            raise UsageError(
                f"{file.path}: changed while it was checked, and was left as it is: run again"
            )


def show_fixes(files: Iterable[FixedFile]) -> None:
    """Write the changes to stdout as unified diffs."""
    for file in files:
        sys.stdout.write(printable_lines(difference(file.path, file.old, file.new)))


def _fixed(job: Job, fixes: list[Fix]) -> FixedFile:
    text = job.document.text
    new = edited(text, tuple(edit for fix in fixes for edit in fix.edits))
    return FixedFile(job.document.path, job.location, text, new, len(fixes))
