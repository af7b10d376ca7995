"""How hosts are reached, as digests: what was read in one way says nothing about what is there in another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tracecite_lint.light.digests import blake2b
from tracecite_lint.sources.options import FetchOptions, allowed_host

_PROXIES = frozenset({"http_proxy", "https_proxy"})
_TRUST = ("SSL_CERT_FILE", "SSL_CERT_DIR")


class ReachDigests:
    """The ways to all hosts under the options of a run and its environment."""

    def __init__(self, options: FetchOptions, environment: Mapping[str, str]) -> None:
        """Take down what *options* and *environment* say now; the CA file is read."""
        self._options = options
        self._common = _without_defaults(
            {
                "cafile": _content(options.cafile) if options.cafile else None,
                "proxies": _proxies(options, environment),
                **{name: environment.get(name) for name in _TRUST},
            }
        )
        self._known: dict[str, str] = {}

    def of(self, host: str) -> str:
        """Return a digest of all that decides how *host* is reached and as whom; "" if that is how anybody reaches it.

        The option or variable that chooses a proxy or CA counts for all hosts, a rule of --connect-to for those that it
        matches on any port, --allow-host, headers and user agent for the one that they name.
        """
        if host not in self._known:
            own = self._options.host(host)
            allowed = (
                entry for entry in self._options.allow_hosts if allowed_host(entry)[0] == host
            )
            rules = (rule for rule in self._options.connect_to if rule.host in {None, host})
            chosen = _without_defaults(
                {
                    "connect-to": list(rules),
                    "allow-host": sorted(allowed),
                    "headers": sorted(own.headers.items()),
                    "user-agent": own.user_agent,
                }
            )
            self._known[host] = _digest({**self._common, **chosen})
        return self._known[host]

    def of_all(self) -> str:
        """Return a digest of how every host is reached; "" if that is how anybody reaches them."""
        rules = {rule.host for rule in self._options.connect_to if rule.host}
        allowed = {allowed_host(entry)[0] for entry in self._options.allow_hosts}
        named = {"", *rules, *allowed, *self._options.hosts}
        return _digest({host: self.of(host) for host in sorted(named) if self.of(host)})


def _proxies(options: FetchOptions, environment: Mapping[str, str]) -> list[object] | None:
    """Return the proxies that are used, and what is reached without one; None without a proxy.

    The names of the variables count in any case, as urllib has it.
    """
    named = {
        name: value
        for name, value in environment.items()
        if value and name.lower() in {*_PROXIES, "no_proxy"}
    }
    if options.proxy is None and not any(name.lower() in _PROXIES for name in named):
        return None
    return [options.proxy, sorted(named.items())]


def _content(path: Path) -> str:
    """Return a digest of what a CA file holds: the same path may hold another CA by now.

    The files that the environment names count by name: a system renews its list of CAs in place.
    """
    try:
        return blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return str(path.absolute())


def _without_defaults(chosen: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in chosen.items() if value}


def _digest(chosen: Mapping[str, object]) -> str:
    return (
        blake2b(repr(chosen).encode(errors="surrogateescape"), digest_size=16).hexdigest()
        if chosen
        else ""
    )
