"""The one door to web sources: from the cache, or fetched once, however many ask for a page at the same time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from tracecite_lint.light.lazy import replace
from tracecite_lint.sources.cache import LEASE_SECONDS, Cache
from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME
from tracecite_lint.sources.deadline import Deadline
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.freshness import Freshness, freshness, revalidated
from tracecite_lint.sources.leases import new_owner
from tracecite_lint.sources.options import FetchOptions
from tracecite_lint.sources.page import Page, PageHead, is_header_value
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.sources.reach import ReachDigests

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from typing import TypeVar

    from tracecite_lint.sources.connect import Lookup
    from tracecite_lint.sources.extract import Extracted
    from tracecite_lint.sources.flights import Flight
    from tracecite_lint.sources.helpers import Helpers, Quoted
    from tracecite_lint.sources.http import Fetcher, Response
    from tracecite_lint.sources.refresh import Refresh

    _Kept = TypeVar("_Kept", bound=PageHead)

_POLL_SECONDS = 0.1

_ACTIVE_FETCHES = 128
"""Fetches that hold a lease at a time; 32 of them may be sending, the others wait for their host."""


class Store:
    """Gives the pages of web sources. `cached` needs no event loop; `load` and `close` belong to one."""

    def __init__(
        self,
        cache: Cache,
        options: FetchOptions,
        prepare: Callable[[str], bytes],
        prepare_version: int,
        *,
        helper: str = "",
        lookup: Lookup | None = None,
    ) -> None:
        """Use *cache* and *options*; *prepare* makes a text ready for matching, in a form of *prepare_version*.

        *helper* is a module that does both in a process of its own (helpers.py), where many pages are to be read; *lookup*
        resolves host names in the system's stead.
        """
        self._cache = cache
        self._options = options
        self._prepare = prepare
        self._prepare_version = prepare_version
        self._helper = helper
        self._expected = 0
        self._lookup = lookup
        self._owner = new_owner()
        self._reach = ReachDigests(options, os.environ)
        self._refresh_from = time.time() if options.refresh else 0.0
        self._distrusted: dict[str, float] = {}
        self._flights: dict[str, Flight[Page]] = {}
        self._network: _Network | None = None

    @property
    def deadline(self) -> Deadline:
        """When the time of the run is up."""
        return Deadline(self._options.deadline)

    @property
    def problem(self) -> str | None:
        """Why the cache is not used, in one line; None while it works."""
        return self._cache.problem

    @property
    def keeps_pages(self) -> bool:
        """Whether a page that was read can be read again without its server."""
        return self._cache.directory is not None and self._cache.problem is None

    def cached(self, source: WebSource) -> Page | SourceError | None:
        """Return all that is known of *source* without asking its server; None if it has to be asked.

        Offline that is always a page or an error. Nothing that can reach the network is imported.
        """
        return self._known(source, self._kept_page)

    def head(self, source: WebSource) -> PageHead | SourceError | None:
        """Return what `cached` would, without the text of a page: where that is damaged, only `whole` can tell."""
        return self._known(source, self._kept_head)

    def whole(self, source: WebSource, head: PageHead) -> Page | None:
        """Return the page of *head*, however old by now, with its text; None where the cache has another or none."""
        page = self._prepared_page(self._key(source))
        if page is None or page.digest != head.digest:
            return None
        return replace(
            page, from_cache=head.from_cache, stale=head.stale, fresh_until=head.fresh_until
        )

    def keep_prepared(self, source: WebSource, page: Page) -> None:
        """Keep what *page*, which was read without, was made ready for matching with."""
        self._cache.keep_prepared(self._key(source), page, self._prepare_version)

    def derived(self, key: str) -> bytes | None:
        """Return what was kept under *key*; nothing that an earlier run has worked out counts when pages are read anew."""
        return None if self._options.refresh else self._cache.derived(key, now=time.time())

    def keep_derived(self, values: Mapping[str, bytes]) -> None:
        """Keep what was worked out from documents and pages, by keys that name all that it rests on."""
        self._cache.keep_derived(values, now=time.time())

    def _known(
        self, source: WebSource, kept: Callable[[WebSource, float], _Kept | None]
    ) -> _Kept | SourceError | None:
        now = time.time()
        page = kept(source, now)
        if page is not None and self._is_fresh(source, page, now):
            return replace(page, from_cache=True)
        # Offline a stale page is the best there is; docs/cache.md says how that is told.
        if self._options.offline:
            return _stale(page) if page else _not_in_cache(source)
        if self._options.current:
            return None
        failure = self._remembered_failure(source, now)
        if failure is not None and failure.unreachable and page is not None:
            return _stale(page)
        return failure

    def expect(self, pages: int) -> None:
        """Say how many pages are going to be loaded, so that work is shared if they are many."""
        self._expected = pages

    async def load(self, source: WebSource, quoted: Quoted = ()) -> Page:
        """Return the page of *source*, fetched if need be: once, however many ask for it, here or in other processes.

        *quoted* is what will be looked for in it, if that is known. Raises SourceError. A fetch goes on as long as anybody
        waits for it.
        """
        import asyncio

        from tracecite_lint.sources.flights import Flight

        if known := self.cached(source):
            return _page_or_raise(known)
        seconds = self._seconds_left()
        if seconds is not None and seconds <= 0:
            raise _out_of_time(source)
        flight = self._flights.get(source.key)
        if flight is None:
            flight = self._flights[source.key] = Flight(self._fetch(source, quoted))
        try:
            async with asyncio.timeout(seconds):
                return await flight.result()
        except TimeoutError:
            raise _out_of_time(source) from None
        finally:
            if flight.is_over and self._flights.get(source.key) is flight:
                del self._flights[source.key]

    def distrust(self, source: WebSource) -> None:
        """Let the next look-up of *source* ask its server, whatever is kept of it."""
        self._distrusted[source.key] = time.time()

    async def close(self) -> None:
        """End what is under way and close all connections. The store can be used again, in another event loop too."""
        for flight in list(self._flights.values()):
            await flight.cancel()
        self._flights.clear()
        if self._network is not None:
            await self._network.close()
            self._network = None

    def _kept_head(self, source: WebSource, now: float) -> PageHead | None:
        """Return the head of the page in the cache if that may be used at all."""
        return self._usable(source, self._cache.head(self._key(source)), now)

    def _kept_page(self, source: WebSource, now: float) -> Page | None:
        """Return the page in the cache if it may be used at all."""
        return self._usable(source, self._prepared_page(self._key(source)), now)

    def _prepared_page(self, key: str) -> Page | None:
        kept = self._cache.page(key)
        if kept is None:
            return None
        page, version = kept
        if version != self._prepare_version:
            page = replace(page, prepared=self._prepare(page.text))
            self._cache.keep_page(key, page, self._prepare_version)
        return page

    def _usable(self, source: WebSource, page: _Kept | None, now: float) -> _Kept | None:
        """Return *page* if it was reached as it would be now, and is not too old."""
        # Another proxy, CA or --connect-to may lead to another page: what one way gave does not count for another.
        if page is None or any(self._reach.of(host) != way for host, way in page.hops.items()):
            return None
        if freshness(page, now=now, ttl=0.0) is Freshness.EXPIRED:
            return None
        # The TTL of this run: the page may have been kept under another one.
        return replace(page, fresh_until=page.fetched_at + self._options.ttl_of(source.host))

    def _is_fresh(self, source: WebSource, page: PageHead, now: float) -> bool:
        ttl = self._options.ttl_of(source.host)
        return (
            page.fetched_at >= self._trusted_from(source)
            and freshness(page, now=now, ttl=ttl) is Freshness.FRESH
        )

    def _key(self, source: WebSource) -> str:
        """Return the key under which the cache keeps *source*: its own, and how its host is reached if not as usual."""
        reach = self._reach.of(source.host)
        return f"{source.key}#{reach}" if reach else source.key

    def _remembered_failure(self, source: WebSource, now: float) -> SourceError | None:
        reach = (
            self._reach.of_all()
        )  # a redirect that was refused did not get to the host that matters
        failure = self._cache.failure(self._key(source), reach=reach, now=now)
        if failure is None:
            return None
        error, age = failure
        if now - age < self._trusted_from(source):
            return None
        again = "it was asked a moment ago; --refresh asks again at once"
        help = f"{error.help}; {again}" if error.help else again
        return SourceError(error.code, error.message, help=help)

    def _trusted_from(self, source: WebSource) -> float:
        """Return the time before which nothing that is kept of *source* counts."""
        return max(self._refresh_from, self._distrusted.get(source.key, 0.0))

    def _seconds_left(self) -> float | None:
        deadline = self._options.deadline
        return None if deadline is None else deadline - time.monotonic()

    async def _fetch(self, source: WebSource, quoted: Quoted) -> Page:
        """Return the page of *source* from its server, or from another process that is just fetching it."""
        import asyncio

        network = self._network = self._network or self._connected()
        # Before the lease and not inside it: one that waits for its turn would hold others up with it.
        async with network.active:
            while not self._cache.lease(self._key(source), self._owner):
                await asyncio.sleep(_POLL_SECONDS)
                if known := self.cached(source):
                    return _page_or_raise(known)
            renewal = asyncio.create_task(self._renew_lease(source))
            try:
                # Another process may have fetched it since the last look into the cache.
                if known := self.cached(source):
                    return _page_or_raise(known)
                return await self._ask(source, network, quoted)
            finally:
                renewal.cancel()
                self._cache.release(self._key(source), self._owner)

    async def _renew_lease(self, source: WebSource) -> None:
        import asyncio

        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            self._cache.renew(self._key(source), self._owner)

    def _connected(self) -> _Network:
        from tracecite_lint.sources.helpers import WORTH_HELPERS, Helpers

        shared = self._helper and self._expected >= WORTH_HELPERS and (os.cpu_count() or 1) > 1
        helpers = Helpers(self._helper) if shared else None
        return _Network(self._options, self._lookup, helpers)

    async def _ask(self, source: WebSource, network: _Network, quoted: Quoted) -> Page:
        """Return the page of *source* as its server gives it now, or as it was if the server cannot be reached."""
        kept = self._kept_page(source, time.time())
        trusted = kept is not None and kept.fetched_at >= self._trusted_from(source)
        try:
            reading = _Reading(self._prepare, self.deadline, network, quoted)
            response = await network.fetcher.fetch(
                source, kept if trusted else None, reading.onward
            )
            if response.status == 304 and kept is not None:
                page = self._confirmed(source, kept, response)
            else:
                page = await self._read(source, response, reading)
        except SourceError as error:
            self._remember(source, error)
            # RFC 9111, section 4.2.4: a stale answer may stand in for a server that is out of reach, if that is said.
            if error.unreachable and kept is not None and not self._options.current:
                return _stale(kept)
            raise
        self._cache.keep_page(self._key(source), page, self._prepare_version)
        return page

    def _remember(self, source: WebSource, error: SourceError) -> None:
        self._cache.keep_failure(
            self._key(source), error, reach=self._reach.of_all(), now=time.time()
        )

    def _confirmed(self, source: WebSource, kept: Page, response: Response) -> Page:
        """Return the page in the cache as one that its server has just called unchanged."""
        return revalidated(
            kept,
            etag=_ascii_header(response.headers, "ETag"),
            last_modified=_ascii_header(response.headers, "Last-Modified"),
            hops=self._hops(source, response),
            now=time.time(),
            ttl=self._options.ttl_of(source.host),
        )

    async def _read(self, source: WebSource, response: Response, reading: _Reading) -> Page:
        """Return the page that a response holds."""
        extracted, prepared = await reading.read(response)
        now = time.time()
        return Page(
            url=source.url,
            final_url=response.url,
            status=response.status,
            content_type=extracted.content_type,
            text=extracted.text,
            prepared=prepared,
            fetched_at=now,
            fresh_until=now + self._options.ttl_of(source.host),
            etag=_ascii_header(response.headers, "ETag"),
            last_modified=_ascii_header(response.headers, "Last-Modified"),
            sections=extracted.sections,
            hops=self._hops(source, response),
            leads_on=reading.refresh(response) is not None,
        ).named()

    def _hops(self, source: WebSource, response: Response) -> dict[str, str]:
        """Return how each further host was reached on the way from *source*; its own host is part of the key."""
        return {host: self._reach.of(host) for host in response.hosts if host != source.host}


class _Reading:
    """The reading of the pages on the way to a source: each is read once, though it is asked whether it leads on."""

    def __init__(
        self,
        prepare: Callable[[str], bytes],
        deadline: Deadline,
        network: _Network,
        quoted: Quoted,
    ) -> None:
        self._prepare = prepare
        self._quoted = quoted
        self._deadline = deadline
        self._network = network
        self._read: tuple[Response, Extracted, bytes] | None = None

    async def read(self, response: Response) -> tuple[Extracted, bytes]:
        """Return what a response says, and its text made ready for matching."""
        from tracecite_lint.sources.extract import extract
        from tracecite_lint.sources.threads import in_thread

        if self._read is not None and self._read[0] is response:
            return self._read[1:]
        content_type = _ascii_header(response.headers, "Content-Type")

        def text_and_prepared() -> tuple[Extracted, bytes]:
            extracted = extract(response.body, content_type, response.url, self._deadline)
            return extracted, self._prepare(extracted.text)

        helpers = self._network.helpers
        if helpers is not None and not response.body.startswith(
            b"%PDF-"
        ):  # which has a process anyhow
            read = await helpers.read(response.body, content_type, response.url, self._quoted)
        else:
            # Parsing is CPU: more at a time than there are processors would only take more memory.
            async with self._network.reading:
                read = await in_thread(text_and_prepared)
        self._read = (response, *read)
        return read

    async def onward(self, response: Response) -> str | None:
        """Return where a response leads on to so soon that it is followed (docs/visible-text.md)."""
        from tracecite_lint.sources.refresh import MAX_DELAY

        # Only what speaks of it is read here, where the time of a source counts; others are read when they are there.
        if self.refresh(response) is None and b"http-equiv" in response.body.lower():
            await self.read(response)
        refresh = self.refresh(response)
        return refresh.url if refresh is not None and refresh.seconds <= MAX_DELAY else None

    def refresh(self, response: Response) -> Refresh | None:
        """Return where a response leads on to: by its header, else by what was read of it."""
        from tracecite_lint.sources.refresh import refresh_of

        by_header = refresh_of((response.headers.get("Refresh"),), response.url)
        if by_header is None and self._read is not None and self._read[0] is response:
            return self._read[1].leads_on
        return by_header


class _Network:
    """What belongs to one event loop: connections, and how much goes on at a time."""

    fetcher: Fetcher
    active: asyncio.Semaphore
    reading: asyncio.Semaphore
    helpers: Helpers | None

    def __init__(
        self, options: FetchOptions, lookup: Lookup | None, helpers: Helpers | None
    ) -> None:
        import asyncio

        from tracecite_lint.sources.http import Fetcher

        self.fetcher = Fetcher(options, lookup=lookup)
        self.active = asyncio.Semaphore(_ACTIVE_FETCHES)
        self.reading = asyncio.Semaphore(os.cpu_count() or 1)
        self.helpers = helpers

    async def close(self) -> None:
        """Close all connections, and end the helpers."""
        if self.helpers is not None:
            self.helpers.close()
        await self.fetcher.close()


def _page_or_raise(known: Page | SourceError) -> Page:
    if isinstance(known, SourceError):
        raise known
    return known


def _stale(page: _Kept) -> _Kept:
    return replace(page, from_cache=True, stale=True)


def _not_in_cache(source: WebSource) -> SourceError:
    return SourceError(
        "NOT_IN_CACHE",
        f"{source.url} is not in the cache, and offline nothing is fetched",
        help="run once without --offline",
    )


def _out_of_time(source: WebSource) -> SourceError:
    return SourceError(
        OUT_OF_TIME,
        f"{source.url} was not read before the time of the run was up",
        help="run again: the pages that were read are in the cache; or raise --max-time",
    )


def _ascii_header(headers: Mapping[str, str], name: str) -> str | None:
    """Return a header that can be sent back or stored as it is; any other counts as missing."""
    value = headers.get(name)
    return value if is_header_value(value) else None
