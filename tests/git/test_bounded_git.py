"""Git has no more time than the run: files that never end, patterns and renames that take for ever."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from git_work import Work, quoting, staged

from tracecite_lint.changes import git
from tracecite_lint.changes.changeset import staged_changes
from tracecite_lint.changes.git import Blobs, find_repository, is_ignored
from tracecite_lint.files import git_process, roots
from tracecite_lint.files.git_process import ChangesError, TooSlowError, run_git
from tracecite_lint.files.roots import named_root, root_of

WORDS = "the words that stand in the source"
MUCH_LONGER = 50
"""Seconds after which a run hangs; --max-time is 2."""
MANY = 401
"""One more document than is compared with as many others."""

needs_fifos = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
needs_scripts = pytest.mark.skipif(os.name == "nt", reason="a script that looks like a program")


def check(work: Work, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command; TimeoutExpired if it hangs."""
    command = Path(sys.executable).with_name("tracecite-lint")
    return subprocess.run(
        [str(command), "--max-time", "2", *args],
        cwd=work.path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=MUCH_LONGER,
    )


def put_git_first(
    folder: Path, script: str, monkeypatch: pytest.MonkeyPatch, **variables: str
) -> None:
    """Make *script*, which may `exec {git}`, the git that is found."""
    wrapper = folder / "git"
    folder.mkdir()
    wrapper.write_text("#!/bin/sh\n" + script.format(git=shutil.which("git"), **variables))
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@needs_fifos
@pytest.mark.parametrize("args", [(), ("--changed",), ("--all",), ("--diff-base", "HEAD")])
@pytest.mark.parametrize("name", ["HEAD", "config", "index", "packed-refs"])
def test_a_pipe_in_the_git_directory_ends_with_the_time_of_the_run(
    work: Work, name: str, args: tuple[str, ...]
) -> None:
    work.record("report.md", quoting(WORDS))
    work.git("pack-refs", "--all")
    file = work.path / ".git" / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    done = check(work, *args)
    if (name, args) == ("packed-refs", ("--all",)):
        assert done.returncode in (0, 2)  # git needs no refs to list the index
        return
    assert done.returncode == 1, done.stderr
    assert "took too long" in done.stderr
    assert "--max-time" in done.stderr


def test_a_pattern_of_an_ignore_file_ends_with_the_time_of_the_run(work: Work) -> None:
    name = "a" * 200 + ".txt"
    work.write(name, f"{WORDS}\n")
    work.stage("report.md", quoting(WORDS, source=name))
    work.write(".gitignore", "*a*a*a*a*ab\n")
    done = check(work, "--format", "concise")
    assert "SOURCE_UNAVAILABLE" in done.stdout


@needs_scripts
def test_once_patterns_take_too_long_no_other_name_is_asked_about(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.stage("report.md", quoting(WORDS))
    log = tmp_path / "calls"
    put_git_first(
        tmp_path / "bin",
        'case "$*" in *check-ignore*) echo asked >>{log}; exec sleep {long} ;; esac\nexec {git} "$@"\n',
        monkeypatch,
        log=str(log),
        long=str(MUCH_LONGER),
    )
    monkeypatch.setattr(git, "_IGNORED_SECONDS", 0.5)
    repository = find_repository()
    assert repository is not None
    changes = staged_changes(repository)
    for name in ("one.txt", "two.txt", "three.txt"):
        work.write(name, WORDS)
        assert changes.read(work.path / name) is None
    assert log.read_text().split() == ["asked"]


@needs_scripts
def test_an_object_that_git_does_not_give_in_time_is_waited_for_no_longer(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.record("report.md", quoting(WORDS))
    oid = work.git("rev-parse", "HEAD:report.md")
    put_git_first(
        tmp_path / "bin",
        'case "$*" in *cat-file*) exec sleep {much_longer} ;; esac\nexec {git} "$@"\n',
        monkeypatch,
        much_longer=str(MUCH_LONGER),
    )
    repository = find_repository(deadline=time.monotonic())
    assert repository is not None
    with Blobs(repository) as blobs, pytest.raises(TooSlowError, match="cat-file"):
        blobs.content(oid, limit=1000)
    work.stage("report.md", quoting(WORDS, "and others"))
    done = check(work)
    assert done.returncode == 1
    assert "git cat-file took too long" in done.stderr


@needs_scripts
def test_without_a_time_of_the_run_each_command_has_a_ceiling(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (git_process.CEILING, git._IGNORED_SECONDS, roots.TOP_SECONDS) == (60.0, 5.0, 5.0)
    work.record("report.md", quoting(WORDS))
    oid = work.git("rev-parse", "HEAD:report.md")
    repository = find_repository()
    assert repository is not None
    put_git_first(tmp_path / "bin", "exec sleep {long}\n", monkeypatch, long=str(MUCH_LONGER))
    slow = replace(repository, env=dict(os.environ))
    monkeypatch.setattr(git_process, "CEILING", 0.2)
    with pytest.raises(TooSlowError, match="rev-parse took too long"):
        run_git(("rev-parse",), cwd=work.path, env=os.environ)
    with Blobs(slow) as blobs, pytest.raises(TooSlowError, match="cat-file took too long"):
        blobs.content(oid, limit=1000)
    monkeypatch.setattr(git_process, "CEILING", 2 * MUCH_LONGER)
    monkeypatch.setattr(git, "_IGNORED_SECONDS", 0.2)
    assert not is_ignored(slow, "other.txt")


@needs_scripts
def test_git_is_asked_once_where_a_named_repository_is_also_if_it_does_not_answer(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "calls"
    script = 'echo "$*" >>{log}\nexec sleep {long}\n'
    put_git_first(tmp_path / "bin", script, monkeypatch, log=str(log), long=str(MUCH_LONGER))
    monkeypatch.setattr(roots, "TOP_SECONDS", 0.2)
    named = {**os.environ, "GIT_DIR": str(work.path / ".git")}
    with pytest.raises(ChangesError, match="took too long"):
        named_root(named)
    for _ in range(3):
        assert root_of(work.path, named) == work.path.resolve()
    assert len(log.read_text().splitlines()) == 1


@needs_scripts
def test_renames_are_looked_for_among_documents_alone_and_with_a_limit(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.record("report.md", quoting(WORDS))
    work.record("old.md", quoting(WORDS))
    work.git("rm", "--quiet", "old.md")
    work.stage("new.md", "Other words.\n")
    log = tmp_path / "calls"
    put_git_first(
        tmp_path / "bin", 'echo "$*" >>{log}\nexec {git} "$@"\n', monkeypatch, log=str(log)
    )
    check(work, "--changed")
    check(work, "--diff-base", "HEAD")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "HEAD")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    check(work, "--changed")
    diffs = [call.split() for call in log.read_text().splitlines() if " diff-" in call]
    assert len(diffs) == 5  # between the commits nothing is gone, so nothing was renamed
    for call in diffs:
        documents = [part for part in call[call.index("--") :] if part.startswith(":(top,icase)*.")]
        assert "--no-renames" in call or ("-l400" in call and documents), call


def _moved(work: Work, count: int, suffix: str, text: Callable[[int], str]) -> None:
    """Record *count* files; then stage that they are gone, and others of which nobody can tell what they were."""
    for number in range(count):
        work.write(f"old-{number}{suffix}", text(number))
    work.git("add", ".")
    work.commit()
    for number in range(count):
        (work.path / f"old-{number}{suffix}").unlink()
        work.write(f"new-{number}{suffix}", f"{text(count + number)}{number}\n")
    work.git("add", "--all", ".")


@pytest.mark.parametrize(("suffix", "said"), [(".md", True), (".MD", True), (".py", False)])
def test_too_many_renamed_documents_are_told_by_a_note(work: Work, suffix: str, said: bool) -> None:
    _moved(work, MANY, suffix, lambda number: f"{number} {number**7}\n")
    changes = staged()
    assert len(changes.sides[0]) == 2 * MANY
    assert any("renamed documents count as new" in note for note in changes.notes) is said


def test_no_note_where_all_renames_could_be_found(work: Work) -> None:
    _moved(work, MANY - 1, ".md", lambda number: f"{number} {number**7}\n")
    assert staged().notes == ()
