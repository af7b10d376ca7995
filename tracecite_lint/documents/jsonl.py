"""JSON Lines to citations: agent traces, records of model APIs and agents, call logs; told apart by their content."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from tracecite_lint.documents.vendors import READERS
from tracecite_lint.documents.vendors.document import vendor_document
from tracecite_lint.documents.vendors.record import text_of
from tracecite_lint.jsonl import json_lines
from tracecite_lint.model import Document, DocumentKind
from tracecite_lint.trace.document import trace_document

_LOOKED_AT = 100
"""How many well-formed records are looked at for one that tells the kind."""
_EVENT_TYPES = frozenset({"tool_call", "tool_result", "answer"})
_CALL_FIELDS = ("run_id", "task_id", "stage", "call_id")
_SPANS = "resourceSpans"


def read_jsonl(path: str, text: str, *, claims: Collection[str] | None = None) -> Document:
    """Read *text* as JSON Lines: LF ends a line, a BOM and blank lines are skipped.

    The first well-formed records tell the kind: a trace with its citations and what is wrong with it in evidence mode
    (docs/traces.md), records of a vendor with what they quote (docs/vendors.md), or, with nothing found in it, a call
    log or UNKNOWN. Spans are those of the quotations inside the raw lines. The document is always private. *claims* is what is asked of
    the linked claims of answers.
    """
    kind = _kind(text)
    if kind is DocumentKind.TRACE:
        return trace_document(path, text)
    if kind is DocumentKind.VENDOR:
        return vendor_document(path, text, claims=claims)
    return Document(path=path, text=text, kind=kind, private=True)


def _kind(text: str) -> DocumentKind:
    readers = [reader() for reader in READERS]
    records = (line.value for line in json_lines(text) if isinstance(line.value, dict))
    for record in islice(records, _LOOKED_AT):
        if text_of(record.get("type")) in _EVENT_TYPES and isinstance(record.get("run_id"), str):
            return DocumentKind.TRACE
        if all(isinstance(record.get(name), str) for name in _CALL_FIELDS) or _SPANS in record:
            return DocumentKind.CALLS
        if any(reader.recognises(record) for reader in readers):
            return DocumentKind.VENDOR
    return DocumentKind.UNKNOWN
