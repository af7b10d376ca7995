"""What the name of a file says of its content, and names as Unicode text: pure, the one place for both."""

from __future__ import annotations

from enum import Enum
from urllib.parse import quote, unquote_to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_ENCODED: Final = "file:"

BASELINE_NAME: Final = ".tracecite-baseline.json"
"""The baseline that holds without being named, at the root of a repository."""


class FileKind(Enum):
    """What a document is read as by its name."""

    MARKDOWN = "markdown"
    JSON_LINES = "json-lines"
    TEXT = "text"
    """Holds citations if all of it is citation notes."""


SUFFIXES: Final = {
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
    ".mdx": FileKind.MARKDOWN,
    ".qmd": FileKind.MARKDOWN,
    ".rmd": FileKind.MARKDOWN,
    ".jsonl": FileKind.JSON_LINES,
    ".ndjson": FileKind.JSON_LINES,
    ".txt": FileKind.TEXT,
}
"""The suffixes of documents, in lower case; a name may have them in any."""


def suffix_of(path: str) -> str:
    """Return the last suffix of a file's name in lower case, with its dot; empty for `README` and `.profile`."""
    name = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return f".{suffix.lower()}" if dot and stem.strip(".") else ""


def kind_of(path: str) -> FileKind | None:
    """Return what the file at *path* is read as by its name; None for a name that says nothing."""
    return SUFFIXES.get(suffix_of(path))


def is_mdx(path: str) -> bool:
    """Tell whether the file at *path* is Markdown with JSX, whose comments are others."""
    return suffix_of(path) == ".mdx"


def portable_name(name: str) -> str:
    """Return the name of a file (as `os.fsdecode` gives it) as text that every program can hold; `native_name` undoes it.

    A name that is UTF-8 stays as it is. One that is not becomes a relative `file:` URI: `caf%E9.md` behind `file:` stands for
    these bytes. So does a name that itself begins with `file:`, so that each can be told from the other.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        pass
    else:
        if not name.startswith(_ENCODED):
            return name
    return _ENCODED + quote(_bytes(name), safe="/")


def native_name(name: str) -> str:
    """Return the name that `portable_name` made *name* of."""
    if not name.startswith(_ENCODED):
        return name
    return unquote_to_bytes(name.removeprefix(_ENCODED)).decode("utf-8", "surrogateescape")


def _bytes(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # Windows has names with any half of a surrogate pair
        return name.encode("utf-8", "surrogatepass")


def is_document(path: str) -> bool:
    """Tell whether a file of this name can hold citations; a text file does if its content is citation notes."""
    return kind_of(path) is not None


def is_text_file(path: str) -> bool:
    return kind_of(path) is FileKind.TEXT
