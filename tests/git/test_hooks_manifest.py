"""`.pre-commit-hooks.yaml` offers what docs/hook.md says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pre_commit.clientlib import load_manifest

from tracecite_lint.naming.file_names import SUFFIXES, kind_of

ROOT = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))
BY_ID = {hook["id"]: hook for hook in HOOKS}


@pytest.mark.parametrize(
    ("name", "stages", "options"),
    [
        (
            "tracecite-lint",
            ["pre-commit", "pre-merge-commit", "manual"],
            "--changed --allow-unreachable --max-time 30",
        ),
        ("tracecite-lint-push", ["pre-push"], "--changed --max-time 120"),
        (
            "tracecite-lint-offline",
            ["pre-commit", "pre-merge-commit", "pre-push", "manual"],
            "--changed --offline --allow-unreachable",
        ),
        ("tracecite-lint-all", ["manual"], "--all"),
        (
            "tracecite-lint-audit",
            ["pre-commit", "pre-merge-commit", "pre-push", "manual"],
            "audit",
        ),
    ],
)
def test_the_hooks_and_their_options_are_documented(
    name: str, stages: list[str], options: str
) -> None:
    hook = BY_ID[name]
    assert hook["stages"] == stages
    assert hook["entry"] == f"tracecite-lint {options}"
    assert hook["args"] == []
    assert hook["language"] == "python"
    (row,) = [
        line
        for line in (ROOT / "docs" / "hook.md").read_text().splitlines()
        if line.startswith(f"| `{name}` |")
    ]
    assert ", ".join(stages) in row
    assert f"`{options}`" in row


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_name_of_a_document_is_passed_on(suffix: str) -> None:
    for name in (f"a{suffix}", f"docs/A{suffix.upper()}", f"a b{suffix.title()}"):
        assert kind_of(name) is not None
        assert re.search(BY_ID["tracecite-lint"]["files"], name), name


def test_there_are_no_other_hooks() -> None:
    assert len(BY_ID) == len(HOOKS) == 5


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("report.md", True),
        ("docs/Report.MD", True),
        ("analysis.Rmd", True),
        ("run.jsonl", True),
        ("run.ndjson", True),
        ("claims.txt", True),
        ("pages/page.html", True),
        ("pyproject.toml", True),
        (".tracecite-lint.toml", True),
        ("code.py", False),
        ("md", False),
        ("a.mdz", False),
    ],
)
def test_files_that_concern_the_check_are_passed_on(name: str, expected: bool) -> None:
    for hook in ("tracecite-lint", "tracecite-lint-push", "tracecite-lint-offline"):
        assert bool(re.search(BY_ID[hook]["files"], name)) is expected
        assert BY_ID[hook]["types"] == ["text"]
