"""What the attack suites share: a sealed network, listeners that nothing may reach, and few authorities to read."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from sealed import SealedNetwork, sealed_network


@pytest.fixture(autouse=True)
def _few_authorities(
    _closed_environment: None, cafile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(cafile))


@pytest.fixture
def network() -> Iterator[SealedNetwork]:
    """The network of this process, sealed."""
    with sealed_network() as network:
        yield network


@dataclass(frozen=True)
class Canaries:
    """Real listeners on loopback that no attack may reach, in IPv4 and, where the system has it, IPv6."""

    listeners: tuple[socket.socket, ...]

    @property
    def port(self) -> int:
        """The port of the first listener."""
        return int(self.listeners[0].getsockname()[1])

    def reached(self) -> bool:
        """Tell whether a connection has come in."""
        return any(_has_come_in(listener) for listener in self.listeners)


def _has_come_in(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@pytest.fixture
def canaries() -> Iterator[Canaries]:
    """Listeners that must stay alone."""
    listeners = [socket.create_server(("127.0.0.1", 0))]
    port = listeners[0].getsockname()[1]
    with suppress(OSError):  # a system may have no IPv6
        listeners.append(socket.create_server(("::1", port), family=socket.AF_INET6))
    for listener in listeners:
        listener.setblocking(False)
    yield Canaries(tuple(listeners))
    for listener in listeners:
        listener.close()
