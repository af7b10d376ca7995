"""`textDocument/documentLink`: from a citation to the very sentence in its source."""

from __future__ import annotations

from lsprotocol import types

from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.citations import is_verified, link_of
from tracecite_lsp.looking import Looked
from tracecite_lsp.session import Session


async def document_links(
    session: Session, params: types.DocumentLinkParams
) -> list[types.DocumentLink]:
    """Return a link for each source that can be opened."""
    document = session.find(params.text_document.uri)
    looked = await session.looked(document) if document is not None else None
    if looked is None:
        return []
    links = await in_thread(lambda: _links(looked))
    if not session.client.shows_link_tooltips:
        for link in links:
            link.tooltip = None
    return links


def _links(looked: Looked) -> list[types.DocumentLink]:
    links: dict[tuple[int, int, int, int], types.DocumentLink] = {}
    # Page by page: the text of one is read from the cache.
    for item in sorted(looked.citations, key=lambda item: item.citation.source.uri):
        link_of(looked, item)
    # Several quotations may have one link: it leads to the first of them that is found.
    for item in sorted(looked.citations, key=lambda item: not is_verified(item)):
        link = link_of(looked, item)
        if link is None or item.citation.source.span is None:
            continue
        range = looked.places.range(item.citation.source.span)
        name = (range.start.line, range.start.character, range.end.line, range.end.character)
        uri, is_at_quotation = link
        at = "at the quotation" if is_at_quotation else ""
        links.setdefault(
            name,
            types.DocumentLink(range=range, target=uri, tooltip=f"Open the source {at}".rstrip()),
        )
    return list(links.values())
