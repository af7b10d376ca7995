"""Files that a repository names: nothing outside of it and nothing of git's is opened, whatever is swapped meanwhile."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from swapping import swapped_all_the_time

from tracecite_lint.files import opening
from tracecite_lint.files.git_directories import is_git_name, is_gits_own
from tracecite_lint.files.opening import RefusedError, read_below, read_regular, resolved_below

INSIDE, OUTSIDE = b"the words inside", b"the words outside"
LIMIT = 1000

pytestmark = pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with docs/notes.txt, and one beside it with a file of the same name."""
    for folder, words in (("root/docs", INSIDE), ("outside", OUTSIDE)):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "notes.txt").write_bytes(words)
    return tmp_path / "root"


@pytest.fixture(params=["by descriptor", "looked at again"])
def every_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to open: that of Linux and macOS, and that of systems without `dir_fd`."""
    monkeypatch.setattr(opening, "BY_DESCRIPTOR", request.param == "by descriptor")
    return str(request.param)


def read(path: Path, root: Path) -> bytes | None:
    return read_below(path, root, limit=LIMIT)


def test_a_file_below_is_read(root: Path, every_way: str) -> None:
    (root / "docs" / "link.txt").symlink_to("notes.txt")
    (root / "absolute.txt").symlink_to(root / "docs" / "notes.txt")
    (root / "folder").symlink_to("docs")
    for name in ("docs/notes.txt", "docs/link.txt", "absolute.txt", "folder/../docs/notes.txt"):
        assert read(root / name, root) == INSIDE


def test_what_links_lead_out_of_is_refused(root: Path, every_way: str) -> None:
    (root / "link.txt").symlink_to("../outside/notes.txt")
    (root / "folder").symlink_to("../outside")
    (root / "gone").symlink_to("../no-such-folder")
    for name in ("link.txt", "folder/notes.txt", "gone/x", "../outside/notes.txt", "/etc/passwd"):
        with pytest.raises(RefusedError, match="outside"):
            read(root / name, root)


def test_only_regular_files_of_some_size_are_read(root: Path, every_way: str) -> None:
    os.mkfifo(root / "pipe")
    (root / "large").write_bytes(b"x" * (LIMIT + 1))
    assert read(root / "large", root) is None
    assert read_regular(root / "large", limit=LIMIT) is None
    (root / "large").write_bytes(b"x" * LIMIT)
    assert read(root / "large", root) == b"x" * LIMIT
    for name in ("pipe", "docs", ".", "none", "docs/notes.txt/x", "a\0b", "x" * 300, "\ud800"):
        with pytest.raises(OSError):
            read(root / name, root)
        with pytest.raises(OSError):
            read_regular(root / name, limit=LIMIT)


def swapping(monkeypatch: pytest.MonkeyPatch, swap: Callable[[], None]) -> None:
    """Let *swap* happen between the look at where a path leads and the opening, the first time."""
    resolve, done = opening._resolved, []

    def resolved(path: Path, root: Path) -> tuple[Path, tuple[str, ...]]:
        found = resolve(path, root)
        if not done:
            done.append(True)
            swap()
        return found

    monkeypatch.setattr(opening, "_resolved", resolved)


def test_a_folder_that_becomes_a_link_out_is_not_followed(
    root: Path, every_way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap() -> None:
        (root / "docs").rename(root / "kept")
        (root / "docs").symlink_to("../outside")

    swapping(monkeypatch, swap)
    with pytest.raises(RefusedError):
        read(root / "docs" / "notes.txt", root)


def test_a_file_that_becomes_a_link_out_is_not_followed(
    root: Path, every_way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap() -> None:
        (root / "docs" / "notes.txt").unlink()
        (root / "docs" / "notes.txt").symlink_to("../../outside/notes.txt")

    swapping(monkeypatch, swap)
    with pytest.raises(RefusedError):
        read(root / "docs" / "notes.txt", root)


def test_a_folder_that_becomes_a_link_within_is_followed(
    root: Path, every_way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap() -> None:
        (root / "docs").rename(root / "kept")
        (root / "docs").symlink_to("kept")

    swapping(monkeypatch, swap)
    assert read(root / "docs" / "notes.txt", root) == INSIDE


def test_a_pipe_that_takes_the_place_of_a_file_does_not_block(
    root: Path, every_way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, refuse, looks = root / "docs" / "notes.txt", opening._refuse_irregular, []

    def refuse_and_swap(status: os.stat_result) -> None:
        refuse(status)
        if not looks:
            looks.append(status)
            path.unlink()
            os.mkfifo(path)

    monkeypatch.setattr(opening, "_refuse_irregular", refuse_and_swap)
    with pytest.raises(OSError, match="regular file") as raised:
        read(path, root)
    assert raised.value.errno == errno.EINVAL


def test_a_folder_that_becomes_one_of_gits_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swapping(monkeypatch, lambda: bare(root / "docs"))
    with pytest.raises(RefusedError, match="git"):
        read(root / "docs" / "notes.txt", root)


def test_a_folder_that_is_swapped_for_a_link_all_the_time_never_leads_out(root: Path) -> None:
    """A real race: whatever a read meets, it is the file inside, a refusal, or an error that is foreseen."""
    (root / "link").symlink_to("../outside")
    met = {"inside": 0, "refused": 0, "error": 0}
    with swapped_all_the_time(root / "docs", root / "link"):
        # On a busy machine the swapper may have no turn for a while.
        while sum(met.values()) < 6000 or not (met["inside"] and met["refused"]):
            try:
                assert read(root / "docs" / "notes.txt", root) == INSIDE
                met["inside"] += 1
            except RefusedError:
                met["refused"] += 1
            except OSError:
                met["error"] += 1


def bare(path: Path) -> None:
    """Make *path* look like a repository's own directory."""
    for name in ("objects", "refs"):
        (path / name).mkdir(parents=True)
    (path / "HEAD").write_text("ref: refs/heads/main\n")
    (path / "config").write_text("[remote]\n")


@pytest.mark.parametrize(
    "name",
    [
        *(".git", ".GIT", ".Git", ".git ", ".git.", ".git . ", ".git::$INDEX_ALLOCATION"),
        *("git~1", "GIT~1", ".g\u200cit", ".git\u200f", "\ufeff.GIT", ".git:x"),
    ],
)
def test_every_name_that_some_file_system_takes_for_gits_is_refused(name: str, root: Path) -> None:
    assert is_git_name(name)
    (root / name).mkdir()
    (root / name / "config").write_text("token")
    with pytest.raises(RefusedError, match="git's own"):
        read(root / name / "config", root)
    (root / "link").symlink_to(name)
    with pytest.raises(RefusedError, match="git's own"):
        read(root / "link" / "config", root)
    assert is_gits_own(root / name / "config")


@pytest.mark.parametrize("name", ["git", ".gitignore", "x.git", "git~2", ".github", "..git", ".gi"])
def test_other_names_are_no_names_of_gits(name: str) -> None:
    assert not is_git_name(name)


def test_gits_own_is_known_by_what_it_holds(root: Path) -> None:
    bare(root / "docs" / ".bare")
    (root / "docs" / ".bare" / "deep" / "er").mkdir(parents=True)
    (root / "docs" / ".bare" / "deep" / "er" / "x.md").write_text("token")
    for name in ("config", "HEAD", "deep/er/x.md", "no-such-file"):
        with pytest.raises(RefusedError, match="git's own"):
            resolved_below(root / "docs" / ".bare" / name, root)
        assert is_gits_own(root / "docs" / ".bare" / name)
    bare(root / "docs")
    assert is_gits_own(root / "docs" / "notes.txt")
    with pytest.raises(RefusedError, match="git's own"):
        read(root / "docs" / "notes.txt", root)


def test_a_root_is_gits_own_unless_it_is_a_work_tree(root: Path) -> None:
    bare(root)
    with pytest.raises(RefusedError, match="git's own"):
        read(root / "docs" / "notes.txt", root)
    assert is_gits_own(root / "docs" / "notes.txt")
    (root / ".git").write_text("gitdir: /elsewhere\n")
    assert read(root / "docs" / "notes.txt", root) == INSIDE
    assert not is_gits_own(root / "docs" / "notes.txt")
