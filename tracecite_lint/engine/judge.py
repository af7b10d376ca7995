"""One citation and one page become a decision: pure, no I/O."""

from __future__ import annotations

from collections.abc import Iterable

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import Match, find, find_directive
from tracecite_lint.model import Citation, Difference, Nearest, Verdict, without_added_marks
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What one page says of one citation.

    `ranges` are where the quotation stands in the page's text, `left_out` the characters its omission marks leave out,
    `page` the 1-based page of a PDF. `nearest` is set for a mismatch whose words stand there nearly so.
    """

    verdict: Verdict
    code: str | None = None
    message: str = ""
    help: str = ""
    folds: tuple[str, ...] = ()
    swallowed: tuple[str, ...] = ()
    left_out: int = 0
    ranges: tuple[tuple[int, int], ...] = ()
    page: int | None = None
    nearest: Nearest | None = None


def decide(
    citation: Citation, page: Page, folded: FoldedText, fragment: str, *, local: bool
) -> Decision:
    """Judge *citation* by *page*, whose text is given *folded*.

    *fragment* (without `#`) selects a part of a local file; of a PDF it names the page that is looked at first.
    """
    selected: tuple[int, int] | None = None
    # A text directive names no part: the words themselves are looked for.
    fragment = fragment.partition(":~:")[0]
    # On the web an anchor is where a reader starts; a quotation is right wherever on the page it stands.
    if fragment and (local or page.sections.pages):
        selected = page.sections.window(fragment, len(page.text))
        if selected is None and local:
            return unverifiable(
                SourceError(
                    "SOURCE_UNAVAILABLE",
                    f"the file has no part #{fragment}",
                    help="name a heading of the file as its anchor, or lines as #L10-L20",
                )
            )
    match = _match(citation, page, folded, selected)
    if match is not None:
        start = match.ranges[0][0] if match.ranges else 0
        return verified(
            folds=match.folds,
            swallowed=tuple(map(without_added_marks, match.swallowed)),
            left_out=match.left_out,
            ranges=match.ranges,
            page=page.sections.page_at(start),
        )
    if page.leads_on:
        return unverifiable(
            SourceError(
                "SOURCE_HAS_NO_TEXT",
                "the page leads on to another after a while, and does not hold the quotation itself",
                help="cite the page it leads to",
            )
        )
    # The words are there: which part was meant is a matter of the link, and the message says so.
    if selected is not None and local and find(folded, citation.passages):
        return Decision(
            verdict=Verdict.MISMATCH,
            code=_mismatch_code(local=local),
            message=f"the quoted words stand in the file, but not in its part #{fragment}",
            help="name the part that holds them, or leave the fragment away",
        )
    nearest = None if citation.directives or citation.private else _nearest(citation, folded)
    return mismatch(citation, nearest, local=local)


def verified(
    *,
    ranges: tuple[tuple[int, int], ...],
    folds: tuple[str, ...],
    swallowed: tuple[str, ...],
    left_out: int,
    page: int | None,
) -> Decision:
    """Return the decision for words that were found."""
    return Decision(
        verdict=Verdict.VERIFIED,
        folds=folds,
        swallowed=swallowed,
        left_out=left_out,
        ranges=ranges,
        page=page,
    )


def mismatch(citation: Citation, nearest: Nearest | None, *, local: bool) -> Decision:
    """Return the decision for words that stand nowhere in their source."""
    return Decision(
        verdict=Verdict.MISMATCH,
        code=_mismatch_code(local=local),
        message=_mismatch_message(citation),
        help=_mismatch_help(citation),
        nearest=nearest,
    )


def captured_decision(captured: bool, *, cut: bool) -> Decision:
    """Judge a citation whose source is nothing but what its record captured, all of it or (*cut*) a part."""
    if captured:
        return Decision(verdict=Verdict.VERIFIED)
    if cut:
        return unverifiable(
            SourceError(
                "SOURCE_TRUNCATED",
                "the record holds what was read in part only, and the quotation does not stand in that part",
                help="let the agent read the passage again, or cite the file or page that holds it",
            )
        )
    return Decision(
        verdict=Verdict.MISMATCH,
        code="QUOTE_NOT_IN_SOURCE",
        message="the quotation does not stand in the captured content",
    )


def unverifiable(error: SourceError) -> Decision:
    """Return the decision for a source that could not be read."""
    return Decision(
        verdict=Verdict.UNVERIFIABLE, code=error.code, message=error.message, help=error.help
    )


def _nearest(citation: Citation, folded: FoldedText) -> Nearest | None:
    from tracecite_lint.engine.trailing import without_trailing_clause  # what is verified
    from tracecite_lint.matching.nearest import nearest  # does not pay for them

    head = without_trailing_clause(citation.quote)
    if head and find(folded, (head,)):
        rest = citation.quote[len(head) :]
        return Nearest(
            head,
            2 * len(head) / (len(head) + len(citation.quote)),
            (Difference("equal", head), Difference("delete", rest)),
            head,
            is_safe=True,
        )
    return nearest(folded, citation.passages)


def _match(
    citation: Citation, page: Page, folded: FoldedText, selected: tuple[int, int] | None
) -> Match | None:
    if citation.directives:
        return find_directive(folded, citation.directives)
    if page.sections.pages and selected is not None:
        windows = _pages_from(page, selected)
        found = (find(folded, citation.passages, within=window) for window in windows)
        return next((match for match in found if match is not None), None)
    return find(folded, citation.passages, within=selected)


def _pages_from(page: Page, selected: tuple[int, int]) -> Iterable[tuple[int, int] | None]:
    """Yield where to look in a PDF: the page named, the page with its neighbours, the whole."""
    yield selected
    # A sentence may run over the end of a page, and printed numbers differ from those of the file.
    starts = [*page.sections.pages, len(page.text)]
    number = starts.index(selected[0])
    yield starts[max(number - 1, 0)], starts[min(number + 2, len(starts) - 1)]
    yield None


def _mismatch_code(*, local: bool) -> str:
    return "QUOTE_NOT_IN_SOURCE" if local else "QUOTE_NOT_IN_LIVE_SOURCE"


def _mismatch_message(citation: Citation) -> str:
    if citation.captured is True:
        return "the captured content holds the quotation, the live source does not: the page has changed"
    if citation.captured is False:
        return "neither the captured content nor the live source holds the quotation"
    if citation.directives:
        return "the text that the link's fragment names does not stand in the source"
    return "the quoted words do not stand in the source"


def _mismatch_help(citation: Citation) -> str:
    if citation.private:
        return "the words of a record are not shown here: compare the quotation with its source by hand"
    return (
        "quote the source's own words, cite the source that holds them, or take the quotation out"
    )
