"""A folder is renamed: what cites its files is found however many they are, and nothing is read twice or in vain."""

from __future__ import annotations

import pytest
from git_work import Work, quoting, staged

from tracecite_lint.changes.comparison import changed_documents
from tracecite_lint.documents import read_document

WORDS = "words that stand in a source"
MANY = 250


def parsed_and_new(work: Work) -> tuple[list[str], dict[str, int]]:
    """Return the paths of what was parsed, and the number of citations that are new by document."""
    parsed: list[str] = []

    def parse(path: str, text: str):
        parsed.append(path)
        return read_document(path, text)

    selection = changed_documents(staged(), parse, decode=lambda data: data.decode())
    return parsed, {item.path: len(item.new) for item in selection.documents}


def test_a_renamed_document_is_parsed_once(work: Work) -> None:
    for number in range(3):
        work.stage(f"old/{number}.md", quoting(WORDS, source="../data.txt"))
    work.commit()
    work.git("mv", "old", "new")
    parsed, new = parsed_and_new(work)
    assert parsed == [f"new/{number}.md" for number in range(3)]
    assert new == {f"new/{number}.md": 0 for number in range(3)}


def test_a_document_that_becomes_another_kind_is_read_as_that(work: Work) -> None:
    work.record("old.md", quoting(WORDS))
    work.git("mv", "old.md", "new.qmd")
    parsed, _ = parsed_and_new(work)
    assert parsed == ["new.qmd", "old.md"]


@pytest.mark.parametrize(
    "spelling",
    [
        "old/my source 7.txt",
        "old/my%20source%207.txt",
        "old%2Fmy%20source%207%2Etxt",
        "old/my%20source%207\\.txt",
        "old/my&#32;source&#32;7.txt",
    ],
)
def test_what_cites_one_of_many_files_is_found_and_nothing_else_is_parsed(
    work: Work, spelling: str
) -> None:
    for number in range(MANY):
        work.write(f"old/my source {number}.txt", WORDS)
    work.git("add", ".")
    work.stage("citing.md", quoting(WORDS, source=f"<{spelling}>" if " " in spelling else spelling))
    work.stage("other.md", quoting(WORDS, source="elsewhere.txt"))
    work.stage("none.md", quoting(WORDS))
    work.commit()
    work.git("mv", "old", "new")
    parsed, new = parsed_and_new(work)
    assert parsed == ["citing.md"]
    assert new == {"citing.md": 1}


def test_names_without_letters_are_looked_for_everywhere(work: Work) -> None:
    for number in range(MANY):
        work.write(f"old/{number}.txt", WORDS)
    work.write("old/源", WORDS)
    work.git("add", ".")
    work.stage("citing.md", quoting(WORDS, source="old/源"))
    work.commit()
    work.git("mv", "old", "new")
    _, new = parsed_and_new(work)
    assert new == {"citing.md": 1}
