"""What a run amounts to: the sentence with its counts."""

from __future__ import annotations

from collections import Counter

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    ClaimCounts,
    Severity,
    Summary,
    Verdict,
)
from tracecite_lint.naming.uris import UriKind, uri_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LIGHT_CODES = frozenset({"QUOTE_CASE", "QUOTE_PUNCTUATION"})
# How a quotation counts whose sources do not say the same: it stands if one of them holds it.
_DECISIVE = ("verified", "mismatch", "unverifiable", "suppressed", "alternative", "")


@dataclass(frozen=True, slots=True)
class Total:
    """The quotations of a run, each counted once however many sources it has, and in one of the four verdicts.

    verified + mismatch + unverifiable + suppressed = quotations, but for those that were not looked up (`--dump`).
    """

    quotations: int
    with_second_source: int
    verified: int
    mismatch: int
    unverifiable: int
    suppressed: int
    light: int = 0
    """How many of the mismatched ones differ in the first letter or in punctuation alone, which fails nothing."""


def total_of(citations: Iterable[CheckedCitation]) -> Total:
    """Return the quotations that *citations* are about; those of one place in one document are one."""
    quotations: dict[tuple[object, ...], list[str]] = {}
    light: set[tuple[object, ...]] = set()
    for item in citations:
        span = item.citation.span
        # Not the span itself, whose hash takes longer than all of this.
        place = item.file, span.line, span.column, span.end_line, span.end_column
        if item.code in _LIGHT_CODES:
            light.add(place)
        quotations.setdefault(place, []).append(outcome_of(item))
    decided = {
        place: found[0] if len(found) == 1 else min(found, key=_DECISIVE.index)
        for place, found in quotations.items()
    }
    counts = Counter(decided.values())
    return Total(
        quotations=len(quotations),
        with_second_source=sum(len(found) > 1 for found in quotations.values()),
        verified=counts["verified"],
        mismatch=counts["mismatch"],
        unverifiable=counts["unverifiable"],
        suppressed=counts["suppressed"],
        light=sum(decided[place] == "mismatch" for place in light),
    )


def outcome_of(item: CheckedCitation) -> str:
    """Return what a citation is counted as: a verdict, `suppressed`, `alternative`, or nothing if it was not looked up."""
    if item.suppressed:
        return "suppressed"
    if item.alternative:
        return "alternative"
    return item.verdict.value if item.verdict is not None else ""


def summary_lines(result: CheckResult) -> list[str]:
    """Return one to four lines: what could not be checked, the counts of the verdicts, of the evidence, of the findings.

    The three counts are always there, and a run in which nothing could be checked never reads as a pass.
    """
    summary = result.summary
    if _is_dump(result):
        understood = f"{_quotations(total_of(result.citations))} understood, none looked up"
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
    return _verdict_counts(total_of(result.citations), result)


def _verdict_counts(total: Total, result: CheckResult) -> str:
    light = f" ({total.light} in case or punctuation alone)" if total.light else ""
    text = f"{total.verified} verified, {total.mismatch} mismatched{light}, {total.unverifiable} unverifiable"
    if total.suppressed:
        text += f", {total.suppressed} suppressed"
        if result.summary.baselined:
            text += f" ({result.summary.baselined} by the baseline)"
    return text


def _is_dump(result: CheckResult) -> bool:
    return bool(result.citations) and all(item.verdict is None for item in result.citations)


def _could_be_checked(result: CheckResult) -> str:
    total = total_of(result.citations)
    checked = _count(total.verified + total.mismatch + total.unverifiable, "quotation")
    if is_inconclusive(result):
        known = "it" if total.unverifiable == 1 else "them"
        return f"0 of {checked} could be checked: nothing is known about {known}"
    return f"{total.unverifiable} of {checked} could not be checked"


def counts_line(result: CheckResult) -> str:
    """Return the line that a run ends with: the quotations by verdict, and what nothing is said about."""
    total = total_of(result.citations)
    where = f"{_count(total.quotations, 'quotation')} in {_count(result.summary.files, 'file')}"
    more = f", {_second(total)}" if total.with_second_source else ""
    return f"{where}{more}: {_verdict_counts(total, result)}{left_out(result.summary)}"


def _quotations(total: Total) -> str:
    counted = _count(total.quotations, "quotation")
    return f"{counted}, {_second(total)}," if total.with_second_source else counted


def _second(total: Total) -> str:
    return f"{total.with_second_source} with a second source"


def left_out(summary: Summary) -> str:
    """Return how a run ends: what it says nothing about, empty where that is nothing.

    Unchanged citations, quotations without a source, documents with links and without a citation.
    """
    text = f"; {summary.unchanged} unchanged left out" if summary.unchanged else ""
    if summary.passed_over:
        have = "has" if summary.passed_over == 1 else "have"
        text += (
            f"; {summary.passed_over} more {have} no source in reach "
            "(list them with --extend-select UNASSOCIATED_QUOTE)"
        )
    if summary.uncited:
        have = "has" if summary.uncited == 1 else "have"
        text += f"; {_count(summary.uncited, 'document')} {have} links but no citation"
    return text + _claims(summary.claims)


def _claims(claims: ClaimCounts) -> str:
    """Return what is said of the linked claims: how many there are, and what of them was checked."""
    unquoted = claims.linked - claims.quoted
    if not claims.asked:
        linked = _count(unquoted, "linked claim")
        return f"; {linked} without a quotation: not checked, see --claims" if unquoted else ""
    if not claims.linked:
        return ""
    parts = [f"{claims.quoted} with a quotation"]
    if "figures" in claims.asked:
        unread = f", {claims.unread} could not be read" if claims.unread else ""
        do = "does" if claims.missing == 1 else "do"
        stand = "stands" if claims.stand == 1 else "stand"
        came = f" ({claims.stand} {stand}, {claims.missing} {do} not{unread})"
        looked = claims.stand + claims.missing + claims.unread
        parts.append(f"{claims.figures} with figures{came if looked else ''}")
    rest = unquoted - claims.figures
    if rest:
        parts.append(f"the other {rest} not checkable")
    text = f"; {_count(claims.linked, 'linked claim')}: {', '.join(parts)}"
    if "titles" in claims.asked:
        text += f"; {_count(claims.titles, 'title')}, {claims.titles_missing} not on the page"
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
