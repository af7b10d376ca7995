"""Blockquotes, callouts and HTML elements that quote: the rules that find their source, and the reasons for which they are none."""

from __future__ import annotations

from tracecite_lint.documents.citing.attributions import (
    attribution_sources,
    is_marked,
    is_only_a_reference,
)
from tracecite_lint.documents.citing.candidate import (
    Candidate,
    Found,
    Hit,
    Part,
    refusal,
    rule,
)
from tracecite_lint.documents.citing.lead_ins import (
    after,
    announces_words,
    before,
    goes_on,
    lead_in_source,
    leads_with_link,
)
from tracecite_lint.documents.citing.leftovers import Undefined
from tracecite_lint.documents.citing.leftovers import undefined_at_end as undefined_in
from tracecite_lint.documents.citing.links import (
    Source,
    is_source,
    only_profiles,
    source_of,
)
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow
from tracecite_lint.documents.markup.pairs import OPENING, weight
from tracecite_lint.documents.vocabulary import EVIDENCE, OWN_NOTE, OWN_NOTE_LABEL, is_somebody
from tracecite_lint.lazy import regex
from tracecite_lint.model import Shape

_CREDIT = regex(r"(?:--|[~—–―])[^\n]+")
_CALLOUT = regex(r"\s*\[!([\w-]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*")
_QUOTE_CALLOUTS = frozenset({"quote", "cite"})
_LINES_BETWEEN = 3
_LABEL_WORDS = 6


def callout_of(flow: Flow) -> tuple[str, int, int]:
    """Return the kind of callout that a blockquote's first paragraph opens (or nothing), and the range of its title."""
    match = _CALLOUT.match(flow.text)
    if match is None:
        return "", 0, 0
    end = flow.text.find("\n", match.end())
    return match[1].casefold(), match.end(), len(flow.text) if end == -1 else end


def _first_flow(c: Candidate) -> Flow:
    return c.parts[0].flow if c.parts else Flow()


# ---- What it is not -------------------------------------------------------------------------------------------------


@refusal("a callout of the author", is_counted=False)
def own_callout(c: Candidate) -> bool:
    """`[!note]` and the like, but for `[!quote]` and `[!cite]`.

    ```markdown
    > [!info] [The essay](https://example.org/essay)
    > The cache is never read again.
    ```
    """
    kind = callout_of(_first_flow(c))[0]
    return bool(kind) and kind not in _QUOTE_CALLOUTS and c.attribute is None


@refusal("a note of the author", is_counted=False)
def own_note(c: Candidate) -> bool:
    """It opens with `Note:`, `Summary:` or an emblem, and nobody signs it or is said to say it.

    ```markdown
    In [Node](https://example.org/node):

    > **Note:** the cache is never read again.
    ```
    """
    flow = _first_flow(c)
    if c.callout is not None or not c.parts or c.parts[0].start:
        return False
    labelled = any(
        start == 0 and OWN_NOTE_LABEL.fullmatch(flow.text, start, end)
        for start, end in flow.strongs[:1]
    )
    return (labelled or OWN_NOTE.match(flow.text) is not None) and not _is_announced(c)


def _is_announced(c: Candidate) -> bool:
    lead = before(c.block)
    return lead is not None and announces_words(lead)


@refusal("a claim of the author")
def own_claim(c: Candidate) -> bool:
    """It opens with a label in bold or has a line such as `Evidence:`, and nobody is said to say it.

    ```markdown
    > **Key finding:** the cache is never read again. [[1]](https://example.org/essay)
    ```
    """
    if c.callout is not None or not c.parts:
        return False
    flow, start = c.parts[0].flow, c.parts[0].start
    for first, last in flow.strongs[:1]:
        behind = flow.text[last : last + 2]
        colon = flow.text[last - 1] in ":：" or behind[:1] in (":", "：")
        words = flow.text[last:].lstrip(" :：*_\n")
        if first == start and colon and weight(flow.text[first:last]) <= _LABEL_WORDS:
            return words[:1] not in OPENING and not _is_announced(c)
    lines = (
        flow.text[s : s + 60] for part in c.parts for s, _ in part.flow.lines() if part.flow is flow
    )
    return any(_is_evidence(line) for line in lines)


def _is_evidence(line: str) -> bool:
    label, colon, _ = line.replace("：", ":").partition(":")
    return bool(colon) and EVIDENCE.fullmatch(label) is not None


@refusal("nothing but links or code", is_counted=False)
def no_text(c: Candidate) -> bool:
    """No words of anybody.

    ```markdown
    > [One](https://example.org/one) · [Two](https://example.org/two)
    ```
    """
    return c.ending.not_quoted


@refusal("led in by another link")
def led_in(c: Candidate) -> bool:
    """A paragraph with a link and a colon leads in: a bare link or number in the block is part of what is quoted.

    ```markdown
    > The cache is never read again.
    >
    > <https://example.org/rfc>
    ```
    """
    if not c.ending.is_bare or c.callout is not None:
        return False
    lead = before(c.block)
    if lead is None or lead.kind is not BlockKind.PARAGRAPH or not leads_with_link(lead):
        return False
    hit = lead_in.find(c)
    return hit is not None and bool(hit.sources)


@refusal("an undefined reference", is_counted=False)
def undefined_at_end(c: Candidate) -> bool:
    """A reference that nothing defines stands at its end; reported as UNDEFINED_REFERENCE.

    ```markdown
    > The cache is never read again. [^nowhere]
    ```
    """
    return undefined_mark(c) is not None


def undefined_mark(c: Candidate) -> Undefined | None:
    """Return the reference at the end of a block that nothing defines."""
    last = c.ending.parts[-1].trimmed() if c.ending.parts else None
    if last is None or last.start >= last.end:
        return None
    return undefined_in(last.flow, last.start, last.end, c.reading.references)


# ---- The block's own attribution ------------------------------------------------------------------------------------


def _ending(c: Candidate, shape: Shape) -> Hit | None:
    ending = c.ending
    if ending.shape is not shape or (only_profiles(ending.sources) and c.callout is None):
        return None
    return Hit(ending.sources, ending.parts)


@rule(Shape.HTML)
def cite_attribute(c: Candidate) -> Hit | None:
    """The element names the source itself: `cite`, in components also `source`, `href` ….

    ```markdown
    <blockquote cite="https://example.org/essay">The cache is never read again.</blockquote>
    ```
    """
    return Hit([c.attribute], c.ending.parts) if c.attribute is not None else None


@rule(Shape.HTML)
def credit_element(c: Candidate) -> Hit | None:
    """An element in it is its credit: `cite`, `footer`, `figcaption`, a class such as `credit`.

    ```markdown
    <figure>
    <blockquote>The cache is never read again.</blockquote>
    <figcaption><a href="https://example.org/essay">Smith</a></figcaption>
    </figure>
    ```
    """
    for credit in c.credits:
        sources = attribution_sources(credit.flow, credit.start, credit.end)
        if sources and not only_profiles(sources):
            return Hit(sources)
    return None


@rule(Shape.CALLOUT)
def callout_title(c: Candidate) -> Hit | None:
    """The title of the callout has the link.

    ```markdown
    > [!quote] [A day without a cache](https://example.org/essay)
    > The cache is never read again.
    ```
    """
    if c.callout is None:
        return None
    flow, start, end = c.callout
    link = next((link for link in flow.links_within(start, end) if is_source(link)), None)
    return Hit([source_of(link)], c.ending.parts) if link is not None else None


# ---- Around the block -----------------------------------------------------------------------------------------------


@rule(Shape.SOURCE_AFTER, unless=(own_note,))
def credit_after(c: Candidate) -> Hit | None:
    """The next paragraph is a dash or a label and the link.

    ```markdown
    > The cache is never read again.

    — [Jane Smith](https://example.org/essay)
    ```
    """
    return _right_after(c, marked=True)


@rule(Shape.SOURCE_AFTER, unless=(own_note,))
def link_after(c: Candidate) -> Hit | None:
    """The next paragraph is nothing but the link.

    ```markdown
    > The cache is never read again.

    [A day without a cache](https://example.org/essay)
    ```
    """
    # Only behind the lead-ins: where titles and quotations take turns, the link after one leads in the next.
    return _right_after(c, marked=False)


def _right_after(c: Candidate, *, marked: bool) -> Hit | None:
    """The next paragraph is nothing but a dash or label and a link; if not *marked*, a link alone will do."""
    block = c.last_block or c.block
    following = credit_of(block)
    if following is None or following.first_line - block.last_line > _LINES_BETWEEN:
        return None
    flow = following.flow
    start, end = flow.trimmed(0, len(flow.text))
    line_end = flow.text.find("\n", start, end)
    end = end if line_end == -1 else line_end
    if (marked or line_end != -1) and not is_marked(flow, start, end):
        return None
    sources = attribution_sources(flow, start, end, bare=True)
    return None if only_profiles(sources) else Hit(sources, c.ending.parts)


def credit_of(block: Block) -> Block | None:
    """Return the paragraph that may give the source of *block*: the next one, or a blockquote of its own there or inside."""
    inner = block.children[-1:]
    following = inner[0] if inner and inner[0].kind is BlockKind.BLOCKQUOTE else after(block)
    if following is not None and following.kind is BlockKind.LIST:
        following = _only_text_of(following)
        if following is None or not is_somebody(following.flow.text):
            return None
    if following is not None and following.kind is BlockKind.BLOCKQUOTE:
        following = following.children[0] if len(following.children) == 1 else None
        if following is None or not _is_credit(following.flow):
            return None
    return following if following is not None and following.kind is BlockKind.PARAGRAPH else None


def _only_text_of(items: Block) -> Block | None:
    """Return the paragraph that a list is nothing but: `- [t](u)`, whose dash was meant as one before a credit."""
    item = items.children[0]
    return item.children[0] if len(items.children) == len(item.children) == 1 else None


def _is_credit(flow: Flow) -> bool:
    if _CREDIT.fullmatch(flow.text):
        return True
    end = len(flow.text)
    return is_marked(flow, 0, end) and is_only_a_reference(Part(flow, 0, end))


@rule(Shape.LEAD_IN, unless=(own_note,))
def lead_in(c: Candidate) -> Hit | None:
    """The paragraph, item or heading before has the link and announces the words, is little more than the link, or
    is an item that ends in it.

    ```markdown
    As Smith [wrote](https://example.org/essay):

    > The cache is never read again.
    ```
    """
    previous = before(c.block)
    if previous is None or id(previous) in c.reading.taken:
        return None
    if previous.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING):
        return None
    outside = previous.parent is not c.block.parent
    sources = lead_in_source(previous, c.reading.references, outside=outside)
    return Hit(sources, c.parts if c.ending.is_bare else c.ending.parts)


@rule(Shape.LEAD_IN, unless=(own_note,))
def same_lead_in(c: Candidate) -> Hit | None:
    """The blockquote right before was led in: it is of the same source.

    ```markdown
    As Smith [wrote](https://example.org/essay):

    > The cache is never read again.

    > It is written all the time.
    ```
    """
    previous = c.block.previous()
    if previous is not None and goes_on(previous):
        previous = previous.previous()
    outcome = c.reading.outcomes.get(id(previous))
    if not isinstance(outcome, Found) or outcome.rule.shape is not Shape.LEAD_IN:
        return None
    return Hit(outcome.hit.sources, c.ending.parts)


@rule(Shape.FOOTNOTE)
def sentence_of_the_note(c: Candidate) -> Hit | None:
    """A footnote that is nothing but the block: the link in the sentence that refers to it.

    ```markdown
    She spoke against it [in an essay](https://example.org/essay).[^1]

    [^1]: > The cache is never read again.
    ```
    """
    note = c.block.parent
    if note is None or note.kind is not BlockKind.FOOTNOTE:
        return None
    if c.block.index > 1 or any(leaf.flow.links for leaf in note.children[: c.block.index]):
        return None
    flow, at = c.reading.references.first_uses.get(note.name.casefold(), (None, 0))
    if flow is None:
        return None
    start = flow.sentence(max(at - 2, 0), at)[0]
    links = [link for link in flow.links_within(start, at) if is_source(link)]
    return Hit([source_of(links[-1])], c.ending.parts) if links else None


@rule(Shape.LEAD_IN, unless=(own_note, own_claim))
def block_in_section(c: Candidate) -> Hit | None:
    """The item or the section around it begins with its link.

    ```markdown
    ### [A day without a cache](https://example.org/essay)

    It is short.

    > The cache is never read again.
    ```
    """
    link = c.leading_link or c.reading.section_link
    return Hit([source_of(link)], c.ending.parts) if link is not None else None


@rule(Shape.EAGER)
def paragraph_before(c: Candidate) -> Hit | None:
    """The last link of the paragraph before, or the source of the front matter.

    ```markdown
    There is [an essay](https://example.org/essay) about this.

    > The cache is never read again.
    ```
    """
    previous = before(c.block)
    sources: list[Source] = []
    if previous is not None and previous.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING):
        sources = [source_of(link) for link in previous.flow.links if is_source(link)][-1:]
    return Hit(sources or c.reading.front_matter, c.ending.parts)


@rule(Shape.ATTRIBUTION, unless=(led_in,))
def attribution(c: Candidate) -> Hit | None:
    """The last line is a dash or a label and the link, or nothing but the link; or the block begins with its link.

    ```markdown
    > The cache is never read again.
    >
    > — Jane Smith, [A day without a cache](https://example.org/essay)
    ```
    """
    return _ending(c, Shape.ATTRIBUTION)


@rule(Shape.TRAILING_LINK, unless=(own_note, own_claim, led_in))
def trailing_link(c: Candidate) -> Hit | None:
    """The quoted text ends in the link, which is not part of a sentence about it.

    ```markdown
    > The cache is never read again. ([tweet](https://example.org/essay))
    ```
    """
    return _ending(c, Shape.TRAILING_LINK)


@rule(Shape.FOOTNOTE, unless=(own_note, own_claim))
def footnote_at_end(c: Candidate) -> Hit | None:
    """A footnote at the end of the block or of its attribution.

    ```markdown
    > The cache is never read again.[^essay]

    [^essay]: <https://example.org/essay>
    ```
    """
    return _ending(c, Shape.FOOTNOTE)


@rule(Shape.NUMERIC, unless=(own_note, own_claim, led_in))
def number_at_end(c: Candidate) -> Hit | None:
    """A number at the end of the block, with its entry in a list of works.

    ```markdown
    > The cache is never read again. [1]

    ## References

    1. [A day without a cache](https://example.org/essay)
    ```
    """
    return _ending(c, Shape.NUMERIC)


_INSIDE = (trailing_link, footnote_at_end, number_at_end)


@refusal("a credit without a link")
def credit_without_link(c: Candidate) -> bool:
    """An element in it is its credit, and has no link but to a person's page.

    ```markdown
    <blockquote>The words of it.<footer>— Jane Smith</footer></blockquote>
    ```
    """
    return bool(c.credits)


BLOCKQUOTES = (
    own_callout,
    no_text,
    attribution,
    *_INSIDE,
    callout_title,
    undefined_at_end,
    credit_after,
    lead_in,
    same_lead_in,
    link_after,
    sentence_of_the_note,
    block_in_section,
)

ELEMENTS = (
    no_text,
    cite_attribute,
    credit_element,
    credit_without_link,
    attribution,
    *_INSIDE,
    credit_after,
    lead_in,
    link_after,
)

EAGER = (
    own_callout,
    no_text,
    own_note,
    paragraph_before,
)
