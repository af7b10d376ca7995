"""A folder that changes places with another all the time, by a process of its own: a real race."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SWAPPER = """
import ctypes, os, sys
folder, other = sys.argv[1:]
exchange = getattr(ctypes.CDLL(None), "renameat2", None)
print("ready", flush=True)
while True:
    if exchange is None or exchange(-100, folder.encode(), -100, other.encode(), 2):
        exchange = None
        os.rename(folder, folder + ".away")
        os.rename(other, folder)
        os.rename(folder + ".away", other)
"""


@contextmanager
def swapped_all_the_time(folder: Path, other: Path) -> Iterator[None]:
    """Let *folder* and *other* change places while the block runs."""
    command = [sys.executable, "-c", _SWAPPER, str(folder), str(other)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as swapper:
        assert swapper.stdout is not None
        swapper.stdout.readline()
        try:
            yield
        finally:
            swapper.kill()
