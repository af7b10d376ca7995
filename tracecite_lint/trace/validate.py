"""Validation of one run: order, completeness and, in evidence mode, that every quote stands in what was captured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tracecite_lint.errors import require_text
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import Diagnostic, Span
from tracecite_lint.trace.events import (
    Answer,
    Cited,
    Event,
    FileTrace,
    Finding,
    Source,
    TextTrace,
    ToolCall,
    ToolResult,
    Trace,
    read_event,
    read_events,
    shown,
)
from tracecite_lint.trace.report import CitationEdge, EvidenceStatus, Report, SourceRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def validate_jsonl(text: str) -> Report:
    """Validate the form and the order of a trace (docs/traces.md): ids, runs, calls and results.

    A quote that is given is checked against the captured content of its source, byte for byte. Nothing is raised: what
    is wrong is a diagnostic with a 1-based line.
    """
    require_text("validate_jsonl", text=text)
    return validate(TextTrace(text), evidence=False).report()


def validate_evidence_jsonl(text: str) -> Report:
    """Validate a trace as `validate_jsonl` does, and require content for every source and a quote for every claim."""
    require_text("validate_evidence_jsonl", text=text)
    return validate(TextTrace(text), evidence=True).report()


def validate_file(stream: BinaryIO, *, evidence: bool) -> Report:
    """Validate the trace in a seekable binary file of any size, in memory that the contents do not count towards."""
    return validate(FileTrace(stream), evidence=evidence).report()


@dataclass(frozen=True, slots=True)
class Edge:
    """A citation with what is known of it.

    `source` is None for an id that no successful result gave; otherwise `source_path` leads to its URI in its line.
    """

    cited: Cited
    claim_index: int
    line: int
    source: SourceRecord | None
    source_path: JsonPath
    status: EvidenceStatus


@dataclass(slots=True)
class _Call:
    """A call, and the line of its first result (0 while there is none)."""

    id: str
    line: int
    result_line: int = 0


@dataclass(frozen=True, slots=True)
class _Known:
    """A source that was given, and where its content stands: the offset of the line, the place in `sources`."""

    record: SourceRecord
    offset: int
    index: int


def validate(trace: Trace, *, evidence: bool) -> Validation:
    """Read *trace* once, and its cited sources a second time."""
    validation = Validation(trace, evidence=evidence)
    # Findings about reading come before findings about events, and are few: the events themselves are not kept.
    reading: list[Finding] = []
    for event in read_events(trace, reading.append):
        validation.add(event)
    validation.finish(reading)
    return validation


class Validation:
    """A run as far as it was read: its calls, its sources and its answer, without the contents."""

    def __init__(self, trace: Trace, *, evidence: bool) -> None:
        self.findings: list[Finding] = []
        self.edges: list[Edge] = []
        self.run_id: str | None = None
        self._trace = trace
        self._evidence = evidence
        self._event_count = 0
        self._last_line = 1
        self._calls: dict[str, _Call] = {}
        self._sources: dict[str, _Known] = {}
        self._uris: dict[str, int] = {}
        self._answer: Answer | None = None

    def add(self, event: Event) -> None:
        """Take in the next event."""
        self._event_count += 1
        self._last_line = event.line
        if self.run_id is None:
            self.run_id = event.run_id
        if event.run_id != self.run_id:
            message = f"event belongs to run {shown(event.run_id)}; expected {shown(self.run_id)}"
            self._find(event.line, "RUN_MISMATCH", message)
        elif isinstance(event, Answer):
            self._add_answer(event)
        elif self._answer is not None:
            kind = "call" if isinstance(event, ToolCall) else "result"
            self._find(event.line, "EVENT_AFTER_ANSWER", f"tool {kind} after the answer")
        elif isinstance(event, ToolCall):
            self._add_call(event)
        else:
            self._add_result(event)

    def finish(self, reading: Iterable[Finding]) -> None:
        """Say what is missing, and put what was found in *reading* the lines before everything else."""
        if not self._event_count:
            self.findings.insert(0, Finding(1, "EMPTY_TRACE", "no valid event"))
        for call in self._calls.values():
            if not call.result_line:
                self._find(call.line, "MISSING_RESULT", f"no result for call_id: {shown(call.id)}")
        if self._event_count and self._answer is None:
            self._find(self._last_line, "MISSING_ANSWER", "the run has no answer")
        self.findings[:0] = reading

    def report(self) -> Report:
        """Return what the trace holds and what is wrong with it."""
        return Report(
            run_id=self.run_id,
            event_count=self._event_count,
            call_count=len(self._calls),
            source_count=len(self._sources),
            claim_count=len(self._answer.claims) if self._answer else 0,
            verified_citation_count=sum(
                edge.status is EvidenceStatus.MATCHED for edge in self.edges
            ),
            sources=tuple(known.record for known in self._sources.values()),
            citations=tuple(map(_citation_edge, self.edges)),
            diagnostics=tuple(map(diagnostic, self.findings)),
        )

    def _add_call(self, event: ToolCall) -> None:
        first = self._calls.setdefault(event.call_id, _Call(event.call_id, event.line))
        if first.line != event.line:
            message = f"call_id {shown(event.call_id)} first appeared on line {first.line}"
            self._find(event.line, "DUPLICATE_CALL", message)

    def _add_result(self, event: ToolResult) -> None:
        call = self._calls.get(event.call_id)
        if call is None:
            self._find(event.line, "ORPHAN_RESULT", f"unknown call_id: {shown(event.call_id)}")
        elif call.result_line:
            message = f"call_id {shown(call.id)} already has a result on line {call.result_line}"
            self._find(event.line, "DUPLICATE_RESULT", message)
        else:
            call.result_line = event.line
            if event.ok:
                self._add_sources(event, call)
            elif event.sources:
                message = "a failed tool result cannot provide sources"
                self._find(event.line, "SOURCE_ON_FAILED_RESULT", message)

    def _add_sources(self, event: ToolResult, call: _Call) -> None:
        for index, source in enumerate(event.sources):
            if self._evidence and source.content is None:
                self._find_no_content(event.line, source.id)
            first = self._sources.get(source.id)
            if first is not None:
                message = f"source id {shown(source.id)} first appeared on line {first.record.line}"
                self._find(event.line, "DUPLICATE_SOURCE", message)
                continue
            if self._evidence:
                self._add_uri(source, event.line)
            record = SourceRecord(
                id=source.id,
                uri=source.uri,
                title=source.title,
                call_id=call.id,
                line=event.line,
                content_present=source.content is not None,
            )
            self._sources[source.id] = _Known(record, event.offset, index)

    def _add_uri(self, source: Source, line: int) -> None:
        first = self._uris.get(source.uri)
        if first is None:
            self._uris[source.uri] = line
            return
        message = f"the URI of source {shown(source.id)} first appeared on line {first}"
        self._find(line, "DUPLICATE_URI", message)

    def _add_answer(self, event: Answer) -> None:
        line = event.line
        if self._answer is not None:
            self._find(
                line, "DUPLICATE_ANSWER", f"the run has an answer on line {self._answer.line}"
            )
            return
        self._answer = event
        if self._evidence and not event.claims:
            self._find(line, "EMPTY_ANSWER", "evidence mode requires at least one claim")
        held = self._held_quotes(event)
        for number, claim in enumerate(event.claims, start=1):
            if self._evidence and not claim:
                self._find(line, "UNCITED_CLAIM", f"claim {number} has no citation")
            for cited in claim:
                self._add_citation(cited, number, line, held)

    def _add_citation(
        self, cited: Cited, claim_index: int, line: int, held: Mapping[tuple[str, str], bool]
    ) -> None:
        known = self._sources.get(cited.source_id)
        source = known.record if known else None
        status = EvidenceStatus.UNVERIFIED
        name = shown(cited.source_id)
        if source is None:
            message = f"claim {claim_index} cites unknown source: {name}"
            self._find(line, "UNKNOWN_SOURCE", message, cited)
        elif cited.quote is None:
            if self._evidence:
                message = f"claim {claim_index} has no exact quote for source: {name}"
                self._find(line, "MISSING_QUOTE", message, cited)
        elif not source.content_present:
            self._find_no_content(line, cited.source_id, cited)
        elif held[cited.source_id, cited.quote]:
            status = EvidenceStatus.MATCHED
        else:
            status = EvidenceStatus.MISMATCH
            message = f"claim {claim_index}: quote not found in captured content of source {name}"
            self._find(line, "QUOTE_NOT_IN_SOURCE", message, cited)
        source_path: JsonPath = ("sources", known.index, "uri") if known else ()
        self.edges.append(Edge(cited, claim_index, line, source, source_path, status))

    def _held_quotes(self, answer: Answer) -> dict[tuple[str, str], bool]:
        """Return, for each source id and quote of *answer*, whether the captured content holds the quote."""
        wanted: defaultdict[int, list[tuple[int, str, str]]] = defaultdict(list)
        for cited in (cited for claim in answer.claims for cited in claim):
            known = self._sources.get(cited.source_id)
            if known is not None and cited.quote is not None:
                wanted[known.offset].append((known.index, cited.source_id, cited.quote))
        held: dict[tuple[str, str], bool] = {}
        for offset in sorted(wanted):
            contents = self._contents_at(offset)
            for index, source_id, quote in wanted[offset]:
                held[source_id, quote] = quote in (contents[index] or "")
        return held

    def _contents_at(self, offset: int) -> Sequence[str | None]:
        event = read_event(self._trace.line_at(offset), self.findings.append)
        assert isinstance(event, ToolResult), "this line was read as a result before"
        return [source.content for source in event.sources]

    def _find_no_content(self, line: int, source_id: str, cited: Cited | None = None) -> None:
        message = f"source has no captured content: {shown(source_id)}"
        self._find(line, "MISSING_SOURCE_CONTENT", message, cited)

    def _find(self, line: int, code: str, message: str, cited: Cited | None = None) -> None:
        self.findings.append(Finding(line, code, message, cited.path if cited else ()))


def diagnostic(finding: Finding, span: Span | None = None) -> Diagnostic:
    """Return *finding* as a diagnostic at *span*, by default the start of its line."""
    line = finding.line
    return Diagnostic(
        code=finding.code,
        message=finding.message,
        span=span or Span(line, 1, line, 1),
        private=True,
    )


def _citation_edge(edge: Edge) -> CitationEdge:
    return CitationEdge(
        claim_index=edge.claim_index,
        source_id=edge.cited.source_id,
        call_id=edge.source.call_id if edge.source else None,
        line=edge.line,
        evidence_status=edge.status,
    )
