"""The root of a repository: one answer for hooks, for files that are named, and for the editor.

It is the closest folder, at or above the one in question, that has a `.git` of its own. What a configuration found there
says of a work tree elsewhere (`core.worktree`) does not count, and a folder that looks like a bare repository is a folder
like others: both may be a stranger's. Only the environment can name another one, as git does for its hooks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tracecite_lint.files.git_directories import is_git_directory
from tracecite_lint.files.git_process import (
    ChangesError,
    git_environment,
    git_program,
    git_reason,
    run_git,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_LINK_PREFIX: Final = b"gitdir: "
_LINK_LIMIT: Final = 64 * 1024
"""Bytes of a `.git` file that are read; a path is shorter."""

TOP_SECONDS = 5.0
"""How long git may take to tell where a work tree is: it is asked before it is known how long the run may last."""


def repository_root(folder: Path, otherwise: Path) -> Path:
    """Return the directory that local sources of documents in *folder* (absolute) may not leave, without symlinks.

    That is the root of the repository that *folder* lies in; outside of any it is *otherwise*.
    """
    return root_of(folder, os.environ) or otherwise.resolve()


def root_of(folder: Path, variables: Mapping[str, str]) -> Path | None:
    """Return the root of the repository that *folder* lies in, None outside of any.

    The one that the environment *variables* name, if it is at or above *folder*, unless one lies deeper.
    """
    found = found_root(folder, variables)
    try:
        named = named_root(variables)
    except ChangesError:
        named = None  # whoever needs git learns why; a file has its own place
    if named is None or not _real(folder).is_relative_to(named):
        return found
    return found if found is not None and found.is_relative_to(named) else named


def found_root(folder: Path, variables: Mapping[str, str]) -> Path | None:
    """Return the closest folder at or above *folder* that has a `.git` of its own, None if there is none.

    As in git, GIT_CEILING_DIRECTORIES among *variables* are not looked at on the way up.
    """
    start = _real(folder)
    ceilings = variables.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    # Git looks at the folder itself even if it is a ceiling (git(1), GIT_CEILING_DIRECTORIES).
    limits = {_real(Path(ceiling)) for ceiling in ceilings if ceiling} - {start}
    for candidate in (start, *start.parents):
        if candidate in limits:
            return None
        if git_directory(candidate) is not None:
            return candidate
    return None


def git_directory(folder: Path) -> Path | None:
    """Return the git directory that the `.git` of *folder* is, or leads to as a file; None if it is or does neither."""
    mark = folder / ".git"
    try:
        target = _linked(mark) if mark.is_file() else mark
        return target if target is not None and is_git_directory(target) else None
    except OSError:
        return None


def _linked(mark: Path) -> Path | None:
    """Return where the file *mark* leads: it holds `gitdir: PATH` (gitrepository-layout(5))."""
    with mark.open("rb") as file:
        content = file.read(_LINK_LIMIT)
    if not content.startswith(_LINK_PREFIX):
        return None
    return mark.parent / os.fsdecode(content.removeprefix(_LINK_PREFIX).rstrip(b"\r\n"))


def named_root(variables: Mapping[str, str]) -> Path | None:
    """Return the root that GIT_DIR or GIT_WORK_TREE among *variables* name, None if they name none.

    Raises ChangesError where git finds no work tree by them.
    """
    work_tree = variables.get("GIT_WORK_TREE")
    # Git's own answer: it may hang on core.worktree, which counts where the environment and not the way up chose.
    if "GIT_DIR" in variables:
        if not git_program(variables):
            return None
        found = _top_by_git(Path.cwd(), tuple(variables.items()))
        if isinstance(found, ChangesError):
            raise found
        return found
    if work_tree and found_root(Path.cwd(), variables) is not None:
        return _real(Path(work_tree))
    return None


@lru_cache(maxsize=1)  # asked for every document of a run, also where git does not answer
def _top_by_git(cwd: Path, variables: tuple[tuple[str, str], ...]) -> Path | ChangesError:
    env = git_environment(dict(variables), foreign=False)
    try:
        done = run_git(("rev-parse", "--show-toplevel"), cwd=cwd, env=env, ceiling=TOP_SECONDS)
    except ChangesError as error:
        return error
    if done.returncode:
        reason = git_reason(done.stderr)
        return ChangesError(
            f"git cannot read the repository that GIT_DIR names: {reason}",
            "unset GIT_DIR, or name its work tree with GIT_WORK_TREE",
        )
    return _real(Path(os.fsdecode(done.stdout.removesuffix(b"\n"))))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
