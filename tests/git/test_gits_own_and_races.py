"""The real command in real repositories: git's own files under any name are not read, nor is what a swapped folder leads to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from git_work import Work, make_work
from ran_in import FORMATS, lint
from swapping import swapped_all_the_time

TOKEN = "glpat-ThisIsTheTokenOfTheRemote"
HEADER = f"AUTHORIZATION: basic {TOKEN}"


def citing(source: str) -> str:
    return f"It says “extraheader = AUTHORIZATION: basic somebody” ([configuration]({source})).\n"


@pytest.fixture
def separate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """A work tree whose git directory is `.bare`, with a linked worktree and a submodule, and a token in each."""
    made = make_work(tmp_path / "work", "--separate-git-dir", ".bare")
    monkeypatch.chdir(made.path)
    made.record("report.md", "# Report\n")
    made.git("config", "http.extraheader", HEADER)
    made.git("worktree", "add", "--quiet", "linked")
    library = make_work(tmp_path / "library")
    library.record("guide.md", "# Guide\n")
    allowed = ("-c", "protocol.file.allow=always")
    made.git(*allowed, "submodule", "--quiet", "add", str(library.path), "library")
    (made.path / ".bare" / "modules" / "library" / "token.txt").write_text(TOKEN)
    made.git("clone", "--quiet", "--bare", str(library.path), "vendor/mirror")
    (made.path / "vendor" / "mirror" / "config").write_text(f"[http]\n\textraheader = {HEADER}\n")
    make_work(made.path / "nested").git("config", "http.extraheader", HEADER)
    (made.path / "link").symlink_to(".bare")
    (made.path / "link.txt").symlink_to(".bare/config")
    (made.path / "absolute.txt").symlink_to(made.path / ".bare" / "config")
    return made


SOURCES = [
    *(".bare/config", ".bare/HEAD", ".bare/logs/HEAD", "./x/../.bare/config", "/.bare/config"),
    *(".bare/worktrees/linked/HEAD", ".bare/worktrees/linked/gitdir", ".bare/no-such-file"),
    *(".bare/modules/library/config", ".bare/modules/library/token.txt", "file:.bare/config"),
    *("vendor/mirror/config", "vendor/mirror/HEAD", "nested/.git/config", "nested/.GIT/config"),
    *("link/config", "link.txt", "absolute.txt", "link/modules/library/token.txt"),
    *(".git", "linked/.git", "library/.git", "%2Ebare/config", "{uri}"),
]


def test_no_file_of_gits_is_a_source_whatever_its_name(separate: Work) -> None:
    uri = (separate.path / ".bare" / "config").as_uri()
    sources = [source.format(uri=uri) for source in SOURCES]
    separate.stage("report.md", "\n".join(map(citing, sources)))
    for arguments in (["report.md"], [], ["--all"], ["--changed", "report.md"]):
        ran = lint(separate.path, *arguments, "--format=json")
        found = {item["source"]: item["code"] for item in ran.json["citations"]}
        assert found == dict.fromkeys(sources, "URL_BLOCKED"), arguments
        assert TOKEN not in ran.said


@pytest.mark.parametrize("format", FORMATS)
def test_a_token_stands_in_no_report(separate: Work, format: str) -> None:
    separate.write("report.md", citing(".bare/config"))
    ran = lint(separate.path, "report.md", f"--format={format}", "-v")
    assert ran.status == 2
    assert TOKEN not in ran.said


def test_what_git_ignores_on_purpose_is_read_from_disk_but_not_gits_own(separate: Work) -> None:
    separate.stage(".gitignore", "private/\nvendor/\n")
    separate.write("private/notes.txt", "extraheader = AUTHORIZATION: basic somebody")
    separate.stage("report.md", citing("private/notes.txt") + "\n" + citing("vendor/mirror/config"))
    ran = lint(separate.path, "--format=json")
    assert ran.citation_codes == [None, "URL_BLOCKED"]


def test_no_file_of_gits_is_a_document(separate: Work) -> None:
    quotation = "It says “some words of git's own” ([x](x.txt)).\n"
    names = [".bare/config", ".bare/notes.md", "vendor/mirror/notes.md", "nested/.git/notes.md"]
    for name in names[1:]:
        separate.write(name, quotation)
    for name in (*names, "link/notes.md", "link.txt", ".git"):
        ran = lint(separate.path, name, "--format=json")
        assert (ran.status, ran.citation_codes) == (1, []), name
        (problem,) = ran.json["diagnostics"]
        assert (problem["code"], problem["message"]) == (
            "UNREADABLE_FILE",
            "a file of git's own is not read",
        )
    for name in (".bare", "vendor/mirror", "nested/.git", "link", ".bare/modules/library"):
        ran = lint(separate.path, name)
        assert ran.status == 1
        assert "git's own" in ran.err or "work tree" in ran.err, ran.err
    assert TOKEN not in lint(separate.path, *names).said


def test_a_search_passes_gits_directories_by(separate: Work, tmp_path: Path) -> None:
    quotation = "It says “some words of git's own” ([x](x.txt)).\n"
    separate.write("vendor/mirror/notes.md", quotation)
    separate.git("add", "--force", "vendor/mirror/notes.md")
    assert lint(separate.path, "--all", "--dump", "--format=json").citation_codes == []
    plain = tmp_path / "plain"
    plain.mkdir()
    for name in ("mirror", "Store.git", ".GIT"):
        subprocess.run(["git", "init", "-q", "--bare", name], cwd=plain, check=True)
        (plain / name / "notes.md").write_text(quotation)
    (plain / "report.md").write_text(quotation)
    found = lint(plain, "--all", "--dump", "--format=json").json["citations"]
    assert [item["file"] for item in found] == ["report.md"]


def test_a_work_tree_in_a_bare_repository_is_one(tmp_path: Path) -> None:
    origin = make_work(tmp_path / "origin")
    origin.record("notes.txt", "the words of the notes")
    origin.record("report.md", "It says “the words of the notes” ([notes](notes.txt)).\n")
    origin.git("clone", "--quiet", "--bare", ".", str(tmp_path / "store"))
    Work(tmp_path / "store").git("worktree", "add", "--quiet", "main-tree", "main")
    tree = tmp_path / "store" / "main-tree"
    for arguments in (["report.md"], ["--all"]):
        assert lint(tree, *arguments, "--format=json").json["summary"]["verified"] == 1


FILES = 400


@pytest.mark.parametrize("staged", [False, True])
def test_a_folder_that_is_swapped_for_a_link_while_it_is_read_never_leads_out(
    work: Work, tmp_path: Path, staged: bool
) -> None:
    secret, outside = "the words that stand outside of it", tmp_path / "outside"
    outside.mkdir()
    for number in range(FILES):
        (outside / f"{number}.txt").write_text(secret)
        work.write(f"data/{number}.txt", "the words that stand inside of it")
    work.stage(".gitignore", "data/\nlink\n")  # so that a commit reads them from disk too
    (work.path / "link").symlink_to(outside)
    work.stage(
        "report.md",
        "\n".join(f"“{secret}” ([{n}](data/{n}.txt))\n" for n in range(FILES)),
    )
    arguments = ["--format=json", "--offline", *([] if staged else ["report.md"])]
    with swapped_all_the_time(work.path / "data", work.path / "link"):
        runs = [lint(work.path, *arguments) for _ in range(3)]
    for ran in runs:
        assert len(ran.citation_codes) == FILES
        assert {*ran.citation_codes} <= {"QUOTE_NOT_IN_SOURCE", "URL_BLOCKED", "SOURCE_UNAVAILABLE"}
