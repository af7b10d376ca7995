"""No spelling of a URL leads to a forbidden target, and odd spellings of a public one lead to it alone."""

from __future__ import annotations

import re
import socket

import pytest
from address_space import is_public
from amounts import sample_and_all
from loopback import Answer
from url_spellings import ALLOWED, NAMES, forbidden

from tracecite_lint.cli import main
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.http import Fetcher
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve

PORT = 47_111
"""Stands for the port of a canary until one listens."""

SPELLINGS = forbidden(PORT)


def system_like(host: str, port: int, family: socket.AddressFamily):
    """Return what a system makes of *host*: numbers in every spelling, the machine's own names, and the world's."""
    try:
        return [(socket.AF_INET, socket.inet_ntoa(socket.inet_aton(host)))]
    except OSError:
        own = host.rpartition(".")[2] in {name.rpartition(".")[2] for name in NAMES}
        return [(socket.AF_INET, "127.0.0.1" if own or "127.0.0.1" in host else "1.1.1.1")]


def test_there_are_as_many_as_are_promised():
    assert len(SPELLINGS) >= 4_714


@sample_and_all("spellings", SPELLINGS, 1_500)
async def test_no_spelling_of_a_forbidden_target_is_connected_to(spellings, network, canaries):
    fetcher = Fetcher(FetchOptions(backoff=0.0), lookup=system_like)
    for spelling in spellings:
        url = spelling.replace(str(PORT), str(canaries.port))
        with pytest.raises(SourceError) as raised:
            await fetcher.fetch(resolve(url))
        assert raised.value.code in {"INVALID_OR_BLOCKED_URL", "URL_BLOCKED"}, url
        assert network.connections == [], url
    await fetcher.close()
    assert not canaries.reached()


@sample_and_all("spellings", SPELLINGS, 300)
def test_nor_from_a_document(spellings, network, canaries, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    urls = [
        re.sub(r"[\x00-\x20\x7f<>\ud800]", "", url).replace(str(PORT), str(canaries.port))
        for url in spellings
    ]
    # Some documents, as one of so many quotations is not read.
    for start in range(0, len(urls), 1000):
        text = "\n\n".join(
            f"They say “some quoted words of {n}” (<{url}>)."
            for n, url in enumerate(urls[start : start + 1000])
        )
        (tmp_path / f"report-{start}.md").write_text(text, "utf-8")
    assert main([".", "--no-cache"]) == 2
    assert "0 verified" in capsys.readouterr().out
    assert [ip for ip, _ in network.connections if not is_public(ip)] == []
    assert not canaries.reached()


@pytest.mark.parametrize("url", ALLOWED)
async def test_an_odd_spelling_of_a_public_page_leads_to_it_alone(url, network, loopback, cafile):
    def page(exchange):
        return Answer("words")

    source = resolve(url)
    loopback.script(source.url, page)
    options = FetchOptions(
        connect_to=tuple(parse_connect_to(f"www.iana.org{rule}") for rule in loopback.connect_to),
        cafile=cafile,
        hosts={"www.iana.org": HostOptions(interval=0.0)},
    )
    fetcher = Fetcher(options, lookup=system_like)
    response = await fetcher.fetch(source)
    await fetcher.close()
    assert response.body == b"words"
    (request,) = loopback.requests
    assert (request.host, request.target.partition("?")[0]) == ("www.iana.org", "/page")
    assert {port for _, port in network.connections} <= {loopback.http_port, loopback.https_port}
