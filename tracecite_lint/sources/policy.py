"""Which URLs may be fetched, under which key a page is kept, and where a redirect may lead: pure decisions."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urljoin

from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.naming.uris import public_uri, web_address
from tracecite_lint.sources.addresses import address_refusal, ipv4_from, looks_like_ipv4
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.names import ascii_name
from tracecite_lint.sources.options import allowed_host

MAX_REDIRECTS = 5
"""Redirects that are followed; one more fails."""

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})

_MAX_LENGTH = 16_384
"""Characters of a URL; servers give up far earlier."""

_DEFAULT_PORTS = {"http": 80, "https": 443}

# Names that never lead to a public page (RFC 2606, RFC 6761, RFC 6762, and .internal as reserved by ICANN).
_BLOCKED_SUFFIXES = ("localhost", "local", "internal", "test", "invalid", "example")

_URL = regex(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_CONTROL = regex(r"[\x00-\x1f\x7f-\x9f]")
# The underscore is no letter of host names (RFC 952), and is in use in many.
_LABEL = regex(r"[a-z0-9_-]{1,63}")

# RFC 3986, appendix A: what may stand in a path and in a query. A `%` stays only as the start of an escape.
_ILLEGAL_IN_PATH = regex(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]")
_ILLEGAL_IN_QUERY = regex(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]")

_GITHUB_BLOB = regex(r"/([^/]+)/([^/]+)/blob/(.+)")


@dataclass(frozen=True, slots=True)
class WebSource:
    """A page that may be asked for.

    `url` is what is sent: ASCII, without fragment. `key` names the source: two URLs with the same key are one page.
    `fragment` is what follows the first `#`, as written, without text directives. `host` is the ASCII host name or the
    dotted decimal IPv4 address, in lower case.
    """

    url: str
    key: str
    fragment: str
    scheme: str
    host: str
    port: int


def resolve(uri: str, *, allow_hosts: Collection[str] = ()) -> WebSource:
    """Return the page that *uri*, an http or https URL as written in a document (`//host/path` is https), names.

    *allow_hosts* holds `host` or `host:port`: private hosts that may be reached, the latter on that port. Raises
    SourceError INVALID_OR_BLOCKED_URL. Nothing is looked up: names that lead to private addresses are refused where
    the socket is made. The rules stand in docs/security.md.
    """
    # Not urlsplit(), which drops tabs and line feeds inside a URL: what is judged has to be what is sent.
    match = _URL.fullmatch(web_address(uri))
    if match is None:
        raise _refused(uri, "it is no http or https URL")
    # Before the searches below, of which some are slow on megabytes.
    if len(uri) > _MAX_LENGTH:
        raise _refused(uri, f"it is longer than {_MAX_LENGTH:,} characters")
    if _CONTROL.search(uri):
        raise _refused(uri, "it holds a control character")
    scheme = match["scheme"].lower()
    host, port = _host_and_port(uri, match["authority"], _DEFAULT_PORTS[scheme])
    _check_host(uri, host, port, _DEFAULT_PORTS[scheme], frozenset(allow_hosts))
    rest, _, fragment = match["rest"].partition("#")
    path, question_mark, query = rest.partition("?")
    path, query = path or "/", question_mark + query
    if host in {"github.com", "www.github.com"} and (blob := _GITHUB_BLOB.fullmatch(path)):
        # The page of a file is built by scripts; the file itself is served here.
        host, path, query = "raw.githubusercontent.com", "/".join(("", *blob.groups())), ""
    try:
        path = _ILLEGAL_IN_PATH.sub(_escaped, path)
        query = _ILLEGAL_IN_QUERY.sub(_escaped, query)
    except UnicodeEncodeError:
        raise _refused(uri, "it holds half of a surrogate pair") from None
    origin = f"{scheme}://{host}" + ("" if port == _DEFAULT_PORTS[scheme] else f":{port}")
    return WebSource(
        url=origin + path + query,
        key=origin + path + _without_tracking(query),
        fragment=fragment.partition(":~:")[0],
        scheme=scheme,
        host=host,
        port=port,
    )


def redirect_target(
    source: WebSource, location: str | None, *, followed: int, allow_hosts: Collection[str] = ()
) -> WebSource:
    """Return the page that a redirect away from *source* leads to.

    *location* is the `Location` header, *followed* how many redirects were followed before. Raises SourceError
    TOO_MANY_REDIRECTS, REDIRECT_WITHOUT_LOCATION, INVALID_REDIRECT_TARGET or HTTPS_DOWNGRADE_REDIRECT. A relative
    location is resolved as in RFC 3986, section 5.
    """
    if followed >= MAX_REDIRECTS:
        raise SourceError(
            "TOO_MANY_REDIRECTS",
            f"{source.host} redirects more than {MAX_REDIRECTS} times",
            help="open the link in a browser and cite the address it ends at",
        )
    # A header without a value says as little as none (RFC 9110, section 5.5: white space around it is no part of it).
    location = (location or "").strip(" \t")
    if not location:
        raise SourceError(
            "REDIRECT_WITHOUT_LOCATION", f"{source.host} redirects without saying where to"
        )
    try:
        target = resolve(urljoin(source.url, _readable(location)), allow_hosts=allow_hosts)
    except (ValueError, SourceError) as error:
        reason = error.message if isinstance(error, SourceError) else "it is no URL"
        raise SourceError(
            "INVALID_REDIRECT_TARGET",
            f"{source.host} redirects to an address that is not fetched: {reason}",
        ) from None
    # Whoever sits on the network could then write the page that the quotation is compared with.
    if source.scheme == "https" and target.scheme != "https":
        raise SourceError(
            "HTTPS_DOWNGRADE_REDIRECT",
            f"{source.host} redirects from HTTPS to HTTP, at {target.host}",
            help="cite the address that the page has now",
        )
    return target


def _refused(uri: str, reason: str, help: str = "") -> SourceError:
    shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", public_uri(uri)[:200])
    return SourceError("INVALID_OR_BLOCKED_URL", f"{shown} is not fetched: {reason}", help=help)


def _host_and_port(uri: str, authority: str, default_port: int) -> tuple[str, int]:
    # `https://trusted.example@other.example/` shows one host and asks another; and a document is no place for passwords.
    if "@" in authority:
        raise _refused(uri, "it holds credentials", "cite the URL without them")
    # Hardly a public page is cited so, and each spelling of one would have to be judged.
    if "[" in authority or "]" in authority:
        raise _refused(uri, "its host is an IPv6 address", "cite the page by its host name")
    host, _, port = authority.partition(":")
    # isdigit() alone takes `²` and the digits of every script.
    if port and not (port.isascii() and port.isdigit() and int(port[:9]) <= 65_535):
        raise _refused(uri, "its port is no number up to 65535")
    return _ascii_host(uri, host), int(port[:9]) if port else default_port


def _ascii_host(uri: str, host: str) -> str:
    """Return *host* in ASCII and lower case; an IPv4 address in any spelling becomes dotted decimal."""
    # WHATWG URL Standard, host parser: `%6C` in a host is a letter, so it is read before anything is judged.
    if "%" in host:
        host = _unescaped_host(uri, host)
    try:
        host = ascii_name(host)
    except ValueError as error:
        raise _refused(uri, str(error)) from None
    if not all(_LABEL.fullmatch(label) for label in host.split(".")) or len(host) > 253:
        raise _refused(uri, "its host is no valid name")
    # In every spelling that a system's resolver takes for an address: 0x7f.1 reaches 127.0.0.1 (inet_aton(3)).
    if not looks_like_ipv4(host):
        return host
    address = ipv4_from(host)
    if address is None:
        raise _refused(uri, "its host is neither a name nor an IPv4 address")
    return address


def _unescaped_host(uri: str, host: str) -> str:
    from urllib.parse import unquote_to_bytes

    try:
        return unquote_to_bytes(host).decode()
    except UnicodeError:
        raise _refused(uri, "its host is no valid name") from None


def is_allowed(host: str, port: int, allow_hosts: Collection[str]) -> bool:
    """Tell whether the user lets the tool reach *host*, wherever that leads.

    An entry of *allow_hosts* without a port means the default ports; the host may be international. Raises ValueError for
    an entry that `check_options` refuses.
    """
    for name, own_port in map(allowed_host, allow_hosts):
        if name == host and (port == own_port if own_port else port in _DEFAULT_PORTS.values()):
            return True
    return False


def _check_host(
    uri: str, host: str, port: int, default_port: int, allow_hosts: Collection[str]
) -> None:
    if is_allowed(host, port, allow_hosts):
        return
    # What listens on other ports is seldom a public page and often a service that trusts whoever can reach it.
    if port != default_port:
        help = f"if you trust it: --allow-host {host}:{port}"
        raise _refused(uri, f"port {port} is not the default port", help)
    trust = f"if you trust it: --allow-host {host}"
    if looks_like_ipv4(host):
        if kind := address_refusal(host, https_name=False):
            raise _refused(uri, f"{host} is {kind}", trust)
        return
    if host.rpartition(".")[2] in _BLOCKED_SUFFIXES:
        raise _refused(uri, f"{host} is no public name", trust)
    # Such a name is completed by the search list of resolv.conf(5), and is another host on each network.
    if "." not in host:
        raise _refused(uri, f"{host} is a name of the local network", trust)


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def _without_tracking(query: str) -> str:
    """Return *query* (with its `?`) without the `utm_*` parameters, which make no other page."""
    if "utm_" not in query.lower():
        return query
    # Nothing is decoded or sorted: which parameters make another page is known to the server alone.
    kept = [item for item in query[1:].split("&") if not item.lower().startswith("utm_")]
    return "?" + "&".join(kept) if kept else ""


def _readable(location: str) -> str:
    """Return a header value with the bytes that are no UTF-8 (surrogate escapes) percent-encoded."""
    return re.sub("[\udc80-\udcff]", lambda match: f"%{ord(match[0]) - 0xDC00:02X}", location)
