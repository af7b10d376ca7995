"""The editor as the session sees it: what it can do, and what it is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from tracecite_lint.naming.file_names import BASELINE_NAME
from tracecite_lint.naming.uris import without_passwords
from tracecite_lint.output.terminal import printable_lines
from tracecite_lint.settings import PROJECT_FILES
from tracecite_lsp.client_settings import SECTION
from tracecite_lsp.positions import UTF_8, UTF_16, UTF_32
from tracecite_lsp.progress import Progress

NAME = "tracecite-lint"

STATUS = "$/tracecite/status"
"""The notification with what a document amounts to: `{uri, text, counts}`."""
READING = "$/tracecite/reading"
"""The notification of how many pages of how many have been read: `{done, total}`."""
_REFRESH_SECONDS = 0.05
_ANSWER_SECONDS = 5.0
"""How long an editor may take to answer a question about its settings."""

_WATCHED = (
    f"**/{{{','.join((*PROJECT_FILES, BASELINE_NAME))}}}",
    "**/*.{md,markdown,mdx,qmd,Rmd,txt,html,htm,xhtml,xml,json,jsonl,ndjson,pdf}",
)
"""What the session would find out by itself a little later: settings, and what is mostly cited or checked."""

_logger = logging.getLogger(__name__)
_LEVELS = {
    types.MessageType.Error: logging.ERROR,
    types.MessageType.Warning: logging.WARNING,
    types.MessageType.Info: logging.INFO,
}


class Client:
    """One editor, after it has said what it can do."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._said: set[str] = set()
        self._logged: set[str] = set()
        self._refreshing: asyncio.TimerHandle | None = None
        capabilities = server.client_capabilities
        self.encoding = _encoding(capabilities)
        workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
        text = capabilities.text_document or types.TextDocumentClientCapabilities()
        window = capabilities.window or types.WindowClientCapabilities()
        self.configures = bool(workspace.configuration)
        self.refreshes = bool(workspace.diagnostics and workspace.diagnostics.refresh_support)
        self.refreshes_hints = bool(workspace.inlay_hint and workspace.inlay_hint.refresh_support)
        self.refreshes_lenses = bool(workspace.code_lens and workspace.code_lens.refresh_support)
        self.pulls = text.diagnostic is not None and self.refreshes
        """Whether it asks for diagnostics. One that cannot be told to ask again would not see what arrives later."""
        self.opens_documents = bool(window.show_document and window.show_document.support)
        self.resolves_edits = _resolves_edits(text)
        edits = workspace.workspace_edit or types.WorkspaceEditClientCapabilities()
        self.edits_versions = bool(edits.document_changes)
        self.creates_files = self.edits_versions and types.ResourceOperationKind.Create in (
            edits.resource_operations or ()
        )
        self.shows_markdown = _shows_markdown(text)
        self.shows_link_tooltips = bool(text.document_link and text.document_link.tooltip_support)
        self._watches_files = bool(
            workspace.did_change_watched_files
            and workspace.did_change_watched_files.dynamic_registration
        )
        shows_progress = bool(window.work_done_progress)
        self._progress = Progress(server, "Reading cited pages") if shows_progress else None
        self._checking = Progress(server, "Checking the workspace") if shows_progress else None

    def publish(
        self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]
    ) -> None:
        """Show *diagnostics* for *version* of a document, if the editor does not ask for them itself."""
        if not self.pulls:
            # Not both ways: VS Code would show each diagnostic twice.
            self._server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
            )

    def tell_status(self, uri: str, text: str, counts: Mapping[str, int]) -> None:
        """Say what a document amounts to, for a status line; an editor that does not know `$/…` passes it over."""
        self._server.protocol.notify(STATUS, {"uri": uri, "text": text, "counts": dict(counts)})

    def refresh(self) -> None:
        """Let an editor that asks for diagnostics, hints or lenses ask again; once for many calls in a row."""
        if self._refreshing is None and (
            self.pulls or self.refreshes_hints or self.refreshes_lenses
        ):
            loop = asyncio.get_running_loop()
            self._refreshing = loop.call_later(_REFRESH_SECONDS, self._refresh)

    def _refresh(self) -> None:
        self._refreshing = None
        if self.pulls:
            self._server.workspace_diagnostic_refresh(None)
        if self.refreshes_hints:
            self._server.workspace_inlay_hint_refresh(None)
        if self.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)

    def fetching(self, done: int, total: int) -> None:
        """Show how far fetching has come."""
        self._server.protocol.notify(READING, {"done": done, "total": total})
        if self._progress is not None:
            self._progress.show(done, total)

    def checking(self, done: int, total: int) -> None:
        """Show how far the check of the workspace has come."""
        if self._checking is not None:
            self._checking.show(done, total)

    def cancels_fetches(self, token: types.ProgressToken) -> bool:
        """Tell whether the user's cancelling of *token* means the fetches."""
        return self._progress is not None and self._progress.is_cancelled_by(token)

    def cancels_check(self, token: types.ProgressToken) -> bool:
        """Tell whether the user's cancelling of *token* means the check of the workspace."""
        return self._checking is not None and self._checking.is_cancelled_by(token)

    def watch_files(self) -> None:
        """Ask to be told of files that diagnostics can hang on, if the editor tells of such things."""
        if not self._watches_files:
            return
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = types.Registration(id="files", method=method, register_options=options)
        self._server.client_register_capability(types.RegistrationParams([registration]))

    async def configuration(self, uri: str | None) -> object:
        """Return the editor's settings for the document *uri* (None: for all); None if it keeps none."""
        if not self.configures:
            return None
        # Editors that send settings by themselves send all of them; asked, they give those of the document's folder.
        item = types.ConfigurationItem(scope_uri=uri, section=SECTION)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer = await self._server.workspace_configuration_async(
                    types.ConfigurationParams(items=[item])
                )
        except (TimeoutError, JsonRpcException) as error:
            self.log(f"no settings from the editor: {type(error).__name__}")
            return None
        return answer[0] if answer else None

    async def open(self, uri: str, *, external: bool, selection: types.Range | None = None) -> None:
        """Let the user see the resource *uri*, of a text the *selection*; *external*: it is for another program, a browser.

        The place goes into the selection alone: to an editor a file with a fragment is another file.
        """
        shown = await self._server.window_show_document_async(
            types.ShowDocumentParams(
                uri=uri, external=external, take_focus=True, selection=selection
            )
        )
        if not shown.success:
            self.log(f"the editor did not open {uri}")

    async def apply(self, label: str, edit: types.WorkspaceEdit) -> None:
        """Make *edit* in the editor."""
        await self._server.workspace_apply_edit_async(
            types.ApplyWorkspaceEditParams(edit=edit, label=label)
        )

    def log(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Put a line into the editor's log of this server, and to stderr."""
        message = printable_lines(without_passwords(message))
        _logger.log(_LEVELS.get(kind, logging.INFO), "%s", message)
        self._server.window_log_message(types.LogMessageParams(type=kind, message=message))

    def log_once(self, message: str, kind: types.MessageType) -> None:
        """Log a message unless it was logged before."""
        if message not in self._logged:
            self._logged.add(message)
            self.log(message, kind)

    def show(self, message: str, *, again: bool = False) -> None:
        """Show a message to the user: once, however often it is called for, unless it is to be said *again*."""
        if message in self._said and not again:
            return
        self._said.add(message)
        self._server.window_show_message(
            types.ShowMessageParams(
                type=types.MessageType.Error,
                message=f"{NAME}: {printable_lines(without_passwords(message))}",
            )
        )


def _encoding(capabilities: types.ClientCapabilities) -> str:
    """Return the position encoding that pygls has agreed on: the client's first that is known, else UTF-16."""
    general = capabilities.general
    offered = (general.position_encodings if general else None) or []
    known = (item for item in map(_encoding_name, offered) if item in {UTF_8, UTF_16, UTF_32})
    return next(known, UTF_16)


def _encoding_name(encoding: types.PositionEncodingKind | str) -> str:
    return encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding


def _resolves_edits(text: types.TextDocumentClientCapabilities) -> bool:
    support = text.code_action.resolve_support if text.code_action else None
    return support is not None and "edit" in support.properties


def _shows_markdown(text: types.TextDocumentClientCapabilities) -> bool:
    formats = text.hover.content_format if text.hover else None
    return types.MarkupKind.Markdown in (formats or ())
