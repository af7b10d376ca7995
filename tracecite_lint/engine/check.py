"""The engine: documents and their sources become verdicts and diagnostics.

A synchronous pass decides all that the cache and local files can decide; only what is left is fetched. The hook, the
sweep and the editor call the same functions with the same cache. There is no global state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

from tracecite_lint.engine.deciding import (
    EXTRAS,
    Cited,
    Decided,
    Deciding,
    Extra,
    Known,
    Memo,
    Pages,
    Texts,
    guarded,
)
from tracecite_lint.engine.findings import Findings
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.judge import Decision
from tracecite_lint.engine.reach import Target, resolve_source
from tracecite_lint.light.by_identity import ByIdentity
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import (
    Asks,
    CheckedCitation,
    CheckResult,
    Citation,
    ClaimCounts,
    Diagnostic,
    Fix,
    Nearest,
    PassedOver,
    Span,
    Summary,
    Verdict,
    verdict_counts,
)
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page, PageHead
from tracecite_lint.sources.policy import WebSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from tracecite_lint.engine.mending import Mending
    from tracecite_lint.engine.stop import Stop
    from tracecite_lint.sources.store import Store

__all__ = [
    "EXTRAS",
    "Check",
    "Extra",
    "Interrupted",
    "Memo",
    "Pages",
    "Texts",
    "check_documents",
    "fetch_pending",
    "understood",
]

ELLIPSIS_GAP = 2000
"""Characters that an omission may leave out before a warning says so (docs/matching.md)."""


class Carried:
    """What a check leaves to the one after it: what it found out about objects that may still be the same then."""

    def __init__(self) -> None:
        self.known: Known = {}
        self.checked: ByIdentity[Decided, CheckedCitation] = ByIdentity()
        self.found: ByIdentity[Decided, Sequence[Diagnostic]] = ByIdentity()
        self.reported: ByIdentity[Diagnostic, Diagnostic] = ByIdentity()


class Check:
    """One check of some documents: what the cache can decide is decided at once, `pending` holds the rest.

    It goes page by page, whatever the order of the citations, and tells what it found document by document.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        store: Store,
        *,
        memo: Memo | None = None,
        pages: Pages | None = None,
        extras: Collection[Extra] = EXTRAS,
        before: Carried | None = None,
        texts: Texts | None = None,
    ) -> None:
        """Prepare the check of *jobs*; `look_up` begins it.

        *memo* and *pages* may be kept from one check to the next by a caller that knows when they are outdated: an
        editor then reads and matches again only what changed. With *pages* the texts are kept too, all of them or as many
        as *texts* holds, and verdicts of earlier runs do not count. *extras* are what the result holds beside the
        verdicts. *before* is what the check of the same document before an edit has `carried`, under the same settings and
        with the same *pages*: what it found of citations that say the same is not worked out again.
        """
        self._jobs = jobs
        self._store = store
        self._extras = frozenset(extras)
        self._before = Carried() if before is None else before
        self._deciding = Deciding(
            jobs,
            store,
            memo=memo,
            pages=pages,
            extras=extras,
            known=self._before.known,
            texts=texts,
        )
        self.carried = Carried()
        """What the check after this one need not work out again: where texts are kept, so is this."""
        self._carries = texts is not None
        self._mending: Mending | None = None
        self.pending: tuple[WebSource, ...] = ()
        """The distinct web sources that have to be fetched."""

    def look_up(self) -> Self:
        """Decide all that needs no network, and return the check: `pending` holds the rest."""
        self.pending = self._deciding.look_up()
        return self

    async def fetch(self, on_page: Callable[[WebSource], None] | None = None) -> None:
        """Fetch what is pending; *on_page* is called with each source when its page or error is there."""
        import asyncio

        async def load(source: WebSource) -> None:
            try:
                quoted = self._deciding.quoted(source.key)
                found: Page | SourceError = await self._store.load(source, quoted)
            except SourceError as error:
                found = error
            self._deciding.take(source.key, found)
            if on_page is not None:
                on_page(source)

        self._store.expect(len(self.pending))
        # Errors of sources are caught in `load`, so that none of them ends the others.
        async with asyncio.TaskGroup() as group:
            for source in _by_turns(self.pending):
                group.create_task(load(source))
        self._deciding.save()
        self.pending = ()

    def result(self) -> CheckResult:
        """Return the verdicts so far; a citation whose source is still pending has the verdict None."""
        checked: list[CheckedCitation] = []
        diagnostics: list[Diagnostic] = []
        self._mending = None
        found = [self._deciding.decided(number) for number in range(len(self._jobs))]
        if self._carries:
            # Before claims are joined: what becomes of one hangs on its other sources.
            self.carried.known = {
                id(item.citation.passages): item for items in found for item in items
            }
        decided = [_claims_joined(items) for items in found]
        elsewhere = self._elsewhere_by_document(decided)
        for job, items, others in zip(self._jobs, decided, elsewhere, strict=True):
            citations, findings = self._checked_document(job, items, others)
            checked += citations
            diagnostics += findings
        # By place: which page came first must not show in a report.
        diagnostics.sort(key=lambda item: (item.file, item.span, item.code))
        quotations, claims = _apart(checked)
        return CheckResult(
            citations=quotations,
            claims=claims,
            diagnostics=tuple(diagnostics),
            summary=self._summary(checked),
            texts=_texts(self._jobs),
            passed_over=_passed_over(self._jobs),
            notes=(*self._stale_notes(), *(self._mending.notes() if self._mending else ())),
        )

    def result_so_far(self) -> CheckResult:
        """Return the verdicts of a check that was interrupted: what was decided, without what takes long.

        A citation that has none is left out, and with it a failed one of the same words: its other source may hold them.
        """
        self._extras = frozenset()
        self._deciding.is_settled = True
        result = self.result()
        open_places = {
            (item.file, item.citation.span) for item in result.checked if item.verdict is None
        }
        decided = [
            item
            for item in result.checked
            if item.verdict is Verdict.VERIFIED
            or (item.file, item.citation.span) not in open_places
        ]
        citations, claims = _apart(decided)
        return replace(
            result,
            citations=citations,
            claims=claims,
            diagnostics=tuple(
                item for item in result.diagnostics if (item.file, item.span) not in open_places
            ),
            summary=self._summary(decided),
            notes=(
                f"interrupted: {len(result.checked) - len(decided)} of {len(result.checked)} citations were not checked",
                *result.notes,
            ),
        )

    def decision(self, job: Job, citation: Citation) -> Decision | None:
        """Return what is known of one citation of *job*; None while its source is pending."""
        return self._deciding.decision(
            Cited(job, citation, resolve_source(citation.source.uri, job))
        )

    def head(self, job: Job, citation: Citation) -> PageHead | None:
        """Return what is known of the page that a citation of *job* was looked up in, if it was read."""
        return self._deciding.head(job, resolve_source(citation.source.uri, job))

    def page(self, job: Job, citation: Citation) -> Page | None:
        """Return the page that a citation of *job* was looked up in, if it was read."""
        return self._deciding.page(job, resolve_source(citation.source.uri, job))

    @property
    def web_sources(self) -> list[tuple[Citation, WebSource]]:
        """The citations of web sources, each with its source."""
        return [
            (citation, target)
            for job, targets in zip(self._jobs, self._deciding.targets, strict=True)
            for citation, target in zip(job.chosen, targets, strict=True)
            if isinstance(target, WebSource)
        ]

    def fix(self, job: Job, citation: Citation) -> Fix | None:
        """Return the fix of a mismatch: the source's words in place of the quotation, if they are near enough."""
        head = self._deciding.head(job, resolve_source(citation.source.uri, job))
        decision = self.decision(job, citation)
        if decision is None or decision.nearest is None or guarded(citation, head).private:
            return None
        asked = {0: (citation, decision.nearest)}
        from tracecite_lint.engine.mending import Mending

        return Mending().fixes(job.document, asked).get(0)

    def elsewhere(self, job: Job, citation: Citation) -> tuple[str, ...]:
        """Return the other sources of the document that hold a quotation, as they are written there."""
        target = resolve_source(citation.source.uri, job)
        from tracecite_lint.engine.elsewhere import Asked, look_elsewhere

        asked = Asked(self._deciding, job, {0: (citation, target)})
        look_elsewhere(self._deciding, [asked], lambda: True)
        return asked.uris().get(0, ())

    def _checked_document(
        self, job: Job, decided: Sequence[Decided], elsewhere: Mapping[int, tuple[str, ...]]
    ) -> tuple[list[CheckedCitation], list[Diagnostic]]:
        held = _held(decided)
        fixes = self._fixes(job, _mendable(decided, held))
        carried = self.carried.reported if self._carries else None
        findings = Findings(job, self._before.reported, carried)
        checked: list[CheckedCitation] = []
        for number, item in enumerate(decided):
            # One quotation with several sources: it is enough that one of them holds it.
            alternative = item.failed and item.subject in held
            suppressed = False
            if item.decision is not None and item.is_told and not alternative:
                for finding in self._found(item, fixes.get(number), elsewhere.get(number, ())):
                    reported = findings.add(finding)
                    suppressed |= item.failed and not reported
            checked.append(self._checked(job, item, alternative=alternative, suppressed=suppressed))
        said = {_place_of(item) for item in findings.seen}
        for finding in job.document.diagnostics if job.diagnostics is None else job.diagnostics:
            if _place_of(finding) not in said:
                findings.add(finding)
        # Of a part of the document, or before its pages are there, nobody can say that a comment silences nothing.
        if job.is_whole and not self.pending:
            findings.add_unused_suppressions()
        return checked, findings.kept

    def _checked(
        self, job: Job, item: Decided, *, alternative: bool, suppressed: bool
    ) -> CheckedCitation:
        checked = self._before.checked.get(item)
        if checked is None or (checked.alternative, checked.suppressed) != (
            alternative,
            suppressed,
        ):
            checked = _checked(
                job.document.path,
                item,
                around=self._deciding.words_around(Cited(job, item.citation, item.target)),
                alternative=alternative,
                suppressed=suppressed,
            )
        return self.carried.checked.put(item, checked) if self._carries else checked

    def _found(
        self, item: Decided, fix: Fix | None, elsewhere: tuple[str, ...]
    ) -> Sequence[Diagnostic]:
        if fix is not None or elsewhere:
            return _findings(item, fix, elsewhere)
        found = self._before.found.get(item)
        if found is None:
            found = _findings(item, fix, elsewhere)
        return self.carried.found.put(item, found) if self._carries else found

    def _fixes(self, job: Job, asked: Mapping[int, tuple[Citation, Nearest]]) -> Mapping[int, Fix]:
        """Return the fixes of a document by the number of the citation, if any are wanted."""
        if not asked or "fixes" not in self._extras or self._store.deadline.is_over():
            return {}
        from tracecite_lint.engine.mending import Mending  # a commit mostly has no findings

        self._mending = self._mending or Mending()
        return self._mending.fixes(job.document, asked)

    def _elsewhere_by_document(
        self, decided: Sequence[Sequence[Decided]]
    ) -> list[dict[int, tuple[str, ...]]]:
        """Return by document which of its other sources hold what failed, by the number of the citation."""
        wanted = [_open_mismatches(items) for items in decided]
        if "elsewhere" not in self._extras or not any(wanted):
            return [{} for _ in decided]
        from tracecite_lint.engine.elsewhere import (  # a commit mostly has no findings
            Asked,
            look_elsewhere,
        )

        asked = [
            Asked(self._deciding, job, items) for job, items in zip(self._jobs, wanted, strict=True)
        ]
        look_elsewhere(self._deciding, asked, lambda: not self._store.deadline.is_over())
        return [of_document.uris() for of_document in asked]

    def _summary(self, checked: Sequence[CheckedCitation]) -> Summary:
        quotations, claims = _apart(checked)
        keys = {
            citation.source.uri if isinstance(target, SourceError) else target.key
            for job, targets in zip(self._jobs, self._deciding.targets, strict=True)
            for citation, target in zip(job.chosen, targets, strict=True)
        }
        return Summary(
            files=len(self._jobs),
            sources=len(keys),
            citations=len(quotations),
            claims=claim_counts(self._jobs, claims),
            **verdict_counts(quotations),
            **_counted(self._jobs),
        )

    def _stale_notes(self) -> Iterable[str]:
        for page in self._deciding.pages.values():
            if isinstance(page, PageHead) and page.stale:
                from datetime import UTC, datetime

                read = f"{datetime.fromtimestamp(page.fetched_at, UTC):%Y-%m-%d %H:%M} UTC"
                yield f"{page.url} could not be asked again: judged by the page as read on {read}"


def _by_turns(sources: Iterable[WebSource]) -> Iterable[WebSource]:
    """Return *sources* with one of each host by turns: many of one host, which wait for each other, hold up no other host."""
    by_host: dict[str, list[WebSource]] = {}
    for source in sources:
        by_host.setdefault(source.host, []).append(source)
    return (source for turn in zip_longest(*by_host.values()) for source in turn if source)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of a check, or whatever else interrupts the main thread: `__cause__` is that."""

    def __init__(self, check: Check) -> None:
        super().__init__()
        self._check = check

    def result(self) -> CheckResult:
        """Return what was decided so far."""
        return self._check.result_so_far()


def check_documents(
    jobs: Sequence[Job],
    store: Store,
    *,
    pages: Pages | None = None,
    extras: Collection[Extra] = EXTRAS,
    on_start: Callable[[int], None] | None = None,
    on_page: Callable[[WebSource], None] | None = None,
    stop: Stop | None = None,
) -> CheckResult:
    """Check the citations of *jobs* against their sources and return verdicts and diagnostics.

    No event loop is started when the cache and local files decide everything. *pages* keeps the pages for a further
    check, *extras* are what the result holds beside the verdicts; *on_start* is called with the number of pages to
    fetch, *on_page* after each; *stop* is for another thread, see `fetch_pending`. Raises Interrupted at once on Ctrl-C; an
    error of a source is a verdict, not an exception.
    """
    check = Check(jobs, store, pages=pages, extras=extras)
    try:
        fetch_pending(check.look_up(), store, on_start=on_start, on_page=on_page, stop=stop)
        return check.result()
    except KeyboardInterrupt as interrupt:
        raise Interrupted(check) from interrupt


def fetch_pending(
    check: Check,
    store: Store,
    *,
    on_start: Callable[[int], None] | None = None,
    on_page: Callable[[WebSource], None] | None = None,
    stop: Stop | None = None,
) -> None:
    """Fetch what *check* still needs, in an event loop of its own; without need none is started.

    Raises asyncio.CancelledError where *stop* is asked for meanwhile.
    """
    # Only where something is to be fetched: a warm commit neither imports nor starts an event loop.
    if not check.pending:
        return
    import asyncio
    from contextlib import nullcontext

    async def fetch() -> None:
        try:
            with nullcontext() if stop is None else stop.stops_this_task():
                await check.fetch(on_page)
        finally:
            await store.close()

    if on_start is not None:
        on_start(len(check.pending))
    asyncio.run(fetch())


def understood(jobs: Sequence[Job]) -> CheckResult:
    """Return what `--dump` shows: every citation with the verdict None, nothing looked up."""
    citations, claims = _apart(
        CheckedCitation(file=job.document.path, citation=citation)
        for job in jobs
        for citation in job.chosen
    )
    return CheckResult(
        citations=citations,
        claims=claims,
        summary=Summary(
            files=len(jobs),
            sources=len({citation.source.uri for job in jobs for citation in job.chosen}),
            citations=len(citations),
            claims=claim_counts(jobs, claims),
            **_counted(jobs),
        ),
        texts=_texts(jobs),
        passed_over=_passed_over(jobs),
    )


def _apart(
    checked: Iterable[CheckedCitation],
) -> tuple[tuple[CheckedCitation, ...], tuple[CheckedCitation, ...]]:
    """Part what was checked in quotations and claims."""
    quotations: list[CheckedCitation] = []
    claims: list[CheckedCitation] = []
    for item in checked:
        (quotations if item.citation.asks is Asks.QUOTATION else claims).append(item)
    return tuple(quotations), tuple(claims)


def claim_counts(jobs: Sequence[Job], claims: Sequence[CheckedCitation]) -> ClaimCounts:
    """Count the linked claims of *jobs*, and what came of *claims*, those that were asked for something."""
    linked = [
        item for job in jobs for item in (job.document.claims if job.claims is None else job.claims)
    ]
    asked = {check for job in jobs for check in job.settings.claims}
    if not claims:
        return ClaimCounts(
            linked=len(linked),
            quoted=sum(item.is_quoted for item in linked),
            asked=tuple(sorted(asked)),
        )
    quoted = {
        (job.document.path, item.span)
        for job in jobs
        for item in job.document.claims
        if item.is_quoted
    }
    outcomes: dict[tuple[str, Span], set[Verdict | None]] = {}
    titles: dict[tuple[str, Span], bool] = {}
    for item in claims:
        place = item.file, item.citation.span
        if item.citation.asks is Asks.TITLE:
            titles[place] = titles.get(place, False) or item.verdict is Verdict.MISMATCH
        elif item.citation.asks.are_figures and place not in quoted:
            outcomes.setdefault(place, set()).add(item.verdict)
    stand = sum(Verdict.VERIFIED in found for found in outcomes.values())
    missing = sum(
        Verdict.MISMATCH in found and Verdict.VERIFIED not in found for found in outcomes.values()
    )
    return ClaimCounts(
        linked=len(linked),
        quoted=sum(item.is_quoted for item in linked),
        asked=tuple(sorted(asked)),
        figures=len(outcomes),
        stand=stand,
        missing=missing,
        unread=sum(found == {Verdict.UNVERIFIABLE} for found in outcomes.values()),
        titles=len(titles),
        titles_missing=sum(titles.values()),
    )


def _counted(jobs: Sequence[Job]) -> dict[str, int]:
    """Return the counts of a run that do not hang on what the sources say."""
    return {
        "unchanged": sum(job.unchanged for job in jobs),
        "passed_over": sum(item.counted for item in _passed_over(jobs)),
        "uncited": sum(job.citations is None and job.document.is_uncited for job in jobs),
    }


def _passed_over(jobs: Sequence[Job]) -> tuple[PassedOver, ...]:
    """Return what is quoted and is no citation; of a document in part that which is counted alone."""
    passed_over: list[PassedOver] = []
    for job in jobs:
        file, findings = job.document.path, job.diagnostics
        reasons = {
            item.span: item.message
            for item in (job.document.diagnostics if findings is None else findings)
            if item.code == "UNASSOCIATED_QUOTE"
        }
        for item in job.document.passed_over:
            counted = reasons.pop(item.span, None) is not None
            if counted or (findings is None and job.citations is None):
                passed_over.append(replace(item, file=file, counted=counted))
        # Records tell of theirs by a finding alone.
        passed_over += (
            PassedOver(span, reason, file, counted=True) for span, reason in reasons.items()
        )
    return tuple(passed_over)


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


def _claims_joined(decided: list[Decided]) -> list[Decided]:
    """Return what was decided, the figures of a claim with several sources asked of all of them together."""
    if all(item.citation.asks is Asks.QUOTATION for item in decided):
        return decided
    from tracecite_lint.engine.claims import Asked, joined  # nothing of it where none is asked

    answers = joined([Asked(item.citation, item.decision) for item in decided])
    # A source that cannot be read is told where it is asked for as such (`sources`), and of quotations.
    return [
        item._replace(
            decision=answer.decision,
            is_told=answer.is_told
            and (
                item.citation.asks in (Asks.QUOTATION, Asks.SOURCE)
                or not _is_unread(answer.decision)
            ),
        )
        for item, answer in zip(decided, answers, strict=True)
    ]


def _is_unread(decision: Decision | None) -> bool:
    return decision is not None and decision.verdict is Verdict.UNVERIFIABLE


def _held(decided: Sequence[Decided]) -> frozenset[tuple[Span, Asks]]:
    """Return the failed quotations and claims that another of their sources holds: then nothing fails."""
    failed = {item.subject for item in decided if item.failed}
    lines = {span.line for span, _ in failed}  # most stand on others, and are quick to tell
    return frozenset(
        item.subject
        for item in decided
        if item.citation.span.line in lines
        and item.decision is not None
        and item.decision.verdict is Verdict.VERIFIED
        and item.subject in failed
    )


def _open_mismatches(decided: Sequence[Decided]) -> dict[int, tuple[Citation, Target]]:
    """Return the mismatches that are reported, by number."""
    held = _held(decided)
    return {
        number: (item.citation, item.target)
        for number, item in enumerate(decided)
        if item.is_open_mismatch and item.subject not in held
    }


def _mendable(
    decided: Sequence[Decided], held: Collection[tuple[Span, Asks]]
) -> dict[int, tuple[Citation, Nearest]]:
    """Return the reported mismatches for which the source has words to offer, with these, by number."""
    found = {}
    for number, item in enumerate(decided):
        nearest = None if item.decision is None else item.decision.nearest
        if nearest is not None and nearest.suggestion and item.subject not in held:
            found[number] = (item.citation, nearest)
    return found


def _place_of(finding: Diagnostic) -> tuple[object, ...]:
    span = finding.span
    return span.line, span.column, span.end_line, span.end_column, finding.code


def _findings(item: Decided, fix: Fix | None, elsewhere: tuple[str, ...]) -> Sequence[Diagnostic]:
    return tuple(_each_finding(item, fix, elsewhere))


def _each_finding(
    item: Decided, fix: Fix | None, elsewhere: tuple[str, ...]
) -> Iterable[Diagnostic]:
    citation, target, decision = item.citation, item.target, item.decision
    assert decision is not None
    if decision.verdict is Verdict.VERIFIED:
        if citation.captured is False and not isinstance(target, SourceError):
            message = "the live source holds the quotation, the captured content does not"
            yield _diagnostic(citation, "QUOTE_NOT_IN_SOURCE", message)
        if decision.left_out > ELLIPSIS_GAP:
            message = f"the omission marks leave out {decision.left_out:,} characters of the source"
            yield _diagnostic(citation, "ELLIPSIS_GAP", message)
        if decision.omitted:
            left_out = "" if citation.private else f": “{decision.omitted}”"
            message = f"an omission mark leaves a negation out of the source's sentence{left_out}"
            yield _diagnostic(citation, "OMITTED_NEGATION", message)
        return
    assert decision.finding is not None
    finding = _diagnostic(citation, decision.finding, decision.message, help=decision.help)
    if item.is_open_mismatch:
        finding = replace(finding, nearest=decision.nearest, elsewhere=elsewhere, fix=fix)
    yield finding


def _checked(
    file: str,
    item: Decided,
    *,
    around: tuple[str, str] | None,
    alternative: bool,
    suppressed: bool,
) -> CheckedCitation:
    citation, head, decision = item.citation, item.head, item.decision
    if decision is None:
        return CheckedCitation(file=file, citation=citation)
    return CheckedCitation(
        file=file,
        citation=citation,
        verdict=decision.verdict,
        code=decision.finding,
        folds=decision.folds,
        swallowed=() if citation.private else decision.swallowed,
        final_url=head.final_url if head else None,
        fetched_at=head.fetched_at if head else None,
        from_cache=head.from_cache if head else False,
        stale=head.stale if head else False,
        page=decision.page,
        around=around,
        alternative=alternative,
        suppressed=suppressed,
    )
