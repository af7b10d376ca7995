"""Politeness: how many requests run at a time, how far apart they start, and how long a server asks to be left alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC

from tracecite_lint.sources.options import HostOptions

TOTAL_LIMIT = 32
"""Requests that run at a time, over all hosts."""

MAX_RETRY_AFTER = 30.0
"""Seconds that a server may ask to be left alone before it counts as unreachable."""


class Host:
    """The state of one host: its free places, and when the next request may start."""

    def __init__(self, options: HostOptions, total: asyncio.Semaphore) -> None:
        self._interval = options.interval
        self._places = asyncio.Semaphore(options.concurrency)
        self._total = total
        self._starting = asyncio.Lock()
        self._next_start = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a place and for the time to start; the place is free again at the end of the block."""
        async with self._places:
            # One at a time waits for the start, so that an interval lies between any two of them.
            async with self._starting:
                await self._wait()
                await self._total.acquire()
                self._next_start = max(self._next_start, _now() + self._interval)
            try:
                yield
            finally:
                self._total.release()

    def pause(self, seconds: float) -> None:
        """Start no request in the next *seconds*."""
        self._next_start = max(self._next_start, _now() + seconds)

    async def _wait(self) -> None:
        while (delay := self._next_start - _now()) > 0:
            await asyncio.sleep(delay)


class Hosts:
    """The hosts of one run."""

    def __init__(self, options_of: Callable[[str], HostOptions]) -> None:
        self._options_of = options_of
        self._total = asyncio.Semaphore(TOTAL_LIMIT)
        self._hosts: dict[str, Host] = {}

    def __getitem__(self, name: str) -> Host:
        if name not in self._hosts:
            self._hosts[name] = Host(self._options_of(name), self._total)
        return self._hosts[name]


def retry_after(value: str | None, *, now: float) -> float | None:
    """Return the seconds to wait that a `Retry-After` header asks for, None without a valid one.

    The header holds seconds or a date (RFC 9110, section 10.2.3); a date in the past means 0.
    """
    value = (value or "").strip()
    if value.isascii() and value.isdigit():
        # Twelve digits are 30,000 years; more would be read in quadratic time.
        return float(value[:12])
    from email.utils import parsedate_to_datetime

    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    # parsedate_to_datetime gives no zone for `-0000`; HTTP dates are in GMT whatever they say (RFC 9110, section 5.6.7).
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(date.timestamp() - now, 0.0)


def _now() -> float:
    return asyncio.get_running_loop().time()
