"""What stands before a quotation and announces it, with its source: a paragraph, a list item, a heading."""

from __future__ import annotations

import re
from bisect import bisect_left

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing.links import Source, is_source, is_work, source_of
from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.markup.blocks import MAY_LINK, Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, once
from tracecite_lint.documents.markup.pairs import weight
from tracecite_lint.light.lazy import regex

_TITLE_LINE = regex(
    r"[\s*_]*(?:\(?\d{1,3}[.)、．：:]|[（(]\d{1,3}[)）]|[•·◆■★-])?\s*(?:[\[【（(][^\]】）)\n]{1,12}[\]】）)])?[\s*_]*"
)
_COLON = regex(r"[:：][\s*_\"“]*$")
_COMMA = regex(r"[,;，；][\s*_]*$")
_REMARK_AT_END = regex(r"\s?[(（][^()（）\n]{1,80}[)）](?=[\s.。:：]*$)")
_PARENTHESIS_AT_END = regex(r"[\s.。]*[)）\]］][\s.。]*")
_PARENTHESIS = regex("[()（）]")
_NEAR = 40
"""How many characters before a link are looked at."""
_SAYING_WORDS = 6
"""A link whose text holds a verb of saying and is longer is a title."""
_GOES_ON = 160
"""Characters of a line that leads from one blockquote of a source to the next."""
_SHORT_LEAD = 3
"""Words beside its link in a line that leads in without a colon or a verb."""


def before(block: Block) -> Block | None:
    """Return the block before *block*, pictures and comments left out; of a list its last paragraph."""
    previous = skipping_pictures(block)
    while previous is not None and previous.kind in (BlockKind.LIST, BlockKind.ITEM):
        previous = previous.children[-1] if previous.children else None
    return previous


def skipping_pictures(block: Block) -> Block | None:
    """Return the block before *block* in the same container, pictures and comments left out."""
    previous = block.previous()
    while previous is not None and is_passed_over(previous):
        previous = previous.previous()
    return previous


def after(block: Block) -> Block | None:
    """Return the block after *block*, comments left out."""
    following = block.next()
    while following is not None and following.kind is BlockKind.HTML and _is_comment(following):
        following = following.next()
    return following


def is_passed_over(block: Block) -> bool:
    """Tell whether a block between a lead-in and its quotation does not part them: a picture, a comment, a footnote."""
    if block.kind is BlockKind.FOOTNOTE:
        return True
    if block.kind is BlockKind.HTML:
        return _is_comment(block) or block.name.lstrip().lower().startswith(
            ("<img", "<iframe", "<picture", "<hr")
        )
    return (
        block.kind is BlockKind.PARAGRAPH
        and block.holds(MAY_LINK)
        and not block.flow.text.strip()
        and bool(block.flow.images)
    )


def _is_comment(block: Block) -> bool:
    text = block.name.strip()
    return text.startswith("<!--") and text.endswith("-->") and text.find("-->") == len(text) - 3


def lead_in_source(
    lead: Block, references: References, *, outside: bool = False, marked: bool = False
) -> list[Source]:
    """Return the source that a paragraph, list item or heading gives the quotation right after it.

    *outside* says that the lead-in is the last item of a list, and the quotation stands behind that list: it belongs to
    the item only if the item announces it. *marked* says that the quotation is a block in quotation marks, which is surely
    one: a line that ends in its link is enough before it.
    """
    flow = lead.flow
    last, end = last_sentence(flow)
    links = [link for link in flow.links if is_work(link)]
    if lead.kind is BlockKind.HEADING and (
        lead.level == 1 or flow.images or not all("://" in link.url for link in links)
    ):
        return []  # The title of a document or of a part of it, and a line that says what it is.
    if len(links) == 1 and not outside and _leads_by_its_form(lead, links[0], end, marked=marked):
        return [source_of(links[0])]
    sentence = flow.text[last:end]
    if vocabulary.OWN_WORDS.search(sentence):
        return []
    within = [link for link in links if link.end > last]
    return _announced(flow, (last, end), links, within, references)


def _announced(
    flow: Flow,
    place: tuple[int, int],
    links: list[Link],
    within: list[Link],
    references: References,
) -> list[Source]:
    """Return the source that the last sentence of a lead-in names where it announces words."""
    last, end = place
    sentence = flow.text[last:end]
    colon = _leads_on(sentence)
    says = colon or _says_at_end(sentence)
    noted = references.at_end(flow, last, end)
    if noted is not None and says:
        return noted[0]
    link = announcing(flow, within, last)
    if link is not None:
        return [source_of(link)] if colon or _says(flow, link, sentence, end) else []
    if within:
        return []
    referred = references.in_range(flow, last, end)
    if referred:
        return referred if says else []
    if (
        colon
        and len(links) == 1
        and (
            vocabulary.EXCERPT.search(sentence)
            or vocabulary.SAYING.search(flow.text, links[0].start, links[0].end)
        )
    ):
        return [source_of(links[0])]
    return []


def last_sentence(flow: Flow) -> tuple[int, int]:
    """Return the range of the last sentence of a text."""
    start, end = flow.trimmed(0, len(flow.text))
    if start >= end:
        return start, end
    return max(flow.sentence(end - 1, end)[0], start), end


def _leads_by_its_form(lead: Block, link: Link, end: int, *, marked: bool) -> bool:
    """Tell whether a line with one link leads in a quotation by its form, without announcing it in words.

    It is nothing but the link, perhaps numbered; or a few words and the link; or a label; or an item that ends in it.
    """
    flow = lead.flow
    return (
        is_title_line(flow, link, end)
        or (marked and _ends_in_link(flow, link, end))
        or (lead.kind is BlockKind.PARAGRAPH and _is_few_words(flow, link, end))
        or vocabulary.SOURCE_LINE_LABEL.fullmatch(flow.text[: min(link.start, _NEAR)]) is not None
        or (
            lead.parent is not None
            and lead.parent.kind is BlockKind.ITEM
            and _is_credited(flow, link, end)
        )
    )


def _ends_in_link(flow: Flow, link: Link, end: int) -> bool:
    """`Or in another article of theirs, [“x”](u)`: one sentence that stops at its link, without a full stop."""
    start = last_sentence(flow)[0]
    before = flow.text[start : link.start]
    behind = flow.text[link.end : end].strip(" \t\n*_")
    return (
        not behind
        and link.start - start <= _GOES_ON
        and vocabulary.OWN_WORDS.search(before) is None
    )


def _is_few_words(flow: Flow, link: Link, end: int) -> bool:
    """`From the blog [x](u)`, `[x](u) 블로그로부터`: the link at one end, a few words, and no full stop."""
    start = max(flow.trimmed(0, end)[0], flow.text.rfind("\n", 0, link.start) + 1)
    if (link.start > start and link.end < end) or end - start - (link.end - link.start) > _NEAR:
        return False
    beside = flow.text[start : link.start] + flow.text[link.end : end]
    return (
        weight(beside) <= _SHORT_LEAD
        and not re.search(r"[.!?,;()。！？，；（）]", beside)
        and vocabulary.SEE.match(beside) is None
        and not vocabulary.is_aside(beside)
        and vocabulary.OWN_WORDS.search(beside) is None
    )


def _is_credited(flow: Flow, link: Link, end: int) -> bool:
    """`- What is claimed ([source](u))`, with the quotation below the item."""
    opening = flow.text[max(link.start - 1, 0) : link.start]
    return (
        opening in ("(", "（", "[")
        and _PARENTHESIS_AT_END.fullmatch(flow.text, link.end, end) is not None
    )


def _leads_on(sentence: str) -> bool:
    """Tell whether the sentence ends in a colon, or in a comma or semicolon after `As X says`."""
    if _COLON.search(sentence):
        return True
    said = vocabulary.OPENER.match(sentence) or vocabulary.SAYING.search(sentence)
    return said is not None and _COMMA.search(sentence) is not None


def announcing(flow: Flow, links: list[Link], start: int) -> Link | None:
    """Return the link of a sentence from *start* on that announces a quotation, None if it has none.

    That is the last one, unless just one has a verb of saying in its text or follows `according to`. A link in a remark or
    in `(via …)` behind another link announces nothing, nor does what somebody talks `about`.
    """
    links = [
        link
        for index, link in enumerate(links)
        if not _is_beside(flow, link, start, first=not index)
    ]
    saying = [link for link in links if is_said_by(flow, link)]
    chosen = saying if len(saying) == 1 else links
    return chosen[-1] if chosen else None


def is_said_by(flow: Flow, link: Link) -> bool:
    """Tell whether a link has a verb of saying in its text or follows `according to`."""
    return link.start in _saying_links(flow)


@once
def _saying_links(flow: Flow) -> frozenset[int]:
    return frozenset(link.start for link in flow.links if _says_so(flow, link))


def _says_so(flow: Flow, link: Link) -> bool:
    if vocabulary.ACCORDING_BEFORE.search(flow.text, max(link.start - _NEAR, 0), link.start):
        return True
    words = flow.words(link.start, link.end).split()
    return len(words) <= _SAYING_WORDS and vocabulary.SAYS.search(" ".join(words)) is not None


@once
def _talked_about(flow: Flow) -> frozenset[int]:
    """Return where the links begin that somebody talks `about`."""
    return frozenset(
        link.start
        for link in flow.links
        if vocabulary.ABOUT.search(flow.text, max(link.start - _NEAR, 0), link.start)
    )


def _is_beside(flow: Flow, link: Link, start: int, *, first: bool) -> bool:
    """Tell whether a link is beside the point of its sentence: in a remark, or what somebody talks about."""
    text = flow.text
    parentheses = _parentheses(flow)
    index = bisect_left(parentheses, link.start) - 1
    last = parentheses[index] if index >= 0 else -1
    if last >= start and text[last] in "(（":
        within = last + 1, link.start + 1
        return vocabulary.REMARK.match(text, *within) is not None or (
            not first and vocabulary.VIA.match(text, *within) is not None
        )
    return link.start in _talked_about(flow)


@once
def _parentheses(flow: Flow) -> list[int]:
    """Return where parentheses open and close in *flow*."""
    return [match.start() for match in _PARENTHESIS.finditer(flow.text)]


def _says_at_end(sentence: str) -> bool:
    return vocabulary.SAYS_AT_END.search(_REMARK_AT_END.sub("", sentence)) is not None


@once
def leads_with_link(lead: Block) -> bool:
    """Tell whether the last sentence of *lead*, or the one link of its paragraph, leads on with a colon."""
    flow = lead.flow
    start, end = last_sentence(flow)
    return _COLON.search(flow.text, start, end) is not None and any(map(is_work, flow.links))


def goes_on(block: Block) -> bool:
    """Tell whether a paragraph between two blockquotes only leads from one to the next: `He goes on:`."""
    if block.kind is not BlockKind.PARAGRAPH or block.flow.links or block.flow.footnotes:
        return False
    text = block.flow.text.strip()
    return (
        len(text) <= _GOES_ON
        and _COLON.search(text) is not None
        and not vocabulary.OWN_WORDS.search(text)
    )


def announces_words(lead: Block) -> bool:
    """Tell whether the last sentence of *lead* says, with a colon, that somebody's words follow or where they are from."""
    sentence = lead.flow.text[slice(*last_sentence(lead.flow))]
    said = (
        vocabulary.SAYS.search(sentence)
        or vocabulary.SAYS_AT_END.search(sentence.rstrip(' *_:："“'))
        or vocabulary.FROM.search(sentence)
    )
    return said is not None and _COLON.search(sentence) is not None


def _says(flow: Flow, link: Link, sentence: str, end: int) -> bool:
    """Tell whether a sentence without a colon announces a quotation: `[X said](u)` at its end, or a verb of saying there."""
    if _says_at_end(sentence) or vocabulary.ACCORDING.match(sentence.lstrip(" \n*_")):
        return True
    named = flow.words(link.start, link.end)
    behind = flow.text[link.end : end].strip(" \t\n*_")
    if not behind and vocabulary.OPENER.match(sentence) and vocabulary.SAYS.search(sentence):
        return True  # `As Smith writes on [her page](u)`
    return not behind.strip(".") and vocabulary.SAYS.search(named) is not None


def is_title_line(flow: Flow, link: Link, end: int) -> bool:
    """Tell whether a paragraph or heading is nothing but its link, perhaps numbered."""
    return begins_with(flow, link) and not flow.text[link.end : end].strip(" \t\n*_.:：。")


def begins_with(flow: Flow, link: Link) -> bool:
    """Tell whether a text begins with *link*, behind nothing but a number or a bracket with a word."""
    title = _TITLE_LINE.match(flow.text)
    return title is not None and title.end() >= link.start and is_source(link)


@once
def sayings(flow: Flow) -> list[int]:
    """Return where the verbs of saying stand in a text, in order."""
    return [match.start() for match in vocabulary.SAYING.finditer(flow.text)]


def says(flow: Flow, start: int, end: int) -> bool:
    """Tell whether a verb of saying stands in the range."""
    found = sayings(flow)
    index = bisect_left(found, start)
    return index < len(found) and found[index] < end
