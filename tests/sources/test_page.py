"""A page as bytes: what goes in comes out, and damage is an error that the cache can catch."""

import json
from dataclasses import replace
from hashlib import blake2b

import pytest

from tracecite_lint.sources.page import Page, Sections

PAGE = Page(
    url="https://www.example.org/",
    final_url="https://www.example.org/start",
    status=200,
    content_type="text/html",
    text="Wörter, 🐈 and \ufdd01\ufdd1",
    prepared=b"\0\xff prepared",
    fetched_at=1700000000.5,
    fresh_until=1700086400.5,
    etag='"x"',
    last_modified=None,
    hops={"example.org": "", "other.org": "0f"},
    sections=Sections(headings={"top": (0, 6)}, lines=(0, 8), pages=(0, 3)),
)


def test_a_page_survives_being_stored():
    assert Page.from_bytes(PAGE.to_bytes()) == PAGE


def test_a_page_that_stays_fresh_for_ever_survives_too():
    page = replace(PAGE, content_type="", fresh_until=1e18)
    assert Page.from_bytes(page.to_bytes()).content_type == ""


def test_how_a_page_was_come_by_is_not_stored():
    stored = Page(**{**{name: getattr(PAGE, name) for name in PAGE.__slots__}, "stale": True})
    assert not Page.from_bytes(stored.to_bytes()).stale


@pytest.mark.parametrize("size", [0, 4, 20, 30, 100, -1])
def test_a_page_that_is_cut_short_is_an_error(size):
    with pytest.raises(ValueError, match="stored page"):
        Page.from_bytes(PAGE.to_bytes()[:size])


def test_every_flipped_byte_is_an_error():
    data = PAGE.to_bytes()
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 1
        with pytest.raises(ValueError, match="stored page"):
            Page.from_bytes(bytes(damaged))


def forged(**changes: object) -> bytes:
    """Return PAGE as bytes with changes in its header and a digest that fits."""
    data = PAGE.to_bytes()
    sizes = data[21:37]
    header_size = int.from_bytes(sizes[:8])
    header = json.loads(data[37 : 37 + header_size]) | changes
    encoded = json.dumps(header).encode()
    rest = len(encoded).to_bytes(8) + sizes[8:] + encoded + data[37 + header_size :]
    return data[:5] + blake2b(rest, digest_size=16).digest() + rest


NO_TIMES = [
    float("inf"),
    float("nan"),
    1e300,
    10**400,
    -1,
    -0.5,
    True,
    None,
    "1",
    [1],
    253_402_300_800,
]
NO_HEADERS = ["a\r\nCookie: b", "a\nb", "\0", "\x7f", "naïve", "x" * 1025, "", ["a"], True]
NO_URLS = [
    *("", "iana.org", "javascript:alert(1)", "file:///etc/passwd", "https://", "https://a/ b"),
    *("https://a/\r\nX: y", "https://a/\x1b[31m", "https://a/ü", "https://a/" + "x" * 300_000),
    *(None, 5),
]
NO_HOPS = [
    *(None, [], {"a": 1}, {"a": None}, {"a\n": ""}, {"a": "\x1b"}, {"": "x" * 2000}),
    {str(n): "" for n in range(65)},
]

FORGED = [
    {"url": 5},
    {"status": "200"},
    {"status": True},
    {"fetched_at": "now"},
    {"fresh_until": float("nan")},
    {"etag": 5},
    {"headings": []},
    {"headings": {"top": [0, 1000]}},
    {"headings": {"top": [5, 2]}},
    {"headings": {"top": [0, 1, 2]}},
    {"lines": [0, -1]},
    {"pages": [0.5]},
    {"pages": {}},
    *({"status": status} for status in (0, 199, 304, 10**400, -200)),
    *({name: value} for name in ("fetched_at", "fresh_until") for value in NO_TIMES),
    *({name: value} for name in ("etag", "last_modified", "content_type") for value in NO_HEADERS),
    *({name: value} for name in ("url", "final_url") for value in NO_URLS),
    *({"hops": value} for value in NO_HOPS),
]


def test_an_unchanged_header_is_read():
    assert Page.from_bytes(forged()) == PAGE


@pytest.mark.parametrize("changes", FORGED, ids=lambda changes: repr(changes)[:50])
def test_a_header_of_other_types_is_an_error(changes):
    with pytest.raises(ValueError):
        Page.from_bytes(forged(**changes))


SECTIONS = Sections(
    headings={"Title": (0, 5), "über": (5, 9), "lower": (2, 4)}, lines=(0, 10, 10, 20, 30)
)
WINDOWS = [
    ("Title", (0, 5)),
    ("%C3%BCber", (5, 9)),
    ("LOWER", (2, 4)),
    ("L1", (0, 10)),
    ("L2", (10, 20)),
    ("L3", (10, 20)),
    ("L2-L4", (10, 30)),
    ("L4-L2", (10, 30)),
    ("L2-4", (10, 30)),
    ("L2C5-L4C1", (10, 30)),
    ("L5", (30, 42)),
    ("L4-L99", (20, 42)),
    ("L6", None),
    ("L0", None),
    ("Lx", None),
    ("page=1", None),
    ("", None),
]


@pytest.mark.parametrize(("fragment", "window"), WINDOWS)
def test_a_fragment_names_a_range(fragment, window):
    assert SECTIONS.window(fragment, 42) == window


def test_the_page_at_an_offset():
    pages = Sections(pages=(0, 10, 10, 20))
    assert [pages.page_at(offset) for offset in (0, 9, 10, 19, 20, 99)] == [1, 1, 3, 3, 4, 4]
    assert Sections().page_at(5) is None
