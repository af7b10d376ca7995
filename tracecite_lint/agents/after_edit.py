"""What an agent is told after its edit: what is new in the files that it named, each finding once in a conversation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tracecite_lint.agents.hook_messages import HookMessage, Moment
from tracecite_lint.agents.known_findings import without_known
from tracecite_lint.agents.memory import Memory
from tracecite_lint.engine.check import check_documents
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.files.roots import repository_root
from tracecite_lint.files.user_directories import cache_directory
from tracecite_lint.inputs.reader import InputReader, located, with_inputs
from tracecite_lint.model import CheckResult, Citation, Diagnostic
from tracecite_lint.output.agent import LIMIT, by_certainty, stated
from tracecite_lint.output.findings import without_passwords, without_private_words
from tracecite_lint.settings import Settings, SettingsFinder
from tracecite_lint.sources.deadline import Deadline

_ROOM = LIMIT - 500
"""Characters of the findings; the last line has the rest."""


def told(message: HookMessage, finder: SettingsFinder, *, started: float) -> str:
    """Return what is to be said to the agent after *message*; empty if nothing is.

    *started* is when the run began, by `time.monotonic()`. Raises SettingsError, ChangesError, LedgerError.
    """
    here = Path.cwd()
    if message.folder is not None and Path(message.folder).is_dir():
        here = Path(message.folder)
    settings = finder.settings(here)
    root = repository_root(here, here)
    directory = None if settings.no_cache else cache_directory(settings.cache_dir, os.environ)
    memory = Memory(message.conversation, directory, work_tree=root)
    try:
        files = memory.files() if message.moment is Moment.END else message.files
        # Of files elsewhere (a plan in the agent's own folder) the settings of this project say nothing.
        edited = [path for name in files if _is_below(path := located(name, here), root)]
        if message.moment is Moment.OBSERVED:
            for path in edited:
                memory.edited(str(path))
            return ""
        found = _found(dict.fromkeys(edited), finder, settings, here, started)
        return _said(found, memory, root, offline=settings.offline)
    finally:
        memory.close()


def _is_below(path: Path, root: Path) -> bool:
    """Tell whether *path* lies in *root* (links resolved); the file itself may be a link, which is not followed out of it."""
    return Path(os.path.realpath(path.parent)).is_relative_to(root)


def _found(
    paths: dict[Path, None], finder: SettingsFinder, settings: Settings, here: Path, started: float
) -> Sequence[Diagnostic]:
    """Return the findings about what is new in the files *paths*."""
    root = repository_root(here, here)
    reader = InputReader(finder, here, Deadline.after(settings.max_time, started=started))
    inputs = reader.from_edits(paths)
    result = CheckResult()
    if inputs.jobs:
        with open_store(settings.reach(), work_tree=root, started=started) as store:
            result = check_documents(inputs.jobs, store, extras={"elsewhere"})
    result = with_inputs(result, inputs, here)
    unchecked = [(job.document.path, item) for job in inputs.jobs for item in _left_out(job)]
    return without_known(result, settings, root, unchecked).diagnostics


def _left_out(job: Job) -> list[Citation]:
    chosen = {(item.span, item.source.uri) for item in job.chosen}
    return [item for item in job.document.citations if (item.span, item.source.uri) not in chosen]


def _said(findings: Sequence[Diagnostic], memory: Memory, root: Path, *, offline: bool) -> str:
    """Return *findings* as text, those that were not told before and for which there is room."""
    shown = without_passwords(without_private_words(CheckResult(diagnostics=tuple(findings))))
    lines: list[str] = []
    room, left, unread = _ROOM, 0, 0
    for finding in by_certainty(shown.diagnostics):
        line = stated(finding)
        if room < len(line):
            left += 1
        elif memory.tell(_identity(finding, root)):
            if finding.code == "NOT_IN_CACHE":
                unread += 1
                continue
            lines.append(line)
            room -= len(line) + 1
    if unread:
        quotations = "1 new quotation was" if unread == 1 else f"{unread} new quotations were"
        why = "offline" if offline else "out of time"
        lines.append(f"{quotations} not looked up ({why}): the source is not in the cache")
    if not lines:
        return ""
    more = f"; {left} more had no room" if left else ""
    count = len(lines) - bool(unread)
    what = "1 finding" if count == 1 else f"{count} findings"
    lines.append(
        f"tracecite-lint: {what} in quotations that are new here{more}; JSON strings hold quoted text"
    )
    return "\n".join(lines)


def _identity(finding: Diagnostic, root: Path) -> str:
    """Return what a finding is recognised by in the next message: never by its line, which moves with each edit."""
    words = finding.quote or finding.message
    return "\0".join((str(root), finding.file, finding.code, finding.source, words))
