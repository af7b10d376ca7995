"""Quotations that their own source does not hold, looked for in the other sources of their document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tracecite_lint.engine.deciding import Deciding
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import PageKey, Target, page_key
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import find, inner_words, may_hold, spaced_words, word_runs
from tracecite_lint.model import Citation
from tracecite_lint.sources.errors import SourceError

_MANY = 50
"""Quotations that are looked for in a page from which on its words are taken down first, as most have one that it has not."""

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
        self._words = {number: inner_words(runs) for number, runs in self._runs.items()}
        if not items:
            return
        # Once for a document: asked for each mismatch, a long report would take minutes.
        for uri in dict.fromkeys(citation.source.uri for citation in job.document.citations):
            target = deciding.resolve(uri, job)
            if not isinstance(target, SourceError) and deciding.head(job, target) is not None:
                self.sources.setdefault(page_key(job, target), (uri, target))
        self._places = {key: place for place, key in enumerate(self.sources)}

    def look(self, key: PageKey, page: _Searched) -> None:
        """Look for the quotations in one page."""
        for number, (citation, target) in self.items.items():
            if citation.directives or not self._is_searched(key, target):
                continue
            folded = page.folded(self._job, self.sources[key][1])
            if folded is None:
                return
            known = page.words
            if known is not None and not self._words[number] <= known:
                continue
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


class _Searched:
    """A page in which quotations are looked for: its folded text, and if they are many its words."""

    def __init__(self, deciding: Deciding, quotations: int) -> None:
        self._deciding = deciding
        self._is_worth_words = quotations >= _MANY
        self._folded: FoldedText | None = None
        self.words: frozenset[str] | None = None

    def folded(self, job: Job, target: Target) -> FoldedText | None:
        """Return the page's text, read when it is first asked for."""
        if self._folded is None:
            self._folded = self._deciding.folded(job, target)
            # With formulas closed up, other words stand between spaces.
            if self._is_worth_words and self._folded and not self._folded.has_other_ways:
                self.words = spaced_words(self._folded)
        return self._folded


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
        page = _Searched(deciding, sum(len(of_document.items) for of_document in documents))
        for of_document in documents:
            of_document.look(key, page)
