"""Where the words of a quoted block end and its attribution begins, and the source that the attribution names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.citing.collected import Part
from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.citing.source_links import (
    Source,
    is_source,
    source_of,
    sources_in_parentheses,
)
from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind
from tracecite_lint.documents.markup.pairs import is_short
from tracecite_lint.model import Shape

_DASH = re.compile(r"\s*(?:(?:--+|[~～〜])\s+|[—–―‒]+\s*)")
_ATTRIBUTION_LABEL = re.compile(
    r"\s*[(（]?\s*(?:sources?|src|via|(?:(?:taken|quoted|excerpted) )?from|credits?|quelle|fuente|fonte|source\s?|bron|источник|출처|来源|來源|出处|出處|出典|引用元|摘自|引自|原文|原文链接|链接)"
    r"\s*[:：]?\s*",
    re.IGNORECASE,
)
_ATTRIBUTION_LIMIT = 160
"""Characters of text of an attribution line, its links included."""
_BRACKETS = {")": "(", "）": "（", "]": "[", "】": "【"}
_BEFORE_LINK = re.compile(
    r"(?:[\s.!?…。！？\"”»」』][—–―~-]+\s*|(?:(?<![,，])\s|[.!?。！？”\"])(?:sources?|via|quelle|fuente|fonte|来源|出处|出典)\s*[:：]?\s*)$",
    re.IGNORECASE,
)
# What follows a source instead of a label before it: `[t](u)より引用`.
_QUOTED_FROM = re.compile(
    r"(?:の記事)?(?:より|から)(?:引用|抜粋|転載)|より(?=[\s)）。]*$)|에서 ?(?:인용|발췌)"
)
# Who wrote it or when, beside a link: `[t](u), Jane Smith`, `[t](u) by Jane Smith`, `[t](u) (2020)`.
_NAMED = re.compile(r"(?:[,，]|by\b|(?=\d{4}\Z))\s*([^,，\n]{1,40})", re.IGNORECASE)
_LABEL = re.compile(r"\s*\w{1,20}(?: \w{1,20})?\s?[:：]\s*")
_NEAR = 60
"""How many characters before a link are looked at."""
_SENTENCE_END = re.compile(r"[.!?…。！？\"”»’」』)）\]:：]\s*[*_]*\s*$")


@dataclass(slots=True)
class Quotation:
    """What a blockquote quotes: its paragraphs, and the link or links that stand as its source."""

    parts: list[Part] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    shape: Shape = Shape.LEAD_IN
    not_quoted: bool = False
    """The block is nothing but links, or nothing but code."""


def attributed(parts: Sequence[Part], references: References) -> Quotation:
    """Return the quoted paragraphs without their attribution, and the source that the attribution names."""
    kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
    found = Quotation(parts=kept)
    if not kept:
        return found
    others = [part for part in kept if not is_only_a_reference(part)]
    listed = len(kept) - len(others) > 1 and all(is_short(part.text) for part in others)
    if not others or listed or all(_is_code(part) for part in kept):
        found.not_quoted = True
        return found
    last = kept[-1]
    start = _attribution_start(last, alone=len(kept) == 1)
    if start is not None:
        found.sources = attribution_sources(last.flow, start, last.end)
        found.parts = _without_end(kept, start)
        further = _attribution_start(found.parts[-1], alone=len(found.parts) == 1)
        if further is not None:
            # `— Jane Smith`, then a line with the link: both belong to the attribution.
            found.sources = found.sources or attribution_sources(
                found.parts[-1].flow, further, found.parts[-1].end
            )
            found.parts = _without_end(found.parts, further)
        found.shape = Shape.ATTRIBUTION
        found.parts = _behind_label(found.parts)
        if not found.sources:
            # `— Jane Smith[^1]`
            found.sources = references.footnotes_at(last.flow, start, last.end)
            found.shape = Shape.FOOTNOTE
        return found
    referred = references.at_end(last.flow, last.start, last.end)
    if referred is not None and not _quotes_inside(last, referred[1], colon=True):
        found.sources, end = referred
        found.parts[-1] = Part(last.flow, last.start, end)
        found.shape = Shape.FOOTNOTE if end == last.end else Shape.NUMERIC
        return found
    trailing = _trailing_link(last)
    if trailing is not None:
        end, sources = trailing
        found.parts[-1] = Part(last.flow, last.start, end)
        found.sources, found.shape = sources, Shape.TRAILING_LINK
    elif len(kept) > 1 and _only_a_link(kept[0]):
        found.sources = attribution_sources(kept[0].flow, kept[0].start, kept[0].end, bare=True)
        found.parts, found.shape = kept[1:], Shape.ATTRIBUTION
    return found


def _behind_label(parts: list[Part]) -> list[Part]:
    """Return the words in marks where they stand behind a word or two and a colon: `Zitat: „…“`."""
    if len(parts) == 1:
        part = parts[0].trimmed()
        pair = part.flow.pair_ending_at(part.end)
        if pair is not None and _LABEL.fullmatch(part.flow.text, part.start, pair.start):
            return [Part(part.flow, *pair.inner)]
    return parts


def _without_end(parts: Sequence[Part], start: int) -> list[Part]:
    """Return the paragraphs without the end of the last one, from *start*."""
    last = Part(parts[-1].flow, parts[-1].start, start).trimmed()
    return [*parts[:-1], last] if last.start < last.end else list(parts[:-1])


def is_only_a_reference(part: Part) -> bool:
    """Tell whether a paragraph is nothing but a link, perhaps behind a dash or a label: a credit, or something to read."""
    label = _label_end(part.flow, part.start, part.end)
    if label is None:
        dash = _DASH.match(part.flow.text, part.start, part.end)
        label = part.start if dash is None else dash.end()
    return _only_a_link(Part(part.flow, label, part.end))


def _label_end(flow: Flow, start: int, end: int) -> int | None:
    """Return where the label at *start* ends; without a colon it is one if nothing but names and links follow."""
    label = _ATTRIBUTION_LABEL.match(flow.text, start, end)
    if label is None or label[0].rstrip().endswith((":", "：")):
        return None if label is None else label.end()
    links = [link for link in flow.links_within(label.end(), end) if is_source(link)]
    if not links or not cues.is_label(flow.text[label.end() : links[0].start]):
        return None
    if (
        label[0][-1].isalpha()
        and links[0].start > label.end()
        and flow.text[label.end()] not in "《「"
    ):
        return None  # The label is the beginning of another word.
    return label.end() if is_short(flow.text[links[-1].end : end]) else None


def is_marked(flow: Flow, start: int, end: int) -> bool:
    """Tell whether the stretch begins with a dash or a label, as an attribution does."""
    return (
        _DASH.match(flow.text, start, end) is not None or _label_end(flow, start, end) is not None
    )


def _is_code(part: Part) -> bool:
    return part.flow.is_code(part.start, part.end)


def _only_a_link(part: Part) -> bool:
    text = part.flow.text
    outside: list[str] = []
    at = part.start
    for link in part.flow.links_within(part.start, part.end):
        outside.append(text[at : link.start])
        end = min(link.end, part.end)
        outside.append(" " * (end - max(at, link.start)))
        at = max(at, end)
    if not outside:
        return False
    outside.append(text[at : part.end])
    beside = _QUOTED_FROM.sub("", "".join(outside)).strip(" \t\n*_.()（）[]【】")
    if not re.search(r"\w", beside):
        return True
    named = _NAMED.fullmatch(beside)
    return named is not None and cues.is_label(named[1])


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
    if dash is not None and dash.end() < part.end and not part.flow.in_code(line):
        return line
    label = _label_end(part.flow, line, part.end)
    if label is not None and any(
        is_source(link) for link in part.flow.links_within(label, part.end)
    ):
        return line
    if _only_a_link(Part(part.flow, line, part.end)) and not _is_call(part.flow, line, part.end):
        return line
    return None


def _is_call(flow: Flow, start: int, end: int) -> bool:
    """Tell whether a line that is nothing but a link calls to do something: `[Join us](u)!`"""
    text = flow.text[start:end].strip(" \t\n*_")
    return text.endswith("!") or cues.is_action(text)


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
        marked = is_marked(flow, start, end)
        if text.rstrip().endswith((":", "：")):
            return []  # It leads in what follows.
        if not marked and not _only_a_link(Part(flow, start, end)):
            return []
        if not marked and (len(links) > 1 or cues.is_aside(text) or _is_call(flow, start, end)):
            return []
    return [source_of(_best(flow, links))]


def _best(flow: Flow, links: list[Link]) -> Link:
    """Of the links of an attribution, return the one that is the work and not its author or its platform."""
    for link in links:
        if flow.text[link.start : link.start + 1] in ("“", '"', "「", "『", "《", "«"):
            return link
        if flow.has_emphasis(link.start, link.end):
            return link
    works = [link for link in links if not cues.is_profile(link.url)]
    return (works or links)[0]


def _trailing_link(part: Part) -> tuple[int, list[Source]] | None:
    """Return where the words end and the source, if the paragraph ends in a link that is no part of a sentence."""
    flow, text = part.flow, part.flow.text
    links = [link for link in flow.links_within(part.start, part.end) if is_source(link)]
    if not links:
        return None
    tail = _QUOTED_FROM.sub("", text[links[-1].end : part.end]).strip(" \t\n.。*_")
    if tail and tail in _BRACKETS:
        opening = text.rfind(_BRACKETS[tail], part.start, links[-1].start)
        if opening == -1 or part.start >= opening:
            return None
        if _quotes_inside(part, opening):
            return None
        inside = [link for link in links if link.start > opening]
        if not cues.is_label(text[opening + 1 : inside[0].start]):
            return None
        return opening, sources_in_parentheses(flow, opening, inside[0])
    if tail:
        return None
    link = links[-1]
    ahead = text[part.start : link.start].rstrip()
    if not ahead or _quotes_inside(part, part.start + len(ahead)):
        return None
    label = _dash_before(ahead)
    if label is not None:
        return part.start + label, [source_of(link)]
    named = flow.words(link.start, link.end)
    if ahead.endswith((":", "：")) or cues.is_aside(named) or cues.is_action(named):
        return None
    # `… used to be on https://…` is a sentence about the link.
    near = ahead[-_NEAR:]
    in_sentence = link.kind is LinkKind.MARKDOWN or cues.LEADS_TO_LINK.search(near) is not None
    if in_sentence and not cues.is_source_word(named) and not _SENTENCE_END.search(near):
        return None
    return part.start + len(ahead), [source_of(link)]


def _quotes_inside(part: Part, at: int, *, colon: bool = False) -> bool:
    """Tell whether what ends right before *at* is a quotation inside the block's own text: the source is that one's.

    With *colon* only if a colon leads to it: a reference is more often that of the whole block.
    """
    text = part.flow.text
    end = len(text[part.start : at].rstrip(" \t\n.,")) + part.start
    pair = part.flow.pair_ending_at(end)
    return (
        pair is not None
        and pair.start > part.start
        and not is_short(part.flow.words(*pair.inner))
        and (not colon or text[part.start : pair.start].rstrip().endswith((":", "：")))
    )


def _dash_before(ahead: str) -> int | None:
    """Return where a dash or a label right before the link begins."""
    match = _BEFORE_LINK.search(ahead, max(len(ahead) - _NEAR, 0))
    if match is None:
        return None
    return match.start() + (not ahead[match.start()].isspace())
