"""Where an open file is to be shown: the range of a citation's words in a local source, as the editor counts it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from tracecite_lint.files.opening import RefusedError, read_below
from tracecite_lint.inputs.reader import decode
from tracecite_lint.light.lazy import regex
from tracecite_lint.sources.files import MAX_BYTES
from tracecite_lsp.citations import Place
from tracecite_lsp.document import readable
from tracecite_lsp.positions import Positions
from tracecite_lsp.uris import file_path

_WORD = regex(r"[^\W_]+")

Buffer = Callable[[Path], tuple[bytes, int] | None]
"""Gives the text of an open document, and its revision; None for a file that is not open."""


def selection(place: Place, root: Path, buffer: Buffer, encoding: str) -> types.Range | None:
    """Return the range of the words at *place*, a local source below *root*, in units of *encoding*.

    Where they are not written plainly (markup between them, escapes) that is the line they begin on; None if that is not
    known either, as in a PDF.
    """
    if place.page is None or place.range is None or (name := file_path(place.uri)) is None:
        return None
    line = (
        types.Range(types.Position(place.line - 1, 0), types.Position(place.line, 0))
        if place.line
        else None
    )
    text = _text(Path(name), root, buffer)
    if text is None:
        return line
    positions = Positions(text, encoding)
    since = positions.offset(types.Position(place.line - 1, 0)) if place.line else 0
    start, end = place.range
    # The page has the text as it is shown; in the file there are line ends, marks of emphasis and quoting between words.
    words = _WORD.findall(place.page.text[start:end])
    found = re.compile(r"[\W_]+".join(map(re.escape, words))).search(text, since) if words else None
    return positions.range(*found.span()) if found is not None else line


def _text(path: Path, root: Path, buffer: Buffer) -> str | None:
    """Return the text of a file as the editor has it, or would open it; None if it is none, or cannot be read any more."""
    found = buffer(path)
    try:
        data = found[0] if found is not None else read_below(path, root, limit=MAX_BYTES)
        return readable(decode(data)) if data is not None else None
    except (OSError, ValueError, RefusedError):
        return None
