"""The JSON objects of a run (docs/outputs.md): what `json` prints as one, and `json-lines` one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    ClaimCounts,
    Diagnostic,
    Nearest,
    Span,
    Summary,
    without_added_marks,
)
from tracecite_lint.naming.file_names import portable_name
from tracecite_lint.output.findings import help_for
from tracecite_lint.output.terminal import steers

VERSION = 1
# JSON may hold them as they are (RFC 8259), a terminal or a strict decoder of UTF-8 may not. Line feeds are the layout's.
_SUSPECT = regex(r"[^\n\x20-\x7e\w]")


def dumps(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """Return *value* as JSON in which nothing can steer a terminal and every string is Unicode text.

    Half of a surrogate pair is none and becomes U+FFFD (RFC 8259, section 8.2). *compact*: without spaces.
    """
    separators = (",", ":") if compact else None
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators))


def escaped(text: str) -> str:
    """Return the JSON *text* with escapes for what could steer a terminal."""
    return _SUSPECT.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    if "\ud800" <= match[0] <= "\udfff":
        return "\N{REPLACEMENT CHARACTER}"
    return json.dumps(match[0])[1:-1] if steers(match[0]) else match[0]


def summary_object(summary: Summary) -> dict[str, object]:
    """Return the counts of a run."""
    return {
        "files": summary.files,
        "sources": summary.sources,
        "citations": summary.citations,
        "verified": summary.verified,
        "mismatch": summary.mismatch,
        "unverifiable": summary.unverifiable,
        "alternative": summary.alternative,
        "unchanged": summary.unchanged,
        "suppressed": summary.suppressed,
        "baselined": summary.baselined,
        "passed_over": summary.passed_over,
        "uncited": summary.uncited,
        "claims": claims_object(summary.claims),
    }


def claims_object(claims: ClaimCounts) -> dict[str, object]:
    """Return the counts of the linked claims."""
    return {
        "linked": claims.linked,
        "quoted": claims.quoted,
        "asked": list(claims.asked),
        "figures": {
            "claims": claims.figures,
            "stand": claims.stand,
            "missing": claims.missing,
            "unread": claims.unread,
        },
        "titles": {"claims": claims.titles, "missing": claims.titles_missing},
    }


def citation_object(item: CheckedCitation) -> dict[str, object]:
    """Return one citation; of a private one, neither its words nor what they stood for."""
    citation = item.citation
    return {
        "file": portable_name(item.file),
        **_range(citation.span),
        "source": citation.source.uri,
        "verdict": item.verdict.value if item.verdict is not None else None,
        "code": item.code,
        "folds": list(item.folds),
        "final_url": item.final_url,
        "fetched_at": _timestamp(item.fetched_at),
        "from_cache": item.from_cache,
        "captured": citation.captured,
        "shape": citation.shape.value,
        "rule": citation.rule or None,
        "quote": None if citation.private else citation.quote,
        "swallowed": []
        if citation.private
        else [without_added_marks(words) for words in item.swallowed],
        "stale": item.stale,
        "page": item.page,
        "alternative": item.alternative,
        "suppressed": item.suppressed,
        "baselined": item.baselined,
    }


def claim_object(item: CheckedCitation) -> dict[str, object]:
    """Return one linked claim with one of its sources; of a private one not its words."""
    said = citation_object(item)
    kept = ("source", "verdict", "code", "final_url", "fetched_at", "from_cache", "stale")
    places = ("file", "line", "column", "end_line", "end_column")
    after = ("alternative", "suppressed", "baselined")
    return {
        **{name: said[name] for name in places},
        "asks": item.citation.asks.value,
        "claim": said["quote"],
        **{name: said[name] for name in (*kept, *after)},
    }


def diagnostic_object(diagnostic: Diagnostic) -> dict[str, object]:
    """Return one finding; `source`, `nearest` and `fix` are null where there is none."""
    fix = diagnostic.fix
    return {
        "file": portable_name(diagnostic.file),
        **_range(diagnostic.span),
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "help": help_for(diagnostic),
        "source": diagnostic.source or None,
        "nearest": _nearest(diagnostic.nearest),
        "elsewhere": list(diagnostic.elsewhere),
        "fix": None
        if fix is None
        else {
            "replacement": fix.replacement,
            "title": fix.title,
            "applicability": fix.applicability.value,
            "edits": [{**_range(edit.span), "new_text": edit.new_text} for edit in fix.edits],
        },
    }


def report_object(result: CheckResult) -> Mapping[str, object]:
    """Return the whole run as one object."""
    return {
        "version": VERSION,
        "summary": summary_object(result.summary),
        "citations": [citation_object(item) for item in result.citations],
        "claims": [claim_object(item) for item in result.claims],
        "diagnostics": [diagnostic_object(diagnostic) for diagnostic in result.diagnostics],
        "passed_over": [
            {
                "file": item.file,
                **_range(item.span),
                "reason": item.reason,
                "counted": item.counted,
            }
            for item in result.passed_over
        ],
        "notes": list(result.notes),
    }


def _range(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _nearest(nearest: Nearest | None) -> dict[str, object] | None:
    if nearest is None:
        return None
    return {
        "text": without_added_marks(nearest.text),
        "similarity": round(nearest.similarity, 4),
        "differences": [
            {"op": difference.op, "text": without_added_marks(difference.text)}
            for difference in nearest.differences
        ],
    }


def _timestamp(seconds: float | None) -> str | None:
    """Return *seconds* since the epoch as UTC to the second, after RFC 3339."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")
