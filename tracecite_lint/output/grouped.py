"""The grouped format: the findings of each document below its name, as ruff's format of that name has them."""

from __future__ import annotations

from itertools import groupby

from tracecite_lint.model import CheckResult, Diagnostic, Severity
from tracecite_lint.output.concise import citation_lines, closing_lines
from tracecite_lint.output.findings import STYLES, description
from tracecite_lint.output.terminal import Style, printable, styled


def render(result: CheckResult, *, color: bool, verbosity: int) -> str:
    """Return the report: findings alone from verbosity -1 down, nothing at -2, verified citations too from 1 up."""
    if verbosity < -1:
        return ""
    lines = [*citation_lines(result, color=color, verbosity=verbosity)]
    if lines and result.diagnostics:
        lines.append("")
    in_order = sorted(result.diagnostics, key=lambda item: item.file)
    for file, found in groupby(in_order, key=lambda item: item.file):
        lines += [f"{styled(printable(file), Style.BOLD, color=color)}:"] if file else []
        lines += [*_rows([*found], color=color), ""]
    if verbosity > -1:
        lines += closing_lines(result, color=color)
    elif lines and not lines[-1]:
        lines.pop()
    return "".join(line + "\n" for line in lines)


def _rows(found: list[Diagnostic], *, color: bool) -> list[str]:
    places = [_place(item) for item in found]
    width = max(map(len, places))
    return [
        f"  {place:{width}} {_code(item, color=color)} {description(item)}"
        for place, item in zip(places, found, strict=True)
    ]


def _code(item: Diagnostic, *, color: bool) -> str:
    code = styled(printable(item.code), STYLES[item.severity], color=color)
    # What fails nothing says so, in black and white too.
    return code if item.severity is Severity.ERROR else f"{code} ({item.severity.value})"


def _place(item: Diagnostic) -> str:
    """Return `line:column`; a finding about the whole file has no place."""
    return f"{item.span.line}:{item.span.column}" if item.span.line > 0 else "-"
