"""The edits that put a source's words in place of a quotation."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree, parse_blocks
from tracecite_lint.documents.markup.cost import TooCostlyError
from tracecite_lint.documents.markup.flow import Flow, LinkKind
from tracecite_lint.lazy import regex
from tracecite_lint.lines import Lines
from tracecite_lint.model import Citation, Document, DocumentKind, Shape, Span, TextEdit
from tracecite_lint.naming.file_names import is_mdx

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
    if not plain or len(citation.passages) != 1 or citation.shape is Shape.TEXT_FRAGMENT:
        return None
    if document.kind is DocumentKind.NOTES:
        return (TextEdit(citation.span, plain),)
    if document.kind is not DocumentKind.MARKDOWN:
        return (TextEdit(citation.span, _json_escaped(document, citation.span, plain)),)
    for edits in _markdown_edits(document, citation, plain):
        if _reads_as(document, citation, edits, plain):
            return edits
    return None


def edited(text: str, edits: tuple[TextEdit, ...]) -> str:
    """Return *text* with *edits* made; they may not overlap."""
    lines = Lines(text)
    pieces: list[str] = []
    at = 0
    ordered = sorted(edits, key=lambda item: item.span, reverse=True)
    for edit in reversed(ordered):
        start = lines.offset(edit.span.line, edit.span.column)
        pieces += text[at:start], edit.new_text
        at = lines.offset(edit.span.end_line, edit.span.end_column)
    return "".join((*pieces, text[at:]))


def _json_escaped(document: Document, span: Span, words: str) -> str:
    """Return *words* as they stand inside a JSON string, in ASCII if the string that they replace is."""
    lines = Lines(document.text)
    old = document.text[
        lines.offset(span.line, span.column) : lines.offset(span.end_line, span.end_column)
    ]
    import json

    return json.dumps(words, ensure_ascii=old.isascii() and "\\u" in old)[1:-1]


@lru_cache(maxsize=2)
def _parsed(text: str, mdx: bool) -> Tree:
    """The tree of the document whose quotations are being mended, one after another."""
    return parse_blocks(text, mdx=mdx)


def _markdown_edits(
    document: Document, citation: Citation, words: str
) -> Iterator[tuple[TextEdit, ...]]:
    """Yield edits to try, the plainest first: nothing escaped, then everything that might be markup."""
    tree = _parsed(document.text, is_mdx(document.path))
    start = tree.lines.offset(citation.span.line, citation.span.column)
    end = tree.lines.offset(citation.span.end_line, citation.span.end_column)
    block = _block_at(tree, start)
    if block is None:
        return
    flow = block.flow
    first, last = _indices(flow, start, end)
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


def _block_at(tree: Tree, offset: int) -> Block | None:
    line = tree.lines.number(offset)
    for block in tree.root.walk():
        if not block.make_flow or not block.first_line <= line <= block.last_line:
            continue
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
    from tracecite_lint.documents.markdown import parse_markdown

    try:
        citations = parse_markdown(
            document.path, edited(document.text, edits), eager=True
        ).citations
    except TooCostlyError:
        return False
    wanted = words.replace('"', "'")
    start = (citation.span.line, citation.span.column)
    return any(
        (item.span.line, item.span.column) == start
        and item.source.uri == citation.source.uri
        and len(item.passages) == 1
        and item.passages[0].replace('"', "'") == wanted
        for item in citations
    )
