"""`--max-time` counts from the start of the command: what is not read in time is said, and never passes in silence."""

from __future__ import annotations

import json
import time

import pytest

from tracecite_lint.cli import main
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
