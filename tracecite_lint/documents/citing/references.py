"""What references point at: footnotes and numbered reference lists."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.citing.reference_numbers import BETWEEN, NumberedLists, NumberMark
from tracecite_lint.documents.citing.source_links import MOST_SOURCES, Source, source_of
from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.flow import Flow, Link, once
from tracecite_lint.documents.markup.pairs import Pair, is_short, is_title, weight
from tracecite_lint.documents.markup.sentences import crosses_sentence
from tracecite_lint.model import Shape

_HEADING = re.compile(
    r"[\s\d.#*_]*(?:references?(?: cited)?|sources?(?: cited)?|referências citadas|obras citadas|citazioni|opere citate|ouvrages cités|"
    r"zitierte (?:quellen|literatur)|引用的著作|引用資料|bibliography|works cited|citations?|notes|footnotes|further reading|literatur(?:verzeichnis)?|"
    r"quellen(?:verzeichnis)?|fuentes|referencias|bibliografía|bibliografia|fonti|riferimenti|note|fontes|referências|références|bibliographie|"
    r"bronnen|参考(?:文献|資料|资料|链接|来源)?|參考(?:文獻|資料)?|来源|來源|资料来源|引用(?:文献|元)?|出典|文献|注释|脚注)[\s*_:：]*",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"[\s>*-]*(?:\[(\d{1,3})\]|【(\d{1,3})】|［(\d{1,3})］)[:：.]?\s*")
# What the parser leaves as text because no definition has that label: `[^1]`, `[text][label]`; and `[3]`.
_MARK_AS_TEXT = r"(?P<mark>\[\^[^\[\]\s]{1,100}\]|\[[^\[\]\n]{1,200}\]\[[^\[\]\n]{0,100}\]|\[\d{1,3}(?:\s*,\s*\d{1,3}){0,9}\])"
_UNDEFINED = re.compile(r"[\s.,。，\-–—]{0,20}[(（]?\s{0,3}" + _MARK_AS_TEXT)
_UNDEFINED_END = re.compile(_MARK_AS_TEXT + r"[\s.,。)）]{0,5}\Z")
_END_LIMIT = 320
_TEXTS = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CELL)
_HEADING_WORD = re.compile(
    r"\b(?:references?|sources?|citations?|bibliography|quellen(?:verzeichnis)?|literatur(?:verzeichnis)?|fuentes|referencias|"
    r"bibliografía|bibliografia|fonti|riferimenti|fontes|referências|références|bibliographie|bronnen)\b"
    r"|参考|參考|来源|來源|引用|出典|文献|文獻",
    re.IGNORECASE,
)
# What every such heading holds once markup and white space are out, or what may hide it: a link, an element, an entity.
_HEADING_HINT = re.compile(
    r"references?|source|referências|obras|citaz|opere|ouvrages|zitierte|引用|bibliogra|cited|citation|note|furtherreading|"
    r"literatur|quellen|fuentes|referencia|fonti|riferimenti|fontes|références|bronnen|参考|參考|来源|來源|资料|出典|文献|"
    r"文獻|注释|脚注|[\[<&]",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[\s*_~`\\]+")
_FOOTNOTE = re.compile(r"\[\^")
_HEADING_WORDS = 5
_HEADING_LIMIT = 80
"""Characters of a heading of references, as it is written."""
_ENTRY_LINE = re.compile(r"^[\s>*+-]*\\?[\[【［]\d", re.MULTILINE)
_MOST_TOGETHER = 10
_SENTENCE_LIMIT = 600
"""Characters from a quotation to the footnote at the end of its sentence."""
_COMMENTARY = 240
"""A footnote with more text than this beside its links is a remark, not a source."""


@dataclass(slots=True)
class SourcesFound:
    """The sources that a reference gives a quotation, and how."""

    sources: list[Source]
    shape: Shape
    end: int | None = None
    """Where the words end, if that is before the closing mark: `“so.[3]”`."""


@dataclass(slots=True)
class References:
    """The footnotes and reference lists of one document."""

    footnotes: dict[str, Block] = field(default_factory=dict)
    lists: NumberedLists = field(default_factory=NumberedLists)
    first_uses: dict[str, tuple[Flow, int]] = field(default_factory=dict)
    """Where each footnote is referred to first."""

    _listed: set[int] = field(default_factory=set)

    def is_listed(self, block: Block) -> bool:
        """Tell whether *block* is the text of an item of a list under a heading of references."""
        return id(block.parent) in self._listed

    def footnotes_at(self, flow: Flow, start: int, end: int) -> list[Source]:
        """Return the sources of the footnotes referred to from *start* to *end* (inclusive)."""
        sources: list[Source] = []
        first = bisect_left(flow.footnotes, start, key=lambda mark: mark.at)
        for index in range(first, len(flow.footnotes)):
            mark = flow.footnotes[index]
            if mark.at > end or len(sources) >= MOST_SOURCES:
                break
            definition = self.footnotes.get(mark.name.casefold())
            if definition is not None:
                sources.extend(footnote_sources(definition))
        return sources

    def add_item(self, item: Block) -> None:
        """Take in an item of a list under a heading of references; numbers in running text point to a numbered one."""
        self._listed.add(id(item))
        first = item.children[0] if item.children else None
        if not item.number or first is None or first.kind is not BlockKind.PARAGRAPH:
            return
        sources = _entry_sources(first.flow, 0, len(first.flow.text))
        if sources:
            self.lists.add(item.number, sources, first.flow)

    def at_end(self, flow: Flow, start: int, end: int) -> tuple[list[Source], int] | None:
        """Return the sources of the references that *flow* ends in, from *start* to *end*, and where they begin."""
        last = end
        while last > start and not flow.text[last - 1].isalnum():
            last -= 1
        notes = self.footnotes_at(flow, last, end)
        if notes:
            return notes, end
        sources: list[Source] = []
        first = end
        for mark in reversed(self._marks_within(flow, start + 1, end)):
            if flow.text[mark.end : first].strip(BETWEEN):
                break
            first = mark.start
            sources[:0] = mark.sources
        return (sources, first) if sources else None

    def in_range(self, flow: Flow, start: int, end: int) -> list[Source]:
        """Return the sources of all references from *start* to *end*."""
        sources = self.footnotes_at(flow, start, end)
        for mark in self._marks_within(flow, start, end):
            sources.extend(mark.sources)
        return sources

    def _marks_within(self, flow: Flow, start: int, end: int) -> list[NumberMark]:
        marks = self.lists.marks(flow)
        first = bisect_left(marks, start, key=lambda mark: mark.start)
        last = bisect_right(marks, end, key=lambda mark: mark.end)
        return marks[first:last]

    def closing(self, flow: Flow, pair: Pair, words: str) -> SourcesFound | None:
        """Return what the footnote at the end of the pair's sentence, or the next number in brackets, gives it."""
        index = bisect_left(flow.footnotes, pair.end, key=lambda mark: mark.at)
        if index < len(flow.footnotes) and not is_short(words) and not is_title(words):
            at = flow.footnotes[index].at
            linked = next(flow.links_within(pair.end, at), None) is not None
            if not linked and _closes_sentence(flow.text, pair.end, at):
                sources = self.footnotes_at(flow, at, at)
                if sources:
                    return SourcesFound(sources, Shape.FOOTNOTE)
        return self._numeric(flow, pair, words)

    def _numeric(self, flow: Flow, pair: Pair, words: str) -> SourcesFound | None:
        if is_short(words) or is_title(words):
            return None
        marks = self.lists.marks(flow)
        index = bisect_left(marks, pair.end, key=lambda mark: mark.start)
        first, last = flow.trimmed(*pair.inner)
        if index and first < marks[index - 1].start and marks[index - 1].sources:
            inside = marks[index - 1]
            if not flow.text[inside.end : last].strip(BETWEEN):
                return SourcesFound([*inside.sources], Shape.NUMERIC, inside.start)
        sources: list[Source] = []
        for place, mark in enumerate(marks[index : index + _MOST_TOGETHER]):
            if place and not mark.joined:
                break
            sources.extend(mark.sources)
        return SourcesFound(sources, Shape.NUMERIC) if sources else None


def _closes_sentence(text: str, start: int, at: int) -> bool:
    """Tell whether a reference at *at* stands at the end of the sentence that holds the quotation ending at *start*."""
    if at - start > _SENTENCE_LIMIT:
        return False
    if text[start - 2] in ".!?。！？" and text[start : start + 2].strip()[:1].isupper():
        return False
    ahead = text[start:at].rstrip()
    if not ahead or ahead[-1] not in '.!?。！？”"」』)）':
        following = text[at : at + 2].strip()
        if following and following[0] not in ".!?。！？；;":
            return False
    return not crosses_sentence(text, start, max(start + len(ahead) - 1, start))


Undefined = tuple[str, int, int]
"""A reference as it is written, and its place (offsets) in the document."""


def undefined_reference(flow: Flow, at: int, references: References) -> Undefined | None:
    """Return the reference right after *at* that nothing defines."""
    return _undefined(_UNDEFINED.match(flow.text, at), flow, references)


def undefined_at_end(flow: Flow, start: int, end: int, references: References) -> Undefined | None:
    """Return the reference at the end of the stretch from *start* to *end* that nothing defines."""
    begin = max(start, end - _END_LIMIT)
    return _undefined(_UNDEFINED_END.search(flow.text, begin, end), flow, references)


def _undefined(match: re.Match[str] | None, flow: Flow, references: References) -> Undefined | None:
    if match is None or references.lists.is_entry(flow):
        return None
    start, end = match.span("mark")
    if any(flow.places.end(index) - flow.places.start(index) > 1 for index in (start, end - 1)):
        return None  # An escaped bracket is a bracket, not a reference.
    return match["mark"], *flow.source_range(start, end)


@once
def footnote_sources(definition: Block) -> list[Source]:
    """Return the sources that a footnote names; none if it is a remark with links in it."""
    first = next(
        (child for child in definition.children if child.kind is BlockKind.PARAGRAPH), None
    )
    if first is None:
        return []
    flow = first.flow
    if flow.text.rstrip().endswith((":", "：")):
        return []  # It leads in a quotation of its own.
    links = [link for link in flow.links if link.url and not link.url.startswith("#")]
    linked = sum(link.end - link.start for link in links)
    if len(flow.text) - linked > _COMMENTARY:
        return []
    if all(cues.is_profile(link.url) for link in links):
        return []
    return [source_of(link) for link in links[:MOST_SOURCES]]


def find_references(tree: Tree) -> References:
    """Return the footnotes and the numbered reference lists of a document."""
    references = References()
    under_heading = False
    for block in tree.root.walk():
        if block.kind is BlockKind.FOOTNOTE:
            references.footnotes.setdefault(block.name.casefold(), block)
        elif block.kind is BlockKind.ITEM and under_heading:
            references.add_item(block)
        elif block.kind in _TEXTS:
            raw = tree.raw(block)
            if _may_be_heading(raw) and _is_heading_of_references(block):
                under_heading = True
            elif block.kind is BlockKind.HEADING:
                under_heading = False
            elif block.kind is BlockKind.PARAGRAPH and _ENTRY_LINE.search(raw):
                _add_entries(references, block)
            if tree.holds(block, _FOOTNOTE):
                for mark in block.flow.footnotes:
                    references.first_uses.setdefault(mark.name.casefold(), (block.flow, mark.at))
    return references


def _may_be_heading(raw: str) -> bool:
    """Tell by the lines of a text, which cost less than the text, whether it can be the heading of a reference list."""
    if len(raw) > _HEADING_LIMIT:
        return False
    return _HEADING_HINT.search(_MARKUP.sub("", raw)) is not None


def _is_heading_of_references(block: Block) -> bool:
    """Tell whether a line is the heading of a reference list; a heading may have some words beside: `Key sources`."""
    text = block.flow.text
    if _HEADING.fullmatch(text):
        return True
    return (
        block.kind is BlockKind.HEADING
        and weight(text) <= _HEADING_WORDS
        and _HEADING_WORD.search(text) is not None
    )


def _add_entries(references: References, block: Block) -> None:
    """Add the lines of a paragraph that are entries: `[3] … u`."""
    flow = block.flow
    for start, end in flow.lines():
        match = _ENTRY.match(flow.text, start, end)
        if match is None:
            continue
        sources = _entry_sources(flow, match.end(), end)
        if sources:
            number = int(next(group for group in match.groups() if group))
            references.lists.add(number, sources, flow)


def _entry_sources(flow: Flow, start: int, end: int) -> list[Source]:
    links: Iterable[Link] = flow.links_within(start, max(end, start + 1))
    return [source_of(link) for link in links if link.url and not link.url.startswith("#")][:1]
