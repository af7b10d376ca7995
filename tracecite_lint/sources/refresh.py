"""Declarative refreshes: a page that leads on to another by a `Refresh` header or a `<meta http-equiv="refresh">`.

The steps are those of the HTML Standard ("shared declarative refresh steps"), which browsers follow for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urldefrag, urljoin

from tracecite_lint.light.lazy import dataclass, regex

MAX_DELAY = 5
"""Seconds: a page that leads on so soon is followed like a redirect; of a later one people read something."""

_REFRESH = regex(
    r"[\t\n\f\r ]*+(?P<seconds>[0-9]{1,300}|(?=\.))[0-9.]*+"
    r"(?:(?=[;,\t\n\f\r ])[\t\n\f\r ]*+[;,]?[\t\n\f\r ]*+(?P<target>.*))?",
    re.DOTALL,
)
_NAMED = regex(r"url[\t\n\f\r ]*=[\t\n\f\r ]*(.*)", re.DOTALL | re.IGNORECASE)
_DROPPED_IN_URLS = regex(r"[\t\n\r]")
_AROUND_URLS = "".join(map(chr, range(0x21)))


@dataclass(frozen=True, slots=True)
class Refresh:
    """Where a page leads on to, an absolute URL, and after how many seconds."""

    seconds: int
    url: str


def refresh_of(values: Iterable[str | None], url: str, base: str = "") -> Refresh | None:
    """Return where the page at *url* leads on to, None if it stays or only loads itself again.

    *values* are those of the header and of the elements, in the order in which a browser meets them: the first that is
    valid counts. *base* is the page's own base URL, if it names one.
    """
    for value in values:
        match = _REFRESH.fullmatch(value or "")
        if match is None:
            continue
        try:
            target = urljoin(urljoin(url, base), _target(match["target"] or ""))
        except ValueError:
            continue
        if target.lower().startswith("javascript:"):
            continue
        if urldefrag(target).url == urldefrag(url).url:
            return None
        return Refresh(int(match["seconds"] or 0), target)
    return None


def _target(written: str) -> str:
    match = _NAMED.fullmatch(written)
    target = match[1] if match else written
    if target[:1] in ("'", '"'):
        target = target[1:].partition(target[0])[0]
    return _DROPPED_IN_URLS.sub("", target).strip(_AROUND_URLS)
