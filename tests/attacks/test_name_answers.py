"""No answer of a name server, and no second one, leads to an address that is not public."""

from __future__ import annotations

import errno
import socket
from collections import Counter
from collections.abc import Sequence

import pytest
from address_space import is_public
from amounts import sample_and_all
from name_answers import public_answers, refused_answers

from tracecite_lint.sources.connect import Lookup
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.http import Fetcher
from tracecite_lint.sources.options import FetchOptions, HostOptions
from tracecite_lint.sources.policy import resolve

REFUSED = refused_answers()
PUBLIC = public_answers()

Addresses = list[tuple[socket.AddressFamily, str]]


def addresses(answer: Sequence[str]) -> Addresses:
    """Return *answer* as the system's look-up gives it."""
    return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, ip) for ip in answer]


def answers_by_number(answers: Sequence[Sequence[str]]) -> Lookup:
    """Return a look-up that knows the host `n17.iana.org` by the eighteenth of *answers*."""

    def lookup(host: str, port: int, family: socket.AddressFamily) -> Addresses:
        return addresses(answers[int(host.partition(".")[0][1:])])

    return lookup


def url(number: int) -> str:
    """Return a URL of the host with *number*; every other one is https."""
    return f"http{'s' if number % 2 else ''}://n{number}.iana.org/"


def is_forbidden(ip: str) -> bool:
    """Tell whether *ip*, with a scope or without, may not be connected to."""
    return not is_public(ip.partition("%")[0])


async def code_of(fetcher: Fetcher, address: str) -> str:
    """Return the code that the fetch of *address* ends in."""
    with pytest.raises(SourceError) as raised:
        await fetcher.fetch(resolve(address))
    return raised.value.code


def test_there_are_as_many_as_are_promised():
    assert len(REFUSED) >= 6_057
    assert len(PUBLIC) >= 400


@sample_and_all("answers", REFUSED, 300)
async def test_one_forbidden_address_in_an_answer_is_enough(answers, network, canaries):
    fetcher = Fetcher(FetchOptions(backoff=0.0, timeout=600.0), lookup=answers_by_number(answers))
    codes = Counter([await code_of(fetcher, url(number)) for number in range(len(answers))])
    await fetcher.close()
    assert codes == {"URL_BLOCKED": len(answers)}
    assert network.connections == []
    assert not canaries.reached()


@sample_and_all("answers", PUBLIC, 100)
async def test_an_answer_of_public_addresses_is_connected_to(answers, network):
    """The seal lets no packet out, so that each of these fails, but only after the attempt."""
    fetcher = Fetcher(FetchOptions(backoff=0.0, timeout=600.0), lookup=answers_by_number(answers))
    for number, answer in enumerate(answers):
        network.connections.clear()
        assert await code_of(fetcher, url(number)) == "HTTP_REQUEST_FAILED"
        tried = {ip for ip, _ in network.connections}
        assert tried and tried <= set(answer)
        assert all(map(is_public, tried))
    await fetcher.close()
    assert network.names == []


async def test_an_empty_answer_is_a_name_that_cannot_be_resolved(network):
    fetcher = Fetcher(FetchOptions(), lookup=lambda *_: [])
    assert await code_of(fetcher, "https://www.iana.org/") == "HOST_UNRESOLVED"
    await fetcher.close()


class TwoFaced(Sequence[tuple[socket.AddressFamily, str]]):
    """An answer that is public when it is first looked at, and leads to a canary from then on."""

    def __init__(self, first: Sequence[str], then: Sequence[str]) -> None:
        self._faces = [addresses(first), addresses(then)]

    def __iter__(self):
        return iter(self._faces.pop(0) if len(self._faces) > 1 else self._faces[0])

    def __getitem__(self, index):
        return self._faces[-1][index]

    def __len__(self):
        return len(self._faces[-1])


AT_ONCE = {"rebound.iana.org": HostOptions(interval=0.0)}

REBINDINGS = [
    (kind, first, then)
    for kind in ("retry", "visit", "answer")
    for first in (("1.1.1.1",), ("2606:4700::1111",), ("8.8.8.8", "2606:4700::1"), ("1.1.1.1",) * 3)
    for then in (
        *(
            ("127.0.0.1",),
            ("::1",),
            ("10.0.0.1",),
            ("169.254.169.254",),
            ("fe80::1%1",),
            ("0.0.0.0",),
        ),
        *(("::ffff:127.0.0.1",), ("64:ff9b::7f00:1",), ("2002:7f00:1::",), ("2001::80ff:fffe",)),
        *(("1.1.1.1", "127.0.0.1"), ("127.0.0.1", "1.1.1.1"), ("2606:4700::1111", "::1")),
        *(("192.168.1.1",), ("172.31.255.255",), ("100.64.0.1",), ("255.255.255.255",)),
    )
]


@sample_and_all("rebindings", REBINDINGS, 60)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_second_answer_that_differs_leads_nowhere(scheme, rebindings, network, canaries):
    """Whether it comes to a retry of the same request, to the next request, or between judgement and connection."""
    for kind, first, then in rebindings:
        network.connections.clear()
        network.refusal = errno.ECONNRESET if kind == "retry" else errno.ECONNREFUSED
        faces = [TwoFaced(first, then)] if kind == "answer" else [addresses(first), addresses(then)]
        asked = []

        def lookup(host, port, family, faces=faces, asked=asked):
            asked.append(host)
            return faces.pop(0) if len(faces) > 1 else faces[0]

        fetcher = Fetcher(FetchOptions(backoff=0.0, timeout=600.0, hosts=AT_ONCE), lookup=lookup)
        if kind == "visit":
            assert await code_of(fetcher, f"{scheme}://rebound.iana.org/") == "HTTP_REQUEST_FAILED"
        code = await code_of(fetcher, f"{scheme}://rebound.iana.org/")
        await fetcher.close()
        mixed = kind == "answer" and not all(map(is_forbidden, then))
        allowed = {"URL_BLOCKED", "HTTP_REQUEST_FAILED"} if mixed else {"URL_BLOCKED"}
        assert code in allowed, (kind, first, then)
        assert all(is_public(ip) for ip, _ in network.connections), (kind, first, then)
        assert len(asked) == (1 if kind == "answer" else 2)
    assert not canaries.reached()


def test_there_are_as_many_rebindings_as_are_promised():
    assert len(REBINDINGS) >= 200
