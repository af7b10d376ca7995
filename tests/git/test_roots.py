"""Where the root of a repository is, in repositories that git made, by the one function and by git's own answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from git_work import Work, here, make_work, quoting, staged

from tracecite_lint.changes.changeset import staged_changes
from tracecite_lint.changes.git import find_repository
from tracecite_lint.files.git_process import ChangesError
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.discovery import tracked_documents

WORDS = "the words that stand here"


def both(folder: Path) -> Path:
    """Return the root for files in *folder*, which is the one for a hook that is started there."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        root = repository_root(folder, folder)
        repository = find_repository()
        assert repository is not None
        assert repository.root == root
        again = find_repository(folder)
        assert again is not None
        assert again.root == root
    finally:
        os.chdir(before)
    return root


@pytest.mark.parametrize("folder", ["", "docs", "docs/deep"])
def test_in_a_repository_it_is_the_folder_with_git_s_own(work: Work, folder: str) -> None:
    work.record("docs/deep/report.md", quoting(WORDS))
    assert both(work.path / folder) == work.path


def test_outside_of_any_it_is_what_the_caller_says(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    assert repository_root(tmp_path / "docs", tmp_path) == tmp_path


def test_of_a_separate_git_directory(tmp_path: Path) -> None:
    work = make_work(tmp_path / "work", "--separate-git-dir", str(tmp_path / "elsewhere"))
    work.record("docs/report.md", quoting(WORDS))
    assert both(work.path / "docs") == work.path


def test_of_a_linked_work_tree(work: Work, tmp_path: Path) -> None:
    work.record("docs/report.md", quoting(WORDS))
    work.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    work.git("worktree", "add", "--quiet", str(work.path / "docs" / "inside"))
    assert both(tmp_path / "linked" / "docs") == tmp_path / "linked"
    assert both(work.path / "docs" / "inside" / "docs") == work.path / "docs" / "inside"


def test_of_a_linked_work_tree_of_a_bare_repository(work: Work, tmp_path: Path) -> None:
    work.record("docs/report.md", quoting(WORDS))
    (tmp_path / "project").mkdir()
    project = Work(tmp_path / "project")
    project.git("clone", "--quiet", "--bare", str(work.path), ".bare")
    project.write(".git", "gitdir: ./.bare\n")
    project.git("worktree", "add", "--quiet", "topic")
    assert both(project.path / "topic" / "docs") == project.path / "topic"
    with pytest.raises(ChangesError, match="work tree"):
        find_repository(project.path)


def test_of_a_submodule(work: Work, tmp_path: Path) -> None:
    make_work(tmp_path / "inner").record("docs/report.md", quoting(WORDS))
    allowed = ("-c", "protocol.file.allow=always")
    work.git(*allowed, "submodule", "--quiet", "add", str(tmp_path / "inner"), "sub")
    sub = work.path / "sub"
    assert (work.path / ".git" / "modules" / "sub").is_dir()
    assert both(sub / "docs") == sub
    assert tracked_documents(sub) == [sub / "docs" / "report.md"]


def test_of_a_nested_repository(work: Work) -> None:
    inner = make_work(work.path / "inner")
    inner.record("report.md", quoting(WORDS))
    assert both(inner.path) == inner.path


def test_through_a_symlink(work: Work, tmp_path: Path) -> None:
    work.record("docs/report.md", quoting(WORDS))
    (tmp_path / "link").symlink_to(work.path / "docs")
    assert both(tmp_path / "link") == work.path


@pytest.mark.parametrize(
    "content", ["", "gitdir:", "gitdir: ", "gitdir: nowhere\n", "gitdir: \0\n", "x" * 99_999]
)
def test_a_stray_file_is_passed_over(work: Work, content: str) -> None:
    work.record("docs/report.md", quoting(WORDS))
    work.write("docs/.git", content)
    assert both(work.path / "docs") == work.path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_stray_pipe_is_passed_over(work: Work) -> None:
    work.record("docs/report.md", quoting(WORDS))
    os.mkfifo(work.path / "docs" / ".git")
    assert both(work.path / "docs") == work.path


def test_what_git_does_not_take_for_its_own_is_an_error_and_not_another_answer(work: Work) -> None:
    inner = work.path / "inner"
    (inner / ".git" / "objects").mkdir(parents=True)
    (inner / ".git" / "refs").mkdir()
    (inner / ".git" / "HEAD").write_text("nonsense\n")
    assert repository_root(inner, inner) == inner
    with pytest.raises(ChangesError, match="inner"):
        find_repository(inner)


@pytest.mark.parametrize("elsewhere", ["..", "/", "/nowhere"])
def test_core_worktree_does_not_move_it(work: Work, elsewhere: str) -> None:
    work.stage(".gitignore", "/docs/kept-out.txt\n")
    work.record("docs/report.md", quoting(WORDS))
    kept_out = work.write("docs/kept-out.txt", WORDS)
    work.git("config", "core.worktree", elsewhere)
    assert both(work.path / "docs") == work.path
    assert staged().read(kept_out) == WORDS.encode()


def test_ceilings_hold_as_for_git(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    work.record("docs/deep/report.md", quoting(WORDS))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(work.path))
    docs = work.path / "docs"
    assert both(work.path) == work.path
    assert repository_root(docs, docs) == docs
    assert find_repository(docs) is None


def test_a_path_with_a_colon_and_a_line_feed(tmp_path: Path) -> None:
    work = make_work(tmp_path / "wo:r\nk")
    work.record("docs/report.md", quoting(WORDS))
    assert both(work.path / "docs") == work.path


@pytest.mark.parametrize("relative", [False, True])
def test_what_the_environment_names_counts(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool
) -> None:
    """As in `git --git-dir=… --work-tree=… commit`, which tells its hooks by variables."""
    tree = tmp_path / "tree"
    (tree / "docs").mkdir(parents=True)
    monkeypatch.chdir(tree)
    named = {"GIT_DIR": work.path / ".git", "GIT_WORK_TREE": tree}
    for name, path in named.items():
        monkeypatch.setenv(name, os.path.relpath(path) if relative else str(path))
    Work(tree).stage("docs/report.md", quoting(WORDS))
    repository = here()
    assert repository.root == tree == repository_root(tree / "docs", tree)
    assert list(staged_changes(repository).changed_paths) == ["docs/report.md"]
    assert tracked_documents(tree) == [tree / "docs" / "report.md"]
    assert repository_root(work.path, tree) == work.path


def test_core_worktree_of_a_named_repository_counts(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    work.git("config", "core.worktree", str(tree))
    monkeypatch.setenv("GIT_DIR", str(work.path / ".git"))
    monkeypatch.chdir(tree)
    assert both(tree) == tree


def test_a_named_work_tree_alone_counts(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    monkeypatch.setenv("GIT_WORK_TREE", str(tree))
    (tree / "report.md").write_text(quoting(WORDS))
    work.git("add", str(tree / "report.md"))
    repository = here()
    assert repository.root == tree == repository_root(tree, tree)
    assert list(staged_changes(repository).changed_paths) == ["report.md"]


def test_a_named_repository_that_is_none_is_an_error(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "nowhere")
    with pytest.raises(ChangesError, match="GIT_DIR"):
        find_repository()
    assert repository_root(work.path, work.path) == work.path


def test_a_hook_of_a_named_repository_has_its_root(work: Work, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "report.md").write_text(quoting(WORDS))
    hook = work.write(
        ".git/hooks/pre-commit",
        f"#!{sys.executable}\n"
        "from pathlib import Path\n"
        "from tracecite_lint.files.roots import repository_root\n"
        "from tracecite_lint.changes.git import find_repository\n"
        "here = Path.cwd()\n"
        f"Path({str(tmp_path / 'seen')!r}).write_text("
        "f'{repository_root(here, here)}\\n{find_repository().root}')\n",
    )
    hook.chmod(0o755)
    git = ("git", f"--git-dir={work.path}/.git", f"--work-tree={tree}")
    for args in (("add", "report.md"), ("commit", "-qm", "x")):
        subprocess.run([*git, *args], cwd=tree, check=True)
    assert (tmp_path / "seen").read_text().split("\n") == [str(tree), str(tree)]


@pytest.mark.skipif(sys.platform not in ("darwin", "win32"), reason="case counts in names here")
def test_case_does_not_count_where_the_file_system_says_so(work: Work) -> None:
    work.record("docs/report.md", quoting(WORDS))
    (work.path / ".git").rename(work.path / ".GIT")
    assert both(work.path / "DOCS").samefile(work.path)
