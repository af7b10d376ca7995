"""The server's standard streams: messages come in until stdin is closed, and then the process ends at once.

pygls would read stdin in a thread that the interpreter waits for at its end, write with nobody to notice that the editor
is gone, and hear nothing any more after a header that it does not know.
"""

from __future__ import annotations

import asyncio
import io
import re
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import BinaryIO, Protocol

from tracecite_lint.light.lazy import dataclass, regex

MAX_MESSAGE_BYTES = 128 * 1024 * 1024
"""The largest message that is read."""

_PIECE = 65_536
_LONGEST = 128  # bytes: more than a line takes that _LENGTH finds
_UNREADABLE = -1
_OVERHEAD = 256  # bytes that a message takes besides its body

# Raw line ends do not occur in the strings of JSON, so that no message holds such a line in its body.
_LENGTH = regex(
    rb"content-length[ \t]{0,16}:[ \t]{0,16}([0-9]{1,18})[ \t]{0,16}\r?\n\Z", re.IGNORECASE
)
_ANY_LENGTH = regex(rb"content-length[ \t]*:", re.IGNORECASE)
_FIELD = regex(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*:")


class _Stream(Protocol):
    def readline(self, limit: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Malformed:
    """What came in place of a message, and was passed over."""

    reason: str


class Frames:
    """The bodies of messages as *stream* holds them, each behind its header (Language Server Protocol, "Header Part").

    What is no header is passed over, up to the next line that names a Content-Length, and told once. No more than one
    body and one piece of a line are held at a time.
    """

    def __init__(self, stream: _Stream) -> None:
        self._stream = stream
        self._before = b""
        """The end of the piece before, if that was no whole line."""
        self._is_within_line = False
        self._lengths: set[int] = set()
        self._has_fields = False
        self._is_lost = False

    def __iter__(self) -> Iterator[bytes | Malformed]:
        """Give each body, and what was passed over, until the stream ends; a message cut off by its end is nothing."""
        while line := self._stream.readline(_PIECE):
            frame = self._frame(line)
            if isinstance(frame, Malformed):
                if not self._is_lost:
                    yield frame
                self._is_lost = True
            elif frame is not None:
                self._is_lost = False
                yield frame

    def _frame(self, line: bytes) -> bytes | Malformed | None:
        """Take in a line outside of a body, or a piece of one; return the frame that is complete with it."""
        is_first_piece = not self._is_within_line
        self._is_within_line = not line.endswith(b"\n")
        at = len(self._before)
        found = self._length_in(line)
        if found is not None and found.start() != at:
            self._lengths = {int(found[1])}
            return Malformed("bytes that are no message")
        if found is not None:
            self._lengths.add(int(found[1]))
        elif is_first_piece and line in {b"\n", b"\r\n"}:
            return self._after_header()
        elif is_first_piece and _ANY_LENGTH.match(line):
            self._lengths.add(_UNREADABLE)
        elif is_first_piece and _FIELD.match(line):
            self._has_fields = True
        elif not self._lengths and not self._has_fields:
            return Malformed("bytes that are no message")
        return None

    def _after_header(self) -> bytes | Malformed | None:
        lengths, self._lengths = self._lengths, set()
        has_fields, self._has_fields = self._has_fields, False
        if not lengths and not has_fields:
            return None  # an empty line between messages
        if len(lengths) != 1 or _UNREADABLE in lengths:
            return Malformed("a header without one Content-Length")
        (length,) = lengths
        if length > MAX_MESSAGE_BYTES:
            return Malformed(
                f"a message of {length:,} bytes; up to {MAX_MESSAGE_BYTES:,} bytes are read"
            )
        return self._body(length)

    def _body(self, length: int) -> bytes | Malformed | None:
        pieces = []
        left = length
        while left and (piece := self._stream.readline(min(left, _PIECE))):
            left -= len(piece)
            found = self._length_in(piece)
            if found is not None:
                self._lengths = {int(found[1])}
                return Malformed("a message that is shorter than its Content-Length")
            pieces.append(piece)
        return b"".join(pieces) if not left else None

    def _length_in(self, piece: bytes) -> re.Match[bytes] | None:
        """Return the Content-Length with which *piece* ends; a part of it may stand in the piece before."""
        text = self._before + piece
        if not piece.endswith(b"\n"):
            self._before = text[-_LONGEST:]
            return None
        self._before = b""
        return _LENGTH.search(text, max(0, len(text) - _LONGEST))


class Inbox:
    """What stdin brings, read in a thread that never keeps the process alive, and that waits while much is unread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[bytes | Malformed | None] = asyncio.Queue()
        self._room = threading.Condition()
        self._waiting = 0
        threading.Thread(target=self._read, daemon=True, name="stdin").start()

    async def messages(self) -> AsyncIterator[bytes | Malformed]:
        """Give the bodies of messages until stdin is closed."""
        while (message := await self._queue.get()) is not None:
            with self._room:
                self._waiting -= _size(message)
                self._room.notify()
            yield message

    def _read(self) -> None:
        # Not sys.stdin.buffer, whose lock a reading thread would hold when the interpreter ends (a fatal error).
        stream = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), _PIECE)
        with suppress(OSError):  # as if it were closed
            for message in Frames(stream):
                with self._room:
                    self._room.wait_for(lambda: self._waiting <= MAX_MESSAGE_BYTES)
                    self._waiting += _size(message)
                self._put(message)
        self._put(None)

    def _put(self, message: bytes | Malformed | None) -> None:
        with suppress(RuntimeError):  # the loop is closed, the process is ending
            self._loop.call_soon_threadsafe(self._queue.put_nowait, message)


def _size(message: bytes | Malformed) -> int:
    return (len(message) if isinstance(message, bytes) else 0) + _OVERHEAD


class StdoutWriter:
    """Writes messages to what was stdout when it was made; whatever else is printed from then on goes to stderr."""

    def __init__(self) -> None:
        self._stdout: BinaryIO = sys.stdout.buffer
        sys.stdout = sys.stderr
        self.is_broken = False

    def write(self, data: bytes) -> None:
        """Write one message; nothing, once the editor does not read any more."""
        if self.is_broken:
            return
        try:
            self._stdout.write(data)
            self._stdout.flush()
        except (OSError, ValueError):
            self.is_broken = True

    def close(self) -> None:
        """Do nothing: the process ends soon, and its streams with it."""
