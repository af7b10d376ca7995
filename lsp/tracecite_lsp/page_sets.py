"""The page sets of a session: one for each root and each way in which sources are reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tracecite_lint.settings import Settings
from tracecite_lsp.page_set import PageSet


class PageSets:
    """Opens page sets when they are needed, from any thread, and keeps them until the end."""

    def __init__(self, buffer: Callable[[Path], tuple[bytes, int] | None]) -> None:
        """*buffer* gives the text and the revision of the document that is open at a path."""
        self._buffer = buffer
        self._opened: dict[tuple[Path, str], PageSet] = {}

    def page_set(self, settings: Settings, root: Path) -> PageSet:
        """Return the page set for documents below *root* under *settings*. Raises SettingsError."""
        reach = settings.reach()
        name = (root, repr(reach))
        if name not in self._opened:
            self._opened[name] = PageSet(reach, root, self._buffer)
        return self._opened[name]

    def forget_file(self, path: Path | None) -> set[PageSet]:
        """Return the page sets that have read the file *path*, and let them read their files again."""
        found = {page_set for page_set in self._all() if page_set.has_read(path)}
        for page_set in found:
            page_set.forget_files()
        return found

    def changed(self) -> set[PageSet]:
        """Return the page sets of which a file is no longer what was read."""
        return {page_set for page_set in self._all() if page_set.changed_files()}

    def keep_only(self, keys: Mapping[PageSet, set[str]]) -> None:
        """Let each page set keep the web pages of *keys*, and no others."""
        for page_set in self._all():
            page_set.keep_only(keys.get(page_set, set()))

    async def close(self) -> None:
        """End what is under way, and close connections and caches."""
        for page_set in self._all():
            await page_set.store.close()
            page_set.close()

    def _all(self) -> list[PageSet]:
        return list(self._opened.values())
