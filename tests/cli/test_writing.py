"""What is written, and where: never through a link of the work tree, never into git's own directories."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from git_work import make_work

ROOT = Path(__file__).parents[2]
SOURCE = "The quick brown fox jumps over the lazy dog.\n"
WRONG = "“The quick brown fax jumps over the lazy dog” ([s](source.txt))\n"
RIGHT = WRONG.replace("fax", "fox")
EVENTS = (ROOT / "fixtures" / "traces" / "codex.jsonl").read_text("utf-8")
CALLS = (ROOT / "fixtures" / "calls" / "normalized.jsonl").read_text("utf-8")


@pytest.fixture
def repository(tmp_path):
    """A clone at tmp_path/repository, beside a folder that it has no business in."""
    work = make_work(tmp_path / "repository")
    work.write("source.txt", SOURCE)
    work.write("report.md", WRONG)
    work.write("calls.jsonl", CALLS)
    work.write("events.jsonl", EVENTS)
    work.git("add", "report.md", "source.txt")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept\n")
    return work


def states(*folders: Path) -> dict[Path, object]:
    """Return the content, or the target, of every file below *folders*."""
    return {
        path: path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
        for folder in folders
        for path in folder.rglob("*")
    }


# What a repository names, or a default decides.
SET_UP = {
    "lock": ('lock = "{}"', ("report.md",)),
    "baseline": ('baseline = "{}"', ("baseline", "create")),
}
# What the person at the keyboard names.
NAMED = {
    "--lock": ("report.md", "--lock", "{}"),
    "--baseline": ("baseline", "create", "--baseline", "{}"),
    "--output-file": ("report.md", "--output-file", "{}"),
    "audit --output-file": ("audit", "calls.jsonl", "--output-file", "{}"),
    "trace --output-file": ("trace", "events.jsonl", "--from", "codex", "--output-file", "{}"),
}
WRITERS = [*SET_UP, *NAMED]


def command(writer: str, name: str, work) -> tuple[str, ...]:
    """Return the arguments with which *writer* writes the file *name*, after its settings were written."""
    if writer in SET_UP:
        settings, arguments = SET_UP[writer]
        work.write(".tracecite-lint.toml", settings.format(name))
        return arguments
    return tuple(argument.format(name) for argument in NAMED[writer])


def link(path: Path, target: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)


PLACES = {
    "a link to a file outside": (
        "out.json",
        lambda top: link(top / "out.json", "../outside/kept.txt"),
    ),
    "a link to nothing outside": ("out.json", lambda top: link(top / "out.json", "../outside/new")),
    "a link to git's hooks": (
        "out.json",
        lambda top: link(top / "out.json", ".git/hooks/pre-commit"),
    ),
    "a link to a file beside it": ("out.json", lambda top: link(top / "out.json", "source.txt")),
    "a link to a link": (
        "a/out.json",
        lambda top: (link(top / "a" / "out.json", "b"), link(top / "a" / "b", "../../outside/new")),
    ),
    "a folder that is a link": ("a/new", lambda top: link(top / "a", "../outside")),
    "a folder that is a link to git's": ("a/new", lambda top: link(top / "a", ".git/hooks")),
    "git's hooks": (".git/hooks/new", lambda top: None),
    "git's configuration": (".git/config", lambda top: None),
    "git's directory under another name": (
        ".bare/hooks/new",
        lambda top: subprocess.run(
            ["git", "init", "-q", "--separate-git-dir", ".bare"], cwd=top, check=True
        ),
    ),
    "the file that says where git's directory is": (
        ".git",
        lambda top: subprocess.run(
            ["git", "init", "-q", "--separate-git-dir", "../gits"], cwd=top, check=True
        ),
    ),
    "a submodule's directory": (
        "a/.git",
        lambda top: subprocess.run(["git", "init", "-q", "a"], cwd=top, check=True),
    ),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_written_where_it_may_not_be(lint, repository, writer, place):
    name, prepare = PLACES[place]
    prepare(repository.path)
    arguments = command(writer, name, repository)
    before = states(repository.path.parent)
    ran = lint(*arguments, cwd=repository.path)
    assert ran.status == 1, ran
    assert ran.err.startswith("tracecite-lint: error: ")
    assert ran.err.count("\n") == 1
    assert states(repository.path.parent) == before


@pytest.mark.parametrize("writer", NAMED)
def test_a_person_may_name_a_file_elsewhere_and_a_link_of_their_own(lint, repository, writer):
    outside = repository.path.parent / "outside"
    (outside / "mine").symlink_to(outside / "deep")
    (outside / "deep").mkdir()
    ran = lint(*command(writer, str(outside / "mine" / "new.txt"), repository), cwd=repository.path)
    assert ran.err == ""
    assert (outside / "deep" / "new.txt").stat().st_size
    assert (outside / "mine").is_symlink()


@pytest.mark.parametrize("writer", SET_UP)
def test_a_repository_may_name_a_file_of_its_own(lint, repository, writer):
    (repository.path / "runs").mkdir()
    ran = lint(*command(writer, "runs/new.json", repository), cwd=repository.path)
    assert (ran.err, ran.status) == ("", 2 if writer == "lock" else 0)
    assert (repository.path / "runs" / "new.json").read_text().startswith("{")


def test_the_baseline_that_nobody_named_is_no_link(lint, repository):
    link(repository.path / ".tracecite-baseline.json", "../outside/new.json")
    before = states(repository.path.parent)
    ran = lint("baseline", "create", cwd=repository.path)
    assert (ran.status, states(repository.path.parent)) == (1, before)
    assert "is a symbolic link in the work tree; name the file that it leads to" in ran.err
    assert lint("report.md", cwd=repository.path).status == 1


@pytest.mark.parametrize("writer", [*SET_UP, "the default"])
def test_a_repository_names_no_pipe(lint, repository, writer):
    name = ".tracecite-baseline.json" if writer == "the default" else "pipe"
    os.mkfifo(repository.path / name)
    if writer != "the default":
        command(writer, name, repository)
    ran = lint("report.md", cwd=repository.path)
    assert (ran.status, ran.out) == (1, "")
    assert "no regular file" in ran.err


SECRET = (
    '{"version": 1, "findings": [{"password": "hunter2"}], "citations": [{"token": "hunter2"}]}'
)


@pytest.mark.parametrize("setting", ["lock", "baseline", "manifest"])
@pytest.mark.parametrize("name", ["secret.json", "a/secret.json"])
def test_a_file_that_a_repository_names_is_read_through_no_link(lint, repository, setting, name):
    secret = repository.path.parent / "outside" / "secret.json"
    secret.write_text(SECRET)
    link(repository.path / "secret.json", "../outside/secret.json")
    link(repository.path / "a", "../outside")
    repository.write(".tracecite-lint.toml", f'{setting} = "{name}"')
    ran = lint("calls.jsonl", "report.md", cwd=repository.path)
    audited = lint("audit", "calls.jsonl", cwd=repository.path)
    assert "symbolic link in the work tree" in (ran.out + ran.err)
    assert "hunter2" not in ran.out + ran.err + audited.out + audited.err
    assert setting != "manifest" or "symbolic link in the work tree" in audited.err


def test_a_manifest_lies_relative_to_the_root_of_the_repository(lint, repository):
    repository.write("runs/run.json", (ROOT / "fixtures/calls/manifest.json").read_bytes())
    repository.write("tracecite-lint.toml", 'manifest = "runs/run.json"')
    (repository.path / "deep").mkdir()
    ran = lint("audit", "../calls.jsonl", cwd=repository.path / "deep")
    assert (ran.status, "coverage: 4 of 4" in ran.out) == (0, True), ran


@pytest.mark.parametrize("device", ["/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("writer", ["--output-file", "audit --output-file"])
def test_a_device_is_written_to(started, repository, writer, device):
    ran = started(*command(writer, device, repository), cwd=repository.path)
    assert ran.err == ""
    assert bool(ran.out) is (device != "/dev/null")


def test_stdout_that_is_a_file_is_gone_on_with(repository):
    report = repository.path.parent / "report.txt"
    program = f"{sys.executable} -m tracecite_lint report.md --output-file /dev/stdout"
    subprocess.run(
        ["sh", "-c", f"(echo before; {program}; echo after) > {report}"],
        cwd=repository.path,
        check=False,
    )
    before, *lines, after = report.read_text().splitlines()
    assert (before, after) == ("before", "after")
    assert any("QUOTE_NOT_IN_SOURCE" in line for line in lines)


def test_a_pipe_that_a_person_names_is_written_to(lint, repository):
    pipe = repository.path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    lint("report.md", "--output-file", "pipe", cwd=repository.path)
    reader.join(30)
    assert "QUOTE_NOT_IN_SOURCE" in read[0]
    assert pipe.is_fifo()


def test_a_report_at_the_top_of_the_file_system_may_go_to_stdout(started, tmp_path):
    (tmp_path / "plain.md").write_text("# Nothing\n")
    ran = started(str(tmp_path / "plain.md"), "--output-file", "/dev/stdout", cwd=Path("/"))
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("writer", ["--output-file", "audit --output-file", "trace --output-file"])
def test_what_could_not_be_written_whole_is_not_written(repository, writer):
    repository.write("out.txt", "as it was\n")
    arguments = command(writer, "out.txt", repository)
    program = f'ulimit -f 0; exec {sys.executable} -B -m tracecite_lint "$@"'
    offline = ["--no-cache"] if writer == "--output-file" else []
    done = subprocess.run(
        ["sh", "-c", program, "sh", *arguments, *offline],
        cwd=repository.path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("tracecite-lint: error: --output-file out.txt: File too large")
    assert (repository.path / "out.txt").read_text() == "as it was\n"
    assert not list(repository.path.glob(".tracecite-*"))


def test_a_fix_goes_through_no_link_of_the_work_tree(lint, repository):
    outside = repository.path.parent / "outside"
    (outside / "source.txt").write_text(SOURCE)
    (outside / "report.md").write_text(WRONG)
    link(repository.path / "link.md", "report.md")
    link(repository.path / "out.md", "../outside/report.md")
    link(repository.path / "a", "../outside")
    for name in ("link.md", "out.md", "a/report.md"):
        before = states(repository.path.parent)
        ran = lint(name, "--fix", "--unsafe-fixes", cwd=repository.path)
        assert ran.status in (1, 2)  # 2: its sources are out of reach, so nothing is fixed
        assert states(repository.path.parent) == before
    ran = lint("link.md", "--fix", "--unsafe-fixes", cwd=repository.path)
    assert ran.status == 1
    assert "link.md is a symbolic link in the work tree; name the file that it" in ran.err


def test_no_file_is_fixed_if_one_of_them_may_not_be(lint, repository):
    repository.write("source/a.md", WRONG.replace("source.txt", "../source.txt"))
    link(repository.path / "link.md", "report.md")
    before = states(repository.path.parent)
    ran = lint("source/a.md", "link.md", "--fix", "--unsafe-fixes", cwd=repository.path)
    assert (ran.status, states(repository.path.parent)) == (1, before)


def test_a_fix_goes_through_no_link_of_another_work_tree(lint, repository):
    link(repository.path / "link.md", "report.md")
    before = states(repository.path.parent)
    ran = lint(
        str(repository.path / "link.md"),
        "--fix",
        "--unsafe-fixes",
        cwd=repository.path.parent / "outside",
    )
    assert (ran.status, states(repository.path.parent)) == (1, before)


def test_a_fix_goes_through_a_link_that_a_person_made_elsewhere(lint, repository):
    mine = repository.path.parent / "outside" / "mine"
    mine.symlink_to(repository.path)
    assert lint(str(mine / "report.md"), "--fix", "--unsafe-fixes", cwd=repository.path).status == 0
    assert (repository.path / "report.md").read_text() == RIGHT


def test_a_fix_changes_no_file_of_gits(lint, repository):
    repository.write(".git/source.txt", SOURCE)
    repository.write(".git/report.md", WRONG.replace("source.txt", "../source.txt"))
    ran = lint(".git/report.md", "--fix", "--unsafe-fixes", cwd=repository.path)
    assert ran.status == 1, ran
    assert "a file of git's own is not read" in ran.out
    assert "fax" in (repository.path / ".git" / "report.md").read_text()


def test_another_name_of_a_file_keeps_what_it_had(lint, repository):
    other = repository.path.parent / "outside" / "kept.txt"
    os.link(other, repository.path / "out.txt")
    lint("report.md", "--output-file", "out.txt", cwd=repository.path)
    assert "QUOTE_NOT_IN_SOURCE" in (repository.path / "out.txt").read_text()
    assert other.read_text() == "kept\n"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(lint, repository, mode):
    repository.write("out.txt", "old").chmod(mode)
    lint("report.md", "--output-file", "out.txt", cwd=repository.path)
    assert (repository.path / "out.txt").stat().st_mode & 0o777 == mode
    assert (repository.path / "out.txt").read_text() != "old"


@pytest.mark.parametrize("writer", NAMED)
def test_no_folder_is_made(lint, repository, writer):
    before = states(repository.path.parent)
    ran = lint(*command(writer, "no/such/new.txt", repository), cwd=repository.path)
    assert (ran.status, states(repository.path.parent)) == (1, before)
    assert "No such file or directory" in ran.err


def test_a_folder_whose_name_goes_up_again_is_followed_as_the_system_does(lint, repository):
    link(repository.path / "a", "../outside")
    before = states(repository.path.parent)
    ran = lint("report.md", "--output-file", "a/../new.txt", cwd=repository.path)
    assert (ran.status, states(repository.path.parent)) == (1, before)
