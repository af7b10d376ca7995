"""Git's own directories, known by what they hold: a name says little (`git init --separate-git-dir .bare`)."""

from __future__ import annotations

import os
from pathlib import Path


def is_git_directory(path: Path) -> bool:
    """Tell whether *path* is a repository's own directory, or a linked worktree's or a submodule's.

    As git itself decides (gitrepository-layout(5)): there is a HEAD, and either objects and refs or a commondir that
    says where those are.
    """
    if not os.path.lexists(path / "HEAD"):
        return False
    return (path / "commondir").is_file() or (
        (path / "objects").is_dir() and (path / "refs").is_dir()
    )
