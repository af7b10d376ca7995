"""A quotation and the passage of its source that comes closest, each with the words that the other does not have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rapidfuzz.distance import Postfix, Prefix

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import Difference, without_added_marks
from tracecite_lint.output.html.elements import beginning, end, shortened, text
from tracecite_lint.output.passage import quotation_first

_AGREEMENT = 90
"""Bytes of agreement that are kept on either side of a difference where there is no room for all of it."""
_NUMBER = regex(r"\S*\d\S*")


def marked_quotation(differences: Sequence[Difference], size: int) -> str:
    """Return the quotation as HTML, what only it has as `<del>`; in about *size* bytes of text."""
    return _marked(differences, "delete", "del", size)


def marked_passage(differences: Sequence[Difference], size: int) -> str:
    """Return the source's passage as HTML, what only it has as `<ins>`; in about *size* bytes of text."""
    return _marked(differences, "insert", "ins", size)


def _marked(differences: Sequence[Difference], op: str, name: str, size: int) -> str:
    ordered = quotation_first(differences)
    length = sum(len(part.text.encode("utf-8", "replace")) for part in ordered)
    parts: list[str] = []
    left = size
    for index, part in enumerate(ordered):
        if part.op not in ("equal", op):
            continue
        words = without_added_marks(part.text)
        if part.op == "equal" and length > size:
            words = _abridged(words, first=index == 0, last=index == len(ordered) - 1)
        if left <= 0:
            parts.append("…")
            break
        left -= len(words.encode("utf-8", "replace"))
        shown = beginning(words, max(size // 2, 1))
        if part.op == "equal":
            parts.append(_spaced(shown, text))
        else:
            changed = partial(_changed, other=_partner(ordered, index), name=name)
            parts.append(_spaced(shown, changed))
    return "".join(parts).strip()


def _spaced(words: str, shown: Callable[[str], str]) -> str:
    """Return *words* as HTML by *shown*, with the white space at their ends, which `text` would drop, as one space each."""
    inner = words.strip()
    if not inner:
        return " " if words else ""
    before = " " if words[0].isspace() else ""
    after = " " if words[-1].isspace() else ""
    return f"{before}{shown(inner)}{after}"


def _partner(differences: Sequence[Difference], index: int) -> str:
    """Return what stands in the place of a difference on the other side; nothing if that has nothing there."""
    own = differences[index].op
    for at in (index - 1, index + 1):
        if 0 <= at < len(differences) and differences[at].op not in ("equal", own):
            return without_added_marks(differences[at].text).strip()
    return ""


def _changed(own: str, other: str, name: str) -> str:
    """Return *own* as changed words; of a number that became another, the digits that differ stand out."""
    if _NUMBER.fullmatch(own) is None or _NUMBER.fullmatch(other) is None:
        return f"<{name}>{text(own)}</{name}>"
    start = Prefix.similarity(own, other)
    tail = Postfix.similarity(own[start:], other[start:])
    before, middle, after = own[:start], own[start : len(own) - tail], own[len(own) - tail :]
    if not middle or 2 * (start + tail) <= min(len(own), len(other)):
        return f"<{name}>{text(own)}</{name}>"
    return f"<{name}>{text(before)}<b>{text(middle)}</b>{text(after)}</{name}>"


def _abridged(words: str, *, first: bool, last: bool) -> str:
    if first and last:
        return shortened(words, 2 * _AGREEMENT)
    if first:
        return end(words, _AGREEMENT)
    if last:
        return beginning(words, _AGREEMENT)
    space = words[-1:] if words[-1:].isspace() else ""
    return shortened(words, 2 * _AGREEMENT) + space
