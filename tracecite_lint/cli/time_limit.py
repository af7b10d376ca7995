"""The end of a command's time: whatever it is at, `--max-time` ends it as Ctrl-C would.

What can end by itself does so, and says what it has not checked: sources, documents, git, PDFs each look at the deadline.
For all else (a pipe that never ends, a log of gigabytes) there is this alarm.
"""

from __future__ import annotations

import _thread
import argparse
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tracecite_lint.cli.options import add_setting, settings_from
from tracecite_lint.settings import OPTIONS
from tracecite_lint.sources.deadline import Deadline

TO_SPARE = 5.0
"""Seconds after the deadline in which a check may end by itself: as many as the costliest document takes."""

if sys.platform == "win32":
    _SIGNAL = signal.SIGBREAK
else:
    _SIGNAL = signal.SIGALRM


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
    if deadline.at is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    running = True

    def ring(*_: object) -> None:
        if running:
            raise OutOfTime

    before = signal.signal(_SIGNAL, ring)
    alarm = threading.Timer(max(deadline.at + to_spare - time.monotonic(), 0.0), _interrupt)
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        running = False
        alarm.cancel()
        alarm.join()
        signal.signal(_SIGNAL, before)


def is_out_of_time(stop: BaseException) -> bool:
    """Tell whether an interrupt, or what led to it, is that of `ended_at`."""
    return isinstance(stop, OutOfTime) or isinstance(stop.__cause__, OutOfTime)


def _interrupt() -> None:
    if sys.platform == "win32":
        _thread.interrupt_main(_SIGNAL)
    else:  # which also ends a system call that waits
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, _SIGNAL)
