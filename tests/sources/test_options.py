"""The values of --connect-to, and what they match."""

from pathlib import Path

import pytest

from tracecite_lint.sources.options import (
    ConnectTo,
    FetchOptions,
    HostOptions,
    allowed_host,
    check_options,
    parse_connect_to,
)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("iana.org:443:127.0.0.1:8443", ConnectTo("iana.org", 443, "127.0.0.1", 8443)),
        ("IANA.org:443:Other.org:8443", ConnectTo("iana.org", 443, "other.org", 8443)),
        ("::127.0.0.1:8443", ConnectTo(None, None, "127.0.0.1", 8443)),
        (":443::8443", ConnectTo(None, 443, None, 8443)),
        ("iana.org::other.org:", ConnectTo("iana.org", None, "other.org", None)),
        ("iana.org:443:[::1]:8443", ConnectTo("iana.org", 443, "::1", 8443)),
        ("[2001:200::1]:443:[::1]:", ConnectTo("2001:200::1", 443, "::1", None)),
        ("bücher.de:443:a:1", ConnectTo("xn--bcher-kva.de", 443, "a", 1)),
        (":::", ConnectTo(None, None, None, None)),
    ],
)
def test_connect_to_is_read_as_curl_does(value, rule):
    assert parse_connect_to(value) == rule


@pytest.mark.parametrize(
    "value", ["", "iana.org", "a:443:b", "a:x:b:1", "a:0:b:1", "a:1:b:65536", "a:1:::1:2", "a:1:b:2:3", "a:1:b:٣"]
)  # fmt: skip
def test_any_other_value_is_an_error_of_one_line(value):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        parse_connect_to(value)


@pytest.mark.parametrize(
    ("rule", "host", "port", "matches"),
    [
        ("iana.org:443:a:1", "iana.org", 443, True),
        ("iana.org:443:a:1", "iana.org", 80, False),
        ("iana.org:443:a:1", "www.iana.org", 443, False),
        (":443:a:1", "iana.org", 443, True),
        ("iana.org::a:1", "iana.org", 80, True),
        ("::a:1", "iana.org", 80, True),
    ],
)
def test_an_empty_part_matches_anything(rule, host, port, matches):
    assert parse_connect_to(rule).matches(host, port) is matches


def test_a_host_has_options_of_its_own():
    options = FetchOptions(ttl=100.0, hosts={"iana.org": HostOptions(ttl=5.0, concurrency=1)})
    assert options.ttl_of("iana.org") == 5.0
    assert options.ttl_of("other.org") == 100.0
    assert options.host("iana.org").concurrency == 1
    assert options.host("other.org") == HostOptions()


@pytest.mark.parametrize(
    "changes",
    [
        {"concurrency": 0},
        {"interval": -1.0},
        {"user_agent": "a\r\nCookie: b"},
        {"user_agent": "naïve"},
        {"headers": {"X Y": "a"}},
        {"headers": {"X": "a\nb"}},
        {"headers": {"": "a"}},
    ],
)
def test_what_cannot_be_sent_is_refused(changes):
    with pytest.raises(ValueError):
        HostOptions(**changes)


@pytest.mark.parametrize(
    ("entry", "host"),
    [
        ("Wiki.corp", ("wiki.corp", None)),
        ("wiki.corp:8080", ("wiki.corp", 8080)),
        ("wiki", ("wiki", None)),
        (" bücher.corp. ", ("xn--bcher-kva.corp", None)),
        ("10.0.0.1", ("10.0.0.1", None)),
    ],
)
def test_an_allowed_host_has_a_port_or_none(entry, host):
    assert allowed_host(entry) == host


@pytest.mark.parametrize(
    "options",
    [
        FetchOptions(allow_hosts=frozenset({""})),
        FetchOptions(allow_hosts=frozenset({"a:b"})),
        FetchOptions(allow_hosts=frozenset({"a:70000"})),
        FetchOptions(allow_hosts=frozenset({"http://wiki.corp/"})),
        FetchOptions(allow_hosts=frozenset({"ü..x"})),
        FetchOptions(proxy="socks5://127.0.0.1:1080"),
        FetchOptions(proxy="http://"),
        FetchOptions(proxy="http://[::1"),
        FetchOptions(proxy="http://127.0.0.1:99999"),
        FetchOptions(cafile=Path("no-such-file.pem")),
        FetchOptions(cafile=Path(__file__)),
    ],
)
def test_an_option_that_cannot_be_used_is_an_error_of_one_line(options):
    with pytest.raises(ValueError, match=r"^--(allow-host|proxy|cafile)\b[^\n]+$"):
        check_options(options)


def test_options_that_can_be_used_are_none(cafile):
    check_options(FetchOptions())
    check_options(FetchOptions(proxy="127.0.0.1:3128", cafile=cafile))
    check_options(FetchOptions(proxy="http://me:secret@127.0.0.1:3128"))
    check_options(FetchOptions(allow_hosts=frozenset({"wiki.corp", "wiki.corp:8080"})))


def test_the_error_about_a_proxy_does_not_show_its_password():
    with pytest.raises(ValueError, match=r"^--proxy: the URL cannot be read") as caught:
        check_options(FetchOptions(proxy="http://me:secret@127.0.0.1:99999"))
    assert "secret" not in str(caught.value)
