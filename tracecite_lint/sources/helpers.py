"""Processes that help to read pages: where many pages come in, their extraction is shared by all processors.

A page is hostile input, and so is what comes back of it: a process that dies or takes too long over a page fails that page
alone, and what it answers is read with every field checked. A helper ends with its standard input, so none outlives a run.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import IO

from tracecite_lint.sources.errors import SourceError, is_fetch_code
from tracecite_lint.sources.extract import Extracted
from tracecite_lint.sources.page import is_header_value
from tracecite_lint.sources.refresh import Refresh
from tracecite_lint.sources.threads import in_thread

WORTH_HELPERS = 24
"""Pages that a run has to fetch from which on helpers are started: a commit has fewer."""

SECONDS = 60.0
"""Of real time, for one page."""

MAX_MEMORY = 1024 * 1024 * 1024
"""Bytes of address space of a helper (Linux)."""

_LARGEST_PART = 256 * 1024 * 1024
_SIZES = struct.Struct(">III")

Quoted = Sequence[Sequence[str]]
"""The passages of the quotations that are looked for in a page."""

Parts = tuple[bytes, bytes, bytes]


class Helpers:
    """Helpers of one event loop, each started when there is work for it."""

    def __init__(self, module: str, count: int | None = None) -> None:
        """Use *count* processes (None: as many as there are processors), each running *module*, which calls `serve`."""
        self._module = module
        self._places = asyncio.Semaphore(count or os.cpu_count() or 1)
        self._idle: list[subprocess.Popen[bytes]] = []

    async def read(
        self, body: bytes, content_type: str | None, url: str, quoted: Quoted
    ) -> tuple[Extracted, bytes]:
        """Return what `extract` gives, and the text made ready for matching if *quoted* takes that. Raises SourceError."""
        request = json.dumps([content_type, url]).encode(), body, json.dumps(quoted).encode()
        async with self._places:
            found = await self._found(request)
        if isinstance(found, SourceError):
            raise found
        return found

    def close(self) -> None:
        """End all helpers that have nothing to do; one at work is ended with its page."""
        while self._idle:
            _end(self._idle.pop())

    async def _found(self, request: Parts) -> tuple[Extracted, bytes] | SourceError:
        process = self._idle.pop() if self._idle else self._start()
        try:
            async with asyncio.timeout(SECONDS):
                answer = await in_thread(lambda: _exchange(process, request))
            found = _read(answer)
        except TimeoutError:
            _end(process)
            return _failure(f"took longer than {SECONDS:g} s")
        except (OSError, EOFError, ValueError, TypeError, RecursionError):
            _end(process)  # whatever else it wrote belongs to no page
            return _failure("broke off")
        except BaseException:  # the run was interrupted, or its time is up
            _end(process)
            raise
        self._idle.append(process)
        return found

    def _start(self) -> subprocess.Popen[bytes]:
        # -P: nothing is imported from the working directory, which may be anybody's repository.
        return subprocess.Popen(
            [sys.executable, "-P", "-m", self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


def serve(read: Callable[[bytes, str | None, str, Quoted], tuple[Extracted, bytes]]) -> int:
    """Answer requests on standard input by *read* until there are no more: the main function of a helper."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which ends its helpers
    _limit_memory()
    while (request := _receive(sys.stdin.buffer)) is not None:
        head, body, quoted = request
        content_type, url = json.loads(head)
        try:
            extracted, prepared = read(body, content_type, url, json.loads(quoted))
        except SourceError as error:
            said = json.dumps({"error": [error.code, error.message, error.help]})
            _send(sys.stdout.buffer, (said.encode(), b"", b""))
            continue
        onward = extracted.leads_on and [extracted.leads_on.seconds, extracted.leads_on.url]
        said = json.dumps({"content_type": extracted.content_type, "leads_on": onward})
        _send(sys.stdout.buffer, (said.encode(), extracted.text.encode(), prepared))
    return 0


def _read(answer: Parts) -> tuple[Extracted, bytes] | SourceError:
    """Read what a helper answered. Raises ValueError, TypeError or RecursionError for what `serve` does not write."""
    said = json.loads(answer[0])
    if not isinstance(said, dict):
        raise ValueError("an answer is an object")
    if "error" in said:
        code, message, help = said["error"]
        if not all(isinstance(text, str) and text.isprintable() for text in (code, message, help)):
            raise ValueError("an error is said in texts of one line")
        if not is_fetch_code(code):
            raise ValueError("no page ends in this error")
        return SourceError(code, message, help=help)
    content_type, onward = said.get("content_type"), said.get("leads_on")
    if content_type and not is_header_value(content_type):
        raise ValueError("a content type is a header's value")
    leads_on = None
    if onward is not None:
        seconds, url = onward
        if type(seconds) is not int or not isinstance(url, str):
            raise ValueError("a page leads on to an address after some seconds")
        leads_on = Refresh(seconds, url)
    return Extracted(str(answer[1], "utf-8"), content_type or "", leads_on=leads_on), answer[2]


def _exchange(process: subprocess.Popen[bytes], request: Parts) -> Parts:
    assert process.stdin is not None
    assert process.stdout is not None
    _send(process.stdin, request)
    answer = _receive(process.stdout)
    if answer is None:
        raise EOFError
    return answer


def _send(stream: IO[bytes], parts: Parts) -> None:
    stream.write(b"".join((_SIZES.pack(*map(len, parts)), *parts)))
    stream.flush()


def _receive(stream: IO[bytes]) -> Parts | None:
    """Return the next three parts of *stream*, None at its end; raises EOFError within them, ValueError for sizes no one sends."""
    head = stream.read(_SIZES.size)
    if not head:
        return None
    if len(head) < _SIZES.size:
        raise EOFError
    sizes = _SIZES.unpack(head)
    if max(sizes) > _LARGEST_PART:
        raise ValueError("a part is too large")
    first, second, third = (stream.read(size) for size in sizes)
    if (len(first), len(second), len(third)) != sizes:
        raise EOFError
    return first, second, third


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:  # what was still to be written to it
                continue


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _failure(what: str) -> SourceError:
    return SourceError(
        "HTML_PARSE_FAILED",
        f"the page could not be read: the process that read it {what}",
        help="cite another page that holds the words",
    )
