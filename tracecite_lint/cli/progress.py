"""One line on stderr while pages are fetched: written by hand, as a progress library takes longer to import than a warm run."""

from __future__ import annotations

import os
import sys

from tracecite_lint.sources.policy import WebSource


class Progress:
    """Counts pages on a terminal; silent anywhere else, under CI and under pre-commit."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = (
            not quiet
            and sys.stderr.isatty()
            and not os.environ.get("CI")
            and not os.environ.get("PRE_COMMIT")
            and os.environ.get("TERM") != "dumb"
        )
        self._total = 0
        self._done = 0

    def start(self, total: int) -> None:
        """Begin to wait for *total* pages."""
        self._total = total
        self._write()

    def page(self, source: WebSource) -> None:
        """Count *source* as there."""
        self._done += 1
        self._write()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown and self._total:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _write(self) -> None:
        if self._shown:
            sys.stderr.write(f"\r\x1b[Kfetching pages: {self._done} of {self._total}")
            sys.stderr.flush()
