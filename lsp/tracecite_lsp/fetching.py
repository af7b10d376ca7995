"""Pages that are being fetched, each once, for the documents that wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from tracecite_lint.light.lazy import dataclass, field
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.policy import WebSource
from tracecite_lsp.page_set import PageSet


@dataclass(eq=False, slots=True)
class _Fetch:
    page_set: PageSet
    source: WebSource
    owners: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None


class Fetches:
    """Fetches under way. One goes on while any document wants its page, whatever version of the document that is."""

    def __init__(
        self,
        on_page: Callable[[PageSet, WebSource, frozenset[str]], None],
        on_count: Callable[[int, int], None],
        on_crash: Callable[[Exception], None],
    ) -> None:
        """*on_page* is called when a page, or the reason why there is none, has arrived in its page set, with the
        documents that waited; *on_count* with how many of how many are done; *on_crash* with an unforeseen error."""
        self._on_page = on_page
        self._on_count = on_count
        self._on_crash = on_crash
        self._fetches: dict[tuple[PageSet, str], _Fetch] = {}
        self._done = 0

    def want(self, owner: str, page_set: PageSet, sources: Iterable[WebSource]) -> None:
        """Fetch *sources*, and nothing else, for the document *owner*."""
        wanted = {(page_set, source.key): source for source in sources}
        for name, source in wanted.items():
            if name not in self._fetches:
                fetch = self._fetches[name] = _Fetch(page_set, source)
                fetch.task = asyncio.create_task(self._load(fetch))
            self._fetches[name].owners.add(owner)
        for name, fetch in list(self._fetches.items()):
            if name not in wanted:
                self._leave(owner, fetch)
        self._count()

    async def finished(self, owner: str) -> None:
        """Wait until nothing is fetched for *owner* any more: all is there, or was given up."""
        while tasks := [
            fetch.task
            for fetch in self._fetches.values()
            if owner in fetch.owners and fetch.task is not None
        ]:
            await asyncio.wait(tasks)

    def drop(self, owner: str) -> None:
        """Fetch nothing for *owner* any more."""
        for fetch in list(self._fetches.values()):
            self._leave(owner, fetch)
        self._count()

    def cancel(self) -> None:
        """Give up everything that is under way."""
        for fetch in list(self._fetches.values()):
            self._end(fetch)
        self._count()

    def _leave(self, owner: str, fetch: _Fetch) -> None:
        if owner in fetch.owners:
            fetch.owners.discard(owner)
            if not fetch.owners:
                self._end(fetch)

    def _end(self, fetch: _Fetch) -> None:
        if fetch.task is not None:
            fetch.task.cancel()
        self._remove(fetch)

    def _remove(self, fetch: _Fetch) -> None:
        name = (fetch.page_set, fetch.source.key)
        # Another one may have begun under the same name since this one was cancelled.
        if self._fetches.get(name) is fetch:
            del self._fetches[name]
            self._done += 1

    async def _load(self, fetch: _Fetch) -> None:
        page_set, source = fetch.page_set, fetch.source
        try:
            page_set.arrived[source.key] = await page_set.store.load(source)
        except SourceError as error:
            page_set.arrived[source.key] = error
        except Exception as error:
            self._remove(fetch)
            self._count()
            self._on_crash(error)
            return
        self._remove(fetch)
        self._count()
        self._on_page(page_set, source, frozenset(fetch.owners))

    def _count(self) -> None:
        # What was given up counts as done: a progress bar must not go back, and has to come to its end.
        total = self._done + len(self._fetches)
        if total:
            self._on_count(self._done, total)
        if not self._fetches:
            self._done = 0
