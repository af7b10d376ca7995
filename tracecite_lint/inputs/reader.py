"""What a person or a hook names becomes jobs: documents found, read, decoded, and the settings that hold for each."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from tracecite_lint.changes.comparison import NOT_READ, changed_documents
from tracecite_lint.changes.git import UnreadableObjectError, find_repository
from tracecite_lint.errors import os_reason
from tracecite_lint.files.git_directories import is_gits_own
from tracecite_lint.files.opening import RefusedError, read_below, read_regular
from tracecite_lint.files.roots import repository_root
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.model import Diagnostic, Document, DocumentKind, Severity, Span
from tracecite_lint.naming.file_names import FileKind, is_document, is_text_file, kind_of
from tracecite_lint.rules import is_unreachable, rule_for
from tracecite_lint.settings import Settings, SettingsFinder, covers
from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME
from tracecite_lint.sources.deadline import NO_DEADLINE, Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from tracecite_lint.changes.changeset import ChangeSet
    from tracecite_lint.changes.sparse import RecordedFile, RecordedTexts
    from tracecite_lint.engine.job import Job
    from tracecite_lint.engine.readings import KeptReadings
    from tracecite_lint.model import CheckResult

START = Span(1, 1, 1, 1)
BOM = "\ufeff"
SIZE_LIMIT = 256 * 1024 * 1024
"""Bytes of one document; `trace` and `audit` read larger files as streams."""
_NAMED = 3
"""So many documents are called by their names where many are meant."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is to be checked, what could not be read, and what the user should know about the choice."""

    jobs: tuple[Job, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()
    """Documents that are there and were left out of the run, as their paths are shown."""


def shown(path: Path, cwd: Path) -> str:
    """Return *path* as people see it: relative to the working directory, with `/`."""
    return Path(os.path.relpath(path, cwd)).as_posix()


def located(name: str, cwd: Path) -> Path:
    """Return the place that a person calls *name* in *cwd*: absolute, and its folder the real one where `..` leads up."""
    path = cwd / name
    if ".." not in path.parts:
        return path
    if path.name == "..":
        return Path(os.path.realpath(path))
    return Path(os.path.realpath(path.parent), path.name)


def excluded_notes(count: int) -> list[str]:
    """Return what is said of *count* documents that the settings leave out; nothing of none."""
    if not count:
        return []
    documents = "1 document is" if count == 1 else f"{count} documents are"
    return [f"{documents} left out by `exclude` in the settings"]


def decode(data: bytes) -> str:
    """Decode a document, without its BOM. Raises ValueError with a message that names the place."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"byte {data[error.start]:#04x} on line {line} is not UTF-8") from None
    # As git and grep tell a binary file; NUL is valid UTF-8.
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ValueError(f"a NUL byte on line {line}: not a text file")
    return text.removeprefix(BOM)


class InputReader:
    """Reads documents into jobs; what cannot be read is collected as problems, not raised."""

    def __init__(
        self,
        finder: SettingsFinder,
        cwd: Path,
        deadline: Deadline = NO_DEADLINE,
        readings: KeptReadings | None = None,
    ) -> None:
        """*cwd* is the absolute directory that paths are shown relative to; after *deadline* nothing more is read.

        What documents said in earlier runs is taken from *readings*.
        """
        self._readings = readings
        self._deadline = deadline
        self._finder = finder
        self._cwd = cwd
        self._problems: list[Diagnostic] = []
        self._unknown: set[str] = set()
        self._not_at_hand: list[str] = []
        self._from_index: list[str] = []

    def from_paths(
        self,
        paths: Iterable[Path],
        *,
        found: Collection[Path] = (),
        recorded: Mapping[Path, RecordedFile] = MappingProxyType({}),
    ) -> Inputs:
        """Read the files *paths* (absolute), in this order. Raises SettingsError.

        Those that nobody named but a search has *found* are not read through a link out of their repository. Those in
        *recorded* are not on disk, and read from where they are.
        """
        from tracecite_lint.changes.sparse import RecordedTexts

        with RecordedTexts() as texts:
            jobs = [
                self._job(path, found=path in found)
                if path not in recorded
                else self._recorded_job(path, recorded[path], texts, found=path in found)
                for path in paths
            ]
        if self._readings is not None:
            self._readings.save()
        return self._inputs([job for job in jobs if job is not None])

    def know_settings_beside(self, recorded: Mapping[Path, RecordedFile]) -> None:
        """Let the settings hold that the index has beside the files *recorded* there. Raises ChangesError."""
        from tracecite_lint.changes.sparse import RecordedTexts, recorded_settings

        repositories = {file.repository.root: file.repository for file in recorded.values()}
        with RecordedTexts() as texts:
            for repository in repositories.values():
                known: dict[Path, bytes] = {}
                for path, file in recorded_settings(repository).items():
                    try:
                        content = texts.content(file, limit=SIZE_LIMIT)
                    except UnreadableObjectError:
                        self._not_at_hand.append(shown(path, self._cwd))
                    else:
                        known[path] = content or b""
                self._finder.know_recorded(known)

    def from_repository(self, root: Path, names: Iterable[str]) -> Inputs:
        """Read the files *names* below *root*, which nobody has named: what is not there or leads out of it is passed over.

        Raises SettingsError.
        """
        jobs = []
        for location in (root / name for name in names):
            data = None
            with suppress(OSError, RefusedError):
                data = read_below(location, root, limit=SIZE_LIMIT)
            job = None if data is None else self.job_from_bytes(location, data)
            if job is not None:
                jobs.append(job)
        return self._inputs(jobs)

    def from_bytes(self, location: Path, data: bytes) -> Inputs:
        """Read *data* as the document at *location* (absolute; it need not exist). Raises SettingsError."""
        job = self.job_from_bytes(location, data)
        return self._inputs([job] if job else [])

    def from_changes(self, changes: ChangeSet, only: Collection[str] | None = None) -> Inputs:
        """Read what *changes* make new, in the files *only* (relative to the repository's root; None: in all).

        Raises SettingsError and ChangesError.
        """
        root = changes.root
        selection = changed_documents(
            changes,
            lambda path, text: self._document_at(root / path, text),
            decode=decode,
            only=only,
            accept=lambda path: is_document(path) and not self.excluded(root / path),
            options=lambda path: self._reporting(root / path),
            has_time=self._deadline.leaves_time_for,
        )
        for path, code, message in selection.problems:
            self.problem(root / path, code, message)
        if selection.documents:
            from tracecite_lint.engine.job import Job

        jobs = [
            Job(
                document=changed.document,
                location=root / changed.path,
                root=root,
                settings=self.settings(root / changed.path),
                citations=changed.new,
                diagnostics=changed.new_diagnostics,
                claims=changed.new_claims,
                unchanged=changed.unchanged,
                read=changes.recorded,
            )
            for changed in selection.documents
        ]
        changed = {
            change.path
            for side in changes.sides
            for change in side.values()
            if change.new and (only is None or change.path in only) and is_document(change.path)
        }
        count = sum(self.excluded(root / path) for path in changed)
        return self._inputs(jobs, (*selection.notes, *excluded_notes(count)))

    def from_edits(self, paths: Iterable[Path]) -> Inputs:
        """Read what is new in the files *paths* (absolute), which somebody has just edited, against HEAD and the index.

        Passed over are what is no document, what settings leave out, and what is not there or lies outside of its
        repository. Raises SettingsError and ChangesError.
        """
        jobs = [self._edited_job(path) for path in paths]
        return self._inputs([job for job in jobs if job is not None])

    def _edited_job(self, location: Path) -> Job | None:
        if not is_document(location.name) or self.excluded(location):
            return None
        from tracecite_lint.inputs.discovery import may_be_notes

        root = repository_root(location.parent, self._cwd)
        data = None
        with suppress(OSError, RefusedError):
            data = read_below(location, root, limit=SIZE_LIMIT)
        if data is None or (is_text_file(location.name) and not may_be_notes(data)):
            return None
        job = self.job_from_bytes(location, data)
        repository = find_repository(location.parent, deadline=self._deadline.at)
        if job is None or repository is None or (path := repository.relative(location)) is None:
            return job
        from tracecite_lint.changes.edited import new_in_file  # not for a commit

        citations, findings = new_in_file(
            repository,
            path,
            job.document,
            parse=lambda content: self._document_at(location, decode(content)),
            options=self._reporting(location),
        )
        return replace(
            job,
            citations=citations,
            diagnostics=findings,
            unchanged=len(job.document.citations) - len(citations),
        )

    def job_from_bytes(self, location: Path, data: bytes) -> Job | None:
        """Read *data* as the document at *location*; None, and a problem, if that cannot be done."""
        text = self._decoded(location, data)
        return None if text is None else self._job_of(location, text)

    def _decoded(self, location: Path, data: bytes) -> str | None:
        if not self._deadline.leaves_time_for(len(data)):
            self.problem(location, OUT_OF_TIME, NOT_READ)
            return None
        try:
            return decode(data)
        except ValueError as error:
            self._problem(shown(location, self._cwd), "NOT_UTF8_TEXT", str(error))
            return None

    def _job_of(self, location: Path, text: str) -> Job:
        name = shown(location, self._cwd)
        root = repository_root(location.parent, self._cwd)
        from tracecite_lint.changes.sparse import SparseSources
        from tracecite_lint.engine.job import Job

        return Job(
            document=self._known_document(name, text, self.settings(location)),
            location=location,
            root=root,
            settings=self.settings(location),
            read=SparseSources(root, self._deadline.at),
        )

    def _known_document(self, name: str, text: str, settings: Settings) -> Document:
        """Return what *text* says, from an earlier run or parsed."""
        if self._readings is None or kind_of(name) is FileKind.JSON_LINES:  # no record is kept
            return self.document(name, text, settings)
        known = self._readings.get(name, text, settings)
        if known is not None:
            return known
        document = self.document(name, text, settings)
        self._readings.add(document, settings)
        return document

    def document(self, name: str, text: str, settings: Settings) -> Document:
        """Parse *text* as the document shown as *name*; a call log is audited at once."""
        from tracecite_lint.documents import read_document  # not where nothing is read

        document = read_document(name, text, eager=settings.eager, claims=settings.asked_of_claims)
        if document.kind is DocumentKind.CALLS:
            from tracecite_lint.calls.diagnostics import log_diagnostics
            from tracecite_lint.files.chosen import set_up

            root = repository_root(self._cwd, self._cwd)
            manifest = set_up(settings.manifest, root) if settings.manifest else None
            return replace(document, diagnostics=log_diagnostics(text, manifest))
        if document.kind is DocumentKind.UNKNOWN:
            self._unknown.add(name)
        return document

    def _reporting(self, location: Path) -> Hashable:
        """Return what in its settings decides whether a citation of the document at *location* is read and reported."""
        settings = self.settings(location).for_document(location)
        severity = tuple(sorted(settings.severity.items(), key=str))
        return (
            settings.citations,
            settings.asked_of_claims,
            settings.select,
            settings.extend_select,
            settings.ignore,
            severity,
        )

    def settings(self, location: Path) -> Settings:
        """Return the settings that hold for the document at *location* (absolute). Raises SettingsError."""
        return self._finder.settings(location.parent)

    def excluded(self, location: Path) -> bool:
        """Tell whether the settings leave out the document at *location*. Raises SettingsError."""
        return self.settings(location).excludes(location)

    def unused_patterns(self, paths: Collection[Path], *, within: Sequence[Path]) -> list[str]:
        """Return a line for each pattern of settings files that matches none of the documents *paths*.

        Of patterns whose folder does not lie in one of *within*, which were searched, nothing is known.
        """
        layers = {
            layer.origin: layer
            for folder in dict.fromkeys(path.parent for path in paths)
            for layer in self._finder.layers(folder)
        }
        return [
            f"{setting}: {str(pattern)!r} matches no document ({shown(Path(origin), self._cwd)})"
            for origin, layer in layers.items()
            for setting, patterns in layer.patterns()
            for pattern in patterns
            if Path(origin).is_absolute()
            and pattern.folder is not None
            and any(pattern.folder.is_relative_to(folder) for folder in within)
            and not any(covers([pattern], path) for path in paths)
        ]

    def problem(self, location: Path, code: str, message: str) -> None:
        """Take down that the document at *location* could not be read."""
        lenient = is_unreachable(code) and self.settings(location).allow_unreachable
        severity = Severity.WARNING if lenient else Severity.ERROR
        self._problem(shown(location, self._cwd), code, message, severity)

    def _inputs(self, jobs: Sequence[Job], notes: Iterable[str] = ()) -> Inputs:
        said = [*notes, *self._finder.notes]
        if self._unknown:
            count = len(self._unknown)
            files = "1 JSONL file holds" if count == 1 else f"{count} JSONL files hold"
            left = "was" if count == 1 else "were"
            said.append(f"{files} no records of a known kind, and {left} left alone")
        if clean := sum(_is_clean_log(job) for job in jobs):
            logs = "1 log of model calls was" if clean == 1 else f"{clean} logs of model calls were"
            said.append(f"{logs} audited, without a finding")
        if excluded := sum(job.excluded for job in jobs):
            are = "1 citation is" if excluded == 1 else f"{excluded:,} citations are"
            said.append(f"{are} left out for the source by `exclude-url` in the settings")
        if self._from_index:
            names = enumerated(self._from_index)
            said.append(f"read from the index, as the sparse checkout leaves it out: {names}")
        if self._not_at_hand:
            said.append(
                f"not looked at, as not at hand in this clone: {enumerated(self._not_at_hand)}"
            )
        unseen = frozenset(self._not_at_hand)
        return Inputs(tuple(jobs), tuple(self._problems), tuple(said), unseen)

    def _document_at(self, location: Path, text: str) -> Document:
        return self.document(shown(location, self._cwd), text, self.settings(location))

    def _recorded_job(
        self, location: Path, file: RecordedFile, texts: RecordedTexts, *, found: bool
    ) -> Job | None:
        from tracecite_lint.inputs.discovery import may_be_notes

        try:
            data = texts.content(file, limit=SIZE_LIMIT)
        except UnreadableObjectError as error:
            if found:
                self._not_at_hand.append(shown(location, self._cwd))
            else:
                self.problem(location, "UNREADABLE_FILE", str(error))
            return None
        if found and is_text_file(location.name) and not may_be_notes(data or b""):
            return None
        self._from_index.append(shown(location, self._cwd))
        text = self._read_text(location, data)
        return None if text is None else self._job_of(location, text)

    def _job(self, location: Path, *, found: bool) -> Job | None:
        # The bytes are gone by the time that the text is parsed: of a trace either may be large.
        text = self._text_of(location, found=found)
        return None if text is None else self._job_of(location, text)

    def _text_of(self, location: Path, *, found: bool) -> str | None:
        try:
            # Also for a name that was typed: a token in .git/config would stand in the report of the finding.
            if is_gits_own(location):
                raise PermissionError(errno.EACCES, "a file of git's own is not read")
            root = repository_root(location.parent, self._cwd)
            # What a person names may be a link to anywhere; what a search found may have been put there by others.
            if found and location.is_relative_to(root):
                data = read_below(location, root, limit=SIZE_LIMIT)
            else:
                data = read_regular(location, limit=SIZE_LIMIT)
        except FileNotFoundError:
            self.problem(location, "FILE_NOT_FOUND", "no such file or directory")
            return None
        except RefusedError as error:
            self.problem(location, "UNREADABLE_FILE", f"it {error}")
            return None
        except OSError as error:
            self.problem(location, "UNREADABLE_FILE", os_reason(error))
            return None
        return self._read_text(location, data)

    def _read_text(self, location: Path, data: bytes | None) -> str | None:
        if data is None:
            self.problem(location, "FILE_TOO_LARGE", f"larger than {SIZE_LIMIT // 2**20} MiB")
            return None
        return self._decoded(location, data)

    def _problem(
        self, name: str, code: str, message: str, severity: Severity | None = None
    ) -> None:
        rule = rule_for(code)
        self._problems.append(
            Diagnostic(
                code=code,
                message=message,
                span=START,
                file=name,
                help=rule.fix if rule else "",
                severity=severity or Severity.ERROR,
            )
        )


def _is_clean_log(job: Job) -> bool:
    return job.document.kind is DocumentKind.CALLS and not job.document.diagnostics


def enumerated(names: Sequence[str]) -> str:
    """Return how many files these are, and the first of them by name."""
    count = "1 file" if len(names) == 1 else f"{len(names):,} files"
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{count} ({', '.join(names[:_NAMED])}{more})"


def with_inputs(result: CheckResult, inputs: Inputs, cwd: Path) -> CheckResult:
    """Add to *result* what could not be read, what is to be said about the choice of inputs, and where that was."""
    root = repository_root(cwd, cwd)
    directory = cwd.resolve().relative_to(root).as_posix()
    return replace(
        result,
        diagnostics=(*inputs.problems, *result.diagnostics),
        notes=(*inputs.notes, *result.notes),
        directory="" if directory == "." else directory,
    )
