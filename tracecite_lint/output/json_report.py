"""The json format: the whole run as one object (docs/outputs.md)."""

from __future__ import annotations

from tracecite_lint.model import CheckResult
from tracecite_lint.output.json_objects import dumps, report_object


def render(result: CheckResult) -> str:
    """Return one JSON object, indented, with a line feed after it."""
    return dumps(report_object(result), indent=2) + "\n"
