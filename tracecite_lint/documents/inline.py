"""Quotations in running text and the source that stands behind them in the same sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from tracecite_lint.documents import cues
from tracecite_lint.documents.blocks import Block, BlockKind
from tracecite_lint.documents.collected import Collected, Part, Source, source_of
from tracecite_lint.documents.flow import Flow, Link, LinkKind
from tracecite_lint.documents.quotation_marks import Pair, is_short, is_title
from tracecite_lint.documents.quote_tags import read_inline_tags
from tracecite_lint.documents.references import References
from tracecite_lint.documents.sentences import crosses_sentence, sentence_end
from tracecite_lint.model import Shape

REACH = 80
"""How many characters of running text may stand between a quotation and the parenthesis with its source."""
_NEAR = re.compile(r"[\s.,;:!?，。、；\-–—*_]*")
_NOTHING_BETWEEN = re.compile(r"[\s.,\-–—―‒，。]*")
_DASH = re.compile(r"[\s.,，。]*(?:--|[-–—―‒]+|~)\s*")
_OPENERS = "(（[［【"
_CLOSERS = {"(": ")", "（": "）", "[": "]", "［": "］", "【": "】"}
_ENDS_CLAUSE = re.compile(r"[\s*_]*(?:$|[.,;:!?)\]。，、；：！？）」』—–]|-\s)")
_QUOTE_FOLLOWS = re.compile(r"[^\n.!?]{0,30}[:：]?\s*[\"“„«「『]")
_PREDICATE = re.compile(r"[a-zà-ÿ]")
_LINK_LEAD = re.compile(
    r"(?:in|on|from|at|via|per|according|by|as|he|she|they|it|we|i|the|an?|this|his|her|their|its|"
    r"source|link|see|read|here|aus|von|bei|en|de|da|di|nel|nella|dans|sur|selon|secondo|según)\b",
    re.IGNORECASE,
)
_UNDEFINED = re.compile(
    r"[\s.,\-–—]*[(（]?\s*(?:\[\^(?P<note>[^\]\s]+)\]|\[[^\[\]\n]+\]\[(?P<label>[^\[\]\n]*)\])"
)


@dataclass(frozen=True, slots=True)
class _Found:
    sources: list[Source]
    shape: Shape


def read_inline(block: Block, references: References, collected: Collected, claim: str) -> None:
    """Collect the quotations of *block* (a paragraph, heading or cell) that have a source in reach."""
    flow = block.flow
    taken = read_inline_tags(block, collected, claim) if flow.tags else []
    for pair in flow.pairs():
        if _is_within(taken, pair):
            continue
        if flow.link_around(pair.start, pair.end) or not flow.words(*pair.inner):
            continue
        found = (
            _direct_reference(flow, pair, references)
            or _direct_link(flow, pair)
            or _parenthesis(flow, pair)
            or _title_first(block, pair)
            or references.closing(flow, pair)
        )
        parts = [Part(flow, *pair.inner)]
        if found is not None:
            collected.add(parts, found.sources, found.shape, claim)
        elif not is_short(flow.words(*pair.inner)):
            _report(flow, pair, collected)


def _is_within(ranges: list[tuple[int, int]], pair: Pair) -> bool:
    index = bisect_right(ranges, (pair.start, pair.end)) - 1
    return (
        index >= 0
        and pair.end <= ranges[index][1]
        or (
            index + 1 < len(ranges)
            and ranges[index + 1][0] <= pair.start
            and pair.end <= ranges[index + 1][1]
        )
    )


def _report(flow: Flow, pair: Pair, collected: Collected) -> None:
    start, end = flow.source_range(*pair.inner)
    match = _UNDEFINED.match(flow.text, pair.end)
    if match is not None and not _is_escaped(flow, match.end() - 1):
        label = match["note"] or match["label"] or match[0].strip(" .,-–—(（")
        collected.report(
            "UNDEFINED_REFERENCE",
            f"the quotation's reference {label!r} is not defined in this document",
            *flow.source_range(match.start(), match.end()),
        )
    else:
        collected.report("UNASSOCIATED_QUOTE", "this quotation has no source in reach", start, end)


def _is_escaped(flow: Flow, at: int) -> bool:
    return flow.ends[at] - flow.starts[at] > 1


def _links_after(flow: Flow, pair: Pair) -> Iterator[Link]:
    for link in flow.links_within(pair.end, len(flow.text) + 1):
        if is_source(link):
            yield link


def is_source(link: Link) -> bool:
    """Tell whether *link* can be a source at all: it leads somewhere else and is more than a picture."""
    return bool(link.url) and not link.url.startswith(("#", "mailto:")) and not link.image


def _direct_reference(flow: Flow, pair: Pair, references: References) -> _Found | None:
    """`“…”[^1]` and `“…”.[^1]`."""
    end = _NEAR.match(flow.text, pair.end).end()  # type: ignore[union-attr]
    sources = references.footnotes_at(flow, pair.end, end)
    return _Found(sources, Shape.FOOTNOTE) if sources else None


def _direct_link(flow: Flow, pair: Pair) -> _Found | None:
    """`“…” [t](u)`, `“…” — [t](u)`, `“…” <u>` and bare URLs."""
    link = next(_links_after(flow, pair), None)
    if link is None:
        return None
    between = flow.text[pair.end : link.start]
    inner = flow.words(*pair.inner)
    if is_title(inner):
        return None
    dash = _DASH.match(between)
    if _NOTHING_BETWEEN.fullmatch(between) is None:
        if dash is None or not _is_attribution(flow, pair, link, dash.end()):
            return None
    elif not dash and not _leads_nowhere_else(flow, pair, link, between):
        return None
    return _Found([source_of(link)], Shape.INLINE)


def _is_attribution(flow: Flow, pair: Pair, link: Link, dash: int) -> bool:
    """`“…” — Jane Doe, [Title](u)`: the quotation is all that stands before the dash, the link ends the line."""
    words = flow.text[pair.end + dash : link.start]
    if len(words) > REACH or crosses_sentence(flow.text, pair.end + dash, link.start):
        return False
    if flow.text[: pair.start].strip(" \t\n*_"):
        return False
    return len(flow.text[link.end :].strip()) <= REACH and "\n" not in words.strip()


def _leads_nowhere_else(flow: Flow, pair: Pair, link: Link, between: str) -> bool:
    """Tell whether a link right after a quotation is its source, and not the next words of the sentence."""
    text = flow.text
    ends = _ENDS_CLAUSE.match(text, link.end) is not None
    if _QUOTE_FOLLOWS.match(text, link.end) and not is_short(flow.words(*pair.inner)):
        follows = text[link.end : link.end + 40]
        if re.match(r"[^\n.!?]{0,30}[:：]\s*[\"“„«「『]", follows):
            return False
    if any(mark in between for mark in ".。"):
        # The link begins a sentence of its own: it is a source if that is all there is of it.
        return ends and sentence_end(text, link.end) - link.end <= 3
    if link.kind is not LinkKind.MARKDOWN:
        return True
    label = text[link.start : link.end]
    if cues.is_source_word(label) or cues.SAYING.search(label):
        return True
    if _PREDICATE.match(label):
        return not is_short(flow.words(*pair.inner)) and _LINK_LEAD.match(label) is not None
    return ends or not is_short(flow.words(*pair.inner))


def _parenthesis(flow: Flow, pair: Pair) -> _Found | None:
    """`“…” … ([t](u))`: the source in parentheses, in the same sentence and not far."""
    text = flow.text
    inner = flow.words(*pair.inner)
    for link in _links_after(flow, pair):
        if link.start - pair.end > 2 * REACH:
            return None
        opening = max(text.rfind(mark, pair.end, link.start) for mark in _OPENERS)
        if opening == -1 or not cues.is_label(text[opening + 1 : link.start]):
            continue
        running = text[pair.end : opening]
        if not _in_same_sentence(text, pair, opening) or len(running.strip()) > REACH:
            return None
        direct = _NEAR.fullmatch(running) is not None
        if is_title(inner) or (not direct and is_short(inner)):
            return None
        return _Found(sources_in_parentheses(flow, opening, link), Shape.INLINE)
    return None


def _in_same_sentence(text: str, pair: Pair, opening: int) -> bool:
    start = pair.end
    if text[start : start + 1] in {".", "。"}:
        # “…”. ([t](u)) is one sentence, but only if nothing else stands between.
        return not text[start + 1 : opening].strip()
    if text[pair.end - 2] in ".。" and text[start:opening].lstrip()[:1].isupper():
        return False
    return not crosses_sentence(text, start, opening)


def sources_in_parentheses(flow: Flow, opening: int, first: Link) -> list[Source]:
    """Return the sources in a parenthesis: its first link, and others that are named like one."""
    closing = _closing(flow.text, opening, first.end)
    sources = [source_of(first)]
    first_label = flow.words(first.start, first.end)
    previous = first
    for link in flow.links_within(first.end, closing):
        between = flow.text[previous.end : link.start]
        label = flow.words(link.start, link.end)
        alike = label.casefold() == first_label.casefold() or cues.is_source_word(label)
        plain = not cues.is_source_word(first_label) and not cues.is_aside(label)
        if (
            is_source(link)
            and (alike or plain)
            and re.fullmatch(r"[\s,;/&|、，；和]*(?:and|und|y|e|et)?\s*", between)
        ):
            sources.append(source_of(link))
        previous = link
    return sources


def _closing(text: str, opening: int, start: int) -> int:
    mark = _CLOSERS[text[opening]]
    at = text.find(mark, start)
    return len(text) if at == -1 else at


def _title_first(block: Block, pair: Pair) -> _Found | None:
    """`- [title](u): “…”`: a list item that starts with its source."""
    flow = block.flow
    if block.parent is None or block.parent.kind is not BlockKind.ITEM or block.index:
        return None
    link = next((link for link in flow.links if is_source(link)), None)
    if link is None or flow.text[: link.start].strip(' \t\n*_“"') or link.end > pair.start:
        return None
    between = flow.text[link.end : pair.start]
    if re.fullmatch(r"[\s*_”\"]*(?:\([^()\n]{0,40}\))?[\s*_]*[-–—:：]+\s*", between) is None:
        return None
    if is_short(flow.words(*pair.inner)) or is_title(flow.words(*pair.inner)):
        return None
    return _Found([source_of(link)], Shape.LIST_TITLE)
