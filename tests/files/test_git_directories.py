"""What git's own directories are recognised by, with directories that git made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tracecite_lint.files.git_directories import is_git_directory


def git(cwd: Path, *args: str) -> None:
    who = ("-c", "user.name=Test", "-c", "user.email=test@tests.invalid")
    subprocess.run(["git", *who, *args], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q", "--separate-git-dir", ".bare")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root


def test_every_kind_of_git_directory_is_one(repository: Path) -> None:
    git(repository, "worktree", "add", "-q", "linked")
    git(repository, "init", "-q", "plain")
    git(repository, "init", "-q", "--bare", "bare")
    for name in (".bare", ".bare/worktrees/linked", "plain/.git", "bare"):
        assert is_git_directory(repository / name), name


def test_a_work_tree_and_other_folders_are_none(repository: Path) -> None:
    (repository / "empty").mkdir()
    (repository / "with-head").mkdir()
    (repository / "with-head" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in (".", "empty", "with-head", ".bare/objects", "missing"):
        assert not is_git_directory(repository / name), name
