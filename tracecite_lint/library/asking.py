"""What a program asks in one call: where it asks, under which settings, and how a document or a quotation is then checked.

The functions of the library and the tools of the MCP server are this with their own settings.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TypeVar

from tracecite_lint.engine.check import Check, check_documents, fetch_pending
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.engine.stop import Stop
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import InputReader, located, with_inputs
from tracecite_lint.light.lazy import dataclass, regex, replace
from tracecite_lint.model import (
    CheckResult,
    Citation,
    DifferenceKind,
    Document,
    DocumentKind,
    Nearest,
    Shape,
    SourceRef,
    Span,
    Verdict,
)
from tracecite_lint.settings import Settings, SettingsFinder
from tracecite_lint.sources.deadline import Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.engine.judge import Decision
    from tracecite_lint.sources.page import Page, PageHead

_Result = TypeVar("_Result")
_BETWEEN_PARAGRAPHS = regex(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who asks: in which directory (absolute), with which settings, and what follows or ends it."""

    here: Path
    finder: SettingsFinder
    stop: Stop | None = None
    """Asked for in another thread, it ends what is fetched: asyncio.CancelledError."""
    on_pages: Callable[[int, int], None] | None = None
    """Called with how many of the pages to fetch are there, and how many there are, where any is to be fetched."""
    turn: AbstractContextManager[object] | None = None
    """Held while pages are fetched, where several who ask share one way to the network."""

    @property
    def settings(self) -> Settings:
        """The settings that hold in the directory. Raises SettingsError."""
        return self.finder.settings(self.here)

    @property
    def root(self) -> Path:
        """The directory that local sources may not leave."""
        return repository_root(self.here, self.here)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source says of some words, and the source itself as far as it was read."""

    decision: Decision
    head: PageHead | None
    page: Page | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a source says of one quotation.

    `code` and `message` tell why it is not verified, as a finding would (docs/rules.md), `help` the way out.
    """

    quote: str
    source: str
    verdict: Verdict
    code: str | None = None
    message: str = ""
    help: str = ""
    difference: DifferenceKind | None = None
    """What keeps the words of a mismatch from standing there (docs/verdicts.md)."""
    nearest: Nearest | None = None
    """The passage that comes closest to a mismatch, if one does."""
    folds: tuple[str, ...] = ()
    """The folds that the match needed, by the names of docs/matching.md."""
    omitted: str = ""
    """What an omission mark leaves out of one sentence of the source, if a negation is in it."""
    page: int | None = None
    """The 1-based page of a PDF on which the quotation was found."""
    final_url: str | None = None
    """Where the source was read, after redirects; None if it was not."""
    fetched_at: float | None = None
    """Seconds since the epoch."""
    from_cache: bool = False
    stale: bool = False
    """The page was past its TTL and could not be asked for again."""

    def to_json(self) -> dict[str, object]:
        """Return the fields under their own names; what is None, empty or false is left out."""
        values: dict[str, object] = {
            "quote": self.quote,
            "source": self.source,
            "verdict": str(self.verdict),
            "code": self.code,
            "message": self.message,
            "help": self.help,
            "difference": None if self.difference is None else str(self.difference),
            "nearest": None
            if self.nearest is None
            else {"text": self.nearest.text, "similarity": self.nearest.similarity},
            "folds": list(self.folds),
            "omitted": self.omitted,
            "page": self.page,
            "final_url": self.final_url,
            "fetched_at": self.fetched_at,
            "from_cache": self.from_cache,
            "stale": self.stale,
        }
        return {name: value for name, value in values.items() if value}


def verified(asking: Asking, quote: str, source: str) -> Verification:
    """Tell whether *quote* stands in *source*, as `tracecite_lint.verify` has it. Raises SettingsError."""
    said = looked_for(asking, quote, source)
    return _verification(quote, source, said.decision, said.head)


def looked_for(asking: Asking, words: str, source: str, *, keep: bool = False) -> Answer:
    """Look for *words* in *source*; with *keep* the page itself is part of the answer. Raises SettingsError."""
    started = time.monotonic()
    settings, root = asking.settings, asking.root
    citation = Citation(
        passages=tuple(part for part in _BETWEEN_PARAGRAPHS.split(words) if part.strip()),
        span=Span(1, 1, 1, 1),
        source=SourceRef(source),
        shape=Shape.NOTE,
    )
    # A name that no source has: nothing cites itself here.
    document = Document("", "", DocumentKind.NOTES, (citation,))
    job = Job(document=document, location=asking.here / "-", root=root, settings=settings)
    with (
        open_store(settings.reach(), work_tree=root, started=started) as store,
        _Follower(asking) as follow,
    ):
        check = Check([job], store, pages={} if keep else None, extras=()).look_up()
        fetch_pending(check, store, on_start=follow.start, on_page=follow.page, stop=asking.stop)
        decision, head = check.decision(job, citation), check.head(job, citation)
        page = check.page(job, citation) if keep else None
    assert decision is not None  # nothing is pending any more
    return Answer(decision, head, page)


def text_checked(asking: Asking, text: str, name: str) -> CheckResult:
    """Check the document *text* called *name*, as `tracecite_lint.check_text` has it. Raises SettingsError, Interrupted."""
    # Half of a surrogate pair is no text; the reader says where it stands, as of any byte that is none.
    return content_checked(
        asking, text.encode("utf-8", "surrogatepass"), located(name, asking.here)
    )


def content_checked(asking: Asking, content: bytes, location: Path) -> CheckResult:
    """Check *content* as the document at *location* (absolute; it need not exist). Raises SettingsError, Interrupted."""
    started = time.monotonic()
    settings = asking.settings
    reach = settings.reach()
    reader = InputReader(
        asking.finder, asking.here, Deadline.after(settings.max_time, started=started)
    )
    inputs = reader.from_bytes(location, content)
    if not inputs.jobs:
        return with_inputs(CheckResult(), inputs, asking.here)
    with (
        open_store(reach, work_tree=asking.root, started=started) as store,
        _Follower(asking) as follow,
    ):
        result = check_documents(
            inputs.jobs, store, on_start=follow.start, on_page=follow.page, stop=asking.stop
        )
        if store.problem:
            result = replace(result, notes=(*result.notes, store.problem))
    return with_inputs(result, inputs, asking.here)


async def in_thread(work: Callable[[Stop], _Result]) -> _Result:
    """Do *work* in a thread of its own; a task that is cancelled asks it to stop, and so ends its requests."""
    stop = Stop()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.ask()  # nothing else ends what a thread does
        raise


class _Follower(ExitStack):
    """Takes the turn before the first page is fetched, and counts pages for whoever asked."""

    def __init__(self, asking: Asking) -> None:
        super().__init__()
        self._asking = asking
        self._done = self._total = 0

    def start(self, total: int) -> None:
        """Take in that *total* pages are to be fetched, right before that begins."""
        if self._asking.turn is not None:
            self.enter_context(self._asking.turn)
        self._total = total
        self._tell()

    def page(self, _: object) -> None:
        """Take in that one of them, or the reason why it is not to be had, is there."""
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        if self._asking.on_pages is not None:
            self._asking.on_pages(self._done, self._total)


def _verification(
    quote: str, source: str, decision: Decision, head: PageHead | None
) -> Verification:
    said = Verification(
        quote=quote,
        source=source,
        verdict=decision.verdict,
        code=decision.finding,
        message=decision.message,
        help=decision.help,
        difference=decision.difference,
        nearest=decision.nearest,
        folds=decision.folds,
        omitted=decision.omitted,
        page=decision.page,
    )
    if head is None:
        return said
    return replace(
        said,
        final_url=head.final_url,
        fetched_at=head.fetched_at,
        from_cache=head.from_cache,
        stale=head.stale,
    )
