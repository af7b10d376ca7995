"""The lock files of the GitHub Action: whole, by hash, as pyproject.toml and constraints.txt say; and their advisories."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
DECLARED = {
    "base": PROJECT["project"]["dependencies"],
    "pdf": PROJECT["project"]["dependencies"] + EXTRAS["pdf"],
    **{
        extra: PROJECT["project"]["dependencies"] + EXTRAS[extra]
        for extra in ("lsp", "mcp", "zstd")
    },
    "build": PROJECT["build-system"]["requires"],
}
HASH = re.compile(r" --hash=sha256:[0-9a-f]{64}")


def lock_file(name: str) -> str:
    return (ROOT / ".ci" / "lock" / f"{name}.txt").read_text("utf-8").replace("\\\n", "")


def pins(name: str) -> dict[str, str]:
    """Return the versions by package that the lock file *name* installs on this system."""
    lines = [Requirement(HASH.sub("", line)) for line in lock_file(name).splitlines()]
    found = [item for item in lines if item.marker is None or item.marker.evaluate()]
    return {canonicalize_name(item.name): str(item.specifier)[2:] for item in found}


def test_there_is_a_lock_file_for_the_base_the_build_and_each_extra():
    names = {path.stem for path in (ROOT / ".ci" / "lock").iterdir()}
    assert names == {"base", "build", *EXTRAS.keys() - {"dev"}}


@pytest.mark.parametrize("name", DECLARED)
def test_every_line_is_a_version_with_hashes_and_names_no_host(name):
    lines = lock_file(name).splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; [^\\#]*?)?", HASH.sub("", line).rstrip()), line
        assert HASH.search(line), line
    assert "://" not in lock_file(name)


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_pinned_is_what_the_project_needs(name):
    pinned = pins(name)
    for declared in map(Requirement, DECLARED[name]):
        if declared.marker is not None and not declared.marker.evaluate():
            continue
        assert pinned[canonicalize_name(declared.name)] in declared.specifier, declared


@pytest.mark.parametrize("name", ["base", "pdf", "lsp", "mcp", "zstd"])
def test_what_is_pinned_needs_nothing_else(name):
    pinned = pins(name)
    for package in pinned:
        for needed in map(Requirement, requires(package) or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert pinned[canonicalize_name(needed.name)] in needed.specifier, package


def test_the_versions_are_those_that_are_tested():
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()[1:]
    tested = {canonicalize_name(name): version for name, version in (x.split("==") for x in lines)}
    for name in DECLARED:
        pinned = pins(name)
        assert pinned == {package: tested[package] for package in pinned}, ".ci/renew-locks"


def audited(tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run .ci/audit with *program* as pip-audit."""
    (tmp_path / "pip_audit.py").write_text(program)
    return subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "audit")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


def answer(**vulnerable: list[str]) -> str:
    found = [
        {"name": name, "version": "1", "vulns": [{"id": number} for number in numbers]}
        for name, numbers in vulnerable.items()
    ]
    skipped = {"name": "idna", "skip_reason": "not found"}
    return f"print({json.dumps({'dependencies': [*found, skipped], 'fixes': []})!r})"


@pytest.mark.parametrize("program", [answer(), "raise OSError('no route')", "print('{')"])
def test_an_audit_that_can_ask_nobody_is_skipped_in_a_line(tmp_path, program):
    done = audited(tmp_path, program)
    assert (done.returncode, done.stdout) == (
        0,
        "skipped: no database of advisories can be reached\n",
    )


def test_an_advisory_without_an_answer_fails(tmp_path):
    done = audited(tmp_path, answer(aiohttp=["CVE-2099-1"], yarl=[]))
    assert done.returncode == 1
    assert "aiohttp: CVE-2099-1: update it (.ci/renew-locks)" in done.stdout


def test_an_advisory_that_stays_is_named_with_its_answer(tmp_path):
    done = audited(tmp_path, answer(aiohttp=[], yarl=[]))
    assert done.returncode == 0
    assert "CVE-2025-69872 is left: diskcache" in done.stdout
    assert "2 packages looked up, 0 advisories open" in done.stdout
