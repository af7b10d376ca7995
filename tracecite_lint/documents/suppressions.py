"""Suppression comments: which findings a document silences, on which lines (docs/suppressions.md)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.lines import Lines
from tracecite_lint.model import Diagnostic, Suppression
from tracecite_lint.rules import rule_for, similar_codes

_PREFIX = "tracecite-"
_KINDS = ("disable-next-line", "disable-line", "disable-file", "disable", "enable")
_HTML = re.compile(r"<!--\s{0,100}(?=tracecite-)")
_JSX = re.compile(r"\{\s{0,20}/\*+\s{0,20}(?=tracecite-)")
_JSX_END = re.compile(r"\*/\s*\}?")
_DEFINITION = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(?P<all>\[//\]:[ \t]*(?:#|<#?>)[ \t]*[(\"'][ \t]*(?P<text>tracecite-.*)[)\"'])[ \t]*"
)
_NOTE = re.compile(r"[ \t]*#+[ \t]*(?=tracecite-)")
_REASON = re.compile(r"\s--+\s")
_SEPARATOR = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment that begins with `tracecite-`: its text, its range, and what surrounds it."""

    text: str
    start: int
    end: int


Found = tuple[tuple[Suppression, ...], tuple[Diagnostic, ...]]


def markdown_suppressions(tree: Tree, *, mdx: bool) -> Found:
    """Return the suppressions of a Markdown document and what is wrong with its suppression comments.

    A comment is `<!-- … -->`, in MDX also `{/* … */}`, or a link definition that nobody sees: `[//]: # (…)`. In code it is
    an example, not a comment.
    """
    comments = _comments(tree.lines, mdx=mdx)
    if not comments:
        return (), ()
    code = _code_ranges(tree)
    comments = [comment for comment in comments if not _is_in(code, comment.start)]
    quoted = sorted(
        (block.first_line, block.last_line)
        for block in tree.root.walk()
        if block.kind is BlockKind.BLOCKQUOTE
    )
    return _Reader(tree.lines, quoted).read(comments)


def note_suppressions(lines: Lines) -> Found:
    """Return the suppressions in the `#` comments of citation notes; the next line there is the next record."""
    comments = []
    for number in range(1, len(lines) + 1):
        match = _NOTE.match(lines.line(number))
        if match is not None:
            start = lines.start(number)
            comments.append(
                _Comment(lines.line(number)[match.end() :], start + match.end(), lines.end(number))
            )
    return _Reader(lines, _records(lines), comment="#").read(comments)


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


def _comments(lines: Lines, *, mdx: bool) -> list[_Comment]:
    found = list(_delimited(lines.text, _HTML, re.compile("-->")))
    if mdx:
        found.extend(_delimited(lines.text, _JSX, _JSX_END))
    for number in range(1, len(lines) + 1) if _PREFIX in lines.text else ():
        match = _DEFINITION.fullmatch(lines.line(number))
        if match is not None:
            start = lines.start(number)
            found.append(
                _Comment(
                    match["text"].strip(), start + match.start("all"), start + match.end("all")
                )
            )
    return sorted(found, key=lambda comment: comment.start)


def _delimited(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[_Comment]:
    for match in opening.finditer(text):
        end = closing.search(text, match.end())
        if end is None:
            return
        yield _Comment(text[match.end() : end.start()].strip(), match.start(), end.end())


def _code_ranges(tree: Tree) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    lines = tree.lines
    for block in tree.root.walk():
        if block.kind is BlockKind.CODE:
            ranges.append(
                (lines.start(block.first_line), lines.end(min(block.last_line, len(lines))))
            )
        ranges.extend(_inline_code(block))
    return sorted(ranges)


def _inline_code(block: Block) -> Iterable[tuple[int, int]]:
    flow = block.flow
    return (flow.source_range(start, end) for start, end in flow.codes if end > start)


def _is_in(ranges: Sequence[tuple[int, int]], at: int) -> bool:
    index = bisect_right(ranges, (at, len(ranges) and ranges[-1][1] + 1)) - 1
    return index >= 0 and ranges[index][0] <= at < ranges[index][1]


class _Reader:
    """Turns comments into suppressions; `disable` stays open until `enable` or the end of the document."""

    def __init__(
        self, lines: Lines, groups: Sequence[tuple[int, int]], *, comment: str = ""
    ) -> None:
        self._lines = lines
        self._comment = comment
        """What begins a line that is no text."""
        self._groups = groups
        """The first and last lines of what `disable-next-line` silences as one: blockquotes, records of notes."""
        self._open: list[tuple[tuple[str, ...], _Comment, str]] = []
        self._suppressions: list[Suppression] = []
        self._diagnostics: list[Diagnostic] = []

    def read(self, comments: Iterable[_Comment]) -> Found:
        """Return the suppressions that *comments* are, and findings on those that are none."""
        for comment in comments:
            self._take(comment)
        for codes, comment, reason in self._open:
            self._add(codes, comment, reason, self._line(comment.start), len(self._lines))
        key = lambda item: item.span  # noqa: E731
        return tuple(sorted(self._suppressions, key=key)), tuple(self._diagnostics)

    def _take(self, comment: _Comment) -> None:
        parts = _REASON.split(comment.text, maxsplit=1)
        name, *codes_written = _SEPARATOR.split(parts[0].strip())
        kind = name.removeprefix(_PREFIX)
        if kind not in _KINDS:
            known = ", ".join(_PREFIX + kind for kind in _KINDS)
            self._report(
                comment,
                "MALFORMED_SUPPRESSION",
                f"{name!r} is no suppression: write one of {known}",
            )
            return
        codes = self._codes(comment, codes_written)
        if codes is None:
            return
        reason = parts[1].strip() if len(parts) > 1 else ""
        first, last = self._line(comment.start), self._line(max(comment.end - 1, comment.start))
        if kind == "disable":
            self._open.append((codes, comment, reason))
        elif kind == "enable":
            self._enable(codes, comment)
        elif kind == "disable-file":
            self._add(codes, comment, reason, 1, len(self._lines))
        elif kind == "disable-line":
            self._add(codes, comment, reason, first, last)
        else:
            self._add(codes, comment, reason, last + 1, self._next_line(last))

    def _codes(self, comment: _Comment, written: list[str]) -> tuple[str, ...] | None:
        """Return the codes that were *written* (none: all codes), or None if none of them exists."""
        names = [name for name in written if name]
        known = tuple(name for name in names if rule_for(name) is not None)
        for name in names:
            if name not in known:
                similar = similar_codes(name)
                hint = f"; did you mean {similar[0]}?" if similar else ""
                self._report(comment, "UNKNOWN_SUPPRESSION_CODE", f"{name!r} is no code{hint}")
        return known if known or not names else None

    def _enable(self, codes: tuple[str, ...], comment: _Comment) -> None:
        """End what is disabled: with codes these, without codes everything."""
        if not self._open:
            self._report(
                comment, "MALFORMED_SUPPRESSION", "there is nothing disabled here to enable"
            )
            return
        last = self._line(comment.start)
        still: list[tuple[tuple[str, ...], _Comment, str]] = []
        for opened, start, reason in self._open:
            ended = opened if not codes else tuple(code for code in opened if code in codes)
            if not codes or not opened or ended:
                self._add(ended or codes, start, reason, self._line(start.start), last)
            kept = tuple(code for code in opened if code not in ended)
            if codes and kept:
                still.append((kept, start, reason))
        self._open = still

    def _next_line(self, last: int) -> int:
        """Return the last line that a comment for the next line silences.

        That is the next line with text on it; of a blockquote (or a record of notes) that begins there, its last line,
        because its first line may be a title.
        """
        number = last + 1
        while number < len(self._lines) and self._is_passed_over(number):
            number += 1
        index = bisect_left(self._groups, (number, 0))
        if index < len(self._groups) and self._groups[index][0] == number:
            return self._groups[index][1]
        return number

    def _is_passed_over(self, number: int) -> bool:
        line = self._lines.line(number).strip(" \t>")
        return not line or (self._comment == "#" and line.startswith("#"))

    def _line(self, offset: int) -> int:
        return self._lines.number(offset)

    def _add(
        self, codes: tuple[str, ...], comment: _Comment, reason: str, first: int, last: int
    ) -> None:
        span = self._lines.span(comment.start, comment.end)
        self._suppressions.append(Suppression(codes, first, last, span, reason))

    def _report(self, comment: _Comment, code: str, message: str) -> None:
        span = self._lines.span(comment.start, comment.end)
        self._diagnostics.append(Diagnostic(code=code, message=message, span=span))
