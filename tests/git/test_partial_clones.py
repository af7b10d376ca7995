"""Clones that lack objects: nothing is fetched, and what cannot be read or compared for it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_work import Work, here, new_quotes, quoting, selected, staged

from tracecite_lint.changes.changeset import ChangeSet, base_changes
from tracecite_lint.changes.git import Blobs, objects_at_hand
from tracecite_lint.cli import main
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.sources.errors import SourceError

OLD = "the old words stand here"
NEW = "the new words stand here"
OTHER = "some other words stand here"


def partial_clone(work: Work, monkeypatch: pytest.MonkeyPatch, *options: str) -> Work:
    """Return a clone of *work* without what *options* leave out; the test goes on at its top."""
    work.git("config", "uploadpack.allowFilter", "true")
    path = work.path.with_name("clone")
    work.git("clone", "-q", *options, f"file://{work.path}", str(path))
    monkeypatch.chdir(path)
    return Work(path)


def objects(clone: Work) -> list[Path]:
    return sorted((clone.path / ".git" / "objects").rglob("*"))


def since(rev: str) -> ChangeSet:
    return base_changes(here(), rev)


def test_without_the_old_text_all_citations_are_new_and_nothing_is_fetched(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.record("report.md", quoting(OLD))
    work.record("report.md", quoting(OLD, NEW))
    clone = partial_clone(work, monkeypatch, "--filter=blob:none")
    before = objects(clone)
    assert new_quotes(since(first)) == {"report.md": [OLD, NEW]}
    (note,) = selected(since(first)).notes
    assert note == "all citations of 1 document count as new: the old text is not at hand"
    assert objects(clone) == before


def test_git_does_not_even_try_to_fetch(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.record("report.md", quoting(OLD))
    work.record("report.md", quoting(OLD, NEW))
    clone = partial_clone(work, monkeypatch, "--filter=blob:none")
    log = tmp_path / "events"
    variables = {"GIT_TRACE2_EVENT": str(log), "GIT_NO_LAZY_FETCH": "1"}
    clone.git("cat-file", "-e", f"{first}:report.md", env=variables, check=False)
    if "child_start" in log.read_text():
        pytest.skip("this git does not know GIT_NO_LAZY_FETCH")
    monkeypatch.setenv("GIT_TRACE2_EVENT", str(log))
    selected(since(first))
    assert "cat-file" in log.read_text()
    assert "child_start" not in log.read_text()


def test_a_commit_in_a_sparse_clone_is_checked(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work.stage("docs/data.txt", f"{OLD} {NEW}")
    for name in ("one.md", "two.md", "three.txt"):
        work.stage(f"elsewhere/{name}", quoting(OLD, source="../docs/data.txt"))
    work.stage("docs/citing.md", quoting(OLD, source="data.txt"))
    work.record("docs/report.md", quoting(OLD, source="data.txt"))
    clone = partial_clone(work, monkeypatch, "--filter=blob:none", "--sparse")
    clone.git("sparse-checkout", "set", "docs")
    clone.stage("docs/report.md", quoting(OLD, NEW, source="data.txt"))
    clone.stage("docs/data.txt", f"{OLD} {NEW} {OTHER}")
    before = objects(clone)
    assert new_quotes(staged()) == {"docs/citing.md": [OLD], "docs/report.md": [OLD, NEW]}
    assert main(["--format", "full"]) == 0
    assert "left alone: 3 files (not at hand in this clone)" in capsys.readouterr().out
    assert objects(clone) == before


def test_a_document_that_cannot_be_searched_for_a_cited_file_is_counted(work: Work) -> None:
    work.stage("data.txt", OLD)
    work.stage("lost.md", quoting(OLD, source="data.txt"))
    work.record("citing.md", quoting(OLD, NEW, source="data.txt"))
    blob = work.git("rev-parse", "HEAD:lost.md")
    (work.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    work.stage("data.txt", NEW)
    assert new_quotes(staged()) == {"citing.md": [OLD, NEW]}
    assert "left alone: 1 file (not at hand in this clone)" in selected(staged()).notes


def test_a_new_text_that_is_not_at_hand_is_a_problem_of_its_document(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work.stage("elsewhere/report.md", quoting(OLD))
    first = work.record("docs/report.md", quoting(OLD))
    work.stage("elsewhere/report.md", quoting(NEW))
    work.stage("elsewhere/picture.md", b"\x89PNG\0")
    work.record("docs/report.md", quoting(OTHER))
    clone = partial_clone(work, monkeypatch, "--filter=blob:none", "--sparse")
    clone.git("sparse-checkout", "set", "docs")
    problems = selected(since(first)).problems
    assert [(path, code) for path, code, _ in problems] == [
        ("elsewhere/picture.md", "UNREADABLE_FILE"),
        ("elsewhere/report.md", "UNREADABLE_FILE"),
    ]
    assert new_quotes(since(first)) == {"docs/report.md": [OTHER]}
    assert main(["--diff-base", first, "--offline", "--allow-unreachable"]) == 1
    said = capsys.readouterr().out
    assert said.count("UNREADABLE_FILE") >= 2
    assert "nothing is fetched" in said


def test_a_local_source_that_is_not_at_hand_is_unavailable(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work.stage("elsewhere/data.txt", OLD)
    (work.path / "link.txt").symlink_to("elsewhere/data.txt")
    work.git("add", "link.txt")
    work.record("docs/report.md", quoting(OTHER))
    clone = partial_clone(work, monkeypatch, "--filter=blob:none", "--sparse")
    clone.git("sparse-checkout", "set", "docs")
    clone.stage("docs/report.md", quoting(OLD, source="../elsewhere/data.txt"))
    for path in ("elsewhere/data.txt", "link.txt"):
        with pytest.raises(SourceError) as caught:
            staged().read(clone.path / path)
        assert caught.value.code == "SOURCE_UNAVAILABLE"
        assert "fetch" in caught.value.help
    assert main(["--offline"]) == 2
    assert "SOURCE_UNAVAILABLE" in capsys.readouterr().out


def test_renames_are_found_as_far_as_the_texts_at_hand_tell(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.stage("same.md", quoting(OLD))
    first = work.record("edited.md", quoting(OLD, OTHER, "and a third sentence of it"))
    work.git("mv", "same.md", "moved.md")
    work.git("mv", "edited.md", "rewritten.md")
    work.record("rewritten.md", quoting(NEW, OTHER, "and a third sentence of it"))
    clone = partial_clone(work, monkeypatch, "--filter=blob:none")
    before = objects(clone)
    found = selected(since(first))
    assert [(item.path, len(item.new)) for item in found.documents] == [("rewritten.md", 3)]
    assert any(note.startswith("1 document was only renamed") for note in found.notes)
    assert any(note.startswith("renamed documents count as new") for note in found.notes)
    assert objects(clone) == before


def test_without_the_old_tree_all_citations_are_new(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.record("docs/report.md", quoting(OLD))
    work.record("docs/report.md", quoting(OLD, NEW))
    clone = partial_clone(work, monkeypatch, "--filter=tree:0")
    before = objects(clone)
    found = selected(since(first))
    assert [(item.path, len(item.new)) for item in found.documents] == [("docs/report.md", 2)]
    assert any(f"the tree of {first[:12]} is" in note for note in found.notes)
    assert objects(clone) == before


def test_settings_whose_old_text_is_not_at_hand_have_changed(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.stage("report.md", quoting(OLD))
    first = work.record("pyproject.toml", "[tool.other]\na = 1\n")
    work.record("pyproject.toml", "[tool.other]\na = 2\n")
    partial_clone(work, monkeypatch, "--filter=blob:none")
    assert new_quotes(since(first)) == {"report.md": [OLD]}


def test_of_a_commit_that_is_not_at_hand_the_way_out_is_named(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.record("report.md", quoting(OLD))
    partial_clone(work, monkeypatch, "--filter=blob:none")
    with pytest.raises(ChangesError, match=r"no commit.*--diff-base"):
        since("1" * 40)


def test_after_an_object_that_is_missing_the_next_one_is_read(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.record("report.md", quoting(OLD))
    old = work.git("rev-parse", "HEAD:report.md")
    work.record("report.md", quoting(NEW))
    new = work.git("rev-parse", "HEAD:report.md")
    partial_clone(work, monkeypatch, "--filter=blob:none")
    repository = here()
    assert objects_at_hand(repository, {old, new, "1" * 40}) == {new}
    with Blobs(repository) as blobs:
        for _ in range(2):
            with pytest.raises(ChangesError, match=old):
                blobs.content(old, limit=1000)
            assert blobs.content(new, limit=1000) == quoting(NEW).encode()
