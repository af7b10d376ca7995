"""Git's own directories, known by what they hold: a name says little (`git init --separate-git-dir .bare`)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from tracecite_lint.light.lazy import regex

# Characters that HFS+ drops from names; git refuses a `.git` with some of them in it too (utf8.c, is_hfs_dotgit).
_DROPPED_BY_HFS = regex("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")


def is_git_name(name: str) -> bool:
    """Tell whether some file system takes *name* for `.git`: as git itself refuses to check such names out.

    That is in any case, with dots and spaces at its end, with a stream of NTFS behind a colon, by its short name
    (`git~1`), or with characters in it that HFS+ drops.
    """
    plain = _DROPPED_BY_HFS.sub("", name).partition(":")[0].rstrip(". ")
    return plain.casefold() in {".git", "git~1"}


def is_git_directory(path: Path) -> bool:
    """Tell whether *path* is a repository's own directory, or a linked worktree's or a submodule's.

    As git itself decides (gitrepository-layout(5)): there is a HEAD, and either objects and refs or a commondir that
    says where those are.
    """
    return _holds_a_repository(lambda name, follow: (path / name).stat(follow_symlinks=follow))


def is_git_directory_at(descriptor: int) -> bool:
    """Tell the same of the open directory *descriptor*, whatever its name leads to by now."""
    return _holds_a_repository(
        lambda name, follow: os.stat(name, dir_fd=descriptor, follow_symlinks=follow)
    )


def is_gits_own(path: Path) -> bool:
    """Tell whether *path* lies in a directory of git's, or is one.

    Looked at are the folders above it, links resolved, up to the first with a `.git` of its own: that is a work tree,
    and a work tree may lie in a bare repository.
    """
    resolved = Path(os.path.realpath(path))
    for folder in (resolved, *resolved.parents):
        if is_git_name(folder.name):
            return True
        if os.path.lexists(folder / ".git"):
            return False
        if is_git_directory(folder):
            return True
    return False


def _holds_a_repository(look: Callable[[str, bool], os.stat_result]) -> bool:
    def mode(name: str, *, follow: bool = True) -> int:
        try:
            return look(name, follow).st_mode
        except (OSError, ValueError):  # a NUL is in no name
            return 0

    # HEAD may be a symbolic link that leads nowhere: so old gits wrote it, and a new branch is not there yet.
    if not mode("HEAD", follow=False):
        return False
    return stat.S_ISREG(mode("commondir")) or (
        stat.S_ISDIR(mode("objects")) and stat.S_ISDIR(mode("refs"))
    )
