"""Suppression comments: which findings a document silences, on which lines (docs/suppressions.md)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tracecite_lint.documents.markup.blocks import Block, BlockKind, Tree
from tracecite_lint.documents.markup.lines import Lines
from tracecite_lint.lazy import dataclass, regex
from tracecite_lint.model import Diagnostic, Suppression
from tracecite_lint.rules import rule_for, similar_codes

_PREFIX = "tracecite-"
_KINDS = ("disable-next-line", "disable-line", "disable-file", "disable", "enable")
_HTML = regex(r"<!--\s{0,100}(?=tracecite-)")
_HTML_END = regex("-->")
_JSX = regex(r"\{\s{0,20}/\*+\s{0,20}(?=tracecite-)")
_JSX_END = regex(r"\*/\s*\}?")
_DEFINITION = regex(
    r"[ \t>]*(?:[-*+][ \t]+)?(?P<all>\[//\]:[ \t]*(?:#|<#?>)[ \t]*[(\"'][ \t]*(?P<text>tracecite-.*)[)\"'])[ \t]*"
)
_NOTE = regex(r"[ \t]*#+[ \t]*(?=tracecite-)")
_REASON = regex(r"\s--+\s")
_MOST_HINTS = 20
_SEPARATOR = regex(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment that begins with `tracecite-`: its text, its range, and what surrounds it."""

    text: str
    start: int
    end: int


_Ranges = Sequence[tuple[int, int]]
Found = tuple[tuple[Suppression, ...], tuple[Diagnostic, ...]]


def markdown_suppressions(tree: Tree, *, mdx: bool) -> Found:
    """Return the suppressions of a Markdown document and what is wrong with its suppression comments.

    A comment is `<!-- … -->`, in MDX also `{/* … */}`, or a link definition that nobody sees: `[//]: # (…)`. In code it is
    an example, not a comment.
    """
    if _PREFIX not in tree.lines.text:
        return (), ()
    comments = _comments(tree.lines, _code_ranges(tree), mdx=mdx)
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


def _comments(lines: Lines, code: _Ranges, *, mdx: bool) -> list[_Comment]:
    found = list(_delimited(lines.text, _HTML, _HTML_END, code))
    if mdx:
        found.extend(_delimited(lines.text, _JSX, _JSX_END, code))
    for number in range(1, len(lines) + 1):
        match = _DEFINITION.fullmatch(lines.line(number))
        if match is not None:
            start = lines.start(number)
            if _is_in(code, start + match.start("all")):
                continue
            found.append(
                _Comment(
                    match["text"].strip(), start + match.start("all"), start + match.end("all")
                )
            )
    return sorted(found, key=lambda comment: comment.start)


def _delimited(
    text: str, opening: re.Pattern[str], closing: re.Pattern[str], code: _Ranges
) -> Iterator[_Comment]:
    at = 0
    for match in opening.finditer(text):
        if match.start() < at or _is_in(code, match.start()):
            continue  # Comments do not stand in one another.
        end = closing.search(text, match.end())
        if end is None:
            return
        yield _Comment(text[match.end() : end.start()].strip(), match.start(), end.end())
        at = end.end()


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


def _is_in(ranges: _Ranges, at: int) -> bool:
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
        self._open: dict[int, tuple[tuple[str, ...], _Comment, str]] = {}
        self._opened_for: defaultdict[str, set[int]] = defaultdict(set)
        """By code (empty: all codes), the comments of `_open` that disable it."""
        self._suppressions: list[Suppression] = []
        self._diagnostics: list[Diagnostic] = []
        self._hints = 0
        self._texts: list[int] = []

    def read(self, comments: Iterable[_Comment]) -> Found:
        """Return the suppressions that *comments* are, and findings on those that are none."""
        for comment in comments:
            self._take(comment)
        for _, (codes, comment, reason) in sorted(self._open.items()):
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
            self._open[comment.start] = codes, comment, reason
            for code in codes or ("",):
                self._opened_for[code].add(comment.start)
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
        known = tuple(dict.fromkeys(name for name in names if rule_for(name) is not None))
        for name in names:
            if name not in known:
                # Hints for a mistake or two: to look for them takes long.
                self._hints += 1
                similar = similar_codes(name) if self._hints <= _MOST_HINTS else []
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
        # What stays open is not looked at: there may be as much of it as there are comments.
        ending = set() if codes else set(self._open)
        for code in ("", *codes) if codes else tuple(self._opened_for):
            ending |= self._opened_for.pop(code, set())
        for at in sorted(ending):
            opened, start, reason = self._open.pop(at)
            ended = opened if not codes else tuple(code for code in opened if code in codes)
            self._add(ended or codes, start, reason, self._line(start.start), last)
            kept = tuple(code for code in opened if code not in ended)
            if codes and kept:
                self._open[at] = kept, start, reason

    def _next_line(self, last: int) -> int:
        """Return the last line that a comment for the next line silences.

        That is the next line with text on it; of a blockquote (or a record of notes) that begins there, its last line,
        because its first line may be a title.
        """
        if not self._texts:
            self._texts = [
                number
                for number in range(1, len(self._lines) + 1)
                if number == len(self._lines) or not self._is_passed_over(number)
            ]
        place = bisect_right(self._texts, last)
        number = self._texts[place] if place < len(self._texts) else last + 1
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
