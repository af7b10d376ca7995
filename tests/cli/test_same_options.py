"""Options mean the same in every command: `--json` is `--format json`, and `--evidence` makes a trace one to validate."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tracecite_lint import __version__, cli

FIXTURES = Path(__file__).parents[2] / "fixtures"
TRACE = str(FIXTURES / "traces" / "trace.jsonl")
CALLS = str(FIXTURES / "calls" / "normalized.jsonl")
NOTE = "claim: c\nquote: the quick brown fox\nurl: https://www.example.org/\n"

COMMANDS = {
    "check": ["check", "report.md", "--offline"],
    "the command without a name": ["report.md", "--offline"],
    "check-report": ["check-report", "report.md", "--offline"],
    "verify-notes": ["verify-notes", "notes.txt", "--offline"],
    "verify-urls": ["verify-urls", TRACE, "--offline"],
    "verify-files": ["verify-files", TRACE],
    "trace": ["trace", TRACE],
    "compare": ["compare", TRACE, TRACE],
    "audit": ["audit", CALLS],
    "transcript": ["transcript", str(FIXTURES / "traces" / "codex.jsonl")],
    "explain": ["explain", "URL_BLOCKED"],
    "cache": ["cache", "stats"],
    "config": ["config", "show"],
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_json_is_a_format(lint, write, arguments):
    write("report.md", "It says “the quick brown fox” ([a page](https://www.example.org/)).\n")
    write("notes.txt", NOTE)
    ran = lint(*arguments, "--json")
    assert ran.status in (0, 2)
    assert ran.json
    assert lint(*arguments, "--format=json").out == ran.out


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_a_command_has_both_or_neither(name):
    options = {
        flag: action
        for action in cli.parser_for(name)._actions  # argparse has no public way to ask
        for flag in action.option_strings
    }
    formats = options["--format"].choices if "--format" in options else ()
    assert ("json" in formats) == ("--json" in options)
    assert ("json" in formats) == (name in COMMANDS)  # so that each is tried above


def test_the_settings_as_json_are_those_of_the_text(lint, write):
    path = write("a\x1b[31m/tracecite-lint.toml", 'ttl = "7d"\nexclude = ["a\\u001b.md"]\n')
    ran, text = (lint("config", option, cwd=path.parent) for option in ("--json", "show"))
    assert "\x1b" not in ran.out + text.out
    assert ran.json["exclude"] == {"value": ["a\x1b.md"], "origin": str(path)}
    lines = [line.removeprefix("# ").split()[0] for line in text.out.splitlines()]
    assert lines[-len(ran.json) :] == [*ran.json]


SETTINGS = """
exclude = ["a\\u202e b", 'C:\\x', "\\U000E0041\\u007f\\""]
severity = {"URL_BLOCKED" = "off", "HTTP_STATUS_404" = "warning"}
ttl = "7d"
offline = true
retries = 1
[per-file-ignores]
"my drafts/**" = ["URL_BLOCKED", "REQUEST_TIMEOUT"]
[hosts."a.org"]
interval = "1s"
user-agent = "Me/1.0"
"""


def test_the_settings_that_are_shown_are_toml_that_says_the_same(lint, write, tmp_path):
    write("tracecite-lint.toml", SETTINGS)
    write("pyproject.toml", "[project]\nname = 'x'\n")
    shown = lint(
        "config", "--timeout=3", "--user-agent=You/2.0", env={"TRACECITE_LINT_MAX_TIME": "9"}
    )
    assert "= true  # " + str(tmp_path / "tracecite-lint.toml") in shown.out
    assert "timeout = 3.0  # command line" in shown.out
    assert "max-time = 9.0  # environment" in shown.out
    assert "# lock is not set  # default" in shown.out
    assert "\u202e" not in shown.out and "\U000e0041" not in shown.out
    table = tomllib.loads(shown.out)
    # It can be used as one's own file, and says the same again.
    again = write("again.toml", shown.out)
    (again.parent / "a").mkdir()
    own = lint(
        *("config", "--json"),
        cwd=again.parent / "a",
        env={"TRACECITE_LINT_USER_CONFIG": str(again)},
    )
    first = lint("config", "--json", "--timeout=3", env={"TRACECITE_LINT_MAX_TIME": "9"})
    for key in table:
        if key != "user-agent":
            assert own.json[key]["value"] == first.json[key]["value"], key
    assert own.json["hosts"]["value"]["a.org"]["user_agent"] == "Me/1.0"


def test_the_files_that_were_looked_at_are_named(lint, write, tmp_path):
    write("pyproject.toml", "[project]\nname = 'x'\n")
    write("a/.tracecite-lint.toml", "ttl = 5\n")
    write("a/b/pyproject.toml", "[project]\nname = 'y'\n")
    own = write("own.toml", "ttl = 6\n")
    env = {"TRACECITE_LINT_USER_CONFIG": str(own)}

    def comments(*arguments, cwd, **env):
        lines = lint("config", *arguments, cwd=cwd, env=env).out.splitlines()
        return [line for line in lines if line.startswith("# /")]

    assert comments(cwd=tmp_path / "a" / "b", **env) == [
        f"# {own}: used",
        f"# {tmp_path / 'a/b/pyproject.toml'}: says nothing of tracecite-lint",
        f"# {tmp_path / 'a/.tracecite-lint.toml'}: used",
    ]
    assert comments("--isolated", cwd=tmp_path) == []
    assert comments("--config", "own.toml", cwd=tmp_path)[1:] == [
        f"# {own}: used, as --config names it"
    ]
    own.unlink()
    assert comments(cwd=tmp_path, **env)[:2] == [
        f"# {own}: not there",
        f"# {tmp_path / 'pyproject.toml'}: says nothing of tracecite-lint",
    ]


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version(lint, option):
    assert lint(option).out == f"tracecite-lint {__version__}\n"


def test_the_environment_names_the_format_where_no_option_does(lint, write):
    write("report.md", "“the quick brown fox” ([a page](https://www.example.org/))\n")
    named = {"TRACECITE_LINT_FORMAT": "json"}
    assert lint("report.md", "--offline", env=named).json["summary"]["citations"] == 1
    assert lint("report.md", "--offline", "--format=concise", env=named).out.startswith(
        "report.md:1"
    )
    assert lint("report.md", "--offline", env={**named, "GITHUB_ACTIONS": "true"}).json
    lint("report.md", "--offline", "-o", "r.json", env=named)
    assert json.loads((write("x", "").parent / "r.json").read_text())["summary"]["citations"] == 1
    assert lint("audit", CALLS, env=named).json
    assert lint("audit", CALLS, env={"TRACECITE_LINT_FORMAT": "markdown"}).status == 0
    ran = lint("report.md", "--offline", env={"TRACECITE_LINT_FORMAT": "jsno"})
    assert (ran.status, ran.out) == (1, "")
    assert "TRACECITE_LINT_FORMAT=jsno is no format (did you mean 'json'?)" in ran.err
