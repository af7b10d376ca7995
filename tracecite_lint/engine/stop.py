"""What ends a fetch from another thread than the one that makes it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Stop:
    """Asked for in one thread, it cancels the task that fetches in another: the one that runs, or the next to begin."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = False
        self._fetching: tuple[asyncio.AbstractEventLoop, asyncio.Task[object]] | None = None

    @property
    def asked(self) -> bool:
        """Whether it was asked for."""
        return self._asked

    def ask(self) -> None:
        """Cancel what is fetched, from any thread."""
        with self._lock:
            self._asked = True
            if self._fetching is not None:
                loop, task = self._fetching
                loop.call_soon_threadsafe(task.cancel)

    @contextmanager
    def stops_this_task(self) -> Iterator[None]:
        """Let the current task be what is cancelled."""
        task = asyncio.current_task()
        assert task is not None  # called in a coroutine
        with self._lock:
            self._fetching = asyncio.get_running_loop(), task
            if self._asked:
                task.cancel()
        try:
            yield
        finally:
            # Under the lock: a loop that is closed takes nothing more.
            with self._lock:
                self._fetching = None
