"""All documents of the workspace: `workspace/diagnostic`, and the command that checks them.

For a document that is not open nothing is fetched, unless that command is given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.opening import RefusedError, open_below
from tracecite_lint.inputs.discovery import tracked_documents
from tracecite_lint.inputs.reader import decode
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.client_settings import MANUAL
from tracecite_lsp.diagnostics import NOTHING, told
from tracecite_lsp.document import OpenDocument, opened
from tracecite_lsp.large_text import MAX_CHARACTERS
from tracecite_lsp.page_set import PageSet, Signature, file_signature
from tracecite_lsp.session import Session
from tracecite_lsp.uris import document_key

MOST_DOCUMENTS = 2000
"""Documents that are looked at without having been opened."""

_LONGEST = 4 * MAX_CHARACTERS  # bytes: more of them are more characters, whichever they are
_LANGUAGE = "plaintext"  # the name of a file on disk says what it is


@dataclass(frozen=True, slots=True)
class _Closed:
    """What is known of a document on disk, and the state of things that it was known in."""

    state: tuple[Signature, int]
    shown: tuple[types.Diagnostic, ...]
    result_id: str
    arrivals: int | None
    """How many pages had arrived in the session when a source of it was still pending."""
    pending: tuple[WebSource, ...] = ()
    page_set: PageSet | None = None


class Workspace:
    """The documents of the workspace's folders, remembered as long as nothing about them changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._closed: dict[Path, _Closed] = {}
        self._is_checking = False
        self._is_cancelled = False
        self._is_asked_for = False
        """Whether the user has asked for all documents: then there is no end to their number."""

    async def check(self) -> dict[str, int] | None:
        """Check all documents, the pages that they cite included: the command of that name.

        Return how many `documents` there were and how many `findings` there are; None if it was cancelled, or is under way.
        """
        if self._is_checking:
            return None
        self._is_checking, self._is_cancelled, self._is_asked_for = True, False, True
        try:
            return await self._check()
        finally:
            self._is_checking = False
            self._session.forget_pages()

    def cancel(self) -> None:
        """Give up the check that is under way."""
        self._is_cancelled = True

    async def _check(self) -> dict[str, int] | None:
        for document in list(self._session.documents.values()):
            self._session.check(document.uri)
        paths = [path for path in await self._paths() if str(path) not in self._session.documents]
        await self._look_at_all(paths)
        if not self._is_cancelled and await self._fetched():
            await self._look_at_all(paths)
        shown = []
        for document in list(self._session.documents.values()):
            looked = await self._session.settled(document)
            shown += [looked.shown] if looked is not None else []
        if self._is_cancelled:
            return None
        for path in paths:
            self._session.client.publish(path.as_uri(), None, self._closed[path].shown)
        self._session.client.refresh()
        shown += [self._closed[path].shown for path in paths]
        return {"documents": len(shown), "findings": sum(map(len, shown))}

    async def _look_at_all(self, paths: Sequence[Path]) -> None:
        total = len(paths)
        try:
            for done, path in enumerate(paths):
                self._session.client.checking(done, total)
                if self._is_cancelled:
                    return
                await self._look(path)
        finally:
            if total:
                self._session.client.checking(total, total)

    async def _fetched(self) -> bool:
        """Fetch what documents that are not open wait for; tell whether there was any, and it was not cancelled."""
        wanted: dict[PageSet, dict[str, WebSource]] = {}
        for closed in self._closed.values():
            if closed.page_set is not None:
                sources = {source.key: source for source in closed.pending}
                wanted.setdefault(closed.page_set, {}).update(sources)
        all_done = True
        for number, (page_set, sources) in enumerate(wanted.items()):
            done = await self._session.fetched(f"workspace {number}", page_set, sources.values())
            all_done = all_done and done
        self._is_cancelled = self._is_cancelled or not all_done
        return all_done and any(wanted.values())

    async def diagnostics(
        self, params: types.WorkspaceDiagnosticParams
    ) -> types.WorkspaceDiagnosticReport:
        """Return a report for every document that has diagnostics, or that the editor has an earlier report of."""
        previous = {document_key(item.uri): item.value for item in params.previous_result_ids}
        uris = {document_key(item.uri): item.uri for item in params.previous_result_ids}
        items: list[types.WorkspaceDocumentDiagnosticReport] = []
        for document in list(self._session.documents.values()):
            looked = await told(self._session, document)
            if looked is not None:
                known = previous.pop(document.key, None)
                items.append(
                    _report(document.uri, document.version, looked.shown, looked.result_id, known)
                )
            uris.pop(document.key, None)
        paths = await self._paths()
        self._session.closed_folders = {path.parent for path in paths}
        for path in paths:
            key = str(path)
            # What the editor shows holds, not what is on disk.
            if key in self._session.documents:
                continue
            closed = await self._look(path)
            uri = uris.pop(key, path.as_uri())
            items.append(_report(uri, None, closed.shown, closed.result_id, previous.get(key)))
        self._session.forget_pages()
        # What the editor has of documents that are gone goes too.
        items += [_report(uri, None, (), NOTHING, None) for uri in uris.values()]
        return types.WorkspaceDiagnosticReport(items=items)

    async def _paths(self) -> list[Path]:
        if self._session.settings.run == MANUAL and not self._is_checking:
            return []
        folders = [folder for folder in self._session.folders if folder.is_dir()]

        def paths() -> list[Path]:
            found: dict[Path, None] = {}
            for folder in folders:
                found |= dict.fromkeys(tracked_documents(folder))
            return list(found)

        try:
            found = await in_thread(paths)
        except ChangesError as error:
            self._session.client.log(str(error))
            return []
        if self._is_asked_for:
            return found
        if len(found) > MOST_DOCUMENTS and not self._closed:
            self._session.client.log(
                f"{len(found):,} documents: those after the first {MOST_DOCUMENTS:,} are checked when opened"
            )
        return found[:MOST_DOCUMENTS]

    async def _look(self, path: Path) -> _Closed:
        state = (file_signature(path), self._session.generation)
        arrivals = self._session.arrivals
        known = self._closed.get(path)
        if known is not None and known.state == state and known.arrivals in (None, arrivals):
            return known
        document = self._read(path)
        looked = await self._session.look_at(document) if document is not None else None
        closed = _Closed(state, (), NOTHING, None)
        if looked is not None:
            # With a source missing the look is worth another one once any page has arrived.
            pending = arrivals if looked.pending else None
            wanted = looked.pending if document is not None and document.settings.may_fetch else ()
            closed = _Closed(
                state, looked.shown, looked.result_id, pending, wanted, looked.page_set
            )
        self._closed[path] = closed
        return closed

    def _read(self, path: Path) -> OpenDocument | None:
        try:
            root = next((top for top in self._session.folders if path.is_relative_to(top)), None)
            text = _beginning(path, root or path.parent)
        except (OSError, ValueError, RefusedError) as error:
            # `check` says the same of a file that is named; here nobody has named it.
            self._session.client.log(f"{path}: {error}")
            return None
        item = types.TextDocumentItem(
            uri=path.as_uri(), language_id=_LANGUAGE, version=0, text=text
        )
        return opened(item, self._session.folders, self._session.settings)


def _beginning(path: Path, root: Path) -> str:
    """Return the text of a file below *root*, or so much of it that it is too large to be checked.

    Raises OSError, ValueError, RefusedError.
    """
    with os.fdopen(open_below(path, root), "rb") as file:
        data = file.read(_LONGEST + 1)
    # Cut in two a character may be no UTF-8; nobody reads the text, as it is too large.
    return decode(data) if len(data) <= _LONGEST else data.decode(errors="replace")


def _report(
    uri: str,
    version: int | None,
    shown: tuple[types.Diagnostic, ...],
    result_id: str,
    previous: str | None,
) -> types.WorkspaceDocumentDiagnosticReport:
    if previous == result_id:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(
            uri=uri, version=version, result_id=result_id
        )
    return types.WorkspaceFullDocumentDiagnosticReport(
        uri=uri, version=version, items=shown, result_id=result_id
    )
