"""Agent traces: the trace protocol (docs/traces.md) read, validated and compared."""

from tracecite_lint.trace.captured import source_snapshot_matches
from tracecite_lint.trace.compare import compare_files, compare_jsonl
from tracecite_lint.trace.report import (
    CitationEdge,
    DriftReport,
    EvidenceStatus,
    LiveCitationMatch,
    Report,
    SourceChange,
    SourceRecord,
)
from tracecite_lint.trace.validate import validate_evidence_jsonl, validate_file, validate_jsonl

__all__ = [
    "CitationEdge",
    "DriftReport",
    "EvidenceStatus",
    "LiveCitationMatch",
    "Report",
    "SourceChange",
    "SourceRecord",
    "compare_files",
    "compare_jsonl",
    "source_snapshot_matches",
    "validate_evidence_jsonl",
    "validate_file",
    "validate_jsonl",
]
