"""Markdown as its readers see it: rendered to HTML, whose visible text is compared."""

from __future__ import annotations

import re

from tracecite_lint.light.lazy import regex
from tracecite_lint.naming.markdown import GITHUB_FLAVOURED
from tracecite_lint.sources.visible import unix_lines

# What opens so many blocks in one line is no document, and costs the square of their number.
_TOO_DEEP = regex(r"^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){500}", re.MULTILINE)


def rendered_markdown(text: str, *, positions: bool = False) -> str:
    """Return the HTML of *text* as GitHub Flavored Markdown with footnotes and alerts, raw HTML included.

    Headings carry the ids that GitHub gives them; with *positions* elements say by `data-sourcepos` which lines they
    come from. Raises ValueError for blocks that are nested hundreds deep.
    """
    import comrak

    if _TOO_DEEP.search(text):
        raise ValueError("blocks are nested too deeply")

    extensions = comrak.ExtensionOptions(
        **GITHUB_FLAVOURED,
        # No reader sees the marker of an alert; in a document it says something (`> [!quote]`), so it is left there.
        alerts=True,
        header_id_prefix="",
    )
    options = comrak.RenderOptions(unsafe_=True, sourcepos=positions)
    return comrak.markdown_to_html(unix_lines(text), extensions, comrak.ParseOptions(), options)
