"""The sarif format: SARIF 2.1.0 (OASIS), as code scanning services read it."""

from __future__ import annotations

from urllib.parse import quote

from tracecite_lint import __version__
from tracecite_lint.known.identity import citation_fingerprints, fingerprints, repository_path
from tracecite_lint.model import CheckedCitation, CheckResult, Diagnostic, Severity, Span
from tracecite_lint.output.findings import base_code, details_of, one_line
from tracecite_lint.output.json_objects import dumps, summary_object
from tracecite_lint.rules import Rule, rule_for, rule_markdown, rule_text

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ROOT = "%SRCROOT%"


def render(result: CheckResult) -> str:
    """Return the run as a SARIF log.

    URIs are relative to the repository root. What a suppression comment or the baseline silences is there too, with
    its suppression.
    """
    silenced = [item for item in result.citations if item.suppressed and item.code]
    codes = [base_code(item.code) for item in result.diagnostics]
    codes += [base_code(item.code or "") for item in silenced]
    indexes = {code: index for index, code in enumerate(sorted(set(codes)))}
    results = [
        _result(item, fingerprint, indexes, result.directory)
        for item, fingerprint in zip(result.diagnostics, fingerprints(result), strict=True)
    ]
    results += [
        _silenced(item, fingerprint, indexes, result.directory)
        for item, fingerprint in zip(
            silenced, citation_fingerprints(silenced, result.directory), strict=True
        )
    ]
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "tracecite-lint",
                        "semanticVersion": __version__,
                        "rules": [_descriptor(code) for code in indexes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The root of the repository."}}
                },
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": _message(note)} for note in result.notes
                        ],
                    }
                ],
                "results": results,
                "properties": {"summary": summary_object(result.summary)},
            }
        ],
    }
    return dumps(log, indent=2) + "\n"


def _descriptor(code: str) -> dict[str, object]:
    rule = rule_for(code)
    if rule is None:
        return {"id": code}
    return {
        "id": code,
        "name": _pascal_case(code),
        "shortDescription": {"text": rule.summary + "."},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": rule_text(rule), "markdown": rule_markdown(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": rule.default},
        "properties": {"tags": _tags(rule)},
    }


def _tags(rule: Rule) -> list[str]:
    return [rule.group, "unreachable"] if rule.unreachable else [rule.group]


def _pascal_case(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_"))


def _result(
    diagnostic: Diagnostic, fingerprint: str, indexes: dict[str, int], directory: str
) -> dict[str, object]:
    code = base_code(diagnostic.code)
    value: dict[str, object] = {
        "ruleId": code,
        "ruleIndex": indexes[code],
        "level": _LEVELS[diagnostic.severity],
        "message": _message(
            "\n".join((one_line(diagnostic.message), *details_of(diagnostic, marked=False)))
        ),
        "locations": [_location(diagnostic.file, diagnostic.span, directory)],
        "partialFingerprints": _partial_fingerprints(fingerprint),
        "suppressions": [],
    }
    if diagnostic.fix is not None and diagnostic.fix.edits:
        replacements = [
            {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.new_text}}
            for edit in diagnostic.fix.edits
        ]
        value["fixes"] = [
            {
                "description": _message(diagnostic.fix.title),
                "artifactChanges": [
                    {
                        "artifactLocation": _artifact(diagnostic.file, directory),
                        "replacements": replacements,
                    }
                ],
            }
        ]
    if diagnostic.source:
        value["properties"] = {"source": diagnostic.source}
    return value


def _silenced(
    item: CheckedCitation, fingerprint: str, indexes: dict[str, int], directory: str
) -> dict[str, object]:
    code = base_code(item.code or "")
    rule = rule_for(code)
    return {
        "ruleId": code,
        "ruleIndex": indexes[code],
        "level": _LEVELS[rule.severity if rule else Severity.ERROR],
        "message": _message(f"{rule.summary if rule else code}: {item.citation.source.uri}"),
        "locations": [_location(item.file, item.citation.span, directory)],
        "partialFingerprints": _partial_fingerprints(fingerprint),
        "suppressions": [{"kind": "external" if item.baselined else "inSource"}],
        "properties": {"source": item.citation.source.uri},
    }


def _partial_fingerprints(fingerprint: str) -> dict[str, str]:
    # The second name is the one GitHub recognises results by; left out, it would be made from the line's text.
    return {"citation/v1": fingerprint, "primaryLocationLineHash": f"{fingerprint}:1"}


def _message(text: str) -> dict[str, str]:
    """Return a message; braces are doubled since SARIF reads single ones as placeholders (3.11.5)."""
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def _location(file: str, span: Span, directory: str) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": _artifact(file, directory)}
    if span.line >= 1:
        physical["region"] = _region(span)
    return {"physicalLocation": physical}


def _artifact(file: str, directory: str) -> dict[str, str]:
    path = repository_path(file, directory).encode("utf-8", "surrogateescape")
    return {"uri": quote(path, safe="/"), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    region = {"startLine": span.line, "startColumn": span.column}
    if (span.end_line, span.end_column) > (span.line, span.column):
        region |= {"endLine": span.end_line, "endColumn": span.end_column}
    return region
