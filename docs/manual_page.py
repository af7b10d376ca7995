"""Writes docs/tracecite-lint.1, the manual page, from the parsers of the command line: `python docs/manual_page.py`.

The wheel installs the page as share/man/man1/tracecite-lint.1. A test compares it with what this script would write.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from tracecite_lint.cli import COMMANDS, parser_for
from tracecite_lint.settings import OPTIONS

PAGE = Path(__file__).with_name("tracecite-lint.1")

STATUSES = {
    "0": "Every checked citation is verified, or there was nothing to check.",
    "1": "Wrong arguments, unreadable input, malformed notes or report blocks, broken settings.",
    "2": "A mismatch, an unverifiable or changed source, a finding about a trace or a call log.",
    "130": "Interrupted.",
}


def manual_page() -> str:
    """Return the page in the man(7) language."""
    lines = [
        '.TH TRACECITE\\-LINT 1 "" "tracecite\\-lint" "User Commands"',
        ".SH NAME",
        "tracecite\\-lint \\- check that quoted words stand in the sources they cite",
        ".SH SYNOPSIS",
    ]
    for name in COMMANDS:
        usage = re.sub(r"\s+", " ", parser_for(name).format_usage()).removeprefix("usage: ").strip()
        words = usage.removeprefix("tracecite-lint").removeprefix(f" {name}").strip()
        arguments = re.sub(r"\[-.*?\](?= |$)", "", words)
        arguments = re.sub(r"\s+", " ", arguments).strip()
        lines += [
            ".br",
            _text(f"tracecite-lint {name} [OPTION…] {arguments}".strip()),
        ]
    lines += [
        ".SH DESCRIPTION",
        _text(
            "Opens the source of each quotation in Markdown documents, citation notes and agent traces, and checks that the "
            "quoted words really stand there. It checks presence alone: whether the source supports the claim is for a "
            "reader to judge. Without a command and without paths it checks what `git commit` would record."
        ),
        ".SH COMMANDS",
    ]
    for name, (_, summary) in COMMANDS.items():
        lines += [".SS " + _text(name), _text(summary[0].upper() + summary[1:] + ".")]
        for action in parser_for(name)._actions:  # argparse has no public way to ask
            if action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
                lines += _option(action)
    lines += [".SH EXIT STATUS"]
    for status, meaning in STATUSES.items():
        lines += [".TP", f".B {status}", _text(meaning)]
    lines += [".SH ENVIRONMENT"]
    for option in OPTIONS:
        if option.kind.schema.get("type") != "object":
            lines += [".TP", f".B {_text(option.variable)}", _text(option.plain)]
    for name, meaning in {
        "SSL_CERT_FILE": "Further certificate authorities, as with --cafile.",
        "HTTPS_PROXY, HTTP_PROXY, NO_PROXY": "The proxy to go through, and hosts that need none.",
        "NO_COLOR, FORCE_COLOR": "No colour, or colour also where stdout is no terminal.",
    }.items():
        lines += [".TP", f".B {_text(name)}", _text(meaning)]
    lines += [".SH FILES"]
    for name, meaning in {
        ".tracecite-lint.toml, tracecite-lint.toml, pyproject.toml": "Settings of a project; the closest file wins.",
        ".tracecite-baseline.json": "Known findings, at the root of a repository.",
    }.items():
        lines += [".TP", f".I {_text(name)}", _text(meaning)]
    return "\n".join(lines) + "\n"


def _option(action: argparse.Action) -> list[str]:
    value = ""
    if action.nargs != 0:
        value = str(
            action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
        )
    if action.option_strings:
        name = ", ".join(action.option_strings) + (f" {value}" if value else "")
    else:
        name = value
    return [".TP", f".B {_text(name)}", _text(re.sub(r"\s+", " ", action.help or ""))]


def _text(text: str) -> str:
    """Return *text* as roff that shows it."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    PAGE.write_text(manual_page(), encoding="utf-8", newline="\n")
