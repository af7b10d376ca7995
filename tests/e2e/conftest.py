"""The hook as a user gets it: from a clone of this checkout, in an environment that pre-commit or prek builds itself."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from git_work import isolated_git, make_work, work  # noqa: F401 - fixtures
from hooked import HookSource, Project
from loopback import Loopback

CHECKOUT = Path(__file__).parents[2]
AUTHORITIES = os.environ.get("SSL_CERT_DIR")
"""What the machine trusts, before a test hides it: the managers install packages from where it says."""


@pytest.fixture(scope="session")
def hook_source(tmp_path_factory: pytest.TempPathFactory) -> HookSource:
    """Clone this checkout, once for all processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    path = base / "hook-source"
    with _locked(base / "hook-source.lock"):
        if not path.exists():
            clone = ["git", "clone", "--quiet", "--no-local", str(CHECKOUT), str(path)]
            subprocess.run(clone, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=path, check=True, capture_output=True)
    return HookSource(path, head.stdout.decode().strip(), base / "hook-store")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture
def project(
    hook_source: HookSource,
    loopback: Loopback,
    cafile: Path,
    tmp_path: Path,
    isolated_git: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> Project:
    """A user's repository with the hook installed for commits, merges and pushes; every URL leads to *loopback*."""
    if AUTHORITIES is not None:
        monkeypatch.setenv("SSL_CERT_DIR", AUTHORITIES)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(hook_source.store / "pre-commit"))
    monkeypatch.setenv("PREK_HOME", str(hook_source.store / "prek"))
    monkeypatch.setenv("TRACECITE_LINT_CONNECT_TO", " ".join(loopback.connect_to))
    monkeypatch.setenv("TRACECITE_LINT_CAFILE", str(cafile))
    made = Project(make_work(tmp_path / "project").path, hook_source)
    made.configure()
    stages = ("pre-commit", "pre-merge-commit", "pre-push")
    types = [option for stage in stages for option in ("--hook-type", stage)]
    built = made.run("pre-commit", "install", "--install-hooks", *types)
    assert built.status == 0, built.text
    monkeypatch.chdir(made.path)
    return made
