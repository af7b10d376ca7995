"""Pages over real HTTP: redirects, addresses, limits, broken bodies, retries, politeness, proxies."""

from __future__ import annotations

import asyncio
import base64
import gzip
import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from loopback import Answer, Exchange, Loopback, redirect
from sealed import sealed_network

from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.files import MAX_BYTES
from tracecite_lint.sources.http import Fetcher, Response
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import WebSource, resolve

PAGE = "https://www.iana.org/help/example-domains"
PUBLIC = "1.1.1.1"
AT_ONCE = HostOptions(interval=0.0)

Fetch = Callable[..., Awaitable[Response]]


@pytest.fixture
def fetch(loopback: Loopback, cafile: Path) -> Fetch:
    """Fetches one URL from the loopback server, with short timeouts; every other option can be given."""

    async def fetched(url: str, *, known: Page | None = None, lookup=None, **changes) -> Response:
        options = {
            "connect_to": tuple(map(parse_connect_to, loopback.connect_to)),
            "cafile": cafile,
            "hosts": {"www.iana.org": AT_ONCE},
            "timeout": 5.0,
            "backoff": 0.01,
        }
        fetcher = Fetcher(FetchOptions(**{**options, **changes}), lookup=lookup)
        allow_hosts = changes.get("allow_hosts", ())
        try:
            return await fetcher.fetch(resolve(url, allow_hosts=allow_hosts), known)
        finally:
            await fetcher.close()

    return fetched


async def failure(work: Awaitable[object]) -> SourceError:
    """Return the error that *work* ends in."""
    with pytest.raises(SourceError) as raised:
        await work
    assert "\n" not in raised.value.message
    return raised.value


def raw(head: str, body: bytes = b"") -> bytes:
    """Return a response as bytes: *head* with LF as line ends, then *body*."""
    return "\r\n".join(["HTTP/1.1 200 OK", *head.splitlines(), "", ""]).encode() + body


class TestRequest:
    async def test_a_page_is_read(self, loopback, fetch):
        loopback.script(PAGE, Answer("The words.", headers={"ETag": '"a"'}))
        response = await fetch(PAGE)
        assert (response.status, response.url, response.body) == (200, PAGE, b"The words.")
        assert response.headers["etag"] == '"a"'

    async def test_path_and_query_are_sent_as_written(self, loopback, fetch):
        url = "https://www.iana.org/a%2Fb%7e;c=(d)/..?q=%20+'&r[]=é"
        await failure(fetch(url))
        assert loopback.requests[0].target == "/a%2Fb%7e;c=(d)/..?q=%20+'&r%5B%5D=%C3%A9"

    async def test_the_tool_says_who_it_is(self, loopback, fetch):
        loopback.script(PAGE, Answer())
        await fetch(PAGE)
        headers = loopback.requests[0].headers
        assert headers["user-agent"].startswith("tracecite-lint/")
        assert "(+https://" in headers["user-agent"]
        assert headers["host"] == "www.iana.org"
        assert "cookie" not in headers
        assert "authorization" not in headers

    async def test_a_host_gets_its_own_user_agent_and_headers(self, loopback, fetch):
        loopback.script(PAGE, redirect("https://other.org/"))
        loopback.script("https://other.org/", Answer("words"))
        own = HostOptions(interval=0, user_agent="me/1", headers={"Authorization": "Bearer secret"})
        await fetch(PAGE, hosts={"WWW.iana.org": own})
        first, second = loopback.requests
        assert first.headers["user-agent"] == "me/1"
        assert first.headers["authorization"] == "Bearer secret"
        assert second.headers["user-agent"].startswith("tracecite-lint/")
        assert "authorization" not in second.headers

    async def test_netrc_is_not_read(self, loopback, fetch, tmp_path, monkeypatch):
        (tmp_path / ".netrc").write_text("machine www.iana.org login me password secret\n")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
        loopback.script(PAGE, Answer())
        await fetch(PAGE)
        assert "authorization" not in loopback.requests[0].headers

    async def test_only_codings_that_are_undone_are_asked_for(self, loopback, fetch):
        loopback.script(
            PAGE, Answer(gzip.compress(b"words", mtime=0), headers={"Content-Encoding": "gzip"})
        )
        assert (await fetch(PAGE)).body == b"words"
        assert loopback.requests[0].headers["accept-encoding"] == "gzip, deflate"


class TestRedirects:
    async def test_five_are_followed(self, loopback, fetch):
        for n in range(5):
            loopback.script(f"https://www.iana.org/{n}", redirect(f"/{n + 1}"))
        loopback.script("https://www.iana.org/5", Answer("words"))
        response = await fetch("https://www.iana.org/0")
        assert response.url == "https://www.iana.org/5"
        assert len(loopback.requests) == 6

    async def test_the_sixth_fails(self, loopback, fetch):
        for n in range(6):
            loopback.script(f"https://www.iana.org/{n}", redirect(f"/{n + 1}"))
        loopback.script("https://www.iana.org/6", Answer("words"))
        assert (await failure(fetch("https://www.iana.org/0"))).code == "TOO_MANY_REDIRECTS"
        assert len(loopback.requests) == 6

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_each_kind_is_followed(self, status, loopback, fetch):
        loopback.script(PAGE, redirect("/b", status))
        loopback.script("https://www.iana.org/b", Answer("words"))
        assert (await fetch(PAGE)).body == b"words"
        assert loopback.requests[1].method == "GET"

    @pytest.mark.parametrize("status", [300, 304, 305, 306])
    async def test_other_statuses_of_the_kind_are_failures(self, status, loopback, fetch):
        loopback.script(PAGE, redirect("/b", status))
        assert (await failure(fetch(PAGE))).code == f"HTTP_STATUS_{status}"

    @pytest.mark.parametrize(
        ("location", "code"),
        [
            ("http://www.iana.org/", "HTTPS_DOWNGRADE_REDIRECT"),
            ("https://127.0.0.1/", "INVALID_REDIRECT_TARGET"),
            ("https://10.0.0.1/", "INVALID_REDIRECT_TARGET"),
            ("https://169.254.169.254/latest/meta-data/", "INVALID_REDIRECT_TARGET"),
            ("https://[::1]/", "INVALID_REDIRECT_TARGET"),
            ("https://[::ffff:127.0.0.1]/", "INVALID_REDIRECT_TARGET"),
            ("https://2130706433/", "INVALID_REDIRECT_TARGET"),
            ("https://localhost/", "INVALID_REDIRECT_TARGET"),
            ("https://www.iana.org:8443/", "INVALID_REDIRECT_TARGET"),
            ("https://me:secret@www.iana.org/", "INVALID_REDIRECT_TARGET"),
            ("file:///etc/passwd", "INVALID_REDIRECT_TARGET"),
            ("", "REDIRECT_WITHOUT_LOCATION"),
        ],
    )
    @pytest.mark.parametrize("hops", [0, 2])
    async def test_a_refused_target_is_not_asked(self, location, code, hops, loopback, fetch):
        for n in range(hops):
            loopback.script(f"https://www.iana.org/{n}", redirect(f"/{n + 1}"))
        loopback.script(f"https://www.iana.org/{hops}", redirect(location))
        assert (await failure(fetch("https://www.iana.org/0"))).code == code
        assert len(loopback.requests) == hops + 1

    async def test_a_missing_location_is_named(self, loopback, fetch):
        loopback.script(PAGE, Answer(status=302))
        assert (await failure(fetch(PAGE))).code == "REDIRECT_WITHOUT_LOCATION"

    @pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
    async def test_a_location_that_is_not_ascii_is_escaped(self, encoding, loopback, fetch):
        escaped = {"utf-8": "/%C3%A9", "latin-1": "/%E9"}[encoding]
        head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /é\r\n\r\n".encode(encoding)
        loopback.script(PAGE, head)
        loopback.script(f"https://www.iana.org{escaped}", Answer("words"))
        assert (await fetch(PAGE)).body == b"words"

    async def test_a_cookie_that_is_set_on_the_way_is_sent_back_to_its_host_alone(
        self, loopback, fetch
    ):
        loopback.script(
            PAGE,
            Answer(status=302, headers={"Location": "/b", "Set-Cookie": "seen=1; Path=/"}),
        )
        loopback.script("https://www.iana.org/b", redirect("https://other.org/"))
        loopback.script("https://other.org/", Answer("words"))
        await fetch(PAGE)
        cookies = [request.headers.get("cookie") for request in loopback.requests]
        assert cookies == [None, "seen=1", None]

    async def test_a_cookie_is_forgotten_with_its_chain(self, loopback, cafile):
        loopback.script(PAGE, Answer("words", headers={"Set-Cookie": "seen=1; Path=/"}))
        options = FetchOptions(
            connect_to=tuple(map(parse_connect_to, loopback.connect_to)),
            cafile=cafile,
            hosts={"www.iana.org": AT_ONCE},
        )
        fetcher = Fetcher(options)
        for _ in range(2):
            await fetcher.fetch(resolve(PAGE))
        await fetcher.close()
        assert [request.headers.get("cookie") for request in loopback.requests] == [None, None]


def names(**addresses: str):
    """Return a look-up that knows *addresses* (comma-separated) by name, with underscores for dots."""

    def lookup(host, port, family):
        found = addresses.get(host.replace(".", "_"), "")
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, ip) for ip in found.split(",")]

    return lookup


PRIVATE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]


class TestAddresses:
    @pytest.mark.parametrize("address", PRIVATE)
    async def test_a_name_that_leads_to_a_private_address_is_not_connected_to(
        self, address, loopback, fetch
    ):
        lookup = names(evil_org=address)
        error = await failure(fetch("https://evil.org/", connect_to=(), lookup=lookup))
        assert error.code == "URL_BLOCKED"
        assert address in error.message
        assert loopback.requests == []

    @pytest.mark.parametrize("addresses", ["127.0.0.1,1.1.1.1", "1.1.1.1,127.0.0.1", "1.1.1.1,::1"])
    async def test_one_private_address_among_several_is_enough(self, addresses, fetch):
        lookup = names(evil_org=addresses)
        error = await failure(fetch("https://evil.org/", connect_to=(), lookup=lookup))
        assert error.code == "URL_BLOCKED"

    @pytest.mark.parametrize("address", PRIVATE)
    @pytest.mark.parametrize("hops", [1, 3])
    async def test_nor_on_a_later_hop(self, address, hops, loopback, fetch):
        for n in range(hops):
            loopback.script(f"https://www.iana.org/{n}", redirect(f"/{n + 1}"))
        loopback.script(f"https://www.iana.org/{hops}", redirect("https://evil.org/"))
        only_iana = parse_connect_to(f"www.iana.org:443:127.0.0.1:{loopback.https_port}")
        lookup = names(evil_org=f"1.1.1.1,{address}", **{"127_0_0_1": "127.0.0.1"})
        work = fetch("https://www.iana.org/0", connect_to=(only_iana,), lookup=lookup)
        assert (await failure(work)).code == "URL_BLOCKED"
        assert len(loopback.requests) == hops + 1

    async def test_the_socket_itself_refuses_what_was_never_looked_up(self, fetch):
        # The policy refuses this one first; were it to slip through, the connection would still not be made.
        source = resolve("http://127.0.0.1/", allow_hosts=["127.0.0.1"])
        fetcher = Fetcher(FetchOptions(timeout=5.0))
        error = await failure(fetcher.fetch(source))
        await fetcher.close()
        assert error.code == "URL_BLOCKED"

    async def test_a_second_answer_of_a_name_server_is_refused_where_the_socket_is_made(
        self, loopback
    ):
        """What was judged is public, what is connected to is not: DNS rebinding between the two."""

        class Rebinding(list):
            def __iter__(self):
                answers.append(PUBLIC if not answers else "127.0.0.1")
                return iter([(socket.AF_INET, answers[-1])])

        answers: list[str] = []
        url = f"http://evil.org:{loopback.http_port}/"
        loopback.script(url, Answer("words"))
        # A source that the policy would not give, for its port: what is asked for here is what the socket does.
        source = WebSource(url, url, "", "http", "evil.org", loopback.http_port)
        fetcher = Fetcher(FetchOptions(timeout=5.0), lookup=lambda *_: Rebinding())
        error = await failure(fetcher.fetch(source))
        await fetcher.close()
        assert answers == [PUBLIC, "127.0.0.1"]
        assert error.code == "URL_BLOCKED"
        assert loopback.requests == []

    async def test_the_benchmark_network_is_open_to_https_names_alone(self, fetch):
        lookup = names(sandboxed_org="198.18.0.1")
        with sealed_network() as network:
            plain = await failure(fetch("http://sandboxed.org/", connect_to=(), lookup=lookup))
            assert (plain.code, network.connections) == ("URL_BLOCKED", [])
            secure = await failure(fetch("https://sandboxed.org/", connect_to=(), lookup=lookup))
            assert secure.code == "HTTP_REQUEST_FAILED"
            assert network.connections == [("198.18.0.1", 443)]

    async def test_an_allowed_host_may_be_private(self, loopback, fetch):
        port = loopback.http_port
        loopback.script(f"http://wiki.local:{port}/", Answer("words"))
        response = await fetch(
            f"http://wiki.local:{port}/",
            connect_to=(),
            allow_hosts=frozenset({f"wiki.local:{port}"}),
            lookup=names(wiki_local="127.0.0.1"),
        )
        assert response.body == b"words"

    async def test_a_redirect_may_lead_to_an_allowed_host_and_to_no_other(self, loopback, fetch):
        loopback.script(PAGE, redirect("https://wiki.internal/"))
        loopback.script("https://wiki.internal/", redirect("https://other.internal/"))
        allowed = frozenset({"wiki.internal"})
        error = await failure(fetch(PAGE, allow_hosts=allowed))
        assert error.code == "INVALID_REDIRECT_TARGET"
        assert loopback.urls() == [PAGE, "https://wiki.internal/"]

    async def test_an_unknown_name_is_not_asked_for_again(self, fetch):
        asked = []

        def lookup(host, port, family):
            asked.append(host)
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        error = await failure(fetch("https://nowhere.org/", connect_to=(), lookup=lookup))
        assert error.code == "HOST_UNRESOLVED"
        assert error.unreachable
        assert asked == ["nowhere.org"]

    async def test_a_name_server_that_fails_is_asked_three_times(self, fetch):
        asked = []

        def lookup(host, port, family):
            asked.append(host)
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

        error = await failure(fetch("https://iana.org/", connect_to=(), lookup=lookup))
        assert error.code == "HOST_UNRESOLVED"
        assert len(asked) == 3

    async def test_a_name_server_that_does_not_answer_is_left_at_once(self, fetch):
        asked, answer = threading.Event(), threading.Event()

        def lookup(host, port, family):
            asked.set()
            answer.wait(60)
            return []

        work = asyncio.create_task(fetch("https://iana.org/", connect_to=(), lookup=lookup))
        while not asked.is_set():
            await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert not answer.is_set()
        answer.set()


class TestConnectTo:
    async def test_the_tls_name_stays(self, loopback, cafile, fetch):
        loopback.script(PAGE, Answer("words"))
        rule = parse_connect_to(f"www.iana.org:443:127.0.0.1:{loopback.https_port}")
        assert (await fetch(PAGE, connect_to=(rule,))).body == b"words"

    async def test_the_first_rule_that_fits_counts(self, loopback, fetch):
        loopback.script(PAGE, Answer("words"))
        rules = (
            parse_connect_to("other.org:443:127.0.0.1:1"),
            parse_connect_to("www.iana.org:80:127.0.0.1:1"),
            parse_connect_to(f"www.iana.org::127.0.0.1:{loopback.https_port}"),
            parse_connect_to("::127.0.0.1:1"),
        )
        assert (await fetch(PAGE, connect_to=rules)).body == b"words"

    async def test_a_name_may_stand_for_the_address(self, loopback, fetch):
        loopback.script(PAGE, Answer("words"))
        rule = parse_connect_to(f"::localhost:{loopback.https_port}")
        assert (await fetch(PAGE, connect_to=(rule,))).body == b"words"

    async def test_a_literal_address_is_led_elsewhere_too(self, loopback, fetch):
        loopback.script("http://1.1.1.1/", Answer("words"))
        assert (await fetch("http://1.1.1.1/")).body == b"words"

    async def test_a_rule_makes_no_private_name_public(self, loopback, fetch):
        assert (await failure(fetch("https://a.test/"))).code == "INVALID_OR_BLOCKED_URL"
        assert loopback.requests == []


class TestTrust:
    async def test_an_unknown_ca_is_named(self, loopback, fetch):
        loopback.script(PAGE, Answer("words"))
        error = await failure(fetch(PAGE, cafile=None))
        assert error.code == "HTTP_REQUEST_FAILED"
        assert "certificate" in error.message
        assert "--cafile" in error.help
        assert loopback.requests == []

    async def test_a_certificate_for_another_name_is_not_trusted(self, loopback, fetch):
        rule = parse_connect_to(f"::127.0.0.1:{loopback.https_port}")
        loopback.certificate_for = "other.org"
        error = await failure(fetch(PAGE, connect_to=(rule,)))
        assert error.code == "HTTP_REQUEST_FAILED"
        assert "certificate" in error.message
        assert loopback.requests == []

    async def test_ssl_cert_file_is_trusted(self, loopback, cafile, fetch, monkeypatch):
        monkeypatch.setenv("SSL_CERT_FILE", str(cafile))
        loopback.script(PAGE, Answer("words"))
        assert (await fetch(PAGE, cafile=None)).body == b"words"

    @pytest.mark.parametrize("content", [None, b"no certificate"])
    async def test_a_ca_file_that_is_none_is_an_error_of_one_line(self, content, tmp_path):
        path = tmp_path / "ca.pem"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(ValueError, match=r"^--cafile [^\n]+$"):
            Fetcher(FetchOptions(cafile=path))


class TestBodies:
    async def test_two_mebibytes_pass(self, loopback, fetch):
        loopback.script(PAGE, Answer(bytes(MAX_BYTES)))
        assert len((await fetch(PAGE)).body) == MAX_BYTES

    @pytest.mark.parametrize(
        "script",
        [
            Answer(bytes(MAX_BYTES + 1)),
            raw("", bytes(MAX_BYTES + 1)),
            raw("Content-Length: 99999999999", b"hi"),
            raw("Content-Length: 18446744073709551615", b"hi"),
        ],
        ids=["announced", "not announced", "boasted", "boasted most"],
    )
    async def test_one_byte_more_fails(self, script, loopback, fetch):
        loopback.script(PAGE, script)
        assert (await failure(fetch(PAGE))).code == "SOURCE_TOO_LARGE"
        assert len(loopback.requests) == 1

    @pytest.mark.parametrize(("size", "passes"), [(MAX_BYTES, True), (MAX_BYTES + 1, False)])
    async def test_the_limit_counts_what_is_decoded(self, size, passes, loopback, fetch):
        body = gzip.compress(bytes(size), mtime=0)
        loopback.script(PAGE, Answer(body, headers={"Content-Encoding": "gzip"}))
        if passes:
            assert len((await fetch(PAGE)).body) == size
        else:
            assert (await failure(fetch(PAGE))).code == "SOURCE_TOO_LARGE"

    async def test_a_bomb_is_not_read_to_its_end(self, loopback, fetch):
        member = gzip.compress(bytes(10_000_000), 9, mtime=0)
        sent = []

        def bomb(exchange: Exchange) -> None:
            exchange.send(raw("Content-Encoding: gzip"))
            for _ in range(10_000):  # 100 GB
                exchange.send(member)
                sent.append(len(member))

        loopback.script(PAGE, bomb)
        assert (await failure(fetch(PAGE))).code == "SOURCE_TOO_LARGE"
        assert len(sent) < 10_000

    @pytest.mark.parametrize(
        ("script", "code"),
        [
            (raw("Content-Length: 20", b"hi"), "HTTP_BODY_READ_FAILED"),
            (raw("Transfer-Encoding: chunked", b"5\r\nhi"), "HTTP_BODY_READ_FAILED"),
            (raw("Transfer-Encoding: chunked", b"2\r\nhi\r\n"), "HTTP_BODY_READ_FAILED"),
            (raw("Transfer-Encoding: chunked", b"zz\r\nhi\r\n"), "HTTP_BODY_READ_FAILED"),
            (raw("Content-Encoding: gzip", b"no gzip"), "HTTP_BODY_READ_FAILED"),
            (raw("Content-Encoding: gzip", gzip.compress(b"hi", mtime=0)[:-9]), "HTTP_BODY_READ_FAILED"),
            (raw("Content-Encoding: br", b"hi"), "HTTP_BODY_READ_FAILED"),
            (raw("Content-Encoding: identity\nContent-Encoding: br", b"hi"), "HTTP_BODY_READ_FAILED"),
            (raw("Content-Length: 2\nContent-Length: 2", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: 2\nContent-Length: 3", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: 2, 2", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: -1", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: +2", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: 0x2", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: ", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: two", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: 99999999999999999999", b"hi"), "INVALID_CONTENT_LENGTH"),
            (raw("Content-Length: 2\nTransfer-Encoding: chunked", b"0\r\n\r\n"), "INVALID_CONTENT_LENGTH"),
            (raw("X: " + "a" * 70_000), "HTTP_REQUEST_FAILED"),
            (raw(f"X: {'a' * 40_000}\nY: {'a' * 40_000}"), "HTTP_REQUEST_FAILED"),
            (raw("X: a\n" * 20_000), "HTTP_REQUEST_FAILED"),
            (b"SSH-2.0-OpenSSH_9\r\n", "HTTP_REQUEST_FAILED"),
            (b"HTTP/1.1 200 OK\r\nContent-Le", "HTTP_REQUEST_FAILED"),
            (b"", "HTTP_REQUEST_FAILED"),
        ],
    )  # fmt: skip
    async def test_what_is_wrong_with_an_answer_is_named(self, script, code, loopback, fetch):
        loopback.script(PAGE, script)
        assert (await failure(fetch(PAGE))).code == code

    @pytest.mark.parametrize(
        ("content_type", "code"),
        [
            ("image/png", "UNSUPPORTED_CONTENT_TYPE"),
            ("Video/MP4; codecs=x", "UNSUPPORTED_CONTENT_TYPE"),
            ("image/svg+xml", "SOURCE_TOO_LARGE"),
            ("text/plain", "SOURCE_TOO_LARGE"),
        ],
    )
    async def test_what_has_no_words_is_not_fetched(self, content_type, code, loopback, fetch):
        loopback.script(PAGE, raw(f"Content-Type: {content_type}", bytes(MAX_BYTES + 1)))
        assert (await failure(fetch(PAGE))).code == code

    async def test_headers_far_beyond_the_usual_limit_are_read(self, loopback, fetch):
        loopback.script(PAGE, Answer("words", headers={"X": "a" * 60_000}))
        assert (await fetch(PAGE)).body == b"words"

    async def test_a_body_that_trickles_in_ends_with_the_time(self, loopback, fetch):
        def trickle(exchange: Exchange) -> None:
            exchange.send(raw("Content-Length: 1000"))
            while not exchange.wait(0.02):
                exchange.send(b"a")

        loopback.script(PAGE, trickle)
        assert (await failure(fetch(PAGE, timeout=0.5))).code == "REQUEST_TIMEOUT"
        assert len(loopback.requests) == 1


def silent(exchange: Exchange) -> None:
    """Answer nothing."""
    exchange.wait(30)


PLAIN = PAGE.replace("https", "http")
"""For servers that stay silent: a TLS connection takes its time to close, and the test does not."""


class TestRetries:
    @pytest.mark.parametrize(
        "script",
        [
            Answer(status=408),
            Answer(status=425),
            Answer(status=429),
            Answer(status=500),
            Answer(status=502),
            Answer(status=503),
            Answer(status=599),
            Exchange.reset,
            b"",
            raw("Content-Length: 20", b"hi"),
            silent,
        ],
    )
    async def test_a_failure_that_passes_is_no_failure(self, script, loopback, fetch):
        loopback.script(PLAIN, script, script, Answer("words"))
        assert (await fetch(PLAIN, timeout=0.5)).body == b"words"
        assert len(loopback.requests) == 3

    @pytest.mark.parametrize(
        ("script", "code"),
        [
            (Answer(status=429), "HTTP_STATUS_429"),
            (Answer(status=503), "HTTP_STATUS_503"),
            (Exchange.reset, "HTTP_REQUEST_FAILED"),
            (silent, "REQUEST_TIMEOUT"),
        ],
    )
    async def test_the_third_failure_counts(self, script, code, loopback, fetch):
        loopback.script(PLAIN, script, script, script, Answer("words"))
        error = await failure(fetch(PLAIN, timeout=0.3))
        assert error.code == code
        assert error.unreachable
        assert len(loopback.requests) == 3

    @pytest.mark.parametrize("status", [204, 206, 400, 404, 410, 418])
    async def test_a_failure_that_stays_is_not_tried_again(self, status, loopback, fetch):
        loopback.script(PAGE, Answer(status=status))
        error = await failure(fetch(PAGE))
        assert error.code == f"HTTP_STATUS_{status}"
        assert not error.unreachable
        assert len(loopback.requests) == 1

    @pytest.mark.parametrize("status", [401, 403, 406, 451, 999])
    async def test_a_server_that_shuts_programs_out_is_said_to(self, status, loopback, fetch):
        loopback.script(PAGE, Answer(status=status))
        error = await failure(fetch(PAGE))
        assert (error.code, error.unreachable) == ("SOURCE_BLOCKED", True)
        assert len(loopback.requests) == 1

    @pytest.mark.parametrize("status", [202, 429, 503])
    @pytest.mark.parametrize("header", ["cf-mitigated", "x-amzn-waf-action"])
    async def test_so_is_one_that_sends_a_challenge(self, status, header, loopback, fetch):
        loopback.script(PAGE, Answer(status=status, headers={header: "challenge"}))
        assert (await failure(fetch(PAGE))).code == "SOURCE_BLOCKED"
        assert len(loopback.requests) == 1

    async def test_a_refused_connection_is_not_tried_again(self, fetch):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        rule = parse_connect_to(f"::127.0.0.1:{port}")
        error = await failure(fetch(PAGE, connect_to=(rule,), backoff=60.0))
        assert error.code == "HTTP_REQUEST_FAILED"
        assert "refused" in error.message

    @pytest.mark.parametrize("status", [429, 503])
    async def test_retry_after_is_waited_for(self, status, loopback, fetch):
        loopback.script(PAGE, Answer(status=status, headers={"Retry-After": "1"}), Answer("words"))
        assert (await fetch(PAGE)).body == b"words"
        first, second = loopback.requests
        assert second.at - first.at >= 1.0

    async def test_other_pages_of_the_host_wait_too(self, loopback, cafile):
        loopback.script(
            "https://www.iana.org/a", Answer(status=429, headers={"Retry-After": "1"}), Answer("a")
        )
        loopback.script("https://www.iana.org/b", Answer("b"))
        options = FetchOptions(
            connect_to=tuple(map(parse_connect_to, loopback.connect_to)),
            cafile=cafile,
            hosts={"www.iana.org": HostOptions(interval=0.0, concurrency=1)},
        )
        fetcher = Fetcher(options)
        await asyncio.gather(
            fetcher.fetch(resolve("https://www.iana.org/a")),
            fetcher.fetch(resolve("https://www.iana.org/b")),
        )
        await fetcher.close()
        assert loopback.requests[1].at - loopback.requests[0].at >= 1.0

    @pytest.mark.parametrize("wait", ["31", "86400", "Fri, 01 Jan 2200 00:00:00 GMT"])
    async def test_a_server_that_asks_for_more_than_thirty_seconds_is_left(
        self, wait, loopback, fetch
    ):
        loopback.script(PAGE, Answer(status=429, headers={"Retry-After": wait}), Answer("words"))
        error = await failure(fetch(PAGE))
        assert error.code == "HTTP_STATUS_429"
        assert "asks to wait" in error.message
        assert len(loopback.requests) == 1


class TestPoliteness:
    async def test_two_at_a_time(self, loopback, cafile):
        def slow(exchange: Exchange) -> Answer:
            exchange.wait(0.2)
            return Answer("words")

        urls = [f"https://www.iana.org/{n}" for n in range(8)]
        for url in urls:
            loopback.script(url, slow)
        await fetch_all(loopback, cafile, urls, HostOptions(interval=0.0))
        assert loopback.most_at_a_time["www.iana.org"] == 2

    async def test_a_host_may_be_asked_more_gently(self, loopback, cafile):
        urls = [f"https://www.iana.org/{n}" for n in range(4)]
        for url in urls:
            loopback.script(url, Answer("words"))
        await fetch_all(loopback, cafile, urls, HostOptions(interval=0.0, concurrency=1))
        assert loopback.most_at_a_time["www.iana.org"] == 1

    async def test_thirty_two_in_all(self, loopback, cafile):
        under_way = []
        most = []

        def slow(exchange: Exchange) -> Answer:
            under_way.append(1)
            most.append(len(under_way))
            exchange.wait(0.5)
            under_way.pop()
            return Answer("words")

        urls = [f"http://host{n}.org/" for n in range(50)]
        for url in urls:
            loopback.script(url, slow)
        await fetch_all(loopback, cafile, urls, HostOptions())
        assert len(loopback.requests) == 50
        assert 16 < max(most) <= 32


async def fetch_all(loopback: Loopback, cafile: Path, urls: list[str], host: HostOptions) -> None:
    options = FetchOptions(
        connect_to=tuple(map(parse_connect_to, loopback.connect_to)),
        cafile=cafile,
        hosts={"www.iana.org": host},
    )
    fetcher = Fetcher(options)
    try:
        await asyncio.gather(*(fetcher.fetch(resolve(url)) for url in urls))
    finally:
        await fetcher.close()


class TestProxies:
    @pytest.mark.parametrize("url", [PAGE, PAGE.replace("https", "http")])
    async def test_a_proxy_is_used(self, url, loopback, fetch):
        loopback.script(url, Answer("words"))
        proxy = f"http://127.0.0.1:{loopback.http_port}"
        assert (await fetch(url, connect_to=(), proxy=proxy)).body == b"words"
        assert loopback.requests[-1].through_proxy

    @pytest.mark.parametrize(
        ("variable", "url", "used"),
        [
            ("HTTPS_PROXY", PAGE, True),
            ("https_proxy", PAGE, True),
            ("HTTP_PROXY", "http://www.iana.org/", True),
            ("HTTP_PROXY", PAGE, False),
        ],
    )
    async def test_so_is_the_environments(self, variable, url, used, loopback, fetch, monkeypatch):
        loopback.script(url, Answer("words"))
        monkeypatch.setenv(variable, f"127.0.0.1:{loopback.http_port}")
        if used:
            assert (await fetch(url, connect_to=())).body == b"words"
            assert loopback.requests[-1].through_proxy
        else:
            error = await failure(fetch(url, connect_to=(), lookup=names()))
            assert error.code == "HOST_UNRESOLVED"

    @pytest.mark.parametrize(
        "no_proxy", ["www.iana.org", "iana.org", ".iana.org", "*", "a.org, iana.org"]
    )
    async def test_no_proxy_is_heeded(self, no_proxy, loopback, fetch, monkeypatch):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{loopback.http_port}")
        monkeypatch.setenv("NO_PROXY", no_proxy)
        only_the_proxy = names(**{"127_0_0_1": "127.0.0.1"})
        error = await failure(fetch(PAGE, connect_to=(), lookup=only_the_proxy))
        assert error.code == "HOST_UNRESOLVED"
        assert loopback.requests == []

    async def test_names_and_literals_are_judged_behind_a_proxy_too(self, loopback, fetch):
        proxy = f"http://127.0.0.1:{loopback.http_port}"
        loopback.script(PAGE, redirect("https://127.0.0.1/"))
        error = await failure(fetch(PAGE, connect_to=(), proxy=proxy))
        assert error.code == "INVALID_REDIRECT_TARGET"

    @pytest.mark.parametrize("url", [PAGE, PAGE.replace("https", "http")])
    async def test_the_password_of_a_proxy_goes_to_the_proxy_alone(self, url, loopback, fetch):
        loopback.script(url, Answer("words"))
        proxy = f"http://me:s%20ecret@127.0.0.1:{loopback.http_port}"
        assert (await fetch(url, connect_to=(), proxy=proxy)).body == b"words"
        expected = "Basic " + base64.b64encode(b"me:s ecret").decode()
        assert loopback.requests[0].headers["proxy-authorization"] == expected
        if url.startswith("https"):
            assert "proxy-authorization" not in loopback.requests[1].headers

    async def test_connect_to_goes_past_a_proxy(self, loopback, fetch):
        loopback.script(PAGE, Answer("words"))
        assert (await fetch(PAGE, proxy="http://127.0.0.1:1")).body == b"words"

    @pytest.mark.parametrize(
        ("proxy", "words"),
        [
            ("http://127.0.0.1:1", "proxy"),
            ("socks5://127.0.0.1:1080", "socks5"),
            ("http://127.0.0.1:bad", "proxy"),
        ],
    )
    async def test_a_proxy_that_does_not_work_is_named(self, proxy, words, fetch):
        error = await failure(fetch(PAGE, connect_to=(), proxy=proxy))
        assert error.code == "HTTP_REQUEST_FAILED"
        assert words in error.message

    async def test_a_proxy_that_refuses_is_named(self, loopback, fetch):
        loopback.script("connect://www.iana.org:443", Answer(status=407))
        proxy = f"http://127.0.0.1:{loopback.http_port}"
        error = await failure(fetch(PAGE, connect_to=(), proxy=proxy))
        assert error.code == "HTTP_REQUEST_FAILED"
        assert "407" in error.message


class TestConditions:
    async def test_a_page_is_asked_about_where_it_was_found(self, loopback, fetch):
        known = Page(
            url=PAGE, final_url="https://www.iana.org/b", status=200, content_type="text/html",
            text="words", prepared=b"", fetched_at=0.0, fresh_until=0.0, etag='"a"',
            last_modified="Thu, 01 Jan 1970 00:00:00 GMT",
        )  # fmt: skip
        loopback.script(PAGE, redirect("/b"))
        loopback.script("https://www.iana.org/b", Answer(status=304, content_type=None))
        assert (await fetch(PAGE, known=known)).status == 304
        first, second = loopback.requests
        assert "if-none-match" not in first.headers
        assert second.headers["if-none-match"] == '"a"'
        assert second.headers["if-modified-since"] == "Thu, 01 Jan 1970 00:00:00 GMT"

    async def test_not_modified_is_no_answer_of_another_page(self, loopback, fetch):
        known = Page(
            url=PAGE, final_url="https://www.iana.org/b", status=200, content_type="text/html",
            text="words", prepared=b"", fetched_at=0.0, fresh_until=0.0, etag='"a"',
        )  # fmt: skip
        loopback.script(PAGE, Answer(status=304, content_type=None))
        assert (await failure(fetch(PAGE, known=known))).code == "HTTP_STATUS_304"

    async def test_not_modified_is_no_answer_to_a_plain_request(self, loopback, fetch):
        loopback.script(PAGE, Answer(status=304, content_type=None))
        assert (await failure(fetch(PAGE))).code == "HTTP_STATUS_304"
