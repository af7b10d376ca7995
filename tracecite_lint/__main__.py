"""Where the program starts: it answers Ctrl-C before anything else is imported, and after everything is done."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # as type checkers know it; `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit status; Ctrl-C ends it with 130 and one line, whenever it comes."""
    try:
        _end_when_interrupted()
        # Modules and documents are large trees: to look for garbage more often takes a third of the time of a sweep.
        gc.set_threshold(50_000)
        from tracecite_lint.cli import main as run

        return run()
    except KeyboardInterrupt:
        end()


def program() -> int:
    """Run the command line as the whole of this process: it ends here, or returns the exit status where more is to end."""
    status = main()
    if _nothing_is_left():
        # Not by `sys.exit`: to take every module and document apart, for no other run, is an eighth of a commit.
        os._exit(status)
    return status


def _nothing_is_left() -> bool:
    """Tell whether all that was printed is written and nothing waits for the interpreter's own end, as threads do."""
    # Whoever has something to do at the end has imported one of these: `atexit.register` and `Thread` are in them.
    if {"atexit", "threading"} & sys.modules.keys():
        return False
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return False
    return True


def end(*_: object) -> NoReturn:
    """End the process as one that was interrupted. A handler of SIGINT."""
    # Not through `sys`: the signal may come in the middle of a write.
    try:
        os.write(2, b"tracecite-lint: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


class interruptible:  # noqa: N801 - contextlib takes longer to import too
    """Lets Ctrl-C raise KeyboardInterrupt in its block, in a process that it ends at once otherwise."""

    def __enter__(self) -> None:
        import signal

        self._ours = signal.getsignal(signal.SIGINT) is end
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *_: object) -> None:
        import signal

        if self._ours:
            signal.signal(signal.SIGINT, end)


def _end_when_interrupted() -> None:
    import signal

    # A process that was started to ignore it (`nohup`, `&` in a script) goes on ignoring it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)
        sys.unraisablehook = _unraisable


def _unraisable(failure: sys.UnraisableHookArgs) -> None:
    """Take a KeyboardInterrupt that came where nothing can be raised, as in a destructor, for what it is."""
    if failure.exc_type is KeyboardInterrupt:
        end()
    sys.__unraisablehook__(failure)


if __name__ == "__main__":
    # The functions of the module and not those of this copy of it: signal handlers are compared.
    try:
        from tracecite_lint.__main__ import program as run
    except KeyboardInterrupt:
        end()
    sys.exit(run())
