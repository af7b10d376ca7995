"""A loopback server of the pages of `benchmarks.survey`, whatever the host is called.

    python -m benchmarks.web [--pages N] [--size CHARACTERS] [--quotes N]

Prints its port, and serves until its standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from benchmarks import survey


class _Connection(asyncio.Protocol):
    """An HTTP/1.1 connection that stays open; pages are made when they are first asked for."""

    def __init__(self, pages: dict[int, bytes], size: int, quotes: int) -> None:
        self._pages, self._size, self._quotes = pages, size, quotes
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._rest += data
        while b"\r\n\r\n" in self._rest:
            head, _, self._rest = self._rest.partition(b"\r\n\r\n")
            self._transport.write(self._answer(head.split(b" ", 2)[1]))

    def _answer(self, path: bytes) -> bytes:
        name = path.rpartition(b"/")[2]
        if not name.isdigit():
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        page = int(name)
        if page not in self._pages:
            body = survey.html(page, self._size, self._quotes)
            head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
            self._pages[page] = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        return self._pages[page]


async def serve(pages: int, size: int, quotes: int) -> None:
    """Serve on a free port, with *pages* made beforehand, until standard input ends."""
    made: dict[int, bytes] = {}
    ready = _Connection(made, size, quotes)
    for page in range(pages):
        ready._answer(b"/%d" % page)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(made, size, quotes), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--quotes", type=int, default=12)
    args = parser.parse_args()
    asyncio.run(serve(args.pages, args.size, args.quotes))


if __name__ == "__main__":
    main()
