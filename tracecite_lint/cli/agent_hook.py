"""`agent-hook`: tells a coding agent, after its edit, what is new in its quotations and does not hold."""

from __future__ import annotations

import argparse
import sys

from tracecite_lint.agents.hook_messages import Agent, Moment, answer, read_message
from tracecite_lint.cli.options import OK, UsageError, add_reach_options, finder_from
from tracecite_lint.cli.time_limit import TO_SPARE, limited

_LIMIT = 64 * 1024 * 1024
"""Bytes of a message: it holds the file before and after the edit."""
_SECONDS = "30"
"""How long an agent waits at most, unless --max-time says otherwise: its tools give a hook a minute."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add whose hook it is, and how sources are reached."""
    group = parser.add_argument_group("hook")
    group.add_argument(
        "--for",
        dest="agent",
        choices=[agent.value for agent in Agent],
        required=True,
        help="the tool in whose settings the hook stands",
    )
    group.add_argument(
        "--fetch",
        action="store_true",
        help="ask for pages that are not in the cache; without it nothing is fetched",
    )
    add_reach_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read the message on standard input and print the answer. Raises MessageError, UsageError, SettingsError."""
    if args.fetch and args.offline:
        raise UsageError("--fetch asks for pages, and --offline does not; give one of them")
    args.offline = not args.fetch
    args.allow_unreachable = True  # the agent cannot mend the network
    args.max_time = args.max_time or _SECONDS
    with limited(args, to_spare=TO_SPARE):
        message = read_message(_message(), Agent(args.agent))
        text = ""
        if message.moment is not Moment.OTHER:
            from tracecite_lint.agents.after_edit import told

            text = told(message, finder_from(args), started=args.started)
    sys.stdout.write(answer(message, text))
    return OK


def _message() -> bytes:
    """Return what comes on standard input. Raises UsageError."""
    if sys.stdin is None:
        raise UsageError("standard input is closed, on which the message of the hook comes")
    data = sys.stdin.buffer.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise UsageError(f"the message of the hook is larger than {_LIMIT // 2**20} MiB")
    return data
