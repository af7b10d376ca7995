"""The text that a reader of an HTML page sees with scripts off and before any style sheet (docs/visible-text.md).

The walk follows the `innerText` algorithm of the HTML Standard over the tree that Lexbor builds, with the display values
of the user agent's own style sheet and of `style` attributes. It is iterative: a page may nest 12,000 elements.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from tracecite_lint.light.lazy import dataclass, field, regex, replace
from tracecite_lint.model import (
    DRAWN_QUOTE,
    MARKER_END,
    MARKER_START,
    MARKS,
    SOFT_SPACE,
    without_added_marks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# What an element is to the layout, by its tag (HTML Standard, "Rendering"). A tag that is not here is inline.
_DISPLAYS: dict[str, str] = {
    tag: display
    for display, tags in {
        "text": "-text",
        "skip": "-comment -doctype",
        "none": "area base basefont datalist head link meta noembed noframes param rp script source style template"
        " title track",
        "block": "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption"
        " figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol search section"
        " summary ul",
        "paragraph": "p",
        "preformatted": "listing plaintext pre xmp",
        "row": "table tr",
        "row-group": "colgroup tbody tfoot thead",
        "cell": "td th",
        "caption": "caption",
        "line-break": "br",
        "inline-block": "button marquee",
        "replaced": "audio canvas embed frame iframe img input meter object progress textarea video",
        "select": "select",
        "optgroup": "optgroup",
        "option": "option",
        "svg": "svg",
        "math": "math",
    }.items()
    for tag in tags.split()
}
_CHILDLESS = frozenset(["line-break", "replaced", "replaced-block"])
_STYLING = frozenset(["style", "hidden", "popover", "open", "type"])
"""The attributes that may change what an element is to the layout."""
_TEXTLESS = frozenset(["row", "row-group", "select", "optgroup", "svg"])
_TEXTFUL = frozenset(["cell", "caption", "option"])
_BOXES = {
    "preformatted": "block",
    "row": "block",
    "row-group": "inline",
    "caption": "block",
    "optgroup": "block",
    "option": "block",
    "select": "inline-block",
    "svg": "inline-block",
    "math": "inline-block",
}

# The user agent style sheets of SVG 2 and MathML Core.
_SVG_TEXT = frozenset(["text", "foreignobject"])
_SVG_HIDDEN = frozenset(
    "clippath defs desc filter lineargradient marker mask metadata pattern radialgradient script style symbol title".split()  # noqa: SIM905
)
_MATH_HIDDEN = frozenset(["annotation", "annotation-xml", "mphantom"])
_MATH_TOKENS = frozenset(["mi", "mn", "mo", "ms", "mtext"])

_CSS_DISPLAYS = {
    value: display
    for display, values in {
        "none": "none",
        "inline": "inline contents table-row-group table-header-group table-footer-group",
        "block": "block flow-root flex grid list-item table table-row table-caption -webkit-box -webkit-flex",
        "inline-block": "inline-block inline-flex inline-grid inline-table -webkit-inline-box",
        "cell": "table-cell",
    }.items()
    for value in values.split()
}
_FLEXIBLE = frozenset(["flex", "grid", "inline-flex", "inline-grid", "-webkit-flex"])
# A float or a positioned element is a block, whatever its display says (CSS 2.2, section 9.7).
_OUT_OF_LINE = frozenset(["left", "right", "absolute", "fixed"])
# Nearly all style attributes are about looks; this tells them apart before anything is parsed.
_CSS_OF_INTEREST = regex(r"display|visib|white-space|float|position|transform", re.IGNORECASE)
_CSS_COMMENT = regex(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_CASES: dict[str, Callable[[str], str] | None] = {
    "uppercase": str.upper,
    "lowercase": str.lower,
    "none": None,
}
_WHITE_SPACES = {
    "normal": "normal",
    "nowrap": "normal",
    "pre": "pre",
    "pre-wrap": "pre",
    "break-spaces": "pre",
    "pre-line": "pre-line",
}
_CSS_VALUES: dict[str, Container[str]] = {
    "display": _CSS_DISPLAYS,
    "visibility": ("visible", "hidden", "collapse"),
    "white-space": _WHITE_SPACES,
    "text-transform": _CASES,
    "float": ("left", "right", "none"),
    "position": ("static", "relative", "sticky", "absolute", "fixed"),
}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}

_MAY_REFRESH = regex("http-equiv", re.IGNORECASE)
_SOURCE_POSITION = regex(r"(\d{1,9}):\d+-(\d{1,9}):\d+\Z")

_SPACES = regex(r"[ \t\n\r\f]+")
_SPACES_IN_LINE = regex(r"[ \t\r\f]+")
_AROUND_LINE_FEED = regex(r" ?\n ?")

# The words of a reference marker: 12, [12], (a), [nb 1], 3,4 or 7–9, the page after one (: 45).
_MARKER_PART = r"(?:(?:nb|note|n|fn)\.?[ \xa0]?)?(?:\d{1,3}|[a-zA-Z]{1,3})"
_MARKER = regex(
    rf"\s*[\[(:]?[ \xa0\u200a]*{_MARKER_PART}(?:[ \xa0]*[,;–—-][ \xa0]*{_MARKER_PART})*[ \xa0]*[\])]?\s*\Z"
)
# [citation needed], [sic]: raised and in brackets, whatever the language.
_REMARK = regex(r"\s*\[[^\[\]]+\]\s*\Z")
_HAS_DIGIT = regex(r"\d")
_NAMING = frozenset(["role", "class", "id", "epub:type", "rel"])
_NOTE_NAME = regex(
    r"(?:\b|_)(?:cite|fn|foot-?notes?|note-?ref|reference)(?:\b|_|\d|-?ref)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The visible text of a page; offsets count its characters.

    `anchors` maps an id or name to its half-open range. `lines` maps a 1-based source line to the offset at which it
    begins, where the HTML says so by `data-sourcepos` (rendered Markdown).
    """

    text: str
    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    frames: bool = False
    """The page is a frameset: its text stands in other pages."""
    refreshes: tuple[tuple[str, bool], ...] = ()
    """The `content` of each `<meta http-equiv="refresh">`, and whether that stands in a `noscript`."""
    base: str = ""
    """The `href` of the page's `<base>`."""


def visible_text(html: str, *, positions: bool = False) -> VisibleText:
    """Return the visible text of the page *html*; with *positions* also where its anchors and source lines stand.

    The caller has made sure that the page can be parsed in bounded time (sources.cost).
    """
    from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

    # Without mutation events, which only parse style sheets and mirror options into <selectedcontent>.
    parser = LexborHTMLParser(unix_lines(html), options=int(LexborDocumentOptions.WO_EVENTS))
    body = _body(parser)
    if body is None or body.tag == "frameset":
        visible = VisibleText("", frames=body is not None)
    else:
        # A page without them, written out or as references, has no text to take them out of.
        marked = "&#" in html or any(mark in html for mark in MARKS)
        visible = inner_text(body, positions=positions, marked=marked)
    refreshes = tuple(_refreshes(parser)) if _MAY_REFRESH.search(html) else ()
    if not refreshes:
        return visible
    bases = (node.attributes.get("href") for node in parser.css("base[href]"))
    return replace(visible, refreshes=refreshes, base=next(bases, "") or "")


def _refreshes(parser: LexborHTMLParser) -> Iterator[tuple[str, bool]]:
    for node in parser.css("meta[http-equiv]"):
        if (node.attributes.get("http-equiv") or "").lower() == "refresh":
            above = node.parent
            while above is not None and above.tag != "noscript":
                above = above.parent
            yield node.attributes.get("content") or "", above is not None


def unix_lines(text: str) -> str:
    """Return *text* with every CRLF and CR as LF, as the HTML Standard wants its input."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _body(parser: LexborHTMLParser) -> LexborNode | None:
    """Return the body element, or the frameset in its place (HTML Standard, document.body)."""
    root = parser.root
    child = root.first_child if root is not None else None
    while child is not None and child.tag not in ("body", "frameset"):
        child = child.next
    return child


def inner_text(root: LexborNode, *, positions: bool = False, marked: bool = True) -> VisibleText:
    """Return the visible text below the element *root*, itself taken as rendered.

    Only where the page is *marked* it may hold the noncharacters that are marks in extracted text.
    """
    walk = _Walk(positions, marked)
    walk.run(root)
    return walk.result()


class _Writer:
    """Puts text together: white space collapsed as CSS does it, line breaks required as innerText does."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.breaks = 0
        self.parted = False
        """A token of a formula began or ended here."""
        self.tail = "start"
        """What precedes: the `start` of a line, a collapsible `space`, or `text`."""

    def add(self, text: str) -> None:
        """Append *text* as it is, after the line breaks that are due."""
        if self.breaks:
            if self.length:
                self.parts.append("\n" * self.breaks)
                self.length += self.breaks
            self.breaks = 0
        elif self.parted and self.length:
            self.parts.append(f"{SOFT_SPACE}\n")
            self.length += 2
        self.parted = False
        self.parts.append(text)
        self.length += len(text)

    def write(self, text: str, white_space: str) -> None:
        """Append *text* as the value of the CSS property white-space wants it."""
        if white_space == "pre":
            self.add(text)
            self.tail = "start" if text[-1] == "\n" else "text"
            return
        if white_space == "normal":
            # Most texts have none of these, and a look for each is faster than a search for any.
            if "  " in text or "\n" in text or "\t" in text or "\r" in text or "\f" in text:
                text = _SPACES.sub(" ", text)
        else:
            text = _AROUND_LINE_FEED.sub("\n", _SPACES_IN_LINE.sub(" ", text))
        # CSS Text 3, section 4.1.1: a space at the start of a line, or after another one, is collapsed away.
        if self.tail != "text" and text[0] == " ":
            text = text[1:]
            if not text:
                return
        self.add(text)
        last = text[-1]
        self.tail = "space" if last == " " else "start" if last == "\n" else "text"

    def end_line(self) -> None:
        """Take back a collapsible space at the end of the line."""
        if self.tail == "space":
            self._take_space()
        self.tail = "start"

    def require_breaks(self, count: int) -> None:
        """Require *count* line breaks here: the largest count of a run holds, and none at either end of the text."""
        self.end_line()
        if count > self.breaks:
            self.breaks = count

    def close_marker(self) -> None:
        """Append the end of a reference marker, before a space that is still collapsible."""
        if self.tail == "space":
            self._take_space()
            self.add(MARKER_END)
            self.add(" ")
        else:
            self.add(MARKER_END)

    def _take_space(self) -> None:
        if self.parts[-1].endswith(" "):
            self.parts[-1] = self.parts[-1][:-1]
            self.length -= 1


class _Kind(NamedTuple):
    """What every element of one tag without styling attributes is below elements of one style."""

    tag: str
    box: str
    """What the layout makes of it: none, inline, block, paragraph, inline-block, cell, line-break, replaced, …"""
    style: _Style
    """What its children inherit."""


@dataclass(frozen=True, slots=True)
class _Style:
    """What an element's children inherit."""

    visible: bool = True
    white_space: str = "normal"
    case: Callable[[str], str] | None = None
    textless: bool = False
    """Text directly here is not rendered: in a table row, a select, an SVG shape."""
    flexible: bool = False
    """A flex or grid container: its children are blocks."""
    language: str = "html"
    """html, svg or math."""
    in_superscript: bool = False
    kinds: dict[int, _Kind] = field(default_factory=dict, compare=False)
    """What has been found out about children without styling attributes, by tag id."""


@dataclass(slots=True)
class _Element:
    """An element that the walk is inside of."""

    node: LexborNode
    display: str
    outer: _Style
    start: int
    cells: int = 0
    """How many table cells it holds so far."""
    marker: bool = False
    names: tuple[str, ...] = ()
    level: int = 0
    last_line: int = 0
    outer_last_line: int = 0


class _Walk:
    """One walk through a tree, and what its steps share."""

    def __init__(self, positions: bool, marked: bool) -> None:
        self.marked = marked
        self.writer = _Writer()
        self.style = _Style()
        self.superscripts: dict[_Style, _Style] = {}
        self.open: list[_Element] = []
        self.positions = positions
        self.anchors: list[tuple[str, int, int]] = []
        self.headings: list[tuple[int, int, int]] = []
        self.lines: dict[int, int] = {}
        self.line = self.last_line = 0

    def result(self) -> VisibleText:
        text = "".join(self.writer.parts)
        lines = {line: min(offset, len(text)) for line, offset in self.lines.items()}
        return VisibleText(text, _anchor_ranges(self.anchors, sorted(self.headings), text), lines)

    def run(self, root: LexborNode) -> None:
        """Visit every node below *root* in document order."""
        tag = root.tag or ""
        style, box = self._styled(tag, root.attributes)
        if box in ("replaced", "replaced-block"):
            return
        # A body that is hidden until its scripts have run is read all the same.
        # `<body style="visibility:hidden">` hides a page from readers until its script has run, and theirs does.
        self.style = replace(style, visible=style.visible or tag == "body")
        entered = self.open
        entered.append(_Element(root, "inline", style, 0))
        node = root.first_child
        while True:
            while node is not None:
                kind = self.style.kinds.get(node.tag_id) or self._kind(node)
                if kind.box == "text":
                    self._text(node)
                elif kind.box != "skip" and self._enter(node, kind):
                    child = node.first_child
                    if child is not None:
                        node = child
                        continue
                    self._leave(entered.pop())
                node = node.next
            element = entered.pop()
            if not entered:
                self.writer.end_line()
                return
            self._leave(element)
            node = element.node.next

    def _kind(self, node: LexborNode) -> _Kind:
        """Find out, and keep with the style, what elements of this tag are here."""
        tag = node.tag or ""
        style, box = self._styled(tag, {})
        kind = self.style.kinds[node.tag_id] = _Kind(tag, box, style)
        return kind

    def _text(self, node: LexborNode) -> None:
        style = self.style
        if style.textless or not style.visible:
            return
        text = node.text_content or ""
        # Marks are noncharacters (Unicode, chapter 23.7): a page that holds them means nothing by them, or means harm.
        if self.marked:
            text = without_added_marks(text)
        if not text:
            return
        if style.case is not None:
            text = style.case(text)
        # White space alone may be that of the rendered HTML, between blocks.
        if self.last_line and "\n" in text and not text.isspace():
            self._text_by_lines(text)
        else:
            self.writer.write(text, style.white_space)

    def _text_by_lines(self, text: str) -> None:
        """Write text of rendered Markdown: its line feeds are those of the source."""
        for index, piece in enumerate(text.split("\n")):
            if index:
                self.writer.write("\n", self.style.white_space)
                self._begin_line(min(self.line + 1, self.last_line))
            if piece:
                self.writer.write(piece, self.style.white_space)

    def _begin_line(self, line: int) -> None:
        self.line = line
        self.lines.setdefault(line, self.writer.length)

    def _enter(self, node: LexborNode, kind: _Kind) -> bool:
        """Begin an element; tell whether its children are to be visited, after which `_leave` ends it."""
        tag, box, style = kind
        attributes = node.attributes
        if attributes and not _STYLING.isdisjoint(attributes):
            style, box = self._styled(tag, attributes)
        if box == "none" or (attributes and "aria-hidden" in attributes and _is_twin(node)):
            return False
        if box in _CHILDLESS:
            if style.visible:
                self._childless(box)
            return False
        element = _Element(node, box if style.visible else "inline", self.style, self.writer.length)
        if style.visible and box != "inline":
            self._open_box(box)
        if tag == "q" and style.visible:
            self.writer.add(DRAWN_QUOTE)
        if self.positions:
            self._note_position(element, tag, attributes)
        if (
            (tag in ("sup", "rt") or (tag == "a" and attributes))
            and style.visible
            and not style.in_superscript
        ):
            element.marker = self._is_marker(node, tag, attributes)
            if element.marker:
                self.writer.add(MARKER_START)
            # No marker in a marker: `<sup><a><sup>` is one.
            if element.marker or tag == "sup":
                style = self._in_superscript(style)
        self.open.append(element)
        self.style = style
        return True

    def _in_superscript(self, style: _Style) -> _Style:
        inner = self.superscripts.get(style)
        if inner is None:
            inner = self.superscripts[style] = replace(style, in_superscript=True, kinds={})
        return inner

    def _childless(self, box: str) -> None:
        """Write what an element without rendered children stands for."""
        if box == "line-break":
            self.writer.end_line()
            self.writer.add("\n")
        elif box == "replaced":
            self.writer.tail = "text"
        else:
            self.writer.require_breaks(1)

    def _open_box(self, display: str) -> None:
        if display == "block":
            self.writer.require_breaks(1)
        elif display == "paragraph":
            self.writer.require_breaks(2)
        elif display == "token":
            self.writer.parted = True
        elif display == "inline-block":
            self.writer.tail = "start"
        elif display == "cell":
            row = self.open[-1]
            if row.cells:
                self.writer.end_line()
                self.writer.add("\t")
            row.cells += 1

    def _leave(self, element: _Element) -> None:
        """End an element."""
        writer, display = self.writer, element.display
        if element.marker:
            writer.close_marker()
        if element.node.tag == "q" and self.style.visible:
            writer.add(DRAWN_QUOTE)
        if self.positions:
            self._keep_position(element)
        if display == "block":
            writer.require_breaks(1)
        elif display == "paragraph":
            writer.require_breaks(2)
        elif display == "token":
            writer.parted = True
        elif display == "inline-block":
            writer.end_line()
            writer.tail = "text"
        self.style = element.outer

    def _styled(self, tag: str, attributes: dict[str, str | None]) -> tuple[_Style, str]:
        """Return what an element's children inherit, and the element's own box."""
        outer = self.style
        css = _declarations(attributes.get("style"))
        display = _DISPLAYS.get(tag, "inline")
        if outer.language != "html" and display not in ("text", "skip"):
            tag = tag.lower()
            display = _foreign_display(tag, outer.language)
        layout = css.get("display", "none" if _is_hidden(tag, attributes) else "")
        box = _CSS_DISPLAYS.get(layout) or _BOXES.get(display, display)
        if box == "none":
            return outer, box
        if box in ("text", "skip"):
            return outer, box
        out_of_line = outer.flexible or not _OUT_OF_LINE.isdisjoint(css.values())
        if display == "replaced":
            box = "replaced-block" if out_of_line or box == "block" else display
        # Their line breaks come from what they are, not from a box (innerText, steps for br and p).
        elif display in ("line-break", "paragraph"):
            box = display
        elif out_of_line and box != "cell":
            box = "block"
        return self._inherited(tag, display, css), box

    def _inherited(self, tag: str, display: str, css: dict[str, str]) -> _Style:
        """Return what the children of an element that is rendered inherit."""
        outer = self.style
        textless, language = outer.textless, outer.language
        if display in _TEXTLESS:
            textless = True
        elif display in _TEXTFUL or (language == "svg" and tag in _SVG_TEXT):
            textless = False
        if display in ("svg", "math"):
            language = display
        elif tag == "foreignobject" or (language == "math" and tag in _MATH_TOKENS):
            language = "html"
        white_space = "pre" if display == "preformatted" else outer.white_space
        style = _Style(
            visible=css["visibility"] == "visible" if "visibility" in css else outer.visible,
            white_space=_WHITE_SPACES.get(css.get("white-space", ""), white_space),
            case=_CASES[css["text-transform"]] if "text-transform" in css else outer.case,
            textless=textless,
            flexible=css.get("display") in _FLEXIBLE,
            language=language,
            in_superscript=outer.in_superscript,
        )
        return outer if style == outer else style

    def _is_marker(self, node: LexborNode, tag: str, attributes: dict[str, str | None]) -> bool:
        """Tell whether a superscript, or a link that calls itself a note, may be a reference marker on what precedes.

        So may the reading of a ruby annotation, which quoting leaves out like one.
        Numbers count wherever they are raised (matching tells an exponent from a reference), and remarks in brackets
        ([citation needed]); letters only where they link or call themselves a note: 1st and M. le Mᵍʳ are words.
        """
        writer = self.writer
        if writer.breaks or writer.tail == "start":
            return False
        if tag == "rt":
            return True
        noted = _names_a_note(attributes)
        if tag == "a" and not noted:
            return False
        words = node.text(deep=True)
        if len(words) > 40:
            return False
        if tag == "sup" and _REMARK.match(words):
            return True
        if not _MARKER.match(words):
            return False
        if noted or _HAS_DIGIT.search(words):
            return True
        return self.open[-1].node.tag == "a" or "<a" in (node.html or "")

    def _note_position(
        self, element: _Element, tag: str, attributes: dict[str, str | None]
    ) -> None:
        names = (attributes.get("id"), attributes.get("name") if tag == "a" else None)
        element.names = tuple(name for name in names if name)
        element.level = _HEADINGS.get(tag, 0)
        element.outer_last_line = self.last_line
        if match := _SOURCE_POSITION.match(attributes.get("data-sourcepos") or ""):
            first, last = int(match[1]), int(match[2])
            # The source of a fenced code block has a line more than its content, or two: the fences.
            fenced = tag == "pre" and last - first >= element.node.text(deep=True).count("\n")
            element.last_line = self.last_line = last
            self._begin_line(first + 1 if fenced else first)

    def _keep_position(self, element: _Element) -> None:
        end = self.writer.length
        self.anchors.extend((name, element.start, end) for name in element.names)
        if element.level:
            self.headings.append((element.start, end, element.level))
        if element.last_line:
            self.line = element.last_line
        self.last_line = element.outer_last_line


def _is_hidden(tag: str, attributes: dict[str, str | None]) -> bool:
    """Tell whether the user agent's style sheet hides an element for its attributes."""
    if not attributes:
        return tag == "dialog"
    if "hidden" in attributes or "popover" in attributes:
        return True
    if tag == "dialog":
        return "open" not in attributes
    return tag == "input" and (attributes.get("type") or "").lower() == "hidden"


def _is_twin(node: LexborNode) -> bool:
    """Tell whether an element that is hidden from screen readers only draws a formula which stands beside it as MathML.

    So do KaTeX (after it) and MathJax (before it), which hide the MathML by a style sheet; it reads in a better order.
    """
    before, after = _neighbour(node, "prev"), _neighbour(node, "next")
    return (before is not None and "katex-mathml" in _class(before)) or (
        after is not None
        and (after.tag == "mjx-assistive-mml" or "MJX_Assistive_MathML" in _class(after))
    )


def _neighbour(node: LexborNode, side: str) -> LexborNode | None:
    """Return the next or the previous (*side*) sibling of *node* that is an element."""
    sibling: LexborNode | None = getattr(node, side)
    while sibling is not None and (sibling.tag or "").startswith("-"):
        sibling = getattr(sibling, side)
    return sibling


def _class(node: LexborNode) -> str:
    return node.attributes.get("class") or ""


def _foreign_display(tag: str, language: str) -> str:
    """Return what an element of SVG or MathML is to the layout."""
    if language == "svg":
        if tag in _SVG_HIDDEN:
            return "none"
        return "block" if tag in _SVG_TEXT else "inline"
    return "none" if tag in _MATH_HIDDEN else "token"


def _declarations(style: str | None) -> dict[str, str]:
    """Return the declarations of a style attribute that matter here, the winning one of each property."""
    if not style or not _CSS_OF_INTEREST.search(style):
        return {}
    declarations: dict[str, str] = {}
    important: set[str] = set()
    for declaration in _CSS_COMMENT.sub("", style).lower().split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        value, bang, _ = value.partition("!")
        value = value.strip()
        # An invalid declaration is dropped, and one before it holds (CSS Syntax 3, section 9).
        if value not in _CSS_VALUES.get(name, ()) or (name in important and not bang):
            continue
        declarations[name] = value
        if bang:
            important.add(name)
    return declarations


def _names_a_note(attributes: dict[str, str | None]) -> bool:
    """Tell whether an element calls itself a note or a reference, by its role, type, class or id."""
    if _NAMING.isdisjoint(attributes):
        return False
    return any(_NOTE_NAME.search(attributes.get(name) or "") for name in _NAMING)


def _anchor_ranges(
    anchors: list[tuple[str, int, int]], headings: list[tuple[int, int, int]], text: str
) -> dict[str, tuple[int, int]]:
    """Return the range that each anchor names; *headings* are (start, end, level), in order.

    An anchor on or in a heading names its section, up to the next heading of the same level or a higher one; one on an
    element with text names the element; an empty one names the section that it opens, or what follows up to the next
    heading. The first anchor of a name counts.
    """
    starts = [start for start, _, _ in headings]
    sections: list[int] = [len(text)] * len(headings)
    unfinished: list[int] = []
    for index, (start, _, level) in enumerate(headings):
        while unfinished and headings[unfinished[-1]][2] >= level:
            sections[unfinished.pop()] = start
        unfinished.append(index)
    ranges: dict[str, tuple[int, int]] = {}
    for name, start, end in anchors:
        index = bisect_right(starts, start) - 1
        if index >= 0 and end <= headings[index][1]:
            span = (headings[index][0], sections[index])
        elif text[start:end].strip():
            span = (start, end)
        else:
            following = bisect_left(starts, start)
            if following == len(headings):
                span = (start, len(text))
            elif text[start : starts[following]].strip():
                span = (start, starts[following])
            else:
                span = (starts[following], sections[following])
        ranges.setdefault(name, span)
    return ranges
