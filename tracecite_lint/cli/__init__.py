"""The command line: picks the subcommand, turns every expected error into one line and an exit status."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import time

from tracecite_lint import __version__
from tracecite_lint.__main__ import INTERRUPTED, interruptible
from tracecite_lint.cli.exit_status import FINDINGS, OK, UNUSABLE
from tracecite_lint.errors import TraceciteLintError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    from tracecite_lint.cli.options import Parser

    class Command(Protocol):
        """What every subcommand's module offers."""

        def add_arguments(self, parser: Parser) -> None: ...

        def run(self, args: object) -> int: ...


TRACEBACK = "TRACECITE_LINT_TRACEBACK"

_CANNOT_WRITE = {errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG}

# Each subcommand's module is imported only when it runs: a warm commit pays for `check` alone.
COMMANDS = {
    "check": ("check", "check the citations of documents (the default command)"),
    "check-report": ("check_report", "check one Markdown report against its web sources"),
    "verify-notes": ("verify_notes", "check claim/quote/url notes against their web sources"),
    "verify-urls": ("verify_urls", "check an agent trace against its live web sources"),
    "verify-files": ("verify_files", "compare an agent trace with its local files"),
    "trace": ("trace", "validate an agent trace"),
    "compare": ("compare", "compare the sources of two agent traces"),
    "audit": ("audit", "audit a log of model calls"),
    "baseline": ("baseline", "keep a file of known findings"),
    "text": ("text", "print the text of a source, or where words stand in it"),
    "cache": ("cache", "list, show, clear or prune the page cache"),
    "config": ("config", "show the settings and where they come from"),
    "explain": ("explain", "explain a code"),
    "completion": ("completion", "print a shell completion script"),
    "server": ("server", "run the language server on stdio"),
    "mcp": ("mcp", "run the MCP server, for agents"),
    "transcript": ("transcript", "check the answers of an agent's conversation"),
    "skill": ("skill", "show or install the skill for coding agents"),
    "agent-hook": ("agent_hook", "tell a coding agent what does not hold after its edit"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1, 2 or 130 (docs/commands.md)."""
    started = time.monotonic()
    arguments = list(sys.argv[1:] if argv is None else argv)
    # First: what is opened next would get the number of a closed stream, and a report would be written into it.
    _replace_closed_streams()
    _use_utf8()
    try:
        status = _run(arguments, started)
        sys.stdout.flush()
    except TraceciteLintError as error:
        return _fail(str(error))
    except KeyboardInterrupt as stop:
        return _interrupted(stop)
    except BrokenPipeError:
        # The reader went away (`| head`): say nothing more.
        _drop_output()
        return UNUSABLE
    except Exception as error:  # a bug of ours: no traceback reaches a user who did not ask for one
        if isinstance(error, OSError) and error.errno in _CANNOT_WRITE:
            _drop_output()
            return _fail(f"the report cannot be written: {error.strerror}")
        if os.environ.get(TRACEBACK):
            raise
        return _fail(_bug_report(error))
    return status


def parser_for(name: str) -> Parser:
    """Return the parser of the subcommand *name*."""
    from tracecite_lint.cli.options import Parser

    module, summary = COMMANDS[name]
    prog = "tracecite-lint" if name == "check" else f"tracecite-lint {name}"
    parser = Parser(prog=prog, description=summary[0].upper() + summary[1:] + ".")
    importlib.import_module(f"tracecite_lint.cli.{module}").add_arguments(parser)
    return parser


def _run(arguments: list[str], started: float) -> int:
    name = "check"
    # `check` is the default, so that a hook needs no subcommand; a file of a command's name is ./NAME.
    if arguments and arguments[0] in COMMANDS:
        name = arguments.pop(0)
    if name == "check" and arguments in (["--version"], ["-V"]):
        print(f"tracecite-lint {__version__}")
        return OK
    if name == "check" and "--evidence" in _options(arguments):
        name = "trace"  # as the earlier tool has it: `TRACE --evidence`
    elif name == "check" and arguments:
        _refuse_mistyped(arguments[0])
    parser = parser_for(name)
    if name == "check":
        parser.epilog = _commands_epilog()
    args = parser.parse(arguments)
    if name == "check" and args.paths and args.paths[0] in COMMANDS and args.paths[0] != "check":
        # Options stood before the subcommand: `tracecite-lint -q audit calls.jsonl`.
        at = _index_of_command(parser, arguments, args.paths[0])
        if at is not None:
            return _run([arguments[at], *arguments[:at], *arguments[at + 1 :]], started)
    args.started = started
    module = importlib.import_module(f"tracecite_lint.cli.{COMMANDS[name][0]}")
    with interruptible(), _without_commands_of_others(name):
        status: int = module.run(args)
    return status


def _refuse_mistyped(word: str) -> None:
    """Raise UsageError for what is almost a command and names no file: `chek docs/` would check docs."""
    if not word.isascii() or not word.replace("-", "").isalpha() or word.startswith("-"):
        return
    if os.path.lexists(word):
        return
    from tracecite_lint.cli.options import UsageError
    from tracecite_lint.settings import did_you_mean

    if meant := did_you_mean(word, COMMANDS):
        raise UsageError(f"{word} is no command and no file{meant}\ntry 'tracecite-lint --help'")


def _without_commands_of_others(name: str) -> AbstractContextManager[object]:
    """Let GitHub Actions find no workflow command in what a subcommand prints; reports with formats see to it themselves."""
    # `::set-output`, `::add-mask::`: the runner obeys such lines from any process, and a report quotes strangers.
    from contextlib import nullcontext, redirect_stdout

    if os.environ.get("GITHUB_ACTIONS") != "true" or name in (
        "check",
        "audit",
        "server",
        "mcp",
        "agent-hook",
    ):
        return nullcontext()
    from tracecite_lint.output.github import CommandFree

    return redirect_stdout(CommandFree(sys.stdout))


def _index_of_command(parser: Parser, arguments: list[str], name: str) -> int | None:
    """Return where the first PATH *name* stands among *arguments*, which may also hold it as the value of an option.

    None if it stands behind `--`: then it is a file.
    """
    for at, argument in enumerate(_options(arguments)):
        probe = f"./{name}"
        if (
            argument == name
            and probe in parser.parse([*arguments[:at], probe, *arguments[at + 1 :]]).paths
        ):
            return at
    return None


def _options(arguments: list[str]) -> list[str]:
    """Return the *arguments* that may be options: those before `--`."""
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _commands_epilog() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {summary}" for name, (_, summary) in COMMANDS.items()]
    return (
        "commands (`tracecite-lint COMMAND --help`; a file of that name is ./NAME):\n"
        + "\n".join(lines)
        + f"\n\nexit status: {OK} all verified, {UNUSABLE} usage or unreadable input, {FINDINGS} findings, {INTERRUPTED} interrupted"
    )


def _interrupted(stop: KeyboardInterrupt) -> int:
    from tracecite_lint.cli.time_limit import is_out_of_time

    if is_out_of_time(stop):
        return _fail("the time of the run was up: raise --max-time, or name less")
    print("tracecite-lint: interrupted", file=sys.stderr)
    return INTERRUPTED


def _fail(message: str) -> int:
    from tracecite_lint.output.terminal import printable_lines

    text = f"tracecite-lint: error: {printable_lines(message)}"
    if os.environ.get("GITHUB_ACTIONS") == "true":
        from tracecite_lint.output.github import without_commands

        text = without_commands("full", text)
    print(text, file=sys.stderr)
    return UNUSABLE


def _bug_report(error: Exception) -> str:
    """Return where *error* came up. Its own message may hold words of a private document, so that is left out."""
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(place.filename)}:{place.lineno}"  # noqa: PTH119 - one import less
    return (
        f"internal error: {type(error).__name__} at {where}; this is a bug, please report it "
        f"(the environment variable {TRACEBACK}=1 shows the traceback)"
    )


def _replace_closed_streams() -> None:
    """Open /dev/null for output streams that are closed (`>&-`): nothing of ours may be opened under their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which takes the lowest free number
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123 - to the very end


def _drop_output() -> None:
    """Let the rest of stdout go nowhere, so that the interpreter does not try to write it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _use_utf8() -> None:
    """Write UTF-8 whatever the locale says: reports hold every script, and a traceback over a quote helps nobody."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
