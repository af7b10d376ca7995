"""What stands before a quotation and announces it, with its source: a paragraph, a list item, a heading."""

from __future__ import annotations

import re
from bisect import bisect_left

from tracecite_lint.documents.citing import cues
from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.citing.source_links import Source, is_source, source_of
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, once
from tracecite_lint.documents.markup.sentences import sentence_start

_TITLE_LINE = re.compile(
    r"[\s*_]*(?:\(?\d{1,3}[.)、．：:]|[（(]\d{1,3}[)）]|[•·◆■★-])?\s*(?:[\[【（(][^\]】）)\n]{1,12}[\]】）)])?[\s*_]*"
)
_COLON = re.compile(r"[:：][\s*_\"“]*$")
_COMMA = re.compile(r"[,;，；][\s*_]*$")
_OPENER = re.compile(
    r"[\s*_]*(?:as|according to|quoting|from|in the words of|wie|comme|como|come|zoals|как)\s",
    re.IGNORECASE,
)
_REMARK_AT_END = re.compile(r"\s?[(（][^()（）\n]{1,80}[)）](?=[\s.。:：]*$)")
# What makes a parenthesis a remark of the author: a clause of its own, thanks.
_REMARK = re.compile(r"\s*(?:I|we|my|our|thanks|thank you|h/t|hat tip)\s", re.IGNORECASE)
_PARENTHESIS = re.compile("[()（）]")
_VIA = re.compile(r"\s*via\s", re.IGNORECASE)
_ABOUT = re.compile(r"\babout\s+(?:the\s|this\s|that\s)?\s*\Z", re.IGNORECASE)
_ACCORDING = re.compile(
    r"\b(?:according to|quoting|laut|selon|según|segundo|secondo)\s+(?:\w+\s+){0,2}\Z",
    re.IGNORECASE,
)
_NEAR = 40
"""How many characters before a link are looked at."""
_SAYING_WORDS = 6
"""A link whose text holds a verb of saying and is longer is a title."""


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
        and not block.flow.text.strip()
        and bool(block.flow.images)
    )


def _is_comment(block: Block) -> bool:
    text = block.name.strip()
    return text.startswith("<!--") and text.endswith("-->") and text.find("-->") == len(text) - 3


def lead_in_source(lead: Block, references: References, *, outside: bool = False) -> list[Source]:
    """Return the source that a paragraph, list item or heading gives the quotation right after it.

    *outside* says that the lead-in is the last item of a list, and the quotation stands behind that list: it belongs to
    the item only if the item announces it.
    """
    flow = lead.flow
    last, end = _last_sentence(flow)
    links = [link for link in flow.links if is_source(link) and not cues.is_profile(link.url)]
    if lead.kind is BlockKind.HEADING and (
        lead.level == 1 or flow.images or not all("://" in link.url for link in links)
    ):
        return []  # The title of a document or of a part of it, and a line that says what it is.
    if len(links) == 1 and not outside and _is_title_line(flow, links[0], end):
        return [source_of(links[0])]
    sentence = flow.text[last:end]
    colon = _leads_on(sentence)
    if cues.OWN_WORDS.search(sentence):
        return []
    noted = references.at_end(flow, last, end)
    if noted is not None and (colon or _says_at_end(sentence)):
        return noted[0]
    within = _announcing(flow, [link for link in links if link.end > last], last)
    if within is not None:
        return [source_of(within)] if colon or _says(flow, within, sentence, end) else []
    if any(link.end > last for link in links):
        return []
    referred = references.in_range(flow, last, end)
    if referred:
        return referred if colon or _says_at_end(sentence) else []
    if not colon or not cues.EXCERPT.search(sentence):
        return []
    return [source_of(links[-1])] if len(links) == 1 else []


def _last_sentence(flow: Flow) -> tuple[int, int]:
    start, end = flow.trimmed(0, len(flow.text))
    return sentence_start(flow.text, max(end - 1, start), start), end


def _leads_on(sentence: str) -> bool:
    """Tell whether the sentence ends in a colon, or in a comma or semicolon after `As X says`."""
    if _COLON.search(sentence):
        return True
    said = _OPENER.match(sentence) or cues.SAYING.search(sentence)
    return said is not None and _COMMA.search(sentence) is not None


def _announcing(flow: Flow, links: list[Link], start: int) -> Link | None:
    """Return the link of a sentence from *start* on that announces a quotation, None if it has none.

    That is the last one, unless just one has a verb of saying in its text or follows `according to`. A link in a remark or
    in `(via …)` behind another link announces nothing, nor does what somebody talks `about`.
    """
    links = [
        link
        for index, link in enumerate(links)
        if not _is_beside(flow, link, start, first=not index)
    ]
    saying = [
        link
        for link in links
        if _ACCORDING.search(flow.text, max(link.start - _NEAR, start), link.start)
        or (
            len(words := flow.words(link.start, link.end).split()) <= _SAYING_WORDS
            and cues.SAYS.search(" ".join(words))
        )
    ]
    chosen = saying if len(saying) == 1 else links
    return chosen[-1] if chosen else None


def _is_beside(flow: Flow, link: Link, start: int, *, first: bool) -> bool:
    """Tell whether a link is beside the point of its sentence: in a remark, or what somebody talks about."""
    text = flow.text
    parentheses = _parentheses(flow)
    index = bisect_left(parentheses, link.start) - 1
    last = parentheses[index] if index >= 0 else -1
    if last >= start and text[last] in "(（":
        within = last + 1, link.start + 1
        return _REMARK.match(text, *within) is not None or (
            not first and _VIA.match(text, *within) is not None
        )
    return _ABOUT.search(text, max(link.start - _NEAR, start), link.start) is not None


@once
def _parentheses(flow: Flow) -> list[int]:
    """Return where parentheses open and close in *flow*."""
    return [match.start() for match in _PARENTHESIS.finditer(flow.text)]


def _says_at_end(sentence: str) -> bool:
    return cues.SAYS_AT_END.search(_REMARK_AT_END.sub("", sentence)) is not None


def announces_words(lead: Block) -> bool:
    """Tell whether the last sentence of *lead* says, with a colon, that somebody's words follow or where they are from."""
    sentence = lead.flow.text[slice(*_last_sentence(lead.flow))]
    said = (
        cues.SAYS.search(sentence)
        or cues.SAYS_AT_END.search(sentence.rstrip(' *_:："“'))
        or cues.FROM.search(sentence)
    )
    return said is not None and _COLON.search(sentence) is not None


def _says(flow: Flow, link: Link, sentence: str, end: int) -> bool:
    """Tell whether a sentence without a colon announces a quotation: `[X said](u)` at its end, or a verb of saying there."""
    if _says_at_end(sentence):
        return True
    named = flow.words(link.start, link.end)
    behind = flow.text[link.end : end].strip(" \t\n*_")
    if not behind and _OPENER.match(sentence) and cues.SAYS.search(sentence):
        return True  # `As Smith writes on [her page](u)`
    return not behind.strip(".") and cues.SAYS.search(named) is not None


def _is_title_line(flow: Flow, link: Link, end: int) -> bool:
    """Tell whether a paragraph or heading is nothing but its link, perhaps numbered."""
    title = _TITLE_LINE.match(flow.text)
    if title is None or title.end() < link.start:
        return False
    return not flow.text[link.end : end].strip(" \t\n*_.:：。")
