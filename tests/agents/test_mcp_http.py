"""The MCP server over HTTP: on loopback alone, for clients that are asked for by the right name, in both generations."""

from __future__ import annotations

import asyncio
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from git_work import make_work
from loopback import Loopback
from mcp import Client
from mcp_client import GENERATIONS, Server, asked, reaching, refused
from ran_in import lint

URL = "http://mills.example.org/tide"
SAYS = "The tide turns the wheel twice a day."


@pytest.fixture
def served(tmp_path: Path, loopback: Loopback) -> Iterator[int]:
    """A server that answers, and its port."""
    loopback.page(URL, SAYS)
    work = make_work(tmp_path / "work")
    work.write("report.md", f"It says “{SAYS}” ([the page]({URL})).\n")
    command = Server(work.path, [*reaching(loopback), "--http=0"]).command
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=work.path, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            where = re.fullmatch(r"tracecite-lint: serving http://127\.0\.0\.1:(\d+)/mcp\n", said)
            assert where is not None, said
            yield int(where[1])
        finally:
            process.terminate()
            out, _ = process.communicate(timeout=60)
    assert out == ""


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_clients_of_both_generations_are_answered_at_once(
    served: int, loopback: Loopback, mode: str
) -> None:
    address = f"http://127.0.0.1:{served}/mcp"
    async with Client(address, mode=mode) as one, Client(address, mode=mode) as other:
        said = await asyncio.gather(
            *(asked(client, "check_document", path="report.md") for client in (one, other))
        )
        assert [answer["counts"]["verified"] for _, answer in said] == [1, 1]
        assert "lies outside" in await refused(one, "check_document", path="/etc/passwd")
    assert loopback.urls() == [URL]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example:{port}"}, 421),
        ({"Host": "127.0.0.1.evil.example:{port}"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_page_in_a_browser_is_refused(served: int, headers: dict[str, str], status: int) -> None:
    sent = {name: value.format(port=served) for name, value in headers.items()}
    sent |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
    request = urllib.request.Request(f"http://127.0.0.1:{served}/mcp", body, sent)
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request, timeout=30)
    with refusal.value as answer:
        assert answer.code == status


def test_it_listens_on_loopback_alone(served: int) -> None:
    listening = [
        line.split()[1]
        for name in ("/proc/net/tcp", "/proc/net/tcp6")
        for line in Path(name).read_text().splitlines()[1:]
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{served:04X}")
    ]
    assert listening == [f"0100007F:{served:04X}"]


def test_a_port_that_is_taken_is_said(served: int, tmp_path: Path) -> None:
    ran = lint(tmp_path / "work", "mcp", f"--http={served}")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"tracecite-lint: error: --http {served}: address already in use")
    assert len(ran.err.splitlines()) == 1
