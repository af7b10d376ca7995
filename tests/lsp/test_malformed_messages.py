"""What is no message gets its error or is passed over, and the next message is answered: bytes to a real server."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from wire import Wire, bare_server, call, framed

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002

MIB = 2**20
SENTENCE = "The old mill stands at the mouth of the river."
FALSE = f"It says “{SENTENCE.replace('stands', 'stood')}” ([mills](mills.txt)).\n"
BODY = call("tracecite/unknown", {}, id="spelled")


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[tuple[Wire, str]]:
    """Give a server with one open document, which misquotes its source, and the URI of that."""
    (folder / "mills.txt").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with bare_server(folder) as wire:
        await wire.initialize(folder)
        await wire.open(uri, FALSE)
        await wire.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=1)
        yield wire, uri


def position(uri: str, line: int = 0, character: int = 12) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


async def still_hovers(wire: Wire, uri: str) -> bool:
    """Tell whether the next request is answered as ever."""
    number = len(wire.received) + 1000
    answer = await wire.ask("textDocument/hover", position(uri), id=number)
    return "Not in the source" in answer["result"]["contents"]["value"]


def errors(wire: Wire, since: int = 0) -> list[tuple[Any, int]]:
    """Return id and code of the errors that the server has answered with."""
    return [
        (item["id"], item["error"]["code"]) for item in wire.received[since:] if "error" in item
    ]


def size() -> bytes:
    return b"%d" % len(BODY)


SPELLINGS = [
    b"content-length: " + size() + b"\r\n\r\n",
    b"CONTENT-LENGTH: " + size() + b"\r\n\r\n",
    b"Content-Length:" + size() + b"\r\n\r\n",
    b"Content-Length:  " + size() + b"\r\n\r\n",
    b"Content-Length:\t" + size() + b" \r\n\r\n",
    b"Content-Length: 000" + size() + b"\r\n\r\n",
    b"Content-Length: " + size() + b"\n\n",
    b"Content-Length: " + size() + b"\n\r\n",
    b"\r\n\r\nContent-Length: " + size() + b"\r\n\r\n",
    b"Content-Length: " + size() + b"\r\nContent-Length: " + size() + b"\r\n\r\n",
    b"Content-Type: application/json; charset=utf-16\r\nContent-Length: " + size() + b"\r\n\r\n",
    b"Content-Length: " + size() + b"\r\ncontent-type:text/plain;charset=koi8-r\r\n\r\n",
    b"X-Other: " + 200_000 * b"x" + b"\r\nContent-Length: " + size() + b"\r\n\r\n",
    b"Content-Length: " + size() + b"\r\n" + 20_000 * b"X-Other: x\r\n" + b"\r\n",
]


async def test_every_spelling_of_a_header_is_read(folder: Path):
    async with server(folder) as (wire, uri):
        for header in SPELLINGS:
            await wire.write(header + BODY)
            answer = await wire.answer("spelled")
            assert answer["error"]["code"] == UNKNOWN_METHOD, header[:80]
        assert errors(wire) == [("spelled", UNKNOWN_METHOD)] * len(SPELLINGS)
        assert await still_hovers(wire, uri)


GARBAGE = {
    "letters": b"Content-Length: abc\r\n\r\n" + BODY,
    "negative": b"Content-Length: -5\r\n\r\n" + BODY,
    "nothing": b"Content-Length: \r\n\r\n" + BODY,
    "hexadecimal": b"Content-Length: 0x20\r\n\r\n" + BODY,
    "10 GB": b"Content-Length: 10000000000\r\n\r\n" + BODY,
    "more digits": b"Content-Length: " + 5000 * b"9" + b"\r\n\r\n" + BODY,
    "twice": b"Content-Length: 20\r\nContent-Length: 30\r\n\r\n" + BODY,
    "once legible": b"Content-Length: 20\r\nContent-Length: x\r\n\r\n" + BODY,
    "missing": b"Content-Type: application/json\r\n\r\n" + BODY,
    "no header": BODY,
    "no header, line end": BODY + b"\r\n",
    "carriage returns": b"Content-Length: " + size() + b"\r\r" + BODY,
    "a long line": 200_000 * b"x" + b"\r\n\r\n",
    "a long line of spaces": 200_000 * b" " + b"\r\n\r\n",
    "many lines": 50_000 * b"hello\r\n",
    "zeros": 300_000 * b"\0",
    "HTTP": b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "cut short": b"Content-Length: 100000000\r\n\r\n" + BODY,
    "ends in the next header": b"Content-Length: %d\r\n\r\n" % (len(BODY) + 9) + BODY,
    "empty": b"Content-Length: 0\r\n\r\n",
    "too short": b"Content-Length: 20\r\n\r\n" + BODY,
}


async def test_what_is_no_message_has_one_parse_error_and_the_next_is_answered(folder: Path):
    async with server(folder) as (wire, uri):
        for name, garbage in GARBAGE.items():
            since = len(wire.received)
            await wire.write(garbage)
            assert await still_hovers(wire, uri), name
            found = errors(wire, since)
            assert set(found) == {(None, PARSE_ERROR)}, name
            # A body that is cut leaves a rest, which is garbage too.
            assert len(found) <= 2, name


async def test_garbage_and_a_length_without_end_take_no_memory(folder: Path):
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")

    def peak(wire: Wire) -> int:
        status = Path(f"/proc/{wire.process.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024

    async with server(folder) as (wire, uri):
        before = peak(wire)
        await wire.write(b"Content-Length: 10000000000\r\n\r\n")
        for _ in range(32):
            await wire.write(MIB * b"x")
        await wire.write(b"X-Other: ")
        for _ in range(32):
            await wire.write(MIB * b"x")
        await wire.write(b"\r\n")
        for _ in range(4):
            await wire.write(100_000 * b"X-Other: x\r\n")
        assert await still_hovers(wire, uri)
        assert peak(wire) - before < 16 * MIB


def request(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


HOVER, SHOWN, LOGGED = "textDocument/hover", "window/showMessage", "window/logMessage"
REFUSED = [
    (b"{", None, PARSE_ERROR),
    (b"\xff", None, PARSE_ERROR),
    (b"\xef\xbb\xbf" + BODY, None, PARSE_ERROR),
    (BODY.decode().encode("utf-16"), None, PARSE_ERROR),
    (BODY[:-1] + b', "x": "\xc3"}', None, PARSE_ERROR),
    (100_000 * b"[", None, PARSE_ERROR),
    (100_000 * b'{"a":', None, PARSE_ERROR),
    (b'{"jsonrpc":"2.0","id":' + 5000 * b"9" + b"}", None, PARSE_ERROR),
    (b"[]", None, INVALID_REQUEST),
    (b"[" + BODY + b"]", None, INVALID_REQUEST),
    (b'"x"', None, INVALID_REQUEST),
    (b"null", None, INVALID_REQUEST),
    (b"{}", None, INVALID_REQUEST),
    (BODY.replace(b"2.0", b"1.0"), None, INVALID_REQUEST),
    (request(), None, INVALID_REQUEST),
    (request(id=5), None, INVALID_REQUEST),
    (request(id=[5], result=None), None, INVALID_REQUEST),
    (request(result=None), None, INVALID_REQUEST),
    (request(id=5, method=3), None, INVALID_REQUEST),
    (request(id=5, method=None), None, INVALID_REQUEST),
    *((request(id=id, method=HOVER), None, INVALID_REQUEST) for id in (None, True, 1.5, [], {})),
    (request(id=5, method="initialized", params={}), 5, INVALID_REQUEST),
    (request(id=5, method="exit"), 5, INVALID_REQUEST),
    (request(id=5, method="tracecite/unknown"), 5, UNKNOWN_METHOD),
    (request(id="x", method="", params=[]), "x", UNKNOWN_METHOD),
    (request(id=5, method=HOVER), 5, INVALID_PARAMS),
    (request(id=5, method=HOVER, params=3), 5, INVALID_PARAMS),
    (request(id=5, method=HOVER, params={"textDocument": {"uri": 3}}), 5, INVALID_PARAMS),
    (request(id=5, method=HOVER, params=position("file:///a", -1)), 5, INVALID_PARAMS),
    (request(id=5, method=HOVER, params=position("file:///a", 2**40)), 5, INVALID_PARAMS),
    (request(id=5, method="workspace/executeCommand", params={"command": "x"}), 5, INVALID_PARAMS),
]


async def test_a_message_that_cannot_be_handled_has_its_error(folder: Path):
    async with server(folder) as (wire, uri):
        for body, id, code in REFUSED:
            since = len(wire.received)
            await wire.write(framed(body))
            assert await still_hovers(wire, uri), body[:80]
            assert errors(wire, since) == [(id, code)], body[:80]


PASSED_OVER = [
    request(id="unknown", result=None),
    request(id="unknown", error={"code": 1, "message": "x"}),
    request(id=7, error=3),
    request(method="tracecite/unknown"),
    request(method="$/unknown", params=3),
    request(method=HOVER, params=position("file:///a")),
    request(method="initialize", params={"capabilities": {}}),
    request(method="textDocument/didOpen"),
    request(method="textDocument/didOpen", params=3),
    request(method="textDocument/didOpen", params={"textDocument": {"uri": 3}}),
    request(method="textDocument/didChange", params={"textDocument": 3, "contentChanges": {}}),
    request(method="textDocument/didSave", params={"textDocument": {"uri": "file:///never"}}),
    request(method="textDocument/didClose", params={"textDocument": {"uri": "::"}}),
    request(method="workspace/didChangeConfiguration", params={"settings": 3}),
    request(method="workspace/didChangeWatchedFiles", params=[]),
    request(method="$/cancelRequest", params={"id": 12345}),
    request(method="$/cancelRequest", params={"id": []}),
    request(method="$/setTrace", params={"value": "loud"}),
]


async def test_a_notification_or_response_that_cannot_be_handled_is_passed_over(folder: Path):
    async with server(folder) as (wire, uri):
        for body in PASSED_OVER:
            await wire.write(framed(body))
            assert await still_hovers(wire, uri), body[:80]
        assert errors(wire) == []


async def test_whoever_waits_for_a_response_that_cannot_be_read_is_told(folder: Path):
    (folder / "mills.txt").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    asks = {"workspace": {"configuration": True}}
    async with bare_server(folder) as wire:
        await wire.ask("initialize", {"capabilities": asks, "processId": None}, id=1)
        await wire.open(uri, FALSE)
        asked = await wire.message()
        while asked.get("method") != "workspace/configuration":
            asked = await wire.message()
        await wire.write(framed(request(id=asked["id"], result=3)))
        await wire.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=1)
        said = [m["params"]["message"] for m in wire.received if m.get("method") == LOGGED]
        # Behind the line that every log begins with.
        assert said[1:] == ["no settings from the editor: JsonRpcInvalidParams"]


async def test_requests_with_the_same_id_are_each_answered(folder: Path):
    async with server(folder) as (wire, uri):
        for _ in range(3):
            await wire.send(HOVER, position(uri), id=5)
        for _ in range(3):
            assert (await wire.answer(5))["result"]
        assert await still_hovers(wire, uri)


async def test_positions_outside_of_the_text_and_strange_uris_are_survived(folder: Path):
    async with server(folder) as (wire, uri):
        assert (await wire.ask(HOVER, position(uri, 2**31 - 1, 2**31 - 1), id=5))["result"] is None
        start, end = {"line": 9, "character": 9}, {"line": 0, "character": 0}
        change = {"range": {"start": start, "end": end}, "text": "x"}
        identifier = {"uri": uri, "version": 2}
        await wire.send(
            "textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]}
        )
        await wire.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=2)
        for strange in (
            "",
            ":",
            "http://[",
            "untitled:[",
            "file://[/x",
            "file:///%00",
            "file:///\0",
        ):
            await wire.open(strange, FALSE)
            await wire.send("textDocument/didSave", {"textDocument": {"uri": strange}})
            assert await still_hovers(wire, uri), strange
            await wire.send("textDocument/didClose", {"textDocument": {"uri": strange}})
        said = [item["params"] for item in wire.received if item.get("method") == SHOWN]
        assert said == []


class TestLifecycle:
    async def test_before_initialize_requests_are_refused_and_the_rest_is_passed_over(
        self, folder: Path
    ):
        (folder / "mills.txt").write_text(SENTENCE)
        uri = (folder / "report.md").as_uri()
        async with bare_server(folder) as wire:
            await wire.write(b"Content-Length: abc\r\n\r\n")
            for id, method in enumerate((HOVER, "shutdown", "tracecite/unknown"), 10):
                assert (await wire.ask(method, None, id=id))["error"]["code"] == NOT_INITIALIZED
            await wire.open(uri, FALSE)
            await wire.send("initialized", {})
            assert (await wire.ask("initialize", 3, id=20))["error"]["code"] == INVALID_PARAMS
            await wire.initialize(folder)
            await wire.open(uri, FALSE)
            await wire.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=1)
            assert await still_hovers(wire, uri)

    async def test_exit_before_initialize_ends_the_process(self, folder: Path):
        async with bare_server(folder) as wire:
            await wire.send("exit", None)
            assert await wire.ended() == 1

    async def test_a_root_that_is_no_uri_is_survived(self, folder: Path):
        params = {"capabilities": {}, "rootUri": "file://[", "workspaceFolders": None}
        async with bare_server(folder) as wire:
            await wire.ask("initialize", {**params, "processId": None}, id=3)
            await wire.initialize(folder)
            assert (await wire.ask(HOVER, position("file:///a"), id=4))["result"] is None

    async def test_a_second_initialize_is_refused_and_changes_nothing(self, folder: Path):
        async with server(folder) as (wire, uri):
            params = {"capabilities": {}, "processId": None, "rootUri": None}
            answer = await wire.ask("initialize", params, id=30)
            assert answer["error"]["code"] == INVALID_REQUEST
            assert await still_hovers(wire, uri)

    async def test_after_shutdown_requests_are_refused_until_exit(self, folder: Path):
        async with server(folder) as (wire, uri):
            assert (await wire.ask("shutdown", None, id=40))["result"] is None
            for id, method in enumerate((HOVER, "initialize", "shutdown", "tracecite/unknown"), 41):
                answer = await wire.ask(method, position(uri), id=id)
                assert answer["error"]["code"] == INVALID_REQUEST
            await wire.send("textDocument/didSave", {"textDocument": {"uri": uri}})
            await wire.send("exit", None)
            assert await wire.ended() == 0
