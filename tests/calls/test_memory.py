from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

from call_records import record

from tracecite_lint.calls import Finding, audit_into
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
