"""Quotations that their own source does not hold, looked for in the other sources of their document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tracecite_lint.engine.deciding import Deciding
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import PageKey, Target, page_key
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import find, may_hold, word_runs
from tracecite_lint.model import Citation
from tracecite_lint.sources.errors import SourceError

_LIMIT = 50
"""How many other sources of a document are searched for a quotation."""


class Asked:
    """The quotations of one document that are looked for, by number, and its sources that were read."""

    def __init__(
        self, deciding: Deciding, job: Job, items: Mapping[int, tuple[Citation, Target]]
    ) -> None:
        """Take down *items*, citations with where their own sources lead."""
        self._job = job
        self.items = items
        self.found: dict[int, list[PageKey]] = {}
        self.sources: dict[PageKey, tuple[str, Target]] = {}
        """Each source as it is written first, and where it leads."""
        self._runs = {
            number: word_runs(citation.passages) for number, (citation, _) in items.items()
        }
        if not items:
            return
        # Once for a document: asked for each mismatch, a long report would take minutes.
        for uri in dict.fromkeys(citation.source.uri for citation in job.document.citations):
            target = deciding.resolve(uri, job)
            if not isinstance(target, SourceError) and deciding.head(job, target) is not None:
                self.sources.setdefault(page_key(job, target), (uri, target))
        self._places = {key: place for place, key in enumerate(self.sources)}

    def look(self, deciding: Deciding, key: PageKey) -> None:
        """Look for the quotations in one page."""
        folded: FoldedText | None = None
        for number, (citation, target) in self.items.items():
            if citation.directives or not self._is_searched(key, target):
                continue
            if folded is None:
                folded = deciding.folded(self._job, self.sources[key][1])
                if folded is None:
                    return
            if may_hold(folded, self._runs[number]) and find(folded, citation.passages):
                self.found.setdefault(number, []).append(key)

    def _is_searched(self, key: PageKey, own: Target) -> bool:
        if isinstance(own, SourceError):
            return self._places[key] < _LIMIT
        own_key = page_key(self._job, own)
        before = self._places[key] > self._places.get(own_key, len(self._places))
        return key != own_key and self._places[key] - before < _LIMIT

    def uris(self) -> dict[int, tuple[str, ...]]:
        """Return the sources that hold each quotation, in the order of the document."""
        return {
            number: tuple(self.sources[key][0] for key in self.sources if key in keys)
            for number, keys in self.found.items()
        }


def look_elsewhere(
    deciding: Deciding, asked: Sequence[Asked], has_time: Callable[[], bool]
) -> None:
    """Look for what is *asked* of several documents, each page once for all of them, while it *has time*."""
    citing: dict[PageKey, list[Asked]] = {}
    for of_document in asked:
        for key in of_document.sources if of_document.items else ():
            citing.setdefault(key, []).append(of_document)
    for key, documents in citing.items():
        if not has_time():
            return
        for of_document in documents:
            of_document.look(deciding, key)
