"""Draws a coloured report as a terminal shows it, for docs/images/terminal.png, which the README shows.

    tracecite-lint fixtures/failing/altered.md --color always |
        python docs/terminal_picture.py '$ tracecite-lint fixtures/failing/altered.md' docs/images/terminal.png

docs/images/interactive.png is the beginning of what `script -qc 'tracecite-lint fixtures/failing/altered.md --fix
--interactive --unsafe-fixes' FILE` keeps in FILE, in a copy of the repository, with the answers `y`, `i` and a reason.

Needs Pillow, which nothing else here does (`pip install pillow`), and the font DejaVu Sans Mono.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw, ImageFont

FONT_SIZE = 22
LINE_HEIGHT = 28
MARGIN = 28

BACKGROUND = "#1d1f24"
TEXT = "#d8dbe2"
FAINT = "#8b919d"
COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#76e3ea"}

_SGR = re.compile(r"\x1b\[([\d;]*)m")


@dataclass(frozen=True)
class Style:
    """How letters are drawn: the SGR attributes that the reports use."""

    color: str | None = None
    bold: bool = False
    faint: bool = False
    underlined: bool = False
    struck: bool = False

    def after(self, codes: str) -> Style:
        """Return the style after the SGR parameters *codes*, such as `1;31`."""
        style = self
        for code in codes.split(";"):
            match code:
                case "" | "0":
                    style = Style()
                case "1":
                    style = replace(style, bold=True)
                case "2":
                    style = replace(style, faint=True)
                case "4":
                    style = replace(style, underlined=True)
                case "9":
                    style = replace(style, struck=True)
                case _:
                    style = replace(style, color=COLORS[code])
        return style


def styled_lines(text: str) -> list[list[tuple[str, Style]]]:
    """Return the lines of *text* as runs of letters of one style."""
    style = Style()
    lines = []
    for line in text.splitlines():
        # Letters and SGR parameters take turns.
        pieces = _SGR.split(line)
        runs = [(pieces[0], style)]
        for codes, letters in zip(pieces[1::2], pieces[2::2], strict=True):
            style = style.after(codes)
            runs.append((letters, style))
        lines.append(runs)
    return lines


def picture(text: str) -> Image.Image:
    """Return *text*, which may hold SGR escape sequences, as a terminal shows it."""
    plain = ImageFont.truetype("DejaVuSansMono.ttf", FONT_SIZE)
    bold = ImageFont.truetype("DejaVuSansMono-Bold.ttf", FONT_SIZE)
    letter = plain.getlength("m")
    lines = styled_lines(text)
    columns = max(sum(len(run) for run, _ in line) for line in lines)
    size = (2 * MARGIN + round(columns * letter), 2 * MARGIN + len(lines) * LINE_HEIGHT)
    image = Image.new("RGB", size, BACKGROUND)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        y = MARGIN + row * LINE_HEIGHT
        column = 0
        for letters, style in line:
            x, end = (MARGIN + round(at * letter) for at in (column, column + len(letters)))
            color = style.color or (FAINT if style.faint else TEXT)
            draw.text((x, y), letters, fill=color, font=bold if style.bold else plain)
            if style.underlined:
                draw.line((x, y + FONT_SIZE + 3, end, y + FONT_SIZE + 3), fill=color, width=2)
            if style.struck:
                draw.line((x, y + FONT_SIZE * 0.62, end, y + FONT_SIZE * 0.62), fill=color, width=2)
            column += len(letters)
    # A palette of few colours: a quarter of the bytes, and nobody sees it.
    return image.quantize(32)


def main() -> None:
    """Draw standard input below the prompt that the first argument gives, into the file of the second."""
    prompt, path = sys.argv[1:]
    picture(f"{prompt}\n{sys.stdin.read()}").save(path, optimize=True)


if __name__ == "__main__":
    main()
