"""What the formats share about one finding: where it stands, how it counts, what to do, what may be shown of it."""

from __future__ import annotations

from dataclasses import replace

from tracecite_lint.model import CheckedCitation, CheckResult, Diagnostic, Severity
from tracecite_lint.output.terminal import Style, printable
from tracecite_lint.rules import rule_for

STYLES = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING, Severity.INFO: Style.INFO}


def without_private_words(result: CheckResult) -> CheckResult:
    """Return *result* without what diagnostics of private documents hold of their words, or of words close to them."""
    if not any(diagnostic.private for diagnostic in result.diagnostics):
        return result
    diagnostics = tuple(
        replace(diagnostic, quote="", nearest=None, fix=None) if diagnostic.private else diagnostic
        for diagnostic in result.diagnostics
    )
    return replace(result, diagnostics=diagnostics)


def place(file: str, line: int, column: int) -> str:
    """Return `file:line:column`, printable; line 0 stands for the whole file."""
    where = printable(file)
    if line < 1:
        return where
    return f"{where}:{line}:{column}" if where else f"line {line}"


def place_of(item: Diagnostic | CheckedCitation) -> str:
    """Return the place of a finding or a citation."""
    span = item.span if isinstance(item, Diagnostic) else item.citation.span
    return place(item.file, span.line, span.column)


def help_for(diagnostic: Diagnostic) -> str:
    """Return what to do about *diagnostic*: its own help, else that of its rule."""
    if diagnostic.help:
        return diagnostic.help
    rule = rule_for(diagnostic.code)
    return rule.fix if rule else ""
