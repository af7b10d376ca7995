"""A folded text: the text as written beside its fold, with the way back, as it is kept and as it is searched."""

from __future__ import annotations

import operator
import struct
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.matching import FOLD_VERSION as FOLD_VERSION
from tracecite_lint.matching.markers import RAISED
from tracecite_lint.model import DRAWN_QUOTE, SOFT_SPACE, without_added_marks

_MAGIC = b"TCFT"
_HEADER = struct.Struct("<4sHIIII")
# Of rows from a cache: a flipped bit in an offset would show the wrong words as the source's.
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


def rewritten(
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


def chained(offsets: Offsets, earlier: Offsets) -> Offsets:
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
    def ways(self) -> dict[tuple[bool, bool], FoldedText]:
        """What `fold.other_ways_to_read` has made of it: with drawn quotation marks or not, with formulas closed up or not."""
        return {}

    @cached_property
    def has_other_ways(self) -> bool:
        """Whether `fold.other_ways_to_read` makes any of it."""
        return DRAWN_QUOTE in self.original or SOFT_SPACE in self.original

    @cached_property
    def marker_spans(self) -> list[tuple[int, int]]:
        """The ranges of the reference markers in `text`, in order and apart."""
        return list(zip(self.markers[::2], self.markers[1::2], strict=True))

    @cached_property
    def whole(self) -> View:
        """The folded text as it is, to be searched."""
        return plain(self, self.marker_spans)

    @cached_property
    def unmarked(self) -> View:
        """The folded text without its reference markers, to be searched."""
        return without(self, self.marker_spans)

    def forget_views(self) -> None:
        """Forget the searchable forms, which hold this text: a circle is freed late, and a page takes megabytes."""
        for name in ("whole", "unmarked", "ways"):
            self.__dict__.pop(name, None)

    def span_in_original(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of `original` that the folded range from *start* to *end* stands for."""
        first = self.offsets.start(start)
        return first, max(first, self.offsets.end(end))

    def to_bytes(self) -> bytes:
        """Return the fold in a form to be stored, which `from_bytes` reads back beside the original text."""
        text = self.text.encode("utf-8", "surrogatepass")
        offsets = self.offsets
        arrays = (offsets.starts, offsets.origins, offsets.ends, self.superscripts, self.markers)
        body = text + zlib.compress(b"".join(map(_array_bytes, arrays)), 1)
        sizes = len(text), len(offsets.starts), *map(len, arrays[3:])
        header = _HEADER.pack(_MAGIC, FOLD_VERSION, *sizes)
        return header + _CHECKSUM.pack(zlib.crc32(body, zlib.crc32(header))) + body

    @classmethod
    def from_bytes(cls, data: bytes, original: str) -> FoldedText:
        """Read back what `to_bytes` made of the fold of *original*.

        Raises ValueError if *data* is damaged, of another FOLD_VERSION, or does not go with *original*.
        """
        if len(data) < _HEADER.size + _CHECKSUM.size:
            raise ValueError("folded text: too short")
        magic, version, text_size, runs, raised, marks = _HEADER.unpack_from(data)
        (checksum,) = _CHECKSUM.unpack_from(data, _HEADER.size)
        body = memoryview(data)[_HEADER.size + _CHECKSUM.size :]
        if magic != _MAGIC or version != FOLD_VERSION:
            raise ValueError("folded text: of another version")
        if zlib.crc32(body, zlib.crc32(data[: _HEADER.size])) != checksum:
            raise ValueError("folded text: damaged")
        text = str(body[:text_size], "utf-8", "surrogatepass")
        if max(runs, raised // 2, marks // 2) > len(text):
            raise ValueError("folded text: inconsistent")
        packed = memoryview(_unpacked(body[text_size:], 4 * (3 * runs + raised + marks)))
        at = 0
        arrays = []
        for size in (runs, runs, runs, raised, marks):
            arrays.append(_array_from(packed[at : at + 4 * size]))
            at += 4 * size
        starts, origins, ends, superscripts, markers = arrays
        if not (
            _runs_are_sound(starts, origins, ends, len(text), len(original))
            and _are_ranges(superscripts, len(text))
            and _are_ranges(markers, len(text))
        ):
            raise ValueError("folded text: inconsistent")
        return cls(original, text, Offsets(starts, origins, ends, len(text)), superscripts, markers)


def unchanged(text: str) -> FoldedText:
    """Return *text*, not empty and without reference markers, as its own fold."""
    length = len(text)
    offsets = Offsets(array("I", (0,)), array("I", (0,)), array("I", (length,)), length)
    return FoldedText(text, text, offsets, array("I"), array("I"))


@dataclass(frozen=True, slots=True)
class View:
    """A searchable text made from a folded one by leaving ranges out.

    `cuts` are the positions in `text` where something was left out, `shifts` how much has been left out from there on.
    `edges` are the positions in `text` at which a reference marker starts, ends or was left out, or a superscript ends: a word
    may end there or begin.
    """

    folded: FoldedText
    text: str
    cuts: Sequence[int]
    shifts: Sequence[int]
    edges: frozenset[int]

    def _in_folded(self, position: int) -> int:
        cut = bisect_right(self.cuts, position)
        return position + self.shifts[cut - 1] if cut else position

    def start(self, position: int) -> int:
        """Return where the character at *position* begins in the original text."""
        return self.folded.offsets.start(self._in_folded(position))

    def end(self, position: int) -> int:
        """Return where the character before *position* ends in the original text."""
        return self.folded.offsets.end(self._in_folded(position - 1) + 1) if position else 0

    def position(self, offset: int) -> int:
        """Return the position of the first character at or after *offset* of the original text."""
        return self.in_view(self.folded.offsets.back(offset))

    def in_view(self, folded: int) -> int:
        """Return the position of the first character at or after position *folded* of the folded text."""
        cuts, shifts = self.cuts, self.shifts
        cut = bisect_right(range(len(cuts)), folded, key=lambda index: cuts[index] + shifts[index])
        position = folded - (shifts[cut - 1] if cut else 0)
        return min(position, cuts[cut]) if cut < len(cuts) else position

    def written(self, start: int, end: int) -> str:
        """Return the original text of a range, without what was left out of it."""
        original, parts, at = self.folded.original, [], start
        for cut in self.cuts[bisect_right(self.cuts, start) : bisect_right(self.cuts, end - 1)]:
            parts.append(original[self.start(at) : self.end(cut)])
            at = cut
        parts.append(original[self.start(at) : self.end(end)])
        return without_added_marks("".join(parts)).strip()


def plain(folded: FoldedText, spans: Iterable[tuple[int, int]]) -> View:
    """Return *folded* whole; *spans* are its reference markers."""
    edges = frozenset((*(p for span in spans for p in span), *folded.superscripts[1::2]))
    return View(folded, folded.text, (), (), edges)


def without(folded: FoldedText, spans: Iterable[tuple[int, int]]) -> View:
    """Return *folded* without the reference markers at *spans*, which are in order."""
    parts: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    resumed: list[int] = []  # where the folded text goes on behind each
    at = left_out = 0
    for start, end in spans:
        resumed.append(end)
        parts.append(folded.text[at:start])
        left_out += end - start
        cuts.append(end - left_out)
        shifts.append(left_out)
        at = end
    parts.append(folded.text[at:])
    edges = set(cuts)
    for end in folded.superscripts[1::2]:  # as View.in_view has it
        cut = bisect_right(resumed, end)
        position = end - (shifts[cut - 1] if cut else 0)
        edges.add(min(position, cuts[cut]) if cut < len(cuts) else position)
    return View(folded, "".join(parts), cuts, shifts, frozenset(edges))


def with_raised_numbers(folded: FoldedText) -> str:
    """Return the folded text with the superscripts that extraction marked as raised digits: km² for km2."""
    characters = list(folded.text)
    for start, end in zip(folded.superscripts[::2], folded.superscripts[1::2], strict=True):
        characters[start:end] = folded.text[start:end].translate(RAISED)
    return "".join(characters)


def _unpacked(data: memoryview, size: int) -> bytes:
    """Return the *size* bytes that *data* was made of; no more is unpacked, whatever it holds."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data, size + 1)
    except zlib.error:
        raise ValueError("folded text: damaged") from None
    if len(found) != size or not unpacking.eof or unpacking.unused_data:
        raise ValueError("folded text: cut or padded")
    return found


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
    return len(ends) % 2 == 0 and _is_rising(ends) and (not ends or ends[-1] <= limit)


def _runs_are_sound(
    starts: array[int], origins: array[int], ends: array[int], length: int, original_length: int
) -> bool:
    if not starts:
        return length == 0
    return (
        starts[0] == 0
        and starts[-1] < length
        and ends[-1] <= original_length
        and _is_rising(starts)
        and len(set(starts)) == len(starts)
        and _is_rising(origins)
        and _is_rising(ends)
        and all(map(operator.le, origins, ends))
    )


def _is_rising(values: array[int]) -> bool:
    """Tell whether no value is less than the one before: sorting what is sorted is the fastest way to see that."""
    given = values.tolist()
    return given == sorted(given)
