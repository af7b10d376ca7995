"""Where the words of a quoted block end and its attribution begins, and the source that the attribution names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing.links import (
    Source,
    is_source,
    only_profiles,
    source_of,
    sources_in_parentheses,
)
from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind, Part
from tracecite_lint.documents.markup.pairs import OPENING, is_sentence, is_short, weight
from tracecite_lint.light.lazy import dataclass, field, regex
from tracecite_lint.model import Shape
from tracecite_lint.naming.uris import is_profile

_DASH = regex(r"\s*(?:---+\s*|(?:--+|[~～〜])\s+|[—–―‒]+\s*)")
_ATTRIBUTION_LIMIT = 160
"""Characters of text of an attribution line, its links included."""
_BRACKETS = {")": "(", "）": "（", "]": "[", "】": "【"}
# Who wrote it or when, beside a link: `[t](u), Jane Smith`, `[t](u) by Jane Smith`, `[t](u) (2020)`.
_NAMED = regex(r"(?:[,，]|by\b|(?=\d{4}\Z))\s*([^,，\n]{1,40})", re.IGNORECASE)
_LABEL = regex(r"\s*\w{1,20}(?: \w{1,20})?\s?[:：]\s*")
_NEAR = 60
"""How many characters before a link are looked at."""
_SENTENCE_END = regex(r"[.!?…。！？\"”»’」』)）\]:：]\s*[*_]*\s*$")
_BEGINS = regex(r"[\s*_]*([:：—–-]?)[\s*_]*")
_ENOUGH_WORDS = 5


@dataclass(slots=True)
class Ending:
    """What a block quotes: its paragraphs, and the link or links in it that stand as their source."""

    parts: list[Part] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    shape: Shape | None = None
    """How the sources are given; None where the block names none."""
    is_bare: bool = False
    """The sources stand there without a dash or a label: they may be part of what is quoted."""
    not_quoted: bool = False
    """The block is nothing but links, or nothing but code."""


def attributed(parts: Sequence[Part], references: References) -> Ending:
    """Return the quoted paragraphs without their attribution, and the source that the attribution names."""
    kept = [part for part in (part.trimmed() for part in parts) if part.start < part.end]
    found = Ending(parts=kept)
    if not kept:
        return found
    if _is_no_text(kept):
        found.not_quoted = True
        return found
    return (
        _signed(kept, references)
        or _referred(kept, references)
        or _trailing(kept)
        or _opening(kept)
        or found
    )


def _is_no_text(kept: list[Part]) -> bool:
    """Tell whether there is nothing but links to read, perhaps under a heading, or nothing but code."""
    others = [part for part in kept if not is_only_a_reference(part) or _is_linked_sentence(part)]
    bare = [
        part
        for part in kept
        if part not in others and not is_marked(part.flow, part.start, part.end)
    ]
    listed = (bare or len(kept) - len(others) > 1) and all(
        is_short(part.text) or part.text.endswith((":", "：")) or _begins_with_address(part)
        for part in others
    )
    return not others or bool(listed) or all(_is_code(part) for part in kept)


def _begins_with_address(part: Part) -> bool:
    """Tell whether a paragraph is an entry such as `https://… The manual, to be read first`."""
    return any(link.is_address for link in part.flow.links_within(part.start, part.start + 1))


def _is_linked_sentence(part: Part) -> bool:
    """Tell whether the text of a link is a whole sentence: the words themselves lead to their source."""
    link = part.flow.link_around(part.start, part.end)
    return link is not None and link.kind is LinkKind.MARKDOWN and is_sentence(part.text)


def _signed(kept: list[Part], references: References) -> Ending | None:
    """`— Jane Smith, [t](u)` as the last line."""
    last = kept[-1]
    start = _attribution_start(last, alone=len(kept) == 1)
    if start is None:
        return None
    sources = attribution_sources(last.flow, start, last.end)
    parts = _without_end(kept, start)
    if parts and parts[-1].text.endswith((":", "：")) and not is_marked(last.flow, start, last.end):
        return None  # A heading, and something to read.
    further = _attribution_start(parts[-1], alone=len(parts) == 1) if parts else None
    if further is not None:
        # `— Jane Smith`, then a line with the link: both belong to the attribution.
        sources = sources or attribution_sources(parts[-1].flow, further, parts[-1].end)
        parts = _without_end(parts, further)
    parts = _behind_label(parts)
    if sources:
        bare = further is None and not _is_credit_line(last.flow, start, last.end)
        return Ending(parts, sources, Shape.ATTRIBUTION, is_bare=bare)
    # `— Jane Smith[^1]`
    sources = references.footnotes_at(last.flow, start, last.end)
    return Ending(parts, sources, Shape.FOOTNOTE if sources else None)


def _is_credit_line(flow: Flow, start: int, end: int) -> bool:
    """Tell whether a stretch begins with a dash or a label, or its link says that it is the source: `([Source](u))`."""
    return is_marked(flow, start, end) or any(
        vocabulary.is_source_word(flow.words(link.start, link.end))
        for link in flow.links_within(start, end)
    )


def _referred(kept: list[Part], references: References) -> Ending | None:
    last = kept[-1]
    referred = references.at_end(last.flow, last.start, last.end)
    if referred is None or _quotes_inside(last, referred[1], colon=True):
        return None
    sources, end = referred
    shape = Shape.FOOTNOTE if end == last.end else Shape.NUMERIC
    bare = shape is Shape.NUMERIC
    return Ending([*kept[:-1], Part(last.flow, last.start, end)], sources, shape, is_bare=bare)


def _trailing(kept: list[Part]) -> Ending | None:
    last = kept[-1]
    trailing = _trailing_link(last)
    if trailing is None:
        return None
    end, sources = trailing
    bare = not _is_credit_line(last.flow, end, last.end)
    kept = [*kept[:-1], Part(last.flow, last.start, end)]
    if (
        bare
        and len(kept) == 1
        and is_short(kept[0].text)
        and not is_sentence(kept[0].text.rstrip())
    ):
        return None
    return Ending(kept, sources, Shape.TRAILING_LINK, is_bare=bare)


def _opening(kept: list[Part]) -> Ending | None:
    """`> [t](u) The words`, `> [t](u): The words`, `> [The words.](u)`, and a first paragraph that is the link."""
    first = kept[0]
    flow = first.flow
    if len(kept) > 1 and _only_a_link(first):
        sources = attribution_sources(flow, first.start, first.end, bare=True)
        return Ending(kept[1:], sources, Shape.ATTRIBUTION)
    link = next(flow.links_within(first.start, first.start + 3), None)
    if link is None or not is_source(link) or is_profile(link.url) or link.kind is LinkKind.BARE:
        return None
    if flow.text[first.start : link.start].strip("*_"):
        return None
    if link.end >= first.end:
        return Ending(kept, [source_of(link)], Shape.TRAILING_LINK) if len(kept) == 1 else None
    begins = _BEGINS.match(flow.text, link.end, first.end)
    assert begins is not None  # it may be empty
    start = begins.end()
    if not begins[1] and not _begins_sentence(flow.text, link.end, start):
        return None
    words = flow.text[start : first.end]
    if weight(words) < _ENOUGH_WORDS or not (begins[1] or is_sentence(words.rstrip())):
        return None
    return Ending([Part(flow, start, first.end), *kept[1:]], [source_of(link)], Shape.ATTRIBUTION)


def _begins_sentence(text: str, end: int, start: int) -> bool:
    return "\n" in text[end:start] or (
        start > end and (text[start].isupper() or text[start] in OPENING)
    )


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
    label = vocabulary.ATTRIBUTION_LABEL.match(flow.text, start, end)
    if label is None or label[0].rstrip().endswith((":", "：")):
        return None if label is None else label.end()
    links = [link for link in flow.links_within(label.end(), end) if is_source(link)]
    if not links or not vocabulary.is_label(flow.text[label.end() : links[0].start]):
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
    beside = vocabulary.QUOTED_FROM.sub("", "".join(outside)).strip(" \t\n*_.()（）[]【】")
    if not re.search(r"\w", beside):
        return True
    named = _NAMED.fullmatch(beside)
    return named is not None and vocabulary.is_label(named[1])


def _attribution_start(part: Part, *, alone: bool) -> int | None:
    """Return where the attribution in the last paragraph of a quotation begins: a dash or a label at a line's start."""
    text = part.flow.text
    line = max(text.rfind("\n", part.start, part.end) + 1, part.start)
    if broken := part.flow.link_around(line, line):  # the text of a link goes over lines
        line = max(text.rfind("\n", part.start, broken.start) + 1, part.start)
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
    near = text[max(part.start, line - _NEAR) : line].rstrip()
    leads = (pattern.search(near) for pattern in (vocabulary.POINTS, vocabulary.LEADS_TO_LINK))
    if near.endswith((",", "，", "、")) or any(leads):
        return None  # The last of several links in a row, what is to be read, the sentence's next words.
    if _only_a_link(Part(part.flow, line, part.end)) and not _is_call(part.flow, line, part.end):
        return line
    return None


def _is_call(flow: Flow, start: int, end: int) -> bool:
    """Tell whether a line that is nothing but a link calls to do something: `[Join us](u)!`"""
    text = flow.text[start:end].strip(" \t\n*_")
    return text.endswith("!") or vocabulary.is_action(text)


def attribution_sources(flow: Flow, start: int, end: int, *, bare: bool = False) -> list[Source]:
    """Return the source that the attribution from *start* to *end* names; the best of several links.

    With *bare* the stretch stands by itself and is an attribution only if it has a dash, a label or nothing but a link.
    """
    text = flow.text[start:end]
    if len(text) > _ATTRIBUTION_LIMIT or vocabulary.THANKS.search(text):
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
        if not marked and (
            len(links) > 1 or vocabulary.is_aside(text) or _is_call(flow, start, end)
        ):
            return []
    return [source_of(_best(flow, links))]


def _best(flow: Flow, links: list[Link]) -> Link:
    """Of the links of an attribution, return the one that is the work and not its author or its platform."""
    for link in links:
        if flow.text[link.start : link.start + 1] in ("“", '"', "「", "『", "《", "«"):
            return link
        if flow.has_emphasis(link.start, link.end):
            return link
    works = [link for link in links if not is_profile(link.url)]
    return (works or links)[0]


def _trailing_link(part: Part) -> tuple[int, list[Source]] | None:
    """Return where the words end and the source, if the paragraph ends in a link that is no part of a sentence."""
    links = [link for link in part.flow.links_within(part.start, part.end) if is_source(link)]
    if not links:
        return None
    tail = vocabulary.QUOTED_FROM.sub("", part.flow.text[links[-1].end : part.end]).strip(
        " \t\n.。*_"
    )
    if tail in _BRACKETS:
        return _in_brackets(part, links, tail)
    return None if tail else _bare_trailing_link(part, links[-1])


def _in_brackets(part: Part, links: list[Link], tail: str) -> tuple[int, list[Source]] | None:
    """`The words ([t](u))`"""
    text = part.flow.text
    opening = text.rfind(_BRACKETS[tail], part.start, links[-1].start)
    if opening == -1 or part.start >= opening or _quotes_inside(part, opening):
        return None
    inside = [link for link in links if link.start > opening]
    if not vocabulary.is_label(text[opening + 1 : inside[0].start]):
        return None
    sources = sources_in_parentheses(part.flow, opening, inside[0])
    return None if only_profiles(sources) else (opening, sources)


def _bare_trailing_link(part: Part, link: Link) -> tuple[int, list[Source]] | None:
    """`The words – [t](u)`, `The words. [t](u)`"""
    flow = part.flow
    ahead = flow.text[part.start : link.start].rstrip()
    if not ahead or _quotes_inside(part, part.start + len(ahead)):
        return None
    label = _dash_before(ahead)
    if label is not None and ahead[:label].rstrip().endswith((":", "：")):
        return None  # A heading, and something to read.
    if label is not None:
        return part.start + label, [source_of(link)]
    named = flow.words(link.start, link.end)
    if ahead.endswith((":", "：")) or vocabulary.is_aside(named) or vocabulary.is_action(named):
        return None
    # `… used to be on https://…` is a sentence about the link.
    near = ahead[-_NEAR:]
    in_sentence = (
        link.kind is LinkKind.MARKDOWN or vocabulary.LEADS_TO_LINK.search(near) is not None
    )
    if in_sentence and not vocabulary.is_source_word(named) and not _SENTENCE_END.search(near):
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
    match = vocabulary.CREDIT_BEFORE_LINK.search(ahead, max(len(ahead) - _NEAR, 0))
    if match is None:
        return None
    return match.start() + (not ahead[match.start()].isspace())
