"""Prints how fast the program is, each row beside something as plain as can be, measured in the same run.

    python -m benchmarks [GROUP ...] [--revision REV] [--python PYTHON] [--rounds N] [--scale SHARE]

Groups: commits, renames, sweeps, cold, editor, records (default: all). With --revision a revision of this repository, with
--python what another interpreter has installed is measured in the same run, before this tree. All documents and caches are
made through command lines, so every revision that has these can be measured. See docs/performance.md.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.candidates import Candidate, installed
from benchmarks.measuring import Row, table
from benchmarks.workspace import Workspace

GROUPS = ("commits", "renames", "sweeps", "cold", "editor", "records")


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("groups", nargs="*", metavar="GROUP", default=list(GROUPS))
    parser.add_argument("--revision", help="measure this revision too")
    parser.add_argument("--python", type=Path, help="measure what this interpreter has installed")
    parser.add_argument(
        "--rounds", type=int, default=9, help="of quick rows; long ones have a third"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="a share of all pages, files, …")
    parser.add_argument(
        "--no-build",
        action="store_true",
        help="measure what this interpreter has installed, instead of building this tree",
    )
    args = parser.parse_args()
    if unknown := set(args.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as directory:
        top = Path(directory)
        (top / "home").mkdir()
        os.environ |= {"HOME": f"{top}/home", "GIT_CONFIG_GLOBAL": os.devnull}
        candidates = []
        if args.revision:
            candidates.append(installed(args.revision, top, revision=args.revision))
        if args.python:
            candidates.append(Candidate(str(args.python), args.python.absolute()))
        own = Candidate("this-tree", Path(sys.executable))
        candidates.append(own if args.no_build else installed(own.name, top))
        space = Workspace(top, candidates, args.rounds, args.scale)
        found = []
        for row in _measured(space, args.groups):
            found.append(row)
            print(row.what, dict(row.found), flush=True)
        print(table(found, [candidate.name for candidate in candidates]))


def _measured(space: Workspace, groups: list[str]) -> Iterator[Row]:
    for name in groups:
        yield from importlib.import_module(f"benchmarks.{name}").rows(space)


if __name__ == "__main__":
    main()
