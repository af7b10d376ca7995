"""What a commit whose pages are all in the cache imports, compiles and starts: causes, since times say nothing in a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from git_work import Work, make_work, quoting
from loopback import Answer, Loopback

URL = "http://www.iana.org/help/example-domains"
SAYS = "These domains may be used as illustrative examples"

WATCHED = """
import json, os, sys
seen = {"processes": [], "databases": 0}
def note(event, arguments):
    if event in ("subprocess.Popen", "os.posix_spawn"):
        seen["processes"].append([os.fsdecode(part) for part in arguments[1]])
    elif event == "sqlite3.connect":
        seen["databases"] += 1
sys.addaudithook(note)
import re
compile, patterns = re._compiler.compile, []
def counted(source, flags=0):
    patterns.append(str(source))
    return compile(source, flags)
re._compiler.compile = counted
from tracecite_lint.__main__ import main
sys.argv = ["tracecite-lint", *sys.argv[1:]]
report, status = os.environ["REPORT"], main()
seen |= {"patterns": patterns, "modules": sorted(sys.modules)}
with open(report, "w") as file:
    json.dump(seen, file)
sys.exit(status)
"""

HEAVY = {
    "aiohttp", "asyncio", "ast", "bz2", "dataclasses", "difflib", "diskcache", "email", "endec", "hashlib", "html",
    "http.client", "idna", "importlib.metadata", "inspect", "logging", "lzma", "pickle", "platformdirs", "pygls",
    "mcp", "random", "rapidfuzz", "selectolax", "selectors", "shutil", "socket", "ssl", "subprocess", "tempfile", "threading",
    "tomllib", "typing", "yarl",
    # Of our own: what findings, fixes, other kinds of documents and other commands need.
    "tracecite_lint.agents", "tracecite_lint.calls", "tracecite_lint.changes.edited", "tracecite_lint.documents.rereading", "tracecite_lint.library", "tracecite_lint.known.baseline", "tracecite_lint.known.lock", "tracecite_lint.output.agent", "tracecite_lint.output.html",
    "tracecite_lint.output.sarif", "tracecite_lint.sources.connect", "tracecite_lint.sources.extract",
    "tracecite_lint.sources.http", "tracecite_lint.sources.rows", "tracecite_lint.sources.visible",
    "tracecite_lint.trace",
    # What reads other commits, other documents and other words than these.
    "tracecite_lint.changes.keys", "tracecite_lint.changes.sparse", "tracecite_lint.documents.suppressions",
    "tracecite_lint.files.chosen", "tracecite_lint.inputs.discovery", "tracecite_lint.known", "tracecite_lint.matching.fold",
    "tracecite_lint.matching.match", "tracecite_lint.rules.rule",
}  # fmt: skip
"""Modules that a commit without findings does without."""


class Seen:
    """What a run did, as WATCHED notes it."""

    def __init__(self, report: Path, done: subprocess.CompletedProcess[str]) -> None:
        assert done.returncode == 0, done.stdout + done.stderr
        noted = json.loads(report.read_text())
        self.modules = frozenset(noted["modules"])
        self.own = {name for name in self.modules if name.startswith("tracecite_lint")}
        self.patterns: list[str] = noted["patterns"]
        self.databases: int = noted["databases"]
        # Behind `-C DIR` and `-c SETTING` stands what git is asked.
        self.asked = [_asked(arguments) for arguments in noted["processes"]]


def _asked(arguments: Sequence[str]) -> str:
    rest = list(arguments[1:])
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in ("-C", "-c") else 1]
    return rest[0]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    made = make_work(tmp_path / "work")
    made.record("code.py", "print(1)\n")
    monkeypatch.chdir(made.path)
    return made


def watched(work: Work, *arguments: str) -> Seen:
    report = work.path.parent / "seen.json"
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments],
        cwd=work.path,
        env=os.environ | {"REPORT": str(report)},
        text=True,
        capture_output=True,
    )
    return Seen(report, done)


@pytest.fixture
def warm(work: Work, loopback: Loopback) -> Seen:
    """A commit of a report, all of whose pages an earlier run has put into the cache."""
    loopback.script(URL, lambda exchange: Answer(f"<p>{SAYS} in documents.</p>"))
    work.stage("report.md", quoting(SAYS, source=URL))
    reaching = [f"--connect-to={rule}" for rule in loopback.connect_to]
    arguments = ["--changed", *reaching, "report.md"]
    watched(work, *arguments)
    assert loopback.urls() == [URL]
    seen = watched(work, *arguments)
    assert loopback.urls() == [URL]
    return seen


@pytest.fixture
def idle(work: Work) -> Seen:
    """A commit that no document has a part in."""
    work.stage("code.py", "print(2)\n")
    return watched(work, "--changed", "--allow-unreachable")


def test_a_warm_commit_imports_nothing_that_only_findings_or_the_network_need(warm: Seen) -> None:
    assert sorted(warm.modules & HEAVY) == []


def test_a_warm_commit_compiles_few_patterns(warm: Seen) -> None:
    assert len(warm.patterns) <= 88, warm.patterns


def test_a_warm_commit_opens_one_database(warm: Seen) -> None:
    assert warm.databases == 1


def test_a_warm_commit_asks_git_four_times(warm: Seen) -> None:
    assert warm.asked == ["rev-parse", "diff-index", "cat-file", "grep"]


def test_a_commit_without_documents_imports_nothing_that_reads_one(idle: Seen) -> None:
    assert sorted(idle.modules & (HEAVY | {"comrak", "sqlite3", "typing"})) == []
    parts = {".".join(name.split(".")[:2]) for name in idle.own}
    assert not parts & {
        "tracecite_lint.documents",
        "tracecite_lint.engine",
        "tracecite_lint.matching",
    }


def test_a_commit_without_documents_opens_no_database_and_asks_git_three_times(idle: Seen) -> None:
    assert idle.databases == 0
    assert idle.asked == ["rev-parse", "diff-index", "grep"]


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["completion", "bash"]])
def test_what_says_something_of_the_program_imports_nothing_that_checks(
    work: Work, arguments: list[str]
) -> None:
    imports = [sys.executable, "-X", "importtime", "-m", "tracecite_lint", *arguments]
    done = subprocess.run(imports, cwd=work.path, text=True, capture_output=True)
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    checking = {"changes", "documents", "engine", "inputs", "known", "matching", "trace"}
    assert not loaded & (HEAVY | {f"tracecite_lint.{part}" for part in checking})
    if arguments == ["--version"]:
        assert not loaded & {"argparse", "pathlib", "typing"}
