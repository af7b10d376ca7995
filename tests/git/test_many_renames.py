"""A folder is renamed: what cites its files is found however many they are, and nothing is read twice or in vain."""

from __future__ import annotations

import pytest
from git_work import Work, quoting, staged

from tracecite_lint.changes.comparison import Selection, changed_documents
from tracecite_lint.documents import read_document

WORDS = "words that stand in a source"
MANY = 250


def parsed_and_new(work: Work) -> tuple[list[str], dict[str, int]]:
    """Return the paths of what was parsed, and the number of citations that are new by document."""
    parsed: list[str] = []
    selection = selected(parsed)
    return parsed, {item.path: len(item.new) for item in selection.documents}


def selected(parsed: list[str] | None = None) -> Selection:
    def parse(path: str, text: str):
        if parsed is not None:
            parsed.append(path)
        return read_document(path, text)

    return changed_documents(staged(), parse, decode=lambda data: data.decode())


def test_a_renamed_document_whose_sources_stay_is_not_parsed(work: Work) -> None:
    for number in range(3):
        work.stage(f"old/{number}.md", quoting(WORDS, source="../data.txt") + quoting(WORDS))
    work.commit()
    work.git("mv", "old", "new")
    assert parsed_and_new(work) == ([], {})
    assert "3 documents were only renamed, and hold nothing new" in selected().notes


@pytest.mark.parametrize(
    "text",
    [
        quoting(WORDS, source="data.txt"),
        quoting(WORDS, source="#part"),
        quoting(WORDS, source="<data.txt>"),
        quoting(WORDS, source="\n../data.txt") + quoting(WORDS, source="\n> data.txt"),
        f"“{WORDS}” [a]\n\n[a]:\n  data.txt\n",
        f'<blockquote cite="data.txt">{WORDS}</blockquote>\n',
        f"claim: it is so\nquote: {WORDS}\nurl: data.txt\n",
        f"---\nsource: data.txt\n---\n“{WORDS}”\n",
        f"“{WORDS}” [[data]]\n",
    ],
)
def test_a_renamed_document_is_parsed_once_where_its_sources_may_be_others(
    work: Work, text: str
) -> None:
    work.record("old/report.md", text)
    work.git("mv", "old", "new")
    parsed, new = parsed_and_new(work)
    assert parsed == ["new/report.md"]
    assert new.keys() == {"new/report.md"}


def test_a_renamed_document_is_parsed_where_its_source_is_in_the_change(work: Work) -> None:
    work.stage("data.txt", WORDS)
    work.record("old/report.md", quoting(WORDS, source="../data.txt"))
    work.git("mv", "old", "new")
    work.stage("data.txt", "Other words.")
    assert parsed_and_new(work) == (["new/report.md"], {"new/report.md": 1})


def test_a_renamed_document_is_parsed_where_it_lies_deeper(work: Work) -> None:
    work.record("old/report.md", quoting(WORDS, source="../data.txt"))
    (work.path / "new").mkdir()
    work.git("mv", "old", "new/old")
    assert parsed_and_new(work) == (["new/old/report.md"], {"new/old/report.md": 1})


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
