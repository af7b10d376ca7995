"""`textDocument/codeLens`: above the first place of each source, how many of its quotations stand."""

from __future__ import annotations

from lsprotocol import types

from tracecite_lint.engine.reach import resolve_source
from tracecite_lint.model import CheckedCitation
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.citations import place_of
from tracecite_lsp.commands import OPEN
from tracecite_lsp.looking import Looked
from tracecite_lsp.overview import standing
from tracecite_lsp.session import Session


async def code_lenses(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Return one lens for each source; none unless the user wants them (`tracecite.codeLens`)."""
    document = session.find(params.text_document.uri)
    if document is None or not document.settings.code_lens:
        return []
    looked = await session.looked(document)
    return await in_thread(lambda: _lenses(looked)) if looked is not None else []


def _lenses(looked: Looked) -> list[types.CodeLens]:
    by_source: dict[object, list[CheckedCitation]] = {}
    for item in looked.citations:
        target = resolve_source(item.citation.source.uri, looked.job)
        key = item.citation.source.uri if isinstance(target, SourceError) else target.key
        by_source.setdefault(key, []).append(item)
    return [_lens(looked, items) for items in by_source.values()]


def _lens(looked: Looked, items: list[CheckedCitation]) -> types.CodeLens:
    # A source may be written down far behind the words, as in a list of references: there is where one asks for it.
    spans = [item.citation.source.span or item.citation.span for item in items]
    place = place_of(looked, items[0])
    arguments = [place.uri] if place is not None else []
    return types.CodeLens(
        range=looked.places.range(min(spans)),
        command=types.Command(
            title=standing(items), command=OPEN if arguments else "", arguments=arguments
        ),
    )
