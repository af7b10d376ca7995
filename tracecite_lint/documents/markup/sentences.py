"""Where sentences begin and end, well enough to tell whether a link still belongs to the sentence of a quotation."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 1_000
"""Characters of the longest sentence that is told from others."""
_NEAR = 200
_BOUNDARY = re.compile(
    r"(?<![.!?…])[.!?…]+[\"”’»)\]*_]*(?=\s)|\n\n+|(?<![。！？])[。！？]+[”’」』）)]*"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"])(?:[A-Za-z]|e\.g|i\.e|cf|vs|etc|al|ed|eds|vol|no|pp?|ch|fig|sec|art|dr|mr|mrs|ms|prof|st|jr|sr|"
    r"inc|ltd|co|corp|u\.s|u\.k|ca|approx|resp|bzw|z\.b|d\.h|ecc|pág|núm)\Z",
    re.IGNORECASE,
)


def boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets between *start* and *end* at which a sentence has just ended."""
    for match in _BOUNDARY.finditer(text, start, end):
        if match[0][0] == "." and _ABBREVIATION.search(
            text, max(match.start() - 8, 0), match.start()
        ):
            continue
        following = text[match.end() : match.end() + 3].lstrip()
        if (
            match[0][0] in ".…"
            and "\n\n" not in text[match.end() : match.end() + 2]
            and following[:1].islower()
        ):
            continue
        yield match.end()


def sentence_start(text: str, at: int, floor: int = 0) -> int:
    """Return where the sentence that holds *at* begins, at *floor* at the earliest."""
    near = max(at - _NEAR, floor)
    start = floor
    for boundary in boundaries(text, near, at):
        start = boundary
    if start > floor or near == floor:
        return start
    for boundary in boundaries(text, max(at - LONGEST, floor), at):
        start = boundary
    return start


def sentence_end(text: str, at: int) -> int:
    """Return where the sentence that holds *at* ends; it is looked for no further than a long sentence reaches."""
    limit = min(at + LONGEST, len(text))
    return next(boundaries(text, at, limit), limit)


def crosses_sentence(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence ends between *start* and *end*."""
    return next(boundaries(text, start, end), None) is not None
