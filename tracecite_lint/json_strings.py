"""Where the strings of a JSON text stand in it: from a place in a parsed string to the column in the raw line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from typing import TypeAlias

from tracecite_lint.light.lazy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

JsonPath: TypeAlias = tuple[str | int, ...]
"""The way to a value: a key for each object and a 0-based index for each array."""

_TOKEN: Final = regex(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]', re.DOTALL)
_ESCAPE: Final = regex(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL
)
_SIMPLE: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


def string_ranges(text: str, paths: Collection[JsonPath]) -> dict[JsonPath, tuple[int, int]]:
    """Return where the strings at *paths* stand in the valid JSON *text*, without their quotation marks.

    Ranges are half-open and count characters from 0. A path that leads to no string is left out.
    """
    wanted = set(paths)
    found: dict[JsonPath, tuple[int, int]] = {}
    path: list[str | int] = []
    is_key = False
    for token in _TOKEN.finditer(text):
        if len(found) == len(wanted):
            break
        kind = token[0][0]
        if kind == '"':
            if is_key:
                path[-1] = _decoded(token[0][1:-1])
                is_key = False
            elif tuple(path) in wanted:
                found[tuple(path)] = (token.start() + 1, token.end() - 1)
        elif kind == "{":
            path.append("")
            is_key = True
        elif kind == "[":
            path.append(0)
        elif kind in "]}":
            path.pop()
            is_key = False
        elif kind == ",":
            step = path[-1]
            if isinstance(step, int):
                path[-1] = step + 1
            else:
                is_key = True
    return found


class RawString:
    """The raw form of one JSON string: maps offsets in the parsed string to offsets in the text around it."""

    def __init__(self, text: str, start: int, end: int) -> None:
        """Read the string whose raw characters, without the quotation marks, are text[start:end]."""
        self._start = start
        self._escapes: list[int] = []  # offset, in the parsed string, of each escaped character
        self._excess: list[int] = [0]  # how many raw characters more than parsed ones up to each
        excess = 0
        for escape in _ESCAPE.finditer(text, start, end):
            self._escapes.append(escape.start() - start - excess)
            excess += len(escape[0]) - 1
            self._excess.append(excess)

    def offset(self, parsed: int) -> int:
        """Return the offset in the text of the character at *parsed* (from 0) in the string, or of its end.

        An escape counts as one character, and so does a pair of escaped surrogates.
        """
        return self._start + parsed + self._excess[bisect_left(self._escapes, parsed)]


def _decoded(raw: str) -> str:
    return _ESCAPE.sub(_unescaped, raw) if "\\" in raw else raw


def _unescaped(escape: re.Match[str]) -> str:
    sequence = escape[0]
    if sequence[1] != "u":
        return _SIMPLE[sequence[1]]
    units = bytes.fromhex(sequence.replace("\\u", ""))
    return units.decode("utf-16-be", "surrogatepass")
