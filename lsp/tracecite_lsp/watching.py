"""Settings files, looked at again and again: few editors tell a server of changes everywhere above a document."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tracecite_lint.settings import PROJECT_FILES, user_file
from tracecite_lsp.library import Signature, file_signature


class Watch:
    """Remembers in which state the settings files were."""

    def __init__(self) -> None:
        self._seen: dict[Path, Signature] = {}

    def add(self, folder: Path) -> None:
        """Remember the state of the files that can hold for a document in *folder*, before they are read for it."""
        for path in _files([folder]):
            self._seen.setdefault(path, file_signature(path))

    def changed(self, folders: Iterable[Path]) -> bool:
        """Tell whether a settings file that can hold for a document in one of *folders* has changed since the last look."""
        now = {path: file_signature(path) for path in _files(folders)}
        before, self._seen = self._seen, now
        return any(before.get(path, signature) != signature for path, signature in now.items())


def _files(folders: Iterable[Path]) -> list[Path]:
    above = {parent for folder in folders for parent in (folder, *folder.parents)}
    return [user_file(), *(folder / name for folder in above for name in PROJECT_FILES)]
