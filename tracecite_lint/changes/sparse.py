"""What a sparse checkout keeps off the disk: tracked files that are read from the index in its stead."""

from __future__ import annotations

import os

from tracecite_lint.changes import git
from tracecite_lint.changes.changeset import SIZE_LIMIT, recorded_content
from tracecite_lint.changes.git import Entry, Repository, find_repository
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.opening import RefusedError, read_below
from tracecite_lint.light.lazy import dataclass, field
from tracecite_lint.settings import PROJECT_FILES
from tracecite_lint.sources.errors import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A regular file that only the index of *repository* has, as the object *oid*."""

    repository: Repository
    oid: str


@dataclass(frozen=True, slots=True)
class SparseSources:
    """Reads local sources below *root*: those on disk from there (None), those that a sparse checkout leaves out from the index.

    Two are equal if their roots are, for they read the same. Git is ended at *deadline*, a time of `time.monotonic()`.
    """

    root: Path
    deadline: float | None = field(default=None, compare=False)

    def __call__(self, path: Path) -> bytes | None:
        """Return the content of *path* (absolute, links resolved). Raises SourceError for one that is not at hand."""
        if os.path.lexists(path):
            return None
        try:
            repository = find_repository(self.root, deadline=self.deadline)
            if repository is None:
                return None
            return recorded_content(
                repository,
                path,
                entry_of=lambda name: self._entry(repository, name),
                otherwise=self._on_disk,
            )
        except ChangesError as error:
            raise SourceError("SOURCE_UNAVAILABLE", error.message, help=error.help) from None

    def _entry(self, repository: Repository, name: str) -> Entry | None:
        return sparse_entries(repository, git.literal(name)).get(name)

    def _on_disk(self, name: str) -> bytes | None:
        """Return what a link that only the index has leads to."""
        try:
            return read_below(self.root / name, self.root, limit=SIZE_LIMIT)
        except (OSError, RefusedError):
            return None


def sparse_entries(repository: Repository, *pathspecs: str) -> dict[str, Entry]:
    """Return the entries of the index that are not on disk and need not be (skip-worktree, see git-update-index(1))."""
    left_out = git.skipped_paths(repository, *pathspecs)
    if not left_out:
        return {}
    return {
        path: entry
        for path, entry in git.index_entries(repository, *pathspecs).items()
        if path in left_out and not os.path.lexists(repository.root / path)
    }


def recorded_settings(repository: Repository) -> dict[Path, RecordedFile]:
    """Return the settings files that a sparse checkout leaves out of the disk. Raises ChangesError."""
    named = [f":(top,glob)**/{name}" for name in PROJECT_FILES]
    return {
        repository.root / name: RecordedFile(repository, entry.oid)
        for name, entry in sparse_entries(repository, *named).items()
        if entry.regular
    }


def recorded_file(path: Path, *, deadline: float | None = None) -> RecordedFile | None:
    """Return the file *path* (absolute) if a sparse checkout leaves it out of the disk. Raises ChangesError."""
    if os.path.lexists(path):
        return None
    folder = next(parent for parent in path.parents if parent.is_dir())
    repository = find_repository(folder, deadline=deadline)
    name = repository.relative(path) if repository is not None else None
    if repository is None or name is None:
        return None
    entry = sparse_entries(repository, git.literal(name)).get(name)
    return RecordedFile(repository, entry.oid) if entry is not None and entry.regular else None


class RecordedTexts:
    """Reads recorded files one after the other, through one process of git for each repository."""

    def __init__(self) -> None:
        self._blobs: dict[Path, git.Blobs] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for blobs in self._blobs.values():
            blobs.__exit__(kind, error, trace)

    def content(self, file: RecordedFile, *, limit: int) -> bytes | None:
        """Return what *file* holds, None if that is more than *limit* bytes.

        Raises UnreadableObjectError for one that is not at hand, as in a partial clone.
        """
        root = file.repository.root
        if root not in self._blobs:
            self._blobs[root] = git.Blobs(file.repository)
        return self._blobs[root].content(file.oid, limit=limit)
