"""The user's own settings in the work tree: they say no more than a repository may say."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_work import Work, isolated_git, make_work
from ran_in import Ran, lint_here

__all__ = ["isolated_git"]

REACH = {
    "allow-host": 'allow-host = ["intranet.corp.org"]',
    "connect-to": 'connect-to = ["a.org:443:127.0.0.1:8443"]',
    "proxy": 'proxy = "http://127.0.0.1:3128"',
    "cafile": 'cafile = "ca.pem"',
    "cache-dir": 'cache-dir = "/tmp/x"',
    "headers-from-env": '[hosts."a.org"]\nheaders-from-env = {Authorization = "PATH"}',
}
COMMANDS = [
    ("report.md",),
    (),
    ("--all", "--offline"),
    ("audit", "calls.jsonl"),
    ("baseline", "create"),
    ("cache", "stats"),
    ("cache", "dir"),
    ("check-report", "report.md"),
    ("config", "show"),
    ("verify-notes", "notes.txt"),
    ("verify-urls", "trace.jsonl"),
]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """A repository with a home in it that holds settings, and a home beside it that does."""
    for name in ("XDG_CONFIG_HOME", "TRACECITE_LINT_USER_CONFIG", "TRACECITE_LINT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    work = make_work(tmp_path / "clone")
    work.stage("report.md", "# Nothing is quoted\n")
    work.stage("calls.jsonl", "")
    for home in (work.path / "home", tmp_path / "home"):
        (home / ".config" / "tracecite-lint").mkdir(parents=True)
        settings(home).write_text(REACH["allow-host"])
    return work


def settings(home: Path) -> Path:
    return home / ".config" / "tracecite-lint" / "config.toml"


def lint(work: Work, *arguments: str, **variables: str) -> Ran:
    return lint_here(work.path, *arguments, **variables)


def assert_refused(done: Ran, key: str = "allow-host") -> None:
    assert (done.status, done.out) == (1, ""), done
    assert f"{key!r} cannot be set by" in done.err or f".{key} cannot be set by" in done.err
    assert "a file outside of it that TRACECITE_LINT_USER_CONFIG names" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_home_in_the_repository_widens_reach_for_no_command(clone, command):
    assert_refused(lint(clone, *command, HOME=str(clone.path / "home")))


@pytest.mark.parametrize("key", REACH)
def test_a_home_in_the_repository_sets_nothing_that_a_repository_may_not(clone, key):
    settings(clone.path / "home").write_text(REACH[key])
    assert_refused(lint(clone, "config", HOME=str(clone.path / "home")), key)


def variables(clone: Work, way: str) -> dict[str, str]:
    """Return the environment in which the settings are found through the repository in this *way*."""
    inner, outer = clone.path / "home", clone.path.parent / "home"
    match way:
        case "XDG_CONFIG_HOME":
            return {"HOME": str(outer), "XDG_CONFIG_HOME": str(inner / ".config")}
        case "a relative name in TRACECITE_LINT_USER_CONFIG":
            name = settings(inner).relative_to(clone.path)
            return {"HOME": str(outer), "TRACECITE_LINT_USER_CONFIG": str(name)}
        case "a link into the repository":
            settings(outer).unlink()
            settings(outer).symlink_to(settings(inner))
        case "a folder that is a link into the repository":
            return {"HOME": str(moved(outer / ".config", inner / ".config").parent)}
        case "a home that is a link into the repository":
            return {"HOME": str(moved(outer, inner))}
        case "a link out of the repository":
            settings(inner).unlink()
            settings(inner).symlink_to(settings(outer))
            return {"HOME": str(inner)}
    return {"HOME": str(outer)}


def moved(folder: Path, target: Path) -> Path:
    folder.rename(folder.with_name("moved"))
    folder.symlink_to(target)
    return folder


@pytest.mark.parametrize(
    "way",
    [
        "XDG_CONFIG_HOME",
        "a relative name in TRACECITE_LINT_USER_CONFIG",
        "a link into the repository",
        "a folder that is a link into the repository",
        "a home that is a link into the repository",
        "a link out of the repository",
    ],
)
def test_settings_that_are_found_through_the_repository_are_its_own(clone, way):
    assert_refused(lint(clone, "report.md", **variables(clone, way)))


def test_settings_in_the_repository_may_say_what_a_repository_may(clone):
    settings(clone.path / "home").write_text("ttl = 5")
    done = lint(clone, "config", HOME=str(clone.path / "home"))
    assert done.err == ""
    assert f"ttl = 5.0  # {settings(clone.path / 'home')}" in done.out.splitlines()


def test_a_home_beside_the_repository_is_the_users(clone):
    done = lint(clone, "report.md", HOME=str(clone.path.parent / "home"))
    assert (done.status, done.err) == (0, "")


def test_a_file_that_is_named_by_its_absolute_path_is_the_users(clone):
    named = str(settings(clone.path / "home"))
    done = lint(clone, "report.md", HOME=str(clone.path), TRACECITE_LINT_USER_CONFIG=named)
    assert (done.status, done.err) == (0, "")


def test_outside_of_git_ones_home_may_be_the_working_directory(clone):
    home = clone.path.parent / "home"
    (home / "report.md").write_text("# Nothing is quoted\n")
    done = lint(Work(home), "report.md", HOME=str(home))
    assert (done.status, done.err) == (0, "")


def test_a_settings_file_that_is_a_link_out_of_the_repository_is_not_read(clone):
    secret = clone.path.parent / "secret.toml"
    secret.write_text('hunter2 = "password"')
    (clone.path / ".tracecite-lint.toml").symlink_to(secret)
    done = lint(clone, "report.md", HOME=str(clone.path.parent / "home"))
    assert done.status == 1
    assert "lies outside the repository" in done.err
    assert "hunter2" not in done.err
    (clone.path / ".tracecite-lint.toml").unlink()
    clone.write("shared/settings.toml", "ttl = 5")
    (clone.path / ".tracecite-lint.toml").symlink_to("shared/settings.toml")
    assert lint(clone, "report.md", HOME=str(clone.path.parent / "home")).status == 0
