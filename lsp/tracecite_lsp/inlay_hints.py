"""`textDocument/inlayHint`: what is known of each citation, in a word behind it."""

from __future__ import annotations

from lsprotocol import types

from tracecite_lint.model import CheckedCitation, Verdict
from tracecite_lsp.citations import read_ago
from tracecite_lsp.session import Session


async def inlay_hints(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Return the hints in a range; none unless the user wants them (`tracecite.inlayHints`)."""
    document = session.find(params.text_document.uri)
    if document is None or not document.settings.inlay_hints:
        return []
    looked = await session.looked(document)
    if looked is None:
        return []
    first = looked.places.positions.offset(params.range.start)
    last = looked.places.positions.offset(params.range.end)
    hints = []
    for item in looked.citations:
        _, end = looked.places.offsets(item.citation.source.span or item.citation.span)
        if first <= end <= last:
            hints.append(
                types.InlayHint(
                    position=looked.places.positions.position(end),
                    label=_label(item),
                    padding_left=True,
                )
            )
    return hints


def _label(item: CheckedCitation) -> str:
    if item.verdict is None:
        return "… not read yet"
    if item.verdict is Verdict.MISMATCH:
        return "✗ not in the source"
    if item.verdict is Verdict.UNVERIFIABLE:
        return f"? {item.code}"
    if item.fetched_at is None or (item.final_url or "").startswith("file:"):
        return "✓"
    return f"✓ {read_ago(item.fetched_at)}"
