"""Answers that lead elsewhere: into forbidden targets in every way, in circles, without a target, and to public pages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from url_spellings import forbidden

STATUSES = (301, 302, 303, 307, 308)
REFUSED = frozenset({"INVALID_REDIRECT_TARGET", "URL_BLOCKED"})

HOST = "www.iana.org"
"""The host whose pages redirect."""

PRIVATE_NAMES = {
    "rebound.iana.org": ("127.0.0.1",),
    "mixed.iana.org": ("1.1.1.1", "10.0.0.1"),
    "sixes.iana.org": ("2606:4700::1111", "::1"),
    "mapped.iana.org": ("::ffff:169.254.169.254",),
    "benchmark.iana.org": ("198.18.0.1", "192.168.0.1"),
}
"""Public names and the answers of their name server, each with an address that is not public."""


class Redirection(NamedTuple):
    """What a page answers, and the codes in which its fetch may end; none: it is read."""

    answer: bytes
    codes: frozenset[str]
    scheme: str = "https"
    hops: int = 0


def answer(*headers: bytes, status: int = 302, body: bytes = b"") -> bytes:
    """Return an answer as it goes over the wire."""
    lines = [
        b"HTTP/1.1 %d Scripted" % status,
        *headers,
        b"Content-Length: %d" % len(body),
        b"",
        b"",
    ]
    return b"\r\n".join(lines) + body


def _location(target: str) -> bytes:
    return b"Location: " + target.encode("utf-8", "surrogatepass")


def redirections(port: int) -> list[Redirection]:
    """Return all of them; *port* is a canary's."""
    return [
        *_to_forbidden(port),
        *_to_private_names(),
        *_odd(port),
        *_not_followed(port),
        *_followed(),
    ]


def _to_forbidden(port: int) -> Iterator[Redirection]:
    """Return redirects to spellings that a header can hold; a relative one may be a path of the same host."""
    chance = random.Random(4015)
    absolute = [
        url
        for url in forbidden(port)
        if url.lower().startswith(("http://", "https://"))
        and not any(ord(char) < 0x20 or char in "\x7f\ud800" for char in url)
        and url == url.strip(" ")
    ]
    for url in chance.sample(absolute, 3_200):
        status, hops = chance.choice(STATUSES), chance.choice((0, 0, 0, 1, 4))
        codes = REFUSED | {"HTTPS_DOWNGRADE_REDIRECT"}
        if not re.match(r"https?://[^/]", url, re.IGNORECASE):
            codes |= {
                "HTTP_STATUS_404"
            }  # without an authority it is a path of the same host (RFC 3986, section 5.2.2)
        yield Redirection(
            answer(_location(url), status=status), codes, chance.choice(("http", "https")), hops
        )
    for target in (
        *(
            "//127.0.0.1/",
            "//127.1/x",
            "//localhost/",
            f"//127.0.0.1:{port}/",
            "//[::1]/",
            "//0x7f000001",
        ),
        *(
            "//intranet/",
            "///127.0.0.1/@//localhost/"[3:],
            "file:///etc/passwd",
            "file:/etc/passwd",
            "ftp://127.0.0.1/",
        ),
        *(
            "data:text/html,words",
            "javascript:alert(1)",
            "gopher://127.0.0.1:25/_x",
            "dict://127.0.0.1:11211/",
        ),
        *(
            "jar:http://127.0.0.1!/",
            "about:blank",
            "blob:https://127.0.0.1/x",
            "unix:/run/docker.sock",
        ),
        *(
            "ws://127.0.0.1/",
            "mailto:a@127.0.0.1",
            "view-source:http://127.0.0.1/",
            "http+unix://%2Frun%2Fx/",
        ),
    ):
        refused = REFUSED | ({"HTTP_STATUS_404"} if target.startswith("127") else frozenset())
        for status in STATUSES:
            for scheme in ("http", "https"):
                for hops in (0, 3):
                    yield Redirection(
                        answer(_location(target), status=status), refused, scheme, hops
                    )


def _to_private_names() -> Iterator[Redirection]:
    for name in PRIVATE_NAMES:
        for status in STATUSES:
            for hops in (0, 2, 4):
                target = _location(f"https://{name}/")
                yield Redirection(
                    answer(target, status=status), frozenset({"URL_BLOCKED"}), "https", hops
                )


def _odd(port: int) -> Iterator[Redirection]:
    """Return redirects with no target, several, or one that a header cannot hold; and those that lead on for ever."""
    none = frozenset({"REDIRECT_WITHOUT_LOCATION"})
    malformed = REFUSED | {"HTTP_REQUEST_FAILED", "REDIRECT_WITHOUT_LOCATION", "HTTP_STATUS_404"}
    canary = f"http://127.0.0.1:{port}/".encode()
    downgrade = frozenset({"HTTPS_DOWNGRADE_REDIRECT"})
    for status in STATUSES:
        for headers in ((), (b"Location:",), (b"Location:   ",), (b"Refresh: 0;url=" + canary,), (b"Content-Location: " + canary,), (b"URI: " + canary,), (b"X-Location: " + canary,), (b"Link: <" + canary + b">; rel=canonical",)):  # fmt: skip
            yield Redirection(answer(*headers, status=status), none)
            yield Redirection(answer(*headers, status=status), none, "http", 2)
        yield Redirection(
            answer(b"Location: " + canary, b"Location: " + canary, status=status), REFUSED
        )
        yield Redirection(
            answer(b"Location: " + canary, b"Location: /gone", status=status), malformed
        )
        yield Redirection(
            answer(b"Location: /gone", b"Location: " + canary, status=status), malformed
        )
        yield Redirection(answer(b"location: " + canary, status=status), REFUSED | downgrade)
        for glue in (
            b"\r\n ",
            b"\r\n\t",
            b"\n",
            b"\r",
            b"\x00",
            b"\t",
            b"\x0b",
            b"\x85",
            b"\xff",
            b"\xe2\x80\xa8",
            b"\x1b",
            b"\x7f",
        ):
            yield Redirection(
                answer(b"Location: " + canary[:9] + glue + canary[9:], status=status), malformed
            )
            yield Redirection(
                answer(b"Location: " + glue + canary, status=status), malformed | downgrade
            )
            yield Redirection(
                answer(b"Location: /gone" + glue + b"Host: 127.0.0.1", status=status), malformed
            )
        for escape in (
            "%0d%0a",
            "%0D%0AHost:%20127.0.0.1",
            "%00",
            "%E5%98%8A%E5%98%8D",
            "\u560a\u560d",
        ):
            yield Redirection(
                answer(_location(f"/gone{escape}"), status=status), frozenset({"HTTP_STATUS_404"})
            )
            yield Redirection(
                answer(_location(f"https://127.0.0.1{escape}/"), status=status), REFUSED
            )
            yield Redirection(
                answer(_location(f"https://{HOST}{escape}@127.0.0.1/"), status=status), REFUSED
            )
        for target in (
            f"http://{HOST}/gone",
            f"HTTP://{HOST}:80/",
            "http://www.iana.org./",
            "http://pti.icann.org/",
        ):
            yield Redirection(answer(_location(target), status=status), downgrade)
            yield Redirection(answer(_location(target), status=status), downgrade, "https", 4)
        for target in (
            "",
            "#x",
            f"https://{HOST}/loop",
            "/loop",
            "../loop",
            "./../loop",
            f"//{HOST}/loop",
        ):
            yield Redirection(
                answer(_location(target or "/loop"), status=status),
                frozenset({"TOO_MANY_REDIRECTS"}),
            )
        yield Redirection(
            answer(_location("/page"), status=status), frozenset({"TOO_MANY_REDIRECTS"}), "https", 5
        )
        yield Redirection(
            answer(_location("x" * 70_000), status=status), frozenset({"HTTP_REQUEST_FAILED"})
        )
        yield Redirection(answer(_location("/" + "x" * 20_000), status=status), REFUSED)


def _not_followed(port: int) -> Iterator[Redirection]:
    """Return what a browser might follow and this tool reads, or takes for a failure."""
    canary = f"http://127.0.0.1:{port}/"
    for status in (300, 304, 305, 306, 201, 204, 400, 404, 410):
        codes = frozenset({f"HTTP_STATUS_{status}"})
        yield Redirection(answer(_location(canary), status=status), codes)
    for body in (
        f'<meta http-equiv=refresh content="0;url={canary}">',
        f'<meta http-equiv="Refresh" content="0; URL=\'{canary}\'">words',
        f"<script>location = '{canary}'</script>words",
        f'<iframe src="{canary}"></iframe><img src="{canary}"><link rel=stylesheet href="{canary}">words',
        f'<base href="{canary}"><object data="x"></object><embed src="x"><a ping="{canary}" href="/">words</a>',
        f'<?xml version="1.0"?><!DOCTYPE a SYSTEM "{canary}"><a>words</a>',
        f'<!DOCTYPE a [<!ENTITY x SYSTEM "{canary}">]><a>&x; words</a>',
    ):
        for kind in (b"text/html", b"application/xhtml+xml", b"application/xml", b"text/plain"):
            headers = (
                b"Content-Type: " + kind,
                b"Refresh: 0;url=" + canary.encode(),
                _location(canary),
            )
            yield Redirection(answer(*headers, status=200, body=body.encode()), frozenset())


def _followed() -> Iterator[Redirection]:
    """Return redirects to `/page`, which is read."""
    for target in ("/page", "../page", "./../page", "../../page", "../a/../page", f"https://{HOST}/page", f"//{HOST}/page",
                   "https:/page", "https:../page", f"https://{HOST}./page", "/page#@127.0.0.1", "/page?u=http://127.0.0.1/", "  /page "):  # fmt: skip
        for status in STATUSES:
            for hops in (0, 4):
                yield Redirection(
                    answer(_location(target), status=status), frozenset(), "https", hops
                )
