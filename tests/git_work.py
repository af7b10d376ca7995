"""Real repositories, made by real git, and what is found new in them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tracecite_lint.changes.changeset import ChangeSet, staged_changes
from tracecite_lint.changes.comparison import ChangedDocument, Selection, changed_documents
from tracecite_lint.changes.git import Repository, find_repository
from tracecite_lint.documents import read_document


class Work:
    """A work tree with the few commands that the tests need."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def git(self, *args: str, env: dict[str, str] | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            env=os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        if check and done.returncode:
            raise AssertionError(f"git {args}: {os.fsdecode(done.stderr)}")
        return os.fsdecode(done.stdout).strip()

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def stage(self, name: str, text: str | bytes) -> None:
        self.write(name, text)
        self.git("--literal-pathspecs", "add", "--force", "--", name)

    def commit(self, message: str = "change") -> str:
        self.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def record(self, name: str, text: str | bytes) -> str:
        """Write, stage and commit one file."""
        self.stage(name, text)
        return self.commit()


def make_work(path: Path, *options: str) -> Work:
    """Make a repository at *path*, with these options of `git init`."""
    path.mkdir()
    work = Work(path)
    work.git("init", "--quiet", *options)
    return work


def here() -> Repository:
    """Return the repository that the test runs in."""
    repository = find_repository()
    assert repository is not None
    return repository


def staged() -> ChangeSet:
    """Return what a commit here would change."""
    return staged_changes(here())


def quoting(*quotes: str, source: str = "https://www.iana.org/help/example-domains") -> str:
    """Return a report with one paragraph per quotation, all of one source."""
    return "# Report\n" + "".join(
        f"\nIt says “{quote}” ([the page]({source})).\n" for quote in quotes
    )


def selected(changes: ChangeSet, only: list[str] | None = None) -> Selection:
    """Return what is new, with documents read as `check` reads them."""

    def decode(data: bytes) -> str:
        return data.decode("utf-8").removeprefix("\ufeff")

    return changed_documents(changes, read_document, decode=decode, only=only)


def new_quotes(changes: ChangeSet, only: list[str] | None = None) -> dict[str, list[str]]:
    """Return the new quotations of each document that has any."""
    return {
        document.path: [citation.quote for citation in document.new]
        for document in selected(changes, only).documents
        if document.new
    }


def the_document(changes: ChangeSet) -> ChangedDocument:
    """Return the only document of a change."""
    (document,) = selected(changes).documents
    return document


@pytest.fixture(autouse=True)
def isolated_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take the user's settings and the surrounding repository out of git's sight; return the global settings file."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "PRE_COMMIT")):
            monkeypatch.delenv(name)
    settings = tmp_path_factory.mktemp("home") / "gitconfig"
    settings.write_text(
        "[user]\n name = Writer\n email = writer@example.org\n"
        "[init]\n defaultBranch = main\n"
        "[commit]\n gpgSign = false\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return settings


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """An empty repository; the test runs at its top."""
    made = make_work(tmp_path / "work")
    monkeypatch.chdir(made.path)
    return made
