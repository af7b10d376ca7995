"""Markdown as its readers see it: rendered to HTML, whose visible text is compared."""

from __future__ import annotations

from tracecite_lint.sources.visible import unix_lines


def rendered_markdown(text: str, *, positions: bool = False) -> str:
    """Return the HTML of *text* as GitHub Flavored Markdown with footnotes and alerts, raw HTML included.

    Headings carry the ids that GitHub gives them; with *positions* elements say by `data-sourcepos` which lines they
    come from.
    """
    import comrak

    extensions = comrak.ExtensionOptions(
        strikethrough=True,
        table=True,
        autolink=True,
        tasklist=True,
        footnotes=True,
        alerts=True,
        cjk_friendly_emphasis=True,
        header_id_prefix="",
    )
    options = comrak.RenderOptions(unsafe_=True, sourcepos=positions)
    return comrak.markdown_to_html(unix_lines(text), extensions, comrak.ParseOptions(), options)
