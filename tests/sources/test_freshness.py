"""How long pages are fresh, and how long servers ask to be left alone."""

import pytest

from tracecite_lint.sources.freshness import (
    Freshness,
    conditional_headers,
    freshness,
    retry_after,
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


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        (" 7 ", 7.0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("٣", None),
        ("9" * 400, 999_999_999_999.0),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200.0),
        ("Thursday, 01-Jan-70 00:20:00 GMT", 200.0),
        ("Thu Jan  1 00:20:00 1970", 200.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Thu, 99 Jan 1970 00:00:00 GMT", None),
        ("Thu, 01 Jan 99999 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    assert retry_after(value, now=1000.0) == seconds
