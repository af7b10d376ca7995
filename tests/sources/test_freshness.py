"""How long pages are fresh."""

import pytest

from tracecite_lint.sources.freshness import (
    Freshness,
    conditional_headers,
    freshness,
    revalidated,
)
from tracecite_lint.sources.page import Page

HOUR = 3600.0
DAY = 24 * HOUR


def page(**changes):
    values = {
        "url": "https://iana.org/",
        "final_url": "https://iana.org/",
        "status": 200,
        "content_type": "text/html",
        "text": "words",
        "prepared": b"",
        "fetched_at": 1000 * DAY,
        "fresh_until": 1001 * DAY,
    }
    return Page(**{**values, **changes})


@pytest.mark.parametrize(
    ("age", "ttl", "expected"),
    [
        (0, DAY, Freshness.FRESH),
        (23 * HOUR, DAY, Freshness.FRESH),
        (24 * HOUR, DAY, Freshness.STALE),
        (2 * HOUR, HOUR, Freshness.STALE),
        (25 * HOUR, 7 * DAY, Freshness.FRESH),
        (0, 0, Freshness.STALE),
        (30 * DAY, DAY, Freshness.STALE),
        (30 * DAY + 1, DAY, Freshness.EXPIRED),
        (-HOUR, DAY, Freshness.STALE),
        (-DAY, DAY, Freshness.STALE),
        (-DAY - 1, DAY, Freshness.EXPIRED),
    ],
)
def test_a_page_is_fresh_for_its_ttl_and_of_use_for_thirty_days(age, ttl, expected):
    assert freshness(page(), now=1000 * DAY + age, ttl=ttl) is expected


def test_a_page_is_asked_about_by_what_its_server_said_of_it():
    assert conditional_headers(page()) == {}
    assert conditional_headers(
        page(etag='W/"a"', last_modified="Thu, 01 Jan 1970 00:00:00 GMT")
    ) == {
        "If-None-Match": 'W/"a"',
        "If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT",
    }


def test_a_page_that_has_not_changed_is_fresh_again():
    again = revalidated(
        page(etag='"a"', last_modified="x", stale=True),
        etag='"b"',
        last_modified=None,
        hops={"other.org": "r"},
        now=2000 * DAY,
        ttl=DAY,
    )
    assert (again.etag, again.last_modified) == ('"b"', "x")
    assert (again.fetched_at, again.fresh_until) == (2000 * DAY, 2001 * DAY)
    assert (again.text, again.hops) == ("words", {"other.org": "r"})
    assert not again.stale
