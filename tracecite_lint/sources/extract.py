"""Bytes and a content type become the text that a reader of the page sees (docs/visible-text.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tracecite_lint.sources.page import Sections

EXTRACT_VERSION = 1
"""Goes into the cache's key: raised whenever the same bytes may give another text."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a body says: its visible text, the media type it was read as, and where its parts stand in the text."""

    text: str
    content_type: str
    sections: Sections = field(default_factory=Sections)


def extract(body: bytes, content_type: str | None, url: str) -> Extracted:
    """Return the visible text of *body*.

    *content_type* is the header as sent (`text/html; charset=gbk`) or None; *url* is the final URL, or the path of a
    local file. Raises SourceError: UNSUPPORTED_CONTENT_TYPE, SOURCE_NOT_UTF8, HTML_PARSE_FAILED, SOURCE_HAS_NO_TEXT,
    SOURCE_BLOCKED.
    """
    raise NotImplementedError
