"""Where a user's cache and settings lie on each system (platformdirs)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNCHECKED = "unchecked"
"""The directory below the cache in which is kept what could not be checked (known/unchecked.py)."""

TOLD = "told"
"""The directory below the cache in which is kept what agents were told (agents/memory.py)."""

_NAME = "tracecite-lint"
_BELOW_HOME = {"CACHE": ".cache", "CONFIG": ".config"}


def user_cache() -> Path:
    """Return the directory for this program's cache."""
    plain = _plain("CACHE")
    if plain is not None:
        return plain
    import platformdirs

    return Path(platformdirs.user_cache_dir(_NAME, appauthor=False))


def cache_directory(chosen: str | None, environment: Mapping[str, str]) -> Path:
    """Return where the cache lies: *chosen*, else `TRACECITE_LINT_CACHE_DIR`, else the user's cache directory."""
    chosen = chosen or environment.get("TRACECITE_LINT_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    return user_cache()


def user_config() -> Path:
    """Return the directory for this program's settings."""
    plain = _plain("CONFIG")
    if plain is not None:
        return plain
    import platformdirs

    return platformdirs.user_config_path(_NAME)


def _plain(kind: str) -> Path | None:
    """Return what the XDG Base Directory Specification says, where that is all there is to it; None elsewhere.

    platformdirs takes half as long to import as an interpreter to start, and every commit asks for both directories.
    """
    if sys.platform != "linux" or "ANDROID_ROOT" in os.environ:
        return None
    chosen, home = os.environ.get(f"XDG_{kind}_HOME", ""), os.environ.get("HOME")
    if not chosen and home:
        return Path(home, _BELOW_HOME[kind], _NAME)
    return Path(chosen, _NAME) if chosen.startswith("/") else None
