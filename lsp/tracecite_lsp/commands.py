"""`workspace/executeCommand`: the commands behind code actions and the editor's own menus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from lsprotocol import types
from lsprotocol.converters import get_converter

from tracecite_lint.engine.reach import resolve_source
from tracecite_lint.model import CheckedCitation, without_added_marks
from tracecite_lint.naming.file_names import suffix_of
from tracecite_lint.naming.uris import (
    is_web,
    public_uri,
    scheme_of,
    web_address,
    without_passwords,
)
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.citations import citations_at, place_of
from tracecite_lsp.looking import Looked
from tracecite_lsp.overview import citation_list
from tracecite_lsp.positions import Positions
from tracecite_lsp.session import Session
from tracecite_lsp.uris import last_part

_Kind = TypeVar("_Kind")

CHECK = "tracecite.check"
REFETCH = "tracecite.refetch"
OPEN = "tracecite.open"
FIX_ALL = "tracecite.fixAll"
CITATIONS = "tracecite.citations"
TEXT = "tracecite.text"
CHECK_WORKSPACE = "tracecite.checkWorkspace"


async def check(session: Session, uri: str) -> None:
    """Check the document *uri* now, pages included, whatever `tracecite.run` says."""
    session.check(str(uri))


async def refetch(session: Session, uri: str, source: str) -> None:
    """Ask the server of *source*, as the document *uri* writes it, again."""
    document = session.find(str(uri))
    looked = await session.looked(document) if document is not None else None
    if document is None or looked is None:
        return
    target = resolve_source(str(source), looked.job)
    if isinstance(target, WebSource):
        session.refetch(document, target)


async def citations(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the citations of the document *uri* as a list to choose from (`overview.citation_list`)."""
    document = session.find(str(uri))
    looked = await session.looked(document) if document is not None else None
    return await in_thread(lambda: citation_list(looked)) if looked is not None else []


async def text(session: Session, uri: str, position: object) -> dict[str, Any] | None:
    """Return the text that the citation at *position* of the document *uri* is compared with.

    `text` is that of the source as a reader sees it, `source` its address, `range` the place of the quotation, or of what
    comes closest to it. None where there is no citation, or its source has not been read.
    """
    document = session.find(str(uri))
    looked = await session.looked(document) if document is not None else None
    if looked is None:
        return None
    at = looked.places.positions.offset(_structured(position, types.Position))
    encoding = session.client.encoding
    return await in_thread(
        lambda: next(_texts(looked, citations_at(looked, at, at), encoding), None)
    )


def _texts(
    looked: Looked, items: Iterable[CheckedCitation], encoding: str
) -> Iterator[dict[str, Any]]:
    for item in items:
        place = place_of(looked, item)
        if place is None or place.page is None:
            continue
        whole = place.page.text
        text = without_added_marks(whole)
        range = None
        if place.range is not None:
            start, end = (len(without_added_marks(whole[:offset])) for offset in place.range)
            range = Positions(text, encoding).range(start, end)
        source = without_passwords(public_uri(item.citation.source.uri))
        yield {"text": text, "source": source, "range": range}


async def open_source(session: Session, target: str, selection: object = None) -> None:
    """Show *target*, a web page or a file, to the user; of a file the *selection*, a range as JSON."""
    target = str(target)
    if is_web(target):
        await session.client.open(web_address(target), external=True)
    elif scheme_of(target) == "file":
        # A PDF is for another program: no editor shows it as text.
        is_for_others = suffix_of(last_part(target)) == ".pdf"
        shown = _structured(selection, types.Range) if selection else None
        await session.client.open(target, external=is_for_others, selection=shown)


def _structured(value: object, kind: type[_Kind]) -> _Kind:
    """Return *value*, an argument as JSON, as *kind*. Raises what cattrs raises for one that is none."""
    found: _Kind = get_converter().structure(value, kind)
    return found
