"""Processes that help to read pages: none for a few, one page alone fails with its process, and none outlives a run."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import Loopback

from tracecite_lint.engine import page_reader
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.sources import helpers as helpers_module
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import Extracted, extract
from tracecite_lint.sources.helpers import Helpers
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

READER = "tracecite_lint.engine.page_reader"
HTML = "<!doctype html><title>Mills</title><p>The mill was closed in the spring of that year, as we know."
HOST = "www.example.org"


@pytest.fixture
def started(monkeypatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started."""
    found: list[subprocess.Popen[bytes]] = []
    original = Helpers._start

    def start(self: Helpers) -> subprocess.Popen[bytes]:
        found.append(original(self))
        return found[-1]

    monkeypatch.setattr(Helpers, "_start", start)
    return found


@pytest.fixture
def strange(tmp_path, monkeypatch):
    """Return the name of a helper that does what *lines* say with each request."""

    def module(*lines: str) -> str:
        body = "\n        ".join(lines)
        (tmp_path / "strange_helper.py").write_text(f"""
import os, sys, time
from tracecite_lint.engine.page_reader import read as well
from tracecite_lint.sources import helpers

def read(body, content_type, url, quoted):
    if b"strange" in body:
        {body}
    return well(body, content_type, url, quoted)

helpers.serve(read)
""")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        return "strange_helper"

    return module


async def ask(helpers: Helpers, html: str = HTML, quoted=()) -> tuple[Extracted, bytes]:
    return await helpers.read(html.encode(), "text/html", f"https://{HOST}/", quoted)


async def failure(helpers: Helpers, html: str) -> SourceError:
    with pytest.raises(SourceError) as raised:
        await ask(helpers, html)
    return raised.value


async def test_a_helper_reads_what_this_process_would():
    helpers = Helpers(READER, 1)
    try:
        extracted, prepared = await ask(helpers, quoted=[["mill — was"]])
        expected = extract(HTML.encode(), "text/html", f"https://{HOST}/")
        assert extracted == expected
        assert FoldedText.from_bytes(prepared, expected.text) == fold(expected.text)
        onward = '<meta http-equiv=refresh content="9; url=/there">'
        extracted, _ = await ask(helpers, HTML + onward)
        assert extracted.leads_on is not None
        assert (extracted.leads_on.seconds, extracted.leads_on.url) == (9, f"https://{HOST}/there")
        assert (await failure(helpers, "<body></body>")).code == "SOURCE_HAS_NO_TEXT"
    finally:
        helpers.close()


def test_what_stands_there_word_for_word_is_not_folded():
    def prepared(*quoted: list[str]) -> bytes:
        return page_reader.read(HTML.encode(), "text/html", f"https://{HOST}/", quoted)[1]

    assert prepared(["The mill was closed"], ["in the spring"]) == b""
    assert prepared(["The mill was closed"], ["in the autumn"])
    assert prepared(["The mill was closed", "in the spring"])  # two paragraphs


@pytest.mark.parametrize(
    "does",
    [
        "os.abort()",
        "os._exit(0)",
        "raise RuntimeError",
        "os.write(1, b'x' * 40)",
        "os.write(1, b'\\xff' * 12)",
        "helpers._send(sys.stdout.buffer, (b'[]', b'', b''))",
        'helpers._send(sys.stdout.buffer, (b\'{"error": ["MADE_UP", "", ""]}\', b\'\', b\'\'))',
        "helpers._send(sys.stdout.buffer, (b'{\"content_type\": \"a\\\\nb\", \"leads_on\": null}', b'', b''))",
        "helpers._send(sys.stdout.buffer, (b'{\"content_type\": \"\", \"leads_on\": null}', b'\\xff', b''))",
        'helpers._send(sys.stdout.buffer, (b\'{"content_type": "", "leads_on": ["1", "x"]}\', b\'\', b\'\'))',
        "helpers._send(sys.stdout.buffer, (b'[' * 100000, b'', b''))",
    ],
)
async def test_a_helper_that_breaks_off_fails_its_page_alone(strange, does):
    helpers = Helpers(strange(does), 1)
    try:
        error = await failure(helpers, "<p>strange")
        assert (error.code, "broke off" in error.message) == ("HTML_PARSE_FAILED", True)
        assert "mill" in (await ask(helpers))[0].text
    finally:
        helpers.close()


async def test_a_page_that_takes_too_long_fails_alone(strange, started, monkeypatch):
    monkeypatch.setattr(helpers_module, "SECONDS", 3.0)
    helpers = Helpers(strange("time.sleep(60)"), 1)
    try:
        error = await failure(helpers, "<p>strange")
        assert (error.code, "longer than 3 s" in error.message) == ("HTML_PARSE_FAILED", True)
        assert started[0].poll() is not None
        assert "mill" in (await ask(helpers))[0].text
    finally:
        helpers.close()


async def test_a_helper_ends_with_the_page_that_is_given_up(strange, started):
    helpers = Helpers(strange("time.sleep(60)"), 2)
    task = asyncio.create_task(ask(helpers, "<p>strange"))
    await ask(helpers)
    task.cancel()
    await asyncio.wait([task])
    helpers.close()
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)


def test_a_helper_ends_with_the_run_that_was_killed():
    reads, writes = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", READER], stdin=reads, stdout=subprocess.DEVNULL
    )
    os.close(reads)
    assert process.poll() is None
    os.close(writes)
    assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(("pages", "helped"), [(23, False), (24, True)])
async def test_helpers_are_started_for_many_pages_only(
    loopback: Loopback, cafile: Path, tmp_path, started, monkeypatch, pages: int, helped: bool
):
    monkeypatch.setattr(helpers_module.os, "cpu_count", lambda: 2)
    options = FetchOptions(
        connect_to=tuple(map(parse_connect_to, loopback.connect_to)),
        cafile=cafile,
        hosts={HOST: HostOptions(interval=0.0, concurrency=8)},
    )
    urls = [f"https://{HOST}/{number}" for number in range(pages)]
    for url in urls:
        loopback.page(url, "The mill was closed in the spring.")
    cache = Cache(tmp_path / "cache")
    store = Store(cache, options, lambda text: b"folded", 1, helper=READER)
    store.expect(pages)
    try:
        loads = [store.load(resolve(url), [["mill was closed"]]) for url in urls]
        found = await asyncio.gather(*loads)
    finally:
        await store.close()
        cache.close()
    assert all("mill was closed" in page.text for page in found)
    assert {page.prepared for page in found} == ({b""} if helped else {b"folded"})
    assert 1 <= len(started) <= 2 if helped else not started
    assert all(process.poll() is not None for process in started)
