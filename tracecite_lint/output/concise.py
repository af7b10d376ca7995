"""The concise format: one line per finding, and the summary."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.model import CheckedCitation, CheckResult, Diagnostic, Verdict
from tracecite_lint.naming.uris import is_web
from tracecite_lint.output.findings import STYLES, one_line, place_of
from tracecite_lint.output.summary import evidence_of, is_inconclusive, summary_lines
from tracecite_lint.output.terminal import Style, cut, printable, styled

_QUOTE_WIDTH = 60


def render(result: CheckResult, *, color: bool, verbosity: int) -> str:
    """Return the report: findings alone from verbosity -1 down, nothing at -2, verified citations too from 1 up."""
    if verbosity < -1:
        return ""
    lines = [*citation_lines(result, color=color, verbosity=verbosity)]
    lines += [headline(diagnostic, color=color) for diagnostic in result.diagnostics]
    if verbosity > -1:
        lines += closing_lines(result, color=color)
    return "".join(line + "\n" for line in lines)


def headline(diagnostic: Diagnostic, *, color: bool) -> str:
    """Return `file:line:column: severity[CODE]: message`."""
    where = place_of(diagnostic)
    severity = f"{diagnostic.severity.value}[{printable(diagnostic.code)}]"
    return (
        (styled(where, Style.BOLD, color=color) + ": " if where else "")
        + styled(severity, STYLES[diagnostic.severity], color=color)
        + f": {one_line(diagnostic.message)}"
    )


def citation_lines(result: CheckResult, *, color: bool, verbosity: int) -> Iterator[str]:
    """Yield a line for each citation that no finding speaks of: under `--dump`, and from verbosity 1 up."""
    for item in result.citations:
        if item.verdict is None:
            yield _understood(item, color=color)
        elif verbosity > 0 and (item.verdict is Verdict.VERIFIED or item.alternative):
            yield _checked(item, color=color)


def closing_lines(result: CheckResult, *, color: bool) -> list[str]:
    """Return what brackets stood for, the notes of the run, and the summary."""
    lines = [_swallowed(item) for item in result.citations if item.swallowed]
    lines += [
        f"{styled('note', Style.INFO, color=color)}: {printable(note)}" for note in result.notes
    ]
    summary = summary_lines(result)
    if summary and is_inconclusive(result):
        summary[0] = styled(summary[0], Style.WARNING, color=color)
    return lines + summary


def _understood(item: CheckedCitation, *, color: bool) -> str:
    citation = item.citation
    words = "" if citation.private else f" “{cut(one_line(citation.quote), _QUOTE_WIDTH)}”"
    where = styled(place_of(item), Style.BOLD, color=color)
    return f"{where}: {citation.shape.value}{words} <- {printable(citation.source.uri)}"


def _checked(item: CheckedCitation, *, color: bool) -> str:
    verdict = "alternative" if item.alternative else "verified"
    details = []
    if item.folds:
        details.append(f"folds: {', '.join(item.folds)}")
    if item.page is not None:
        details.append(f"page {item.page}")
    # Of a local file the final URL is only where this machine has it.
    if is_web(item.final_url or "") and item.final_url != item.citation.source.uri:
        details.append(f"at {printable(item.final_url or '')}")
    if item.from_cache:
        details.append("stale, from the cache" if item.stale else "from the cache")
    details.extend(filter(None, [evidence_of(item)]))
    where = styled(place_of(item), Style.BOLD, color=color)
    shown = styled(verdict, Style.GOOD, color=color)
    tail = f" ({'; '.join(details)})" if details else ""
    return f"{where}: {shown} {printable(item.citation.source.uri)}{tail}"


def _swallowed(item: CheckedCitation) -> str:
    if item.citation.private:
        return f"{place_of(item)}: brackets stand for other words of the source"
    words = ", ".join(f"“{one_line(words)}”" for words in item.swallowed)
    return f"{place_of(item)}: brackets stand for {words} in the source"
