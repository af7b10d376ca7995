"""The command line, in a directory of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import ran_in
from ran_in import Ran

Run = Callable[..., Ran]


@pytest.fixture
def lint(tmp_path: Path) -> Run:
    """Run tracecite-lint in tmp_path; `stdin` is given to it, `env` added to its environment. In this process."""
    return _runner(ran_in.lint_here, tmp_path)


@pytest.fixture
def started(tmp_path: Path) -> Run:
    """The same as a process of its own, for what hangs on being one: its streams, its memory, its end."""
    return _runner(ran_in.lint, tmp_path)


def _runner(run: Run, folder: Path) -> Run:
    def ran(
        *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: Path = folder
    ) -> Ran:
        return run(cwd, *arguments, stdin=stdin, **(env or {}))

    return ran


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file below tmp_path."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file
