"""The concise format: one line per finding, and the summary."""

from __future__ import annotations

from tracecite_lint.model import (
    Asks,
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    PassedOver,
    Verdict,
)
from tracecite_lint.naming.uris import is_web
from tracecite_lint.output.findings import STYLES, one_line, place, place_of
from tracecite_lint.output.summary import evidence_of, is_inconclusive, summary_lines
from tracecite_lint.output.terminal import Style, cut, printable, styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    dumped = any(item.verdict is None for item in result.checked)
    if verbosity > 0 and (dumped or not result.citations):
        yield from _explained(result, color=color)
        return
    for item in result.checked:
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


def _explained(result: CheckResult, *, color: bool) -> Iterator[str]:
    """Yield a line for each candidate of the documents, in their order: the rule that takes it, or why it is passed over."""
    lines = [
        (
            item.file,
            item.citation.span,
            f"{_understood(item, color=color)} ({_reason(item.citation)})",
        )
        for item in result.checked
    ]
    from tracecite_lint.output.snippet import document_lines

    texts = {path: document_lines(text) for path, text in result.texts.items()}
    lines += [
        (item.file, item.span, _passed_over(item, texts.get(item.file, []), color=color))
        for item in result.passed_over
    ]
    files = {file: index for index, (file, _, _) in reversed([*enumerate(lines)])}
    yield from (line for _, _, line in sorted(lines, key=lambda entry: (files[entry[0]], entry[1])))


def _reason(citation: Citation) -> str:
    quotes = citation.asks is Asks.QUOTATION
    return f"rule: {citation.rule}" if quotes else f"asked for: {citation.asks.value}"


def _passed_over(item: PassedOver, lines: Sequence[str], *, color: bool) -> str:
    span = item.span
    shown = lines[
        span.line - 1 : span.line
    ]  # none of a private document, or of one that has changed
    end = span.end_column - 1 if span.end_line == span.line else None
    words = f" “{cut(one_line(shown[0][span.column - 1 : end]), _QUOTE_WIDTH)}”" if shown else ""
    where = styled(place(item.file, span.line, span.column), Style.BOLD, color=color)
    # Those that are counted are as many as the run ends with.
    counted = "" if item.counted else " (not counted)"
    return f"{where}: passed over{words}: {item.reason}{counted}"


def _understood(item: CheckedCitation, *, color: bool) -> str:
    citation = item.citation
    words = "" if citation.private else f" “{cut(one_line(citation.quote), _QUOTE_WIDTH)}”"
    where = styled(place_of(item), Style.BOLD, color=color)
    return f"{where}: {citation.shape.value}{words} <- {printable(citation.source.uri)}"


def _checked(item: CheckedCitation, *, color: bool) -> str:
    verdict = "alternative" if item.alternative else "verified"
    details = ["another source of the quotation holds it"] if item.alternative else []
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
