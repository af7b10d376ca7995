"""Words in quotation marks in running text: the rules that find their source, and the reasons for which they are none."""

from __future__ import annotations

import re
from bisect import bisect_left

from tracecite_lint.documents.citing.candidate import FEW_WORDS, Candidate, Found, Hit, rule
from tracecite_lint.documents.citing.lead_ins import announcing, begins_with, is_said_by
from tracecite_lint.documents.citing.links import (
    is_source,
    is_work,
    links_behind,
    source_of,
    sources_in_parentheses,
    sources_together,
)
from tracecite_lint.documents.citing.neighbours import (
    alone_before_source,
    alone_behind_lead_in,
    below_item,
    led_in_list,
    source_column,
    source_line,
    table_row,
)
from tracecite_lint.documents.citing.not_quoted import (
    BEFORE,
    LABEL_WORDS,
    REACH,
    authors_label,
    bold_heading,
    captioned,
    cross_reference,
    few,
    label,
    link_text,
    linked_title,
    named_title,
    next_link,
    passing_term,
    said_term,
    short,
    term,
    title,
    undefined,
    word,
    work_title,
)
from tracecite_lint.documents.markup.blocks import BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind
from tracecite_lint.documents.markup.pairs import weight
from tracecite_lint.documents.vocabulary import (
    LEADS_TO_WORDS,
    OWN_VOICE,
    PREDICATE,
    SAYING,
    SAYS,
    SOURCE_LABEL,
    THANKS,
    is_label,
    is_source_word,
)
from tracecite_lint.lazy import regex
from tracecite_lint.model import Shape

_COORDINATED = 30
"""How many characters may stand between two quotations that are joined."""
_SAID_WITHIN = 100
"""How many characters before a quotation the verb of saying may stand."""
_QUOTE_MARK = regex('[“”"„«»「」『』]')
_NEAR = regex(r"[\s.,;:!?，。、；\-–—*_]*")
_NOTHING_BETWEEN = regex(r"[\s.,\-–—―‒，。]*")
_DASH = regex(r"[\s.,，。]*(?:--|[-–—―‒]+|~)\s*")
_OPENERS = "(（[［【"
_ENDS_CLAUSE = regex(r"[\s*_]*(?:$|[.,;:!?)\]。，、；：！？）」』—–]|-\s)")
_TITLE_END = regex(r"[\s*_”\"]*(?:\([^()\n]{0,40}\))?[\s*_]*[-–—:：]+\s*")
_LEADS_QUOTE = regex(r"[^\n.!?]{0,30}[:：]\s{0,3}[\"“„«「『]")
# [Smith explains it better](u)
_CLAUSE = regex(rf"(?:{SAYS.pattern})\s+\w+\s+\w+", re.IGNORECASE)


@rule(Shape.INLINE, is_near=True)
def part_of_link(c: Candidate) -> Hit | None:
    """In a blockquote, five words or more that are a part of what a link shows.

    ```markdown
    > They broke [their promise to “send an email before they read your cache”](https://example.org/terms).
    ```
    """
    if c.block.parent is None or c.block.parent.depth == 0 or c.weight < FEW_WORDS or c.is_title:
        return None
    link = c.flow.link_around(c.start, c.end)
    if link is None or not is_work(link) or not weight(c.flow.text[link.start : c.start]):
        return None
    return Hit([source_of(link)])


# ---- Right behind the words -----------------------------------------------------------------------------------------


@rule(Shape.FOOTNOTE, unless=(title, passing_term), is_near=True)
def footnote(c: Candidate) -> Hit | None:
    """A footnote right behind, or right before the closing mark.

    ```markdown
    “The cache is never read again.”[^1]

    [^1]: Jane Smith, [A day without a cache](https://example.org/essay)
    ```
    """
    end = _NEAR.match(c.flow.text, c.end).end()  # type: ignore[union-attr]
    inside = c.parts[0].trimmed().end  # `“so.[^1]”`
    return Hit(c.reading.references.footnotes_at(c.flow, inside, end))


@rule(Shape.INLINE, unless=(cross_reference,), is_near=True)
def labelled_link(c: Candidate) -> Hit | None:
    """A label with a colon and the link behind.

    ```markdown
    “The cache is never read again.” Source: [A day without a cache](https://example.org/essay)
    ```
    """
    link = next_link(c)
    if link is None:
        return None
    label = c.flow.text[c.end : link.start].strip(" \t\n.,;。，；*_-")
    if not label.endswith((":", "：")) or SOURCE_LABEL.fullmatch(label) is None:
        return None
    return Hit([source_of(link)])


@rule(Shape.INLINE, unless=(linked_title,), is_near=True)
def link(c: Candidate) -> Hit | None:
    """The link right behind, which is not the next words of the sentence; several side by side all count.

    ```markdown
    “The cache is never read again” [Smith](https://example.org/essay).
    ```
    """
    link = next_link(c)
    if link is None or (link.kind is not LinkKind.MARKDOWN and link.kind is not LinkKind.HTML):
        return None
    between = c.flow.text[c.end : link.start]
    if _closes_parenthesis(c, link, between):
        return Hit([source_of(link)])
    if _NOTHING_BETWEEN.fullmatch(between) is None or _DASH.match(between):
        return None
    if not _leads_nowhere_else(c, link, between):
        return None
    return Hit(sources_together(c.flow, link, link.end + 2 * REACH))


def _closes_parenthesis(c: Candidate, link: Link, between: str) -> bool:
    """`(defined as “…” in [t](u))`"""
    text = c.flow.text
    if text[link.end : link.end + 1] not in (")", "）") or not is_label(between):
        return False
    opening = max(text.rfind(mark, c.sentence[0], c.start) for mark in "(（")
    return opening > max(text.rfind(mark, c.sentence[0], c.start) for mark in ")）")


@rule(Shape.INLINE, unless=(title,), is_near=True)
def address(c: Candidate) -> Hit | None:
    """A bare address right behind.

    ```markdown
    “The cache is never read again” <https://example.org/essay>
    ```
    """
    link = next_link(c)
    if link is None or link.kind in (LinkKind.MARKDOWN, LinkKind.HTML):
        return None
    between = c.flow.text[c.end : link.start]
    if _NOTHING_BETWEEN.fullmatch(between) is None:
        return None
    apart = _DASH.match(between) is not None or "\n" in between
    return Hit([source_of(link)]) if apart or _leads_nowhere_else(c, link, between) else None


@rule(Shape.INLINE, unless=(title,), is_near=True)
def dash(c: Candidate) -> Hit | None:
    """A dash and the link; before or behind the dash may stand who said it, if the quotation is all that stands
    before.

    ```markdown
    - “The cache is never read again” — Jane Smith, [A day without a cache](https://example.org/essay), 2020
    ```
    """
    link = next_link(c)
    if link is None:
        return None
    between = c.flow.text[c.end : link.start]
    dash = _DASH.match(between)
    if _NOTHING_BETWEEN.fullmatch(between) is not None:
        return Hit([source_of(link)]) if dash else None
    return Hit([source_of(link)]) if _is_attribution(c, link, dash) else None


def _is_attribution(c: Candidate, link: Link, dash: re.Match[str] | None) -> bool:
    """`“…” — Jane Doe, [Title](u)`: all before the link is the quotation and a name, and the link ends the line.

    The dash may stand behind the name.
    """
    text = c.flow.text
    start = c.end + (dash.end() if dash else 0)
    named = text[start : link.start]
    if dash is None and not _is_name_and_dash(named):
        return False
    if len(named) > REACH or c.flow.crosses_sentence(start, link.start):
        return False
    if c.start > REACH or text[: c.start].strip(" \t\n*_"):
        return False
    return len(text) - link.end <= REACH and "\n" not in named.strip()


def _is_name_and_dash(named: str) -> bool:
    name = named.rstrip(" -–—―‒")
    return name != named.rstrip() and bool(name.strip()) and is_label(name)


def _leads_nowhere_else(c: Candidate, link: Link, between: str) -> bool:
    """Tell whether a link right after a quotation is its source, and not the next words of the sentence."""
    text = c.flow.text
    if _LEADS_QUOTE.match(text, link.end) and not c.is_short:
        return False
    label = c.flow.words(link.start, link.end)
    ends = _ENDS_CLAUSE.match(text, link.end) is not None
    if any(mark in between for mark in ".。") or text[c.end - 2] in ".!?。！？":
        return _is_sentence_of_its_own(c.flow, link, label, ends=ends)
    if link.kind not in (LinkKind.MARKDOWN, LinkKind.HTML):
        return True
    if is_source_word(label) or SAYING.search(label):
        return True
    return ends and PREDICATE.match(label) is None


def _is_sentence_of_its_own(flow: Flow, link: Link, label: str, *, ends: bool) -> bool:
    """A link that begins a sentence is a source if that is all there is of it."""
    if is_source_word(label) and flow.text[link.end : link.end + 3].lstrip()[:1].isupper():
        return True
    return (
        ends
        and flow.sentence(link.end, link.end)[1] - link.end <= 3
        and weight(label) <= LABEL_WORDS
        and _QUOTE_MARK.search(label) is None
        and _CLAUSE.search(label) is None
    )


@rule(Shape.INLINE, unless=(cross_reference, linked_title), is_near=True)
def parenthesis(c: Candidate) -> Hit | None:
    """The link in parentheses right behind, alone or behind a label or names.

    ```markdown
    “The cache is never read again” ([Smith](https://example.org/essay)).
    ```
    """
    return _in_parentheses(c, direct=True)


@rule(Shape.INLINE, unless=(cross_reference, linked_title, title, short), is_near=True)
def parenthesis_later(c: Candidate) -> Hit | None:
    """The same after up to 80 characters of running text, in the sentence.

    ```markdown
    It was "never read again", as the authors found out later ([source](https://example.org/essay)).
    ```
    """
    return _in_parentheses(c, direct=False)


def _in_parentheses(c: Candidate, *, direct: bool) -> Hit | None:
    """`“…” … ([t](u))`: the source in parentheses, in the same sentence and not far."""
    text = c.flow.text
    for link in links_behind(c.flow, c.end, 2 * REACH, sentence=c.is_sentence):
        opening = max(text.rfind(mark, c.end, link.start) for mark in _OPENERS)
        if opening == -1 or not is_label(text[opening + 1 : link.start]):
            continue
        if THANKS.search(text, link.start, link.end + BEFORE):
            return None
        running = text[c.end : opening]
        if not _is_same_sentence(c, opening) or len(running.strip()) > REACH:
            return None
        if (_NEAR.fullmatch(running) is not None) is not direct:
            return None
        return Hit(sources_in_parentheses(c.flow, opening, link))
    return None


def _is_same_sentence(c: Candidate, opening: int) -> bool:
    text, start = c.flow.text, c.end
    if text[start : start + 1] in {".", "。"}:
        # “…”. ([t](u)) is one sentence, but only if nothing else stands between.
        return not text[start + 1 : opening].strip()
    if text[start - 2] in ".。" and text[start:opening].lstrip()[:1].isupper():
        return False
    return not c.flow.crosses_sentence(start, opening)


# ---- References -----------------------------------------------------------------------------------------------------


@rule(Shape.NUMERIC, unless=(short, title), is_near=True)
def number(c: Candidate) -> Hit | None:
    """The next number in brackets, in the same sentence, with its entry in a list of works.

    ```markdown
    She called it “a cache that nobody reads” [1].

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    at, sources = c.next_number
    return None if _is_elsewhere(c, at) else Hit(sources)


@rule(Shape.NUMERIC, unless=(few, title, bold_heading), is_near=True)
def number_later(c: Candidate) -> Hit | None:
    """The next number in brackets in the paragraph, for five words or more.

    ```markdown
    She called it “a cache that nobody ever reads”. Others disagree. [1]

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    return Hit(c.next_number[1])


def _is_elsewhere(c: Candidate, at: int) -> bool:
    """Tell whether a sentence ends between the words and the number at *at*; a stop before the number ends none."""
    last = at
    while last > c.end and not c.flow.text[last - 1].isalnum():
        last -= 1
    return last > c.end and (
        c.flow.crosses_sentence(c.end, last)
        or (
            c.flow.text[c.end - 2] in ".!?。！？"
            and c.flow.text[c.end : last].lstrip()[:1].isupper()
        )
    )


@rule(Shape.NUMERIC, unless=(short, title), is_near=True)
def coordinated(c: Candidate) -> Hit | None:
    """Another quotation follows in the sentence, which a number gives its source.

    ```markdown
    It is “read by nobody here” and “a cache that is never used again”. So it is. [1]

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    pair = c.flow.pair_behind(c.end)
    if pair is None or pair.start - c.end > _COORDINATED:
        return None
    if c.flow.crosses_sentence(c.end, pair.start):
        return None
    found = c.reading.outcomes.get(id(pair))
    if not isinstance(found, Found) or found.rule.shape is not Shape.NUMERIC:
        return None
    return Hit(found.hit.sources)


# ---- Said by the source ---------------------------------------------------------------------------------------------


def _says(c: Candidate, start: int, end: int) -> bool:
    found = c.reading.sayings(c.block)
    index = bisect_left(found, start)
    return index < len(found) and found[index] < end


@rule(Shape.INLINE, unless=(said_term, title), is_near=True)
def said(c: Candidate) -> Hit | None:
    """The link before, in the sentence, with a verb of saying or `according to`.

    ```markdown
    According to [Jane Smith](https://example.org/essay), the cache “is never read again”.
    ```
    """
    start = c.sentence[0]
    links = [
        link
        for link in c.flow.links_before(start, c.start)
        if is_work(link)
        and c.flow.text[start : link.start].strip() not in ("(", "[", "（")
        and _QUOTE_MARK.search(c.flow.text, link.start, link.end) is None
    ]
    link = announcing(c.flow, links, start) if links else None
    if link is None or _is_own_voice(c, max(start, c.start - _SAID_WITHIN)):
        return None
    announced = (
        is_said_by(c.flow, link)
        or (c.start - link.end <= BEFORE and _says(c, link.start, link.end))
        or _says(c, max(link.end, c.start - _SAID_WITHIN), c.start)
        or (
            _says(c, max(link.start - REACH, start), link.end)
            and LEADS_TO_WORDS.search(c.flow.text, max(c.start - BEFORE, link.end), c.start)
        )
    )
    return Hit([source_of(link)]) if announced else None


@rule(Shape.INLINE, unless=(term, title), is_near=True)
def said_before(c: Candidate) -> Hit | None:
    """A sentence of its own, behind a sentence with one link and a verb of saying.

    ```markdown
    This [essay](https://example.org/essay) describes it well. “The cache is written all the time and never read again.”
    ```
    """
    start = c.sentence[0]
    if not start or any(map(is_work, c.flow.links_before(start, c.start))):
        return None
    before = c.flow.sentence(start - 1, start)[0]
    whole = c.is_sentence and not c.flow.text[start : c.start].strip(" \n*_")
    if not _says(c, before if whole else max(start, c.start - _SAID_WITHIN), c.start):
        return None
    links = [link for link in c.flow.links_before(before, start) if is_work(link)]
    if not links or _has_pair(c.flow, before, start) or _is_own_voice(c, start):
        return None
    begins = not c.flow.text[before : links[0].start].strip(" \n*_")
    link = links[0] if begins and links[0] is not c.leading_link else links[-1]
    return Hit([source_of(link)]) if begins or len(links) == 1 else None


@rule(Shape.FOOTNOTE, unless=(term, title), is_near=True)
def remark_in_note(c: Candidate) -> Hit | None:
    """In a footnote or an entry of a list of works, behind its address: a sentence, or words that are said.

    ```markdown
    It is slow.[^1]

    [^1]: Jane Smith, “A day without a cache,” <https://example.org/essay>. “The cache is never read again.”
    ```
    """
    parent = c.block.parent
    in_note = parent is not None and parent.kind is BlockKind.FOOTNOTE
    if not (in_note or c.reading.references.lists.is_entry(c.flow)):
        return None
    links = [
        link
        for link in c.flow.links_before(0, c.start)
        if is_work(link) and "://" in c.flow.text[link.start : link.end]
    ]
    near = max(c.start - _SAID_WITHIN, 0)
    whole = c.is_sentence and not c.words[0].islower()
    if not links or _is_own_voice(c, near) or not (whole or _says(c, near, c.start)):
        return None
    return Hit([source_of(links[-1])])


def _has_pair(flow: Flow, start: int, end: int) -> bool:
    pair = flow.pair_behind(start)
    return pair is not None and pair.start < end


def _is_own_voice(c: Candidate, start: int) -> bool:
    """Tell whether it is the author who says it."""
    sayings = c.reading.sayings(c.block)
    for voice in OWN_VOICE.finditer(c.flow.text, start, c.start):
        index = bisect_left(sayings, voice.end())
        verb = sayings[index] if index < len(sayings) else c.start
        if verb < min(voice.end() + BEFORE, c.start):
            return _QUOTE_MARK.search(c.flow.text, voice.end(), verb) is None
    return False


@rule(Shape.INLINE, unless=(said_term, title), is_near=True)
def said_behind(c: Candidate) -> Hit | None:
    """A verb of saying, or `according to`, and the link behind.

    ```markdown
    “The cache is never read again,” says [Jane Smith](https://example.org/essay).
    ```
    """
    link = next(links_behind(c.flow, c.end, BEFORE + 20, sentence=True), None)
    if link is None or c.flow.crosses_sentence(c.end, link.start):
        return None
    between = c.flow.text[c.end : link.start]
    if weight(between) > LABEL_WORDS / 2 or _QUOTE_MARK.search(between):
        return None
    return Hit([source_of(link)]) if _says(c, c.end, link.start) else None


@rule(Shape.INLINE, unless=(short,), is_near=True)
def first_half(c: Candidate) -> Hit | None:
    """`“…,” he said. “…”`: the source of the second half.

    ```markdown
    “The cache is never read,” she said. “It is written all the time” ([essay](https://example.org/essay)).
    ```
    """
    pair = c.flow.pair_behind(c.end)
    if pair is None or c.words[-1:] not in (",", "，") or pair.start - c.end > REACH:
        return None
    between = c.flow.text[c.end : pair.start]
    if not _says(c, c.end, pair.start) or weight(between) > LABEL_WORDS / 2:
        return None
    return c.reading.hit_of(pair)


# ---- Entries --------------------------------------------------------------------------------------------------------


@rule(Shape.LIST_TITLE, unless=(short, title), is_near=True)
def title_first(c: Candidate) -> Hit | None:
    """A list item or footnote that starts with its link, then a dash or a colon and the words.

    ```markdown
    - [A day without a cache](https://example.org/essay): “The cache is never read again.”
    ```
    """
    parent = c.block.parent
    if parent is None or parent.kind not in (BlockKind.ITEM, BlockKind.FOOTNOTE) or c.block.index:
        return None
    link = next((link for link in c.flow.links_within(0, REACH) if is_source(link)), None)
    if link is None or c.flow.text[: link.start].strip(' \t\n*_“"') or link.end > c.start:
        return None
    if c.start - link.end > REACH or not _TITLE_END.fullmatch(c.flow.text, link.end, c.start):
        return None
    return Hit([source_of(link)])


@rule(Shape.LIST_TITLE, unless=(term, title))
def entry(c: Candidate) -> Hit | None:
    """The list item, table row or paragraph begins with its link, and no other link is nearer.

    ```markdown
    - [A day without a cache](https://example.org/essay) - On why it is “written all the time and never read”.
    ```
    """
    link = c.leading_link or _title_line_before(c)
    if link is None or _is_nearer_to_another(c, link):
        return None
    if c.flow.text[max(c.start - 2, 0) : c.start].rstrip().endswith("]"):
        return None  # `[X][] “…”`: it belongs to what stands in brackets.
    return Hit([source_of(link)])


def _title_line_before(c: Candidate) -> Link | None:
    """`1. [title](u)` as a paragraph of its own, right before."""
    previous = c.block.previous() if c.block.kind is BlockKind.PARAGRAPH else None
    if previous is None or previous.kind is not BlockKind.PARAGRAPH:
        return None
    flow = previous.flow
    link = next(filter(is_work, flow.links[:1]), None)
    if link is None or not flow.text[:1].isdigit() or not begins_with(flow, link):
        return None
    return link if len(flow.text) - link.end <= LABEL_WORDS else None


@rule(Shape.LEAD_IN, unless=(term, title, authors_label))
def section(c: Candidate) -> Hit | None:
    """The heading of the section is nothing but its link, and no other link is nearer.

    ```markdown
    ### [A day without a cache](https://example.org/essay)

    - “The cache is written all the time and never read.”
    ```
    """
    link = c.reading.section_link
    if link is None or c.leading_link is not None or _is_nearer_to_another(c, link):
        return None
    return Hit([source_of(link)])


def _is_nearer_to_another(c: Candidate, link: Link) -> bool:
    """Tell whether the sentence has a link of its own, before or behind the words, or the one that they follow has."""
    start = c.sentence[0]
    if start and not c.flow.text[start : c.start].strip(" \n*_"):
        start = c.flow.sentence(start - 1, start)[0]
    if link.source_start >= c.flow.source_start and link.end > c.start and link in c.flow.links:
        return True
    return any(
        is_work(other) and other is not link for other in c.flow.links_before(start, c.start)
    )


@rule(Shape.INLINE, unless=(term, title), is_near=True)
def end_of_item(c: Candidate) -> Hit | None:
    """The only link of a list item, at the end of the next sentence.

    ```markdown
    - “The cache is never read again.” That was in May. [essay](https://example.org/essay)
    ```
    """
    parent = c.block.parent
    links = c.flow.links
    if parent is None or parent.kind is not BlockKind.ITEM or len(links) != 1:
        return None
    link = links[0]
    if not is_work(link) or link.start < c.end or c.flow.text[link.end :].strip(" \t\n*_.)）。]"):
        return None
    end = c.sentence[1]
    if end < link.start and c.flow.sentence(end + 1, end + 1)[1] < link.start:
        return None
    return Hit([source_of(link)])


# ---- Any link nearby, where that is asked for -----------------------------------------------------------------------

_MOST_LINKS = 50


@rule(Shape.EAGER)
def link_around(c: Candidate) -> Hit | None:
    """The link that the words are the text of.

    ```markdown
    [“The cache is never read again”](https://example.org/essay)
    ```
    """
    part = c.parts[0].trimmed()
    link = c.flow.link_around(c.start, c.end) or c.flow.link_around(part.start, part.end)
    return Hit([source_of(link)]) if link is not None and is_source(link) else None


@rule(Shape.EAGER)
def nearest_link(c: Candidate) -> Hit | None:
    """The nearest link of the sentence or the paragraph, or the source of the front matter.

    ```markdown
    On [this page](https://example.org/essay) the cache is “a thing that nobody reads”.
    ```
    """
    links = c.flow.links
    index = bisect_left(links, c.start, key=lambda link: link.start)
    before = [
        k for k in links[max(index - _MOST_LINKS, 0) : index] if is_source(k) and k.end <= c.start
    ]
    index = bisect_left(links, c.end, key=lambda link: link.start)
    behind = next(filter(is_source, links[index : index + _MOST_LINKS]), None)
    if behind is not None and (
        not before or (before[-1].end <= c.sentence[0] and behind.start < c.sentence[1])
    ):
        return Hit([source_of(behind)])
    return Hit([source_of(before[-1])] if before else c.reading.front_matter)


@rule(Shape.NUMERIC, unless=(short, title), is_near=True)
def number_inside(c: Candidate) -> Hit | None:
    """A number right before the closing mark, with its entry in a list of works.

    ```markdown
    “The cache is never read again.[1]”

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    return c.reading.references.number_inside(c)


@rule(Shape.FOOTNOTE, unless=(short, title), is_near=True)
def footnote_of_sentence(c: Candidate) -> Hit | None:
    """A footnote at the end of the sentence, with no link before it.

    ```markdown
    They call it “a cache that nobody reads” to this day.[^1]

    [^1]: [Smith](https://example.org/essay)
    ```
    """
    return c.reading.references.closing_note(c)


TABLE = (
    part_of_link,
    link_text,
    word,
    captioned,
    named_title,
    work_title,
    label,
    footnote,
    labelled_link,
    link,
    address,
    dash,
    parenthesis,
    parenthesis_later,
    title_first,
    undefined,
    number_inside,
    footnote_of_sentence,
    number,
    said_behind,
    said,
    number_later,
    coordinated,
    table_row,
    source_column,
    source_line,
    below_item,
    alone_before_source,
    alone_behind_lead_in,
    remark_in_note,
    said_before,
    led_in_list,
    entry,
    section,
    end_of_item,
    first_half,
)


EAGER = (
    word,
    short,
    title,
    link_around,
    nearest_link,
)
