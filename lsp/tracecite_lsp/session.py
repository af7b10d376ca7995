"""One editor's session: the open documents, when they are looked at, when pages are fetched, and what the editor is told."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Collection, Coroutine, Iterable
from pathlib import Path

from lsprotocol import types

from tracecite_lint.settings import SettingsError, SettingsFinder
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.addresses import address_range
from tracecite_lsp.client import Client
from tracecite_lsp.client_settings import MANUAL, ON_TYPE, ClientSettings, client_settings
from tracecite_lsp.document import OPENED, OpenDocument, opened
from tracecite_lsp.fetching import Fetches
from tracecite_lsp.looking import Looked, Looker, Subject
from tracecite_lsp.overview import counts, started_as
from tracecite_lsp.page_set import PageSet
from tracecite_lsp.page_sets import PageSets
from tracecite_lsp.uris import document_key
from tracecite_lsp.watching import Watch

REST_SECONDS = 0.8
"""How long nothing must be typed before pages are fetched."""

POLL_SECONDS = 2.0
"""How often files are looked at, for editors that do not tell of changes."""


class Session:
    """All that is known of one editor. Everything runs in the event loop but for the looks at texts."""

    def __init__(self, finder: SettingsFinder, client: Client) -> None:
        """Serve *client*, which has said what it can do, under the settings that *finder* finds."""
        self.client = client
        self.settings = ClientSettings()
        self.folders: list[Path] = []
        self.documents: dict[str, OpenDocument] = {}
        self._finder = finder
        self._page_sets = PageSets(self.buffer)
        self._looker = Looker(finder, client.encoding, self._page_sets.page_set)
        self._fetches = Fetches(self._arrived, client.fetching, self.crashed)
        # One at a time: they share the engine's pages, and several threads of Python take as long as one.
        self._one_look = asyncio.Lock()
        self._cancelled = 0
        """Counts how often the user has cancelled the fetches."""
        self._watch = Watch()
        self._polling: asyncio.Task[None] | None = None
        self.generation = 0
        """Counts what can change the diagnostics of any document: settings, local sources."""
        self.arrivals = 0
        """Counts the pages that have arrived."""
        self.closed_folders: set[Path] = set()
        """Where documents lie that were looked at without being open."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, folders: Iterable[Path], options: object) -> None:
        """Begin with the workspace's *folders* and the settings in the client's initialization *options*."""
        self.folders = list(folders)
        self._set(options)
        self.client.log(started_as(options), types.MessageType.Info)
        self._polling = asyncio.create_task(self._poll())

    def stop(self) -> None:
        """Give up all that is under way."""
        self._fetches.cancel()
        if self._polling is not None:
            self._polling.cancel()
        for document in self.documents.values():
            _cancel_rest(document)

    async def close(self) -> None:
        """Close connections and caches."""
        self.stop()
        await self._page_sets.close()

    def _outdate(self) -> None:
        """Take down that something changed which the diagnostics of any document may hang on."""
        self.generation += 1

    # What the editor says.

    def initialized(self) -> None:
        """Ask for the editor's settings, and to be told of files that change, now that it can be asked."""
        self.client.watch_files()
        if self.client.configures:
            self._background(self._configure())

    def open(self, item: types.TextDocumentItem) -> None:
        """Take in a document that was opened."""
        document = opened(item, self.folders, self.settings)
        self.documents[document.key] = document
        self._watch.add_folder(document.location.parent)
        self._background(self._begin(document))

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take in what was typed."""
        document = self.find(params.text_document.uri)
        if document is None:
            return
        document.apply(params.content_changes, params.text_document.version, self.client.encoding)
        _cancel_rest(document)
        self._look_again(self._page_sets.forget_file(document.real_path))
        if document.settings.run == ON_TYPE:
            loop = asyncio.get_running_loop()
            document.rest = loop.call_later(REST_SECONDS, self._rested, document)
            self._ensure(document)

    def save(self, uri: str) -> None:
        """Take in that a document was saved."""
        document = self.find(uri)
        if document is not None and document.settings.run != MANUAL:
            self._ask(document)
        self.files_changed()

    def check(self, uri: str) -> None:
        """Check a document now, pages included: the command of that name."""
        document = self.find(uri)
        if document is not None:
            self._ask(document)

    def close_document(self, uri: str) -> None:
        """Forget a document, and let its diagnostics vanish."""
        document = self.documents.pop(document_key(uri), None)
        if document is None:
            return
        document.is_open = False
        _cancel_rest(document)
        self._fetches.drop(document.key)
        self.client.publish(document.uri, None, ())
        self.forget_pages()

    def change_settings(self, options: object) -> None:
        """Take in new settings."""
        self._set(options)
        self._outdate()
        self._background(self._configure())

    def files_changed(self) -> None:
        """Take in that files may have changed on disk."""
        self._background(self._look_at_files())

    def cancel_fetches(self) -> None:
        """Stop fetching: the user has cancelled it. It goes on with the next save or rest."""
        for document in self.documents.values():
            # No revision has this number, so that nothing counts as asked for.
            document.asked_for = document.rested = -1
        self._cancelled += 1
        self._fetches.cancel()

    # What the editor asks.

    def find(self, uri: str) -> OpenDocument | None:
        """Return the open document of *uri*."""
        return self.documents.get(document_key(uri))

    def folder_of(self, document: OpenDocument) -> Path:
        """Return the folder that paths are shown relative to: that of the workspace, else the root of *document*."""
        location = document.location
        around = [folder for folder in self.folders if location.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=document.root)

    async def looked(self, document: OpenDocument) -> Looked | None:
        """Return what is known of *document* as it is now; None if looking at it crashed."""
        while not document.is_done:
            # Shielded: the look goes on for others when this request is cancelled.
            await asyncio.shield(self._ensure(document))
        return document.looked if document.is_current else None

    async def settled(self, document: OpenDocument) -> Looked | None:
        """Return what is known of *document* once nothing is fetched for it any more; None as `looked`."""
        await self.looked(document)
        await self._fetches.finished(document.key)
        return await self.looked(document)

    async def look_at(self, document: OpenDocument) -> Looked | None:
        """Return what is known without the network of *document*, which is not open; None if that went wrong."""
        async with self._one_look:
            return await self._looked(document, reconsider=False)

    def settings_file(self, folder: Path) -> Path | None:
        """Return the project's settings file that holds in *folder*."""
        return self._finder.project_file(folder)

    def refetch(self, document: OpenDocument, source: WebSource) -> None:
        """Ask the server of *source* again, whatever is kept of it."""
        if document.looked is None or not document.settings.may_fetch:
            return
        page_set = document.looked.page_set
        page_set.store.distrust(source)
        document.again[source.key] = source
        self._fetches.want(document.key, page_set, self._wanted(document, document.looked))

    async def fetched(self, owner: str, page_set: PageSet, sources: Iterable[WebSource]) -> bool:
        """Fetch *sources* for *owner*, which is no document; tell whether all of them were fetched, or given up instead."""
        cancelled = self._cancelled
        self._fetches.want(owner, page_set, sources)
        await self._fetches.finished(owner)
        return self._cancelled == cancelled

    # When things are done.

    def _ask(self, document: OpenDocument) -> None:
        """Check *document* as it is now, pages included."""
        document.asked_for = document.revision
        document.reconsider = True
        document.outdate()
        self._ensure(document)

    def _rested(self, document: OpenDocument) -> None:
        document.rest = None
        document.rested = document.revision
        if document.is_current:
            self._plan(document)

    def _ensure(self, document: OpenDocument) -> asyncio.Task[None]:
        """Return the task that brings *document* up to date; there is one at a time."""
        if document.task is None or document.task.done():
            document.task = asyncio.create_task(self._bring_up_to_date(document))
        return document.task

    async def _bring_up_to_date(self, document: OpenDocument) -> None:
        try:
            while not document.is_done:
                async with self._one_look:
                    # What was typed while another document had its turn makes one look, not several.
                    await self._look(document)
            if document.is_open and document.is_current:
                self._plan(document)
                self._show(document)
        except Exception as error:
            document.failed = document.stamp
            self.crashed(error, document)

    async def _look(self, document: OpenDocument) -> None:
        stamp, reconsider = document.stamp, document.reconsider
        document.reconsider = False
        looked = await self._looked(document, reconsider=reconsider)
        # What was found out is about a text that is no more; whoever waits goes on waiting.
        if document.stamp != stamp:
            document.reconsider |= reconsider
        elif looked is None:
            document.failed = stamp
            self._clear(document)
        else:
            document.looked = looked
            document.problem = ""
            self._watch.add_files(looked.files)
            document.again |= {source.key: source for source in looked.again}

    async def _looked(self, document: OpenDocument, *, reconsider: bool) -> Looked | None:
        """Return what a look at *document* brings; None if its settings are broken, or if it crashed."""
        stamp = document.stamp
        subject = Subject(
            name=document.name,
            parsed_as=document.parsed_as,
            text=document.text,
            is_too_large=document.large is not None,
            location=document.location,
            root=document.root,
            client=document.settings,
            reconsider=reconsider,
            previous=document.looked,
        )
        try:
            looked = await in_thread(lambda: self._looker.look(subject, stamp))
        except SettingsError as error:
            self._settings_are_broken(str(error), document)
            return None
        except Exception as error:
            self.crashed(error, document)
            return None
        return looked

    def _plan(self, document: OpenDocument) -> None:
        """Fetch what is pending if the time has come."""
        looked = document.looked
        if looked is None or not document.is_configured:
            return
        if not (document.is_asked_for or document.has_rested):
            return
        if not document.settings.may_fetch:
            self._fetches.drop(document.key)
            return
        self._fetches.want(document.key, looked.page_set, self._wanted(document, looked))

    def _wanted(self, document: OpenDocument, looked: Looked) -> list[WebSource]:
        """Return the sources to fetch: pending ones, but for an address that is still being typed, and known ones again."""
        # A half-typed address is another host, perhaps somebody's: none is asked for one that nobody meant.
        typed = None if document.is_asked_for else document.typed
        if typed is None and not document.again:
            return list(looked.pending)
        cited, complete = set(), set()
        for citation, source in looked.web_sources:
            cited.add(source.key)
            place = address_range(looked, citation) if typed is not None else None
            if typed is None or place is None or not typed.is_at_work_on(*place):
                complete.add(source.key)
        wanted = [source for source in looked.pending if source.key in complete]
        known = {source.key for source in wanted}
        return wanted + [
            source for key, source in document.again.items() if key in cited and key not in known
        ]

    def _show(self, document: OpenDocument) -> None:
        """Tell the editor what is known of *document*, unless its text waits to be saved or asked for."""
        looked = document.looked
        if looked is None or not document.is_shown_now:
            return
        before, document.shown = document.shown, looked
        old = None if before is None else (before.stamp[0], before.result_id)
        if old != (document.revision, looked.result_id):
            self.client.publish(document.uri, document.version, looked.shown)
        if before is None or before.status != looked.status:
            self.client.tell_status(document.uri, looked.status, counts(looked))
        if before is not None and (before.stamp[0] == document.revision or not document.is_live):
            # Not after each key: an editor that asks by itself does so then anyway.
            self.client.refresh()

    def _clear(self, document: OpenDocument) -> None:
        document.looked = document.shown = None
        self.client.publish(document.uri, document.version, ())

    def _arrived(self, page_set: PageSet, source: WebSource, owners: frozenset[str]) -> None:
        self.arrivals += 1
        for document in self.documents.values():
            looked = document.looked
            if looked is not None and looked.page_set is page_set:
                waits = any(pending.key == source.key for pending in looked.pending)
                if waits or document.key in owners:
                    document.again.pop(source.key, None)
                    document.outdate()
                    self._ensure(document)

    # Settings and files.

    async def _begin(self, document: OpenDocument) -> None:
        """Check a document that was just opened, as soon as its settings are known."""
        section = await self.client.configuration(document.uri)
        self._use(document, self._read_settings(section, self.settings))
        if document.asked_for == document.revision:
            # What was typed before this had its turn is no text that anybody has opened: half an address, perhaps.
            document.asked_for = OPENED

    async def _configure(self) -> None:
        """Ask for all settings again, where the editor keeps any, and check everything under them."""
        self._set(await self.client.configuration(None))
        for document in list(self.documents.values()):
            section = await self.client.configuration(document.uri)
            self._use(document, self._read_settings(section, self.settings))
        self.client.refresh()

    def _use(self, document: OpenDocument, settings: ClientSettings) -> None:
        document.settings = settings
        document.is_configured = True
        document.outdate()
        if not settings.may_fetch:
            self._fetches.drop(document.key)
        if document.is_open and settings.run != MANUAL:
            self._ask(document)

    def _set(self, options: object) -> None:
        self.settings = self._read_settings(options, self.settings)

    def _read_settings(self, section: object, base: ClientSettings) -> ClientSettings:
        settings, problems = client_settings(section, base)
        for problem in problems:
            self.client.show(problem)
        return settings

    def _settings_are_broken(self, problem: str, document: OpenDocument | None = None) -> None:
        """Tell what is wrong with the settings, once for all documents that it concerns, until it is mended."""
        if all(other.problem != problem for other in self.documents.values()):
            self.client.show(problem, again=True)
        if document is not None:
            document.problem = problem

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self._look_at_files()
            except Exception as error:
                self.crashed(error)

    async def _look_at_files(self) -> None:
        """Look whether settings or local sources have changed, and check again what hangs on them."""
        documents = list(self.documents.values())
        folders = {document.location.parent for document in documents}
        folders |= {*self.folders, *self.closed_folders}
        files = {path for document in documents for path in _files_of(document)}
        settings, changed = await in_thread(
            lambda: (self._watch.changed(folders, files), self._page_sets.changed())
        )
        if settings or changed:
            self._outdate()
            self.client.refresh()
        if settings:
            try:
                self._finder.forget()
            except SettingsError as error:
                self._settings_are_broken(str(error))
            for document in documents:
                document.outdate()
                self._ensure(document)
        else:
            self._look_again(changed)

    def _look_again(self, page_sets: Collection[PageSet]) -> None:
        """Check the documents whose sources are in *page sets* again."""
        for document in self.documents.values():
            if document.looked is not None and document.looked.page_set in page_sets:
                document.outdate()
                self._ensure(document)

    def buffer(self, path: Path) -> tuple[bytes, int] | None:
        """Return text and revision of the open document at *path*: what the editor shows is what holds."""
        for document in list(self.documents.values()):
            if document.real_path == path and document.large is None:
                return document.text.encode(), document.revision
        return None

    def forget_pages(self) -> None:
        """Forget the pages that no open document cites any more."""
        cited: dict[PageSet, set[str]] = {}
        for document in self.documents.values():
            if document.looked is not None:
                keys = {source.key for _, source in document.looked.web_sources}
                cited.setdefault(document.looked.page_set, set()).update(keys)
        self._page_sets.keep_only(cited)

    # When something goes wrong.

    def crashed(self, error: Exception, document: OpenDocument | None = None) -> None:
        """Log an unforeseen error and tell the user, each once; its text may hold private words and is left out."""
        frames = traceback.extract_tb(error.__traceback__)
        places = "\n".join(f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
        what = "a page" if document is None else document.name
        self.client.log_once(f"{what}: {type(error).__name__}\n{places}", types.MessageType.Error)
        self.client.show(
            f"checking {what} failed ({type(error).__name__}); the log says where. "
            "This is a defect of tracecite-lint: please report it."
        )

    def _background(self, work: Coroutine[None, None, None]) -> None:
        async def guarded() -> None:
            try:
                await work
            except Exception as error:
                self.crashed(error)

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _files_of(document: OpenDocument) -> tuple[Path, ...]:
    return document.looked.files if document.looked is not None else ()


def _cancel_rest(document: OpenDocument) -> None:
    if document.rest is not None:
        document.rest.cancel()
        document.rest = None
