"""The agent format: for a model that reads the report and mends the document, with little room and no eyes for colour.

One line per finding says what differs, the most certain first, and the last line what is not shown. What pages and
documents say stands in JSON strings alone, which no text can close from the inside, and what is found is stated:
an order in a report would be one more text that tells a model what to do.
"""

from __future__ import annotations

from collections import Counter

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import CheckResult, Diagnostic, Nearest, Severity, without_added_marks
from tracecite_lint.output.findings import base_code, one_line
from tracecite_lint.output.json_objects import dumps
from tracecite_lint.output.passage import quotation_first
from tracecite_lint.output.summary import summary_lines
from tracecite_lint.output.terminal import printable
from tracecite_lint.rules import rule_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LIMIT = 8_000
"""Characters of one answer to a model."""

_LONGEST_WORDS = 200
"""Characters of one run of words."""
_MOST_DIFFERENCES = 5
_WHITE_SPACE = regex(r"\s+")
_PLAIN = regex(r"[!#-~]+")
_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def render(result: CheckResult) -> str:
    """Return the report, at most LIMIT characters."""
    findings = by_certainty(result.diagnostics)
    lines = [stated(finding) for finding in findings]
    lines += [f"note: {one_line(note)}" for note in result.notes]
    said = "; ".join(summary_lines(result))

    def last(shown: int) -> str:
        notes = len(lines) - max(shown, len(findings))
        return f"{not_shown(findings, shown, notes)}; {said}"

    return fitted(lines, last, LIMIT)


def fitted(lines: Sequence[str], last: Callable[[int], str], limit: int) -> str:
    """Return as many of *lines*, in their order, as *limit* characters hold with the line that *last* returns for so many."""
    shown = fitting((len(line) + 1 for line in lines), limit)
    while True:
        text = "".join(f"{line}\n" for line in (*lines[:shown], last(shown)))
        if len(text) <= limit:
            return text
        if not shown:
            return text[: limit - 2] + "…\n"
        shown -= 1


def fitting(sizes: Iterable[int], room: int) -> int:
    """Return how many of the first things of these *sizes* have room together."""
    count = 0
    for size in sizes:
        room -= size
        if room < 0:
            break
        count += 1
    return count


def by_certainty(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return *findings* by how certain it is that the document is wrong; equally certain ones stay in their order.

    Errors stand before warnings. Among them come first the quotations whose words are known to stand differently in
    their source, the most alike first, then what is wrong with the document itself, then quotations of which nothing was
    found (the page may have been read in part), and last the sources that could not be read.
    """
    return sorted(findings, key=_uncertainty)


def _uncertainty(finding: Diagnostic) -> tuple[int, int, float]:
    severity = _SEVERITIES.index(finding.severity)
    if finding.nearest is not None:
        return severity, 0, -finding.nearest.similarity
    if _is_mismatch(finding):
        return severity, 2, 0.0
    rule = rule_for(finding.code)
    return severity, 3 if rule is not None and rule.group == "sources" else 1, 0.0


def stated(finding: Diagnostic) -> str:
    """Return the line of one finding: `report.md:14 says "90", the source "180" (https://…) [CODE]`."""
    where = f"{printable(finding.file)}:{finding.line}" if finding.line else printable(finding.file)
    source = f" ({_uri(finding.source)})" if finding.source else ""
    held = ", ".join(map(_uri, finding.elsewhere))
    also = f"; the words stand in {held}" if held else ""
    weight = "" if finding.severity is Severity.ERROR else f", {finding.severity.value}"
    return f"{where} {what_differs(finding)}{source}{also} [{one_line(finding.code)}{weight}]"


def what_differs(finding: Diagnostic) -> str:
    """Return what a finding says of its place, as the rest of a sentence that begins with that place."""
    if finding.nearest is not None and (said := said_of(finding.nearest)):
        return said
    if _is_mismatch(finding) and finding.quote:
        return f"says {quoted(finding.quote)}, the source does not"
    return f"is reported: {quoted(finding.message, longest=None)}"


def quoted(words: str, *, longest: int | None = _LONGEST_WORDS) -> str:
    """Return *words* as a JSON string on one line, of more than *longest* characters the first and the last."""
    text = _WHITE_SPACE.sub(" ", without_added_marks(words)).strip()
    if longest is not None and len(text) > longest:
        text = f"{text[: longest // 2].rstrip()} … {text[-longest // 2 :].lstrip()}"
    return dumps(text)


def said_of(nearest: Nearest) -> str:
    """Return each place where the words differ, the quotation's first; empty where none is known."""
    places: list[dict[str, str]] = [{}]
    for part in quotation_first(nearest.differences):
        if part.op == "equal":
            places.append({})
        else:
            places[-1][part.op] = places[-1].get(part.op, "") + part.text
    said = [_difference(found) for found in places if found]
    more = len(said) - _MOST_DIFFERENCES
    if more > 0:
        said[_MOST_DIFFERENCES:] = [f"differs in {more} more place{'' if more == 1 else 's'}"]
    return "; ".join(said)


def _difference(found: dict[str, str]) -> str:
    ours, theirs = found.get("delete"), found.get("insert")
    if ours is None:
        return f"leaves out {quoted(theirs or '')}"
    said = f"says {quoted(ours)}, the source "
    return said + ("does not" if theirs is None else quoted(theirs))


def _is_mismatch(finding: Diagnostic) -> bool:
    return base_code(finding.code) in ("QUOTE_NOT_IN_LIVE_SOURCE", "QUOTE_NOT_IN_SOURCE")


def _uri(uri: str) -> str:
    return uri if _PLAIN.fullmatch(uri) else quoted(uri)


def not_shown(findings: Sequence[Diagnostic], shown: int, notes: int = 0) -> str:
    """Return what a report leaves out that shows the first *shown* of *findings* and leaves out so many *notes*."""
    left = findings[shown:]
    if not left and not notes:
        return "all findings are shown" if findings else "no finding"
    counts = Counter(base_code(item.code) for item in left)
    codes = ", ".join(f"{count} {one_line(code)}" for code, count in counts.most_common())
    parts = [f"{len(left)} of {len(findings)} findings ({codes})"] if left else []
    parts += [f"{notes} note{'' if notes == 1 else 's'}"] if notes else []
    return f"not shown: {', '.join(parts)}"
