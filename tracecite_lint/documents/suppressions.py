"""Suppression comments: which findings a document silences, on which lines (docs/suppressions.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracecite_lint.documents.markup.blocks import BlockKind, Tree
from tracecite_lint.documents.markup.flow import Ranges
from tracecite_lint.light.lazy import regex
from tracecite_lint.rules.suppressions import Comment, CommentReader, Found
from tracecite_lint.text.lines import Lines

_HTML = regex(r"<!--\s{0,100}(?=tracecite-)")
_HTML_END = regex("-->")
_JSX = regex(r"\{\s{0,20}/\*+\s{0,20}(?=tracecite-)")
_JSX_END = regex(r"\*/\s*\}?")
_DEFINITION = regex(
    r"[ \t>]*(?:[-*+][ \t]+)?(?P<all>\[//\]:[ \t]*(?:#|<#?>)[ \t]*[(\"'][ \t]*(?P<text>tracecite-.*)[)\"'])[ \t]*"
)
_NOTE = regex(r"[ \t]*#+[ \t]*(?=tracecite-)")


def markdown_suppressions(tree: Tree, *, mdx: bool) -> Found:
    """Return the suppressions of a Markdown document and what is wrong with its suppression comments.

    A comment is `<!-- … -->`, in MDX also `{/* … */}`, or a link definition that nobody sees: `[//]: # (…)`. In code it is
    an example, not a comment.
    """
    comments = _comments(tree.lines, _code_ranges(tree), mdx=mdx)
    quoted = sorted(
        (block.first_line, block.last_line)
        for block in tree.blocks
        if block.kind is BlockKind.BLOCKQUOTE
    )
    return CommentReader(tree.lines, quoted).read(comments)


def note_suppressions(lines: Lines) -> Found:
    """Return the suppressions in the `#` comments of citation notes; the next line there is the next record."""
    comments = []
    for number in range(1, len(lines) + 1):
        match = _NOTE.match(lines.line(number))
        if match is not None:
            start = lines.start(number) + match.end()
            comments.append(Comment(match.string[match.end() :], start, lines.end(number)))
    return CommentReader(lines, _records(lines), comment="#").read(comments)


def _records(lines: Lines) -> list[tuple[int, int]]:
    """Return the first and last line of each record: a run of lines without a blank one, comments before it left out."""
    found: list[tuple[int, int]] = []
    first = 0
    for number in range(1, len(lines) + 2):
        line = lines.line(number).strip()
        if line.startswith("#"):
            continue
        if line and line != "---":
            first = first or number
        elif first:
            found.append((first, number - 1))
            first = 0
    return found


def _comments(lines: Lines, code: Ranges, *, mdx: bool) -> list[Comment]:
    found = list(_delimited(lines.text, _HTML, _HTML_END, code))
    if mdx:
        found.extend(_delimited(lines.text, _JSX, _JSX_END, code))
    for number in range(1, len(lines) + 1):
        match = _DEFINITION.fullmatch(lines.line(number))
        start = lines.start(number)
        if match is not None and not code.hold(
            start + match.start("all"), start + match.end("all")
        ):
            place = start + match.start("all"), start + match.end("all")
            found.append(Comment(match["text"].strip(), *place))
    return sorted(found, key=lambda comment: comment.start)


def _delimited(
    text: str, opening: re.Pattern[str], closing: re.Pattern[str], code: Ranges
) -> Iterator[Comment]:
    at = 0
    for match in opening.finditer(text):
        if match.start() < at or code.hold(*match.span()):
            continue  # Comments do not stand in one another.
        end = closing.search(text, match.end())
        if end is None:
            return
        yield Comment(text[match.end() : end.start()].strip(), match.start(), end.end())
        at = end.end()


def _code_ranges(tree: Tree) -> Ranges:
    ranges: list[tuple[int, int]] = []
    lines = tree.lines
    for block in tree.blocks:
        if block.kind is BlockKind.CODE:
            end = lines.end(min(block.last_line, len(lines)))
            ranges.append((lines.start(block.first_line), end))
        codes = block.flow.codes
        ranges.extend(block.flow.source_range(*code) for code in codes if code[1] > code[0])
    return Ranges(ranges)
