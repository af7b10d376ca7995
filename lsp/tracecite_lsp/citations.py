"""What is known of one citation, as hovers, links and hints need it."""

from __future__ import annotations

import re
import time

from tracecite_lint.engine.reach import resolve_source
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import CheckedCitation, Diagnostic, Verdict
from tracecite_lint.naming.uris import web_address
from tracecite_lint.output.text_fragments import text_directive, with_directive
from tracecite_lint.sources.files import LocalSource
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import WebSource
from tracecite_lsp.looking import Looked

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True)
class Place:
    """Where a source is that can be opened, and the range of its text that the citation is about, if it is known."""

    uri: str
    page: Page | None
    range: tuple[int, int] | None
    line: int | None = None
    """The 1-based line of a local text on which the range begins."""

    @property
    def address(self) -> str:
        """The URI that leads to the very place: a line has the fragment of GitHub and VS Code."""
        return f"{self.uri}#L{self.line}" if self.line else self.uri


def citations_at(looked: Looked, start: int, end: int) -> list[CheckedCitation]:
    """Return the citations whose quotation or source has a part in the offsets from *start* to *end*, or touches them."""
    found = []
    for item in looked.citations:
        spans = [item.citation.span, item.citation.source.span]
        ranges = [looked.places.offsets(span) for span in spans if span is not None]
        if any(first <= end and start <= last for first, last in ranges):
            found.append(item)
    return found


def place_of(looked: Looked, item: CheckedCitation) -> Place | None:
    """Return where the source of *item* can be opened: at the quotation, or at what comes closest to it.

    None for sources that are no page and no file.
    """
    citation = item.citation
    target = resolve_source(citation.source.uri, looked.job)
    page = looked.check.page(looked.job, citation)
    # A link to private words would tell them.
    passage = None
    if page is not None and not citation.private:
        passage = _passage(looked, item, page)
    if isinstance(target, WebSource):
        address = web_address(citation.source.uri)
        # The address as written, and not the key of the page: what counts is what the reader would open.
        return Place(_web_address(address, page, passage, item), page, passage)
    if isinstance(target, LocalSource) and page is not None:
        return Place(page.final_url, page, passage, _line(page, passage))
    return None


def link_of(looked: Looked, item: CheckedCitation) -> tuple[str, bool] | None:
    """Return where the link of *item* leads, and whether that is at the quotation; found out once."""
    citation = item.citation
    head = looked.check.head(looked.job, citation)
    decision = looked.check.decision(looked.job, citation)
    nearest = decision.nearest if decision is not None else None
    name = (
        citation.source.uri,
        citation.private,
        bool(citation.directives),
        head and (head.digest, head.final_url),
        decision and tuple(decision.ranges),
        nearest and nearest.text,
    )
    links = looked.page_set.links
    if name not in links:
        place = place_of(looked, item)
        links[name] = (place.address, place.range is not None) if place is not None else None
    return links[name]


def directive_of(looked: Looked, item: CheckedCitation) -> str | None:
    """Return the text directive that names a verified quotation in its page; None for private words and for PDF."""
    page = looked.check.page(looked.job, item.citation)
    if page is None or item.citation.private or page.sections.pages:
        return None
    passage = _passage(looked, item, page)
    return text_directive(page.text, *passage) if passage is not None else None


def read_ago(seconds: float) -> str:
    """Return how long before now *seconds* (since the epoch) is, in its largest unit: `2 h ago`."""
    age = max(0, int(time.time() - seconds))
    if age < _MINUTE:
        return "just now"
    for unit, name in ((_DAY, "d"), (_HOUR, "h")):
        if age >= unit:
            return f"{age // unit} {name} ago"
    return f"{age // _MINUTE} min ago"


def _passage(looked: Looked, item: CheckedCitation, page: Page) -> tuple[int, int] | None:
    decision = looked.check.decision(looked.job, item.citation)
    if decision is None:
        return None
    if decision.ranges:
        return decision.ranges[0][0], decision.ranges[-1][1]
    if decision.nearest is None:
        return None
    # White space was made even in what is shown as the closest passage.
    words = map(re.escape, decision.nearest.text.split())
    found = re.search(r"\s+".join(words), page.text)
    return found.span() if found else None


def _web_address(
    uri: str, page: Page | None, passage: tuple[int, int] | None, item: CheckedCitation
) -> str:
    if page is None or passage is None or item.citation.directives:
        return uri
    number = page.sections.page_at(passage[0])
    if number is not None:
        return f"{uri.partition('#')[0]}#page={number}"
    directive = text_directive(page.text, *passage)
    return with_directive(uri, directive) if directive is not None else uri


def _line(page: Page, passage: tuple[int, int] | None) -> int | None:
    """Return the 1-based line of a local text on which *passage* begins."""
    if passage is None or not page.sections.lines:
        return None
    begun = [
        (start, number)
        for number, start in enumerate(page.sections.lines, 1)
        if start <= passage[0]
    ]
    # Lines of rendered Markdown may begin at one place, and its footnotes stand at the end.
    return max(begun)[1] if begun else 1


def is_verified(item: CheckedCitation) -> bool:
    """Tell whether the quotation was found in its source."""
    return item.verdict is Verdict.VERIFIED


def is_about(finding: Diagnostic, item: CheckedCitation) -> bool:
    """Tell whether *finding* is what is said of *item*."""
    citation = item.citation
    return finding.span == citation.span and finding.source == citation.source.uri
