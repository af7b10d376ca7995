"""`cache list`, `show` and `clear`: what is kept, and how to be rid of all of it."""

from __future__ import annotations

import pytest

PAGES = {
    "https://www.iana.org/one": "The quick brown fox jumps over the lazy dog.",
    "https://www.iana.org/two?q=1": "A second page says that geese were counted.",
}


@pytest.fixture
def filled(lint, write, loopback, cafile):
    """A cache with two pages."""
    for url, words in PAGES.items():
        loopback.page(url, words, ETag='"v1"')
    write("r.md", "".join(f"“{words}” ([page]({url}))\n\n" for url, words in PAGES.items()))
    ways = loopback.arguments(cafile)
    assert lint("r.md", *ways).status == 0
    return ways


def test_a_line_for_each_page(lint, filled):
    lines = lint("cache", "list").out.splitlines()

    assert [line.split()[-1] for line in lines] == list(PAGES)
    assert all(line[:2] == "20" and line[19] == "Z" for line in lines)
    assert [page["url"] for page in lint("cache", "list", "--json").json] == list(PAGES)


def test_a_page_is_shown_without_its_text(lint, filled):
    url = next(iter(PAGES))

    ran = lint("cache", "show", f"{url}#part")

    assert ran.status == 0
    assert "status:         200" in ran.out
    assert 'etag:           "v1"' in ran.out
    assert f"tracecite-lint text {url} --offline" in ran.out
    assert "fox" not in ran.out
    assert lint("cache", "show", url, "--json").json[0]["content_type"] == "text/html"
    assert "is not in the cache" in lint("cache", "show", "https://www.iana.org/three").err
    assert "URL" in lint("cache", "show").err
    assert "URL" in lint("cache", "list", url).err


def test_clear_forgets_all_of_it(lint, write, filled):
    write("r.md", "“Something that is said elsewhere” ([page](https://www.iana.org/gone))\n")
    assert lint("r.md", "--offline", "--allow-unreachable").status == 0

    assert lint("cache", "clear").out == "2 pages forgotten, and 1 citation noted as unchecked\n"

    assert lint("cache", "list").out == ""
    assert lint("cache", "clear").out == "0 pages forgotten\n"
    assert "came first" not in lint("r.md", "--offline").out
