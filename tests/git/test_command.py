"""`check` in a repository: what its arguments choose, what it says about the choice, and when it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from git_work import Work, quoting

from tracecite_lint.cli import main

ONE = "the first words stand here"
TWO = "the second words stand here"
THREE = "the third words stand here"


@pytest.fixture(autouse=True)
def plain_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


class Dump:
    """What `--dump` understood."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.err = status, err
        self.report = json.loads(out)

    @property
    def citations(self) -> list[tuple[str, int]]:
        return [(item["file"], item["line"]) for item in self.report["citations"]]

    @property
    def unchanged(self) -> int:
        found: int = self.report["summary"]["unchanged"]
        return found


def dump(capsys: pytest.CaptureFixture[str], *args: str) -> Dump:
    status = main([*args, "--dump", "--format", "json"])
    return Dump(status, *capsys.readouterr())


def test_without_arguments_what_a_commit_would_record(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.record("report.md", quoting(ONE))
    work.stage("report.md", quoting(ONE, TWO))
    work.write("report.md", quoting(ONE, TWO, THREE))
    found = dump(capsys)
    assert (found.citations, found.unchanged) == ([("report.md", 5)], 1)


def test_with_a_path_every_citation_of_the_file_on_disk(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.record("report.md", quoting(ONE))
    work.write("report.md", quoting(ONE, TWO))
    assert dump(capsys, "report.md").citations == [("report.md", 3), ("report.md", 5)]


def test_with_all_every_tracked_document(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    work.stage("docs/report.md", quoting(ONE))
    work.stage(
        "notes.txt", f"claim: a\nquote: {TWO}\nurl: https://www.iana.org/help/example-domains\n"
    )
    work.stage("source.txt", f"It says “{THREE}” ([x](https://www.iana.org/help/example-domains)).")
    work.write("untracked.md", quoting(THREE))
    files = [file for file, _ in dump(capsys, "--all").citations]
    assert sorted(files) == ["docs/report.md", "notes.txt"]


def test_since_a_base(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    work.record("report.md", quoting(ONE))
    work.git("checkout", "--quiet", "-b", "topic")
    work.record("report.md", quoting(ONE, TWO))
    found = dump(capsys, "--diff-base", "main")
    assert (found.citations, found.unchanged) == ([("report.md", 5)], 1)
    assert dump(capsys, "--diff-base", "main", "other.md").citations == []


def test_changed_with_nothing_staged_checks_the_files_in_full_and_says_so(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.stage("page.json", "[]")
    work.stage("page.txt", f"It says “{THREE}” ([x](https://www.iana.org/help/example-domains)).")
    work.stage(".tracecite-lint.toml", 'exclude = ["old.md"]\n')
    work.stage("old.md", quoting(THREE))
    work.record("report.md", quoting(ONE, TWO))
    named = ["report.md", "page.json", "page.txt", "old.md", ".tracecite-lint.toml"]
    assert dump(capsys, "--changed", *named).citations == [("report.md", 3), ("report.md", 5)]
    main(["--changed", "--dump", "report.md"])
    assert "in full" in "".join(capsys.readouterr())


def test_changed_without_files_and_with_nothing_staged_checks_nothing(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.record("report.md", quoting(ONE))
    assert dump(capsys, "--changed").citations == []


def test_changed_counts_the_files_it_skips(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    work.record("report.md", quoting(ONE))
    work.stage("new.md", quoting(TWO))
    main(["--changed", "--dump", "report.md", "new.md"])
    assert "skipped 1 file" in "".join(capsys.readouterr())


def test_changed_reads_the_refs_of_the_hook(
    work: Work, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", work.record("report.md", quoting(ONE)))
    monkeypatch.setenv("PRE_COMMIT_TO_REF", work.record("report.md", quoting(ONE, TWO)))
    assert dump(capsys, "--changed", "report.md").citations == [("report.md", 5)]


def test_in_a_subdirectory_files_are_named_from_there(
    work: Work, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work.stage("docs/report.md", quoting(ONE))
    work.stage("top.md", quoting(ONE))
    monkeypatch.chdir(work.path / "docs")
    assert dump(capsys).citations == [("report.md", 3), ("../top.md", 3)]
    assert dump(capsys, "--changed", "report.md").citations == [("report.md", 3)]


def test_moved_to_other_settings_a_document_is_looked_at_again(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.stage(
        ".tracecite-lint.toml",
        '[per-file-ignores]\n"old/" = ["QUOTE_NOT_IN_LIVE_SOURCE"]\n',
    )
    work.record("old/report.md", quoting(ONE))
    work.git("mv", "old", "kept")
    assert dump(capsys).citations == [("kept/report.md", 3)]


def test_excluded_before_a_document_is_all_new(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.stage(".tracecite-lint.toml", 'exclude = ["old"]\n')
    work.record("old/report.md", quoting(ONE))
    work.git("mv", "old", "kept")
    assert dump(capsys).citations == [("kept/report.md", 3)]
    work.commit()
    work.git("mv", "kept", "old")
    assert dump(capsys).citations == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--diff-base", "nowhere"], "fetch-depth: 0"),
        (["--diff-base", "0" * 40], "zero id"),
        (["--changed", "../outside.md"], "outside of the repository"),
        (["--changed", "missing.md"], "FILE_NOT_FOUND"),
        (["--changed", "--all"], "cannot be given together"),
        (["--changed", "--diff-base", "HEAD"], "cannot be given together"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    work: Work, capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    work.record("report.md", quoting(ONE))
    work.stage("new.md", quoting(TWO))
    assert main(args) == 1
    out, err = capsys.readouterr()
    assert said in out + err
    assert "Traceback" not in err


def test_outside_of_git_the_way_out_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.md").write_text(quoting(ONE))
    for args in ([], ["--changed", "report.md"], ["--diff-base", "main"]):
        assert main(args) == 1
        assert "--all" in capsys.readouterr().err
    assert dump(capsys, "--all").citations == [("report.md", 3)]


def test_without_git_on_the_machine_that_is_said(
    work: Work, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["--changed", "report.md"]) == 1
    assert "git was not found" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["not \udcff utf-8.md", "with\nnewline.md", "esc\x1b[31m.md"])
def test_any_name_can_be_shown(work: Work, capsys: pytest.CaptureFixture[str], name: str) -> None:
    work.stage(name, quoting(ONE))
    assert main(["--dump"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "with\nnewline" not in out
    for format in ("json", "sarif", "github", "junit"):
        assert main(["--dump", "--format", format]) == 0
