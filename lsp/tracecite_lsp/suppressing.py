"""Edits that silence a finding in JSON Lines, which have no comments: an entry in the settings."""

from __future__ import annotations

import glob
import re
import tomllib
from collections.abc import Iterator
from typing import Any

REASON = "say why"
"""Stands where the user is to write the reason."""


def settings_suppression(text: str, name: str, code: str, *, table: str) -> str | None:
    """Return the text of a settings file with *code* among the `per-file-ignores` of the document *name*.

    *table* is the table of the settings in the file, empty for the file itself. None if the file is written in a way that
    cannot be added to safely, or has it already.
    """
    # A pattern without a slash means a file of that name anywhere (docs/settings.md), and this one file is meant.
    pattern = glob.escape(name if "/" in name else f"/{name}")
    header = f"{table}.per-file-ignores" if table else "per-file-ignores"
    before = _table(text, header)
    if before is None or code in before.get(pattern, ()):
        return None
    wanted = {**before, pattern: [*before.get(pattern, ()), code]}
    for changed in _settings_candidates(text, header, pattern, code, before):
        # Judged by what the file says then: TOML can be written in more ways than a search knows.
        if _table(changed, header) == wanted:
            return changed
    return None


def _settings_candidates(
    text: str, header: str, pattern: str, code: str, before: dict[str, Any]
) -> Iterator[str]:
    key = f'"{_escaped(pattern)}"'
    entry = f'{key} = ["{code}"]  # {REASON}\n'
    if pattern in before:
        present = re.compile(
            rf"^({re.escape(key)}[ \t]*=[ \t]*\[[^\]\n]*?),?[ \t]*\]", re.MULTILINE
        )
        comma = ", " if before[pattern] else ""
        yield present.sub(lambda match: f'{match[1]}{comma}"{code}"]', text, count=1)
        return
    found = re.search(rf"^\[{re.escape(header)}\][^\n]*\n?", text, re.MULTILINE)
    if found is not None:
        line = found[0] if found[0].endswith("\n") else found[0] + "\n"
        yield text[: found.start()] + line + entry + text[found.end() :]
        return
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    yield f"{text}{gap}[{header}]\n{entry}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _table(text: str, header: str) -> dict[str, Any] | None:
    """Return the table named *header* of a TOML text, empty if there is none; None if that is no TOML, or no table."""
    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    for name in header.split("."):
        table = table.get(name, {})
        if not isinstance(table, dict):
            return None
    result: dict[str, Any] = table
    return result
