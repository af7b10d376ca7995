from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

from tracecite_lint.trace.compare import compare_files
from tracecite_lint.trace.validate import validate_file


def write_trace(path: Path, results: int, size: int) -> None:
    """Write a run of *results* calls whose contents have *size* characters each, all cited at their end."""
    with path.open("w") as file:
        for number in range(results):
            call = {"type": "tool_call", "run_id": "r", "call_id": f"c{number}", "tool": "read"}
            source = {
                "id": f"s{number}",
                "uri": f"file:{number}",
                "content": "x" * size + f" {number}",
            }
            result = {"type": "tool_result", "run_id": "r", "call_id": f"c{number}", "ok": True}
            file.write(f"{json.dumps(call)}\n{json.dumps(result | {'sources': [source]})}\n")
        claims = [
            {"text": "x", "citations": [{"source_id": f"s{number}", "quote": f"x {number}"}]}
            for number in range(results)
        ]
        file.write(json.dumps({"type": "answer", "run_id": "r", "claims": claims}))


def test_contents_do_not_count_towards_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write_trace(path, results=60, size=500_000)
    tracemalloc.start()
    try:
        with path.open("rb") as old, path.open("rb") as new:
            report = validate_file(old, evidence=True)
            drift = compare_files(old, new)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (report.ok(), report.verified_citation_count) == (True, 60)
    assert (drift.ok(), drift.unchanged_count) == (True, 60)
    assert path.stat().st_size > 30_000_000
    assert peak < 8_000_000
