"""Settings, baseline, lock and manifest that a repository names: no link in it leads to a file outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from git_work import Work, quoting
from ran_in import lint_here as lint

from tracecite_lint.inputs.reader import InputReader
from tracecite_lint.settings import SettingsFinder

SECRET = "sesquipedalian"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside"
    path.write_text(f'{SECRET} = "{SECRET}"\n')
    return path


def test_settings_are_not_read_through_a_link_out(work: Work, outside: Path) -> None:
    work.stage("report.md", quoting("some words stand here"))
    (work.path / ".tracecite-lint.toml").symlink_to(outside)
    ran = lint(work.path, "--dump")
    assert ran.status == 1
    assert "lies outside the repository" in ran.err
    assert SECRET not in ran.said
    # Whoever names it may read it.
    assert SECRET in lint(work.path, "--dump", "--config", str(outside)).err


def test_a_pyproject_behind_a_link_out_is_passed_over(work: Work, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text(f"[tool.tracecite-lint]\n{SECRET} = 1\n")
    work.stage("report.md", quoting("some words stand here"))
    (work.path / "pyproject.toml").symlink_to(tmp_path / "other.toml")
    ran = lint(work.path, "--dump")
    assert ran.status == 0
    assert SECRET not in ran.said


def test_settings_behind_a_link_within_are_read(work: Work) -> None:
    work.write("shared/lint.toml", 'exclude = ["report.md"]\n')
    work.stage("docs/report.md", quoting("some words stand here"))
    (work.path / "docs" / ".tracecite-lint.toml").symlink_to("../shared/lint.toml")
    assert lint(work.path, "--all", "--dump", "--format=json").citation_codes == []


@pytest.mark.parametrize("folder", [".bare", "store.GIT"])
def test_settings_of_gits_own_directory_are_not_read(work: Work, folder: str) -> None:
    work.git("init", "--quiet", "--bare", folder)
    work.write(f"{folder}/lint.toml", f"{SECRET} = 1\n")
    work.stage("report.md", quoting("some words stand here"))
    (work.path / ".tracecite-lint.toml").symlink_to(f"{folder}/lint.toml")
    ran = lint(work.path, "--dump")
    assert ran.status == 1
    assert "is git's own" in ran.err
    assert SECRET not in ran.said


@pytest.mark.parametrize("setting", ["baseline", "lock"])
def test_no_ledger_is_read_through_a_link_out(work: Work, outside: Path, setting: str) -> None:
    work.stage("report.md", quoting("some words stand here"))
    work.stage(".tracecite-lint.toml", f'{setting} = "ledger.json"\n')
    (work.path / "ledger.json").symlink_to(outside)
    outside.write_text(
        json.dumps({"version": 1, "findings": [{SECRET: 1}], "citations": [{SECRET: 1}]})
    )
    ran = lint(work.path, "--offline")
    assert ran.status == 1
    assert SECRET not in ran.said
    # Nor one of git's own, which lies inside.
    work.git("init", "--quiet", "--bare", "store")
    (work.path / "store" / "ledger.json").write_text(outside.read_text())
    (work.path / "ledger.json").unlink()
    (work.path / "ledger.json").symlink_to("store/ledger.json")
    ran = lint(work.path, "--offline")
    assert (ran.status, "a symbolic link in the work tree" in ran.err) == (1, True)
    assert SECRET not in ran.said


def test_no_manifest_is_read_through_a_link_out(work: Work, outside: Path) -> None:
    record = {"run_id": "r", "task_id": "t", "stage": "s", "call_id": "c"}
    outside.write_text(json.dumps({"run_id": SECRET, "model": SECRET, "task_ids": [SECRET]}))
    work.stage("calls.jsonl", json.dumps(record) + "\n")
    work.stage(".tracecite-lint.toml", 'manifest = "manifest.json"\n')
    (work.path / "manifest.json").symlink_to(outside)
    for arguments in (["calls.jsonl"], ["audit", "calls.jsonl"]):
        ran = lint(work.path, *arguments)
        assert "a symbolic link in the work tree" in ran.said
        assert SECRET not in ran.said
    named = lint(work.path, "audit", "calls.jsonl", "--manifest", "manifest.json")
    assert "required_stages" in named.said


def test_what_a_cache_names_is_read_below_the_repository_alone(work: Work, outside: Path) -> None:
    reader = InputReader(SettingsFinder({}, environ={}, isolated=True), work.path)
    work.write("report.md", quoting("some words stand here"))
    work.git("init", "--quiet", "--bare", "store")
    work.write("store/notes.md", SECRET)
    (work.path / "link.md").symlink_to(outside)
    names = ["link.md", str(outside), "../outside", "store/notes.md", ".git/config", "a\0b", "gone"]
    found = reader.from_repository(work.path, [*names, "report.md"])
    assert [job.location.name for job in found.jobs] == ["report.md"]
    assert found.problems == ()


@pytest.mark.parametrize("arguments", [["--all"], ["docs"], ["."]])
def test_a_search_reads_no_document_through_a_folder_that_leads_out(
    work: Work, tmp_path: Path, arguments: list[str]
) -> None:
    work.record("docs/report.md", quoting("some words stand here"))
    (work.path / "docs").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "report.md").write_text(quoting(f"some {SECRET} words stand here"))
    (work.path / "docs").symlink_to(tmp_path / "elsewhere")
    ran = lint(work.path, *arguments, "--offline")
    assert SECRET not in ran.said
    # A file that is named is read wherever it lies.
    assert SECRET in lint(work.path, "docs/report.md", "--offline").said
