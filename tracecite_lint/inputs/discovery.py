"""Which files of a folder are documents: those that git tracks, outside of git those on disk."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tracecite_lint.changes import git
from tracecite_lint.changes.git import find_repository
from tracecite_lint.documents.notes import looks_like_notes
from tracecite_lint.files.git_directories import is_git_directory, is_git_name, is_gits_own
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.opening import open_regular
from tracecite_lint.naming.file_names import is_document, is_text_file

_NOTES_LIMIT = 1024 * 1024
"""Bytes of a text file that are looked at to tell whether it holds citation notes."""

# Only outside of git, where no ignore file tells what is the work of others.
_SKIPPED_FOLDERS: Final = frozenset({".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"})


def tracked_documents(
    root: Path, paths: Sequence[Path] = (), *, deadline: float | None = None
) -> list[Path]:
    """Return the documents at *paths* (of *root* without any), all absolute, each once, in their order.

    A file is taken as it is. Of a directory every document below it that git tracks and that is on disk; outside of git
    every document, directories of tools (node_modules, …) left out. Git's own directories are left out everywhere. Git is
    ended at *deadline*, a time of `time.monotonic()`. Raises ChangesError where git refuses to read a repository or is
    ended, and for a directory of git's own.
    """
    found: dict[Path, None] = {}
    for path in paths or (root,):
        found |= dict.fromkeys(_documents_below(path, deadline) if path.is_dir() else [path])
    return list(found)


def holds_citations(path: Path) -> bool:
    """Tell whether the file *path* is a document by its name or, a text file, by its content: citation notes."""
    if not is_document(path.name):
        return False
    if not is_text_file(path.name):
        return True
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return looks_like_notes(file.read(_NOTES_LIMIT).decode("utf-8-sig", "replace"))
    except OSError:
        return True  # the check says what is wrong with it


def _documents_below(folder: Path, deadline: float | None) -> Iterator[Path]:
    if is_gits_own(folder):
        raise ChangesError(f"{folder} is a directory of git's own", "name one of the work tree")
    repository = find_repository(folder, deadline=deadline)
    if repository is None:
        found = _files_on_disk(folder)
    else:
        name = repository.relative(folder)
        within = [git.literal(name)] if name not in (None, ".") else []
        entries = sorted(git.index_entries(repository, *within).items())
        found = _outside_git_directories(
            repository.root, (path for path, entry in entries if entry.regular)
        )
    for path in found:
        # The name first: most files of a repository are no documents, and a look at each costs a system call.
        named = is_document(path.name)
        if named and path.is_file() and not path.is_symlink() and holds_citations(path):
            yield path


def _outside_git_directories(root: Path, paths: Iterable[str]) -> Iterator[Path]:
    """Yield the files *paths* of *root* but for those in a directory that looks like a repository's own."""
    gits_own = {"": False}

    def is_gits(folder: str) -> bool:
        if folder not in gits_own:
            own = is_git_directory(root / folder)
            gits_own[folder] = own or is_gits(posixpath.dirname(folder))
        return gits_own[folder]

    yield from (root / path for path in paths if not is_gits(posixpath.dirname(path)))


def _files_on_disk(folder: Path) -> Iterator[Path]:
    for directory, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            # Taken out of the list that os.walk goes on with, so that they are not entered.
            if name not in _SKIPPED_FOLDERS
            and not is_git_name(name)
            and not is_git_directory(Path(directory, name))
        )
        yield from (Path(directory, name) for name in sorted(files))
