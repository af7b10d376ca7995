"""What GitHub runs and shows for this repository: each file by its published schema, and the promises made of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("custom.github-workflows-require-timeout", WORKFLOWS),
        ("vendor.github-issue-forms", FORMS),
        ("vendor.github-issue-config", [GITHUB / "ISSUE_TEMPLATE" / "config.yml"]),
        ("vendor.dependabot", [GITHUB / "dependabot.yml"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_file_is_valid_by_its_schema(schema, files):
    assert files
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        schema,
        *map(str, files),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def steps(workflow: str):
    jobs = yaml.safe_load((GITHUB / "workflows" / workflow).read_text("utf-8"))["jobs"]
    return {name: job["steps"] for name, job in jobs.items()}


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml"])
def test_the_gate_runs_the_script_that_developers_run(workflow):
    assert any(step.get("run") == ".ci/run" for step in steps(workflow)["gate"])


def test_what_is_released_comes_after_the_gate():
    jobs = yaml.safe_load((GITHUB / "workflows" / "release.yml").read_text("utf-8"))["jobs"]
    assert [jobs[name].get("needs") for name in ("build", "pypi", "github")] == [
        "gate",
        "build",
        "pypi",
    ]


def test_no_workflow_may_write_but_for_what_a_job_asks_for():
    for workflow in WORKFLOWS:
        assert yaml.safe_load(workflow.read_text("utf-8"))["permissions"] == {"contents": "read"}


def test_no_expression_of_an_event_stands_in_a_script():
    """A branch's name or a title in `${{ … }}` inside `run` would be run by the shell."""
    for workflow in WORKFLOWS:
        for job in steps(workflow.name).values():
            for step in job:
                assert "${{" not in step.get("run", ""), step


def test_every_action_has_a_version():
    for workflow in WORKFLOWS:
        for used in re.findall(r"uses: (\S+)", workflow.read_text("utf-8")):
            assert re.fullmatch(r"[\w.-]+/[\w.-]+@(v\d+|release/v\d+)", used), used


def test_the_real_editors_have_a_job_that_installs_them_by_the_script():
    runs = [str(step.get("run")) for step in steps("ci.yml")["real-editors"]]
    assert any("lsp/vscode/test/install-code-server.sh" in run for run in runs)
    assert any("pytest -q -m 'vscode or editors'" in run for run in runs)
