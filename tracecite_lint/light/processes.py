"""Programs that are run with pipes. `subprocess` has what this does, and brings in threads, selectors and locale: 6 ms of a commit.

Where the system cannot start one with its pipes in place (Windows) it is `subprocess` that does it.
"""

from __future__ import annotations

import os
import time

from tracecite_lint.light.lazy import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO, Protocol

    class Conversation(Protocol):
        """A program that is asked and answers, again and again. What takes too long raises TimeIsUpError, and kills it."""

        until: float
        """The time of `time.monotonic()` up to which it may take."""

        def write(self, data: bytes) -> None:
            """Give *data* to its standard input. Raises OSError if it has ended."""

        def readline(self) -> bytes:
            """Return the next line of its standard output, or what is left of that at its end."""

        def read(self, size: int) -> bytes:
            """Return the next *size* bytes of its standard output, or what is left of that at its end."""

        def kill(self) -> None:
            """End it, whatever it is at."""


_PIECE = 1 << 16
_LONGEST_NAP = (
    0.02  # seconds between two looks at a process that has closed its output and not ended
)


class TimeIsUpError(Exception):
    """A program was killed because it took too long."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The exit status of a program (of a signal: its number, negative) and what it printed."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run(command: Sequence[str], *, env: Mapping[str, str], given: bytes, until: float) -> Finished:
    """Run *command*, a path and its arguments, to its end, with *given* on its standard input.

    Raises OSError if it cannot be started, TimeIsUpError if it takes longer than *until*, a time of `time.monotonic()`.
    """
    if not _spawns():
        return _run_portably(command, env, given, until)
    child = _Child(command, env, errors=True)
    try:
        return child.finish(given, until)
    except BaseException:  # an interrupt too leaves no process behind
        child.kill()
        raise


def start(command: Sequence[str], *, env: Mapping[str, str]) -> Conversation:
    """Start *command*, whose errors nobody reads. Raises OSError if it cannot be started."""
    return (_Child if _spawns() else _Portable)(command, env)


def _spawns() -> bool:
    """Tell whether a process can be started with its pipes in place of its streams."""
    if not hasattr(os, "posix_spawn"):
        return False
    try:  # where a stream of this process is closed a pipe would get its number, and one could take another's place
        for stream in range(3):
            os.fstat(stream)
    except OSError:
        return False
    return True


class _Child:
    """A process behind pipes, none of which holds this one up for longer than there is time."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], *, errors: bool = False
    ) -> None:
        import signal

        self.until = 0.0
        self._buffer = b""
        theirs_in, self._stdin = os.pipe()
        self._stdout, theirs_out = os.pipe()
        self._stderr, theirs_err = os.pipe() if errors else (-1, os.open(os.devnull, os.O_WRONLY))
        theirs = (theirs_in, theirs_out, theirs_err)
        try:
            self._pid = os.posix_spawn(
                command[0],
                list(command),
                env,
                file_actions=[(os.POSIX_SPAWN_DUP2, end, at) for at, end in enumerate(theirs)],
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # which Python ignores
            )
        except BaseException:
            self._close()
            raise
        finally:
            for end in theirs:
                os.close(end)
        for end in (self._stdin, self._stdout, self._stderr):
            if end >= 0:
                os.set_blocking(end, False)

    def finish(self, given: bytes, until: float) -> Finished:
        import select

        self.until = until
        printed: dict[int, list[bytes]] = {self._stdout: [], self._stderr: []}
        left = memoryview(given)
        ready = select.poll()
        for end in printed:
            ready.register(end, select.POLLIN)
        if given:
            ready.register(self._stdin, select.POLLOUT)
        else:
            self._close_input()
        reading = set(printed)
        while reading:
            for end, _ in ready.poll(self._milliseconds_left()):
                if end == self._stdin:
                    left = left[self._written(left) :]
                    if not left:
                        ready.unregister(end)
                        self._close_input()
                elif piece := os.read(end, _PIECE):
                    printed[end].append(piece)
                else:
                    ready.unregister(end)
                    reading.remove(end)
        stdout, stderr = (b"".join(pieces) for pieces in printed.values())
        status = self._status()
        self._close()
        return Finished(status, stdout, stderr)

    def write(self, data: bytes) -> None:
        import select

        if self._stdin < 0:
            raise BrokenPipeError
        left = memoryview(data)
        while left:
            self._wait_for(self._stdin, select.POLLOUT)
            left = left[os.write(self._stdin, left) :]

    def readline(self) -> bytes:
        while b"\n" not in self._buffer and self._more():
            pass
        line, end, self._buffer = self._buffer.partition(b"\n")
        return line + end

    def read(self, size: int) -> bytes:
        pieces, held = [self._buffer], len(self._buffer)
        self._buffer = b""
        while held < size and (piece := self._piece()):
            pieces.append(piece)
            held += len(piece)
        data = b"".join(pieces)
        self._buffer = data[size:]
        return data[:size]

    def kill(self) -> None:
        import signal

        if self._pid:
            os.kill(
                self._pid, signal.SIGKILL
            )  # not waited for yet, so that the number is still its own
            self._wait(0)
        self._close()

    def _more(self) -> bool:
        piece = self._piece()
        self._buffer += piece
        return bool(piece)

    def _piece(self) -> bytes:
        import select

        self._wait_for(self._stdout, select.POLLIN)
        return os.read(self._stdout, _PIECE)

    def _wait_for(self, end: int, event: int) -> None:
        import select

        ready = select.poll()
        ready.register(end, event)
        ready.poll(self._milliseconds_left())
        self._milliseconds_left()

    def _milliseconds_left(self) -> float:
        left = self.until - time.monotonic()
        if left <= 0:
            self.kill()
            raise TimeIsUpError
        return left * 1000

    def _written(self, data: memoryview) -> int:
        """Return how much of *data* was written: all if nobody reads it."""
        try:
            return os.write(self._stdin, data)
        except BrokenPipeError:
            return len(data)

    def _status(self) -> int:
        """Return the exit status of a process that has closed its output, as soon as it has ended."""
        nap = _LONGEST_NAP / 64
        while (status := self._wait(os.WNOHANG)) is None:
            self._milliseconds_left()
            time.sleep(nap)
            nap = min(2 * nap, _LONGEST_NAP)
        return status

    def _wait(self, options: int) -> int | None:
        try:
            pid, status = os.waitpid(self._pid, options)
        except ChildProcessError:  # children are not waited for where SIGCHLD is ignored
            self._pid = 0
            return 0
        if not pid:
            return None
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def _close_input(self) -> None:
        os.close(self._stdin)
        self._stdin = -1

    def _close(self) -> None:
        ends = (self._stdin, self._stdout, self._stderr)
        self._stdin = self._stdout = self._stderr = -1
        for end in ends:
            if end >= 0:
                os.close(end)


def _run_portably(
    command: Sequence[str], env: Mapping[str, str], given: bytes, until: float
) -> Finished:
    import subprocess

    left = until - time.monotonic()
    try:
        done = subprocess.run(command, env=env, input=given, capture_output=True, timeout=left)
    except subprocess.TimeoutExpired:
        raise TimeIsUpError from None
    return Finished(done.returncode, done.stdout, done.stderr)


class _Portable:
    """A process of `subprocess`, killed by a timer where one question takes too long."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        import subprocess

        self.until = 0.0
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, env=env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )

    def write(self, data: bytes) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(data)
        stdin.flush()

    def readline(self) -> bytes:
        return self._bounded(lambda stdout: stdout.readline())

    def read(self, size: int) -> bytes:
        return self._bounded(lambda stdout: stdout.read(size))

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _bounded(self, action: Callable[[IO[bytes]], bytes]) -> bytes:
        import threading

        over = threading.Event()

        def end() -> None:
            over.set()
            self._process.kill()

        timer = threading.Timer(max(self.until - time.monotonic(), 0), end)
        timer.daemon = True
        timer.start()
        stdout = self._process.stdout
        assert stdout is not None
        try:
            return action(stdout)
        finally:
            timer.cancel()
            if over.is_set():
                raise TimeIsUpError
