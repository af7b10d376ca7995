"""The pages that documents under the same settings share: the engine's store, and what was read through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

from tracecite_lint.changes.sparse import SparseSources
from tracecite_lint.engine.check import Memo, Pages, Texts
from tracecite_lint.engine.reach import PageKey, open_store
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.options import Reach
from tracecite_lint.sources.page import Page, PageHead
from tracecite_lint.sources.policy import WebSource

_TRUSTED_SECONDS = 60.0
"""How long a page in memory is used without a look into the cache, which other programs write too."""

_MEMO_LIMIT = 20_000
"""Verdicts kept; every key typed in a quotation makes another one."""

Signature = tuple[object, ...]


def file_signature(path: Path) -> Signature:
    """Return what tells one state of a file from another."""
    try:
        status = path.stat()
    except OSError as error:
        return (error.errno,)
    return status.st_mtime_ns, status.st_size, status.st_ino


class PageSet:
    """What was read for documents below one root through one reach.

    `pages`, `memo` and `texts` are the engine's; one check at a time uses them, in whatever thread. What is fetched
    meanwhile waits in `arrived`. The texts of pages are read from the cache when they are asked for: a few are kept.
    """

    def __init__(
        self, reach: Reach, root: Path, buffer: Callable[[Path], tuple[bytes, int] | None]
    ) -> None:
        """Open the store that *reach* describes. *buffer* gives the text and the revision of an open document.

        Raises SettingsError.
        """
        self._exits = ExitStack()
        self.store = self._exits.enter_context(open_store(reach, work_tree=root))
        self._keeps_pages = not reach.no_cache
        self.pages: Pages = {}
        self.memo: Memo = {}
        self.texts = Texts()
        self.links: dict[tuple[object, ...], tuple[str, bool] | None] = {}
        """Where links lead, by all that this hangs on: to find it out a page's text is needed."""
        self.arrived: dict[str, Page | SourceError] = {}
        self._buffer = buffer
        self._sparse = SparseSources(root)
        self._looked_at: dict[str, float] = {}
        self._files: dict[Path, Signature] = {}
        self._outdated_files = False
        self._cited: set[str] | None = None

    def take_in(self) -> None:
        """Make what has arrived part of the pages, and forget what is out of date; not while a check is under way."""
        if self._outdated_files:
            self._outdated_files = False
            self.pages = {key: page for key, page in self.pages.items() if _is_web(key)}
        if self._cited is not None:
            cited, self._cited = self._cited, None
            self.pages = {
                key: page for key, page in self.pages.items() if key in cited or not _is_web(key)
            }
        for key in list(self.arrived):
            found = self.arrived.pop(key)
            self.pages[key] = found.head if isinstance(found, Page) else found
            if isinstance(found, Page):
                self.texts.keep(key, found, can_be_read_again=self.store.keeps_pages)
            self._looked_at[key] = time.monotonic()
        # All of it: which of them are still of use is not known, and to make them anew takes milliseconds.
        for known in (self.memo, self.links):
            if len(known) > _MEMO_LIMIT:
                known.clear()

    def read(self, path: Path) -> bytes | None:
        """Return what an open editor has of the local source at *path*, or the index of a sparse checkout; None: the disk.

        The state in which the source is read is remembered for `changed_files`.
        """
        self._files[path] = self._signature(path)
        found = self._buffer(path)
        return found[0] if found else self._sparse(path)

    def changed_files(self) -> bool:
        """Tell whether a local source is no longer what was read; all of them are then forgotten."""
        files = list(self._files.items())
        if all(self._signature(path) == signature for path, signature in files):
            return False
        self.forget_files()
        return True

    def has_read(self, path: Path | None) -> bool:
        """Tell whether the file *path*, symbolic links followed, was read as a source."""
        return path in self._files

    def forget_files(self) -> None:
        """Let local sources be read again by the next check."""
        self._files = {}
        self._outdated_files = True

    def reconsidered(self, sources: Iterable[WebSource]) -> list[WebSource]:
        """Return which of *sources*, all of them known, should be asked again: too old, or not to be had last time.

        What the cache says of them by now is taken over.
        """
        asked: list[WebSource] = []
        now = time.monotonic()
        for source in sources:
            held = self.pages.get(source.key)
            at = self._looked_at.setdefault(source.key, now)
            if held is None or (isinstance(held, PageHead) and self._is_trusted(held, now - at)):
                continue
            known = self.store.head(source)
            if known is None:
                asked.append(source)
            else:
                self.pages[source.key] = known
                self._looked_at[source.key] = now
        return asked

    def _is_trusted(self, page: PageHead, age: float) -> bool:
        if self._keeps_pages and self.store.problem is None:
            return age < _TRUSTED_SECONDS
        # Without a cache there is nothing to look into, and the server would be asked at each save.
        return time.time() < page.fresh_until

    def keep_only(self, keys: set[str]) -> None:
        """Let the next check forget the web pages that are not among *keys*."""
        self._cited = keys

    def close(self) -> None:
        """Close the cache."""
        self._exits.close()

    def _signature(self, path: Path) -> Signature:
        found = self._buffer(path)
        return ("buffer", found[1]) if found else file_signature(path)


def _is_web(key: PageKey) -> bool:
    return isinstance(key, str)  # that of a file names its root too
