"""A change: how the index or a commit differs from its parents, and what a hook is run for."""

from __future__ import annotations

import errno
import os
import posixpath
from pathlib import Path

from tracecite_lint.changes import git
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.opening import read_below
from tracecite_lint.light.lazy import dataclass, field, regex
from tracecite_lint.sources.errors import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tracecite_lint.changes.git import Entry, RawChange, RawDiff, Repository

SIZE_LIMIT = 256 * 1024 * 1024
"""Bytes of one blob that are read."""

_LINKS_FOLLOWED = 10
"""Symlinks of one path inside a tree that are followed, as the kernel limits them too (40 on Linux)."""

_OBJECT_NAME = regex("[0-9a-f]{40}([0-9a-f]{24})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """How the index, or a commit, differs from one or more parents.

    `tree` is the new side: a commit, or None for the index. `sides` holds for each parent what differs from it, by the
    path on the new side (by the old path for what is gone). `description` names the comparison for people, `notes` say
    what could not be compared.
    """

    repository: Repository
    tree: str | None
    sides: tuple[Mapping[str, RawChange], ...]
    description: str
    notes: tuple[str, ...] = ()
    unanswered: list[str] = field(default_factory=list, compare=False)
    """Of what git could not tell in time whether it is ignored: the next name would only take as long."""

    @property
    def root(self) -> Path:
        """The top directory of the work tree, symlinks resolved."""
        return self.repository.root

    @property
    def empty(self) -> bool:
        """Nothing at all differs from any parent."""
        return not any(self.sides)

    def touched(self, side: int) -> frozenset[str]:
        """The paths, old and new, that differ from the parent number *side*."""
        changes = self.sides[side].values()
        return frozenset(path for change in changes for path in (change.path, change.old_path))

    @property
    def changed_paths(self) -> frozenset[str]:
        """The paths, old and new, that differ from some parent."""
        return frozenset().union(*(self.touched(side) for side in range(len(self.sides))))

    def entries(self, *paths: str) -> dict[str, Entry]:
        """Return what the new side holds at *paths*; all of it without any."""
        if self.tree is not None:
            return git.tree_entries(self.repository, self.tree, *paths)
        return git.index_entries(self.repository, *map(git.literal, paths))

    def read(self, path: Path) -> bytes | None:
        """Return the content of the local source *path* as it is recorded; None if it is not.

        Symlinks inside the tree are followed. A file that is kept out of git on purpose (ignored, or a submodule's)
        is read from disk when the new side is the index. Raises SourceError SOURCE_UNAVAILABLE for one that is recorded
        and not at hand, RefusedError and OSError for one that cannot be read.
        """
        try:
            return self._recorded(path)
        except ChangesError as error:
            raise SourceError("SOURCE_UNAVAILABLE", error.message, help=error.help) from None

    def _recorded(self, path: Path) -> bytes | None:
        return recorded_content(
            self.repository,
            path,
            entry_of=lambda name: self.entries(name).get(name),
            otherwise=self._read_unrecorded,
        )

    def recorded(self, path: Path) -> bytes:
        """Return the content of the local source *path* as `read` does. Raises FileNotFoundError if it is not recorded."""
        content = self.read(path)
        if content is None:
            raise FileNotFoundError(errno.ENOENT, "it is no part of what is recorded")
        return content

    def _is_ignored(self, name: str) -> bool:
        """Tell whether *name* is left out by an ignore file; once git could not tell in time, nothing is."""
        if self.unanswered:
            return False
        ignored = git.is_ignored(self.repository, name)
        if ignored is None:
            self.unanswered.append(name)
        return bool(ignored)

    def _read_unrecorded(self, name: str) -> bytes | None:
        # Gone in this very change: what is still on disk is not what will be recorded.
        if name in self.changed_paths:
            return None
        folders = [parent.as_posix() for parent in Path(name).parents][:-1]
        submodule = any(entry.mode == git.SUBMODULE for entry in self.entries(*folders).values())
        # A file that nobody has added yet is no source: in the clone of anybody else it is missing.
        if not (folders and submodule) and not self._is_ignored(name):
            return None
        try:
            return read_below(self.root / name, self.root, limit=SIZE_LIMIT)
        except FileNotFoundError:
            return None


def recorded_content(
    repository: Repository,
    path: Path,
    *,
    entry_of: Callable[[str], Entry | None],
    otherwise: Callable[[str], bytes | None],
) -> bytes | None:
    """Return the content of the file *path* as git has it, links inside the tree followed; None if it is not there.

    *entry_of* gives the entry of a name relative to the root, *otherwise* the content of one that has none. Raises
    ChangesError for an object that is not at hand.
    """
    name = repository.relative(path)
    with git.Blobs(repository) as blobs:
        for _ in range(_LINKS_FOLLOWED):
            if name is None:
                return None
            entry = entry_of(name)
            if entry is None:
                return otherwise(name)
            content = blobs.content(entry.oid, limit=SIZE_LIMIT)
            if entry.regular or content is None:
                return content
            name = repository.relative(
                repository.root / posixpath.dirname(name) / os.fsdecode(content)
            )
    return None


def staged_changes(repository: Repository) -> ChangeSet:
    """Return how the index differs from HEAD and, in a merge, from every other parent. Raises ChangesError."""
    head = git.head_commit(repository)
    parents = [head or git.empty_tree(repository)]
    if head is not None:
        parents += _merge_parents(repository, head)
    others = " and the merged side" if len(parents) > 1 else ""
    base = "HEAD" if head else "nothing, as there is no commit yet"
    # New is what is new against each parent: what a merge brings in was checked on its own branch.
    return _index_changes(repository, parents, f"the index against {base}{others}")


def base_changes(repository: Repository, rev: str) -> ChangeSet:
    """Return how the index differs from the merge base of HEAD and *rev*. Raises ChangesError."""
    base = git.required_commit(repository, rev)
    head = git.head_commit(repository)
    if head is None:
        raise ChangesError("there is no commit yet, so no merge base", "leave --diff-base out")
    parents = git.merge_bases(repository, base, head) + _merge_parents(repository, head)
    return _index_changes(repository, parents, f"the index against the merge base with {rev}")


def ref_changes(
    repository: Repository, from_ref: str, to_ref: str, *, pushed: bool = False
) -> ChangeSet:
    """Return how the commit *to_ref* differs from its merge base with *from_ref*. The work tree plays no part.

    *pushed*: the commits are on their way to a remote, so what a merge among them brought in from a branch that a
    remote has already is not new. Raises ChangesError.
    """
    base = git.required_commit(repository, from_ref)
    tip = git.required_commit(repository, to_ref)
    parents = git.merge_bases(repository, base, tip)
    if pushed:
        parents += git.published_merge_parents(repository, base, tip)
    return _commit_changes(repository, parents, tip, f"{_short(to_ref)} against {_short(from_ref)}")


def hook_changes(repository: Repository, environ: Mapping[str, str]) -> ChangeSet:
    """Return the change that a hook is run for, as pre-commit and prek tell by their variables.

    That is PRE_COMMIT_FROM_REF to PRE_COMMIT_TO_REF; all of the branch for the first push of a root commit, which comes
    with the remote's name but without FROM (from pre-commit without TO as well); the index otherwise. Raises
    ChangesError.
    """
    from_ref, to_ref = (environ.get(f"PRE_COMMIT_{end}_REF", "") for end in ("FROM", "TO"))
    pushed = bool(environ.get("PRE_COMMIT_REMOTE_NAME"))
    # pre-commit sets both for pre-push and for `run --from-ref --to-ref` (pre-commit.com, “Supported git hooks”).
    if from_ref and to_ref:
        return ref_changes(repository, from_ref, to_ref, pushed=pushed)
    if pushed and not from_ref:
        branch = to_ref or environ.get("PRE_COMMIT_LOCAL_BRANCH") or "HEAD"
        tip = git.required_commit(repository, branch)
        parents = [git.empty_tree(repository)]
        description = f"all of {_short(branch)}, as it was never pushed"
        return _commit_changes(repository, parents, tip, description)
    if from_ref or to_ref:
        raise ChangesError(
            "only one of PRE_COMMIT_FROM_REF and PRE_COMMIT_TO_REF is set",
            "give --from-ref and --to-ref together",
        )
    return staged_changes(repository)


def _short(ref: str) -> str:
    """Return *ref* as people write it: ids abbreviated, branches without their namespace."""
    # A full object name, SHA-1 or SHA-256; a branch may be called `deadbeef`.
    if len(ref) >= 40 and not set(ref) - set("0123456789abcdef"):
        return ref[:12]
    return ref.removeprefix("refs/heads/")


def _index_changes(repository: Repository, parents: Sequence[str], description: str) -> ChangeSet:
    diffs = [git.index_diff(repository, parent) for parent in parents]
    return _change_set(repository, None, diffs, description)


def _commit_changes(
    repository: Repository, parents: Sequence[str], tip: str, description: str
) -> ChangeSet:
    diffs = [git.tree_diff(repository, parent, tip) for parent in parents]
    return _change_set(repository, tip, diffs, description)


def _change_set(
    repository: Repository, tree: str | None, diffs: Sequence[RawDiff], description: str
) -> ChangeSet:
    return ChangeSet(
        repository=repository,
        tree=tree,
        sides=tuple({change.path: change for change in diff.changes} for diff in diffs),
        description=description,
        notes=tuple({diff.note: None for diff in diffs if diff.note}),
    )


def _merge_parents(repository: Repository, head: str) -> list[str]:
    """Return the other parents of the merge that is about to be committed.

    After a conflict MERGE_HEAD names them. Before that, at pre-merge-commit, only the variables GITHEAD_<commit> do,
    which `git merge` sets for its strategies and which its hooks inherit.
    """
    merge_head = repository.git_dir / "MERGE_HEAD"
    if merge_head.is_file():
        # Several in an octopus merge.
        named = merge_head.read_text("ascii", "replace").split()
        # It may be a link to any file, so that not a word of it is shown.
        if not all(_OBJECT_NAME.fullmatch(name) for name in named):
            raise ChangesError(
                f"{merge_head} names no commits", "`git merge --abort` ends a damaged merge"
            )
        return [git.required_commit(repository, name) for name in named]
    prefix = "GITHEAD_"
    named = [name.removeprefix(prefix) for name in repository.env if name.startswith(prefix)]
    # A hook that runs after the merge inherits them too; by then they are part of HEAD.
    found = [commit for name in named if (commit := git.commit_id(repository, name))]
    return [commit for commit in found if not git.is_ancestor(repository, commit, head)]


def named_paths(repository: Repository, paths: Iterable[Path]) -> list[str]:
    """Return *paths* relative to the root, with `/`. Raises ChangesError for one that lies outside."""
    named = []
    for path in paths:
        relative = repository.relative(path)
        if relative is None:
            raise ChangesError(
                f"{path} lies outside of the repository {repository.root}",
                "without --changed and --diff-base it is checked in full",
            )
        named.append(relative)
    return named
