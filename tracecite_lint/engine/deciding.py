"""Pages one after another: the text of each is read once, asked all that is to be asked of it, and dropped."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from contextlib import suppress
from functools import cached_property

from tracecite_lint.engine.job import Job
from tracecite_lint.engine.judge import Decision, captured_decision, decide, unverifiable
from tracecite_lint.engine.reach import PageKey, Resolver, Target, page_key
from tracecite_lint.engine.surroundings import words_around
from tracecite_lint.engine.verdicts import KeptVerdicts, PageVerdicts
from tracecite_lint.light.lazy import NamedTuple, replace
from tracecite_lint.model import Asks, Citation, Span, Verdict
from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.files import RECORDS, LocalSource, read_local
from tracecite_lint.sources.page import Page, PageHead
from tracecite_lint.sources.policy import WebSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from tracecite_lint.matching.figures import Standing
    from tracecite_lint.matching.folded import FoldedText
    from tracecite_lint.sources.store import Store

    Extra = Literal["fixes", "elsewhere", "surroundings"]
else:
    Extra = str

_LATEST = 4
"""How many pages and folded texts are kept at a time: what is asked of a page is asked in one go."""

_WHOLE_LIMIT = 32 * 2**20
"""Characters of pages that are kept where there is no cache to read them from again."""

Memo = MutableMapping[tuple[object, ...], Decision]

Pages = MutableMapping[PageKey, PageHead | SourceError]
"""What is known of each source: a Page where its text is at hand, else its head."""

EXTRAS: frozenset[Extra] = frozenset({"fixes", "elsewhere", "surroundings"})
"""What takes long, so that only who shows it asks for it: fixes, other sources that hold a failed quotation, the words
around a verified one."""


class Cited(NamedTuple):
    """One citation of one job, and where its source leads; `place` is that of both in the check, if it is one of its own."""

    job: Job
    citation: Citation
    target: Target
    place: tuple[int, int] | None = None


class Texts:
    """The latest pages with their texts, and the latest folded texts: what is asked of a page is asked in one go."""

    def __init__(self) -> None:
        self._pages: OrderedDict[PageKey, Page] = OrderedDict()
        self._folded: OrderedDict[object, FoldedText] = OrderedDict()

    def page(self, key: PageKey, head: PageHead) -> Page | None:
        """Return the page of *head*, if it is among them."""
        page = self._pages.get(key)
        return page if page is not None and page.digest == head.digest else None

    def keep(self, key: PageKey, page: Page, *, can_be_read_again: bool) -> None:
        """Keep a page: as one of a few, or if it cannot be read again as long as there is room."""
        self._pages[key] = page
        self._pages.move_to_end(key)
        while (
            len(self._pages) > _LATEST
            if can_be_read_again
            else sum(len(kept.text) for kept in self._pages.values()) > _WHOLE_LIMIT
        ):
            self._pages.popitem(last=False)

    def folded(self, key: object, make: Callable[[], FoldedText]) -> FoldedText:
        """Return the folded text of *key*, made if it is not among them: one takes megabytes."""
        if key not in self._folded:
            self._folded[key] = make()
            if len(self._folded) > _LATEST:
                self._folded.popitem(last=False)[1].forget_views()
        self._folded.move_to_end(key)
        return self._folded[key]

    def known_fold(self, key: object) -> FoldedText | None:
        """Return the folded text of *key* if it is among them."""
        return self._folded.get(key)

    @property
    def characters(self) -> int:
        """How much text is held."""
        return sum(len(page.text) for page in self._pages.values())


class Decided(NamedTuple):
    """A citation, where its source leads, and what is known of both."""

    citation: Citation
    target: Target
    head: PageHead | None
    decision: Decision | None
    is_told: bool = True
    """False where another source of the same claim says it for all."""

    @property
    def failed(self) -> bool:
        """Whether the quotation does not stand in its source, as far as that is known."""
        return self.decision is not None and self.decision.verdict is not Verdict.VERIFIED

    @property
    def is_open_mismatch(self) -> bool:
        """Whether something is said of what the source holds instead: of private words nothing is."""
        mismatch = self.decision is not None and self.decision.verdict is Verdict.MISMATCH
        return mismatch and self.citation.asks is Asks.QUOTATION and not self.citation.private

    @property
    def subject(self) -> tuple[Span, Asks]:
        """What its sources are asked for: several of the same are one quotation, or one claim, with several sources."""
        return self.citation.span, self.citation.asks


Known = Mapping[int, Decided]
"""What a check has decided, by the identity of the words: an edit that moves a citation leaves the object as it is."""


class Deciding:
    """What the pages of a check say of its citations."""

    def __init__(
        self,
        jobs: Sequence[Job],
        store: Store,
        *,
        memo: Memo | None,
        pages: Pages | None,
        extras: Collection[Extra],
        known: Known,
        texts: Texts | None,
    ) -> None:
        """Decide the citations of *jobs*; the arguments are those of Check, *known* what its check before has decided."""
        self._jobs = jobs
        self._store = store
        self._memo: Memo = {} if memo is None else memo
        self._keeps_texts = pages is not None and texts is None
        count = sum(len(job.chosen) for job in jobs)
        self._asks_verdicts = pages is None and KeptVerdicts.are_worth_it(count)
        self._keeps_folds = self._asks_verdicts or texts is not None
        self.pages: Pages = {} if pages is None else pages
        self._decided: dict[tuple[int, int] | None, Decision] = {}
        self._wants_surroundings = "surroundings" in extras
        self._around: dict[tuple[object, ...], tuple[str, str]] = {}
        self._verdicts = KeptVerdicts(store)
        self._texts = Texts() if texts is None else texts
        self._known = known
        self._last_standing: tuple[str, Standing] | None = None
        self.resolve = Resolver()
        self.is_settled = False
        """Nothing more is decided: the check was interrupted, and has no time for more."""

    @cached_property
    def targets(self) -> list[list[Target]]:
        """Where the sources lead, by job and citation."""
        return [[self._target(job, citation) for citation in job.chosen] for job in self._jobs]

    @cached_property
    def _by_page(self) -> dict[PageKey, list[Cited]]:
        """All citations by their pages, in the order in which those are cited first."""
        found: dict[PageKey, list[Cited]] = {}
        for number, (job, targets) in enumerate(zip(self._jobs, self.targets, strict=True)):
            for index, (citation, target) in enumerate(zip(job.chosen, targets, strict=True)):
                if not isinstance(target, SourceError) and self._same(job, citation) is None:
                    item = Cited(job, citation, target, (number, index))
                    found.setdefault(page_key(job, target), []).append(item)
        return found

    def look_up(self) -> tuple[WebSource, ...]:
        """Decide what needs no network, and return the sources that have to be fetched."""
        waiting = []
        for key, cited in self._by_page.items():
            if not self._look_up(key, cited) and isinstance(cited[0].target, WebSource):
                waiting.append(cited[0].target)
        self._verdicts.save()
        return tuple(waiting)

    def quoted(self, key: PageKey) -> list[Sequence[str]]:
        """Return the passages of each quotation that is looked for in a page."""
        return [item.citation.passages for item in self._by_page.get(key, ())]

    def decided(self, number: int) -> list[Decided]:
        """Return the citations of a document with what is known of each."""
        job = self._jobs[number]
        found = []
        for index, citation in enumerate(job.chosen):
            if (same := self._same(job, citation)) is not None:
                is_there = same.citation is citation
                found.append(
                    same if is_there else same._replace(citation=guarded(citation, same.head))
                )
                continue
            target = self.targets[number][index]
            head = self.head(job, target)
            decision = self.decision(Cited(job, citation, target, (number, index)))
            found.append(Decided(guarded(citation, head), target, head, decision))
        return found

    def _target(self, job: Job, citation: Citation) -> Target:
        known = self._known.get(id(citation.passages))
        if (
            known is not None
            and _asks_the_same(known, citation)
            and isinstance(known.target, WebSource)
        ):
            return known.target
        return self.resolve(citation.source.uri, job)

    def _same(self, job: Job, citation: Citation) -> Decided | None:
        """Return what is known of a citation that says what it said, if its page is the one that was read."""
        known = self._known.get(id(citation.passages))
        if known is None or known.head is None or not _asks_the_same(known, citation):
            return None
        is_read = not isinstance(known.target, SourceError) and (
            self.pages.get(page_key(job, known.target)) is known.head
        )
        return known if is_read and known.decision is not None else None

    def take(self, key: PageKey, found: Page | SourceError) -> None:
        """Decide what was waiting for a page that has been fetched; its text is dropped unless texts are kept."""
        if isinstance(found, SourceError):
            self.pages[key] = found
            return
        self.pages[key] = self._noted(key, found)
        cited = self._by_page.get(key, ())
        self._take(found, cited, self._kept_verdicts(cited, found))

    def save(self) -> None:
        """Keep the verdicts for later runs."""
        self._verdicts.save()

    def head(self, job: Job, target: Target) -> PageHead | None:
        """Return what is known of a source beside its text, if it was read."""
        if isinstance(target, SourceError):
            return None
        found = self.pages.get(page_key(job, target))
        return None if isinstance(found, SourceError) else found

    def page(self, job: Job, target: Target) -> Page | None:
        """Return a page that was read, its text fetched from where it is kept if need be."""
        if isinstance(target, SourceError):
            return None
        key = page_key(job, target)
        found = self.pages.get(key)
        if found is None or isinstance(found, SourceError):
            return None
        if isinstance(found, Page):
            return found
        if (page := self._texts.page(key, found)) is not None:
            return page
        again = (
            self._store.whole(target, found)
            if isinstance(target, WebSource)
            else self._read_file(job, target)
        )
        if not isinstance(again, Page):
            return None
        self._keep(key, again)
        return again

    def folded(self, job: Job, target: Target) -> FoldedText | None:
        """Return the folded text of a page that was read."""
        head = self.head(job, target)
        if head is None or isinstance(target, SourceError):
            return None
        key = page_key(job, target)
        if (kept := self._texts.known_fold((key, head.digest))) is not None:
            return kept
        page = self.page(job, target)
        return None if page is None else self._folded_text(key, page)

    def decision(self, item: Cited) -> Decision | None:
        """Return what is known of one citation; None while its source is pending."""
        if item.place in self._decided:
            return self._decided[item.place]
        job, citation, target, _ = item
        if citation.captured is not None and isinstance(target, SourceError):
            return captured_decision(
                citation.captured or self._is_captured(job, citation),
                cut=citation.source.uri in job.document.cut,
            )
        if isinstance(target, SourceError):
            return unverifiable(target)
        head = self.pages.get(page_key(job, target))
        if head is None:
            return None
        if isinstance(head, SourceError):
            return unverifiable(head)
        name = _name(item, head)
        if name not in self._memo:
            if self.is_settled:
                return None
            if self._store.deadline.is_over():
                return unverifiable(out_of_time())
            page = self.page(job, target)
            if page is None:
                return None
            self._memo[name] = self._decide(item, page)
        return self._memo[name]

    def words_around(self, item: Cited) -> tuple[str, str] | None:
        """Return what stands around a verified quotation, if that was to be found out."""
        if not self._wants_surroundings:
            return None
        head = self.head(item.job, item.target)
        return None if head is None else self._around.get(_name(item, head))

    def _look_up(self, key: PageKey, cited: Sequence[Cited]) -> bool:
        """Decide what one page decides, as far as that needs no network; tell whether it did not."""
        if key not in self.pages:
            found = self._at_hand(cited[0].job, cited[0].target)
            if found is None:
                return False
            self.pages[key] = self._noted(key, found)
        head = self.pages[key]
        if isinstance(head, SourceError):
            return True
        undecided = [item for item in cited if not self._is_decided(item, head)]
        verdicts = self._kept_verdicts(cited, head) if undecided else None
        if self._recalled(undecided, head, verdicts) and not self._wants_surroundings:
            return True
        page = self.page(cited[0].job, cited[0].target)
        if page is None:  # its text is damaged, or was pushed out a moment ago
            del self.pages[key]
            return False
        self._take(page, cited, verdicts)
        return True

    def _at_hand(self, job: Job, target: Target) -> PageHead | SourceError | None:
        """Return what is known of a source without asking a server; None for a page that has to be fetched."""
        if isinstance(target, WebSource):
            return self._store.cached(target) if self._keeps_texts else self._store.head(target)
        return target if isinstance(target, SourceError) else self._read_file(job, target)

    def _read_file(self, job: Job, target: LocalSource) -> Page | SourceError:
        deadline = self._store.deadline
        if deadline.is_over():
            return out_of_time()
        try:
            return read_local(target, reader=job.read, deadline=deadline)
        except SourceError as error:
            return error

    def _kept_verdicts(self, cited: Sequence[Cited], head: PageHead) -> PageVerdicts | None:
        """Return the verdicts of earlier runs by a page.

        None where none are kept: of files, in an editor, in a run over a few citations, and of a page that leads on, which
        does not show all.
        """
        if (
            not self._asks_verdicts
            or head.leads_on
            or not cited
            or not isinstance(cited[0].target, WebSource)
        ):
            return None
        return self._verdicts.of_page(head.digest)

    def _recalled(
        self, undecided: Sequence[Cited], head: PageHead, verdicts: PageVerdicts | None
    ) -> bool:
        """Take over what is kept of *undecided* citations; tell whether none is left."""
        left = 0
        for item in undecided:
            citation = guarded(item.citation, head)
            fragment = fragment_of(item.target)
            kept = None if verdicts is None else verdicts.get(citation, fragment)
            if kept is None:
                left += 1
            else:
                self._note(item, head, kept)
        return not left

    def _is_decided(self, item: Cited, head: PageHead) -> bool:
        return bool(self._memo) and _name(item, head) in self._memo

    def _note(self, item: Cited, head: PageHead, decision: Decision) -> None:
        """Remember a decision: by all it hangs on, and where the page cannot change any more by its place."""
        self._memo[_name(item, head)] = decision
        if not self._keeps_texts and item.place is not None:
            self._decided[item.place] = decision

    def _take(self, page: Page, cited: Sequence[Cited], verdicts: PageVerdicts | None) -> None:
        head = page.head
        for item in cited:
            name = _name(item, head)
            if name not in self._memo:
                if self._store.deadline.is_over():
                    return
                self._note(item, head, self._decide(item, page))
                if verdicts is not None:
                    citation = guarded(item.citation, head)
                    verdicts.add(citation, fragment_of(item.target), self._memo[name])
            if self._wants_surroundings and (ranges := self._memo[name].ranges):
                self._around[name] = words_around(page.text, ranges)
        if verdicts is not None:
            self._verdicts.take(verdicts)

    def _decide(self, item: Cited, page: Page) -> Decision:
        job, citation, target, _ = item
        assert not isinstance(target, SourceError)
        key, local = page_key(job, target), isinstance(target, LocalSource)

        def folded() -> FoldedText:
            return self._folded_text(key, page)

        citation = guarded(citation, page)
        if citation.asks is not Asks.QUOTATION:
            from tracecite_lint.engine.claims import decide_claim  # nothing where none is asked

            return decide_claim(citation, page, folded, lambda: self._standing(page))
        return decide(citation, page, folded, target.fragment, local=local)

    def _standing(self, page: Page) -> Standing:
        """Return the page made ready to be asked for figures: the last one is kept, since pages come one after another."""
        if self._last_standing is None or self._last_standing[0] != page.digest:
            from tracecite_lint.engine.claims import standing_of

            self._last_standing = page.digest, standing_of(page.text)
        return self._last_standing[1]

    def _is_captured(self, job: Job, citation: Citation) -> bool:
        """Tell whether a quotation stands in what its own record holds of a source without an address."""
        uri = citation.source.uri
        text = job.document.captured.get(uri)
        if text is None:
            return False
        from tracecite_lint.matching.fold import fold  # most quotations stand in a page as they are
        from tracecite_lint.matching.match import find

        # By the text itself: an editor keeps what is folded, and the document changes.
        folded = self._texts.folded(text, lambda: fold(text))
        return find(folded, citation.passages) is not None

    def _folded_text(self, key: PageKey, page: Page) -> FoldedText:
        return self._texts.folded((key, page.digest), lambda: self._folded_page(key, page))

    def _folded_page(self, key: PageKey, page: Page) -> FoldedText:
        """Return the folded text of a page, made where none is kept with it; in a sweep and in an editor it then is."""
        folded = _folded_page(page)
        if page.prepared:
            return folded
        if self._keeps_texts:
            self.pages[key] = replace(page, prepared=folded.to_bytes())
        elif self._keeps_folds and (cited := self._by_page.get(key)):
            target = cited[0].target
            if isinstance(target, WebSource):
                self._store.keep_prepared(target, replace(page, prepared=folded.to_bytes()))
        return folded

    def _noted(self, key: PageKey, found: PageHead | SourceError) -> PageHead | SourceError:
        """Return what is kept of a source with the pages: its text is kept apart, unless all texts are kept."""
        if self._keeps_texts or not isinstance(found, Page):
            return found
        self._keep(key, found)
        return found.head

    def _keep(self, key: PageKey, page: Page) -> None:
        # Files too: what is read of one is judged at once.
        self._texts.keep(key, page, can_be_read_again=self._store.keeps_pages)


def guarded(citation: Citation, head: PageHead | None) -> Citation:
    """Return *citation*, private if its source is: nothing of the words of a record is shown, whoever cites it."""
    is_record = head is not None and head.content_type == RECORDS
    return replace(citation, private=True) if is_record and not citation.private else citation


def _asks_the_same(known: Decided, citation: Citation) -> bool:
    """Tell whether *citation* is one of which the verdict is known, wherever it stands."""
    before = known.citation
    return before is citation or (
        before.passages is citation.passages
        and before.source.uri == citation.source.uri
        and before.directives == citation.directives
        and before.captured == citation.captured
        and before.asks is citation.asks
    )


def fragment_of(target: Target) -> str:
    """Return the fragment that a source was named with, without text directives."""
    return "" if isinstance(target, SourceError) else target.fragment


def out_of_time() -> SourceError:
    """Return why a quotation was not looked for when the time of the run was up."""
    return SourceError(
        OUT_OF_TIME,
        "the time of the run was up before this quotation was looked for",
        help="run again: the pages that were read are in the cache; or raise --max-time",
    )


def _name(item: Cited, head: PageHead) -> tuple[object, ...]:
    """Return all that a verdict hangs on."""
    job, citation, target, _ = item
    assert not isinstance(target, SourceError)
    return (
        page_key(job, target),
        head.digest,
        head.leads_on,
        target.fragment,
        citation.passages,
        citation.directives,
        citation.captured,
        citation.private,
        citation.asks,
    )


def _folded_page(page: Page) -> FoldedText:
    from tracecite_lint.matching.fold import fold
    from tracecite_lint.matching.folded import FoldedText

    if page.prepared:
        # What lies in a cache is input: what cannot be read back is made anew.
        with suppress(ValueError):
            return FoldedText.from_bytes(page.prepared, page.text)
    return fold(page.text)
