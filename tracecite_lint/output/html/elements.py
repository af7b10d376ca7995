"""HTML, written so that no text can be anything but text.

By hand, as the page needs a dozen elements and the standard library has the escaping: a template engine would be one
more dependency of every installation.
"""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from tracecite_lint.naming.uris import is_web, web_address
from tracecite_lint.output.findings import one_line

_RESERVED = ":/?#[]@!$&'()*+,;=%-._~"
_HIDDEN_CREDENTIALS = "…@"


def text(words: str) -> str:
    """Return *words* on one line as the content of an element; what is invisible or reorders a line is an escape."""
    return escape(one_line(words))


def attributes(**values: str) -> str:
    """Return ` name="value"` for each value that is not empty; `_` in a name is `-`, and one at its end is none."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(one_line(value))}"'
        for name, value in values.items()
        if value
    )


def element(name: str, content: str, **values: str) -> str:
    """Return an element with *content*, which is HTML, and attributes with text as their values."""
    return f"<{name}{attributes(**values)}>{content}</{name}>"


def link(content: str, address: str, **values: str) -> str:
    """Return *content*, which is HTML, as a link; as it is where there is no address."""
    return element("a", content, href=address, **values) if address else content


def web_link(uri: str) -> str:
    """Return *uri* as the address of a link, in ASCII; empty unless it is a web page's that is shown in full.

    No other scheme becomes a link: a browser would run `javascript:`.
    """
    if not is_web(uri) or _HIDDEN_CREDENTIALS in uri:
        return ""
    address = re.sub(r"[\x00-\x20\x7f]", "", web_address(uri))
    if not address.lower().startswith(("https://", "http://")):
        return ""
    return quote(address.encode("utf-8", "replace"), safe=_RESERVED)


def shortened(words: str, size: int) -> str:
    """Return *words* on one line, the middle left out if they take more than *size* bytes."""
    words = " ".join(words.split())
    if len(words.encode("utf-8", "replace")) <= size:
        return words
    head, tail = _head(words, size // 2), _tail(words, size // 2)
    return f"{head} … {tail}"


def beginning(words: str, size: int) -> str:
    """Return as many of the first *words* as fit into *size* bytes, with an ellipsis if these are not all."""
    return words if len(words.encode("utf-8", "replace")) <= size else f"{_head(words, size)}…"


def end(words: str, size: int) -> str:
    """Return as many of the last *words* as fit into *size* bytes, with an ellipsis if these are not all."""
    return words if len(words.encode("utf-8", "replace")) <= size else f"…{_tail(words, size)}"


def _head(words: str, size: int) -> str:
    cut = words.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
    return cut[: cut.rfind(" ")] if " " in cut[len(cut) // 2 :] else cut


def _tail(words: str, size: int) -> str:
    cut = words.encode("utf-8", "replace")[-size:].decode("utf-8", "ignore")
    return cut[cut.find(" ") + 1 :] if " " in cut[: len(cut) // 2] else cut
