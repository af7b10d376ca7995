"""The URIs of documents and the paths they stand for (RFC 8089)."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote

from tracecite_lint.light.lazy import regex

# RFC 8089, appendix B: `file:/path` too, which has no authority at all.
_FILE = regex(r"file:(?://(?P<authority>[^/]*))?(?P<path>/.*)", re.IGNORECASE | re.DOTALL)
_ANY = regex(r"[^:/?#]*:(?://[^/?#]*)?(?P<path>[^?#]*)")
_DRIVE = regex(r"/([A-Za-z]):(?=/|\Z)")


def file_path(uri: str, *, windows: bool = os.name == "nt") -> str | None:
    """Return the path that a `file:` URI stands for; None for any other scheme.

    Escapes are decoded. On Windows a drive letter becomes a capital one, since editors write it either way, and a host
    becomes a UNC path. `#` and `?` that an editor forgot to escape belong to the path: documents have no fragments.
    """
    found = _FILE.fullmatch(uri)
    if found is None:
        return None
    # As os.fsdecode gives names that are no UTF-8, so that the file is found.
    path = unquote(found["path"], errors="surrogateescape")
    if "\0" in path:
        return None  # no file has such a name
    authority = unquote(found["authority"] or "")
    if not windows:
        return path
    if authority and authority.lower() != "localhost":
        # RFC 8089, appendix E.3.1.
        return f"//{authority}{path}".replace("/", "\\")
    drive = _DRIVE.match(path)
    if drive is not None:
        path = f"{drive[1].upper()}:{path[3:] or '/'}"
    return path.replace("/", "\\")


def last_part(uri: str) -> str:
    """Return the decoded name that *uri*, of whatever scheme, ends with, before `?` and `#`; empty if there is none."""
    found = _ANY.match(uri)
    path = found["path"] if found is not None else uri
    return unquote(path).replace("\\", "/").rpartition("/")[2]


def document_key(uri: str) -> str:
    """Return what a document is recognised by: two spellings of one `file:` URI have one key."""
    return file_path(uri) or uri
