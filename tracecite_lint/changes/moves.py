"""Whether a document that was renamed, and not edited, still cites what it cited: told from its text, without parsing it."""

from __future__ import annotations

import posixpath

# What may begin a source that is no link of Markdown, or changes how one is read: notes and front matter (`url:`), links of
# wikis, templates. A document with any of these is parsed.
_OTHERS = ("[[", "{{", "{%", "url:")
_FRONT_MATTER = ("---", "+++")
_SPACE = " \t\r\n>"  # with the markers of blockquotes
_WEB = ("http://", "https://")
_NO_TAG = ("!--", "=", " ", "-", *"0123456789")
"""What may stand behind a `<` that opens neither a tag nor an address."""


def leads_alike(text: str, old_path: str, path: str) -> bool:
    """Tell whether all sources of a Markdown *text* certainly lead to the same places from *old_path* and from *path*.

    Both are relative to the root, with `/`. False says nothing: then the sources have to be resolved.
    """
    up = _way_out(posixpath.dirname(old_path), posixpath.dirname(path))
    if up is None or text.startswith(_FRONT_MATTER):
        return False
    lowered = text.lower()
    if any(mark in lowered for mark in _OTHERS):
        return False
    begins = (*_WEB, up) if up else _WEB
    destinations = (
        part.lstrip(_SPACE).removeprefix("<")
        for mark in ("](", "]:")
        for part in lowered.split(mark)[1:]
    )
    return all(destination.startswith(begins) for destination in destinations) and all(
        part.startswith((*begins, *_NO_TAG)) for part in lowered.split("<")[1:]
    )


def _way_out(old: str, new: str) -> str | None:
    """Return how a relative link has to begin to lead to the same place from both folders; None if none does."""
    one, other = (folder.split("/") if folder else [] for folder in (old, new))
    if len(one) != len(other):
        return None
    shared = (
        len(posixpath.commonpath([old, new]).split("/"))
        if old and new and one[0] == other[0]
        else 0
    )
    return "../" * (len(one) - shared)
