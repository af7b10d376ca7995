"""Files under the rules of whoever chose them, against somebody who changes folders meanwhile."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tracecite_lint.files.chosen import ChosenFile, follow, lies_in, set_up


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    (tmp_path / "tree" / "a").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return tmp_path


def swapping(monkeypatch: pytest.MonkeyPatch, folder: Path, target: str) -> None:
    """Let *folder* become a link as soon as a place in it was looked at."""
    judged = ChosenFile.real_path

    def real_path(self: ChosenFile) -> Path:
        end = judged(self)
        folder.rename(folder.with_name("moved"))
        folder.symlink_to(target)
        return end

    monkeypatch.setattr(ChosenFile, "real_path", real_path)


@pytest.mark.parametrize("kind", ["named", "set up"])
def test_a_folder_that_becomes_a_link_meanwhile_is_not_written_through(folders, monkeypatch, kind):
    tree = folders / "tree"
    chosen = set_up("a/x", tree) if kind == "set up" else ChosenFile(tree / "a" / "x", (tree,))
    swapping(monkeypatch, tree / "a", "../outside")
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        chosen.write(b"data")
    assert not list((folders / "outside").iterdir())


def test_a_folder_that_becomes_a_link_meanwhile_is_not_read_through(folders, monkeypatch):
    (folders / "outside" / "x").write_text("secret")
    (folders / "tree" / "a" / "x").write_text("open")
    chosen = set_up("a/x", folders / "tree")
    assert chosen.read() == b"open"
    swapping(monkeypatch, folders / "tree" / "a", "../outside")
    with pytest.raises(OSError, match=r"lies outside the repository"):
        chosen.read()


def test_a_file_that_becomes_a_link_meanwhile_is_replaced(folders, monkeypatch):
    target = folders / "tree" / "x"
    target.write_text("old")
    (folders / "outside" / "kept").write_text("kept")
    swapping(monkeypatch, target, "../outside/kept")
    with pytest.raises(OSError, match="not a regular file"):
        ChosenFile(target, (folders / "tree",)).write(b"data")
    assert (folders / "outside" / "kept").read_text() == "kept"


def test_nothing_leaves_the_tree_while_somebody_swaps_its_folders(folders):
    tree, over = folders / "tree", threading.Event()
    (tree / "link").symlink_to("../outside")

    def swap() -> None:
        while not over.is_set():
            for old, new in (("a", "b"), ("link", "a"), ("a", "link"), ("b", "a")):
                (tree / old).rename(tree / new)

    swapper = threading.Thread(target=swap)
    swapper.start()
    written = 0
    for _ in range(2000):
        try:
            set_up("a/x", tree).write(b"data")
            written += 1
        except OSError:
            continue
    over.set()
    swapper.join()
    assert not list((folders / "outside").iterdir())
    assert written or (tree / "a").is_dir()
    assert not list(tree.glob("a/.tracecite-*"))


def test_a_case_that_the_file_system_ignores_is_gits_too(folders):
    for name in (".GIT/hooks/x", ".Git/x", "a/.git. /x", ".git/x"):
        with pytest.raises(PermissionError, match="is git's own"):
            set_up(name, folders / "tree").real_path()


def test_links_in_a_circle_end(folders):
    (folders / "x").symlink_to("y")
    (folders / "y").symlink_to("x")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        ChosenFile(folders / "x").write(b"")


def test_a_trail_holds_every_entry_on_the_way(folders):
    (folders / "tree" / "up").symlink_to("../outside")
    trail = follow(folders / "tree" / "up" / ".." / "tree" / "x")
    assert trail.links == (folders / "tree" / "up",)
    assert trail.end == folders / "tree" / "x"
    assert folders / "outside" in trail.entries
    assert lies_in(trail.end, folders / "tree")
    assert not lies_in(folders / "tree", folders / "tree")


def test_an_absolute_name_of_the_users_own_may_lie_elsewhere(folders):
    set_up(str(folders / "outside" / "x"), folders / "tree").write(b"data")
    assert (folders / "outside" / "x").read_bytes() == b"data"
    with pytest.raises(PermissionError, match="leads out of the repository"):
        set_up("../outside/y", folders / "tree").write(b"data")


def test_a_new_file_has_the_mode_that_the_process_gives(folders):
    before = os.umask(0o027)
    try:
        ChosenFile(folders / "x").write(b"")
    finally:
        os.umask(before)
    assert (folders / "x").stat().st_mode & 0o777 == 0o640


def test_a_folder_is_the_same_under_every_name(folders):
    (folders / "alias").symlink_to("tree")
    assert lies_in(folders / "tree" / "a" / "x", folders / "alias")
    assert not lies_in(folders / "outside" / "x", folders / "alias")
