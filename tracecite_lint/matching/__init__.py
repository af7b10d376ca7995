"""A text and a quotation become a verdict: pure functions, by the rules of docs/matching.md."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from tracecite_lint.matching.match import normalize_web_text, quote_appears_in_text

__all__ = ["FOLD_VERSION", "normalize_web_text", "quote_appears_in_text"]

FOLD_VERSION: Final = 5
"""Goes into the cache's key: raised whenever the same text may fold to another."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as the language has it
    """Return what is imported when it is first asked for: most quotations stand in their page word for word."""
    if name in ("normalize_web_text", "quote_appears_in_text"):
        from tracecite_lint.matching import match

        return getattr(match, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
