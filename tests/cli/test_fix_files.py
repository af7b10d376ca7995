"""`--fix` and the files themselves: what may not be written is not, a file is fixed once, fixes have their limit."""

from __future__ import annotations

import pytest

from tracecite_lint.cli import main
from tracecite_lint.engine import check

SOURCE = "The quick brown fox jumps over the lazy dog.\n"
WRONG = "“The quick brown fax jumps over the lazy dog” ([s](source.txt))\n"
RIGHT = WRONG.replace("fax", "fox")


@pytest.fixture
def wrong(write):
    write("source.txt", SOURCE)
    return write("wrong.md", WRONG)


def test_a_read_only_file_is_left_as_it_is(lint, wrong):
    wrong.chmod(0o444)
    ran = lint("wrong.md", "--fix")
    assert (ran.status, ran.err) == (
        1,
        "tracecite-lint: error: wrong.md: cannot be fixed: the file is read-only\n",
    )
    assert wrong.read_text() == WRONG


@pytest.mark.parametrize("names", [("link.md", "wrong.md"), ("wrong.md", "link.md")])
def test_a_file_named_by_a_link_too_is_fixed_once(lint, wrong, names):
    link = wrong.with_name("link.md")
    link.symlink_to(wrong.name)
    ran = lint(*names, "--fix")
    assert (ran.status, ran.err) == (0, "")
    assert link.is_symlink()
    assert wrong.read_text() == RIGHT


def test_when_fixes_would_take_too_long_the_first_ones_are_given(monkeypatch, capsys, wrong):
    monkeypatch.chdir(wrong.parent)
    monkeypatch.setattr(check, "_FIX_LIMIT", 10)
    wrong.write_text(f"{WRONG}\n" * 8)
    assert main(["wrong.md", "--fix"]) == 2
    assert wrong.read_text().count(RIGHT) == 2
    assert "only the first ones were given a fix; run --fix again" in capsys.readouterr().out
    assert main(["wrong.md", "--fix", "--fix"]) == 2
    assert wrong.read_text().count(RIGHT) == 4
