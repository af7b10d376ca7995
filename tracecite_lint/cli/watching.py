"""`--watch`: the check again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tracecite_lint.cli.options import UsageError
from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.files.chosen import is_unfinished
from tracecite_lint.output.terminal import printable_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from watchfiles import Change

_CLEAR = "\x1b[2J\x1b[H"


def watched(
    args: argparse.Namespace,
    run: Callable[[argparse.Namespace], int],
    paths: Sequence[Path],
    written: Sequence[Path],
) -> int:
    """Call *run* now and whenever something at *paths* (absolute) changes but for the files that it has *written*.

    Raises UsageError without the extra, and what the first run raises; later runs say it and are repeated. It ends by
    KeyboardInterrupt alone.
    """
    try:
        from watchfiles import DefaultFilter, watch
    except ImportError:
        raise UsageError(
            "--watch needs the extra `watch`: pip install '.[watch]' in a clone of tracecite-lint"
        ) from None
    ours = frozenset(path.resolve() for path in written)

    class Others(DefaultFilter):
        """Leaves out what tools and editors keep to themselves (git's directories, swap files), and our own reports."""

        def __call__(self, change: Change, path: str) -> bool:
            place = Path(path)
            is_ours = is_unfinished(place.name) or place.resolve() in ours
            return super().__call__(change, path) and not is_ours

    _say(run, args, first=True)
    # Sources and settings count as well as documents. What changes while a check runs is waited for right after it.
    for _ in watch(*paths, watch_filter=Others(), raise_interrupt=True):
        args.started = time.monotonic()
        _say(run, args, first=False)
    raise AssertionError("nothing ends the watch but an interrupt")


def _say(
    run: Callable[[argparse.Namespace], int], args: argparse.Namespace, *, first: bool
) -> None:
    if sys.stdout.isatty() and not args.quiet:
        sys.stdout.write(_CLEAR)
    try:
        run(args)
    except TraceciteLintError as error:
        if first:
            raise
        # A settings file that is being edited, say.
        print(f"tracecite-lint: error: {printable_lines(str(error))}", file=sys.stderr)
    sys.stdout.flush()
    if not args.quiet:
        print("watching for changes; Ctrl-C ends it", file=sys.stderr, flush=True)
