"""The fixes of mismatches: the source's own words in place of the quotation, where the document stays what it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby

from tracecite_lint.engine.edits import replacement, replacements
from tracecite_lint.model import Applicability, Citation, Document, Fix, Nearest, TextEdit

FIX_LIMIT = 20_000
"""How much work the fixes of one document may be: most are made together, the rest each read the document again."""


_MOST_CHANGES = 3
_LONGEST_CHANGE = 60


class Mending:
    """Makes fixes, and takes down how much work those of each document have been."""

    def __init__(self) -> None:
        self._spent: dict[str, int] = defaultdict(int)

    def fixes(
        self, document: Document, asked: Mapping[int, tuple[Citation, Nearest]]
    ) -> dict[int, Fix]:
        """Return by number the fixes of mismatches of *document*, each *asked* with what the source has instead."""
        wanted = {
            number: (citation, nearest.suggestion)
            for number, (citation, nearest) in asked.items()
            if nearest.suggestion
        }
        together = (
            replacements(document, [*wanted.values()]) if len(wanted) > 1 else [None] * len(wanted)
        )
        found: dict[int, Fix] = {}
        for (number, (citation, words)), edits in zip(wanted.items(), together, strict=True):
            edits = edits or self._alone(document, citation, words)
            if edits is not None:
                found[number] = _fix(asked[number][1], edits)
        return found

    def notes(self) -> Iterable[str]:
        """Yield what the user should know of fixes that were not made."""
        for path, spent in self._spent.items():
            if spent > FIX_LIMIT:
                yield f"{path}: so many quotations fail that only the first ones were given a fix; run --fix again for more"

    def _alone(
        self, document: Document, citation: Citation, words: str
    ) -> tuple[TextEdit, ...] | None:
        """Return the edits of one fix while those of its document have not taken too long (some 20 s)."""
        if self._spent[document.path] > FIX_LIMIT:
            return None
        # About a millisecond for a citation, or for five thousand characters without any.
        self._spent[document.path] += len(document.citations) + len(document.text) // 5000
        return replacement(document, citation, words)


def _fix(nearest: Nearest, edits: tuple[TextEdit, ...]) -> Fix:
    """Return the fix that makes *edits*, with a title that says what an unsafe one changes."""
    title = "Quote the source's own words"
    if nearest.is_safe:
        return Fix(title, nearest.suggestion, edits)
    return Fix(f"{title}: {_changes(nearest)}", nearest.suggestion, edits, Applicability.UNSAFE)


def _changes(nearest: Nearest) -> str:
    """Return what an unsafe fix changes: `90 → 180`, `+ not`, `− only`, the first of them if they are many."""
    changes = []
    for is_equal, run in groupby(nearest.differences, key=lambda item: item.op == "equal"):
        items = list(run)
        removed = " ".join("".join(item.text for item in items if item.op == "delete").split())
        added = " ".join("".join(item.text for item in items if item.op == "insert").split())
        if not is_equal:
            changes.append(
                f"{removed} → {added}"
                if removed and added
                else f"+ {added}"
                if added
                else f"− {removed}"
            )
    more = ", …" if len(changes) > _MOST_CHANGES else ""
    return ", ".join(change[:_LONGEST_CHANGE] for change in changes[:_MOST_CHANGES]) + more
