"""What the trace commands share: opening a trace of any size, and printing what is wrong with it."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from tracecite_lint.cli.options import UsageError, add_json_option
from tracecite_lint.cli.time_limit import add_time_option
from tracecite_lint.errors import os_reason
from tracecite_lint.model import Diagnostic
from tracecite_lint.naming.uris import public_uri, without_passwords
from tracecite_lint.output.json_objects import dumps
from tracecite_lint.output.terminal import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


def add_trace_options(parser: argparse.ArgumentParser) -> None:
    """Add --json and --max-time to a command that reads traces and no settings file."""
    add_json_option(parser)
    add_time_option(parser)
    parser.set_defaults(isolated=True)


@contextmanager
def open_trace(name: str) -> Iterator[BinaryIO]:
    """Give the trace *name* (`-`: standard input) as a seekable binary file. Raises UsageError if it cannot be read."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as stream:
            if stream.seekable():
                yield stream
                return
            # A pipe: contents are read a second time when a citation names them.
            with tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(stream, copy)
                yield cast(BinaryIO, copy)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {os_reason(error)}") from None


def print_json(value: object) -> None:
    """Print *value* as the one JSON document of the command, with no password of a URL in it."""
    print(dumps(_public(value), indent=2))


def _public(value: object) -> object:
    if isinstance(value, str):
        return public_uri(value)
    if isinstance(value, dict):
        return {name: _public(item) for name, item in value.items()}
    return list(map(_public, value)) if isinstance(value, list | tuple) else value


def print_diagnostics(diagnostics: Sequence[Diagnostic], *, prefix: str = "") -> None:
    """Print one line for each diagnostic, as scripts read it."""
    for item in diagnostics:
        print(
            f"  {prefix}line {item.line} [{item.code}] {printable(without_passwords(item.message))}"
        )


def print_failed_evidence(diagnostics: Sequence[Diagnostic], *, as_json: bool) -> None:
    """Print what is wrong with a trace whose sources are therefore not looked at."""
    if as_json:
        print_json({"diagnostics": [item.to_json() for item in diagnostics]})
        return
    print("FAIL: trace evidence validation failed")
    print_diagnostics(diagnostics)
