"""An upper bound, from the look of its characters alone, on what it costs to read a Markdown document.

A block costs what it costs whether it holds one letter or a page, and so does each quotation: two mebibytes of `> a` are
four hundred thousand blockquotes and take a minute. One unit is about a microsecond.
"""

from __future__ import annotations

import re

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import regex

MAX_COST = 3_500_000
"""Units of one document. What people write stays far below: a megabyte of a change log has a quarter of it."""

_CHARACTER = 0.2
_LINE = 19
"""A line that is a block of its own: a heading, a paragraph between two empty lines counts twice."""
_LIST_MARKER = 16
"""A list and an item, before what stands in them."""
_QUOTE_MARKER = 125
"""A blockquote of one line, whose source is looked for before and behind it."""
_CELL = 16
_QUOTING_LINE = 65
"""A line with a quotation mark, besides its marks: most often a block of its own, whose neighbours are asked for a source."""
_MARKS = '“”"„«»「」『』〝〞＂❝❞'
_PER_CHARACTER = (
    (32, _MARKS + "'"),
    (38, "]"),
    (32, "@"),
    (12, "<&"),
    (7, "`*_~\\"),
)
_ENTITY = 45
_TAG = 60
_ADDRESS = 32
"""A bare URL, which has to be looked for behind those before it."""
_MARK = regex(rf"['{_MARKS}](?:(?<!')|(?<=^')|(?<= '))[^\n]*", re.MULTILINE)
"""With the rest of its line; a single mark counts where it may open."""
_CONTAINERS = regex(r"[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)+")
_FIRST_OF_MARKER = frozenset(">-*+0123456789")
_DELIMITERS = regex(r"[ \t>]*(?=[^\n-]*-)[|:\- \t\v\f]+")
_ENTITY_MARK = regex(r"&(?:#|[lrb]?[ad]?quo)")
_QUOTING_TAG = regex(r"</?(?:q\b|blockquote|cite|figure|figcaption|a\b|p\b|div)", re.IGNORECASE)


class TooCostlyError(TraceciteLintError, ValueError):
    """A Markdown text would take too long to read; the message says what there is too much of, without a name."""


def check_cost(text: str) -> None:
    """Raise TooCostlyError where *text*, Markdown whose lines end in LF, costs more than MAX_COST."""
    cost = reading_cost(text)
    if cost > MAX_COST:
        times = cost / MAX_COST
        raise TooCostlyError(
            f"more quotations, links and blocks than are read in one piece ({times:.1f} times as much)"
        )


def reading_cost(text: str) -> int:
    """Return a bound on the work of reading *text*, Markdown whose lines end in LF, in units of about a microsecond."""
    cost = len(text) * _CHARACTER
    cost += sum(each * text.count(mark) for each, marks in _PER_CHARACTER for mark in marks)
    cost += _ENTITY * _count(_ENTITY_MARK, text) + _TAG * _count(_QUOTING_TAG, text)
    cost += _ADDRESS * (text.count("://") + text.lower().count("www."))
    lines = text.split("\n")
    cost += _LINE * len(lines) + _CELL * _cells(lines)
    cost += _QUOTING_LINE * _count(_MARK, text)
    for line in lines:
        containers = _CONTAINERS.match(line) if line.lstrip()[:1] in _FIRST_OF_MARKER else None
        if containers is not None:
            markers = containers[0].split()
            quotes = containers[0].count(">")
            cost += _QUOTE_MARKER * quotes + _LIST_MARKER * (len(markers) - quotes)
    return int(cost)


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _cells(lines: list[str]) -> int:
    """Return how many cells the tables have: each row is filled up to the width that the line of hyphens gives."""
    cells = width = 0
    for line in lines:
        pipes = line.count("|")
        if not pipes and not width:
            continue
        if pipes and _DELIMITERS.fullmatch(line):
            width = pipes + 1
        elif not pipes and not line.strip(" \t>"):
            width = 0
        cells += max(pipes, width)
    return cells
