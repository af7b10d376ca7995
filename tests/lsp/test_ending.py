"""How the server ends, and what it survives."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import after, editor, neovim_0_7, neovim_0_11, until, vs_code
from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from wire import Wire, bare_server

PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill stands at the mouth of the river."
FALSE = f"It says “{SENTENCE.replace('stands', 'stood')}” ([mills]({PAGE}))."

# Stands in for a defect of the engine: one that has come with a text that it cannot take.
DEFECTIVE = """
import sys
from tracecite_lint.cli import main
from tracecite_lsp import looking

read, read_again = looking.read, looking.read_again

def read_document(path, text, *, eager=False):
    if "PRIVATE" in text:
        raise ValueError(text)
    return read(path, text, eager=eager)

def read_document_again(before, text):
    if "PRIVATE" in text:
        raise ValueError(text)
    return read_again(before, text)

looking.read, looking.read_again = read_document, read_document_again
sys.exit(main(["server"]))
"""

DEFECTIVE_HOVER = """
import sys
from tracecite_lint.engine.check import Check
from tracecite_lint.cli import main

def elsewhere(self, job, citation):
    raise ValueError("PRIVATE")

Check.elsewhere = elsewhere
sys.exit(main(["server"]))
"""


@asynccontextmanager
async def in_the_middle_of_a_fetch(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
) -> AsyncIterator[Wire]:
    """Give a server that waits for a page that takes two minutes."""
    loopback.script(PAGE, after(120, b""))
    async with bare_server(folder) as wire:
        await wire.initialize(folder, **reach)
        await wire.open((folder / "report.md").as_uri(), FALSE)
        await until(loopback.urls)
        yield wire


async def test_shutdown_and_exit_end_the_process_in_the_middle_of_a_fetch(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    async with in_the_middle_of_a_fetch(folder, loopback, reach) as wire:
        await wire.send("shutdown", None, id=2)
        assert await wire.answer(2) == {"id": 2, "jsonrpc": "2.0", "result": None}
        await wire.send("exit", None)
        assert await wire.ended() == 0


async def test_exit_without_shutdown_is_a_failure(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    async with in_the_middle_of_a_fetch(folder, loopback, reach) as wire:
        await wire.send("exit", None)
        assert await wire.ended() == 1


async def test_a_closed_stdin_ends_the_process(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    async with in_the_middle_of_a_fetch(folder, loopback, reach) as wire:
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert await wire.ended() == 1


async def test_a_stdin_closed_in_the_middle_of_a_message_ends_the_process(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    async with in_the_middle_of_a_fetch(folder, loopback, reach) as wire:
        assert wire.process.stdin is not None
        wire.process.stdin.write(b'Content-Length: 1000\r\n\r\n{"jsonrpc":')
        wire.process.stdin.close()
        assert await wire.ended() == 1


async def test_what_an_ended_server_was_fetching_is_free_for_others(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    """Another process does not wait for the lease of one that is gone."""
    async with in_the_middle_of_a_fetch(folder, loopback, reach) as wire:
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        await wire.ended()
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        start = asyncio.get_running_loop().time()
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        # A lease lasts 15 seconds: this tells whether it was waited for, not how fast things are.
        assert asyncio.get_running_loop().time() - start < 14


async def test_messages_that_are_none_are_survived(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    initialize = b'{"jsonrpc":"2.0","id":7,"method":"initialize","params":3}'
    async with in_the_middle_of_a_fetch(folder, loopback, reach) as wire:
        assert wire.process.stdin is not None
        for body in (b"{", b"[]", b'"x"', b"\xff", initialize):
            wire.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        await wire.send("shutdown", None, id=2)
        assert (await wire.answer(2))["result"] is None


async def test_a_crash_over_one_document_is_told_once_and_the_server_lives(
    capabilities: types.ClientCapabilities,
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
):
    loopback.page(PAGE, SENTENCE)
    good, bad = (folder / "good.md").as_uri(), (folder / "bad.md").as_uri()
    async with editor(
        capabilities, folder=folder, settings=reach, command=[sys.executable, "-c", DEFECTIVE]
    ) as ed:
        ed.open(bad, f"{FALSE} PRIVATE\n")
        ed.open(good, f"{FALSE}\n")
        await ed.marks(good, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        for _ in range(3):
            ed.type(bad, 0, 0, "x")
            await ed.marks(bad, [])
        (said,) = ed.client.messages
        assert "bad.md" in said.message
        assert "ValueError" in said.message
        # Behind the line that every log begins with.
        logged = [item.message for item in ed.client.log_messages[1:]]
        assert logged
        assert all("read_document" in message for message in logged)
        assert "PRIVATE" not in said.message + "".join(logged)
        version = ed.change(bad, f"{FALSE}\n")
        await ed.marks(bad, ["QUOTE_NOT_IN_LIVE_SOURCE"], version=version)


async def test_a_crash_over_a_request_is_answered_without_the_words_of_the_error(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    hover = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 12))
    command = [sys.executable, "-c", DEFECTIVE_HOVER]
    async with editor(neovim_0_11(), folder=folder, settings=reach, command=command) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        with pytest.raises(JsonRpcInternalError) as error:
            await ed.client.text_document_hover_async(hover)
        said = [item.message for item in (*ed.client.messages, *ed.client.log_messages)]
        assert len(said) == 3  # the log begins with a line of its own
        assert "PRIVATE" not in f"{error.value} {error.value.data} {said}"
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])


async def test_unknown_documents_and_requests_are_answered(folder: Path, reach: dict[str, Any]):
    uri = (folder / "never-opened.md").as_uri()
    identifier = types.TextDocumentIdentifier(uri=uri)
    start = types.Position(0, 0)
    async with editor(vs_code(), folder=folder, settings=reach) as ed:
        assert not (await ed.pull(uri)).items
        ed.save(uri)
        ed.close(uri)
        hover = types.HoverParams(text_document=identifier, position=start)
        assert await ed.client.text_document_hover_async(hover) is None
        await ed.command("tracecite.check", uri)
        await ed.command("tracecite.refetch", uri, PAGE)
        await ed.command("tracecite.fixAll", uri)
        await ed.command("tracecite.open", "javascript:alert(1)")
        assert ed.client.shown_documents == []
        assert ed.client.messages == []
