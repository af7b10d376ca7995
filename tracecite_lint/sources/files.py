"""Local files as sources: where a relative link leads, and what may be read (docs/security.md)."""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from tracecite_lint.files.opening import RefusedError, read_below, resolved_below
from tracecite_lint.light.lazy import NamedTuple, dataclass, regex
from tracecite_lint.naming.file_names import SUFFIXES, FileKind, kind_of, suffix_of
from tracecite_lint.naming.uris import scheme_of
from tracecite_lint.sources.deadline import NO_DEADLINE, Deadline
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

MAX_BYTES = 2 * 1024 * 1024
"""The largest source that is read, in bytes; one byte more fails."""

Reader = Callable[[Path], bytes | None]
"""Gives the content of a file as it is to be committed; None for a file that is to be read from the disk. May raise OSError."""

_MOST_NOTES = 50_000
"""Files of a repository that are looked at for a note."""
_NO_ANCHOR = regex(r"[^\w\- ]")

# A table of our own, because mimetypes reads the system's files and says something else on each machine. What is not
# listed is plain text if it decodes.
_CONTENT_TYPES = {
    **{suffix: "text/markdown" for suffix, kind in SUFFIXES.items() if kind is FileKind.MARKDOWN},
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xml": "application/xml",
    ".json": "application/json",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
}

# Two labels or more, the last of letters alone, as every top-level domain is (RFC 3696, section 2).
_HOST = regex(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}")

RECORDS: Final = "application/x-ndjson"
"""The media type of JSON Lines: records of agents and models, whose words are private."""


class LocalKey(NamedTuple):
    """What names a local source: the file, and the root that it may not leave. Under another root it may be refused."""

    root: str
    path: str


@dataclass(frozen=True, slots=True)
class LocalSource:
    """A file that a document names: `path` is absolute and not yet resolved or judged, `fragment` follows the first `#`.

    `root` is the directory that the file has to lie in.
    """

    path: Path
    fragment: str
    root: Path
    note: str = ""
    """The name of a note (`[[note]]`): if it is not at `path`, it is the file of that name anywhere in the repository."""

    host: str = ""
    """The host that was meant if the reference only lacks its scheme: `council.example.org/minutes` names a file."""

    @property
    def key(self) -> LocalKey:
        """The name of the source; the same for every fragment of one file."""
        return LocalKey(self.root.as_posix(), self.path.as_posix())


def resolve_local(uri: str, *, document: Path, root: Path, cwd: Path | None = None) -> LocalSource:
    """Return the file that *uri*, a relative reference or a `file:` URI, names.

    A relative path starts at *document*'s directory, one that begins with `/` at *root*, the repository (outside git:
    the working directory). A `file:` URI (RFC 8089) is absolute, or relative to *cwd* (default: *root*) as in
    `file:notes.txt`. Escapes are decoded. Raises SourceError UNSUPPORTED_SOURCE_URI or SOURCE_UNAVAILABLE; reads nothing.
    """
    if uri.startswith("[["):
        return _note(uri.removeprefix("[[").removesuffix("]]"), root)
    scheme = scheme_of(uri)
    if not scheme:
        return _relative(uri, document=document, root=root)
    if scheme != "file":
        raise SourceError(
            "UNSUPPORTED_SOURCE_URI",
            f"sources of the kind {scheme}: are not read",
            help="cite a web address or a file",
        )
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise SourceError("UNSUPPORTED_SOURCE_URI", "the file: URI cannot be read") from None
    # RFC 8089, section 2: no authority, or this machine. On Windows a file of another one is opened by SMB.
    if parts.netloc not in {"", "localhost"}:
        raise SourceError("UNSUPPORTED_SOURCE_URI", "a file: URI of another machine is not read")
    path = _decoded(parts.path)
    if os.name == "nt":
        path = re.sub(r"^/(?=[A-Za-z]:)", "", path)  # file:///C:/notes.txt
    return LocalSource((cwd or root) / path, parts.fragment, root)


def _note(link: str, root: Path) -> LocalSource:
    """Return the note that an Obsidian link names: a path from the vault's root, or the name of a file anywhere in it."""
    name, _, heading = link.partition("#")
    if "\0" in name:
        raise SourceError("SOURCE_UNAVAILABLE", "the path of the source holds a NUL")
    name = name.strip().removeprefix("/")
    # `[[v1.2]]` is a note called so; `[[picture.png]]` names its file.
    if not Path(name).suffix[1:].isalpha():
        name += ".md"
    # `#^id` names a block, which is no part that is told apart.
    fragment = "" if heading.startswith("^") else _NO_ANCHOR.sub("", heading.lower().strip())
    return LocalSource(root / name, fragment.replace(" ", "-"), root, note=name)


def _relative(uri: str, *, document: Path, root: Path) -> LocalSource:
    reference, _, fragment = uri.partition("#")
    # A file has no query: `notes.md?plain=1#L3` is how GitHub links a line of its source.
    path = _decoded(reference.partition("?")[0])
    if not path:
        # RFC 3986, section 4.4: the document itself.
        return LocalSource(document, fragment, root)
    if path.startswith("/"):
        # As GitHub and site generators resolve it; a path of the system would be another file on each machine.
        return LocalSource(root / path.lstrip("/"), fragment, root)
    return LocalSource(document.parent / path, fragment, root, host=_host_meant(path))


def _host_meant(path: str) -> str:
    """Return the first part of *path* if it may be the name of a host, and nothing where it is the name of a file."""
    first, slash, _ = path.partition("/")
    if not _HOST.fullmatch(first):
        return ""
    is_file = not slash and (suffix_of(first) in _CONTENT_TYPES or first.count(".") < 2)
    return "" if is_file else first


def _decoded(path: str) -> str:
    try:
        # Not unquote(): it would replace what is no UTF-8, and name another file.
        decoded = unquote_to_bytes(path).decode()
    except UnicodeError:
        raise SourceError("SOURCE_UNAVAILABLE", "the path of the source is not UTF-8") from None
    if "\0" in decoded:
        raise SourceError("SOURCE_UNAVAILABLE", "the path of the source holds a NUL")
    return decoded


def read_local(
    source: LocalSource, *, reader: Reader | None = None, deadline: Deadline = NO_DEADLINE
) -> Page:
    """Return the text of a local file.

    Nothing outside of its root or of git's own is opened, and only regular files of at most 2 MiB (files.opening). *reader* is
    asked first, with the resolved path. Raises SourceError URL_BLOCKED, SOURCE_UNAVAILABLE, SOURCE_TOO_LARGE and those
    of `extract`. `prepared` of the page is empty, `status` 0.
    """
    from tracecite_lint.sources.extract import extract  # not for a run that cites pages alone

    try:
        path = resolved_below(_found_note(source), source.root)
        # First, since in a commit or an editor the content that counts may be on no disk.
        body = reader(path) if reader is not None else None
        if body is None:
            body = read_below(path, source.root, limit=MAX_BYTES)
    except RefusedError as error:
        raise SourceError(
            "URL_BLOCKED",
            f"the file {error} and was not opened",
            help="copy what you cite into the repository, or cite a public address",
        ) from None
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        if reason == os.strerror(errno.ENOENT).lower():
            reason = "there is no such file"
        raise SourceError(
            "SOURCE_UNAVAILABLE",
            f"{_shown(source.path)} cannot be read: {reason}",
            help=f"is `https://` missing before {source.host}?" if source.host else "",
        ) from None
    if body is None or len(body) > MAX_BYTES:
        raise SourceError("SOURCE_TOO_LARGE", f"{_shown(path)} is larger than 2 MiB")
    extracted = extract(body, _CONTENT_TYPES.get(suffix_of(path.name)), path.as_uri(), deadline)
    now = time.time()
    return Page(
        url=source.path.as_uri(),
        final_url=path.as_uri(),
        status=0,
        content_type=RECORDS
        if kind_of(path.name) is FileKind.JSON_LINES
        else extracted.content_type,
        text=extracted.text,
        prepared=b"",
        fetched_at=now,
        fresh_until=now,
        sections=extracted.sections,
        leads_on=extracted.leads_on is not None,
    ).named()


def _found_note(source: LocalSource) -> Path:
    """Return where a note lies: the shortest path counts, hidden directories hold none, and links are not followed."""
    if not source.note or source.path.is_file() or "/" in source.note:
        return source.path
    seen = 0
    found: list[Path] = []
    for directory, below, names in os.walk(source.root):
        below[:] = [name for name in below if not name.startswith(".")]
        seen += len(names)
        if seen > _MOST_NOTES:
            break
        found += [Path(directory, name) for name in names if name.lower() == source.note.lower()]
    # As Obsidian has it: of notes of one name the one nearest to the vault's root.
    return min(found, key=lambda path: (len(path.parts), path), default=source.path)


def _shown(path: Path) -> str:
    """Return the name of a file as it can stand in a message of one line."""
    name = path.name.encode(errors="replace").decode()
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
