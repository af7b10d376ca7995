"""`verify-urls FILE`: the citations of a trace against the pages that its web sources are now."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence

from tracecite_lint.cli import live
from tracecite_lint.cli.live import LiveSources, Looked
from tracecite_lint.cli.options import FINDINGS, OK
from tracecite_lint.cli.time_limit import TO_SPARE, limited
from tracecite_lint.cli.trace_files import open_trace, print_failed_evidence, print_json
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import Citation, Shape, SourceRef, Span, Verdict
from tracecite_lint.settings import Settings
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.policy import resolve
from tracecite_lint.trace.events import FileTrace
from tracecite_lint.trace.report import SourceRecord
from tracecite_lint.trace.validate import Edge, validate

UNCITED = "NO_CITATIONS_FOR_SOURCE"
"""Fails nothing: the source was read, and no claim rests on it."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One source: how many of its citations the page holds, and what is wrong; `looked` is None for one that is refused."""

    url: str
    citation_count: int
    matched_count: int
    diagnostics: tuple[str, ...]
    looked: Looked | None

    @property
    def failures(self) -> list[str]:
        """Those of the diagnostics that fail the run."""
        return [code for code in self.diagnostics if code != UNCITED]

    def to_json(self, index: int) -> dict[str, object]:
        return {
            "index": index,
            "url": self.url,
            "ok": not self.failures,
            "citation_count": self.citation_count,
            "matched_count": self.matched_count,
            "diagnostics": list(self.diagnostics),
            **(live.read_at(self.looked) if self.looked else {}),
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the trace and what decides how its sources are reached."""
    parser.add_argument("file", metavar="FILE")
    live.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Look for each quote in its page and return the exit status."""
    sources = LiveSources(args)
    with limited(args, to_spare=TO_SPARE):
        with open_trace(args.file) as stream:
            validation = validate(FileTrace(stream), evidence=True)
        report = validation.report()
        if report.ok():
            items = _items(report.sources, validation.edges, sources)
    if not report.ok():
        print_failed_evidence(report.diagnostics, as_json=args.json)
        return FINDINGS
    outcomes = [sources.outcome(item.failures) for item in items]
    if args.json:
        print_json(_report(items))
    else:
        _print_report(items, outcomes)
    return FINDINGS if live.FAIL in outcomes else OK


def _report(items: Sequence[_Item]) -> dict[str, object]:
    return {
        "source_count": len(items),
        "citation_count": sum(item.citation_count for item in items),
        "matched_count": sum(item.matched_count for item in items),
        "items": [item.to_json(index) for index, item in enumerate(items, start=1)],
    }


def _print_report(items: Sequence[_Item], outcomes: Sequence[str]) -> None:
    rows = list(zip(items, outcomes, strict=True))
    counted = [item for item, outcome in rows if outcome != live.SKIP]
    cited = sum(item.citation_count for item in counted)
    matched = sum(item.matched_count for item in counted)
    adjective = live.adjective(item.looked for item in items if item.looked)
    status = live.FAIL if live.FAIL in outcomes else live.PASS
    print(f"{status}: {matched}/{cited} citations appear in {len(counted)} {adjective}web sources")
    for item, outcome in rows:
        live.print_source("", item.url, item.diagnostics, item.looked, outcome)


def _items(
    sources: Sequence[SourceRecord], edges: Sequence[Edge], live_sources: LiveSources
) -> list[_Item]:
    cited: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        # In the order of the answer, which is that of the codes below.
        cited[edge.cited.source_id].append(edge)
    refusals = {source.id: _refusal(source, live_sources.settings) for source in sources}
    # A source that nothing cites is asked for with a citation that has no words.
    citations = [
        (source.id, _citation(source, quote))
        for source in sources
        if refusals[source.id] is None
        for quote in [edge.cited.quote for edge in cited[source.id]] or [None]
    ]
    looked: defaultdict[str, list[Looked]] = defaultdict(list)
    found = live_sources.look_for([citation for _, citation in citations])
    for (source_id, _), item in zip(citations, found, strict=True):
        looked[source_id].append(item)
    return [
        _item(source.uri, cited[source.id], refusals[source.id], looked[source.id])
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
        # A trace is a record: nothing of its words is shown (docs/traces.md).
        private=True,
    )


def _item(url: str, edges: Sequence[Edge], refusal: str | None, looked: Sequence[Looked]) -> _Item:
    page = looked[0] if looked else None  # all of them have the same
    decisions = [item.decision for item in looked]
    unread = refusal or next(
        (item.code for item in decisions if item.verdict is Verdict.UNVERIFIABLE), None
    )
    if unread:
        return _Item(url, len(edges), 0, (unread,), page)
    if not edges:
        return _Item(url, 0, 0, (UNCITED,), page)
    missing = tuple(
        f"{decision.code}:claim-{edge.claim_index}"
        for edge, decision in zip(edges, decisions, strict=True)
        if decision.verdict is not Verdict.VERIFIED
    )
    return _Item(url, len(edges), len(edges) - len(missing), missing, page)
