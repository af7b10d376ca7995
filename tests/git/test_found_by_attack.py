"""What an attack got through that knew nothing of the tests: each by the real command in a real repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from git_work import Work, quoting
from ran_in import FORMATS
from ran_in import lint_here as lint

SECRET = "sesquipedalian"


@pytest.mark.parametrize(
    ("name", "ours", "status"),
    [
        (".tracecite-lint.toml", "", 1),
        ("pyproject.toml", "[tool.tracecite-lint]\n", 1),
        ("pyproject.toml", "", 2),
    ],
)
def test_a_key_of_many_parts_is_not_parsed(work: Work, name: str, ours: str, status: int) -> None:
    """tomllib takes a time with the square of the parts of a dotted key; a file that is not ours is passed over aloud."""
    work.stage("report.md", quoting("some words stand here"))
    work.write(name, f"{'.'.join('a' * 16_000)} = 1\n{ours}")
    ran = lint(work.path, "--offline")
    assert (ran.status, "more than 500 dots on line 1" in ran.said) == (status, True)


def test_a_folder_that_became_a_link_out_is_not_checked_by_a_hook(work: Work) -> None:
    outside = work.path.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text(f"> {SECRET} words of a file outside\n\n— [s](n.txt)\n")
    work.record("docs/a.md", "hi\n")
    (work.path / "docs" / "a.md").unlink()
    (work.path / "docs").rmdir()
    (work.path / "docs").symlink_to(outside)
    for name in (".", "docs"):
        assert SECRET not in lint(work.path, "--changed", name, "--offline").said, name


def test_a_diff_of_fixes_holds_no_workflow_command(work: Work) -> None:
    work.write("data.txt", "the words that stand in the source are Exactly these\n")
    injected = "::error file=x::INJ\n##[error]INJ\n"
    quotation = "> the words that stand in the source are exactly these\n\n— [s](data.txt)\n"
    work.stage("r.md", f"{injected}{quotation}\n::stop-commands::X\n")
    ran = lint(
        work.path, "--fix", "--unsafe-fixes", "--diff", "r.md", "--offline", GITHUB_ACTIONS="true"
    )
    assert "INJ" in ran.out
    lines = [line.lstrip() for line in ran.said.splitlines()]
    assert not [line for line in lines if line.startswith("::") or "##[" in line]
    ran = lint(
        work.path, "--fix", "--unsafe-fixes", "--diff", "::error::nofile.md", GITHUB_ACTIONS="true"
    )
    assert not [line for line in ran.said.splitlines() if line.lstrip().startswith("::")]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2&#64;a.example.com/x",
        "https://user:hunter2&commat;a.example.com/x",
        "https:\\//user:hunter2@a.example.com/x",
        "&#47;&#47;user:hunter2@a.example.com/x",
        "https:///user:hunter2@a.example.com/x",
        "https:////user:hunter2@a.example.com/x",
        "https://user:hunter2%40a.example.com/x",
        "https://user:hunter2＠a.example.com/x",
        'https://user:hunter2"q@a.example.com/x',
    ],
)
def test_a_password_is_hidden_however_its_url_is_written(work: Work, url: str, form: str) -> None:
    work.write("r.md", f"He said “the words of data one” [d]({url})\n")
    ran = lint(work.path, "r.md", "--offline", "--no-cache", "--format", form)
    assert "hunter2" not in ran.said


RECORD = {
    "type": "assistant",
    "message": {"role": "assistant", "content": [{"type": "text", "text": f"a {SECRET} sentence"}]},
}


@pytest.mark.parametrize("form", FORMATS)
def test_words_of_a_record_are_not_shown_to_a_document_that_cites_it(work: Work, form: str) -> None:
    work.write("t.jsonl", json.dumps(RECORD) + "\n")
    (work.path / "linked.txt").symlink_to("t.jsonl")
    for source in ("t.jsonl", "t%2Ejsonl", "linked.txt"):
        work.write("r.md", f"It says “a sesquipedalien sentence” ([s]({source})).\n")
        ran = lint(work.path, "r.md", "--offline", "--format", form)
        assert ran.status == 2, ran
        assert SECRET not in ran.said
        ran = lint(work.path, "r.md", "--offline", "--fix", "--unsafe-fixes", "--diff")
        assert SECRET not in ran.said
        work.write("r.md", f"It says “a {SECRET}” ([s]({source})).\n")
        assert lint(work.path, "r.md", "--lock", "lock.json").status == 0
        assert "sentence" not in (work.path / "lock.json").read_text()


def test_a_name_that_leads_out_of_a_hand_made_index_is_no_document(work: Work) -> None:
    outside = work.path.parent / "xxxxxx"
    outside.mkdir()
    (outside / "a.md").write_text(f"> {SECRET} words\n\n— [s](n.txt)\n")
    name = f"{outside.as_posix()}/a.md"
    harmless = "d" * (len(name) - 5) + "/a.md"
    work.stage(harmless, "hi\n")
    index = Path(work.path, ".git", "index")
    body = index.read_bytes()[:-20].replace(harmless.encode(), name.encode())
    import hashlib

    index.write_bytes(body + hashlib.sha1(body).digest())
    assert name in work.git("ls-files", check=False)
    for arguments in (["--all"], ["."], ["baseline", "create"], []):
        assert SECRET not in lint(work.path, *arguments).said, arguments


@pytest.mark.parametrize("time", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
def test_a_time_that_cannot_be_written_back_is_an_error(work: Work, time: str) -> None:
    reading = {"file": "r.md", "source": "s.txt", "quote": "0" * 16, "final_url": "s.txt"}
    record = {**reading, "read": time, "around": "0" * 16}
    work.write("lock.json", json.dumps({"version": 1, "citations": [record], "failures": []}))
    work.write("s.txt", "some words stand here\n")
    work.write("r.md", quoting("some words stand here"))
    ran = lint(work.path, "r.md", "--lock", "lock.json")
    assert (ran.status, "is no time such as" in ran.err) == (1, True)
