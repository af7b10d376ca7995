"""Which file or page a link of a repository's documents leads to, whoever asks: by name, in a commit, in whatever order."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from git_work import Work, make_work
from loopback import Loopback
from ran_in import lint_here as lint

WORDS = "the mill was closed in the spring"
OTHER = "the mill was opened in the spring"


def citing(source: str, words: str = WORDS) -> str:
    return f"# Report\n\nIt says “{words}” ([the notes]({source})).\n"


@pytest.mark.parametrize("order", list(permutations(["a.md", "nested/b.md"])))
def test_the_order_of_documents_does_not_decide_what_a_nested_repository_may_read(
    work: Work, order: tuple[str, str]
) -> None:
    # Written as one and the same path: a file is not read for one repository because it was read for another.
    source = work.write("notes.txt", f"They write: {WORDS}.\n").as_uri()
    work.write("a.md", citing(source))
    make_work(work.path / "nested")
    work.write("nested/b.md", citing(source))
    ran = lint(work.path, *order, "--format=json")
    found = {item["file"]: item["code"] for item in ran.json["citations"]}
    assert found == {"a.md": None, "nested/b.md": "URL_BLOCKED"}


@pytest.mark.parametrize("name", ["https-notes.md", "http-notes.txt", "HTTPS.md", "https"])
@pytest.mark.parametrize("written", ["{name}", "./{name}", "/{name}", "file:{name}", "{uri}"])
def test_a_changed_source_is_seen_by_the_hook_whatever_its_name(
    work: Work, name: str, written: str
) -> None:
    work.stage(name, f"They write: {WORDS}.\n")
    source = written.format(name=name, uri=(work.path / name).as_uri())
    work.record("report.md", citing(source))
    assert lint(work.path, "--changed", "report.md", "--format=json").status == 0
    work.stage(name, f"They write: {OTHER}.\n")
    ran = lint(work.path, "--changed", name, "--format=json")
    assert (ran.status, ran.citation_codes) == (2, ["QUOTE_NOT_IN_SOURCE"])


def test_a_link_without_a_scheme_is_read_over_https(
    work: Work, loopback: Loopback, cafile: Path
) -> None:
    loopback.page("https://www.example.org/mill", WORDS)
    work.stage("report.md", citing("//www.example.org/mill") + citing("//www.example.org/mill#x"))
    for arguments in (["report.md"], [], ["check-report", "report.md"]):
        ran = lint(work.path, *arguments, *loopback.arguments(cafile))
        assert ran.status == 0, ran.said
    # `check` keeps the page, for both spellings; `check-report` asks again.
    assert loopback.urls() == ["https://www.example.org/mill"] * 2
    # The two spellings are one source: writing the scheme makes nothing new.
    work.commit()
    work.stage(
        "report.md", citing("https://www.example.org/mill") + citing("//www.example.org/mill#x")
    )
    assert lint(work.path, "--format=json").json["summary"]["unchanged"] == 2
