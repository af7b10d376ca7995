"""Where the address of a citation's source stands in its document."""

from __future__ import annotations

from tracecite_lint.model import Citation
from tracecite_lsp.looking import Looked


def address_range(looked: Looked, citation: Citation) -> tuple[int, int] | None:
    """Return the half-open range of offsets at which the address of *citation* is written, in the editor's text.

    A source's span is that of its whole link; the address is the last thing in it that reads like the URI. Where it is
    written with escapes there is no such thing, and the whole link is returned. None if the document does not say.
    """
    if citation.source.span is None:
        return None
    start, end = looked.places.offsets(citation.source.span)
    # From the end: `[https://a.example](https://a.example)` has the address twice.
    at = looked.places.positions.text.rfind(citation.source.uri, start, end)
    return (start, end) if at < 0 else (at, at + len(citation.source.uri))


def is_written_plainly(looked: Looked, citation: Citation) -> bool:
    """Tell whether the address of *citation* stands in the document as it is, without escapes."""
    place = address_range(looked, citation)
    return place is not None and place[1] - place[0] == len(citation.source.uri)
