"""An editor for tests: a real client of the language server, over stdio, with capabilities as real editors describe them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from loopback import Answer, Exchange
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client
from tracecite_lsp.client import READING, STATUS
from tracecite_lsp.positions import Positions

SERVER = [sys.executable, "-m", "tracecite_lint", "server"]
PATIENCE = 30.0
"""Seconds after which a test gives up waiting."""


def neovim_0_7() -> types.ClientCapabilities:
    """Neovim 0.7: diagnostics are pushed, UTF-16."""
    return client_capabilities("neovim@0.7.0")


def neovim_0_11() -> types.ClientCapabilities:
    """Neovim 0.11: asks for diagnostics, but cannot be told to ask again; UTF-8 first."""
    return client_capabilities("neovim@0.11.0")


def vs_code() -> types.ClientCapabilities:
    """A current VS Code: asks for diagnostics and asks again when told to; UTF-16."""
    capabilities = client_capabilities("visual-studio-code@1.65.2")
    assert capabilities.workspace and capabilities.text_document
    capabilities.general = types.GeneralClientCapabilities(
        position_encodings=[types.PositionEncodingKind.Utf16]
    )
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(
        dynamic_registration=True, related_document_support=False
    )
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(
        refresh_support=True
    )
    capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(
        refresh_support=True
    )
    return capabilities


def after(seconds: float, answer: Answer | bytes) -> Callable[[Exchange], Answer | bytes]:
    """Return a script for the loopback server: *answer*, but not at once."""

    def script(exchange: Exchange) -> Answer | bytes:
        return b"" if exchange.wait(seconds) else answer

    return script


class Editor:
    """One editor, connected to a server of its own."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.capabilities = types.ServerCapabilities()
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registered: list[str] = []
        self.statuses: dict[str, str] = {}
        self.counts: dict[str, dict[str, int]] = {}
        self.applied: list[types.ApplyWorkspaceEditParams] = []
        self._versions: dict[str, int] = {}

        # In place of pytest-lsp's own, which keeps no versions.
        publish = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
        client.protocol.fm.features[publish] = self.published.append

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.applied.append(params)
            return types.ApplyWorkspaceEditResult(applied=True)

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += [item.method for item in params.registrations]

        @client.feature(STATUS)
        def status(params: Any) -> None:
            self.statuses[params.uri] = params.text
            self.counts[params.uri] = params.counts._asdict()

        @client.feature(READING)
        def reading(params: Any) -> None:
            pass

        @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh(_: None) -> None:
            pass

    @property
    def encoding(self) -> str:
        """The encoding of positions that was agreed on."""
        agreed = self.capabilities.position_encoding or types.PositionEncodingKind.Utf16
        return types.PositionEncodingKind(agreed).value

    def open(self, uri: str, text: str, language: str = "markdown") -> None:
        """Open a document."""
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def change(self, uri: str, text: str) -> int:
        """Replace the whole text; return the new version."""
        return self._change(uri, types.TextDocumentContentChangeWholeDocument(text=text))

    def type(self, uri: str, line: int, character: int, text: str, *, delete: int = 0) -> int:
        """Put *text* at a position, in place of *delete* units; return the new version."""
        start, end = types.Position(line, character), types.Position(line, character + delete)
        return self._change(
            uri, types.TextDocumentContentChangePartial(types.Range(start, end), text)
        )

    def _change(self, uri: str, change: types.TextDocumentContentChangeEvent) -> int:
        self._versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=self._versions[uri])
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=identifier, content_changes=[change])
        )
        return self._versions[uri]

    def save(self, uri: str) -> None:
        """Save a document (nothing is written)."""
        identifier = types.TextDocumentIdentifier(uri=uri)
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(text_document=identifier)
        )

    def close(self, uri: str) -> None:
        """Close a document."""
        identifier = types.TextDocumentIdentifier(uri=uri)
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(text_document=identifier)
        )

    def configure(self, settings: dict[str, Any]) -> None:
        """Send new settings."""
        self.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams(settings={"tracecite": settings})
        )

    def files_changed(self, *paths: Path) -> None:
        """Tell of files that changed on disk."""
        changes = [
            types.FileEvent(uri=path.as_uri(), type=types.FileChangeType.Changed) for path in paths
        ]
        self.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams(changes=changes)
        )

    async def command(self, name: str, *arguments: Any) -> Any:
        """Run a command of the server."""
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command=name, arguments=list(arguments))
        )

    async def pull(self, uri: str, previous: str | None = None) -> types.DocumentDiagnosticReport:
        """Ask for the diagnostics of a document."""
        return await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(
                text_document=types.TextDocumentIdentifier(uri=uri), previous_result_id=previous
            )
        )

    async def marks(
        self, uri: str, codes: Sequence[str], *, version: int | None = None
    ) -> list[types.Diagnostic]:
        """Return the diagnostics of *uri* once their codes are *codes*, however this editor comes by them."""
        if self.capabilities.diagnostic_provider is not None:
            found: list[types.Diagnostic] = []

            async def pulled() -> bool:
                report = await self.pull(uri)
                found[:] = report.items
                return [item.code for item in found] == list(codes)

            await until(pulled)
            return found
        seen = await self.publication(
            uri,
            lambda params: (
                [item.code for item in params.diagnostics] == list(codes)
                and version in (None, params.version)
            ),
        )
        return list(seen.diagnostics)

    async def publication(
        self, uri: str, holds: Callable[[types.PublishDiagnosticsParams], bool]
    ) -> types.PublishDiagnosticsParams:
        """Return what was published last for *uri*, once that *holds*."""

        def last() -> types.PublishDiagnosticsParams | None:
            return next((item for item in reversed(self.published) if item.uri == uri), None)

        await until(lambda: (seen := last()) is not None and holds(seen))
        result = last()
        assert result is not None
        return result


@asynccontextmanager
async def editor(
    capabilities: types.ClientCapabilities,
    *,
    folder: Path | None = None,
    settings: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    arguments: Sequence[str] = (),
    command: Sequence[str] = tuple(SERVER),
) -> AsyncIterator[Editor]:
    """Start a server and an editor that speaks to it.

    *settings* are its `tracecite.*` settings; *options* are sent in the beginning in their place.
    """
    client = make_test_lsp_client()
    _read_code_actions(client)
    if settings is not None:
        client.set_configuration({"tracecite": settings})
    await client.start_io(*command, *arguments, env=dict(os.environ), cwd=folder)
    folders = None
    if folder is not None:
        folders = [types.WorkspaceFolder(uri=folder.as_uri(), name=folder.name)]
    session = Editor(client)
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=folders,
            root_uri=folder.as_uri() if folder else None,
            initialization_options=settings if options is None else options,
        )
    )
    session.capabilities = result.capabilities
    try:
        yield session
    finally:
        if not client.stopped:
            await client.shutdown_session()
        await client.stop()


def _read_code_actions(client: LanguageClient) -> None:
    """Let *client* read code actions that have a command: lsprotocol 2025.0.0 takes each for a bare command."""
    converter = client.protocol._converter

    def hook(value: Any, _: object) -> types.Command | types.CodeAction:
        bare = isinstance(value.get("command"), str)
        kind: type[Any] = types.Command if bare else types.CodeAction
        action: types.Command | types.CodeAction = converter.structure(value, kind)
        return action

    converter.register_structure_hook(types.Command | types.CodeAction, hook)


def edited(text: str, edit: types.WorkspaceEdit | None, uri: str, encoding: str) -> str:
    """Return *text*, the document *uri*, after *edit*, which changes nothing else."""
    assert edit is not None
    if edit.document_changes is not None:
        (change,) = edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.uri == uri
        edits = list(change.edits)
    else:
        assert edit.changes is not None and list(edit.changes) == [uri]
        edits = list(edit.changes[uri])
    positions = Positions(text, encoding)
    for item in sorted(edits, key=lambda item: positions.offset(item.range.start), reverse=True):
        assert isinstance(item, types.TextEdit)
        start, end = positions.offset(item.range.start), positions.offset(item.range.end)
        text = text[:start] + item.new_text + text[end:]
    return text


async def until(holds: Callable[[], Any]) -> None:
    """Wait until *holds* does; a function or a coroutine function. Fails the test after PATIENCE seconds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            result = holds()
            if asyncio.iscoroutine(result):
                result = await result
            if result:
                return
            await asyncio.sleep(0.02)
