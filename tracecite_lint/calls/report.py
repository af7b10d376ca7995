"""What an audit found: findings, totals and coverage, as values and as the JSON of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from tracecite_lint.calls.call import Call
from tracecite_lint.light.lazy import dataclass, field


class Finding(NamedTuple):
    """One finding. `line` is the 1-based physical line, 0 for the manifest or the whole log; `task_id` and `stage` are
    those of a missing_stage. `column` (1-based) is not part of the protocol."""

    line: int
    code: str
    message: str
    task_id: str | None = None
    stage: str | None = None
    column: int = 1

    def to_json(self) -> dict[str, object]:
        """Return the finding as the protocol has it."""
        record: dict[str, object] = {
            "line": self.line,
            "code": self.code,
            "message": self.message,
        }
        if self.code == "missing_stage":
            record["task_id"] = self.task_id
            record["stage"] = self.stage
        return record


class Findings(Protocol):
    """Where an audit puts its findings, in their order: a list, or something that keeps them out of memory."""

    def append(self, finding: Finding, /) -> None: ...

    def clear(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over the kept calls; tokens are sums of what is known, and may pass 2^53."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unknown_usage_calls: int = 0
    failed_calls: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the totals as the protocol has them: token totals are strings."""
        return {
            "calls": self.calls,
            "input_tokens": str(self.input_tokens),
            "output_tokens": str(self.output_tokens),
            "unknown_usage_calls": self.unknown_usage_calls,
            "failed_calls": self.failed_calls,
        }


class Attempts(NamedTuple):
    """How many calls of one task and stage succeeded and failed."""

    ok: int = 0
    failed: int = 0

    def plus(self, call: Call) -> Attempts:
        """Return the counts with *call* added."""
        if call.status == "ok":
            return Attempts(self.ok + 1, self.failed)
        return Attempts(self.ok, self.failed + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All that an audit found but its findings, of which `codes` holds the number of each code.

    `attempts` maps (task_id, stage) to the calls that count for it; None where there are too many to keep. With a
    manifest (`expected`: its tasks and stages) only its pairs and only calls of its run and model count.
    `meanings` says what input_tokens means, with the number of kept calls whose count is of that kind. `left_out` says which
    records of a log are no calls of their own, with their number.
    """

    codes: Mapping[str, int] = field(default_factory=dict)
    usage_complete: bool = False
    totals: Totals = field(default_factory=Totals)
    attempts: Mapping[tuple[str, str], Attempts] | None = field(default_factory=dict)
    expected: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    manifest: bool = False
    """Whether there was a manifest, valid or not."""
    provider: str = "normalized"
    meanings: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether there is no finding."""
        return not self.codes

    def to_json(self) -> dict[str, object]:
        """Return the report of the protocol without its findings; beyond the protocol's own logs, also what was summed."""
        record: dict[str, object] = {
            "ok": self.ok,
            "usage_complete": self.usage_complete,
            "totals": self.totals.to_json(),
        }
        if self.provider not in ("normalized", "ollama"):
            record["input_tokens_mean"] = dict(self.meanings)
            record["left_out"] = dict(self.left_out)
        return record


@dataclass(frozen=True, slots=True)
class Report:
    """The whole result of an audit, its findings in the order of the protocol."""

    summary: Summary
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no finding."""
        return self.summary.ok

    @property
    def usage_complete(self) -> bool:
        """Whether the totals are all that was used: while they are not, no saving may be claimed from them."""
        return self.summary.usage_complete

    @property
    def totals(self) -> Totals:
        """The counts over the kept calls."""
        return self.summary.totals

    def to_json(self) -> dict[str, object]:
        """Return the report as the protocol has it (docs/call-audit.md)."""
        return {
            **self.summary.to_json(),
            "findings": [finding.to_json() for finding in self.findings],
        }
