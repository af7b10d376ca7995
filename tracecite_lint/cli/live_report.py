"""What `check-report` and `verify-notes` share: each quotation against its live source, in the earlier tool's words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tracecite_lint.cli.options import (
    FINDINGS,
    OK,
    UNUSABLE,
    UsageError,
    add_reach_options,
    settings_from,
)
from tracecite_lint.cli.trace_files import print_json
from tracecite_lint.documents.notes import CitationNote, CitationNotes
from tracecite_lint.engine.check import Check, fetch_pending
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.errors import os_reason
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import decode
from tracecite_lint.model import (
    Citation,
    Document,
    DocumentKind,
    Shape,
    SourceRef,
    Span,
    Summary,
    Verdict,
)
from tracecite_lint.naming.uris import public_uri, without_passwords
from tracecite_lint.output.summary import left_out
from tracecite_lint.output.terminal import printable
from tracecite_lint.rules import is_unreachable
from tracecite_lint.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, --json and the reach options."""
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    add_reach_options(parser)


def run(
    args: argparse.Namespace,
    parse: Callable[[str], CitationNotes],
    *,
    malformed: str,
    place: Callable[[CitationNote], str],
) -> int:
    """Check the notes that *parse* finds in the file; *malformed* heads their syntax errors, *place* names a note."""
    settings = settings_from(args)
    notes = parse(_text(args.file))
    if notes.diagnostics:
        _print_malformed(args, notes, malformed)
        return UNUSABLE
    outcomes = _outcomes(notes.notes, args.file, settings, args.started)
    matched = sum(code is None for code in outcomes)
    sources = len({note.url for note in notes.notes})
    if args.json:
        items = [
            {
                "index": note.line,
                "url": note.url,
                "ok": code is None,
                "citation_count": 1,
                "matched_count": int(code is None),
                "diagnostics": [] if code is None else [code],
            }
            for note, code in zip(notes.notes, outcomes, strict=True)
        ]
        counts = {"source_count": sources, "citation_count": len(items), "matched_count": matched}
        print_json({**counts, "items": items})
    else:
        status = "PASS" if matched == len(outcomes) else "FAIL"
        plural = "source" if sources == 1 else "sources"
        print(f"{status}: {matched}/{len(outcomes)} quotes appear in {sources} live web {plural}")
        for note, code in zip(notes.notes, outcomes, strict=True):
            print(
                f"  {place(note)} {'PASS' if code is None else 'FAIL'} {printable(public_uri(note.url))}"
            )
            if code is not None:
                print(f"    [{code}]")
    if end := left_out(Summary(passed_over=notes.passed_over)):
        print(f"{len(outcomes)} citations{end}", file=sys.stderr)
    failures = [code for code in outcomes if code is not None]
    if settings.allow_unreachable:
        failures = [code for code in failures if not is_unreachable(code)]
    return FINDINGS if failures else OK


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: {os_reason(error)}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def _print_malformed(args: argparse.Namespace, notes: CitationNotes, heading: str) -> None:
    if args.json:
        diagnostics = [item.to_json() for item in notes.diagnostics]
        print_json({"diagnostics": diagnostics})
        return
    print(heading)
    for item in notes.diagnostics:
        print(
            f"  {printable(str(args.file))}:{item.line} [{item.code}] {printable(without_passwords(item.message))}"
        )


def _outcomes(
    notes: tuple[CitationNote, ...], path: Path, settings: Settings, started: float
) -> list[str | None]:
    """Return for each note the code that says why it does not hold, or None if it does."""
    citations = tuple(
        Citation(
            passages=(note.quote,),
            span=Span(note.line, 1, note.line, 1),
            source=SourceRef(note.url),
            shape=Shape.NOTE,
            claim=note.claim,
        )
        for note in notes
    )
    location = path.absolute()
    job = Job(
        document=Document(str(path), "", DocumentKind.NOTES, citations),
        location=location,
        root=repository_root(location.parent, Path.cwd()),
        settings=settings,
    )
    with open_store(settings.reach(), work_tree=job.root, started=started) as store:
        check = Check([job], store).look_up()
        fetch_pending(check, store)
        decisions = [check.decision(job, citation) for citation in citations]
    return [
        # What was never decided was not checked: it must not pass.
        "NOT_CHECKED_TIME_BUDGET"
        if decision is None
        else None
        if decision.verdict is Verdict.VERIFIED
        else decision.code
        for decision in decisions
    ]
