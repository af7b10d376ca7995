"""One line on stderr while pages are fetched: written by hand, as a progress library takes longer to import than a warm run."""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from tracecite_lint.sources.policy import WebSource

_BAR = 24
_REDRAW_SECONDS = 0.1
_RATE_SECONDS = 2.0
"""How long pages are counted before a rate is told: the first ones say little."""


def progress_of(args: argparse.Namespace) -> Progress:
    """Return the progress that the parsed options ask for: -q wants none either."""
    return Progress(wanted=not args.no_progress and not getattr(args, "quiet", 0))


class Progress:
    """Counts pages on a terminal; silent anywhere else, under CI and under pre-commit, and where it is not wanted."""

    def __init__(self, *, wanted: bool) -> None:
        self._shown = (
            wanted
            and sys.stderr.isatty()
            and not os.environ.get("CI")
            and not os.environ.get("PRE_COMMIT")
            and os.environ.get("TERM") != "dumb"
        )
        self._total = 0
        self._done = 0
        self._began = self._drawn = 0.0

    def start(self, total: int) -> None:
        """Begin to wait for *total* pages."""
        self._total = total
        self._began = time.monotonic()
        self._write()

    def page(self, source: WebSource) -> None:
        """Count *source* as there."""
        self._done += 1
        # Thousands of pages may come in a second, and a terminal is slow.
        if self._done == self._total or time.monotonic() - self._drawn >= _REDRAW_SECONDS:
            self._write()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown and self._total:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _write(self) -> None:
        if not self._shown:
            return
        self._drawn = time.monotonic()
        line = progress_line(self._done, self._total, self._drawn - self._began)
        # A line that wraps could not be taken away again.
        width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
        sys.stderr.write(f"\r\x1b[K{line[:width]}")
        sys.stderr.flush()


def progress_line(done: int, total: int, seconds: float) -> str:
    """Return the bar after *seconds*, with the rate and the time that is left once these can be told."""
    filled = _BAR * done // total if total else _BAR
    line = f"{'█' * filled}{'░' * (_BAR - filled)} {done:,} of {total:,} pages"
    if not done or done == total or seconds < _RATE_SECONDS:
        return line
    rate = done / seconds
    each = f"{rate:.0f} a second" if rate >= 1 else f"{1 / rate:.0f} s a page"
    return f"{line}, {each}, {_duration((total - done) / rate)} left"


def _duration(seconds: float) -> str:
    """Return *seconds* as `7 s`, `2 min 10 s` or `1 h 5 min`."""
    whole = max(round(seconds), 1)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
