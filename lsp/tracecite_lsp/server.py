"""The language server: which message of the protocol leads where."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError, JsonRpcParseError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from tracecite_lint import __version__
from tracecite_lint.settings import SettingsFinder
from tracecite_lsp import (
    code_actions,
    code_lenses,
    commands,
    diagnostics,
    hover,
    inlay_hints,
    links,
)
from tracecite_lsp.client import NAME, Client
from tracecite_lsp.protocol import Protocol
from tracecite_lsp.session import Session
from tracecite_lsp.stdio import Inbox, Malformed, StdoutWriter
from tracecite_lsp.uris import file_path
from tracecite_lsp.workspace import Workspace

_GRACE_SECONDS = 1.0
"""How long fetches may take to let go of what other processes wait for, when the server ends."""


class Server(LanguageServer):
    """One server for one editor."""

    session: Session
    workspace_documents: Workspace
    protocol: Protocol

    def __init__(self, finder: SettingsFinder) -> None:
        """Serve under the settings that *finder* finds."""
        super().__init__(
            NAME, __version__, protocol_cls=Protocol, converter_factory=default_converter
        )
        self._finder = finder
        self.feature(types.INITIALIZE)(self._initialize())  # pygls takes no bound method

    def report_server_error(self, error: Exception, source: object) -> None:
        """Say nothing: pygls would show the text of *error*, which may hold a document's words."""

    def pass_over(self, message: Malformed) -> None:
        """Tell the editor what of its messages was not read."""
        self.protocol.refuse(JsonRpcParseError(message.reason))
        if self.protocol.is_initialized:
            self.session.client.log(f"passed over: {message.reason}")

    def _initialize(self) -> Callable[[types.InitializeParams], None]:
        def initialize(params: types.InitializeParams) -> None:
            client = Client(self)
            self.session = Session(self._finder, client)
            self.workspace_documents = Workspace(self.session)
            self.protocol.is_initialized = True
            self._add_notifications()
            self._add_requests()
            if client.pulls:
                self._add_pull()
            self.session.start(_folders(params), params.initialization_options)

        return initialize

    def _add_notifications(self) -> None:
        session = self.session
        client = session.client

        @self._notification(types.INITIALIZED)
        def initialized(_: types.InitializedParams) -> None:
            if not client.pulls:
                # Answered, but not offered: an editor that cannot be told to ask again is sent its diagnostics.
                self._add_pull()
            session.initialized()

        @self._notification(types.TEXT_DOCUMENT_DID_OPEN)
        def did_open(params: types.DidOpenTextDocumentParams) -> None:
            session.open(params.text_document)

        @self._notification(types.TEXT_DOCUMENT_DID_CHANGE)
        def did_change(params: types.DidChangeTextDocumentParams) -> None:
            session.change(params)

        @self._notification(types.TEXT_DOCUMENT_DID_SAVE)
        def did_save(params: types.DidSaveTextDocumentParams) -> None:
            session.save(params.text_document.uri)

        @self._notification(types.TEXT_DOCUMENT_DID_CLOSE)
        def did_close(params: types.DidCloseTextDocumentParams) -> None:
            session.close_document(params.text_document.uri)

        @self._notification(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
        def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
            session.change_settings(params.settings)

        @self._notification(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        def did_change_watched_files(_: types.DidChangeWatchedFilesParams) -> None:
            session.files_changed()

        @self._notification(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
        def did_change_workspace_folders(_: types.DidChangeWorkspaceFoldersParams) -> None:
            session.folders = _paths(folder.uri for folder in self.workspace.folders.values())

        @self._notification(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
        def did_cancel(params: types.WorkDoneProgressCancelParams) -> None:
            if client.cancels_fetches(params.token):
                session.cancel_fetches()
            elif client.cancels_check(params.token):
                self.workspace_documents.cancel()

        @self._notification(types.SHUTDOWN)
        def shutdown(_: None) -> None:
            session.stop()

    def _add_requests(self) -> None:
        self._request(types.TEXT_DOCUMENT_HOVER, hover.hover)
        self._request(
            types.TEXT_DOCUMENT_CODE_ACTION, code_actions.code_actions, code_actions.OPTIONS
        )
        self._request(types.CODE_ACTION_RESOLVE, code_actions.resolve)
        self._request(types.TEXT_DOCUMENT_DOCUMENT_LINK, links.document_links)
        self._request(types.TEXT_DOCUMENT_INLAY_HINT, inlay_hints.inlay_hints)
        self._request(types.TEXT_DOCUMENT_CODE_LENS, code_lenses.code_lenses)
        self._command(commands.CHECK, commands.check)
        self._command(commands.REFETCH, commands.refetch)
        self._command(commands.OPEN, commands.open_source)
        self._command(commands.FIX_ALL, code_actions.fix_all)
        self._command(commands.CITATIONS, commands.citations)
        self._command(commands.TEXT, commands.text)
        self._command(commands.CHECK_WORKSPACE, lambda *_: self.workspace_documents.check())

    def _add_pull(self) -> None:
        workspace = self.workspace_documents
        self._request(
            types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostics.document_diagnostic, diagnostics.OPTIONS
        )
        self._request(types.WORKSPACE_DIAGNOSTIC, lambda _, params: workspace.diagnostics(params))

    def _notification(self, method: str) -> Callable[[Callable[[Any], None]], None]:
        """Let a function handle what *method* tells; what goes wrong in it is reported, and the server lives."""

        def register(handle: Callable[[Any], None]) -> None:
            def guarded(params: Any) -> None:  # noqa: ANN401 - pygls would put the server in place of an object
                try:
                    handle(params)
                except Exception as error:
                    self.session.crashed(error)

            self.feature(method)(guarded)

        return register

    def _request(
        self,
        method: str,
        answer: Callable[[Session, Any], Awaitable[object]],
        options: object = None,
    ) -> None:
        """Let *answer* answer the requests of *method*; what goes wrong in it is reported, and the server lives."""

        async def guarded(params: Any) -> object:  # noqa: ANN401 - as above
            try:
                return await answer(self.session, params)
            except Exception as error:
                self.session.crashed(error)
                # pygls would send the traceback along, with the text of the error.
                raise JsonRpcInternalError(type(error).__name__) from None

        self.feature(method, options)(guarded)

    def _command(self, name: str, run: Callable[..., Awaitable[object]]) -> None:
        """Let *run*, with the session and the command's arguments (JSON), do and answer what the command *name* asks for."""

        async def guarded(*arguments: Any) -> object:
            try:
                return await run(self.session, *arguments)
            except Exception as error:
                self.session.crashed(error)
                return None

        self.command(name)(guarded)


def serve(finder: SettingsFinder, *, verbose: int = 0) -> int:
    """Serve on stdin and stdout until the editor says exit, or closes stdin; return the exit status.

    That is 0 after a shutdown request, else 1 (Language Server Protocol, "Exit Notification"). *verbose* 1 logs what is
    done to stderr, 2 more.
    """
    _log_to_stderr(verbose)
    status = asyncio.run(_serve(Server(finder)))
    # A look that is under way in a thread is not waited for.
    sys.stderr.flush()
    # Not sys.exit(), which waits for threads, and whose clean-up may meet a stream that the editor has closed.
    os._exit(status)


async def _serve(server: Server) -> int:
    writer = StdoutWriter()
    server.protocol.set_writer(writer)
    status = 1
    try:
        async for message in Inbox(asyncio.get_running_loop()).messages():
            if isinstance(message, Malformed):
                server.pass_over(message)
            else:
                server.protocol.take(message)
    except SystemExit as exit:  # pygls' way to end
        status = exit.code if isinstance(exit.code, int) else 1
    if hasattr(server, "session"):
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await server.session.close()
    return status


def _folders(params: types.InitializeParams) -> list[Path]:
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    if not uris and params.root_path:
        return [Path(params.root_path)]
    return _paths(uris)


def _paths(uris: Iterable[str]) -> list[Path]:
    return [Path(path) for uri in uris if (path := file_path(uri)) is not None]


def _log_to_stderr(verbose: int) -> None:
    """Log this package to stderr, and nothing else: pygls logs whole messages, with the words of documents in them."""
    logging.getLogger().addHandler(logging.NullHandler())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("tracecite_lsp")
    logger.addHandler(handler)
    logger.setLevel([logging.WARNING, logging.INFO, logging.DEBUG][min(verbose, 2)])
