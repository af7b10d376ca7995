"""The fold: text as matching compares it, with a way back to the text as written (docs/matching.md, rules 1 to 6)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, pairwise
from unicodedata import combining, is_normalized, normalize

from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.folded import FoldedText, Offsets, chained, rewritten, unchanged
from tracecite_lint.matching.markers import marker_spans
from tracecite_lint.model import DRAWN_QUOTE, MARKER_END, MARKER_START, MARKS, SOFT_SPACE

# Soft hyphen, grapheme joiner, Mongolian vowel separator and selectors, zero-width characters and direction marks,
# word joiner and invisible operators, byte-order mark, variation selectors.
INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
MATHEMATICAL = "\u210e\U0001d400-\U0001d7ff"
"""Letters and digits in the styles of formulas, which browsers and formula programs draw for <mi>x</mi>, and nobody types."""
MARK = "…"
QUOTE = "'"
DASH = "-"
LONG_DASH = "—"
WHITE_SPACE = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
QUOTES = "'\"`´‘’‚‛“”„‟‹›«»′″‴‵‶‷⁗ʹʺʻʼˮ׳״「」『』〝〞〟﹁﹂﹃﹄｢｣＂＇｀❛❜❝❞❟❠"
HYPHENS = "-\u2010\u2011\ufe63\uff0d"
SHORT_DASHES = HYPHENS + "\u2212"
LONG_DASHES = "\u2012\u2013\u2014\u2015\u2e3a\u2e3b\ufe58"
# Han with radicals, kana and CJK punctuation, full-width punctuation and signs (not full-width letters and digits).
CJK = (
    "\u2e80-\u2fdf\u2ff0-\u30ff\u31f0-\u31ff\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\uffe0-\uffe6\U0001b000-\U0001b16f\U00020000-\U000323af"
)

_HIDDEN = regex(f"[{INVISIBLE}]+|[{''.join(LIGATURES)}{MATHEMATICAL}{MARKS}]")
_SOFT_SPACE = regex(rf"{SOFT_SPACE}\s")
_NO_SPACE = "\u2060\u2060"
_NON_ASCII = regex(r"[\x00-\x7f]?[^\x00-\x7f]+")
_DOTS = r"(?: ?\.){2,}"  # after a first one
_MORE_MARKS = rf"(?: *(?:…|\.{_DOTS}))*(?:\.+(?!\w))?"
_OMISSION = rf"(?:…|\.{_DOTS}){_MORE_MARKS}"
_CLOSERS = r")\].,;:!?"
_OPENERS = r"(\["


def _uneven(cjk: str) -> str:
    """Return the pattern of what rules 2 to 5 change, in texts in which there are no characters of CJK but *cjk*.

    It runs on text whose characters are already unified one for one, so it only meets what changes the length. It begins
    with one set of characters, over which the regex engine skips fast, and next tells an ordinary space between two ASCII
    words.
    """
    return (
        rf"[ '\-—….](?:(?<= )(?![A-Za-z0-9](?<=[!-'*-Z\\-~] .))(?:"
        rf" *(?:(?P<quote>'(?: *')*)|(?P<dash>[-—]+)|(?P<mark>{_OMISSION})) *"
        rf"|(?P<space> +|(?=[{_CLOSERS}{cjk}])|(?<=[{_OPENERS}{cjk}] )))"
        r"|(?<=')(?:(?: *')+ *| +)(?P<lone_quote>)"
        r"|(?<=[-—])(?:[-—]+ *| +)(?P<lone_dash>)"
        rf"|(?:(?<=…)|(?<=\.){_DOTS}){_MORE_MARKS} *(?P<lone_mark>))"
    )


_UNEVEN = regex(_uneven(CJK))
# To compile the 60,000 characters of CJK takes 5 ms, and a commit may have but short quotations without any.
_UNEVEN_WESTERN = regex(_uneven(""))
_FIRST_CJK = CJK[0]
# What the rules leave as it is: words of ASCII with single spaces, and signs right between two of their characters.
_UNCHANGED = regex(r"[A-Za-z0-9](?:[A-Za-z0-9]|(?:[,;:.]? |['.-])(?=[A-Za-z0-9]))*+\.?")
_SHORT = 1000
_NO_SPACE_BEFORE = regex(f"[{_CLOSERS}{CJK}]")
_NO_SPACE_AFTER = regex(f"[{_OPENERS}{CJK}]")
_BEFORE_OPTION = frozenset(["", *"([=|/", *QUOTES])


def fold(text: str) -> FoldedText:
    """Fold *text* by rules 1 to 6 of docs/matching.md, in time linear in its length."""
    if len(text) <= _SHORT and _UNCHANGED.fullmatch(
        text
    ):  # as most quotations are, and parts of them
        return unchanged(text)
    visible, visible_offsets, raised = _without_invisible(text)
    composed, composed_offsets = _composed(visible)
    folded, offsets = _evened(composed)
    if composed_offsets is not None:
        raised = [composed_offsets.back(position) for position in raised]
    superscripts = array("I", map(offsets.back, raised))
    for earlier in (composed_offsets, visible_offsets):
        if earlier is not None:
            offsets = chained(offsets, earlier)

    def is_detached(position: int) -> bool:
        before = offsets.start(position) - 1
        return before >= 0 and text[before].isspace()

    spans = marker_spans(folded, superscripts, is_detached)
    markers = array("I", chain.from_iterable(with_space_after(folded, spans)))
    return FoldedText(text, folded, offsets, superscripts, markers)


def other_ways_to_read(folded: FoldedText, *, quotes: bool) -> Iterator[FoldedText]:
    """Yield the text with what a page draws and does not hold: quotation marks (if *quotes*), closed-up formulas, both.

    Each is as long as the original, so that places in it are places there; each is folded once.
    """
    text, ways = folded.original, folded.ways
    has_quotes, has_formulas = quotes and DRAWN_QUOTE in text, SOFT_SPACE in text
    for drawn, closed in ((True, False), (False, True), (True, True)):
        if (drawn and not has_quotes) or (closed and not has_formulas):
            continue
        if (drawn, closed) not in ways:
            written = text.replace(DRAWN_QUOTE, '"') if drawn else text
            ways[drawn, closed] = fold(_SOFT_SPACE.sub(_NO_SPACE, written) if closed else written)
        yield ways[drawn, closed]


def with_space_after(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of markers in folded *text* with the space that would not be there without them: `“so”[12] he`."""
    for start, end in spans:
        before = text[start - 1 : start]
        unspaced = before == QUOTE or _NO_SPACE_AFTER.match(before)
        yield start, end + 1 if unspaced and text[end : end + 1] == " " else end


def _without_invisible(text: str) -> tuple[str, Offsets | None, list[int]]:
    """Drop invisible characters, spell out ligatures; also return the ends of the marked superscripts, flat."""
    if text.isascii() or not _HIDDEN.search(text):
        return text, None, []
    matches = list(_HIDDEN.finditer(text))
    changes = ((*match.span(), _shown_as(match[0])) for match in matches)
    visible, offsets = rewritten(text, changes, 0, len(text))
    marks = [match for match in matches if match[0] in (MARKER_START, MARKER_END)]
    superscripts: list[int] = []
    for opening, closing in pairwise(marks):
        if opening[0] == MARKER_START and closing[0] == MARKER_END:
            start, end = offsets.back(opening.start()), offsets.back(closing.start())
            while end > start and visible[end - 1].isspace():  # that space parts words
                end -= 1
            superscripts += start, end
    return visible, offsets, superscripts


def _shown_as(hidden: str) -> str:
    """Return what stands in the fold for a ligature, a letter of a formula, or what is invisible."""
    if hidden == "\u210e" or hidden >= "\U0001d400":
        return normalize("NFKC", hidden)
    return LIGATURES.get(hidden, "")


def _composed(text: str) -> tuple[str, Offsets | None]:
    """Bring *text* to Unicode's normal form C, cluster by cluster so that offsets stay fine."""
    # Nearly every text is, and the look is fast (Unicode's quick check).
    if is_normalized("NFC", text):
        return text, None
    return rewritten(text, _compositions(text), 0, len(text))


def _compositions(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the changes that make *text* NFC: for a starter with its marks, for a syllable of Hangul jamo."""
    # With the ASCII letter before: `e` and a combining acute make one character.
    for run in _NON_ASCII.finditer(text):
        if is_normalized("NFC", run[0]):
            continue
        start, end = run.span()
        starters = [at for at in range(start + 1, end) if not _continues(text[at - 1 : at + 1])]
        for first, last in pairwise([start, *starters, end]):
            cluster = text[first:last]
            composed = normalize("NFC", cluster)
            if composed != cluster:
                yield first, last, composed


@lru_cache(maxsize=4096)
def _continues(pair: str) -> bool:
    """Tell whether the second of two characters may be composed with what stands before it."""
    return bool(
        combining(pair[-1]) or "\u1161" <= pair[-1] <= "\u11c2" or not is_normalized("NFC", pair)
    )


_ONE_FOR_ONE = (
    *((character, " ") for character in WHITE_SPACE),
    *((character, QUOTE) for character in QUOTES[1:]),
    *((character, DASH) for character in SHORT_DASHES[1:]),
    *((character, LONG_DASH) for character in LONG_DASHES if character != LONG_DASH),
    ("⋯", MARK),
)


def _evened(text: str) -> tuple[str, Offsets]:
    """Apply rules 2 to 5."""
    unified = text
    for character, replacement in _ONE_FOR_ONE:  # three times as fast as str.translate or re.sub
        unified = unified.replace(character, replacement)
    first = len(unified) - len(unified.lstrip(" "))
    last = len(unified.rstrip(" "))
    folded, offsets = rewritten(unified, _evenings(unified, first, last), first, last)
    return folded.replace(LONG_DASH, DASH), offsets


def _evenings(text: str, first: int, last: int) -> Iterator[tuple[int, int, str]]:
    is_western = text.isascii() or (len(text) <= _SHORT and max(text) < _FIRST_CJK)
    for match in (_UNEVEN_WESTERN if is_western else _UNEVEN).finditer(text, first, last):
        replacement = _evened_run(text, match)
        if replacement != match[0]:
            yield *match.span(), replacement


def _evened_run(text: str, match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind == "space":
        start, end = match.span()
        before, after = text[start - 1 : start], text[end : end + 1]
        return "" if _NO_SPACE_BEFORE.match(after) or _NO_SPACE_AFTER.match(before) else " "
    if kind in ("quote", "lone_quote"):
        return QUOTE
    if kind in ("mark", "lone_mark"):
        return MARK
    run = match[0].strip(" ")
    if len(run) == 1 or LONG_DASH in run:
        return DASH
    start = text.index(DASH, match.start())
    end = start + len(run)
    return _dash_run(run, text[max(0, start - 1) : start], text[end : end + 1])


def _dash_run(run: str, before: str, after: str) -> str:
    """Fold a run of hyphens between its neighbours: `a -- b` and `a--b` are dashes, ` --option` and `-----` are not."""
    is_option = after.isalnum() and (before == " " or before in _BEFORE_OPTION)
    return run if is_option or len(run) > 3 else DASH


# The same rules one by one, for short texts: `folds_between` leaves some out to see which were needed, and the tests hold
# the fast fold above to them.
_WHITE = r"[ \t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_QUOTE_CLASS = "[" + re.escape(QUOTES) + "]"
_DASH_RUN = regex(f"({_WHITE}*)([{re.escape(SHORT_DASHES + LONG_DASHES)}]+)({_WHITE}*)")


def _drop_invisible(text: str) -> str:
    return re.sub(f"[{INVISIBLE}{MARKS}]", "", text)


def _compose(text: str) -> str:
    return normalize("NFC", text)


def _spell_ligatures(text: str) -> str:
    return re.sub(f"[\ufb00-\ufb06{MATHEMATICAL}]", lambda match: _shown_as(match[0]), text)


def _unify_marks(text: str) -> str:
    omission = _OMISSION.replace(" ", _WHITE).replace("…", "[…⋯]")
    return re.sub(f"{_WHITE}*{omission}{_WHITE}*", MARK, text)


def _unify_dashes(text: str) -> str:
    def folded(match: re.Match[str]) -> str:
        run = match[2]
        if len(run) == 1 or any(character in LONG_DASHES for character in run):
            return DASH
        start, end = match.span(2)
        before, after = (re.sub(_WHITE, " ", text[p : p + 1]) for p in (start - 1, end))
        return _dash_run(DASH * len(run), before if start else "", after)

    return _DASH_RUN.sub(folded, text)


def collapse_white_space(text: str) -> str:
    """Apply rule 3 of docs/matching.md, without its part on quotation marks, to *text*."""
    text = re.sub(f"{_WHITE}+", " ", text).strip(" ")
    text = re.sub(f" (?=[{_CLOSERS}{CJK}])", "", text)
    return re.sub(f"(?<=[{_OPENERS}{CJK}]) ", "", text)


def tidy_white_space(text: str) -> str:
    """Return *text* on one line, as somebody would type it: no space within a bracket, before a stop or between CJK characters.

    Between these and others a space that the text has stays: 建于 1905 年.
    """
    text = re.sub(f"{_WHITE}+", " ", text).strip(" ")
    text = re.sub(f" (?=[{_CLOSERS}])|(?<=[{CJK}]) (?=[{CJK}])", "", text)
    return re.sub(f"(?<=[{_OPENERS}]) ", "", text)


def _collapse_white_space(text: str) -> str:
    return re.sub(f" ?({_QUOTE_CLASS}) ?", r"\1", collapse_white_space(text))


def _unify_quotes(text: str) -> str:
    return re.sub(f"{_QUOTE_CLASS}+", QUOTE, text)


_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("invisible", _drop_invisible),
    ("ligatures", _spell_ligatures),
    ("invisible", _compose),
    ("dashes", _unify_dashes),
    ("omission", _unify_marks),
    ("white-space", _collapse_white_space),
    ("quotation-marks", _unify_quotes),
)


def fold_one_by_one(text: str) -> str:
    """Fold a short *text* as `fold` does, rule by rule."""
    return _fold_without(text, "")


def _fold_without(text: str, name: str) -> str:
    for rule, apply in _RULES:
        if rule != name:
            text = apply(text)
    return text


def _fold_by(text: str, names: set[str]) -> str:
    for rule, apply in _RULES:
        if rule in names:
            text = apply(text)
    return text


def folds_between(written: str, found: str) -> set[str]:
    """Return the names of the folds that make two texts alike: those without which they differ, and what else it takes."""
    if written == found:
        return set()
    names = [name for name, _ in _RULES]
    needed = {name for name in names if _fold_without(written, name) != _fold_without(found, name)}
    for name in ("", *names):
        if _fold_by(written, {name, *needed}) == _fold_by(found, {name, *needed}):
            return needed | {name} - {""}
    return needed
