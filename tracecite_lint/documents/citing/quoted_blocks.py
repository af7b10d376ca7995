"""Blockquotes, callouts and HTML elements that quote: the rules that find their source, and the reasons for which they are none."""

from __future__ import annotations

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing.attributions import attribution_sources
from tracecite_lint.documents.citing.candidate import (
    UNDEFINED,
    Answer,
    Candidate,
    Found,
    decide,
    refusal,
    rule,
)
from tracecite_lint.documents.citing.lead_ins import before, goes_on, leads_with_link
from tracecite_lint.documents.citing.links import is_source, only_profiles, source_of
from tracecite_lint.documents.citing.neighbours import LEADS, credit_after, lead_in, link_after
from tracecite_lint.documents.citing.not_quoted import is_announced, own_note
from tracecite_lint.documents.citing.seen_nearby import AROUND_BLOCKS
from tracecite_lint.documents.markup.blocks import BlockKind
from tracecite_lint.documents.markup.flow import Flow
from tracecite_lint.documents.markup.pairs import OPENING, weight
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Shape

_CALLOUT = regex(r"\s*\[!([\w-]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*")
QUOTE_CALLOUTS = frozenset({"quote", "cite"})
_LABEL_WORDS = 6


def callout_of(flow: Flow) -> tuple[str, int, int]:
    """Return the kind of callout that a blockquote's first paragraph opens (or nothing), and the range of its title."""
    match = _CALLOUT.match(flow.text)
    if match is None:
        return "", 0, 0
    end = flow.text.find("\n", match.end())
    return match[1].casefold(), match.end(), len(flow.text) if end == -1 else end


# ---- What it is not -------------------------------------------------------------------------------------------------


@refusal("a callout of the author", is_counted=False)
def own_callout(c: Candidate) -> bool:
    """`[!note]` and the like, but for `[!quote]` and `[!cite]`.

    ```markdown
    > [!info] [The essay](https://example.org/essay)
    > The cache is never read again.
    ```
    """
    kind = callout_of(c.parts[0].flow)[0] if c.parts else ""
    return bool(kind) and kind not in QUOTE_CALLOUTS and c.attribute is None


@refusal("a claim of the author")
def own_claim(c: Candidate) -> bool:
    """It opens with a label in bold, is all in bold, or has a line such as `Evidence:`, and nobody is said to say it.

    ```markdown
    > **Key finding:** the cache is never read again. [[1]](https://example.org/essay)
    ```
    """
    if c.callout is not None or not c.parts:
        return False
    flow, start = c.parts[0].flow, c.parts[0].start
    for first, last in flow.strongs[:1]:
        if first == start and [last] == [part.trimmed().end for part in c.ending.parts]:
            return flow.text[first] not in OPENING and not is_announced(c)
        colon = flow.text[last - 1] in ":：" or flow.text[last : last + 1] in (":", "：")
        words = flow.text[last:].lstrip(" :：*_\n")
        if first == start and colon and weight(flow.text[first:last]) <= _LABEL_WORDS:
            return words[:1] not in OPENING and not is_announced(c)
    labels = (
        flow.text[s : s + 60].replace("：", ":").partition(":")
        for part in c.parts
        if part.flow is flow
        for s, _ in flow.lines()
    )
    return any(colon and vocabulary.EVIDENCE.fullmatch(label) for label, colon, _ in labels)


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
    lead = before(c.block)
    if not c.ending.is_bare or c.callout is not None or lead is None:
        return False
    leads = lead.kind is BlockKind.PARAGRAPH and leads_with_link(lead)
    return leads and isinstance(decide(c, [lead_in]), Found)


@refusal(UNDEFINED, is_counted=False)
def undefined_at_end(c: Candidate) -> bool:
    """A reference that nothing defines stands at its end; reported as UNDEFINED_REFERENCE.

    ```markdown
    > The cache is never read again. [^nowhere]
    ```
    """
    return c.undefined is not None


def _ending(c: Candidate, shape: Shape) -> Answer:
    ending = c.ending
    if ending.shape is not shape or (only_profiles(ending.sources) and c.callout is None):
        return None
    return c.hit(ending.sources)


# ---- The block's own attribution ------------------------------------------------------------------------------------


@rule(Shape.HTML)
def cite_attribute(c: Candidate) -> Answer:
    """The element names the source itself: `cite`, in components also `source`, `href` ….

    ```markdown
    <blockquote cite="https://example.org/essay">The cache is never read again.</blockquote>
    ```
    """
    return c.hit([c.attribute]) if c.attribute is not None else None


@rule(Shape.HTML)
def credit_element(c: Candidate) -> Answer:
    """An element in it is its credit: `cite`, `footer`, `figcaption`, a class such as `credit`.

    ```markdown
    <figure>
    <blockquote>The cache is never read again.</blockquote>
    <figcaption><a href="https://example.org/essay">Smith</a></figcaption>
    </figure>
    ```
    """
    found = (attribution_sources(each.flow, each.start, each.end) for each in c.credits)
    return next((sources for sources in found if not only_profiles(sources)), None)


@rule(Shape.CALLOUT)
def callout_title(c: Candidate) -> Answer:
    """The title of the callout has the link.

    ```markdown
    > [!quote] [A day without a cache](https://example.org/essay)
    > The cache is never read again.
    ```
    """
    links = c.callout[0].links_within(*c.callout[1:]) if c.callout is not None else ()
    return c.hit([source_of(link) for link in links if is_source(link)][:1])


# ---- Around the block -----------------------------------------------------------------------------------------------


@rule(Shape.LEAD_IN, own_note)
def same_lead_in(c: Candidate) -> Answer:
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
    found = c.reading.found(previous)
    if found is None or found.rule.shape is not Shape.LEAD_IN:
        return None
    return c.hit(found.hit.sources)


@rule(Shape.FOOTNOTE)
def sentence_of_the_note(c: Candidate) -> Answer:
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
    flow, at = c.reading.references.first_uses.get(note.name.casefold(), (Flow(), 0))
    links = flow.links_within(flow.sentence(max(at - 2, 0), at)[0], at)
    return c.hit([source_of(link) for link in links if is_source(link)][-1:])


@rule(Shape.LEAD_IN, own_note, own_claim)
def block_in_section(c: Candidate) -> Answer:
    """The item or the section around it begins with its link.

    ```markdown
    ### [A day without a cache](https://example.org/essay)

    It is short.

    > The cache is never read again.
    ```
    """
    link = c.leading_link or c.reading.section_link
    return c.hit([source_of(link)]) if link is not None else None


@rule(Shape.EAGER)
def paragraph_before(c: Candidate) -> Answer:
    """The last link of the paragraph before, or the source of the front matter.

    ```markdown
    There is [an essay](https://example.org/essay) about this.

    > The cache is never read again.
    ```
    """
    lead = before(c.block)
    links = lead.flow.links if lead is not None and lead.kind in LEADS else []
    sources = [source_of(link) for link in links if is_source(link)][-1:]
    return c.hit(sources or c.reading.front_matter)


@rule(Shape.ATTRIBUTION, led_in)
def attribution(c: Candidate) -> Answer:
    """The last line is a dash or a label and the link, or nothing but the link; or the block begins with its link.

    ```markdown
    > The cache is never read again.
    >
    > — Jane Smith, [A day without a cache](https://example.org/essay)
    ```
    """
    return _ending(c, Shape.ATTRIBUTION)


@rule(Shape.TRAILING_LINK, own_note, own_claim, led_in)
def trailing_link(c: Candidate) -> Answer:
    """The quoted text ends in the link, which is not part of a sentence about it.

    ```markdown
    > The cache is never read again. ([tweet](https://example.org/essay))
    ```
    """
    return _ending(c, Shape.TRAILING_LINK)


@rule(Shape.FOOTNOTE, own_note, own_claim)
def footnote_at_end(c: Candidate) -> Answer:
    """A footnote at the end of the block or of its attribution.

    ```markdown
    > The cache is never read again.[^essay]

    [^essay]: <https://example.org/essay>
    ```
    """
    return _ending(c, Shape.FOOTNOTE)


@rule(Shape.NUMERIC, own_note, own_claim, led_in)
def number_at_end(c: Candidate) -> Answer:
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
    *AROUND_BLOCKS,
)
"""Beyond their section look `footnote_at_end`, `number_at_end`, `undefined_at_end`, `lead_in` (for references in it) and
`sentence_of_the_note`, which goes back to where the note is referred to.
"""

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
    *AROUND_BLOCKS,
)

EAGER = (
    own_callout,
    no_text,
    own_note,
    paragraph_before,
)
