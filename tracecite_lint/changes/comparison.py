"""What is new: the old and the new text of every document in a change, compared citation by citation.

Citations are compared, not lines: an edited `[1]: url`, a moved fence or a rename changes which quotations are new on
lines that did not change, and a rewrapped paragraph changes none. docs/hook.md tells the rules to users.
"""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath

from tracecite_lint.changes import git
from tracecite_lint.changes.changeset import SIZE_LIMIT, ChangeSet
from tracecite_lint.changes.git import Entry, RawChange, UnreadableObjectError
from tracecite_lint.changes.moves import leads_alike
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Asks
from tracecite_lint.naming.file_names import (
    SUFFIXES,
    FileKind,
    is_document,
    is_text_file,
    kind_of,
)
from tracecite_lint.settings import PROJECT_FILES, is_ours, parse_toml
from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME

# What reads documents is imported where there is one: most commits touch none.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Sequence
    from typing import Final

    from tracecite_lint.changes.keys import CitationKey
    from tracecite_lint.model import Citation, Diagnostic, Document, LinkedClaim

_MANY_NAMES = 200
"""Above this many changed files git looks for the ends of their names, and what it finds is searched for the names here."""

_MANY_PATHS = 500
"""Above this many paths all of the index is listed: a command line has its limits."""

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"

_RUN = regex("[A-Za-z0-9]+")
_ESCAPE = regex(r"%[0-9A-Fa-f]{2}|&[A-Za-z0-9#]+;|\\u[0-9A-Fa-f]{4}")

_BINARY_PREFIX = 8000  # bytes in which git looks for a NUL (buffer_is_binary)

NOT_READ: Final = "not read: the time of the run was up"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDocument:
    """A document with what is new in it. `path` is relative to the root, with `/`.

    `new`, `new_diagnostics` and `new_claims` are parts of the document's own, in its order; `unchanged` counts the citations left out.
    """

    path: str
    document: Document
    new: tuple[Citation, ...]
    new_diagnostics: tuple[Diagnostic, ...]
    new_claims: tuple[LinkedClaim, ...]
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The documents of a change that hold something new or might have, and what else is to be said.

    `problems` are documents that cannot be read: path, code and message. `notes` are one line each.
    """

    documents: tuple[ChangedDocument, ...] = ()
    problems: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[str, ...] = ()


Parse = Callable[[str, str], "Document"]
"""Reads a document: its path (relative to the root, with `/`) and its decoded text."""


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
    # In a merge a file that is the same as in one parent comes from there, and holds nothing new.
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
        comparison.take_further(differing)
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
        self._moved = 0
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

    def take(
        self, path: str, entry: Entry, holds: Callable[[str], bool] = lambda text: True
    ) -> None:
        """Compare the document at *path* with its old versions, if its text *holds* what it was chosen for."""
        try:
            text = self._text(entry)
        except UnreadableObjectError as error:
            # Nobody has changed it here, so nobody is asked to mend it: a note will do.
            if is_text_file(path) or not any(self._in_sides(path)):
                self._out_of_reach.add(path)
            else:
                self.problems.append((path, "UNREADABLE_FILE", str(error)))
            return
        except (_NoDocumentError, ValueError) as error:
            if is_text_file(path):
                return  # most text files are no documents of ours
            if isinstance(error, _NoDocumentError):
                self._left_alone[str(error)] += 1
            # A file that never was text is not made an error by an edit that has nothing to do with it.
            elif any(change and self._undecodable(change.old) for change in self._in_sides(path)):
                self._left_alone["not UTF-8 text, as before"] += 1
            else:
                self.problems.append((path, "NOT_UTF8_TEXT", str(error)))
            return
        if not holds(text) or (is_text_file(path) and not _is_notes(text)):
            return
        if self._only_moved(path, entry, text):
            self._moved += 1
            return
        if not self._has_time(len(text)):
            self.problems.append((path, OUT_OF_TIME, NOT_READ))
            return
        document = self._parse(path, text)
        changed = self._compared(path, document)
        # A document of the change is counted even where nothing in it is new; one that was only looked at is not.
        if changed.new or changed.new_diagnostics or all(self._in_sides(path)):
            self.documents.append(changed)

    def take_further(self, differing: Collection[str]) -> None:
        """Compare the documents that cite a file which the change touches, or whose settings it changes.

        Those in *differing* are compared already.
        """
        names = {posixpath.basename(path) for path in self._changes.changed_paths}
        citing = frozenset(self._naming(names) if names else ())
        mentions = _mentions(names) if len(names) > _MANY_NAMES else lambda text: True
        if self._folders or len(citing) > _MANY_PATHS:
            entries = self._changes.entries()
        else:
            entries = self._changes.entries(*citing) if citing else {}
        for path, entry in sorted(entries.items()):
            if path in differing or not entry.regular or not self._accept(path):
                continue
            if self._reconfigured(path):
                self.take(path, entry)
            elif path in citing:
                self.take(path, entry, mentions)

    def notes(self) -> list[str]:
        """Say what was left alone, and what could not be compared."""
        left_alone = dict(self._left_alone)
        if self._out_of_reach:
            left_alone["not at hand in this clone"] = len(self._out_of_reach)
        said = [
            f"left alone: {_counted(count, 'file')} ({reason})"
            for reason, count in sorted(left_alone.items())
        ]
        if self._moved:
            documents = _counted(self._moved, "document")
            only = (
                "was only renamed, and holds" if self._moved == 1 else "were only renamed, and hold"
            )
            said.append(f"{documents} {only} nothing new")
        if self._without_old:
            documents = _counted(len(self._without_old), "document")
            said.append(f"all citations of {documents} count as new: the old text is not at hand")
        return said

    def _only_moved(self, path: str, entry: Entry, text: str) -> bool:
        """Tell whether nothing can be new in the document at *path*, without parsing its *text*.

        That is so where every parent has the very same text under another name or mode, read in the same way, and all of
        its sources lead from there to the same files, none of which is in the change.
        """
        if kind_of(path) is not FileKind.MARKDOWN or self._reconfigured(path):
            return False
        for change in self._in_sides(path):
            if change is None or change.old is None or change.old.oid != entry.oid:
                return False
            if not (change.old.regular and self._accept(change.old_path)):
                return False
            if not (
                self._read_alike(change.old_path, path) and leads_alike(text, change.old_path, path)
            ):
                return False
        return not self._names_changed(text)

    @cached_property
    def _names_changed(self) -> Callable[[str], bool]:
        """What tells whether a text may name a file that the change touches."""
        return _mentions({posixpath.basename(path) for path in self._changes.changed_paths})

    def _in_sides(self, path: str) -> list[RawChange | None]:
        """Return for each parent how *path* differs from it, None if it does not."""
        return [side.get(path) for side in self._changes.sides]

    def _naming(self, names: Collection[str]) -> list[str]:
        """Return the documents in which one of *names* stands; of many names, one of their ends."""
        if len(names) > _MANY_NAMES:
            pattern = _spelled({posixpath.splitext(name)[1] or name for name in names})
        else:
            pattern = f"(^|[^A-Za-z0-9]|%2[fF]){_spelled(names)}"
        found = git.paths_that_match(
            self._changes.repository,
            pattern,
            tree=self._changes.tree,
            suffixes=SUFFIXES,
        )
        in_change = set().union(*self._changes.sides)
        self._out_of_reach |= {path for path in found.unsearched - in_change if self._accept(path)}
        return found.paths

    def _reconfigured(self, path: str) -> bool:
        return bool(self._folders) and _covers(self._folders, path)

    def _compared(self, path: str, document: Document) -> ChangedDocument:
        # Under other settings other things are citations, so that no old version says what was checked.
        olds = [] if self._reconfigured(path) else self._old_versions(path, document)
        if not olds:
            return ChangedDocument(
                path=path,
                document=document,
                new=document.citations,
                new_diagnostics=document.diagnostics,
                new_claims=document.claims,
                unchanged=0,
            )
        from tracecite_lint.changes.keys import (
            citation_keys,
            claim_keys,
            diagnostic_keys,
            familiar_places,
            new_indexes,
        )

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
        fresh_claims = new_indexes(
            claim_keys(document),
            [claim_keys(old) for _, old, _ in olds],
            familiar_places((item.span for item in document.claims), document.text, old_texts),
        )
        new = tuple(document.citations[index] for index in fresh)
        return ChangedDocument(
            path=path,
            document=document,
            new=new,
            new_diagnostics=tuple(document.diagnostics[index] for index in fresh_findings),
            new_claims=tuple(document.claims[index] for index in fresh_claims),
            unchanged=_quotations(document.citations) - _quotations(new),
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
        same = text == document.text and self._read_alike(change.old_path, change.path)
        # What was parsed once is not parsed again: in a merge most documents stand in two parents alike, and in a rename
        # the new text is the old one. Where its sources lead from each path the keys tell.
        return document if same else self._document(change.old_path, text)

    def _read_alike(self, one: str, other: str) -> bool:
        """Tell whether a text is read as the same at both paths: as the same kind, under the same settings."""
        same_kind = posixpath.splitext(one)[1] == posixpath.splitext(other)[1]
        return one == other or (same_kind and self._options(one) == self._options(other))

    def _document(self, path: str, text: str) -> Document | None:
        """Return the document that *text* is; None for a text file that holds no citation notes."""
        if is_text_file(path) and not _is_notes(text):
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
        # As git tells binary from text (xdiff-interface.c, buffer_is_binary), so that UTF-16 is left alone here too.
        if b"\0" in content[:_BINARY_PREFIX]:
            raise _NoDocumentError("binary")
        return self._decode(content)


def _is_notes(text: str) -> bool:
    from tracecite_lint.documents.notes import looks_like_notes

    return looks_like_notes(text)


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
            return parse_toml(content or b"").get("tool", {}).get("tracecite-lint")
        except (ValueError, AttributeError, RecursionError):
            return content if content and is_ours(content) else None  # not TOML: any change counts
    return None


def _mentions(names: Iterable[str]) -> Callable[[str], bool]:
    """Return what tells whether a text may name one of the files *names*, in one of the ways of `_spelled`.

    In all of these the letters and digits of ASCII stand as they are, so that each run of them in a name is one in the
    text, or in what is left of it without what can stand between them.
    """
    by_longest: dict[str, list[frozenset[str]]] = {}
    for name in names:
        runs = frozenset(_RUN.findall(name))
        by_longest.setdefault(max(runs, key=len, default=""), []).append(runs)
    if "" in by_longest:  # a name without any
        return lambda text: True

    def mentions(text: str) -> bool:
        held = frozenset(_RUN.findall(text)).union(_RUN.findall(_ESCAPE.sub(" ", text)))
        return any(runs <= held for run in by_longest.keys() & held for runs in by_longest[run])

    return mentions


def _spelled(names: Iterable[str]) -> str:
    """Return an extended regular expression for the ways in which a link can spell one of the file names *names*.

    That is as it is, percent-encoded, with backslashes (Markdown), as character references (HTML) or as escapes (JSON).
    """
    spellings = ("".join(map(_character_pattern, name)) for name in sorted(names))
    return f"({'|'.join(spellings)})"


def _character_pattern(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    raw = os.fsencode(character)
    escaped = "".join(f"%{_hex_pattern(f'{byte:02x}')}" for byte in raw)
    # Any character reference: there are 2,231 of them (HTML Standard, “Named character references”).
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


def _quotations(citations: Iterable[Citation]) -> int:
    return sum(item.asks is Asks.QUOTATION for item in citations)
