"""One piece of work that several callers wait for: it goes on while anybody waits, and ends when nobody does."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Generic, TypeVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_T = TypeVar("_T")


class Flight(Generic[_T]):
    """A task that is shared by those who wait for it."""

    def __init__(self, work: Coroutine[Any, Any, _T]) -> None:
        """Start *work* in the running event loop."""
        self._task = asyncio.create_task(work)
        self._task.add_done_callback(_seen)
        self._waiting = 0

    async def result(self) -> _T:
        """Return what the work returns, or raise what it raises; the last one who stops waiting ends it."""
        self._waiting += 1
        try:
            # Who stops waiting (a closed document, a deadline) must not end it for the others.
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._task.cancel()  # does nothing to work that is done

    @property
    def is_over(self) -> bool:
        """Whether the work is done, or has been given up."""
        return not self._waiting or self._task.done()

    async def cancel(self) -> None:
        """End the work, and return when it has ended."""
        self._task.cancel()
        await asyncio.wait([self._task])


def _seen(task: asyncio.Task[Any]) -> None:
    """Keep asyncio from reporting a failure that came when nobody waited any more."""
    if not task.cancelled():
        task.exception()
