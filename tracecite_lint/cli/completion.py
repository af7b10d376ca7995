"""`completion`: scripts that complete commands, options, their values and codes in bash, zsh, fish and PowerShell."""

from __future__ import annotations

import argparse
from pathlib import Path

from tracecite_lint.cli.exit_status import OK

SHELLS = ("bash", "zsh", "fish", "powershell")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `completion`."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that is to read the script")


def run(args: argparse.Namespace) -> int:
    """Print the script, which docs/completion_scripts.py has written."""
    print(Path(__file__).with_name("completions").joinpath(args.shell).read_text("utf-8"), end="")
    return OK
