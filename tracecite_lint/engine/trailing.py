"""Words of the author's own that a quotation's closing mark came after: `“it is so, the authors write”`."""

from __future__ import annotations

from tracecite_lint.documents.vocabulary import SAYING
from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.editorial import has_negation
from tracecite_lint.matching.fold import fold

_MOST_WORDS = 5
_CLAUSE = regex(r"\s*,\s+([^,]*?)[.,]?\s*\Z")


def without_trailing_clause(quote: str) -> str:
    """Return *quote* without a clause at its end that says who says it, or nothing if there is none.

    Such a clause follows a comma and has at most five words, a verb of saying among them, no negation and no digit: it
    can be put outside of the marks without a loss.
    """
    match = _CLAUSE.search(quote)
    if match is None or not quote[: match.start()].strip():
        return ""
    clause = match[1]
    if len(clause.split()) > _MOST_WORDS or any(map(str.isdigit, clause)):
        return ""
    if SAYING.search(clause) is None or has_negation(fold(clause).text):
        return ""
    return quote[: match.start()]
