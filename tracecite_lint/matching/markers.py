"""Reference markers: where a text has some that quoting may leave out (docs/matching.md, rule 11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tracecite_lint.light.lazy import regex

SUPERSCRIPTS = {
    ord(raised): plain for raised, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)
}
RAISED = {ord(plain): chr(raised) for raised, plain in SUPERSCRIPTS.items()}

_NAMED = (
    r"citation needed|clarification needed|verification needed|better source needed|page needed|"
    r"failed verification|dubious|when\?|who\?|which\?|where\?|why\?|by whom\?|according to whom\?|"
    r"note|update|来源请求|來源請求|请求来源|需要引用|要出典|要検証|出典無効|Beleg fehlt|Nachweis fehlt|"
    r"réf\. nécessaire|référence nécessaire|réf\. souhaitée|cita requerida|carece de fontes|"
    r"senza fonte|bron\?|potrzebny przypis|источник не указан|출처 필요|edit"
)
# A number or a run of numbers, one to three Latin letters, or a short word with a number: [12], [12, 13], [14-15], [a],
# [nb 1], [note 3], [注1]. Folded text has no blank inside the brackets beside Han.
_BRACKETED = (
    r"(?:\d{1,3}(?: ?[,;-] ?\d{1,3})*|(?!sic\]|not?\]|non\])[A-Za-z]{1,3}"
    rf"|[^\W\d_]{{1,12}}\.? ?\d{{1,3}}|(?:{_NAMED}))\]"
)
# Not behind a space or a bracket, where `[12]` is a word of the text, nor before a letter: `[a]nd`.
# It begins with the bracket and looks back from there: the other way round it would stop at every character.
_MARKER = regex(rf"\[(?<=[^\s(\[\-…]\[){_BRACKETED}(?:\[{_BRACKETED})*(?![A-Za-z])", re.IGNORECASE)
_LETTERS = regex(r"\[[A-Za-z]{1,3}\]")
_RAISED_NUMBER = regex("[⁰¹²³⁴-⁹]{1,3}(?![⁰¹²³⁴-⁹])")
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_NUMBERS = regex(r"\d{1,3}(?: ?[,;-] ?\d{1,3})*")
# km² and cm³ are areas and volumes. The `m` of m² is one letter, which takes no marker in any case.
_UNITS = frozenset(["mm", "cm", "dm", "km", "hm", "nm", "ft", "in", "yd", "mi", "sec", "px"])
# After other digits a raised number is an exponent; after a year it is a note.
_YEAR = regex(r"(?<![\d.,])(?:1\d|20)\d\d$")
_LAST_WORD = regex(r"[^\W\d_]+$")


def marker_spans(
    text: str, superscripts: Sequence[int], is_detached: Callable[[int], bool]
) -> list[tuple[int, int]]:
    """Return the ranges of the reference markers of folded *text*, in order, without overlap.

    *superscripts* holds, flat, the start and end of each superscript that extraction marked. *is_detached* tells whether
    white space stood before a position: letters in brackets are no marker then, `“so,” [he] said`.
    """
    spans = [
        match.span()
        for match in (_MARKER.finditer(text) if "[" in text else ())
        if not (_LETTERS.match(match[0]) and is_detached(match.start()))
    ]
    spans.extend(_skippable(text, superscripts, spaced=True))
    if has_raised_number(text):
        raised = [p for match in _RAISED_NUMBER.finditer(text) for p in match.span()]
        spans.extend(_skippable(text, raised, spaced=False))
    return merged(spans)


def has_raised_number(text: str) -> bool:
    """Tell whether *text* holds a raised digit such as ²."""
    return not text.isascii() and any(digit in text for digit in _RAISED_DIGITS)


def _skippable(
    text: str, superscripts: Sequence[int], *, spaced: bool
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of those *superscripts* that are reference markers; *spaced* lets a space stand before them."""
    previous_end = -1
    for start, end in zip(superscripts[::2], superscripts[1::2], strict=True):
        first = start
        if spaced and text[first - 1 : first] == " ":
            first -= 1
        # 12,13 raised: the comma between two markers goes with them, one behind a word stays.
        elif text[first - 1 : first] == ",":  # between two markers
            first -= 1 if first - 1 == previous_end else 0
        if first != previous_end:
            number = text[start:end].translate(SUPERSCRIPTS)
            if first == 0 or not _takes_marker(text[max(0, first - 24) : first], number):
                continue
        yield first, end
        previous_end = end


def _takes_marker(before: str, marker: str) -> bool:
    """Tell whether a raised *marker* after *before* is a reference and no exponent or area."""
    last = before[-1]
    if last.isspace() or last in "([-":
        return False
    if not _NUMBERS.fullmatch(marker):
        return True
    if last.isdigit():
        return _YEAR.search(before) is not None
    word = _LAST_WORD.search(before)
    if word is None or not last.isascii():
        return True
    return len(word[0]) > 1 and not (word[0] in _UNITS and marker in ("2", "3", "4"))


def merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return *spans* in order, those that touch made one."""
    whole: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        elif end > start:
            whole.append((start, end))
    return whole


def bare_marker_spans(
    text: str, source: str, spans: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the ranges of numbers in folded *text* that are superscript markers at *spans* of the folded *source*.

    A browser copies the superscript of "land¹²" as "land12": such a number is a marker in a quotation if the source has the
    same one after the same letters.
    """
    known = {
        (source[max(0, start - 4) : start], source[start:end].rstrip())
        for start, end in spans
        if source[start].isdigit()
    }
    if not known:
        return []
    found = []
    for match in _NUMBERS.finditer(text):
        start, end = match.span()
        if start and (text[max(0, start - 4) : start], match[0]) in known:
            found.append((start, end))
    return found
