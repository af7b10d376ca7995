"""`server`: the language server on stdio."""

from __future__ import annotations

import argparse

from tracecite_lint.cli.options import UsageError, add_reach_options, finder_from


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the server shares with `check`."""
    add_reach_options(parser)
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more, to stderr")


def run(args: argparse.Namespace) -> int:
    """Serve until the client says exit or closes stdin; return the exit status."""
    try:
        from tracecite_lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name not in {"pygls", "lsprotocol"}:
            raise
        raise UsageError(
            "the language server needs pygls: pip install '.[lsp]' in a clone of tracecite-lint"
        ) from None
    return serve(finder_from(args), verbose=args.verbose)
