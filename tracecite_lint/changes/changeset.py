"""What is new: the old and the new text of every document in a change, compared citation by citation.

Citations are compared, not lines: an edited `[1]: url`, a moved fence or a rename changes which quotations are new on
lines that did not change, and a rewrapped paragraph changes none. docs/hook.md tells the rules to users.
"""

from __future__ import annotations

import errno
import os
import posixpath
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from tracecite_lint.changes import git
from tracecite_lint.changes.git import (
    Entry,
    RawChange,
    RawDiff,
    Repository,
    UnreadableObjectError,
    find_repository,
)
from tracecite_lint.changes.keys import (
    CitationKey,
    citation_keys,
    diagnostic_keys,
    familiar_places,
    new_indexes,
)
from tracecite_lint.documents.notes import looks_like_notes
from tracecite_lint.files.git_directories import is_git_directory, is_git_name, is_gits_own
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.opening import open_regular, read_below
from tracecite_lint.model import Citation, Diagnostic, Document
from tracecite_lint.naming.file_names import SUFFIXES, FileKind, kind_of
from tracecite_lint.settings import PROJECT_FILES
from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME
from tracecite_lint.sources.errors import SourceError

__all__ = [
    "ChangeSet",
    "ChangedDocument",
    "ChangesError",
    "Selection",
    "base_changes",
    "changed_documents",
    "find_repository",
    "holds_citations",
    "hook_changes",
    "is_document",
    "named_paths",
    "ref_changes",
    "staged_changes",
    "tracked_documents",
]

SIZE_LIMIT = 256 * 1024 * 1024
"""Bytes of one blob that are read."""

_MANY_NAMES = 200
"""Above this many changed files every document is read instead of searched for their names."""

_MANY_PATHS = 500
"""Above this many paths all of the index is listed: a command line has its limits."""

_LINKS_FOLLOWED = 10
"""Symlinks of one path inside a tree that are followed, as the kernel limits them too (40 on Linux)."""

_NOTES_LIMIT = 1024 * 1024
"""Bytes of a text file that are looked at to tell whether it holds citation notes."""

_OBJECT_NAME = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_BINARY_PREFIX = 8000  # bytes in which git looks for a NUL (buffer_is_binary)

NOT_READ: Final = "not read: the time of the run was up"
_SKIPPED_FOLDERS: Final = frozenset({".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"})


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
        name = self.repository.relative(path)
        with git.Blobs(self.repository) as blobs:
            for _ in range(_LINKS_FOLLOWED):
                if name is None:
                    return None
                entry = self.entries(name).get(name)
                if entry is None:
                    return self._read_unrecorded(name)
                content = blobs.content(entry.oid, limit=SIZE_LIMIT)
                if entry.regular or content is None:
                    return content
                name = self.repository.relative(
                    self.root / posixpath.dirname(name) / os.fsdecode(content)
                )
        return None

    def recorded(self, path: Path) -> bytes:
        """Return the content of the local source *path* as `read` does. Raises FileNotFoundError if it is not recorded."""
        content = self.read(path)
        if content is None:
            raise FileNotFoundError(errno.ENOENT, "it is no part of what is recorded")
        return content

    def _read_unrecorded(self, name: str) -> bytes | None:
        if name in self.changed_paths:
            return None
        folders = [parent.as_posix() for parent in Path(name).parents][:-1]
        submodule = any(entry.mode == git.SUBMODULE for entry in self.entries(*folders).values())
        if not (folders and submodule) and not git.is_ignored(self.repository, name):
            return None
        try:
            return read_below(self.root / name, self.root, limit=SIZE_LIMIT)
        except FileNotFoundError:
            return None


def staged_changes(repository: Repository) -> ChangeSet:
    """Return how the index differs from HEAD and, in a merge, from every other parent. Raises ChangesError."""
    head = git.head_commit(repository)
    parents = [head or git.empty_tree(repository)]
    if head is not None:
        parents += _merge_parents(repository, head)
    others = " and the merged side" if len(parents) > 1 else ""
    base = "HEAD" if head else "nothing, as there is no commit yet"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDocument:
    """A document with what is new in it. `path` is relative to the root, with `/`.

    `new` and `new_diagnostics` are parts of the document's own, in its order; `unchanged` counts the citations left out.
    """

    path: str
    document: Document
    new: tuple[Citation, ...]
    new_diagnostics: tuple[Diagnostic, ...]
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The documents of a change that hold something new or might have, and what else is to be said.

    `problems` are documents that cannot be read: path, code and message. `notes` are one line each.
    """

    documents: tuple[ChangedDocument, ...] = ()
    problems: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[str, ...] = ()


Parse = Callable[[str, str], Document]
"""Reads a document: its path (relative to the root, with `/`) and its decoded text."""


def is_document(path: str) -> bool:
    """Tell whether a file of this name can hold citations; a text file does if its content is citation notes."""
    return kind_of(path) is not None


def _is_text_file(path: str) -> bool:
    return kind_of(path) is FileKind.TEXT


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


def changed_documents(
    changes: ChangeSet,
    parse: Parse,
    *,
    decode: Callable[[bytes], str],
    only: Collection[str] | None = None,
    accept: Callable[[str], bool] = is_document,
    options: Callable[[str], Hashable] = lambda path: None,
    has_time: Callable[[int], bool] = lambda size: True,
) -> Selection:
    """Return the documents of a change with what is new in each, in the order of their paths.

    Those are the documents that differ from every parent (of them only *only*, files or directories relative to the
    root, if given), and whatever else the change bears on: documents that cite a file it touches, and every document
    whose settings it changes. *decode* raises ValueError for what is no text; *accept* says which paths are documents
    that are checked; *options* gives for a path what in its settings can change a verdict; *has_time* tells whether
    there is time left for a document of so many characters: one that is not read is a problem.

    Only blobs of documents in the change, and of documents that name a file in it, are read. Raises ChangesError.
    """
    named = None if only is None else frozenset(only)
    differing = {path: change for path, change in changes.sides[0].items() if change.new}
    for side in changes.sides[1:]:
        differing = {path: change for path, change in differing.items() if path in side}
    entries = {
        path: change.new
        for path, change in differing.items()
        if change.new and accept(path) and (named is None or _covers(named, path))
    }
    with git.Blobs(changes.repository) as blobs:
        comparison = _Comparison(changes, blobs, parse, decode, accept, options, has_time)
        for path, entry in sorted(entries.items()):
            comparison.take(path, entry)
        for path, entry in sorted(comparison.further_entries().items()):
            if path not in differing:
                comparison.take(path, entry)
    skipped, missing = _not_in_change(changes, only, accept, differing)
    return Selection(
        documents=tuple(sorted(comparison.documents, key=lambda item: item.path)),
        problems=(*missing, *comparison.problems),
        notes=(*skipped, *changes.notes, *comparison.notes()),
    )


def _covers(only: frozenset[str], path: str) -> bool:
    return path in only or any(str(folder) in only for folder in PurePosixPath(path).parents)


def _not_in_change(
    changes: ChangeSet,
    only: Collection[str] | None,
    accept: Callable[[str], bool],
    differing: Collection[str],
) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Return a note on the documents in *only* that the change does not touch, and those that do not even exist."""
    idle = [path for path in only or () if accept(path) and path not in differing]
    gone = changes.changed_paths
    absent = [path for path in idle if not os.path.lexists(changes.root / path)]
    held = changes.entries(*absent) if absent else {}
    missing = [
        (path, "FILE_NOT_FOUND", "no such file, on disk or in the change")
        for path in absent
        if path not in held and path not in gone
    ]
    skipped = len(idle) - len(missing)
    notes = [f"skipped {_counted(skipped, 'file')} not in the change ({changes.description})"]
    return notes if skipped else [], missing


class _NoDocumentError(Exception):
    """A file that holds no document of ours; the message says what it is."""


class _Comparison:
    """Compares documents with their old versions and takes down what is new in them."""

    def __init__(
        self,
        changes: ChangeSet,
        blobs: git.Blobs,
        parse: Parse,
        decode: Callable[[bytes], str],
        accept: Callable[[str], bool],
        options: Callable[[str], Hashable],
        has_time: Callable[[int], bool],
    ) -> None:
        self._has_time = has_time
        self.documents: list[ChangedDocument] = []
        self.problems: list[tuple[str, str, str]] = []
        self._left_alone = Counter(
            "unresolved conflict"
            for path, change in changes.sides[0].items()
            if change.status == "U" and accept(path)
        )
        self._out_of_reach: set[str] = set()
        self._without_old: set[str] = set()
        self._changes = changes
        self._blobs = blobs
        self._parse = parse
        self._decode = decode
        self._accept = accept
        self._options = options
        self._touched = [changes.touched(side) for side in range(len(changes.sides))]
        self._folders = _reconfigured_folders(changes, blobs)

    def take(self, path: str, entry: Entry) -> None:
        """Compare the document at *path* with its old versions."""
        try:
            text = self._text(entry)
        except UnreadableObjectError as error:
            if _is_text_file(path) or not any(self._in_sides(path)):
                self._out_of_reach.add(path)
            else:
                self.problems.append((path, "UNREADABLE_FILE", str(error)))
            return
        except (_NoDocumentError, ValueError) as error:
            if _is_text_file(path):
                return  # most text files are no documents of ours
            if isinstance(error, _NoDocumentError):
                self._left_alone[str(error)] += 1
            elif any(change and self._undecodable(change.old) for change in self._in_sides(path)):
                self._left_alone["not UTF-8 text, as before"] += 1
            else:
                self.problems.append((path, "NOT_UTF8_TEXT", str(error)))
            return
        if _is_text_file(path) and not looks_like_notes(text):
            return
        if not self._has_time(len(text)):
            self.problems.append((path, OUT_OF_TIME, NOT_READ))
            return
        document = self._parse(path, text)
        changed = self._compared(path, document)
        if changed.new or changed.new_diagnostics or all(self._in_sides(path)):
            self.documents.append(changed)

    def further_entries(self) -> dict[str, Entry]:
        """Return the documents that cite a file which the change touches, or whose settings it changes."""
        names = {posixpath.basename(path) for path in self._changes.changed_paths}
        many = len(names) > _MANY_NAMES
        citing = self._naming(names) if names and not many else []
        if many or self._folders or len(citing) > _MANY_PATHS:
            entries = self._changes.entries()
        else:
            entries = self._changes.entries(*citing) if citing else {}
        chosen = frozenset(citing)
        return {
            path: entry
            for path, entry in entries.items()
            if (many or path in chosen or self._reconfigured(path))
            and entry.regular
            and self._accept(path)
        }

    def notes(self) -> list[str]:
        """Say what was left alone, and what could not be compared."""
        left_alone = dict(self._left_alone)
        if self._out_of_reach:
            left_alone["not at hand in this clone"] = len(self._out_of_reach)
        said = [
            f"left alone: {_counted(count, 'file')} ({reason})"
            for reason, count in sorted(left_alone.items())
        ]
        if self._without_old:
            documents = _counted(len(self._without_old), "document")
            said.append(f"all citations of {documents} count as new: the old text is not at hand")
        return said

    def _in_sides(self, path: str) -> list[RawChange | None]:
        """Return for each parent how *path* differs from it, None if it does not."""
        return [side.get(path) for side in self._changes.sides]

    def _naming(self, names: Collection[str]) -> list[str]:
        found = git.paths_that_match(
            self._changes.repository,
            _names_pattern(names),
            tree=self._changes.tree,
            suffixes=SUFFIXES,
        )
        in_change = set().union(*self._changes.sides)
        self._out_of_reach |= {path for path in found.unsearched - in_change if self._accept(path)}
        return found.paths

    def _reconfigured(self, path: str) -> bool:
        return bool(self._folders) and _covers(self._folders, path)

    def _compared(self, path: str, document: Document) -> ChangedDocument:
        olds = [] if self._reconfigured(path) else self._old_versions(path, document)
        old_texts = [old.text for _, old, _ in olds]
        root = self._changes.root
        fresh = new_indexes(
            citation_keys(document, path, root, self._options(path)),
            [
                self._lasting_keys(
                    citation_keys(old, old_path, root, self._options(old_path)), side
                )
                for old_path, old, side in olds
            ],
            familiar_places((item.span for item in document.citations), document.text, old_texts),
        )
        fresh_findings = new_indexes(
            diagnostic_keys(document),
            [diagnostic_keys(old) for _, old, _ in olds],
            familiar_places((item.span for item in document.diagnostics), document.text, old_texts),
        )
        return ChangedDocument(
            path=path,
            document=document,
            new=tuple(document.citations[index] for index in fresh),
            new_diagnostics=tuple(document.diagnostics[index] for index in fresh_findings),
            unchanged=len(document.citations) - len(fresh),
        )

    def _lasting_keys(self, keys: Iterable[CitationKey], side: int) -> list[CitationKey]:
        """Return those of *keys* whose sources are the same files as in the parent number *side*."""
        touched = self._touched[side]
        return [
            key
            for key in keys
            if not any(
                source.local and source.name in touched for source in {key.source, *key.others}
            )
        ]

    def _old_versions(self, path: str, document: Document) -> list[tuple[str, Document, int]]:
        """Return path and document in each parent that has it, with the parent's number."""
        versions = []
        for side, change in enumerate(self._in_sides(path)):
            if change is None:
                versions.append((path, document, side))
            elif (old := self._old_document(change, document)) is not None:
                versions.append((change.old_path, old, side))
        return versions

    def _old_document(self, change: RawChange, document: Document) -> Document | None:
        if change.old is None or not change.old.regular or not self._accept(change.old_path):
            return None
        try:
            text = self._text(change.old)
        except UnreadableObjectError:
            self._without_old.add(change.path)
            return None
        except (_NoDocumentError, ValueError):
            return None  # it held no citations that anyone could have checked
        same = text == document.text and change.old_path == change.path
        return document if same else self._document(change.old_path, text)

    def _document(self, path: str, text: str) -> Document | None:
        """Return the document that *text* is; None for a text file that holds no citation notes."""
        if _is_text_file(path) and not looks_like_notes(text):
            return None
        return self._parse(path, text)

    def _undecodable(self, entry: Entry | None) -> bool:
        if entry is None or not entry.regular:
            return False
        try:
            self._text(entry)
        except (UnreadableObjectError, _NoDocumentError):
            return False
        except ValueError:
            return True
        return False

    def _text(self, entry: Entry) -> str:
        """Return the text of a document.

        Raises _NoDocumentError for what is none, ValueError for what cannot be decoded, UnreadableObjectError for what is
        not at hand.
        """
        if not entry.regular:
            raise _NoDocumentError("submodule" if entry.mode == git.SUBMODULE else "symbolic link")
        content = self._blobs.content(entry.oid, limit=SIZE_LIMIT)
        if content is None:
            raise _NoDocumentError(f"larger than {SIZE_LIMIT // 2**20} MiB")
        if content.startswith(_LFS_POINTER):
            raise _NoDocumentError("Git LFS pointer")
        if b"\0" in content[:_BINARY_PREFIX]:
            raise _NoDocumentError("binary")
        return self._decode(content)


def _reconfigured_folders(changes: ChangeSet, blobs: git.Blobs) -> frozenset[str]:
    """Return the folders with a settings file that is new, changed or gone against every parent."""
    first, *others = (changes.touched(side) for side in range(len(changes.sides)))
    return frozenset(
        posixpath.dirname(path) or "."
        for path in first.intersection(*others)
        if posixpath.basename(path) in PROJECT_FILES and _settings_differ(changes, blobs, path)
    )


def _settings_differ(changes: ChangeSet, blobs: git.Blobs, path: str) -> bool:
    """Tell whether the settings in *path* differ from every parent: most of a pyproject.toml is about other tools."""
    if posixpath.basename(path) != "pyproject.toml":
        return True
    for side in changes.sides:
        moved = [change for change in side.values() if path in (change.path, change.old_path)]
        old = [change.old for change in moved if change.old_path == path]
        new = [change.new for change in moved if change.path == path]
        if _tool_table(blobs, old) == _tool_table(blobs, new):
            return False
    return True


def _tool_table(blobs: git.Blobs, entries: Sequence[Entry | None]) -> object:
    for entry in entries:
        try:
            content = (
                blobs.content(entry.oid, limit=SIZE_LIMIT) if entry and entry.regular else None
            )
        except UnreadableObjectError:
            return object()  # not at hand, so like no other
        try:
            return tomllib.loads((content or b"").decode()).get("tool", {}).get("tracecite-lint")
        except (ValueError, AttributeError):
            return content  # not TOML: then any change counts
    return None


def _names_pattern(names: Iterable[str]) -> str:
    """Return an extended regular expression for the ways in which a link can spell one of the file names *names*.

    That is as it is, percent-encoded, with backslashes (Markdown), as character references (HTML) or as escapes (JSON).
    """
    spellings = ("".join(map(_character_pattern, name)) for name in sorted(names))
    return f"(^|[^A-Za-z0-9]|%2[fF])({'|'.join(spellings)})"


def _character_pattern(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    raw = os.fsencode(character)
    escaped = "".join(f"%{_hex_pattern(f'{byte:02x}')}" for byte in raw)
    spellings = [escaped, "&[A-Za-z0-9#]+;"]
    if character.isascii():
        if (
            character not in "\n\0"
        ):  # git grep takes what stands between line feeds as patterns of their own
            spellings.append(
                r"\\?" + (rf"\{character}" if character in r"\^$.[]|()*+?{}" else character)
            )
    else:
        units = character.encode("utf-16-be", "surrogatepass")
        pairs = (units[index : index + 2].hex() for index in range(0, len(units), 2))
        spellings += [character, "".join(rf"\\u{_hex_pattern(pair)}" for pair in pairs)]
    return f"({'|'.join(spellings)})"


def _hex_pattern(digits: str) -> str:
    return "".join(
        digit if digit.isdigit() else f"[{digit.lower()}{digit.upper()}]" for digit in digits
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def tracked_documents(root: Path, paths: Sequence[Path] = ()) -> list[Path]:
    """Return the documents at *paths* (of *root* without any), all absolute, each once, in their order.

    A file is taken as it is. Of a directory every document below it that git tracks and that is on disk; outside of git
    every document, directories of tools (node_modules, …) left out. Git's own directories are left out everywhere. Raises
    ChangesError where git refuses to read a repository, and for a directory of git's own.
    """
    found: dict[Path, None] = {}
    for path in paths or (root,):
        found |= dict.fromkeys(_documents_below(path) if path.is_dir() else [path])
    return list(found)


def holds_citations(path: Path) -> bool:
    """Tell whether the file *path* is a document by its name or, a text file, by its content: citation notes."""
    if not is_document(path.name):
        return False
    if not _is_text_file(path.name):
        return True
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return looks_like_notes(file.read(_NOTES_LIMIT).decode("utf-8-sig", "replace"))
    except OSError:
        return True  # the check says what is wrong with it


def _documents_below(folder: Path) -> Iterator[Path]:
    if is_gits_own(folder):
        raise ChangesError(f"{folder} is a directory of git's own", "name one of the work tree")
    repository = find_repository(folder)
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
            if name not in _SKIPPED_FOLDERS
            and not is_git_name(name)
            and not is_git_directory(Path(directory, name))
        )
        yield from (Path(directory, name) for name in sorted(files))
