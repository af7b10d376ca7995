"""Web sources as they are at the time of the run: what `check-report`, `verify-notes` and `verify-urls` say “live” of."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tracecite_lint.cli.options import (
    add_json_option,
    add_progress_option,
    add_reach_options,
    finder_from,
)
from tracecite_lint.cli.progress import progress_of
from tracecite_lint.engine.check import Check, fetch_pending
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.judge import Decision, unverifiable
from tracecite_lint.engine.reach import open_store
from tracecite_lint.files.roots import repository_root
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.model import Citation, Document, DocumentKind
from tracecite_lint.naming.uris import is_web, public_uri
from tracecite_lint.output.terminal import printable, printable_lines
from tracecite_lint.rules import is_unreachable
from tracecite_lint.settings import Settings, SettingsFinder
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.options import Reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SOURCE_SECONDS: Final = 20.0
"""What one source may take, redirects and further attempts included, as in the earlier tool."""

PASS: Final = "PASS"
FAIL: Final = "FAIL"
SKIP: Final = "SKIP"
"""What could not be reached, where `--allow-unreachable` forgives it: neither passed nor failed, and not counted."""

_LOCAL = unverifiable(
    SourceError("UNSUPPORTED_SOURCE_URI", "it is no web address, and only those have a live source")
)


@dataclass(frozen=True, slots=True)
class Looked:
    """What is known of one citation; `read_at` (seconds since the epoch) is set if its page was read before this run."""

    decision: Decision
    read_at: float | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --json and the reach options."""
    add_json_option(parser)
    add_reach_options(parser)
    add_progress_option(parser)


class LiveSources:
    """The settings of a run over live sources, and the way to them."""

    def __init__(self, args: argparse.Namespace) -> None:
        """Read the settings that hold in the working directory. Raises UsageError, SettingsError."""
        finder = finder_from(args)
        self._started: float = args.started
        self._progress = progress_of(args)
        self.settings = finder.settings(Path.cwd())
        self._reach = _live(self.settings, finder)

    def look_for(self, citations: Sequence[Citation]) -> list[Looked]:
        """Return what the page of each citation says of it, in their order. A source that is no web address is refused."""
        here = Path.cwd()
        work_tree = repository_root(here, here)
        document = Document(
            "", "", DocumentKind.NOTES, tuple(item for item in citations if is_web(item.source.uri))
        )
        job = Job(document=document, location=here / "-", root=work_tree, settings=self.settings)
        progress = self._progress
        with open_store(self._reach, work_tree=work_tree, started=self._started) as store:
            began = time.time()
            check = Check([job], store).look_up()
            fetch_pending(check, store, on_start=progress.start, on_page=progress.page)
            progress.clear()
            looked = [_looked(check, job, item, began) for item in citations]
            if store.problem is not None:
                print(f"tracecite-lint: {printable_lines(store.problem)}", file=sys.stderr)
        return looked

    def outcome(self, codes: Sequence[str]) -> str:
        """Return PASS, FAIL or SKIP: what *codes* of one source mean for the run, which fails for each FAIL alone."""
        if not codes:
            return PASS
        lenient = self.settings.allow_unreachable
        return SKIP if lenient and all(map(is_unreachable, codes)) else FAIL


def adjective(looked: Iterable[Looked]) -> str:
    """Return what the summary calls the sources: `live `, or nothing if one was not asked for in this run."""
    return "" if any(item.read_at is not None for item in looked) else "live "


def read_at(looked: Looked) -> dict[str, str]:
    """Return the field `fetched_at` of a page that was not asked for in this run."""
    if looked.read_at is None:
        return {}
    return {"fetched_at": f"{datetime.fromtimestamp(looked.read_at, UTC):%Y-%m-%dT%H:%M:%SZ}"}


def print_source(
    place: str, url: str, codes: Iterable[str], looked: Looked | None, outcome: str
) -> None:
    """Print the lines of one source, as scripts read them; a page that was not asked for says from when it is."""
    print(f"  {place}{outcome} {printable(public_uri(url))}")
    for code in codes:
        print(f"    [{code}]")
    if looked is not None and (read := read_at(looked)):
        print(f"    as read at {read['fetched_at']}")


def _live(settings: Settings, finder: SettingsFinder) -> Reach:
    """Return how sources are reached: each is asked again, unless --ttl says how old a page may be, or --offline."""
    reach = settings.reach()
    fetching = replace(reach.fetching, current=True, source_timeout=SOURCE_SECONDS)
    if not finder.is_given_for_the_run("ttl"):
        fetching = replace(fetching, ttl=0.0)
    hosts = {name: replace(host, ttl=None) for name, host in fetching.hosts.items()}
    return replace(reach, fetching=replace(fetching, hosts=hosts))


def _looked(check: Check, job: Job, citation: Citation, began: float) -> Looked:
    if not is_web(citation.source.uri):
        return Looked(_LOCAL)
    decision = check.decision(job, citation)
    assert decision is not None  # nothing is pending any more
    page = check.head(job, citation)
    return Looked(decision, page.fetched_at if page and page.fetched_at < began else None)
