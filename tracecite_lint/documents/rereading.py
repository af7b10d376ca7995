"""Reading a Markdown document again after an edit: only some blocks around it, the rest moved along (editors alone use it).

The contract: `read_again(before, text)` is what `read(path, text)` would be, citations, findings, suppressions and passed-over
quotations with all their places, or None where it cannot tell without reading everything.

What a block is read as hangs on three things. First, on what is read *from afar*: definitions, footnotes, entries of
reference lists, the headings it stands under, and settings of the whole document (its script, its front matter). Second, on
its *neighbours* in the same container (citing/lead_ins.py, citing/neighbours.py and quoted_blocks.same_lead_in look no further
than two blocks away, pictures and comments not counted): on what they are, and on what was made of them, which hangs on
their own neighbours. Third, on its own lines.

So the document is kept as *parts*, each a run of lines that no block and no HTML element crosses. After an edit an *excerpt* is
read: all parts from afar, those with the headings around, and a window of parts around the edit, in their order and kept
apart by a thematic break. On both sides of the edit a run of parts has to come out as it was before, long enough that nothing
behind it sees across; what lies between is taken over, and what lies outside only moves. Where the edit touches what is read
from afar, or no such run is found, there is no answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from tracecite_lint.documents import read_document
from tracecite_lint.documents.citing.candidate import Found
from tracecite_lint.documents.citing.html_quotes import elements_of
from tracecite_lint.documents.citing.lead_ins import is_passed_over
from tracecite_lint.documents.citing.leftovers import tracking_parameters
from tracecite_lint.documents.citing.reading import MOST, SCRIPT_KNOWN_BY, Reading, is_mostly_cjk
from tracecite_lint.documents.citing.references import find_references
from tracecite_lint.documents.markdown import document_of, first_linked, is_linked, read_blocks
from tracecite_lint.documents.markup.blocks import Block, BlockKind, parse_blocks
from tracecite_lint.documents.markup.cost import MAX_COST, TooCostlyError, reading_cost
from tracecite_lint.documents.notes import looks_like_notes
from tracecite_lint.light.lazy import dataclass, field, regex, replace
from tracecite_lint.model import (
    Citation,
    Diagnostic,
    Document,
    PassedOver,
    Span,
    Suppression,
)
from tracecite_lint.naming.file_names import FileKind, is_mdx, kind_of
from tracecite_lint.rules.silenced import PREFIX
from tracecite_lint.text.changes import changed_ranges
from tracecite_lint.text.lines import Lines

_REACH = 2
"""How many blocks away a rule looks among neighbours, those that are passed over not counted."""
_WIDTHS = (3 * _REACH, 30 * _REACH)
"""Blocks at each side of an edit that are read with it, at first and if they do not do."""
_APART = "***\n\n"
"""What keeps two parts of an excerpt from being neighbours: a thematic break, and no item of a list."""
_APART_LINES = 2
_FENCES = ("---", "+++")
_MOST_EXPANDED = 0.9
"""Bytes that links by reference expand to, for each character of a text. The parser takes none any more once they are as many
as the text has (comrak, `max_ref_size`): then what stands first decides what becomes of the last."""
_COST_LIMIT = 0.98 * MAX_COST
_DEFINED = "]:"
"""Stands in every definition, of a link as of a footnote."""
_NOTE = "[^"
_JSX = "{/*"
_COMMENT_MARKS = ("<!--", "-->", "*/")
_SUPPRESSION_CODES = frozenset({"MALFORMED_SUPPRESSION", "UNKNOWN_SUPPRESSION_CODE"})
_TRACKING = "TRACKING_PARAMETER"
_UNLABELLED = "SOURCE_WITHOUT_QUOTE"
_Placed = TypeVar("_Placed", bound=Citation | Diagnostic | PassedOver)
# Each candidate begins with one of these, or is a cell.
_CANDIDATE = regex(r"[“”\"„«»「」『』〝〞〟＂❝❞‘’‚>&]|:::|(?<!\w)'")
_LABEL = regex(
    r"\[((?:[^\[\]\\]|\\.)*)\](?:(?=(:[ \t]*(?:\r\n|\r|\n)?[ \t]*[^\r\n]*))|)", re.DOTALL
)
_SPACE = regex(r"\s+")


class _Part(NamedTuple):
    """A run of lines that begins with a block at the margin behind an empty line, and that nothing crosses."""

    state: int
    """A hash of what its blocks are and what was made of them, as neighbours ask for it."""
    solid: int
    """How many blocks it has that part their neighbours."""
    headings: tuple[tuple[int, str], ...]
    """Level and lines of its headings."""
    is_far: bool
    """Others are read by it however far away."""
    labelled: int
    """How many labelled quotations it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A document as read, and what is needed to read it again; without `parts` it can only be read as a whole."""

    document: Document
    lines: Lines
    eager: bool = False
    starts: Sequence[int] = ()
    """The first line of each part."""
    parts: Sequence[_Part] = ()
    front_matter: int = 0
    """The line on which the front matter ends, 0 without one."""
    is_cjk: bool = False
    has_block_notes: bool = False
    """A footnote is a quotation, whose source is where it is referred to first."""
    linked: int = 0
    """Of a document without citations, the line of a block with a link, if there is one."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """An upper bound of what a link by reference expands to, by label."""
    expanded: int = 0
    cost: int = 0
    candidates: int = 0
    """How many there are at most."""

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    def offset(self, part: int) -> int:
        """Return where a part begins; behind the last one, where the text ends."""
        return self.lines.start(self.starts[part]) if part < len(self.parts) else len(self.text)

    def line(self, part: int) -> int:
        """Return the line on which a part begins; behind the last one, a line behind the text."""
        return self.starts[part] if part < len(self.parts) else len(self.lines) + 1


def read(path: str, text: str, *, eager: bool = False) -> Read:
    """Return what `read_document` returns, as Markdown ready to be read again in parts."""
    lines = Lines(text)
    if kind_of(path) is not FileKind.JSON_LINES and not looks_like_notes(text):
        try:
            tree = parse_blocks(text, mdx=is_mdx(path))
        except TooCostlyError:
            return Read(document=read_document(path, text, eager=eager), lines=lines)
        reading = read_blocks(Reading(tree, find_references(tree), eager=eager))
        return _divided(path, reading, lines)
    return Read(document=read_document(path, text, eager=eager), lines=lines)


def _divided(path: str, reading: Reading, lines: Lines) -> Read:
    text = lines.text
    linked = None if reading.citations else first_linked(reading)
    labels = reading.labelled
    whole = Read(document=document_of(path, reading), lines=lines, eager=reading.eager)
    sizes = _sizes(text) if _DEFINED in text else {}
    read = replace(
        whole,
        front_matter=_front_matter_end(reading),
        is_cjk=reading.is_cjk,
        has_block_notes=any(map(_is_quotation, reading.references.footnotes.values())),
        linked=linked.first_line if linked is not None else 0,
        sizes=sizes,
        expanded=_expanded(text, sizes),
        cost=reading_cost(lines.joined()),
        candidates=_candidates(text),
    )
    if not _may_be_divided(read, path):
        return whole
    starts, parts = _divide(reading, labels)
    return replace(read, starts=starts, parts=parts)


def _may_be_divided(read: Read, path: str) -> bool:
    text = read.text
    return (
        read.expanded <= _MOST_EXPANDED * len(text)
        and read.candidates < MOST
        and not text.startswith("\ufeff")
        and not (_JSX in text and is_mdx(path))
        and (read.front_matter > 0 or read.lines.line(1).rstrip() not in _FENCES)
    )


def _front_matter_end(reading: Reading) -> int:
    tree = reading.tree
    if not tree.front_matter_start:
        return 0
    return tree.lines.number(tree.front_matter_start + len(tree.front_matter))


def _is_quotation(note: Block) -> bool:
    return any(child.kind is BlockKind.BLOCKQUOTE for child in note.children)


def _label(written: str) -> str:
    return _SPACE.sub(" ", written).strip().casefold()


def _sizes(text: str) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for match in _LABEL.finditer(text):
        if match[2]:
            label = _label(match[1])
            sizes[label] = max(len(match[2].encode()), sizes.get(label, 0))
    return sizes


def _expanded(text: str, sizes: Mapping[str, int]) -> int:
    if not sizes:
        return 0
    return sum(sizes.get(_label(match[1]), 0) for match in _LABEL.finditer(text) if not match[2])


def _candidates(text: str) -> int:
    return sum(1 for _ in _CANDIDATE.finditer(text))


# ---- Parts ----------------------------------------------------------------------------------------------------------


def _divide(reading: Reading, labels: Sequence[int]) -> tuple[list[int], list[_Part]]:
    """Return the first lines of the parts of what was read, and the parts; *labels* are the places of labelled quotations."""
    lines = reading.tree.lines
    starts, groups = [1], [[]]  # type: tuple[list[int], list[list[Block]]]
    crossed = 0
    elements = iter(sorted(elements_of(reading.tree.root).items()))
    upcoming = next(elements, None)
    for block in reading.tree.root.children:
        if crossed < block.index and block.index and _begins_apart(block, lines):
            starts.append(block.first_line)
            groups.append([])
        groups[-1].append(block)
        while upcoming is not None and upcoming[0][0] <= block.index:
            crossed = max(crossed, upcoming[1].end[0])
            upcoming = next(elements, None)
    far = {bisect_right(starts, line) for line in _far_lines(reading)}
    far.update(
        part
        for first, last in _lists(reading)
        for part in range(bisect_right(starts, first), bisect_right(starts, last) + 1)
    )
    labelled: dict[int, int] = {}
    for place in labels:
        part = bisect_right(starts, lines.number(place))
        labelled[part] = labelled.get(part, 0) + 1
    parts = [
        _part(reading, blocks, is_far=number in far, labelled=labelled.get(number, 0))
        for number, blocks in enumerate(groups, 1)
    ]
    return starts, parts


def _begins_apart(block: Block, lines: Lines) -> bool:
    """Tell whether *block* begins at the margin, behind an empty line: what is indented may belong to an admonition."""
    line = block.first_line
    return lines.line(line)[:1] not in ("", " ", "\t") and not lines.line(line - 1).strip(" \t")


def _far_lines(reading: Reading) -> Iterator[int]:
    """Yield lines of definitions, footnotes, entries, and of what else is read from afar."""
    tree, references = reading.tree, reading.references
    text = tree.lines.text
    at = text.find(_DEFINED)
    while at != -1:
        yield tree.lines.number(at)
        at = text.find(_DEFINED, at + 1)
    for block in references.far:
        yield block.first_line
    for name, note in references.footnotes.items():
        if name in references.first_uses and _is_quotation(note):
            yield tree.lines.number(references.first_uses[name][0].source_start)


def _lists(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield the lines from each heading of references to the heading that ends what stands under it."""
    first = 0
    for block, begins in reading.references.bounds:
        if begins:
            first = first or block.first_line
        else:
            yield first, block.first_line
            first = 0
    if first:
        yield first, len(reading.tree.lines)


def _part(reading: Reading, blocks: Sequence[Block], *, is_far: bool, labelled: int) -> _Part:
    state: list[object] = []
    headings: list[tuple[int, str]] = []
    for top in blocks:
        for block in top.walk():
            outcome = reading.outcomes.get(id(block))
            state.append((block.kind, id(block) in reading.taken))
            if isinstance(outcome, Found):
                uris = tuple(source.uri for source in outcome.hit.sources)
                state.append((outcome.rule.name, uris))
            elif outcome is not None:
                state.append(outcome.reason)
            if block.kind is BlockKind.HEADING:
                headings.append((block.level, block.raw))
    solid = sum(not is_passed_over(block) for block in blocks)
    return _Part(hash(tuple(state)), solid, tuple(headings), is_far, labelled)


# ---- Again ----------------------------------------------------------------------------------------------------------


class _NotInPartsError(Exception):
    """The document has to be read as a whole."""


def read_again(before: Read, text: str) -> Read | None:
    """Return what *text* is read as, under the same name and settings as *before*; None where all of it has to be read."""
    if not before.parts:
        return None
    edit = _Edit(before, text)
    if not edit.is_local():
        return None
    for width in _WIDTHS:
        try:
            if (found := edit.read(width)) is not None:
                return found
        except (_NotInPartsError, TooCostlyError):
            return None
    return None


class _Window(NamedTuple):
    """Numbers of parts: *first* to *behind* are read, of which *low* to *high* were edited (half-open)."""

    first: int
    low: int
    high: int
    behind: int


class _Edit:
    """One edit of a document: the parts that it touches, and the way of all other lines from the old text to the new."""

    def __init__(self, before: Read, text: str) -> None:
        self.before = before
        self.text = text
        self.lines = Lines(text)
        start, old_end, _ = changed_ranges(before.text, text)
        self._start = start
        lines, starts = before.lines, before.starts
        self.first_line = lines.number(start)
        # A line more on both sides: there an edit may join what was apart.
        self.low = max(bisect_right(starts, self.first_line - 1) - 1, 0)
        self.high = bisect_right(starts, lines.number(old_end) + 1)
        self.by = len(self.lines) - len(lines)
        self.by_characters = len(text) - len(before.text)
        self.old = before.text[before.offset(self.low) : before.offset(self.high)]
        self.new = text[before.offset(self.low) : self.offset(self.high)]

    def offset(self, part: int) -> int:
        """Return where a part that is as it was begins in the new text."""
        return self.before.offset(part) + (self.by_characters if part >= self.high else 0)

    def line(self, part: int) -> int:
        """Return the line on which it begins there."""
        return self.before.line(part) + (self.by if part >= self.high else 0)

    # ---- May it be read in parts? -----------------------------------------------------------------------------------

    def is_local(self) -> bool:
        """Tell whether nothing that is read from afar was touched, and nothing about the whole document has changed."""
        return not (
            any(part.is_far for part in self.before.parts[self.low : self.high])
            or _DEFINED in self.new
            or (self.before.has_block_notes and (_NOTE in self.new or _NOTE in self.old))
            or self._touches_the_beginning()
            or self._touches_comments()
            or self.cost > _COST_LIMIT
            or self.candidates >= MOST
            or self.expanded > _MOST_EXPANDED * len(self.text)
            or self._is_other_script()
            or looks_like_notes(self.text)
        )

    def _touches_the_beginning(self) -> bool:
        if self.first_line <= self.before.front_matter:
            return True
        changes_fence = self.first_line == 1 and self.lines.line(1).rstrip() in _FENCES
        return changes_fence or self.text.startswith("\ufeff")

    def _touches_comments(self) -> bool:
        if PREFIX in self.new or PREFIX in self.old:
            return True
        if _JSX in self.new and is_mdx(self.before.document.path):
            return True
        marked = any(mark in self.new or mark in self.old for mark in _COMMENT_MARKS)
        return marked and PREFIX in self.text

    def _is_other_script(self) -> bool:
        before = self.before
        return self._start < SCRIPT_KNOWN_BY and is_mostly_cjk(self.text) != before.is_cjk

    @property
    def cost(self) -> int:
        """What the new text costs to read, or a little more."""
        return self.before.cost + _cost(self.new) - _cost(self.old)

    @property
    def candidates(self) -> int:
        """How many candidates it has at most."""
        return self.before.candidates + _candidates(self.new) - _candidates(self.old)

    @property
    def expanded(self) -> int:
        """What its links by reference expand to at most."""
        sizes = self.before.sizes
        return self.before.expanded + _expanded(self.new, sizes) - _expanded(self.old, sizes)

    # ---- Reading ----------------------------------------------------------------------------------------------------

    def read(self, width: int) -> Read | None:
        """Read so many blocks on each side again; None where what was edited may reach on."""
        before = self.before
        window = self._window(width)
        excerpt = _Excerpt(self, window)
        if not excerpt.is_sound():
            return None
        first, behind = self._settled_above(window, excerpt), self._settled_below(window, excerpt)
        if first is None or behind is None:
            return None
        begin, end = excerpt.part_at(self.line(first)), excerpt.part_at(self.line(behind))
        parts = excerpt.parts[begin:end]
        old_parts = before.parts[first:behind]
        if not (
            self._is_as_before(old_parts, parts, excerpt)
            and self._keeps_labels(old_parts, parts)
            and self._keeps_comments(range(first, behind), excerpt)
        ):
            return None
        taken = _Taken(self, excerpt, (before.line(first), before.line(behind)), self.line(behind))
        document = taken.document()
        moved = [line + self.by for line in before.starts[behind:]]
        return replace(
            before,
            document=document,
            lines=self.lines,
            starts=[*before.starts[:first], *excerpt.lines_of_parts[begin:end], *moved],
            parts=[*before.parts[:first], *parts, *before.parts[behind:]],
            linked=taken.linked,
            expanded=self.expanded,
            cost=self.cost,
            candidates=self.candidates,
        )

    def _window(self, width: int) -> _Window:
        parts = self.before.parts
        first, behind = self.low, self.high
        solid = 0
        while first and solid < width:
            first -= 1
            solid += parts[first].solid
        solid = 0
        while behind < len(parts) and solid < width:
            solid += parts[behind].solid
            behind += 1
        return _Window(first, self.low, self.high, behind)

    def _settled_above(self, window: _Window, excerpt: _Excerpt) -> int | None:
        """Return the first part to take over: those before it see nothing of the edit, and it sees all that it did."""
        found = self._settled(range(window.low - 1, window.first - 1, -1), excerpt)
        return 0 if found is None and not window.first else found

    def _settled_below(self, window: _Window, excerpt: _Excerpt) -> int | None:
        """Return the part behind the last one to take over."""
        found = self._settled(range(window.high, window.behind), excerpt)
        if found is not None:
            return found + 1
        count = len(self.before.parts)
        return count if window.behind == count else None

    def _settled(self, numbers: Iterable[int], excerpt: _Excerpt) -> int | None:
        """Return the outermost of enough parts that came out as they were, with as many behind it."""
        found: int | None = None
        solid = 0
        for number in numbers:
            part = self.before.parts[number]
            if not excerpt.has(self.line(number), part.state):
                found, solid = None, 0
                continue
            solid += part.solid
            if solid >= _REACH:
                if found is not None:
                    return found
                found, solid = number, 0
        return None

    def _keeps_labels(self, old: Sequence[_Part], new: Sequence[_Part]) -> bool:
        """Tell whether there are labelled quotations as there were or none as there were: without any a label says nothing."""
        count = _labelled(self.before.parts)
        return bool(count) == bool(count - _labelled(old) + _labelled(new))

    def _keeps_comments(self, parts: range, excerpt: _Excerpt) -> bool:
        """Tell whether no part with a suppression comment has become something else: code, where it is an example."""
        before = self.before
        return PREFIX not in before.text or not any(
            PREFIX in before.text[before.offset(number) : before.offset(number + 1)]
            and not excerpt.has(self.line(number), before.parts[number].state)
            for number in parts
        )

    def _is_as_before(self, old: Sequence[_Part], new: Sequence[_Part], excerpt: _Excerpt) -> bool:
        """Tell whether those that are not looked at see the same headings, and nothing new from afar."""
        edited = excerpt.parts[
            excerpt.part_at(self.line(self.low)) : excerpt.part_at(self.line(self.high))
        ]
        return _headings(old) == _headings(new) and not any(part.is_far for part in edited)


class _Excerpt:
    """The parts of an edited document by which a window of it is read, in their order, and the reading of them."""

    def __init__(self, edit: _Edit, window: _Window) -> None:
        self._bends = [0]
        """The lines of the excerpt at which one begins that does not follow the one before in the document…"""
        self._shifts = [0]
        """… and how many lines further on it stands there."""
        before = edit.before
        self._sizes = before.sizes
        self.text = self._put_together(edit, window)
        tree = parse_blocks(self.text, mdx=is_mdx(before.document.path))
        reading = Reading(tree, find_references(tree), eager=before.eager)
        reading.is_cjk = before.is_cjk
        self.reading = read_blocks(reading)
        starts, parts = _divide(reading, reading.labelled)
        self._window = range(edit.line(window.first), edit.line(window.behind))
        within = [number for number, line in enumerate(starts) if self.line(line) in self._window]
        chosen = slice(within[0], within[-1] + 1) if within else slice(0)
        self.lines_of_parts = [self.line(line) for line in starts[chosen]]
        """The lines in the document on which the parts of the window begin."""
        self.parts = parts[chosen]

    def _put_together(self, edit: _Edit, window: _Window) -> str:
        pieces: list[str] = []
        line = 1
        behind = 0
        for first, last in _runs(_chosen(edit.before, window)):
            if first > behind:
                pieces.append(_APART)
                line += _APART_LINES
            self._bends.append(line)
            self._shifts.append(edit.line(first) - line)
            pieces.append(edit.text[edit.offset(first) : edit.offset(last)])
            line += edit.line(last) - edit.line(first)
            behind = last
        return "".join(pieces)

    def line(self, line: int) -> int:
        """Return the line of the document that stands on *line* of the excerpt; 0 for one that stands nowhere."""
        index = bisect_right(self._bends, line) - 1
        found = line + self._shifts[index]
        following = self._bends[index + 1] if index + 1 < len(self._bends) else None
        is_apart = following is not None and line >= following - _APART_LINES
        return 0 if is_apart or not index else found

    def is_sound(self) -> bool:
        """Tell whether the window begins with a part, and no link by reference was given up."""
        expanded = _expanded(self.text, self._sizes)
        begins = bool(self.parts) and self.lines_of_parts[0] == self._window.start
        return begins and expanded <= _MOST_EXPANDED * len(self.text)

    def part_at(self, line: int) -> int:
        """Return the number of the part that begins on *line* of the document, or behind it."""
        return bisect_left(self.lines_of_parts, line)

    def has(self, line: int, state: int) -> bool:
        """Tell whether a part with that state begins on *line* of the document."""
        number = self.part_at(line)
        begins = number < len(self.parts) and self.lines_of_parts[number] == line
        return begins and self.parts[number].state == state


class _Taken:
    """What the excerpt says of some lines, in place of what was known of them; the rest of a document moved along."""

    def __init__(self, edit: _Edit, excerpt: _Excerpt, lines: tuple[int, int], end: int) -> None:
        """Take over the *lines* (half-open) of the old text, which end with *end* in the new one."""
        self._edit = edit
        self._excerpt = excerpt
        self._first, self._behind = lines
        self._end = end
        self._edited, self._behind_edited = edit.before.line(edit.low), edit.before.line(edit.high)
        self.linked = 0
        """Of a document without citations, the line of a block with a link, if there is one."""

    def document(self) -> Document:
        """Return the document."""
        reading, old = self._excerpt.reading, self._edit.before.document
        if not _labelled(self._edit.before.parts):
            reading.drop(_UNLABELLED)
        found = sorted(reading.citations, key=lambda item: (item.span, item.source.span))
        new = self._new(found)
        citations = self._merged(old.citations, new)
        passed_over = self._new(sorted(reading.passed_over, key=_span))
        return replace(
            old,
            text=self._edit.text,
            citations=tuple(citations),
            diagnostics=tuple(self._diagnostics(citations, new)),
            suppressions=tuple(map(self._suppression, old.suppressions)),
            passed_over=tuple(self._merged(old.passed_over, passed_over)),
            is_uncited=not citations and self._is_linked(),
        )

    def _diagnostics(
        self, citations: Sequence[Citation], new: Sequence[Citation]
    ) -> list[Diagnostic]:
        old = self._edit.before.document.diagnostics
        lines, apart = self._edit.lines, (_TRACKING, *_SUPPRESSION_CODES)
        found = self._new(sorted(self._excerpt.reading.diagnostics, key=_span))
        merged = self._merged([item for item in old if item.code not in apart], found)
        malformed = [_moved(item, self._along) for item in old if item.code in _SUPPRESSION_CODES]
        tracked = any(item.code == _TRACKING for item in old)
        # One finding for an address that several citations have.
        tracking = (
            list(tracking_parameters(citations, lines))
            if tracked or any(True for _ in tracking_parameters(new, lines))
            else []
        )
        # In the order in which a whole reading has them.
        together = [*merged, *tracking, *malformed]
        return sorted(together, key=_span) if tracking or malformed else merged

    def _suppression(self, item: Suppression) -> Suppression:
        first, last = (self._line_along(line) for line in (item.first_line, item.last_line))
        return replace(item, first_line=first, last_line=last, span=self._along(item.span))

    def _is_linked(self) -> bool:
        """Tell whether a document without citations leads anywhere, and note where."""
        before, reading, excerpt = self._edit.before, self._excerpt.reading, self._excerpt
        if before.document.citations:
            raise _NotInPartsError
        if before.linked and not self._first <= before.linked < self._behind:
            self.linked = self._line_along(before.linked)
            return True
        lines = range(self._first, self._end)
        for block in reading.tree.blocks:
            if (line := excerpt.line(block.first_line)) in lines and is_linked(block):
                self.linked = line
                return True
        if before.linked:
            raise _NotInPartsError
        return False

    def _new(self, items: Sequence[_Placed]) -> list[_Placed]:
        """Return those of *items*, in the excerpt, that lie in the lines to take over, where they stand in the document."""
        lines = range(self._first, self._end)
        return [
            _moved(item, self._from_excerpt)
            for item in items
            if self._excerpt.line(item.span.line) in lines
        ]

    def _merged(self, items: Sequence[_Placed], new: Sequence[_Placed]) -> list[_Placed]:
        """Return the *new* ones in place of those of *items* in the lines that are taken over, the others moved along."""
        lines = [item.span.line for item in items]
        low, high = bisect_left(lines, self._first), bisect_left(lines, self._behind)
        before = [_moved(item, self._along) for item in items[:low]]
        behind = [_moved(item, self._along) for item in items[high:]]
        return [*before, *new, *behind]

    def _from_excerpt(self, span: Span) -> Span:
        return _moved_span(span, self._excerpt.line(span.line) - span.line)

    def _along(self, span: Span) -> Span:
        return _moved_span(span, self._line_along(span.line) - span.line)

    def _line_along(self, line: int) -> int:
        """Return where a line of the old text stands; raises _NotInPartsError for one that was edited."""
        edit = self._edit
        if line < self._edited:
            return line
        if line < self._behind_edited:
            raise _NotInPartsError
        return line + edit.by


def _labelled(parts: Iterable[_Part]) -> int:
    return sum(part.labelled for part in parts)


def _headings(parts: Iterable[_Part]) -> list[tuple[int, str]]:
    return [heading for part in parts for heading in part.headings]


def _cost(text: str) -> int:
    return reading_cost(Lines(text).joined())


def _chosen(before: Read, window: _Window) -> list[int]:
    """Return the numbers of the parts by which a window is read: itself, those from afar, and those with headings around."""
    parts = before.parts
    chosen = set(range(window.first, window.behind))
    chosen.update(number for number, part in enumerate(parts) if part.is_far)
    if before.front_matter:
        chosen.add(0)
    level = 7
    for number in range(window.first - 1, -1, -1):
        if level > 1 and (headings := parts[number].headings):
            highest = min(one for one, _ in headings)
            if highest < level:
                level = highest
                chosen.add(number)
    return sorted(chosen)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the ranges (half-open) of *numbers*, which rise, that follow one another."""
    first = 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or numbers[index] != numbers[index - 1] + 1:
            yield numbers[first], numbers[index - 1] + 1
            first = index


def _span(item: Citation | Diagnostic | PassedOver) -> Span:
    return item.span


def _moved_span(span: Span, by: int) -> Span:
    if not by:
        return span
    return Span(span.line + by, span.column, span.end_line + by, span.end_column)


def _moved(item: _Placed, along: Callable[[Span], Span]) -> _Placed:
    """Return *item* with its places *along*; the same one where they stay."""
    span = along(item.span)
    if isinstance(item, Citation):
        source = item.source
        place = along(source.span) if source.span is not None else None
        if place is not source.span:
            return replace(item, span=span, source=replace(source, span=place))
    return item if span is item.span else replace(item, span=span)
