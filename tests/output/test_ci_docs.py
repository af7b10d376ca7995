"""The recipes of docs/ci.md and docs/outputs.md: valid for their services, with options that exist."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from output_sample import RESULT

from tracecite_lint.cli import COMMANDS, parser_for
from tracecite_lint.output import FORMATS
from tracecite_lint.output.json_objects import report_object

ROOT = Path(__file__).parents[2]
CI = (ROOT / "docs" / "ci.md").read_text("utf-8")
OUTPUTS = (ROOT / "docs" / "outputs.md").read_text("utf-8")
VERDICTS = (ROOT / "docs" / "verdicts.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", CI + OUTPUTS + VERDICTS, re.MULTILINE | re.DOTALL)
RECIPES = [text for language, text in BLOCKS if language == "yaml"]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def commands() -> list[list[str]]:
    """Return every call of the tool in the pages, as words."""
    lines = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
    for recipe in RECIPES:
        lines += re.findall(r"^\s*(?:- run:|-) (tracecite-lint .*)$", recipe, re.MULTILINE)
    calls = []
    for line in lines:
        words = shlex.split(line.partition(" > ")[0])
        if words and words[0] == "tracecite-lint":
            calls.append(words[1:])
    for recipe in RECIPES:
        for args in re.findall(r"^\s*args: (.*)$", recipe, re.MULTILINE):
            calls.append(["--all", *shlex.split(args)])
    return calls


def test_there_are_recipes_and_commands():
    assert len(RECIPES) == 6
    assert len(commands()) >= 10


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_understood(words):
    name = words.pop(0) if words[0] in COMMANDS else "check"

    parser_for(name).parse_args(words)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.partition("\n")[0])
def test_every_recipe_is_valid_for_its_service(recipe, tmp_path):
    name = recipe.partition("\n")[0].removeprefix("# ")
    schema = {
        ".gitlab-ci.yml": "vendor.gitlab-ci",
        ".pre-commit-config.yaml": None,
    }.get(name, "vendor.github-workflows")
    path = tmp_path / Path(name).name
    path.write_text(recipe, "utf-8")
    checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", str(schema)]
    if schema is None:
        checker = [sys.executable, "-m", "pre_commit", "validate-config"]

    done = subprocess.run([*checker, str(path)], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_recipes_use_inputs_and_hooks_that_exist():
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    for recipe in map(yaml.safe_load, RECIPES):
        for job in recipe.get("jobs", {}).values():
            for step in job["steps"]:
                if step.get("uses", "").startswith("tracecite-lint/"):
                    assert step.get("with", {}).keys() <= ACTION["inputs"].keys()
        for repo in recipe.get("repos", ()):
            assert {hook["id"] for hook in repo["hooks"]} <= hooks
        assert set(recipe.get("ci", {}).get("skip", ())) <= hooks


def test_the_table_of_inputs_is_complete():
    table = re.findall(r"^\| `([a-z-]+)` \|", CI, re.MULTILINE)

    assert table == list(ACTION["inputs"])


def test_every_format_is_described():
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", OUTPUTS, re.MULTILINE)) == FORMATS


def test_the_example_of_json_has_the_keys_of_the_report():
    (example,) = (json.loads(text) for language, text in BLOCKS if language == "json")
    report = json.loads(json.dumps(report_object(RESULT)))

    def keys(value):
        return {key: keys(item) for key, item in value.items()} if isinstance(value, dict) else None

    assert keys(example) == keys(report)
    assert list(example["citations"][0]) == list(report["citations"][0])
    finding = report["diagnostics"][0]
    assert list(example["diagnostics"][0]) == list(finding)
    for key in ("nearest", "fix"):
        assert list(example["diagnostics"][0][key]) == list(finding[key])
