"""`textDocument/hover`: what is known of the citation under the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from lsprotocol import types

from tracecite_lint.inputs.reader import shown
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import (
    Asks,
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
from tracecite_lsp.citations import Place, citations_at, is_about, place_of, read_ago
from tracecite_lsp.claims import claims_at, figure_lines
from tracecite_lsp.client_settings import OFF
from tracecite_lsp.document import OpenDocument
from tracecite_lsp.looking import Looked
from tracecite_lsp.session import Session
from tracecite_lsp.uris import file_path

_AROUND = 100
"""Characters of the source that are shown on either side of a quotation."""
_MOST_CHANGES = 8
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
    found = [*citations_at(looked, at, at), *claims_at(looked, at)]
    if not found:
        return None
    folder = session.folder_of(document)
    texts = await in_thread(lambda: [_text(document, looked, item, folder) for item in found])
    value = "\n\n---\n\n".join(texts)
    kind = types.MarkupKind.Markdown
    if not session.client.shows_markdown:
        kind, value = types.MarkupKind.PlainText, _plain(value)
    return types.Hover(
        contents=types.MarkupContent(kind, value),
        range=looked.places.range(found[0].citation.span),
    )


def _text(document: OpenDocument, looked: Looked, item: CheckedCitation, folder: Path) -> str:
    return without_passwords("\n\n".join(_paragraphs(document, looked, item, folder)))


def _paragraphs(
    document: OpenDocument, looked: Looked, item: CheckedCitation, folder: Path
) -> Iterator[str]:
    # What the mark says is not said again: editors show both in one window.
    is_marked = any(is_about(finding, item) for finding in looked.diagnostics)
    yield _headline(document, item, is_marked=is_marked)
    if item.citation.asks is not Asks.QUOTATION:
        yield f"Source: {_link(item.final_url or item.citation.source.uri)}"
        yield from (f"- {escaped(line)}" for line in figure_lines(looked, item))
        return
    place = place_of(looked, item)
    yield f"Source: {', '.join(_source(item, place, folder))}"
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
    if item.verdict is Verdict.VERIFIED and place is not None and place.page and place.range:
        yield f"> {_in_context(place.page, *place.range)}"
    elif decision.nearest is not None:
        differences = _changes if is_marked else _differences
        yield f"> {differences(decision.nearest)}"
    if item.verdict is Verdict.MISMATCH:
        for uri in looked.check.elsewhere(looked.job, item.citation):
            yield f"Another source of this document holds the words: {_link(uri)}"
    if item.verdict is not Verdict.VERIFIED and (rule := rule_for(item.code or "")) is not None:
        yield f"*{rule.fix_in_editor or rule.fix}*"


def _headline(document: OpenDocument, item: CheckedCitation, *, is_marked: bool) -> str:
    if item.verdict is Verdict.VERIFIED and item.citation.asks is not Asks.QUOTATION:
        return f"**✓ Stands in the source**: {item.citation.asks.value}"
    if item.verdict is Verdict.VERIFIED:
        number = f" on page {item.page}" if item.page is not None else ""
        return f"**✓ Verified**: the quotation stands in its source{number}"
    if item.verdict is None:
        if document.settings.network == OFF:
            return "**Not checked**: web sources are left alone (`tracecite.network` is `off`)"
        return "**Not checked yet**: the source has not been read"
    name = (
        "**✗ Not in the source**"
        if item.verdict is Verdict.MISMATCH
        else "**? Could not be checked**"
    )
    if item.alternative:
        return f"{name}: another source of this quotation holds it"
    rule = rule_for(item.code or "")
    # Silenced, by a comment or a baseline: nothing else says why.
    return name if is_marked or rule is None else f"{name} (`{item.code}`): {rule.summary}"


def _source(item: CheckedCitation, place: Place | None, folder: Path) -> Iterator[str]:
    page = place.page if place is not None else None
    if place is not None and page is not None and page.status == 0:
        path = file_path(place.uri)
        name = shown(Path(path), folder) if path is not None else place.uri
        line = f", line {place.line}" if place.line else ""
        yield f"[{escaped(name)}]({place.address}){line}"
        return
    # The address that answered: behind a redirect that is where the words stand.
    yield _link(item.final_url or item.citation.source.uri)
    if page is not None:
        moment = f"{datetime.fromtimestamp(page.fetched_at, UTC):%Y-%m-%d %H:%M} UTC"
        origin = " from the cache" if page.from_cache else ""
        stale = "; it could not be asked again" if item.stale else ""
        yield f"read {read_ago(page.fetched_at)} ({moment}){origin}{stale}"


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


def _changes(nearest: Nearest) -> str:
    """Return what changed alone: the mark shows the words it changed in."""
    runs = groupby(nearest.differences, key=lambda part: part.op != "equal")
    changed = [list(run) for is_changed, run in runs if is_changed]
    told = [_change(run) for run in changed[:_MOST_CHANGES]]
    more = [f"… and {len(changed) - len(told)} more"] if len(changed) > len(told) else []
    return ", ".join((*told, *more)).replace("\n", " ")


def _change(run: list[Difference]) -> str:
    sides = [
        " ".join(_difference(part).strip() for part in run if part.op == op)
        for op in ("delete", "insert")
    ]
    return " → ".join(filter(None, sides))


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
