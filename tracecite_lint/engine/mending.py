"""The fixes of mismatches: the source's own words in place of the quotation, where the document stays what it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tracecite_lint.engine.edits import replacement, replacements
from tracecite_lint.model import Citation, Document, Fix, TextEdit

FIX_LIMIT = 20_000
"""How much work the fixes of one document may be: most are made together, the rest each read the document again."""


class Mending:
    """Makes fixes, and takes down how much work those of each document have been."""

    def __init__(self) -> None:
        self._spent: dict[str, int] = defaultdict(int)

    def fixes(
        self, document: Document, asked: Mapping[int, tuple[Citation, str]]
    ) -> dict[int, Fix]:
        """Return by number the fixes of mismatches of *document*, each *asked* with the words that the source has instead."""
        asked = {number: item for number, item in asked.items() if item[1]}
        together = (
            replacements(document, [*asked.values()]) if len(asked) > 1 else [None] * len(asked)
        )
        found: dict[int, Fix] = {}
        for (number, (citation, words)), edits in zip(asked.items(), together, strict=True):
            edits = edits or self._alone(document, citation, words)
            if edits is not None:
                title = "Quote the source's own words"
                found[number] = Fix(title=title, replacement=words, edits=edits)
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
