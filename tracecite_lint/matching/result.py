"""What a search in a source comes to (docs/matching.md)."""

from __future__ import annotations

from tracecite_lint.light.lazy import dataclass

FOLDS = (
    "invisible",
    "ligatures",
    "omission",
    "reference-markers",
    "white-space",
    "quotation-marks",
    "dashes",
    "final-punctuation",
    "editorial-brackets",
)
"""The names of the folds in the order in which a verdict gives them."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quotation stands in a source, and what it took to find it there.

    `ranges` are half-open and count characters of the source's own text, one for each run of the quotation between
    omissions, brackets and paragraphs. `folds` are names of FOLDS, none for an exact match. `swallowed` is what editorial
    brackets stand for in the source. `left_out` counts the characters that omission marks stand for.
    """

    ranges: tuple[tuple[int, int], ...]
    folds: tuple[str, ...] = ()
    swallowed: tuple[str, ...] = ()
    left_out: int = 0
