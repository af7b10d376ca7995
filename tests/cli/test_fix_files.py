"""`--fix` and the files themselves: what may not be written is not, a file is fixed once, fixes have their limit."""

from __future__ import annotations

import pytest

from tracecite_lint.cli import main
from tracecite_lint.documents import markdown
from tracecite_lint.engine import mending

SOURCE = "The quick brown fox jumps over the lazy dog.\n"
WRONG = "“The quick brown fax jumps over the lazy dog” ([s](source.txt))\n"
RIGHT = WRONG.replace("fax", "fox")


@pytest.fixture
def wrong(write):
    write("source.txt", SOURCE)
    return write("wrong.md", WRONG)


def test_a_read_only_file_is_left_as_it_is(lint, wrong):
    wrong.chmod(0o444)
    ran = lint("wrong.md", "--fix", "--unsafe-fixes")
    assert (ran.status, ran.err) == (
        1,
        "tracecite-lint: error: wrong.md: cannot be changed: the file is read-only\n",
    )
    assert wrong.read_text() == WRONG


@pytest.mark.parametrize("names", [("link.md", "wrong.md"), ("wrong.md", "link.md")])
def test_a_file_named_by_a_link_too_is_fixed_once(lint, wrong, names):
    link = wrong.with_name("link.md")
    link.symlink_to(wrong.name)
    ran = lint(*names, "--fix", "--unsafe-fixes")
    assert (ran.status, ran.err) == (0, "")
    assert link.is_symlink()
    assert wrong.read_text() == RIGHT


def test_when_fixes_would_take_too_long_the_first_ones_are_given(monkeypatch, capsys, wrong):
    monkeypatch.chdir(wrong.parent)
    monkeypatch.setattr(mending, "FIX_LIMIT", 10)
    monkeypatch.setattr(mending, "replacements", lambda _, wanted: [None] * len(wanted))
    wrong.write_text(f"{WRONG}\n" * 8)
    assert main(["wrong.md", "--fix", "--unsafe-fixes"]) == 2
    assert wrong.read_text().count(RIGHT) == 2
    assert "only the first ones were given a fix; run --fix again" in capsys.readouterr().out
    assert main(["wrong.md", "--fix", "--fix", "--unsafe-fixes"]) == 2
    assert wrong.read_text().count(RIGHT) == 4


def test_the_fixes_of_a_document_take_one_reading(monkeypatch, lint, wrong):
    monkeypatch.chdir(wrong.parent)
    wrong.write_text(f"{WRONG}\n" * 40)
    read = []
    parse = markdown.parse_markdown
    monkeypatch.setattr(
        markdown,
        "parse_markdown",
        lambda *args, **options: read.append(args) or parse(*args, **options),
    )
    assert main(["wrong.md", "--fix", "--unsafe-fixes", "--diff"]) == 2
    assert len(read) == 2  # as it is, and as it would be


def test_nothing_is_mended_for_a_report_that_shows_no_fixes(monkeypatch, capsys, wrong):
    monkeypatch.chdir(wrong.parent)
    made = []
    mend = mending.Mending.fixes
    monkeypatch.setattr(
        mending.Mending, "fixes", lambda *arguments: made.append(arguments) or mend(*arguments)
    )
    for name, asked in [("concise", 0), ("gitlab", 0), ("markdown", 0), ("full", 1), ("json", 1)]:
        made.clear()
        assert main(["wrong.md", "--format", name]) == 2
        assert (name, len(made)) == (name, asked)


def test_fixes_that_spoil_one_another_are_made_in_another_way(lint, wrong):
    """Each backtick is harmless alone; two of them make code of what stands between."""
    wrong.with_name("source.txt").write_text(
        "The quick `brown fox jumps over the lazy dog. The quick ` grey fox jumps over the lazy cat.\n"
    )
    both = f"{WRONG[:-1]} and “The quick grey fax jumps over the lazy cat” ([s](source.txt)).\n"
    wrong.write_text(both)
    ran = lint("wrong.md", "--fix", "--unsafe-fixes")
    assert ran.status == 0, ran.out
    assert r"The quick \`brown fox" in wrong.read_text()
