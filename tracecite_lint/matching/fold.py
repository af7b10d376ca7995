"""The fold: text as matching compares it, with a way back to the text as written (docs/matching.md, rules 1 to 6)."""

from __future__ import annotations

import operator
import re
import struct
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from unicodedata import combining, is_normalized, normalize

from tracecite_lint.matching import view
from tracecite_lint.matching.markers import marker_spans
from tracecite_lint.matching.view import View
from tracecite_lint.model import MARKER_END, MARKER_START

FOLD_VERSION = 2
"""Goes into the cache's key: raised whenever the same text may fold to another."""

# Soft hyphen, grapheme joiner, Mongolian vowel separator and selectors, zero-width characters and direction marks,
# word joiner and invisible operators, byte-order mark, variation selectors.
INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
MARK = "…"
QUOTE = "'"
DASH = "-"
LONG_DASH = "—"
WHITE_SPACE = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
QUOTES = "'\"`´‘’‚‛“”„‟‹›«»′″‴‵‶‷⁗ʹʺʻʼˮ׳״「」『』〝〞〟﹁﹂﹃﹄｢｣＂＇｀❛❜❝❞❟❠"
HYPHENS = "-\u2010\u2011\ufe63\uff0d"
SHORT_DASHES = HYPHENS + "\u2212"
LONG_DASHES = "\u2012\u2013\u2014\u2015\u2e3a\u2e3b\ufe58"
# Han with radicals, kana and CJK punctuation, full-width punctuation and signs (not full-width letters and digits).
CJK = (
    "\u2e80-\u2fdf\u2ff0-\u30ff\u31f0-\u31ff\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\uffe0-\uffe6\U0001b000-\U0001b16f\U00020000-\U000323af"
)

_HIDDEN = re.compile(f"[{INVISIBLE}]+|[{''.join(LIGATURES)}{MARKER_START}{MARKER_END}]")
_NON_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_DOTS = r"(?: ?\.){2,}"  # after a first one
_MORE_MARKS = rf"(?: *(?:…|\.{_DOTS}))*(?:\.+(?!\w))?"
_OMISSION = rf"(?:…|\.{_DOTS}){_MORE_MARKS}"
_CLOSERS = r")\].,;:!?"
_OPENERS = r"(\["
# Runs on text whose characters are already unified one for one, so it only meets what changes the length. It begins with
# one set of characters, over which the regex engine skips fast, and next tells an ordinary space between two ASCII words.
_UNEVEN = re.compile(
    rf"[ '\-—….](?:(?<= )(?![A-Za-z0-9](?<=[!-'*-Z\\-~] .))(?:"
    rf" *(?:(?P<quote>'(?: *')*)|(?P<dash>[-—]+)|(?P<mark>{_OMISSION})) *"
    rf"|(?P<space> +|(?=[{_CLOSERS}{CJK}])|(?<=[{_OPENERS}{CJK}] )))"
    r"|(?<=')(?:(?: *')+ *| +)(?P<lone_quote>)"
    r"|(?<=[-—])(?:[-—]+ *| +)(?P<lone_dash>)"
    rf"|(?:(?<=…)|(?<=\.){_DOTS}){_MORE_MARKS} *(?P<lone_mark>))"
)
_NO_SPACE_BEFORE = re.compile(f"[{_CLOSERS}{CJK}]")
_NO_SPACE_AFTER = re.compile(f"[{_OPENERS}{CJK}]")
_BEFORE_OPTION = frozenset(["", *"([=|/", *QUOTES])
_MAGIC = b"TCFT"
_HEADER = struct.Struct("<4sHIIIII")
_CHECKSUM = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Offsets:
    """A map from a changed text to the one it was made from, as runs.

    Run k begins at `starts[k]` in the changed text and stands for `origins[k]` to `ends[k]` in the other. A run of equal
    lengths maps character by character; any other run maps as a whole.
    """

    starts: array[int]
    origins: array[int]
    ends: array[int]
    length: int
    """Of the changed text."""

    def start(self, position: int) -> int:
        """Return where the character at *position* begins in the other text."""
        if position >= self.length:
            return self.ends[-1] if self.ends else 0
        run = bisect_right(self.starts, position) - 1
        origin = self.origins[run]
        return origin + position - self.starts[run] if self._even(run) else origin

    def end(self, position: int) -> int:
        """Return where the character before *position* ends in the other text."""
        if position <= 0:
            return self.origins[0] if self.origins else 0
        run = bisect_right(self.starts, position - 1) - 1
        return (
            self.origins[run] + position - self.starts[run] if self._even(run) else self.ends[run]
        )

    def back(self, offset: int) -> int:
        """Return the position in the changed text of the first character at or after *offset* of the other."""
        run = bisect_right(self.origins, offset) - 1
        if run < 0:
            return 0
        if offset == self.origins[run]:
            return self.starts[bisect_left(self.origins, offset)]
        if offset >= self.ends[run]:
            return self.starts[run + 1] if run + 1 < len(self.starts) else self.length
        if self._even(run):
            return self.starts[run] + offset - self.origins[run]
        return self.starts[run + 1] if run + 1 < len(self.starts) else self.length

    def _even(self, run: int) -> bool:
        following = self.starts[run + 1] if run + 1 < len(self.starts) else self.length
        return self.ends[run] - self.origins[run] == following - self.starts[run]

    def runs(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (start, end, origin start, origin end) of each run."""
        following = [*self.starts[1:], self.length] if self.starts else []
        return zip(self.starts, following, self.origins, self.ends, strict=True)


def _rewritten(
    text: str, changes: Iterable[tuple[int, int, str]], start: int, end: int
) -> tuple[str, Offsets]:
    """Return *text* from *start* to *end* with *changes* made, each from where to where and by what, and the map back."""
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    ends: list[int] = []
    length, at = 0, start
    for first, last, replacement in changes:
        if first > at:
            parts.append(text[at:first])
            starts.append(length)
            origins.append(at)
            ends.append(first)
            length += first - at
        if replacement:
            parts.append(replacement)
            starts.append(length)
            origins.append(first)
            ends.append(last)
            length += len(replacement)
        at = last
    if end > at:
        parts.append(text[at:end])
        starts.append(length)
        origins.append(at)
        ends.append(end)
        length += end - at
    offsets = Offsets(array("I", starts), array("I", origins), array("I", ends), length)
    return "".join(parts), offsets


@dataclass(frozen=True)
class FoldedText:
    """A text beside its fold.

    `superscripts` holds, flat, the start and end in `text` of each superscript that extraction has marked, `markers` those of
    each reference marker (docs/matching.md, rule 11).
    """

    original: str
    text: str
    offsets: Offsets
    superscripts: array[int]
    markers: array[int]

    @cached_property
    def marker_spans(self) -> list[tuple[int, int]]:
        """The ranges of the reference markers in `text`, in order and apart."""
        return list(zip(self.markers[::2], self.markers[1::2], strict=True))

    @cached_property
    def whole(self) -> View:
        """The folded text as it is, to be searched."""
        return view.plain(self, self.marker_spans)

    @cached_property
    def unmarked(self) -> View:
        """The folded text without its reference markers, to be searched."""
        return view.without(self, self.marker_spans)

    def span_in_original(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of `original` that the folded range from *start* to *end* stands for."""
        first = self.offsets.start(start)
        return first, max(first, self.offsets.end(end))

    def to_bytes(self) -> bytes:
        """Return a form to be stored, which `from_bytes` reads back."""
        original = self.original.encode("utf-8", "surrogatepass")
        text = self.text.encode("utf-8", "surrogatepass")
        offsets = self.offsets
        arrays = (offsets.starts, offsets.origins, offsets.ends, self.superscripts, self.markers)
        body = b"".join((original, text, *map(_array_bytes, arrays)))
        sizes = len(original), len(text), len(offsets.starts), *map(len, arrays[3:])
        header = _HEADER.pack(_MAGIC, FOLD_VERSION, *sizes)
        return header + _CHECKSUM.pack(zlib.crc32(body, zlib.crc32(header))) + body

    @classmethod
    def from_bytes(cls, data: bytes) -> FoldedText:
        """Read back what `to_bytes` made. Raises ValueError if *data* is damaged or of another FOLD_VERSION."""
        if len(data) < _HEADER.size + _CHECKSUM.size:
            raise ValueError("folded text: too short")
        magic, version, original_size, text_size, *counts = _HEADER.unpack_from(data)
        runs, raised, marks = counts
        (checksum,) = _CHECKSUM.unpack_from(data, _HEADER.size)
        body = memoryview(data)[_HEADER.size + _CHECKSUM.size :]
        if magic != _MAGIC or version != FOLD_VERSION:
            raise ValueError("folded text: of another version")
        if len(body) != original_size + text_size + 4 * (3 * runs + raised + marks):
            raise ValueError("folded text: cut or padded")
        if zlib.crc32(body, zlib.crc32(data[: _HEADER.size])) != checksum:
            raise ValueError("folded text: damaged")
        original = bytes(body[:original_size]).decode("utf-8", "surrogatepass")
        at = original_size + text_size
        text = bytes(body[original_size:at]).decode("utf-8", "surrogatepass")
        arrays = []
        for size in (runs, runs, runs, raised, marks):
            arrays.append(_array_from(body[at : at + 4 * size]))
            at += 4 * size
        starts, origins, ends, superscripts, markers = arrays
        if not (
            _runs_are_sound(starts, origins, ends, len(text), len(original))
            and _are_ranges(superscripts, len(text))
            and _are_ranges(markers, len(text))
        ):
            raise ValueError("folded text: inconsistent")
        return cls(original, text, Offsets(starts, origins, ends, len(text)), superscripts, markers)


def _array_bytes(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = array("I", values)
        values.byteswap()
    return values.tobytes()


def _array_from(data: memoryview) -> array[int]:
    values = array("I")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _are_ranges(ends: array[int], limit: int) -> bool:
    return (
        len(ends) % 2 == 0
        and all(map(operator.le, ends, ends[1:]))
        and (not ends or ends[-1] <= limit)
    )


def _runs_are_sound(
    starts: array[int], origins: array[int], ends: array[int], length: int, original_length: int
) -> bool:
    if not starts:
        return length == 0
    return (
        starts[0] == 0
        and starts[-1] < length
        and ends[-1] <= original_length
        and all(map(operator.lt, starts, starts[1:]))
        and all(map(operator.le, origins, ends))
        and all(map(operator.le, origins, origins[1:]))
        and all(map(operator.le, ends, ends[1:]))
    )


def fold(text: str) -> FoldedText:
    """Fold *text* by rules 1 to 6 of docs/matching.md, in time linear in its length."""
    visible, visible_offsets, raised = _without_invisible(text)
    composed, composed_offsets = _composed(visible)
    folded, offsets = _evened(composed)
    if composed_offsets is not None:
        raised = [composed_offsets.back(position) for position in raised]
    superscripts = array("I", map(offsets.back, raised))
    for earlier in (composed_offsets, visible_offsets):
        if earlier is not None:
            offsets = _chained(offsets, earlier)

    def is_detached(position: int) -> bool:
        before = offsets.start(position) - 1
        return before >= 0 and text[before].isspace()

    spans = marker_spans(folded, superscripts, is_detached)
    markers = array("I", chain.from_iterable(with_space_after(folded, spans)))
    return FoldedText(text, folded, offsets, superscripts, markers)


def with_space_after(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of markers in folded *text* with the space that would not be there without them: `“so”[12] he`."""
    for start, end in spans:
        before = text[start - 1 : start]
        unspaced = before == QUOTE or _NO_SPACE_AFTER.match(before)
        yield start, end + 1 if unspaced and text[end : end + 1] == " " else end


def _without_invisible(text: str) -> tuple[str, Offsets | None, list[int]]:
    """Drop invisible characters, spell out ligatures; also return the ends of the marked superscripts, flat."""
    if text.isascii() or not _HIDDEN.search(text):
        return text, None, []
    matches = list(_HIDDEN.finditer(text))
    changes = ((*match.span(), LIGATURES.get(match[0], "")) for match in matches)
    visible, offsets = _rewritten(text, changes, 0, len(text))
    marks = [match for match in matches if match[0] in (MARKER_START, MARKER_END)]
    superscripts: list[int] = []
    for opening, closing in pairwise(marks):
        if opening[0] == MARKER_START and closing[0] == MARKER_END:
            start, end = offsets.back(opening.start()), offsets.back(closing.start())
            while end > start and visible[end - 1].isspace():  # that space parts words
                end -= 1
            superscripts += start, end
    return visible, offsets, superscripts


def _composed(text: str) -> tuple[str, Offsets | None]:
    """Bring *text* to Unicode's normal form C, cluster by cluster so that offsets stay fine."""
    if is_normalized("NFC", text):
        return text, None
    return _rewritten(text, _compositions(text), 0, len(text))


def _compositions(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the changes that make *text* NFC: for a starter with its marks, for a syllable of Hangul jamo."""
    for run in _NON_ASCII.finditer(text):
        if is_normalized("NFC", run[0]):
            continue
        start, end = run.span()
        starters = [at for at in range(start + 1, end) if not _continues(text[at - 1 : at + 1])]
        for first, last in pairwise([start, *starters, end]):
            cluster = text[first:last]
            composed = normalize("NFC", cluster)
            if composed != cluster:
                yield first, last, composed


@lru_cache(maxsize=4096)
def _continues(pair: str) -> bool:
    """Tell whether the second of two characters may be composed with what stands before it."""
    return bool(
        combining(pair[-1]) or "\u1161" <= pair[-1] <= "\u11c2" or not is_normalized("NFC", pair)
    )


_ONE_FOR_ONE = (
    *((character, " ") for character in WHITE_SPACE),
    *((character, QUOTE) for character in QUOTES[1:]),
    *((character, DASH) for character in SHORT_DASHES[1:]),
    *((character, LONG_DASH) for character in LONG_DASHES if character != LONG_DASH),
    ("⋯", MARK),
)


def _evened(text: str) -> tuple[str, Offsets]:
    """Apply rules 2 to 5."""
    unified = text
    for character, replacement in _ONE_FOR_ONE:  # three times as fast as str.translate or re.sub
        unified = unified.replace(character, replacement)
    first = len(unified) - len(unified.lstrip(" "))
    last = len(unified.rstrip(" "))
    folded, offsets = _rewritten(unified, _evenings(unified, first, last), first, last)
    return folded.replace(LONG_DASH, DASH), offsets


def _evenings(text: str, first: int, last: int) -> Iterator[tuple[int, int, str]]:
    for match in _UNEVEN.finditer(text, first, last):
        replacement = _evened_run(text, match)
        if replacement != match[0]:
            yield *match.span(), replacement


def _evened_run(text: str, match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind == "space":
        start, end = match.span()
        before, after = text[start - 1 : start], text[end : end + 1]
        return "" if _NO_SPACE_BEFORE.match(after) or _NO_SPACE_AFTER.match(before) else " "
    if kind in ("quote", "lone_quote"):
        return QUOTE
    if kind in ("mark", "lone_mark"):
        return MARK
    run = match[0].strip(" ")
    if len(run) == 1 or LONG_DASH in run:
        return DASH
    start = text.index(DASH, match.start())
    end = start + len(run)
    return _dash_run(run, text[max(0, start - 1) : start], text[end : end + 1])


def _dash_run(run: str, before: str, after: str) -> str:
    """Fold a run of hyphens between its neighbours: `a -- b` and `a--b` are dashes, ` --option` and `-----` are not."""
    is_option = after.isalnum() and (before == " " or before in _BEFORE_OPTION)
    return run if is_option or len(run) > 3 else DASH


def _chained(offsets: Offsets, earlier: Offsets) -> Offsets:
    """Return the map that leads through both: *offsets* to the middle text, *earlier* from there to the first."""
    starts: list[int] = []
    origins: list[int] = []
    ends: list[int] = []
    runs = earlier.runs()
    first, following, origin, origin_end = next(runs, (0, 0, 0, 0))
    for start, end, middle, middle_end in offsets.runs():
        if end - start != middle_end - middle:
            starts.append(start)
            origins.append(earlier.start(middle))
            ends.append(max(origins[-1], earlier.end(middle_end)))
            continue
        while middle < middle_end:
            while following <= middle:
                first, following, origin, origin_end = next(runs)
            until = min(following, middle_end)
            even = origin_end - origin == following - first
            starts.append(start)
            origins.append(origin + middle - first if even else origin)
            ends.append(origin + until - first if even else origin_end)
            start += until - middle
            middle = until
    return Offsets(array("I", starts), array("I", origins), array("I", ends), offsets.length)


# The same rules one by one, for short texts: `folds_between` leaves some out to see which were needed, and the tests hold
# the fast fold above to them.
_WHITE = r"[ \t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_QUOTE_CLASS = "[" + re.escape(QUOTES) + "]"
_DASH_RUN = re.compile(f"({_WHITE}*)([{re.escape(SHORT_DASHES + LONG_DASHES)}]+)({_WHITE}*)")


def _drop_invisible(text: str) -> str:
    return re.sub(f"[{INVISIBLE}{MARKER_START}{MARKER_END}]", "", text)


def _compose(text: str) -> str:
    return normalize("NFC", text)


def _spell_ligatures(text: str) -> str:
    return re.sub("[\ufb00-\ufb06]", lambda match: LIGATURES[match[0]], text)


def _unify_marks(text: str) -> str:
    omission = _OMISSION.replace(" ", _WHITE).replace("…", "[…⋯]")
    return re.sub(f"{_WHITE}*{omission}{_WHITE}*", MARK, text)


def _unify_dashes(text: str) -> str:
    def folded(match: re.Match[str]) -> str:
        run = match[2]
        if len(run) == 1 or any(character in LONG_DASHES for character in run):
            return DASH
        start, end = match.span(2)
        before, after = (re.sub(_WHITE, " ", text[p : p + 1]) for p in (start - 1, end))
        return _dash_run(DASH * len(run), before if start else "", after)

    return _DASH_RUN.sub(folded, text)


def collapse_white_space(text: str) -> str:
    """Apply rule 3 of docs/matching.md, without its part on quotation marks, to *text*."""
    text = re.sub(f"{_WHITE}+", " ", text).strip(" ")
    text = re.sub(f" (?=[{_CLOSERS}{CJK}])", "", text)
    return re.sub(f"(?<=[{_OPENERS}{CJK}]) ", "", text)


def tidy_white_space(text: str) -> str:
    """Return *text* on one line, as somebody would type it: no space within a bracket, before a stop or between CJK characters.

    Between these and others a space that the text has stays: 建于 1905 年.
    """
    text = re.sub(f"{_WHITE}+", " ", text).strip(" ")
    text = re.sub(f" (?=[{_CLOSERS}])|(?<=[{CJK}]) (?=[{CJK}])", "", text)
    return re.sub(f"(?<=[{_OPENERS}]) ", "", text)


def _collapse_white_space(text: str) -> str:
    return re.sub(f" ?({_QUOTE_CLASS}) ?", r"\1", collapse_white_space(text))


def _unify_quotes(text: str) -> str:
    return re.sub(f"{_QUOTE_CLASS}+", QUOTE, text)


_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("invisible", _drop_invisible),
    ("ligatures", _spell_ligatures),
    ("invisible", _compose),
    ("dashes", _unify_dashes),
    ("omission", _unify_marks),
    ("white-space", _collapse_white_space),
    ("quotation-marks", _unify_quotes),
)


def fold_one_by_one(text: str) -> str:
    """Fold a short *text* as `fold` does, rule by rule."""
    return _fold_without(text, "")


def _fold_without(text: str, name: str) -> str:
    for rule, apply in _RULES:
        if rule != name:
            text = apply(text)
    return text


def _fold_by(text: str, names: set[str]) -> str:
    for rule, apply in _RULES:
        if rule in names:
            text = apply(text)
    return text


def folds_between(written: str, found: str) -> set[str]:
    """Return the names of the folds that make two texts alike: those without which they differ, and what else it takes."""
    if written == found:
        return set()
    names = [name for name, _ in _RULES]
    needed = {name for name in names if _fold_without(written, name) != _fold_without(found, name)}
    for name in ("", *names):
        if _fold_by(written, {name, *needed}) == _fold_by(found, {name, *needed}):
            return needed | {name} - {""}
    return needed
