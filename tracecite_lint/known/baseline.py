"""Baselines: known findings that fail nothing, recognised by their citation and never by their line.

The functions are pure but for `read_baseline` and `write_baseline`. Paths in a baseline are relative to the repository
root. docs/ci.md tells how a team adopts the tool with one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.known.identity import (
    CitationIdentity,
    checked_identity,
    repository_path,
    subject_hashes,
)
from tracecite_lint.known.ledger_files import (
    LedgerError,
    count_field,
    ledger_text,
    read_ledger,
    records_of,
    text_field,
    write_ledger,
)
from tracecite_lint.known.scope import Scope
from tracecite_lint.light.lazy import dataclass, field, replace
from tracecite_lint.model import CheckResult, Citation, Diagnostic, Severity, Span, verdict_counts
from tracecite_lint.naming.file_names import native_name, portable_name
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.rules import is_unreachable, rule_for

UNREACHABLE = "UNREACHABLE"
"""The code of every entry about a source that could not be reached."""

# Findings about the run itself, or about the memory of earlier runs, are never known ones.
_GROUPS_LEFT_OUT = frozenset({"baseline", "drift"})


class Entry(NamedTuple):
    """A known finding: where, of what kind, about which source and which words (`identity.subject_hashes`).

    All codes of sources that cannot be reached are one kind: a host that times out today may answer 503 tomorrow.
    """

    file: str
    code: str
    source: str
    quote: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """How often each known finding may occur."""

    counts: Mapping[Entry, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Applied:
    """What is left of a run under a baseline, and what of the baseline was not needed.

    An entry whose source could not be reached this time is not among the unneeded: nothing is known of its finding.
    """

    result: CheckResult
    unused: Baseline


def read_baseline(path: ChosenFile) -> Baseline:
    """Return the baseline in *path*. Raises LedgerError, also for a file that does not exist."""
    try:
        ledger = read_ledger(path)
    except FileNotFoundError:
        raise LedgerError(
            f"{path}: no such baseline; `tracecite-lint baseline create` writes one"
        ) from None
    counts: Counter[Entry] = Counter()
    for record in records_of(ledger, "findings", path):
        entry = Entry(*(text_field(record, name, path) for name in Entry._fields))
        # JSON holds text; a name that is no UTF-8 stands there as a file: URI.
        entry = entry._replace(file=native_name(entry.file))
        counts[entry] += count_field(record, "count", path)
    return Baseline(counts)


def write_baseline(path: ChosenFile, baseline: Baseline) -> bool:
    """Write *baseline* to *path* in one step; tell whether that changed the file. Raises LedgerError."""
    return write_ledger(path, baseline_text(baseline))


def baseline_text(baseline: Baseline) -> str:
    """Return *baseline* as the text of its file: sorted, a finding per line."""
    return ledger_text(
        findings=(
            {**entry._asdict(), "file": portable_name(entry.file), "count": count}
            for entry, count in sorted(baseline.counts.items())
        )
    )


def create_baseline(result: CheckResult) -> Baseline:
    """Return the baseline that lets exactly the errors of *result* pass.

    Left out are files that cannot be used at all: a baseline must not hide that nothing was read.
    """
    entries = entries_of(result)
    return Baseline(
        Counter(
            entry
            for entry, diagnostic in zip(entries, result.diagnostics, strict=True)
            if entry is not None and diagnostic.severity is Severity.ERROR
        )
    )


def apply_baseline(
    result: CheckResult, baseline: Baseline, unchecked: Iterable[CitationIdentity] = ()
) -> Applied:
    """Return *result* without the findings that *baseline* knows, as often as it knows them, in their order.

    Their citations are marked and count as suppressed. *unchecked* are the citations of the same documents that the run
    left out as unchanged: each has the first claim to an entry of its own, so that a copy of it is one too many.
    """
    claimed = Counter(unchecked)
    left = Counter(
        {entry: count - claimed[_citation(entry)] for entry, count in baseline.counts.items()}
    )
    kept: list[Diagnostic] = []
    known: Counter[tuple[str, Span, str]] = Counter()
    entries = entries_of(result, baseline)
    for entry, diagnostic in zip(entries, result.diagnostics, strict=True):
        if entry is not None and left[entry] > 0:
            left[entry] -= 1
            known[diagnostic.file, diagnostic.span, diagnostic.source] += 1
        else:
            kept.append(diagnostic)
    # Nothing was known: the counts of the run stand.
    if len(kept) == len(result.diagnostics):
        return Applied(result, _decided(+left, result))
    failing = {
        (item.file, item.span, item.source) for item in kept if item.severity is Severity.ERROR
    }
    citations = []
    for item in result.citations:
        place = _place(item.file, item.citation)
        silenced = item.code is not None and not item.suppressed and not item.alternative
        # A citation with two findings, one of them new, still fails.
        if silenced and place in known and place not in failing and item.verdict is not None:
            item = replace(item, suppressed=True, baselined=True)
        citations.append(item)
    summary = replace(result.summary, **verdict_counts(citations))
    shown = replace(result, citations=tuple(citations), diagnostics=tuple(kept), summary=summary)
    return Applied(shown, _decided(+left, result))


def stale_entries(unused: Baseline, scope: Scope, path: str, *, strict: bool) -> list[Diagnostic]:
    """Return a finding for each entry of *unused* that *scope* holds: known, and not found any more.

    *path* is the baseline's own, as people see it. Entries about sources that could not be reached are left out: that
    one was reached today says little about tomorrow.
    """
    severity = Severity.ERROR if strict else Severity.WARNING
    return [
        Diagnostic(
            code="STALE_BASELINE_ENTRY",
            message=f"{entry.file}: {_times(count)} {entry.code} {_about(entry)}is in the baseline and not found any more",
            span=Span(1, 1, 1, 1),
            file=path,
            severity=severity,
            help="run `tracecite-lint baseline prune`",
            source=entry.source,
        )
        for entry, count in sorted(unused.counts.items())
        if scope.holds(entry.file) and entry.code != UNREACHABLE
    ]


def update_baseline(baseline: Baseline, result: CheckResult, scope: Scope) -> Baseline:
    """Return *baseline* with what *scope* holds replaced by the findings of *result*."""
    undecided = _undecided(result)
    counts = Counter(
        {
            entry: count
            for entry, count in baseline.counts.items()
            if not scope.holds(entry.file) or _citation(entry) in undecided
        }
    )
    # Not added: a finding about an unreachable source that is known already stays one.
    return Baseline(counts | Counter(create_baseline(result).counts))


def prune_baseline(baseline: Baseline, result: CheckResult, scope: Scope) -> Baseline:
    """Return *baseline* without what *scope* holds and *result* does not need: nothing is added."""
    present = Counter(entry for entry in entries_of(result, baseline) if entry is not None)
    undecided = _undecided(result)
    counts = {
        entry: min(count, present[entry])
        if scope.holds(entry.file) and _citation(entry) not in undecided
        else count
        for entry, count in baseline.counts.items()
    }
    return Baseline({entry: count for entry, count in counts.items() if count})


def entries_of(result: CheckResult, known: Baseline | None = None) -> list[Entry | None]:
    """Return the entry that each diagnostic of *result* would have; None for what a baseline never holds.

    If *known* has none of its code but one of a code that covers it (Rule.covered_by), it is that one.
    """
    counts = known.counts if known is not None else {}
    return [
        _known_as(
            Entry(
                repository_path(item.file, result.directory),
                UNREACHABLE if is_unreachable(item.code) else item.code,
                public_uri(item.source),
                subject,
            ),
            counts,
        )
        if _may_be_known(item)
        else None
        for item, subject in zip(result.diagnostics, subject_hashes(result), strict=True)
    ]


def _known_as(entry: Entry, counts: Mapping[Entry, int]) -> Entry:
    rule = rule_for(entry.code)
    covering = rule.covered_by if rule is not None and entry not in counts else ()
    others = (entry._replace(code=code) for code in covering)
    return next((other for other in others if other in counts), entry)


def _undecided(result: CheckResult) -> set[CitationIdentity]:
    """Return the citations whose sources could not be reached or were not looked up."""
    return {
        checked_identity(item, result.directory)
        for item in result.citations
        if item.verdict is None or (item.code is not None and is_unreachable(item.code))
    }


def _citation(entry: Entry) -> CitationIdentity:
    return CitationIdentity(entry.file, entry.source, entry.quote)


def _decided(counts: Mapping[Entry, int], result: CheckResult) -> Baseline:
    undecided = _undecided(result)
    return Baseline(
        {entry: count for entry, count in counts.items() if _citation(entry) not in undecided}
    )


def is_about_reading(diagnostic: Diagnostic) -> bool:
    """Tell whether *diagnostic* says that a document was not read, for which the time may have been too short."""
    rule = rule_for(diagnostic.code)
    return rule is not None and (
        rule.group == "files" or (rule.unreachable and not diagnostic.source)
    )


def _may_be_known(diagnostic: Diagnostic) -> bool:
    rule = rule_for(diagnostic.code)
    return rule is None or not (rule.group in _GROUPS_LEFT_OUT or is_about_reading(diagnostic))


def _place(file: str, citation: Citation) -> tuple[str, Span, str]:
    return (file, citation.span, citation.source.uri)


def _times(count: int) -> str:
    return "one" if count == 1 else str(count)


def _about(entry: Entry) -> str:
    return f"about {entry.source} " if entry.source else ""
