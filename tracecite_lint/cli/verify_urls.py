"""`verify-urls FILE`: the citations of a trace against the pages that its web sources are now."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracecite_lint.cli.options import FINDINGS, OK, add_reach_options, settings_from
from tracecite_lint.cli.progress import Progress
from tracecite_lint.cli.trace_files import open_trace, print_failed_evidence, print_json
from tracecite_lint.engine.check import Check, fetch_pending
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.judge import Decision
from tracecite_lint.engine.reach import open_store
from tracecite_lint.files.roots import repository_root
from tracecite_lint.model import (
    Citation,
    Document,
    DocumentKind,
    Shape,
    SourceRef,
    Span,
    Verdict,
)
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.output.terminal import printable
from tracecite_lint.rules import is_unreachable
from tracecite_lint.settings import Settings
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.policy import resolve
from tracecite_lint.trace.events import FileTrace
from tracecite_lint.trace.report import SourceRecord
from tracecite_lint.trace.validate import Edge, validate


@dataclass(frozen=True, slots=True)
class _Item:
    """One source: how many of its citations the page holds, and what is wrong."""

    url: str
    citation_count: int
    matched_count: int
    diagnostics: tuple[str, ...]

    def to_json(self, index: int) -> dict[str, object]:
        return {
            "index": index,
            "url": self.url,
            "ok": not self.diagnostics,
            "citation_count": self.citation_count,
            "matched_count": self.matched_count,
            "diagnostics": list(self.diagnostics),
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the trace and what decides how its sources are reached."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    add_reach_options(parser)


def run(args: argparse.Namespace) -> int:
    """Look for each quote in its page and return the exit status."""
    settings = settings_from(args)
    with open_trace(args.file) as stream:
        validation = validate(FileTrace(stream), evidence=True)
    report = validation.report()
    if not report.ok():
        print_failed_evidence(report.diagnostics, as_json=args.json)
        return FINDINGS
    items = _items(report.sources, validation.edges, settings, args.started)
    cited = sum(item.citation_count for item in items)
    matched = sum(item.matched_count for item in items)
    if args.json:
        counts = {"source_count": len(items), "citation_count": cited, "matched_count": matched}
        print_json(counts | {"items": [item.to_json(n) for n, item in enumerate(items, start=1)]})
    else:
        status = "PASS" if matched == cited else "FAIL"
        print(f"{status}: {matched}/{cited} citations appear in {len(items)} live web sources")
        for item in items:
            print(f"  {'FAIL' if item.diagnostics else 'PASS'} {printable(public_uri(item.url))}")
            for code in item.diagnostics:
                print(f"    [{code}]")
    return _status(items, settings)


def _status(items: Sequence[_Item], settings: Settings) -> int:
    failures = [code for item in items if item.citation_count for code in item.diagnostics]
    if settings.allow_unreachable:
        failures = [code for code in failures if not is_unreachable(code)]
    return FINDINGS if failures else OK


def _items(
    sources: Sequence[SourceRecord], edges: Sequence[Edge], settings: Settings, started: float
) -> list[_Item]:
    cited: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        cited[edge.cited.source_id].append(edge)
    errors = {source.id: _refusal(source, settings) for source in sources}
    # A source that nothing cites is asked for with a citation that has no words.
    citations = {
        source.id: [_citation(source, edge.cited.quote) for edge in cited[source.id]]
        or [_citation(source, None)]
        for source in sources
        if errors[source.id] is None
    }
    decisions = _decisions(citations, settings, started)
    return [
        _item(source.uri, cited[source.id], errors[source.id], decisions.get(source.id, []))
        for source in sources
    ]


def _refusal(source: SourceRecord, settings: Settings) -> str | None:
    """Return the code of a source that is no web source, or none that may be reached."""
    try:
        resolve(source.uri, allow_hosts=settings.allow_host)
    except SourceError as error:
        return error.code
    return None


def _citation(source: SourceRecord, quote: str | None) -> Citation:
    return Citation(
        passages=() if quote is None else (quote,),
        span=Span(source.line, 1, source.line, 1),
        source=SourceRef(source.uri),
        shape=Shape.TRACE,
        private=True,
    )


def _decisions(
    citations: Mapping[str, Sequence[Citation]], settings: Settings, started: float
) -> dict[str, list[Decision]]:
    """Return what the page of each source says of its citations, by the source's id."""
    here = Path.cwd()
    every = tuple(citation for of_source in citations.values() for citation in of_source)
    document = Document("", "", DocumentKind.TRACE, every, private=True)
    job = Job(document=document, location=here / "trace", root=here, settings=settings)
    progress = Progress(quiet=False)
    work_tree = repository_root(here, here)
    with open_store(settings.reach(), work_tree=work_tree, started=started) as store:
        check = Check([job], store).look_up()
        fetch_pending(check, store, on_start=progress.start, on_page=progress.page)
        progress.clear()
        return {
            source_id: [
                decision
                for citation in of_source
                if (decision := check.decision(job, citation)) is not None
            ]
            for source_id, of_source in citations.items()
        }


def _item(
    url: str, edges: Sequence[Edge], refusal: str | None, decisions: Sequence[Decision]
) -> _Item:
    unread = refusal or next(
        (item.code for item in decisions if item.verdict is Verdict.UNVERIFIABLE), None
    )
    if unread:
        return _Item(url, len(edges), 0, (unread,))
    if not edges:
        return _Item(url, 0, 0, ("NO_CITATIONS_FOR_SOURCE",))
    missing = tuple(
        f"{decision.code}:claim-{edge.claim_index}"
        for edge, decision in zip(edges, decisions, strict=True)
        if decision.verdict is not Verdict.VERIFIED
    )
    return _Item(url, len(edges), len(edges) - len(missing), missing)
