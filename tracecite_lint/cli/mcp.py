"""`mcp`: the MCP server, for agents that check what they write."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tracecite_lint.cli.options import OK, UsageError, add_reach_options, finder_from
from tracecite_lint.errors import os_reason
from tracecite_lint.output.agent import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

_LEAST_LIMIT = 1_000
_PORT = 8745


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add where the server answers, and the reach that nothing widens afterwards."""
    group = parser.add_argument_group("server")
    group.add_argument(
        "--http",
        nargs="?",
        type=int,
        const=_PORT,
        metavar="PORT",
        help=f"serve http://127.0.0.1:PORT/mcp instead of stdio (without PORT: {_PORT})",
    )
    group.add_argument(
        "--directory",
        metavar="DIR",
        type=Path,
        help="what paths are relative to and documents lie below (default: the working directory)",
    )
    group.add_argument(
        "--max-characters",
        type=int,
        default=LIMIT,
        metavar="N",
        help=f"how long an answer may be (default: {LIMIT})",
    )
    add_reach_options(parser)
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more, to stderr")


def run(args: argparse.Namespace) -> int:
    """Serve until the client closes stdin, or with --http until the process is ended. Raises UsageError, SettingsError."""
    here = (Path.cwd() / (args.directory or "")).resolve()
    if not here.is_dir():
        raise UsageError(f"--directory {args.directory}: no such directory")
    if args.max_characters < _LEAST_LIMIT:
        raise UsageError(f"--max-characters: at least {_LEAST_LIMIT}")
    if args.http is not None and not 0 <= args.http <= 65535:
        raise UsageError(f"--http {args.http}: a port is a number up to 65535, 0 for any free one")
    try:
        from tracecite_lint.agents import mcp_server
    except ModuleNotFoundError as error:
        if error.name not in {"mcp", "mcp_types", "pydantic", "anyio"}:
            raise
        raise UsageError(
            "the MCP server needs the MCP SDK: pip install '.[mcp]' in a clone of tracecite-lint"
        ) from None
    if mcp_server.holds_everything(here):
        raise UsageError(
            f"{here} holds more than a project, and every file below it would be in reach: "
            "start the server in the project, or give --directory"
        )
    finder_from(args).settings(here)  # what cannot be used is said now, not at the first question
    served = mcp_server.Served(
        here=here,
        finder=lambda: finder_from(args),
        limit=args.max_characters,
        roots=args.http is None,
    )
    if args.http is None:
        mcp_server.serve_stdio(served, verbose=bool(args.verbose))
        return OK
    with _listener(mcp_server.LOOPBACK, args.http) as listener:
        port = listener.getsockname()[1]
        print(f"tracecite-lint: serving http://{mcp_server.LOOPBACK}:{port}/mcp", file=sys.stderr)
        mcp_server.serve_http(served, listener, verbose=bool(args.verbose))
    return OK


def _listener(address: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises UsageError."""
    import socket

    try:
        return socket.create_server((address, port))
    except OSError as error:
        # Python adds the address to what the system says.
        reason = os.strerror(error.errno).lower() if error.errno else os_reason(error)
        raise UsageError(f"--http {port}: {reason}") from None
