"""Patches in the form that Codex gives its editing tool: which files are there after one."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.light.lazy import regex

_HEADER = regex(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)[ \t\r]*$")


def patched_files(patch: str) -> Iterator[str]:
    """Yield the files that *patch* adds, changes or moves, as it names them, in its order and under their new names.

    The grammar (`*** Update File: PATH`, `*** Move to: PATH`) is that of the tool `apply_patch` of openai/codex.
    """
    last: str | None = None
    for found in filter(None, map(_HEADER.match, patch.split("\n"))):
        kind, name = found[1], found[2]
        if kind == "Move to":
            last = name
            continue
        if last is not None:
            yield last
        last = None if kind == "Delete File" else name
    if last is not None:
        yield last
