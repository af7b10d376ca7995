"""`--fix` and `--diff`: the fixes of a check put into the files, or shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tracecite_lint.cli.chosen_files import named, usage_errors
from tracecite_lint.cli.options import UsageError
from tracecite_lint.engine.edits import edited
from tracecite_lint.engine.fixes import difference, fixes_by_file, replace_file
from tracecite_lint.engine.job import Job
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.inputs.reader import BOM
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import CheckResult, Fix
from tracecite_lint.output.github import for_a_log
from tracecite_lint.output.terminal import printable_lines


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A document with its fixes: the old and the new text, without a BOM."""

    path: str
    place: ChosenFile
    old: str
    new: str
    count: int


def fixed_files(
    result: CheckResult, jobs: Iterable[Job], *, unsafe: bool = False
) -> list[FixedFile]:
    """Return the documents of *jobs* that the fixes in *result* change, the *unsafe* ones too if that was asked for."""
    fixes = fixes_by_file(result.diagnostics, unsafe=unsafe)
    # What a sparse checkout leaves out is not written: it would come back as a file that nobody wanted here.
    changed = [job for job in jobs if job.document.path in fixes and job.location.exists()]
    # A file that is named twice, once by a link, is fixed once, under its own name.
    changed.sort(key=lambda job: job.location == job.location.resolve())
    distinct = {job.location.resolve(): job for job in changed}
    return [_fixed(job, fixes[job.document.path]) for job in distinct.values()]


def write_fixes(files: Sequence[FixedFile]) -> None:
    """Write *files*, each in one step. Raises UsageError for one that cannot be written or has changed meanwhile.

    If one of them may not be written where it is, none is.
    """
    for file in files:
        with usage_errors(f"{file.path}: cannot be fixed"):
            file.place.real_path()
    for file in files:
        with usage_errors(f"{file.path}: cannot be fixed"):
            old = file.place.read()
            mark = BOM if old.startswith(BOM.encode()) else ""
            unchanged = old == (mark + file.old).encode()
            written = unchanged and replace_file(file.place, old, (mark + file.new).encode())
        if not written:
            raise UsageError(
                f"{file.path}: changed while it was checked, and was left as it is: run again"
            )


def show_fixes(files: Iterable[FixedFile]) -> None:
    """Write the changes to stdout as unified diffs."""
    for file in files:
        sys.stdout.write(for_a_log(printable_lines(difference(file.path, file.old, file.new))))


def _fixed(job: Job, fixes: list[Fix]) -> FixedFile:
    text = job.document.text
    new = edited(text, tuple(edit for fix in fixes for edit in fix.edits))
    place = named(job.location, Path.cwd())
    return FixedFile(job.document.path, place, text, new, len(fixes))
