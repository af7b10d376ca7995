"""Character references (HTML, section 13.5), for texts that have any: the table of their names takes long to import."""

from __future__ import annotations


def unescape(text: str) -> str:
    """Return *text* with its character references decoded as HTML does."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)


def named(name: str) -> str | None:
    """Return what the reference of this *name*, its semicolon included, stands for; None if there is no such name."""
    from html.entities import html5

    return html5.get(name)
