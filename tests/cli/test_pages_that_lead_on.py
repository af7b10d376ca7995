"""Pages that lead on to another by a refresh, asked for by the command as people run it."""

from __future__ import annotations

import json

import pytest
from loopback import Answer

HOST = "https://www.example.org"
WORDS = "The harbour was closed for three days in March."
REAL = f"<p>{WORDS}</p>"
MOVED = "<p>The page moved to a new place.</p>"
FORMS = ("0;/real", "0 /real", "0,/real", "0;&#117;rl=/real", "5; URL='/real'", ".5;url=real")


def meta(value):
    return f'<meta http-equiv=refresh content="{value}">{MOVED}'


@pytest.fixture
def verdicts(lint, loopback, cafile, write):
    """Check one quotation of each page of a site; return the citations of the report by path."""

    def check(site, *paths, words=WORDS, options=()):
        for path, answer in site.items():
            loopback.script(HOST + path, answer if isinstance(answer, Answer) else Answer(answer))
        write("r.md", "\n\n".join(f"It says “{words}” ([n]({HOST}{path}))." for path in paths))
        ran = lint("r.md", "--format=json", *options, *loopback.arguments(cafile))
        report = json.loads(ran.out)
        return [
            (item["verdict"], item["code"], (item["final_url"] or "").removeprefix(HOST))
            for item in report["citations"]
        ]

    return check


FOLLOWED = ("verified", None, "/real")


def test_every_form_is_followed_like_a_redirect(verdicts):
    site = {f"/{index}": meta(form) for index, form in enumerate(FORMS)}
    headers = {"Refresh": "0; url=/real"}
    site |= {
        "/header": Answer(MOVED, headers=headers),
        "/bare": Answer("", headers={"Refresh": "5,/real"}),
        "/plain": Answer("You are being sent on.", headers=headers, content_type="text/plain"),
        "/chain": meta("0;url=/header"),
        "/long": f'<meta http-equiv=refresh content="0;url=/real">{MOVED * 20}',
        "/noscript": f"<noscript>{meta('0;url=/real')}</noscript><script></script>",
    }
    assert verdicts({**site, "/real": REAL}, *site) == [FOLLOWED] * len(site)


def test_what_is_no_refresh_is_read_as_it_is(verdicts):
    site = {
        "/negative": meta("-1;url=/real"),
        "/comment": f"<!-- {meta('0;url=/real')} -->{MOVED}",
        "/itself": meta("0;url=/itself#top"),
        "/reload": Answer(MOVED, headers={"Refresh": "300"}),
        "/script": meta("0;url=javascript:go()"),
    }
    assert verdicts({**site, "/real": REAL}, *site) == [
        ("mismatch", "QUOTE_NOT_IN_LIVE_SOURCE", path) for path in site
    ]


def test_a_page_that_leads_on_later_is_no_proof_that_words_are_missing(verdicts):
    site = {
        "/later": meta("6;url=/real"),
        "/header": Answer(MOVED * 20, headers={"Refresh": "1800; url=/logout"}),
    }
    assert verdicts(site, *site) == [("unverifiable", "SOURCE_HAS_NO_TEXT", path) for path in site]
    # From the cache too; and what it shows until then is there.
    assert verdicts({}, "/later", options=["--offline"])[0][:2] == (
        "unverifiable",
        "SOURCE_HAS_NO_TEXT",
    )
    moved = "The page moved to a new place."
    assert verdicts({}, *site, words=moved) == [("verified", None, path) for path in site]


def test_a_page_behind_a_refresh_is_asked_whether_it_has_changed(verdicts, loopback):
    site = {"/old": meta("0;url=/real"), "/real": Answer(REAL, headers={"ETag": '"1"'})}
    assert verdicts(site, "/old") == [FOLLOWED]
    loopback.script(HOST + "/real", Answer(status=304, content_type=None))
    assert verdicts({}, "/old", options=["--ttl=0s"]) == [FOLLOWED]
    asked = [request for request in loopback.requests if request.url == HOST + "/real"]
    assert [request.headers.get("if-none-match") for request in asked] == [None, '"1"']


def test_the_policy_for_redirects_holds(verdicts):
    site = {
        "/private": meta("0;url=http://127.0.0.1/"),
        "/down": meta("0;url=http://www.example.org/real"),
        "/file": meta("0;url=file:///etc/passwd"),
        "/round": meta("0;url=/about"),
        "/about": meta("0;url=/round"),
        "/gone": meta("0;url=/missing"),
        "/missing": Answer("gone", status=404),
        "/loop-header": Answer(MOVED, headers={"Refresh": "0;/about"}),
    }
    asked = ("/private", "/down", "/file", "/round", "/gone", "/loop-header")
    assert [code for _, code, _ in verdicts(site, *asked)] == [
        "INVALID_REDIRECT_TARGET",
        "HTTPS_DOWNGRADE_REDIRECT",
        "INVALID_REDIRECT_TARGET",
        "TOO_MANY_REDIRECTS",
        "HTTP_STATUS_404",
        "TOO_MANY_REDIRECTS",
    ]


def test_a_local_page_leads_nowhere_and_is_no_mismatch(lint, write):
    write("a.html", meta("0;url=https://www.example.org/real"))
    write("r.md", f"It says “{WORDS}” ([n](a.html)).")
    assert lint("r.md", "--format=json").codes == ["SOURCE_HAS_NO_TEXT"]
