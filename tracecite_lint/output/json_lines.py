"""The json-lines format: one object per citation, per claim, per finding and per note, and the summary last."""

from __future__ import annotations

from tracecite_lint.model import CheckResult
from tracecite_lint.output.json_objects import (
    VERSION,
    citation_object,
    claim_object,
    diagnostic_object,
    dumps,
    summary_object,
)


def render(result: CheckResult) -> str:
    """Return a JSON object per line, each with its `type`: citation, claim, diagnostic, note or summary."""
    objects: list[dict[str, object]] = [
        {"type": "citation", **citation_object(item)} for item in result.citations
    ]
    objects += [{"type": "claim", **claim_object(item)} for item in result.claims]
    objects += [{"type": "diagnostic", **diagnostic_object(item)} for item in result.diagnostics]
    objects += [{"type": "note", "message": note} for note in result.notes]
    objects.append({"type": "summary", "version": VERSION, **summary_object(result.summary)})
    return "".join(dumps(item) + "\n" for item in objects)
