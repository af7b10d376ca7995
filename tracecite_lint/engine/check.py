"""The engine: documents and their sources become verdicts and diagnostics.

A synchronous pass decides all that the cache and local files can decide; only what is left is fetched. The hook, the
sweep and the editor call the same functions with the same cache. There is no global state.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from contextlib import suppress
from itertools import islice

from tracecite_lint.engine.edits import replacement
from tracecite_lint.engine.findings import Findings
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.judge import Decision, captured_decision, decide, unverifiable
from tracecite_lint.engine.reach import PageKey, Target, page_key, resolve_source
from tracecite_lint.engine.surroundings import words_around
from tracecite_lint.lazy import replace
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import find
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Document,
    Fix,
    Nearest,
    PassedOver,
    Summary,
    Verdict,
    verdict_counts,
)
from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.files import RECORDS, LocalSource, read_local
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import WebSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from tracecite_lint.sources.store import Store

ELLIPSIS_GAP = 2000
"""Characters that an omission may leave out before a warning says so (docs/matching.md)."""

_FIX_LIMIT = 20_000
"""How much work the fixes of one document may be: each reads the document again to see that it stays the same."""

_FOLDED_LIMIT = 64
"""How many folded texts are kept at a time."""

_ELSEWHERE_LIMIT = 50
"""How many other sources of a document are searched for a quotation that its own source does not hold."""

Memo = MutableMapping[tuple[object, ...], Decision]

Pages = MutableMapping[PageKey, Page | SourceError]


class Check:
    """One check of some documents: what the cache can decide is decided at once, `pending` holds the rest."""

    def __init__(
        self,
        jobs: Sequence[Job],
        store: Store,
        *,
        memo: Memo | None = None,
        pages: Pages | None = None,
        brief: bool = False,
    ) -> None:
        """Prepare the check of *jobs*; `look_up` begins it.

        *memo* and *pages* may be kept from one check to the next by a caller that knows when they are outdated: an
        editor then reads and matches again only what changed. A *brief* check leaves out of its result what takes long
        and is asked for one by one: fixes, other sources that hold a quotation, the words around it.
        """
        self._jobs = jobs
        self._brief = brief
        # Once set, what was never decided stays so: an interrupted run has no time for more.
        self._settled = False
        self._store = store
        self._memo: Memo = {} if memo is None else memo
        self._pages: Pages = {} if pages is None else pages
        # In the order of their last use.
        self._folded: OrderedDict[PageKey, FoldedText] = OrderedDict()
        self._sources: dict[str, tuple[tuple[str, PageKey], ...]] = {}
        self._spent_on_fixes: dict[str, int] = defaultdict(int)
        self._targets = [
            [resolve_source(citation.source.uri, job) for citation in job.chosen] for job in jobs
        ]
        self.pending: tuple[WebSource, ...] = ()
        """The distinct web sources that have to be fetched."""

    def look_up(self) -> Self:
        """Look up every source that needs no network, and return the check: `pending` holds the rest."""
        waiting: dict[str, WebSource] = {}
        for job, targets in zip(self._jobs, self._targets, strict=True):
            for target in targets:
                self._look_up(job, target, waiting)
        self.pending = tuple(waiting.values())
        return self

    async def fetch(self, on_page: Callable[[WebSource], None] | None = None) -> None:
        """Fetch what is pending; *on_page* is called with each source when its page or error is there."""
        import asyncio

        async def load(source: WebSource) -> None:
            try:
                self._pages[source.key] = await self._store.load(source)
            except SourceError as error:
                self._pages[source.key] = error
            if on_page is not None:
                on_page(source)

        # Errors of sources are caught in `load`, so that none of them ends the others.
        async with asyncio.TaskGroup() as group:
            for source in self.pending:
                group.create_task(load(source))
        self.pending = ()

    def result(self) -> CheckResult:
        """Return the verdicts so far; a citation whose source is still pending has the verdict None."""
        checked: list[CheckedCitation] = []
        diagnostics: list[Diagnostic] = []
        self._spent_on_fixes.clear()
        for job, targets in zip(self._jobs, self._targets, strict=True):
            citations, findings = self._checked_document(job, targets)
            checked += citations
            diagnostics += findings
        # By place: which page came first must not show in a report.
        diagnostics.sort(key=lambda item: (item.file, item.span, item.code))
        return CheckResult(
            citations=tuple(checked),
            diagnostics=tuple(diagnostics),
            summary=self._summary(checked),
            texts=_texts(self._jobs),
            passed_over=_passed_over(self._jobs),
            notes=(*self._stale_notes(), *self._fix_notes()),
        )

    def result_so_far(self, *, decide: bool) -> CheckResult:
        """Return the verdicts of a check that was interrupted, without what takes long; *decide* those that can be.

        A citation that has none is left out, and with it a failed one of the same words: its other source may hold them.
        """
        self._brief = True
        self._settled = not decide
        result = self.result()
        open_places = {
            (item.file, item.citation.span) for item in result.citations if item.verdict is None
        }
        decided = tuple(
            item
            for item in result.citations
            if item.verdict is Verdict.VERIFIED
            or (item.file, item.citation.span) not in open_places
        )
        return replace(
            result,
            citations=decided,
            diagnostics=tuple(
                item for item in result.diagnostics if (item.file, item.span) not in open_places
            ),
            summary=self._summary(decided),
            notes=(
                f"interrupted: {len(result.citations) - len(decided)} of {len(result.citations)} citations were not checked",
                *result.notes,
            ),
        )

    def decision(self, job: Job, citation: Citation) -> Decision | None:
        """Return what is known of one citation of *job*; None while its source is pending."""
        target = resolve_source(citation.source.uri, job)
        return self._decide(job, self._guarded(job, citation, target), target)

    def page(self, job: Job, citation: Citation) -> Page | None:
        """Return the page that a citation of *job* was looked up in, if it was read."""
        return self._page(job, resolve_source(citation.source.uri, job))

    @property
    def web_sources(self) -> list[tuple[Citation, WebSource]]:
        """The citations of web sources, each with its source."""
        return [
            (citation, target)
            for job, targets in zip(self._jobs, self._targets, strict=True)
            for citation, target in zip(job.chosen, targets, strict=True)
            if isinstance(target, WebSource)
        ]

    def fix(self, job: Job, citation: Citation) -> Fix | None:
        """Return the fix of a mismatch: the source's words in place of the quotation, if they are near enough."""
        citation = self._guarded(job, citation, resolve_source(citation.source.uri, job))
        decision = self.decision(job, citation)
        if decision is None or decision.verdict is not Verdict.MISMATCH or citation.private:
            return None
        return _fix(job.document, citation, decision.nearest)

    def elsewhere(self, job: Job, citation: Citation) -> tuple[str, ...]:
        """Return the other sources of the document that hold a quotation, as they are written there."""
        return self._elsewhere(job, citation, resolve_source(citation.source.uri, job))

    def _look_up(self, job: Job, target: Target, waiting: dict[str, WebSource]) -> None:
        if isinstance(target, SourceError):
            return
        key = page_key(job, target)
        if key in self._pages or key in waiting:
            return
        if isinstance(target, WebSource):
            found = self._store.cached(target)
            if found is None:
                waiting[target.key] = target
            else:
                self._pages[key] = found
            return
        if self._store.deadline.is_over():
            self._pages[key] = _out_of_time()
            return
        try:
            self._pages[key] = read_local(target, reader=job.read, deadline=self._store.deadline)
        except SourceError as error:
            self._pages[key] = error

    def _decide(self, job: Job, citation: Citation, target: Target) -> Decision | None:
        if citation.captured is not None and isinstance(target, SourceError):
            return captured_decision(
                citation.captured or self._is_captured(job, citation),
                cut=citation.source.uri in job.document.cut,
            )
        if isinstance(target, SourceError):
            return unverifiable(target)
        key = page_key(job, target)
        found = self._pages.get(key)
        if found is None:
            return None
        if isinstance(found, SourceError):
            return unverifiable(found)
        # All that a decision hangs on. The text by its hash: a page that was fetched again is mostly the same.
        name = (
            key,
            hash(found.text),
            target.fragment,
            citation.passages,
            citation.directives,
            citation.captured,
            citation.private,
        )
        if name not in self._memo:
            if self._settled:
                return None
            if self._store.deadline.is_over():
                return unverifiable(_out_of_time())
            self._memo[name] = decide(
                citation,
                found,
                self._folded_text(key, found),
                target.fragment,
                local=isinstance(target, LocalSource),
            )
        return self._memo[name]

    def _is_captured(self, job: Job, citation: Citation) -> bool:
        """Tell whether a quotation stands in what its own record holds of a source without an address."""
        uri = citation.source.uri
        text = job.document.captured.get(uri)
        if text is None:
            return False
        key = f"{job.document.path}\n{uri}"
        return find(self._kept(key, lambda: fold(text)), citation.passages) is not None

    def _folded_text(self, key: PageKey, page: Page) -> FoldedText:
        return self._kept(key, lambda: _folded_page(page))

    def _kept(self, key: PageKey, make: Callable[[], FoldedText]) -> FoldedText:
        """Return the folded text of *key*: the latest ones are kept, since a page takes megabytes in this form."""
        if key not in self._folded:
            self._folded[key] = make()
            if len(self._folded) > _FOLDED_LIMIT:
                self._folded.popitem(last=False)
        self._folded.move_to_end(key)
        return self._folded[key]

    def _page(self, job: Job, target: Target) -> Page | None:
        if isinstance(target, SourceError):
            return None
        found = self._pages.get(page_key(job, target))
        return found if isinstance(found, Page) else None

    def _guarded(self, job: Job, citation: Citation, target: Target) -> Citation:
        """Return *citation*, private if its source is: nothing of the words of a record is shown, whoever cites it."""
        page = self._page(job, target)
        # Records of agents are private (docs/traces.md), also where a public report quotes one.
        is_record = page is not None and page.content_type == RECORDS
        return replace(citation, private=True) if is_record else citation

    def _checked_document(
        self, job: Job, targets: Sequence[Target]
    ) -> tuple[list[CheckedCitation], list[Diagnostic]]:
        cited = [
            (self._guarded(job, citation, target), target)
            for citation, target in zip(job.chosen, targets, strict=True)
        ]
        decided = [
            (citation, target, self._decide(job, citation, target)) for citation, target in cited
        ]
        held = {
            citation.span
            for citation, _, decision in decided
            if decision is not None and decision.verdict is Verdict.VERIFIED
        }
        findings = Findings(job)
        checked: list[CheckedCitation] = []
        for citation, target, decision in decided:
            failed = decision is not None and decision.verdict is not Verdict.VERIFIED
            # One quotation with several sources: it is enough that one of them holds it.
            alternative = failed and citation.span in held
            suppressed = False
            if decision is not None and not alternative:
                for finding in self._findings(job, citation, target, decision):
                    reported = findings.add(finding)
                    suppressed |= failed and not reported
            checked.append(
                _checked(
                    job.document.path,
                    citation,
                    decision,
                    self._page(job, target),
                    alternative=alternative,
                    suppressed=suppressed,
                    with_surroundings=not self._brief,
                )
            )
        said = {(item.span, item.code) for item in findings.seen}
        for finding in job.document.diagnostics if job.diagnostics is None else job.diagnostics:
            if (finding.span, finding.code) not in said:
                findings.add(finding)
        # Of a part of the document, or before its pages are there, nobody can say that a comment silences nothing.
        if job.citations is None and not self.pending:
            findings.add_unused_suppressions()
        return checked, findings.kept

    def _findings(
        self, job: Job, citation: Citation, target: Target, decision: Decision
    ) -> Iterable[Diagnostic]:
        if decision.verdict is Verdict.VERIFIED:
            if citation.captured is False and not isinstance(target, SourceError):
                message = "the live source holds the quotation, the captured content does not"
                yield _diagnostic(citation, "QUOTE_NOT_IN_SOURCE", message)
            if decision.left_out > ELLIPSIS_GAP:
                message = (
                    f"the omission marks leave out {decision.left_out:,} characters of the source"
                )
                yield _diagnostic(citation, "ELLIPSIS_GAP", message)
            return
        assert decision.code is not None
        finding = _diagnostic(citation, decision.code, decision.message, help=decision.help)
        if decision.verdict is Verdict.MISMATCH and not citation.private:
            finding = replace(finding, nearest=decision.nearest)
            if not self._brief and not self._store.deadline.is_over():
                finding = replace(
                    finding,
                    elsewhere=self._elsewhere(job, citation, target),
                    fix=self._affordable_fix(job.document, citation, decision.nearest),
                )
        yield finding

    def _affordable_fix(
        self, document: Document, citation: Citation, nearest: Nearest | None
    ) -> Fix | None:
        """Return the fix of a mismatch while the fixes of its document have not taken too long (some 20 s)."""
        if nearest is None or self._spent_on_fixes[document.path] > _FIX_LIMIT:
            return None
        # About a millisecond for a citation, or for five thousand characters without any.
        self._spent_on_fixes[document.path] += len(document.citations) + len(document.text) // 5000
        return _fix(document, citation, nearest)

    def _elsewhere(self, job: Job, citation: Citation, target: Target) -> tuple[str, ...]:
        """Return the other sources of the document that hold the quotation, as they are written there."""
        if citation.directives:
            return ()
        own = None if isinstance(target, SourceError) else page_key(job, target)
        others = (
            (uri, key, page)
            for uri, key in self._sources_of(job)
            # Only pages that are there: what is a hint fetches nothing.
            if key != own and isinstance(page := self._pages.get(key), Page)
        )
        return tuple(
            uri
            for uri, key, page in islice(others, _ELSEWHERE_LIMIT)
            if find(self._folded_text(key, page), citation.passages)
        )

    def _sources_of(self, job: Job) -> tuple[tuple[str, PageKey], ...]:
        """Return the distinct sources of the job's document: each as it is written first, and its key."""
        path = job.document.path
        if path not in self._sources:
            # Once for a document: asked for each mismatch, a long report would take minutes.
            written: dict[PageKey, str] = {}
            for uri in dict.fromkeys(citation.source.uri for citation in job.document.citations):
                target = resolve_source(uri, job)
                if not isinstance(target, SourceError):
                    written.setdefault(page_key(job, target), uri)
            self._sources[path] = tuple((uri, key) for key, uri in written.items())
        return self._sources[path]

    def _summary(self, checked: Sequence[CheckedCitation]) -> Summary:
        keys = {
            citation.source.uri if isinstance(target, SourceError) else target.key
            for job, targets in zip(self._jobs, self._targets, strict=True)
            for citation, target in zip(job.chosen, targets, strict=True)
        }
        return Summary(
            files=len(self._jobs),
            sources=len(keys),
            citations=len(checked),
            **verdict_counts(checked),
            **_counted(self._jobs),
        )

    def _stale_notes(self) -> Iterable[str]:
        for page in self._pages.values():
            if isinstance(page, Page) and page.stale:
                from datetime import UTC, datetime

                read = f"{datetime.fromtimestamp(page.fetched_at, UTC):%Y-%m-%d %H:%M} UTC"
                yield f"{page.url} could not be asked again: judged by the page as read on {read}"

    def _fix_notes(self) -> Iterable[str]:
        for path, spent in self._spent_on_fixes.items():
            if spent > _FIX_LIMIT:
                yield f"{path}: so many quotations fail that only the first ones were given a fix; run --fix again for more"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of a check, or whatever else interrupts the main thread: `__cause__` is that."""

    def __init__(self, check: Check, *, decide: bool) -> None:
        super().__init__()
        self._check = check
        self._decide = decide

    def result(self) -> CheckResult:
        """Return what is known so far: all that was decided, and what the pages that are there decide."""
        return self._check.result_so_far(decide=self._decide)


def check_documents(
    jobs: Sequence[Job],
    store: Store,
    *,
    pages: Pages | None = None,
    on_start: Callable[[int], None] | None = None,
    on_page: Callable[[WebSource], None] | None = None,
) -> CheckResult:
    """Check the citations of *jobs* against their sources and return verdicts and diagnostics.

    No event loop is started when the cache and local files decide everything. *pages* keeps the pages for a further
    check; *on_start* is called with the number of pages to fetch, *on_page* after each. Raises Interrupted at once on
    Ctrl-C; an error of a source is a verdict, not an exception.
    """
    check = Check(jobs, store, pages=pages).look_up()
    try:
        fetch_pending(check, store, on_start=on_start, on_page=on_page)
    except KeyboardInterrupt as stop:
        raise Interrupted(check, decide=True) from stop
    try:
        return check.result()
    except KeyboardInterrupt as stop:
        raise Interrupted(check, decide=False) from stop


def fetch_pending(
    check: Check,
    store: Store,
    *,
    on_start: Callable[[int], None] | None = None,
    on_page: Callable[[WebSource], None] | None = None,
) -> None:
    """Fetch what *check* still needs, in an event loop of its own; without need none is started."""
    if not check.pending:
        return
    import asyncio

    async def fetch() -> None:
        try:
            await check.fetch(on_page)
        finally:
            await store.close()

    if on_start is not None:
        on_start(len(check.pending))
    # Only where something is to be fetched: a warm commit neither imports nor starts an event loop.
    asyncio.run(fetch())


def understood(jobs: Sequence[Job]) -> CheckResult:
    """Return what `--dump` shows: every citation with the verdict None, nothing looked up."""
    return CheckResult(
        citations=tuple(
            CheckedCitation(file=job.document.path, citation=citation)
            for job in jobs
            for citation in job.chosen
        ),
        summary=Summary(
            files=len(jobs),
            sources=len({citation.source.uri for job in jobs for citation in job.chosen}),
            citations=sum(len(job.chosen) for job in jobs),
            **_counted(jobs),
        ),
        texts=_texts(jobs),
        passed_over=_passed_over(jobs),
    )


def _counted(jobs: Sequence[Job]) -> dict[str, int]:
    """Return the counts of a run that do not hang on what the sources say."""
    return {
        "unchanged": sum(job.unchanged for job in jobs),
        "passed_over": sum(
            item.code == "UNASSOCIATED_QUOTE"
            for job in jobs
            # An empty tuple is a choice too (nothing is new), so that `or` would not do.
            for item in (job.document.diagnostics if job.diagnostics is None else job.diagnostics)
        ),
        "uncited": sum(job.citations is None and job.document.is_uncited for job in jobs),
    }


def _passed_over(jobs: Sequence[Job]) -> tuple[PassedOver, ...]:
    return tuple(
        replace(item, file=job.document.path)
        for job in jobs
        if job.citations is None
        for item in job.document.passed_over
    )


def _out_of_time() -> SourceError:
    return SourceError(
        OUT_OF_TIME,
        "the time of the run was up before this quotation was looked for",
        help="run again: the pages that were read are in the cache; or raise --max-time",
    )


def _folded_page(page: Page) -> FoldedText:
    if page.prepared:
        # What lies in a cache is input: what cannot be read back is made anew.
        with suppress(ValueError):
            return FoldedText.from_bytes(page.prepared)
    return fold(page.text)


def _texts(jobs: Sequence[Job]) -> dict[str, str]:
    return {job.document.path: job.document.text for job in jobs if not job.document.private}


def _diagnostic(citation: Citation, code: str, message: str, *, help: str = "") -> Diagnostic:
    return Diagnostic(
        code=code,
        message=message,
        span=citation.span,
        help=help,
        source=citation.source.uri,
        quote="" if citation.private else citation.quote,
    )


def _fix(document: Document, citation: Citation, nearest: Nearest | None) -> Fix | None:
    if nearest is None or not nearest.suggestion:
        return None
    edits = replacement(document, citation, nearest.suggestion)
    if edits is None:
        return None
    return Fix(title="Quote the source's own words", replacement=nearest.suggestion, edits=edits)


def _checked(
    file: str,
    citation: Citation,
    decision: Decision | None,
    page: Page | None,
    *,
    alternative: bool,
    suppressed: bool,
    with_surroundings: bool,
) -> CheckedCitation:
    if decision is None:
        return CheckedCitation(file=file, citation=citation)
    return CheckedCitation(
        file=file,
        citation=citation,
        verdict=decision.verdict,
        code=decision.code,
        folds=decision.folds,
        swallowed=() if citation.private else decision.swallowed,
        final_url=page.final_url if page else None,
        fetched_at=page.fetched_at if page else None,
        from_cache=page.from_cache if page else False,
        stale=page.stale if page else False,
        page=decision.page,
        around=words_around(page.text, decision.ranges)
        if with_surroundings and page and decision.ranges
        else None,
        alternative=alternative,
        suppressed=suppressed,
    )
