"""The command that prints how fast the program is runs, and what it makes is checked as a user's documents are."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("group", "rows"),
    [("commits", "warm hook, 10 citations"), ("renames", "a folder with 10 documents renamed")],
)
def test_a_group_prints_its_rows(group: str, rows: str) -> None:
    command = [
        sys.executable,
        "-m",
        "benchmarks",
        group,
        "--no-build",
        "--rounds=1",
        "--scale=0.01",
    ]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert f"| {rows}" in done.stdout
