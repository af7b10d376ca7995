"""A text and a quotation become a verdict: pure functions, by the rules of docs/matching.md."""

from tracecite_lint.matching.match import normalize_web_text, quote_appears_in_text

__all__ = ["normalize_web_text", "quote_appears_in_text"]
