"""Text directives in the fragment of a URL: a link that says itself which words it points at.

Syntax: WICG, URL Fragment Text Directives (Draft Community Group Report), section 3.4 "Parsing": after `:~:` directives are
parted by `&`; a text directive is `text=[prefix-,]start[,end][,-suffix]`, each part percent-encoded.
"""

from __future__ import annotations

from urllib.parse import unquote

from tracecite_lint.model import TextDirective

DELIMITER = ":~:"
TEXT = "text="


def text_directives(uri: str) -> tuple[TextDirective, ...]:
    """Return the text directives of *uri*, in order; malformed ones are left out, as browsers do."""
    fragment = uri.partition("#")[2]
    directives = fragment.partition(DELIMITER)[2]
    found = (
        _directive(item.removeprefix(TEXT))
        for item in directives.split("&")
        if item.startswith(TEXT)
    )
    return tuple(directive for directive in found if directive is not None)


def _directive(value: str) -> TextDirective | None:
    parts = value.split(",")
    prefix = suffix = None
    if parts[0].endswith("-"):
        prefix = _decoded(parts.pop(0)[:-1])
    if parts and parts[-1].startswith("-"):
        suffix = _decoded(parts.pop()[1:])
    if not 1 <= len(parts) <= 2 or prefix == "" or suffix == "":
        return None
    words = [_decoded(part) for part in parts]
    if not all(words):
        return None
    return TextDirective(words[0], words[1] if len(words) > 1 else None, prefix, suffix)


def _decoded(part: str) -> str:
    return unquote(part, errors="replace").strip()
