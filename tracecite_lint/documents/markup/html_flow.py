"""The text of an HTML block with its places, in the same form as that of a paragraph."""

from __future__ import annotations

from bisect import bisect_right

from tracecite_lint.documents.markup.entities import unescape
from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind, Mark
from tracecite_lint.documents.markup.html_tags import MOST_NESTED, Token, attributes, tokens
from tracecite_lint.documents.markup.inline_nodes import ENTITY
from tracecite_lint.light.lazy import regex
from tracecite_lint.text.lines import Lines

# HTML, 15.3.3 "Flow content" and 15.3.8 "Tables": elements that begin and end a paragraph of text.
BLOCK_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 "  # noqa: SIM905
    "h6 header hgroup hr html legend li main nav ol p pre search section summary table tbody td tfoot th thead tr ul quote "
    "pullquote".split()
)
_HIDDEN = frozenset({"script", "style", "template", "textarea", "title", "iframe", "noembed"})
_CODE = frozenset({"code", "pre", "kbd", "samp"})
_MARKDOWN_LINK = regex(
    r"\[([^\[\]\n]{1,300})\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+\"[^\"\n]*\")?\s*\)"
)
_CODED = regex(rf"{ENTITY.pattern}|\\(?P<escaped>[\[\]*_`])")
_PREFIX = regex(r"[ \t]*>[ \t]?")


def html_flow(lines: Lines, first: int, last: int, depth: int) -> Flow:
    """Return the text of the HTML in the lines from *first* to *last*, *depth* blockquote markers deep.

    Block elements are parted by an empty line. Links are `<a href>` elements and Markdown links, which some renderers read
    inside HTML (`markdown="1"`), as they do escaped brackets and the like. `tags` holds every tag at its place in the text.
    """
    builder = _Builder(_Raw(lines, first, last, depth))
    for token in tokens(builder.raw.text, 0, len(builder.raw.text)):
        builder.take(token)
    return builder.finish()


class _Raw:
    """The HTML's own text, blockquote markers taken off, with the document's offset of each character."""

    def __init__(self, lines: Lines, first: int, last: int, depth: int) -> None:
        pieces: list[str] = []
        self._at: list[int] = []
        self._offsets: list[int] = []
        length = 0
        for number in range(first, last + 1):
            line = lines.line(number)
            column = 0
            for _ in range(depth):
                marker = _PREFIX.match(line, column)
                if marker is None:
                    break
                column = marker.end()
            self._at.append(length)
            self._offsets.append(lines.start(number) + column)
            pieces.append(line[column:] + "\n")
            length += len(pieces[-1])
        self.text = "".join(pieces)

    def offset(self, at: int) -> int:
        """Return the document's offset of the character at *at*."""
        index = max(bisect_right(self._at, at) - 1, 0)
        return self._offsets[index] + at - self._at[index]


class _Builder:
    def __init__(self, raw: _Raw) -> None:
        self.raw = raw
        self._flow = Flow()
        self._pieces: list[str] = []
        self._length = 0
        self._hidden = ""
        self._anchors: list[Link] = []
        self._codes: list[int] = []

    def take(self, token: Token) -> None:
        if self._hidden:
            if token.name == self._hidden and token.closing:
                self._hidden = ""
        elif not token.name:
            self._markdown(token.start, token.end)
        else:
            self._tag(token)

    def _put(self, text: str, start: int, end: int) -> None:
        self._pieces.append(text)
        self._length += len(text)
        self._flow.places.add_as_one(len(text), start, end)

    def _markdown(self, start: int, end: int) -> None:
        raw = self.raw
        for match in _MARKDOWN_LINK.finditer(raw.text, start, end):
            self._text(start, match.start())
            begin = self._length
            self._text(*match.span(1))
            first, last = raw.offset(match.start()), raw.offset(match.end() - 1) + 1
            self._flow.links.append(
                Link(begin, self._length, match[2], "", LinkKind.MARKDOWN, first, last)
            )
            start = match.end()
        self._text(start, end)

    def _text(self, start: int, end: int) -> None:
        raw = self.raw
        at = start
        while at < end:
            coded = _CODED.search(raw.text, at, end)
            stop = coded.start() if coded else end
            if stop > at:
                self._plain(at, stop)
            if coded is None:
                return
            decoded = coded["escaped"] or unescape(coded[0])
            self._put(decoded, raw.offset(coded.start()), raw.offset(coded.end() - 1) + 1)
            at = coded.end()

    def _plain(self, start: int, end: int) -> None:
        while start < end:
            line_end = self.raw.text.find("\n", start, end)
            stop = end if line_end == -1 else line_end + 1
            offset = self.raw.offset(start)
            # A blank line in the source parts nothing in HTML: runs of white space are one space.
            self._pieces.append(self.raw.text[start:stop].replace("\n", " "))
            self._length += stop - start
            self._flow.places.add(stop - start, offset)
            start = stop

    def _tag(self, token: Token) -> None:
        raw = self.raw.text[token.start : token.end]
        start, end = self.raw.offset(token.start), self.raw.offset(token.end - 1) + 1
        if token.name in _HIDDEN and not token.closing and not raw.endswith("/>"):
            self._hidden = token.name
            return
        if token.name in BLOCK_TAGS:
            self._put("\n\n", start, end)
        self._flow.tags.append(Mark(self._length, raw, start, end))
        if token.name == "br":
            self._put("\n", start, end)
        elif token.name in _CODE:
            self._code(token)
        elif token.name == "img":
            self._flow.images.append(Mark(self._length, attributes(raw).get("src", ""), start, end))
        elif token.name == "a" and not token.closing:
            url = attributes(raw).get("href", "")
            self._anchors.append(
                Link(self._length, self._length, url, "", LinkKind.HTML, start, end)
            )
        elif token.name == "a" and self._anchors:
            link = self._anchors.pop()
            link.end, link.source_end = self._length, end
            if link.url and len(self._anchors) < MOST_NESTED:
                self._flow.links.append(link)

    def _code(self, token: Token) -> None:
        if not token.closing:
            self._codes.append(self._length)
        elif self._codes:
            self._flow.codes.append((self._codes.pop(), self._length))

    def finish(self) -> Flow:
        flow = self._flow
        flow.text = "".join(self._pieces)
        flow.links.sort(key=lambda link: (link.start, -link.end))
        flow.codes.sort()
        flow.source_start = self.raw.offset(0)
        flow.source_end = self.raw.offset(max(len(self.raw.text) - 1, 0))
        return flow
