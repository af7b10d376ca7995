"""Names in any case are the same kind of document to discovery, reader, hook and standard input; bytes in names survive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from git_work import Work, quoting
from ran_in import lint_here as lint

SECRET = "sesquipedalian words of a private record"
RECORD = json.dumps({"note": f"he said “{SECRET} stand here”", "level": "info"}) + "\n"
UPPER_CASE = ["LOG.JSONL", "log.Ndjson", "X.Md", "REPORT.MARKDOWN", "b.RMD", "c.mDx", "d.QMD"]


def content(name: str) -> str:
    return (
        RECORD
        if name.lower().endswith("jsonl") or "ndjson" in name.lower()
        else quoting("some words stand here")
    )


@pytest.mark.parametrize(
    "arguments",
    [["--all"], ["docs"], [f"docs/{name}" for name in UPPER_CASE], [], ["--changed", "docs"]],
    ids=["all", "directory", "files", "staged", "hook"],
)
def test_names_in_another_case_are_read_alike_everywhere(work: Work, arguments: list[str]) -> None:
    for name in UPPER_CASE:
        work.stage(f"docs/{name}", content(name))
    found = lint(work.path, "--dump", "--format=json", *arguments).json
    assert found["summary"]["files"] == len(UPPER_CASE)
    quoting_files = [item["file"].removeprefix("docs/") for item in found["citations"]]
    assert sorted(quoting_files) == sorted(UPPER_CASE[2:])
    assert "2 JSONL files hold no records of a known kind, and were left alone" in found["notes"]


@pytest.mark.parametrize("arguments", [["LOG.JSONL"], ["--all"], ["--changed"], []])
def test_no_word_of_a_private_record_is_printed_whatever_the_case_of_its_name(
    work: Work, arguments: list[str]
) -> None:
    work.stage("LOG.JSONL", RECORD)
    ran = lint(work.path, *arguments, "--offline", "--extend-select", "UNASSOCIATED_QUOTE")
    assert ran.status == 0
    assert "sesquipedalian" not in ran.said


def test_the_name_of_standard_input_says_that_it_is_private(work: Work) -> None:
    arguments = ["-", "--stdin-filename", "LOG.JSONL", "--extend-select", "UNASSOCIATED_QUOTE"]
    assert "sesquipedalian" not in lint(work.path, *arguments, stdin=RECORD.encode()).said
    # A document that may be shown is: the words are there to be found.
    arguments[2] = "log.md"
    assert "sesquipedalian" in lint(work.path, *arguments, stdin=RECORD.encode()).said


def test_a_tree_outside_of_git_is_searched_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for name in UPPER_CASE:
        (plain / name).write_text(content(name))
    assert lint(plain, "--all", "--dump", "--format=json").json["summary"]["files"] == len(
        UPPER_CASE
    )
