"""`textDocument/hover`: what is known of the citation under the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from lsprotocol import types

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import (
    CheckedCitation,
    Difference,
    Nearest,
    Verdict,
    without_added_marks,
)
from tracecite_lint.naming.uris import public_uri, without_passwords
from tracecite_lint.rules import rule_for
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.citations import citations_at, place_of, read_ago
from tracecite_lsp.client_settings import OFF
from tracecite_lsp.document import OpenDocument
from tracecite_lsp.looking import Looked
from tracecite_lsp.session import Session

_AROUND = 100
"""Characters of the source that are shown on either side of a quotation."""
_QUOTED = 300
"""Characters that are shown of a quotation itself."""
# What begins Markdown within a line, and what does at its start.
_MARKUP = regex(r"[\\`*_\[\]<>~&|]|\A[#+=-]|\A\d+[.)]")
_PLAIN_ADDRESS = regex(r"https?://[^\s<>]+", re.IGNORECASE)


async def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Return what is known of the citations at a position."""
    document = session.find(params.text_document.uri)
    looked = await session.looked(document) if document is not None else None
    if document is None or looked is None:
        return None
    # Of the text that was looked at, which is the present one (`session.looked` waits for it).
    at = looked.places.positions.offset(params.position)
    found = citations_at(looked, at, at)
    if not found:
        return None
    texts = await in_thread(lambda: [_text(document, looked, item) for item in found])
    value = "\n\n---\n\n".join(texts)
    kind = types.MarkupKind.Markdown
    if not session.client.shows_markdown:
        kind, value = types.MarkupKind.PlainText, _plain(value)
    return types.Hover(
        contents=types.MarkupContent(kind, value),
        range=looked.places.range(found[0].citation.span),
    )


def _text(document: OpenDocument, looked: Looked, item: CheckedCitation) -> str:
    return without_passwords("\n\n".join(_paragraphs(document, looked, item)))


def _paragraphs(document: OpenDocument, looked: Looked, item: CheckedCitation) -> Iterator[str]:
    yield _headline(document, item)
    place = place_of(looked, item)
    page = place.page if place is not None else None
    read = f", {_read(item, page)}" if page is not None else ""
    # The address that answered: behind a redirect that is where the words stand.
    yield f"Source: {_link(item.final_url or item.citation.source.uri)}{read}"
    decision = looked.check.decision(looked.job, item.citation)
    if decision is None or item.verdict is None:
        return
    if item.folds:
        yield f"Found with these differences folded: {', '.join(item.folds)}"
    if item.swallowed:
        swallowed = ", ".join(f"“{escaped(words)}”" for words in item.swallowed)
        yield f"Brackets stand for: {swallowed}"
    if item.citation.private:
        return
    if item.verdict is Verdict.VERIFIED and page is not None and place is not None and place.range:
        yield f"> {_in_context(page, *place.range)}"
    elif decision.nearest is not None:
        yield f"> {_differences(decision.nearest)}"
    if item.verdict is Verdict.MISMATCH:
        for uri in looked.check.elsewhere(looked.job, item.citation):
            yield f"Another source of this document holds the words: {_link(uri)}"
    if item.verdict is not Verdict.VERIFIED and item.code is not None:
        rule = rule_for(item.code)
        if rule is not None:
            yield f"*{rule.fix}*"


def _headline(document: OpenDocument, item: CheckedCitation) -> str:
    if item.verdict is Verdict.VERIFIED:
        number = f" on page {item.page}" if item.page is not None else ""
        return f"**✓ Verified**: the quotation stands in its source{number}"
    if item.verdict is None:
        if document.settings.network == OFF:
            return "**Not checked**: web sources are left alone (`tracecite.network` is `off`)"
        return "**Not checked yet**: the source has not been read"
    rule = rule_for(item.code or "")
    summary = rule.summary if rule is not None else ""
    name = "✗ Not in the source" if item.verdict is Verdict.MISMATCH else "? Unverifiable"
    other = " (another source of this quotation holds it)" if item.alternative else ""
    return f"**{name}** (`{item.code}`): {summary}{other}"


def _read(item: CheckedCitation, page: Page) -> str:
    if page.status == 0:
        return "a file"
    moment = f"{datetime.fromtimestamp(page.fetched_at, UTC):%Y-%m-%d %H:%M} UTC"
    origin = " from the cache" if page.from_cache else ""
    stale = "; it could not be asked again" if item.stale else ""
    return f"read {read_ago(page.fetched_at)} ({moment}){origin}{stale}"


def _in_context(page: Page, start: int, end: int) -> str:
    text = page.text
    before = _one_line(text[max(0, start - _AROUND) : start], cut_front=start > _AROUND)
    words = _one_line(text[start:end])
    if len(words) > _QUOTED:
        words = f"{words[: _QUOTED // 2]} … {words[-_QUOTED // 2 :]}"
    after = _one_line(text[end : end + _AROUND], cut_end=end + _AROUND < len(text))
    gap = " " if text[start - 1 : start].isspace() else ""
    gap_after = " " if text[end : end + 1].isspace() else ""
    return f"{escaped(before)}{gap}**{escaped(words)}**{gap_after}{escaped(after)}".strip()


def _one_line(text: str, *, cut_front: bool = False, cut_end: bool = False) -> str:
    words = " ".join(without_added_marks(text).split())
    if cut_front:
        words = f"…{words.partition(' ')[2]}"
    if cut_end:
        words = f"{words.rpartition(' ')[0]}…"
    return words


def _differences(nearest: Nearest) -> str:
    return "".join(_difference(part) for part in nearest.differences).replace("\n", " ")


def _difference(part: Difference) -> str:
    words = part.text.strip()
    mark = {"insert": "**", "delete": "~~"}.get(part.op, "")
    if not words or not mark:
        return escaped(part.text)
    start = part.text.index(words)
    head, tail = part.text[:start], part.text[start + len(words) :]
    return f"{head}{mark}{escaped(words)}{mark}{tail}"


def escaped(text: str) -> str:
    """Return *text*, which a page may have written, so that nothing in it is Markdown: no link, no image, no HTML."""
    return _MARKUP.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", without_added_marks(text))


def _link(uri: str) -> str:
    uri = public_uri(uri)
    return f"<{uri}>" if _PLAIN_ADDRESS.fullmatch(uri) else escaped(uri)


def _plain(markdown: str) -> str:
    return re.sub(
        r"\\(.)|\*\*|~~|^> |(?<!\w)\*(?=\w)|(?<=[.])\*", r"\1", markdown, flags=re.MULTILINE
    )
