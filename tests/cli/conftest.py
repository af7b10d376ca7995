"""The command line as people run it: a process of its own, in a directory of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Ran:
    """What a process ended with."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The report on stdout."""
        return json.loads(self.out)

    @property
    def codes(self) -> list[str]:
        """The codes of the JSON report's diagnostics."""
        return [item["code"] for item in self.json["diagnostics"]]


Run = Callable[..., Ran]


@pytest.fixture
def lint(tmp_path: Path) -> Run:
    """Run tracecite-lint in tmp_path; `stdin` is given to it, `env` added to its environment."""

    def run(
        *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: Path = tmp_path
    ) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "tracecite_lint", *arguments],
            cwd=cwd,
            input=stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            timeout=120,
            check=False,
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.err + ran.out, ran.err
        return ran

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file below tmp_path."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file
