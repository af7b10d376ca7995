"""Pages that stand in front of a text are told from pages that are just short."""

import pytest

from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract

WORDS = "These are the words of a page that is long enough to be read as one. "


def page(body: str, title: str = "A page", head: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    )


def code_of(html: str) -> str | None:
    try:
        extract(html.encode(), "text/html", "https://www.example.org/page")
    except SourceError as error:
        assert error.help
        assert "\n" not in error.message
        return error.code
    return None


BLOCKED = [
    page("<h1>Checking your browser</h1><p>This may take a moment.", "Just a moment..."),
    page(WORDS * 8 + "<script>window._cf_chl_opt={}</script>", "Just a moment..."),
    page("<p>One step more<div class=cf-turnstile></div>"),
    page("<p>Please confirm<script src='https://geo.captcha-delivery.com/c.js'></script>"),
    page("<p>Verify you are human by completing the action below."),
    page("<h1>Access Denied</h1>You don't have permission to access this. Reference #18.2"),
    page("<p>请完成安全验证后继续", "百度安全验证"),
    page("<form method=post>Name <input name=u> Password <input type=password></form>", "Login"),
    page("<form action='/login'><input name=mail><button>Go on</button></form>"),
    page("<form action='https://id.example.org/idp'><input name='SAMLRequest' type=hidden></form>"),
    page("<p>Please log in to read this article."),
    page("<p>请先登录"),
    page("<h1>Cookies</h1>We use cookies. <button>Accept all</button> <button>Settings</button>"),
    page("<p>Diese Seite verwendet Cookies. <a href='/ok'>Ich stimme zu</a> / Zustimmen"),
]
WITHOUT_TEXT = [
    page(""),
    page("<div id=root></div><script src='/static/main.js'></script>"),
    page("<div id='app'><span class=spinner>Loading…</span></div><script src=a.js></script>"),
    page("<div id='__next'></div><script src=a.js></script><noscript>Please wait</noscript>"),
    page("<app-root></app-root><script type=module src=main.js></script>"),
    page("<shop-front></shop-front><script src=a.js></script>"),
    page("<noscript>You need to enable JavaScript to run this app.</noscript><script></script>"),
    page("<p>JavaScript is required to view this site.<script src=a.js></script>"),
    page("<h1>404</h1><p>We could not find that.", "404 Not Found"),
    page(WORDS * 8, "Page not found | Example"),
    page("<h1>Page not found</h1><p>Go back to the start", "Example"),
    page("<p>Die gesuchte Seite fehlt.", "Seite nicht gefunden"),
    page("<p>页面不存在", "页面不存在"),
    page("<p>The page has moved. <script>window.location.href = '/new'</script>"),
    "<html><head><title>x</title></head><frameset><frame src=a.html></frameset></html>",
]
READ = [
    page("<p>A short page."),
    page("<p>A short page.<script>track()</script>"),
    page("ログイン"),
    page("<p>He asked me to log in, and so I did."),
    page("<p>Cookies are baked at 180 degrees."),
    page("<p>The 404 bus stops here.", "Bus 404"),
    page("<p>Count them.", "404 ways to bake bread"),
    page("<p>Press it. <button onclick=\"location.href='/next'\">Next</button>"),
    page("<p>This talk explains how to enable javascript in old browsers."),
    page(f"<div id=root>{WORDS * 4}</div><script src=a.js></script>"),
    page(WORDS * 4 + "<form><input type=password></form>"),
    page(WORDS * 4 + "We use cookies. <button>Accept</button>"),
    page(WORDS * 4 + "<noscript>Please enable JavaScript.</noscript><script></script>"),
    page(WORDS * 20, "Page not found: a history of the error 404"),
    page(WORDS * 20, "Just a moment: a novel"),
    page(WORDS * 4 + "Are you a robot? he asked.", "A play"),
]


@pytest.mark.parametrize("html", BLOCKED)
def test_challenges_logins_and_cookie_walls_are_blocked(html):
    assert code_of(html) == "SOURCE_BLOCKED"


@pytest.mark.parametrize("html", WITHOUT_TEXT)
def test_shells_redirects_and_pages_that_are_not_there_have_no_text(html):
    assert code_of(html) == "SOURCE_HAS_NO_TEXT"


@pytest.mark.parametrize("html", READ)
def test_other_pages_are_read_however_short(html):
    assert code_of(html) is None


@pytest.mark.parametrize(
    "unit",
    ["<input ", "<title", "<h1>", "<meta http-equiv=refresh ", "<form action='log", "<a-b", "id= "],
)
def test_a_hostile_page_is_searched_to_its_end(unit):
    code_of(page(unit * 20000))
