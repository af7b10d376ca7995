"""The command in a folder of the test's choice, and all that it says: as a process of its own, or in this one."""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tracecite_lint import cli

FORMATS = (
    *("full", "concise", "grouped", "json", "json-lines", "sarif", "github", "gitlab", "junit"),
    *("markdown", "html", "agent"),
)


@dataclass(frozen=True)
class Ran:
    """What a process ended with; `out` and `err` are what it printed."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """All that it printed."""
        return self.out + self.err

    @property
    def json(self) -> Any:
        """The report on stdout."""
        return json.loads(self.out)

    @property
    def codes(self) -> list[str]:
        """The codes of a JSON report's diagnostics."""
        return [item["code"] for item in self.json["diagnostics"]]

    @property
    def citation_codes(self) -> list[str | None]:
        """The code of each citation of a JSON report, in their order; None for a verified one."""
        return [item["code"] for item in self.json["citations"]]


def lint(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> Ran:
    """Run `tracecite-lint *arguments` in *folder*, as people do: as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tracecite_lint", *arguments],
        cwd=folder,
        input=stdin,
        env=_variables() | environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return _sound(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()))


def lint_here(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> Ran:
    """Run `tracecite-lint *arguments` in *folder*, in this process: the same code, without the half second of a start."""
    streams = [_PipedText(content) for content in (stdin, b"", b"")]
    standing_in = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
    with (
        _standing_in(folder),
        patch.dict(os.environ, _variables() | environment, clear=True),
        patch.multiple(sys, **standing_in),
    ):
        try:
            status = cli.main(arguments)
        except SystemExit as end:  # argparse: --help, --version
            status = int(end.code or 0)
    return _sound(Ran(status, *(stream.text() for stream in streams[1:])))


class _Pipe(io.BytesIO):
    """Bytes that, as in a pipe, can be read once."""

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        """Stay readable: the test looks at what was written."""


class _PipedText(io.TextIOWrapper):
    def __init__(self, content: bytes) -> None:
        self.pipe = _Pipe(content)
        super().__init__(self.pipe, encoding="ascii", write_through=True)

    def text(self) -> str:
        """All that was written."""
        return self.pipe.getvalue().decode()


@contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    before, threshold = Path.cwd(), gc.get_threshold()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        gc.set_threshold(*threshold)


def _variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}


def _sound(ran: Ran) -> Ran:
    assert "Traceback" not in ran.said and "internal error" not in ran.said, ran.said
    return ran
