"""From settings to a store, and from a citation of a job to its page or file."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tracecite_lint.engine.job import Job
from tracecite_lint.light.lazy import replace
from tracecite_lint.matching import FOLD_VERSION
from tracecite_lint.naming.uris import is_web
from tracecite_lint.settings import SettingsError
from tracecite_lint.sources.deadline import Deadline
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.files import LocalKey, LocalSource, Reader
from tracecite_lint.sources.options import Reach, check_options
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.sources.resolving import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.sources.store import Store

Target = WebSource | LocalSource | SourceError

PageKey = str | tuple[LocalKey, Reader | None]
"""What a page is known by: the key of a web source, or that of a file with the way in which it is read."""


@contextmanager
def open_store(reach: Reach, *, work_tree: Path, started: float | None = None) -> Iterator[Store]:
    """Give the store that *reach* describes: its cache, how sources are reached, and the time the run may take.

    The cache may not lie in *work_tree*; it is closed at the end. The clock of `max_time` starts at the time *started* of
    `time.monotonic()`, or here. Raises SettingsError for a value that cannot be used.
    """
    from tracecite_lint.files.user_directories import cache_directory
    from tracecite_lint.sources.cache import Cache
    from tracecite_lint.sources.store import Store

    try:
        check_options(reach.fetching)
    except ValueError as error:
        raise SettingsError(str(error)) from None
    begin = time.monotonic() if started is None else started
    deadline = Deadline.after(reach.max_time, started=begin)
    directory = None if reach.no_cache else cache_directory(reach.cache_dir, os.environ)
    cache = Cache(directory, work_tree=work_tree)
    try:
        yield Store(
            cache,
            replace(reach.fetching, deadline=deadline.at),
            prepare=_prepared,
            prepare_version=FOLD_VERSION,
            helper="tracecite_lint.engine.page_reader",
        )
    finally:
        cache.close()


def _prepared(text: str) -> bytes:
    from tracecite_lint.matching.fold import fold  # not where all pages are in the cache

    return fold(text).to_bytes()


def resolve_source(uri: str, job: Job) -> Target:
    """Return where *uri*, as written in the job's document, leads: a web source, a file, or why to neither."""
    try:
        hosts = job.settings.allow_host
        target = resolve(uri, document=job.location, root=job.root, allow_hosts=hosts)
    except SourceError as error:
        return error
    if isinstance(target, LocalSource) and not target.fragment and _is_own(target.path, job):
        return SourceError(
            "SELF_CITATION",
            "the source is the document itself, in which the quotation stands in any case",
            help="cite where the words are from, or name the part of the document that holds them (`#heading`)",
        )
    return target


def _is_own(path: Path, job: Job) -> bool:
    return os.path.normpath(path) == os.path.normpath(job.location)


class Resolver:
    """`resolve_source` for many citations: a web address leads to the same page from every document."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], Target] = {}

    def __call__(self, uri: str, job: Job) -> Target:
        """Return where *uri*, as written in the job's document, leads."""
        if not is_web(uri):
            return resolve_source(uri, job)
        name = uri, job.settings.allow_host
        if name not in self._known:
            self._known[name] = resolve_source(uri, job)
        return self._known[name]


def page_key(job: Job, target: WebSource | LocalSource) -> PageKey:
    return target.key if isinstance(target, WebSource) else (target.key, job.read)
