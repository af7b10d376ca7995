"""One entry as HTML: a finding with its quotation beside the source, and what has no finding as one line."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import unquote

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import CheckedCitation, Nearest, Severity, Verdict, without_added_marks
from tracecite_lint.naming.uris import UriKind, scheme_of, uri_kind
from tracecite_lint.output.findings import alike, base_code
from tracecite_lint.output.html.elements import (
    attributes,
    beginning,
    element,
    end,
    link,
    shortened,
    text,
    web_link,
)
from tracecite_lint.output.html.entries import OUTCOMES, Entry
from tracecite_lint.output.html.paragraph import around
from tracecite_lint.output.html.passages import marked_passage, marked_quotation
from tracecite_lint.output.line_links import LineLinks
from tracecite_lint.output.summary import evidence_of
from tracecite_lint.output.text_fragments import text_directive, with_directive

_ALL = 11_000_000
"""Bytes that the words of all entries may take: with all around them a page stays below 20 MB."""
_MOST = 4_000
"""Bytes of words that an entry shows where there is room."""
_LINE_SHARE = 4
"""How many lines without a finding take the room of a finding."""
_DIRECTIVE = 160
"""Characters of a passage that lead to its place; in scripts that are escaped, few are enough, as each takes nine bytes."""
_ESCAPED_DIRECTIVE = 30
_LINES = regex(r"L[0-9]+(?:-L?[0-9]+)?")
# What stands in a quotation for other words of the source ends what can be looked for in one piece.
_NOT_IN_SOURCE = regex(r"…|\.\s?\.\s?\.|⋯|\[[^\]]*\]")


class Cards:
    """Makes entries: knows the lines of the documents, the links to them, and how much room each entry has."""

    def __init__(
        self,
        texts: Mapping[str, Sequence[str]],
        links: LineLinks,
        *,
        findings: int,
        others: int,
    ) -> None:
        self._texts = texts
        self._links = links
        self._room = min(_MOST, _ALL // max(findings + others // _LINE_SHARE, 1))

    def file_link(self, file: str) -> str:
        """Return the name of *file* as a link to it."""
        return link(element("bdi", text(file)), self._links.to(file))

    def finding(self, entry: Entry) -> str:
        """Return an entry that has findings."""
        severity = min((item.severity for item in entry.found), key=[*Severity].index)
        codes = dict.fromkeys(base_code(item.code) for item in entry.found)
        code_links = " ".join(
            f'<a class="code" href="#code-{text(code)}">{text(code)}</a>' for code in codes
        )
        nearest = next((item.nearest for item in entry.found if item.nearest), None)
        head = (
            self._place(entry)
            + f'<b class="verdict">{self._said(entry)}</b>'
            + (f"<i>{severity.value}</i>" if severity is not Severity.ERROR else "")
            + code_links
            + (f'<span class="alike">{alike(nearest)}</span>' if nearest else "")
        )
        messages = "".join(
            element("p", text(shortened(item.message, self._room // 4))) for item in entry.found
        )
        return (
            f'<article class="e {entry.outcome}"{_data(entry, " ".join(codes))} tabindex="-1">'
            f"<header>{head}</header>{messages}{self._pair(entry, nearest)}{self._fix(entry)}</article>\n"
        )

    def row(self, entry: Entry) -> str:
        """Return an entry without a finding on one line."""
        item = entry.item
        assert item is not None
        quote = (
            ""
            if entry.private
            else f"<q>{text(shortened(item.citation.quote, self._room // _LINE_SHARE))}</q>"
        )
        details = [self._source(entry, self._held(entry)), *_reading(item)]
        if item.folds:
            details.append(text(f"folds: {', '.join(item.folds)}"))
        if item.suppressed:
            by = "the baseline" if item.baselined else "a comment"
            details.append(text(f"{item.code or ''} silenced by {by}"))
        if evidence := evidence_of(item):
            details.append(text(evidence))
        return (
            f'<li class="e {entry.outcome}"{_data(entry, item.code or "")} tabindex="-1">{self._place(entry)}'
            f'<b class="verdict">{self._said(entry)}</b><div>{quote} <small>{" · ".join(filter(None, details))}</small></div></li>\n'
        )

    def _place(self, entry: Entry) -> str:
        span = entry.span
        shown = f"{span.line}:{span.column}" if span.line > 0 else "file"
        return link(text(shown), self._links.to(entry.file, span.line), class_="place")

    def _said(self, entry: Entry) -> str:
        return entry.outcome if entry.outcome in ("claim", "finding") else OUTCOMES[entry.outcome]

    def _pair(self, entry: Entry, nearest: Nearest | None) -> str:
        """Return the quotation in its paragraph beside the source's passage."""
        if entry.private:
            source = self._source_side(entry, None) if entry.source else ""
            return f'<div class="pair">{source}</div>' if source else ""
        document = self._document_side(entry, nearest)
        source = self._source_side(entry, nearest) if entry.source else ""
        return f'<div class="pair">{document}{source}</div>' if document or source else ""

    def _fix(self, entry: Entry) -> str:
        """Return what to write in the quotation's place, and which option writes it."""
        fix = next((item.fix for item in entry.found if item.fix), None)
        if fix is None:
            return ""
        option = "--fix" if fix.is_safe else "--fix --unsafe-fixes"
        words = text(shortened(without_added_marks(fix.replacement), self._room // 16))
        return f'<p class="fix"><code>{option}</code> <q>{words}</q></p>'

    def _document_side(self, entry: Entry, nearest: Nearest | None) -> str:
        before, after = around(self._texts.get(entry.file, ()), entry.span)
        size = self._room // 3
        if nearest is not None and nearest.differences:
            quote = marked_quotation(nearest.differences, size)
        else:
            words = entry.item.citation.quote if entry.item else entry.found[0].quote
            quote = text(shortened(words, size))
        if not quote and not before and not after:
            return ""
        context = self._room // 10
        return (
            "<figure><figcaption>In the document</figcaption><blockquote><p>"
            f"{_context(end(before.lstrip(), context))}<mark>{quote}</mark>{_context(beginning(after.rstrip(), context))}"
            "</p></blockquote></figure>"
        )

    def _source_side(self, entry: Entry, nearest: Nearest | None) -> str:
        item = entry.item
        caption = " · ".join(
            [
                "In the source",
                self._source(entry, nearest.text if nearest else self._held(entry)),
                *(_reading(item) if item else []),
            ]
        )
        return f"<figure><figcaption>{caption}</figcaption>{self._passage(entry, nearest)}{self._elsewhere(entry)}</figure>"

    def _held(self, entry: Entry) -> str:
        """Return the words of a citation that is verified, since they stand in the source; nothing of another."""
        is_held = entry.outcome == "verified" and entry.item is not None and not entry.private
        return entry.item.citation.quote if is_held and entry.item else ""

    def _passage(self, entry: Entry, nearest: Nearest | None) -> str:
        if nearest is not None:
            size = self._room // 3
            if nearest.differences:
                shown = marked_passage(nearest.differences, size)
            else:
                shown = text(shortened(without_added_marks(nearest.text), size))
            return f"<blockquote><p>{shown}</p></blockquote>"
        if entry.private:
            said = "The words of a record are not shown."
        elif entry.outcome == "mismatch":
            said = "Nothing in it comes close."
        elif entry.outcome == "claim" and entry.item and entry.item.verdict is Verdict.MISMATCH:
            said = "It does not stand there."
        elif entry.outcome == "verified":
            said = "The words stand there."
        else:
            said = "It was not read."
        return f'<p class="none">{said}</p>'

    def _elsewhere(self, entry: Entry) -> str:
        found = dict.fromkeys(uri for item in entry.found for uri in item.elsewhere)
        if not found:
            return ""
        shown = ", ".join(self._uri(uri, entry.file) for uri in found)
        return f"<p>Found in {shown}</p>"

    def _source(self, entry: Entry, words: str) -> str:
        """Return the source as a link to where *words* stand in it."""
        page = entry.item.page if entry.item else None
        return self._uri(entry.source, entry.file, "" if entry.private else words, page)

    def _uri(self, uri: str, file: str, words: str = "", page: int | None = None) -> str:
        address = web_link(_to_the_words(uri, words) if words else uri)
        if not address and uri_kind(uri) is UriKind.FILE:
            address = self._local(uri, file, words, page)
        shown = re.sub(r"^https?://(www\.)?", "", uri)
        return link(
            element("bdi", text(shortened(shown, 80))), address, class_="src", rel="noreferrer"
        )

    def _local(self, uri: str, file: str, words: str, page: int | None) -> str:
        """Return the link to a local source: a path relative to the document that does not lead out of the work tree.

        It leads to the part that the document names and to the *words* there, in a PDF to the *page*.
        """
        name, _, fragment = uri.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(name)))
        if scheme_of(uri) or not name or path.startswith(("/", "..")):
            return ""
        anchor = re.sub(r"[^\w%.~/=:-]", "", fragment)
        if page is not None and not anchor:
            anchor = f"page={page}"  # RFC 8118, section 3
        address = self._links.to(path)
        address = f"{address}#{anchor}" if anchor else address
        # A line is as close as the words, and where these stand in it the document knows best.
        is_line = _LINES.fullmatch(anchor) is not None
        return (
            address if page is not None or is_line or not words else _to_the_words(address, words)
        )


def _data(entry: Entry, codes: str) -> str:
    """Return what the filters go by."""
    return attributes(data_v=entry.outcome, data_c=codes, data_h=entry.host)


def _context(words: str) -> str:
    """Return words beside a quotation, with the space that separates them from it."""
    if not words.strip():
        return ""
    before = " " if words[0].isspace() else ""
    after = " " if words[-1].isspace() else ""
    return f"{before}{text(words)}{after}"


def _reading(item: CheckedCitation) -> list[str]:
    """Return which page was read, and when."""
    said = [] if item.page is None else [f"page {item.page}"]
    if item.fetched_at is not None:
        read = datetime.fromtimestamp(int(item.fetched_at), UTC)
        how = "stale, read" if item.stale else "read"
        said.append(
            f'{how} <time datetime="{read:%Y-%m-%dT%H:%M:%SZ}">{read:%Y-%m-%d %H:%M} UTC</time>'
        )
    return said


def _to_the_words(uri: str, words: str) -> str:
    """Return *uri* so that a browser goes to *words*, which stand in the page."""
    limit = _DIRECTIVE if words.isascii() else _ESCAPED_DIRECTIVE
    passage = _NOT_IN_SOURCE.sub("\n", words).strip()
    if len(passage) > limit and not words[:limit].isascii():
        passage = passage[:limit].partition("\n")[0]
    directive = text_directive(passage, 0, len(passage)) if passage and ":~:" not in uri else None
    return with_directive(uri, directive) if directive else uri
