"""Answers of name servers: a forbidden address in every place among public ones, and answers that are public throughout."""

from __future__ import annotations

import random
from itertools import cycle, islice

from address_space import IPV4, IPV6, edges, embedded, is_benchmark, is_public, spellings

PUBLIC_V4 = (
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "192.0.1.255",
    "223.255.255.255",
    "100.63.255.255",
)
PUBLIC_V6 = (
    "2606:4700::1111",
    "2a00:1450:4001:81b::200e",
    "2001:200::",
    "2400:cb00::1",
    "3fff:1000::1",
)

FORBIDDEN = [
    *(ip for ip in edges(IPV4)[::2] if not is_public(ip) and not is_benchmark(ip)),
    *(ip for ip in edges(IPV6)[::3] if not is_public(ip)),
    *(
        form
        for ip in ("127.0.0.1", "10.0.0.1", "169.254.169.254", "8.8.8.8")
        for form in embedded(ip)
    ),
    *spellings("::1"),
    *spellings("fe80::1"),
    *("localhost", "127.1", "0x7f000001", "0177.0.0.1", "", "127.0.0.1\x00", "１２７.0.0.1"),
]
"""What no answer may hold; the last are no addresses, which a system would look up or read in its own way."""

ODD_PUBLIC = [ip for ip in (*edges(IPV4), *edges(IPV6)) if is_public(ip)]


def _among(address: str, others: list[str], at: int) -> tuple[str, ...]:
    return (*others[:at], address, *others[at:])


def _mixed(amount: int, kind: int) -> list[str]:
    """Return *amount* public addresses: IPv4, IPv6, or in turn."""
    turns = [
        PUBLIC_V4,
        PUBLIC_V6,
        tuple(ip for pair in zip(PUBLIC_V4, PUBLIC_V6, strict=False) for ip in pair),
    ]
    return list(islice(cycle(turns[kind]), amount))


def refused_answers() -> list[tuple[str, ...]]:
    """Return answers with at least one forbidden address."""
    answers = [
        _among(address, _mixed(others, (others + at) % 3), at)
        for address in FORBIDDEN
        for others in (0, 1, 2, 3, 5)
        for at in range(others + 1)
    ]
    chance = random.Random(2024)
    for _ in range(1_500):
        some = chance.sample(FORBIDDEN, chance.randint(1, 3))
        mixed = [*some, *some, *_mixed(chance.randint(0, 9), 2)]
        chance.shuffle(mixed)
        answers.append(tuple(mixed))
    for _ in range(500):
        many = [*chance.choices(ODD_PUBLIC, k=chance.randint(10, 60)), chance.choice(FORBIDDEN)]
        chance.shuffle(many)
        answers.append(tuple(many))
    for at in (0, 1, 499, 998, 999):
        answers.append(_among("127.0.0.1", _mixed(999, 2), at))
        answers.append(_among("::1", _mixed(999, 1), at))
    return answers


def public_answers() -> list[tuple[str, ...]]:
    """Return answers of public addresses alone, some of them many times over."""
    chance = random.Random(6057)
    return [
        *((ip,) for ip in ODD_PUBLIC),
        *(tuple(chance.choices(ODD_PUBLIC, k=chance.randint(2, 8))) for _ in range(200)),
        ("1.1.1.1",) * 20,
        tuple(_mixed(60, 2)),
    ]
