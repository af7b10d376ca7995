"""URIs as documents write them: what kind of source one names. Pure, and the one place that tells."""

from __future__ import annotations

import re
from enum import Enum

_SCHEME = re.compile(r" *([A-Za-z][A-Za-z0-9+.-]*):")


class UriKind(Enum):
    """Where a source has to be looked for."""

    WEB = "web"
    FILE = "file"
    OTHER = "other"
    """A scheme that is not read: `mailto:`, `doi:`, or one that only a record itself knows."""


def scheme_of(uri: str) -> str:
    """Return the scheme of *uri* in lower case; empty for a relative reference."""
    found = _SCHEME.match(uri)
    return found[1].lower() if found else ""


def uri_kind(uri: str) -> UriKind:
    """Return what kind of source *uri* names: the scheme decides, and `//host/path` without one is a web address.

    Nothing is said of whether it is a sound one: `https:` alone is of the web too.
    """
    scheme = scheme_of(uri)
    if scheme in ("http", "https") or (not scheme and uri.lstrip(" ").startswith("//")):
        return UriKind.WEB
    return UriKind.FILE if scheme in ("", "file") else UriKind.OTHER


def is_web(uri: str) -> bool:
    """Tell whether *uri* names a web page."""
    return uri_kind(uri) is UriKind.WEB


def web_address(uri: str) -> str:
    """Return *uri*, which names a web page, with its scheme: `//host/path` is read as `https`, as pages are today."""
    uri = uri.strip(" ")
    return uri if scheme_of(uri) else f"https:{uri}"
