"""The root of a repository: the closest folder, at or above the one in question, that has a `.git` of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def repository_root(folder: Path, otherwise: Path) -> Path:
    """Return the directory that local sources of documents in *folder* (absolute) may not leave, without symlinks.

    That is the root of the repository that *folder* lies in; outside of any it is *otherwise*.
    """
    return root_of(folder, os.environ) or otherwise.resolve()


def root_of(folder: Path, variables: Mapping[str, str]) -> Path | None:
    """Return the root of the repository that *folder* lies in, None outside of any."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate.resolve()
    return None
