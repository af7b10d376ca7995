"""What a run amounts to: the sentence with its counts, and the table of `--statistics`."""

from __future__ import annotations

from collections import Counter

from tracecite_lint.model import CheckedCitation, CheckResult, Severity, Summary, Verdict
from tracecite_lint.naming.uris import UriKind, uri_kind
from tracecite_lint.output.findings import base_code
from tracecite_lint.rules import rule_for


def summary_lines(result: CheckResult) -> list[str]:
    """Return one to four lines: what could not be checked, the counts of the verdicts, of the evidence, of the findings.

    The three counts are always there, and a run in which nothing could be checked never reads as a pass.
    """
    summary = result.summary
    if _is_dump(result):
        understood = f"{_count(summary.citations, 'citation')} understood, none looked up"
        return [understood + left_out(summary)]
    lines = []
    if not summary.citations and not result.diagnostics:
        lines.append(
            "nothing to check: no citations" + (" that are new" if summary.unchanged else "")
        )
    if summary.unverifiable:
        lines.append(_could_be_checked(result))
    lines.append(counts_line(result))
    lines.extend(_evidence(result))
    lines.extend(_findings(result))
    return lines


def is_inconclusive(result: CheckResult) -> bool:
    """Tell whether there was something to check and none of it could be."""
    summary = result.summary
    return summary.unverifiable > 0 and not summary.verified and not summary.mismatch


def verdict_counts(result: CheckResult) -> str:
    """Return the three counts and whatever else is not zero: `1 verified, 1 mismatched, 0 unverifiable`."""
    summary = result.summary
    text = f"{summary.verified} verified, {summary.mismatch} mismatched, {summary.unverifiable} unverifiable"
    if summary.alternative:
        text += f", {summary.alternative} alternative"
    if summary.suppressed:
        text += f", {summary.suppressed} suppressed"
        if summary.baselined:
            text += f" ({summary.baselined} by the baseline)"
    return text


def statistics(result: CheckResult) -> str:
    """Return the table of `--statistics`: how often each code was found, the most frequent first."""
    counts = Counter(base_code(diagnostic.code) for diagnostic in result.diagnostics)
    if not counts:
        return ""
    width = len(str(max(counts.values())))
    code_width = max(map(len, counts))
    lines = []
    for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        rule = rule_for(code)
        lines.append(
            f"{count:{width}}  {code:{code_width}}  {rule.summary if rule else ''}".rstrip()
        )
    return "\n".join(lines) + "\n"


def _is_dump(result: CheckResult) -> bool:
    return bool(result.citations) and all(item.verdict is None for item in result.citations)


def _could_be_checked(result: CheckResult) -> str:
    summary = result.summary
    checked = summary.verified + summary.mismatch + summary.unverifiable
    if is_inconclusive(result):
        known = "it" if checked == 1 else "them"
        return (
            f"0 of {_count(checked, 'citation')} could be checked: nothing is known about {known}"
        )
    return f"{summary.unverifiable} of {_count(checked, 'citation')} could not be checked"


def counts_line(result: CheckResult) -> str:
    """Return the line that a run ends with: the citations by verdict, and what nothing is said about."""
    summary = result.summary
    where = f"{_count(summary.citations, 'citation')} in {_count(summary.files, 'file')}"
    return f"{where}: {verdict_counts(result)}{left_out(summary)}"


def left_out(summary: Summary) -> str:
    """Return how a run ends: what it says nothing about, empty where that is nothing.

    Unchanged citations, quotations without a source, documents with links and without a citation.
    """
    text = f"; {summary.unchanged} unchanged left out" if summary.unchanged else ""
    if summary.passed_over:
        have = "has" if summary.passed_over == 1 else "have"
        text += (
            f"; {_count(summary.passed_over, 'quotation')} {have} no source in reach "
            "(list them with --select UNASSOCIATED_QUOTE)"
        )
    if summary.uncited:
        have = "has" if summary.uncited == 1 else "have"
        text += f"; {_count(summary.uncited, 'document')} {have} links but no citation"
    return text


def evidence_of(item: CheckedCitation) -> str:
    """Return in which of the four ways a trace's citation stands; nothing for another citation."""
    captured = item.citation.captured
    if captured is None or item.verdict is None:
        return ""
    if item.verdict is Verdict.UNVERIFIABLE:
        return (
            "captured, live source not read" if captured else "not captured, live source not read"
        )
    if uri_kind(item.citation.source.uri) is UriKind.OTHER:
        held = item.verdict is Verdict.VERIFIED
        return "captured, no live source" if held else "not captured, no live source"
    if item.verdict is Verdict.VERIFIED:
        return "captured and live" if captured else "live only"
    return "captured only" if captured else "neither captured nor live"


def _evidence(result: CheckResult) -> list[str]:
    ways = Counter(filter(None, map(evidence_of, result.citations)))
    if not ways:
        return []
    return [
        "evidence of traces: " + ", ".join(f"{count} {way}" for way, count in sorted(ways.items()))
    ]


def _findings(result: CheckResult) -> list[str]:
    counts = Counter(diagnostic.severity for diagnostic in result.diagnostics)
    if not counts:
        return []
    words = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}
    return [
        ", ".join(_count(counts[level], word) for level, word in words.items() if counts[level])
    ]


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
