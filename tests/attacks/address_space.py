"""The whole address space by hand, from IANA's special-purpose registries and the RFCs they name: what may be reached.

Each row begins a range that ends where the next one begins. `PUBLIC` is what may be connected to.
"""

from __future__ import annotations

from bisect import bisect_right
from ipaddress import IPv4Address, IPv6Address
from itertools import pairwise

PUBLIC = ""

IPV4 = (
    ("0.0.0.0", "this network, RFC 791"),
    ("1.0.0.0", PUBLIC),
    ("10.0.0.0", "private use, RFC 1918"),
    ("11.0.0.0", PUBLIC),
    ("100.64.0.0", "shared address space, RFC 6598"),
    ("100.128.0.0", PUBLIC),
    ("127.0.0.0", "loopback, RFC 1122"),
    ("128.0.0.0", PUBLIC),
    ("169.254.0.0", "link local, RFC 3927"),
    ("169.255.0.0", PUBLIC),
    ("172.16.0.0", "private use, RFC 1918"),
    ("172.32.0.0", PUBLIC),
    ("192.0.0.0", "IETF protocol assignments, RFC 6890"),
    ("192.0.1.0", PUBLIC),
    ("192.0.2.0", "documentation, RFC 5737"),
    ("192.0.3.0", PUBLIC),  # with 192.31.196.0/24 and 192.52.193.0/24, which are globally reachable
    ("192.88.99.0", "6to4 relays, RFC 7526"),
    ("192.88.100.0", PUBLIC),
    ("192.168.0.0", "private use, RFC 1918"),
    ("192.169.0.0", PUBLIC),  # with 192.175.48.0/24, which is globally reachable
    ("198.18.0.0", "benchmarking, RFC 2544"),
    ("198.20.0.0", PUBLIC),
    ("198.51.100.0", "documentation, RFC 5737"),
    ("198.51.101.0", PUBLIC),
    ("203.0.113.0", "documentation, RFC 5737"),
    ("203.0.114.0", PUBLIC),
    ("224.0.0.0", "multicast, RFC 5771"),
    ("240.0.0.0", "reserved, RFC 1112"),
    ("255.255.255.255", "limited broadcast, RFC 919"),
)

IPV6 = (
    ("::", "unspecified, RFC 4291"),
    ("::1", "loopback, RFC 4291"),
    ("::2", "IPv4-compatible and reserved, RFC 4291"),
    ("::ffff:0:0", "IPv4-mapped, RFC 4291"),
    ("::1:0:0:0", "reserved, RFC 4291"),
    ("64:ff9b::", "NAT64, RFC 6052"),
    ("64:ff9b::1:0:0", "reserved"),
    ("64:ff9b:1::", "NAT64 of local use, RFC 8215"),
    ("64:ff9b:2::", "reserved"),
    ("100::", "discard only, RFC 6666"),
    ("100:0:0:1::", "dummy prefix, RFC 9780"),
    ("100:0:0:2::", "reserved"),
    ("200::", "reserved, RFC 4048"),
    ("2000::", PUBLIC),
    ("2001::", "Teredo, RFC 4380"),
    ("2001:1::", "IETF protocol assignments, RFC 2928"),
    ("2001:2::", "benchmarking, RFC 5180"),
    ("2001:2:1::", "IETF protocol assignments, RFC 2928"),
    ("2001:10::", "ORCHID, RFC 4843"),
    ("2001:20::", "ORCHIDv2, RFC 7343"),
    ("2001:30::", "drones, RFC 9374"),
    ("2001:40::", "IETF protocol assignments, RFC 2928"),
    ("2001:200::", PUBLIC),
    ("2001:db8::", "documentation, RFC 3849"),
    ("2001:db9::", PUBLIC),
    ("2002::", "6to4, RFC 3056"),
    ("2003::", PUBLIC),  # with 2620:4f:8000::/48, which is globally reachable
    ("3fff::", "documentation, RFC 9637"),
    ("3fff:1000::", PUBLIC),
    ("4000::", "reserved, RFC 4291"),
    ("5f00::", "segment routing, RFC 9602"),
    ("5f01::", "reserved, RFC 4291"),
    ("fc00::", "unique local, RFC 4193"),
    ("fe00::", "reserved, RFC 4291"),
    ("fe80::", "link local, RFC 4291"),
    ("fec0::", "site local, RFC 3879"),
    ("ff00::", "multicast, RFC 4291"),
)

NOT_ADDRESSES = (
    *("", " ", ".", ":", ":::", "localhost", "www.iana.org", "127.1", "127.0.1", "2130706433"),
    *(
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "0177.0.1",
        "017700000001",
        "127.0.0.1.",
        "1.1.1.1.",
    ),
    *("127.0.0.1 ", " 127.0.0.1", "127.0.0.1\n", "127.0.0.1\x00", "127.0.0.1/8", "127.0.0.1:80"),
    *(
        "127.0.0.01",
        "1.1.1.01",
        "256.1.1.1",
        "1.1.1",
        "1.1.1.1.1",
        "-1.1.1.1",
        "+1.1.1.1",
        "1.1.1.1e0",
    ),
    *("１２７.0.0.1", "127。0。0。1", "١٢٧.٠.٠.١", "𝟭.1.1.1", "1.1.1.²", "[::1]", "[2606:4700::1]"),
    *("::1\n", "::1 ", " ::1", "::1/128", "2606:4700::1/64", "2606:4700:::1", "2606:4700::1::1"),
    *(
        "2606:4700::12345",
        "2606:4700::g",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "::ffff:127.0.0.256",
    ),
    *(
        "::ffff:0177.0.0.1",
        "::ffff:127.1",
        "2606:4700::１",
        "2606:4700::1\x00",
        "::127.0.0.1.",
        ":1",
    ),
)
"""What no system writes as an address: an attacker's, or a mistake's."""


def is_public(address: str) -> bool:
    """Tell what the tables say of *address*, which is well formed; an address of 198.18.0.0/15 is not public."""
    ip = IPv4Address(address) if "." in address and ":" not in address else IPv6Address(address)
    table = IPV4 if ip.version == 4 else IPV6
    kind = type(ip)
    starts = [int(kind(start)) for start, _ in table]
    return table[bisect_right(starts, int(ip)) - 1][1] == PUBLIC


def is_benchmark(address: str) -> bool:
    """Tell whether *address* is one that the host name of an HTTPS URL may lead to: 198.18.0.0/15."""
    return address.startswith(("198.18.", "198.19."))


def edges(table: tuple[tuple[str, str], ...]) -> list[str]:
    """Return addresses of each range: its first and last three, and some inside."""
    kind = IPv4Address if table is IPV4 else IPv6Address
    starts = [int(kind(start)) for start, _ in table] + [2 ** kind(0).max_prefixlen]
    found: dict[str, None] = {}
    for first, end in pairwise(starts):
        inside = [first + (end - first) * part // 7 for part in range(1, 7)]
        for value in (*range(first, first + 3), *inside, *range(end - 3, end)):
            if first <= value < end:
                found[str(kind(value))] = None
    return list(found)


def embedded(address: str) -> list[str]:
    """Return the IPv6 addresses that hold the IPv4 *address* for one way or another of reaching it: none is public."""
    high, low = divmod(int(IPv4Address(address)), 65_536)
    other_high, other_low = high ^ 0xFFFF, low ^ 0xFFFF
    return [
        f"::{address}",
        f"::ffff:{address}",
        f"::ffff:{high:x}:{low:x}",
        f"0:0:0:0:0:FFFF:{high:04X}:{low:04X}",
        f"::ffff:0:{address}",
        f"64:ff9b::{address}",
        f"64:ff9b::{high:x}:{low:x}",
        f"64:ff9b:1::{address}",
        f"64:ff9b:1:{high:x}:{low >> 8:x}:{low & 0xFF:02x}00::",
        f"2002:{high:x}:{low:x}::",
        f"2002:{high:x}:{low:x}::1",
        f"2001:0:4136:e378:8000:63bf:{other_high:x}:{other_low:x}",
        f"2001:0:{high:x}:{low:x}:0:ffff:fefe:fefe",
        f"fe80::5efe:{address}",
    ]


def spellings(address: str) -> list[str]:
    """Return the forms in which systems write the IPv6 *address*."""
    ip = IPv6Address(address)
    tail = IPv4Address(int(ip) & 0xFFFFFFFF)
    head = ip.exploded.rsplit(":", 2)[0]
    return [
        ip.compressed,
        ip.exploded,
        ip.exploded.upper(),
        f"{head}:{tail}",
        f"{ip}%eth0",
        f"{ip}%1",
    ]
