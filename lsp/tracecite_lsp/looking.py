"""One look at one text: read, judged by what the cache and local files hold, told in the editor's terms. No network."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from tracecite_lint.documents.rereading import Read, read, read_again
from tracecite_lint.engine.check import Carried, Check
from tracecite_lint.engine.job import Job
from tracecite_lint.files.chosen import ChosenFile, set_up
from tracecite_lint.inputs.reader import BOM, InputReader
from tracecite_lint.known.baseline import apply_baseline, read_baseline
from tracecite_lint.known.ledger_files import LedgerError
from tracecite_lint.light.by_identity import ByIdentity
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Document,
    DocumentKind,
    Span,
)
from tracecite_lint.naming.file_names import BASELINE_NAME, FileKind, kind_of
from tracecite_lint.output.summary import counts_line
from tracecite_lint.settings import Settings, SettingsError, SettingsFinder
from tracecite_lint.sources.policy import WebSource
from tracecite_lsp.client_settings import ClientSettings, engine_settings
from tracecite_lsp.editor_diagnostics import editor_diagnostic
from tracecite_lsp.large_text import MAX_CHARACTERS
from tracecite_lsp.page_set import PageSet
from tracecite_lsp.positions import Places

_TOO_LARGE = Document(
    path="",
    text="",
    kind=DocumentKind.UNKNOWN,
    diagnostics=(
        Diagnostic(
            code="FILE_TOO_LARGE",
            message=f"longer than {MAX_CHARACTERS:,} characters, and not checked while it is edited",
            span=Span(1, 1, 1, 1),
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is looked at. `parsed_as` is the name that tells the engine what kind of document it is, None for none."""

    name: str
    parsed_as: str | None
    text: str
    is_too_large: bool
    location: Path
    root: Path
    client: ClientSettings
    reconsider: bool
    previous: Looked | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What was found out about one text.

    `pending` are the sources that have to be fetched before more is known, `again` known ones that should be asked again.
    """

    stamp: tuple[int, int]
    read: Read | None
    """The document in the form in which it is read again after an edit; None for one that was not read as Markdown."""
    job: Job
    check: Check
    page_set: PageSet
    places: Places
    citations: tuple[CheckedCitation, ...]
    claims: tuple[CheckedCitation, ...]
    """What was asked of the sources of claims (the setting `claims`)."""
    diagnostics: tuple[Diagnostic, ...]
    pending: tuple[WebSource, ...]
    again: tuple[WebSource, ...]
    shown: tuple[types.Diagnostic, ...]
    told: ByIdentity[Diagnostic, types.Diagnostic]
    """What is shown of which finding."""
    status: str
    """What the text amounts to, in the words in which a run of `check` ends."""
    result_id: str
    files: tuple[Path, ...]
    """Files besides settings and sources that the diagnostics hang on, whether they exist or not."""

    @property
    def web_sources(self) -> list[tuple[Citation, WebSource]]:
        """The citations of web sources, each with its source."""
        return self.check.web_sources


class Looker:
    """Looks at texts, one at a time, for one editor that counts in units of *encoding*."""

    def __init__(
        self, finder: SettingsFinder, encoding: str, page_set: Callable[[Settings, Path], PageSet]
    ) -> None:
        """*page set* gives the one for settings and a root; it may raise SettingsError."""
        self._finder = finder
        self._encoding = encoding
        self._page_set = page_set

    def look(self, subject: Subject, stamp: tuple[int, int]) -> Looked:
        """Return what is known of *subject* without the network. Raises SettingsError."""
        project = self._finder.settings(subject.location.parent)
        settings = engine_settings(project, subject.client, subject.root)
        page_set = self._page_set(settings, subject.root)
        # Now, since no check is under way: looks run one at a time (session._one_look).
        page_set.take_in()
        read = self._read(subject, settings)
        job = Job(
            document=self._document(subject, settings, read),
            location=subject.location,
            root=subject.root,
            settings=settings,
            read=page_set.read,
        )
        places = Places(
            job.document, subject.text, self._encoding, read.lines if read is not None else None
        )
        check = Check(
            [job],
            page_set.store,
            memo=page_set.memo,
            pages=page_set.pages,
            extras=(),
            before=_carried(subject.previous, job, page_set),
            texts=page_set.texts,
        )
        check.look_up()
        again: list[WebSource] = []
        if subject.reconsider:
            again = page_set.reconsidered(
                {item.key: item for _, item in check.web_sources}.values()
            )
        baseline = set_up(settings.baseline or BASELINE_NAME, subject.root)
        result = _without_known(check.result(), baseline, named=settings.baseline is not None)
        told = ByIdentity[Diagnostic, types.Diagnostic]()
        known = subject.previous.told if subject.previous is not None else told
        shown = tuple(_told(item, places, known, told) for item in result.diagnostics)
        return Looked(
            stamp=stamp,
            read=read,
            job=job,
            check=check,
            page_set=page_set,
            places=places,
            citations=result.citations,
            claims=result.claims,
            diagnostics=result.diagnostics,
            pending=check.pending,
            again=tuple(again),
            shown=shown,
            told=told,
            status=counts_line(result),
            result_id=result_id(shown),
            files=(baseline.path, *([Path(settings.manifest)] if settings.manifest else [])),
        )

    def _read(self, subject: Subject, settings: Settings) -> Read | None:
        """Read what may be Markdown: of a text that was read before only what an edit has to do with."""
        path = subject.parsed_as
        if path is None or subject.is_too_large or settings.excludes(subject.location):
            return None
        # Claims are not read in parts: what a sentence's source is may stand anywhere.
        if kind_of(path) is FileKind.JSON_LINES or settings.claims:
            return None
        text = subject.text.removeprefix(BOM)
        before = subject.previous.read if subject.previous is not None else None
        if before is None or (before.document.path, before.eager) != (path, settings.eager):
            return read(path, text, eager=settings.eager)
        if before.text == text:
            return before
        return read_again(before, text) or read(path, text, eager=settings.eager)

    def _document(self, subject: Subject, settings: Settings, read: Read | None) -> Document:
        if read is not None:
            found = read.document
            return found if found.path == subject.name else replace(found, path=subject.name)
        text = subject.text.removeprefix(BOM)
        if subject.parsed_as is None or settings.excludes(subject.location):
            return Document(path=subject.name, text=text, kind=DocumentKind.UNKNOWN)
        if subject.is_too_large:
            return replace(_TOO_LARGE, path=subject.name)
        previous = subject.previous
        if previous is not None and _reads_alike(previous.job, text, settings):
            return previous.job.document
        reader = InputReader(self._finder, subject.root)
        return replace(reader.document(subject.parsed_as, text, settings), path=subject.name)


def _told(
    finding: Diagnostic,
    places: Places,
    known: ByIdentity[Diagnostic, types.Diagnostic],
    told: ByIdentity[Diagnostic, types.Diagnostic],
) -> types.Diagnostic:
    """Return *finding* in the editor's terms: as it is *known*, for one that is the same stands on the same line as before."""
    return told.put(finding, known.get(finding) or editor_diagnostic(finding, places))


def _carried(previous: Looked | None, job: Job, page_set: PageSet) -> Carried | None:
    """Return what the check of the text before has left, if nothing but the text can have changed what citations lead to."""
    if previous is None or previous.page_set is not page_set:
        return None
    return previous.check.carried if previous.job.settings == job.settings else None


def _without_known(result: CheckResult, baseline: ChosenFile, *, named: bool) -> CheckResult:
    """Return *result* without the findings that *baseline* knows, as the hook reports it.

    Raises SettingsError for a baseline that cannot be used, or is named in the settings and missing.
    """
    if not named and not os.path.lexists(baseline.path):
        return result
    try:
        return apply_baseline(result, read_baseline(baseline)).result
    except LedgerError as error:
        raise SettingsError(str(error)) from None


def result_id(shown: tuple[types.Diagnostic, ...]) -> str:
    """Return what tells one set of diagnostics from another: a hash of all that the editor shows of them."""
    told = [(repr(item.range), item.code, item.severity, item.message, item.tags) for item in shown]
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:32]


def _reads_alike(job: Job, text: str, settings: Settings) -> bool:
    """Tell whether the document of *job* is what *text* under *settings* would be read as."""
    same = (job.settings.eager, job.settings.exclude) == (settings.eager, settings.exclude)
    # A call log hangs on its manifest, and notes become notes by what is typed.
    reads = job.document.kind not in {DocumentKind.CALLS, DocumentKind.UNKNOWN}
    return same and job.document.text == text and reads
