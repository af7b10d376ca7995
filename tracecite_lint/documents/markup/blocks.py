"""A Markdown document as a tree of blocks, with the visible text of each and its place in the document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial

import comrak

from tracecite_lint.documents.markup.cost import check_cost
from tracecite_lint.documents.markup.dialects import MAY_HOLD, without_dialects
from tracecite_lint.documents.markup.flow import Flow
from tracecite_lint.documents.markup.html_flow import html_flow
from tracecite_lint.documents.markup.inline_nodes import SourceText, build_flow
from tracecite_lint.light.lazy import dataclass, field, regex
from tracecite_lint.naming.markdown import GITHUB_FLAVOURED
from tracecite_lint.text.lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class BlockKind(Enum):
    """The kinds of block that matter to citations."""

    DOCUMENT = "document"
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    BLOCKQUOTE = "blockquote"
    LIST = "list"
    ITEM = "item"
    TABLE = "table"
    ROW = "row"
    CELL = "cell"
    HTML = "html"
    FOOTNOTE = "footnote"
    CODE = "code"
    OTHER = "other"
    """A thematic break and the like: nothing that is read, but something that stands between."""


@dataclass(slots=True, eq=False)
class Block:
    """One block. `first_line` and `last_line` are 1-based and inclusive."""

    kind: BlockKind
    first_line: int
    last_line: int
    parent: Block | None = None
    children: list[Block] = field(default_factory=list)
    level: int = 0
    """Of a heading."""
    name: str = ""
    """The label of a footnote definition; the literal text of an HTML block."""
    number: int = 0
    """Of an item of a numbered list, and of the list itself its first; 0 in a bullet list."""
    index: int = 0
    """Among the parent's children."""
    depth: int = 0
    """How many blockquotes it stands in, itself counted."""
    facts: dict[object, Any] = field(default_factory=dict)
    """What was found of it once (see `flow.once`)."""
    source: SourceText = field(kw_only=True)
    make_flow: Callable[[], Flow] | None = None
    _flow: Flow | None = None

    @property
    def flow(self) -> Flow:
        """The visible text of a paragraph, a heading, a table cell or an HTML block; made when it is first asked for.

        Most paragraphs of most documents have nothing to do with a quotation.
        """
        if self._flow is None:
            self._flow = self.make_flow() if self.make_flow is not None else Flow()
        return self._flow

    @property
    def raw(self) -> str:
        """The lines of the block as they are written, its containers' markers included."""
        return "\n".join(self.source.lines[self.first_line - 1 : self.last_line])

    def holds(self, patterns: tuple[re.Pattern[str], ...]) -> bool:
        """Tell whether one of *patterns*, which know no line ends, stands in the lines of the block, in its text or not."""
        found = self.source.lines_with(patterns)
        index = bisect_left(found, self.first_line) if found else 0
        return index < len(found) and found[index] <= self.last_line

    def next(self) -> Block | None:
        """Return the block after this one in the same container."""
        if self.parent is None or self.index + 1 >= len(self.parent.children):
            return None
        return self.parent.children[self.index + 1]

    def previous(self) -> Block | None:
        """Return the block before this one in the same container."""
        return (
            self.parent.children[self.index - 1] if self.parent is not None and self.index else None
        )

    def walk(self) -> Iterator[Block]:
        """Yield this block and all blocks in it, in the order of the document. Iterative: nesting has no limit."""
        stack = [self]
        while stack:
            block = stack.pop()
            yield block
            stack.extend(reversed(block.children))

    def within(self, kind: BlockKind) -> Block | None:
        """Return the closest block around this one that is of *kind*."""
        block = self.parent
        while block is not None and block.kind is not kind:
            block = block.parent
        return block

    @property
    def only_child(self) -> Block | None:
        """The block that is all that stands in this one."""
        return self.children[0] if len(self.children) == 1 else None


@dataclass(slots=True)
class Tree:
    """A parsed document: its blocks in their order, its lines and its front matter (without the fences)."""

    blocks: list[Block]
    lines: Lines
    front_matter: str = ""
    front_matter_start: int = 0
    """The offset of `front_matter`."""

    @property
    def root(self) -> Block:
        """The block that all others stand in."""
        return self.blocks[0]


_EXTENSIONS = comrak.ExtensionOptions(
    **GITHUB_FLAVOURED,
    ofm_comments=True,  # `%%…%%` of Obsidian, which no reader sees
    block_directive=True,  # `:::` of MyST, Pandoc and VitePress
)
_OPTIONS = comrak.ParseOptions(leave_footnote_definitions=True, relaxed_autolinks=True)
_KINDS: dict[type, BlockKind] = {
    comrak.Paragraph: BlockKind.PARAGRAPH,
    comrak.Heading: BlockKind.HEADING,
    comrak.BlockQuote: BlockKind.BLOCKQUOTE,
    comrak.List: BlockKind.LIST,
    comrak.Item: BlockKind.ITEM,
    comrak.TaskItem: BlockKind.ITEM,
    comrak.Table: BlockKind.TABLE,
    comrak.TableRow: BlockKind.ROW,
    comrak.TableCell: BlockKind.CELL,
    comrak.HtmlBlock: BlockKind.HTML,
    comrak.FootnoteDefinition: BlockKind.FOOTNOTE,
    comrak.CodeBlock: BlockKind.CODE,
}
_LEAVES = (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CELL)
_NUMBER = regex(r"(\d{1,9})[.)]")
_YAML_KEY = regex(r"[\"']?[\w.-]+(?: [\w.-]+)*[\"']?\s*:(?:\s|$)")
_TOML_KEY = regex(r"(?:[\w.\"'-]+\s*=)|\[")
_JSX_COMMENT = regex(r"\{\s{0,20}/\*")
_JSX_END = regex(r"\s{0,20}\}")
_NOT_LINE_END = regex(r"[^\n]")
# What the parser would refuse (a lone surrogate) or rewrite (NUL, CommonMark 2.3), one character for one.
_UNFIT = regex("[\x00\ud800-\udfff]")
# A line that is nothing but a tag of Liquid or Jinja: what is written below it is no part of its paragraph.
_TEMPLATE_TAG = regex(r"[ \t]*\{%[^\n]*%\}[ \t]*")
# MyST: directives whose content is quoted.
_QUOTING_DIRECTIVE = regex(
    r"\{?(?:epigraph|pull-quote|highlights|quote|blockquote|cite)\}?(?:\s|$)"
)
# MkDocs: `!!! note "title"`, which may fold (`???`); its content is indented.
_ADMONITION = regex(
    r"(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)(?:[ \t]+(?:inline|end|[\w-]+|\"(?P<title>[^\"]*)\"))*[ \t]*"
)
_CONTAINERS = regex(r"(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*")
MAY_QUOTE = (
    regex('[“”"„«»「」『』〝＂❝‘]'),
    regex(r"'(?<!\w')(?=\w)"),
    regex("&(?:#|[lrbs]?[ads]?quo)"),
    regex("<[qQ]"),
)
"""What a quotation in a text begins with: a block without any has none. Apart, as each is fast to search for by itself."""
MAY_LINK = (regex(r"[\[<]"), regex("://"), regex(r"www\."))
"""A block without any has no link and no picture."""
_DEEPEST = 1_000
"""Blockquotes inside one another; the parser's stack ends at some 25,000."""


def parse_blocks(text: str, *, mdx: bool = False) -> Tree:
    """Parse *text* as GitHub Flavored Markdown with footnotes; a YAML or TOML front matter is set apart.

    With *mdx*, comments in braces are no text. Raises TooCostlyError.
    """
    lines = Lines(text)
    joined = lines.joined()
    if mdx:
        joined = _without_jsx_comments(joined)
    check_cost(joined)
    content = _fit(joined).split("\n")
    if "{%" in joined or joined.count(">") > _DEEPEST:
        content = list(map(_plain_line, content))
    last = _front_matter_end(content)
    front_matter, start = "", 0
    if last:
        start = lines.start(2)
        front_matter = text[start : lines.start(last)]
        content[:last] = [""] * last
    starts = [lines.start(number) for number in range(1, len(lines) + 1)]
    _open_admonitions(content, starts)
    source = SourceText(content, starts)
    root = comrak.parse_document(source.text, _EXTENSIONS, _OPTIONS)
    return Tree(_blocks(root, source, lines), lines, front_matter, start)


def _fit(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return _UNFIT.sub("\ufffd", text)
    return text.replace("\0", "\ufffd")


def _plain_line(line: str) -> str:
    """Return *line* with white space in place of the blockquote markers that are too many; a template's tag is nothing."""
    if line.count(">") <= _DEEPEST:
        return "" if "{%" in line and _TEMPLATE_TAG.fullmatch(line) else line
    end = _CONTAINERS.match(line).end()  # type: ignore[union-attr]
    kept = len(">".join(line[:end].split(">")[: _DEEPEST + 1]))
    return line[:kept] + line[kept:end].replace(">", " ") + line[end:]


def _without_jsx_comments(text: str) -> str:
    """Return *text* with white space in place of each `{/* … */}`, so that everything else keeps its place."""
    pieces: list[str] = []
    at = 0
    for match in _JSX_COMMENT.finditer(text):
        if match.start() < at:
            continue
        end = text.find("*/", match.end())
        if end == -1:
            break
        closing = _JSX_END.match(text, end + 2)
        stop = closing.end() if closing else end + 2
        pieces.append(text[at : match.start()])
        pieces.append(_NOT_LINE_END.sub(" ", text[match.start() : stop]))
        at = stop
    return "".join((*pieces, text[at:]))


def _front_matter_end(content: list[str]) -> int:
    """Return the line that closes the front matter, 0 if the document has none."""
    fence = content[0].rstrip()
    if fence not in ("---", "+++"):
        return 0
    key = _YAML_KEY if fence == "---" else _TOML_KEY
    closers = (fence, "...") if fence == "---" else (fence,)
    keys = False
    for number, line in enumerate(content[1:], start=2):
        if line.rstrip() in closers:
            return number if keys or number == 2 else 0
        keys = keys or key.match(line) is not None
        if not line.strip() and not keys:
            return 0
    return 0


def _open_admonitions(content: list[str], starts: list[int]) -> None:
    """Take the indentation off what stands in admonitions of MkDocs, which would be code; of a quotation make a callout."""
    for number, line in enumerate(content):
        admonition = _ADMONITION.fullmatch(line) if line.startswith(("!!!", "???")) else None
        if admonition is None:
            continue
        kind, (start, end) = admonition[1], admonition.span("title")
        is_quote = kind.lower() in ("quote", "cite")
        # `!!! quote "` is as long as `> [!quote] `: the title keeps its place.
        titled = is_quote and end > start
        content[number] = f"> [!{kind}] ".ljust(start) + line[start:end] if titled else ""
        last = number
        for inner in range(number + 1, len(content)):
            if content[inner].startswith("    "):
                content[inner] = ">" + content[inner][1:] if is_quote else content[inner][4:]
                starts[inner] += 0 if is_quote else 4
                if is_quote:  # empty lines between are its own
                    content[last + 1 : inner] = [">"] * (inner - last - 1)
                last = inner
            elif content[inner].strip():
                break


def _blocks(root: comrak.AstNode, source: SourceText, lines: Lines) -> list[Block]:
    found = [Block(BlockKind.DOCUMENT, 1, len(source.lines), source=source)]
    stack = [(child, found[0]) for child in reversed(root.children)]
    while stack:
        node, parent = stack.pop()
        block = _block(node, parent, source)
        found.append(block)
        parent.children.append(block)
        if block.kind in _LEAVES:
            block.make_flow = partial(_text_flow, block, node)
            continue
        if block.kind is BlockKind.HTML:
            place = block.first_line, block.last_line, block.depth
            block.make_flow = partial(html_flow, lines, *place)
        stack.extend((child, block) for child in reversed(node.children))
    return found


def _block(node: comrak.AstNode, parent: Block, source: SourceText) -> Block:
    value, position = node.node_value, node.sourcepos
    first = position.start.line
    kind = _KINDS.get(type(value), BlockKind.OTHER)
    if kind is BlockKind.OTHER and isinstance(value, comrak.BlockDirective):
        quotes = _QUOTING_DIRECTIVE.match(value.value.info) is not None
        kind = BlockKind.BLOCKQUOTE if quotes else kind
    depth = parent.depth + (kind is BlockKind.BLOCKQUOTE)
    index, last = len(parent.children), max(position.end.line, first)
    block = Block(kind, first, last, parent, index=index, depth=depth, source=source)
    if isinstance(value, comrak.Heading):
        block.level = value.value.level
    elif isinstance(value, comrak.FootnoteDefinition):
        block.name = value.value.name
    elif isinstance(value, comrak.HtmlBlock):
        block.name = value.value.literal
    elif isinstance(value, comrak.List) and value.value.list_type == comrak.ListType.Ordered:
        block.number = max(value.value.start, 1)
    elif kind is BlockKind.ITEM and parent.number:
        block.number = _item_number(block, parent)
    return block


def _text_flow(block: Block, node: comrak.AstNode) -> Flow:
    flow = build_flow(block.source, node)
    return without_dialects(flow) if block.holds(MAY_HOLD) else flow


def _item_number(item: Block, parent: Block) -> int:
    """Return the number of an item: the one it is written with, which leaves gaps where entries were taken out.

    Where all are written `1.` it is what is shown (CommonMark 5.3).
    """
    if not item.index:
        return parent.number
    match = _NUMBER.search(item.source.lines[item.first_line - 1])
    written = int(match[1]) if match else 0
    return max(written, parent.children[-1].number + 1)
