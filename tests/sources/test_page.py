"""A page as bytes: what goes in comes out, and damage is an error that the cache can catch."""

import json
from dataclasses import replace
from hashlib import blake2b

import pytest

from tracecite_lint.sources.page import Page, PageHead, Sections

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


def rows(page: Page) -> tuple[bytes, bytes]:
    return page.rows(extract_version=7, prepare_version=9)


def read_back(head: bytes, text: bytes) -> Page:
    found, extract_version = PageHead.from_bytes(head)
    page, prepare_version = Page.from_rows(found, text)
    assert (extract_version, prepare_version) == (7, 9)
    return page


def test_a_page_survives_being_stored():
    assert read_back(*rows(PAGE)) == PAGE


def test_what_is_said_about_a_page_is_read_without_its_text():
    assert PageHead.from_bytes(rows(PAGE)[0]) == (PAGE.head, 7)


def test_a_page_that_stays_fresh_for_ever_survives_too():
    page = replace(PAGE, content_type="", fresh_until=1e18)
    assert read_back(*rows(page)).content_type == ""


def test_how_a_page_was_come_by_is_not_stored():
    stored = replace(PAGE, stale=True, from_cache=True)
    assert read_back(*rows(stored)) == PAGE


def test_the_digest_names_the_text_and_its_parts_alone():
    digest = PAGE.named().digest
    assert PageHead.from_bytes(rows(PAGE)[0])[0].digest == digest
    assert replace(PAGE, url="https://a.org/", prepared=b"").named().digest == digest
    assert replace(PAGE, text="other words " * 9).named().digest != digest
    assert replace(PAGE, sections=Sections(pages=(0, 2))).named().digest != digest


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("size", [0, 4, 20, 30, 60, -1])
def test_a_page_that_is_cut_short_is_an_error(row, size):
    stored = list(rows(PAGE))
    stored[row] = stored[row][:size]
    with pytest.raises(ValueError, match="stored"):
        read_back(*stored)


@pytest.mark.parametrize("row", [0, 1])
def test_every_flipped_byte_is_an_error(row):
    stored = list(rows(PAGE))
    data = stored[row]
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 1
        stored[row] = bytes(damaged)
        with pytest.raises(ValueError, match="stored"):
            read_back(*stored)


def test_the_text_of_another_page_is_an_error():
    with pytest.raises(ValueError, match="damaged"):
        read_back(rows(PAGE)[0], rows(replace(PAGE, text="other words " * 9))[1])


SECTION_NAMES = frozenset({"headings", "lines", "pages"})


def forged(**changes: object) -> tuple[bytes, bytes]:
    """Return PAGE as rows with changes in what they say, and digests that fit."""
    head, text = rows(PAGE)
    header = json.loads(head[21:])
    of_sections = {name: changes.pop(name) for name in SECTION_NAMES & {*changes}}
    size = int.from_bytes(text[41:49])
    sections = json.dumps(json.loads(text[57 : 57 + size]) | of_sections).encode()
    words = PAGE.text.encode()
    content = len(sections).to_bytes(8) + len(words).to_bytes(8) + sections + words
    digests = digest(content), digest(text[37:41] + PAGE.prepared)
    header |= {"digest": digests[0].hex()} | changes
    encoded = json.dumps(header).encode()
    text = text[:5] + b"".join(digests) + text[37:41] + content + PAGE.prepared
    return head[:5] + digest(encoded) + encoded, text


def digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


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
    {"digest": None},
    {"digest": "0" * 31},
    {"digest": "x" * 32},
    {"extract_version": True},
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
    assert read_back(*forged()) == PAGE


@pytest.mark.parametrize("changes", FORGED, ids=lambda changes: repr(changes)[:50])
def test_a_header_of_other_types_is_an_error(changes):
    with pytest.raises(ValueError):
        read_back(*forged(**changes))


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
