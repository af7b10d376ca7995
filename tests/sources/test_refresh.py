"""Declarative refreshes, read as the HTML Standard has it."""

from __future__ import annotations

import pytest

from tracecite_lint.sources.extract import extract
from tracecite_lint.sources.refresh import Refresh, refresh_of

HERE = "https://example.com/a/page?x=1"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0;url=/real", (0, "https://example.com/real")),
        ("0; URL = real", (0, "https://example.com/a/real")),
        ("0;/real", (0, "https://example.com/real")),
        ("0 /real", (0, "https://example.com/real")),
        ("0,/real", (0, "https://example.com/real")),
        ("0\t\n /real", (0, "https://example.com/real")),
        (" 3 , url='/real' x", (3, "https://example.com/real")),
        ('3;url="/real', (3, "https://example.com/real")),
        ("3;'/re\nal'", (3, "https://example.com/real")),
        ("3;url=https://other.example/", (3, "https://other.example/")),
        (".5;url=/real", (0, "https://example.com/real")),
        ("1.5.2;url=/real", (1, "https://example.com/real")),
        ("0;urn", (0, "https://example.com/a/urn")),
        ("0;url/real", (0, "https://example.com/a/url/real")),
        ("1800;url=/logout", (1800, "https://example.com/logout")),
        # it stays, or loads itself again
        ("0", None),
        ("300;", None),
        ("0;url=", None),
        ("0;url=#top", None),
        ("60; url=/a/page?x=1#top", None),
        # no refresh at all
        (None, None),
        ("", None),
        ("-1;url=/real", None),
        ("+0;url=/real", None),
        ("0x;url=/real", None),
        ("0:/real", None),
        ("/real", None),
        (";url=/real", None),
        ("0;url=javascript:go()", None),
        ("0;url=http://[", None),
    ],
)
def test_a_value_is_read_as_browsers_read_it(value, expected):
    assert refresh_of([value], HERE) == (Refresh(*expected) if expected else None)


def test_the_first_valid_value_counts():
    assert refresh_of([None, "x", "0;a", "0;b"], HERE) == Refresh(0, "https://example.com/a/a")
    assert refresh_of(["900", "0;b"], HERE) is None


@pytest.mark.parametrize("unit", [" ", "0", ".", "0;", "0 ", "url=", "0;url=", "'"])
def test_a_hostile_value_costs_no_more_than_its_length(unit):
    refresh_of([unit * 200_000, "0" + unit * 200_000], HERE)


def leads_on(html):
    leads = extract(html.encode(), "text/html; charset=utf-8", HERE).leads_on
    return leads.url.removeprefix("https://example.com") if leads else None


LONG = (
    "<p>" + "The harbour was closed for three days in March, as the notice on the gate says. " * 4
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<meta http-equiv=refresh content='0;/real'><p>Moved.", "/real"),
        ("<META HTTP-EQUIV=REFRESH CONTENT='0;&#117;rl=/re&#97;l'><p>Moved.", "/real"),
        ("<base href=/b/><meta http-equiv=refresh content='0;real'><p>Moved.", "/b/real"),
        (f"{LONG}<meta http-equiv=refresh content='0;/real'>", "/real"),
        ("<p>Moved.<noscript><meta http-equiv=refresh content='0;/real'></noscript>", "/real"),
        # a reader whose browser runs scripts stays with the text
        (f"{LONG}<noscript><meta http-equiv=refresh content='0;/real'></noscript>", None),
        ("<!-- <meta http-equiv=refresh content='0;/real'> --><p>Here.", None),
        ("<template><meta http-equiv=refresh content='0;/real'></template><p>Here.", None),
        ("<textarea><meta http-equiv=refresh content='0;/real'></textarea><p>Here.", None),
        ("<meta name=refresh content='0;/real'><p>Here.", None),
        ("<meta http-equiv=refresh content='-1;url=/real'><p>Here.", None),
        ("<meta http-equiv=refresh content=300><p>Here.", None),
    ],
)
def test_a_page_leads_on_by_an_element_that_a_browser_obeys(html, expected):
    assert leads_on(html) == expected
