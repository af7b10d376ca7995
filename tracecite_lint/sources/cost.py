"""An upper bound, from the look of its tags alone, on what it costs to parse a page.

Tree construction after the HTML Standard is quadratic in nesting depth, in formatting elements that are not closed and
in the attributes of one element: half a megabyte of hostile markup takes Lexbor half a minute, and the parser can be
given no limit. One unit is about five nanoseconds.
"""

from __future__ import annotations

import re
from collections.abc import Container

from tracecite_lint.light.lazy import regex

_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
_FORMATTING = frozenset(
    "a b big code em font i nobr s small strike strong tt u".split()  # noqa: SIM905
)
# A second `<a>` or `<nobr>` closes the first (HTML Standard, “in body”): they do not pile up, but look for each other.
_ONE_AT_A_TIME = frozenset(["a", "nobr"])
_PARAGRAPH = frozenset(["p"])
_CELLS = frozenset(["td", "th"])
_SECTIONS = frozenset(["tbody", "tfoot", "thead"])
_ITEMS = frozenset(["dd", "dt", "li", "option", "rp", "rt"])
_TABLE = _PARAGRAPH | _CELLS | {"tr"} | _SECTIONS
# What a start tag closes, and over which open elements.
_CLOSED_BY_START = {
    "p": (_PARAGRAPH, frozenset[str]()),
    "option": (frozenset(["option"]), frozenset[str]()),
    "li": (frozenset(["li"]), _PARAGRAPH),
    "dd": (frozenset(["dd", "dt"]), _PARAGRAPH),
    "dt": (frozenset(["dd", "dt"]), _PARAGRAPH),
    "td": (_CELLS, _PARAGRAPH),
    "th": (_CELLS, _PARAGRAPH),
    "tr": (frozenset(["tr"]), _PARAGRAPH | _CELLS),
}
# Over which open elements an end tag closes its own; all others here close only what was opened last. A list item may not
# be closed by the end of what a parser may have ignored, as it does a row outside a table.
_CLOSED_OVER = {
    **dict.fromkeys(
        "address article aside blockquote center details div dl fieldset figure footer header main menu nav ol section"  # noqa: SIM905
        " table ul".split(),
        _TABLE | _ITEMS,
    ),
    **dict.fromkeys(_SECTIONS, _PARAGRAPH | _CELLS | {"tr"}),
    **dict.fromkeys(["caption", "form", "td", "th"], _PARAGRAPH),
    "tr": _PARAGRAPH | _CELLS,
}
# In these a `<script>` is an element like others, and its content is markup.
_FOREIGN = frozenset(["math", "svg"])
_SCRIPT_END = regex("</script", re.IGNORECASE)
_TAG = regex(r"<(/?)([a-zA-Z][^\s/>]*)")
# Attributes of a second `<html>` or `<body>` go to the first one, each compared with all that are there.
_MERGED = regex(r"<(?:html|body)(?=[\s/>])([^<>]*)", re.IGNORECASE)
_REST = 200
"""Characters of a tag that are looked at to tell formatting elements apart."""
_START, _END, _SUPERSCRIPT = 1200, 300, 4000
"""Units for one tag, the text after it, and the walk over both."""
_COPY = 800
"""Units for making a formatting element again and walking over it."""

_FORMATTING_OPEN = regex(
    rf"<(?:{'|'.join(sorted(_FORMATTING - _ONE_AT_A_TIME))})(?=[\s/>])", re.IGNORECASE
)
_LOOK = 20
"""Units for one step of this module's own search."""

_TAG_OPEN = regex(r"<[a-zA-Z]")
_QUOTED_BRACKET = regex(r"""=\s*+(?:"[^">]*+|'[^'>]*+)>""")
_LONG = 2000
"""Characters: a shorter tag has too few attributes to matter."""


def parse_cost(html: str, limit: int) -> int:
    """Return a bound on the work of parsing *html*, in units of about five nanoseconds.

    Where the bound is above *limit*, any number above it is returned: counting is not free.
    """
    most = max(_most_attributes(html), _merged_attributes(html))
    cost = most * most // 2
    if cost > limit:
        return cost
    # Most pages are so small that any tree of so many tags is within the limit.
    rough = _rough_tree_cost(html)
    return cost + (rough if cost + rough <= limit else _tree_cost(html, limit))


def _rough_tree_cost(html: str) -> int:
    """Return a bound on `_tree_cost` that takes every tag for open, and every tag for the costliest one."""
    tags = html.count("<")
    formatting = sum(1 for _ in _FORMATTING_OPEN.finditer(html)) + 3 * len(_ONE_AT_A_TIME)
    costliest = max(_START, _END) + _SUPERSCRIPT
    for_each_open = 8 + 1 + _LOOK
    for_each_formatting = 8 + _COPY + 8 + 4 * _REST
    return tags * (costliest + for_each_open * tags + for_each_formatting * formatting)


def _tree_cost(html: str, limit: int) -> int:
    """Return the bound for depth and formatting elements; any number above *limit* where it is above.

    The depth is that of a stack from which elements are only taken where the parser certainly closes them, so its own
    is never deeper. Any tag may look through it, the end tag of a formatting element eight times; any other tag may
    make the open formatting elements again, of which equal ones count three at most (HTML Standard, "Noah's Ark
    clause").
    """
    cost = formatting = foreign = script_end = 0
    stack: list[str] = []
    keys: list[str] = []
    """Of the formatting elements on the stack."""
    counts: dict[str, int] = {}
    for match in _TAG.finditer(html):
        if match.start() < script_end:
            continue
        closing, name = match.groups()
        if not name.islower():
            name = name.lower()
        cost += _END if closing else _START
        if name in _FORMATTING:
            if closing or name in _ONE_AT_A_TIME:
                cost += 8 * (len(stack) + formatting)
            if not closing:
                rest = html[match.end() : match.end() + _REST].partition(">")[0]
                cost += len(stack) + formatting * (8 + 4 * _words(rest))
                key = name
                if name not in _ONE_AT_A_TIME:
                    key = _formatting_key(name, rest, match.start())
                keys.append(key)
                counts[key] = counts.get(key, 0) + 1
                # “Noah's Ark clause”: of equal elements the parser keeps three in its list.
                formatting += counts[key] <= 3
                stack.append(name)
            elif stack and stack[-1] == name:
                stack.pop()
                key = keys.pop()
                counts[key] -= 1
                formatting -= counts[key] < 3
        else:
            cost += len(stack) + _COPY * formatting
            if closing:
                if stack and stack[-1] == name:
                    stack.pop()
                    foreign -= name in _FOREIGN
                elif name in _CLOSED_OVER:
                    cost += _LOOK * _close(stack, (name,), _CLOSED_OVER[name])
            elif name not in _VOID:
                if name in _CLOSED_BY_START:
                    cost += _LOOK * _close(stack, *_CLOSED_BY_START[name])
                # The walk over the page asks a superscript for all its text, to tell whether it is a reference marker.
                elif name == "sup":
                    cost += _SUPERSCRIPT
                elif name == "script" and not foreign:
                    end = _SCRIPT_END.search(html, match.end())
                    script_end = end.start() if end else len(html)
                foreign += name in _FOREIGN
                stack.append(name)
        if cost > limit:
            return cost
    return cost


def _close(stack: list[str], names: Container[str], over: Container[str]) -> int:
    """Take the uppermost element of one of *names* off *stack*, with those of *over* above it.

    Where something else stands above it nothing is taken. Returns how many elements were looked at.
    """
    top = len(stack) - 1
    while top >= 0 and stack[top] not in names and stack[top] in over:
        top -= 1
    looked = len(stack) - top
    if top >= 0 and stack[top] in names:
        del stack[top:]
    return looked


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
    # Attributes need no white space between them: `a/b`, `a="1"b="2"`.
    return len(piece.split()) + piece.count("/") + piece.count('"') // 2 + piece.count("'") // 2
