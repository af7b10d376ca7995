"""Where a connection goes: name look-up, the check of every address, --connect-to, proxies."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Sequence
from urllib.request import (  # type: ignore[attr-defined]  # typeshed leaves one out
    getproxies_environment,
    proxy_bypass_environment,
)

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from tracecite_lint.sources.addresses import address_refusal
from tracecite_lint.sources.options import ConnectTo
from tracecite_lint.sources.threads import in_thread

Lookup = Callable[[str, int, socket.AddressFamily], Sequence[tuple[socket.AddressFamily, str]]]
"""Gives the addresses of a host name, as `system_lookup` does; raises OSError."""


class AddressRefusedError(OSError):
    """A host has an address that may not be reached. An OSError, because aiohttp passes on no other from a connection."""

    def __init__(self, kind: str, address: str) -> None:
        super().__init__(f"{address} is {kind}")
        self.kind = kind
        self.address = address


def system_lookup(
    host: str, port: int, family: socket.AddressFamily
) -> Sequence[tuple[socket.AddressFamily, str]]:
    """Return the addresses of *host* as getaddrinfo gives them, with a scope where they have one."""
    found = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    return [(info[0], str(info[4][0])) for info in found]


class Resolver(AbstractResolver):
    """Looks names up and refuses a name of which any address may not be reached.

    With *rules* a look-up follows --connect-to instead, and no address is judged.
    """

    def __init__(
        self, lookup: Lookup, *, judge: bool, https: bool, rules: Sequence[ConnectTo]
    ) -> None:
        self._lookup = lookup
        self._judge = judge
        self._https = https
        self._rules = rules

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses to connect to; raises AddressRefusedError, or OSError from the look-up."""
        rule = matching_rule(self._rules, host, port)
        if rule is not None:
            host, port = rule.address or host, rule.port or port
        addresses = await in_thread(lambda: self._lookup(host, port, family))
        if not addresses:  # on which aiohttp would fail an assertion
            raise socket.gaierror(socket.EAI_NONAME, "the name has no address")
        # One refused address refuses the name: aiohttp would otherwise try the next one, which the name server chooses.
        for _, address in addresses:
            if self._judge and (kind := address_refusal(address, https_name=self._https)):
                raise AddressRefusedError(kind, address)
        return [
            ResolveResult(hostname=host, host=ip, port=port, family=kind, proto=0, flags=0)
            for kind, ip in addresses
        ]

    async def close(self) -> None:
        """There is nothing to close."""


def matching_rule(rules: Sequence[ConnectTo], host: str, port: int) -> ConnectTo | None:
    """Return the first of *rules* that is for *host* and *port*."""
    return next((rule for rule in rules if rule.matches(host, port)), None)


class _Connector(aiohttp.TCPConnector):
    """A connector that asks its resolver about IP addresses too: --connect-to may lead them elsewhere."""

    async def _resolve_host(
        self, host: str, port: int, traces: object = None
    ) -> list[ResolveResult]:
        # aiohttp itself passes IP addresses by its resolver (connector.py, `is_ip_address`).
        return await self._resolver.resolve(host, port, family=self._family)


def connector(
    lookup: Lookup,
    tls: ssl.SSLContext,
    *,
    judge: bool,
    https: bool,
    rules: Sequence[ConnectTo] = (),
) -> aiohttp.TCPConnector:
    """Return a connector that, if it is to *judge*, connects to public addresses only.

    The resolver sees all addresses of a name; the check where the socket is made sees every address that is connected
    to, in the form in which it is, so that no second answer of a name server can slip in (DNS rebinding).
    """

    def judged_socket(info: tuple[int, int, int, str, tuple[object, ...]]) -> socket.socket:
        family, kind, protocol, _, address = info
        if judge and (refusal := address_refusal(str(address[0]), https_name=https)):
            raise AddressRefusedError(refusal, str(address[0]))
        # The socket is made for this very address: whatever was looked up before, nothing lies between check and use.
        return socket.socket(family, kind, protocol)

    return _Connector(
        resolver=Resolver(lookup, judge=judge, https=https, rules=rules),
        socket_factory=judged_socket,
        ssl=tls,
        limit=0,  # hosts.py counts
        use_dns_cache=False,
    )


def proxy_for(scheme: str, host: str, chosen: str | None) -> URL | None:
    """Return the proxy to use for *host*: *chosen*, else the environment's, unless NO_PROXY names the host.

    Raises ValueError for one that cannot be used. ~/.netrc is never read.
    """
    environment = getproxies_environment()
    # Not urllib's getproxies(), which asks the system's settings too on macOS and Windows: slow, and no two runs alike.
    if proxy_bypass_environment(host, environment):
        return None
    proxy = chosen or environment.get(scheme)
    if not proxy:
        return None
    url = _proxy_url(proxy if "://" in proxy else f"http://{proxy}")
    if url.scheme not in {"http", "https"}:
        raise ValueError(f"a proxy of the kind {url.scheme}:// is not supported")
    return url


def _proxy_url(text: str) -> URL:
    try:
        url = URL(text)
        if url.host and url.port:
            return url
    except ValueError:
        pass
    raise ValueError("the URL of the proxy cannot be read")  # and not shown: it may hold a password
