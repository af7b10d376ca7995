"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Make *data* the content of *path* in one step, keeping its mode. Raises OSError.

    A symbolic link stays one: its target is replaced. A device or a pipe (`/dev/stdout`) is written to.
    """
    import tempfile  # needed by few runs, and slow to import

    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".tracecite-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
