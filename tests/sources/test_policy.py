"""URLs that are fetched and under which key, URLs that are not, and where redirects may lead."""

import pytest

from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.policy import redirect_target, resolve


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("https://www.iana.org/help", "https://www.iana.org/help"),
        ("HTTPS://WWW.IANA.ORG/Help", "https://www.iana.org/Help"),
        ("https://www.iana.org", "https://www.iana.org/"),
        ("https://www.iana.org?a=1", "https://www.iana.org/?a=1"),
        ("https://www.iana.org?", "https://www.iana.org/?"),
        ("https://www.iana.org#top", "https://www.iana.org/"),
        ("  https://www.iana.org/  ", "https://www.iana.org/"),
        ("https://www.iana.org:443/", "https://www.iana.org/"),
        ("https://www.iana.org:/", "https://www.iana.org/"),
        ("http://www.iana.org:80/", "http://www.iana.org/"),
        ("https://www.iana.org./", "https://www.iana.org/"),
        ("https://my_host.iana.org/", "https://my_host.iana.org/"),
        # escapes and legal characters are sent as they are
        ("https://iana.org/%2F%7e%C3%A9;a=b,c/..", "https://iana.org/%2F%7e%C3%A9;a=b,c/.."),
        ("https://iana.org/a?b=c+d%20e&f='(!*)'/?:@", "https://iana.org/a?b=c+d%20e&f='(!*)'/?:@"),
        # illegal ones are escaped, as UTF-8
        ("https://iana.org/é ü?q=漢 [1]", "https://iana.org/%C3%A9%20%C3%BC?q=%E6%BC%A2%20%5B1%5D"),
        ('https://iana.org/<a>"|\\^`{}', "https://iana.org/%3Ca%3E%22%7C%5C%5E%60%7B%7D"),
        ("https://iana.org/100%?a=%zz&b=%4", "https://iana.org/100%25?a=%25zz&b=%254"),
        # international host names
        ("https://bücher.de/", "https://xn--bcher-kva.de/"),
        ("https://BÜCHER.de/", "https://xn--bcher-kva.de/"),
        ("https://b%C3%BCcher.de/", "https://xn--bcher-kva.de/"),
        ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("https://例え。jp/", "https://xn--r8jz45g.jp/"),
        ("https://xn--bcher-kva.de/", "https://xn--bcher-kva.de/"),
        # public IPv4 addresses, in any spelling
        ("http://1.1.1.1/", "http://1.1.1.1/"),
        ("http://0x01010101/", "http://1.1.1.1/"),
        ("http://１.１.１.１/", "http://1.1.1.1/"),
        # GitHub's page of a file is read raw
        ("https://github.com/o/r/blob/main/docs/a b.md?plain=1#L3",
         "https://raw.githubusercontent.com/o/r/main/docs/a%20b.md"),
        ("https://github.com/o/r/tree/main/docs", "https://github.com/o/r/tree/main/docs"),
    ],
)  # fmt: skip
def test_a_public_url_is_sent_as_written(uri, url):
    assert resolve(uri).url == url


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("", "no http or https URL"),
        ("ftp://iana.org/", "no http or https URL"),
        ("javascript:alert(1)", "no http or https URL"),
        ("https:iana.org", "no http or https URL"),
        ("https:/iana.org", "no http or https URL"),
        ("https:///iana.org", "no valid name"),
        ("https://", "no valid name"),
        ("https://user@iana.org/", "credentials"),
        ("https://user:secret@iana.org/", "credentials"),
        ("https://@iana.org/", "credentials"),
        ("https://iana.org\\@127.0.0.1/", "credentials"),
        ("https://iana.org\\.evil.org/", "no valid name"),
        ("https://iana.org:8443/", "port 8443"),
        ("http://iana.org:443/", "port 443"),
        ("https://iana.org:0443/x:y", None),
        ("https://iana.org:x/", "port"),
        ("https://iana.org:99999/", "port"),
        ("https://iana.org:1:2/", "port"),
        ("https://iana.org:٤٤٣/", "port"),
        ("http://[::1]/", "IPv6"),
        ("http://[::ffff:127.0.0.1]/", "IPv6"),
        ("http://[2606:4700::1111]/", "IPv6"),
        ("http://localhost/", "no public name"),
        ("http://LOCALHOST./", "no public name"),
        ("http://%6c%6fcalhost/", "no public name"),
        ("http://ｌｏｃａｌｈｏｓｔ/", "no public name"),
        ("http://a.localhost/", "no public name"),
        ("http://printer.local/", "no public name"),
        ("http://metadata.google.internal/", "no public name"),
        ("http://a.test/", "no public name"),
        ("http://a.invalid/", "no public name"),
        ("http://a.example/", "no public name"),
        ("http://intranet/", "local network"),
        ("http://127.0.0.1/", "loopback"),
        ("http://127.1/", "loopback"),
        ("http://0x7f.1/", "loopback"),
        ("http://2130706433/", "loopback"),
        ("http://0177.0.0.1/", "loopback"),
        ("http://127.0.0.1./", "loopback"),
        ("http://１２７.０.０.１/", "loopback"),
        ("http://127。0。0。1/", "loopback"),
        ("http://%31%32%37.0.0.1/", "loopback"),
        ("http://0/", "reserved"),
        ("http://10.1.2.3/", "private"),
        ("http://169.254.169.254/latest/meta-data/", "link-local"),
        ("https://198.18.0.1/", "benchmark"),
        ("http://1.2.3.4.5/", "neither a name nor"),
        ("http://1.2.3.999/", "neither a name nor"),
        ("http://a..b.org/", "no valid name"),
        ("http://.iana.org/", "no valid name"),
        ("http://iana.org../", "no valid name"),
        ("http://" + "a" * 64 + ".org/", "no valid name"),
        ("http://" + "a." * 130 + "org/", "no valid name"),
        ("http://a b.org/", "no valid name"),
        ("http://a*b.org/", "no valid name"),
        ("http://%ff.org/", "no valid name"),
        ("http://%00.org/", "no valid name"),
        ("http://\u2488com.org/", "no host name"),
        ("http://a\u200db.org/", "no host name"),
        ("https://iana.org/\x00", "control character"),
        ("https://iana.org/a\tb", "control character"),
        ("https://iana.org/a\r\nHost: b", "control character"),
        ("https://iana.org/\x85", "control character"),
        ("https://iana.org/\ud800", "surrogate"),
        ("https://iana.org/" + "a" * 20_000, "longer"),
    ],
)
def test_any_other_url_is_refused(uri, reason):
    if reason is None:  # a port with a leading zero is that port
        assert resolve(uri).port == 443
        return
    with pytest.raises(SourceError) as raised:
        resolve(uri)
    assert raised.value.code == "INVALID_OR_BLOCKED_URL"
    assert reason in raised.value.message
    assert "\n" not in raised.value.message
    raised.value.message.encode()  # can be printed
    assert "secret" not in raised.value.message


@pytest.mark.parametrize(
    ("uri", "key"),
    [
        ("https://iana.org/a#b", "https://iana.org/a"),
        ("https://iana.org/a?utm_source=x", "https://iana.org/a"),
        ("https://iana.org/a?utm_source=x&b=1&UTM_medium=y", "https://iana.org/a?b=1"),
        ("https://iana.org/a?b=utm_source", "https://iana.org/a?b=utm_source"),
        ("https://iana.org/a?b=1&a=2", "https://iana.org/a?b=1&a=2"),
        ("http://iana.org/a", "http://iana.org/a"),
    ],
)
def test_fragment_and_tracking_parameters_make_no_other_source(uri, key):
    assert resolve(uri).key == key


def test_tracking_parameters_are_sent_though():
    assert resolve("https://iana.org/a?utm_source=x&b").url == "https://iana.org/a?utm_source=x&b"


@pytest.mark.parametrize(
    ("uri", "fragment"),
    [
        ("https://iana.org/a", ""),
        ("https://iana.org/a#b#c", "b#c"),
        ("https://iana.org/a#b%20c?d", "b%20c?d"),
        ("https://iana.org/a#:~:text=words", ""),
        ("https://iana.org/a#sec:~:text=words", "sec"),
    ],
)
def test_the_fragment_is_kept_as_written_without_text_directives(uri, fragment):
    assert resolve(uri).fragment == fragment


@pytest.mark.parametrize(
    ("allowed", "uri", "passes"),
    [
        ("localhost", "http://localhost/", True),
        ("LocalHost", "https://localhost/", True),
        ("localhost", "http://localhost:8080/", False),
        ("localhost:8080", "http://localhost:8080/", True),
        ("localhost:8080", "http://localhost/", False),
        ("127.0.0.1", "http://127.1/", True),
        ("wiki.local", "http://wiki.local/", True),
        ("wiki.local", "http://other.local/", False),
        ("bücher.local", "http://xn--bcher-kva.local/", True),
        ("localhost", "http://user@localhost/", False),
    ],
)
def test_an_allowed_host_may_be_private(allowed, uri, passes):
    if passes:
        assert resolve(uri, allow_hosts=["x.test", allowed])
    else:
        with pytest.raises(SourceError):
            resolve(uri, allow_hosts=["x.test", allowed])


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("https://other.org/b", "https://other.org/b"),
        ("/b?c", "https://iana.org/b?c"),
        ("b", "https://iana.org/a/b"),
        ("../b", "https://iana.org/b"),
        ("../../../b", "https://iana.org/b"),
        ("?c", "https://iana.org/a/page?c"),
        ("//other.org/b", "https://other.org/b"),
        ("  /b  ", "https://iana.org/b"),
        ("/b#c", "https://iana.org/b"),
        ("/é", "https://iana.org/%C3%A9"),
        ("/\udce9", "https://iana.org/%E9"),
        ("/a b", "https://iana.org/a%20b"),
    ],
)
def test_a_location_is_resolved_against_the_page(location, url):
    source = resolve("https://iana.org/a/page?x=y")
    assert redirect_target(source, location, followed=0).url == url


@pytest.mark.parametrize(
    ("location", "code"),
    [
        (None, "REDIRECT_WITHOUT_LOCATION"),
        ("", "REDIRECT_WITHOUT_LOCATION"),
        ("  ", "REDIRECT_WITHOUT_LOCATION"),
        ("http://iana.org/", "HTTPS_DOWNGRADE_REDIRECT"),
        ("http://127.0.0.1/", "INVALID_REDIRECT_TARGET"),
        ("https://127.0.0.1/", "INVALID_REDIRECT_TARGET"),
        ("https://10.0.0.1/", "INVALID_REDIRECT_TARGET"),
        ("https://169.254.169.254/", "INVALID_REDIRECT_TARGET"),
        ("https://[::1]/", "INVALID_REDIRECT_TARGET"),
        ("https://[::ffff:127.0.0.1]/", "INVALID_REDIRECT_TARGET"),
        ("https://[bad/", "INVALID_REDIRECT_TARGET"),
        ("https://0x7f.1/", "INVALID_REDIRECT_TARGET"),
        ("//localhost/", "INVALID_REDIRECT_TARGET"),
        ("https://user:pw@iana.org/", "INVALID_REDIRECT_TARGET"),
        ("https://iana.org:8080/", "INVALID_REDIRECT_TARGET"),
        ("ftp://iana.org/", "INVALID_REDIRECT_TARGET"),
        ("file:///etc/passwd", "INVALID_REDIRECT_TARGET"),
        ("data:text/html,hi", "INVALID_REDIRECT_TARGET"),
        ("javascript:alert(1)", "INVALID_REDIRECT_TARGET"),
        ("/a\x01b", "INVALID_REDIRECT_TARGET"),
        ("https://\udce9.org/", "INVALID_REDIRECT_TARGET"),
    ],
)
def test_a_hop_is_checked_like_the_first(location, code):
    with pytest.raises(SourceError) as raised:
        redirect_target(resolve("https://iana.org/"), location, followed=0)
    assert raised.value.code == code


def test_five_redirects_are_followed_and_no_more():
    source = resolve("https://iana.org/")
    assert redirect_target(source, "/a", followed=4)
    with pytest.raises(SourceError) as raised:
        redirect_target(source, "/a", followed=5)
    assert raised.value.code == "TOO_MANY_REDIRECTS"


def test_http_may_redirect_to_https_and_to_http():
    source = resolve("http://iana.org/")
    assert redirect_target(source, "https://iana.org/", followed=0).scheme == "https"
    assert redirect_target(source, "http://other.org/", followed=0).scheme == "http"
