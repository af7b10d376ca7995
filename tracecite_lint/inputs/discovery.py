"""Which files of a folder are documents: those that git tracks, and new ones that it, or outside of git an ignore file, does not leave out."""

from __future__ import annotations

import os
import posixpath
from enum import Enum
from pathlib import Path, PurePosixPath

from tracecite_lint.changes import git
from tracecite_lint.changes.git import Repository, find_repository
from tracecite_lint.changes.sparse import RecordedFile, recorded_file, sparse_entries
from tracecite_lint.files.git_directories import is_git_directory, is_git_name, is_gits_own
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.opening import open_regular
from tracecite_lint.light.lazy import dataclass, field
from tracecite_lint.naming.file_names import is_document, is_text_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

_NOTES_LIMIT = 1024 * 1024
"""Bytes of a text file that are looked at to tell whether it holds citation notes."""

# Where no ignore file tells, and no index, what is the work of others: outside of git, and among new documents.
_SKIPPED_FOLDERS: Final = frozenset({".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"})


def may_be_notes(content: bytes) -> bool:
    """Tell whether a text file of this *content* (of a long one, the beginning will do) holds citation notes."""
    from tracecite_lint.documents.notes import (
        looks_like_notes,  # not where no text file is looked at
    )

    return looks_like_notes(content[:_NOTES_LIMIT].decode("utf-8-sig", "replace"))


@dataclass(slots=True)
class Found:
    """The documents of some files and directories, all absolute.

    `paths` are those to check, each once, in their order; of them only the index has those in `recorded`. `new` are
    documents on disk that git neither tracks nor ignores, `gone` tracked ones that were deleted from the disk alone.
    """

    paths: dict[Path, None] = field(default_factory=dict)
    recorded: dict[Path, RecordedFile] = field(default_factory=dict)
    new: dict[Path, None] = field(default_factory=dict)
    gone: dict[Path, None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What is to be said of the search."""


class New(Enum):
    """What becomes of documents that git neither tracks nor ignores."""

    CHECKED = "checked"
    COUNTED = "counted"
    """They are found, and not among the paths to check."""
    LEFT = "left"
    """They are not even looked for, which takes a walk through the work tree."""


def find_documents(paths: Sequence[Path], *, new: New, deadline: float | None = None) -> Found:
    """Return the documents at *paths*, files and directories (absolute).

    A file is taken as it is. Of a directory every document below it that git tracks, and *new* ones that it does not
    ignore; outside of git every one that no `.gitignore` leaves out. Directories of tools (node_modules, …) hold no new ones, and
    git's own are left out everywhere. Git is ended at *deadline*, a time of `time.monotonic()`. Raises ChangesError where
    git refuses to read a repository or is ended, and for a directory of git's own.
    """
    found = Found()
    for path in paths:
        if path.is_dir():
            _find_below(path, found, new=new, deadline=deadline)
            continue
        found.paths[path] = None
        if (recorded := recorded_file(path, deadline=deadline)) is not None:
            found.recorded[path] = recorded
    return found


def tracked_documents(
    root: Path, paths: Sequence[Path] = (), *, deadline: float | None = None
) -> list[Path]:
    """Return the documents at *paths* (of *root* without any) that are on disk, as `find_documents` finds them without new ones."""
    found = find_documents(paths or [root], new=New.LEFT, deadline=deadline)
    return [path for path in found.paths if path not in found.recorded]


def holds_citations(path: Path) -> bool:
    """Tell whether the file *path* is a document by its name or, a text file, by its content: citation notes."""
    if not is_document(path.name):
        return False
    if not is_text_file(path.name):
        return True
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return may_be_notes(file.read(_NOTES_LIMIT))
    except OSError:
        return True  # the check says what is wrong with it


def _find_below(folder: Path, found: Found, *, new: New, deadline: float | None) -> None:
    if is_gits_own(folder):
        raise ChangesError(f"{folder} is a directory of git's own", "name one of the work tree")
    repository = find_repository(folder, deadline=deadline)
    if repository is None:
        found.paths.update(dict.fromkeys(filter(_is_document, _files_on_disk(folder, found))))
        return
    name = repository.relative(folder)
    within = [git.literal(name)] if name not in (None, ".") else []
    tracked = _tracked_documents(repository, within, found)
    untracked = [] if new is New.LEFT else list(_new_documents(repository, within))
    found.new.update(dict.fromkeys(untracked))
    here = sorted((*tracked, *untracked), key=str) if new is New.CHECKED else tracked
    found.paths.update(dict.fromkeys(here))


def _new_documents(repository: Repository, within: Sequence[str]) -> Iterator[Path]:
    names = (
        path
        for path in git.new_paths(repository, *within)
        if is_document(path) and _SKIPPED_FOLDERS.isdisjoint(PurePosixPath(path).parts)
    )
    return filter(_is_document, _outside_git_directories(repository.root, names))


def _tracked_documents(repository: Repository, within: Sequence[str], found: Found) -> list[Path]:
    """Return the tracked documents that can be read; put into *found* what is said of them, and those that cannot."""
    entries = {
        path: entry
        for path, entry in sorted(git.index_entries(repository, *within).items())
        # The name first: most files of a repository are no documents, and a look at each costs a system call.
        if entry.regular and is_document(path)
    }
    tracked = list(_outside_git_directories(repository.root, entries))
    absent = frozenset(path for path in tracked if not os.path.lexists(path))
    if absent:
        for name, entry in sparse_entries(repository, *within).items():
            if (path := repository.root / name) in absent:
                found.recorded[path] = RecordedFile(repository, entry.oid)
        found.gone.update(dict.fromkeys(sorted(absent - found.recorded.keys())))
    return [path for path in tracked if path in found.recorded or _is_document(path)]


def _is_document(path: Path) -> bool:
    return (
        is_document(path.name)
        and path.is_file()
        and not path.is_symlink()
        and holds_citations(path)
    )


def _outside_git_directories(root: Path, paths: Iterable[str]) -> Iterator[Path]:
    """Yield the files *paths* of *root* but for those in a directory that looks like a repository's own."""
    gits_own = {"": False}

    def is_gits(folder: str) -> bool:
        if folder not in gits_own:
            own = is_git_directory(root / folder)
            gits_own[folder] = own or is_gits(posixpath.dirname(folder))
        return gits_own[folder]

    yield from (root / path for path in paths if not is_gits(posixpath.dirname(path)))


def _files_on_disk(folder: Path, found: Found) -> Iterator[Path]:
    """Yield the files below *folder* that no ignore file leaves out; put into *found* what is to be said of these."""
    from tracecite_lint.inputs.ignore_files import IgnoreFiles  # not where git tells

    here = Path.cwd()
    # Above the working directory nothing is known to belong to what is checked.
    ignored = IgnoreFiles(here if folder.is_relative_to(here) else folder)
    for directory, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            # Taken out of the list that os.walk goes on with, so that they are not entered.
            if name not in _SKIPPED_FOLDERS
            and not is_git_name(name)
            and not is_git_directory(Path(directory, name))
            and not ignored.ignore(Path(directory, name), is_folder=True)
        )
        paths = (Path(directory, name) for name in sorted(files) if is_document(name))
        yield from (path for path in paths if not ignored.ignore(path, is_folder=False))
    found.notes += ignored.notes
