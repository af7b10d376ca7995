"""What a terminal needs: text that cannot move its cursor, the columns text takes, and colour.

Written by hand: `unicodedata` has the tables of `wcwidth`, and the dozen SGR sequences used here do not pay for
importing `rich` (some 100 ms, as long as a whole warm run).
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import without_added_marks

TAB_STOPS = 4
_JOINERS = "\u200c\u200d"
_EMOJI_SELECTOR = "\ufe0f"
# Everything that is neither plain ASCII nor a letter, mark, digit or the like is looked at one by one.
_SUSPECT = regex(r"[^\x20-\x7e\w]")


class Style(StrEnum):
    """The styles of a report, as the parameters of SGR (ECMA-48, 8.3.117)."""

    PLAIN = ""
    BOLD = "1"
    DIM = "2"
    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;36"
    GOOD = "32"
    ONLY_IN_QUOTE = "31;9"
    ONLY_IN_SOURCE = "32;4"


def styled(text: str, style: Style, *, color: bool) -> str:
    """Return *text* (already printable) in *style*, or as it is without colour."""
    return f"\x1b[{style}m{text}\x1b[0m" if color and style and text else text


def printable(text: str) -> str:
    """Return *text* on one line, with whatever could steer a terminal or reorder its line written as an escape.

    Escaped are control characters, line and paragraph separators, bidirectional controls, lone surrogates and
    other invisible format characters; joiners stay, since emoji and several scripts need them.
    """
    return _SUSPECT.sub(_escape, without_added_marks(text))


def printable_lines(text: str) -> str:
    """Return *text* as `printable` does, with its line feeds kept."""
    return "\n".join(map(printable, text.split("\n")))


def steers(char: str) -> bool:
    """Tell whether *char* could move a cursor, end, reorder or hide a part of a line, or cannot be encoded."""
    return char not in _JOINERS and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if not steers(char):
        return char
    named = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(char)
    if named:
        return named
    code = ord(char)
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


def columns(text: str) -> int:
    """Return how many terminal columns *text* (printable) takes, after UAX #11 and the usual emoji sequences."""
    if text.isascii():
        return len(text)
    total = 0
    previous = ""
    for char in text:
        total += _width(char, previous)
        previous = char
    return total


@lru_cache(maxsize=4096)
def _width(char: str, previous: str) -> int:
    if previous == "\u200d" or unicodedata.combining(char):
        return 0
    if char == _EMOJI_SELECTOR:
        return 1 if previous and _width(previous, "") == 1 and not previous.isalnum() else 0
    code = ord(char)
    if 0x1160 <= code <= 0x11FF or 0x1F3FB <= code <= 0x1F3FF:  # joined jamo, skin tones
        return 0 if previous else 2
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, limit: int) -> str:
    """Return *text* (printable), shortened to *limit* columns with an ellipsis at its end if it is longer."""
    if columns(text) <= limit:
        return text
    kept = []
    total = 0
    previous = ""
    for char in text:
        total += _width(char, previous)
        if total > limit - 1:
            break
        kept.append(char)
        previous = char
    return "".join(kept).rstrip() + "…"
