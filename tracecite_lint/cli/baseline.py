"""`baseline`: keeps the file of known findings."""

from __future__ import annotations

import argparse
from pathlib import Path

from tracecite_lint.cli.checking import checked, inputs_from
from tracecite_lint.cli.ledgers import baseline_file, refuse_unwritable, scope_of
from tracecite_lint.cli.options import (
    OK,
    UNUSABLE,
    UsageError,
    add_document_options,
    add_progress_option,
    add_reach_options,
    add_rule_options,
    add_verbosity_options,
    finder_from,
)
from tracecite_lint.cli.progress import progress_of
from tracecite_lint.cli.time_limit import TO_SPARE, ended_at
from tracecite_lint.engine.reach import open_store
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import InputReader, shown, with_inputs
from tracecite_lint.known.baseline import (
    Baseline,
    create_baseline,
    is_about_reading,
    prune_baseline,
    read_baseline,
    update_baseline,
    write_baseline,
)
from tracecite_lint.known.scope import Scope
from tracecite_lint.model import CheckResult, Severity
from tracecite_lint.naming.file_names import BASELINE_NAME
from tracecite_lint.output.terminal import printable
from tracecite_lint.settings import SettingsFinder
from tracecite_lint.sources.deadline import Deadline


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `baseline`."""
    parser.add_argument(
        "action",
        choices=("create", "update", "prune"),
        help="create: know every present finding; update: take in new ones too and drop what is gone; "
        "prune: only drop what is gone",
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="documents or directories (default: all)"
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help=f"the file to keep (default: {BASELINE_NAME} at the root)",
    )
    add_document_options(parser)
    add_rule_options(parser)
    add_reach_options(parser)
    add_verbosity_options(parser)
    add_progress_option(parser)


def run(args: argparse.Namespace) -> int:
    """Check the documents and write the baseline; return 1 if a document could not be read, else 0. Raises TraceciteLintError."""
    cwd = Path.cwd()
    finder = finder_from(args)
    settings = finder.settings(cwd)
    place = baseline_file(args, settings, cwd)
    name = shown(place.path, cwd)
    refuse_unwritable(place)
    if args.action == "create" and place.path.exists():
        raise UsageError(
            f"{name} is there already: `tracecite-lint baseline update` brings it up to date"
        )
    # What is not there cannot be updated: found out before anything is fetched.
    old = Baseline() if args.action == "create" else read_baseline(place)
    result, scope = _checked(args, finder, cwd)
    unread = [item for item in result.diagnostics if is_about_reading(item)]
    for item in unread:
        print(f"{printable(item.file)}: {item.code}: {printable(item.message)}")
    match args.action:
        case "create":
            new = create_baseline(result)
        case "update":
            new = update_baseline(old, result, scope)
        case _:
            new = prune_baseline(old, result, scope)
    write_baseline(place, new)
    if not args.quiet:
        print(_told(name, old, new))
    return UNUSABLE if any(item.severity is Severity.ERROR for item in unread) else OK


def _checked(
    args: argparse.Namespace, finder: SettingsFinder, cwd: Path
) -> tuple[CheckResult, Scope]:
    chosen = argparse.Namespace(
        paths=args.paths,
        all=not args.paths,
        changed=False,
        diff_base=None,
        stdin_filename=None,
        verbose=0,
    )
    settings = finder.settings(cwd)
    deadline = Deadline.after(settings.max_time, started=args.started)
    with ended_at(deadline, to_spare=TO_SPARE):
        inputs = inputs_from(chosen, InputReader(finder, cwd, deadline), cwd, deadline)
        reach, work_tree = settings.reach(), repository_root(cwd, cwd)
        with open_store(reach, work_tree=work_tree, started=args.started) as store:
            result = checked(inputs.jobs, store, progress=progress_of(args), extras=())
    result = with_inputs(result, inputs, cwd)
    return result, scope_of(inputs, result.directory, whole_folder=not args.paths)


def _told(name: str, old: Baseline, new: Baseline) -> str:
    findings = "1 known finding" if len(new) == 1 else f"{len(new)} known findings"
    files = len({entry.file for entry in new.counts})
    where = f" in {files} file{'' if files == 1 else 's'}" if files else ""
    added = sum(max(count - old.counts.get(entry, 0), 0) for entry, count in new.counts.items())
    gone = sum(max(count - new.counts.get(entry, 0), 0) for entry, count in old.counts.items())
    return f"{printable(name)}: {findings}{where} ({added} added, {gone} gone)"
