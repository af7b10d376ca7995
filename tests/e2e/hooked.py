"""A user's repository with the hook, and what comes of a command in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from git_work import Work

MANAGERS = {name: str(Path(sys.executable).with_name(name)) for name in ("pre-commit", "prek")}


@dataclass(frozen=True)
class HookSource:
    """A clone of this checkout, and where the managers keep the environments they build from it."""

    path: Path
    rev: str
    store: Path


@dataclass(frozen=True)
class Run:
    """What a command printed, both streams in one, and its status."""

    status: int
    text: str

    @property
    def report(self) -> dict[str, object]:
        """The JSON report of the hook inside of what its manager printed."""
        found: dict[str, object] = json.loads(
            self.text[self.text.index("{") : self.text.rindex("}") + 1]
        )
        return found

    @property
    def counts(self) -> dict[str, int]:
        """The counts of citations in the summary of the JSON report without those that are zero; claims are counted apart."""
        summary = self.report["summary"]
        assert isinstance(summary, dict)
        return {name: count for name, count in summary.items() if count and name != "claims"}

    @property
    def places(self) -> list[tuple[str, int]]:
        """File and line of each finding of the JSON report."""
        findings = self.report["diagnostics"]
        assert isinstance(findings, list)
        return [(finding["file"], finding["line"]) for finding in findings]


class Project(Work):
    """A user's repository with the hook in its `.pre-commit-config.yaml`."""

    def __init__(self, path: Path, source: HookSource) -> None:
        super().__init__(path)
        self._source = source

    def configure(self, *hooks: str, **keys: object) -> None:
        """Write and stage the configuration with *hooks* and these further keys for each; the report is JSON."""
        keys = {"args": ["--format", "json"], "verbose": True} | keys
        listed = [{"id": hook} | keys for hook in hooks or ("tracecite-lint",)]
        repo = {"repo": str(self._source.path), "rev": self._source.rev, "hooks": listed}
        # JSON is YAML too.
        self.stage(".pre-commit-config.yaml", json.dumps({"repos": [repo]}))

    def run(self, *command: str, env: dict[str, str] | None = None) -> Run:
        """Run *command* in the repository: `git`, or a manager by its name."""
        program, *args = command
        done = subprocess.run(
            [MANAGERS.get(program, program), *args],
            cwd=self.path,
            env=os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        # Colour is on where a manager gives its hooks a terminal.
        text = re.sub(r"\x1b\[[0-9;]*[mK]", "", done.stdout.decode("utf-8", "backslashreplace"))
        return Run(done.returncode, text)


def hook_program() -> str:
    """Return the program that pre-commit installed."""
    home = Path(os.environ["PRE_COMMIT_HOME"])
    (program,) = home.glob("repo*/py_env-*/bin/tracecite-lint")
    return str(program)
