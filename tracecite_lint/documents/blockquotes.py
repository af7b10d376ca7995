"""Blockquotes that quote: where their words end, and which link is their source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tracecite_lint.documents import cues
from tracecite_lint.documents.blocks import Block, BlockKind
from tracecite_lint.documents.collected import Collected, Part, Source, source_of, without_marks
from tracecite_lint.documents.flow import Flow, Link, LinkKind
from tracecite_lint.documents.inline import is_source, sources_in_parentheses
from tracecite_lint.documents.references import References
from tracecite_lint.documents.sentences import sentence_start
from tracecite_lint.model import Shape

_CALLOUT = re.compile(r"\s*\[!([\w-]+)\][+-]?[ \t]*")
_QUOTE_CALLOUTS = frozenset({"quote", "cite"})
_DASH = re.compile(r"\s*(?:--+|[—–―‒]+|~)\s*")
_ATTRIBUTION_LABEL = re.compile(
    r"\s*[(（]?\s*(?:sources?|src|via|from|credits?|quelle|fuente|fonte|source\s?|bron|来源|來源|出处|出處|出典|引用元|摘自|引自|原文|原文链接|链接)"
    r"\s*(?:[:：]|(?=\s)|(?=[\[《「]))\s*",
    re.IGNORECASE,
)
_ATTRIBUTION_LIMIT = 160
"""Characters of text of an attribution line, its links included."""
_BRACKETS = {")": "(", "）": "（", "]": "[", "】": "【"}
_SENTENCE_END = re.compile(r"[.!?…。！？\"”»’」』)）\]:：]\s*[*_]*\s*$")
_TITLE_LINE = re.compile(
    r"[\s*_]*(?:\(?\d{1,3}[.)、．：:]|[（(]\d{1,3}[)）]|[•·◆■★-])?\s*(?:[\[【（(][^\]】）)\n]{1,12}[\]】）)])?[\s*_]*"
)
_COLON = re.compile(r"[:：][\s*_\"“]*$")
_TURN = re.compile(r"(?:^|\n):[ \t]+")
_SPEAKER_LIMIT = 60


@dataclass(slots=True)
class Quotation:
    """What a blockquote quotes: its paragraphs, and the link or links that stand as its source."""

    parts: list[Part] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    shape: Shape = Shape.LEAD_IN
    own: bool = False
    """The block is the author's own note."""
    link_only: bool = False


def before(block: Block) -> Block | None:
    """Return the block before *block*, pictures and comments left out; of a list its last paragraph."""
    previous = block.previous()
    while previous is not None and is_passed_over(previous):
        previous = previous.previous()
    while previous is not None and previous.kind in (BlockKind.LIST, BlockKind.ITEM):
        previous = previous.children[-1] if previous.children else None
    return previous


def after(block: Block) -> Block | None:
    """Return the block after *block*, comments left out."""
    following = block.next()
    while following is not None and following.kind is BlockKind.HTML and _is_comment(following):
        following = following.next()
    return following


def is_passed_over(block: Block) -> bool:
    """Tell whether a block between a lead-in and its quotation does not part them: a picture, a comment."""
    if block.kind is BlockKind.HTML:
        return _is_comment(block) or block.name.lstrip().lower().startswith(
            ("<img", "<iframe", "<picture", "<hr")
        )
    return (
        block.kind is BlockKind.PARAGRAPH
        and not block.flow.text.strip()
        and bool(block.flow.images)
    )


def _is_comment(block: Block) -> bool:
    text = block.name.strip()
    return text.startswith("<!--") and text.endswith("-->") and text.find("-->") == len(text) - 3


def leaves(block: Block) -> Iterator[Block]:
    """Yield the paragraphs and headings of a blockquote, those of quotations inside it left out."""
    stack = list(reversed(block.children))
    while stack:
        current = stack.pop()
        if current.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            yield current
        elif current.kind is not BlockKind.BLOCKQUOTE:
            stack.extend(reversed(current.children))


class BlockquoteReader:
    """Reads the blockquotes of one document, outer ones first, and remembers which blocks they took."""

    def __init__(self, references: References, collected: Collected) -> None:
        self._references = references
        self._collected = collected
        self.taken: set[int] = set()
        """The ids of the blocks whose text is part of a quotation or of its attribution."""

    def read(self, block: Block, claim: str) -> bool:
        """Collect the quotation that *block* is; False if it is none that has a source."""
        paragraphs = list(leaves(block))
        if not paragraphs:
            return False
        kind, title = _callout(paragraphs[0].flow)
        if kind and kind not in _QUOTE_CALLOUTS:
            return False
        if not kind and cues.OWN_NOTE.match(paragraphs[0].flow.text):
            return False
        parts = [Part(leaf.flow, 0, len(leaf.flow.text)) for leaf in paragraphs]
        if kind:
            parts[0] = Part(parts[0].flow, title[1], parts[0].end)
            parts = _without_metadata(parts)
        found = self._source(block, parts, paragraphs[0].flow if kind else None, title)
        if found is None or not found.sources:
            return False
        turns = _turns(found.parts)
        for turn in turns:
            self._collected.add(without_marks(turn), found.sources, found.shape, claim)
        self.taken.update(id(leaf) for leaf in paragraphs)
        return True

    def _source(
        self, block: Block, parts: list[Part], callout: Flow | None, title: tuple[int, int]
    ) -> Quotation | None:
        found = attributed(parts, self._references)
        if callout is not None:
            found.shape = Shape.CALLOUT
            if not found.sources:
                link = _first_source(callout, *title)
                found.sources = [source_of(link)] if link else []
            if not found.sources:
                lead = self._lead_in(block, callout=True)
                found.sources = lead or []
            return found
        if found.link_only:
            return None
        if not found.sources:
            found.sources = self._right_after(block)
            found.shape = Shape.SOURCE_AFTER
        if not found.sources or all(cues.is_profile(source.uri) for source in found.sources):
            lead = self._lead_in(block)
            if lead:
                found.sources, found.shape = lead, Shape.LEAD_IN
        if not found.sources:
            found.sources, found.shape = self._carrying_sentence(block), Shape.FOOTNOTE
        return found

    def around(self, first: Block, last: Block) -> list[Source]:
        """Return the source that stands right after *last*, or that the lead-in before *first* gives."""
        return self._right_after(last) or self._lead_in(first) or []

    def _right_after(self, block: Block) -> list[Source]:
        """The next paragraph is nothing but a dash or label and a link."""
        following = after(block)
        if (
            following is None
            or following.kind is not BlockKind.PARAGRAPH
            or following.first_line - block.last_line > 3
        ):
            return []
        flow = following.flow
        start, end = flow.trimmed(0, len(flow.text))
        line_end = flow.text.find("\n", start, end)
        if line_end != -1:
            return []
        sources = attribution_sources(flow, start, end, bare=True)
        if sources:
            self.taken.add(id(following))
        return sources

    def _lead_in(self, block: Block, *, callout: bool = False) -> list[Source] | None:
        previous = before(block)
        if previous is None or id(previous) in self.taken:
            return None
        if previous.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING):
            return None
        source = lead_in_source(previous, self._references)
        return source

    def _carrying_sentence(self, block: Block) -> list[Source]:
        """A footnote that is a quotation without a link: its source is the link before the footnote's reference."""
        note = block.parent
        if note is None or note.kind is not BlockKind.FOOTNOTE:
            return []
        if block.index > 1 or any(leaf.flow.links for leaf in note.children[: block.index]):
            return []
        flow, at = self._references.first_uses.get(note.name.casefold(), (None, 0))
        if flow is None:
            return []
        start = sentence_start(flow.text, max(at - 2, 0))
        links = [link for link in flow.links_within(start, at) if is_source(link)]
        return [source_of(links[-1])] if links else []


def _callout(flow: Flow) -> tuple[str, tuple[int, int]]:
    """Return the kind of callout that a blockquote's first paragraph opens, and the range of its title."""
    match = _CALLOUT.match(flow.text)
    if match is None:
        return "", (0, 0)
    end = flow.text.find("\n", match.end())
    return match[1].casefold(), (match.end(), len(flow.text) if end == -1 else end)


def _first_source(flow: Flow, start: int, end: int) -> Link | None:
    return next(
        (link for link in flow.links_within(start, max(end, start)) if is_source(link)), None
    )


def _without_metadata(parts: list[Part]) -> list[Part]:
    """Drop a first line such as `Subtitle: …` or `Published: …`, which belongs to the callout, not to the source."""
    kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
    if len(kept) > 1 or (kept and "\n" in kept[0].flow.text[kept[0].start : kept[0].end]):
        first = kept[0]
        text = first.flow.text
        if cues.METADATA.match(text, first.start):
            end = text.find("\n", first.start, first.end)
            kept[0] = Part(first.flow, first.end if end == -1 else end, first.end)
    return kept


def attributed(parts: Sequence[Part], references: References) -> Quotation:
    """Return the quoted paragraphs without their attribution, and the source that the attribution names."""
    kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
    found = Quotation(parts=kept)
    if not kept:
        return found
    if len(kept) == 1 and _only_a_link(kept[0]):
        found.link_only = True
        return found
    last = kept[-1]
    start = _attribution_start(last, alone=len(kept) == 1)
    if start is not None:
        sources = attribution_sources(last.flow, start, last.end)
        found.parts = (
            [*kept[:-1], Part(last.flow, last.start, start)] if start > last.start else kept[:-1]
        )
        found.sources, found.shape = sources, Shape.ATTRIBUTION
        return found
    notes = references.footnotes_at(last.flow, _last_word(last), last.end)
    if notes:
        found.sources, found.shape = notes, Shape.FOOTNOTE
        return found
    trailing = _trailing_link(last)
    if trailing is not None:
        end, sources = trailing
        found.parts[-1] = Part(last.flow, last.start, end)
        found.sources, found.shape = sources, Shape.TRAILING_LINK
    return found


def _only_a_link(part: Part) -> bool:
    text = part.flow.text
    outside = list(text[part.start : part.end])
    for link in part.flow.links_within(part.start, part.end):
        for index in range(link.start, min(link.end, part.end)):
            outside[index - part.start] = " "
    return not re.search(r"\w", "".join(outside)) and any(
        True for _ in part.flow.links_within(part.start, part.end)
    )


def _last_word(part: Part) -> int:
    end = part.end
    while end > part.start and not part.flow.text[end - 1].isalnum():
        end -= 1
    return end


def _attribution_start(part: Part, *, alone: bool) -> int | None:
    """Return where the attribution in the last paragraph of a quotation begins: a dash or a label at a line's start."""
    text = part.flow.text
    line = text.rfind("\n", part.start, part.end) + 1
    line = max(line, part.start)
    if alone and line == part.start:
        return None
    if len(text[line : part.end]) > _ATTRIBUTION_LIMIT:
        return None
    dash = _DASH.match(text, line, part.end)
    if dash is not None and dash.end() < part.end:
        return line
    label = _ATTRIBUTION_LABEL.match(text, line, part.end)
    if label is not None and any(
        is_source(link) for link in part.flow.links_within(label.end(), part.end)
    ):
        return line
    if text[line : part.end].startswith(("http://", "https://")) and _only_a_link(
        Part(part.flow, line, part.end)
    ):
        return line
    return None


def attribution_sources(flow: Flow, start: int, end: int, *, bare: bool = False) -> list[Source]:
    """Return the source that the attribution from *start* to *end* names; the best of several links.

    With *bare* the stretch stands by itself and is an attribution only if it has a dash, a label or nothing but a link.
    """
    text = flow.text[start:end]
    if len(text) > _ATTRIBUTION_LIMIT or cues.THANKS.search(text):
        return []
    links = [link for link in flow.links_within(start, end) if is_source(link)]
    if not links:
        return []
    if bare:
        dash = _DASH.match(flow.text, start, end) or _ATTRIBUTION_LABEL.match(flow.text, start, end)
        if dash is None and not _only_a_link(Part(flow, start, end)):
            return []
        if dash is None and len(links) > 1:
            return []
    return [source_of(_best(flow, links))]


def _best(flow: Flow, links: list[Link]) -> Link:
    """Of the links of an attribution, return the one that is the work and not its author or its platform."""
    for link in links:
        if flow.text[link.start : link.start + 1] in ("“", '"', "「", "『", "《", "«"):
            return link
        if any(start >= link.start and end <= link.end for start, end in flow.emphases):
            return link
    works = [link for link in links if not cues.is_profile(link.url)]
    return (works or links)[0]


def _trailing_link(part: Part) -> tuple[int, list[Source]] | None:
    """Return where the words end and the source, if the paragraph ends in a link that is no part of a sentence."""
    flow, text = part.flow, part.flow.text
    links = [link for link in flow.links_within(part.start, part.end) if is_source(link)]
    if not links:
        return None
    tail = text[links[-1].end : part.end].strip(" \t\n.。*_")
    if tail and tail in _BRACKETS:
        opening = text.rfind(_BRACKETS[tail], part.start, links[-1].start)
        if opening == -1 or part.start >= opening:
            return None
        inside = [link for link in links if link.start > opening]
        if not cues.is_label(text[opening + 1 : inside[0].start]):
            return None
        return opening, sources_in_parentheses(flow, opening, inside[0])
    if tail:
        return None
    link = links[-1]
    ahead = text[part.start : link.start].rstrip()
    if not ahead:
        return None
    label = _dash_before(ahead)
    if label is not None:
        return part.start + label, [source_of(link)]
    if (
        link.kind is LinkKind.MARKDOWN
        and not cues.is_source_word(flow.words(link.start, link.end))
        and not _SENTENCE_END.search(ahead)
    ):
        return None
    if ahead.endswith((":", "：")):
        return None
    return part.start + len(ahead), [source_of(link)]


def _dash_before(ahead: str) -> int | None:
    """Return where a dash or a label right before the link begins."""
    match = re.search(
        r"(?:[\s.!?…。！？\"”»」』](?:--|[—–―~-])+\s*|[\s.!?。！？”\"](?:sources?|via|quelle|fuente|fonte|来源|出处|出典)\s*[:：]?\s*)$",
        ahead,
        re.IGNORECASE,
    )
    if match is None:
        return None
    start = match.start()
    return start + (not ahead[start].isspace())


def lead_in_source(lead: Block, references: References) -> list[Source] | None:
    """Return the source that a paragraph, list item or heading gives the blockquote right after it."""
    flow = lead.flow
    start, end = flow.trimmed(0, len(flow.text))
    links = [link for link in flow.links if is_source(link)]
    if lead.kind is BlockKind.HEADING:
        return [source_of(links[0])] if len(links) == 1 else None
    if not links:
        return None
    title = _TITLE_LINE.match(flow.text)
    if len(links) == 1 and title is not None and title.end() >= links[0].start:
        if not flow.text[links[0].end : end].strip(" \t\n*_.:：。"):
            return [source_of(links[0])]
    last = sentence_start(flow.text, max(end - 1, start), start)
    sentence = flow.text[last:end]
    colon = _COLON.search(sentence) is not None
    if cues.OWN_WORDS.search(sentence):
        return None
    within = [link for link in links if link.end > last]
    if within:
        if colon or cues.SAYING.search(sentence):
            return [source_of(within[-1])]
        return None
    if not colon or not cues.EXCERPT.search(sentence):
        return None
    return [source_of(links[-1])] if len(links) == 1 else None


def _turns(parts: list[Part]) -> list[list[Part]]:
    """Part an interview into its speakers' turns; anything else is one turn.

    A turn is written as a definition (`Speaker`, then a line that begins with `: `), or begins with the speaker's name in
    bold and a colon.
    """
    turns: list[list[Part]] = []
    defined = False
    for part in parts:
        match = _TURN.search(part.flow.text, part.start, part.end)
        if match is None:
            (turns[-1] if turns else turns.append([]) or turns[-1]).append(part)  # type: ignore[func-returns-value]
            continue
        defined = True
        body = Part(part.flow, match.end(), part.end)
        if match.start() > part.start or not turns:
            turns.append([body])
        else:
            turns[-1].append(body)
    if defined:
        return turns
    return _bold_turns(parts)


def _bold_turns(parts: list[Part]) -> list[list[Part]]:
    starts = [_bold_label(part) for part in parts]
    if sum(start is not None for start in starts) < 2 or starts[0] is None:
        return [parts]
    turns: list[list[Part]] = []
    for part, start in zip(parts, starts, strict=True):
        if start is None:
            turns[-1].append(part)
        else:
            turns.append([Part(part.flow, start, part.end)])
    return turns


def _bold_label(part: Part) -> int | None:
    flow = part.flow
    for start, end in flow.strongs:
        if start == part.start and end - start <= _SPEAKER_LIMIT:
            rest = flow.text[end : end + 1]
            if flow.text[end - 1] in ":：":
                return end
            if rest in (":", "："):
                return end + 1
    return None
