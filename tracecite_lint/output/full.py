"""The full format: each finding with its lines, the closest passage of the source, and what to do."""

from __future__ import annotations

from tracecite_lint.output.concise import citation_lines, closing_lines, headline
from tracecite_lint.output.findings import STYLES, alike, base_code, fix_label, help_for, one_line
from tracecite_lint.output.terminal import Style, printable, styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tracecite_lint.model import CheckResult, Diagnostic

_LABEL = 9
"""Columns of the labels below a finding: `  help:  `."""


def render(result: CheckResult, *, color: bool, verbosity: int, again: str | None = None) -> str:
    """Return the report: findings alone from verbosity -1 down, nothing at -2, verified citations too from 1 up.

    *again* is how to run the check again under a hook manager, whose environment is not on the reader's PATH; empty where that
    goes without saying, None where no hook manager runs it.
    """
    if verbosity < -1:
        return ""
    lines = [*citation_lines(result, color=color, verbosity=verbosity)]
    if result.diagnostics:
        lines += [*([""] if lines else []), *_findings(result, color=color)]
    if verbosity > -1:
        lines += closing_lines(result, color=color)
        if result.diagnostics:
            codes = {base_code(item.code) for item in result.diagnostics}
            lines.append(_more(codes) if again is None else _more_of_a_hook(codes, again))
    elif lines and not lines[-1]:
        lines.pop()
    return "".join(line + "\n" for line in lines)


def _findings(result: CheckResult, *, color: bool) -> Iterator[str]:
    from tracecite_lint.output.snippet import document_lines

    shown = {diagnostic.file for diagnostic in result.diagnostics}
    texts = {path: document_lines(text) for path, text in result.texts.items() if path in shown}
    said: set[str] = set()
    for diagnostic in result.diagnostics:
        yield from finding_lines(diagnostic, texts, said, color=color)
        yield ""


def finding_lines(
    diagnostic: Diagnostic, texts: Mapping[str, list[str]], said: set[str], *, color: bool
) -> list[str]:
    """Return how a finding is shown; *texts* are the lines of the documents, *said* what need not be said again of what to do."""
    from tracecite_lint.output.snippet import snippet

    lines = [headline(diagnostic, color=color)]
    if not diagnostic.private and diagnostic.file in texts:
        style = STYLES[diagnostic.severity]
        lines += snippet(texts[diagnostic.file], diagnostic.span, style, color=color)
    if diagnostic.source and diagnostic.source not in diagnostic.message:
        lines += _labelled("source", diagnostic.source, color=color)
    lines += _closest(diagnostic, color=color)
    if diagnostic.elsewhere:
        lines += _labelled("found in", ", ".join(diagnostic.elsewhere), color=color)
    if diagnostic.fix is not None:
        lines += _labelled(
            fix_label(diagnostic.fix), f"“{diagnostic.fix.replacement}”", color=color
        )
    # What to do is said once: two hundred findings of a kind need it no more often.
    if (what_to_do := help_for(diagnostic)) not in said:
        lines += _labelled("help", what_to_do, color=color)
        said.add(what_to_do)
    return lines


def _closest(diagnostic: Diagnostic, *, color: bool) -> list[str]:
    nearest = diagnostic.nearest
    if nearest is None:
        return []
    from tracecite_lint.output.passage import legend, marked_passage, wrapped
    from tracecite_lint.output.snippet import WIDTH

    key = f"; {legend(color=color)}" if nearest.differences else ""
    label = styled("closest:", Style.DIM, color=color)
    return [
        f"  {label} {alike(nearest)}{key}",
        *wrapped(marked_passage(nearest, color=color), "    | ", WIDTH - 6, color=color),
    ]


def _labelled(label: str, text: str, *, color: bool) -> list[str]:
    if not text:
        return []
    from tracecite_lint.output.passage import wrapped
    from tracecite_lint.output.snippet import WIDTH

    runs = [(one_line(text), Style.PLAIN)]
    indent = " " * (_LABEL + 2)
    lines = wrapped(runs, indent, WIDTH - len(indent), color=color)
    head = styled(f"{label + ':':{_LABEL - 1}}", Style.DIM, color=color)
    return [f"  {head} {lines[0].lstrip()}", *lines[1:]]


def _more(codes: set[str]) -> str:
    shown = sorted(codes)[0] if len(codes) == 1 else "CODE"
    return f"run `tracecite-lint explain {printable(shown)}` for more"


def _more_of_a_hook(codes: set[str], again: str) -> str:
    from tracecite_lint.rules.links import rule_page

    code = sorted(codes)[0] if len(codes) == 1 else ""
    return f"{f'check again: `{again}`; ' if again else ''}more on each code: {rule_page(code)}"
