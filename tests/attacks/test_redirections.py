"""No redirect leads to a forbidden target, and each ends in a code of its own."""

from __future__ import annotations

import re
import socket
from contextlib import suppress

from amounts import sample_and_all
from loopback import Answer, redirect
from redirections import HOST, PRIVATE_NAMES, answer, redirections

from tracecite_lint.rules import rule_for
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract
from tracecite_lint.sources.http import Fetcher
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

PORT = 47_111
"""Stands for the port of a canary until one listens."""

REDIRECTIONS = redirections(PORT)
LOCATION = re.compile(rb"Location: ([^\r\n]+)\r\n")


def lookup(host: str, port: int, family: socket.AddressFamily):
    """Return what the name server of PRIVATE_NAMES answers; any other name leads to the machine itself."""
    found = PRIVATE_NAMES.get(host, ("127.0.0.1",))
    return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, ip) for ip in found]


REFRESHES = [
    (case.scheme, location)
    for case in REDIRECTIONS
    if case.codes and not case.hops and (location := LOCATION.search(case.answer))
]


def options_to(loopback, cafile):
    """Return how pages of HOST are fetched from the loopback server, without a wait between them."""
    return FetchOptions(
        connect_to=tuple(parse_connect_to(f"{HOST}{rule}") for rule in loopback.connect_to),
        cafile=cafile,
        hosts={HOST: HostOptions(interval=0.0)},
        backoff=0.0,
        timeout=600.0,
    )


@sample_and_all("cases", REFRESHES, 100)
async def test_no_refresh_leads_to_a_forbidden_target(cases, network, canaries, loopback, cafile):
    store = Store(Cache(None), options_to(loopback, cafile), lambda text: b"", 1, lookup=lookup)
    servers = {("127.0.0.1", loopback.http_port), ("127.0.0.1", loopback.https_port)}
    for number, (scheme, location) in enumerate(cases):
        target = location[1].replace(str(PORT).encode(), str(canaries.port).encode())
        by_header = answer(b"Content-Type: text/html", b"Refresh: 0;url=" + target, status=200)
        meta = b"<meta http-equiv=refresh content='0;url=%s'>" % target
        by_element = answer(b"Content-Type: text/html", status=200, body=meta)
        for way, sent in (("header", by_header), ("element", by_element)):
            url = f"{scheme}://{HOST}/{way}/{number}"
            loopback.script(url, sent)
            network.connections.clear()
            with suppress(SourceError):
                page = await store.load(resolve(url))
                assert page.final_url == url, (way, target)
            assert set(network.connections) <= servers, (way, target)
    await store.close()
    assert {request.host for request in loopback.requests} == {HOST}
    assert not canaries.reached()


def test_there_are_as_many_as_are_promised():
    assert len(REDIRECTIONS) >= 4_015


@sample_and_all("cases", REDIRECTIONS, 150)
async def test_no_redirect_leads_to_a_forbidden_target(cases, network, canaries, loopback, cafile):
    fetcher = Fetcher(options_to(loopback, cafile), lookup=lookup)
    servers = {("127.0.0.1", loopback.http_port), ("127.0.0.1", loopback.https_port)}
    for scheme in ("http", "https"):
        loopback.script(f"{scheme}://{HOST}/page", Answer("words"))
        loopback.script(f"{scheme}://{HOST}/loop", redirect("/loop"))
    for number, case in enumerate(cases):
        network.connections.clear()
        for hop in range(case.hops):
            onwards = redirect(f"/{number}/{hop + 1}")
            loopback.script(f"{case.scheme}://{HOST}/{number}/{hop}", onwards)
        last = case.answer.replace(str(PORT).encode(), str(canaries.port).encode())
        loopback.script(f"{case.scheme}://{HOST}/{number}/{case.hops}", last)
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
