"""The same hooks through prek."""

from __future__ import annotations

from pathlib import Path

from git_work import make_work, quoting
from hooked import Project
from loopback import Answer, Loopback

URL = "https://www.iana.org/help/example-domains"
GOOD = "the first words stand here"
BAD = "words that stand nowhere at all"


def test_prek_checks_a_commit(project: Project, loopback: Loopback) -> None:
    loopback.page(URL, f"On this page {GOOD}.")
    installed = project.run("prek", "install", "--overwrite", "--hook-type", "pre-commit")
    assert installed.status == 0, installed.text
    project.stage("report.md", quoting(GOOD, BAD))
    refused = project.run("git", "commit", "-m", "first")
    assert refused.status == 1, refused.text
    assert refused.counts == {
        "files": 1,
        "sources": 1,
        "citations": 2,
        "verified": 1,
        "mismatch": 1,
    }
    assert refused.places == [("report.md", 5)]
    project.record("report.md", quoting(BAD))
    project.stage("report.md", quoting(BAD, GOOD))
    done = project.run("git", "commit", "-m", "second")
    assert done.status == 0, done.text
    assert (done.counts["citations"], done.counts["unchanged"]) == (1, 1)
    assert loopback.urls() == [URL]
    assert project.git("status", "--porcelain") == ""


def test_prek_checks_all_files_of_a_clean_tree_in_full(
    project: Project, loopback: Loopback
) -> None:
    loopback.page(URL, f"On this page {GOOD}.")
    project.record("report.md", quoting(GOOD, BAD))
    done = project.run("prek", "run", "--all-files")
    assert done.status == 1, done.text
    assert (done.counts["verified"], done.counts["mismatch"]) == (1, 1)


def test_prek_checks_between_refs(project: Project, loopback: Loopback) -> None:
    project.configure("tracecite-lint-push")
    loopback.page(URL, f"On this page {GOOD}.")
    project.record("report.md", quoting(BAD))
    project.record("report.md", quoting(BAD, GOOD))
    between = ("--from-ref", "HEAD^", "--to-ref", "HEAD", "--hook-stage", "pre-push")
    done = project.run("prek", "run", *between)
    assert done.status == 0, done.text
    assert (done.counts["verified"], done.counts["unchanged"]) == (1, 1)
    loopback.script(URL, Answer(status=404))
    project.record("report.md", quoting(BAD, GOOD, BAD))
    assert project.run("prek", "run", *between).status == 1


def test_prek_checks_the_push_of_a_root_commit(
    project: Project, loopback: Loopback, tmp_path: Path
) -> None:
    make_work(tmp_path / "remote", "--bare")
    project.git("remote", "add", "origin", str(tmp_path / "remote"))
    project.configure("tracecite-lint-push")
    project.run("prek", "install", "--overwrite", "--hook-type", "pre-push")
    loopback.page(URL, f"On this page {GOOD}.")
    project.record("report.md", quoting(GOOD, BAD))
    project.stage("staged.md", quoting(BAD))
    refused = project.run("git", "push", "origin", "main")
    assert refused.status == 1, refused.text
    assert refused.places == [("report.md", 5)]
