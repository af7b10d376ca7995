"""A terminal without a window: a program runs in it, keys are typed, and what it shows can be read and drawn."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from types import TracebackType

import pyte
from PIL import Image, ImageDraw, ImageFont

FONTS = Path("/usr/share/fonts/truetype/dejavu")
FONT, BOLD = FONTS / "DejaVuSansMono.ttf", FONTS / "DejaVuSansMono-Bold.ttf"
SIZE = 14
FOREGROUND, BACKGROUND = "e0e2ea", "14161b"
NAMED = {
    "black": "000000",
    "red": "cd3131",
    "green": "0dbc79",
    "brown": "e5e510",
    "blue": "2472c8",
    "magenta": "bc3fbc",
    "cyan": "11a8cd",
    "white": "e5e5e5",
}


class Terminal:
    """A terminal of *columns* and *lines* in which *command* runs."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], *, columns: int, lines: int
    ) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._pid, self._descriptor = pty.fork()
        if self._pid == 0:
            os.execvpe(command[0], list(command), {**environ, "TERM": "xterm-256color"})
        size = struct.pack("HHHH", lines, columns, 0, 0)
        ioctl(self._descriptor, termios.TIOCSWINSZ, size)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._descriptor)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def type(self, keys: str) -> None:
        """Type *keys*."""
        os.write(self._descriptor, keys.encode())

    def wait_for(self, words: str, seconds: float = 60.0) -> None:
        """Wait until *words* are on the screen, and for the screen to come to rest."""
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} is not on the screen:\n{self.text}"
            self._read(0.2)
        while self._read(0.5):
            pass

    def draw(self, path: Path) -> None:
        """Write what is on the screen to *path* as a PNG of few colours."""
        fonts = {bold: ImageFont.truetype(BOLD if bold else FONT, SIZE) for bold in (False, True)}
        width, height = round(fonts[False].getlength("M")), SIZE + 4
        size = (self._screen.columns * width, self._screen.lines * height)
        image = Image.new("RGB", size, f"#{BACKGROUND}")
        draw = ImageDraw.Draw(image)
        for row in range(self._screen.lines):
            for column in range(self._screen.columns):
                cell = self._screen.buffer[row][column]
                front, back = _color(cell.fg, FOREGROUND), _color(cell.bg, BACKGROUND)
                if cell.reverse:
                    front, back = back, front
                left, top = column * width, row * height
                box = (left, top, left + width - 1, top + height - 1)
                if back != f"#{BACKGROUND}":
                    draw.rectangle(box, fill=back)
                draw.text((left, top + 1), cell.data, font=fonts[cell.bold], fill=front)
                if cell.underscore:
                    draw.line((left, top + height - 2, left + width, top + height - 2), fill=front)
        image.quantize(48).save(path, optimize=True)

    def _read(self, seconds: float) -> bool:
        """Take in what the program writes within *seconds*; tell whether that was anything."""
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        if not ready:
            return False
        with suppress(OSError):  # the program has ended
            data = os.read(self._descriptor, 65_536)
            self._stream.feed(data)
            return bool(data)
        return False


def _color(name: str, default: str) -> str:
    return f"#{default if name == 'default' else NAMED.get(name, name)}"
