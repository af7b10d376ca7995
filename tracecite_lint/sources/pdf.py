"""The text of a PDF, read in a process of its own: a crash or a hang of the PDF library must not take the run down."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from importlib.util import find_spec

from tracecite_lint.sources.deadline import CODE as OUT_OF_TIME
from tracecite_lint.sources.deadline import NO_DEADLINE, Deadline
from tracecite_lint.sources.errors import SourceError

MAX_SECONDS = 20.0
"""Of real time, for one PDF."""
_OUT_OF_TIME = {
    int(getattr(signal, name))
    for name in ("SIGALRM", "SIGXCPU", "SIGKILL")
    if hasattr(signal, name)
}
"""How a process ends that takes more time than it may."""


def pdf_text(body: bytes, deadline: Deadline = NO_DEADLINE) -> tuple[str, tuple[int, ...]]:
    """Return the text of a PDF in reading order, and the offset in it at which each page begins.

    Raises SourceError: UNSUPPORTED_CONTENT_TYPE without the `pdf` extra or for a damaged file, SOURCE_BLOCKED for an
    encrypted one, SOURCE_TOO_LARGE for one that takes too long or holds too much, NOT_CHECKED_TIME_BUDGET where *deadline*
    came first.
    """
    if find_spec("pypdfium2") is None:
        raise SourceError(
            "UNSUPPORTED_CONTENT_TYPE",
            "the source is a PDF, and PDFs are only read with the pdf extra",
            help="install it: pip install '.[pdf]' in a clone of tracecite-lint",
        )
    # -P: nothing is imported from the working directory, which may be anybody's repository.
    command = [sys.executable, "-P", "-m", "tracecite_lint.sources.pdf_reader"]
    seconds = deadline.within(MAX_SECONDS)
    if seconds <= 0:
        raise _out_of_time()
    try:
        answer = subprocess.run(
            [*command, f"{seconds:.6f}"],
            input=body,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise _took_too_long(deadline) from None
    # A negative status is the number of the signal that ended the process (POSIX).
    if -answer.returncode in _OUT_OF_TIME:
        raise _took_too_long(deadline)
    if answer.returncode == -signal.SIGABRT:
        raise _too_large("the PDF library broke off, as it does where it may have no more memory")
    if answer.returncode != 0:
        raise _damaged("the PDF is damaged: the PDF library broke off")
    # Words only: nothing that PDFium made of a hostile file is unpickled or run here.
    result = json.loads(answer.stdout)
    match result.get("error"):
        case None:
            return result["text"], tuple(result["pages"])
        case "password":
            raise SourceError(
                "SOURCE_BLOCKED",
                "the PDF asks for a password",
                help="cite a copy that is open to all",
            )
        case "size":
            raise _too_large("the PDF holds more text than is read")
        case "pages":
            raise _too_large("the PDF has more pages than are read")
        case "memory":
            raise _too_large("the PDF asks for more memory than it may have")
        case error:
            raise _damaged(f"the PDF is damaged: {error}")


def _took_too_long(deadline: Deadline) -> SourceError:
    return _out_of_time() if deadline.is_over() else _too_large("the PDF takes too long to read")


def _out_of_time() -> SourceError:
    message = "the PDF was not read before the time of the run was up"
    return SourceError(OUT_OF_TIME, message, help="run again, or raise --max-time")


def _damaged(message: str) -> SourceError:
    return SourceError("UNSUPPORTED_CONTENT_TYPE", message, help="cite another copy")


def _too_large(message: str) -> SourceError:
    return SourceError("SOURCE_TOO_LARGE", message, help="cite a smaller copy, or a page of text")
