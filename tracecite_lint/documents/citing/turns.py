"""The turns of an interview: each speaker's words are a quotation of their own."""

from __future__ import annotations

from tracecite_lint.documents.markup.flow import Part
from tracecite_lint.light.lazy import regex

_TURN = regex(r"(?:^|\n):[ \t]+")
_SPEAKER_LIMIT = 60


def turns(parts: list[Part]) -> list[list[Part]]:
    """Part an interview into its speakers' turns; anything else is one turn.

    A turn is written as a definition (the speaker's name, then a line that begins with `: `), or it begins with the name in
    bold and a colon. The names are no part of the words.
    """
    return _defined_turns(parts) or _bold_turns(parts) or [parts]


def _defined_turns(parts: list[Part]) -> list[list[Part]]:
    found: list[list[Part]] = []
    for part in parts:
        match = _TURN.search(part.flow.text, part.start, part.end)
        if match is None:
            if found:
                found[-1].append(part)
            continue
        named = match.start() > part.start
        if named or not found:
            found.append([])
        found[-1].append(Part(part.flow, match.end(), part.end))
    return found


def _bold_turns(parts: list[Part]) -> list[list[Part]]:
    starts = [_behind_name(part) for part in parts]
    if not starts or starts[0] is None or sum(start is not None for start in starts) < 2:
        return []
    found: list[list[Part]] = []
    for part, start in zip(parts, starts, strict=True):
        if start is None:
            found[-1].append(part)
        else:
            found.append([Part(part.flow, start, part.end)])
    return found


def _behind_name(part: Part) -> int | None:
    """Return where the words begin behind a name in bold and its colon."""
    text = part.flow.text
    for start, end in part.flow.strongs:
        if start == part.start and end - start <= _SPEAKER_LIMIT:
            if text[end - 1] in ":：":
                return end
            if text[end : end + 1] in (":", "："):
                return end + 1
    return None
