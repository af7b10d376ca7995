"""How sources are reached: the options of a run, and the option values that people write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from tracecite_lint.light.lazy import dataclass, field, regex, replace
from tracecite_lint.sources.names import ascii_name

DEFAULT_TTL = 24 * 3600.0
"""Seconds for which a page is used without asking again."""

DEFAULT_TIMEOUT = 20.0
"""Seconds that one request may take."""
DEFAULT_RETRIES = 2
"""How often a request is sent again after a failure that may pass."""

_FIELD_NAME = regex(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# A proxy without a scheme is one of HTTP, as curl and urllib read it.
_PROXY = regex(r"https?://|(?!.*://)", re.IGNORECASE)
_FIELD_VALUE = regex(r"[\t -~]*")


@dataclass(frozen=True, slots=True)
class ConnectTo:
    """Connect to `address` and `port` instead of `host` and `from_port`; None matches, or keeps, anything."""

    host: str | None
    from_port: int | None
    address: str | None
    port: int | None

    def matches(self, host: str, port: int) -> bool:
        """Tell whether the rule is for this host and port."""
        return self.host in {None, host} and self.from_port in {None, port}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions:
    """How one host is treated.

    `concurrency` requests run at a time and start `interval` seconds apart. `ttl` is in seconds; None means the run's.
    `headers` are sent to this host alone, also when it redirects; `headers_from_env` names variables that hold some.
    """

    concurrency: int = 2
    interval: float = 0.25
    ttl: float | None = None
    user_agent: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    headers_from_env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse, with a ValueError, what cannot be done or sent (RFC 9110, section 5)."""
        if self.concurrency < 1 or self.interval < 0:
            raise ValueError("concurrency is at least 1, an interval at least 0 seconds")
        for name, value in {**self.headers, "User-Agent": self.user_agent or ""}.items():
            # Found out here: a line end in a value would add a header of its own to each request.
            if not _FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value):
                raise ValueError(
                    f"the header {name!a} or its value holds a character that it may not"
                )

    def with_headers(self, environment: Mapping[str, str]) -> HostOptions:
        """Return the options with the headers whose values stand in *environment*. Raises ValueError for one that does not."""
        values = {}
        for name, variable in self.headers_from_env.items():
            if variable not in environment:
                raise ValueError(
                    f"headers-from-env: the environment variable {variable} is not set"
                )
            values[name] = environment[variable]
        # Values stand in the environment alone, so that no settings file holds a secret.
        return replace(self, headers={**self.headers, **values}, headers_from_env={})


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """The options of a run; times in seconds.

    `allow_hosts` holds `host` or `host:port`. `proxy` None means the environment's. `hosts` is keyed by host name.
    `deadline` is a time of time.monotonic() at which the run ends. `timeout` limits one request, `source_timeout` all that
    are made for one source, from the first on; `backoff` is waited before the first of the `retries` and doubled for each that follows. `user_agent` None is the
    tool's own name.
    With `current` nothing older than the TTL stands in for an answer: neither a page whose server cannot be reached nor a
    failure of a moment ago. Offline that does not apply.
    """

    connect_to: tuple[ConnectTo, ...] = ()
    allow_hosts: frozenset[str] = frozenset()
    cafile: Path | None = None
    proxy: str | None = None
    hosts: Mapping[str, HostOptions] = field(default_factory=lambda: MappingProxyType({}))
    ttl: float = DEFAULT_TTL
    deadline: float | None = None
    offline: bool = False
    refresh: bool = False
    current: bool = False
    timeout: float = DEFAULT_TIMEOUT
    retries: int = DEFAULT_RETRIES
    user_agent: str | None = None
    source_timeout: float | None = None
    backoff: float = 0.5

    def __post_init__(self) -> None:
        """Bring the names of hosts into the form in which they are compared; raises ValueError for no name."""
        try:
            hosts = {ascii_name(name): options for name, options in self.hosts.items()}
        except ValueError as error:
            raise ValueError(f"hosts: {error}") from None
        # The dataclass is frozen for everybody else.
        object.__setattr__(self, "hosts", MappingProxyType(hosts))

    def host(self, host: str) -> HostOptions:
        """Return how *host* is treated."""
        own = self.hosts.get(host) or HostOptions()
        return own if own.user_agent else replace(own, user_agent=self.user_agent)

    def ttl_of(self, host: str) -> float:
        """Return the TTL of the pages of *host*."""
        own = self.host(host).ttl
        return self.ttl if own is None else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """All that a store is made of: how sources are reached, and where pages are kept.

    `max_time` is in seconds, from when the store is opened; None is no limit. `cache_dir` None is the user's own cache.
    """

    fetching: FetchOptions
    max_time: float | None = None
    cache_dir: str | None = None
    no_cache: bool = False


def check_options(options: FetchOptions) -> None:
    """Raise ValueError, with one line for people, for what would otherwise come up in the middle of a run."""
    for entry in options.allow_hosts:
        try:
            allowed_host(entry)
        except ValueError as error:
            raise ValueError(f"--allow-host: {error}") from None
    if options.proxy is not None and not _PROXY.match(options.proxy):
        kind = options.proxy.partition("://")[0]
        raise ValueError(f"--proxy: a proxy of the kind {kind}:// is not supported; use http://")
    if options.proxy is not None:
        _refuse_unreadable_proxy(options.proxy)
    if options.cafile is not None:
        from tracecite_lint.sources.trust import tls_context  # TLS, which a cached run does without

        tls_context(options.cafile)


def _refuse_unreadable_proxy(url: str) -> None:
    """Raise ValueError for a proxy's URL without a host or a port that can be; it is not shown: it may hold a password."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        readable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        readable = False
    if not readable:
        raise ValueError("--proxy: the URL cannot be read; http://HOST:PORT is needed")


def allowed_host(entry: str) -> tuple[str, int | None]:
    """Read a value of --allow-host, `HOST` or `HOST:PORT`; the port is None for the default ports."""
    name, _, port = entry.strip().partition(":")
    try:
        host = ascii_name(name)
        if not host or "/" in host:
            raise ValueError("HOST or HOST:PORT is needed")
        return host, _port(port)
    except ValueError as error:
        raise ValueError(f"{entry}: {error}") from None


def parse_connect_to(value: str) -> ConnectTo:
    """Read `HOST:PORT:ADDR:PORT`, the value of curl's --connect-to.

    An empty part matches anything (the first two) or keeps what the URL says (the last two); an IPv6 address stands in
    brackets. Raises ValueError with one line for people.
    """
    # An IPv6 address has colons of its own, so it stands in brackets (curl(1), --connect-to).
    part = r"(\[[^\]]*\]|[^:\[\]]*)"
    match = re.fullmatch(f"{part}:([0-9]*):{part}:([0-9]*)", value.strip())
    if match is None:
        raise ValueError(f"{value}: HOST:PORT:ADDR:PORT is needed (parts may be empty)")
    host, from_port, address, port = match.groups()
    try:
        return ConnectTo(
            host=ascii_name(host.strip("[]")) or None,
            from_port=_port(from_port),
            address=ascii_name(address.strip("[]")) or None,
            port=_port(port),
        )
    except ValueError as error:
        raise ValueError(f"{value}: {error}") from None


def _port(digits: str) -> int | None:
    if not digits:
        return None
    # The length first: int() refuses thousands of digits with a message of its own.
    if not digits.isdecimal() or len(digits) > 5 or not 0 < int(digits) <= 65_535:
        raise ValueError(f"{digits[:20]} is no port")
    return int(digits)
