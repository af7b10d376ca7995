"""What a hover says of a claim without quotation marks: which of its figures stand where (docs/claims.md)."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.engine.claims import figures_with_passages
from tracecite_lint.model import CheckedCitation, Verdict
from tracecite_lsp.looking import Looked


def claims_at(looked: Looked, at: int) -> list[CheckedCitation]:
    """Return the claims, each with one of its sources, whose sentence holds the offset *at*."""
    return [
        item
        for item in looked.claims
        for start, end in [looked.places.offsets(item.citation.span)]
        if start <= at <= end
    ]


def figure_lines(looked: Looked, item: CheckedCitation) -> Iterator[str]:
    """Yield for each figure of a claim the passage of the source in which it stands, or that it does not stand there."""
    page = looked.check.page(looked.job, item.citation)
    if page is None or not item.citation.asks.are_figures or item.verdict is Verdict.UNVERIFIABLE:
        return
    for figure, passage in figures_with_passages(item.citation, page.text):
        yield f"“{figure}”: {passage or 'does not stand there'}"
