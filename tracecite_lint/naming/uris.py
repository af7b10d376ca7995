"""URIs as documents write them: what kind of source one names. Pure, and the one place that tells."""

from __future__ import annotations

import re
from enum import Enum
from urllib.parse import urlsplit

from tracecite_lint.light.lazy import regex

_SCHEME = regex(r" *([A-Za-z][A-Za-z0-9+.-]*):")


class UriKind(Enum):
    """Where a source has to be looked for."""

    WEB = "web"
    FILE = "file"
    OTHER = "other"
    """A scheme that is not read: `mailto:`, `doi:`, or one that only a record itself knows."""


def scheme_of(uri: str) -> str:
    """Return the scheme of *uri* in lower case; empty for a relative reference."""
    found = _SCHEME.match(uri)
    return found[1].lower() if found else ""


def uri_kind(uri: str) -> UriKind:
    """Return what kind of source *uri* names: the scheme decides, and `//host/path` without one is a web address.

    Nothing is said of whether it is a sound one: `https:` alone is of the web too.
    """
    scheme = scheme_of(uri)
    if scheme in ("http", "https") or (not scheme and uri.lstrip(" ").startswith("//")):
        return UriKind.WEB
    return UriKind.FILE if scheme in ("", "file") else UriKind.OTHER


def is_web(uri: str) -> bool:
    """Tell whether *uri* names a web page."""
    return uri_kind(uri) is UriKind.WEB


def web_address(uri: str) -> str:
    """Return *uri*, which names a web page, with its scheme: `//host/path` is read as `https`, as pages are today."""
    uri = uri.strip(" ")
    return uri if scheme_of(uri) else f"https:{uri}"


# The characters around credentials as browsers and Markdown read them: escaped, as an entity, in another width.
_AT = r"(?:@|%40|\uff20|\ufe6b|&\#0{0,6}64;|&\#x0{0,6}40;|&commat;)"
_SLASH = r"(?:\\?/|\\|&\#0{0,6}47;|&\#x0{0,6}2f;|&sol;)"

# User and password of a URL, as RFC 3986 has them and as people write them: with any number of slashes behind `https:`,
# with a `/`, `?` or `#` in the password (then what stands for the port is no number). `//` counts where no path goes on.
_CREDENTIALS = regex(
    rf"""
    (?P<before> https?:{_SLASH}{{0,8}}(?!{_SLASH}) | (?<![\w./~%\\;-]){_SLASH}{{2}} )
    (?:
        (?:(?!{_AT})[^\s/\\?#<>]){{1,512}}
      | (?:(?!{_AT})[^\s/\\?#"<>:]){{0,256}} : (?!\d{{0,5}}(?:[/\\?#\s"<>]|\Z)) [^\s"<>]{{1,256}}
    )
    (?P<at> {_AT} )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MAY_HOLD = regex(_AT, re.IGNORECASE)
_AT_BEGINNINGS = ("@", "%40", "\uff20", "\ufe6b", "&")

# Of a URI by itself all that stands before the host, white space too.
_OWN_CREDENTIALS = regex(
    rf"\A( *(?:[a-z][a-z0-9+.-]*:)?{_SLASH}{{2,8}})(?:(?!{_AT})[^/?#\\])*{_AT}", re.IGNORECASE
)
_HALF_PAIR = regex("[\ud800-\udfff]")


def may_hold_password(text: str) -> bool:
    """Tell whether *text* has anything that credentials end in."""
    # The pattern is not even compiled for what holds none of its beginnings, as most addresses.
    return any(mark in text for mark in _AT_BEGINNINGS) and _MAY_HOLD.search(text) is not None


def without_passwords(text: str) -> str:
    """Return *text*, a URI or words with URIs in them, with `…` for the user and the password of each URL."""
    if not may_hold_password(text):
        return text
    return _CREDENTIALS.sub(lambda found: f"{found['before']}…@", text)


def masked(line: str) -> str:
    """Return *line* with a `*` for each character of the passwords in it, so that columns stay what they are."""
    if not may_hold_password(line):
        return line

    def stars(found: re.Match[str]) -> str:
        hidden = len(found[0]) - len(found["before"]) - len(found["at"])
        return found["before"] + "*" * hidden + found["at"]

    return _CREDENTIALS.sub(stars, line)


def public_uri(uri: str) -> str:
    """Return *uri* as it may be shown and kept: without a password, and with no half of a surrogate pair."""
    shown = _OWN_CREDENTIALS.sub(r"\1…@", without_passwords(uri))
    return _HALF_PAIR.sub("\N{REPLACEMENT CHARACTER}", shown)


# ---- What an address tells of its page ---------------------------------------------------------------------------------

_PROFILE_PATH = regex(
    r"/(?:users?|u|people|profiles?|authors?|members?|in)(?:/[^/]*){1,2}/?|/@[\w.-]+(?:/about)?/?"
    r"|/store/apps/(?:dev|developer|details)/?",
    re.IGNORECASE,
)
_ONE_NAME_HOSTS = frozenset(
    "twitter.com x.com github.com gitlab.com instagram.com facebook.com mastodon.social bsky.app t.me".split()  # noqa: SIM905
)
_TRACKING = regex(
    r"(?P<mark>[?&])(?:utm_[a-z_]+|[gdm]clid|msclkid|fbclid|yclid|twclid|ttclid|mc_[ce]id|igshid|srsltid|_hs(?:enc|mi))=[^&#\s]*",
    re.IGNORECASE,
)


def is_profile(uri: str) -> bool:
    """Tell whether *uri* is a person's or a product's own page, which is seldom where the words stand."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    if not parts.netloc:
        return False
    host = parts.netloc.lower().removeprefix("www.").removeprefix("mobile.")
    if host in _ONE_NAME_HOSTS and parts.path.rstrip("/").count("/") == 1:
        return True
    return _PROFILE_PATH.fullmatch(parts.path) is not None


def tracking_in(uri: str) -> list[str]:
    """Return the parameters of *uri*, as `name=value`, that tell its server where the reader comes from."""
    return [match[0][1:] for match in _TRACKING.finditer(uri.partition("#")[0])]


def without_tracking(uri: str) -> str:
    """Return *uri* without these parameters."""
    address, mark, fragment = uri.partition("#")
    bare = _TRACKING.sub(lambda match: "?" if match["mark"] == "?" else "", address)
    return bare.replace("?&", "?", 1).removesuffix("?") + mark + fragment
