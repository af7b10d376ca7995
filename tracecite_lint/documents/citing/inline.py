"""Quotations in running text and the source that stands behind them in the same sentence."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.citing.collected import Collected, Part
from tracecite_lint.documents.citing.neighbours import alone_by_its_source, table_row
from tracecite_lint.documents.citing.quote_tags import read_inline_tags
from tracecite_lint.documents.citing.references import References, SourcesFound, undefined_reference
from tracecite_lint.documents.citing.source_links import (
    Source,
    source_links,
    source_of,
    sources_in_parentheses,
)
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind, once
from tracecite_lint.documents.markup.pairs import (
    Pair,
    is_sentence,
    is_short,
    is_title,
    is_word,
    weight,
)
from tracecite_lint.documents.markup.sentences import crosses_sentence, sentence_end
from tracecite_lint.model import Shape

REACH = 80
"""How many characters of running text may stand between a quotation and the parenthesis with its source."""
CROSS_REFERENCE_WORDS = 5
"""A term of fewer words before `(see [t](u))` is explained there, not quoted from there."""
TITLED_WITHIN = 40
"""How many characters before a quotation are looked at for a word that says it is a title."""
LONG_TITLE = 20
"""Words of a title where something else says that it is one."""
LABEL_WORDS = 12
"""A link whose text is longer is a sentence, not the name of a source."""
_QUOTE_MARK = re.compile('[“”"„«»「」『』]')
_NEAR = re.compile(r"[\s.,;:!?，。、；\-–—*_]*")
_SPACE = re.compile(r"\s*")
_NOTHING_BETWEEN = re.compile(r"[\s.,\-–—―‒，。]*")
_LABEL_WITH_COLON = re.compile(
    rf"[ \t\n.,;。，；*_]*+(?P<label>{cues.LABEL_WITH_COLON})[ \t\n.,;。，；*_]*", re.IGNORECASE
)
_DASH = re.compile(r"[\s.,，。]*(?:--|[-–—―‒]+|~)\s*")
_OPENERS = "(（[［【"
_ENDS_CLAUSE = re.compile(r"[\s*_]*(?:$|[.,;:!?)\]。，、；：！？）」』—–]|-\s)")
_TITLE_END = re.compile(r"[\s*_”\"]*(?:\([^()\n]{0,40}\))?[\s*_]*[-–—:：]+\s*")
_LEADS_QUOTE = re.compile(r"[^\n.!?]{0,30}[:：]\s{0,3}[\"“„«「『]")
# “…” [comes from the page](u): the link is the sentence's next words, not the name of a source.
_PREDICATE = re.compile(
    r"(?:is|are|was|were|be|has|have|had|can|could|will|would|shall|should|may|might|must|do|does|did|comes?|came|goes|go|"
    r"means?|meant|refers?|stems?|belongs?|works?|makes?|made|gets?|got|gives?|gave|takes?|took|becomes?|became|seems?|looks?|"
    r"appears?|needs?|uses?|used|and|or|but|which|that|who|when|where|while|because|since|if|so|to|not|than|"
    r"ist|sind|war|kommt|est|sont|vient|es|son|viene|é|são|vem|è|sono)\s",
)

_CAPTION = re.compile(
    r"[\s*_]*(?:fig(?:ure|ura)?|abb(?:ildung)?|table|tabelle?|tabla|tabela|tableau|图|圖|図|表|그림|рис(?:унок)?)\.?\s?\d[\d.-]*\s?[:：.]\s",
    re.IGNORECASE,
)

Eager = Callable[[Flow, Pair], list[Source]]


def read_inline(
    block: Block,
    references: References,
    collected: Collected,
    claim: str,
    eager: Eager | None = None,
    *,
    report: bool = False,
) -> None:
    """Collect the quotations of *block* (a paragraph, heading, cell or HTML block) that have a source in reach.

    *eager* finds the source of those that have none by the default shapes. In a *report* a single word may be quoted too.
    """
    flow = block.flow
    if _CAPTION.match(flow.text):
        return
    taken = read_inline_tags(block, collected, claim) if flow.tags else []
    for pair in flow.pairs():
        words = flow.words(*pair.inner)
        if not words or _is_within(taken, pair):
            continue
        linked = is_linked(flow, pair)
        skipped = linked or (is_word(words) and not report)
        found = None if skipped else _source(block, pair, words, references)
        if found is None and eager is not None:
            sources = eager(flow, pair)
            found = SourcesFound(sources, Shape.EAGER) if sources else None
        if found is not None:
            start, end = pair.inner
            collected.add([Part(flow, start, found.end or end)], found.sources, found.shape, claim)
        elif not linked and not is_short(words):
            _report(flow, pair, references, collected)


def _source(block: Block, pair: Pair, words: str, references: References) -> SourcesFound | None:
    flow = block.flow
    if _is_named_title(flow, pair, words):
        return None
    if references.lists.is_entry(flow) and _is_work_title(flow, pair, words):
        return None
    if references.is_listed(block) and is_title(words, LONG_TITLE):
        return None
    if block.parent is not None and block.parent.kind is BlockKind.FOOTNOTE:
        end = pair.start
        while end and flow.text[end - 1].isspace():
            end -= 1
        if end and flow.text[end - 1] == "," and _first_saying(flow) > end:
            return None  # `[^1]: Smith, “A day without a cache,” …`
    return (
        _direct_reference(flow, pair, words, references)
        or _direct_link(flow, pair, words)
        or _parenthesis(flow, pair, words)
        or _title_first(block, pair, words)
        or references.closing(flow, pair, words)
        or table_row(block, pair, words)
        or alone_by_its_source(block, pair, words, references)
    )


@once
def _first_saying(flow: Flow) -> int:
    """Return where the first verb of saying ends; beyond the text if there is none."""
    match = cues.SAYING.search(flow.text)
    return len(flow.text) + 1 if match is None else match.end()


def _is_named_title(flow: Flow, pair: Pair, words: str) -> bool:
    """Tell whether the words right before a pair say that it holds a title: `the article “…”`, `titled “…”`.

    `The report “found nothing”` goes on with the words of the report: a title begins with a capital, and is not long.
    """
    if words[0].islower() or is_sentence(words) or weight(words) > LONG_TITLE:
        return False
    begin = max(pair.start - TITLED_WITHIN, 0)
    return cues.TITLED.search(flow.text, begin, pair.start) is not None


def _is_work_title(flow: Flow, pair: Pair, words: str) -> bool:
    """Tell whether the words are the title of the work in an entry of a reference list.

    The title is what is quoted first, unless a link before it names the work; a whole sentence is more likely quoted from it.
    """
    if pair != flow.pairs()[0] or next(flow.links_within(0, pair.start), None) is not None:
        return False
    return not is_sentence(words) or is_title(words.rstrip(".?!"), LONG_TITLE)


def is_linked(flow: Flow, pair: Pair) -> bool:
    """Tell whether the words are (part of) a link's text: more often the title of what is linked than its words."""
    if flow.link_around(pair.start, pair.end) is not None:
        return True
    start, end = flow.trimmed(*pair.inner)
    return start < end and flow.link_around(start, end) is not None


def _is_within(ranges: list[tuple[int, int]], pair: Pair) -> bool:
    index = bisect_right(ranges, (pair.start, pair.end)) - 1
    return (index >= 0 and pair.end <= ranges[index][1]) or (
        index + 1 < len(ranges)
        and ranges[index + 1][0] <= pair.start
        and pair.end <= ranges[index + 1][1]
    )


def _report(flow: Flow, pair: Pair, references: References, collected: Collected) -> None:
    undefined = undefined_reference(flow, pair.end, references)
    if undefined is not None:
        label, start, end = undefined
        message = f"the quotation's reference {label} is not defined in this document"
        collected.report("UNDEFINED_REFERENCE", message, start, end)
    else:
        place = flow.source_range(*pair.inner)
        collected.report("UNASSOCIATED_QUOTE", "this quotation has no source in reach", *place)


def _links_after(flow: Flow, pair: Pair, words: str) -> Iterator[Link]:
    """Yield the links behind a quotation that may be its source.

    The number of an issue or the hash of a commit stands behind the title of a change (`revert “fix it” (#12)`); behind a
    whole sentence it is where somebody wrote it.
    """
    links = _possible_sources(flow) if is_sentence(words) else _without_tickets(flow)
    for index in range(bisect_left(links, pair.end, key=_start), len(links)):
        yield links[index]


def _start(link: Link) -> int:
    return link.start


@once
def _possible_sources(flow: Flow) -> list[Link]:
    return [link for link in source_links(flow) if not cues.is_profile(link.url)]


@once
def _without_tickets(flow: Flow) -> list[Link]:
    return [
        link
        for link in _possible_sources(flow)
        if not cues.is_ticket(flow.text[link.start : link.end])
    ]


def _direct_reference(
    flow: Flow, pair: Pair, words: str, references: References
) -> SourcesFound | None:
    """`“…”[^1]` and `“…”.[^1]`."""
    end = _NEAR.match(flow.text, pair.end).end()  # type: ignore[union-attr]
    if is_title(words):
        return None
    inside = flow.trimmed(*pair.inner)[1]  # `“so.[^1]”`
    sources = references.footnotes_at(flow, inside, end)
    return SourcesFound(sources, Shape.FOOTNOTE) if sources else None


def _direct_link(flow: Flow, pair: Pair, words: str) -> SourcesFound | None:
    """`“…” [t](u)`, `“…” — [t](u)`, `“…” <u>` and bare URLs."""
    link = next(_links_after(flow, pair, words), None)
    if link is None:
        return None
    # Only what stands next to the quotation is looked at: many may stand before the same link.
    between = pair.end, link.start
    label = _LABEL_WITH_COLON.fullmatch(flow.text, *between)
    if label is not None and not _is_cross_reference(label["label"], words):
        return SourcesFound([source_of(link)], Shape.INLINE)
    dash = _DASH.match(flow.text, *between)
    if is_title(words) and (dash or link.kind is not LinkKind.MARKDOWN):
        return None
    if _NOTHING_BETWEEN.fullmatch(flow.text, *between) is None:
        if dash is None or not _is_attribution(flow, pair, link, dash.end()):
            return None
    elif not dash and not _leads_nowhere_else(flow, pair, words, link):
        return None
    return SourcesFound([source_of(link)], Shape.INLINE)


def _is_cross_reference(label: str, words: str) -> bool:
    return weight(words) < CROSS_REFERENCE_WORDS and cues.SEE.match(label) is not None


def _is_attribution(flow: Flow, pair: Pair, link: Link, dash: int) -> bool:
    """`“…” — Jane Doe, [Title](u)`: the quotation is all that stands before the dash, the link ends the line."""
    if link.start - dash > REACH or crosses_sentence(flow.text, dash, link.start):
        return False
    named = flow.text[dash : link.start]
    if pair.start > REACH or flow.text[: pair.start].strip(" \t\n*_"):
        return False
    return len(flow.text) - link.end <= REACH and "\n" not in named.strip()


def _leads_nowhere_else(flow: Flow, pair: Pair, words: str, link: Link) -> bool:
    """Tell whether a link right after a quotation is its source, and not the next words of the sentence."""
    text = flow.text
    ends = _ENDS_CLAUSE.match(text, link.end) is not None
    if _LEADS_QUOTE.match(text, link.end) and not is_short(words):
        return False
    stopped = any(text.find(mark, pair.end, link.start) != -1 for mark in ".。")
    if stopped or text[pair.end - 2] in ".!?。！？":
        # The link begins a sentence of its own: it is a source if that is all there is of it.
        label = flow.words(link.start, link.end)
        following = _SPACE.match(text, link.end).end()  # type: ignore[union-attr]
        if cues.is_source_word(label) and text[following : following + 1].isupper():
            return True
        return (
            ends
            and sentence_end(text, link.end) - link.end <= 3
            and weight(label) <= LABEL_WORDS
            and _QUOTE_MARK.search(label) is None
        )
    if link.kind is not LinkKind.MARKDOWN:
        return True
    label = text[link.start : link.end]
    if cues.is_source_word(label) or cues.SAYING.search(label):
        return True
    return ends and _PREDICATE.match(label) is None


def _parenthesis(flow: Flow, pair: Pair, words: str) -> SourcesFound | None:
    """`“…” … ([t](u))`: the source in parentheses, in the same sentence and not far."""
    text = flow.text
    for link in _links_after(flow, pair, words):
        if link.start - pair.end > 2 * REACH:
            return None
        opening = max(text.rfind(mark, pair.end, link.start) for mark in _OPENERS)
        if opening == -1 or not cues.is_label(text[opening + 1 : link.start]):
            continue
        running = text[pair.end : opening]
        if not _in_same_sentence(text, pair, opening) or len(running.strip()) > REACH:
            return None
        direct = _NEAR.fullmatch(running) is not None
        if not direct and (is_title(words) or is_short(words)):
            return None
        if is_title(words, LONG_TITLE) and cues.is_work(text[link.start : link.end]):
            return None
        if _is_cross_reference(text[opening + 1 : opening + 1 + REACH], words):
            return None
        return SourcesFound(sources_in_parentheses(flow, opening, link), Shape.INLINE)
    return None


def _in_same_sentence(text: str, pair: Pair, opening: int) -> bool:
    start = pair.end
    if text[start : start + 1] in {".", "。"}:
        # “…”. ([t](u)) is one sentence, but only if nothing else stands between.
        return not text[start + 1 : opening].strip()
    if text[pair.end - 2] in ".。" and text[start:opening].lstrip()[:1].isupper():
        return False
    return not crosses_sentence(text, start, opening)


def _title_first(block: Block, pair: Pair, words: str) -> SourcesFound | None:
    """`- [title](u): “…”`: a list item or a footnote that starts with its source."""
    flow = block.flow
    starts = (BlockKind.ITEM, BlockKind.FOOTNOTE)
    if block.parent is None or block.parent.kind not in starts or block.index:
        return None
    link = _link_at_start(flow)
    if link is None or not 0 <= pair.start - link.end <= REACH:
        return None
    if _TITLE_END.fullmatch(flow.text, link.end, pair.start) is None:
        return None
    if is_short(words) or is_title(words):
        return None
    return SourcesFound([source_of(link)], Shape.LIST_TITLE)


@once
def _link_at_start(flow: Flow) -> Link | None:
    """Return the link that a flow begins with, perhaps behind markup or a mark."""
    link = next(iter(source_links(flow)), None)
    return link if link is not None and not flow.text[: link.start].strip(' \t\n*_“"') else None
