"""Where a user's cache and settings lie on each system (platformdirs)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_NAME = "tracecite-lint"
_BELOW_HOME = {"CACHE": ".cache", "CONFIG": ".config"}


def user_cache() -> Path:
    """Return the directory for this program's cache."""
    plain = _plain("CACHE")
    if plain is not None:
        return plain
    import platformdirs

    return Path(platformdirs.user_cache_dir(_NAME, appauthor=False))


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
