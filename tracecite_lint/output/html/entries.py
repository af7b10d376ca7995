"""What the page lists: each citation with all that was found about it, and the findings that are about none."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import Asks, CheckedCitation, CheckResult, Diagnostic, Span
from tracecite_lint.output.findings import findings_by_citation
from tracecite_lint.output.statistics import host_of
from tracecite_lint.output.summary import outcome_of

OUTCOMES = {
    "mismatch": "mismatched",
    "unverifiable": "unverifiable",
    "claim": "claims without quotation marks",
    "finding": "other findings",
    "verified": "verified",
    "alternative": "held by another source",
    "suppressed": "suppressed",
    "unknown": "not looked up",
}
"""What an entry counts as, in the order of their weight, with what the page calls it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One citation (None: what was found is about none) and its findings."""

    file: str
    span: Span
    source: str
    item: CheckedCitation | None
    found: tuple[Diagnostic, ...]

    @property
    def outcome(self) -> str:
        """A key of OUTCOMES."""
        if self.item is None:
            return "finding"
        if self.item.citation.asks is not Asks.QUOTATION:
            return "claim"
        return outcome_of(self.item) or "unknown"

    @property
    def host(self) -> str:
        """The host of the source; empty where there is none."""
        return host_of(self.source) if self.source else ""

    @property
    def private(self) -> bool:
        """Tell whether no words may be shown."""
        is_private = self.item is not None and self.item.citation.private
        return is_private or any(finding.private for finding in self.found)


def entries(result: CheckResult) -> list[Entry]:
    """Return the entries by document, in the order in which *result* names them, and by their place there."""
    order: dict[str, int] = {}
    listed = list(_entries(result))
    for entry in listed:
        order.setdefault(entry.file, len(order))
    return sorted(listed, key=lambda entry: (order[entry.file], entry.span))


def _entries(result: CheckResult) -> Iterator[Entry]:
    found = findings_by_citation(result)
    for item in result.citations:
        citation = item.citation
        about = found.pop((item.file, citation.span, citation.source.uri), ())
        yield Entry(item.file, citation.span, citation.source.uri, item, tuple(about))
    for item in result.claims:
        citation = item.citation
        if about := found.pop((item.file, citation.span, citation.source.uri), ()):
            yield Entry(item.file, citation.span, citation.source.uri, item, tuple(about))
    for rest in found.values():
        for finding in rest:
            yield Entry(finding.file, finding.span, finding.source, None, (finding,))
