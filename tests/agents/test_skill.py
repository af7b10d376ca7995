"""The skill: in the package, in the docs, put where each agent looks, and over nothing."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from git_work import make_work
from ran_in import Ran, lint_here

from tracecite_lint.agents.skills import FOLDERS, skill_text
from tracecite_lint.documents import read_document
from tracecite_lint.rules import rule_for

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "tracecite_lint" / "agents" / "SKILL.md").read_text("utf-8")
AGENTS = pytest.mark.parametrize("agent", FOLDERS)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return make_work(tmp_path / "work").path


def skill(folder: Path, *arguments: str, **environment: str) -> Ran:
    return lint_here(folder, "skill", *arguments, **environment)


def test_it_is_as_the_specification_of_skills_wants_it() -> None:
    head = re.match(r"---\nname: (\S+)\ndescription: (.+)\n---\n", TEXT)
    assert head is not None
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head[1])
    assert head[1] == "tracecite-lint"
    assert 100 < len(head[2]) <= 1024
    assert len(TEXT.splitlines()) < 60  # short: a model reads all of it


def test_it_names_what_there_is() -> None:
    codes = re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", TEXT)
    assert codes
    assert all(rule_for(code) is not None for code in codes)
    for verdict in ("verified", "mismatch", "unverifiable"):
        assert f"| `{verdict}` |" in TEXT
    for tool in ("check_document", "check_quote", "find_in_source", "explain"):
        assert f"`{tool}`" in TEXT


def test_what_it_recommends_is_a_citation() -> None:
    (example,) = re.findall(r"`(“.+\))`", TEXT)
    (citation,) = read_document("report.md", f"It says {example}.\n").citations
    assert citation.quote == "The wheel turns twice a day"
    assert citation.source.uri == "https://mills.example.org/tide"


def test_the_docs_show_it() -> None:
    assert f"````markdown\n{TEXT}````\n" in (ROOT / "docs" / "agents.md").read_text("utf-8")


def test_it_is_in_the_package() -> None:
    assert skill_text() == TEXT
    # What git ignores does not come into the wheel, and neither do files of other folders.
    done = subprocess.run(
        ["git", "check-ignore", "tracecite_lint/agents/SKILL.md"], cwd=ROOT, capture_output=True
    )
    assert done.returncode == 1, done.stdout
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "tracecite_lint" in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


@AGENTS
def test_it_is_put_where_the_agent_looks_and_shown(work: Path, agent: str, tmp_path: Path) -> None:
    below = work / "docs"
    below.mkdir()
    ran = skill(below, "install", f"--for={agent}")
    place = work / FOLDERS[agent] / "tracecite-lint" / "SKILL.md"
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"wrote {place}:\n\n{TEXT}"
    assert place.read_text("utf-8") == TEXT
    again = skill(work, "install", f"--for={agent}")
    assert (again.status, again.out) == (0, f"{place} is there already\n")
    home = tmp_path / "home"
    home.mkdir()
    assert skill(work, "install", f"--for={agent}", "--user", HOME=str(home)).status == 0
    assert (home / FOLDERS[agent] / "tracecite-lint" / "SKILL.md").read_text("utf-8") == TEXT


@AGENTS
def test_nothing_is_overwritten(work: Path, agent: str) -> None:
    place = work / FOLDERS[agent] / "tracecite-lint" / "SKILL.md"
    place.parent.mkdir(parents=True)
    place.write_text("of somebody else", "utf-8")
    ran = skill(work, "install", f"--for={agent}")
    assert (ran.status, ran.out) == (1, "")
    assert "nothing was written" in ran.err
    assert place.read_text("utf-8") == "of somebody else"
    place.unlink()
    place.mkdir()
    assert skill(work, "install", f"--for={agent}").status == 1


def test_no_link_of_the_repository_is_written_through(work: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (work / ".claude").symlink_to(outside)
    ran = skill(work, "install", "--for=claude-code")
    assert (ran.status, ran.out) == (1, "")
    assert "symbolic link" in ran.err
    assert list(outside.iterdir()) == []
    (work / ".agents" / "skills" / "tracecite-lint").mkdir(parents=True)
    (work / ".agents" / "skills" / "tracecite-lint" / "SKILL.md").symlink_to(outside / "made.md")
    assert skill(work, "install", "--for=codex").status == 1
    assert list(outside.iterdir()) == []


def test_it_can_be_shown_without_being_written(work: Path) -> None:
    ran = skill(work, "show")
    assert (ran.status, ran.out) == (0, TEXT)
    assert sorted(path.name for path in work.iterdir()) == [".git"]
    missing = skill(work, "install")
    assert missing.status == 1
    assert "needs --for" in missing.err
