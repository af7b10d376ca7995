"""What the running program is: what an earlier version of it worked out does not count."""

from __future__ import annotations

import os
import sys
import unicodedata
from functools import cache
from importlib.util import find_spec

from tracecite_lint import __version__
from tracecite_lint.light.digests import blake2b

_LIBRARIES = ("comrak", "rapidfuzz")
"""What readings and verdicts rest on besides this package."""


@cache
def program_digest() -> bytes:
    """Return what tells one state of the program from another.

    A number alone does not: in a checkout the code changes below it. So the size and the time of each file count too, as
    they do for Python's own compiled files.
    """
    digest = blake2b(digest_size=16)
    digest.update(f"{__version__} {sys.version} {unicodedata.unidata_version}".encode())
    package = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 - pathlib is four times as slow
    for name, size, time in sorted(_modules(package)):
        digest.update(f"{name} {size} {time}\n".encode(errors="surrogateescape"))
    for library in _LIBRARIES:
        spec = find_spec(library)
        if spec is not None and spec.origin is not None:
            status = os.stat(spec.origin)  # noqa: PTH116 - as above
            digest.update(f"{library} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.digest()


def _modules(directory: str) -> list[tuple[str, int, int]]:
    """Return the path, the size in bytes and the time in nanoseconds of each module below *directory*."""
    found: list[tuple[str, int, int]] = []
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                found.append((entry.path, status.st_size, status.st_mtime_ns))
            elif entry.is_dir() and entry.name != "__pycache__":
                found += _modules(entry.path)
    return found
