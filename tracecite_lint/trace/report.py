"""What the trace functions return: values that name lines, ids and URIs, and never the content or a quote."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class EvidenceStatus(StrEnum):
    """Whether a citation's quote stands, byte for byte, in the captured content of its source."""

    MATCHED = "matched"
    MISMATCH = "mismatch"
    UNVERIFIED = "unverified"
    """There is no such source, or it has no captured content, or the citation has no quote."""


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A source that a successful result gave. `line` is the 1-based line of that result."""

    id: str
    uri: str
    title: str | None
    call_id: str
    line: int
    content_present: bool

    def to_json(self) -> dict[str, object]:
        """Return the fields; what is None is left out."""
        return _present(
            id=self.id,
            uri=self.uri,
            title=self.title,
            call_id=self.call_id,
            line=self.line,
            content_present=self.content_present,
        )


@dataclass(frozen=True, slots=True)
class CitationEdge:
    """One citation of the answer: from a claim (numbered from 1) to a source and the call that gave it.

    `call_id` is None for a source that no successful result gave; `line` is the 1-based line of the answer. Of
    `evidence_status` the word alone will do; raises ValueError for another one.
    """

    claim_index: int
    source_id: str
    call_id: str | None
    line: int
    evidence_status: EvidenceStatus | Literal["matched", "mismatch", "unverified"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence_status", EvidenceStatus(self.evidence_status))

    def to_json(self) -> dict[str, object]:
        """Return the fields; what is None is left out."""
        return _present(
            claim_index=self.claim_index,
            source_id=self.source_id,
            call_id=self.call_id,
            line=self.line,
            evidence_status=str(self.evidence_status),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a trace holds and what is wrong with it. Counts are of the run that the first event names."""

    run_id: str | None = None
    event_count: int = 0
    """Well-formed events, those of another run included."""
    call_count: int = 0
    source_count: int = 0
    claim_count: int = 0
    verified_citation_count: int = 0
    sources: tuple[SourceRecord, ...] = ()
    citations: tuple[CitationEdge, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def ok(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.diagnostics

    def to_json(self) -> dict[str, object]:
        """Return the report as docs/traces.md names its fields; what is None is left out."""
        return _present(
            run_id=self.run_id,
            event_count=self.event_count,
            call_count=self.call_count,
            source_count=self.source_count,
            claim_count=self.claim_count,
            verified_citation_count=self.verified_citation_count,
            sources=[source.to_json() for source in self.sources],
            citations=[citation.to_json() for citation in self.citations],
            diagnostics=_to_json(self.diagnostics),
        )


@dataclass(frozen=True, slots=True)
class SourceChange:
    """One source that differs between two runs; `kind` is `added`, `removed` or `changed`."""

    kind: str
    uri: str

    def to_json(self) -> dict[str, object]:
        """Return both fields."""
        return {"kind": self.kind, "uri": self.uri}


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftReport:
    """How the sources of a new run differ from those of an old one.

    `changes` has what was removed or changed in the order of the old run, then what was added in the order of the new
    one; it is empty, and `unchanged_count` 0, unless both traces are valid in evidence mode.
    """

    old_run_id: str | None
    new_run_id: str | None
    old_valid: bool
    new_valid: bool
    unchanged_count: int = 0
    changes: tuple[SourceChange, ...] = ()
    old_diagnostics: tuple[Diagnostic, ...] = ()
    new_diagnostics: tuple[Diagnostic, ...] = ()

    def ok(self) -> bool:
        """Tell whether both traces are valid and no source differs."""
        return self.old_valid and self.new_valid and not self.changes

    def to_json(self) -> dict[str, object]:
        """Return the report as docs/traces.md names its fields; what is None is left out."""
        return _present(
            old_run_id=self.old_run_id,
            new_run_id=self.new_run_id,
            old_valid=self.old_valid,
            new_valid=self.new_valid,
            unchanged_count=self.unchanged_count,
            changes=[change.to_json() for change in self.changes],
            old_diagnostics=_to_json(self.old_diagnostics),
            new_diagnostics=_to_json(self.new_diagnostics),
        )


@dataclass(frozen=True, slots=True)
class LiveCitationMatch:
    """Whether the quote of one citation stands in the text that its source has now. Claims are numbered from 1."""

    source_id: str
    claim_index: int
    quote_present: bool

    def to_json(self) -> dict[str, object]:
        """Return the three fields."""
        return {
            "source_id": self.source_id,
            "claim_index": self.claim_index,
            "quote_present": self.quote_present,
        }


def _present(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _to_json(diagnostics: Sequence[Diagnostic]) -> list[dict[str, object]]:
    return [diagnostic.to_json() for diagnostic in diagnostics]
