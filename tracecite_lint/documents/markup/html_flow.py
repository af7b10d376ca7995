"""The text of an HTML block with its places, in the same form as that of a paragraph."""

from __future__ import annotations

from tracecite_lint.documents.markup.builder import FlowBuilder
from tracecite_lint.documents.markup.entities import unescape
from tracecite_lint.documents.markup.flow import Flow, LinkKind, Mark, Places
from tracecite_lint.documents.markup.html_tags import Token, attributes, tokens
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
    builder = _Builder(lines, first, last, depth)
    for token in tokens(builder.raw, 0, len(builder.raw)):
        builder.take(token)
    return builder.finish(*builder.range(0, len(builder.raw) - 1))


class _Builder(FlowBuilder):
    """Reads the HTML of some lines, blockquote markers taken off."""

    def __init__(self, lines: Lines, first: int, last: int, depth: int) -> None:
        super().__init__()
        pieces: list[str] = []
        self._raw_places = Places()
        for number in range(first, last + 1):
            line = lines.line(number)
            column = 0
            for _ in range(depth):
                marker = _PREFIX.match(line, column)
                if marker is None:
                    break
                column = marker.end()
            pieces.append(line[column:] + "\n")
            self._raw_places.add(len(pieces[-1]), lines.start(number) + column)
        self.raw = "".join(pieces)
        self._hidden = ""
        self._codes: list[int] = []

    def range(self, start: int, end: int) -> tuple[int, int]:
        """Return the document's range of the characters from *start* to *end*."""
        return self._raw_places.start(start), self._raw_places.end(max(end - 1, start))

    def take(self, token: Token) -> None:
        """Take in a tag or a text."""
        if self._hidden:
            if token.name == self._hidden and token.closing:
                self._hidden = ""
        elif not token.name:
            self._markdown(token.start, token.end)
        else:
            self._tag(token)

    def _markdown(self, start: int, end: int) -> None:
        for match in _MARKDOWN_LINK.finditer(self.raw, start, end):
            self._text(start, match.start())
            link = self.link(match[2], "", LinkKind.MARKDOWN, *self.range(*match.span()))
            self._text(*match.span(1))
            link.end = self.length
            self.flow.links.append(link)
            start = match.end()
        self._text(start, end)

    def _text(self, start: int, end: int) -> None:
        for coded in _CODED.finditer(self.raw, start, end):
            self._plain(start, coded.start())
            self.put(coded["escaped"] or unescape(coded[0]), *self.range(*coded.span()))
            start = coded.end()
        self._plain(start, end)

    def _plain(self, start: int, end: int) -> None:
        # A blank line in the source parts nothing in HTML: runs of white space are one space.
        self.pieces.append(self.raw[start:end].replace("\n", " "))
        self._raw_places.copy(self.places, start, end)

    def _tag(self, token: Token) -> None:
        raw, place = self.raw[token.start : token.end], self.range(token.start, token.end)
        if token.name in _HIDDEN and not token.closing and not raw.endswith("/>"):
            self._hidden = token.name
            return
        if token.name in BLOCK_TAGS:
            self.put("\n\n", *place)
        self.tag(raw, *place)
        if token.name in _CODE and not token.closing:
            self._codes.append(self.length)
        elif token.name in _CODE and self._codes:
            self.flow.codes.append((self._codes.pop(), self.length))
        elif token.name == "img":
            self.flow.images.append(Mark(self.length, attributes(raw).get("src", ""), *place))
