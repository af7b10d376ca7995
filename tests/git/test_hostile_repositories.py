"""A repository of a stranger: whatever it holds, no command of its configuration runs, and nothing outside it is read.

Each attack leaves a file behind if a command runs. The real command runs in real repositories.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from git_work import Work, make_work, quoting
from lsp_editor import editor, vs_code

WORDS = "the words that stand in the source"
OTHER = "some other words that stand there"
THIRD = "and a third sentence of it"
TOKEN = "hunter2-is-the-token-of-the-victim"

RUNS = (
    [],
    ["--changed"],
    ["--changed", "report.md"],
    ["--diff-base", "HEAD~1"],
    ["--all"],
    ["report.md"],
)
"""The ways in which documents are chosen."""
FROM_GIT = RUNS[:2] + RUNS[3:4]
"""Those that read contents from git."""


class Trap:
    """A program that leaves a mark when it is run."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.mark = folder / "ran"
        self.program = folder / "trap"
        self.program.write_text(f'#!/bin/sh\necho "$0 $*" >>{self.mark}\nexit 1\n')
        self.program.chmod(0o755)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.setblocking(False)

    @property
    def host(self) -> str:
        """A host that nobody may connect to, with its port."""
        return f"127.0.0.1:{self.server.getsockname()[1]}"

    def assert_untouched(self) -> None:
        assert not self.mark.exists(), self.mark.read_text()
        with pytest.raises(BlockingIOError):
            self.server.accept()


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    trap = Trap(tmp_path / "trap")
    with trap.server:
        yield trap


@pytest.fixture(params=["as it is", "without GIT_NO_LAZY_FETCH"])
def any_git(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The installed git, and one that is too old to know GIT_NO_LAZY_FETCH."""
    kind: str = request.param
    if kind != "as it is":
        wrapper = tmp_path / "bin" / "git"
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec {shutil.which("git")} "$@"\n')
        wrapper.chmod(0o755)
        monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    return kind


def run(cwd: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    """Run the installed command."""
    command = Path(sys.executable).with_name("tracecite-lint")
    return subprocess.run(
        [str(command), *args],
        cwd=cwd,
        env=os.environ | (env or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def run_in_all_ways(
    cwd: Path, trap: Trap, env: dict[str, str] | None = None, runs: Iterable[list[str]] = RUNS
) -> str:
    """Run the command in every way; return all that it said."""
    said = ""
    for args in runs:
        done = run(cwd, *args, env=env)
        assert "internal error" not in done.stderr, (args, done.stderr)
        assert done.returncode in (0, 1, 2), (args, done.stderr)
        said += done.stdout + done.stderr
        trap.assert_untouched()
    return said


def verdicts(cwd: Path, *args: str, env: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """Return quotation and verdict of what the command checked."""
    done = run(cwd, *args, "--format", "json", env=env)
    assert done.stdout, done.stderr
    return [
        (item["quote"], item["code"] or item["verdict"])
        for item in json.loads(done.stdout)["citations"]
    ]


def with_history(work: Work) -> None:
    """Record two versions of a report and of its source, and stage a third of both."""
    for words in (WORDS, OTHER, THIRD):
        work.stage("data.txt", f"{WORDS} {OTHER} {words}\n")
        work.stage("report.md", quoting(WORDS, words, source="data.txt"))
        if words != THIRD:
            work.commit()


def drop_blobs(git_dir: Path, work: Work) -> None:
    """Delete every blob, as if the repository were a partial clone."""
    for line in work.git(
        f"--git-dir={git_dir}", "cat-file", "--batch-check", "--batch-all-objects"
    ).splitlines():
        oid, kind, _ = line.split()
        if kind == "blob":
            (git_dir / "objects" / oid[:2] / oid[2:]).unlink()


# -- nothing is fetched ----------------------------------------------------------------------------

ALWAYS = '[protocol "{0}"]\n allow = always\n'
TRANSPORTS = {
    "upload-pack": "url = .\n uploadpack = {trap}\n",
    "file": "url = file:///\n uploadpack = {trap}\n[protocol]\n allow = always\n",
    "ext": 'url = "ext::{trap} %S"\n' + ALWAYS.format("ext"),
    "ssh": "url = ssh://host.invalid/x\n[core]\n sshCommand = {trap}\n" + ALWAYS.format("ssh"),
    "scp-like": "url = host.invalid:x\n[core]\n sshCommand = {trap}\n",
    "git": "url = git://{host}/x\n" + ALWAYS.format("git"),
    "git-proxy": "url = git://host.invalid/x\n[core]\n gitProxy = {trap}\n",
    "http": "url = http://user@{host}/x\n[credential]\n helper = {trap}\n" + ALWAYS.format("http"),
    "helper": 'url = x\n vcs = none\n[alias]\n remote-none = "!{trap}"\n' + ALWAYS.format("none"),
    "instead-of": 'url = none:x\n[url "ext::{trap} "]\n insteadOf = "none:"\n'
    + ALWAYS.format("ext"),
}
"""Remotes from which git would fetch what it lacks, each with what it would run or connect to."""


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_nothing_is_fetched(work: Work, trap: Trap, any_git: str, transport: str) -> None:
    with_history(work)
    drop_blobs(work.path / ".git", work)
    with (work.path / ".git" / "config").open("a") as config:
        config.write(
            '[extensions]\n partialClone = evil\n[remote "evil"]\n promisor = true\n '
            + TRANSPORTS[transport].format(trap=trap.program, host=trap.host)
        )
    said = run_in_all_ways(work.path, trap, runs=FROM_GIT)
    assert "git cannot read the object" in said


def bare_looking_folder(work: Work, config: str) -> Path:
    """Return `docs` in a clone of *work*: files that amount to a repository, with *config*, and without its blobs."""
    with_history(work)
    inside = work.path / "docs"
    work.git("init", "--quiet", "--bare", "docs")
    for words in (WORDS, OTHER, THIRD):
        work.write("docs/report.md", quoting(WORDS, words, source="data.txt"))
        for name in ("docs/report.md", "data.txt"):
            work.git("--git-dir=docs", "--work-tree=.", "add", "--force", name)
        if words != THIRD:
            work.git("--git-dir=docs", "--work-tree=.", "commit", "-qm", "x")
    drop_blobs(inside, work)
    (inside / "config").write_text(f"[core]\n repositoryFormatVersion = 0\n bare = false\n{config}")
    for folder in ("objects", "refs"):
        (inside / folder / "kept").touch()
    shutil.rmtree(inside / "hooks", ignore_errors=True)
    work.git("add", "--force", "docs")
    work.commit()
    clone = work.path.with_name("clone")
    work.git("clone", "--quiet", str(work.path), str(clone))
    return clone / "docs"


def test_a_folder_that_looks_like_a_repository_is_a_folder(
    work: Work, trap: Trap, any_git: str
) -> None:
    docs = bare_looking_folder(
        work,
        ' worktree = ..\n[extensions]\n partialClone = evil\n[remote "evil"]\n promisor = true\n'
        f" url = .\n uploadpack = {trap.program}\n",
    )
    run_in_all_ways(docs, trap)
    Work(docs.parent).stage("docs/report.md", quoting(OTHER, source="../data.txt"))
    assert (OTHER, "verified") in verdicts(docs)
    # By name it is refused aloud: what lies in a directory of git's may be a secret of its owner.
    for args in (["--all"], ["."], ["report.md"]):
        done = run(docs, *args)
        assert (done.returncode, "git's own" in done.stdout + done.stderr) == (1, True), args


# -- nothing is run --------------------------------------------------------------------------------

PROGRAMS = """
[core]
 fsmonitor = {trap}
 pager = {trap}
 editor = {trap}
 askPass = {trap}
 sshCommand = {trap}
 gitProxy = {trap}
 hooksPath = {hooks}
 alternateRefsCommand = {trap}
 untrackedCache = true
 splitIndex = true
[sequence]
 editor = {trap}
[pager]
 rev-parse = {trap}
 diff-index = {trap}
 diff-tree = {trap}
 grep = {trap}
 ls-files = {trap}
 cat-file = {trap}
[alias]
 rev-parse = "!{trap}"
 diff-index = "!{trap}"
 diff-tree = "!{trap}"
 grep = "!{trap}"
 ls-files = "!{trap}"
 cat-file = "!{trap}"
 merge-base = "!{trap}"
[credential]
 helper = {trap}
[gpg]
 program = {trap}
[log]
 showSignature = true
[diff]
 external = {trap}
[diff "bad"]
 textconv = {trap}
 command = {trap}
[filter "bad"]
 clean = {trap}
 smudge = {trap}
 process = {trap}
 required = true
[merge "bad"]
 driver = {trap}
[uploadpack]
 packObjectsHook = {trap}
[gc]
 auto = 1
[maintenance]
 auto = true
[trace2]
 normalTarget = {mark}
 eventTarget = {mark}
 perfTarget = {mark}
[submodule]
 recurse = true
[submodule "sub"]
 update = "!{trap}"
[diff]
 ignoreSubmodules = none
[status]
 submoduleSummary = true
"""
HOOKS = (
    "post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman",
    "pre-auto-gc", "sendemail-validate", "proc-receive", "push-to-checkout",
)  # fmt: skip


def programs(trap: Trap) -> str:
    """Return a configuration that names the trap for all that git runs, and set it as each hook."""
    hooks = trap.program.with_name("hooks")
    hooks.mkdir()
    for name in HOOKS:
        shutil.copy(trap.program, hooks / name)
    return PROGRAMS.format(trap=trap.program, mark=trap.mark, hooks=hooks)


def for_the_repository(work: Work, text: str) -> dict[str, str]:
    with (work.path / ".git" / "config").open("a") as config:
        config.write(text)
    return {}


def for_an_included_file(work: Work, text: str) -> dict[str, str]:
    work.write("settings", text)
    return for_the_repository(work, "[include]\n path = ../settings\n")


def for_a_file_included_on_condition(work: Work, text: str) -> dict[str, str]:
    work.write("settings", text)
    return for_the_repository(work, '[includeIf "gitdir:**"]\n path = ../settings\n')


def for_one_work_tree(work: Work, text: str) -> dict[str, str]:
    work.write(".git/config.worktree", text)
    return for_the_repository(
        work, "[core]\n repositoryFormatVersion = 1\n[extensions]\n worktreeConfig = true\n"
    )


def for_the_user(work: Work, text: str) -> dict[str, str]:
    with Path(os.environ["GIT_CONFIG_GLOBAL"]).open("a") as config:
        config.write(text)
    return {}


def for_the_system(work: Work, text: str) -> dict[str, str]:
    path = work.path.with_name("system-settings")
    path.write_text(text)
    return {"GIT_CONFIG_SYSTEM": str(path), "GIT_CONFIG_NOSYSTEM": "0"}


def for_the_environment(work: Work, text: str) -> dict[str, str]:
    path = work.write("settings", text)
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "include.path",
        "GIT_CONFIG_VALUE_0": str(path),
    }


def for_a_command_line(work: Work, text: str) -> dict[str, str]:
    path = work.write("settings", text)
    return {"GIT_CONFIG_PARAMETERS": f"'include.path={path}'"}


@pytest.mark.parametrize(
    "place",
    [
        for_the_repository, for_an_included_file, for_a_file_included_on_condition, for_one_work_tree,
        for_the_user, for_the_system, for_the_environment, for_a_command_line,
    ],
)  # fmt: skip
def test_no_program_of_a_configuration_runs(
    work: Work, trap: Trap, place: Callable[[Work, str], dict[str, str]]
) -> None:
    work.stage(".gitattributes", "* diff=bad filter=bad merge=bad text\n")
    with_history(work)
    for name in HOOKS:
        shutil.copy(trap.program, work.path / ".git" / "hooks" / name)
    env = place(work, programs(trap))
    (work.path / "data.txt").touch()  # so that git would have to look at it anew
    run_in_all_ways(work.path, trap, env, (*FROM_GIT, ["--all"]))
    assert (THIRD, "verified") in verdicts(work.path, env=env)
    trap.assert_untouched()


def test_no_program_of_a_submodule_runs(work: Work, trap: Trap, tmp_path: Path) -> None:
    make_work(tmp_path / "inner").record("report.md", quoting(WORDS))
    with_history(work)
    allowed = ("-c", "protocol.file.allow=always")
    work.git(*allowed, "submodule", "--quiet", "add", str(tmp_path / "inner"), "sub")
    work.commit()
    sub = Work(work.path / "sub")
    sub.stage("data.txt", f"{WORDS}\n")
    sub.stage("report.md", quoting(WORDS, source="data.txt"))
    with (work.path / ".git" / "modules" / "sub" / "config").open("a") as config:
        config.write(programs(trap))
    run_in_all_ways(work.path, trap)
    assert verdicts(sub.path) == [(WORDS, "verified")]
    run_in_all_ways(sub.path, trap)


SEAL = (
    "--no-pager", "core.fsmonitor=false", "core.hooksPath=/dev/null", "fetch.bundleURI=",
    "safe.bareRepository=explicit", "GIT_ALLOW_PROTOCOL=none-", "GIT_NO_LAZY_FETCH=1",
    "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0",
)  # fmt: skip


def test_every_call_of_git_is_sealed(work: Work, trap: Trap, tmp_path: Path) -> None:
    with_history(work)
    log = tmp_path / "calls"
    spy = tmp_path / "bin" / "git"
    spy.parent.mkdir()
    spy.write_text(
        f'#!/bin/sh\necho "$*" $(env | grep ^GIT_) >>{log}\nexec {shutil.which("git")} "$@"\n'
    )
    spy.chmod(0o755)
    opened = {
        "PATH": f"{spy.parent}:{os.environ['PATH']}",
        "GIT_ALLOW_PROTOCOL": "file:ext",
        "GIT_NO_LAZY_FETCH": "0",
        "GIT_TERMINAL_PROMPT": "1",
    }
    run_in_all_ways(work.path, trap, opened)
    refs = {"PRE_COMMIT_FROM_REF": "HEAD~1", "PRE_COMMIT_TO_REF": "HEAD"}
    run_in_all_ways(work.path, trap, opened | refs, [["--changed"]])
    calls = log.read_text().splitlines()
    assert len(calls) > 20
    assert [(call, part) for call in calls for part in SEAL if part not in call] == []


@pytest.mark.skipif(os.name == "nt", reason="a script that looks like a program")
def test_a_program_in_the_repository_is_not_taken_for_git(work: Work, trap: Trap) -> None:
    with_history(work)
    shutil.copy(trap.program, work.path / "git")
    for path in (f".:{os.environ['PATH']}", f":{os.environ['PATH']}"):
        run_in_all_ways(work.path, trap, {"PATH": path}, RUNS[:1])


# -- nothing outside is read -----------------------------------------------------------------------


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the victim's, outside of every repository, whose words resemble a quotation."""
    path = tmp_path / "secret.txt"
    path.write_text(f"{WORDS} {TOKEN}\n")
    return path


def reading_outside(secret: Path) -> str:
    """Return a report of which every way of naming *secret* would show the closest passage."""
    sources = (
        str(secret),
        secret.as_uri(),
        "../secret.txt",
        "../../secret.txt",
        "../../../secret.txt",
    )
    return "".join(quoting(f"{WORDS} hunter2", source=source) for source in sources)


def test_a_folder_that_looks_like_a_repository_does_not_widen_the_root(
    work: Work, trap: Trap, secret: Path
) -> None:
    docs = bare_looking_folder(work, " worktree = /\n")
    report = docs / "report.md"
    report.write_text(reading_outside(secret))
    (docs / "info").mkdir(exist_ok=True)
    (docs / "info" / "exclude").write_text("*\n")
    index = {"GIT_DIR": str(docs), "GIT_WORK_TREE": "/"}
    Work(docs).git("add", "--force", str(report), env=index)
    Work(docs).git("add", "--force", "report.md")
    said = run_in_all_ways(docs, trap)
    assert "URL_BLOCKED" in said
    assert TOKEN not in said


@pytest.mark.parametrize("work_tree", ["/", "../..", "../docs", "/nowhere"])
def test_core_worktree_does_not_move_the_root(
    work: Work, trap: Trap, secret: Path, work_tree: str
) -> None:
    work.record("docs/report.md", quoting(WORDS, source="data.txt"))
    work.stage("docs/report.md", reading_outside(secret) + quoting(WORDS, source="/data.txt"))
    work.stage("report.md", reading_outside(secret))
    work.stage("data.txt", WORDS)
    work.write(".git/info/exclude", "*\n")
    work.git("config", "core.worktree", work_tree)
    for folder in (work.path, work.path / "docs"):
        said = run_in_all_ways(folder, trap, runs=([], ["--changed"], ["--all"], ["report.md"]))
        assert "URL_BLOCKED" in said
        assert TOKEN not in said
        for args in ([], ["--all", "--no-baseline"], [str(work.path / "docs" / "report.md")]):
            assert (WORDS, "verified") in verdicts(folder, *args), args


@pytest.mark.parametrize("kind", ["gitdir", "commondir"])
def test_a_planted_link_does_not_widen_the_root(
    work: Work, trap: Trap, secret: Path, kind: str
) -> None:
    """A `.git` file leads to the files of a work tree that lies elsewhere, as that of a linked work tree does."""
    with_history(work)
    planted = Work(work.path.with_name("planted"))
    work.git("worktree", "add", "--quiet", "--detach", str(planted.path))
    planted.stage("report.md", reading_outside(secret))
    private = work.path / ".git" / "worktrees" / "planted"
    if kind == "gitdir":
        (private / "gitdir").write_text("/.git\n")
        planted.write(".git", f"gitdir: {private}\n")
    else:
        inside = planted.path / "meta"
        shutil.copytree(private, inside)
        (inside / "commondir").write_text(f"{work.path / '.git'}\n")
        planted.write(".git", "gitdir: meta\n")
    work.git("config", "core.worktree", "/")
    with (work.path / ".git" / "config").open("a") as config:
        config.write(programs(trap))
    said = run_in_all_ways(planted.path, trap, runs=RUNS[:2] + RUNS[4:])
    assert "URL_BLOCKED" in said
    assert TOKEN not in said


LINES, SETTINGS, VALUES = (
    "{0} {0}\n{0}\n",
    "[core]\nbare = {0}\n{0}\n",
    "[core]\nbigFileThreshold = {0}\n",
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *((name, LINES) for name in ("HEAD", "MERGE_HEAD", "index", "packed-refs", "shallow")),
        *((name, LINES) for name in ("objects/info/alternates", "info/exclude", "refs/heads/main")),
        *(("config", content) for content in (LINES, SETTINGS, VALUES)),
    ],
)
def test_no_word_of_a_file_is_shown_that_git_is_led_to(
    work: Work, trap: Trap, secret: Path, name: str, content: str
) -> None:
    with_history(work)
    secret.write_text(content.format(TOKEN))
    path = work.path / ".git" / name
    path.unlink(missing_ok=True)
    path.symlink_to(secret)
    assert TOKEN not in run_in_all_ways(work.path, trap, runs=FROM_GIT[1:])


@pytest.mark.parametrize("stray", ["folder", "file", "link"])
async def test_a_stray_git_is_passed_over_in_the_same_way_everywhere(
    work: Work, stray: str
) -> None:
    docs = work.path / "docs"
    work.stage("data.txt", WORDS)
    work.stage("docs/report.md", quoting(WORDS, OTHER, source="../data.txt"))
    match stray:
        case "folder":
            (docs / ".git").mkdir()
        case "file":
            (docs / ".git").touch()
        case "link":
            (docs / ".git").write_text("gitdir: nowhere\n")
    expected = [(WORDS, "verified"), (OTHER, "QUOTE_NOT_IN_SOURCE")]
    for args in ([], ["--changed"], ["--all"], ["."], ["report.md"]):
        assert verdicts(docs, *args) == expected, args
    async with editor(vs_code(), folder=docs) as session:
        uri = (docs / "report.md").as_uri()
        session.open(uri, (docs / "report.md").read_text())
        await session.marks(uri, ["QUOTE_NOT_IN_SOURCE"])


async def test_the_editor_runs_nothing_and_reads_nothing_outside(
    work: Work, trap: Trap, secret: Path
) -> None:
    settings = "[core]\n worktree = /\n" + programs(trap)
    docs = bare_looking_folder(work, settings)
    for_the_repository(Work(docs.parent), settings)
    trap.mark.unlink(missing_ok=True)  # the setup itself ran into it
    report = docs / "report.md"
    report.write_text(reading_outside(secret))
    missing, blocked = "SOURCE_UNAVAILABLE", "URL_BLOCKED"
    expected = [missing, blocked, missing, blocked, blocked]  # two of them lie in the clone
    async with editor(vs_code(), folder=docs) as session:
        session.open(report.as_uri(), report.read_text())
        shown = await session.marks(report.as_uri(), expected)
    assert TOKEN not in str(shown)
    trap.assert_untouched()
