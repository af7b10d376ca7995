"""The edits that put a source's words in place of a quotation."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree, parse_blocks
from tracecite_lint.documents.markup.cost import TooCostlyError
from tracecite_lint.documents.markup.flow import Flow, LinkKind
from tracecite_lint.engine.trailing import without_trailing_clause
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Citation, Document, DocumentKind, Shape, Span, TextEdit
from tracecite_lint.naming.file_names import is_mdx
from tracecite_lint.text.lines import Lines

_CLOSING_MARKS = tuple("\"”“»«›‹’‘'」』")
_WORD = regex(r"\S+")
_SPECIAL = regex(r"[\\`*_\[\]<>~|&]")
_LINE_START = regex(r"\A(?:[#>+=-]|\d{1,9}(?=[.)]))")


def replacement(document: Document, citation: Citation, words: str) -> tuple[TextEdit, ...] | None:
    """Return the edits that put *words* in place of the quotation, or None where that would not be safe.

    Words that stay are not touched, so that their markup and line breaks stay too; what changes is escaped as the place
    asks for (Markdown, HTML, JSON). It is not safe where the changed words hold markup, where the quotation has several
    paragraphs, or where the document would then be read in another way: the changed document is read again to be sure.
    """
    plain = " ".join(words.split())
    if not _is_replaceable(citation, plain):
        return None
    if document.kind is not DocumentKind.MARKDOWN and words == without_trailing_clause(
        citation.quote
    ):
        return None  # there are no marks out of which the clause could be put
    if document.kind is DocumentKind.NOTES:
        return (TextEdit(citation.span, plain),)
    if document.kind is not DocumentKind.MARKDOWN:
        return (TextEdit(citation.span, _json_escaped(document, citation.span, plain)),)
    for edits in _markdown_edits(document, citation, plain):
        if _reads_as(document, citation, edits, plain):
            return edits
    return None


def replacements(
    document: Document, wanted: Sequence[tuple[Citation, str]]
) -> list[tuple[TextEdit, ...] | None]:
    """Return what `replacement` gives for each of *wanted*, citations with words, by reading the document twice at most.

    The edits are safe together, which those of `replacement` need not be. None where these readings do not show that: such
    a one has to be asked for alone.
    """
    found: list[tuple[TextEdit, ...] | None] = [None] * len(wanted)
    if document.kind is not DocumentKind.MARKDOWN:
        return found
    plain = [" ".join(words.split()) for _, words in wanted]
    ways = [
        [*_markdown_edits(document, citation, words)] if _is_replaceable(citation, words) else []
        for (citation, _), words in zip(wanted, plain, strict=True)
    ]
    for attempt in range(2):
        tried = [
            edits or (ways[number][attempt] if attempt < len(ways[number]) else None)
            for number, edits in enumerate(found)
        ]
        if tried != found:
            found = _confirmed(document, wanted, tried)
    return found


def _confirmed(
    document: Document,
    wanted: Sequence[tuple[Citation, str]],
    tried: Sequence[tuple[TextEdit, ...] | None],
) -> list[tuple[TextEdit, ...] | None]:
    """Return those edits that are *tried* after which, all made, the quotation is read with its new words."""
    lines = Lines(document.text)
    made: list[tuple[int, int, str]] = []
    kept: list[tuple[TextEdit, ...] | None] = []
    for edits in tried:
        places = [_offsets(lines, edit) for edit in edits or ()]
        is_free = all(_is_free(made, place) for place in places)
        kept.append(edits if is_free else None)
        for place in places if is_free else ():
            insort(made, place)
    read = _read_again(document, "".join(_rewritten(document.text, made)))
    for number, (citation, words) in enumerate(wanted):
        start = lines.offset(citation.span.line, citation.span.column)
        before = made[: bisect_left(made, (start,))]
        moved = start + sum(len(new) - (to - at) for at, to, new in before)
        if _reading(citation.source.uri, words) not in read.get(moved, ()):
            kept[number] = None
    return kept


def _is_replaceable(citation: Citation, words: str) -> bool:
    return bool(words) and len(citation.passages) == 1 and citation.shape is not Shape.TEXT_FRAGMENT


def _offsets(lines: Lines, edit: TextEdit) -> tuple[int, int, str]:
    span = edit.span
    start = lines.offset(span.line, span.column)
    return start, lines.offset(span.end_line, span.end_column), edit.new_text


def _is_free(made: Sequence[tuple[int, int, str]], place: tuple[int, int, str]) -> bool:
    """Tell whether *place* meets none of the changes *made*, which are in order and apart."""
    index = bisect_left(made, place)
    return all(
        end < place[0] or start > place[1] for start, end, _ in made[max(index - 1, 0) : index + 1]
    )


def _rewritten(text: str, made: Sequence[tuple[int, int, str]]) -> Iterator[str]:
    at = 0
    for start, end, new in made:
        yield text[at:start]
        yield new
        at = end
    yield text[at:]


def _reading(uri: str, words: str) -> tuple[str, str]:
    """Return what a quotation is recognised by after a change: its source, and its words in whichever marks."""
    return uri, " ".join(words.split()).replace('"', "'")


def _read_again(document: Document, text: str) -> dict[int, list[tuple[str, str]]]:
    """Return the quotations of the changed document, by where they start."""
    from tracecite_lint.documents.markdown import parse_markdown

    try:
        # Read with more shapes than it was, it could keep a source that the next run does not find.
        eager = any(item.shape is Shape.EAGER for item in document.citations)
        citations = parse_markdown(document.path, text, eager=eager).citations
    except TooCostlyError:
        return {}
    lines = Lines(text)
    found: dict[int, list[tuple[str, str]]] = {}
    for item in citations:
        if len(item.passages) == 1:
            start = lines.offset(item.span.line, item.span.column)
            words = item.passages[0].replace('"', "'")
            found.setdefault(start, []).append((item.source.uri, words))
    return found


def edited(text: str, edits: tuple[TextEdit, ...]) -> str:
    """Return *text* with *edits* made; they may not overlap."""
    lines = Lines(text)
    return "".join(_rewritten(text, sorted(_offsets(lines, edit) for edit in edits)))


def _json_escaped(document: Document, span: Span, words: str) -> str:
    """Return *words* as they stand inside a JSON string, in ASCII if the string that they replace is."""
    lines = Lines(document.text)
    old = document.text[
        lines.offset(span.line, span.column) : lines.offset(span.end_line, span.end_column)
    ]
    import json

    return json.dumps(words, ensure_ascii=old.isascii() and "\\u" in old)[1:-1]


@lru_cache(maxsize=2)
def _parsed(text: str, mdx: bool) -> tuple[Tree, dict[int, list[Block]]]:
    """The tree of the document whose quotations are being mended, and the blocks of text that each line is a part of."""
    tree = parse_blocks(text, mdx=mdx)
    by_line: dict[int, list[Block]] = {}
    for block in tree.blocks:
        if block.make_flow:
            for line in range(block.first_line, block.last_line + 1):
                by_line.setdefault(line, []).append(block)
    return tree, by_line


def _markdown_edits(
    document: Document, citation: Citation, words: str
) -> Iterator[tuple[TextEdit, ...]]:
    """Yield edits to try, the plainest first: nothing escaped, then everything that might be markup."""
    tree, by_line = _parsed(document.text, is_mdx(document.path))
    start = tree.lines.offset(citation.span.line, citation.span.column)
    end = tree.lines.offset(citation.span.end_line, citation.span.end_column)
    block = _block_at(by_line.get(tree.lines.number(start), ()), start)
    if block is None:
        return
    flow = block.flow
    first, last = _indices(flow, start, end)
    if words == " ".join(without_trailing_clause(citation.quote).split()):
        yield from _mark_moved(document.text, tree, flow, first, last)
        return
    changes = _changes(flow, first, last, words)
    if not changes or not all(_is_plain(flow, from_, to) for from_, to, _ in changes):
        return
    escapes = (_as_html,) if block.kind is BlockKind.HTML else (str, _as_markdown)
    for escape in escapes:
        yield tuple(
            TextEdit(
                tree.lines.span(*_place(flow, from_, to, first)),
                escape(_without_delimiter(flow, first, new)),
            )
            for from_, to, new in changes
        )


def _mark_moved(
    text: str, tree: Tree, flow: Flow, first: int, last: int
) -> Iterator[tuple[TextEdit, ...]]:
    """Yield the edits that put the closing mark before the clause at the quotation's end; none where it has no mark."""
    head = without_trailing_clause(flow.text[first:last])
    end = flow.places.end(last - 1)
    mark = text[end : end + 1]
    if not head or mark not in _CLOSING_MARKS:
        return
    at = flow.places.end(first + len(head) - 1)
    yield (
        TextEdit(tree.lines.span(at, at), mark),
        TextEdit(tree.lines.span(end, end + 1), ""),
    )


def _as_html(words: str) -> str:
    import html

    return html.escape(words, quote=False)


def _as_markdown(words: str) -> str:
    return _LINE_START.sub(r"\\\g<0>", _SPECIAL.sub(r"\\\g<0>", words))


def _place(flow: Flow, from_: int, to: int, first: int) -> tuple[int, int]:
    if from_ < to:
        return flow.source_range(from_, to)
    at = flow.places.end(from_ - 1) if from_ > first else flow.places.start(from_)
    return at, at


def _block_at(blocks: Iterable[Block], offset: int) -> Block | None:
    for block in blocks:
        flow = block.flow
        if (
            flow.text
            and flow.source_start <= offset <= flow.source_end
            and _starts_at(flow, offset)
        ):
            return block
    return None


def _starts_at(flow: Flow, offset: int) -> bool:
    index = _indices(flow, offset, offset)[0]
    return index < len(flow.text) and flow.places.start(index) == offset


def _indices(flow: Flow, start: int, end: int) -> tuple[int, int]:
    """Return the range in the flow's text of the document's range."""
    at = flow.places.start
    indices = range(len(flow.text))
    return bisect_left(indices, start, key=at), bisect_left(indices, end, key=at)


def _changes(flow: Flow, first: int, last: int, words: str) -> list[tuple[int, int, str]]:
    """Return the ranges of the words that change, each with what it changes to."""
    old = list(_WORD.finditer(flow.text, first, last))
    new = words.split()
    from difflib import SequenceMatcher  # for a fix alone

    matcher = SequenceMatcher(None, [match[0] for match in old], new, autojunk=False)
    return [
        _change(old, i, j, " ".join(new[k:m]), first)
        for operation, i, j, k, m in matcher.get_opcodes()
        if operation != "equal"
    ]


def _change(
    old: list[re.Match[str]], i: int, j: int, words: str, first: int
) -> tuple[int, int, str]:
    """Return the range for the old words from *i* to *j*; a word that goes takes the space on one of its sides along."""
    if i < j and words:
        return old[i].start(), old[j - 1].end(), words
    if i < j:
        if i:
            return old[i - 1].end(), old[j - 1].end(), ""
        return old[i].start(), old[j].start() if j < len(old) else old[j - 1].end(), ""
    if i:
        return old[i - 1].end(), old[i - 1].end(), f" {words}"
    return first, first, f"{words} "


def _is_plain(flow: Flow, start: int, end: int) -> bool:
    """Tell whether no markup stands among the characters of the range: they follow one another in the document."""
    for index in range(start + 1, end):
        breaks = flow.text[index] == "\n" or flow.text[index - 1] == "\n"
        if flow.places.start(index) != flow.places.end(index - 1) and not breaks:
            return False
    if any(start < mark.at < end for mark in (*flow.footnotes, *flow.tags, *flow.images)):
        return False
    return not any(
        link.kind in (LinkKind.BARE, LinkKind.AUTOLINK) and link.start < end and start < link.end
        for link in flow.links
    )


def _without_delimiter(flow: Flow, first: int, words: str) -> str:
    """Between straight marks a straight mark would end the quotation: a single one stands for it."""
    if first and flow.text[first - 1] == '"':
        return words.replace('"', "'")
    return words


def _reads_as(
    document: Document, citation: Citation, edits: tuple[TextEdit, ...], words: str
) -> bool:
    text = edited(document.text, edits)
    start = Lines(text).offset(citation.span.line, citation.span.column)
    return _reading(citation.source.uri, words) in _read_again(document, text).get(start, ())
