"""The passage of a source that comes closest to a quotation it does not hold; never decides a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from tracecite_lint.light.lazy import regex, replace
from tracecite_lint.matching.differences import LONGEST, SHORTEST, light_difference
from tracecite_lint.matching.editorial import ends_sentence, fragments, without_brackets
from tracecite_lint.matching.fold import CJK, fold, tidy_white_space
from tracecite_lint.matching.folded import FoldedText, View
from tracecite_lint.matching.match import find, may_hold, word_runs
from tracecite_lint.matching.words import ends_inside_word, starts_inside_word
from tracecite_lint.model import Difference, DifferenceKind, Nearest

LEAST_SIMILARITY = 0.7
"""Below it a passage has too little in common with the quotation to be of help."""
_LEAST_TO_OFFER = 0.9
"""Below it a passage is shown, but not offered in the quotation's place."""
_PROBE = 80
"""Characters of the parts by which a long quotation is looked for."""
_PROBES = 12
_SLACK = 120
"""Characters by which the passage may begin or end before or after the place that was found."""
_LOCAL = 300
"""Characters that are compared to find where a passage begins or ends."""
_MOST_AT_AN_END = 1
"""Words of the source that may stand for the quotation's first ones, or its last: more may be another sentence."""
_MOST_BRACKETS = 3
"""Letters that may be put into brackets before the source's own words are the better offer."""
_WORD = regex(rf"[{CJK}]|[^\W{CJK}]+|[^\w\s]")
_TOKEN = regex(rf"(?:[{CJK}]|[^\W{CJK}]+(?:['’‑-][^\W{CJK}]+)*|[^\w\s])\s*")


def nearest(source: FoldedText, passages: Sequence[str]) -> Nearest | None:
    """Return the passage of *source* that comes closest to a quotation it does not hold, if close enough to help.

    An abridged quotation is looked for fragment by fragment, and its omission marks are kept. The time is bounded: some
    tens of milliseconds for a page of 300 KB.
    """
    quotes = [quote for quote in map(fold, passages) if quote.text]
    if not quotes or sum(len(quote.text) for quote in quotes) > LONGEST:
        return None
    parts: list[_Part] = []
    for index, quote in enumerate(quotes):
        if index:
            parts.append(_Part.glue("\n\n"))
        found = _abridged(source, quote)
        if found is None:
            return None
        parts.extend(found)
    if all(part.stands for part in parts):
        return None  # in another order, or too far apart
    weight = sum(part.weight for part in parts)
    text = "".join(part.text for part in parts)
    similarity = sum(part.similarity * part.weight for part in parts) / weight
    differences = tuple(_joined(difference for part in parts for difference in part.differences))
    passage = Nearest(text, similarity, differences)
    if len(passages) > 1:
        return passage
    safe = _safe_suggestion(source, passages[0], text)
    if safe:
        return replace(passage, suggestion=safe, is_safe=True)
    fits = similarity >= _LEAST_TO_OFFER and all(part.fits for part in parts)
    return replace(passage, suggestion=_suggestion(source, passages[0], text, fits=fits))


class _Part(NamedTuple):
    """A stretch of the quotation with what stands for it in the source."""

    text: str
    similarity: float
    weight: int
    differences: tuple[Difference, ...]
    stands: bool
    """The source holds it as it is."""
    fits: bool = True
    """It may be offered: it is of one block, and begins and ends where the quotation does."""

    @classmethod
    def glue(cls, text: str) -> _Part:
        """Return a part that is not compared, such as an omission mark."""
        return cls(text, 1, 0, (Difference("equal", text),) if text else (), stands=True)


def _abridged(source: FoldedText, quote: FoldedText) -> list[_Part] | None:
    """Return the parts for one passage, its omission marks between its fragments; None if one has nothing alike."""
    parts: list[_Part] = []
    at = 0
    for start, end in fragments(quote.text):
        first, last = quote.span_in_original(start, end)
        words = quote.original[first:last]
        first += len(words) - len(words.lstrip())
        parts.append(_Part.glue(quote.original[at:first]))
        at = first + len(words.strip())
        part = _closest_part(source, words.strip())
        if part is None:
            return None
        parts.append(part)
    parts.append(_Part.glue(quote.original[at:].rstrip()))
    return parts


def _closest_part(source: FoldedText, words: str) -> _Part | None:
    if find(source, (words,)):
        return _Part(words, 1, len(words), (Difference("equal", words),), stands=True)
    query = without_brackets(fold(words).text)
    if len(query) < SHORTEST:
        return None
    view = source.unmarked
    closest = closest_range(view, query)
    if closest is None:
        return None
    start, end, similarity = closest
    written = view.written(start, end)
    passage = tidy_white_space(written)
    differences = tuple(word_differences(words, passage))
    fits = _is_of_one_block(written) and _ends_alike(differences)
    return _Part(passage, similarity, len(words), differences, stands=False, fits=fits)


def _is_of_one_block(text: str) -> bool:
    """Tell whether each line feed may be the wrapping of a plain text or a PDF: the sentence goes on, and not in a capital."""
    before, *lines = text.split("\n")
    for line in lines:
        first = line.lstrip()[:1]
        if not first.isalnum() or first.isupper() or before.rstrip().endswith((".", "!", "?", ":")):
            return False
        before = line
    return True


def _ends_alike(differences: Sequence[Difference]) -> bool:
    """Tell whether the source's words go no further than the quotation's, at either end and over no end of a sentence."""
    runs = [
        (is_equal, list(run))
        for is_equal, run in groupby(differences, key=lambda difference: difference.op == "equal")
    ]
    for at, (is_equal, run) in enumerate(runs):
        if is_equal:
            continue
        removed = "".join(item.text for item in run if item.op == "delete")
        added = "".join(item.text for item in run if item.op == "insert")
        if ends_sentence(fold(added).text) and not ends_sentence(fold(removed).text):
            return False
        more = _words(added)
        if more and at in {0, len(runs) - 1} and not more == _words(removed) <= _MOST_AT_AN_END:
            return False
    return True


def _words(text: str) -> int:
    return sum(any(map(str.isalnum, token)) for token in _TOKEN.findall(text))


def closest_range(view: View, query: str) -> tuple[int, int, float] | None:
    """Return the range of *view* that is most like *query*, and how alike they are, from 0 to 1."""
    from rapidfuzz import fuzz  # half of the start-up time, and needed for mismatches only

    text = view.text
    # Less than at the end: the window has the quotation's length and not yet the passage's ends.
    best, best_score = None, 100 * LEAST_SIMILARITY * 0.8
    for guess in _guesses(text, query):
        start = max(0, min(guess, len(text) - 1))
        score = fuzz.ratio(query, text[start : start + len(query)], score_cutoff=best_score)
        if score >= best_score:
            best, best_score = start, score
    if best is None:
        return None
    start, end = _at_word_ends(view, query, best, min(len(text), best + len(query)))
    similarity = fuzz.ratio(query, text[start:end]) / 100
    return (start, end, similarity) if similarity >= LEAST_SIMILARITY else None


def _guesses(text: str, query: str) -> Iterator[int]:
    """Yield the positions in *text* at which *query* may start, going by parts of it that stand there."""
    from rapidfuzz import fuzz

    # A long quotation is found by parts of it: to align all of it with a page costs the product of their lengths.
    offsets = [0]
    if len(query) > 2 * _PROBE:
        step = max(_PROBE, (len(query) - _PROBE) // (_PROBES - 1))
        offsets = list(range(0, len(query) - _PROBE + 1, step))
        found = False
        for offset in offsets:
            position = text.find(query[offset : offset + _PROBE])
            if position >= 0:
                found = True
                yield position - offset
        if found:
            return
        offsets = [offsets[0], offsets[len(offsets) // 2], offsets[-1]]
    for offset in offsets:
        probe = query[offset : offset + (_PROBE if len(offsets) > 1 else len(query))]
        cutoff = 100 * LEAST_SIMILARITY * 0.9
        alignment = fuzz.partial_ratio_alignment(probe, text, score_cutoff=cutoff)
        if alignment is not None:
            yield alignment.dest_start - alignment.src_start - offset


def _at_word_ends(view: View, query: str, start: int, end: int) -> tuple[int, int]:
    """Move the ends of a range of *view* to the word ends that make it most like *query*."""
    text, original = view.text, view.folded.original
    words = _WORD.finditer(text, max(0, start - _SLACK), min(len(text), end + _SLACK))
    spans = [match.span() for match in words]
    starts = [first for first, _ in spans if abs(first - start) <= _SLACK]
    ends = [last for _, last in spans if abs(last - end) <= _SLACK]

    @cache
    def begins(at: int) -> bool:
        return not starts_inside_word(original, view.start(at))

    @cache
    def stops(at: int) -> bool:
        return not ends_inside_word(original, view.end(at))

    # Twice, since the best start was chosen with the old end in view.
    for _ in range(2):
        head, until = query[:_LOCAL], min(end, start + _LOCAL)
        tried = [(first, until) for first in starts if first < until]
        start, _ = _most_alike(head, text, tried, lambda place: begins(place[0])) or (start, 0)
        tail, since = query[-_LOCAL:], max(start, end - _LOCAL)
        tried = [(since, last) for last in ends if last > since]
        _, end = _most_alike(tail, text, tried, lambda place: stops(place[1])) or (0, end)
    return start, end


def _most_alike(
    words: str,
    text: str,
    places: Sequence[tuple[int, int]],
    is_possible: Callable[[tuple[int, int]], bool],
) -> tuple[int, int] | None:
    """Return the first of the *places* in *text* that are possible and most like *words*; None if none is possible."""
    from rapidfuzz.distance import Levenshtein  # counts a replaced word once, so that it is kept

    best, best_score = None, -1.0
    # The nearest in length first: of the others most cannot be more alike, whatever they say.
    for place in sorted(places, key=lambda place: abs(place[1] - place[0] - len(words))):
        length = place[1] - place[0]
        most = 1 - abs(length - len(words)) / max(length, len(words), 1)
        if most < best_score - 1e-9 or not is_possible(place):
            continue
        score = Levenshtein.normalized_similarity(words, text[slice(*place)])
        if score > best_score or (score == best_score and best is not None and place < best):
            best, best_score = place, score
    return best


def word_differences(quote: str, passage: str) -> list[Difference]:
    """Return the word diff from *quote* to *passage*; words that fold alike are equal."""
    from rapidfuzz.distance import Indel

    quoted, found = _TOKEN.findall(quote), _TOKEN.findall(passage)
    differences = []
    for operation in Indel.opcodes([*map(_key, quoted)], [*map(_key, found)]):
        if operation.tag == "delete":
            words = quoted[operation.src_start : operation.src_end]
        else:
            words = found[operation.dest_start : operation.dest_end]
        differences.append(Difference(operation.tag, "".join(words)))
    return differences


def _key(token: str) -> str:
    word = token.rstrip()
    return word if word.isalnum() and word.isascii() else fold(word).text


def _joined(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Yield *differences* with neighbours of one kind made one."""
    for op, run in groupby(differences, key=lambda difference: difference.op):
        yield Difference(op, "".join(difference.text for difference in run))


def _safe_suggestion(source: FoldedText, quote: str, text: str) -> str:
    """Return what to write instead of *quote* that has all of its words, or nothing: *text* is the source's passage."""
    kind = light_difference(quote, text)
    if kind is DifferenceKind.CASE:
        bracketed = bracketed_capital(quote, text)
        if bracketed is not None and find(source, (bracketed,)):
            return bracketed
    if kind is not None:
        ways = [_with_first_letter(quote, text)]
    elif may_hold(source, word_runs((quote,))):
        ways = [f"{quote}…", f"…{quote}", f"…{quote}…"]
    else:
        return ""
    return next((way for way in ways if find(source, (way,))), "")


def _with_first_letter(quote: str, text: str) -> str:
    """Return *text* with the first letter of *quote*, in brackets if it is in the other case there."""
    first = next(filter(str.isalnum, quote))
    at = next(at for at, character in enumerate(text) if character.isalnum())
    return text if text[at] == first else f"{text[:at]}[{first}]{text[at + 1 :]}"


def _suggestion(source: FoldedText, quote: str, text: str, *, fits: bool) -> str:
    """Return what to write instead of *quote*: `The [G]rey owl` where only capitals differ, else the source's own *text*."""
    bracketed = bracketed_capital(quote, text)
    if bracketed is not None and find(source, (bracketed,)):
        return bracketed
    # A suggestion that the next check would refuse is none.
    return text if fits and find(source, (text,)) else ""


def bracketed_capital(quote: str, source_words: str) -> str | None:
    """Return *quote* with brackets round the letters that *source_words* has in the other case: `[T]he`.

    Returns None if anything else differs, if more than a few letters do, or if one of them is not the first of a word.
    """
    quoted, found = fold(quote), fold(source_words)
    if len(quoted.text) != len(found.text) or quoted.text == found.text:
        return None
    pairs = enumerate(zip(quoted.text, found.text, strict=True))
    places = [at for at, (written, other) in pairs if written != other]
    if len(places) > _MOST_BRACKETS or not all(
        quoted.text[at].lower() == found.text[at].lower()
        and quoted.text[at + 1 : at + 2].isalpha()
        and not quoted.text[at - 1 : at].isalnum()
        for at in places
    ):
        return None
    bracketed = quote
    for at in reversed(places):
        start, end = quoted.span_in_original(at, at + 1)
        bracketed = f"{bracketed[:start]}[{bracketed[start:end]}]{bracketed[end:]}"
    return bracketed
