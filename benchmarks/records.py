"""Measures traces and call logs, beside `json.loads` of each line."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.measuring import Command, Cost, Row, cell, in_turn
from benchmarks.workspace import Workspace

LOADS = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"
STAGES = ("plan", "draft", "review", "final")
WORDS = "The gauge at the lower weir read its “mark” below the line in the year of the survey. "


def rows(space: Workspace) -> Iterator[Row]:
    """Measure a trace of 50 MB and a log of a million calls, and from half of each what more of it takes in memory."""
    trace, calls = space.scaled(50_000_000), space.scaled(1_000_000)
    sizes = dict.fromkeys(("trace", "check"), (trace // 2, trace))
    sizes["audit"] = (calls // 2, calls)
    for kind, target in (
        ("trace", "≤ 5×, bounded memory"),
        ("check", "≤ 5×, bounded memory"),
        ("audit", "≤ 3×, ≤ 300 MB at 10 million calls"),
    ):
        half, whole = (_costs(space, kind, size) for size in sizes[kind])
        found = {}
        for candidate in space.candidates:
            own = whole[candidate.name]
            text = cell(own, whole["beside"], elapsed=False)
            more = _peak(own) - _peak(half[candidate.name])
            found[candidate.name] = f"{text[:-1]}, {more:.0f} MiB of it for the second half)"
        size = f"{calls:,} calls" if kind == "audit" else f"a trace of {trace / 1e6:.0f} MB"
        yield Row(f"`{kind}` of {size}", "`json.loads` of each line", target, found)


def _costs(space: Workspace, kind: str, size: int) -> Mapping[str, list[Cost | None]]:
    path = space.top / f"{kind}-{size}.jsonl"
    (_write_calls if kind == "audit" else _write_trace)(path, size)
    options = ["--offline"] if kind == "check" else []
    commands = {"beside": Command([sys.executable, "-c", LOADS, str(path)], space.top)}
    commands |= space.for_each(
        lambda candidate: Command(
            [candidate.tool, kind, *options, str(path)], space.top, statuses=(0, 2)
        )
    )
    return in_turn(commands, max(2, space.rounds // 4))


def _peak(costs: list[Cost | None]) -> float:
    return statistics.median(one.memory for one in costs if one)


def _write_trace(path: Path, size: int) -> None:
    """Write a trace of *size* bytes: results of 10,000 characters, one in ten cited by the answer."""
    claims: list[object] = []
    with path.open("w") as file:
        number = 0
        while file.tell() < size:
            call = {"run_id": "r", "call_id": f"c{number}"}
            text = f"Reading {number}. " + WORDS * (10_000 // len(WORDS))
            uri = f"https://e{number}.example.org/p"
            source = {"id": f"s{number}", "uri": uri, "content": text}
            for event in (
                {"type": "tool_call", **call, "tool": "fetch"},
                {"type": "tool_result", **call, "ok": True, "sources": [source]},
            ):
                file.write(json.dumps(event, ensure_ascii=False) + "\n")
            if number % 10 == 0:
                citation = {"source_id": f"s{number}", "quote": f"Reading {number}. The gauge"}
                claims.append({"text": f"Claim {number}", "citations": [citation]})
            number += 1
        file.write(json.dumps({"type": "answer", "run_id": "r", "claims": claims}) + "\n")


def _write_calls(path: Path, calls: int) -> None:
    """Write *calls* records with distinct ids of 36 characters, as a UUID has them."""
    with path.open("w") as file:
        for number in range(calls):
            file.write(
                f'{{"run_id":"run-2026-11","task_id":"task-{number // 4 % 20000:05d}",'
                f'"stage":"{STAGES[number % 4]}","call_id":"call-{number * 2654435761 % 2**124:031x}",'
                f'"model":"large-1","status":"ok",'
                f'"input_tokens":{900 + number % 977},"output_tokens":{80 + number % 313}}}\n'
            )
