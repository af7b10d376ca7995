"""The files that the person at the keyboard names."""

from __future__ import annotations

from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from tracecite_lint.cli.options import UsageError
from tracecite_lint.errors import os_reason
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.files.roots import repository_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


def named(path: str | Path, cwd: Path) -> ChosenFile:
    """Return the file that an option or an argument names, relative to *cwd*."""
    location = cwd / path
    trees = {repository_root(cwd, cwd), repository_root(location.parent, cwd)}
    # A run at the top of the file system is in no work tree: nothing is outside of it.
    return ChosenFile(location, tuple(tree for tree in trees if tree != tree.parent))


def refuse_output(path: Path) -> None:
    """Raise UsageError if --output-file *path* may not be written where it is."""
    with usage_errors(f"--output-file {path}"):
        named(path, Path.cwd()).real_path()


@contextmanager
def output_file(path: Path) -> Iterator[TextIO]:
    """Give what is written to --output-file *path*, as UTF-8; a file is there once the block has ended. Raises UsageError."""
    with (
        usage_errors(f"--output-file {path}"),
        named(path, Path.cwd()).writing() as file,
        TextIOWrapper(file, "utf-8", "backslashreplace", newline="\n") as out,
    ):
        yield out


@contextmanager
def usage_errors(what: str) -> Iterator[None]:
    """Let an OSError of the block be a UsageError that begins with *what*: the file, or the option that names it."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{what}: {os_reason(error)}") from None
