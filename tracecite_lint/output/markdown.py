"""The markdown format: a summary for people, such as the step summary of GitHub Actions."""

from __future__ import annotations

import re

from tracecite_lint.model import CheckResult, Diagnostic, Severity
from tracecite_lint.output.findings import (
    alike,
    base_code,
    help_for,
    one_line,
    place_of,
)
from tracecite_lint.output.passage import plain_passage
from tracecite_lint.output.summary import is_inconclusive, summary_lines
from tracecite_lint.output.terminal import cut

MAX_FINDINGS = 100
"""A step summary may hold 1 MiB, and nobody reads that much."""
_MAX_WIDTH = 1000
_ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}
# Everything that CommonMark, GFM or HTML may read as markup, and `@` and `#`, which GitHub links.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>()#+!|~&@$:]")


def render(result: CheckResult) -> str:
    """Return a heading, the counts, and a table of the findings (the first hundred) with what to do about each code."""
    lines = [f"## {_title(result)}", ""]
    lines += [_text(line) + "  " for line in summary_lines(result)]
    if result.citations or result.summary.unchanged:
        lines += ["", *_counts(result)]
    if result.diagnostics:
        lines += ["", "| | where | what |", "|---|---|---|"]
        lines += [_row(diagnostic) for diagnostic in result.diagnostics[:MAX_FINDINGS]]
        left = len(result.diagnostics) - MAX_FINDINGS
        if left > 0:
            lines += ["", f"… and {left} more."]
        lines += [
            "",
            "<details><summary>What to do</summary>",
            "",
            *_help(result),
            "",
            "</details>",
        ]
    if result.notes:
        lines += ["", *(f"- {_text(note)}" for note in result.notes)]
    return "\n".join(line.rstrip() if not line.endswith("  ") else line for line in lines) + "\n"


def _title(result: CheckResult) -> str:
    summary = result.summary
    if any(diagnostic.severity is Severity.ERROR for diagnostic in result.diagnostics):
        return "❌ tracecite-lint"
    if is_inconclusive(result) or summary.unverifiable:
        return "⚠️ tracecite-lint"
    return "✅ tracecite-lint" if summary.verified else "tracecite-lint: no findings"


def _counts(result: CheckResult) -> list[str]:
    summary = result.summary
    names = ("verified", "mismatch", "unverifiable", "alternative", "suppressed", "unchanged")
    return [
        "| " + " | ".join(names) + " |",
        "|" + "---:|" * len(names),
        "| " + " | ".join(str(getattr(summary, name)) for name in names) + " |",
    ]


def _row(diagnostic: Diagnostic) -> str:
    parts = [f"**{_text(diagnostic.code)}** {_text(diagnostic.message)}"]
    if diagnostic.source and diagnostic.source not in diagnostic.message:
        parts.append(f"source: {_text(diagnostic.source)}")
    if diagnostic.nearest is not None:
        passage = _text(plain_passage(diagnostic.nearest))
        parts.append(f"closest passage ({alike(diagnostic.nearest)}): {passage}")
    if diagnostic.elsewhere:
        parts.append(f"found in: {_text(', '.join(diagnostic.elsewhere))}")
    return (
        f"| {_ICONS[diagnostic.severity]} | {_text(place_of(diagnostic))} | {'<br>'.join(parts)} |"
    )


def _help(result: CheckResult) -> list[str]:
    helps: dict[str, str] = {}
    for diagnostic in result.diagnostics:
        helps.setdefault(base_code(diagnostic.code), help_for(diagnostic))
    return [f"- **{_text(code)}**: {_text(text)}" for code, text in sorted(helps.items())]


def _text(text: str) -> str:
    """Return *text* as Markdown that shows it and nothing else: no markup, no link, no mention."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", cut(one_line(text), _MAX_WIDTH))
