"""What `check-report` and `verify-notes` share: each quotation against its live source, in the earlier tool's words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tracecite_lint.cli import live
from tracecite_lint.cli.live import LiveSources, Looked
from tracecite_lint.cli.options import FINDINGS, OK, UNUSABLE, UsageError
from tracecite_lint.cli.time_limit import TO_SPARE, limited
from tracecite_lint.cli.trace_files import print_json
from tracecite_lint.documents.notes import CitationNote, CitationNotes
from tracecite_lint.errors import os_reason
from tracecite_lint.inputs.reader import SIZE_LIMIT, decode
from tracecite_lint.model import Citation, Diagnostic, Shape, SourceRef, Span
from tracecite_lint.naming.uris import without_passwords
from tracecite_lint.output.terminal import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, --json and the reach options."""
    parser.add_argument("file", metavar="FILE", type=Path)
    live.add_arguments(parser)


def run(
    args: argparse.Namespace,
    parse: Callable[[str], CitationNotes],
    *,
    malformed: str,
    place: Callable[[CitationNote], str],
) -> int:
    """Check the notes that *parse* finds in the file; *malformed* heads their syntax errors, *place* names a note."""
    sources = LiveSources(args)
    with limited(args, to_spare=TO_SPARE):
        notes = parse(_text(args.file))
        if not notes.diagnostics:
            looked = sources.look_for([_citation(note) for note in notes.notes])
    if notes.diagnostics:
        _print_malformed(args, notes, malformed)
        return UNUSABLE
    strict = getattr(args, "strict", False)
    unassociated = notes.unassociated if strict else ()
    outcomes = [sources.outcome(_codes(item)) for item in looked]
    failed = live.FAIL in outcomes or bool(unassociated)
    if args.json:
        print_json(_report(notes.notes, looked, unassociated))
    else:
        _print_report(notes.notes, looked, outcomes, place, passes=not failed)
        _print_diagnostics(args, unassociated)
    if notes.unassociated and not strict:
        print(_left_out(len(notes.unassociated)), file=sys.stderr)
    return FINDINGS if failed else OK


def _codes(looked: Looked) -> list[str]:
    return [looked.decision.code] if looked.decision.code else []


def _left_out(count: int) -> str:
    quotations = "1 quotation has" if count == 1 else f"{count} quotations have"
    return f"{quotations} no source in reach and cannot be checked: --strict lists them, and fails"


def _citation(note: CitationNote) -> Citation:
    return Citation(
        passages=(note.quote,),
        span=Span(note.line, 1, note.line, 1),
        source=SourceRef(note.url),
        shape=Shape.NOTE,
        claim=note.claim,
    )


def _report(
    notes: Sequence[CitationNote], looked: Sequence[Looked], unassociated: Sequence[Diagnostic]
) -> dict[str, object]:
    report: dict[str, object] = {
        "source_count": len({note.url for note in notes}),
        "citation_count": len(notes),
        "matched_count": sum(item.decision.code is None for item in looked),
        "items": [_item(note, item) for note, item in zip(notes, looked, strict=True)],
    }
    if unassociated:
        report["diagnostics"] = [item.to_json() for item in unassociated]
    return report


def _item(note: CitationNote, looked: Looked) -> dict[str, object]:
    code = looked.decision.code
    return {
        "index": note.line,
        "url": note.url,
        "ok": code is None,
        "citation_count": 1,
        "matched_count": int(code is None),
        "diagnostics": _codes(looked),
        **live.read_at(looked),
    }


def _print_report(
    notes: Sequence[CitationNote],
    looked: Sequence[Looked],
    outcomes: Sequence[str],
    place: Callable[[CitationNote], str],
    *,
    passes: bool,
) -> None:
    status = live.PASS if passes else live.FAIL
    rows = list(zip(notes, looked, outcomes, strict=True))
    counted = [note.url for note, _, outcome in rows if outcome != live.SKIP]
    sources = len(set(counted))
    of = f"{sources} {live.adjective(looked)}web {'source' if sources == 1 else 'sources'}"
    print(f"{status}: {outcomes.count(live.PASS)}/{len(counted)} quotes appear in {of}")
    for note, item, outcome in rows:
        live.print_source(f"{place(note)} ", note.url, _codes(item), item, outcome)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
        if len(data) > SIZE_LIMIT:
            raise ValueError(f"larger than {SIZE_LIMIT // 2**20} MiB")
        return decode(data)
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
    _print_diagnostics(args, notes.diagnostics)


def _print_diagnostics(args: argparse.Namespace, diagnostics: Sequence[Diagnostic]) -> None:
    for item in diagnostics:
        print(
            f"  {printable(str(args.file))}:{item.line} [{item.code}] {printable(without_passwords(item.message))}"
        )
