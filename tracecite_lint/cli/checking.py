"""What `check` does: the citations of documents, of the index, of a range of commits, or of standard input."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from tracecite_lint.changes.changeset import base_changes, hook_changes, named_paths, staged_changes
from tracecite_lint.changes.git import find_repository
from tracecite_lint.cli.check import Report
from tracecite_lint.cli.ledgers import Ledgers, open_ledgers
from tracecite_lint.cli.options import (
    FINDINGS,
    OK,
    UNUSABLE,
    UsageError,
    environment_format,
    finder_from,
    wants_color,
)
from tracecite_lint.cli.progress import Progress, progress_of
from tracecite_lint.cli.time_limit import TO_SPARE, ended_at
from tracecite_lint.cli.unchecked import open_owed
from tracecite_lint.files.git_process import git_program
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import (
    SIZE_LIMIT,
    InputReader,
    Inputs,
    enumerated,
    excluded_notes,
    located,
    shown,
    with_inputs,
)
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import CheckResult, Severity
from tracecite_lint.output import FORMATS, SHOWS_ELSEWHERE, SHOWS_FIXES, render
from tracecite_lint.rules import rule_for
from tracecite_lint.sources.deadline import NO_DEADLINE, Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from tracecite_lint.engine.check import Extra, Interrupted, Pages
    from tracecite_lint.engine.job import Job
    from tracecite_lint.engine.readings import KeptReadings
    from tracecite_lint.inputs.discovery import Found
    from tracecite_lint.settings import Settings
    from tracecite_lint.sources.store import Store

_PIECE = 1024 * 1024
"""Bytes of standard input that are read at once."""


def run(args: argparse.Namespace) -> int:
    """Check what the arguments name and return the exit status. Raises TraceciteLintError."""
    _refuse_contradictions(args)
    if not args.watch:
        return _run_once(args)
    from tracecite_lint.cli.watching import watched

    cwd = Path.cwd()
    if not args.paths:
        args.paths = ["."]
    written = [report.path for report in _reports(args) if report.path is not None]
    if lock := finder_from(args).settings(cwd).lock:
        written.append(repository_root(cwd, cwd) / lock)
    return watched(args, _run_once, [located(path, cwd) for path in args.paths], written)


def _run_once(args: argparse.Namespace) -> int:
    cwd = Path.cwd()
    finder = finder_from(args)
    settings = finder.settings(cwd)
    if args.interactive:
        # Who is asked takes as long as it takes, and has Ctrl-C at hand.
        settings = replace(settings, max_time=None)
    ledgers = open_ledgers(args, settings, cwd)
    deadline = Deadline.after(settings.max_time, started=args.started)
    with ended_at(deadline, to_spare=TO_SPARE), ExitStack() as exits:
        opened = _store_when_needed(exits, settings, cwd, args.started)
        reader = InputReader(finder, cwd, deadline, _readings(args, opened))
        inputs = inputs_from(args, reader, cwd, deadline)
        _refuse_to_overwrite(inputs, args.reports or ())
        owed = open_owed(settings, cwd)
        if not args.dump:
            inputs = owed.added(inputs, args, reader)
        result = _decided(args, inputs, reader, ledgers, opened) if inputs.jobs else CheckResult()
    result = with_inputs(result, inputs, cwd)
    if args.diff:
        _say_what_was_not_read(inputs)
    elif not args.dump:
        problem = owed.keep(result, inputs.jobs)
        result = ledgers.applied(result, inputs)
        if (
            problem is not None and problem not in result.notes
        ):  # the same directory, the same reason
            result = replace(result, notes=(*result.notes, problem))
    if not args.diff:
        write_reports(result, args)
    status = exit_status(result)
    return OK if args.exit_zero and status != UNUSABLE else status


def _store_when_needed(
    exits: ExitStack, settings: Settings, cwd: Path, started: float
) -> Callable[[], Store]:
    """Return what opens the store of the run, once: one that turns out to need none, as most commits, pays for none."""

    def opened() -> Store:
        from tracecite_lint.engine.reach import open_store

        work_tree = repository_root(cwd, cwd)
        return exits.enter_context(
            open_store(settings.reach(), work_tree=work_tree, started=started)
        )

    return cache(opened)


def _readings(args: argparse.Namespace, opened: Callable[[], Store]) -> KeptReadings | None:
    """Return the readings of earlier runs, for a run over whole documents; what is new is always read."""
    if args.dump or args.changed or args.diff_base or not (args.all or args.paths):
        return None
    from tracecite_lint.engine.readings import KeptReadings

    return KeptReadings(opened)


def _decided(
    args: argparse.Namespace,
    inputs: Inputs,
    reader: InputReader,
    ledgers: Ledgers,
    opened: Callable[[], Store],
) -> CheckResult:
    """Return what is found in *inputs*, or with --dump what is understood of them."""
    # Imported where there is a document: most commits have none.
    from tracecite_lint.engine.check import Interrupted, understood

    if args.dump:
        return understood(inputs.jobs)
    store = opened()
    try:
        result = _checked_and_rewritten(args, inputs, reader, store, ledgers)
    except Interrupted as stop:
        _write_what_is_known(stop, args, inputs, ledgers)
        raise
    return replace(result, notes=(*result.notes, store.problem)) if store.problem else result


def _say_what_was_not_read(inputs: Inputs) -> None:
    """Say it on stderr: a diff has stdout to itself, so that it can be applied."""
    from tracecite_lint.output.concise import headline
    from tracecite_lint.output.github import for_a_log

    for unreadable in inputs.problems:
        print(for_a_log(headline(unreadable, color=False)), file=sys.stderr)


def _write_what_is_known(
    stop: Interrupted, args: argparse.Namespace, inputs: Inputs, ledgers: Ledgers
) -> None:
    """Write to stdout what an interrupted run has found; the next Ctrl-C ends it. Files are left as they are."""
    result = stop.result()
    if args.diff or not result.citations:
        return
    result = ledgers.without_known(with_inputs(result, inputs, ledgers.cwd))
    args.reports = [report for report in args.reports or () if report.path is None]
    write_reports(result, args)
    sys.stdout.flush()


def _checked_and_rewritten(
    args: argparse.Namespace,
    inputs: Inputs,
    reader: InputReader,
    store: Store,
    ledgers: Ledgers,
) -> CheckResult:
    pages: Pages | None = {} if _rewrites(args) else None
    extras = _extras(args, locked=ledgers.lock is not None)

    def check(jobs: Sequence[Job]) -> CheckResult:
        return checked(jobs, store, progress=progress_of(args), pages=pages, extras=extras)

    def recheck(jobs: Sequence[Job]) -> tuple[Sequence[Job], CheckResult]:
        on_disk = [job.location for job in jobs if job.location.exists()]
        rest = [job for job in jobs if not job.location.exists()]  # only the index has them
        jobs = [*reader.from_paths(on_disk).jobs, *rest]
        return jobs, check(jobs)

    def without_known(result: CheckResult) -> CheckResult:
        return ledgers.without_known(with_inputs(result, inputs, ledgers.cwd))

    result = check(inputs.jobs)
    if not _rewrites(args):
        return result
    from tracecite_lint.cli.rewriting import rewritten

    return rewritten(args, inputs.jobs, result, recheck, without_known)


def _rewrites(args: argparse.Namespace) -> bool:
    """Tell whether documents are to be changed, or shown as they would be."""
    return args.fix or args.add_ignore is not None


def _extras(args: argparse.Namespace, *, locked: bool) -> set[Extra]:
    """Return what the reports, `--fix` and the lock need beside the verdicts."""
    formats = [report.format for report in _reports(args)]
    extras: set[Extra] = {"surroundings"} if locked else set()
    if args.fix or args.unsafe_fixes or not SHOWS_FIXES.isdisjoint(formats):
        extras.add("fixes")
    if not SHOWS_ELSEWHERE.isdisjoint(formats):
        extras.add("elsewhere")
    return extras


def inputs_from(
    args: argparse.Namespace, reader: InputReader, cwd: Path, deadline: Deadline = NO_DEADLINE
) -> Inputs:
    """Return what the arguments name. Raises UsageError, SettingsError, ChangesError."""
    if args.paths == ["-"]:
        return reader.from_bytes(cwd / (args.stdin_filename or "stdin.md"), _standard_input())
    paths = [located(path, cwd) for path in args.paths]
    if args.all or (paths and not args.changed and not args.diff_base):
        return _in_full(args, reader, paths or [cwd], cwd, deadline)
    repository = find_repository(deadline=deadline.at, head=True)
    if repository is None:
        is_there = git_program(os.environ) is not None
        reason = "this is no git repository" if is_there else "git was not found"
        raise UsageError(f"{reason}, so nothing tells what is new: name files, or give --all")
    if args.diff_base:
        changes = base_changes(repository, args.diff_base)
    elif args.changed:
        changes = hook_changes(repository, os.environ)
    else:
        changes = staged_changes(repository)
    if args.changed and paths and changes.empty and changes.tree is None:
        # `pre-commit run --all-files` on a clean tree: nothing is new, and "nothing to do, passed" would be a lie.
        # The hook is given whatever its `files` matches, sources and settings too.
        from tracecite_lint.inputs.discovery import New, find_documents, holds_citations

        found = find_documents(paths, new=New.LEFT, deadline=deadline.at)
        reader.know_settings_beside(found.recorded)
        named = {path for path in paths if not path.is_dir()}
        documents = [
            path
            for path in found.paths
            if (path in found.recorded or holds_citations(path)) and not reader.excluded(path)
        ]
        inputs = reader.from_paths(
            documents, found=found.paths.keys() - named, recorded=found.recorded
        )
        excluded = excluded_notes(sum(map(reader.excluded, found.paths.keys() - {*documents})))
        notes = ("nothing is staged: checked in full", *excluded, *inputs.notes)
        return replace(inputs, notes=notes)
    return reader.from_changes(changes, named_paths(repository, paths) if paths else None)


def _in_full(
    args: argparse.Namespace,
    reader: InputReader,
    paths: Sequence[Path],
    cwd: Path,
    deadline: Deadline,
) -> Inputs:
    """Return the documents at *paths*: with --all those that git tracks, else new ones too."""
    from tracecite_lint.inputs.discovery import New, find_documents

    found = find_documents(
        paths, new=New.COUNTED if args.all else New.CHECKED, deadline=deadline.at
    )
    reader.know_settings_beside(found.recorded)
    named = {path for path in paths if not path.is_dir()}
    chosen = [path for path in found.paths if path in named or not reader.excluded(path)]
    inputs = reader.from_paths(chosen, found=found.paths.keys() - named, recorded=found.recorded)
    left_out = [path for path in found.new if path not in found.paths and not reader.excluded(path)]
    unseen = [shown(path, cwd) for path in left_out]
    notes = [*inputs.notes, *found.notes, *_left_out_notes(found, left_out, cwd)]
    if chosen:
        notes += excluded_notes(len(found.paths) - len(chosen))
    if args.verbose:
        notes += reader.unused_patterns((*found.paths, *found.new), within=paths)
    if not (inputs.jobs or inputs.problems or len(notes) > len(inputs.notes) or inputs.unseen):
        if found.paths:
            notes.append(
                "every document there is left out by `exclude` in the settings: name the file"
            )
        elif find_repository(deadline=deadline.at) is not None:
            what = (
                "git tracks is there: `git add` it"
                if args.all
                else "git does not ignore is there: take it out of the ignore file"
            )
            notes.append(f"no document that {what}, or name the file")
    return replace(inputs, notes=tuple(notes), unseen=inputs.unseen.union(unseen))


def _left_out_notes(found: Found, left_out: Sequence[Path], cwd: Path) -> Iterator[str]:
    """Yield what is to be said of the documents that were not looked at."""
    if left_out:
        names = enumerated([shown(path, cwd) for path in left_out])
        yield f"not looked at, as git does not track it: {names}; `git add` it, or name it or its folder"
    if found.gone:
        names = enumerated([shown(path, cwd) for path in found.gone])
        yield f"not looked at, as it is gone from the disk: {names}"


def _standard_input() -> bytes:
    stdin: TextIO | None = sys.stdin  # None if it is closed (`<&-`)
    if stdin is None:
        raise UsageError("standard input is closed")
    pieces, size = [], 0
    # In pieces: no signal interrupts a read of everything for as long as more comes.
    while piece := stdin.buffer.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > SIZE_LIMIT:
            raise UsageError(f"standard input is larger than {SIZE_LIMIT // 2**20} MiB")
    return b"".join(pieces)


def checked(
    jobs: Sequence[Job],
    store: Store,
    *,
    progress: Progress,
    pages: Pages | None = None,
    extras: Collection[Extra] | None = None,
) -> CheckResult:
    """Check *jobs*, showing progress; *pages* and *extras* are those of `check_documents`."""
    from tracecite_lint.engine.check import EXTRAS, check_documents

    try:
        return check_documents(
            jobs,
            store,
            pages=pages,
            extras=EXTRAS if extras is None else extras,
            on_start=progress.start,
            on_page=progress.page,
        )
    finally:
        progress.clear()


def exit_status(result: CheckResult) -> int:
    """Return 1 if something could not be read at all, else 2 for any finding that counts as an error, else 0."""
    errors = [item for item in result.diagnostics if item.severity is Severity.ERROR]
    # Unreadable input first: a CI job must not take “2, there are findings” for “all of it was read”.
    if any((rule := rule_for(item.code)) is not None and rule.usage for item in errors):
        return UNUSABLE
    return FINDINGS if errors else OK


def _is_on_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _reports(args: argparse.Namespace) -> list[Report]:
    """Return the reports that were asked for, those without a format in that of the environment, or else `full`.

    Without any it is one, which is `github` on GitHub Actions if the environment does not say otherwise.
    """
    named = environment_format(FORMATS)
    if not args.reports:
        return [Report(named or ("github" if _is_on_github() else "full"))]
    return [Report(report.format or named or "full", report.path) for report in args.reports]


def _again(variables: Mapping[str, str]) -> str | None:
    """Return how the hook that runs this is run again, None if none does; a push is, by pushing."""
    if not variables.get("PRE_COMMIT"):
        return None
    return "" if variables.get("PRE_COMMIT_TO_REF") else "pre-commit run tracecite-lint"


def write_reports(result: CheckResult, args: argparse.Namespace) -> None:
    """Write every report that was asked for; without any, `full`, or `github` on GitHub Actions. Raises UsageError."""
    on_github = _is_on_github()
    for report in _reports(args):
        color = report.path is None and wants_color(args.color)
        text = render(
            report.format,
            result,
            color=color,
            verbosity=args.verbose - args.quiet,
            written_to=None if report.path is None else shown(report.path.absolute(), Path.cwd()),
            again=_again(os.environ),
        )
        if args.statistics and report.format in {"full", "concise", "grouped"}:
            from tracecite_lint.output.statistics import statistics

            text += statistics(result)
        if report.path is None:
            if on_github and report.format != "github":
                from tracecite_lint.output.github import without_commands

                text = without_commands(report.format, text)
            if args.quiet < 2:
                sys.stdout.write(text)
            continue
        from tracecite_lint.cli.chosen_files import output_file

        with output_file(report.path) as out:
            out.write(text)


def _refuse_to_overwrite(inputs: Inputs, reports: Iterable[Report]) -> None:
    """Raise UsageError if a report would be written where it may not be, or over a document that is checked."""
    for report in reports:
        if report.path is not None:
            from tracecite_lint.cli.chosen_files import refuse_output

            refuse_output(report.path)
    written = {report.path.resolve(): report.path for report in reports if report.path is not None}
    if not written:
        return
    for job in inputs.jobs:
        if (path := written.get(job.location.resolve())) is not None:
            raise UsageError(f"--output-file {path}: that is a document to check")


def _refuse_contradictions(args: argparse.Namespace) -> None:
    if "" in args.paths:
        raise UsageError("a PATH is empty; the working directory is .")
    if args.diff_base == "":
        raise UsageError("--diff-base is empty: name a commit")
    if args.stdin_filename == "":
        raise UsageError("--stdin-filename is empty: name a document")
    ways = [name for name in ("all", "changed", "diff_base") if getattr(args, name)]
    if len(ways) > 1:
        raise UsageError(f"--{ways[0]} and --{ways[1].replace('_', '-')} cannot be given together")
    if args.diff and not _rewrites(args):
        raise UsageError(
            "--diff shows what --fix or --add-ignore would write; give one of them too"
        )
    _reports(args)  # a format that the environment misspells
    if "-" in args.paths and (len(args.paths) > 1 or ways):
        raise UsageError("standard input (-) is checked alone")
    if args.stdin_filename and "-" not in args.paths:
        raise UsageError("--stdin-filename needs - as the only PATH")
    if sum(report.path is None for report in args.reports or ()) > 1:
        raise UsageError("only one --format can go to stdout; give the others an --output-file")
    if args.watch:
        _refuse_to_watch(args, ways)
    if _rewrites(args):
        _refuse_to_rewrite(args)
    elif args.interactive:
        raise UsageError("--interactive asks about each fix; give --fix too")


def _refuse_to_watch(args: argparse.Namespace, ways: Sequence[str]) -> None:
    """Raise UsageError for what is not done again and again."""
    if "-" in args.paths or {"changed", "diff_base"}.intersection(ways):
        raise UsageError("--watch looks at files on disk: name documents or folders, or give --all")
    if _rewrites(args):
        raise UsageError("--watch changes no document; leave out --fix and --add-ignore")
    for path in args.paths:
        if not Path(path).exists():
            raise UsageError(f"--watch {path}: no such file or directory")


def _refuse_to_rewrite(args: argparse.Namespace) -> None:
    """Raise UsageError where documents cannot be changed as the arguments ask for."""
    option = "--fix" if args.fix else "--add-ignore"
    if args.fix and args.add_ignore is not None:
        raise UsageError("--fix and --add-ignore cannot be given together: fix first, then ignore")
    if args.dump:
        raise UsageError(f"--dump checks nothing, so there is nothing for {option} to change")
    if "-" in args.paths or not (args.paths or args.all) or args.changed or args.diff_base:
        raise UsageError(f"{option} changes files on disk: name them, or give --all")
    if args.add_ignore is not None:
        from tracecite_lint.engine.suppressing import refuse_reason

        try:
            refuse_reason(args.add_ignore)
        except ValueError as error:
            raise UsageError(f"--add-ignore: {error}") from None
    if args.interactive:
        if args.diff:
            raise UsageError("--interactive shows each change before it is made; leave out --diff")
        from tracecite_lint.cli.interactive import refuse_without_terminal

        refuse_without_terminal()
