"""What a run that lets unreachable sources pass leaves to the next strict one (docs/hook.md)."""

from __future__ import annotations

import os
import time

from tracecite_lint.files.roots import repository_root
from tracecite_lint.files.user_directories import UNCHECKED, cache_directory
from tracecite_lint.inputs.reader import InputReader, Inputs, shown
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.model import CheckedCitation, CheckResult, Verdict
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.rules import is_unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tracecite_lint.engine.job import Job
    from tracecite_lint.known.unchecked import UncheckedCitation
    from tracecite_lint.settings import Settings


@dataclass(frozen=True, slots=True)
class Owed:
    """The citations of the repository at `root` that earlier runs could not check, by their keys.

    They are kept in `directory`, None where nothing is kept; `lenient` says that this run lets unreachable sources pass.
    """

    directory: Path | None
    root: Path
    known: Mapping[str, UncheckedCitation]
    lenient: bool

    def added(self, inputs: Inputs, args: argparse.Namespace, reader: InputReader) -> Inputs:
        """Return *inputs* with the remembered citations first, if the run has to be strict.

        A run over what is new takes in the documents that hold them; one that was given files stays with those.
        """
        if self.lenient or not self.known:
            return inputs
        jobs = list(inputs.jobs)
        if args.changed or args.diff_base or not (args.all or args.paths):
            jobs += self._further_jobs(jobs, reader)
        owing = [(job, self._owed(job)) for job in jobs]
        count = sum(len(owed) for _, owed in owing)
        if not count:
            return inputs
        # First, since the time of a run may be up before its end, and they have waited longest.
        first = [_with(job, owed) for job, owed in owing if owed]
        rest = [job for job, owed in owing[: len(inputs.jobs)] if not owed]
        citations = "1 citation" if count == 1 else f"{count} citations"
        note = f"{citations} that an earlier run could not check came first"
        return replace(inputs, jobs=(*first, *rest), notes=(*inputs.notes, note))

    def keep(self, result: CheckResult, jobs: Iterable[Job]) -> str | None:
        """Remember what *result* let pass, forget what it decided; return why that was not possible, in one line."""
        if self.directory is None or not (self.known or result.checked):
            return None
        if not (self.known or any(map(_is_unreached, result.citations))):
            return None
        from tracecite_lint.known.identity import checked_identity

        unreached = {
            known.digest: (known.file, item)
            for item in result.checked
            if _is_unreached(item)
            for known in [checked_identity(item, result.directory)]
        }
        from tracecite_lint.known.unchecked import UncheckedCitation, UncheckedCitations

        kept = UncheckedCitations(self.directory, work_tree=self.root)
        kept.remove(str(self.root), self._done(result, jobs, unreached))
        if self.lenient:
            now = time.time()
            kept.add(
                UncheckedCitation(
                    repository=str(self.root),
                    key=key,
                    file=file,
                    source=public_uri(item.citation.source.uri),
                    code=item.code or "",
                    noted_at=now,
                )
                for key, (file, item) in unreached.items()
                if key not in self.known
            )
        kept.close()
        return kept.problem

    def _done(
        self, result: CheckResult, jobs: Iterable[Job], unreached: Mapping[str, object]
    ) -> list[str]:
        """Return the keys of what was decided, and of what does not stand any more in a document that was read in full."""
        whole = {self._name(job) for job in jobs if job.is_whole and job.was_read}
        from tracecite_lint.known.identity import checked_identity

        seen = {checked_identity(item, result.directory).digest for item in result.checked}
        return [
            key
            for key, entry in self.known.items()
            if key not in unreached and (key in seen or entry.file in whole)
        ]

    def _further_jobs(self, jobs: Sequence[Job], reader: InputReader) -> list[Job]:
        present = {self._name(job) for job in jobs}
        files = sorted({entry.file for entry in self.known.values()} - present)
        # What lies in the cache directory is input: nothing outside of the repository is opened for it.
        found = reader.from_repository(self.root, files)
        return [replace(job, citations=(), diagnostics=()) for job in found.jobs]

    def _owed(self, job: Job) -> frozenset[int]:
        """Return the positions of the citations in the job's document that are remembered."""
        from tracecite_lint.known.identity import citation_identity

        name = self._name(job)
        citations = enumerate(job.document.citations)
        return frozenset(
            at
            for at, citation in citations
            if citation_identity(name, citation).digest in self.known
        )

    def _name(self, job: Job) -> str:
        return shown(job.location, self.root)


def open_owed(settings: Settings, cwd: Path) -> Owed:
    """Return what is remembered for the repository that *cwd* lies in."""
    root = repository_root(cwd, cwd)
    if settings.no_cache:
        return Owed(None, root, {}, settings.allow_unreachable)
    directory = cache_directory(settings.cache_dir, os.environ)
    known = {}
    if (directory / UNCHECKED).exists():
        from tracecite_lint.known.unchecked import UncheckedCitations

        kept = UncheckedCitations(directory, work_tree=root)
        known = {entry.key: entry for entry in kept.of(str(root))}
        kept.close()
    return Owed(directory, root, known, settings.allow_unreachable)


def _is_unreached(item: CheckedCitation) -> bool:
    return (
        item.verdict is Verdict.UNVERIFIABLE
        and not item.alternative
        and is_unreachable(item.code or "")
    )


def _with(job: Job, owed: frozenset[int]) -> Job:
    """Return *job* with the citations at the positions *owed* among those to be checked."""
    if job.citations is None:
        return job
    chosen = set(map(id, job.citations))
    citations = tuple(
        citation
        for at, citation in enumerate(job.document.citations)
        if at in owed or id(citation) in chosen
    )
    added = len(citations) - len(job.citations)
    return replace(job, citations=citations, unchanged=max(job.unchanged - added, 0))
