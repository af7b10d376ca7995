"""What git can be in, and what a hook must make of it: index, trees, merges, settings, names, kinds of files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from git_work import Work, here, make_work, new_quotes, quoting, selected, staged, the_document

from tracecite_lint.changes.changeset import (
    ChangeSet,
    base_changes,
    hook_changes,
    named_paths,
    ref_changes,
)
from tracecite_lint.changes.comparison import Selection
from tracecite_lint.changes.git import Blobs, find_repository
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.inputs.discovery import tracked_documents

OLD = "the old words stand here"
NEW = "the new words stand here"
OTHER = "some other words stand here"
MORE = "even more words stand here"


# -- what the two sides are ------------------------------------------------------------------------


def test_before_the_first_commit_everything_staged_is_new(work: Work) -> None:
    work.stage("report.md", quoting(OLD, NEW))
    assert new_quotes(staged()) == {"report.md": [OLD, NEW]}
    assert "no commit yet" in staged().description


def test_in_a_sha256_repository_the_empty_tree_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = make_work(tmp_path / "work", "--object-format=sha256")
    monkeypatch.chdir(work.path)
    work.stage("report.md", quoting(OLD))
    assert new_quotes(staged()) == {"report.md": [OLD]}
    work.commit()
    work.stage("report.md", quoting(OLD, NEW))
    assert new_quotes(staged()) == {"report.md": [NEW]}


def test_one_edited_quotation_is_new_and_the_rest_is_counted(work: Work) -> None:
    work.record("report.md", quoting(OLD, OTHER))
    work.stage("report.md", quoting(NEW, OTHER))
    document = the_document(staged())
    assert [citation.quote for citation in document.new] == [NEW]
    assert document.unchanged == 1


def test_the_text_is_what_is_staged_not_what_is_on_disk(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.stage("report.md", quoting(OLD, NEW))
    work.write("report.md", "\n\n" + quoting(OTHER, OLD, NEW))
    (citation,) = the_document(staged()).new
    assert citation.quote == NEW
    assert citation.span.line == 5


def test_with_nothing_staged_the_change_is_empty(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.write("report.md", quoting(NEW))
    assert staged().empty
    assert new_quotes(staged()) == {}


def test_commit_of_one_file_uses_the_index_that_git_names(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.record("notes.md", quoting(OLD))
    work.stage("notes.md", quoting(OLD, OTHER))
    work.write("report.md", quoting(OLD, NEW))
    hook = work.write(
        ".git/hooks/pre-commit",
        "#!/bin/sh\n"
        f'exec {sys.executable} -c \'import os; print(os.environ["GIT_INDEX_FILE"]);'
        " from test_git_states import new_quotes, staged; print(new_quotes(staged()))' >seen\n",
    )
    hook.chmod(0o755)
    tests = Path(__file__).parent
    work.git("commit", "-qm", "x", "report.md", env={"PYTHONPATH": f"{tests}:{tests.parent}"})
    index, found = (work.path / "seen").read_text().splitlines()
    assert "next-index" in index
    assert found == str({"report.md": [NEW]})


def test_a_linked_work_tree_has_its_own_index(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.record("report.md", quoting(OLD))
    work.stage("report.md", quoting(OTHER))
    work.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = Work(tmp_path / "linked")
    linked.stage("report.md", quoting(OLD, NEW))
    monkeypatch.chdir(linked.path)
    monkeypatch.setenv("GIT_DIR", linked.git("rev-parse", "--absolute-git-dir"))
    assert new_quotes(staged()) == {"report.md": [NEW]}


def test_in_another_repository_the_hook_s_variables_are_dropped(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_work(tmp_path / "other")
    other.record("other.md", quoting(OLD))
    work.record("report.md", quoting(OLD))
    monkeypatch.setenv("GIT_DIR", str(work.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(work.path / ".git" / "index"))
    assert here().root == work.path
    assert tracked_documents(other.path) == [other.path / "other.md"]
    assert tracked_documents(work.path) == [work.path / "report.md"]


def test_between_refs_the_commits_are_read_not_the_work_tree(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.record("report.md", quoting(OLD))
    second = work.record("report.md", quoting(OLD, NEW))
    work.git("checkout", "--quiet", first)
    work.stage("report.md", quoting(OTHER))
    assert new_quotes(ref_changes(here(), first, second)) == {"report.md": [NEW]}
    variables = {"PRE_COMMIT_FROM_REF": first, "PRE_COMMIT_TO_REF": second}
    assert new_quotes(hook_changes(here(), variables)) == {"report.md": [NEW]}


def test_between_refs_only_what_is_new_since_their_merge_base_counts(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.git("checkout", "--quiet", "-b", "topic")
    topic = work.record("topic.md", quoting(NEW))
    work.git("checkout", "--quiet", "main")
    main = work.record("main.md", quoting(OTHER))
    assert new_quotes(ref_changes(here(), main, topic)) == {"topic.md": [NEW]}


def test_since_a_merge_base_the_index_is_the_new_side(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.git("checkout", "--quiet", "-b", "topic")
    work.record("report.md", quoting(OLD, NEW))
    work.stage("report.md", quoting(OLD, NEW, MORE))
    assert new_quotes(base_changes(here(), "main")) == {"report.md": [NEW, MORE]}


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param({"PRE_COMMIT_LOCAL_BRANCH": "refs/heads/main"}, id="pre-commit"),
        pytest.param({"PRE_COMMIT_TO_REF": "HEAD"}, id="prek"),
        pytest.param({}, id="no ref at all"),
    ],
)
def test_the_first_push_of_a_root_commit_is_all_new(work: Work, variables: dict[str, str]) -> None:
    work.record("report.md", quoting(OLD))
    work.stage("staged.md", quoting(NEW))
    changes = hook_changes(here(), variables | {"PRE_COMMIT_REMOTE_NAME": "origin"})
    assert new_quotes(changes, ["report.md", "staged.md"]) == {"report.md": [OLD]}


# -- a base that is not there ----------------------------------------------------------------------


@pytest.mark.parametrize("rev", ["no-such-branch", "0" * 40, "--all", "", "1234567"])
def test_an_unknown_base_is_an_error_with_a_way_out(work: Work, rev: str) -> None:
    work.record("report.md", quoting(OLD))
    with pytest.raises(ChangesError) as caught:
        base_changes(here(), rev)
    assert "--diff-base" in caught.value.help
    assert "\n" not in str(caught.value)
    with pytest.raises(ChangesError):
        ref_changes(here(), rev, "HEAD")


def test_a_shallow_clone_without_the_base_is_an_error(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.record("report.md", quoting(OLD))
    work.git("checkout", "--quiet", "-b", "topic")
    work.record("report.md", quoting(NEW))
    work.git(
        "clone", "-q", "--depth=1", "--no-single-branch", f"file://{work.path}", str(tmp_path / "c")
    )
    monkeypatch.chdir(tmp_path / "c")
    for rev in (first, "origin/main"):
        with pytest.raises(ChangesError, match=r"shallow clone.*fetch-depth: 0"):
            base_changes(here(), rev)


def test_histories_without_a_common_commit_are_an_error(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.git("checkout", "--quiet", "--orphan", "alone")
    work.commit("another root")
    with pytest.raises(ChangesError, match="no common ancestor"):
        base_changes(here(), "main")


def test_one_ref_without_the_other_is_an_error(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    with pytest.raises(ChangesError, match="PRE_COMMIT_TO_REF"):
        hook_changes(here(), {"PRE_COMMIT_FROM_REF": "HEAD"})


def test_a_head_that_names_no_commit_is_an_error(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.write(".git/refs/heads/main", "1" * 40 + "\n")
    with pytest.raises(ChangesError, match="HEAD"):
        staged()


def test_outside_of_git_there_is_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_repository() is None


@pytest.mark.parametrize(("folder", "bare"), [(".git", False), (".", True)])
def test_without_a_work_tree_git_s_reason_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, bare: bool
) -> None:
    work = make_work(tmp_path / "work", *(["--bare"] if bare else []))
    monkeypatch.chdir(work.path / folder)
    with pytest.raises(ChangesError, match="work tree"):
        find_repository()


# -- merges ----------------------------------------------------------------------------------------


def merged_branches(work: Work, *, conflict: bool = False) -> None:
    """Make main and topic with a citation each, in one file if they are to conflict; topic is checked out."""
    work.record("report.md", quoting(OLD))
    work.git("checkout", "--quiet", "-b", "topic")
    work.record("report.md" if conflict else "topic.md", quoting(NEW))
    work.git("checkout", "--quiet", "main")
    work.record("report.md" if conflict else "main.md", quoting(OTHER))
    work.git("checkout", "--quiet", "topic")


def test_after_a_conflict_only_what_neither_side_has_is_new(work: Work) -> None:
    merged_branches(work, conflict=True)
    work.git("merge", "main", check=False)
    assert any("unresolved conflict" in note for note in selected(staged()).notes)
    work.stage("report.md", quoting(NEW, OTHER, MORE))
    assert new_quotes(staged()) == {"report.md": [MORE]}


def test_before_a_merge_commit_the_other_side_is_known_from_its_variable(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged_branches(work)
    other = work.git("rev-parse", "main")
    work.git("merge", "--no-commit", "--no-ff", "main")
    (work.path / ".git" / "MERGE_HEAD").unlink()
    assert new_quotes(staged()) == {"main.md": [OTHER]}
    monkeypatch.setenv(f"GITHEAD_{other}", "main")
    assert new_quotes(staged()) == {}


def test_a_merged_commit_that_is_part_of_head_is_no_parent_of_the_next(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.record("report.md", quoting(OLD))
    work.record("report.md", quoting(OTHER))
    work.stage("report.md", quoting(OLD, OTHER))
    monkeypatch.setenv(f"GITHEAD_{first}", "main")
    assert new_quotes(staged()) == {"report.md": [OLD]}


def test_an_octopus_merge_has_many_parents(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    for name in ("one", "two", "three"):
        work.git("checkout", "--quiet", "-b", name, "main")
        work.record(f"{name}.md", quoting(f"{name} has words that stand here"))
    work.git("merge", "--no-commit", "one", "two")
    work.stage("three.md", quoting("three has words that stand here", NEW))
    assert new_quotes(staged()) == {"three.md": [NEW]}


def test_a_push_of_a_merge_leaves_out_what_the_remote_has(work: Work, tmp_path: Path) -> None:
    merged_branches(work)
    work.git("clone", "-q", "--bare", str(work.path), str(tmp_path / "remote.git"))
    work.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    work.git("fetch", "--quiet", "origin")
    pushed = work.git("rev-parse", "HEAD")
    work.git("checkout", "--quiet", "-b", "side")
    work.record("side.md", quoting(MORE))
    work.git("checkout", "--quiet", "topic")
    work.git("merge", "--quiet", "--no-ff", "-m", "m", "main")
    work.git("merge", "--quiet", "--no-ff", "-m", "m", "side")
    changes = ref_changes(here(), pushed, "HEAD", pushed=True)
    assert new_quotes(changes) == {"side.md": [MORE]}
    variables = {"PRE_COMMIT_FROM_REF": pushed, "PRE_COMMIT_TO_REF": "HEAD"}
    both = {"main.md": [OTHER], "side.md": [MORE]}
    assert new_quotes(hook_changes(here(), variables)) == both
    variables["PRE_COMMIT_REMOTE_NAME"] = "origin"
    assert new_quotes(hook_changes(here(), variables)) == {"side.md": [MORE]}


# -- renames and copies ----------------------------------------------------------------------------


def test_a_rename_with_one_edit_has_one_new_citation(work: Work) -> None:
    work.record("report.md", quoting(OLD, OTHER, MORE))
    work.git("mv", "report.md", "renamed.md")
    work.stage("renamed.md", quoting(NEW, OTHER, MORE))
    assert new_quotes(staged()) == {"renamed.md": [NEW]}


def test_a_pure_rename_has_only_its_relative_sources_looked_at_again(work: Work) -> None:
    work.stage("source.txt", OLD)
    work.record("report.md", quoting(OLD, source="source.txt") + quoting(OTHER, MORE))
    (work.path / "docs").mkdir()
    work.git("mv", "report.md", "docs/report.md")
    assert new_quotes(staged()) == {"docs/report.md": [OLD]}


def test_a_rename_in_the_same_folder_leaves_its_sources_the_same(work: Work) -> None:
    work.stage("source.txt", OLD)
    work.record("report.md", quoting(OLD, source="source.txt"))
    work.git("mv", "report.md", "renamed.md")
    document = the_document(staged())
    assert (document.new, document.unchanged) == ((), 1)


def test_a_copy_is_a_second_place_for_the_same_words(work: Work) -> None:
    work.record("report.md", quoting(OLD, OTHER))
    work.stage("copy.md", quoting(OLD, OTHER))
    assert new_quotes(staged()) == {"copy.md": [OLD, OTHER]}


# -- settings and variables of the user ------------------------------------------------------------


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "diff.external=false",
        "diff.interHunkContext=9",
        "diff.renames=false",
        "diff.renames=copies",
        "diff.renameLimit=1",
        "diff.relative=true",
        "diff.orderFile=/dev/null",
        "diff.ignoreSubmodules=all",
        "diff.report.textconv=false",
        "diff.report.command=false",
        "diff.submodule=log",
        "color.ui=always",
        "color.diff=always",
        "color.grep=always",
        "core.quotePath=true",
        "core.quotePath=false",
        "core.autocrlf=true",
        "core.autocrlf=input",
        "core.abbrev=7",
        "core.pager=false",
        "core.fsmonitor=false",
        "core.ignoreCase=true",
        "grep.patternType=perl",
        "grep.fullName=true",
        "grep.lineNumber=true",
        "submodule.recurse=true",
        "log.showSignature=true",
        "status.showUntrackedFiles=no",
    ],
)
def test_no_setting_of_the_user_has_an_effect(work: Work, isolated_git: Path, setting: str) -> None:
    work.stage(".gitattributes", "*.md diff=report text\n")
    work.stage("sub/zitat ü.txt", OLD)
    work.stage("sub/citing.md", quoting(OLD, source="zitat%20%C3%BC.txt"))
    work.record("sub/report ü.md", quoting(OLD, OTHER, MORE))
    work.stage("sub/zitat ü.txt", OLD + " and more")
    work.git("mv", "sub/report ü.md", "sub/renamed ü.md")
    work.stage("sub/renamed ü.md", quoting(NEW, OTHER, MORE))
    name, _, value = setting.partition("=")
    work.git("config", "--file", str(isolated_git), name, value)
    assert new_quotes(staged()) == {"sub/citing.md": [OLD], "sub/renamed ü.md": [NEW]}


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_DIFF_OPTS", "--unified=99"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_GLOB_PATHSPECS", "1"),
        ("GIT_NOGLOB_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_PAGER", "false"),
        ("GIT_TRACE", "1"),
        ("GIT_CONFIG_PARAMETERS", "'diff.renames=false' 'color.ui=always'"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("LANGUAGE", "de"),
    ],
)
def test_no_variable_of_the_user_has_an_effect(
    work: Work, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    work.stage("source.txt", OLD)
    work.stage("citing.md", quoting(OLD, source="source.txt"))
    work.record("report.md", quoting(OLD, OTHER, MORE))
    work.stage("source.txt", OLD + " and more")
    work.git("mv", "report.md", "renamed.md")
    monkeypatch.setenv(variable, value)
    assert new_quotes(staged()) == {"citing.md": [OLD]}


def owned_by_another(work: Work) -> None:
    if os.geteuid():
        pytest.skip("only root can give a file away")
    for path in (work.path, work.path / ".git"):
        os.chown(path, 12345, 12345)


def test_a_repository_of_another_user_is_refused_with_the_way_out(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    owned_by_another(work)
    with pytest.raises(ChangesError, match=r"safe\.directory"):
        find_repository()


def test_a_repository_of_another_user_is_read_once_it_is_declared_safe(
    work: Work, isolated_git: Path
) -> None:
    work.record("report.md", quoting(OLD))
    work.stage("report.md", quoting(OLD, NEW))
    owned_by_another(work)
    work.git("config", "--file", str(isolated_git), "safe.directory", str(work.path))
    assert new_quotes(staged()) == {"report.md": [NEW]}


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        b"with space.md",
        b'with "quotes".md',
        b"with 'apostrophe.md",
        b"with\nnewline.md",
        b"with\ttab.md",
        b"not \xff utf-8.md",
        "出典.md".encode(),
        b"-leading-dash.md",
        b"--all.md",
        b":(top)magic.md",
        b"*?[a].md",
        b"back\\slash.md",
        b"n" * 252 + b".md",
        b"deep/" * 20 + b"report.md",
    ],
    ids=repr,
)
def test_any_name_of_a_file_will_do(work: Work, name: bytes) -> None:
    path = os.fsdecode(name)
    work.record(path, quoting(OLD))
    work.stage(path, quoting(OLD, NEW))
    only = named_paths(here(), [Path(path)])
    assert new_quotes(staged(), only) == {path: [NEW]}
    work.commit()
    assert new_quotes(ref_changes(here(), "HEAD^", "HEAD"), only) == {path: [NEW]}
    assert staged().read(work.path / path) == quoting(OLD, NEW).encode()
    assert ref_changes(here(), "HEAD^", "HEAD").read(work.path / path) == quoting(OLD, NEW).encode()
    assert tracked_documents(work.path) == [work.path / path]


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("plain.txt", "plain.txt"),
        ("under_score.txt", r"under\_score.txt"),
        ("with space.txt", "with%20space.txt"),
        ("with space.txt", "<with space.txt>"),
        ("出典.txt", "出典.txt"),
        ("出典.txt", "%E5%87%BA%E5%85%B8.txt"),
        ("出典.txt", "%e5%87%ba%e5%85%b8.txt"),
        ("a&b.txt", "a&amp;b.txt"),
        ("a&b.txt", "a&b.txt"),
        ("a+b(c)[d]{e}^f$g.txt", "<a+b(c)[d]{e}^f$g.txt>"),
        ("new\nline.txt", "new%0Aline.txt"),
        ("data/deep.txt", "./data/../data/deep.txt#L1"),
    ],
)
def test_a_cited_file_is_found_however_the_link_spells_it(work: Work, name: str, link: str) -> None:
    work.stage(name, OLD)
    work.stage("other.md", quoting(OLD, source="no.txt"))
    work.record("report.md", quoting(OLD, source=link))
    work.stage(name, OTHER)
    assert new_quotes(staged()) == {"report.md": [OLD]}


# -- what is no document ---------------------------------------------------------------------------


def left_alone(changes: ChangeSet) -> Selection:
    found = selected(changes)
    assert found.documents == ()
    assert found.problems == ()
    return found


def test_a_submodule_is_left_alone(work: Work, tmp_path: Path) -> None:
    make_work(tmp_path / "inner").record("report.md", quoting(OLD))
    work.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        str(tmp_path / "inner"),
        "sub.md",
    )
    assert any("submodule" in note for note in left_alone(staged()).notes)


def test_a_symlink_is_left_alone(work: Work, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(quoting(OLD))
    (work.path / "report.md").symlink_to(tmp_path / "outside.md")
    work.git("add", "report.md")
    assert any("symbolic link" in note for note in left_alone(staged()).notes)
    work.commit()
    assert tracked_documents(work.path) == []


def test_a_file_that_became_a_symlink_is_left_alone(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    (work.path / "report.md").unlink()
    (work.path / "report.md").symlink_to("/etc/hostname")
    work.git("add", "report.md")
    assert any("symbolic link" in note for note in left_alone(staged()).notes)


def test_a_symlink_that_became_a_file_is_all_new(work: Work) -> None:
    (work.path / "report.md").symlink_to("/etc/hostname")
    work.git("add", "report.md")
    work.commit()
    (work.path / "report.md").unlink()
    work.stage("report.md", quoting(OLD))
    assert new_quotes(staged()) == {"report.md": [OLD]}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\x89PNG\r\n\0\0" + quoting(OLD).encode(), "binary"),
        (quoting(OLD).encode("utf-16"), "binary"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 9\n",
            "LFS",
        ),
    ],
)
def test_what_is_no_text_is_left_alone(work: Work, content: bytes, what: str) -> None:
    work.stage("report.md", content)
    assert any(what in note for note in left_alone(staged()).notes)


def test_text_that_is_not_utf_8_is_a_problem_once(work: Work) -> None:
    work.stage("report.md", "Zitat “über alle Maßen”".encode("windows-1252", "replace"))
    ((path, code, message),) = selected(staged()).problems
    assert (path, code) == ("report.md", "NOT_UTF8_TEXT")
    assert "utf-8" in message
    work.commit()
    work.stage("report.md", "“über alle Maßen hinaus”".encode("windows-1252", "replace"))
    assert any("as before" in note for note in left_alone(staged()).notes)


@pytest.mark.parametrize("content", [b"caf\xe9", b"\0\1\2", quoting(OLD).encode()])
def test_a_text_file_is_a_document_only_if_it_holds_notes(work: Work, content: bytes) -> None:
    work.stage("data.txt", content)
    assert left_alone(staged()).notes == ()
    work.stage("notes.txt", f"claim: x\nquote: {NEW}\nurl: https://www.iana.org/help\n")
    assert new_quotes(staged()) == {"notes.txt": [NEW]}


def test_a_file_staged_and_then_deleted_is_checked_as_staged(work: Work) -> None:
    work.stage("report.md", quoting(OLD))
    (work.path / "report.md").unlink()
    assert new_quotes(staged()) == {"report.md": [OLD]}


def test_a_deleted_file_is_left_alone(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.stage("report.md", quoting(NEW))
    work.git("rm", "--quiet", "--force", "report.md")
    assert left_alone(staged()).notes == ()


def test_a_file_meant_to_be_added_is_left_alone(work: Work) -> None:
    work.record("report.md", quoting(OLD))
    work.write("planned.md", quoting(NEW))
    work.git("add", "--intent-to-add", "planned.md")
    assert staged().empty
    assert left_alone(staged()).notes == ()


# -- where it is called from -----------------------------------------------------------------------


def test_from_a_subdirectory_the_whole_change_is_seen(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.stage("source.txt", OLD)
    work.record("docs/citing.md", quoting(OLD, source="../source.txt"))
    work.stage("source.txt", OTHER)
    work.stage("report.md", quoting(NEW))
    monkeypatch.chdir(work.path / "docs")
    assert new_quotes(staged()) == {"docs/citing.md": [OLD], "report.md": [NEW]}
    assert named_paths(here(), [Path("citing.md"), Path("../report.md")]) == [
        "docs/citing.md",
        "report.md",
    ]
    assert staged().read(work.path / "source.txt") == OTHER.encode()


def test_through_a_symlink_to_the_repository_paths_are_the_same(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.stage("docs/report.md", quoting(NEW))
    (tmp_path / "link").symlink_to(work.path)
    monkeypatch.chdir(tmp_path / "link")
    monkeypatch.setenv("PWD", str(tmp_path / "link"))
    paths = [Path("docs/report.md"), tmp_path / "link" / "docs" / "report.md", tmp_path / "link"]
    assert named_paths(here(), paths) == ["docs/report.md", "docs/report.md", "."]


def test_from_outside_the_work_tree_git_dir_tells_where_it_is(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.record("report.md", quoting(OLD))
    work.stage("report.md", quoting(OLD, NEW))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("GIT_DIR", os.path.relpath(work.path / ".git"))
    assert new_quotes(staged()) == {"report.md": [NEW]}
    monkeypatch.setenv("GIT_WORK_TREE", os.path.relpath(work.path))
    assert new_quotes(staged()) == {"report.md": [NEW]}
    assert named_paths(here(), [work.path / "report.md"]) == ["report.md"]


def test_a_path_outside_of_the_repository_is_an_error(work: Work, tmp_path: Path) -> None:
    work.stage("report.md", quoting(NEW))
    (tmp_path / "outside.md").write_text(quoting(OLD))
    for path in (tmp_path / "outside.md", Path("../outside.md"), Path("/")):
        with pytest.raises(ChangesError, match="outside of the repository"):
            named_paths(here(), [path])


def test_each_part_of_a_split_command_line_is_right_by_itself(work: Work) -> None:
    names = [f"report-{number}.md" for number in range(4)]
    for name in names:
        work.stage(name, quoting(f"{name} has words that stand here"))
    found = [new_quotes(staged(), part) for part in (names[:2], names[2:])]
    assert [sorted(part) for part in found] == [names[:2], names[2:]]


def test_a_folder_stands_for_what_is_in_it(work: Work) -> None:
    work.stage("docs/report.md", quoting(NEW))
    work.stage("docs-old/report.md", quoting(NEW))
    assert list(new_quotes(staged(), ["docs"])) == ["docs/report.md"]
    assert len(new_quotes(staged(), ["."])) == 2


def test_files_that_are_not_in_the_change_are_counted(work: Work) -> None:
    work.record("old.md", quoting(OLD))
    work.stage("new.md", quoting(NEW))
    found = selected(staged(), ["old.md", "new.md", "code.py"])
    assert [document.path for document in found.documents] == ["new.md"]
    assert [note for note in found.notes if "skipped 1 file" in note]


def test_a_file_that_does_not_exist_is_named(work: Work) -> None:
    work.stage("new.md", quoting(NEW))
    ((path, code, _),) = selected(staged(), ["new.md", "nwe.md"]).problems
    assert (path, code) == ("nwe.md", "FILE_NOT_FOUND")


def test_nothing_is_written_into_the_repository(work: Work) -> None:
    work.stage("source.txt", OLD)
    work.record("report.md", quoting(OLD, source="source.txt"))
    work.stage("source.txt", OTHER)
    work.write("report.md", quoting(OTHER))

    def state() -> dict[Path, int]:
        return {path: path.lstat().st_mtime_ns for path in work.path.rglob("*")}

    before = state()
    new_quotes(staged())
    staged().read(work.path / "source.txt")
    tracked_documents(work.path)
    assert state() == before


# -- line ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_editors_count_them(work: Work, end: str) -> None:
    lines = [
        "# Form\ffeed \x85 \u2028 here",
        "",
        f"It says “{NEW}” ([t](https://www.iana.org/help/example-domains)).",
    ]
    work.stage("report.md", end.join(lines))
    (citation,) = the_document(staged()).new
    assert (citation.span.line, citation.span.column) == (3, 10)


def test_a_change_of_line_ends_is_no_change(work: Work) -> None:
    work.record("report.md", quoting(OLD, OTHER))
    for end in (b"\r\n", b"\r"):
        work.stage("report.md", quoting(OLD, OTHER).encode().replace(b"\n", end))
        assert the_document(staged()).new == ()


# -- the documents of a directory ------------------------------------------------------------------


def test_of_a_repository_the_tracked_documents_are_listed(work: Work) -> None:
    work.stage("report.md", quoting(OLD))
    work.stage("docs/notes.md", quoting(OLD))
    work.stage("docs/code.py", "")
    work.stage("docs/gone.md", quoting(OLD))
    work.write("docs/untracked.md", quoting(OLD))
    (work.path / "docs" / "gone.md").unlink()
    root = work.path
    assert tracked_documents(root) == [root / "docs/notes.md", root / "report.md"]
    assert tracked_documents(root, [root / "docs"]) == [root / "docs/notes.md"]
    assert tracked_documents(root, [root / "docs/code.py"]) == [root / "docs/code.py"]


def test_outside_of_git_all_documents_are_listed(tmp_path: Path) -> None:
    for name in ("a.md", "sub/b.md", "node_modules/c.md", "sub/d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    assert tracked_documents(tmp_path) == [tmp_path / "a.md", tmp_path / "sub/b.md"]


def test_without_git_on_the_machine_documents_are_listed_from_disk(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.write("report.md", quoting(OLD))
    monkeypatch.setenv("PATH", "")
    assert tracked_documents(work.path) == [work.path / "report.md"]


# -- how much is read ------------------------------------------------------------------------------


def test_only_the_blobs_of_the_change_are_read(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(300):
        quotes = [f"report {number} holds quotation {index} of ten" for index in range(10)]
        work.write(f"reports/report-{number:03}.md", quoting(*quotes))
    work.git("add", ".")
    work.commit()
    path = work.path / "reports" / "report-123.md"
    work.stage(
        "reports/report-123.md", path.read_text().replace("quotation 4 of", "quotation four of")
    )
    log = tmp_path / "requests"
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    spy = tmp_path / "bin" / "git"
    spy.write_text(
        "#!/bin/sh\n"
        f'case " $* " in *" cat-file "*) exec tee -a {log} | exec {real} "$@";; esac\n'
        f'exec {real} "$@"\n'
    )
    spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{spy.parent}:{os.environ['PATH']}")
    document = the_document(staged())
    assert [citation.quote for citation in document.new] == [
        "report 123 holds quotation four of ten"
    ]
    assert document.unchanged == 9
    blobs = {work.git("rev-parse", f"{rev}:reports/report-123.md") for rev in ("HEAD", "")}
    assert set(log.read_text().split()) == blobs


def test_objects_that_are_missing_are_an_error(work: Work) -> None:
    work.stage("report.md", quoting(OLD))
    blob = work.git("rev-parse", ":report.md")
    (work.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    ((path, code, message),) = selected(staged()).problems
    assert (path, code) == ("report.md", "UNREADABLE_FILE")
    assert blob in message


def test_objects_that_are_damaged_are_an_error(work: Work) -> None:
    work.stage(
        "report.md", quoting(*(f"{number} has words that stand here" for number in range(9)))
    )
    blob = work.git("rev-parse", ":report.md")
    path = work.path / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(ChangesError, match=blob):
        selected(staged())


def test_blobs_above_a_limit_are_passed_over(work: Work) -> None:
    work.stage("large.md", "x" * 3_000_000)
    work.stage("small.md", "small")
    large, small = (work.git("rev-parse", f":{name}.md") for name in ("large", "small"))
    with Blobs(here()) as blobs:
        assert blobs.content(large, limit=2_999_999) is None
        assert blobs.content(small, limit=5) == b"small"
        assert blobs.content(large, limit=3_000_000) == b"x" * 3_000_000


def test_git_s_child_is_gone_afterwards(work: Work) -> None:
    work.stage("report.md", quoting(OLD))
    selected(staged())
    listed = subprocess.run(["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True)
    assert b"cat-file" not in listed.stdout
