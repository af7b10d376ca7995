"""The composite action: its steps as GitHub runs them, on real repositories and with the variables GitHub sets."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
ZEROS = "0" * 40


@pytest.fixture
def runner(tmp_path):
    """A work tree with one true and one wrong quotation on main, and the directories of a runner."""
    work = tmp_path / "work dir"
    (work / "docs").mkdir(parents=True)
    (tmp_path / "temp").mkdir()
    # As the install step leaves it.
    (tmp_path / "bin").mkdir()
    for name, command in (("python", ""), ("tracecite-lint", "-m tracecite_lint")):
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
        script.chmod(0o755)
    runner = Runner(tmp_path, work)
    runner.git("init", "-q", "-b", "main")
    runner.git("config", "user.name", "Test")
    runner.git("config", "user.email", "test@example.org")
    runner.write("docs/source.txt", "The quick brown fox jumps over the lazy dog.\n")
    runner.write("docs/true.md", quotation("brown fox jumps over"))
    runner.write("docs/old.md", quotation("brown fox limps over"))
    runner.commit()
    return runner


def quotation(words: str) -> str:
    return f"> {words}\n>\n> — [s](source.txt)\n"


class Runner:
    """Runs the check step of the action."""

    def __init__(self, home: Path, work: Path) -> None:
        self.home = home
        self.work = work
        self.event: dict[str, object] = {}

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.work, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        (self.work / name).write_text(text, "utf-8")

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def check(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run the step with these inputs, the others as they are by default."""
        values = {name: spec["default"] for name, spec in ACTION["inputs"].items()}
        values |= {name.replace("_", "-"): value for name, value in inputs.items()}
        context = {f"inputs.{name}": value for name, value in values.items()}
        context |= {
            "runner.temp": str(self.home / "temp"),
            "steps.install.outputs.bin": str(self.home / "bin"),
        }

        def expanded(text: str) -> str:
            return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda match: context[match[1]], text)

        step = STEPS["Check quotations"]
        for name in ("event.json", "output", "summary"):
            (self.home / name).write_text("", "utf-8")
        (self.home / "event.json").write_text(json.dumps(self.event), "utf-8")
        script = self.home / "step.sh"
        script.write_text(step["run"], "utf-8")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=self.work / expanded(step["working-directory"]),
            env={
                **os.environ,
                "CI": "true",
                "GITHUB_ACTIONS": "true",
                "GITHUB_EVENT_PATH": str(self.home / "event.json"),
                "GITHUB_OUTPUT": str(self.home / "output"),
                "GITHUB_STEP_SUMMARY": str(self.home / "summary"),
                "GITHUB_WORKSPACE": str(self.work),
                "RUNNER_TEMP": str(self.home / "temp"),
                **{name: expanded(str(value)) for name, value in step["env"].items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def output(self) -> str:
        return (self.home / "output").read_text("utf-8")

    @property
    def summary(self) -> str:
        return (self.home / "summary").read_text("utf-8")


def annotated(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the files of the error annotations."""
    return re.findall(r"^::error file=([^,]*),", done.stdout, re.MULTILINE)


def test_the_file_is_an_action_of_github():
    done = subprocess.run(
        [
            *(sys.executable, "-m", "check_jsonschema"),
            *("--builtin-schema", "vendor.github-actions", str(ROOT / "action.yml")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_no_input_is_written_into_a_script():
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_every_document_is_checked_without_inputs(runner):
    done = runner.check()

    assert done.returncode == 2, done.stderr
    assert annotated(done) == ["docs/old.md"]
    assert runner.output == "status=2\n"
    assert runner.summary.startswith("## ❌ tracecite-lint\n")
    assert "1 verified, 1 mismatched, 0 unverifiable" in runner.summary


def test_a_run_without_findings_passes_and_says_what_it_checked(runner):
    done = runner.check(paths="docs/true.md")

    assert done.returncode == 0, done.stderr
    assert runner.output == "status=0\n"
    assert runner.summary.startswith("## ✅ tracecite-lint\n")
    assert "1 quotation in 1 file: 1 verified" in done.stdout


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        ("docs/true.md docs/old.md", ["docs/old.md"]),
        ("docs/true.md\n", []),
        ("\n  docs/a name.md  \n\ndocs/old.md\n", ["docs/a name.md", "docs/old.md"]),
        ("-n.md", ["-n.md"]),
    ],
)
def test_paths_stand_on_a_line_or_on_lines_of_their_own(runner, paths, files):
    runner.write("docs/a name.md", quotation("brown fox limps over"))
    runner.write("-n.md", quotation("brown fox limps over").replace("source", "docs/source"))
    runner.commit()

    done = runner.check(paths=paths)

    assert annotated(done) == files, done.stderr


def test_nothing_in_an_input_is_run(runner):
    runner.check(
        paths="$(touch pwned) `touch pwned`; touch pwned", args="; touch pwned $(touch pwned)"
    )

    assert not list(runner.work.glob("**/pwned"))


def test_changed_only_checks_what_a_pull_request_changes(runner):
    base = runner.git("rev-parse", "HEAD")
    runner.write("docs/new.md", quotation("brown fox leaps over"))
    runner.write("docs/old.md", "# Title\n\n" + quotation("brown fox limps over"))
    runner.commit()
    runner.event = {"pull_request": {"base": {"sha": base}}, "before": ZEROS}

    done = runner.check(changed_only="true")

    assert done.returncode == 2, done.stderr
    assert annotated(done) == ["docs/new.md"]
    assert "unchanged left out" in done.stdout


@pytest.mark.parametrize("event", ["before", "merge_group"])
def test_changed_only_knows_pushes_and_merge_groups(runner, event):
    base = runner.git("rev-parse", "HEAD")
    runner.write("docs/new.md", quotation("brown fox leaps over"))
    runner.commit()
    runner.event = {"before": base} if event == "before" else {"merge_group": {"base_sha": base}}

    assert annotated(runner.check(changed_only="true")) == ["docs/new.md"]


def test_a_new_branch_is_compared_with_the_default_one(runner):
    runner.git("update-ref", "refs/remotes/origin/main", "HEAD")
    runner.git("checkout", "-q", "-b", "topic")
    runner.write("docs/new.md", quotation("brown fox leaps over"))
    runner.commit()
    runner.event = {"before": ZEROS, "repository": {"default_branch": "main"}}

    assert annotated(runner.check(changed_only="true")) == ["docs/new.md"]


def test_an_event_without_a_state_before_is_checked_in_full_and_says_so(runner):
    runner.event = {"schedule": "0 3 * * *"}

    done = runner.check(changed_only="true")

    assert annotated(done) == ["docs/old.md"]
    assert "checked in full" in done.stdout


def test_a_base_that_was_not_fetched_fails_aloud(runner):
    runner.event = {"before": "1" * 40}

    done = runner.check(changed_only="true")

    assert done.returncode == 1
    assert "fetch-depth: 0" in done.stderr
    assert runner.output == "status=1\n"


def test_a_report_in_a_file_comes_beside_annotations(runner):
    done = runner.check(format="sarif", output_file="report.sarif")

    report = json.loads((runner.work / "report.sarif").read_text("utf-8"))
    assert [item["ruleId"] for item in report["runs"][0]["results"]] == ["QUOTE_NOT_IN_SOURCE"]
    assert annotated(done) == ["docs/old.md"]


def test_a_working_directory_keeps_annotations_relative_to_the_repository(runner):
    done = runner.check(working_directory="docs")

    assert annotated(done) == ["docs/old.md"], done.stderr


def test_arguments_are_passed_on(runner):
    done = runner.check(args="--exit-zero\n--statistics", step_summary="false")

    assert done.returncode == 0, done.stderr
    assert runner.summary == ""


def test_pages_are_kept_outside_of_the_work_tree(runner):
    runner.check()

    assert runner.git("status", "--porcelain") == ""


# In place of Python in the install step: it says what it is asked to do, and makes an environment of itself.
PYTHON = """#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip") shift 3 && echo "$@" ;;
esac
"""


def installed(tmp_path: Path, extras: str) -> subprocess.CompletedProcess[str]:
    """Run the install step with *extras*; its output is what pip was asked to install."""
    script = STEPS["Install tracecite-lint"]["run"]
    python = tmp_path / "python3"
    python.write_text(PYTHON)
    python.chmod(0o755)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        cwd=tmp_path,
        env={
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "EXTRAS": extras,
            "GITHUB_ACTION_PATH": "/action",
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "RUNNER_TEMP": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("extras", "files"),
    [
        ("", ["build", "base"]),
        ("pdf", ["build", "base", "pdf"]),
        ("pdf,lsp", ["build", "base", "pdf", "lsp"]),
        (" lsp, pdf ", ["build", "base", "lsp", "pdf"]),
    ],
)
def test_everything_is_installed_by_its_hash_and_the_package_from_the_action_itself(
    tmp_path, extras, files
):
    done = installed(tmp_path, extras)

    names = " ".join(f"-r /action/.ci/lock/{name}.txt" for name in files)
    quiet = "--quiet --disable-pip-version-check"
    assert done.stdout.splitlines() == [
        f"{quiet} --require-hashes --only-binary=:all: {names}",
        f"{quiet} --no-deps --no-build-isolation /action",
    ]
    assert (tmp_path / "output").read_text() == f"bin={tmp_path}/tracecite-lint/venv/bin\n"


@pytest.mark.parametrize("extras", ["dev", "../../../x", "*", "pdf;touch pwned"])
def test_an_extra_that_has_no_lock_file_is_refused(tmp_path, extras):
    done = installed(tmp_path, extras)

    assert done.returncode == 1
    assert "::error title=tracecite-lint::there is no extra" in done.stdout
    assert not (tmp_path / "pwned").exists()


def test_the_input_report_is_one_path(runner):
    runner.write("docs/true.md", quotation("brown fox limps over"))
    runner.write("docs/a true one.md", quotation("brown fox jumps over"))
    assert runner.check(report="docs/a true one.md").returncode == 0
    done = runner.check(report="docs/a true one.md", paths="docs/true.md")
    assert done.returncode == 2
    assert annotated(done) == ["docs/true.md"]
