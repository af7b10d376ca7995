"""The citations of a trace against the text that a source has now."""

from __future__ import annotations

from tracecite_lint.errors import require_text
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find
from tracecite_lint.trace.events import Answer, Cited, Finding, TextTrace, ToolResult, read_events
from tracecite_lint.trace.report import LiveCitationMatch


def check_live_source_quotes(text: str, uri: str, live_content: str) -> list[LiveCitationMatch]:
    """Look for the quote of each citation of *uri* in *live_content*, under docs/matching.md.

    The trace *text* need not be valid: what cannot be read of it is passed over. A citation without a quote is not
    present. The order is that of the answer.
    """
    require_text("check_live_source_quotes", text=text, uri=uri, live_content=live_content)
    source_ids: set[str] = set()
    cited: list[tuple[int, Cited]] = []
    unread: list[Finding] = []
    for event in read_events(TextTrace(text), unread.append):
        # A call that failed gave no source, whatever it lists (docs/traces.md).
        if isinstance(event, ToolResult) and event.ok:
            source_ids.update(source.id for source in event.sources if source.uri == uri)
        elif isinstance(event, Answer):
            for index, claim in enumerate(event.claims, start=1):
                cited += [(index, citation) for citation in claim]
    live = fold(live_content)
    return [
        LiveCitationMatch(
            citation.source_id,
            index,
            citation.quote is not None and find(live, [citation.quote]) is not None,
        )
        for index, citation in cited
        if citation.source_id in source_ids
    ]
