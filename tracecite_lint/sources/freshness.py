"""How long a page counts as fresh, and how it is asked for again: pure decisions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from tracecite_lint.light.lazy import replace
from tracecite_lint.sources.page import Page, PageHead

STALE_LIMIT = 30 * 24 * 3600.0
"""Seconds after which a page is no longer used even if its server cannot be reached."""

FAILURE_TTL = 60.0
"""Seconds for which the answer of a server that gave no page is remembered, to spare it."""

UNREACHABLE_TTL = 10.0
"""The same for a source that could not be reached: the next try may follow a mended network."""

CLOCK_SKEW = 24 * 3600.0
"""Seconds by which clocks may differ, that of the machine and itself after it was set right included."""


class Freshness(Enum):
    """What a cached page may be used for."""

    FRESH = auto()
    """Use it."""
    STALE = auto()
    """Ask whether it has changed; use it if the server cannot be reached."""
    EXPIRED = auto()
    """Fetch it anew."""


def freshness(page: PageHead, *, now: float, ttl: float) -> Freshness:
    """Return what *page* may be used for at *now* (seconds since the epoch) under a *ttl* in seconds.

    The TTL of this run counts, not the one under which the page was fetched. A page from the future (the clock was set
    back) is not fresh, and one from further on than clocks differ is of no use.
    """
    age = now - page.fetched_at
    # Cache-Control and Expires play no part: they say how long a copy may be shown, a check asks what stands there now.
    if not -CLOCK_SKEW <= age <= STALE_LIMIT:
        return Freshness.EXPIRED
    if 0 <= age < ttl:
        return Freshness.FRESH
    return Freshness.STALE


def failure_ttl(*, unreachable: bool) -> float:
    """Return for how many seconds it is remembered that a source gave no page."""
    return UNREACHABLE_TTL if unreachable else FAILURE_TTL


def conditional_headers(page: Page) -> dict[str, str]:
    """Return the request headers that ask for a page only if it changed since *page* (RFC 9110, section 13.1)."""
    headers: dict[str, str] = {}
    if page.etag:
        headers["If-None-Match"] = page.etag
    if page.last_modified:
        headers["If-Modified-Since"] = page.last_modified
    return headers


def revalidated(
    page: Page,
    *,
    etag: str | None,
    last_modified: str | None,
    hops: Mapping[str, str],
    now: float,
    ttl: float,
) -> Page:
    """Return *page* as confirmed by a 304 response with these validators (RFC 9111, section 4.3.4), reached by *hops*."""
    return replace(
        page,
        fetched_at=now,
        fresh_until=now + ttl,
        etag=etag or page.etag,
        last_modified=last_modified or page.last_modified,
        hops=hops,
        from_cache=True,
        stale=False,
    )
