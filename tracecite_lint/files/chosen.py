"""Files that are read and written as a whole, each under the rules of whoever chose it.

What a repository names, or a default decides, is a regular file below the repository's root, outside of git's own
directories, with no link on the way. What the person at the keyboard names may lie anywhere else too, and be a device or
a pipe, but no link in a work tree is written through, and nothing in git's own directories is written.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tracecite_lint.files.git_directories import is_git_directory, is_git_name
from tracecite_lint.files.opening import (
    BY_DESCRIPTOR,
    NO_LINK,
    RefusedError,
    folder_below,
    read_below,
)
from tracecite_lint.light.lazy import dataclass, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Final

_LINKS_LIMIT: Final = 40  # as Linux has it
_WRITES_BY_DESCRIPTOR: Final = BY_DESCRIPTOR and {os.unlink, os.rename} <= os.supports_dir_fd
_BINARY: Final = getattr(os, "O_BINARY", 0)
# A junction leads elsewhere as a link does, and is_symlink() does not say so (Python 3.12 has is_junction()).
_JUNCTION: Final = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
# `/dev/stdout`, or `>(command)` of a shell: links by their look, and no files that somebody could replace.
_UNFINISHED: Final = regex(r"\.tracecite-[0-9a-f]{16}")
_DESCRIPTOR: Final = regex(r"/(?:proc/([0-9]+)|dev)/fd/([0-9]+)")


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """Where a file lies, or is to lie. `path` is absolute.

    `work_trees` are the directories (links resolved) below which no link is written through. `within` is the one that
    the file may not leave if a repository or a default chose it; None if the person at the keyboard named it.
    """

    path: Path
    work_trees: tuple[Path, ...] = ()
    within: Path | None = None

    def __str__(self) -> str:
        return str(self.path)

    def real_path(self) -> Path:
        """Return where the place is, links resolved. Raises OSError if it may not be written there.

        What `within` bounds may not be read there either.
        """
        trail = follow(self.path)
        for link in trail.links:
            if any(lies_in(link, tree) for tree in self.work_trees):
                raise _refused(
                    f"{link} is a symbolic link in the work tree; name the file that it leads to"
                )
        if self.within is not None and not lies_in(trail.end, self.within):
            raise _refused("leads out of the repository; give it on the command line")
        for part in (trail.end, *trail.end.parents):
            # By name as well: there the name may be a file that says where git's directory is.
            if is_git_name(part.name) or is_git_directory(part):
                raise _refused(f"{part} is git's own")
        return trail.end

    def read(self, *, limit: int = 256 * 1024 * 1024) -> bytes:
        """Return the content of the file. Raises OSError.

        A file `within` a directory has to be a regular one of at most *limit* bytes.
        """
        if self.within is None:
            return self.path.read_bytes()
        try:
            # The links are judged by the first look, what is there now by the second: it may be another file by then.
            content = read_below(self.real_path(), self.within, limit=limit)
        except RefusedError as error:
            raise _refused(str(error)) from None
        if content is None:
            raise OSError(errno.EFBIG, f"larger than {limit // 2**20} MiB")
        return content

    def write(self, data: bytes) -> None:
        """Make *data* the content of the file in one step, its mode kept. Raises OSError."""
        with self.writing() as file:
            file.write(data)

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Give a file whose content is that of the place once the block has ended without an error. Raises OSError.

        A regular file is replaced, its mode kept: its other names (hard links) keep what they had. A device or a pipe is
        written to as it comes. The folder has to exist.
        """
        end = self.real_path()
        number = _own_descriptor(end)
        if number is not None:
            with os.fdopen(os.dup(number), "wb") as file:
                yield file
            return
        # From here on all is done relative to the folder: its name may lead elsewhere by the next call.
        with _opened_folder(end.parent) as folder:
            mode = folder.mode(end.name)
            if mode is None or stat.S_ISREG(mode):
                with _replacement(folder, end.name, mode) as file:
                    yield file
                return
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if self.within is not None or stat.S_ISLNK(mode):
                raise _refused("not a regular file")
            flags = os.O_WRONLY | NO_LINK | _BINARY | getattr(os, "O_NOCTTY", 0)
            with os.fdopen(folder.open(end.name, flags), "wb") as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise _refused("replaced while it was opened")
                yield file


def set_up(name: str, root: Path) -> ChosenFile:
    """Return the file that a setting or a default names, relative to the *root* of the repository.

    An absolute name outside of it can only be that of the user's own settings: a repository's are refused there.
    """
    real = root.resolve()
    path = root / name
    # settings.py refuses an absolute name in a repository's file.
    if Path(name).is_absolute() and not path.is_relative_to(root):
        return ChosenFile(path, (real,))
    return ChosenFile(path, (real,), real)


@dataclass(frozen=True, slots=True)
class Trail:
    """What a path leads through: every entry, those of them that are links, and the end. Their folders hold no links."""

    entries: tuple[Path, ...]
    links: tuple[Path, ...]
    end: Path


def follow(path: Path) -> Trail:
    """Return the trail of *path*, which need not exist. Raises OSError."""
    absolute = path.absolute()
    todo = [*reversed(absolute.parts[1:])]
    here = Path(absolute.anchor)
    entries: list[Path] = []
    links: list[Path] = []
    while todo:
        part = todo.pop()
        # Behind a link `..` is the parent of where it leads, so that the parts are taken one by one (path_resolution(7)).
        if part == "..":
            here = here.parent
            continue
        entry = here / part
        entries.append(entry)
        if not _is_link(entry):
            here = entry
            continue
        links.append(entry)
        if len(links) > _LINKS_LIMIT:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        target = entry.readlink()
        if target.anchor:
            here = Path(target.anchor)
        todo += reversed(target.parts[1:] if target.anchor else target.parts)
    return Trail(tuple(entries), tuple(links), here)


def lies_in(path: Path, folder: Path) -> bool:
    """Tell whether *path*, whose folders hold no links, lies somewhere below *folder*, however its name is written."""
    for parent in path.parents:
        with suppress(OSError):
            # Not by name: file systems differ on case and on the normal form of accents.
            if parent.samefile(folder):
                return True
    return False


def _refused(reason: str) -> PermissionError:
    return PermissionError(errno.EPERM, reason)


def _is_link(path: Path) -> bool:
    """Tell whether *path* is a symbolic link or a junction; a descriptor of a process, which leads nowhere, is neither."""
    if path.is_symlink():
        return not _DESCRIPTOR.fullmatch(str(path))
    with suppress(OSError):
        return getattr(path.lstat(), "st_reparse_tag", 0) == _JUNCTION
    return False


def _own_descriptor(path: Path) -> int | None:
    """Return the number of the open file of this process that *path* means (`/dev/stdout`), if it is one."""
    found = _DESCRIPTOR.fullmatch(str(path))
    if found is None or found[1] not in (None, str(os.getpid())):
        return None
    return int(found[2])


@dataclass(frozen=True, slots=True)
class _Folder:
    """An open folder; without a descriptor (Windows) its files are reached by path."""

    path: Path
    descriptor: int | None

    def named(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        return os.open(self.named(name), flags, mode, dir_fd=self.descriptor)

    def mode(self, name: str) -> int | None:
        """Return the mode of a file, a link not followed; None if there is none."""
        try:
            status = os.stat(self.named(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None
        return status.st_mode

    def replace(self, old: str, new: str) -> None:
        at = self.descriptor
        os.replace(self.named(old), self.named(new), src_dir_fd=at, dst_dir_fd=at)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.named(name), dir_fd=self.descriptor)


@contextmanager
def _opened_folder(path: Path) -> Iterator[_Folder]:
    """Open *path*, which holds no links, from the top down: a folder that is swapped for a link meanwhile is an error."""
    if not _WRITES_BY_DESCRIPTOR:
        yield _Folder(path, None)
        return
    with folder_below(Path(path.anchor), path.parts[1:]) as descriptor:
        yield _Folder(path, descriptor)


def is_unfinished(name: str) -> bool:
    """Tell whether a file called *name* is one of ours that is still being written, and has no name of its own yet."""
    return _UNFINISHED.fullmatch(name) is not None


@contextmanager
def _replacement(folder: _Folder, name: str, mode: int | None) -> Iterator[BinaryIO]:
    """Give a new file that takes the place of *name*, of the mode *mode* if it is there."""
    # Not tempfile, which works by path and not relative to an open folder.
    new = f".tracecite-{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | _BINARY
    descriptor = folder.open(new, flags, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            # Set before the file has its name, so that it is never there with more rights than the old one had.
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode & 0o777)
            yield file
        folder.replace(new, name)
    except BaseException:
        # Ctrl-C too leaves nothing half-written behind.
        folder.remove(new)
        raise
