"""The command line as people run it: a process of its own, in a directory of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import ran_in
from ran_in import Ran

Run = Callable[..., Ran]


@pytest.fixture
def lint(tmp_path: Path) -> Run:
    """Run tracecite-lint in tmp_path; `stdin` is given to it, `env` added to its environment."""

    def run(
        *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: Path = tmp_path
    ) -> Ran:
        return ran_in.lint(cwd, *arguments, stdin=stdin, **(env or {}))

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
