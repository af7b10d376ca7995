"""One after the other: the calls of a server go to the network as the sources of one run do, however many come at once."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tracecite_lint.engine.stop import Stop
from tracecite_lint.sources.options import HostOptions

_LOOK = 0.1
"""Seconds after which a call that waits looks whether it is still wanted."""


class Turns:
    """Hands out the turn to fetch, to one thread at a time, and no sooner after another than requests may follow on each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_start = 0.0

    @contextmanager
    def turn(self, stop: Stop) -> Iterator[None]:
        """Wait for the turn and hold it for the block. Raises asyncio.CancelledError once *stop* is asked for."""
        while not self._lock.acquire(timeout=_LOOK):
            _end_if_asked(stop)
        try:
            while (delay := self._next_start - time.monotonic()) > 0:
                _end_if_asked(stop)
                time.sleep(min(delay, _LOOK))
            yield
        finally:
            self._next_start = time.monotonic() + HostOptions().interval
            self._lock.release()


def _end_if_asked(stop: Stop) -> None:
    if stop.asked:
        raise asyncio.CancelledError
