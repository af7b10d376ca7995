"""The store: what the cache decides, one fetch for all who ask, and what happens when a server is away."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Exchange, Loopback

from tracecite_lint.sources import store as store_module
from tracecite_lint.sources.cache import LEASE_SECONDS, Cache
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

URL = "https://www.iana.org/help/example-domains"
WORDS = "The words of the page, and some more of them, so that it has a text."

DAY = 24 * 3600.0


class Setting:
    """Stores that share a cache and a server, and a clock that can be set."""

    def __init__(self, loopback: Loopback, cafile: Path, directory: Path | None) -> None:
        self.loopback = loopback
        self.cafile = cafile
        self.directory = directory
        self.caches: list[Cache] = []

    def store(self, *, version: int = 1, **changes) -> Store:
        options = {
            "connect_to": tuple(map(parse_connect_to, self.loopback.connect_to)),
            "cafile": self.cafile,
            "hosts": {"www.iana.org": HostOptions(interval=0.0)},
            "timeout": 5.0,
            "backoff": 0.01,
        }
        cache = Cache(self.directory)
        self.caches.append(cache)
        prepare: Callable[[str], bytes] = lambda text: f"{version}:{text}".encode()  # noqa: E731
        return Store(cache, FetchOptions(**{**options, **changes}), prepare, version)

    async def load(self, url: str = URL, **changes) -> Page:
        """Load *url* as a run of its own."""
        store = self.store(**changes)
        try:
            return await store.load(resolve(url))
        finally:
            await store.close()

    def cached(self, url: str = URL, **changes) -> Page | SourceError | None:
        return self.store(**changes).cached(resolve(url))


@pytest.fixture
def setting(loopback, cafile, tmp_path):
    setting = Setting(loopback, cafile, tmp_path / "cache")
    yield setting
    for cache in setting.caches:
        assert cache.problem is None
        cache.close()


@pytest.fixture
def later(monkeypatch):
    """Let the store's clock go on by some seconds."""

    def go_on(seconds: float) -> None:
        now = time.time() + seconds
        monkeypatch.setattr(store_module.time, "time", lambda: now)

    return go_on


async def failure(work) -> SourceError:
    with pytest.raises(SourceError) as raised:
        await work
    return raised.value


class TestCache:
    async def test_a_page_is_fetched_once_and_then_kept(self, setting, loopback):
        loopback.page(URL, WORDS, ETag='"a"')
        assert setting.cached() is None
        page = await setting.load()
        assert WORDS in page.text
        assert page.prepared == f"1:{page.text}".encode()
        assert (page.url, page.final_url, page.status) == (URL, URL, 200)
        assert page.content_type == "text/html"
        assert page.etag == '"a"'
        assert not page.from_cache
        again = setting.cached()
        assert again.from_cache
        assert (again.text, again.prepared) == (page.text, page.prepared)
        assert (await setting.load()).from_cache
        assert len(loopback.requests) == 1

    async def test_fragments_and_tracking_parameters_share_a_page(self, setting, loopback):
        loopback.page(f"{URL}?utm_source=x", WORDS)
        await setting.load(f"{URL}?utm_source=x#a")
        assert setting.cached(f"{URL}#b").from_cache
        assert loopback.urls() == [f"{URL}?utm_source=x"]

    @pytest.mark.parametrize("validator", ["ETag", "Last-Modified"])
    async def test_after_the_ttl_it_is_asked_whether_the_page_has_changed(
        self, validator, setting, loopback, later
    ):
        value = {"ETag": '"a"', "Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"}[validator]
        not_modified = Answer(status=304, content_type=None)
        loopback.script(URL, Answer(f"<p>{WORDS}", headers={validator: value}), not_modified)
        first = await setting.load()
        later(25 * 3600)
        assert setting.cached() is None
        second = await setting.load()
        assert second.text == first.text
        assert second.fetched_at > first.fetched_at
        assert second.from_cache
        assert not second.stale
        condition = {"ETag": "if-none-match", "Last-Modified": "if-modified-since"}[validator]
        assert condition not in loopback.requests[0].headers
        assert loopback.requests[1].headers[condition] == value
        assert setting.cached().fetched_at == second.fetched_at
        assert len(loopback.requests) == 2

    async def test_a_page_that_has_changed_replaces_the_kept_one(self, setting, loopback, later):
        loopback.script(
            URL, Answer(f"<p>{WORDS}", headers={"ETag": '"a"'}), Answer(f"<p>New. {WORDS}")
        )
        await setting.load()
        later(25 * 3600)
        assert "New." in (await setting.load()).text
        assert "New." in setting.cached().text

    async def test_a_ttl_can_be_chosen_and_for_one_host(self, setting, loopback, later):
        loopback.page(URL, WORDS)
        await setting.load()
        later(100)
        assert setting.cached() is not None
        assert setting.cached(ttl=50.0) is None
        page = setting.cached(ttl=150.0)
        assert page.fresh_until == page.fetched_at + 150.0
        host = {"www.iana.org": HostOptions(ttl=50.0)}
        assert setting.cached(hosts=host) is None
        assert setting.cached(hosts={"other.org": HostOptions(ttl=50.0)}) is not None

    async def test_the_ttl_of_the_run_counts_not_that_of_the_fetch(self, setting, loopback):
        loopback.page(URL, WORDS)
        await setting.load(ttl=0.0)
        assert setting.cached() is not None

    async def test_refresh_fetches_anew_and_once(self, setting, loopback):
        loopback.page(URL, WORDS, ETag='"a"')
        await setting.load()
        store = setting.store(refresh=True)
        assert store.cached(resolve(URL)) is None
        assert not (await store.load(resolve(URL))).from_cache
        assert (await store.load(resolve(URL))).from_cache
        await store.close()
        assert len(loopback.requests) == 2
        assert "if-none-match" not in loopback.requests[1].headers

    async def test_one_source_can_be_distrusted(self, setting, loopback):
        loopback.page(URL, WORDS)
        store = setting.store()
        await store.load(resolve(URL))
        store.distrust(resolve(URL))
        assert store.cached(resolve(URL)) is None
        await store.load(resolve(URL))
        assert store.cached(resolve(URL)) is not None
        await store.close()
        assert len(loopback.requests) == 2

    async def test_text_of_another_fold_is_prepared_again_without_a_request(
        self, setting, loopback
    ):
        loopback.page(URL, WORDS)
        page = await setting.load()
        assert setting.cached(version=2).prepared == f"2:{page.text}".encode()
        assert setting.cached(version=2).fetched_at == page.fetched_at
        assert len(loopback.requests) == 1

    async def test_text_of_another_extractor_is_fetched_anew(self, setting, loopback, monkeypatch):
        loopback.page(URL, WORDS, ETag='"a"')
        await setting.load()
        monkeypatch.setattr("tracecite_lint.sources.cache.EXTRACT_VERSION", 999)
        assert setting.cached() is None
        await setting.load()
        assert "if-none-match" not in loopback.requests[1].headers

    async def test_without_a_cache_a_run_still_fetches_once(self, loopback, cafile):
        loopback.page(URL, WORDS)
        store = Setting(loopback, cafile, None).store()
        for _ in range(3):
            await store.load(resolve(URL))
        await store.close()
        assert len(loopback.requests) == 1


class TestOffline:
    async def test_what_is_not_cached_is_said_to_be_so(self, setting, loopback):
        error = setting.cached(offline=True)
        assert error.code == "NOT_IN_CACHE"
        assert error.unreachable
        assert (await failure(setting.load(offline=True))).code == "NOT_IN_CACHE"
        assert loopback.requests == []

    async def test_a_page_past_its_ttl_is_used_and_called_stale(self, setting, loopback, later):
        loopback.page(URL, WORDS)
        await setting.load()
        assert not setting.cached(offline=True).stale
        later(29 * DAY)
        assert setting.cached(offline=True).stale
        later(31 * DAY)
        assert setting.cached(offline=True).code == "NOT_IN_CACHE"


class TestFailures:
    @pytest.mark.parametrize("status", [429, 500, 503, 403])
    async def test_a_stale_page_stands_in_for_a_server_that_is_away(
        self, status, setting, loopback, later
    ):
        loopback.script(URL, Answer(f"<p>{WORDS}"), Answer(status=status))
        first = await setting.load()
        later(29 * DAY)
        page = await setting.load()
        assert page.stale
        assert page.fetched_at == first.fetched_at
        assert setting.cached().stale  # the server is left alone for a while
        later(31 * DAY)
        assert (await failure(setting.load())).unreachable

    async def test_a_stale_page_does_not_stand_in_for_one_that_is_gone(
        self, setting, loopback, later
    ):
        loopback.script(URL, Answer(f"<p>{WORDS}"), Answer(status=404))
        await setting.load()
        later(25 * 3600)
        assert (await failure(setting.load())).code == "HTTP_STATUS_404"

    @pytest.mark.parametrize(("status", "seconds"), [(404, 60), (403, 10), (500, 10)])
    async def test_a_failure_is_remembered_for_a_short_while(
        self, status, seconds, setting, loopback, later
    ):
        loopback.script(
            URL, *[Answer(status=status)] * (3 if status == 500 else 1), Answer(f"<p>{WORDS}")
        )
        code = (await failure(setting.load())).code
        asked = len(loopback.requests)
        assert setting.cached().code == code
        assert (await failure(setting.load())).code == code
        later(seconds - 2)
        assert setting.cached().code == code
        assert len(loopback.requests) == asked
        later(seconds + 1)
        assert setting.cached() is None
        assert WORDS in (await setting.load()).text

    async def test_refresh_does_not_wait_for_that(self, setting, loopback):
        loopback.script(URL, Answer(status=404), Answer(f"<p>{WORDS}"))
        await failure(setting.load())
        assert WORDS in (await setting.load(refresh=True)).text

    async def test_nor_does_a_run_that_reaches_in_another_way(self, setting, loopback, monkeypatch):
        refused = {"connect_to": (parse_connect_to("::127.0.0.1:1"),)}
        assert (await failure(setting.load(**refused))).code == "HTTP_REQUEST_FAILED"
        assert setting.cached(**refused) is not None
        assert setting.cached() is None
        assert setting.cached(**refused, allow_hosts=frozenset({"other.org"})) is None
        assert (
            setting.cached(**refused, hosts={"www.iana.org": HostOptions(user_agent="me")}) is None
        )
        assert (
            setting.cached(**refused, hosts={"www.iana.org": HostOptions(interval=0.0)}) is not None
        )
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:3128")
        assert setting.cached(**refused) is None

    async def test_a_page_without_text_is_a_failure_and_no_page(self, setting, loopback):
        loopback.script(URL, Answer(bytes(10), content_type="image/png"))
        assert (await failure(setting.load())).code == "UNSUPPORTED_CONTENT_TYPE"
        assert setting.cached().code == "UNSUPPORTED_CONTENT_TYPE"


class TestOneFetch:
    async def test_two_hundred_quotations_on_fifty_pages_are_fifty_requests_two_at_a_time(
        self, setting, loopback
    ):
        def slow(exchange: Exchange) -> Answer:
            exchange.wait(0.02)
            return Answer(f"<p>{WORDS} {exchange.request.target}")

        urls = [f"https://www.iana.org/{n}" for n in range(50)]
        for url in urls:
            loopback.script(url, slow)
        store = setting.store()
        pages = await asyncio.gather(*(store.load(resolve(url)) for url in urls * 4))
        await store.close()
        assert [page.text.split()[-1] for page in pages] == [f"/{n}" for n in range(50)] * 4
        assert sorted(loopback.urls()) == sorted(urls)
        assert loopback.most_at_a_time["www.iana.org"] == 2

    async def test_all_who_wait_get_the_failure(self, setting, loopback):
        loopback.script(URL, Answer(status=404))
        store = setting.store()
        results = await asyncio.gather(
            *(store.load(resolve(URL)) for _ in range(5)), return_exceptions=True
        )
        await store.close()
        assert {result.code for result in results} == {"HTTP_STATUS_404"}
        assert len(loopback.requests) == 1

    async def test_a_fetch_goes_on_while_anybody_waits(self, setting, loopback):
        go = asyncio.Event()

        def slow(exchange: Exchange) -> Answer:
            asyncio.run_coroutine_threadsafe(go.wait(), loop).result(30)
            return Answer(f"<p>{WORDS}")

        loop = asyncio.get_running_loop()
        loopback.script(URL, slow)
        store = setting.store()
        impatient = asyncio.create_task(store.load(resolve(URL)))
        patient = asyncio.create_task(store.load(resolve(URL)))
        while not loopback.requests:
            await asyncio.sleep(0.01)
        impatient.cancel()
        await asyncio.wait([impatient])
        go.set()
        assert WORDS in (await patient).text
        await store.close()
        assert len(loopback.requests) == 1

    async def test_a_fetch_that_nobody_waits_for_ends_and_can_begin_again(self, setting, loopback):
        def silent(exchange: Exchange) -> None:
            exchange.wait(30)

        url = "http://www.iana.org/"
        loopback.script(url, silent, Answer(f"<p>{WORDS}"))
        store = setting.store()
        first = asyncio.create_task(store.load(resolve(url)))
        while not loopback.requests:
            await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.wait([first])
        assert first.cancelled()
        assert WORDS in (await store.load(resolve(url))).text
        await store.close()

    async def test_closing_ends_what_is_under_way(self, setting, loopback):
        loopback.script("http://www.iana.org/", lambda exchange: exchange.wait(30) and None)
        store = setting.store()
        load = asyncio.create_task(store.load(resolve("http://www.iana.org/")))
        while not loopback.requests:
            await asyncio.sleep(0.01)
        await store.close()
        await asyncio.wait([load])
        assert load.cancelled()

    def test_a_store_serves_one_event_loop_after_another(self, setting, loopback):
        loopback.page(URL, WORDS)
        loopback.page(f"{URL}/b", WORDS)
        store = setting.store()

        async def load(url: str) -> Page:
            try:
                return await store.load(resolve(url))
            finally:
                await store.close()

        assert asyncio.run(load(URL)).text
        assert asyncio.run(load(f"{URL}/b")).text


class TestTime:
    async def test_what_is_not_read_in_time_is_said_to_be_so(self, setting, loopback):
        url = "http://www.iana.org/"
        loopback.script(url, lambda exchange: exchange.wait(30) and None)
        error = await failure(setting.load(url, deadline=time.monotonic() + 0.3))
        assert error.code == "NOT_CHECKED_TIME_BUDGET"
        assert error.unreachable
        assert setting.cached(url) is None  # it is not the server's fault

    async def test_waiting_for_a_turn_counts_too(self, setting, loopback):
        url = "http://www.iana.org/"
        loopback.script(url, Answer(status=429, headers={"Retry-After": "20"}))
        error = await failure(setting.load(url, deadline=time.monotonic() + 0.5))
        assert error.code == "NOT_CHECKED_TIME_BUDGET"

    async def test_after_the_deadline_nothing_is_asked_but_the_cache(self, setting, loopback):
        loopback.page(URL, WORDS)
        past = time.monotonic() - 1
        assert (await failure(setting.load(deadline=past))).code == "NOT_CHECKED_TIME_BUDGET"
        assert loopback.requests == []
        await setting.load()
        assert (await setting.load(deadline=past)).from_cache


LOAD = """
import asyncio, sys
from pathlib import Path
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

directory, cafile, rule, *urls = sys.argv[1:]

async def load():
    options = FetchOptions(
        connect_to=(parse_connect_to(rule),),
        cafile=Path(cafile),
        hosts={"www.iana.org": HostOptions(interval=0.0)},
    )
    cache = Cache(Path(directory))
    store = Store(cache, options, str.encode, 1)
    pages = await asyncio.gather(*(store.load(resolve(url)) for url in urls), return_exceptions=True)
    await store.close()
    cache.close()
    assert cache.problem is None, cache.problem
    for page in pages:
        print(getattr(page, "code", None) or page.text.split()[-1])

asyncio.run(load())
"""


class TestProcesses:
    def run(self, setting: Setting, *urls: str) -> subprocess.Popen[str]:
        rule = setting.loopback.connect_to[0]
        command = [sys.executable, "-c", LOAD, setting.directory, setting.cafile, rule, *urls]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def test_two_that_want_one_page_fetch_it_once(self, setting, loopback):
        def slow(exchange: Exchange) -> Answer:
            exchange.wait(1.0)
            return Answer(f"<p>{WORDS} {exchange.request.target}")

        urls = [f"https://www.iana.org/{n}" for n in range(4)]
        for url in urls:
            loopback.script(url, slow)
        processes = [self.run(setting, *urls) for _ in range(2)]
        for process in processes:
            assert process.communicate(timeout=120)[0].split() == ["/0", "/1", "/2", "/3"]
        assert sorted(loopback.urls()) == urls

    def test_a_failure_is_shared_too(self, setting, loopback):
        def slow(exchange: Exchange) -> Answer:
            exchange.wait(1.0)
            return Answer(status=404)

        loopback.script(URL, slow)
        processes = [self.run(setting, URL) for _ in range(2)]
        for process in processes:
            assert process.communicate(timeout=120)[0].split() == ["HTTP_STATUS_404"]
        assert len(loopback.requests) == 1

    def test_one_that_is_killed_does_not_block_the_other(self, setting, loopback):
        def silent(exchange: Exchange) -> None:
            exchange.wait(30)

        loopback.script(URL, silent, Answer(f"<p>{WORDS}"))
        dead = self.run(setting, URL)
        while not loopback.requests:
            time.sleep(0.02)
        dead.kill()
        dead.communicate()
        deadline = time.monotonic() + LEASE_SECONDS / 2
        assert WORDS in asyncio.run(setting.load(deadline=deadline)).text


INTERRUPTED = """
import asyncio, sys, time
from pathlib import Path
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.options import FetchOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

url, rule = sys.argv[1:]

def lookup(host, port, family):
    if rule:
        from tracecite_lint.sources.connect import system_lookup
        return system_lookup(host, port, family)
    print("looking up", flush=True)
    time.sleep(3600)

async def load():
    rules = (parse_connect_to(rule),) if rule else ()
    store = Store(Cache(None), FetchOptions(connect_to=rules), str.encode, 1, lookup=lookup)
    try:
        async with asyncio.TaskGroup() as group:
            for n in range(5):
                group.create_task(store.load(resolve(f"{url}{n}")))
    finally:
        await store.close()

try:
    asyncio.run(load())
except KeyboardInterrupt:
    print("interrupted")
"""


class TestInterrupt:
    """Ctrl-C ends a run at once, whatever it waits for."""

    def interrupted(self, setting: Setting, rule: str) -> str:
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, "http://www.iana.org/", rule],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        if rule:
            while not setting.loopback.requests:
                time.sleep(0.02)
        else:
            assert process.stdout.readline() == "looking up\n"
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0]
        assert process.returncode == 0
        return output.split("\n")[-2]

    def test_in_the_middle_of_a_look_up(self, setting):
        assert self.interrupted(setting, "") == "interrupted"

    def test_in_the_middle_of_a_request(self, setting, loopback):
        for n in range(5):
            loopback.script(f"http://www.iana.org/{n}", lambda exchange: exchange.wait(60) and None)
        rule = f"::127.0.0.1:{loopback.http_port}"
        assert self.interrupted(setting, rule) == "interrupted"


def test_a_cached_page_brings_in_no_network_no_parser_and_nothing_that_writes(setting, loopback):
    loopback.page(URL, WORDS)
    asyncio.run(setting.load())
    program = """
import sys
from pathlib import Path
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.options import FetchOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

directory, url, cafile, *rules = sys.argv[1:]
options = FetchOptions(connect_to=tuple(map(parse_connect_to, rules)), cafile=Path(cafile))
store = Store(Cache(Path(directory)), options, str.encode, 1)
assert store.cached(resolve(url)).from_cache
heavy = {"aiohttp", "asyncio", "selectolax", "idna", "yarl", "pypdfium2", "urllib.request", "diskcache"}
heavy |= {"tracecite_lint.sources.extract", "tracecite_lint.sources.http"}
print(*sorted(heavy & set(sys.modules)))
"""
    reach = [setting.cafile, *loopback.connect_to]
    command = [sys.executable, "-c", program, setting.directory, URL, *reach]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
