"""Documents with the fixes of a check put in, or with comments that silence findings: written, or shown as differences."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tracecite_lint.cli.chosen_files import named, usage_errors
from tracecite_lint.cli.options import UsageError
from tracecite_lint.engine.edits import edited
from tracecite_lint.engine.fixes import difference, replace_file
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.suppressing import suppressions
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.inputs.reader import BOM
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import Diagnostic, DocumentKind, Fix, TextEdit
from tracecite_lint.output.github import for_a_log
from tracecite_lint.output.terminal import printable_lines
from tracecite_lint.text.lines import Lines

_WITH_COMMENTS = frozenset({DocumentKind.MARKDOWN, DocumentKind.NOTES})


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A document with its old and its new text, without a BOM; `count` findings are mended or silenced by that."""

    path: str
    place: ChosenFile
    old: str
    new: str
    count: int


@dataclass(frozen=True, slots=True)
class SilencedFiles:
    """Documents with comments that silence findings, and the findings that no comment can silence."""

    files: list[ChangedFile]
    in_records: list[Diagnostic]
    without_place: list[Diagnostic]


def fixed_files(jobs: Iterable[Job], fixes: Mapping[str, Sequence[Fix]]) -> list[ChangedFile]:
    """Return the documents of *jobs* that *fixes*, by document, change."""
    return [
        _changed(
            job,
            [edit for fix in fixes[job.document.path] for edit in fix.edits],
            len(fixes[job.document.path]),
        )
        for job in _on_disk(jobs, fixes)
    ]


def silenced_files(
    jobs: Iterable[Job], findings: Iterable[tuple[Diagnostic, str]]
) -> SilencedFiles:
    """Return the documents of *jobs* with comments that silence *findings*, each given with its reason."""
    by_file: dict[str, list[tuple[Diagnostic, str]]] = {}
    for finding, reason in findings:
        by_file.setdefault(finding.file, []).append((finding, reason))
    result = SilencedFiles([], [], [])
    for job in _on_disk(jobs, by_file):
        document, chosen = job.document, by_file[job.document.path]
        if document.kind not in _WITH_COMMENTS:
            result.in_records.extend(finding for finding, _ in chosen)
            continue
        silenced = suppressions(document, chosen, eager=job.settings.eager)
        result.without_place.extend(silenced.left)
        if silenced.insertions:
            lines = Lines(document.text)
            edits = [insertion.as_edit(lines) for insertion in silenced.insertions]
            result.files.append(_changed(job, edits, len(chosen) - len(silenced.left)))
    return result


def write_changes(files: Sequence[ChangedFile]) -> None:
    """Write *files*, each in one step. Raises UsageError for one that cannot be written or has changed meanwhile.

    If one of them may not be written where it is, none is.
    """
    for file in files:
        with usage_errors(f"{file.path}: cannot be changed"):
            file.place.real_path()
    for file in files:
        with usage_errors(f"{file.path}: cannot be changed"):
            old = file.place.read()
            mark = BOM if old.startswith(BOM.encode()) else ""
            unchanged = old == (mark + file.old).encode()
            written = unchanged and replace_file(file.place, old, (mark + file.new).encode())
        if not written:
            raise UsageError(
                f"{file.path}: changed while it was checked, and was left as it is: run again"
            )


def show_changes(files: Iterable[ChangedFile]) -> None:
    """Write the changes to stdout as unified diffs."""
    for file in files:
        sys.stdout.write(for_a_log(printable_lines(difference(file.path, file.old, file.new))))


def _on_disk(jobs: Iterable[Job], wanted: Mapping[str, object]) -> list[Job]:
    """Return those of *jobs* whose documents are *wanted* and can be written."""
    # What a sparse checkout leaves out is not written: it would come back as a file that nobody wanted here.
    changed = [job for job in jobs if job.document.path in wanted and job.location.exists()]
    # A file that is named twice, once by a link, is changed once, under its own name.
    changed.sort(key=lambda job: job.location == job.location.resolve())
    return [*{job.location.resolve(): job for job in changed}.values()]


def _changed(job: Job, edits: Sequence[TextEdit], count: int) -> ChangedFile:
    text = job.document.text
    place = named(job.location, Path.cwd())
    return ChangedFile(job.document.path, place, text, edited(text, tuple(edits)), count)
