"""What the name of a file says of its content, and names as Unicode text: pure, the one place for both."""

from __future__ import annotations

from enum import Enum
from typing import Final


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
