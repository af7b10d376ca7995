"""Find a quotation in a source: exact first, then folded, by the rules of docs/matching.md."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from unicodedata import category

from tracecite_lint.errors import require_text
from tracecite_lint.light.lazy import NamedTuple, regex, replace
from tracecite_lint.matching.directives import find_directive
from tracecite_lint.matching.editorial import (
    MOST_SWALLOWED,
    NEAR,
    SEAM,
    Joint,
    Piece,
    Reading,
    as_one_piece,
    asks,
    has_seam,
    in_pieces,
    may_be_swallowed,
)
from tracecite_lint.matching.fold import (
    QUOTE,
    collapse_white_space,
    fold,
    folds_between,
    other_ways_to_read,
    tidy_white_space,
    with_space_after,
)
from tracecite_lint.matching.folded import FoldedText, View, with_raised_numbers, without
from tracecite_lint.matching.literal import find_literally
from tracecite_lint.matching.markers import (
    SUPERSCRIPTS,
    bare_marker_spans,
    has_raised_number,
    merged,
)
from tracecite_lint.matching.result import FOLDS, Match
from tracecite_lint.matching.words import ends_inside_word, starts_inside_word
from tracecite_lint.model import without_added_marks

__all__ = ["Match", "find", "find_directive", "normalize_web_text", "quote_appears_in_text"]

_MOST_STEPS = 2_500_000
"""What one call of `find` may spend, in looks at one place; only a page and a quotation made to be repetitive come near."""
_STEPS_PER_BOUNDARY = 25
"""What it costs to tell a word's end that takes a look at the text as written."""
_STEPS_PER_PLACE = 20
"""What it costs to keep a place and to link it to the one before."""
_CHARACTERS_PER_STEP = 64
"""How much text is compared in the time of one step."""
_MOST_TRIED_FOR_EXACT = 100
"""Places among which an exact match is preferred to one that takes folds."""
_BLANK_LINE = regex(r"\n\s*\n")
_WORDS = regex(r"[^\W\d_]+(?: [^\W\d_]+)*")


def find(
    source: FoldedText, passages: Sequence[str], *, within: tuple[int, int] | None = None
) -> Match | None:
    """Return where the *passages* of one quotation stand in *source*, in order and without overlap, or None.

    *within* limits the search to a half-open range of the source's own text. The search tries every place; the time it takes
    is bounded however the texts are made.
    """
    if within is None and (literal := find_literally(source.original, passages)):
        return literal
    quotes = [quote for quote in map(fold, passages) if _is_searchable(quote.text)]
    if not quotes:
        return None
    runs = _word_runs(quotes)
    marked = any(QUOTE in quote.text for quote in quotes)
    ways = chain((source,), other_ways_to_read(source, quotes=marked))
    found = (_find(way, quotes, within) for way in ways if _holds_runs(way, runs))
    return next((match for match in found if match is not None), None)


def _find(
    source: FoldedText, quotes: Sequence[FoldedText], within: tuple[int, int] | None
) -> Match | None:
    steps = 0
    for source_view, quote_views, readings in _attempts(source, quotes):
        low, high = 0, len(source_view.text)
        if within is not None:
            low, high = (source_view.position(offset) for offset in within)
        search = _Search(source_view, low, high, steps)
        trail = search.best(quote_views, readings)
        if trail is not None:
            return _match(source_view, quote_views, readings, trail)
        steps = search.steps
    return None


def may_hold(source: FoldedText, runs: Sequence[str]) -> bool:
    """Tell whether `find` is worth asking for passages with these *runs*: False only where it would find nothing."""
    return _holds_runs(source, runs) or source.has_other_ways


def word_runs(passages: Sequence[str]) -> tuple[str, ...]:
    """Return for `may_hold` what every text holds that holds *passages*."""
    return _word_runs([quote for quote in map(fold, passages) if _is_searchable(quote.text)])


def inner_words(runs: Sequence[str]) -> frozenset[str]:
    """Return the words of *runs*, but for the first and the last of each: `spaced_words` of a text that holds them has all."""
    return frozenset(word for run in runs for word in run.split(" ")[1:-1])


def spaced_words(source: FoldedText) -> frozenset[str]:
    """Return what stands between spaces in *source*, with its reference markers and without."""
    words = frozenset(source.text.split(" "))
    return words.union(source.unmarked.text.split(" ")) if source.markers else words


def _word_runs(quotes: Sequence[FoldedText]) -> tuple[str, ...]:
    """Return, of each quotation, the most letters and spaces in a row that no reading of it parts or changes.

    Seams, reference markers and closing punctuation are none of them, and a raised number may be one in its source. A
    source that holds the quotation in any way holds them too, but that its own reference markers may stand in between.
    """
    runs = []
    for quote in quotes:
        if quote.superscripts or has_raised_number(quote.text):
            continue
        words = SEAM.sub("\n", quote.text)
        runs.append(max(_WORDS.findall(words), key=len, default=""))
    return tuple(filter(None, runs))


def _holds_runs(source: FoldedText, runs: Sequence[str]) -> bool:
    for run in runs:
        if run not in source.text and not (source.markers and run in source.unmarked.text):
            return False
    return True


def quote_appears_in_text(text: str, quote: str) -> bool:
    """Tell whether *quote* stands in *text* by the rules of docs/matching.md."""
    require_text("quote_appears_in_text", text=text, quote=quote)
    return find(fold(text), (quote,)) is not None


def normalize_web_text(text: str) -> str:
    """Return *text* with its white space folded by rule 3 of docs/matching.md, without that rule's part on quotation marks."""
    require_text("normalize_web_text", text=text)
    return collapse_white_space(text)


def _is_searchable(text: str) -> bool:
    """Tell whether *text* holds more than punctuation: `[…]` or `* * *` between two paragraphs is no passage."""
    # Symbols count: a formula or an emoji can be quoted.
    return any(category(character)[0] in "LMNS" for character in text)


def _attempts(
    source: FoldedText, quotes: Sequence[FoldedText]
) -> Iterator[tuple[View, list[View], list[Reading]]]:
    """Yield the ways to look at source and quotation: as they stand first, abridged and edited last."""
    whole: list[tuple[View, list[View]]] = []
    unmarked: list[tuple[View, list[View]]] = []
    for kept, possible in ((whole, _whole_views), (unmarked, _unmarked_views)):
        for views in possible(source, quotes):  # one at a time: the first is nearly always enough
            kept.append(views)
            yield *views, [as_one_piece(quote.text) for quote in views[1]]
    # What looks like a reference marker is no editorial bracket.
    for views in unmarked if any(quote.marker_spans for quote in quotes) else (*whole, *unmarked):
        for readings in _readings_in_pieces(*views):
            yield *views, readings


def _whole_views(
    source: FoldedText, quotes: Sequence[FoldedText]
) -> Iterator[tuple[View, list[View]]]:
    whole = [quote.whole for quote in quotes]
    yield source.whole, whole
    if source.superscripts and any(has_raised_number(quote.text) for quote in quotes):
        yield replace(source.whole, text=with_raised_numbers(source)), whole


def _unmarked_views(
    source: FoldedText, quotes: Sequence[FoldedText]
) -> Iterator[tuple[View, list[View]]]:
    """Yield source and quotation without their reference markers, if either has any."""
    known = source.marker_spans
    spans = []
    for quote in quotes:
        bare = bare_marker_spans(quote.text, source.text, known)
        spans.append(merged([*quote.marker_spans, *with_space_after(quote.text, bare)]))
    if not known and not any(spans):
        return
    unmarked = [without(quote, found) for quote, found in zip(quotes, spans, strict=True)]
    if not all(_is_searchable(quote.text) for quote in unmarked):
        return
    yield source.unmarked, unmarked
    if source.superscripts and any(has_raised_number(quote.text) for quote in unmarked):
        yield without(replace(source, text=with_raised_numbers(source)), known), unmarked


def _readings_in_pieces(source: View, quotes: Sequence[View]) -> Iterator[list[Reading]]:
    """Yield the ways to split the passages: first with those seams whole that stand in the source, then at all."""
    if not any(has_seam(quote.text) for quote in quotes):
        return
    standing: dict[str, bool] = {}

    def stands_in_source(words: str) -> bool:
        if words not in standing:
            standing[words] = words in source.text
        return standing[words]

    for stands in (stands_in_source, lambda words: False):
        readings = [in_pieces(quote.text, stands) for quote in quotes]
        complete = [reading for reading in readings if reading is not None]
        if len(complete) == len(readings) and any(reading.pieces for reading in complete):
            yield complete
        if True not in standing.values():
            return


class _Place(NamedTuple):
    """A place where a piece may stand: its end and start in the view, its form, and how it was come by."""

    end: int
    start: int
    form: int
    first: int
    """Where the first piece of the quotation starts."""
    previous: int
    """The index of the place of the piece before."""


class _Search:
    """A search through one view of a source, between two positions; `steps` is what has been spent so far."""

    def __init__(self, source: View, low: int, high: int, steps: int) -> None:
        self.view = source
        self.text = source.text
        self.low = low
        self.high = high
        self.steps = steps

    def best(self, quotes: Sequence[View], readings: Sequence[Reading]) -> list[_Place] | None:
        """Return the places of all pieces of all *readings*, those that lie closest together; None if there are none."""
        pieces = _sequence(readings)
        if len(pieces) == 1:
            place = self._exact_or_first(quotes[0], pieces[0])
            return None if place is None else [place]
        # A look costs little next to the search, and most quotations that fail fail here.
        if not all(self._occurs(piece) for piece in pieces):
            return None
        levels: list[list[_Place]] = []
        for index, piece in enumerate(pieces):
            open_end = index + 1 < len(pieces) and pieces[index + 1].joint is Joint.LETTER
            places = sorted(self._places(piece, open_end, levels[-1] if levels else []))
            if not places:
                return None
            levels.append(places)
        # Of several readings the closest: the one that leaves out least of the source.
        place = min(levels[-1], key=lambda place: place.end - place.first)
        trail = [place]
        for level in reversed(levels[:-1]):
            place = level[place.previous]
            trail.append(place)
        return trail[::-1]

    def _occurs(self, piece: Piece) -> bool:
        return any(self.text.find(f.text, self.low, self.high) >= 0 for f in piece.forms)

    def _exact_or_first(self, quote: View, piece: Piece) -> _Place | None:
        first = None
        written = quote.written(piece.start, piece.end)
        for tried, place in enumerate(self._places(piece, False, [])):
            if self.view.written(place.start, place.end) == written:
                return place
            first = first or place
            if tried == _MOST_TRIED_FOR_EXACT:
                break
        return first

    def _places(self, piece: Piece, open_end: bool, previous: Sequence[_Place]) -> Iterator[_Place]:
        ends = [place.end for place in previous]
        for low, high in self._windows(piece, ends):
            for form, start in self._occurrences(piece, low, high):
                end = start + len(piece.forms[form].text)
                if piece.joint is not Joint.LETTER and not self._starts_whole(start):
                    continue
                if not open_end and not self._ends_whole(end):
                    continue
                # A question quoted as a statement is not the source's sentence.
                if piece.forms[form].unpunctuated and asks(self.text, end):
                    continue
                self.steps += _STEPS_PER_PLACE
                if piece.joint is Joint.START:
                    yield _Place(end, start, form, start, 0)
                    continue
                link = self._link(piece, ends, start)
                if link is not None:
                    yield _Place(end, start, form, previous[link].first, link)

    def _windows(self, piece: Piece, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the ranges, in order and apart, in which *piece* may start."""
        if piece.joint is Joint.START:
            yield self.low, self.high
            return
        reach = _reach(piece)
        if reach is None:
            yield ends[0], self.high
            return
        low, high = ends[0], ends[0] + reach
        for end in ends:
            if end > high:
                yield low, high
                low = end
            high = end + reach
        yield low, high

    def _occurrences(self, piece: Piece, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the form and the start of each place of *piece* that is not plainly in the midst of a word."""
        source, edges = self.text, self.view.edges
        punctuated = tuple(form.text for form in piece.forms if not form.unpunctuated)
        for form, (text, unpunctuated) in enumerate(piece.forms):
            until = min(self.high, high + len(text))
            cost = 1 + len(text) // _CHARACTERS_PER_STEP
            # Most places in the midst of a word are told by one character before it, without a look into the original.
            apart = piece.joint is not Joint.LETTER and _is_plain_letter(text[0])
            start = source.find(text, low, until)
            while start >= 0 and self.steps < _MOST_STEPS:
                self.steps += cost
                inside = apart and start and _is_plain_letter(source[start - 1])
                if not (inside and start not in edges) and not (
                    unpunctuated and source.startswith(punctuated, start)
                ):
                    yield form, start
                start = source.find(text, start + 1, until)

    def _link(self, piece: Piece, ends: Sequence[int], start: int) -> int | None:
        """Return the index of the nearest of *ends* from which *piece* at *start* may follow.

        The nearest leaves out least, so that no other may follow where it may not.
        """
        if piece.joint is Joint.LETTER:
            end = start - len(piece.gap)
            index = bisect_left(ends, end)
            follows = index < len(ends) and ends[index] == end
            return index if follows and self.text[end:start] == piece.gap else None
        index = bisect_right(ends, start) - 1
        return index if index >= 0 and self._may_follow(piece, ends[index], start) else None

    def _may_follow(self, piece: Piece, end: int, start: int) -> bool:
        if piece.joint is Joint.DROPPED:
            return self.text[end:start] in ("", " ")
        if piece.joint is Joint.BRACKET:
            return may_be_swallowed(self.text[end:start]) and not _BLANK_LINE.search(
                self.view.folded.original, self.view.end(end), self.view.start(start)
            )
        return not piece.near or start - end <= NEAR

    def _starts_whole(self, start: int) -> bool:
        if start == 0 or start in self.view.edges:
            return True
        before, first = self.text[start - 1], self.text[start]
        if before == " " and not first.isdigit():
            return True
        self.steps += _STEPS_PER_BOUNDARY
        return not starts_inside_word(self.view.folded.original, self.view.start(start))

    def _ends_whole(self, end: int) -> bool:
        if end == len(self.text) or end in self.view.edges:
            return True
        last, after = self.text[end - 1], self.text[end]
        if after == " " and not last.isdigit():
            return True
        if _is_plain_letter(last) and _is_plain_letter(after):
            return False
        self.steps += _STEPS_PER_BOUNDARY
        return not ends_inside_word(self.view.folded.original, self.view.end(end))


def _is_plain_letter(character: str) -> bool:
    """Tell whether *character* is an ASCII letter or digit, which cannot stand beside another in two words."""
    return character.isascii() and character.isalnum()


def _reach(piece: Piece) -> int | None:
    """Return how many characters after the piece before *piece* may start; None if any."""
    match piece.joint:
        case Joint.LETTER:
            return len(piece.gap)
        case Joint.DROPPED:
            return 1
        case Joint.BRACKET:
            return MOST_SWALLOWED + 2
        case Joint.OMISSION if piece.near:
            return NEAR
    return None


def _sequence(readings: Sequence[Reading]) -> list[Piece]:
    """Return the pieces of all passages, the first of each after the first passage marked as such."""
    pieces: list[Piece] = []
    for first, *others in (reading.pieces for reading in readings if reading.pieces):
        pieces.append(replace(first, joint=Joint.PASSAGE) if pieces else first)
        pieces.extend(others)
    return pieces


def _match(
    source: View, quotes: Sequence[View], readings: Sequence[Reading], trail: Sequence[_Place]
) -> Match:
    """Describe a search's result."""
    names = {name for reading in readings for name in reading.folds}
    if source.cuts or any(quote.cuts for quote in quotes) or source.text != source.folded.text:
        names.add("reference-markers")
    ranges: list[tuple[int, int]] = []
    swallowed: list[str] = []
    left_out = 0
    places = iter(trail)
    before: _Place | None = None
    for quote, reading in zip(quotes, readings, strict=True):
        for piece in reading.pieces:
            place = next(places)
            names |= _piece_folds(source, quote, piece, place)
            span = source.start(place.start), source.end(place.end)
            if piece.joint is Joint.LETTER:
                ranges[-1] = (ranges[-1][0], span[1])
            else:
                ranges.append(span)
            if before is not None and piece.joint is Joint.BRACKET:
                words = without_added_marks(
                    source.folded.original[source.end(before.end) : span[0]]
                )
                swallowed.append(tidy_white_space(words))
            elif before is not None and piece.joint is Joint.OMISSION:
                left_out += place.start - before.end
            before = place
    return Match(
        tuple(ranges),
        tuple(name for name in FOLDS if name in names),
        tuple(filter(None, swallowed)),
        left_out,
    )


def _piece_folds(source: View, quote: View, piece: Piece, place: _Place) -> set[str]:
    """Return the names of the folds by which *piece* as written is the source's text at *place*."""
    form = piece.forms[place.form]
    start, end, found_start = piece.start, piece.end, place.start
    if piece.forms[0].text.startswith("[") and not form.text.startswith("["):
        start, found_start = start + len("[T]"), found_start + 1
    closing = ""
    if form.unpunctuated:
        if quote.text[end - 1] == QUOTE:
            closing = quote.written(end - 1, end)
            end -= 1
        end -= 1
    written = quote.written(start, end) + closing
    found = source.written(found_start, place.end)
    if source.text is not source.folded.text:
        written, found = written.translate(SUPERSCRIPTS), found.translate(SUPERSCRIPTS)
    names = folds_between(written, found)
    return names | {"final-punctuation"} if form.unpunctuated else names
