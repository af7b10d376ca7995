"""What the call audit costs: CPU seconds and memory for a log of many calls, beside plain `json.loads` of its lines.

python benchmarks/calls.py [--calls 1000000]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

STAGES = ("plan", "draft", "review", "final")
PLAIN = "import json, sys\nfor line in open(sys.argv[1], 'rb'):\n    json.loads(line)"
IMPORTS = "import tracecite_lint.cli.audit, tracecite_lint.cli"


def log_lines(calls: int, *, usage: bool = True) -> Iterator[str]:
    """Yield *calls* records with distinct ids of 36 characters, as a UUID has them."""
    for number in range(calls):
        counts = f',"input_tokens":{900 + number % 977},"output_tokens":{80 + number % 313}'
        yield (
            f'{{"run_id":"run-2026-11","task_id":"task-{number // 4 % 20000:05d}",'
            f'"stage":"{STAGES[number % 4]}","call_id":"call-{number * 2654435761 % 2**124:031x}",'
            f'"model":"large-1","status":"ok"{counts if usage else ""}}}\n'
        )


def cost_of(arguments: list[str]) -> tuple[float, float]:
    """Run a program; return its CPU seconds and its peak memory in MiB."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 2):
        raise SystemExit(f"{arguments[:4]} ended with {process.returncode}")
    # ru_maxrss is in KiB on Linux, in bytes on macOS (getrusage(2)).
    unit = 1024 if sys.platform == "darwin" else 1
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit / 1024


def main() -> None:
    """Write the logs, measure, and print one line per log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    calls = parser.parse_args().calls
    _, idle = cost_of([sys.executable, "-c", IMPORTS])
    print(f"{calls:,} calls; the program without a log takes {idle:.0f} MiB")
    print(f"{'log':38} {'CPU s':>7} {'x json.loads':>12} {'MiB':>6} {'bytes/call':>10}")
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory, "calls.jsonl")
        cases = {
            "no findings": (log_lines(calls), ""),
            "one conflict (two readings)": (
                log_lines(calls),
                next(log_lines(1)).replace(":900,", ":901,"),
            ),
            "usage missing in every line": (log_lines(calls, usage=False), ""),
        }
        for name, (lines, tail) in cases.items():
            with log.open("w") as file:
                file.writelines(lines)
                file.write(tail)
            plain, _ = cost_of([sys.executable, "-c", PLAIN, str(log)])
            command = [sys.executable, "-m", "tracecite_lint", "audit", "--isolated", "--json"]
            seconds, memory = cost_of([*command, str(log)])
            per_call = (memory - idle) * 2**20 / calls
            print(
                f"{name:38} {seconds:7.1f} {seconds / plain:12.1f} {memory:6.0f} {per_call:10.0f}"
            )


if __name__ == "__main__":
    main()
