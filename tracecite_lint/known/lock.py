"""Lock files (`--lock`): what was read where a quotation stands, so that a later run sees its surroundings change.

Beside that they count the failures of sources over many runs: one bad night of a server is no news. The functions are
pure but for `read_lock` and `write_lock`; the time is given to them. docs/ci.md tells how a nightly sweep uses a lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from tracecite_lint.engine.surroundings import words
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.known.identity import CitationIdentity, checked_identity, quote_hash
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
from tracecite_lint.model import CheckedCitation, CheckResult, Diagnostic, Verdict
from tracecite_lint.naming.file_names import native_name, portable_name
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.rules import rule_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

DEAD_AFTER_FAILURES: Final = 3
DEAD_AFTER_SECONDS: Final = 3 * 24 * 3600.0
"""A source is dead when it failed so many times in a row, the first and the last so far apart."""
SAME_FAILURE_SECONDS: Final = 3600.0
"""Failures closer to each other are one: a hook that is run five times in a minute is no five nights."""

# What says that a source did not answer as a page. Policy, limits and blocks say nothing about its health.
_FAILURES: Final = frozenset(
    {
        *("HOST_UNRESOLVED", "HTTP_REQUEST_FAILED", "REQUEST_TIMEOUT", "TOO_MANY_REDIRECTS"),
        *("REDIRECT_WITHOUT_LOCATION", "INVALID_REDIRECT_TARGET", "HTTPS_DOWNGRADE_REDIRECT"),
        *("HTTP_STATUS_<n>", "INVALID_CONTENT_LENGTH", "HTTP_BODY_READ_FAILED"),
    }
)
_STALE: Final = "STALE"

Report = Callable[[Diagnostic], Diagnostic | None]
"""Gives a finding its severity, or None if settings or a comment silence it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a citation's source. `read` is seconds since the epoch; `before` and `after` are empty when the
    citation is private: `around`, a hash of the two, is always there."""

    final_url: str
    read: float
    around: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Failures:
    """The failures of one source in a row: how many, the first and the last in seconds since the epoch, the last code."""

    count: int
    first: float
    last: float
    code: str

    @property
    def dead(self) -> bool:
        """Whether there were enough of them, over enough time."""
        return self.count >= DEAD_AFTER_FAILURES and self.last - self.first >= DEAD_AFTER_SECONDS


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock file: readings by citation, failures by source (without its fragment)."""

    readings: Mapping[CitationIdentity, Reading] = field(default_factory=dict)
    failures: Mapping[str, Failures] = field(default_factory=dict)


def read_lock(path: ChosenFile) -> Lock:
    """Return the lock in *path*. Raises FileNotFoundError, and LedgerError for what is no lock file."""
    ledger = read_ledger(path)
    readings = {}
    for record in records_of(ledger, "citations", path):
        identity = CitationIdentity(
            *(text_field(record, name, path) for name in CitationIdentity._fields)
        )
        identity = identity._replace(file=native_name(identity.file))
        readings[identity] = Reading(
            final_url=text_field(record, "final_url", path),
            read=_seconds(text_field(record, "read", path), path),
            around=text_field(record, "around", path),
            before=str(record.get("before", "")),
            after=str(record.get("after", "")),
        )
    failures = {
        text_field(record, "source", path): Failures(
            count=count_field(record, "count", path),
            first=_seconds(text_field(record, "first", path), path),
            last=_seconds(text_field(record, "last", path), path),
            code=text_field(record, "code", path),
        )
        for record in records_of(ledger, "failures", path)
    }
    return Lock(readings, failures)


def write_lock(path: ChosenFile, lock: Lock) -> bool:
    """Write *lock* to *path* in one step; tell whether that changed the file. Raises LedgerError."""
    return write_ledger(path, lock_text(lock))


def lock_text(lock: Lock) -> str:
    """Return *lock* as the text of its file: sorted, a record per line."""
    return ledger_text(
        citations=(
            {
                **identity._asdict(),
                "file": portable_name(identity.file),
                "final_url": reading.final_url,
                "read": _timestamp(reading.read),
                "around": reading.around,
                "before": reading.before,
                "after": reading.after,
            }
            for identity, reading in sorted(lock.readings.items(), key=lambda item: item[0])
        ),
        failures=(
            {
                "source": source,
                "code": failures.code,
                "count": failures.count,
                "first": _timestamp(failures.first),
                "last": _timestamp(failures.last),
            }
            for source, failures in sorted(lock.failures.items(), key=lambda item: item[0])
        ),
    )


def updated_lock(
    lock: Lock, result: CheckResult, scope: Scope, *, now: float, accept: bool = False
) -> Lock:
    """Return *lock* after the run *result*: new citations recorded, failures counted, what is gone from *scope* dropped.

    A reading whose surroundings changed stays as it was, so that the change is reported until it is accepted: with
    *accept* every reading is taken from this run. *now* is seconds since the epoch.
    """
    present = {checked_identity(item, result.directory) for item in result.checked}
    readings = {
        identity: reading
        for identity, reading in lock.readings.items()
        if identity in present or not scope.holds(identity.file)
    }
    for item in result.checked:
        identity = checked_identity(item, result.directory)
        reading = _reading(item, now)
        if reading is None:
            continue
        old = readings.get(identity)
        # An unchanged reading keeps its date: a sweep that finds nothing new leaves the file as it is, and git clean.
        if old is None or (accept and old.around != reading.around):
            readings[identity] = reading
    return Lock(readings, _counted_failures(lock.failures, result, now))


def with_drift(
    result: CheckResult, lock: Lock, failures: Mapping[str, Failures], report: Report
) -> CheckResult:
    """Return *result* with SOURCE_CHANGED and SOURCE_DEAD findings.

    *lock* is what earlier runs recorded, *failures* are those after this run (`updated_lock`). A source that is dead takes
    the place of the finding that it could not be read.
    """
    diagnostics = list(result.diagnostics)
    for item in result.checked:
        # What is silenced where it stands is silenced for drift, too.
        if item.suppressed or item.alternative:
            continue
        change = _change(item, lock.readings.get(checked_identity(item, result.directory)))
        if change is not None:
            diagnostics += filter(None, [report(change)])
        died = failures.get(_source(item))
        if died is not None and died.dead and (_failure_code(item) is not None):
            diagnostics = _with_death(diagnostics, item, died, report)
    return replace(result, diagnostics=tuple(diagnostics))


def _with_death(
    diagnostics: list[Diagnostic], item: CheckedCitation, died: Failures, report: Report
) -> list[Diagnostic]:
    dead = report(_death(item, died))
    if dead is None:
        return diagnostics
    unread = (item.file, item.citation.span, item.citation.source.uri, item.code)
    replaced = [
        dead if (old.file, old.span, old.source, old.code) == unread else old for old in diagnostics
    ]
    if item.verdict is Verdict.VERIFIED:
        replaced.append(dead)
    return replaced


def _change(item: CheckedCitation, old: Reading | None) -> Diagnostic | None:
    if old is None or item.around is None or item.verdict is not Verdict.VERIFIED:
        return None
    before, after = item.around
    if _around(before, after) == old.around:
        return None
    sides = []
    if not item.citation.private and (old.before or old.after):
        if words(before) != words(old.before):
            sides.append(f"before it stood “{old.before}”, now “{before}”")
        if words(after) != words(old.after):
            sides.append(f"after it stood “{old.after}”, now “{after}”")
    told = f": {'; '.join(sides)}" if sides else ""
    return _finding(
        item,
        "SOURCE_CHANGED",
        f"the words around the quotation are not those of {_day(old.read)}{told}",
    )


def _death(item: CheckedCitation, failures: Failures) -> Diagnostic:
    last = "" if failures.code == _STALE else f", the last time with {failures.code}"
    return _finding(
        item,
        "SOURCE_DEAD",
        f"the source could not be read {failures.count} times since {_day(failures.first)}{last}",
    )


def _finding(item: CheckedCitation, code: str, message: str) -> Diagnostic:
    return Diagnostic(
        code=code,
        message=message,
        span=item.citation.span,
        file=item.file,
        source=item.citation.source.uri,
        quote="" if item.citation.private else item.citation.quote,
        private=item.citation.private,
    )


def _counted_failures(
    failures: Mapping[str, Failures], result: CheckResult, now: float
) -> dict[str, Failures]:
    """Return *failures* after the run: each source counted once, however often it is cited."""
    counted = dict(failures)
    failed: set[str] = set()
    for item in result.checked:
        source = _source(item)
        code = _failure_code(item)
        if code is None:
            old = counted.get(source)
            if old is not None and _was_read_after(item, old.last):
                del counted[source]
        elif source not in failed:
            failed.add(source)
            counted[source] = _one_more(counted.get(source), code, now)
    return counted


def _one_more(old: Failures | None, code: str, now: float) -> Failures:
    if old is None:
        return Failures(1, now, now, code)
    # `last` stays as well: otherwise a hook that runs every minute would never make a second failure.
    if now - old.last < SAME_FAILURE_SECONDS:
        return replace(old, code=code)
    return Failures(old.count + 1, old.first, now, code)


def _failure_code(item: CheckedCitation) -> str | None:
    """Return the code of a failure to read the source in this run; None if it was read, or was not asked."""
    if item.stale:
        # Judged by an old page since the server could not be asked.
        return _STALE
    if item.verdict is not Verdict.UNVERIFIABLE or item.code is None:
        return None
    rule = rule_for(item.code)
    return item.code if rule is not None and rule.code in _FAILURES else None


def _was_read_after(item: CheckedCitation, last: float) -> bool:
    return item.fetched_at is not None and item.fetched_at > last


def _reading(item: CheckedCitation, now: float) -> Reading | None:
    if item.verdict is not Verdict.VERIFIED or item.around is None:
        return None
    before, after = ("", "") if item.citation.private else item.around
    return Reading(
        final_url=public_uri(item.final_url or item.citation.source.uri),
        read=now if item.fetched_at is None else item.fetched_at,
        around=_around(*item.around),
        before=before,
        after=after,
    )


def _source(item: CheckedCitation) -> str:
    return public_uri(item.citation.source.uri).partition("#")[0]


def _around(before: str, after: str) -> str:
    # Punctuation and white space are typography, and typography is no change.
    return quote_hash("\n".join((*words(before), "|", *words(after))))


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _seconds(timestamp: str, path: ChosenFile) -> float:
    try:
        seconds = datetime.fromisoformat(timestamp).timestamp()
        _timestamp(seconds)  # which has to be able to write it back
        return seconds
    except (ValueError, OverflowError, OSError):
        raise LedgerError(
            f"{path}: {timestamp!r} is no time such as 2026-01-31T08:00:00Z"
        ) from None


def _day(seconds: float) -> str:
    return _timestamp(seconds).partition("T")[0]
