"""Local files as sources: where a relative link leads, and what may be read (docs/security.md)."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page

MAX_BYTES = 2 * 1024 * 1024
"""The largest source that is read, in bytes; one byte more fails."""

Reader = Callable[[Path], bytes | None]
"""Gives the content of a file as it is to be committed; None for a file that is to be read from the disk."""

_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)

_MOST_NOTES = 50_000
"""Files of a repository that are looked at for a note."""
_NO_ANCHOR = re.compile(r"[^\w\- ]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")

# A table of our own, because mimetypes reads the system's files and says something else on each machine. What is not
# listed is plain text if it decodes.
_CONTENT_TYPES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/markdown",
    ".qmd": "text/markdown",
    ".rmd": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xml": "application/xml",
    ".json": "application/json",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class LocalSource:
    """A file that a document names: `path` is absolute and not yet resolved or judged, `fragment` follows the first `#`."""

    path: Path
    fragment: str
    note: str = ""
    """The name of a note (`[[note]]`): if it is not at `path`, it is the file of that name anywhere in the repository."""

    @property
    def key(self) -> str:
        """The name of the source; the same for every fragment of one file."""
        return self.path.as_posix()


def resolve_local(uri: str, *, document: Path, root: Path, cwd: Path | None = None) -> LocalSource:
    """Return the file that *uri*, a relative reference or a `file:` URI, names.

    A relative path starts at *document*'s directory, one that begins with `/` at *root*, the repository (outside git:
    the working directory). A `file:` URI (RFC 8089) is absolute, or relative to *cwd* (default: *root*) as in
    `file:notes.txt`. Escapes are decoded. Raises SourceError UNSUPPORTED_SOURCE_URI or SOURCE_UNAVAILABLE; reads nothing.
    """
    if uri.startswith("[["):
        return _note(uri.removeprefix("[[").removesuffix("]]"), root)
    if not (scheme := _SCHEME.match(uri)):
        return _relative(uri, document=document, root=root)
    if scheme[1].lower() != "file":
        raise SourceError(
            "UNSUPPORTED_SOURCE_URI",
            f"sources of the kind {scheme[1].lower()}: are not read",
            help="cite a web address or a file",
        )
    parts = urlsplit(uri)
    if parts.netloc not in {"", "localhost"}:
        raise SourceError("UNSUPPORTED_SOURCE_URI", "a file: URI of another machine is not read")
    path = _decoded(parts.path)
    if os.name == "nt":
        path = re.sub(r"^/(?=[A-Za-z]:)", "", path)  # file:///C:/notes.txt
    return LocalSource((cwd or root) / path, parts.fragment)


def _note(link: str, root: Path) -> LocalSource:
    """Return the note that an Obsidian link names: a path from the vault's root, or the name of a file anywhere in it."""
    name, _, heading = link.partition("#")
    if "\0" in name:
        raise SourceError("SOURCE_UNAVAILABLE", "the path of the source holds a NUL")
    name = name.strip().removeprefix("/")
    if not Path(name).suffix[1:].isalpha():
        name += ".md"
    # `#^id` names a block, which is no part that is told apart.
    fragment = "" if heading.startswith("^") else _NO_ANCHOR.sub("", heading.lower().strip())
    return LocalSource(root / name, fragment.replace(" ", "-"), note=name)


def _relative(uri: str, *, document: Path, root: Path) -> LocalSource:
    if uri.startswith("//"):
        raise SourceError(
            "UNSUPPORTED_SOURCE_URI",
            "a source that begins with // has no scheme",
            help="write https:// in front of the host",
        )
    reference, _, fragment = uri.partition("#")
    path = _decoded(reference.partition("?")[0])
    if not path:
        return LocalSource(document, fragment)
    if path.startswith("/"):
        return LocalSource(root / path.lstrip("/"), fragment)
    return LocalSource(document.parent / path, fragment)


def _decoded(path: str) -> str:
    try:
        decoded = unquote_to_bytes(path).decode()
    except UnicodeError:
        raise SourceError("SOURCE_UNAVAILABLE", "the path of the source is not UTF-8") from None
    if "\0" in decoded:
        raise SourceError("SOURCE_UNAVAILABLE", "the path of the source holds a NUL")
    return decoded


def read_local(source: LocalSource, *, root: Path, reader: Reader | None = None) -> Page:
    """Return the text of a local file.

    Nothing outside *root* is opened, symbolic links included, and only regular files of at most 2 MiB. *reader* is
    asked first, with the resolved path. Raises SourceError URL_BLOCKED, SOURCE_UNAVAILABLE, SOURCE_TOO_LARGE and those
    of `extract`. `prepared` of the page is empty, `status` 0.
    """
    from tracecite_lint.sources.extract import extract  # not for a run that cites pages alone

    path = _path_below(_found_note(source, root) if source.note else source.path, root)
    body = reader(path) if reader is not None else None
    if body is None:
        body = _bytes_on_disk(path)
    if len(body) > MAX_BYTES:
        raise SourceError("SOURCE_TOO_LARGE", f"{_shown(path)} is larger than 2 MiB")
    extracted = extract(body, _CONTENT_TYPES.get(path.suffix.lower()), path.as_posix())
    now = time.time()
    return Page(
        url=source.path.as_uri(),
        final_url=path.as_uri(),
        status=0,
        content_type=extracted.content_type,
        text=extracted.text,
        prepared=b"",
        fetched_at=now,
        fresh_until=now,
        sections=extracted.sections,
    )


def _found_note(source: LocalSource, root: Path) -> Path:
    """Return where a note lies: the shortest path counts, hidden directories hold none, and links are not followed."""
    if source.path.is_file() or "/" in source.note:
        return source.path
    seen = 0
    found: list[Path] = []
    for directory, below, names in os.walk(root):
        below[:] = [name for name in below if not name.startswith(".")]
        seen += len(names)
        if seen > _MOST_NOTES:
            break
        found += [Path(directory, name) for name in names if name.lower() == source.note.lower()]
    return min(found, key=lambda path: (len(path.parts), path), default=source.path)


def _path_below(path: Path, root: Path) -> Path:
    """Return *path* with its symbolic links resolved, if that lies below *root*."""
    resolved, real_root = Path(os.path.realpath(path)), os.path.realpath(root)
    if not resolved.is_relative_to(real_root):
        raise SourceError(
            "URL_BLOCKED",
            "the file lies outside the repository and was not opened",
            help="copy what you cite into the repository, or cite a public address",
        )
    if ".git" in map(str.lower, resolved.relative_to(real_root).parts):
        # Its config may hold a token, which the closest passage of a mismatch would show.
        raise SourceError("URL_BLOCKED", "the file is git's own and was not opened")
    return resolved


def _bytes_on_disk(path: Path) -> bytes:
    """Return the content of a regular file, one byte more than the limit at most.

    The kind of the file is looked at before it is opened, because to open a device can set it going, and once more
    after: a pipe that took its place would otherwise block.
    """
    try:
        _check_regular(path, os.lstat(path))
        descriptor = os.open(path, _OPEN_FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            _check_regular(path, os.fstat(descriptor))
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else "it cannot be read"
        if error.errno == errno.ENOENT:
            reason = "there is no such file"
        raise SourceError(
            "SOURCE_UNAVAILABLE", f"{_shown(path)} cannot be read: {reason}"
        ) from None


def _check_regular(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise SourceError("SOURCE_UNAVAILABLE", f"{_shown(path)} cannot be read: it is {kind}")


def _shown(path: Path) -> str:
    """Return the name of a file as it can stand in a message of one line."""
    name = path.name.encode(errors="replace").decode()
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
