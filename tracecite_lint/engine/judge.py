"""One citation and one page become a decision: pure, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.matching.literal import find_literally
from tracecite_lint.model import (
    Citation,
    Difference,
    DifferenceKind,
    Nearest,
    Verdict,
    without_added_marks,
)
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.matching.folded import FoldedText
    from tracecite_lint.matching.result import Match

_LIGHT = {DifferenceKind.CASE: "QUOTE_CASE", DifferenceKind.PUNCTUATION: "QUOTE_PUNCTUATION"}
"""What is reported under a code of its own, which fails nothing: the words are the source's (docs/verdicts.md)."""
_NOT_THERE = "the quoted words do not stand in the source"
_MESSAGES = {
    DifferenceKind.CASE: "the quoted words stand in the source with the first letter in the other case",
    DifferenceKind.PUNCTUATION: "the quoted words stand in the source with other punctuation, spaces or marks",
    DifferenceKind.NUMBER: f"{_NOT_THERE}: a number differs",
    DifferenceKind.NEGATION: f"{_NOT_THERE}: a negation differs",
    DifferenceKind.SIGN: f"{_NOT_THERE}: a sign differs",
    DifferenceKind.WORD: f"{_NOT_THERE}: words differ",
    DifferenceKind.ORDER: f"{_NOT_THERE} in this order",
    DifferenceKind.PART_OF_WORD: f"{_NOT_THERE} as whole words: a part of a longer one is quoted",
    DifferenceKind.NOTHING_ALIKE: f"{_NOT_THERE}: nothing there is alike",
}
_LONGEST_OMISSION = 500
"""Characters within which a sentence is looked for that a negation was left out of."""


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
    difference: DifferenceKind | None = None
    """What keeps the words of a mismatch from standing there, where that was looked for."""
    omitted: str = ""
    """What an omission mark leaves out of one sentence of the source, if a negation is in it."""
    missing: tuple[str, ...] = ()
    """The figures of a claim that do not stand in the source, as written."""

    @property
    def finding(self) -> str | None:
        """The code under which it is reported: a lighter one than `code` where the words themselves are the source's."""
        light = _LIGHT.get(self.difference) if self.difference is not None else None
        return light or self.code


def decide(
    citation: Citation,
    page: Page,
    fold_page: Callable[[], FoldedText],
    fragment: str,
    *,
    local: bool,
) -> Decision:
    """Judge *citation* by *page*, whose folded text *fold_page* gives: it is asked where the words do not stand there as they are.

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
    if selected is None and not citation.directives:
        literal = find_literally(page.text, citation.passages)
        if literal is not None:
            return _found(literal, page, omitted="")
    folded = fold_page()
    match = _match(citation, page, folded, selected)
    if match is not None:
        omitted = _omitted_negation(match, folded) if match.left_out else ""
        return _found(match, page, omitted=omitted)
    if page.leads_on:
        return unverifiable(
            SourceError(
                "SOURCE_HAS_NO_TEXT",
                "the page leads on to another after a while, and does not hold the quotation itself",
                help="cite the page it leads to",
            )
        )
    from tracecite_lint.matching.match import find  # not where the words stand there as they are

    # The words are there: which part was meant is a matter of the link, and the message says so.
    if selected is not None and local and find(folded, citation.passages):
        return Decision(
            verdict=Verdict.MISMATCH,
            code=_mismatch_code(local=local),
            message=f"the quoted words stand in the file, but not in its part #{fragment}",
            help="name the part that holds them, or leave the fragment away",
        )
    if citation.directives or citation.private:
        return mismatch(citation, None, None, local=local)
    nearest = _nearest(citation, folded)
    from tracecite_lint.matching.differences import difference_kind  # as in _nearest

    kind = difference_kind(folded, citation.passages, nearest)
    return mismatch(citation, nearest, kind, local=local)


def _found(match: Match, page: Page, *, omitted: str) -> Decision:
    start = match.ranges[0][0] if match.ranges else 0
    return verified(
        folds=match.folds,
        swallowed=tuple(map(without_added_marks, match.swallowed)),
        left_out=match.left_out,
        omitted=omitted,
        ranges=match.ranges,
        page=page.sections.page_at(start),
    )


def verified(
    *,
    ranges: tuple[tuple[int, int], ...],
    folds: tuple[str, ...],
    swallowed: tuple[str, ...],
    left_out: int,
    omitted: str,
    page: int | None,
) -> Decision:
    """Return the decision for words that were found."""
    return Decision(
        verdict=Verdict.VERIFIED,
        folds=folds,
        swallowed=swallowed,
        left_out=left_out,
        omitted=omitted,
        ranges=ranges,
        page=page,
    )


def mismatch(
    citation: Citation, nearest: Nearest | None, kind: DifferenceKind | None, *, local: bool
) -> Decision:
    """Return the decision for words that stand nowhere in their source."""
    return Decision(
        verdict=Verdict.MISMATCH,
        code=_mismatch_code(local=local),
        message=_mismatch_message(citation, kind),
        help=_mismatch_help(citation),
        nearest=nearest,
        difference=kind,
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
    from tracecite_lint.matching.match import find  # does not pay for them
    from tracecite_lint.matching.nearest import nearest

    found = nearest(folded, citation.passages)
    head = without_trailing_clause(citation.quote)
    # What the source says itself, but for a comma, is no clause of the author's.
    if (found is not None and found.is_safe) or not head or not find(folded, (head,)):
        return found
    return Nearest(
        head,
        2 * len(head) / (len(head) + len(citation.quote)),
        (Difference("equal", head), Difference("delete", citation.quote[len(head) :])),
        head,
        is_safe=True,
    )


def _match(
    citation: Citation, page: Page, folded: FoldedText, selected: tuple[int, int] | None
) -> Match | None:
    from tracecite_lint.matching.match import find, find_directive

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


def _omitted_negation(match: Match, folded: FoldedText) -> str:
    """Return what was left out between two parts of the quotation, if that is of one sentence and holds a negation."""
    from tracecite_lint.matching.editorial import ends_sentence, has_negation
    from tracecite_lint.matching.fold import fold

    for (_, start), (end, _) in pairwise(match.ranges):
        words = without_added_marks(folded.original[start:end]).strip()
        if len(words) > _LONGEST_OMISSION or "\n\n" in words:
            continue
        # A full stop right after the first part ends its last word's sentence.
        before = without_added_marks(folded.original[max(start - 40, 0) : start]).split()
        sentence = fold(f"{before[-1] if before else ''}{folded.original[start:end]}").text
        if has_negation(fold(words).text) and not ends_sentence(sentence):
            return " ".join(words.split())
    return ""


def _mismatch_message(citation: Citation, kind: DifferenceKind | None) -> str:
    if citation.captured is True:
        return "the captured content holds the quotation, the live source does not: the page has changed"
    if citation.captured is False:
        return "neither the captured content nor the live source holds the quotation"
    if citation.directives:
        return "the text that the link's fragment names does not stand in the source"
    return _NOT_THERE if kind is None else _MESSAGES[kind]


def _mismatch_help(citation: Citation) -> str:
    if citation.private:
        return "the words of a record are not shown here: compare the quotation with its source by hand"
    return (
        "quote the source's own words, cite the source that holds them, or take the quotation out"
    )
