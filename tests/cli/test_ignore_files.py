"""`.gitignore` outside of git: what an ignore file leaves out is no document, unless somebody names it."""

from __future__ import annotations

import subprocess
import time

import pytest

from tracecite_lint.inputs import ignore_files

TRUE = "“Five wizards jump quickly over the sleeping giant” ([s](/source.txt)).\n"
IGNORED = {
    ".gitignore": "# notes\nbuild/\n*.draft.md\n/only-here.md\n!kept.draft.md\n",
    "docs/.gitignore": "*\n!b.md\n!.gitignore\n!sub/\n",
}
DOCUMENTS = [
    "a.md", "x.draft.md", "kept.draft.md", "only-here.md", "build/c.md", "build/kept.draft.md",
    "docs/a.md", "docs/b.md", "docs/sub/b.md", "docs/sub/c.md", "deep/only-here.md", "deep/build/a.md",
]  # fmt: skip


@pytest.fixture
def folder(write, tmp_path):
    write("source.txt", "Five wizards jump quickly over the sleeping giant at dawn.\n")
    for name, text in {**IGNORED, **dict.fromkeys(DOCUMENTS, TRUE)}.items():
        write(name, text)
    return tmp_path


def documents(ran):
    return sorted({item["file"] for item in ran.json["citations"]})


def test_what_git_would_ignore_is_ignored(lint, folder):
    outside = documents(lint("--all", "--json"))
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    inside = documents(lint(".", "--json"))
    assert outside == inside
    assert "docs/b.md" in outside and "kept.draft.md" in outside and "deep/only-here.md" in outside
    assert len(outside) == 5


def test_the_ignore_files_above_a_folder_count_and_a_name_counts_more(lint, folder):
    assert documents(lint("docs", "--json")) == ["docs/b.md", "docs/sub/b.md"]
    assert documents(lint("deep", "--json")) == ["deep/only-here.md"]
    assert documents(lint("build", "--json")) == ["build/c.md", "build/kept.draft.md"]
    assert documents(lint("docs/a.md", "--json")) == ["docs/a.md"]


def test_an_ignore_file_that_leads_elsewhere_is_passed_over(lint, folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "rules"
    other.write_text("*.md\n")
    (folder / "deep" / ".gitignore").symlink_to(other)
    ran = lint("deep")
    assert "deep/.gitignore: passed over" in ran.out
    assert "1 verified" in ran.out


@pytest.mark.parametrize("pattern", ["*a*a*a*a*a*a*a*b", "**/a/**/a/**/a/**/b", "[!b]*a*" * 6])
def test_a_pattern_that_takes_for_ever_is_passed_over(lint, write, pattern):
    write(".gitignore", f"{pattern}\n*.draft.md\n")
    write(f"{'a' * 240}.md", TRUE)
    write(f"{'a/' * 50}x.draft.md", TRUE)
    started = time.process_time()
    ran = lint("--all")
    assert "a pattern with more than three" in ran.out
    assert "1 quotation in 1 file" in ran.out
    assert time.process_time() - started < 30  # it would be hours


def test_ordinary_patterns_are_not_passed_over():
    for pattern in (
        "*.egg-info*",
        "**/build/**",
        "docs/**/*.md",
        "*[Bb]in*/*.tmp",
        "a*b*c*",
        "!/x/**",
    ):
        assert not ignore_files._COSTLY.match(pattern), pattern
