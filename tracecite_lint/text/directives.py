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
    found = map(_directive, _written(uri))
    return tuple(directive for directive in found if directive is not None)


def _written(uri: str) -> list[str]:
    directives = uri.partition("#")[2].partition(DELIMITER)[2]
    return [item.removeprefix(TEXT) for item in directives.split("&") if item.startswith(TEXT)]


def is_malformed(uri: str) -> bool:
    """Tell whether *uri* has a text directive that browsers leave out, or read in another way than it looks.

    A hyphen in a term has to be written `%2D`: a bare one at its end or beginning marks a prefix or a suffix.
    """
    return any(
        _directive(written) is None
        or ("-" in written.removesuffix("-") and _has_bare_hyphen(written))
        for written in _written(uri)
    )


def _has_bare_hyphen(written: str) -> bool:
    parts = written.split(",")
    if parts[0].endswith("-"):
        parts[0] = parts[0][:-1]
    if parts[-1].startswith("-"):
        parts[-1] = parts[-1][1:]
    return any("-" in part for part in parts)


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
