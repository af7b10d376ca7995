"""`skill show|install`: teaches a coding agent to quote so that it can be checked."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tracecite_lint.agents.skills import FOLDERS, install, skill_place, skill_text
from tracecite_lint.cli.options import OK, UsageError
from tracecite_lint.files.roots import repository_root
from tracecite_lint.output.terminal import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action, the agent, and for whom it is installed."""
    parser.add_argument(
        "action",
        choices=("show", "install"),
        help="show: print the skill; install: write it where the agent looks, and nothing over another file",
    )
    parser.add_argument("--for", dest="agent", choices=tuple(FOLDERS), help="the agent")
    parser.add_argument(
        "--user",
        action="store_true",
        help="install it for all projects of the user (default: for this repository)",
    )


def run(args: argparse.Namespace) -> int:
    """Print or install the skill. Raises UsageError, SkillError."""
    if args.action == "show":
        sys.stdout.write(skill_text())
        return OK
    if args.agent is None:
        raise UsageError(f"skill install needs --for: {', '.join(FOLDERS)}")
    here = Path.cwd()
    base = Path.home() if args.user else repository_root(here, here)
    path = skill_place(args.agent, base)
    if not install(path, base):
        print(f"{printable(str(path))} is there already")
        return OK
    print(f"wrote {printable(str(path))}:\n")
    sys.stdout.write(skill_text())
    return OK
