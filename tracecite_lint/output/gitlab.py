"""The gitlab format: a Code Quality report (docs.gitlab.com, Code Quality, "Code Quality report format")."""

from __future__ import annotations

from tracecite_lint.known.identity import fingerprints, repository_path
from tracecite_lint.model import CheckResult, Diagnostic, Severity
from tracecite_lint.naming.file_names import portable_name
from tracecite_lint.output.findings import base_code, description
from tracecite_lint.output.json_objects import dumps
from tracecite_lint.rules import rule_for, rule_markdown

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(result: CheckResult) -> str:
    """Return a JSON array with one object per finding; the fingerprints are all different."""
    issues = [
        _issue(diagnostic, fingerprint, result.directory)
        for diagnostic, fingerprint in zip(result.diagnostics, fingerprints(result), strict=True)
    ]
    return dumps(issues, indent=2) + "\n"


def _issue(diagnostic: Diagnostic, fingerprint: str, directory: str) -> dict[str, object]:
    rule = rule_for(diagnostic.code)
    span = diagnostic.span
    return {
        "type": "issue",
        "description": f"{diagnostic.code}: {description(diagnostic)}",
        "check_name": base_code(diagnostic.code),
        "content": {"body": rule_markdown(rule) if rule else ""},
        "categories": ["Bug Risk"],
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {
            "path": portable_name(repository_path(diagnostic.file, directory)),
            "lines": {"begin": max(span.line, 1), "end": max(span.end_line, 1)},
        },
    }
