"""The server's standard streams: messages come in until stdin is closed, and then the process ends at once.

pygls would read stdin in a thread that the interpreter waits for at its end, and write with nobody to notice that the
editor is gone.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import BinaryIO

_CHUNK = 65_536


def stdin_reader(loop: asyncio.AbstractEventLoop) -> asyncio.StreamReader:
    """Return a reader of stdin that never keeps the process alive."""
    reader = asyncio.StreamReader(loop=loop)
    descriptor = sys.stdin.fileno()

    def feed() -> None:
        while True:
            try:
                data = os.read(descriptor, _CHUNK)
            except OSError:
                data = b""
            try:
                loop.call_soon_threadsafe(_pass_on, reader, data)
            except RuntimeError:
                return  # the loop is closed, the process is ending
            if not data:
                return

    threading.Thread(target=feed, daemon=True, name="stdin").start()
    return reader


def _pass_on(reader: asyncio.StreamReader, data: bytes) -> None:
    if data:
        reader.feed_data(data)
    else:
        reader.feed_eof()


class StdoutWriter:
    """Writes messages to what was stdout when it was made; whatever else is printed from then on goes to stderr."""

    def __init__(self) -> None:
        self._stdout: BinaryIO = sys.stdout.buffer
        sys.stdout = sys.stderr
        self.is_broken = False

    def write(self, data: bytes) -> None:
        """Write one message; nothing, once the editor does not read any more."""
        if self.is_broken:
            return
        try:
            self._stdout.write(data)
            self._stdout.flush()
        except (OSError, ValueError):
            self.is_broken = True

    def close(self) -> None:
        """Do nothing: the process ends soon, and its streams with it."""
