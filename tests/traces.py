"""Agent traces (docs/traces.md) of one call and one answer."""

from __future__ import annotations

import json
from typing import NamedTuple


class Cited(NamedTuple):
    """A source that the call gave, and what the answer quotes from it."""

    uri: str
    content: str
    quote: str


def trace(*cited: Cited, run_id: str = "r1", claim: str = "x") -> str:
    """Return the trace of a run that captured each source, and quotes it in a claim of its own."""
    sources = [
        {"id": f"s{number}", "uri": item.uri, "content": item.content}
        for number, item in enumerate(cited)
    ]
    claims = [
        {"text": claim, "citations": [{"source_id": f"s{number}", "quote": item.quote}]}
        for number, item in enumerate(cited)
    ]
    events = [
        {"type": "tool_call", "call_id": "c1", "tool": "read"},
        {"type": "tool_result", "call_id": "c1", "ok": True, "sources": sources},
        {"type": "answer", "claims": claims},
    ]
    return "".join(json.dumps({"run_id": run_id, **event}) + "\n" for event in events)
