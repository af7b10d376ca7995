"""Baselines: known findings that fail nothing, recognised by their citation and never by their line.

The functions are pure but for `read_baseline` and `write_baseline`. Paths in a baseline are relative to the repository
root. docs/ci.md tells how a team adopts the tool with one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tracecite_lint.errors import os_reason
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.known.identity import (
    CitationIdentity,
    checked_identity,
    repository_path,
    subject_hashes,
)
from tracecite_lint.known.ledger_files import (
    LedgerError,
    Record,
    count_field,
    ledger_text,
    read_ledger,
    record_on,
    records_of,
    text_field,
    write_ledger,
)
from tracecite_lint.known.scope import Scope
from tracecite_lint.light.lazy import dataclass, field, replace
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Severity,
    Span,
    verdict_counts,
)
from tracecite_lint.naming.file_names import native_name, portable_name
from tracecite_lint.naming.uris import public_uri, without_passwords
from tracecite_lint.rules import is_unreachable, rule_for

UNREACHABLE = "UNREACHABLE"
"""The code of every entry about a source that could not be reached."""

_WORDS_WIDTH = 60
_LINES_NAMED = 10
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


class Shown(NamedTuple):
    """What lets a reviewer see which finding an entry is: its lines when it was written down, and its first words.

    Nothing is recognised by it. Of private documents there is none.
    """

    lines: tuple[int, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """How often each known finding may occur, and how it is shown to those who read the file."""

    counts: Mapping[Entry, int] = field(default_factory=dict)
    shown: Mapping[Entry, Shown] = field(default_factory=dict)

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
    shown: dict[Entry, Shown] = {}
    for record in records_of(ledger, "findings", path):
        entry = _entry(record, path)
        counts[entry] += count_field(record, "count", path)
        lines, words = record.get("lines"), record.get("words")
        # Files of earlier versions have neither.
        if isinstance(lines, list) and isinstance(words, str):
            shown[entry] = Shown(tuple(line for line in lines if isinstance(line, int)), words)
    return Baseline(counts, shown)


def entry_lines(path: ChosenFile) -> dict[Entry, int]:
    """Return on which line of the baseline in *path* each entry stands, as far as it has one of its own. Raises LedgerError."""
    try:
        text = path.read().decode("utf-8-sig")
    except OSError as error:
        raise LedgerError(f"{path}: {os_reason(error)}") from None
    found: dict[Entry, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if (record := record_on(line)) is not None:
            found.setdefault(_entry(record, path), number)
    return found


def _entry(record: Record, path: ChosenFile) -> Entry:
    entry = Entry(*(text_field(record, name, path) for name in Entry._fields))
    # JSON holds text; a name that is no UTF-8 stands there as a file: URI.
    return entry._replace(file=native_name(entry.file))


def write_baseline(path: ChosenFile, baseline: Baseline) -> bool:
    """Write *baseline* to *path* in one step; tell whether that changed the file. Raises LedgerError."""
    return write_ledger(path, baseline_text(baseline))


def baseline_text(baseline: Baseline) -> str:
    """Return *baseline* as the text of its file: sorted, a finding per line."""
    return ledger_text(
        findings=(
            {
                **entry._asdict(),
                "file": portable_name(entry.file),
                "count": count,
                **(baseline.shown[entry]._asdict() if entry in baseline.shown else {}),
            }
            for entry, count in sorted(baseline.counts.items())
        )
    )


def create_baseline(result: CheckResult) -> Baseline:
    """Return the baseline that lets exactly the errors of *result* pass.

    Left out are files that cannot be used at all: a baseline must not hide that nothing was read.
    """
    counts: Counter[Entry] = Counter()
    shown: dict[Entry, Shown] = {}
    for entry, diagnostic in zip(entries_of(result), result.diagnostics, strict=True):
        if entry is None or diagnostic.severity is not Severity.ERROR:
            continue
        counts[entry] += 1
        if not diagnostic.private:
            before = shown[entry].lines if entry in shown else ()
            lines = tuple(sorted((*before, diagnostic.line)))
            shown[entry] = Shown(lines, _first_words(diagnostic.quote))
    return Baseline(counts, shown)


def _first_words(quote: str) -> str:
    words = without_passwords(" ".join(quote.split()))
    if len(words) <= _WORDS_WIDTH:
        return words
    cut = words[:_WORDS_WIDTH]
    # In scripts without spaces there may be no word that ends there.
    return f"{cut[: cut.rfind(' ')] if ' ' in cut else cut}…"


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

    def silenced_too(item: CheckedCitation) -> CheckedCitation:
        place = _place(item.file, item.citation)
        silenced = item.code is not None and not item.suppressed and not item.alternative
        # A citation with two findings, one of them new, still fails.
        if silenced and place in known and place not in failing and item.verdict is not None:
            return replace(item, suppressed=True, baselined=True)
        return item

    citations = tuple(map(silenced_too, result.citations))
    shown = replace(
        result,
        citations=citations,
        claims=tuple(map(silenced_too, result.claims)),
        diagnostics=tuple(kept),
        summary=replace(result.summary, **verdict_counts(citations)),
    )
    return Applied(shown, _decided(+left, result))


def stale_entries(unused: Baseline, scope: Scope) -> dict[Entry, int]:
    """Return the entries of *unused* that *scope* holds, known and not found any more, and how often each is too many.

    Those about sources that could not be reached are left out: that one was reached today says little about tomorrow.
    """
    return {
        entry: count
        for entry, count in sorted(unused.counts.items())
        if scope.holds(entry.file) and entry.code != UNREACHABLE
    }


def stale_finding(
    stale: Mapping[Entry, int], lines: Mapping[Entry, int], path: str, *, strict: bool
) -> Diagnostic:
    """Return the finding that *stale* entries of the baseline *path*, which stand on these *lines*, are not needed any more.

    It is one for all of them: after a release that mended two hundred quotations there are two hundred.
    """
    count = sum(stale.values())
    are = "1 known finding is" if count == 1 else f"{count:,} known findings are"
    numbers = sorted({lines[entry] for entry in stale if entry in lines})
    shown = ", ".join(map(str, numbers[:_LINES_NAMED]))
    more = f" and {len(numbers) - _LINES_NAMED:,} more" if len(numbers) > _LINES_NAMED else ""
    where = f" (line{'s' * (len(numbers) > 1)} {shown}{more})" if numbers else ""
    first = numbers[0] if numbers else 1
    files = {entry.file for entry in stale}
    place = f"{len(files):,} files" if len(files) > 1 else next(iter(files))
    return Diagnostic(
        code="STALE_BASELINE_ENTRY",
        message=f"{are} not found any more in {place}{where}",
        span=Span(first, 1, first, 1),
        file=path,
        severity=Severity.ERROR if strict else Severity.WARNING,
        help="run `tracecite-lint baseline prune`",
    )


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
    new = create_baseline(result)
    # Not added: a finding about an unreachable source that is known already stays one.
    return _shown_of(counts | Counter(new.counts), {**baseline.shown, **new.shown})


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
    needed = {entry: count for entry, count in counts.items() if count}
    return _shown_of(needed, {**baseline.shown, **create_baseline(result).shown})


def _shown_of(counts: Mapping[Entry, int], shown: Mapping[Entry, Shown]) -> Baseline:
    """Return the baseline of *counts*, with those of *shown* that its entries have."""
    return Baseline(counts, {entry: shown[entry] for entry in counts if entry in shown})


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
        for item in result.checked
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
