"""The command as people run it, in a folder of the test's choice: a process of its own, and all that it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMATS = (
    *("full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"),
    "markdown",
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
    """Run `tracecite-lint *arguments` in *folder*."""
    variables = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    done = subprocess.run(
        [sys.executable, "-m", "tracecite_lint", *arguments],
        cwd=folder,
        input=stdin,
        env=variables | environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.said and "internal error" not in ran.said, ran.said
    return ran
