"""The one way to open files: regular ones only, and what a repository names below its root alone, whatever changes meanwhile.

Where the system can open relative to a directory (Linux, macOS), a file is opened by descriptor from the root down and no
link is followed on the way: the links were resolved before, and one that takes a folder's place later is an error. Elsewhere
(Windows) the place is looked at once more behind the opening.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.files.git_directories import (
    is_git_directory,
    is_git_directory_at,
    is_git_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe must not hold up the run
)
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
# O_PATH (Linux) asks for no right to list a folder that is only passed through, as path resolution asks for none.
_FOLDER: Final = NO_LINK | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY)
BY_DESCRIPTOR = bool(NO_LINK) and {os.open, os.stat} <= os.supports_dir_fd

_ATTEMPTS: Final = 3
"""How often the way to a file is resolved anew if a part of it turns out to be another thing than a moment ago."""


class RefusedError(TraceciteLintError):
    """A file that is not opened; the message says why: `lies outside the repository`, `is git's own`."""


def resolved_below(path: Path, root: Path) -> Path:
    """Return *path* with its links resolved. Raises RefusedError where that lies outside *root* or is git's own.

    Raises FileNotFoundError for what no file can be called. What is there may be another file a moment later: to read
    it, `read_below`.
    """
    real_root, names = _resolved(path, root)
    return real_root.joinpath(*names)


def read_below(path: Path, root: Path, *, limit: int) -> bytes | None:
    """Return the content of the regular file *path*, which a repository names; None if it has more than *limit* bytes.

    Nothing outside *root* and nothing of git's own is opened. Raises RefusedError, OSError.
    """
    return _content(open_below(path, root), limit)


def read_named(path: Path, root: Path | None, *, limit: int) -> bytes | None:
    """Return the content of *path*: as `read_below`, or with *root* None of whatever a person named, a pipe too.

    None for a file below *root* with more than *limit* bytes. Raises RefusedError, OSError.
    """
    return path.read_bytes() if root is None else read_below(path, root, limit=limit)


def read_regular(path: Path, *, limit: int) -> bytes | None:
    """Return the content of the regular file *path*, which a person names and which may lie anywhere.

    None if it has more than *limit* bytes. Raises OSError.
    """
    return _content(open_regular(path), limit)


def open_regular(path: Path) -> int:
    """Return a descriptor of the regular file *path*, links followed. Raises OSError for anything else, and blocks for nothing."""
    try:
        _refuse_irregular(path.stat())
        descriptor = os.open(path, _FILE)
    except ValueError:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None
    return _checked(descriptor)


def open_below(path: Path, root: Path) -> int:
    """Return a descriptor of the regular file *path*, which a repository names, as `read_below` opens it.

    Raises RefusedError, OSError.
    """
    # What changed between the look and the opening may be an editor that saves, which is no reason to fail.
    for attempt in range(_ATTEMPTS):
        real_root, names = _resolved(path, root)
        try:
            if BY_DESCRIPTOR:
                return _opened(real_root, names)
            return _opened_and_looked_at(real_root.joinpath(*names), path, root)
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENOTDIR) or attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _resolved(path: Path, root: Path) -> tuple[Path, tuple[str, ...]]:
    """Return *root* with its links resolved, and the names that lead from there to *path*."""
    try:
        resolved, real_root = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    except ValueError:  # a NUL, or half of a surrogate pair
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None
    # Both are resolved, so that a link in the way to the root itself (macOS: /tmp) makes no difference.
    if not resolved.is_relative_to(real_root):
        raise RefusedError("lies outside the repository")
    names = resolved.relative_to(real_root).parts
    folder = real_root
    # With a `.git` of its own a root is a work tree, whatever else it holds.
    if is_git_directory(folder) and not os.path.lexists(folder / ".git"):
        raise RefusedError("is git's own")
    for name in names:
        folder /= name
        if is_git_name(name) or is_git_directory(folder):
            raise RefusedError("is git's own")
    return real_root, names


def _opened(root: Path, names: tuple[str, ...]) -> int:
    """Return a descriptor of the regular file that is reached from *root* through folders called *names*, no link among them."""

    def refuse_gits(folder: int) -> None:
        if is_git_directory_at(folder):
            raise RefusedError("is git's own")

    with folder_below(root, names[:-1], look=refuse_gits) as folder:
        name = names[-1] if names else "."
        # Looked at before it is opened, since to open a device can set it going.
        _refuse_irregular(os.stat(name, dir_fd=folder, follow_symlinks=False))
        descriptor = os.open(name, _FILE | NO_LINK, dir_fd=folder)
    return _checked(descriptor)


@contextmanager
def folder_below(
    top: Path, names: Iterable[str], *, look: Callable[[int], None] = lambda folder: None
) -> Iterator[int]:
    """Give a descriptor of the folder that is reached from *top* through folders called *names*, where BY_DESCRIPTOR holds.

    A link among them is an error, also one that has just taken a folder's place. *look* is shown a descriptor of each
    folder below *top*, and may raise. Raises OSError.
    """
    # Each opening is relative to the folder before, which nobody can put elsewhere while it is held open: a path as a
    # whole would be resolved anew, through whatever stands there by then.
    folder = os.open(top, _FOLDER)
    try:
        for name in names:
            below = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
            look(folder)
        yield folder
    finally:
        os.close(folder)


def _opened_and_looked_at(resolved: Path, path: Path, root: Path) -> int:
    """Return a descriptor of *resolved*, which *path* led to, if it still does so after the opening."""
    _refuse_irregular(os.lstat(resolved))
    descriptor = _checked(os.open(resolved, _FILE | NO_LINK))
    try:
        again = resolved_below(path, root)
        if not os.path.samestat(os.fstat(descriptor), os.lstat(again)):
            raise OSError(errno.ELOOP, "it is another file now")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _checked(descriptor: int) -> int:
    """Return *descriptor*, which is closed if it is of no regular file: a pipe may have taken the place of one."""
    try:
        _refuse_irregular(os.fstat(descriptor))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _content(descriptor: int, limit: int) -> bytes | None:
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size > limit:
            return None
        content = file.read(limit + 1)
    return None if len(content) > limit else content


def _refuse_irregular(status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "it is a symbolic link")
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
