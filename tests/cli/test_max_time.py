"""`--max-time` counts from the start of the command: what is not read in time is said, and never passes in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tracecite_lint.cli import COMMANDS, main, parser_for
from tracecite_lint.cli.time_limit import TO_SPARE, OutOfTime, ended_at
from tracecite_lint.sources.deadline import BYTES_PER_SECOND, Deadline


@pytest.fixture
def documents(tmp_path, monkeypatch):
    (tmp_path / "source.md").write_text("one two three four\n")
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("“one two three” ([t](source.md))\n")
    monkeypatch.chdir(tmp_path)


def checked(capsys, *arguments):
    status = main(["--isolated", "--no-cache", "--format", "json", *arguments, "a.md", "b.md"])
    return status, json.loads(capsys.readouterr().out)


def test_a_document_that_is_not_read_in_time_is_an_error(documents, capsys):
    status, report = checked(capsys, "--max-time", "0.000001")
    found = [(item["file"], item["code"], item["severity"]) for item in report["diagnostics"]]
    assert found == [(name, "NOT_CHECKED_TIME_BUDGET", "error") for name in ("a.md", "b.md")]
    assert status == 2


def test_a_lenient_run_warns_of_a_document_that_is_not_read(documents, capsys):
    status, report = checked(capsys, "--max-time", "0.000001", "--allow-unreachable")
    assert [item["severity"] for item in report["diagnostics"]] == ["warning", "warning"]
    assert status == 0


def test_with_enough_time_everything_is_checked(documents, capsys):
    status, report = checked(capsys, "--max-time", "3600")
    assert (status, report["diagnostics"], report["summary"]["verified"]) == (0, [], 2)


def test_a_document_is_not_begun_that_cannot_be_read_in_time():
    deadline = Deadline.after(3600, started=time.monotonic())
    assert deadline.leaves_time_for(BYTES_PER_SECOND)
    assert not deadline.leaves_time_for(3601 * BYTES_PER_SECOND)
    assert Deadline().leaves_time_for(10**15)


PIPE = "pipe"
ENDLESS = {
    "check": ["-"],
    "check-report": [PIPE],
    "verify-notes": [PIPE],
    "verify-urls": [PIPE],
    "verify-files": [PIPE],
    "trace": [PIPE],
    "compare": [PIPE, PIPE],
    "audit": ["-"],
    "agent-hook": ["--for=codex"],
}
"""For each command with the option an input that never ends."""
NOT_A_RUN = {"config", "server", "mcp"}
"""They take the option with others that they show or hand on."""
READS_DOCUMENTS = {"baseline", "text", "transcript"}
"""They read no pipes: see below, and the tests of `text`."""
HANGS = 60
"""Seconds after which nothing ends any more."""

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


def ended(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a standard input that stays open and empty; TimeoutExpired if it hangs."""
    with subprocess.Popen(
        [sys.executable, "-m", "tracecite_lint", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            process.wait(HANGS)
        finally:
            process.kill()
        out, err = process.communicate()
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def test_every_command_with_the_option_is_looked_at():
    having = {name for name in COMMANDS if "--max-time" in parser_for(name)._option_string_actions}
    assert having == {*ENDLESS, *NOT_A_RUN, *READS_DOCUMENTS}


@needs_pipes
@pytest.mark.parametrize("name", ENDLESS)
def test_an_input_that_never_ends_ends_with_the_time_of_the_run(name, tmp_path):
    os.mkfifo(tmp_path / PIPE)
    done = ended(tmp_path, name, "--max-time", "0.1", *ENDLESS[name])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "tracecite-lint: error: the time of the run was up: raise --max-time, or name less\n"
    )


@needs_pipes
def test_the_environment_gives_a_time_too(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / PIPE)
    monkeypatch.setenv("TRACECITE_LINT_MAX_TIME", "0.1")
    assert ended(tmp_path, "trace", PIPE).returncode == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="nothing is endless here")
@pytest.mark.parametrize("arguments", [["trace"], ["trace", "--from", "codex"], ["audit"]])
def test_work_that_never_ends_ends_with_the_time_of_the_run(arguments, tmp_path):
    done = ended(tmp_path, *arguments, "--max-time", "0.5", "/dev/zero")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the time of the run was up" in done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="nothing is endless here")
def test_standard_input_that_gives_more_and_more_ends_at_the_size_of_a_document(tmp_path):
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "tracecite_lint", "-"],
            cwd=tmp_path,
            stdin=endless,
            capture_output=True,
            text=True,
            timeout=HANGS,
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert "standard input is larger than 256 MiB" in done.stderr


def test_no_signal_comes_once_the_block_has_ended():
    with ended_at(Deadline(time.monotonic() + 0.05)):
        pass
    time.sleep(0.1)
    with pytest.raises(OutOfTime), ended_at(Deadline(time.monotonic() + 0.05)):
        time.sleep(HANGS)


def test_a_check_has_time_to_end_by_itself():
    assert TO_SPARE > 1
    with ended_at(Deadline(time.monotonic() - 1), to_spare=TO_SPARE):
        time.sleep(0.1)


def test_a_baseline_loses_nothing_of_what_was_not_read(documents, capsys):
    Path("b.md").write_text("“six seven eight” ([t](source.md))\n")
    assert main(["baseline", "create"]) == 0
    before = Path(".tracecite-baseline.json").read_bytes()
    assert b"b.md" in before
    for action in ("prune", "update"):
        capsys.readouterr()
        assert main(["baseline", action, "--max-time", "0.000001"]) == 1
        assert "b.md: NOT_CHECKED_TIME_BUDGET" in capsys.readouterr().out
        assert Path(".tracecite-baseline.json").read_bytes() == before


def test_that_there_was_no_time_is_never_a_known_finding(documents, capsys):
    assert main(["baseline", "create", "--max-time", "0.000001"]) == 1
    assert json.loads(Path(".tracecite-baseline.json").read_bytes())["findings"] == []
    assert main(["--all", "--max-time", "0.000001"]) == 2


def test_a_lock_loses_nothing_of_what_was_not_read(documents, capsys):
    assert main(["--all", "--lock", "lock.json"]) == 0
    before = Path("lock.json").read_bytes()
    assert b"b.md" in before
    assert main(["--all", "--lock", "lock.json", "--max-time", "0.000001"]) == 2
    assert Path("lock.json").read_bytes() == before
    Path("b.md").write_bytes(b"\xff")
    assert main(["--all", "--lock", "lock.json"]) == 1
    assert Path("lock.json").read_bytes() == before
