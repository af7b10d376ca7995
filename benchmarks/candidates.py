"""What is measured: this tree, another revision of it, or what an interpreter has installed; each with its command."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import ROOT


@dataclass(frozen=True)
class Candidate:
    """An interpreter that has the package installed."""

    name: str
    python: Path

    @property
    def tool(self) -> str:
        """The path of the command."""
        return str(self.python.with_name("tracecite-lint"))


def installed(name: str, folder: Path, *, revision: str | None = None) -> Candidate:
    """Return this tree, or *revision* of it, as an installer leaves it: built, copied, with compiled modules.

    The dependencies are those of the interpreter that runs this. The build needs a package index.
    """
    tree = ROOT
    if revision is not None:
        tree = folder / f"{name}-tree"
        tree.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", revision], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x"], cwd=tree, input=archive, check=True)
    home = folder / name
    venv.create(home, symlinks=True)
    python = home / "bin/python"
    site = next(home.glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "-q", "--python", str(python), "install", "--no-deps"]
    subprocess.run([*pip, "--force-reinstall", str(tree)], check=True)
    return Candidate(name, python)
