"""How a page was reached is part of its key: what was read in one way says nothing about what is there in another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from loopback import Answer, Loopback, redirect

from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.reach import ReachDigests
from tracecite_lint.sources.store import Store

HOST = "www.iana.org"
URL = f"https://{HOST}/help"
OTHER = "https://www.example.org/moved"
WORDS = "The words of the page, and some more of them, so that it has a text."


def rules(*values: str) -> tuple:
    return tuple(map(parse_connect_to, values))


def reach(host: str = HOST, environment: dict[str, str] | None = None, **options) -> str:
    return ReachDigests(FetchOptions(**options), environment or {}).of(host)


class TestDigest:
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"ttl": 5.0, "offline": True, "refresh": True, "timeout": 1.0, "backoff": 9.0},
            {"deadline": 5.0},
            {"hosts": {HOST: HostOptions(concurrency=1, interval=0.0, ttl=5.0)}},
            {"hosts": {"other.org": HostOptions(user_agent="me", headers={"Cookie": "a=b"})}},
            {"connect_to": rules("other.org:443:127.0.0.1:1")},
            {"allow_hosts": frozenset({"wiki.corp", "other.org:8080"})},
        ],
        ids=lambda options: "-".join(options) or "none",
    )
    def test_what_does_not_lead_elsewhere_keeps_the_plain_key(self, options):
        assert reach(**options) == ""

    @pytest.mark.parametrize(
        "environment",
        [{}, {"NO_PROXY": "iana.org"}, {"HTTPS_PROXY": ""}, {"ALL_PROXY": "x"}, {"SSL_CERT_FILE": ""}],
        ids=lambda options: "-".join(options) or "none",
    )  # fmt: skip
    def test_nor_does_an_environment_that_chooses_nothing(self, environment):
        assert reach(environment=environment) == ""

    DIFFERENT = (
        {"connect_to": rules("::127.0.0.1:1")},
        {"connect_to": rules("::127.0.0.1:2")},
        {"connect_to": rules(f"{HOST}:443:127.0.0.1:1")},
        {"connect_to": rules(f"{HOST}:80:127.0.0.1:1")},
        {"connect_to": rules("::127.0.0.1:1", "::127.0.0.1:2")},
        {"connect_to": rules("::127.0.0.1:2", "::127.0.0.1:1")},
        {"allow_hosts": frozenset({HOST})},
        {"allow_hosts": frozenset({f"{HOST}:443"})},
        {"proxy": "http://127.0.0.1:1"},
        {"proxy": "http://127.0.0.1:2"},
        {"hosts": {HOST: HostOptions(user_agent="me")}},
        {"hosts": {HOST: HostOptions(user_agent="you")}},
        {"hosts": {HOST: HostOptions(headers={"Cookie": "a=b"})}},
        {"hosts": {HOST: HostOptions(headers={"Cookie": "a=c"})}},
        {"environment": {"HTTPS_PROXY": "http://127.0.0.1:1"}},
        {"environment": {"https_proxy": "http://127.0.0.1:1"}},
        {"environment": {"Http_Proxy": "http://127.0.0.1:1"}},
        {"environment": {"HTTPS_PROXY": "http://127.0.0.1:1", "NO_PROXY": "iana.org"}},
        {"proxy": "http://127.0.0.1:1", "environment": {"no_proxy": "iana.org"}},
        {"environment": {"SSL_CERT_FILE": "/etc/other.pem"}},
        {"environment": {"SSL_CERT_DIR": "/etc/other"}},
    )

    def test_each_other_way_has_a_key_of_its_own(self, tmp_path):
        digests = [reach(**different) for different in self.DIFFERENT]
        assert "" not in digests
        assert len(set(digests)) == len(digests)

    def test_a_ca_counts_by_what_its_file_holds(self, tmp_path):
        one, same, other = (tmp_path / name for name in ("one", "same", "other"))
        for path, text in ((one, "a"), (same, "a"), (other, "b")):
            path.write_text(text)
        assert reach(cafile=one) == reach(cafile=same) != reach(cafile=other)
        first = reach(cafile=one)
        one.write_text("b")
        assert reach(cafile=one) != first
        assert reach(cafile=tmp_path / "missing") not in {"", first}

    def test_any_way_to_any_host_counts_for_what_failed(self):
        ways = [{}, *self.DIFFERENT, {"allow_hosts": frozenset({"wiki.corp"})}]
        ways += [{"hosts": {"other.org": HostOptions(user_agent="me")}}]
        ways += [{"connect_to": rules("other.org:443:127.0.0.1:1")}]
        digests = []
        for way in ways:
            options = {name: value for name, value in way.items() if name != "environment"}
            made = ReachDigests(FetchOptions(**options), way.get("environment", {}))
            digests.append(made.of_all())
        assert len(set(digests)) == len(digests)
        assert digests[0] == ""
        assert ReachDigests(FetchOptions(ttl=5.0, offline=True), {}).of_all() == ""


class Runs:
    """Runs that share a cache, and reach one server in ways that can be chosen."""

    def __init__(self, loopback: Loopback, cafile: Path, directory: Path) -> None:
        self.loopback = loopback
        self.directory = directory
        here = rules(*loopback.connect_to)
        quick = {
            name: HostOptions(interval=0.0) for name in (HOST, "www.example.org", "example.net")
        }
        self.options = FetchOptions(connect_to=here, cafile=cafile, hosts=quick, timeout=5.0)

    def store(self, **changes) -> Store:
        self.cache = Cache(self.directory)
        return Store(self.cache, replace(self.options, **changes), str.encode, 1)

    async def load(self, url: str = URL, **changes) -> Page:
        store = self.store(**changes)
        try:
            return await store.load(resolve(url))
        finally:
            await store.close()
            self.cache.close()
            assert self.cache.problem is None

    def known(self, url: str = URL, **changes) -> Page | SourceError | None:
        """What a run knows of *url* without asking; a page that was read in another way is none."""
        try:
            return self.store(**changes).cached(resolve(url))
        finally:
            self.cache.close()


@pytest.fixture
def runs(loopback, cafile, tmp_path) -> Runs:
    return Runs(loopback, cafile, tmp_path / "cache")


class TestStore:
    @pytest.fixture
    def ways(self, runs, loopback, system_authorities, tmp_path) -> dict[str, dict]:
        """Ways to the same server; the last one is how the pages below are read."""
        bundle = tmp_path / "both.pem"
        bundle.write_bytes(runs.options.cafile.read_bytes() + system_authorities.read_bytes())
        return {
            "directly": {"connect_to": (), "cafile": None},
            "by another rule": {"connect_to": rules(f"{HOST}:443:127.0.0.1:{loopback.https_port}")},
            "with another CA": {"cafile": bundle},
            "with a user agent": {"hosts": {HOST: HostOptions(interval=0.0, user_agent="me")}},
            "with a header": {"hosts": {HOST: HostOptions(interval=0.0, headers={"X-Me": "1"})}},
            "as an allowed host": {"allow_hosts": frozenset({HOST})},
            "by a proxy": {"connect_to": (), "proxy": f"http://127.0.0.1:{loopback.http_port}"},
            "as in the beginning": {},
        }

    async def test_a_page_counts_for_the_way_in_which_it_was_read_alone(self, runs, loopback, ways):
        loopback.page(URL, WORDS, ETag='"a"')
        for name, way in ways.items():
            if name == "directly":  # there is no way: that is what the tests are for
                continue
            for other, elsewhere in ways.items():
                known = runs.known(**elsewhere)
                earlier = list(ways).index(other) < list(ways).index(name) and other != "directly"
                assert isinstance(known, Page) == earlier, (name, other)
            assert WORDS in (await runs.load(**way)).text
            assert "if-none-match" not in loopback.requests[-1].headers
        offline = runs.known(**ways["directly"], offline=True)
        assert isinstance(offline, SourceError)
        assert offline.code == "NOT_IN_CACHE"
        pages = Cache(runs.directory)
        assert pages.stats().pages == len(ways) - 1
        pages.close()

    async def test_a_variable_of_the_environment_is_a_way_too(self, runs, loopback, monkeypatch):
        loopback.page(URL, WORDS)
        proxy = f"http://127.0.0.1:{loopback.http_port}"
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        await runs.load(connect_to=())
        assert isinstance(runs.known(connect_to=()), Page)
        monkeypatch.delenv("HTTPS_PROXY")
        assert runs.known(connect_to=()) is None
        monkeypatch.setenv("SSL_CERT_FILE", "/etc/other.pem")
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        assert runs.known(connect_to=()) is None

    @pytest.mark.parametrize("hop", ["the last", "one in between"])
    async def test_a_redirect_through_a_host_that_is_reached_in_another_way(
        self, hop, runs, loopback
    ):
        between = "https://example.net/between"
        if hop == "the last":
            loopback.script(URL, redirect(OTHER))
            loopback.page(OTHER, WORDS)
            changed = "www.example.org"
        else:
            loopback.script(URL, redirect(between))
            loopback.script(between, redirect(f"{URL}/end"))
            loopback.page(f"{URL}/end", WORDS)
            changed = "example.net"
        headers = {changed: HostOptions(interval=0.0, headers={"X-Me": "1"})}
        hosts = {**runs.options.hosts, **headers}
        await runs.load(hosts=hosts)
        assert isinstance(runs.known(hosts=hosts), Page)
        assert runs.known() is None
        offline = runs.known(offline=True)
        assert isinstance(offline, SourceError)
        assert offline.code == "NOT_IN_CACHE"
        await runs.load()
        assert isinstance(runs.known(), Page)
        assert runs.known(hosts=hosts) is None

    async def test_a_confirmed_page_counts_for_the_way_in_which_it_was_confirmed(
        self, runs, loopback
    ):
        """The redirect leads through another host by then."""
        between = "https://example.net/between"
        loopback.script(URL, redirect(OTHER), redirect(between))
        loopback.script(between, redirect(OTHER))
        page = Answer(f"<p>{WORDS}", headers={"ETag": '"a"'})
        loopback.script(OTHER, page, Answer(status=304, content_type=None))
        await runs.load(ttl=0.0)
        hosts = {**runs.options.hosts, "example.net": HostOptions(interval=0.0, user_agent="me")}
        assert (await runs.load(ttl=0.0, hosts=hosts)).from_cache
        assert loopback.requests[-1].headers["if-none-match"] == '"a"'
        assert isinstance(runs.known(hosts=hosts), Page)
        assert runs.known() is None

    async def test_no_stale_page_of_another_way_stands_in(self, runs, loopback):
        loopback.page(URL, WORDS)
        await runs.load()
        refused = {"connect_to": rules("::127.0.0.1:1")}
        with pytest.raises(SourceError) as raised:
            await runs.load(**refused)
        assert raised.value.code == "HTTP_REQUEST_FAILED"
        assert isinstance(runs.known(), Page)

    async def test_a_lease_is_of_one_way(self, runs, loopback):
        loopback.page(URL, WORDS)
        holder = Cache(runs.directory)
        assert holder.lease(resolve(URL).key, b"elsewhere\n1\nx")  # for whoever reaches it as usual
        assert WORDS in (await runs.load()).text
        holder.close()

    async def test_a_refused_redirect_does_not_count_once_its_host_is_allowed(self, runs, loopback):
        loopback.script(URL, redirect("https://wiki.internal/page"))
        loopback.page("https://wiki.internal/page", WORDS)
        with pytest.raises(SourceError) as raised:
            await runs.load()
        assert raised.value.code == "INVALID_REDIRECT_TARGET"
        assert WORDS in (await runs.load(allow_hosts=frozenset({"wiki.internal"}))).text
        assert not isinstance(runs.known(), Page)
