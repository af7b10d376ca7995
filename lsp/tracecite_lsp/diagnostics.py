"""`textDocument/diagnostic` and `workspace/diagnostic`: diagnostics for editors that ask for them.

Those that do not are sent `textDocument/publishDiagnostics` by the session.
"""

from __future__ import annotations

from lsprotocol import types

from tracecite_lsp.document import OpenDocument
from tracecite_lsp.looking import Looked, result_id
from tracecite_lsp.session import Session

NOTHING = result_id(())
"""The result id of no diagnostics."""

OPTIONS = types.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=True, identifier="tracecite-lint"
)


async def document_diagnostic(
    session: Session, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """Return the diagnostics of one document, or that they are those the editor has already."""
    document = session.find(params.text_document.uri)
    known = await told(session, document) if document is not None else None
    name = known.result_id if known is not None else NOTHING
    if params.previous_result_id == name:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=name)
    shown = known.shown if known is not None else ()
    return types.RelatedFullDocumentDiagnosticReport(items=shown, result_id=name)


async def told(session: Session, document: OpenDocument) -> Looked | None:
    """Return what the editor is to know of *document*: while it is typed in, what it knew when it was saved."""
    # Asked while it is typed in and checked at saving only, the answer is that of the last save: it must not flicker.
    if document.is_shown_now:
        return await session.looked(document)
    return document.shown
