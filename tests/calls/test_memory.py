from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest
from call_records import record

from tracecite_lint.calls import Finding, audit_calls, audit_into, ledger
from tracecite_lint.jsonl import JsonLine, json_lines


class Count:
    """Takes findings and keeps none."""

    def __init__(self) -> None:
        self.number = 0

    def append(self, finding: Finding, /) -> None:
        self.number += 1

    def clear(self) -> None:
        self.number = 0


def peak(calls: int, *, ids: int, **fields: object) -> tuple[int, int]:
    """Return the peak of memory in bytes, and the number of findings, of auditing *calls* records with *ids* call_ids."""

    def lines() -> Iterator[JsonLine]:
        for number in range(calls):
            [line] = json_lines(record(f"{number % ids:050}", **fields))
            yield line._replace(number=number + 1)

    findings = Count()
    tracemalloc.start()
    try:
        audit_into(findings, lines)
        return tracemalloc.get_traced_memory()[1], findings.number
    finally:
        tracemalloc.stop()


def test_memory_grows_with_the_identities_and_with_nothing_else() -> None:
    small, _ = peak(1000, ids=1000)
    large, _ = peak(4000, ids=4000)
    assert (large - small) / 3000 < 250
    _, duplicates = peak(1000, ids=500)
    assert duplicates == 500
    few_ids, findings = peak(4000, ids=1000, task="t" * 2000, input_tokens=None)
    assert findings == 4000
    assert few_ids < small + 100_000


def test_of_a_log_of_many_calls_eight_bytes_of_each_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "MAX_EXACT", 100)
    small, _ = peak(4000, ids=4000)
    large, _ = peak(24000, ids=24000)
    assert (large - small) / 20000 < 16
    _, duplicates = peak(4000, ids=3999)
    assert duplicates == 1


@pytest.mark.parametrize("at_most", [0, 5, 40])
def test_the_findings_do_not_hang_on_how_many_calls_there_are(
    monkeypatch: pytest.MonkeyPatch, at_most: int
) -> None:
    """Duplicates and conflicts among the first call_ids, among the last ones, and between both."""
    numbers = [*range(30), 3, 29, 12, *range(30, 60), 2, 45, 45]
    lines = [record(f"c{number}") for number in numbers]
    lines += [record("c7", task="another"), record("c50", task="another"), record("c50")]
    log = "\n".join(lines)
    known = audit_calls(log)
    assert {"duplicate_call", "conflicting_call"} <= known.summary.codes.keys()
    monkeypatch.setattr(ledger, "MAX_EXACT", at_most)
    assert audit_calls(log) == known


def test_a_log_without_repetitions_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MAX_EXACT", 10)
    readings = 0

    def lines(*ids: int) -> Iterator[JsonLine]:
        nonlocal readings
        readings += 1
        return json_lines("\n".join(record(f"c{number}") for number in ids))

    audit_into([], lambda: lines(*range(100)))
    assert readings == 1
    audit_into([], lambda: lines(*range(100), 50))
    assert readings == 3  # one more, for the calls that come twice
