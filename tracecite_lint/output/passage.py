"""The closest passage of a source, with the words in which the quotation differs from it marked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Difference, Nearest, without_added_marks
from tracecite_lint.output.terminal import Style, columns, printable, styled

_CONTEXT = 60
"""Characters of agreement that are kept on either side of a difference."""
_WORD = regex(r"\S+\s*|\s+")
_EDGES = regex(r"(\s*)(.*?)(\s*)", re.DOTALL)
_MARKS = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}
_STYLES = {"delete": Style.ONLY_IN_QUOTE, "insert": Style.ONLY_IN_SOURCE}


def legend(*, color: bool) -> str:
    """Return how the marks of `marked_passage` are to be read."""
    if color:
        return (
            styled("only in the quotation", Style.ONLY_IN_QUOTE, color=True)
            + ", "
            + styled("only in the source", Style.ONLY_IN_SOURCE, color=True)
        )
    return "[-only in the quotation-] {+only in the source+}"


def marked_passage(nearest: Nearest, *, color: bool) -> list[tuple[str, Style]]:
    """Return the passage as runs of printable text and their styles.

    Without colour the marks are those of wdiff: `[-only in the quotation-]`, `{+only in the source+}`.
    """
    if not nearest.differences:
        return [(_single_spaced(nearest.text), Style.PLAIN)]
    runs: list[tuple[str, Style]] = []
    differences = quotation_first(nearest.differences)
    last = len(differences) - 1
    for index, difference in enumerate(differences):
        if difference.op == "equal":
            text = _single_spaced(difference.text)
            runs.append((_shortened(text, first=index == 0, last=index == last), Style.PLAIN))
        else:
            runs.extend(_marked(difference, color=color))
    return runs


def plain_passage(nearest: Nearest) -> str:
    """Return the passage on one line, with the marks of wdiff."""
    return "".join(text for text, _ in marked_passage(nearest, color=False))


def differing_words(nearest: Nearest) -> str:
    """Return the differences alone, with the marks of wdiff: `[-90-] {+180+}, [-not-]`; empty where none are known."""
    places: list[list[str]] = [[]]
    for difference in quotation_first(nearest.differences):
        if difference.op == "equal":
            places.append([])
        else:
            marked = "".join(text for text, _ in _marked(difference, color=False))
            places[-1].append(marked.strip())
    return ", ".join(" ".join(place) for place in places if place)


def wrapped(runs: list[tuple[str, Style]], indent: str, width: int, *, color: bool) -> list[str]:
    """Return *runs* as lines of at most *width* columns after *indent*; words too long for a line are cut up."""
    lines: list[str] = []
    line, used = "", 0
    for text, style in runs:
        for word in _WORD.findall(text):
            for part in _parts(word, width):
                size = columns(part.rstrip())
                if used and used + size > width:
                    lines.append(indent + line.rstrip())
                    line, used = "", 0
                line += styled(part, style, color=color)
                used += columns(part)
    if line:
        lines.append(indent + line.rstrip())
    return lines


def quotation_first(differences: Sequence[Difference]) -> list[Difference]:
    """Return *differences* with the quotation's words before the source's wherever the two stand side by side."""
    ordered: list[Difference] = []
    for difference in differences:
        before = len(ordered)
        while difference.op == "delete" and before and ordered[before - 1].op == "insert":
            before -= 1
        ordered.insert(before, difference)
    return ordered


def _marked(difference: Difference, *, color: bool) -> list[tuple[str, Style]]:
    text = printable(" ".join(re.split(r"\s+", without_added_marks(difference.text))))
    match = _EDGES.fullmatch(text)
    before, words, after = match.groups() if match else ("", text, "")
    if not words:
        before, words, after = "", text, ""
    opening, closing = ("", "") if color else _MARKS[difference.op]
    return [
        (before, Style.PLAIN),
        (opening + words + closing, _STYLES[difference.op]),
        (after, Style.PLAIN),
    ]


def _single_spaced(text: str) -> str:
    return printable(re.sub(r"\s+", " ", without_added_marks(text)))


def _shortened(text: str, *, first: bool, last: bool) -> str:
    """Return a run of agreement with its middle (at the edges: its far end) left out if it is long."""
    if first and last:
        return text
    head = "" if first else text[:_CONTEXT]
    tail = "" if last else text[-_CONTEXT:]
    if len(text) <= len(head) + len(tail) + 5:
        return text
    if head:
        head = head[: head.rfind(" ") + 1] or head
    if tail:
        tail = tail[tail.find(" ") :] if " " in tail else tail
    return f"{head}…{tail}"


def _parts(word: str, width: int) -> list[str]:
    if columns(word) <= width:
        return [word]
    parts = [""]
    for char in word:
        if columns(parts[-1] + char) > width:
            parts.append("")
        parts[-1] += char
    return parts
