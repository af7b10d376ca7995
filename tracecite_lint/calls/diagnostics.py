"""Findings of an audit as the diagnostics that every output and the editor show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from tracecite_lint.calls.audit import audit_calls
from tracecite_lint.calls.providers import bodies
from tracecite_lint.calls.report import Finding
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.jsonl import json_lines
from tracecite_lint.model import Diagnostic, Span
from tracecite_lint.rules import rule_for

_MANIFEST_LIMIT = 256 * 1024 * 1024
_LOOKED_AT = 50
"""How many records decide whether a log is one of normalised records or of envelopes."""


def log_diagnostics(text: str, manifest: ChosenFile | None = None) -> tuple[Diagnostic, ...]:
    """Audit the call log *text*, against *manifest* if there is one.

    Envelopes of any vendor and OTLP exports are recognised. A manifest that cannot be read is an invalid_manifest.
    """
    content: bytes | None = None
    if manifest is not None:
        try:
            content = manifest.read(limit=_MANIFEST_LIMIT)
        except OSError as error:
            message = f"the manifest {manifest} cannot be read: {error.strerror or error}"
            unreadable = Finding(0, "invalid_manifest", message)
            return (*diagnostics_of([unreadable], {}), *log_diagnostics(text))
    provider = provider_of(text)
    findings = audit_calls(text, content, provider=provider).findings
    if provider == "otlp":
        # Nobody said that these spans are those of model calls, so having none among them is no finding.
        findings = tuple(finding for finding in findings if finding.code != "empty_log")
    numbers = {finding.line for finding in findings}
    widths = {line.number: len(line.text) for line in json_lines(text) if line.number in numbers}
    return diagnostics_of(findings, widths)


def diagnostics_of(
    findings: Iterable[Finding], widths: Mapping[int, int], *, file: str = ""
) -> tuple[Diagnostic, ...]:
    """Return *findings* as diagnostics of *file*, each reaching to the end of its line.

    *widths* gives the length of each line that has a finding, in characters. Line 0, the manifest or the whole log,
    stays line 0.
    """
    return tuple(
        Diagnostic(
            code=finding.code,
            message=finding.message,
            span=_span(finding, widths.get(finding.line, 0)),
            file=file,
            help=rule.fix if (rule := rule_for(finding.code)) else "",
        )
        for finding in findings
    )


def provider_of(text: str) -> str:
    """Return the provider that the first records of *text* are of.

    That is `otlp` for spans, `mixed` if there is an envelope with the response of a vendor, else `normalized`.
    """
    for line in islice(json_lines(text), _LOOKED_AT):
        if not isinstance(line.value, dict):
            continue
        if "resourceSpans" in line.value:
            return "otlp"
        response = line.value.get("response")
        if isinstance(response, dict) and bodies.vendor_of(response) is not None:
            return "mixed"
    return "normalized"


def _span(finding: Finding, width: int) -> Span:
    end = max(width + 1, finding.column)
    return Span(finding.line, finding.column, finding.line, end)
