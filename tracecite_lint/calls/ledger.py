"""Adds up decoded calls: which are kept, what they used, and which of the expected ones are missing."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from tracecite_lint.calls.call import Call, LoggedCall, identity_digest, shown
from tracecite_lint.calls.manifest import Manifest
from tracecite_lint.calls.report import Attempts, Finding, Totals
from tracecite_lint.light.digests import blake2b
from tracecite_lint.light.lazy import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

MAX_TOTAL: Final = 9223372036854775807
"""The largest token total, 2^63 - 1."""

MAX_PAIRS: Final = 10_000
"""Of how many (task, stage) pairs a log without a manifest is tabulated: beyond that, memory would grow with it."""

MAX_EXACT: Final = 50_000
"""Of how many call_ids the first reading of a log takes down all: of more than that, their hashes."""

_PARTS: Final = 256
_LINE_BYTES: Final = 6

_NAMED_LINES: Final = 5
"""So many other lines of a group are named."""


class Identities:
    """The call_ids of a log: for each one the line that came first and a digest of its content.

    What is kept for a call takes the same 96 bytes however long its fields are (and its slot in a dict); digests are of
    120 and 80 bits, and contents are compared within one call_id only.
    """

    def __init__(self, among: Container[int] | None = None) -> None:
        """Take down all call_ids, or those whose hash is *among* some: the others stand in the log once."""
        self._among = among
        self._first: dict[bytes, bytes] = {}
        self.conflicting: set[bytes] = set()

    def first_line(self, line: int, call: Call) -> int | None:
        """Return the line on which the call_id of *call* came first, None if it is new; note a conflict."""
        if self._among is not None and hash(call.call_id) not in self._among:
            return None
        key = identity_digest(call.call_id)
        content = blake2b(repr(call[:]).encode(), digest_size=10).digest()
        entry = self._first.get(key)
        if entry is None:
            self._first[key] = line.to_bytes(_LINE_BYTES) + content
            return None
        if entry[_LINE_BYTES:] != content:
            self.conflicting.add(key)
        return int.from_bytes(entry[:_LINE_BYTES])

    def repeated(self) -> frozenset[int] | None:
        """Return the hashes of the call_ids that have to be looked at again; None if all is known of all."""
        return None


class UnreadIdentities(Identities):
    """The call_ids of a log that has not been read yet, which may have any number of them.

    All is known of the first MAX_EXACT. If there are more, the hash alone is kept of each, in 8 bytes: enough to tell which
    may stand in the log more than once, for another reading to look at. Python's hash of a text has 64 bits and another
    seed in each process: two texts rarely share one, and if they do, that reading tells them apart.
    """

    def __init__(self) -> None:
        super().__init__()
        # Apart by their last bits, so that those that are equal can be found in a few of them at a time.
        self._hashes = [array("q") for _ in range(_PARTS)]

    def first_line(self, line: int, call: Call) -> int | None:
        known = hash(call.call_id)
        self._hashes[known & (_PARTS - 1)].append(known)
        if self._among is not None:
            return None
        first = super().first_line(line, call)
        if len(self._first) > MAX_EXACT:
            self._first.clear()
            self._among = frozenset()
        return first

    def repeated(self) -> frozenset[int] | None:
        if self._among is None:
            return None
        found: set[int] = set()
        for hashes in self._hashes:
            if len(set(hashes)) < len(hashes):
                found.update(known for known, count in Counter(hashes).items() if count > 1)
        return frozenset(found)


class Group:
    """The lines of one call_id with different contents: how many there are, and the first of them."""

    def __init__(self) -> None:
        self._count = 0
        self._first: list[int] = []

    def add(self, line: int) -> None:
        """Take down one more line."""
        self._count += 1
        if len(self._first) <= _NAMED_LINES:
            self._first.append(line)

    def others(self, line: int) -> str:
        """Name the lines beside *line*, for people."""
        named = [str(other) for other in self._first if other != line][:_NAMED_LINES]
        more = self._count - 1 - len(named)
        if more > 0:
            return f"lines {', '.join(named)} and {more} more"
        if len(named) < 2:
            return f"line {''.join(named)}"
        return f"lines {', '.join(named[:-1])} and {named[-1]}"


Conflicts = dict[bytes, Group]
"""The call_ids that are known to be in conflict, by their digests."""


class Ledger:
    """The running account of one log. `conflicts` are those that an earlier reading found: it takes down their lines."""

    def __init__(
        self,
        manifest: Manifest | None,
        conflicts: Conflicts | None = None,
        identities: Identities | None = None,
    ) -> None:
        self.manifest = manifest
        self.identities = identities or Identities()
        self.conflicts = conflicts or {}
        self.calls = self.failed = self.unknown = 0
        self.input_tokens = self.output_tokens = 0
        self.complete = True
        self.attempts: dict[tuple[str, str], Attempts] | None = {}
        self.meanings: dict[str, int] = {}

    def add(self, logged: LoggedCall) -> Sequence[Finding]:
        """Account *logged*, and return what is wrong with it in the order of the protocol."""
        line, call, meaning = logged
        if self.conflicts and (group := self.conflicts.get(identity_digest(call.call_id))):
            self.complete = False
            message = (
                f"the call_id {shown(call.call_id)} is used with different contents,"
                f" on {group.others(line)} too: left out"
            )
            return [Finding(line, "conflicting_call", message)]
        first = self.identities.first_line(line, call)
        if first is not None:
            message = f"the call {shown(call.call_id)} stands on line {first} already"
            return [Finding(line, "duplicate_call", message)]
        self.calls += 1
        self.failed += call.status == "error"
        if call.input_tokens is not None:
            self.meanings[meaning] = self.meanings.get(meaning, 0) + 1
        findings: list[Finding] = []
        if self.manifest is not None:
            findings += unexpected_fields(line, call, self.manifest)
        if not findings:
            self._count_attempt(call)
        if not self._add_tokens(call):
            self.complete = False
            message = f"with this call a token total would pass {MAX_TOTAL}: neither side is added"
            findings.append(Finding(line, "aggregate_overflow", message))
        if call.input_tokens is None or call.output_tokens is None:
            self.complete = False
            self.unknown += 1
            message = f"the call {shown(call.call_id)} has no known {_missing(call)}"
            findings.append(Finding(line, "missing_usage", message))
        return findings

    @property
    def totals(self) -> Totals:
        """The totals so far."""
        return Totals(self.calls, self.input_tokens, self.output_tokens, self.unknown, self.failed)

    def _count_attempt(self, call: Call) -> None:
        if self.attempts is None:
            return
        pair = call.task_id, call.stage
        self.attempts[pair] = self.attempts.get(pair, Attempts()).plus(call)
        if self.manifest is None and len(self.attempts) > MAX_PAIRS:
            self.attempts = None

    def _add_tokens(self, call: Call) -> bool:
        input_tokens = self.input_tokens + (call.input_tokens or 0)
        output_tokens = self.output_tokens + (call.output_tokens or 0)
        if input_tokens > MAX_TOTAL or output_tokens > MAX_TOTAL:
            return False
        self.input_tokens, self.output_tokens = input_tokens, output_tokens
        return True


@dataclass(frozen=True, slots=True)
class Account:
    """What `account` returns: the calls that count, their totals, and what is wrong with the others.

    `usage_complete` speaks of these calls: whether there are any, none is in conflict, none overflows, and the usage of
    each is known.
    """

    kept: tuple[LoggedCall, ...]
    totals: Totals
    usage_complete: bool
    findings: tuple[Finding, ...]


def account(calls: Iterable[Call | LoggedCall]) -> Account:
    """Account decoded *calls*, which are trusted to be valid and in the order of their lines.

    A call that does not say its line is taken to stand on the line of its position, from 1. Finds conflicting_call,
    duplicate_call, aggregate_overflow and missing_usage.
    """
    logged = list(_logged(calls))
    identities = Identities()
    for entry in logged:
        identities.first_line(entry.line, entry.call)
    conflicts = {key: Group() for key in identities.conflicting}
    for entry in logged if conflicts else ():
        note_conflict(conflicts, entry)
    ledger = Ledger(None, conflicts)
    kept: list[LoggedCall] = []
    findings: list[Finding] = []
    for entry in logged:
        before = ledger.calls
        findings.extend(ledger.add(entry))
        if ledger.calls > before:
            kept.append(entry)
    return Account(tuple(kept), ledger.totals, ledger.complete and bool(kept), tuple(findings))


def note_conflict(conflicts: Conflicts, logged: LoggedCall) -> None:
    """Take down the line of a call whose call_id is in conflict."""
    group = conflicts.get(identity_digest(logged.call.call_id))
    if group is not None:
        group.add(logged.line)


def check_coverage(calls: Iterable[Call | LoggedCall], manifest: Manifest) -> tuple[Finding, ...]:
    """Return where the kept *calls* (`Account.kept`) and *manifest* disagree; both are trusted to be valid.

    First unexpected_run, _model, _task and _stage by line, then missing_stage in the order of the manifest.
    """
    findings: list[Finding] = []
    covered: set[tuple[str, str]] = set()
    for line, call, _ in _logged(calls):
        unexpected = list(unexpected_fields(line, call, manifest))
        findings += unexpected
        if not unexpected and call.status == "ok":
            covered.add((call.task_id, call.stage))
    findings += missing_stages(manifest, covered)
    return tuple(findings)


def unexpected_fields(line: int, call: Call, manifest: Manifest) -> Iterator[Finding]:
    """Yield a finding for each field of *call* that does not fit *manifest*: run, model, task, stage."""
    if call.run_id != manifest.run_id:
        message = f"the run {shown(call.run_id)} is not the manifest's {shown(manifest.run_id)}"
        yield Finding(line, "unexpected_run", message)
    if not manifest.expects_model_of(call):
        expected = manifest.models.get(call.task_id, manifest.model)
        message = f"the model {shown(call.model)} is not the manifest's {shown(expected)}"
        yield Finding(line, "unexpected_model", message)
    if call.task_id not in manifest.tasks:
        message = f"the task {shown(call.task_id)} is not in the manifest"
        yield Finding(line, "unexpected_task", message)
    if call.stage not in manifest.stages:
        message = f"the stage {shown(call.stage)} is not in the manifest"
        yield Finding(line, "unexpected_stage", message)


def missing_stages(manifest: Manifest, covered: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Yield a missing_stage for each pair of *manifest* that is not among the *covered* ones."""
    pairs = frozenset(covered)
    for task in manifest.task_ids:
        for stage in manifest.required_stages:
            if (task, stage) not in pairs:
                message = f"no successful call for the task {shown(task)}, stage {shown(stage)}"
                yield Finding(0, "missing_stage", message, task, stage)


def _missing(call: Call) -> str:
    if call.input_tokens is None and call.output_tokens is None:
        return "input_tokens or output_tokens"
    return "input_tokens" if call.input_tokens is None else "output_tokens"


def _logged(calls: Iterable[Call | LoggedCall]) -> Iterator[LoggedCall]:
    for number, call in enumerate(calls, 1):
        yield call if isinstance(call, LoggedCall) else LoggedCall(number, call)
