"""`check`: the citations of documents, of the index, of a range of commits, or of standard input.

Here are its options; what it does is in checking.py, for which `--help` and the parsers of other commands do not wait.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tracecite_lint import __version__
from tracecite_lint.cli.options import (
    add_document_options,
    add_ledger_options,
    add_progress_option,
    add_reach_options,
    add_rule_options,
    add_verbosity_options,
)
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.output import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(slots=True)
class Report:
    """One report that was asked for: `path` is None for stdout, `format` empty where no option names it."""

    format: str
    path: Path | None = None


class _Format(argparse.Action):
    """Each --format begins a report (--json: a --format json); an --output-file belongs to the --format before it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,  # noqa: ANN401 - as argparse declares it
        option: str | None = None,
    ) -> None:
        reports: list[Report] = list(namespace.reports or ())
        if option in ("-o", "--output-file"):
            if not reports:
                reports.append(Report(""))
            reports[-1].path = Path(values)
        else:
            reports.append(Report("json" if option == "--json" else values))
        namespace.reports = reports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check`."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="documents or directories; - for standard input"
    )
    what = parser.add_argument_group("what is checked (without PATH: what `git commit` would add)")
    what.add_argument("--all", action="store_true", help="every citation of every tracked document")
    what.add_argument(
        "--changed", action="store_true", help="what is new in the index or between the hook's refs"
    )
    what.add_argument(
        "--diff-base", metavar="REV", help="what is new since the merge base with REV"
    )
    what.add_argument(
        "--stdin-filename", metavar="NAME", help="the name of the document on standard input"
    )
    what.add_argument(
        "--watch", action="store_true", help="check again whenever a file there changes"
    )
    what.add_argument("--dump", action="store_true", help="show what was understood; fetch nothing")
    what.add_argument(
        "--fix",
        action="store_true",
        help="make the safe fixes: capitals, punctuation, spacing, marks",
    )
    what.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix: make those too that change words, numbers or negations",
    )
    what.add_argument(
        "--interactive", action="store_true", help="with --fix: ask about each one on the terminal"
    )
    what.add_argument(
        "--add-ignore",
        metavar="REASON",
        help="write a comment with this reason over each finding, which silences it",
    )
    what.add_argument(
        "--diff",
        action="store_true",
        help="with --fix or --add-ignore: show the changes instead of writing them",
    )
    add_document_options(parser)
    add_rule_options(parser)
    add_reach_options(parser)
    add_ledger_options(parser)
    report = parser.add_argument_group("report")
    report.add_argument(
        "--format",
        dest="reports",
        choices=FORMATS,
        action=_Format,
        help="how the report is written; may be given more than once",
    )
    report.add_argument(
        "--json", dest="reports", nargs=0, action=_Format, help="the same as --format json"
    )
    report.add_argument(
        "-o",
        "--output-file",
        dest="reports",
        metavar="FILE",
        action=_Format,
        help="where the --format before it is written",
    )
    report.add_argument(
        "--statistics", action="store_true", help="count the findings by code, host and file"
    )
    report.add_argument("--exit-zero", action="store_true", help="exit with 0 even with findings")
    add_verbosity_options(report)
    add_progress_option(report)
    parser.add_argument(
        "-V", "--version", action="version", version=f"tracecite-lint {__version__}"
    )


def run(args: argparse.Namespace) -> int:
    """Check what the arguments name and return the exit status. Raises TraceciteLintError."""
    from tracecite_lint.cli.checking import run as checked

    return checked(args)
