"""Settings, baselines and manifests, looked at again and again: few editors tell of changes in all places above a document."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tracecite_lint.settings import PROJECT_FILES, user_file
from tracecite_lsp.page_set import Signature, file_signature


class Watch:
    """Remembers in which state files were when they were read."""

    def __init__(self) -> None:
        self._seen: dict[Path, Signature] = {}

    def add_folder(self, folder: Path) -> None:
        """Remember the settings files that can hold in *folder*, before they are read."""
        self.add_files(_files([folder]))

    def add_files(self, paths: Iterable[Path]) -> None:
        """Remember the files *paths* as they are, unless they are known."""
        for path in paths:
            if path not in self._seen:
                self._seen[path] = file_signature(path)

    def changed(self, folders: Iterable[Path], paths: Iterable[Path]) -> bool:
        """Tell whether a settings file that can hold in one of *folders*, or one of *paths*, has changed since the last
        look; everything else is forgotten."""
        now = {path: file_signature(path) for path in (*_files(folders), *paths)}
        before, self._seen = self._seen, now
        # One that is new to the list is no change: nobody had read it.
        return any(before.get(path, signature) != signature for path, signature in now.items())


def _files(folders: Iterable[Path]) -> list[Path]:
    above = {parent for folder in folders for parent in (folder, *folder.parents)}
    return [user_file(), *(folder / name for folder in above for name in PROJECT_FILES)]
