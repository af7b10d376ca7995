"""Measures a commit that renames a folder of 1,000 documents among 5,000, beside git's own look for renames."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.commits import HOOK
from benchmarks.measuring import Command, Row, compare
from benchmarks.workspace import Workspace, git


def rows(space: Workspace) -> Iterator[Row]:
    """Measure the hook in a repository whose documents have two citations of local texts each."""
    repository = space.top / "renamed"
    (repository / "data").mkdir(parents=True)
    for number in range(50):
        text = " ".join(
            f"Gauge {index} of station {number} holds its mark." for index in range(100)
        )
        (repository / f"data/{number}.txt").write_text(text)
    for number in range(space.scaled(5000)):
        folder = repository / f"folder{number // space.scaled(1000)}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number:05}.md").write_text(_document(number))
    git(repository, "init", "-q")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "all")
    git(repository, "mv", "folder1", "moved")
    plain = ["git", "diff-index", "--cached", "-r", "-M", "-l0", "--raw", "HEAD"]
    environment = {"TRACECITE_LINT_CACHE_DIR": str(space.top / "cache-renamed")}
    hooks = space.for_each(
        lambda candidate: Command([candidate.tool, *HOOK], repository, environment, seconds=120)
    )
    rounds = max(3, space.rounds // 3)
    what = f"a folder with {space.scaled(1000):,} documents renamed in {space.scaled(5000):,}"
    target = "≤ 1 s of CPU"
    yield compare(what, "`git diff-index -M`", target, Command(plain, repository), hooks, rounds)


def _document(number: int) -> str:
    station = number % 50
    parts = [f"# Report {number}\n\n"]
    for index in range(2):
        quote = f"Gauge {(number + index) % 100} of station {station} holds its mark"
        parts.append(f"It says “{quote}” ([data](../data/{station}.txt)).\n\n")
        parts.append("Text that quotes nothing, in a line of its own.\n" * 10 + "\n")
    return "".join(parts)
