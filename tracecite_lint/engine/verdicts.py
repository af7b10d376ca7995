"""Verdicts of earlier runs, kept beside the pages: by the words, and by the text that they were looked for in.

What lies in a cache is input. A row is read with every field checked, its words are those of the page, and what cannot be
read counts as missing; messages are made here, not kept (docs/cache.md).
"""

from __future__ import annotations

import json

from tracecite_lint.engine.judge import Decision, mismatch, verified
from tracecite_lint.light.digests import blake2b
from tracecite_lint.matching.result import FOLDS
from tracecite_lint.model import Asks, Citation, Difference, DifferenceKind, Nearest, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.sources.store import Store

_MOST_FOR_A_PAGE = 20_000
"""Verdicts kept for one page; beyond it those that the run did not ask for are forgotten."""

_WORTH_KEEPING = 100
"""Citations of a run from which on verdicts are asked for and kept: a commit has few, and opens no database to write."""

_MOST_NEAREST = 20_000
"""Characters of a closest passage with its differences that is kept."""

_SHORT = 200
"""Characters of a quotation that is kept as it is; of a longer one the digest is."""

_OPERATIONS = frozenset({"equal", "insert", "delete", "replace"})

_Entries = dict[str, list[object]]


class KeptVerdicts:
    """The verdicts that *store* keeps, and those of this run that are to be kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed: dict[str, _Entries] = {}
        self._new = 0

    @staticmethod
    def are_worth_it(citations: int) -> bool:
        """Tell whether to ask for verdicts in a check of so many *citations*."""
        return citations >= _WORTH_KEEPING

    def of_page(self, digest: str) -> PageVerdicts:
        """Return the verdicts by the page whose text has *digest*."""
        key = _row_key(digest)
        data = self._store.derived(key)
        entries: object = {}
        if data is not None:
            try:
                entries = json.loads(data)
            except (ValueError, RecursionError):
                entries = {}
        return PageVerdicts(key, entries if isinstance(entries, dict) else {})

    def take(self, verdicts: PageVerdicts) -> None:
        """Take down what is new in *verdicts*."""
        if verdicts.new:
            self._new += len(verdicts.new)
            self._changed[verdicts.key] = verdicts.entries

    def save(self) -> None:
        """Keep what was taken down, if it is much."""
        if not self.are_worth_it(self._new):
            return
        rows = {
            key: json.dumps(entries, separators=(",", ":")).encode()
            for key, entries in self._changed.items()
        }
        self._changed, self._new = {}, 0
        self._store.keep_derived(rows)


class PageVerdicts:
    """The verdicts by one page."""

    def __init__(self, key: str, entries: _Entries) -> None:
        self.key = key
        self._kept = entries
        self._used: _Entries = {}
        self.new: _Entries = {}

    @property
    def entries(self) -> _Entries:
        """All that is to be kept from now on."""
        if len(self._kept) + len(self.new) > _MOST_FOR_A_PAGE:
            return {**self._used, **self.new}
        return {**self._kept, **self.new}

    def get(self, citation: Citation, fragment: str) -> Decision | None:
        """Return what was decided of *citation*, whose source names *fragment*; None if nothing that can be used is kept."""
        if not _is_kept(citation):
            return None
        name = name_of(citation, fragment)
        entry = self._kept.get(name)
        if entry is None:
            return None
        try:
            decision = _decision(entry, citation)
        except (ValueError, TypeError):
            return None
        self._used[name] = entry
        return decision

    def add(self, citation: Citation, fragment: str, decision: Decision) -> None:
        """Keep what was decided; nothing of the words of a record is."""
        if _is_kept(citation) and (entry := _entry(decision)) is not None:
            self.new[name_of(citation, fragment)] = entry


def _is_kept(citation: Citation) -> bool:
    """Tell whether a verdict of *citation* is kept: of quotations, and nothing of the words of a record."""
    return citation.asks is Asks.QUOTATION and not citation.private


def _row_key(digest: str) -> str:
    from tracecite_lint.engine.program import (
        program_digest,  # not for a commit, which asks for none
    )

    return "verdicts/" + blake2b(program_digest() + digest.encode(), digest_size=16).hexdigest()


def name_of(citation: Citation, fragment: str) -> str:
    """Return what a verdict by one text hangs on besides that text: the words themselves where these are short."""
    if (
        len(citation.passages) == 1
        and len(citation.passages[0]) <= _SHORT
        and not (fragment or citation.directives or citation.captured is not None)
    ):
        return f"“{citation.passages[0]}”"
    parts = [[item.start, item.end, item.prefix, item.suffix] for item in citation.directives]
    asked = json.dumps([citation.passages, parts, citation.captured, fragment])
    return blake2b(asked.encode(), digest_size=16).hexdigest()


def _entry(decision: Decision) -> list[object] | None:
    """Return *decision* as it is kept; None for what is not."""
    if decision.verdict is Verdict.VERIFIED:
        ranges = [place for pair in decision.ranges for place in pair]
        kept = [ranges, decision.folds, decision.swallowed, decision.left_out, decision.page]
        return [*kept, decision.omitted]
    if decision.verdict is not Verdict.MISMATCH:
        return None
    nearest, kind = decision.nearest, decision.difference
    if nearest is None:
        return [None, kind]
    differences = [[item.op, item.text] for item in nearest.differences]
    if len(nearest.text) + sum(len(item.text) for item in nearest.differences) > _MOST_NEAREST:
        return None
    shown = [nearest.text, nearest.similarity, differences, nearest.suggestion, nearest.is_safe]
    return [shown, kind]


def _decision(entry: object, citation: Citation) -> Decision:
    """Read *entry* back. Raises ValueError or TypeError for what `_entry` does not make."""
    if not isinstance(entry, list):
        raise ValueError("a kept verdict is a list")
    if len(entry) == 2:
        shown, kind = entry
        found = None if kind is None else DifferenceKind(kind)
        return mismatch(citation, _nearest(shown), found, local=False)
    places, folds, swallowed, left_out, page, omitted = entry
    if len(places) == 2 and not (folds or swallowed or left_out or page):
        start, end = places  # most are found word for word
        if type(start) is type(end) is int and 0 <= start <= end < 2**32:
            return Decision(verdict=Verdict.VERIFIED, ranges=((start, end),))
    if not all(isinstance(name, str) for name in (*folds, *swallowed)) or not {*folds} <= {*FOLDS}:
        raise ValueError("a kept verdict names folds and words")
    if not isinstance(omitted, str):
        raise ValueError("what was left out is words")
    bounds = [_count(place) for place in places]
    if bounds != sorted(bounds):
        raise ValueError("the places of a kept verdict rise")
    return verified(
        ranges=tuple(zip(bounds[::2], bounds[1::2], strict=True)),
        folds=tuple(folds),
        swallowed=tuple(swallowed),
        left_out=_count(left_out),
        omitted=omitted,
        page=None if page is None else _count(page),
    )


def _nearest(value: object) -> Nearest | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise ValueError("a kept passage is a list")
    text, similarity, differences, suggestion, is_safe = value
    pairs = [(op, words) for op, words in differences]
    strings = (text, suggestion, *(words for _, words in pairs))
    if not all(isinstance(words, str) for words in strings):
        raise ValueError("a kept passage has words")
    if not isinstance(similarity, int | float) or not 0 <= similarity <= 1:
        raise ValueError("a likeness is a number from 0 to 1")
    if not isinstance(is_safe, bool):
        raise ValueError("a suggestion is safe or not")
    if not {op for op, _ in pairs} <= _OPERATIONS:
        raise ValueError("a difference has one of four kinds")
    return Nearest(
        text,
        similarity,
        tuple(Difference(op, words) for op, words in pairs),
        suggestion,
        is_safe,
    )


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**32:
        raise ValueError("a count in a kept verdict is none")
    return value
