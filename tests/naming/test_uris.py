"""What kind of source a URI names: the one classification that check, hook and editor share."""

from __future__ import annotations

import pytest

from tracecite_lint.naming.uris import UriKind, scheme_of, uri_kind, web_address


@pytest.mark.parametrize(
    ("uri", "kind"),
    [
        ("https://www.iana.org/", UriKind.WEB),
        ("HTTP://www.iana.org/", UriKind.WEB),
        (" https://www.iana.org/", UriKind.WEB),
        ("//www.iana.org/", UriKind.WEB),
        ("https:", UriKind.WEB),
        ("http:/x", UriKind.WEB),
        ("https-notes.md", UriKind.FILE),
        ("https", UriKind.FILE),
        ("http/notes.md", UriKind.FILE),
        ("/https://www.iana.org/", UriKind.FILE),
        ("notes.md#https://www.iana.org/", UriKind.FILE),
        ("./https:notes.md", UriKind.FILE),
        ("", UriKind.FILE),
        ("#part", UriKind.FILE),
        ("FILE:///a", UriKind.FILE),
        ("httpx://www.iana.org/", UriKind.OTHER),
        ("https+git://www.iana.org/", UriKind.OTHER),
        ("mailto:a@b.org", UriKind.OTHER),
        ("captured:1", UriKind.OTHER),
    ],
)
def test_the_scheme_decides(uri: str, kind: UriKind) -> None:
    assert uri_kind(uri) is kind


def test_an_address_without_a_scheme_is_https() -> None:
    assert web_address(" //www.iana.org/a ") == "https://www.iana.org/a"
    assert web_address("http://www.iana.org/a") == "http://www.iana.org/a"
    assert scheme_of("//www.iana.org/a") == ""
