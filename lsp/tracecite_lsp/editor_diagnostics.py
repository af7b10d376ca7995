"""The engine's diagnostics as the editor shows them."""

from __future__ import annotations

from lsprotocol import types

from tracecite_lint.model import Diagnostic, Severity, without_added_marks
from tracecite_lint.naming.uris import without_passwords
from tracecite_lint.rules.page import documentation_address
from tracecite_lsp.positions import Places

SOURCE = "tracecite-lint"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_SHOWN_WORDS = 240
"""Characters of the source's own words that a message shows."""


def editor_diagnostic(diagnostic: Diagnostic, places: Places) -> types.Diagnostic:
    """Return *diagnostic* with its range in the editor's units."""
    return types.Diagnostic(
        range=places.range(diagnostic.span),
        severity=_severity(diagnostic),
        code=diagnostic.code,
        code_description=_description(diagnostic.code),
        source=SOURCE,
        message=without_passwords(_message(diagnostic)),
        tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code == "UNUSED_SUPPRESSION" else None,
    )


def _description(code: str) -> types.CodeDescription | None:
    address = documentation_address(code)
    return types.CodeDescription(href=address) if address is not None else None


def _severity(diagnostic: Diagnostic) -> types.DiagnosticSeverity:
    if diagnostic.code in {"NOT_IN_CACHE", "FILE_TOO_LARGE"}:
        # What the user has chosen not to fetch, or the editor leaves to `check`, is no error of the document's.
        return types.DiagnosticSeverity.Information
    return _SEVERITIES[diagnostic.severity]


def _message(diagnostic: Diagnostic) -> str:
    """Return the message with the source's own words, if they are near; of a private document nothing is shown."""
    if diagnostic.nearest is None or diagnostic.private:
        return diagnostic.message
    words = " ".join(without_added_marks(diagnostic.nearest.text).split())
    if len(words) > _SHOWN_WORDS:
        words = words[: _SHOWN_WORDS - 1].rstrip() + "…"
    return f"{diagnostic.message}\nthere it says: “{words}”"
