"""Suppression comments: their words, and which lines they silence for which codes (docs/suppressions.md)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Diagnostic, Suppression
from tracecite_lint.rules import RULES, rule_for, similar_codes
from tracecite_lint.rules.silenced import ANY_CODE, PREFIX
from tracecite_lint.text.lines import Lines

_KINDS = ("disable-next-line", "disable-line", "disable-file", "disable", "enable")
_REASON = regex(r"\s--+\s")
_MOST_HINTS = 20
_SEPARATOR = regex(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that begins with `tracecite-`: its text, its range, and what surrounds it."""

    text: str
    start: int
    end: int


Found = tuple[tuple[Suppression, ...], tuple[Diagnostic, ...]]


class CommentReader:
    """Turns comments into suppressions; `disable` stays open until `enable` or the end of the document."""

    def __init__(
        self, lines: Lines, groups: Sequence[tuple[int, int]], *, comment: str = ""
    ) -> None:
        self._lines = lines
        self._comment = comment
        """What begins a line that is no text."""
        self._groups = groups
        """The first and last lines of what `disable-next-line` silences as one: blockquotes, records of notes."""
        self._open: dict[str, tuple[Comment, str]] = {}
        """By code (or ANY_CODE), the first comment that disables it, and its reason."""
        self._suppressions: list[Suppression] = []
        self._diagnostics: list[Diagnostic] = []
        self._hints = 0
        self._texts: list[int] = []

    def read(self, comments: Iterable[Comment]) -> Found:
        """Return the suppressions that *comments* are, and findings on those that are none."""
        for comment in comments:
            self._take(comment)
        self._end(tuple(self._open), len(self._lines))
        key = lambda item: item.span  # noqa: E731
        return tuple(sorted(self._suppressions, key=key)), tuple(self._diagnostics)

    def _take(self, comment: Comment) -> None:
        parts = _REASON.split(comment.text, maxsplit=1)
        name, *codes_written = _SEPARATOR.split(parts[0].strip())
        kind = name.removeprefix(PREFIX)
        if kind not in _KINDS:
            known = ", ".join(PREFIX + kind for kind in _KINDS)
            message = f"{name!r} is no suppression: write one of {known}"
            self._report(comment, "MALFORMED_SUPPRESSION", message)
            return
        codes = self._codes(comment, codes_written)
        if codes is None:
            return
        reason = parts[1].strip() if len(parts) > 1 else ""
        first = self._lines.number(comment.start)
        last = self._lines.number(max(comment.end - 1, comment.start))
        if kind == "disable":
            for code in codes or (ANY_CODE,):
                self._open.setdefault(code, (comment, reason))
        elif kind == "enable":
            self._enable(codes, comment)
        elif kind == "disable-file":
            self._add(codes, comment, reason, 1, len(self._lines))
        elif kind == "disable-line":
            self._add(codes, comment, reason, first, last)
        else:
            self._add(codes, comment, reason, last + 1, self._next_line(last))

    def _codes(self, comment: Comment, written: list[str]) -> tuple[str, ...] | None:
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

    def _enable(self, codes: tuple[str, ...], comment: Comment) -> None:
        """End what is disabled: with codes these, without codes everything."""
        if not self._open:
            message = "there is nothing disabled here to enable"
            self._report(comment, "MALFORMED_SUPPRESSION", message)
            return
        if codes and ANY_CODE in self._open:
            everything = self._open.pop(ANY_CODE)
            for code in RULES:
                self._open.setdefault(code, everything)
        self._end(codes or tuple(self._open), self._lines.number(comment.start))

    def _end(self, codes: tuple[str, ...], last: int) -> None:
        """End what is disabled for *codes* on the line *last*."""
        ended: dict[tuple[Comment, str], list[str]] = {}
        for code in codes:
            if code in self._open:
                ended.setdefault(self._open.pop(code), []).append(code)
        for (comment, reason), names in ended.items():
            shown = tuple(name for name in names if name != ANY_CODE)
            self._add(shown, comment, reason, self._lines.number(comment.start), last)

    def _next_line(self, last: int) -> int:
        """Return the last line that a comment for the next line silences.

        That is the next line with text on it; of a blockquote (or a record of notes) that begins there, its last line,
        because its first line may be a title.
        """
        lines = range(1, len(self._lines) + 1)
        self._texts = self._texts or [
            number for number in lines if number == lines[-1] or not self._is_passed_over(number)
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

    def _add(
        self, codes: tuple[str, ...], comment: Comment, reason: str, first: int, last: int
    ) -> None:
        span = self._lines.span(comment.start, comment.end)
        self._suppressions.append(Suppression(codes, first, last, span, reason))

    def _report(self, comment: Comment, code: str, message: str) -> None:
        span = self._lines.span(comment.start, comment.end)
        self._diagnostics.append(Diagnostic(code=code, message=message, span=span))
