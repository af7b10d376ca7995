"""Bytes and a content type become the text that a reader of the page sees (docs/visible-text.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from urllib.parse import urlsplit

from tracecite_lint.light.lazy import dataclass, field, regex
from tracecite_lint.model import without_added_marks
from tracecite_lint.naming.file_names import FileKind, kind_of
from tracecite_lint.naming.uris import is_web
from tracecite_lint.sources.charset import decode_html, decode_text, decode_xml, parse_content_type
from tracecite_lint.sources.cost import parse_cost
from tracecite_lint.sources.deadline import NO_DEADLINE, Deadline
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Sections
from tracecite_lint.sources.refresh import Refresh, refresh_of
from tracecite_lint.sources.structured import json_text, xml_text
from tracecite_lint.sources.visible import VisibleText, unix_lines, visible_text
from tracecite_lint.sources.walls import SHORT, is_shorter, wall

MAX_PARSE_COST = 200_000_000
"""The largest bound of `parse_cost` at which a page is parsed: about a second. Real pages stay below a tenth of it."""

MAX_TAGS = 300_000
"""The most tags of an XML document that is read."""

_HTML = frozenset(["text/html", "application/xhtml+xml"])
_MARKDOWN = frozenset(["text/markdown", "text/x-markdown"])
_JSON = frozenset(["application/json", "text/json", "application/x-ndjson", "application/jsonl"])
_XML = frozenset(["application/xml", "text/xml"])
_PDF = frozenset(["application/pdf", "application/x-pdf"])
_BINARY = frozenset(["application/octet-stream", "binary/octet-stream"])
# The tags of the MIME Sniffing Standard (“identifying a resource with an unknown MIME type”) and a few more.
_LOOKS_LIKE_HTML = regex(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?>.*?-->)\s*)*+<(?:!doctype\s+html|html|head|body|meta|title|script|style"
    rb"|link|base|div|p|h[1-6]|table|a|b|br|font|center|span|iframe|ul|ol|form|main|article|section|nav|header)(?=[\s/>])",
    re.IGNORECASE | re.DOTALL,
)
_LINE = regex(r"[^\r\n]*+(?:\r\n|\n|\r)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a body says: its visible text, the media type it was read as, and where its parts stand in the text."""

    text: str
    content_type: str
    sections: Sections = field(default_factory=Sections)
    leads_on: Refresh | None = None
    """Where a page of HTML leads on to by itself."""


def extract(
    body: bytes, content_type: str | None, url: str, deadline: Deadline = NO_DEADLINE
) -> Extracted:
    """Return the visible text of *body*, and where it leads on to.

    *content_type* is the header as sent (`text/html; charset=gbk`) or None; *url* is the final URL, or the `file:` URI of
    a local file. Headings and lines are located for local files alone, pages of a PDF always. A PDF is read up to
    *deadline*. Raises SourceError: UNSUPPORTED_CONTENT_TYPE, SOURCE_NOT_UTF8, HTML_PARSE_FAILED, SOURCE_HAS_NO_TEXT,
    SOURCE_BLOCKED, SOURCE_TOO_LARGE, NOT_CHECKED_TIME_BUDGET.
    """
    declared = parse_content_type(content_type)
    local = not is_web(url)
    essence = declared.essence or _sniffed(body, local)
    # Some servers send everything they have for download as octet-stream.
    if essence in _PDF or (essence in _BINARY and body.startswith(b"%PDF-")):
        return _from_pdf(body, deadline)
    if essence in _HTML:
        return _from_html(decode_html(body, declared.charset), essence, url)
    # JSON is UTF-8 whatever the header says (RFC 8259, section 8.1); old servers do send others.
    if essence in _JSON or essence.endswith("+json"):
        text = decode_text(body, None) or decode_text(body, declared.charset)
        return _from_lines(map(json_text, _lines(_decoded(text))), essence, local)
    if essence in _XML or essence.endswith("+xml"):
        return _from_xml(_decoded(decode_xml(body, declared.charset)), essence)
    if not essence.startswith("text/"):
        raise SourceError(
            "UNSUPPORTED_CONTENT_TYPE",
            f"the source is {essence}, which has no text that can be compared",
            help="cite a page of text, or a PDF (with the pdf extra)",
        )
    text = _decoded(decode_text(body, declared.charset))
    if essence in _MARKDOWN or (
        # raw.githubusercontent.com sends Markdown as plain text: by the address it is what the reader of the page saw.
        essence == "text/plain" and kind_of(urlsplit(url).path) is FileKind.MARKDOWN
    ):
        return _from_markdown(text, local)
    return _from_lines(_lines(text), essence, local)


def _sniffed(body: bytes, local: bool) -> str:
    """Return the media type of a body that was sent without one (in the spirit of the MIME Sniffing Standard)."""
    if body.startswith(b"%PDF-"):
        return "application/pdf"
    if local:
        return "text/plain"
    if _LOOKS_LIKE_HTML.match(body.removeprefix(b"\xef\xbb\xbf")) or body[:2] in (
        b"\xfe\xff",
        b"\xff\xfe",
    ):
        return "text/html"
    return "application/xml" if body.lstrip().startswith(b"<?xml") else "text/plain"


def _decoded(text: str | None) -> str:
    if text is None:
        raise SourceError(
            "SOURCE_NOT_UTF8",
            "the source is not in UTF-8, and names no other encoding",
            help="cite a page whose server says its charset, or convert the file to UTF-8",
        )
    return _without_noncharacters(text)


def _without_noncharacters(text: str) -> str:
    """Return *text* without the noncharacters that are marks in extracted text."""
    return without_added_marks(text)


def _not_empty(text: str) -> str:
    if not text.strip():
        raise SourceError(
            "SOURCE_HAS_NO_TEXT",
            "the source holds no text",
            help="cite a page whose text can be read without scripts",
        )
    return text


def _from_html(html: str, essence: str, url: str) -> Extracted:
    visible = _visible(html, positions=not is_web(url))
    # A refresh in a noscript is for browsers without scripts: it counts where the page shows nothing but that.
    short = bool(visible.refreshes) and is_shorter(visible.text, SHORT)
    refreshes = [content for content, in_noscript in visible.refreshes if short or not in_noscript]
    leads_on = refresh_of(refreshes, url, visible.base)
    # Asked before the text is called empty: what stands in front of it is the better message.
    if error := wall(visible.text, html, frames=visible.frames, leads_on=leads_on is not None):
        raise error
    return Extracted(visible.text, essence, Sections(headings=visible.anchors), leads_on)


def _visible(html: str, *, positions: bool = False) -> VisibleText:
    """Return the visible text of *html*; raises SourceError HTML_PARSE_FAILED where it might take too long."""
    html = unix_lines(html)
    if parse_cost(html, MAX_PARSE_COST) > MAX_PARSE_COST:
        raise _too_costly()
    return visible_text(html, positions=positions)


def _too_costly() -> SourceError:
    return SourceError(
        "HTML_PARSE_FAILED",
        "the page has too many tags, nests them too deeply or leaves too many open to be parsed in reasonable time",
        help="cite another page that holds the words",
    )


def _from_markdown(text: str, local: bool) -> Extracted:
    from tracecite_lint.sources.rendered import rendered_markdown

    try:
        html = rendered_markdown(text, positions=local)
    except ValueError:
        raise _too_costly() from None
    visible = _visible(html, positions=local)
    starts: list[int] = []
    if local:
        # A line that begins nothing of its own, a blank one or one of raw HTML, begins where the one before it does.
        for number in range(1, len(_lines(text)) + 1):
            starts.append(visible.lines.get(number, starts[-1] if starts else 0))
    return Extracted(
        _not_empty(visible.text),
        "text/markdown",
        Sections(headings=visible.anchors, lines=tuple(starts)),
    )


def _from_xml(xml: str, essence: str) -> Extracted:
    # As a part of a page, so that the HTML parser gives its texts the places they have in a browser.
    if essence == "image/svg+xml":
        return Extracted(_not_empty(_visible(f"<body>{xml}").text), essence)

    if xml.count("<") > MAX_TAGS:
        raise _too_costly()

    def markup_text(html: str) -> str:
        return _visible(html).text

    return Extracted(_not_empty(_without_noncharacters(xml_text(xml, markup_text))), essence)


def _from_pdf(body: bytes, deadline: Deadline) -> Extracted:
    from tracecite_lint.sources.pdf import pdf_text

    text, pages = pdf_text(body, deadline)
    return Extracted(_not_empty(text), "application/pdf", Sections(pages=pages))


def _lines(text: str) -> list[str]:
    """Return the lines of *text* with their ends: LF, CRLF or CR."""
    return _LINE.findall(text)


def _from_lines(lines: Iterable[str], essence: str, local: bool) -> Extracted:
    lines = list(lines)
    # Of the web only `#:~:text` names a part of a plain text, so lines are counted for files alone.
    starts = tuple(accumulate(map(len, lines), initial=0))[: len(lines)] if local else ()
    return Extracted(_not_empty("".join(lines)), essence, Sections(lines=starts))
