"""An upper bound, from the look of its tags alone, on what it costs to parse a page.

Tree construction after the HTML Standard is quadratic in nesting depth, in formatting elements that are not closed and
in the attributes of one element: half a megabyte of hostile markup takes Lexbor half a minute, and the parser can be
given no limit. One unit is about five nanoseconds.
"""

from __future__ import annotations

import re

_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
_FORMATTING = frozenset(
    "a b big code em font i nobr s small strike strong tt u".split()  # noqa: SIM905
)
_ONE_AT_A_TIME = frozenset(["a", "nobr"])
# A second one of these right in the first closes it, and so does the end tag of what holds them.
_SELF_CLOSING = frozenset(["dd", "dt", "li", "option", "p", "td", "th", "tr"])
_END_IMPLIED = _SELF_CLOSING | {"rp", "rt", "tbody", "tfoot", "thead"}
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_MERGED = re.compile(r"<(?:html|body)(?=[\s/>])([^<>]*)", re.IGNORECASE)
_REST = 200
"""Characters of a tag that are looked at to tell formatting elements apart."""
_START, _END, _SUPERSCRIPT = 1200, 300, 4000
"""Units for one tag, the text after it, and the walk over both."""
_COPY = 800
"""Units for making a formatting element again and walking over it."""

_LOOK = 20
"""Units for one step of this module's own search."""

_TAG_OPEN = re.compile(r"<[a-zA-Z]")
_QUOTED_BRACKET = re.compile(r"""=\s*+(?:"[^">]*+|'[^'>]*+)>""")
_LONG = 2000
"""Characters: a shorter tag has too few attributes to matter."""


def parse_cost(html: str, limit: int) -> int:
    """Return a bound on the work of parsing *html*, in units of about five nanoseconds.

    Where the bound is above *limit*, any number above it is returned: counting is not free.
    """
    most = max(_most_attributes(html), _merged_attributes(html))
    cost = most * most // 2
    return cost if cost > limit else cost + _tree_cost(html, limit)


def _tree_cost(html: str, limit: int) -> int:
    """Return the bound for depth and formatting elements; any number above *limit* where it is above.

    The depth is that of a stack from which an end tag takes an element only where it fits the top, or what lies below
    elements whose end it implies: the parser's own stack is never deeper. Any tag may look through it, the end tag of a
    formatting element eight times; any other tag may make the open formatting elements again, of which equal ones
    count three at most (HTML Standard, "Noah's Ark clause").
    """
    cost = formatting = 0
    stack: list[str] = []
    keys: list[str] = []
    """Of the formatting elements on the stack."""
    counts: dict[str, int] = {}
    for match in _TAG.finditer(html):
        closing, name = match.groups()
        cost += _END if closing else _START
        if not name.islower():
            name = name.lower()
        if name in _FORMATTING:
            if closing:
                cost += 8 * (len(stack) + formatting)
            else:
                rest = html[match.end() : match.end() + _REST].partition(">")[0]
                if name in _ONE_AT_A_TIME:
                    key = name
                    cost += 8 * (len(stack) + formatting)
                else:
                    key = _formatting_key(name, rest, match.start())
                    cost += len(stack) + formatting * (8 + 4 * _words(rest))
                keys.append(key)
                counts[key] = counts.get(key, 0) + 1
                formatting += counts[key] <= 3
                stack.append(name)
                if cost > limit:
                    return cost
                continue
        else:
            cost += len(stack) + _COPY * formatting
            if not closing:
                if name == "sup":
                    cost += _SUPERSCRIPT
                if name not in _VOID and not (
                    name in _SELF_CLOSING and stack and stack[-1] == name
                ):
                    stack.append(name)
                    if cost > limit:
                        return cost
                continue
        top = len(stack) - 1
        while top > 0 and stack[top] != name and stack[top] in _END_IMPLIED:
            top -= 1
        cost += _LOOK * (len(stack) - 1 - top)
        if top >= 0 and stack[top] == name:
            del stack[top:]
            if name in _FORMATTING:
                key = keys.pop()
                counts[key] -= 1
                formatting -= counts[key] < 3
    return cost


def _formatting_key(name: str, rest: str, position: int) -> str:
    """Return what is equal for elements that the parser finds equal, and for no others."""
    # Where a quoted value holds a `>`, `rest` is not all of the tag.
    whole = len(rest) < _REST and rest.count('"') % 2 == 0 and rest.count("'") % 2 == 0
    return f"{name} {rest}" if whole else f"{name} {position}"


def _most_attributes(html: str) -> int:
    """Return a bound on the attributes of one element.

    A tag ends at the first `>` that stands in no quoted value. So it lies in one piece between two of them, or goes on
    where the last quotation mark of its kind in a piece opens a value.
    """
    pieces = html.split(">")
    if not _QUOTED_BRACKET.search(html):
        return max((_attributes(piece) for piece in pieces if len(piece) > _LONG), default=0)
    most = 0
    inside: dict[str, int] = {}
    for piece in pieces:
        closed = [inside.pop(quote) for quote in tuple(inside) if quote in piece]
        if not closed and len(piece) < _LONG and "=" not in piece:
            continue
        count = max(closed) + _words(piece) if closed else 0
        count = max(count, _attributes(piece))
        most = max(most, count)
        for quote in "\"'":
            before, found, _ = piece.rpartition(quote)
            if found and before.rstrip().endswith("="):
                inside[quote] = max(inside.get(quote, 0), count)
    return most


def _merged_attributes(html: str) -> int:
    """Return a bound on the attributes that repeated html and body tags give to one element."""
    tags = _MERGED.findall(html)
    return sum(map(_words, tags)) if len(tags) > 2 else 0


def _attributes(piece: str) -> int:
    """Return a bound on the attributes of a tag that begins in *piece*."""
    match = _TAG_OPEN.search(piece)
    return _words(piece[match.start() :]) if match else 0


def _words(piece: str) -> int:
    return len(piece.split()) + piece.count("/") + piece.count('"') // 2 + piece.count("'") // 2
