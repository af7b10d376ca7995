"""Where words stand in a text, or nearly stand: the places that a person is shown who asks."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.light.lazy import dataclass, regex, replace
from tracecite_lint.matching.editorial import without_brackets
from tracecite_lint.matching.fold import CJK, fold, tidy_white_space
from tracecite_lint.matching.folded import FoldedText, View
from tracecite_lint.matching.nearest import closest_range, word_differences
from tracecite_lint.model import Nearest

_LONGEST = 2_000
"""Characters of the words that are looked for nearly as they are."""
_MOST_WORDS = 200
_LEAST_WORDS = 3
"""Words that have to stand together to be called a part; what is shorter stands anywhere."""
_WORD = regex(rf"[{CJK}]|[^\W{CJK}]+")
_NOWHERE = "\0"


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a text: its half-open range in characters of the text, and how it differs from the words."""

    start: int
    end: int
    nearest: Nearest


def closest_passages(source: FoldedText, words: str, most: int) -> list[Passage]:
    """Return up to *most* passages of *source* that are alike to *words*, the most alike first; never one that overlaps another."""
    query = without_brackets(fold(words).text)
    if not query or len(query) > _LONGEST:
        return []
    found: list[Passage] = []
    view = source.unmarked
    while len(found) < most and (closest := closest_range(view, query)) is not None:
        start, end, similarity = closest
        text = tidy_white_space(view.written(start, end))
        differences = tuple(word_differences(words, text))
        place = (view.start(start), view.end(end))
        found.append(Passage(*place, Nearest(text, similarity, differences)))
        view = _without(view, start, end)
    return found


def longest_part(source: FoldedText, words: str) -> tuple[int, int] | None:
    """Return the range of *source* that holds as many neighbouring words of *words* as stand there together; None for fewer than three.

    The words are compared folded, and may begin and end inside of others.
    """
    view = source.unmarked
    best = max(_parts(view.text, fold(words).text), key=len, default="")
    if len(_WORD.findall(best)) < _LEAST_WORDS:
        return None
    at = view.text.index(best)
    return view.start(at), view.end(at + len(best))


def _parts(text: str, query: str) -> Iterator[str]:
    """Yield for each word of *query* from which on more stands in *text* than before what stands there."""
    found = [match.span() for match in _WORD.finditer(query)][:_MOST_WORDS]
    longest = 0
    for first, (start, _) in enumerate(found):
        # Nothing shorter than what was found is asked for again: each word is looked for about once.
        for _, end in found[first + longest :]:
            if query[start:end] not in text:
                break
            longest += 1
            yield query[start:end]


def _without(view: View, start: int, end: int) -> View:
    """Return *view* with nothing to be found in a range; all positions stay."""
    text = view.text
    return replace(view, text=f"{text[:start]}{_NOWHERE * (end - start)}{text[end:]}")
