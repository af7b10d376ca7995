"""The markdown format: a summary for people, such as the step summary of GitHub Actions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import CheckResult, Diagnostic, Severity
from tracecite_lint.output.findings import (
    alike,
    base_code,
    help_for,
    one_line,
    place_of,
)
from tracecite_lint.output.line_links import LineLinks, line_links
from tracecite_lint.output.passage import plain_passage
from tracecite_lint.output.summary import is_inconclusive, summary_lines, total_of
from tracecite_lint.output.terminal import cut

MAX_FINDINGS = 100
"""Findings that are shown on stdout: a comment that is longer is read by nobody."""
_STEP_SUMMARY = 900_000
"""Bytes of findings for GitHub Actions, which refuses a step summary of more than 1 MiB (docs.github.com, Job summaries)."""
_MAX_WIDTH = 1000
_ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}
# What CommonMark, GFM or HTML may read as markup anywhere in a line; of `_` only what is at the edge of a word, of `:`
# and `.` what makes an address, of `&` what makes an entity.
_MARKUP = regex(
    r"[\\`*{}\[\]<>|~$]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.|&(?=#?\w+;)|^(?:[#+=-]|\d+[.)])",
    re.IGNORECASE,
)
# GitHub looks for mentions, issues and emoji in what Markdown has become, where no escape is left.
_FILTERED = regex(r"@(?=\w)|#(?=\d)|\bGH-(?=\d)|:(?=[\w+-]+:)")
_BREAK = "&#8203;"


def render(result: CheckResult, written_to: str | None = None) -> str:
    """Return a heading, the counts, and a table of the findings with what to do about each code.

    The table is complete in a file; on stdout it is the first hundred, on GitHub Actions what a step summary can hold.
    *written_to* is the file, relative to the working directory (None: stdout).
    """
    lines = [f"## {_title(result)}", ""]
    lines += [_text(line) + "  " for line in summary_lines(result)]
    if result.citations or result.summary.unchanged:
        lines += ["", *_counts(result)]
    if result.diagnostics:
        links = line_links(result.directory, written_to, os.environ)
        rows = list(_shown(result, links, complete=written_to is not None))
        lines += ["", "| | where | what |", "|---|---|---|", *rows]
        if left := len(result.diagnostics) - len(rows):
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


def _shown(result: CheckResult, links: LineLinks, *, complete: bool) -> Iterator[str]:
    """Yield the rows that there is room for."""
    on_github = os.environ.get("GITHUB_ACTIONS") == "true"
    room = _STEP_SUMMARY
    for diagnostic in result.diagnostics if complete else result.diagnostics[:MAX_FINDINGS]:
        row = _row(diagnostic, links)
        room -= len(row.encode()) + 1
        if on_github and room < 0:
            return
        yield row


def _title(result: CheckResult) -> str:
    summary = result.summary
    if any(diagnostic.severity is Severity.ERROR for diagnostic in result.diagnostics):
        return "❌ tracecite-lint"
    if is_inconclusive(result) or summary.unverifiable:
        return "⚠️ tracecite-lint"
    return "✅ tracecite-lint" if summary.verified else "tracecite-lint: no findings"


def _counts(result: CheckResult) -> list[str]:
    total = total_of(result.citations)
    counts = {
        "verified": total.verified,
        "mismatched": total.mismatch,
        "unverifiable": total.unverifiable,
        "suppressed": total.suppressed,
        "unchanged": result.summary.unchanged,
    }
    return [
        "| " + " | ".join(counts) + " |",
        "|" + "---:|" * len(counts),
        "| " + " | ".join(map(str, counts.values())) + " |",
    ]


def _row(diagnostic: Diagnostic, links: LineLinks) -> str:
    parts = [f"**{_text(diagnostic.code)}** {_text(diagnostic.message)}"]
    if diagnostic.source and diagnostic.source not in diagnostic.message:
        parts.append(f"source: {_text(diagnostic.source)}")
    if diagnostic.nearest is not None:
        passage = _text(plain_passage(diagnostic.nearest))
        parts.append(f"closest passage ({alike(diagnostic.nearest)}): {passage}")
    if diagnostic.elsewhere:
        parts.append(f"found in: {_text(', '.join(diagnostic.elsewhere))}")
    where = _code(place_of(diagnostic))
    if link := links.to(diagnostic.file, diagnostic.span.line):
        where = f"[{where}](<{link}>)"
    return f"| {_ICONS[diagnostic.severity]} | {where} | {'<br>'.join(parts)} |"


def _help(result: CheckResult) -> list[str]:
    helps: dict[str, str] = {}
    for diagnostic in result.diagnostics:
        helps.setdefault(base_code(diagnostic.code), help_for(diagnostic))
    return [f"- **{_text(code)}**: {_text(text)}" for code, text in sorted(helps.items())]


def _text(text: str) -> str:
    """Return *text* as Markdown that shows it and nothing else: no markup, no link, no mention.

    Escaped is what would be read otherwise, and no more, so that the file is readable as it is.
    """
    shown = _MARKUP.sub(_escape, cut(one_line(text), _MAX_WIDTH))
    return _FILTERED.sub(lambda match: match[0] + _BREAK, shown)


def _code(text: str) -> str:
    """Return *text* as a code span in a table: nothing in it is looked at but the bar between cells."""
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in (text[0], text[-1]) else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", r"\|")


def _escape(match: re.Match[str]) -> str:
    # Of a list's number what follows it: a digit cannot be escaped.
    return f"{match[0][:-1]}\\{match[0][-1]}"
