"""What a run that lets unreachable sources pass leaves to the next strict one (docs/hook.md)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tracecite_lint.check import Job
from tracecite_lint.fingerprints import repository_path
from tracecite_lint.inputs import InputReader, Inputs, repository_root, shown
from tracecite_lint.ledgers import LedgerError
from tracecite_lint.model import CheckResult
from tracecite_lint.settings import Settings
from tracecite_lint.sources.cache import cache_directory
from tracecite_lint.unchecked import (
    Unchecked,
    read_unchecked,
    remaining,
    unchecked,
    write_unchecked,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """The citations of a repository that earlier runs could not check. `cache` is None where nothing is kept."""

    cache: Path | None
    root: Path
    cwd: Path
    known: frozenset[Unchecked]
    allowed: bool

    def added(self, inputs: Inputs, args: argparse.Namespace, reader: InputReader) -> Inputs:
        """Return *inputs* with the remembered citations first, if the run has to be strict.

        A run over what is new takes in the documents that hold them; one that was given files stays with those.
        """
        if self.allowed or not self.known:
            return inputs
        jobs = list(inputs.jobs)
        if args.changed or args.diff_base or not (args.all or args.paths):
            jobs += self._further_jobs(jobs, reader)
        owing = [(job, self._owed(job)) for job in jobs]
        count = sum(len(owed) for _, owed in owing)
        if not count:
            return inputs
        citations = "1 citation" if count == 1 else f"{count} citations"
        first = [_with(job, owed) for job, owed in owing if owed]
        rest = [job for job, owed in owing[: len(inputs.jobs)] if not owed]
        note = f"{citations} that an earlier run could not check came first"
        return replace(inputs, jobs=(*first, *rest), notes=(*inputs.notes, note))

    def keep(self, result: CheckResult, jobs: Iterable[Job]) -> str | None:
        """Remember what *result* let pass; return why that was not possible, in one line."""
        if self.cache is None:
            return None
        files = {
            repository_path(job.document.path, result.directory)
            for job in jobs
            if job.citations is None
        }
        entries = remaining(self.known, result, files=files, allowed=self.allowed)
        if entries == self.known:
            return None
        try:
            write_unchecked(self.cache, self.root, entries)
        except LedgerError as error:
            return str(error)
        return None

    def _further_jobs(self, jobs: Sequence[Job], reader: InputReader) -> list[Job]:
        present = {self._name(job) for job in jobs}
        files = sorted({entry.file for entry in self.known} - present)
        paths = [path for file in files if (path := self.root / file).is_file()]
        return [replace(job, citations=(), diagnostics=()) for job in reader.from_paths(paths).jobs]

    def _owed(self, job: Job) -> Collection[int]:
        """Return the positions of the citations in the job's document that are remembered."""
        name = self._name(job)
        return [
            position
            for position, citation in enumerate(job.document.citations)
            if unchecked(name, citation) in self.known
        ]

    def _name(self, job: Job) -> str:
        return shown(job.location, self.root)


def open_memory(settings: Settings, cwd: Path) -> Memory:
    """Return what is remembered for the repository that *cwd* lies in."""
    cache = None if settings.no_cache else cache_directory(settings.cache_dir, os.environ)
    root = repository_root(cwd / "x", cwd)
    known = read_unchecked(cache, root) if cache else frozenset()
    return Memory(cache, root, cwd, known, settings.allow_unreachable)


def _with(job: Job, owed: Collection[int]) -> Job:
    """Return *job* with the citations at the positions *owed* among those to be checked."""
    if job.citations is None:
        return job
    chosen = set(map(id, job.citations))
    citations = tuple(
        citation
        for position, citation in enumerate(job.document.citations)
        if position in owed or id(citation) in chosen
    )
    added = len(citations) - len(job.citations)
    return replace(job, citations=citations, unchanged=max(job.unchanged - added, 0))
