"""The bare streams of a server: what is asserted of them should not go through a client's habits."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsp_editor import PATIENCE, SERVER


def framed(body: bytes) -> bytes:
    """Return *body* behind the header that belongs to it."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def call(method: str, params: Any = None, *, id: Any = None) -> bytes:
    """Return the body of a request, or without *id* of a notification."""
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if id is not None:
        message["id"] = id
    return json.dumps(message).encode()


class Wire:
    """One server process and its streams."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.received: list[dict[str, Any]] = []
        """All messages so far."""

    async def write(self, data: bytes) -> None:
        """Send *data* as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        await self.process.stdin.drain()

    async def send(self, method: str, params: Any, *, id: int | None = None) -> None:
        """Send a request, or without *id* a notification."""
        await self.write(framed(call(method, params, id=id)))

    async def message(self) -> dict[str, Any]:
        """Return the next message of the server."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            length = 0
            while line := (await self.process.stdout.readline()).strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            body = await self.process.stdout.readexactly(length)
        message: dict[str, Any] = json.loads(body)
        self.received.append(message)
        return message

    async def answer(self, id: Any) -> dict[str, Any]:
        """Return the answer to the request *id*; other messages are passed over."""
        while True:
            message = await self.message()
            if message.get("id") == id and "method" not in message:
                return message

    async def ask(self, method: str, params: Any, *, id: int) -> dict[str, Any]:
        """Send a request and return its answer."""
        await self.send(method, params, id=id)
        return await self.answer(id)

    async def initialize(self, folder: Path, **options: Any) -> None:
        """Go through the handshake."""
        params = {"capabilities": {}, "processId": None, "rootUri": folder.as_uri()}
        await self.ask("initialize", params | {"initializationOptions": options}, id=1)
        await self.send("initialized", {})

    async def open(self, uri: str, text: str) -> None:
        """Open a Markdown document."""
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        await self.send("textDocument/didOpen", {"textDocument": item})

    async def marks(self, uri: str, codes: Sequence[str], *, version: int) -> list[dict[str, Any]]:
        """Return the diagnostics of *uri* once they were published for *version* with *codes*."""
        while True:
            message = await self.message()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            params = message["params"]
            found: list[dict[str, Any]] = params["diagnostics"]
            seen = (params["uri"], params["version"], [item["code"] for item in found])
            if seen == (uri, version, list(codes)):
                return found

    async def ended(self) -> int:
        """Return the exit status, once the process has ended."""
        async with asyncio.timeout(PATIENCE):
            await self.process.wait()
        assert self.process.returncode is not None
        return self.process.returncode


@asynccontextmanager
async def bare_server(folder: Path) -> AsyncIterator[Wire]:
    """Start a server that nothing has been said to."""
    process = await asyncio.create_subprocess_exec(
        *SERVER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=folder,
        env=dict(os.environ),
        limit=2**26,
    )
    try:
        yield Wire(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        process._transport.close()  # type: ignore[attr-defined]
