"""A network that ends at loopback: each connection and look-up of this process is recorded before it is made, and none leaves."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv6Address, ip_address

_LOCAL_NAMES = frozenset({"localhost", ""})


@dataclass
class SealedNetwork:
    """What was tried while the seal was on; it can be emptied between cases.

    `connections` holds address and port of each connect(), loopback included; `names` the host names that the system was
    asked for. What is not loopback fails with `refusal`, an errno, and no packet is sent.
    """

    connections: list[tuple[str, int]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    refusal: int = errno.ECONNREFUSED

    def connect(self, address: object) -> None:
        """Record a connection; raises OSError for one that would leave the machine."""
        if not isinstance(address, tuple):
            return  # a socket of the file system
        host, port = str(address[0]), int(address[1])
        self.connections.append((host, port))
        if not _is_loopback(host):
            raise OSError(self.refusal, os.strerror(self.refusal))

    def look_up(self, host: object) -> None:
        """Record a look-up; raises OSError for a name that a name server would be asked for."""
        name = host.decode("latin-1") if isinstance(host, bytes) else str(host or "")
        if name in _LOCAL_NAMES or _is_address(name):
            return
        self.names.append(name)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


_seals: list[SealedNetwork] = []


@contextmanager
def sealed_network() -> Iterator[SealedNetwork]:
    """Seal the network of this process. Python's audit events come before the system calls, from whatever library."""
    _install()
    network = SealedNetwork()
    _seals.append(network)
    try:
        yield network
    finally:
        _seals.remove(network)


@cache
def _install() -> None:
    sys.addaudithook(_on_event)  # which can never be taken away


def _on_event(event: str, arguments: tuple[object, ...]) -> None:
    if not _seals or not event.startswith("socket."):
        return
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        _seals[-1].connect(arguments[1])
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        _seals[-1].look_up(arguments[0])


def _is_address(text: str) -> bool:
    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    if not _is_address(host):
        return host in _LOCAL_NAMES
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_loopback
