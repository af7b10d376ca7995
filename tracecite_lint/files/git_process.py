"""The one place where git is started: which program, with which settings and variables.

What is read may come from a stranger, its configuration included, and git has many ways to run what a configuration
names. So only commands that read are started, and none of them can fetch: a fetch would be the way to transports, remote
helpers and their commands. An object that is not there stays away, and the caller says so.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import regex
from tracecite_lint.light.processes import Finished, TimeIsUpError, run, start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from tracecite_lint.light.processes import Conversation

# What `git rev-parse --local-env-vars` lists: these tie git to one repository. A hook is started with some of them
# set (`git commit FILE` and linked worktrees need them), and they would mislead git in any other directory.
REPOSITORY_VARIABLES: Final = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)

# These change what the commands mean or print.
_BENDING_VARIABLES: Final = frozenset(
    {
        "GIT_DIFF_OPTS",
        "GIT_EXTERNAL_DIFF",
        "GIT_GLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
    }
)

_FIXED_VARIABLES: Final = {
    # No transport has this name, whatever `protocol.NAME.allow` says. It cannot be guessed, since a configuration could
    # otherwise name a remote helper so (`remote.NAME.vcs`) and define it as an alias.
    "GIT_ALLOW_PROTOCOL": f"none-{os.urandom(8).hex()}",
    # Git 2.45, and the security releases from 2.39.4 on, do not even try.
    "GIT_NO_LAZY_FETCH": "1",
    # `git status` and its like would write the index, beside a commit that is under way.
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "",
    # What git says is read here (`dubious ownership`), and shown in the language of all other messages.
    "LC_ALL": "C",
}

# Off unless the environment says otherwise: with these, `trace2.*` of a configuration writes no files.
_TRACES: Final = {"GIT_TRACE2": "0", "GIT_TRACE2_EVENT": "0", "GIT_TRACE2_PERF": "0"}

_FIXED_SETTINGS: Final = (
    # Its value may be a command, which git runs to learn which files have changed.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    # Git 2.40 to 2.44 ask it for objects before any transport is judged.
    "fetch.bundleURI=",
    "safe.bareRepository=explicit",
)

CEILING: Final = 60.0
"""Seconds that one command of git may take, whatever the deadline."""

_SHORTEST: Final = 1.0
"""Seconds that it always has: a run whose time is up still says what it has not read."""

_QUOTED: Final = regex(r"(\bline\b[^:]*): .*|(\bvalue) '.*?'(?= for |$)")


class ChangesError(TraceciteLintError):
    """What is new cannot be told: one line that says why, and `help` with the way out."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return f"{self.message}: {self.help}" if self.help else self.message


class TooSlowError(ChangesError):
    """A command of git that was ended because it took too long: asking in another way would only take longer."""

    def __init__(self, args: Sequence[str], seconds: float) -> None:
        command = next(arg for arg in args if not arg.startswith("-"))
        super().__init__(
            f"git {command} took too long: it was ended after {seconds:.0f} s",
            f"raise --max-time if it is shorter than {CEILING:.0f} s; see whether a file in .git is a pipe",
        )


def git_program(variables: Mapping[str, str]) -> str | None:
    """Return the git that PATH names, None if it names none.

    Folders that are not absolute are passed over: the working directory may be a stranger's, and systems look there
    too, Windows even unasked.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in variables.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, name)  # noqa: PTH118 - asked before each command: pathlib takes five times as long
        if os.path.isabs(program) and os.path.isfile(program) and os.access(program, os.X_OK):  # noqa: PTH113, PTH117
            return program
    return None


def git_environment(variables: Mapping[str, str], *, foreign: bool) -> dict[str, str]:
    """Return *variables* without those that bend what git says, and for a *foreign* repository without those that tie
    git to another one."""
    dropped = _BENDING_VARIABLES | (REPOSITORY_VARIABLES if foreign else frozenset())
    numbered = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_") if foreign else ()
    return {
        name: value
        for name, value in variables.items()
        if name not in dropped and not name.startswith(numbered)
    }


def run_git(
    args: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    given: bytes = b"",
    deadline: float | None = None,
    ceiling: float | None = None,
) -> Finished:
    """Run `git *args` to its end, with *given* on its standard input.

    It is killed at *deadline* (a time of `time.monotonic()`), at the latest after *ceiling* seconds (CEILING if it
    is None). Raises TooSlowError then, ChangesError if it cannot be started.
    """
    seconds = _seconds_left(deadline, ceiling)
    command = _command(args, cwd, env)
    try:
        return run(command, env=_sealed(env), given=given, until=time.monotonic() + seconds)
    except TimeIsUpError:
        raise TooSlowError(args, seconds) from None
    except OSError as error:
        raise _not_started(cwd, error) from None


def start_git(args: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Conversation:
    """Start `git *args` with pipes to write to and to read from; `bounded` gives it time.

    Raises ChangesError if it cannot be started.
    """
    try:
        return start(_command(args, cwd, env), env=_sealed(env))
    except OSError as error:
        raise _not_started(cwd, error) from None


@contextmanager
def bounded(git: Conversation, args: Sequence[str], *, deadline: float | None) -> Iterator[None]:
    """Give *git*, which runs `git *args`, the time for what is done with it that `run_git` has. Raises TooSlowError."""
    seconds = _seconds_left(deadline)
    git.until = time.monotonic() + seconds
    try:
        yield
    except TimeIsUpError:
        raise TooSlowError(args, seconds) from None


def _seconds_left(deadline: float | None, ceiling: float | None = None) -> float:
    most = CEILING if ceiling is None else ceiling
    return most if deadline is None else min(max(deadline - time.monotonic(), _SHORTEST), most)


def _command(args: Sequence[str], cwd: Path, env: Mapping[str, str]) -> list[str]:
    program = git_program(env)
    if program is None:
        raise ChangesError("git was not found", "install git, or check files by name")
    settings = [part for setting in _FIXED_SETTINGS for part in ("-c", setting)]
    return [program, "-C", str(cwd), "--no-pager", *settings, *args]


def _sealed(env: Mapping[str, str]) -> dict[str, str]:
    return {**_TRACES, **env, **_FIXED_VARIABLES}


def _not_started(cwd: Path, error: OSError) -> ChangesError:
    return ChangesError(f"git cannot run in {cwd}: {error.strerror}")


def git_reason(stderr: bytes) -> str:
    """Return git's own one-line reason: its `fatal:` line, else its first `error:` line, else the last thing it said.

    Without the lines and values that it quotes from its files, each of which may be a link to any file.
    """
    lines = [line.strip() for line in os.fsdecode(stderr).splitlines() if line.strip()]
    for mark in ("fatal: ", "error: "):
        marked = [line.removeprefix(mark) for line in lines if line.startswith(mark)]
        if marked:
            return _QUOTED.sub(r"\1\2", marked[0])
    return _QUOTED.sub(r"\1\2", (lines or ["no reason given"])[-1])
