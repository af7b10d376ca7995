"""The end of a command's time: whatever it is at, `--max-time` ends it as Ctrl-C would.

What can end by itself does so, and says what it has not checked: sources, documents, git, PDFs each look at the deadline.
For all else (a pipe that never ends, a log of gigabytes) there is this alarm.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tracecite_lint.cli.options import add_setting, settings_from
from tracecite_lint.settings import OPTIONS
from tracecite_lint.sources.deadline import Deadline

TO_SPARE = 5.0
"""Seconds after the deadline in which a check may end by itself: as many as the costliest document takes."""


class OutOfTime(KeyboardInterrupt):
    """The time was up in the middle of something; raised in the main thread between any two of its steps."""


def add_time_option(parser: argparse.ArgumentParser) -> None:
    """Add --max-time to a command that reaches no source."""
    (option,) = (option for option in OPTIONS if option.name == "max_time")
    add_setting(parser, option)


@contextmanager
def limited(args: argparse.Namespace, *, to_spare: float = 0.0) -> Iterator[None]:
    """End the block when the time is up that the settings give under the parsed options. Raises OutOfTime."""
    deadline = Deadline.after(settings_from(args).max_time, started=args.started)
    with ended_at(deadline, to_spare=to_spare):
        yield


@contextmanager
def ended_at(deadline: Deadline, *, to_spare: float = 0.0) -> Iterator[None]:
    """Raise OutOfTime in the block if it still runs *to_spare* seconds after *deadline*.

    Only the main thread can be interrupted so: in another one nothing is. On Windows a system call is not interrupted.
    """
    if deadline.at is None or not _is_main_thread():
        yield
        return
    running = True

    def ring(*_: object) -> None:
        if running:
            raise OutOfTime

    # Not 0, which would be no alarm at all.
    with _alarm(ring, max(deadline.at + to_spare - time.monotonic(), 0.001)):
        try:
            yield
        finally:
            running = False


def is_out_of_time(stop: BaseException) -> bool:
    """Tell whether an interrupt, or what led to it, is that of `ended_at`."""
    return isinstance(stop, OutOfTime) or isinstance(stop.__cause__, OutOfTime)


def _is_main_thread() -> bool:
    """Tell whether this is the main thread; without `threading`, which a process without others does not need."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


if sys.platform == "win32":

    @contextmanager
    def _alarm(ring: Callable[..., None], seconds: float) -> Iterator[None]:
        """Call *ring* in the main thread after *seconds*, unless the block has ended."""
        import _thread
        import threading

        before = signal.signal(signal.SIGBREAK, ring)
        alarm = threading.Timer(seconds, _thread.interrupt_main, (signal.SIGBREAK,))
        alarm.daemon = True
        alarm.start()
        try:
            yield
        finally:
            alarm.cancel()
            alarm.join()
            signal.signal(signal.SIGBREAK, before)

else:

    @contextmanager
    def _alarm(ring: Callable[..., None], seconds: float) -> Iterator[None]:
        """Call *ring* after *seconds*, unless the block has ended: a system call that waits is ended by it too."""
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
