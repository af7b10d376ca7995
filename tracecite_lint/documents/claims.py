"""Linked claims: the sentences of a document that name a source, whether they quote it or not (docs/claims.md)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from tracecite_lint.documents.citing.links import Source, is_source, source_of
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.documents.markup.blocks import MAY_LINK, Block, BlockKind
from tracecite_lint.documents.markup.flow import AT, START, Flow, Link
from tracecite_lint.documents.markup.pairs import is_sentence, is_title, weight
from tracecite_lint.documents.vocabulary import is_source_word
from tracecite_lint.light.lazy import NamedTuple, regex
from tracecite_lint.model import Asks, Citation, LinkedClaim, Shape, SourceRef, Span

_MAY_CITE = (*MAY_LINK, regex("[【［¹²³⁰⁴-⁹]"))
"""What a block holds that has a source in it."""
_LEAST_WORDS = 3
"""Words beside its links that make a sentence say something; fewer are a title, an entry or a way to somewhere."""
_OPENING = regex(r"[ \t]{0,3}[(（\[]?")
_CLOSING = regex(r"[ \t]*[)）\],;]*[.。]?")
_LONGEST_TITLE = 20
_NEAR = 3
"""Characters between a full stop and a reference that belongs to the sentence before."""
_QUOTED = "“…”"
_LINKED = regex(r"!?\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])|https?://\S+|<[^>\n]*>")
_LINKED_SENTENCE = regex(r"[.!?。！？][\"”’*_]*\](?:\(|\[)")


class _Claim(NamedTuple):
    """A sentence with its sources; several stretches where it is the cells of a row."""

    parts: Sequence[tuple[Flow, int, int]]
    sources: Sequence[Source]
    is_title: bool = False
    """It is nothing but the title of what is linked."""


class Claims(NamedTuple):
    """The linked claims of a document, and what is asked of their sources: citations that quote nothing."""

    linked: tuple[LinkedClaim, ...]
    citations: tuple[Citation, ...]


NO_CLAIMS = Claims((), ())


def read_claims(reading: Reading, asked: Collection[str]) -> Claims:
    """Return the linked claims of a document whose quotations were read.

    *asked* is what is to be checked of them besides: `sources`, `figures` (with `years` or `dates`), `titles`.
    """
    found = list(_claims(reading, with_titles=bool(asked)))
    claims = [claim for claim in found if not claim.is_title]
    spans = [_span(claim, reading) for claim in claims]
    within, apart = _quoted(spans, reading.citations)
    linked = [
        LinkedClaim(
            _words(claim), span, tuple(source.uri for source in claim.sources), index in within
        )
        for index, (claim, span) in enumerate(zip(claims, spans, strict=True))
    ]
    citations: list[Citation] = []
    if "figures" in asked:
        citations += _figures(zip(claims, linked, strict=True), asked, reading)
    if "titles" in asked:
        citations += _titles(found, reading)
    if "sources" in asked:
        citations += _sources_alone(found, reading)
    return Claims(tuple(sorted([*linked, *apart], key=lambda item: item.span)), tuple(citations))


# ---- What is asked of them ------------------------------------------------------------------------------------------


def _figures(
    claims: Iterable[tuple[_Claim, LinkedClaim]], asked: Collection[str], reading: Reading
) -> Iterator[Citation]:
    from tracecite_lint.text.figures.claimed import figures_of  # not where nothing is asked

    asks = Asks.DATES if "dates" in asked else Asks.YEARS if "years" in asked else Asks.FIGURES
    for claim, linked in claims:
        if figures_of(linked.words):
            for source in claim.sources:
                yield _citation(linked.words, linked.span, source, asks, reading)


def _titles(found: Iterable[_Claim], reading: Reading) -> Iterator[Citation]:
    for claim in found:
        flow, start, end = claim.parts[0]
        if claim.is_title and end > start:
            yield _citation(
                flow.words(start, end), _span(claim, reading), claim.sources[0], Asks.TITLE, reading
            )


def _sources_alone(found: Iterable[_Claim], reading: Reading) -> Iterator[Citation]:
    """Yield the sources that no quotation of the document asks for, each once and where it is named first."""
    seen = {citation.source.uri for citation in reading.citations}
    for claim in found:
        for source in claim.sources:
            if source.uri not in seen:
                seen.add(source.uri)
                span = reading.tree.lines.span(source.start, source.end)
                yield _citation(source.title or source.uri, span, source, Asks.SOURCE, reading)


def _citation(words: str, span: Span, source: Source, asks: Asks, reading: Reading) -> Citation:
    return Citation(
        passages=(words,),
        span=span,
        source=SourceRef(
            source.uri, reading.tree.lines.span(source.start, source.end), source.title
        ),
        shape=Shape.CLAIM,
        asks=asks,
    )


# ---- Which stretches are claims -------------------------------------------------------------------------------------


def _claims(reading: Reading, *, with_titles: bool) -> Iterator[_Claim]:
    """Yield the sentences with a source, and if asked for the links that are nothing but a title."""
    for block in reading.tree.blocks:
        if block.kind is BlockKind.ROW:
            yield from _of_row(block, reading)
        elif (
            block.kind is BlockKind.PARAGRAPH
            and _may_claim(block, reading)
            and (with_titles or _has_words(block, reading))
        ):
            if _is_entry(block, reading):
                yield from _linked_titles(block.flow, 0, len(block.flow.text))
            else:
                yield from _of_text(block.flow, reading)


def _may_claim(block: Block, reading: Reading) -> bool:
    return id(block) not in reading.taken and block.holds(_MAY_CITE)


def _has_words(block: Block, reading: Reading) -> bool:
    """Tell whether there may be words beside the links of a paragraph: lists of links are long, and say nothing."""
    raw = block.raw
    return weight(_LINKED.sub(" ", raw)) >= _LEAST_WORDS or _LINKED_SENTENCE.search(raw) is not None


def _is_entry(block: Block, reading: Reading) -> bool:
    """Tell whether a paragraph is an entry of a list of works, or a footnote."""
    references = reading.references
    return (
        references.is_listed(block)
        or block.within(BlockKind.FOOTNOTE) is not None
        or references.lists.is_entry(block.flow)
        or (block.within(BlockKind.ITEM) is not None and _names_a_work(block.flow))
    )


def _names_a_work(flow: Flow) -> bool:
    """Tell whether an item is the title of a work with its link: `Title (2601.03986)`, `Author, “Title”: https://…`."""
    links = [link for link in flow.links if is_source(link)]
    if len(links) != 1:
        return False
    (link,) = links
    before, behind = flow.text[: link.start].rstrip(), flow.text[link.end :].strip(" \t.)）")
    if behind or is_sentence(before):
        return False
    return is_title(before.rstrip(" (（"), _LONGEST_TITLE) or (
        link.is_address and before.endswith((":", "：", "—", "–", "-"))
    )


def _of_text(flow: Flow, reading: Reading) -> Iterator[_Claim]:
    """Yield the sentences with a source; one that is nothing but a source belongs to the sentence before, if that has none."""
    places = _source_places(flow, reading)
    before: tuple[int, int] | None = None
    for start, end in _sentences(flow, places, reading):
        sources = _sources(flow, start, end, reading) if _lies_in(places, start, end) else []
        if not sources:
            before = start, end
            continue
        if _says_something(flow, start, end, reading):
            yield _Claim([(flow, *flow.trimmed(start, end))], sources)
        elif before is not None and _says_something(flow, *before, reading):
            yield _Claim([(flow, *flow.trimmed(before[0], end))], sources)
        else:
            yield from _linked_titles(flow, start, end)
        before = None


def _source_places(flow: Flow, reading: Reading) -> list[int]:
    """Return where in a text a source may begin."""
    marks = [mark.start for mark in reading.references.lists.marks(flow)]
    links = [link.start for link in flow.links if is_source(link)]
    return sorted([*links, *marks, *(mark.at for mark in flow.footnotes)])


def _lies_in(places: Sequence[int], start: int, end: int) -> bool:
    """Tell whether one of *places* lies in the range; a footnote's mark stands at its very end."""
    index = bisect_left(places, start)
    return index < len(places) and places[index] <= end


def _sentences(flow: Flow, places: Sequence[int], reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a text up to the last of *places*, those of sources.

    References right behind a full stop belong to the sentence before them.
    """
    at = 0
    while places and at < len(flow.text) and at <= places[-1]:
        end = flow.sentence(at, at + 1)[1]
        while (inner := _end_around(flow, end)) > end:
            end = max(inner, flow.sentence(inner - 1, inner)[1])
        following = bisect_left(places, end)
        if following < len(places) and places[following] - end <= _NEAR:
            end = _behind_references(flow, end, reading)
        start, stop = flow.trimmed(at, end)
        if start < stop:
            yield start, end
        at = max(end, at + 1)


def _end_around(flow: Flow, at: int) -> int:
    """Return the end of the link or the quotation that *at* lies in, or *at*: a full stop in it ends no sentence around it."""
    link = flow.link_around(at, at + 1) if at < len(flow.text) else None
    if link is not None and link.start < at:
        return link.end
    pairs = flow.pairs()
    index = bisect_left(pairs, at, key=lambda pair: pair.end)
    inside = index < len(pairs) and pairs[index].start < at < pairs[index].end
    return pairs[index].end if inside else at


def _behind_references(flow: Flow, at: int, reading: Reading) -> int:
    """Return the place behind the references that begin at *at*: `[1]`, a footnote, `([source](u))`."""
    while True:
        opening = _OPENING.match(flow.text, at)
        begin = opening.end() if opening else at
        end = max(_reference_at(flow, place, reading) for place in range(at, begin + 1))
        if end <= at:
            return at
        closing = _CLOSING.match(flow.text, end) if begin > at else None
        at = closing.end() if closing else end


def _reference_at(flow: Flow, at: int, reading: Reading) -> int:
    """Return the end of the reference that begins at *at*, or -1."""
    marks = reading.references.lists.marks(flow)
    index = bisect_left(marks, at, key=START)
    if index < len(marks) and marks[index].start == at and marks[index].sources:
        return marks[index].end
    note = bisect_left(flow.footnotes, at, key=AT)
    if note < len(flow.footnotes) and flow.footnotes[note].at == at:
        # A footnote's mark has no text of its own.
        return at + 1 if at < len(flow.text) and flow.text[at].isspace() else at
    link = flow.link_around(at, at + 1) if at < len(flow.text) else None
    if link is None or link.start != at or not is_source(link):
        return -1
    in_brackets = flow.text[at - 1 : at] in ("(", "（", "[")
    return link.end if in_brackets or _only_names_a_source(flow, link) else -1


def _says_something(flow: Flow, start: int, end: int, reading: Reading) -> bool:
    """Tell whether a sentence has words of its own beside its links, or a link that is a sentence."""
    links = [link for link in flow.links_within(start, end) if is_source(link)]
    if any(is_sentence(flow.words(link.start, link.end)) for link in links if not link.is_address):
        return True
    gaps = [(link.start, link.end) for link in links]
    marks = reading.references.lists.marks(flow)
    first_mark, last_mark = (bisect_left(marks, place, key=START) for place in (start, end))
    gaps += [(mark.start, mark.end) for mark in marks[first_mark:last_mark]]
    at, words = start, 0.0
    for first, last in sorted(gaps):
        words += weight(flow.text[at:first]) if first > at else 0
        at = max(at, last)
    return words + weight(flow.text[at:end]) >= _LEAST_WORDS


def _linked_titles(flow: Flow, start: int, end: int) -> Iterator[_Claim]:
    for link in flow.links_within(start, end):
        if is_source(link):
            is_title = not _only_names_a_source(flow, link)
            place = (flow, link.start, link.end if is_title else link.start)
            yield _Claim([place], [source_of(link)], is_title=True)


def _only_names_a_source(flow: Flow, link: Link) -> bool:
    return is_source(link) and (link.is_address or is_source_word(flow.text[link.start : link.end]))


def _of_row(row: Block, reading: Reading) -> Iterator[_Claim]:
    """Yield the claims of a row: of its cells together where one of them is nothing but the source, else of each."""
    cells = [cell for cell in row.children if cell.kind is BlockKind.CELL]
    if not cells or row.index == 0 or not cells[0].holds(_MAY_CITE):
        return
    beside: list[tuple[Flow, int, int]] = []
    sources: list[Source] = []
    for cell in cells:
        flow = cell.flow
        start, end = flow.trimmed(0, len(flow.text))
        found = _sources(flow, start, end, reading)
        if found and not _says_something(flow, start, end, reading):
            sources += found
        elif start < end:
            beside.append((flow, start, end))
    if not beside or not sources:
        for cell in cells:
            if id(cell) not in reading.taken:
                yield from _of_text(cell.flow, reading)
        return
    words = " ".join(flow.words(start, end) for flow, start, end in beside)
    if weight(words) >= _LEAST_WORDS or any(map(str.isdigit, words)):
        yield _Claim(beside, sources)


def _sources(flow: Flow, start: int, end: int, reading: Reading) -> list[Source]:
    """Return the sources that stand in a stretch, each once: links, footnotes and numbers."""
    links = [source_of(link) for link in flow.links_within(start, end) if is_source(link)]
    found = [*links, *reading.references.in_range(flow, start, end)]
    return list({source.uri: source for source in reversed(found)}.values())[::-1]


# ---- Their places and words -----------------------------------------------------------------------------------------


def _span(claim: _Claim, reading: Reading) -> Span:
    flow, start, end = claim.parts[0]
    last, begin, stop = claim.parts[-1]
    if start == end:
        return reading.tree.lines.span(claim.sources[0].start, claim.sources[0].end)
    return reading.tree.lines.span(
        flow.source_range(start, end)[0], last.source_range(begin, stop)[1]
    )


def _words(claim: _Claim) -> str:
    """Return the words of a claim as a reader sees them, without what is quoted."""
    return " | ".join(_plain(flow, start, end) for flow, start, end in claim.parts)


def _plain(flow: Flow, start: int, end: int) -> str:
    pieces, at = [], start
    pairs = flow.pairs()
    for index in range(bisect_left(pairs, start, key=START), len(pairs)):
        pair = pairs[index]
        if pair.end > end:
            break
        pieces += [flow.text[at : pair.start], _QUOTED]
        at = pair.end
    pieces.append(flow.text[at:end])
    return " ".join("".join(pieces).split())


def _quoted(
    spans: Sequence[Span], citations: Iterable[Citation]
) -> tuple[frozenset[int], list[LinkedClaim]]:
    """Return which of the sentences at *spans* hold a quotation or its source, and the quotations that stand in none.

    Such a one, a blockquote with its attribution, is a claim of its own.
    """
    order = sorted(range(len(spans)), key=lambda index: spans[index])
    starts = [_start(spans[index]) for index in order]
    within: set[int] = set()
    apart: dict[Span, tuple[str, list[str]]] = {}
    for citation in citations:
        places = [citation.span, *filter(None, [citation.source.span])]
        indexes = [(bisect_right(starts, _start(place)) - 1, place) for place in places]
        held = {
            order[index]
            for index, place in indexes
            if index >= 0 and _start(place) < _end(spans[order[index]])
        }
        within |= held
        if not held:
            apart.setdefault(citation.span, (citation.quote, []))[1].append(citation.source.uri)
    alone = [LinkedClaim(words, span, tuple(uris), True) for span, (words, uris) in apart.items()]
    return frozenset(within), alone


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column
