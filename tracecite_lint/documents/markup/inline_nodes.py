"""Inline Markdown nodes to visible text with its places: the one place where the parser's positions are mended.

The parser gives node positions, not character positions, and some of them are off. Mended here: entities and escapes inside
a text node, columns behind `\\|` in a table cell, code spans over several lines, bare URLs that swallow full-width
punctuation, HTML tags that make links or line breaks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

import comrak

from tracecite_lint.documents.markup.builder import FlowBuilder
from tracecite_lint.documents.markup.entities import named
from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind, Mark
from tracecite_lint.light.lazy import regex

ENTITY = regex(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# Full-width and CJK punctuation, and quotation marks that no URL holds unescaped: a bare URL ends before them.
_URL_END = regex(
    '["\u2018-\u201f\u2026\u2039\u203a«»\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]'
)
_AUTOLINKED = regex(r"(?i:https?|ftp|mailto|xmpp):")
"""GFM 6.9; inside brackets, where GitHub finds them too, the parser does so only together with every other scheme."""
_BARE_URL = regex(f"https?://[^\\s<{_URL_END.pattern[1:]}+")
_TITLE = regex(r"(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*")
_DEFINITION_START = regex(r"\[(?!\^)[^\[\]]{1,999}\]:\s*")
_DEFINITION = regex(_DEFINITION_START.pattern + r"\S+(?:\s+" + _TITLE.pattern + r")?\s*")
_BREAKS = (comrak.SoftBreak, comrak.LineBreak)
_ENOUGH = 20
"""Characters of a paragraph's text by which its first line is known."""
# UTF-8: 1 for a byte that begins a character, 0 for one that goes on with it.
_BEGINS = bytes(byte & 0xC0 != 0x80 for byte in range(256))
# How far a node's position may be off before its text is given up as unplaceable.
_DRIFT = 64


class SourceText:
    """The document's lines as the parser saw them, with the offset of each in the document itself."""

    __slots__ = ("_columns", "_lengths", "_lines_with", "line_starts", "lines", "text")

    def __init__(self, lines: list[str], line_starts: list[int]) -> None:
        self.lines = lines
        self.line_starts = line_starts
        self.text = "\n".join(lines) + "\n"
        """Without a last line end the parser overlooks a definition with `<…>` there."""
        self._lines_with: dict[tuple[re.Pattern[str], ...], list[int]] = {}
        self._columns: dict[int, list[int]] = {}
        self._lengths: dict[int, int] = {}

    def lines_with(self, patterns: tuple[re.Pattern[str], ...]) -> list[int]:
        """Return the lines that hold one of *patterns*, which know no line ends: looked for once, however many ask."""
        found = self._lines_with.get(patterns)
        if found is None:
            numbers = {number for each in patterns for number in self._numbers(each)}
            found = self._lines_with[patterns] = sorted(numbers)
        return found

    def _numbers(self, pattern: re.Pattern[str]) -> Iterator[int]:
        number, at = 1, 0
        while match := pattern.search(self.text, at):
            number += self.text.count("\n", at, match.start())
            yield number
            at = self.text.index("\n", match.start())

    def byte_length(self, line: int) -> int:
        """Return the length of a line in bytes of UTF-8."""
        text = self.lines[line - 1]
        if text.isascii():
            return len(text)
        length = self._lengths.get(line)
        if length is None:
            length = self._lengths[line] = len(text.encode())
        return length

    def column(self, line: int, byte: int) -> int:
        """Return the 0-based character column of the 1-based *byte* column.

        The parser counts in bytes: asked for characters it walks the whole line for every node, which is quadratic.
        """
        if not 1 <= line <= len(self.lines):
            return 0
        text = self.lines[line - 1]
        if text.isascii():
            return byte - 1 if 0 < byte <= len(text) else len(text) if byte > 0 else 0
        columns = self._columns.get(line)
        if columns is None:
            begins = text.encode().translate(_BEGINS)
            columns = self._columns[line] = list(accumulate(begins, initial=-1))[1:]
            columns.append(len(text))
        return columns[min(max(byte - 1, 0), len(columns) - 1)]


def _prefix_length(line: str) -> int:
    """Return how many characters of white space and blockquote markers a paragraph's further line begins with."""
    return len(line) - len(line.lstrip(" \t>"))


class _View:
    """What inline positions of one block refer to: its lines, or the unescaped text of one table cell."""

    def __init__(self, source: SourceText, node: comrak.AstNode) -> None:
        self._source = source
        self._node = node
        position = node.sourcepos
        self.first = position.start.line
        self.last = min(position.end.line, len(source.lines))
        self._ahead: dict[int, int] = {}
        """By the parser's line number, how many lines it is behind there."""
        self._overruns: dict[int, tuple[list[int], list[int]]] = {}
        """By line, the columns at which it and the lines behind it begin and end, counted on from its own start."""
        self._behind = self._definition_lines()
        self._cell: tuple[int, str, list[int], list[int]] | None = None
        if isinstance(node.node_value, comrak.TableCell):
            self._unescape_pipes()
        self._is_plain_line = self.first == self.last and self._cell is None

    def _definition_lines(self) -> int:
        """Return how many lines of link definitions the block begins with.

        They are taken out of a paragraph before its inline parsing, and the parser counts lines as if they had not been
        there.
        """
        lines = self._source.lines
        first = self._node.children[0].node_value if self._node.children else None
        opening = first.value[:_ENOUGH] if isinstance(first, comrak.Text) else ""
        count = 0
        while self.first + count < self.last:
            raw = lines[self.first + count - 1]
            column = self._source.column(self.first, self._node.sourcepos.start.column)
            line = raw.lstrip(" \t>") if count else raw[column:]
            if opening and (line.startswith(opening) or (count and raw.startswith(opening))):
                break
            if _DEFINITION.fullmatch(line):
                count += 1
            elif _DEFINITION_START.fullmatch(line):
                count += 2
            elif count and _TITLE.fullmatch(line):
                count += 1
            else:
                break
        return min(count, self.last - self.first)

    def _unescape_pipes(self) -> None:
        """GFM, tables: a cell's `\\|` is `|` before inline parsing, and the parser's columns count it as one."""
        start = self._node.sourcepos.start
        line = self._source.lines[self.first - 1]
        from_column = self._source.column(self.first, start.column)
        to_column = self._source.column(self.first, self._node.sourcepos.end.column) + 1
        raw = line[from_column:to_column]
        if "\\|" not in raw:
            return
        kept = [index for index in range(len(raw)) if not raw.startswith("\\|", index)]
        text = "".join(raw[index] for index in kept)
        columns: list[int] = []
        for index, character in enumerate(text):
            columns.extend([index] * len(character.encode()))
        columns.append(len(text))
        offset = self._source.line_starts[self.first - 1] + from_column
        self._cell = (start.column, text, [offset + index for index in kept], columns)

    def line(self, number: int) -> tuple[str, Sequence[int]]:
        """Return the text of a line and the document's offset of each of its characters."""
        if self._cell is not None:
            return self._cell[1], self._cell[2]
        if not 1 <= number <= len(self._source.lines):
            return "", range(0)
        text = self._source.lines[number - 1]
        start = self._source.line_starts[number - 1]
        return text, range(start, start + len(text))

    def point(self, position: comrak.LineColumn) -> tuple[int, int]:
        """Return the line of a position and the 0-based index into `line(line)`.

        The parser does not notice a line end in a link's destination, title or label: on the next line it goes on
        counting columns, and every line after that has a number too small.
        """
        line, byte = position.line, position.column
        if self._is_plain_line:
            return line, self._source.column(line, byte)
        if self._cell is not None:
            first, _, _, columns = self._cell
            return line, columns[min(max(byte - first, 0), len(columns) - 1)]
        ahead = self._ahead.setdefault(line, self._behind)
        if ahead and line + ahead <= len(self._source.lines):
            # What a line begins with is counted as that of the line which has its number.
            byte += self._prefix(line + ahead) - self._prefix(line)
        line += ahead
        if line < self.last and byte > self._source.byte_length(line) + 1:
            line, byte = self._overrun(line, byte)
        self._behind = max(self._behind, line - position.line)
        return line, self._source.column(line, byte)

    def _prefix(self, line: int) -> int:
        """Return how many bytes the parser takes off a line of the paragraph: nothing off one that goes on lazily."""
        indent = self._node.sourcepos.start.column - 1
        if line == self.first:
            return indent
        begins = self._source.lines[self.first - 1][:indent]
        length = _prefix_length(text := self._source.lines[line - 1])
        quoted = text.count(">", 0, length) >= begins.count(">")
        return length if quoted and (">" in begins or length >= indent) else 0

    def _overrun(self, first: int, byte: int) -> tuple[int, int]:
        """Return the line and the byte column in it of the *byte* column that lies behind the end of the line *first*."""
        # Kept, since each of many nodes may lie as many lines further on.
        starts, ends = self._overruns.setdefault(
            first, ([0], [self._source.byte_length(first) + 1])
        )
        while byte > ends[-1] and first + len(ends) <= self.last:
            prefix = self._prefix(first + len(ends))
            starts.append(ends[-1] - prefix)
            ends.append(starts[-1] + self._source.byte_length(first + len(starts) - 1) + 1)
        index = min(bisect_left(ends, byte), len(ends) - 1)
        return first + index, byte - starts[index]

    def block_range(self) -> tuple[int, int]:
        """Return the document's range of the block itself, whose position is right."""
        position = self._node.sourcepos
        start, end = position.start, position.end
        last = max(min(end.line, len(self._source.lines)), start.line)
        return (
            self._source.line_starts[start.line - 1]
            + self._source.column(start.line, start.column),
            self._source.line_starts[last - 1] + self._source.column(last, end.column) + 1,
        )


class _Builder(FlowBuilder):
    """Walks the inline nodes of one block and writes down text and places."""

    def __init__(self, source: SourceText, node: comrak.AstNode) -> None:
        super().__init__()
        self._view = _View(source, node)
        self._line = self._view.first
        self._column = 0
        """Where on that line the last character ended: text is never looked for before it."""

    def put_runs(self, text: str, offsets: Sequence[int]) -> None:
        """Add *text*, each character of which stands for itself at its offset."""
        self.pieces.append(text)
        if text and offsets[-1] - offsets[0] == len(text) - 1:
            self.places.add(len(text), offsets[0])
            return
        for offset in offsets:
            self.places.add(1, offset)

    def block_range(self) -> tuple[int, int]:
        """Return the document's range of the block."""
        return self._view.block_range()

    def here(self, node: comrak.AstNode) -> tuple[int, int]:
        """Return the document's range of *node*."""
        position = node.sourcepos
        start = self.offset(*self._view.point(position.start))
        line, column = self._view.point(position.end)
        return start, max(self.offset(line, column + 1), start)

    def offset(self, line: int, column: int) -> int:
        _, offsets = self._view.line(line)
        if not offsets:
            return self.places.end(self.length - 1) if self.length else 0
        if column < len(offsets):
            return offsets[column]
        return offsets[-1] + 1

    def move_to(self, line: int) -> None:
        if line != self._line:
            self._line, self._column = line, 0

    def text(self, node: comrak.AstNode, value: str) -> None:
        line, column = self._view.point(node.sourcepos.start)
        self.move_to(line)
        hint = max(column, self._column)
        source, offsets = self._view.line(line)
        if (
            hint > self._column
            and source[hint - 1] == "\\"
            and source[hint : hint + 1] == value[:1]
        ):
            hint -= 1  # The position of a text that begins with an escape leaves out the backslash.
        elif source.startswith(value, hint):
            self._plain(value, offsets, hint)
            return
        for column in _outward(hint, self._column, len(source)):
            spans = _aligned(source, column, value)
            if spans is not None:
                self._put_spans(value, spans, offsets)
                self._column = spans[-1][1] if spans else column
                return
        # The text cannot be found in its line: point at the node, which is near enough to be of use.
        start, end = self.here(node)
        self.put(value, start, max(end, start + 1))

    def _plain(self, value: str, offsets: Sequence[int], column: int) -> None:
        end = column + len(value)
        self.put_runs(value, offsets[column:end])
        self._column = end

    def _put_spans(
        self, value: str, spans: Sequence[tuple[int, int]], offsets: Sequence[int]
    ) -> None:
        self.pieces.append(value)
        for start, end in spans:
            if end - start == 1:
                self.places.add(1, offsets[start])
            else:
                self.places.add_as_one(1, offsets[start], offsets[end - 1] + 1)

    def code(self, node: comrak.AstNode, literal: str, fence: int) -> None:
        """A code span: line ends count as spaces, one space at each end may be dropped (CommonMark, 6.1)."""
        begin = self.length
        line, column = self._view.point(node.sourcepos.start)
        self.move_to(line)
        column += fence
        source, offsets = self._view.line(line)
        if source.startswith(literal, column):
            self._plain(literal, offsets, column)
        else:
            last, _ = self._view.point(node.sourcepos.end)
            places = self._code_places(literal, line, column, last)
            if places is None:
                self.put(literal, *self.here(node))
            else:
                self.put_runs(literal, places)
        self.flow.codes.append((begin, self.length))
        self.leave(node)

    def _code_places(self, literal: str, line: int, column: int, last: int) -> list[int] | None:
        source, offsets = self._view.line(line)
        stripped = not literal.startswith(" ")
        if stripped and source[column : column + 1] == " ":
            column += 1
        places: list[int] = []
        line_end = -1
        for character in literal:
            if column >= len(source) and line < last:
                line_end = self.offset(line, len(source))
                line += 1
                source, offsets = self._view.line(line)
                column = _prefix_length(source)
                if places or not stripped:  # else this line end is the space that was dropped
                    if character != " ":
                        return None
                    places.append(line_end)
                    continue
            if source[column : column + 1] == character:
                places.append(offsets[column])
                column += 1
            elif character == " " and places and places[-1] == line_end:
                places.append(line_end)  # White space that a lazy line begins with is kept.
            else:
                return None
        return places

    def line_break(self, node: comrak.AstNode) -> None:
        line, _ = self._view.point(node.sourcepos.start)
        self.move_to(line)
        source, _ = self._view.line(line)
        place = self.offset(line, len(source))
        self.put("\n", place, place)

    def leave(self, node: comrak.AstNode) -> None:
        """Go on behind *node*, so that what follows is not looked for inside it."""
        line, column = self._view.point(node.sourcepos.end)
        self.move_to(line)
        self._column = max(self._column, column + 1)

    def open_link(self, node: comrak.AstNode, url: str, title: str) -> Link:
        start, end = self.here(node)
        line, column = self._view.point(node.sourcepos.start)
        source, _ = self._view.line(line)
        first = source[column] if column < len(source) else ""
        kind = {"[": LinkKind.MARKDOWN, "<": LinkKind.AUTOLINK}.get(first, LinkKind.BARE)
        return self.link(url, title, kind, start, end)

    def close_link(self, node: comrak.AstNode, link: Link) -> None:
        link.end = self.length
        if link.kind is not LinkKind.BARE:
            self.flow.links.append(link)
        elif _AUTOLINKED.match(link.url):
            self.flow.links.append(link)
            self._shorten(link)
        self.leave(node)

    def _shorten(self, link: Link) -> None:
        """Take back what a bare URL swallowed: full-width punctuation, and what comes behind it."""
        text = self.pieces[-1]
        cut = _URL_END.search(text)
        if cut is None or len(text) != link.end - link.start:
            return
        first = link.start
        link.url = link.url.removesuffix(text[cut.start() :])
        link.end = first + cut.start()
        link.source_end = self.places.end(link.end - 1) if link.end > first else link.source_start
        for match in _BARE_URL.finditer(text, cut.start()):
            begin, stop = first + match.start(), first + match.end()
            place = self.places.start(begin), self.places.end(stop - 1)
            self.flow.links.append(Link(begin, stop, match[0], "", LinkKind.BARE, *place))

    def leaf(self, node: comrak.AstNode, value: object) -> bool:
        """Take in a node that has no children; tell whether *node* is one."""
        if isinstance(value, comrak.Text):
            self.text(node, value.value)
        elif isinstance(value, _BREAKS):
            self.line_break(node)
        elif isinstance(value, comrak.Code):
            self.code(node, value.value.literal, value.value.num_backticks)
        elif isinstance(value, comrak.HtmlInline):
            if not value.value.startswith("<!--"):
                self.tag(value.value, *self.here(node))
            self.leave(node)
        elif isinstance(value, comrak.CommentInline):
            self.leave(node)
        elif isinstance(value, comrak.Image):
            self.flow.images.append(Mark(self.length, value.value.url, *self.here(node)))
            self.leave(node)
        elif isinstance(value, comrak.FootnoteReference):
            self.flow.footnotes.append(Mark(self.length, value.value.name, *self.here(node)))
            self.leave(node)
        else:
            return False
        return True


def _outward(hint: int, floor: int, limit: int) -> Iterator[int]:
    """Yield columns from *hint* away in both directions, not before *floor*."""
    yield hint
    for distance in range(1, _DRIFT):
        if hint + distance < limit:
            yield hint + distance
        if hint - distance >= floor:
            yield hint - distance


def _aligned(source: str, column: int, value: str) -> list[tuple[int, int]] | None:
    """Return the columns of each character of *value*, written at *column* with escapes and entities, if it is."""
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(value):
        if column >= len(source):
            return None
        written = source[column]
        if (
            written == "\\"
            and source[column + 1 : column + 2] == value[index]
            and value[index] in _ESCAPABLE
        ):
            spans.append((column, column + 2))
        elif written == "&" and (entity := ENTITY.match(source, column)):
            decoded = _decoded(entity[0])
            if value.startswith(decoded, index):
                spans.extend([entity.span()] * len(decoded))
                index += len(decoded) - 1
            elif value[index] == "&":
                spans.append((column, column + 1))
            else:
                return None
        elif written == value[index]:
            spans.append((column, column + 1))
        else:
            return None
        column = spans[-1][1]
        index += 1
    return spans


def _decoded(entity: str) -> str:
    """Decode one character reference as CommonMark does (section 6.2), without HTML's windows-1252 exceptions."""
    if not entity.startswith("&#"):
        return named(entity[1:]) or entity
    digits = entity[2:-1]
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)


def _plain_flow(
    source: SourceText, node: comrak.AstNode, children: Sequence[comrak.AstNode]
) -> Flow | None:
    """Return the flow of a block that is nothing but a text on one line, written as it is read: most blocks are."""
    if len(children) != 1 or not isinstance(value := children[0].node_value, comrak.Text):
        return None
    position, start = node.sourcepos, children[0].sourcepos.start
    first, last = position.start, position.end
    if first.line != last.line or start.line != first.line or first.line > len(source.lines):
        return None
    line, text = source.lines[first.line - 1], value.value
    column = source.column(first.line, start.column)
    if not line.startswith(text, column) or (column and line[column - 1] == "\\"):
        return None
    offset = source.line_starts[first.line - 1]
    flow = Flow(
        text,
        source_start=offset + source.column(first.line, first.column),
        source_end=offset + source.column(first.line, last.column) + 1,
    )
    flow.places.add(len(text), offset + column)
    return flow


def build_flow(source: SourceText, node: comrak.AstNode) -> Flow:
    """Return the inline content of *node* (a paragraph, a heading, a table cell). Iterative: nesting has no limit."""
    children = node.children
    if (plain := _plain_flow(source, node, children)) is not None:
        return plain
    builder = _Builder(source, node)
    flow = builder.flow
    stack: list[tuple[comrak.AstNode, bool, object]] = [
        (child, False, None) for child in reversed(children)
    ]
    while stack:
        current, leaving, opened = stack.pop()
        value = current.node_value
        if leaving:
            if isinstance(opened, Link):
                builder.close_link(current, opened)
                opened.image = opened.end == opened.start and bool(current.children)
            elif isinstance(value, comrak.Emph):
                flow.emphases.append((int(str(opened)), builder.length))
            elif isinstance(value, comrak.Strong):
                flow.strongs.append((int(str(opened)), builder.length))
            continue
        if builder.leaf(current, value):
            continue
        note: object = builder.length
        if isinstance(value, comrak.Link):
            note = builder.open_link(current, value.value.url, value.value.title)
        stack.append((current, True, note))
        stack.extend((child, False, None) for child in reversed(current.children))
    return builder.finish(*builder.block_range())
