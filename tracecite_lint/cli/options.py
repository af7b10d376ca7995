"""The options that several subcommands share, and the settings they amount to."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tracecite_lint.cli.exit_status import FINDINGS as FINDINGS
from tracecite_lint.cli.exit_status import OK as OK
from tracecite_lint.cli.exit_status import UNUSABLE as UNUSABLE
from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import regex
from tracecite_lint.settings import (
    CODE_OPTIONS,
    DOCUMENT_OPTIONS,
    ENVIRONMENT_PREFIX,
    KNOWN_OPTIONS,
    OPTIONS,
    SOURCE_OPTIONS,
    Option,
    Settings,
    SettingsFinder,
    did_you_mean,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TextIO


_FORMAT = f"{ENVIRONMENT_PREFIX}FORMAT"
_UNKNOWN_OPTION = regex(r"unrecognized arguments: (--[\w-]+)")
_INVALID_CHOICE = regex(r"argument (?:[^:]*/)?(--[\w-]+): invalid choice: '([^']*)'")


class UsageError(TraceciteLintError):
    """Wrong arguments or unusable input: one line for the user, exit status 1."""


class Parser(argparse.ArgumentParser):
    """argparse with this tool's exit status for wrong arguments (1, not 2) and its help layout."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", _HelpFormatter)
        # An abbreviation that is clear today is another option, or none, in the next version.
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse *arguments*, in which options may stand among the PATHs. Raises UsageError."""
        end = arguments.index("--") if "--" in arguments else len(arguments)
        self._refuse_dashes_as_value(arguments[:end], names_follow=end < len(arguments))
        # argparse forgets `--` when options may stand anywhere, so names after it must not look like options.
        names = [
            f"./{name}" if name.startswith("-") and name != "-" else name
            for name in arguments[end + 1 :]
        ]
        # argparse puts the usage together before each parsing, for errors that `error` words in another way.
        self.usage = ""
        try:
            return self.parse_intermixed_args([*arguments[:end], *names])
        finally:
            self.usage = None

    def format_help(self) -> str:
        """Return the help, also while arguments are parsed: then argparse has put the PATHs aside."""
        self.usage = None
        for action in self._get_positional_actions():
            action.nargs = getattr(action, "save_nargs", action.nargs)
        return super().format_help()

    def _refuse_dashes_as_value(self, options: Sequence[str], *, names_follow: bool) -> None:
        """Raise UsageError for `--option=--`, which argparse drops, and for `--option -- NAME`, which takes NAME for it."""
        for argument in options:
            option, _, value = argument.partition("=")
            if option.startswith("--") and value == "--":
                self.error(f"argument {option}: -- is no value; a file of that name is ./--")
        last = self._option_string_actions.get(options[-1]) if options and names_follow else None
        if last is not None and last.nargs != 0:
            self.error(f"argument {options[-1]}: expected one argument")

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}{self._meant(message)}\ntry '{self.prog} --help'")

    def _meant(self, message: str) -> str:
        """Return what the word that argparse's *message* refuses may have been meant for."""
        if unknown := _UNKNOWN_OPTION.match(message):
            return did_you_mean(unknown[1], self._option_string_actions)
        if choice := _INVALID_CHOICE.match(message):
            action = self._option_string_actions.get(choice[1])
            return did_you_mean(choice[2], map(str, (action and action.choices) or ()))
        return ""


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """argparse's formatter, which it makes for each option that is added, and which imports `shutil` for the width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """Return the width of the terminal as `shutil.get_terminal_size` does."""
    named = os.environ.get("COLUMNS", "")
    if named.isdecimal() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


class _AsJson(argparse.Action):
    """`--format json`, for commands whose only other format is text."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,  # noqa: ANN401 - as argparse declares it
        option: str | None = None,
    ) -> None:
        namespace.json = values == "json"


def add_json_option(parser: argparse._ActionsContainer) -> None:
    """Add `--json` and `--format json`, which are the same, to a command that prints lines otherwise; sets `json`."""
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--format",
        dest="json",
        action=_AsJson,
        choices=("text", "json"),
        help="how the report is printed; json: as --json",
    )


def add_reach_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides which sources may be reached, how, and from which cache; and where settings come from."""
    add_settings(parser, SOURCE_OPTIONS)
    config = parser.add_argument_group("settings")
    config.add_argument("--config", metavar="FILE", type=Path, help="use this settings file")
    config.add_argument("--isolated", action="store_true", help="read no settings file")


def add_document_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides which documents are looked at, and what of them."""
    add_settings(parser, DOCUMENT_OPTIONS)


def add_rule_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides which codes are reported."""
    add_settings(parser, CODE_OPTIONS)


def add_ledger_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides which findings are known, and what is remembered of sources."""
    group = add_settings(parser, KNOWN_OPTIONS)
    group.add_argument("--no-baseline", action="store_true", help="report known findings too")
    group.add_argument(
        "--strict-baseline",
        action="store_true",
        help="fail if the baseline lists what is not found any more",
    )
    group.add_argument(
        "--update-lock", action="store_true", help="accept what changed since the lock was written"
    )


def add_settings(parser: argparse.ArgumentParser, heading: str) -> argparse._ArgumentGroup:
    """Add the options of the settings that are declared for the group of this *heading*; return the group."""
    group = parser.add_argument_group(heading)
    for option in OPTIONS:
        if option.group == heading:
            add_setting(group, option)
    return group


def add_setting(parser: argparse._ActionsContainer, option: Option) -> None:
    """Add the option of one setting: a switch, one value, or values that may be given more than once."""
    help = option.plain[0].lower() + option.plain[1:].removesuffix(".")
    if isinstance(option.default, bool):
        parser.add_argument(f"--{option.key}", action="store_true", default=None, help=help)
        return
    action = "append" if isinstance(option.default, tuple) else "store"
    parser.add_argument(f"--{option.key}", metavar=option.kind.metavar, action=action, help=help)


def add_verbosity_options(parser: argparse._ActionsContainer) -> None:
    """Add -q, -v and --color."""
    parser.add_argument(
        "-q",
        "--quiet",
        action="count",
        default=0,
        help="findings only; twice: nothing but the status",
    )
    parser.add_argument("-v", "--verbose", action="count", default=0, help="say more")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def add_progress_option(parser: argparse._ActionsContainer) -> None:
    """Add --no-progress."""
    parser.add_argument(
        "--no-progress", action="store_true", help="show no progress on the terminal"
    )


def environment_format(formats: Sequence[str]) -> str | None:
    """Return which of *formats* `TRACECITE_LINT_FORMAT` names for where no option does. Raises UsageError."""
    name = os.environ.get(_FORMAT)
    if name and name not in formats:
        known = did_you_mean(name, formats) or f": one of {', '.join(formats)}"
        raise UsageError(f"{_FORMAT}={name} is no format{known}")
    return name or None


def finder_from(args: argparse.Namespace) -> SettingsFinder:
    """Return the settings finder that the parsed options ask for. Raises UsageError, SettingsError."""
    values: dict[str, Any] = {}
    for option in OPTIONS:
        raw = getattr(args, option.name, None)
        if raw is None:
            continue
        try:
            if isinstance(raw, bool):
                values[option.name] = option.kind.read(raw)
            else:
                given = ",".join(raw) if isinstance(raw, list) else raw
                values[option.name] = option.kind.read_text(given)
        except ValueError as error:
            raise UsageError(f"--{option.key}: {error}") from None
    config: Path | None = getattr(args, "config", None)
    if config is not None and not config.is_file():
        raise UsageError(f"--config {config}: no such file")
    return SettingsFinder(
        values,
        environ=os.environ,
        # The finder may be asked from another directory later.
        config=config.absolute() if config else None,
        isolated=getattr(args, "isolated", False),
    )


def settings_from(args: argparse.Namespace) -> Settings:
    """Return the settings that hold in the working directory under the parsed options. Raises UsageError, SettingsError."""
    return finder_from(args).settings(Path.cwd())


def wants_color(choice: str, stream: TextIO | None = None) -> bool:
    """Decide on colour for *stream*: --color, then NO_COLOR and FORCE_COLOR (no-color.org, force-color.org), then the terminal.

    Without a stream it is for stdout.
    """
    if choice != "auto":
        return choice == "always"
    # Set and not empty, whatever the value (no-color.org).
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"
