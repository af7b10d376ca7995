"""Documents and edits by chance, for the tests of reading again: what people write, and what breaks it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(
    r"^```markdown\n(.*?)^```", (ROOT / "docs/citations.md").read_text(), re.DOTALL | re.MULTILINE
)
FILLERS = (
    "Between two quotations there is text that quotes nothing,\nand it has two lines.",
    "Nobody has asked, and there is nothing to say about it.",
    "## Of other things",
    "### [A day without a cache](https://example.org/essay)",
    "- one\n- two\n\n  more of it\n- three",
    "1. one\n2. two",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "```python\nprint('“no quotation”')\n```",
    "![a picture](picture.png)",
    "<!-- a comment -->",
    "<div align='center'>\n\n**in the middle**\n\n</div>",
    "<!-- tracecite-disable-next-line -->",
    "He goes on:",
    "> Quote: “The cache is never read again.”\n> Source: <https://example.org/essay>",
    "你好，他说“缓存再也不会被读取”（[文章](https://example.org/essay)）。",
    "***",
)
PIECES = (
    *("x", " ", "\n", "\n\n", "\r\n", "\r", "\t", "    ", "  ", "\\", "*", "**", "`", "|", "(", ")", "."),
    *("“", "”", '"', "'", "«", "»", "「", "」", "&quot;", "[", "]", "[t](http://u.v/w)", "[x]", "[x][y]"),
    *("> ", "- ", "1. ", "# ", "***\n", "---\n", "===\n", "```\n", "~~~\n", "%%\n", "::: quote\n", "!!! quote\n"),
    *("[^1]", "[1]", "[^1]: <http://n.o/p>\n", "[x]: http://d.e/f\n", "# References\n", "References\n"),
    *("<div>\n", "</div>\n", '<blockquote cite="http://q.q/">', "</blockquote>", "<!--", "-->", "<br>"),
    *('<q cite="http://q.q/">never read again</q>', "<figure>\n", "</figure>\n", "![i](u)\n", "{/* ", " */}"),
    *("<!-- tracecite-disable-next-line -->\n", "<!-- tracecite-disable -->\n", "<!-- tracecite-enable -->\n"),
    *("😀", "漢字", "「漢字はもう読まれない」", "\x00", "\ufeff", "\u2028", "{% if x %}\n", "【1†x】", "[cite: 1]"),
    *("http://a.b/?utm_source=x", "[t](http://u.v/w#:~:text=the%20words)", "> Source: http://s.t/u\n"),
    *("As Smith [wrote](http://u.v/w):\n\n", "\n\n— [Smith](http://u.v/w)\n\n", "He goes on:\n\n", "Source: "),
    "“The cache is never read again” ([t](http://u.v/w)).",
    "\n> The cache is never read again.\n>\n> — [Smith](http://u.v/w)\n\n",
    "> Quote: “The cache is never read again.”\n> Source: http://s.t/u\n",
)  # fmt: skip


def document(draw: Random, blocks: int) -> str:
    """Return a document of so many blocks: the examples of docs/citations.md, and what stands between quotations."""
    chosen = [
        draw.choice(draw.choice((EXAMPLES, FILLERS, FILLERS))).strip("\n") for _ in range(blocks)
    ]
    text = "\n\n".join(chosen) + "\n"
    if draw.random() < 0.2:
        text = f"---\ntitle: T\nsource: https://example.org/front\n---\n\n{text}"
    return text.replace("\n", draw.choice(("\n", "\n", "\n", "\r\n", "\r")))


def edited(draw: Random, text: str) -> str:
    """Return *text* after one edit."""
    return draw.choice(_EDITS)(draw, text)


def _put(draw: Random, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(PIECES) + text[at:]


def _take_out(draw: Random, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + text[at + draw.choice((1, 1, 1, 2, 5, 20, 100)) :]


def _begin_line(draw: Random, text: str) -> str:
    lines = _lines(text)
    number = draw.randrange(len(lines))
    lines[number] = draw.choice(("> ", "- ", "  ", "    ", "\t", "# ", "\n")) + lines[number]
    return "".join(lines)


def _take_line_out(draw: Random, text: str) -> str:
    lines = _lines(text)
    del lines[draw.randrange(len(lines))]
    return "".join(lines)


def _replace_line(draw: Random, text: str) -> str:
    lines = _lines(text)
    lines[draw.randrange(len(lines))] = draw.choice(lines)
    return "".join(lines)


def _paste_lines(draw: Random, text: str) -> str:
    lines = _lines(text)
    first, at = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[at:at] = lines[first : first + draw.randrange(1, 8)]
    return "".join(lines)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


_EDITS: Sequence[Callable[[Random, str], str]] = (
    *(_put, _put, _put, _put, _take_out, _take_out),
    *(_begin_line, _take_line_out, _replace_line, _paste_lines),
)
