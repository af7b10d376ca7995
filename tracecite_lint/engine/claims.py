"""What the sources of linked claims say: figures, titles, and that they can be read (docs/claims.md). Pure, no I/O.

Presence is checked, never support: what a claim concludes from its source is for its reader to judge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from tracecite_lint.engine.judge import Decision, unverifiable
from tracecite_lint.light.lazy import regex
from tracecite_lint.matching.figures import Standing
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.titles import title_stands
from tracecite_lint.model import Asks, Citation, Verdict, without_added_marks
from tracecite_lint.naming.uris import is_web, public_uri
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page
from tracecite_lint.text.figures.claimed import Kind, figures_of

_FRONT = regex(
    r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?/*)?(?:(?:index|default|home)(?:\.\w{1,5})?/*)?", re.IGNORECASE
)
_LEAST_TEXT = 400
"""Characters of a text that is known well enough to say that a figure does not stand in it."""
_ASKED = {Asks.YEARS: (Kind.YEAR,), Asks.DATES: (Kind.YEAR, Kind.DATE)}
_NOT_CHECKED = "whether the claim is supported is not checked"


def decide_claim(
    citation: Citation,
    page: Page,
    folded: Callable[[], FoldedText],
    standing: Callable[[], Standing],
) -> Decision:
    """Judge a linked claim by the *page* of one of its sources.

    *folded* gives the fold of its text, *standing* the text made ready to be asked for figures: either is made when it is
    needed.
    """
    text = page.text
    if _is_front_page(page.final_url) and not _is_front_page(page.url):
        return unverifiable(
            SourceError(
                "SOURCE_HAS_NO_TEXT",
                "the address leads to the site's front page, and to no page of its own any more",
                help="correct the address, or cite an archived copy",
            )
        )
    if citation.asks is Asks.SOURCE:
        return Decision(verdict=Verdict.VERIFIED)
    if citation.asks is Asks.TITLE:
        if title_stands(citation.quote, folded()):
            return Decision(verdict=Verdict.VERIFIED)
        missing = []
    else:
        kinds = _ASKED.get(citation.asks, ())
        missing = standing().missing(figures_of(citation.quote), kinds)
        if not missing:
            return Decision(verdict=Verdict.VERIFIED)
    if len(text) < _LEAST_TEXT:
        return unverifiable(
            SourceError(
                "SOURCE_HAS_NO_TEXT",
                f"the source has only {len(text)} characters of text: too few to say what does not stand in it",
                help="look at the source: it may be a shell that a program fills, or a part of what is meant",
            )
        )
    if citation.asks is Asks.TITLE:
        return Decision(
            verdict=Verdict.MISMATCH,
            code="TITLE_NOT_IN_SOURCE",
            message=_title_message(citation),
            help="follow the link: it may lead to another page than the one that is named",
        )
    return missing_figures(citation, [figure.text for figure in missing], [citation.source.uri])


def _is_front_page(url: str) -> bool:
    """Tell whether *url* is that of a site as a whole, or of its version in one language."""
    if not is_web(url):
        return False
    parts = urlsplit(url)
    return not parts.query and _FRONT.fullmatch(parts.path) is not None


def standing_of(text: str) -> Standing:
    """Return the text of a page, made ready to be asked for figures."""
    return Standing(without_added_marks(text))


def figures_with_passages(citation: Citation, text: str) -> list[tuple[str, str]]:
    """Return the figures of a claim, each with what stands around it in *text*, or nothing where it does not stand."""
    standing = standing_of(text)
    return [
        (figure.text.strip(), standing.passage(figure)) for figure in figures_of(citation.quote)
    ]


def missing_figures(citation: Citation, missing: Sequence[str], uris: Sequence[str]) -> Decision:
    """Return the decision for figures that stand in none of the sources *uris*."""
    return Decision(
        verdict=Verdict.MISMATCH,
        code="FIGURE_NOT_IN_SOURCE",
        message=_figures_message(citation, missing, uris),
        help="compare with the source, or say in the sentence where the figure is from or how it was worked out",
        missing=tuple(missing),
    )


def _figures_message(citation: Citation, missing: Sequence[str], uris: Sequence[str]) -> str:
    where = " or of ".join(public_uri(uri) for uri in uris)
    one = len(missing) == 1
    if citation.private:
        what = "a figure of this claim does" if one else f"{len(missing)} figures of this claim do"
    else:
        names = [f"“{text.strip()}”" for text in missing]
        what = f"{names[0]} does" if one else f"{', '.join(names[:-1])} and {names[-1]} do"
    value = "a value that rounds to it" if one else "values that round to them"
    they = "It may be" if one else "They may be"
    return (
        f"{what} not stand in the visible text of {where}, nor {value}. "
        f"{they} computed, converted or taken from elsewhere; {_NOT_CHECKED}"
    )


def _title_message(citation: Citation) -> str:
    title = "this title" if citation.private else f"the title “{citation.quote}”"
    return f"fewer than three in four words of {title} stand on the page"


class Asked(NamedTuple):
    """A claim's citation of one of its sources, and what that source says; None while it is pending."""

    citation: Citation
    decision: Decision | None
    is_told: bool = True
    """Whether a finding is made of it: of several sources of one claim one says it for all."""


def joined(asked: Sequence[Asked]) -> list[Asked]:
    """Return *asked*, all citations of a document, with the figures of a claim with several sources asked of all together.

    They have to stand in the sources taken together, and while one of these could not be read nobody knows.
    """
    groups: dict[object, list[int]] = {}
    for index, (citation, _, _) in enumerate(asked):
        if citation.asks.are_figures:
            groups.setdefault((citation.span, citation.asks), []).append(index)
    result = list(asked)
    for indexes in groups.values():
        if len(indexes) > 1:
            for index, item in zip(
                indexes, _together([asked[index] for index in indexes]), strict=True
            ):
                result[index] = item
    return result


def _together(group: Sequence[Asked]) -> list[Asked]:
    known = [item.decision for item in group if item.decision is not None]
    if len(known) < len(group) or any(one.verdict is Verdict.VERIFIED for one in known):
        return list(group)
    unread = next((one for one in known if one.verdict is Verdict.UNVERIFIABLE), None)
    if unread is not None:
        return [
            item
            if one is unread or one.verdict is Verdict.UNVERIFIABLE
            else Asked(item.citation, unread, is_told=False)
            for item, one in zip(group, known, strict=True)
        ]
    missing = [text for text in known[0].missing if all(text in one.missing for one in known)]
    if not missing:
        return [Asked(item.citation, Decision(verdict=Verdict.VERIFIED)) for item in group]
    uris = [item.citation.source.uri for item in group]
    return [
        Asked(item.citation, missing_figures(item.citation, missing, uris), is_told=not number)
        for number, item in enumerate(group)
    ]
