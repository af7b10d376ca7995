"""The Markdown of an answer: its quotations as in a report, with the links and the annotations of the record as sources."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from tracecite_lint.documents.markdown import parse_markdown
from tracecite_lint.documents.markup.blocks import parse_blocks
from tracecite_lint.documents.markup.lines import Lines
from tracecite_lint.documents.vendors.record import Quotation
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.model import Citation
from tracecite_lint.naming.uris import is_web

# Stands for the sources of a reference while the Markdown is parsed (RFC 2606 keeps the name from being a real one).
_PLACEHOLDER = "https://source.invalid/"
# Without one of these a Markdown text quotes nothing, and need not be parsed.
_MAY_QUOTE = re.compile('["“”„«»「『〝＂❝>]|:~:text=')
_LARGEST_NUMBER = 999
_NUMBER = re.compile(r"\[(\d{1,3})\]")
# `[1]`, `[1, 3]`, `[1][3]`, but not the text of a link.
_NUMBERS = re.compile(r"\[\d{1,3}(?:, ?\d{1,3})*\](?:[ ,]{0,2}\[\d{1,3}(?:, ?\d{1,3})*\])*(?!\()")
# A line of the answer's own list of references, or a link reference definition.
_ENTRY = re.compile(r"^[ >*-]*\[(\d{1,3})\](?::|[^\n]*https?://)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """A source as a record names it."""

    uri: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Sources of a half-open range of an answer, in characters.

    `covers`: the range is the words that the sources support, and they say nothing of other quotations. Otherwise it is
    the mark of a reference, which stands behind the quotations that it is for.
    """

    start: int
    end: int
    sources: tuple[Source, ...]
    covers: bool


def linked_quotations(
    text: str, path: JsonPath, accept: Callable[[str], bool] = is_web
) -> Iterator[Quotation]:
    """Yield what the Markdown *text* quotes with a link to a source that *accept* takes."""
    if not _MAY_QUOTE.search(text):
        return
    lines = Lines(text)
    for citation in parse_markdown("", text).citations:
        if accept(citation.source.uri):
            yield _quotation(citation, path, _range(lines, citation), Source(citation.source.uri))


def numbered_quotations(
    text: str, path: JsonPath, numbered: Mapping[int, Source]
) -> Iterator[Quotation]:
    """Yield what the Markdown *text* quotes with a link, or with `[n]` for a source of *numbered*."""
    annotations = []
    entries = {entry.start(): entry for entry in _ENTRY.finditer(text)}
    own = {int(entry[1]) for entry in entries.values()}
    for mark in _NUMBERS.finditer(text):
        line = text.rfind("\n", 0, mark.start()) + 1
        numbers = [int(number) for number in re.findall(r"\d+", mark[0])]
        if (line in entries and mark.start() < entries[line].end()) or own.intersection(numbers):
            continue  # the answer has a list of its own, which Markdown reads
        sources = tuple(numbered[number] for number in numbers if number in numbered)
        annotations.append(Annotation(mark.start(), mark.end(), sources, covers=False))
    return annotated_quotations(text, path, annotations)


def annotated_quotations(
    text: str,
    path: JsonPath,
    annotations: Iterable[Annotation],
    accept: Callable[[str], bool] = is_web,
) -> Iterator[Quotation]:
    """Yield what the Markdown *text* quotes with a link that *accept* takes, or with an annotation for a source."""
    if not _MAY_QUOTE.search(text):
        return
    marks = _marks(text, annotations)
    if not marks:
        yield from linked_quotations(text, path, accept)
        return
    # Numbers find what a paragraph quotes before its reference; links also find blockquotes.
    listing = "".join(f"\n[{mark.number}] {mark.placeholder}" for mark in marks)
    numbers = _Rewritten(
        text, [(*mark.place, f" [{mark.number}]") for mark in marks], f"\n\n{listing}\n"
    )
    links = _Rewritten(text, [(*mark.place, f" ([s]({mark.placeholder}))") for mark in marks], "")
    seen: set[tuple[int, int]] = set()
    for rewritten in (numbers, links):
        found = list(_marked_quotations(rewritten, path, marks, accept))
        yield from (item for item in found if (item.start, item.end) not in seen)
        seen.update((item.start, item.end) for item in found)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A reference to be written in place of a range of the answer, which may be empty."""

    number: int
    place: tuple[int, int]
    annotation: Annotation

    @property
    def placeholder(self) -> str:
        return f"{_PLACEHOLDER}{self.number}"

    def supports(self, start: int, end: int) -> bool:
        """Tell whether the annotation can speak for a quotation from *start* to *end*."""
        annotation = self.annotation
        return not annotation.covers or (start < annotation.end and annotation.start < end)


class _Rewritten:
    """A text with some ranges replaced and something added, and the way from its offsets back to the text's."""

    def __init__(self, text: str, edits: Iterable[tuple[int, int, str]], added: str) -> None:
        self._starts = [0]
        self._origins = [0]
        self._ends: list[int] = []
        pieces: list[str] = []
        length = kept = 0
        for start, end, replacement in edits:
            pieces += [text[kept:start], replacement]
            length += start - kept + len(replacement)
            self._ends.append(start)
            self._starts.append(length)
            self._origins.append(end)
            kept = end
        self._ends.append(len(text))
        self.text = "".join([*pieces, text[kept:], added])

    def original(self, offset: int) -> int:
        """Return the offset in the original text; in a replacement that is where it begins."""
        piece = bisect_right(self._starts, offset) - 1
        return min(self._origins[piece] + offset - self._starts[piece], self._ends[piece])


def _marks(text: str, annotations: Iterable[Annotation]) -> list[_Mark]:
    """Return a mark for each of *annotations* that has sources, in order and apart; they lie in no quotation or link."""
    taken = {int(number) for number in _NUMBER.findall(text)}
    free = (number for number in range(_LARGEST_NUMBER, 0, -1) if number not in taken)
    whole, code = _indivisible(text)
    marks: list[_Mark] = []
    for annotation in _merged(text, annotations):
        start, end = annotation.start, annotation.end
        if not annotation.covers and _outside(code, start) != start:
            continue
        behind = _outside(whole, end)
        if annotation.covers or behind != end:
            start = end = behind
        last = marks[-1].place[1] if marks else 0
        number = next(free, None)
        if number is None:
            break
        if start >= last:
            marks.append(_Mark(number, (start, end), annotation))
    return marks


def _merged(text: str, annotations: Iterable[Annotation]) -> list[Annotation]:
    """Return the *annotations* in the order of their ends, those of one range as one."""
    merged: dict[tuple[int, int, bool], tuple[Source, ...]] = {}
    for item in annotations:
        # A range is often given with the space or the line end behind it.
        end = item.start + len(text[item.start : item.end].rstrip())
        if item.sources and 0 <= item.start < end:
            key = (end, item.start, item.covers)
            merged[key] = tuple(dict.fromkeys((*merged.get(key, ()), *item.sources)))
    return [
        Annotation(start, end, sources, covers)
        for (end, start, covers), sources in sorted(merged.items(), key=itemgetter(0))
    ]


def _indivisible(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the ranges of *text* that no mark may be written into, quotations and links, and those of code."""
    whole: list[tuple[int, int]] = []
    code: list[tuple[int, int]] = []
    for block in parse_blocks(text).root.walk():
        flow = block.flow
        if flow.text:
            whole += [flow.source_range(pair.start, pair.end) for pair in flow.pairs()]
            whole += [(link.source_start, link.source_end) for link in flow.links]
            code += [flow.source_range(start, end) for start, end in flow.codes if start < end]
    return sorted(whole), code


def _outside(ranges: Sequence[tuple[int, int]], offset: int) -> int:
    """Return *offset*, or the end of the range that it lies inside."""
    for start, end in ranges:
        if start < offset < end:
            offset = end
    return offset


def _marked_quotations(
    rewritten: _Rewritten,
    path: JsonPath,
    marks: Iterable[_Mark],
    accept: Callable[[str], bool],
) -> Iterator[Quotation]:
    lines = Lines(rewritten.text)
    by_placeholder = {mark.placeholder: mark for mark in marks}
    for citation in parse_markdown("", rewritten.text).citations:
        start, end = map(rewritten.original, _range(lines, citation))
        uri = citation.source.uri
        mark = by_placeholder.get(uri)
        sources: tuple[Source, ...] = ()
        if mark is None:
            sources = (Source(uri),) if accept(uri) else ()
        elif mark.supports(start, end):
            sources = mark.annotation.sources
        for source in sources:
            yield _quotation(citation, path, (start, end), source)


def _range(lines: Lines, citation: Citation) -> tuple[int, int]:
    span = citation.span
    return lines.offset(span.line, span.column), lines.offset(span.end_line, span.end_column)


def _quotation(
    citation: Citation, path: JsonPath, place: tuple[int, int], source: Source
) -> Quotation:
    return Quotation(
        path=path,
        start=place[0],
        end=place[1],
        passages=citation.passages,
        uri=source.uri,
        title=source.title,
        directives=citation.directives,
    )
