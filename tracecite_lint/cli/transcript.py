"""`transcript`: the answers of an agent's conversation against what its tools returned."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tracecite_lint.agents.transcripts import HOMES, chosen, read_transcript, transcripts
from tracecite_lint.cli.options import (
    OK,
    UsageError,
    add_reach_options,
    add_rule_options,
    add_verbosity_options,
    environment_format,
    finder_from,
    wants_color,
)
from tracecite_lint.cli.time_limit import TO_SPARE, limited
from tracecite_lint.output import FORMATS, render
from tracecite_lint.output.terminal import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which conversation, how it is reported, and how sources are reached."""
    parser.add_argument(
        "record",
        metavar="RECORD",
        nargs="?",
        help="a file, or what the name of one holds (a session's id); none: the latest",
    )
    group = parser.add_argument_group("records")
    group.add_argument(
        "--for",
        dest="agent",
        choices=tuple(HOMES),
        help="look for the records of this agent alone",
    )
    group.add_argument("--list", action="store_true", help="list the records, the latest first")
    group.add_argument(
        "--fetch",
        action="store_true",
        help="ask for the web pages that answers cite; without it nothing is fetched",
    )
    report = parser.add_argument_group("report")
    report.add_argument("--format", choices=FORMATS, help="how the report is written")
    report.add_argument(
        "--json",
        action="store_const",
        dest="format",
        const="json",
        help="the same as --format json",
    )
    add_verbosity_options(report)
    add_rule_options(parser)
    add_reach_options(parser)


def run(args: argparse.Namespace) -> int:
    """Check one record and return the exit status of a check. Raises TranscriptError, UsageError, SettingsError."""
    if args.fetch and args.offline:
        raise UsageError("--fetch asks for pages, and --offline does not; give one of them")
    agents = [args.agent] if args.agent else list(HOMES)
    if args.list:
        for item in transcripts(os.environ, agents):
            print(f"{item.when}  {item.agent:11}  {item.size:>11,}  {printable(item.name)}")
        return OK
    path = Path(args.record) if args.record and os.path.lexists(args.record) else None
    if path is None:
        item = chosen(transcripts(os.environ, agents), args.record)
        path = item.path
        if not args.quiet:
            print(f"{item.agent}, {item.when}: {printable(str(path))}", file=sys.stderr)
    args.offline = not args.fetch
    args.allow_unreachable = True  # what was not fetched is no fault of the answer
    with limited(args, to_spare=TO_SPARE):
        return _checked(path, args)


def _checked(path: Path, args: argparse.Namespace) -> int:
    from tracecite_lint.cli.checking import exit_status
    from tracecite_lint.library.asking import Asking, content_checked

    name, content = read_transcript(path)
    here = Path.cwd()
    # Known by its bare name: where a home lies is nobody's business in a report.
    result = content_checked(Asking(here=here, finder=finder_from(args)), content, here / name)
    color = wants_color(args.color)
    format = args.format or environment_format(FORMATS) or "full"
    sys.stdout.write(render(format, result, color=color, verbosity=args.verbose - args.quiet))
    return exit_status(result)
