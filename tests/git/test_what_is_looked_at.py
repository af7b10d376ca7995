"""What a run over a repository looks at: all that is tracked, on disk or not, and new documents; and what it says of the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from git_work import Work
from ran_in import Ran, lint

SOURCE = "The tide turns the wheel of every mill, and nobody pays for it.\n"
TRUE = "“The tide turns the wheel of every mill” ([s](../data/src.txt)).\n"
FALSE = "“The tide burns the wheel of every mill” ([s](../data/src.txt)).\n"
NOTE = "claim: c\nquote: nobody pays for it\nurl: ../data/src.txt\n"
KNOWN = ".tracecite-baseline.json"


def verdicts(ran: Ran) -> list[tuple[str, str]]:
    return [(item["file"], item["verdict"]) for item in ran.json["citations"]]


def checked(folder: Path, *arguments: str) -> Ran:
    return lint(folder, *arguments, "--format=json")


@pytest.fixture
def full(work: Work) -> Work:
    """A repository with documents in and outside of docs/, all of which cite a file outside of it."""
    work.stage("data/src.txt", SOURCE)
    work.stage("docs/a.md", TRUE)
    work.stage("notes/b.md", FALSE)
    work.stage("notes/n.txt", NOTE)
    (work.path / "data" / "link.txt").symlink_to("src.txt")
    work.git("add", "data/link.txt")
    work.stage("docs/c.md", TRUE.replace("src.txt", "link.txt"))
    work.commit()
    return work


def sparse(work: Work) -> Path:
    work.git("sparse-checkout", "set", "docs")
    assert not (work.path / "notes").exists()
    return work.path


def blobless(work: Work) -> Path:
    """Clone without the texts outside of docs/; nothing of them can be fetched later."""
    work.git("config", "uploadpack.allowFilter", "true")
    path = work.path.with_name("clone")
    work.git("clone", "-q", "--filter=blob:none", "--sparse", f"file://{work.path}", str(path))
    Work(path).git("sparse-checkout", "set", "docs")
    return path


# ---- Sparse checkouts and partial clones


@pytest.mark.parametrize("options", [[], ["--no-cone"], ["--sparse-index"]], ids=str)
def test_a_sparse_checkout_has_the_verdicts_of_the_full_one(full: Work, options: list[str]) -> None:
    expected = verdicts(checked(full.path, "--all"))
    assert sorted({verdict for _, verdict in expected}) == ["mismatch", "verified"]
    full.git("sparse-checkout", "set", *options, "docs")
    ran = checked(full.path, "--all")
    assert verdicts(ran) == expected
    assert ran.status == 2
    said = lint(full.path, "--all").out
    assert "left out" not in said
    assert (
        "read from the index, as the sparse checkout leaves it out: 2 files (notes/b.md, notes/n.txt)"
        in said
    )


def test_the_settings_that_are_not_on_disk_hold_too(full: Work) -> None:
    full.stage(
        "notes/tracecite-lint.toml", 'exclude = ["/n.txt"]\nignore = ["QUOTE_NOT_IN_SOURCE"]\n'
    )
    full.stage("data/pyproject.toml", "{% if x %}\n")
    full.commit()
    expected = checked(full.path, "--all")
    assert expected.status == 0
    assert ("notes/n.txt", "verified") not in verdicts(expected)
    path = sparse(full)
    ran = checked(path, "--all")
    assert (ran.status, verdicts(ran)) == (0, verdicts(expected))
    assert checked(path, "notes/b.md").status == 0
    full.git("sparse-checkout", "disable")
    full.record("notes/tracecite-lint.toml", "broken = 1\n")
    sparse(full)
    assert "unknown setting 'broken'" in lint(path, "--all").err


def test_so_have_a_folder_and_a_file_that_is_named(full: Work) -> None:
    path = sparse(full)
    for name in (".", "docs", "docs/a.md"):
        assert ("docs/a.md", "verified") in verdicts(checked(path, name)), name
    assert verdicts(checked(path, "notes/b.md")) == [("notes/b.md", "mismatch")]
    assert verdicts(checked(path / "docs", "../notes/b.md")) == [("../notes/b.md", "mismatch")]
    assert "FILE_NOT_FOUND" in lint(path, "notes/none.md").out


def test_a_blobless_clone_has_them_or_names_the_rest(full: Work) -> None:
    expected = dict(verdicts(checked(full.path, "--all")))
    path = blobless(full)
    ran = checked(path, "--all")
    got = dict(verdicts(ran))
    assert got == {"docs/a.md": "unverifiable", "docs/c.md": "unverifiable"}
    assert {item["code"] for item in ran.json["citations"]} == {"SOURCE_UNAVAILABLE"}
    assert all("not" in item["message"] for item in ran.json["diagnostics"])
    rest = expected.keys() - got.keys()
    said = lint(path, "--all").out
    [note] = [line for line in said.splitlines() if "not at hand in this clone: " in line]
    assert all(name in note for name in rest)
    named = lint(path, "notes/b.md")
    assert named.status == 1
    assert "UNREADABLE_FILE" in named.out


def test_what_only_the_index_has_is_not_written(full: Work) -> None:
    full.record("docs/d.md", FALSE)
    path = sparse(full)
    ran = lint(path, "--all", "--fix", "--unsafe-fixes")
    assert ran.status == 2
    assert "fixed 1 quotation in 1 file" in ran.out
    assert (path / "docs" / "d.md").read_text() == TRUE
    assert not (path / "notes").exists()


def test_a_cited_file_that_was_deleted_is_gone_all_the_same(full: Work) -> None:
    (full.path / "data" / "src.txt").unlink()
    assert "there is no such file" in lint(full.path, "docs/a.md").out


# ---- Nothing that was not looked at is dropped


def known_findings(path: Path) -> list[str]:
    return [item["file"] for item in json.loads((path / KNOWN).read_text())["findings"]]


@pytest.fixture
def with_baseline(full: Work) -> Work:
    assert lint(full.path, "baseline", "create").status == 0
    full.git("add", "-A")
    full.commit()
    return full


@pytest.mark.parametrize("way", [sparse, blobless])
def test_a_baseline_keeps_what_a_sparse_checkout_leaves_out(with_baseline: Work, way) -> None:
    path = way(with_baseline)
    strict = lint(path, "--all", "--strict-baseline")
    assert "STALE_BASELINE_ENTRY" not in strict.out
    for action in ("prune", "update"):
        lint(path, "baseline", action)
        assert "notes/b.md" in known_findings(path)


@pytest.mark.parametrize("way", [sparse, blobless])
def test_a_lock_keeps_it_too(full: Work, way) -> None:
    assert lint(full.path, "--all", "--lock=lock.json").status == 2
    full.git("add", "-A")
    full.commit()
    before = (full.path / "lock.json").read_text()
    assert "notes/n.txt" in before
    path = way(full)
    lint(path, "--all", "--lock=lock.json")
    assert "notes/n.txt" in (path / "lock.json").read_text()


def test_a_document_that_was_deleted_is_named_and_what_was_known_of_it_is_gone(
    with_baseline: Work,
) -> None:
    (with_baseline.path / "notes" / "b.md").unlink()
    ran = lint(with_baseline.path, "--all", "--strict-baseline")
    assert ran.status == 2
    assert "STALE_BASELINE_ENTRY" in ran.out
    assert "not looked at, as it is gone from the disk: 1 file (notes/b.md)" in ran.out
    lint(with_baseline.path, "baseline", "prune")
    assert known_findings(with_baseline.path) == []


@pytest.mark.parametrize("content", [b"\xff", b"\0"], ids=["no UTF-8", "NUL"])
def test_a_document_that_cannot_be_read_keeps_it(with_baseline: Work, content: bytes) -> None:
    with_baseline.write("notes/b.md", content)
    lint(with_baseline.path, "baseline", "prune")
    assert known_findings(with_baseline.path) == ["notes/b.md"]


# ---- New documents


@pytest.mark.parametrize("argument", [".", "docs", "docs/"])
def test_of_a_folder_new_documents_are_checked(full: Work, argument: str) -> None:
    full.write("docs/new.md", FALSE)
    full.write("docs/deep/new.jsonl", "")
    full.write("docs/ignored.md", FALSE)
    full.write("docs/node_modules/x.md", FALSE)
    full.write("docs/code.py", FALSE)
    full.write(".gitignore", "ignored.md\n")
    ran = checked(full.path, argument)
    assert ("docs/new.md", "mismatch") in verdicts(ran)
    assert not any("ignored" in file or "node_modules" in file for file, _ in verdicts(ran))
    assert [file for file, _ in verdicts(checked(full.path / "docs", "."))] == [
        *("a.md", "c.md", "new.md")
    ]


def test_new_documents_obey_exclude(full: Work) -> None:
    full.write("tracecite-lint.toml", 'exclude = ["drafts"]\n')
    full.write("docs/drafts/new.md", FALSE)
    assert "docs/drafts/new.md" not in dict(verdicts(checked(full.path, ".")))
    assert "not looked at" not in lint(full.path, "--all").out


def test_those_of_a_repository_inside_are_its_own(full: Work) -> None:
    full.write("inner/new.md", FALSE)
    Work(full.path / "inner").git("init", "-q")
    assert "inner/new.md" not in dict(verdicts(checked(full.path, ".")))
    assert dict(verdicts(checked(full.path, "inner"))) == {"inner/new.md": "unverifiable"}


def test_all_counts_what_it_leaves_out(full: Work) -> None:
    for name in "vwxyz":
        full.write(f"docs/{name}.md", FALSE)
    ran = lint(full.path, "--all")
    assert (
        "not looked at, as git does not track it: 5 files (docs/v.md, docs/w.md, docs/x.md and 2 more)"
        in ran.out
    )
    assert "docs/v.md:" not in ran.out
    assert "not looked at" not in lint(full.path, "--all", "data").out


def test_a_folder_with_nothing_but_ignored_documents_says_so(full: Work) -> None:
    full.write("build/x.md", FALSE)
    full.write(".gitignore", "build\n")
    assert "git does not ignore" in lint(full.path, "build").out


# ---- What the settings leave out


def test_what_exclude_leaves_out_is_counted(work: Work) -> None:
    work.stage(".tracecite-lint.toml", 'exclude = ["vendor"]\n')
    work.stage("data/src.txt", SOURCE)
    work.stage("docs/a.md", TRUE)
    work.stage("vendor/b.md", TRUE)
    work.stage("vendor/c.md", TRUE)
    work.stage("vendor/no-document.py", "print()\n")
    said = "note: 2 documents are left out by `exclude` in the settings\n"

    for arguments in (
        ["--all"],
        ["."],
        [],
        ["--changed", "docs/a.md", "vendor/b.md", "vendor/c.md"],
    ):
        ran = lint(work.path, *arguments)
        assert ran.status == 0, arguments
        assert said in ran.out, arguments
    one = lint(work.path, "--changed", "docs/a.md", "vendor/b.md")
    assert "note: 1 document is left out by `exclude` in the settings\n" in one.out
    work.commit()
    assert said in lint(work.path, "--changed", "docs/a.md", "vendor/b.md", "vendor/c.md").out
    assert "left out by" not in lint(work.path, "docs/a.md", "vendor/b.md").out
