"""Words in quotation marks in running text: the rules that find their source, and the reasons for which they are none."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing import neighbours, not_quoted
from tracecite_lint.documents.citing.candidate import (
    FEW_WORDS,
    REACH,
    Answer,
    Candidate,
    Hit,
    Table,
    rule,
)
from tracecite_lint.documents.citing.lead_ins import (
    announcing,
    begins_with,
    is_said_by,
    sayings,
    says,
)
from tracecite_lint.documents.citing.links import (
    is_source,
    is_work,
    links_behind,
    sources_in_parentheses,
    sources_together,
)
from tracecite_lint.documents.citing.not_quoted import BEFORE, LABEL_WORDS
from tracecite_lint.documents.citing.reference_numbers import BETWEEN
from tracecite_lint.documents.citing.seen_nearby import AROUND_WORDS
from tracecite_lint.documents.markup.blocks import MAY_LINK, BlockKind
from tracecite_lint.documents.markup.flow import AT, START, Flow, Link, LinkKind, Part
from tracecite_lint.documents.markup.pairs import OPENING, weight
from tracecite_lint.light.lazy import regex, replace
from tracecite_lint.model import Shape

_LATER = 200
"""Characters to a number that is a link of its own: such a number stands behind each claim, not at a paragraph's end."""
_COORDINATED = 30
"""How many characters may stand between two quotations that are joined."""
_SENTENCE_LIMIT = 600
"""Characters from a quotation to the footnote at the end of its sentence."""
_SAID_WITHIN = 100
"""How many characters before a quotation the verb of saying may stand."""
_NAME_WORDS = 4
"""Words of the name of a source."""
_SAID_BEHIND = 10
"""How many characters behind it: `「…」と述べている`, `“…,” he said`."""
_QUOTE_MARK = regex('[“”"„«»「」『』]')
_NEAR = regex(r"[\s.,;:!?，。、；\-–—*_]*")
_NOTHING_BETWEEN = regex(r"[\s.,\-–—―‒，。]*")
_DASH = regex(r"[\s.,，。]*(?:--|[-–—―‒]+|~)\s*")
_ENDS_CLAUSE = regex(r"[\s*_]*(?:$|[.,;:!?)\]。，、；：！？）」』—–]|-\s)")
_TITLE_END = regex(r"[\s*_”\"]*(?:\([^()\n]{0,40}\))?[\s*_]*[-–—:：]+\s*")
_LEADS_QUOTE = regex(r"[^\n.!?]{0,30}[:：]\s{0,3}[\"“„«「『]")
# [Smith explains it better](u)
_CLAUSE = regex(rf"(?:{vocabulary.SAYS.pattern})\s+\w+\s+\w+", re.IGNORECASE)


@rule(Shape.INLINE)
def part_of_link(c: Candidate) -> Answer:
    """In a blockquote, five words or more that are a part of what a link shows.

    ```markdown
    > They broke [their promise to “send an email before they read your cache”](https://example.org/terms).
    ```
    """
    link = c.flow.link_around(c.start, c.end)
    if link is None or not c.block.depth or c.weight < FEW_WORDS or c.is_title:
        return None
    return link if is_work(link) and weight(c.flow.text[link.start : c.start]) else None


# ---- Right behind the words -----------------------------------------------------------------------------------------


@rule(Shape.FOOTNOTE, not_quoted.title, not_quoted.passing_term)
def footnote(c: Candidate) -> Answer:
    """A footnote right behind, or right before the closing mark.

    ```markdown
    “The cache is never read again.”[^1]

    [^1]: Jane Smith, [A day without a cache](https://example.org/essay)
    ```
    """
    end = _NEAR.match(c.flow.text, c.end).end()  # type: ignore[union-attr]
    inside = c.parts[0].trimmed().end  # `“so.[^1]”`
    return c.reading.references.footnotes_at(c.flow, inside, end)


@rule(Shape.INLINE, not_quoted.cross_reference)
def labelled_link(c: Candidate) -> Answer:
    """A label with a colon and the link behind.

    ```markdown
    “The cache is never read again.” Source: [A day without a cache](https://example.org/essay)
    ```
    """
    label = c.between.strip(" \t\n.,;。，；*_-")
    is_source_label = label.endswith((":", "：")) and vocabulary.SOURCE_LABEL.fullmatch(label)
    return c.next_link if is_source_label else None


@rule(Shape.INLINE, not_quoted.linked_title)
def link(c: Candidate) -> Answer:
    """The link right behind, which is not the next words of the sentence; several side by side all count.

    ```markdown
    “The cache is never read again” [Smith](https://example.org/essay).
    ```
    """
    link = c.next_link
    if link is None or link.is_address:
        return None
    if _closes_parenthesis(c, link):
        return link
    if not _NOTHING_BETWEEN.fullmatch(c.between) or _DASH.match(c.between):
        return None
    if not _leads_nowhere_else(c, link) or (
        "," in c.between and c.flow.text[link.start] in OPENING
    ):
        return None
    return sources_together(c.flow, link, link.end + 2 * REACH)


def _closes_parenthesis(c: Candidate, link: Link) -> bool:
    """`(defined as “…” in [t](u))`"""
    text = c.flow.text
    if text[link.end : link.end + 1] not in (")", "）"):
        return False
    opening = max(text.rfind(mark, c.sentence[0], c.start) for mark in "(（")
    closing = max(text.rfind(mark, c.sentence[0], c.start) for mark in ")）")
    return opening > closing and vocabulary.is_label(c.between)


@rule(Shape.INLINE, not_quoted.title)
def address(c: Candidate) -> Answer:
    """A bare address right behind.

    ```markdown
    “The cache is never read again” <https://example.org/essay>
    ```
    """
    link = c.next_link
    if link is None or not link.is_address or not _NOTHING_BETWEEN.fullmatch(c.between):
        return None
    apart = _DASH.match(c.between) is not None or "\n" in c.between
    return link if apart or _leads_nowhere_else(c, link) else None


@rule(Shape.INLINE, not_quoted.title)
def dash(c: Candidate) -> Answer:
    """A dash and the link; before or behind the dash may stand who said it, if the quotation is all that stands
    before.

    ```markdown
    - “The cache is never read again” — Jane Smith, [A day without a cache](https://example.org/essay), 2020
    ```
    """
    dash = _DASH.match(c.between)
    if c.next_link is None or _NOTHING_BETWEEN.fullmatch(c.between):
        return c.next_link if dash else None
    return c.next_link if _is_attribution(c, c.next_link, dash) else None


def _is_attribution(c: Candidate, link: Link, dash: re.Match[str] | None) -> bool:
    """`“…” — Jane Doe, [Title](u)`: all before the link is the quotation and a name, and the link ends the line.

    The dash may stand behind the name.
    """
    text = c.flow.text
    start = c.end + (dash.end() if dash else 0)
    named = text[start : link.start]
    name = named.rstrip(" -–—―‒")
    if dash is None and (
        name == named.rstrip() or not name.strip() or not vocabulary.is_label(name)
    ):
        return False
    if len(named) > REACH or c.flow.crosses_sentence(start, link.start):
        return False
    if c.start > REACH or text[: c.start].strip(" \t\n*_"):
        return False
    return len(text) - link.end <= REACH and "\n" not in named.strip()


def _leads_nowhere_else(c: Candidate, link: Link) -> bool:
    """Tell whether a link right after a quotation is its source, and not the next words of the sentence."""
    text = c.flow.text
    if _LEADS_QUOTE.match(text, link.end) and not c.is_short:
        return False
    label = c.flow.words(link.start, link.end)
    ends = _ENDS_CLAUSE.match(text, link.end) is not None
    if any(mark in c.between for mark in ".。") or text[c.end - 2] in ".!?。！？":
        return _is_sentence_of_its_own(c.flow, link, label, ends=ends)
    if link.is_address or vocabulary.is_source_word(label) or vocabulary.SAYING.search(label):
        return True
    return ends and vocabulary.PREDICATE.match(label) is None


def _is_sentence_of_its_own(flow: Flow, link: Link, label: str, *, ends: bool) -> bool:
    """A link that begins a sentence is a source if that is all there is of it."""
    behind = flow.text[link.end : link.end + 3].lstrip()
    if vocabulary.is_source_word(label) and behind[:1].isupper():
        return True
    return (
        ends
        and flow.sentence(link.end, link.end)[1] - link.end <= 3
        and weight(label) <= LABEL_WORDS
        and _QUOTE_MARK.search(label) is None
        and _CLAUSE.search(label) is None
    )


@rule(Shape.INLINE, not_quoted.cross_reference, not_quoted.linked_title)
def parenthesis(c: Candidate) -> Answer:
    """The link in parentheses right behind, alone or behind a label or names.

    ```markdown
    “The cache is never read again” ([Smith](https://example.org/essay)).
    ```
    """
    return _in_parentheses(c, direct=True)


@rule(
    Shape.INLINE,
    not_quoted.cross_reference,
    not_quoted.linked_title,
    not_quoted.title,
    not_quoted.short,
)
def parenthesis_later(c: Candidate) -> Answer:
    """The same after up to 80 characters of running text, in the sentence.

    ```markdown
    It was "never read again", as the authors found out later ([source](https://example.org/essay)).
    ```
    """
    return _in_parentheses(c, direct=False)


def _in_parentheses(c: Candidate, *, direct: bool) -> Answer:
    """`“…” … ([t](u))`: the source in parentheses, in the same sentence and not far."""
    if c.parenthesis is None:
        return None
    opening, link = c.parenthesis
    running = c.flow.text[c.end : opening]
    if (_NEAR.fullmatch(running) is not None) is not direct or len(running.strip()) > REACH:
        return None
    if not _is_same_sentence(c, opening) or vocabulary.THANKS.search(
        c.flow.text, link.start, link.end + BEFORE
    ):
        return None
    return sources_in_parentheses(c.flow, opening, link)


def _is_same_sentence(c: Candidate, opening: int) -> bool:
    text, start = c.flow.text, c.end
    if text[start : start + 1] in {".", "。"}:
        # “…”. ([t](u)) is one sentence, but only if nothing else stands between.
        return not text[start + 1 : opening].strip()
    if text[start - 2] in ".。" and text[start:opening].lstrip()[:1].isupper():
        return False
    return not c.flow.crosses_sentence(start, opening)


# ---- References -----------------------------------------------------------------------------------------------------


@rule(Shape.NUMERIC, not_quoted.short, not_quoted.title)
def number(c: Candidate) -> Answer:
    """The next number in brackets, in the same sentence, with its entry in a list of works.

    ```markdown
    She called it “a cache that nobody reads” [1].

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    at, sources = c.next_number
    return None if _is_elsewhere(c, at) else sources


@rule(Shape.NUMERIC, not_quoted.few, not_quoted.title, not_quoted.bold_heading)
def number_later(c: Candidate) -> Answer:
    """The next number in brackets in the paragraph, for five words or more.

    ```markdown
    She called it “a cache that nobody ever reads”. Others disagree. [1]

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    at, sources = c.next_number
    link = c.flow.link_around(at, at + 1)
    is_linked = link is not None and any(map(str.isdigit, c.flow.text[link.start : link.end]))
    return sources if not is_linked or at - c.end <= _LATER else None


def _is_elsewhere(c: Candidate, at: int) -> bool:
    """Tell whether a sentence ends between the words and the number at *at*; a stop before the number ends none."""
    text, last = c.flow.text, at
    while last > c.end and not text[last - 1].isalnum():
        last -= 1
    begins = text[c.end - 2] in ".!?。！？" and text[c.end : c.end + BEFORE].lstrip()[:1].isupper()
    return last > c.end and (begins or c.flow.crosses_sentence(c.end, last))


@rule(Shape.NUMERIC, not_quoted.short, not_quoted.title)
def coordinated(c: Candidate) -> Answer:
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
    found = c.reading.found(pair)
    if found is None or c.flow.crosses_sentence(c.end, pair.start):
        return None
    return found.hit.sources if found.rule.shape is Shape.NUMERIC else None


# ---- Said by the source ---------------------------------------------------------------------------------------------


@rule(Shape.INLINE, not_quoted.said_term, not_quoted.title)
def said(c: Candidate) -> Answer:
    """The link before, in the sentence, with a verb of saying or `according to`.

    ```markdown
    According to [Jane Smith](https://example.org/essay), the cache “is never read again”.
    ```
    """
    flow = c.flow
    if not flow.links or flow.links[0].start >= c.start:
        return None
    start = c.sentence[0]
    links = [
        link
        for link in flow.links_before(start, c.start)
        if is_work(link)
        and flow.text[start : link.start].strip() not in ("(", "[", "（")
        and _QUOTE_MARK.search(flow.text, link.start, link.end) is None
    ]
    link = announcing(flow, links, start) if links else None
    if link is None or _is_own_voice(c, max(start, c.start - _SAID_WITHIN)):
        return None
    announced = (
        is_said_by(flow, link)
        or (c.start - link.end <= BEFORE and says(flow, link.start, link.end))
        or says(flow, max(link.end, c.start - _SAID_WITHIN), c.start)
        or says(flow, c.end, min(c.end + _SAID_BEHIND, c.sentence[1], _next_mark(c)))
        or (
            says(flow, max(link.start - REACH, start), link.end)
            and vocabulary.LEADS_TO_WORDS.search(
                flow.text, max(c.start - BEFORE, link.end), c.start
            )
        )
    )
    return link if announced else None


@rule(Shape.INLINE, not_quoted.term, not_quoted.title)
def end_of_sentence(c: Candidate) -> Answer:
    """The link that the sentence ends in, where it is complete without it.

    ```markdown
    “The cache is never read by anybody” remains what the authors think of it [Smith](https://example.org/essay).
    ```
    """
    text, (_, end) = c.flow.text, c.sentence
    links = c.flow.links_before(c.end, end + 1)
    link = next(filter(is_work, reversed(links)), None)
    if link is None or link.kind is not LinkKind.MARKDOWN or text[link.end : end].strip(" \t\n*_."):
        return None
    if weight(text[link.start : link.end]) > _NAME_WORDS or not text[link.start].isupper():
        return None
    ahead = text[max(link.start - BEFORE, c.end) : link.start]
    joined = not ahead[-1:].isspace() or not ahead.rstrip()[-1:].isalnum()
    return None if joined or vocabulary.LEADS_TO_LINK.search(ahead) else link


def _next_mark(c: Candidate) -> int:
    """Return where the next quotation begins."""
    pair = c.flow.pair_behind(c.end)
    return pair.start if pair is not None else len(c.flow.text)


@rule(Shape.INLINE, not_quoted.term, not_quoted.title)
def said_before(c: Candidate) -> Answer:
    """A sentence of its own, behind a sentence with one link and a verb of saying.

    ```markdown
    This [essay](https://example.org/essay) describes it well. “The cache is written all the time and never read again.”
    ```
    """
    flow = c.flow
    if not flow.links or flow.links[0].start >= c.start:
        return None
    start = c.sentence[0]
    if not start or any(map(is_work, flow.links_before(start, c.start))):
        return None
    before = flow.sentence(start - 1, start)[0]
    whole = c.is_sentence and not flow.text[start : c.start].strip(" \n*_")
    if not says(flow, before if whole else max(start, c.start - _SAID_WITHIN), c.start):
        return None
    pair = flow.pair_behind(before)
    links = [link for link in flow.links_before(before, start) if is_work(link)]
    if not links or (pair is not None and pair.start < start) or _is_own_voice(c, start):
        return None
    begins = not flow.text[before : links[0].start].strip(" \n*_")
    link = links[0] if begins and links[0] is not c.leading_link else links[-1]
    return link if begins or len(links) == 1 else None


@rule(Shape.FOOTNOTE, not_quoted.term, not_quoted.title)
def remark_in_note(c: Candidate) -> Answer:
    """In a footnote or an entry of a list of works, behind its address: a sentence, or words that are said.

    ```markdown
    It is slow.[^1]

    [^1]: Jane Smith, “A day without a cache,” <https://example.org/essay>. “The cache is never read again.”
    ```
    """
    in_note = c.block.parent is not None and c.block.parent.kind is BlockKind.FOOTNOTE
    if not (in_note or c.reading.references.lists.is_entry(c.flow)):
        return None
    links = [
        link
        for link in c.flow.links_before(0, c.start)
        if is_work(link) and "://" in c.flow.text[link.start : link.end]
    ]
    near = max(c.start - _SAID_WITHIN, 0)
    whole = c.is_sentence and not c.words[0].islower()
    if not links or _is_own_voice(c, near) or not (whole or says(c.flow, near, c.start)):
        return None
    return links[-1]


def _is_own_voice(c: Candidate, start: int) -> bool:
    """Tell whether it is the author who says it."""
    verbs = sayings(c.flow)
    for voice in vocabulary.OWN_VOICE.finditer(c.flow.text, start, c.start):
        index = bisect_left(verbs, voice.end())
        verb = verbs[index] if index < len(verbs) else c.start
        if verb < min(voice.end() + BEFORE, c.start):
            return _QUOTE_MARK.search(c.flow.text, voice.end(), verb) is None
    return False


@rule(Shape.INLINE, not_quoted.said_term, not_quoted.title)
def said_behind(c: Candidate) -> Answer:
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
    return link if says(c.flow, c.end, link.start) else None


@rule(Shape.INLINE, not_quoted.short)
def first_half(c: Candidate) -> Answer:
    """`“…,” he said. “…”`: the source of the second half.

    ```markdown
    “The cache is never read,” she said. “It is written all the time” ([essay](https://example.org/essay)).
    ```
    """
    pair = c.flow.pair_behind(c.end)
    if pair is None or c.words[-1:] not in (",", "，") or pair.start - c.end > REACH:
        return None
    between = c.flow.text[c.end : pair.start]
    found = c.reading.found(pair)
    if found is None or not says(c.flow, c.end, pair.start) or weight(between) > LABEL_WORDS / 2:
        return None
    return found.hit.sources


# ---- Entries --------------------------------------------------------------------------------------------------------


@rule(Shape.LIST_TITLE, not_quoted.short, not_quoted.title)
def title_first(c: Candidate) -> Answer:
    """A list item or footnote that starts with its link, then a dash or a colon and the words.

    ```markdown
    - [A day without a cache](https://example.org/essay): “The cache is never read again.”
    ```
    """
    parent = c.block.parent
    if parent is None or parent.kind not in (BlockKind.ITEM, BlockKind.FOOTNOTE) or c.block.index:
        return None
    link = next(filter(is_source, c.flow.links_within(0, REACH)), None)
    if link is None or c.flow.text[: link.start].strip(' \t\n*_“"'):
        return None
    is_led = 0 <= c.start - link.end <= REACH and _TITLE_END.fullmatch(
        c.flow.text, link.end, c.start
    )
    return link if is_led else None


@rule(Shape.LIST_TITLE, not_quoted.term, not_quoted.title, beyond=True)
def entry(c: Candidate) -> Answer:
    """The list item, table row or paragraph begins with its link, and no other link is nearer.

    ```markdown
    - [A day without a cache](https://example.org/essay) - On why it is “written all the time and never read”.
    ```
    """
    link = c.leading_link or _title_line_before(c)
    if link is None or _is_nearer_to_another(c, link):
        return None
    # `[X][] “…”`: it belongs to what stands in brackets.
    return None if c.flow.text[max(c.start - 2, 0) : c.start].rstrip().endswith("]") else link


def _title_line_before(c: Candidate) -> Link | None:
    """`1. [title](u)` as a paragraph of its own, right before."""
    previous = c.block.previous() if c.block.kind is BlockKind.PARAGRAPH else None
    if previous is None or previous.kind is not BlockKind.PARAGRAPH:
        return None
    flow = previous.flow if previous.holds(MAY_LINK) else Flow()
    link = next(filter(is_work, flow.links[:1]), None)
    if link is None or not flow.text[:1].isdigit() or not begins_with(flow, link):
        return None
    return link if len(flow.text) - link.end <= LABEL_WORDS else None


@rule(Shape.LEAD_IN, not_quoted.term, not_quoted.title, not_quoted.authors_label, beyond=True)
def section(c: Candidate) -> Answer:
    """The heading of the section is nothing but its link, and no other link is nearer.

    ```markdown
    ### [A day without a cache](https://example.org/essay)

    - “The cache is written all the time and never read.”
    ```
    """
    link = c.reading.section_link
    if link is None or c.leading_link is not None or _is_nearer_to_another(c, link):
        return None
    return link


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


@rule(Shape.INLINE, not_quoted.term, not_quoted.title)
def end_of_item(c: Candidate) -> Answer:
    """The only link of a list item, at the end of the next sentence.

    ```markdown
    - “The cache is never read again.” That was in May. [essay](https://example.org/essay)
    ```
    """
    links = c.flow.links
    if c.item is None or len(links) != 1 or not is_work(links[0]) or links[0].start < c.end:
        return None
    link, end = links[0], c.sentence[1]
    if c.flow.text[link.end :].strip(" \t\n*_.)）。]"):
        return None
    follows = end >= link.start or c.flow.sentence(end + 1, end + 1)[1] >= link.start
    return link if follows else None


# ---- Any link nearby, where that is asked for -----------------------------------------------------------------------

_MOST_LINKS = 50


@rule(Shape.EAGER, beyond=True)
def link_around(c: Candidate) -> Answer:
    """The link that the words are the text of.

    ```markdown
    [“The cache is never read again”](https://example.org/essay)
    ```
    """
    part = c.parts[0].trimmed()
    link = c.flow.link_around(c.start, c.end) or c.flow.link_around(part.start, part.end)
    return link if link is not None and is_source(link) else None


@rule(Shape.EAGER, beyond=True)
def nearest_link(c: Candidate) -> Answer:
    """The nearest link of the sentence or the paragraph, or the source of the front matter.

    ```markdown
    On [this page](https://example.org/essay) the cache is “a thing that nobody reads”.
    ```
    """
    links = islice(c.flow.links_within(c.end, len(c.flow.text)), _MOST_LINKS)
    behind = next(filter(is_source, links), None)
    before = list(filter(is_source, c.flow.links_before(0, c.start)))
    if behind is not None and (
        not before or (before[-1].end <= c.sentence[0] and behind.start < c.sentence[1])
    ):
        return behind
    return before[-1] if before else c.reading.front_matter


@rule(Shape.NUMERIC, not_quoted.short, not_quoted.title)
def number_inside(c: Candidate) -> Answer:
    """A number right before the closing mark, with its entry in a list of works.

    ```markdown
    “The cache is never read again.[1]”

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    part = c.parts[0].trimmed()
    lists = c.reading.references.lists
    index = bisect_left(lists.marks(c.flow), c.end, key=START)
    if not index or part.start >= (inside := lists.marks(c.flow)[index - 1]).start:
        return None
    if c.flow.text[inside.end : part.end].strip(BETWEEN):
        return None
    return Hit([*inside.sources], [Part(c.flow, part.start, inside.start)])


@rule(Shape.FOOTNOTE, not_quoted.short, not_quoted.title)
def footnote_of_sentence(c: Candidate) -> Answer:
    """A footnote at the end of the sentence, with no link before it.

    ```markdown
    They call it “a cache that nobody reads” to this day.[^1]

    [^1]: [Smith](https://example.org/essay)
    ```
    """
    flow, end = c.flow, c.end
    index = bisect_left(flow.footnotes, end, key=AT)
    if index == len(flow.footnotes):
        return None
    at = flow.footnotes[index].at
    linked = next(flow.links_within(end, at), None) is not None
    if linked or not _closes_sentence(flow, end, at):
        return None
    return c.reading.references.footnotes_at(flow, at, at)


def _closes_sentence(flow: Flow, start: int, at: int) -> bool:
    """Tell whether a reference at *at* stands at the end of the sentence that holds the quotation ending at *start*."""
    text = flow.text
    if at - start > _SENTENCE_LIMIT:
        return False
    if text[start - 2] in ".!?。！？" and text[start : start + 2].strip()[:1].isupper():
        return False
    ahead = text[start:at].rstrip()
    following = text[at : at + 2].strip()[:1] or "."
    if ahead[-1:] not in [*'.!?。！？”"」』)）'] and following not in ".!?。！？；;":
        return False
    return not flow.crosses_sentence(start, max(start + len(ahead) - 1, start))


_AROUND_PARAGRAPH = [
    replace(shared, unless=(not_quoted.short, not_quoted.title))
    for shared in (neighbours.credit_after, neighbours.lead_in, neighbours.link_after)
]

TABLE: Table = (
    part_of_link,
    not_quoted.link_text,
    not_quoted.word,
    not_quoted.captioned,
    not_quoted.named_title,
    not_quoted.work_title,
    not_quoted.label,
    footnote,
    labelled_link,
    link,
    address,
    dash,
    parenthesis,
    parenthesis_later,
    title_first,
    not_quoted.undefined,
    number_inside,
    footnote_of_sentence,
    number,
    said_behind,
    said,
    end_of_sentence,
    number_later,
    coordinated,
    neighbours.table_row,
    neighbours.source_column,
    neighbours.source_line,
    neighbours.below_item,
    *_AROUND_PARAGRAPH,
    remark_in_note,
    said_before,
    entry,
    section,
    end_of_item,
    first_half,
    *AROUND_WORDS,
)
"""In the order in which they are asked. None looks beyond its section but through `reading.references`, which holds the
footnotes and the lists of works of all sections, and through links by reference, which the parser resolves: `footnote`,
`footnote_of_sentence`, `number` and those like it, `remark_in_note`, `work_title`, `undefined`, and what the neighbours'
rules find of references (`table_row`, `lead_in`). tests/documents/test_sections.py holds it.
"""


EAGER = (
    not_quoted.word,
    not_quoted.short,
    not_quoted.title,
    link_around,
    nearest_link,
)
