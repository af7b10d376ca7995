"""One page over HTTP: carries out what policy, freshness and hosts decide, within the limits of docs/security.md."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from functools import cache
from importlib.metadata import version
from typing import TypeAlias

import aiohttp
from yarl import URL

from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.sources.connect import (
    Lookup,
    connector,
    matching_rule,
    proxy_for,
    system_lookup,
)
from tracecite_lint.sources.decoding import ACCEPT_ENCODING, decoder_for
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.failures import (
    PassingError,
    connection_failure,
    headers_too_large,
    status_failure,
)
from tracecite_lint.sources.files import MAX_BYTES
from tracecite_lint.sources.freshness import conditional_headers
from tracecite_lint.sources.options import FetchOptions
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import REDIRECT_STATUSES, WebSource, is_allowed, redirect_target
from tracecite_lint.sources.politeness import MAX_RETRY_AFTER, Hosts
from tracecite_lint.sources.trust import tls_context

MAX_HEADER_BYTES = 64 * 1024
"""The headers of one answer, all together."""

_MAX_HEADERS = 512
# 203 (RFC 9110, section 15.3.4): a proxy has changed the page on the way; it is what any reader gets here.
_OK = frozenset({200, 203})
# Servers that negotiate should send what is read best; `*/*` since some answer 406 without it.
_ACCEPT = "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.8, */*;q=0.5"
_PROJECT = "https://github.com/tracecite-lint/tracecite-lint"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer: `body` is decoded and there for status 200 and 203 only; 304 says that the known page has not changed.

    `hosts` are those that were asked on the way, in order.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    hosts: tuple[str, ...] = ()


Onward: TypeAlias = Callable[[Response], Awaitable[str | None]]
"""Returns the address that a page leads on to by itself, as a redirect would; None if it stays."""


class _Reach(Enum):
    """How the addresses of a connection are judged; each kind has a pool of connections of its own."""

    HTTP = "http"
    HTTPS = "https"
    EXEMPT = "exempt"


class Fetcher:
    """Fetches pages within one event loop, in which it has to be closed."""

    def __init__(self, options: FetchOptions, *, lookup: Lookup | None = None) -> None:
        """Use *options*; *lookup* resolves names in the system's stead. Raises ValueError for a CA file that cannot be read."""
        self._options = options
        self._lookup = lookup or system_lookup
        self._tls = tls_context(options.cafile)
        self._hosts = Hosts(options.host)
        self._sessions: dict[_Reach, aiohttp.ClientSession] = {}

    async def fetch(
        self, source: WebSource, known: Page | None = None, onward: Onward | None = None
    ) -> Response:
        """Return the answer of *source*, or of where it leads: by redirects, and by what *onward* finds in a page.

        With *known*, the page is asked for only if it has changed since. Raises SourceError.
        """
        try:
            async with asyncio.timeout(None) as clock:  # which the first request starts
                return await self._followed(source, known, onward, clock)
        except TimeoutError:
            raise SourceError(
                "REQUEST_TIMEOUT",
                f"{source.host} did not give the page within {self._options.source_timeout:g} s,"
                " redirects and further attempts included",
            ) from None

    async def _followed(
        self,
        source: WebSource,
        known: Page | None,
        onward: Onward | None,
        clock: asyncio.Timeout,
    ) -> Response:
        """Return the answer of *source*, or of where it leads."""
        hosts = [source.host]
        cookies = aiohttp.CookieJar()  # sites that set a cookie and redirect would do so for ever
        followed = 0
        while True:
            response = await self._answer(source, known, cookies, clock)
            response = replace(response, hosts=tuple(hosts))
            location = response.headers.get("Location")
            if response.status not in REDIRECT_STATUSES:
                location = await onward(response) if onward and response.status in _OK else None
                if location is None:
                    return response
            source = redirect_target(
                source, location, followed=followed, allow_hosts=self._options.allow_hosts
            )
            followed += 1
            hosts.append(source.host)

    async def close(self) -> None:
        """Close all connections."""
        for session in self._sessions.values():
            await session.close()
        self._sessions.clear()
        await asyncio.sleep(0)  # lets the transports close their sockets

    async def _answer(
        self,
        source: WebSource,
        known: Page | None,
        cookies: aiohttp.CookieJar,
        clock: asyncio.Timeout,
    ) -> Response:
        """Return the answer to one request, sent again where a failure may pass."""
        host = self._hosts[source.host]
        retries = 0
        while True:
            try:
                async with host.turn():
                    self._start(clock)
                    return await self._attempt(source, known, cookies)
            except PassingError as failure:
                wait = max(failure.wait, self._options.backoff * 2**retries)
                if (
                    retries == self._options.retries
                    or failure.wait > MAX_RETRY_AFTER
                    or _ends_within(wait, clock)
                ):
                    raise failure.error from None
                # All requests to the host wait, not this one alone: Retry-After speaks for the server.
                host.pause(failure.wait)
                await asyncio.sleep(wait)
                retries += 1

    def _start(self, clock: asyncio.Timeout) -> None:
        """Let the time of a source run from its first request on: the wait for a turn is no part of it."""
        if self._options.source_timeout is not None and clock.when() is None:
            clock.reschedule(asyncio.get_running_loop().time() + self._options.source_timeout)

    async def _attempt(
        self, source: WebSource, known: Page | None, cookies: aiohttp.CookieJar
    ) -> Response:
        conditions: dict[str, str] = {}
        # Validators are those of the address that gave them (RFC 9110, section 13.1): behind redirects the last one.
        if known is not None and known.final_url == source.url:
            conditions = conditional_headers(known)
        answered = False
        try:
            async with (
                asyncio.timeout(self._options.timeout),
                self._request(source, conditions, cookies) as answer,
            ):
                answered = True
                cookies.update_cookies(answer.cookies, answer.url)
                try:
                    return await _read(source, answer, conditional=bool(conditions))
                finally:
                    _drop_rest(answer)
        except TimeoutError:
            error = SourceError(
                "REQUEST_TIMEOUT",
                f"{source.host} did not {'send the whole page' if answered else 'answer'}"
                f" within {self._options.timeout:g} s",
            )
            # What trickles in once will trickle in again: only silence is tried again.
            raise error if answered else PassingError(error) from None
        except (aiohttp.ClientError, OSError) as error:
            raise connection_failure(source.host, error) from None

    def _request(
        self, source: WebSource, conditions: Mapping[str, str], cookies: aiohttp.CookieJar
    ) -> aiohttp.client._RequestContextManager:
        proxy, reach = self._way_to(source)
        own = self._options.host(source.host)
        headers = {
            "Accept": _ACCEPT,
            "Accept-Encoding": ACCEPT_ENCODING,
            "User-Agent": own.user_agent or user_agent(),
            **own.headers,
            **conditions,
        }
        url = URL(source.url, encoded=True)  # policy has escaped what has to be; the rest stays
        return self._session(reach).get(
            url,
            headers=headers,
            cookies=cookies.filter_cookies(url),
            allow_redirects=False,
            proxy=proxy,
        )

    def _way_to(self, source: WebSource) -> tuple[URL | None, _Reach]:
        """Return the proxy to use, and how the addresses of the connection are judged."""
        # A rule of the user's is the way, as with curl; a proxy would look the name up itself.
        if matching_rule(self._options.connect_to, source.host, source.port):
            return None, _Reach.EXEMPT
        try:
            proxy = proxy_for(source.scheme, source.host, self._options.proxy)
        except ValueError as error:
            raise SourceError("HTTP_REQUEST_FAILED", str(error)) from None
        # Behind a proxy it is the proxy that connects: the only address seen here is its own, often a private one.
        if proxy or is_allowed(source.host, source.port, self._options.allow_hosts):
            return proxy, _Reach.EXEMPT
        return None, _Reach(source.scheme)

    def _session(self, reach: _Reach) -> aiohttp.ClientSession:
        if reach not in self._sessions:
            self._sessions[reach] = aiohttp.ClientSession(
                connector=connector(
                    self._lookup,
                    self._tls,
                    judge=reach is not _Reach.EXEMPT,
                    https=reach is _Reach.HTTPS,
                    rules=self._options.connect_to if reach is _Reach.EXEMPT else (),
                ),
                # Cookies live as long as one chain of redirects: no run is recognised by what another one was given.
                cookie_jar=aiohttp.DummyCookieJar(),
                # decoding.py stops at the limit: a few kilobytes of gzip may hold gigabytes.
                auto_decompress=False,
                # The time of a request is limited in _attempt; aiohttp's own limits (5 minutes, 30 s to connect) come between.
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
                max_line_size=MAX_HEADER_BYTES,
                max_field_size=MAX_HEADER_BYTES,
                max_headers=_MAX_HEADERS,
            )
            # aiohttp would send a request again by itself when a connection breaks; retries are counted here.
            self._sessions[reach]._retry_connection = False
        return self._sessions[reach]


def _ends_within(seconds: float, clock: asyncio.Timeout) -> bool:
    end = clock.when()
    return end is not None and end <= asyncio.get_running_loop().time() + seconds


@cache  # the metadata of the package lie in a file
def user_agent() -> str:
    """Return the name under which the tool asks, with the address of the project."""
    return f"tracecite-lint/{version('tracecite-lint')} (+{_PROJECT})"


async def _read(
    source: WebSource, answer: aiohttp.ClientResponse, *, conditional: bool
) -> Response:
    """Return the answer, with its body if it has a page; raises SourceError or PassingError for a failure."""
    # aiohttp bounds each line and their number; 512 lines of 64 KiB would still be 32 MiB.
    if sum(len(name) + len(value) + 4 for name, value in answer.raw_headers) > MAX_HEADER_BYTES:
        raise headers_too_large(source.host)
    body = b""
    if answer.status in _OK:
        _check_kind(source.host, answer.headers.get("Content-Type", ""))
        body = await _body(source.host, answer)
    # A 304 that nobody asked for has no page, like any other status.
    elif answer.status not in REDIRECT_STATUSES and not (answer.status == 304 and conditional):
        raise status_failure(source.host, answer)
    return Response(url=source.url, status=answer.status, headers=answer.headers, body=body)


def _check_kind(host: str, content_type: str) -> None:
    """Raise SourceError for what nobody reads words from, before it is fetched; `extract` decides on the rest."""
    kind, _, subtype = content_type.strip().lower().partition("/")
    if kind in {"audio", "font", "image", "video"} and not subtype.startswith("svg+xml"):
        message = f"{host} sends {kind}, which has no text that can be compared"
        raise SourceError("UNSUPPORTED_CONTENT_TYPE", message, help="cite a page of text")


def _drop_rest(answer: aiohttp.ClientResponse) -> None:
    """Break off a connection that has more to send; to close it politely would take TLS up to half a minute."""
    if answer.connection is not None and answer.connection.transport is not None:
        answer.connection.transport.abort()


async def _body(host: str, answer: aiohttp.ClientResponse) -> bytes:
    """Return the decoded body; reading stops as soon as it is too large."""
    too_large = SourceError("SOURCE_TOO_LARGE", f"the page of {host} is larger than 2 MiB")
    coding = ", ".join(answer.headers.getall("Content-Encoding", []))
    decoder = decoder_for(coding)
    # The announced length of a coded body says nothing about the page.
    if not coding and (answer.content_length or 0) > MAX_BYTES:
        raise too_large
    body = bytearray()
    try:
        async for data in answer.content.iter_any():
            body += decoder.decode(data, MAX_BYTES + 1 - len(body))
            if len(body) > MAX_BYTES:
                raise too_large
    except zlib.error:
        message = f"the compressed page of {host} is damaged"
        raise SourceError("HTTP_BODY_READ_FAILED", message) from None
    # zlib is content with a stream that stops anywhere, and half a page would make mismatches.
    if not decoder.is_complete():
        message = f"the compressed page of {host} is cut short"
        raise SourceError("HTTP_BODY_READ_FAILED", message)
    return bytes(body)
