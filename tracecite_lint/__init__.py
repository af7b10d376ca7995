"""tracecite-lint: checks that the words a document quotes really stand in the sources it cites.

The names in `__all__` are the public API. Each is imported when it is first used, so that a command that needs one part
does not pay for the others.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = (
    False  # as type checkers know it: `typing` is not imported before Ctrl-C is answered (start.py)
)

if TYPE_CHECKING:
    from tracecite_lint.calls import (
        account,
        audit_calls,
        check_coverage,
        decode_call,
        decode_manifest,
    )
    from tracecite_lint.documents.notes import CitationNote, CitationNotes, parse_citation_notes
    from tracecite_lint.documents.report import parse_markdown_report
    from tracecite_lint.engine.check import Interrupted, check_documents
    from tracecite_lint.engine.trace_quotes import check_live_source_quotes
    from tracecite_lint.library import (
        Verification,
        check_text,
        check_text_async,
        verify,
        verify_async,
    )
    from tracecite_lint.matching import normalize_web_text, quote_appears_in_text
    from tracecite_lint.model import CheckResult, Diagnostic, Verdict
    from tracecite_lint.settings import Settings, SettingsError
    from tracecite_lint.trace import (
        CitationEdge,
        DriftReport,
        LiveCitationMatch,
        Report,
        SourceChange,
        SourceRecord,
        compare_jsonl,
        source_snapshot_matches,
        validate_evidence_jsonl,
        validate_jsonl,
    )

__all__ = [
    "CheckResult",
    "CitationEdge",
    "CitationNote",
    "CitationNotes",
    "Diagnostic",
    "DriftReport",
    "Interrupted",
    "LiveCitationMatch",
    "Report",
    "Settings",
    "SettingsError",
    "SourceChange",
    "SourceRecord",
    "Verdict",
    "Verification",
    "__version__",
    "account",
    "audit_calls",
    "check_coverage",
    "check_documents",
    "check_live_source_quotes",
    "check_text",
    "check_text_async",
    "compare_jsonl",
    "decode_call",
    "decode_manifest",
    "normalize_web_text",
    "parse_citation_notes",
    "parse_markdown_report",
    "quote_appears_in_text",
    "source_snapshot_matches",
    "validate_evidence_jsonl",
    "validate_jsonl",
    "verify",
    "verify_async",
]

_MODULES = {
    "calls": ("account", "audit_calls", "check_coverage", "decode_call", "decode_manifest"),
    "documents.notes": ("CitationNote", "CitationNotes", "parse_citation_notes"),
    "documents.report": ("parse_markdown_report",),
    "engine.check": ("Interrupted", "check_documents"),
    "engine.trace_quotes": ("check_live_source_quotes",),
    "library": ("Verification", "check_text", "check_text_async", "verify", "verify_async"),
    "matching": ("normalize_web_text", "quote_appears_in_text"),
    "model": ("CheckResult", "Diagnostic", "Verdict"),
    "settings": ("Settings", "SettingsError"),
    "trace": (
        "CitationEdge",
        "DriftReport",
        "LiveCitationMatch",
        "Report",
        "SourceChange",
        "SourceRecord",
        "compare_jsonl",
        "source_snapshot_matches",
        "validate_evidence_jsonl",
        "validate_jsonl",
    ),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
