"""No redirect leads to a forbidden target, and each ends in a code of its own."""

from __future__ import annotations

import socket

from amounts import sample_and_all
from loopback import Answer, redirect
from redirections import HOST, PRIVATE_NAMES, redirections

from tracecite_lint.rules import rule_for
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract
from tracecite_lint.sources.http import Fetcher
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve

PORT = 47_111
"""Stands for the port of a canary until one listens."""

REDIRECTIONS = redirections(PORT)


def lookup(host: str, port: int, family: socket.AddressFamily):
    """Return what the name server of PRIVATE_NAMES answers; any other name leads to the machine itself."""
    found = PRIVATE_NAMES.get(host, ("127.0.0.1",))
    return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, ip) for ip in found]


def test_there_are_as_many_as_are_promised():
    assert len(REDIRECTIONS) >= 4_015


@sample_and_all("cases", REDIRECTIONS, 150)
async def test_no_redirect_leads_to_a_forbidden_target(cases, network, canaries, loopback, cafile):
    options = FetchOptions(
        connect_to=tuple(parse_connect_to(f"{HOST}{rule}") for rule in loopback.connect_to),
        cafile=cafile,
        hosts={HOST: HostOptions(interval=0.0)},
        backoff=0.0,
        timeout=600.0,
    )
    fetcher = Fetcher(options, lookup=lookup)
    servers = {("127.0.0.1", loopback.http_port), ("127.0.0.1", loopback.https_port)}
    for scheme in ("http", "https"):
        loopback.script(f"{scheme}://{HOST}/page", Answer("words"))
        loopback.script(f"{scheme}://{HOST}/loop", redirect("/loop"))
    for number, case in enumerate(cases):
        network.connections.clear()
        for hop in range(case.hops):
            onwards = redirect(f"/{number}/{hop + 1}")
            loopback.script(f"{case.scheme}://{HOST}/{number}/{hop}", onwards)
        answer = case.answer.replace(str(PORT).encode(), str(canaries.port).encode())
        loopback.script(f"{case.scheme}://{HOST}/{number}/{case.hops}", answer)
        try:
            response = await fetcher.fetch(resolve(f"{case.scheme}://{HOST}/{number}/0"))
            extract(response.body, response.headers.get("Content-Type"), response.url)
        except SourceError as error:
            code = error.code
            assert rule_for(code).code  # documented
            assert not case.codes or code in case.codes, case
        else:
            assert not case.codes, case
        assert set(network.connections) <= servers, case
    await fetcher.close()
    assert {request.host for request in loopback.requests} == {HOST}
    assert not canaries.reached()
