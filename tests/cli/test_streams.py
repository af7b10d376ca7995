"""Standard streams as shells leave them: closed, full, or with nobody at the other end."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

WRONG = "“These words stand in no such file” ([s](source.txt))\n"


@pytest.fixture
def shell(tmp_path, write):
    """Run a shell command in tmp_path in which `lint` is tracecite-lint."""
    write("wrong.md", WRONG)
    write("source.txt", "Other words.\n")
    program = f'lint() {{ {shlex.quote(sys.executable)} -m tracecite_lint "$@"; }}\n'

    def run(command: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["sh", "-c", program + command],
            cwd=tmp_path,
            env=dict(os.environ),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "Traceback" not in done.stderr
        assert "internal error" not in done.stderr
        return done

    return run


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("lint wrong.md >&-", 2),
        ("lint wrong.md 2>&-", 2),
        ("lint wrong.md >&- 2>&- <&-", 2),
        ("lint --no-such-option 2>&-", 1),
        ("lint explain --all >&-", 0),
        ("lint config show >&-", 0),
        ("lint --version >&-", 0),
    ],
)
def test_closed_streams_change_no_status(shell, command, status):
    assert shell(command).returncode == status


@pytest.mark.parametrize("command", ["wrong.md", "explain --all", "config schema", "--version"])
def test_a_report_that_cannot_be_written_is_an_error(shell, command):
    done = shell(f"lint {command} >/dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith("tracecite-lint: error: the report cannot be written: ")


def test_a_reader_that_goes_away_is_no_matter_for_words(shell):
    assert shell("lint explain --all | head -1").stderr == ""


def test_closed_standard_input_is_not_an_empty_document(shell):
    done = shell("lint - <&-")
    assert (done.returncode, done.stderr) == (
        1,
        "tracecite-lint: error: standard input is closed\n",
    )
