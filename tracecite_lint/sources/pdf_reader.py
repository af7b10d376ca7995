"""Reads a PDF from standard input and writes its text as JSON: the process that sources.pdf starts.

PDFium gives the characters of a page in the order in which they are drawn, with line breaks, and puts U+FFFE where a
hyphen ends a line. What is added here is the order of columns and boxes, the hyphens, raised numbers and running heads.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Protocol

from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import MARKER_END, MARKER_START, MARKS

MAX_CHARACTERS = 8 * 1024 * 1024
MAX_PAGES = 5_000
MAX_MEMORY = 512 * 1024 * 1024
"""Bytes of address space (Linux)."""
MAX_CPU_SECONDS = 10
"""Linux, macOS and other Unix systems; elsewhere the clock of `sources.pdf` alone ends it."""
MAX_ORDERED_BOXES = 300
"""A page of more boxes is a drawing: its text stays in the order in which it is drawn."""

_HYPHEN = "\ufffe"
_LINE = regex(f"[^\r\n{_HYPHEN}]+{_HYPHEN}?")
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
# What PDFium gives for glyphs without a character, and the marks that are to stand for references.
_UNFIT = regex(f"[\x00-\x08\x0b-\x1f\x7f\uffff{MARKS}]")
_NUMBER_AFTER_WORD = regex(r"(?<=[^\s\d(\[]) ?(?P<number>\d{1,3}(?:[,–-]\d{1,3})*)(?!\d)")
_PAGE_BREAK = "\f"
# PDFium's sign, a hyphen that it did not know for one, and the soft hyphen of word processors.
_BROKEN_WORD = regex(rf"([^\W_]+)([{_HYPHEN}\u2010\u00ad-][\n{_PAGE_BREAK}])([^\W_]+)")
_COMPOUND = regex(r"[^\W_]+(?:-[^\W_]+)+")
_WORD = regex(r"[^\W_]+")


class TextPage(Protocol):
    """What is used of a pypdfium2 text page."""

    def get_text_range(self) -> str: ...
    def count_chars(self) -> int: ...
    def get_charbox(self, index: int) -> tuple[float, float, float, float]: ...


@dataclass(slots=True)
class Line:
    """A line of text with its bounds, in points from the lower left corner of the page."""

    text: str
    left: float
    right: float
    bottom: float
    top: float


@dataclass(slots=True)
class Box:
    """Lines that are drawn one below the other, and the bounds of them all."""

    lines: list[Line]
    left: float
    right: float
    bottom: float
    top: float


def main() -> int:
    """Read, write, and say in the answer what went wrong; the first argument is how many seconds that may take."""
    _limit_resources(float(sys.argv[1]))
    try:
        answer = _answer(sys.stdin.buffer.read())
    except MemoryError:
        answer = {"error": "memory"}
    json.dump(answer, sys.stdout)
    return 0


def _limit_resources(seconds: float) -> None:
    if sys.platform == "win32":
        return
    import resource
    import signal

    # Whoever started this process may be gone by then, and PDFium does not come back to Python while it reads.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    # A crash is foreseen: no core file in the working directory.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # SIGXCPU first, which can be told from a kill; the hard limit a second later kills in any case (setrlimit(2)).
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS + 1))
    # macOS accepts RLIMIT_AS and does not keep to it.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _answer(body: bytes) -> dict[str, object]:
    pypdfium2 = import_module("pypdfium2")
    try:
        document = pypdfium2.PdfDocument(body)
        if len(document) > MAX_PAGES:
            return {"error": "pages"}
        pages: list[list[Line]] = []
        size = 0
        for number in range(len(document)):
            page = document[number]
            pages.append(ordered_lines(list(_page_lines(page.get_textpage()))))
            # Not at the end: PDFium keeps the objects of every open page, gigabytes over thousands.
            page.close()
            size += sum(len(line.text) + 1 for line in pages[-1])
            if size > MAX_CHARACTERS:
                return {"error": "size"}
    except pypdfium2.PdfiumError as error:
        message = str(error)
        # PDFium has an error code for it, pypdfium2 gives the words alone.
        return {"error": "password" if "password" in message.lower() else message}
    text, starts = joined_pages([[line.text for line in lines] for lines in pages])
    return {"text": text, "pages": starts}


def _page_lines(page: TextPage) -> Iterator[Line]:
    """Yield the lines of a pypdfium2 text page in the order in which they are drawn."""
    text = page.get_text_range()
    aligned = len(text) == page.count_chars()
    for match in _LINE.finditer(text):
        line = match[0]
        words = line.rstrip(f"{_HYPHEN} ")
        start = match.start() + len(words) - len(words.lstrip())
        end = match.start() + len(words)
        if start >= end:
            continue
        if not aligned:
            # Characters beyond the first plane: what stands where cannot be told, so nothing is moved.
            yield Line(_clean(line), 0, 0, 0, 0)
            continue
        first, last = page.get_charbox(start), page.get_charbox(end - 1)
        yield Line(
            _marked(line, _raised_numbers(page, line, match.start())),
            left=min(first[0], last[0]),
            right=max(first[2], last[2]),
            bottom=min(first[1], last[1]),
            top=max(first[3], last[3]),
        )


def _raised_numbers(page: TextPage, line: str, offset: int) -> list[tuple[int, int, int]]:
    """Return the raised numbers that stand right after a word of *line*, each with the end of that word.

    *offset* is where the line begins in the text of *page*. A number is raised that is smaller than the character
    before it and stands higher.
    """
    font_size = import_module("pypdfium2.raw").FPDFText_GetFontSize
    raised = []
    for match in _NUMBER_AFTER_WORD.finditer(line):
        before, number = offset + match.start() - 1, offset + match.start("number")
        size = font_size(page, before)
        word, digit = page.get_charbox(before), page.get_charbox(number)
        # Either alone is met in plain text: small figures in old-style numerals, and lines that are not quite even.
        smaller = font_size(page, number) <= 0.85 * size
        higher = digit[1] >= word[1] + 0.15 * size
        near = digit[0] - word[2] <= 0.3 * size
        if smaller and higher and near:
            raised.append((match.start(), *match.span("number")))
    return raised


def _marked(line: str, raised: Sequence[tuple[int, int, int]]) -> str:
    """Return *line* cleaned, with the *raised* numbers marked and without the space before them."""
    parts: list[str] = []
    position = 0
    for word_end, start, end in raised:
        parts += [_clean(line[position:word_end]), MARKER_START, line[start:end], MARKER_END]
        position = end
    return "".join([*parts, _clean(line[position:])]).strip()


def _clean(text: str) -> str:
    return _UNFIT.sub("", text).translate(_LIGATURES)


def ordered_lines(lines: Sequence[Line]) -> list[Line]:
    """Return *lines*, given as they are drawn, in the order in which they are read.

    Lines drawn one below the other stay together in a box. A box comes before those below it that share a part of its
    width, and before those to its right that share a part of its height (Breuel's rules for reading order); otherwise
    the higher one comes first.
    """
    boxes = _boxes(lines)
    if len(boxes) > MAX_ORDERED_BOXES:
        return list(lines)
    # Quadratic in the boxes, which is why a page of more than MAX_ORDERED_BOXES is left as it is.
    followers = [[j for j, other in enumerate(boxes) if _precedes(box, other)] for box in boxes]
    waiting_for = Counter(j for following in followers for j in following)
    left = list(range(len(boxes)))
    order: list[Line] = []
    while left:
        ready = [i for i in left if not waiting_for[i]]
        # Boxes that overlap may wait for each other: then the one that was drawn first goes on.
        best = min(ready, key=lambda i: (-boxes[i].top, boxes[i].left)) if ready else left[0]
        left.remove(best)
        waiting_for.subtract(followers[best])
        order += boxes[best].lines
    return order


def _boxes(lines: Sequence[Line]) -> list[Box]:
    boxes: list[Box] = []
    for line in lines:
        if boxes and _continues(boxes[-1], line):
            box = boxes[-1]
            box.lines.append(line)
            box.left, box.right = min(box.left, line.left), max(box.right, line.right)
            box.bottom, box.top = min(box.bottom, line.bottom), max(box.top, line.top)
        else:
            boxes.append(Box([line], line.left, line.right, line.bottom, line.top))
    return boxes


def _continues(box: Box, line: Line) -> bool:
    """Tell whether *line* goes on where *box* ends: below its last line, or to the right of it."""
    last = box.lines[-1]
    if last.text.endswith(_HYPHEN):
        return True
    height = max(last.top - last.bottom, line.top - line.bottom)
    if line.top <= last.bottom + 0.5 * height:
        return line.left < box.right and line.right > box.left
    same_height = min(line.top, last.top) - max(line.bottom, last.bottom) > 0
    return same_height and line.left >= last.right - height


def _precedes(box: Box, other: Box) -> bool:
    if box is other:
        return False
    slack = 1.0
    if box.left < other.right and other.left < box.right:
        return box.bottom >= other.top - slack
    beside = min(box.top, other.top) - max(box.bottom, other.bottom) > slack
    return beside and box.right <= other.left + slack


def joined_pages(pages: Sequence[Sequence[str]]) -> tuple[str, list[int]]:
    """Return the text of all *pages*, given as lines, and the offset at which each page begins.

    Running heads and feet, which would stand in the middle of sentences, follow after the last page.
    """
    # They follow and are not dropped: a title may be quoted too, and it may stand there alone.
    running = _running_lines(pages)
    bodies: list[str] = []
    aside: list[str] = []
    for lines in pages:
        kept = list(lines)
        for edge in (0, -1):
            if kept and _without_digits(kept[edge]) in running:
                aside.append(kept.pop(edge))
        bodies.append("\n".join(kept))
    # Page breaks are lost in the joining of hyphens, so they are put into the text for as long as it takes.
    text = _without_hyphens(_PAGE_BREAK.join(bodies))
    starts, position = [], 0
    for body in text.split(_PAGE_BREAK):
        starts.append(position)
        position += len(body) + 1
    return "\n".join([text.replace(_PAGE_BREAK, "\n"), *aside]), starts


def _running_lines(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return, without digits, the lines that stand first or last on at least three pages."""
    edges = Counter(
        _without_digits(line) for lines in pages if lines for line in {lines[0], lines[-1]}
    )
    return {line for line, count in edges.items() if count >= 3}


def _without_digits(line: str) -> str:
    # Page numbers count on.
    return re.sub(r"\d+", "#", line)


def _without_hyphens(text: str) -> str:
    """Return *text* with the words joined that a hyphen at a line's end divides.

    A hyphen before a capital letter or a digit is the word's own, and so is one that the same word has elsewhere in the
    text (well-known), unless it also stands there without.
    """
    compounds = {word.lower() for word in _COMPOUND.findall(text)}
    words = {word.lower() for word in _WORD.findall(text)}

    def joined(match: re.Match[str]) -> str:
        head, between, tail = match.groups()
        break_ = _PAGE_BREAK if _PAGE_BREAK in between else ""
        kept = not tail[0].islower() or (
            f"{head}-{tail}".lower() in compounds and f"{head}{tail}".lower() not in words
        )
        return f"{head}{'-' if kept else ''}{tail}{break_}"

    return _BROKEN_WORD.sub(joined, text).replace(_HYPHEN, "-")


if __name__ == "__main__":
    sys.exit(main())
