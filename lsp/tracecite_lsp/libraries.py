"""The libraries of a session: one for each root and each way in which sources are reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tracecite_lint.settings import Settings
from tracecite_lsp.library import Library


class Libraries:
    """Opens libraries when they are needed, from any thread, and keeps them until the end."""

    def __init__(self, buffer: Callable[[Path], tuple[bytes, int] | None]) -> None:
        """*buffer* gives the text and the revision of the document that is open at a path."""
        self._buffer = buffer
        self._opened: dict[tuple[Path, str], Library] = {}

    def library(self, settings: Settings, root: Path) -> Library:
        """Return the library for documents below *root* under *settings*. Raises SettingsError."""
        reach = settings.reach()
        name = (root, repr(reach))
        if name not in self._opened:
            self._opened[name] = Library(reach, root, self._buffer)
        return self._opened[name]

    def forget_file(self, path: Path | None) -> set[Library]:
        """Return the libraries that have read the file *path*, and let them read their files again."""
        found = {library for library in self._all() if library.has_read(path)}
        for library in found:
            library.forget_files()
        return found

    def changed(self) -> set[Library]:
        """Return the libraries of which a file is no longer what was read."""
        return {library for library in self._all() if library.changed_files()}

    def keep_only(self, keys: Mapping[Library, set[str]]) -> None:
        """Let each library keep the web pages of *keys*, and no others."""
        for library in self._all():
            library.keep_only(keys.get(library, set()))

    async def close(self) -> None:
        """End what is under way, and close connections and caches."""
        for library in self._all():
            await library.store.close()
            library.close()

    def _all(self) -> list[Library]:
        return list(self._opened.values())
