"""Writes what `tracecite-lint completion SHELL` prints, from the parsers of all commands: `python docs/completion_scripts.py`.

A shell reads it at every start, and should not wait for the parsers of fourteen commands. A test compares the files with what
this script would write. `shtab` would need one parser with subparsers and knows no fish; `argcomplete` starts Python at every
press of the key.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tracecite_lint.cli import COMMANDS, completions, parser_for
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.rules import GROUPS, HTTP_STATUS, RULES

SCRIPTS = Path(completions.__file__).parent
# `HTTP_STATUS_<n>` stands for many codes and is none itself.
_CODES = tuple(code for code in RULES if code != HTTP_STATUS)
_FILES = {"FILE", "PATH", "DIR", "PEM", "NAME", "TRACE", "CALLS", "OLD", "NEW"}


@dataclass(frozen=True, slots=True)
class _Option:
    flags: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]
    takes_file: bool


@dataclass(frozen=True, slots=True)
class _Command:
    name: str
    help: str
    options: tuple[_Option, ...]
    words: tuple[str, ...]
    """What may stand where no option does, beside files."""
    takes_file: bool


def scripts() -> dict[str, str]:
    """Return the script for each shell."""
    commands = _commands()
    return {
        "bash": _bash(commands),
        "zsh": _zsh(commands),
        "fish": _fish(commands),
        "powershell": _powershell(commands),
    }


def _commands() -> list[_Command]:
    return [_command(name, summary, parser_for(name)) for name, (_, summary) in COMMANDS.items()]


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> _Command:
    options = []
    words: list[str] = []
    takes_file = False
    for action in parser._actions:  # argparse has no public way to ask
        choices = tuple(str(choice) for choice in action.choices or ())
        if not action.option_strings:
            # An argument without choices is a file, which the shells complete by themselves.
            words += choices or (_CODES if action.metavar == "CODE" else ())
            takes_file |= str(action.metavar or action.dest).upper() in _FILES
            continue
        takes_value = action.nargs != 0
        kinds = {str(action.metavar)} & _FILES
        if str(action.metavar) == "CODES":
            choices = ("ALL", *GROUPS, *_CODES)
        options.append(
            _Option(
                tuple(action.option_strings),
                re.sub(r"\s+", " ", action.help or ""),
                takes_value,
                choices,
                bool(kinds),
            )
        )
    return _Command(name, summary, tuple(options), tuple(words), takes_file)


def _quoted(text: str) -> str:
    """Return *text* as one word of a POSIX shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _bash(commands: list[_Command]) -> str:
    values = []
    for command in commands:
        for option in command.options:
            if not option.takes_value:
                continue
            pattern = "|".join(f"{command.name}\\ {flag}" for flag in option.flags)
            values.append(f"    {pattern}) {_bash_value(option)}; return ;;")
    cases = "\n".join(
        f"    {command.name}) options={_quoted(_flags(command.options))}; "
        f"words={_quoted(' '.join(command.words))} ;;"
        for command in commands
    )
    names = " ".join(command.name for command in commands)
    return f"""\
# Completion of tracecite-lint for bash: source it, or save it as
# ~/.local/share/bash-completion/completions/tracecite-lint
_tracecite_lint() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=check index options words
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case " {names} " in *" ${{COMP_WORDS[index]}} "*) command=${{COMP_WORDS[index]}}; break ;; esac
  done
  case "$command $prev" in
{chr(10).join(values)}
  esac
  case $command in
{cases}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  if ((COMP_CWORD == 1)); then words="$words {names}"; fi
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$cur")
}}
complete -F _tracecite_lint tracecite-lint
"""


def _bash_value(option: _Option) -> str:
    if option.choices:
        return f'COMPREPLY=($(compgen -W {_quoted(" ".join(option.choices))} -- "$cur"))'
    if option.takes_file:
        return 'compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur")'
    return "COMPREPLY=()"


def _flags(options: Iterable[_Option]) -> str:
    return " ".join(flag for option in options for flag in option.flags)


def _zsh(commands: list[_Command]) -> str:
    described = "\n".join(
        f"    {_quoted(f'{command.name}:{command.help}')}" for command in commands
    )
    names = "|".join(command.name for command in commands)
    cases = []
    for command in commands:
        specs = [_quoted(spec) for option in command.options for spec in _zsh_specs(option)]
        words = " ".join(command.words)
        if command.words:
            specs.append(_quoted(f"*:word:_tracecite_lint_words {words}"))
        else:
            specs.append(_quoted("*:file:_files"))
        lines = " \\\n        ".join(specs)
        cases.append(f"    {command.name})\n      _arguments -s -S \\\n        {lines}\n      ;;")
    return f"""\
#compdef tracecite-lint
# Completion of tracecite-lint for zsh: save it as _tracecite-lint in a directory of $fpath.
_tracecite_lint_words() {{ compadd -- "$@"; _files }}
_tracecite_lint() {{
  local command=check word
  local -a commands
  commands=(
{described}
  )
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case $word in ({names}) command=$word; break ;; esac
  done
  if ((CURRENT == 2)) && [[ $words[CURRENT] != -* ]]; then
    _describe command commands
  fi
  case $command in
{chr(10).join(cases)}
  esac
}}
compdef _tracecite_lint tracecite-lint
"""


def _zsh_specs(option: _Option) -> list[str]:
    text = re.sub(r"([\[\]:\\])", r"\\\1", option.help)
    value = ""
    if option.choices:
        value = f":value:({' '.join(option.choices)})"
    elif option.takes_file:
        value = ":file:_files"
    elif option.takes_value:
        value = ":value:"
    return [f"{flag}[{text}]{value}" for flag in option.flags]


def _fish(commands: list[_Command]) -> str:
    names = " ".join(command.name for command in commands)
    lines = [
        "# Completion of tracecite-lint for fish: save it as ~/.config/fish/completions/tracecite-lint.fish",
        "function __tracecite_lint_is",
        "    for word in (commandline -opc)[2..]",
        f"        if contains -- $word {names}",
        "            test $word = $argv[1]; return",
        "        end",
        "    end",
        "    test check = $argv[1]",
        "end",
    ]
    for command in commands:
        lines.append(
            f"complete -c tracecite-lint -n __fish_use_subcommand -a {command.name} "
            f"-d {_fish_quoted(command.help)}"
        )
    for command in commands:
        condition = f"-n '__tracecite_lint_is {command.name}'"
        if command.words:
            words = _fish_quoted(" ".join(command.words))
            lines.append(f"complete -c tracecite-lint {condition} -f -a {words}")
        for option in command.options:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            value = ""
            if option.choices:
                value = f" -x -a {_fish_quoted(' '.join(option.choices))}"
            elif option.takes_file:
                value = " -r -F"
            elif option.takes_value:
                value = " -x"
            lines.append(
                f"complete -c tracecite-lint {condition} {flags}{value} -d {_fish_quoted(option.help)}"
            )
    return "\n".join(lines) + "\n"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _powershell(commands: list[_Command]) -> str:
    options = {command.name: [*_flags(command.options).split()] for command in commands}
    words = {command.name: [*command.words] for command in commands if command.words}
    values = {
        f"{command.name} {flag}": [*option.choices]
        for command in commands
        for option in command.options
        if option.takes_value
        for flag in option.flags
    }
    return f"""\
# Completion of tracecite-lint for PowerShell: `tracecite-lint completion powershell | Out-String | Invoke-Expression` in $PROFILE.
Register-ArgumentCompleter -Native -CommandName tracecite-lint -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = {_powershell_list(command.name for command in commands)}
    $options = {_powershell_table(options)}
    $words = {_powershell_table(words)}
    $values = {_powershell_table(values)}
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object {{ $_.Extent.EndOffset -lt $cursorPosition }} | ForEach-Object {{ $_.ToString() }})
    $command = 'check'
    foreach ($word in $before) {{
        if ($commands -ccontains $word) {{ $command = $word; break }}
    }}
    $last = if ($before.Count) {{ $before[-1] }} else {{ '' }}
    # Where nothing is found PowerShell completes the names of files.
    $found = @(if ($values.ContainsKey("$command $last")) {{ $values["$command $last"] }}
        elseif ($wordToComplete.StartsWith('-')) {{ $options[$command] }}
        elseif ($before.Count) {{ $words[$command] }}
        else {{ $commands }})
    $found | Where-Object {{ $_ -and $_.StartsWith($wordToComplete) }} |
        ForEach-Object {{ [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }}
}}
"""


def _powershell_list(words: Iterable[str]) -> str:
    return f"@({', '.join(_powershell_quoted(word) for word in words)})"


def _powershell_table(table: Mapping[str, list[str]]) -> str:
    rows = "".join(
        f"        {_powershell_quoted(key)} = {_powershell_list(words)}\n"
        for key, words in table.items()
    )
    return f"@{{\n{rows}    }}"


def _powershell_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


if __name__ == "__main__":
    for shell, text in scripts().items():
        (SCRIPTS / shell).write_text(text, encoding="utf-8", newline="\n")
