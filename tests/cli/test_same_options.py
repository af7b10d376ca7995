"""Options mean the same in every command: `--json` is `--format json`, and `--evidence` makes a trace one to validate."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracecite_lint import cli

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
    assert [line.split(" = ")[0] for line in text.out.splitlines()] == [*ran.json]


def test_in_check_it_may_go_to_a_file(lint, write, tmp_path):
    write("report.md", "nothing\n")
    lint("report.md", "--format=concise", "--json", "--output-file=r.json")
    assert (tmp_path / "r.json").read_text().startswith("{")


@pytest.mark.parametrize("before", [True, False])
def test_evidence_is_asked_of_a_trace_without_the_name_of_the_command(lint, before):
    arguments = ["--evidence", TRACE] if before else [TRACE, "--evidence"]
    ran = lint(*arguments)
    assert (ran.status, ran.out) == (0, lint("trace", TRACE, "--evidence").out)
    assert ran.out.startswith("PASS run-1: 3 events")


def test_a_file_of_that_name_is_one(lint, write):
    write("--evidence", "x")
    assert lint("--", "--evidence").status == 0


def test_check_says_that_it_audited_a_log(lint, write):
    write("calls.jsonl", Path(CALLS).read_text())
    write("more.jsonl", Path(CALLS).read_text())
    assert "1 log of model calls was audited, without a finding" in lint("calls.jsonl").out
    assert "2 logs of model calls were audited" in lint("calls.jsonl", "more.jsonl").out
    broken = Path(CALLS).read_text() + "{}\n"
    write("more.jsonl", broken)
    ran = lint("calls.jsonl", "more.jsonl")
    assert ran.status == 2
    assert "1 log of model calls was audited" in ran.out
