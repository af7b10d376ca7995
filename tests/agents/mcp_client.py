"""A client of the MCP server: the official one, over the server's standard streams or over HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopback import Loopback
from mcp import Client, StdioServerParameters

LIMIT = 8_000
GENERATIONS = ("auto", "legacy")
"""How a client speaks: the protocol of 2026-07-28 if the server has it, or the handshake before it."""


@dataclass(frozen=True)
class Server:
    """How the server is started: in which folder, and with which options."""

    folder: Path
    options: Sequence[str] = ()

    @property
    def command(self) -> list[str]:
        """The command line."""
        return [sys.executable, "-m", "tracecite_lint", "mcp", *self.options]

    def client(self, mode: str = "auto", **options: Any) -> Client:
        """Return a client that starts a server of its own."""
        command, *arguments = self.command
        parameters = StdioServerParameters(
            command=command, args=arguments, cwd=self.folder, env=dict(os.environ)
        )
        return Client(parameters, mode=mode, **options)


def reaching(loopback: Loopback) -> list[str]:
    """Return the options that bring every URL to the test's server."""
    return [f"--connect-to={rule}" for rule in loopback.connect_to]


async def asked(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Call *tool* and return its text and its object, both within the limit together."""
    result = await client.call_tool(tool, arguments)
    (block,) = result.content
    assert block.type == "text"
    assert not result.is_error, block.text
    assert isinstance(result.structured_content, dict)
    return block.text, result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call *tool* with what it cannot do, and return what it says."""
    result = await client.call_tool(tool, arguments)
    (block,) = result.content
    assert block.type == "text"
    assert result.is_error
    return block.text
