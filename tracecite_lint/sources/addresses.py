"""Which IP addresses may be reached: a pure judgement on an address, however it is written."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

# IANA's registries of special-purpose addresses (RFC 6890, RFC 8190), with multicast and the reserved class E. The
# standard library's `is_global` is not used: what it says differs between the patch releases of Python.
_REFUSED_V4 = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        # “This network” (RFC 1122); Linux connects 0.0.0.0 to the machine itself.
        ("0.0.0.0/8", "a reserved address"),
        ("10.0.0.0/8", "a private address"),
        # Carrier-grade NAT (RFC 6598), where some clouds answer with the machine's own credentials too.
        ("100.64.0.0/10", "a shared address"),
        ("127.0.0.0/8", "a loopback address"),
        # Link-local (RFC 3927); at 169.254.169.254 most clouds give out credentials to whatever runs on the machine.
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "a documentation address"),
        # Relays that lead on to any address; deprecated by RFC 7526, and still routed here and there.
        ("192.88.99.0/24", "a 6to4 address"),
        ("192.168.0.0/16", "a private address"),
        ("198.18.0.0/15", "a benchmark address"),
        ("198.51.100.0/24", "a documentation address"),
        ("203.0.113.0/24", "a documentation address"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
    )
)
_BENCHMARK_V4 = IPv4Network("198.18.0.0/15")

_GLOBAL_V6 = IPv6Network("2000::/3")
"""What IANA has opened for global unicast; all else is reserved or has a special meaning."""

_REFUSED_V6 = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("::/128", "a reserved address"),
        ("::1/128", "a loopback address"),
        # An IPv4 address in another dress is refused, not unpacked and judged: no honest name server answers with one.
        ("::ffff:0:0/96", "an IPv4-mapped address"),
        # Translation (RFC 6052, RFC 8215) and tunnels (Teredo: RFC 4380, 6to4: RFC 3056) lead to any IPv4 address.
        ("64:ff9b::/96", "a NAT64 address"),
        ("64:ff9b:1::/48", "a NAT64 address"),
        ("2001::/32", "a Teredo address"),
        ("2001::/23", "a reserved address"),
        ("2001:db8::/32", "a documentation address"),
        ("2002::/16", "a 6to4 address"),
        ("3fff::/20", "a documentation address"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        # Site-local, deprecated by RFC 3879, which does not take it out of anybody's network.
        ("fec0::/10", "a private address"),
        ("ff00::/8", "a multicast address"),
    )
)


def address_refusal(ip: str, *, https_name: bool) -> str | None:
    """Return what kind of address *ip* is if it may not be reached ("a loopback address"), None if it may.

    *ip* is an address as the system writes it, with a scope (`fe80::1%eth0`) or without. *https_name* says that it was
    found by looking up the host name of an HTTPS URL: 198.18.0.0/15 is let through then, because managed sandboxes
    route that way. Source of the rule: docs/security.md.
    """
    try:
        if ":" in ip:
            return _refusal_v6(IPv6Address(ip.partition("%")[0]))
        address = IPv4Address(ip)
    except AddressValueError:
        return "no IP address"
    if https_name and address in _BENCHMARK_V4:
        return None
    return next((kind for network, kind in _REFUSED_V4 if address in network), None)


def _refusal_v6(address: IPv6Address) -> str | None:
    for network, kind in _REFUSED_V6:
        if address in network:
            return kind
    return None if address in _GLOBAL_V6 else "a reserved address"


def looks_like_ipv4(host: str) -> bool:
    """Tell whether *host* is an IPv4 address in one of the old spellings, or no host at all.

    The rule is the WHATWG URL Standard's "ends in a number": the last label is a number, decimal, octal or hexadecimal.
    """
    last = host.removesuffix(".").rpartition(".")[2]
    return last.isdigit() or re.fullmatch(r"0x[0-9a-f]*", last) is not None


def ipv4_from(host: str) -> str | None:
    """Return the dotted decimal form of an IPv4 address in any spelling that browsers and `inet_aton` accept.

    `0x7f.1`, `2130706433`, `127.1` and `0177.0.0.1` all give `127.0.0.1`; None for anything that is no address. The
    rule is the IPv4 parser of the WHATWG URL Standard.
    """
    parts = host.removesuffix(".").split(".")
    if len(parts) > 4:
        return None
    numbers = [_number(part) for part in parts]
    value = 0
    for number in numbers[:-1]:
        if number is None or number > 255:
            return None
        value = value * 256 + number
    last, room = numbers[-1], 256 ** (5 - len(numbers))
    if last is None or last >= room:
        return None
    return str(IPv4Address(value * room + last))


def _number(part: str) -> int | None:
    """Return the value of one part of an IPv4 address; an octal begins with 0, a hexadecimal with 0x."""
    # Few digits: an address has no more, and int() takes quadratic time for many (CVE-2020-10735).
    if re.fullmatch(r"0x[0-9a-f]{0,16}", part):
        return int(part[2:] or "0", 16)
    if re.fullmatch(r"0[0-7]{1,16}", part):
        return int(part, 8)
    if re.fullmatch(r"0|[1-9][0-9]{0,15}", part):
        return int(part)
    return None
