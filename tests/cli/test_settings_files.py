"""Settings files as commands find them: whose they are, and what their patterns are relative to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SOURCE = "The tide turns the wheel of every mill.\n"
FALSE = "“The tide burns the wheel of every mill” ([s]({up}source.txt)).\n"
TEMPLATE = "[project]\n{% if name %}\nname = '{{ name }}'\n{% endif %}\n"


@pytest.fixture
def repository(write, tmp_path):
    """A repository whose documents misquote; every path is one folder deep or two."""
    write("source.txt", SOURCE)
    for name in ("docs/vendor/a.md", "docs/c.md", "docs/d.md", "b.md", "tpl/t.md"):
        write(name, FALSE.format(up="../" * name.count("/")))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def found(ran) -> list[str]:
    """Return the documents with a finding, by their names alone."""
    return sorted({Path(item["file"]).name for item in ran.json["diagnostics"]})


EVERY = ["a.md", "b.md", "c.md", "d.md", "t.md"]


# ---- Files of others


@pytest.mark.parametrize(
    "content",
    [
        TEMPLATE,
        b"\xff\xfe\x00",
        "a = " + "[" * 100_000,
        "[project]\ndependencies = ['tracecite-lint']\n{% raw %}\n",
        "a" + ".a" * 600 + " = 1\n",
    ],
    ids=["template", "no UTF-8", "nested", "dependency", "dots"],
)
def test_a_pyproject_of_another_is_passed_over_aloud(lint, write, repository, content):
    write("tpl/pyproject.toml", content)
    for arguments in (["--all"], ["b.md", "tpl/t.md"], ["--changed"], []):
        ran = lint(*arguments, "--format=json")
        assert ran.status == 2, ran.err
        assert {"b.md", "t.md"} <= set(found(ran))
    assert lint("--all").out.count("passed over") == 1
    assert "tpl/pyproject.toml" in lint("--all").out
    assert "passed over" not in lint("b.md").out
    for command in (["config", "show"], ["check-report", "t.md", "--offline"]):
        assert "internal" not in lint(*command, cwd=repository / "tpl").err


def test_exclude_leaves_it_alone_too(lint, write, repository):
    write("tpl/pyproject.toml", TEMPLATE)
    write("tracecite-lint.toml", 'exclude = ["tpl/**"]\n')
    assert found(lint("--all", "--format=json")) == ["a.md", "b.md", "c.md", "d.md"]


def test_above_it_the_settings_of_the_project_hold(lint, write, repository):
    write("tpl/pyproject.toml", TEMPLATE)
    write("tracecite-lint.toml", 'ignore = ["QUOTE_NOT_IN_SOURCE"]\n')
    assert lint("--all").status == 0


@pytest.mark.parametrize(
    "table",
    ["[tool.tracecite-lint]", "[tool.tracecite-lint.severity]", '[ "tool" . "tracecite-lint" ]'],
)
def test_one_that_names_this_tool_is_ours_and_an_error(lint, write, repository, table):
    write("tpl/pyproject.toml", f"{table}\n{{% if x %}}\n")
    ran = lint("--all")
    assert ran.status == 1
    assert "tpl/pyproject.toml: not valid TOML" in ran.err


def test_so_is_one_that_is_named(lint, write, repository):
    write("tpl/pyproject.toml", TEMPLATE)
    assert lint("--all", "--config=tpl/pyproject.toml").status == 1
    write("tracecite-lint.toml", TEMPLATE)
    assert lint("--all").status == 1


def test_a_template_in_a_commit_makes_nothing_else_new(lint, write, repository):
    git(repository, "commit", "-qm", "x")
    write("tpl/pyproject.toml", TEMPLATE)
    git(repository, "add", "-A")
    assert found(lint("--format=json")) == []


# ---- What patterns are relative to

PATTERNS = [
    ('exclude = ["docs/vendor"]\n', ["a.md"]),
    ('exclude = ["./docs/vendor/"]\n', ["a.md"]),
    ('exclude = ["/docs/vendor/**"]\n', ["a.md"]),
    ('exclude = ["vendor"]\n', ["a.md"]),
    ('exclude = ["./vendor"]\n', ["a.md"]),
    ('exclude = ["**/vendor/**"]\n', ["a.md"]),
    ('exclude = ["/vendor"]\n', []),
    ('exclude = ["docs/[cd].md"]\n', ["c.md", "d.md"]),
    ('[per-file-ignores]\n"docs/c.md" = ["QUOTE_NOT_IN_SOURCE"]\n', ["c.md"]),
    ('[per-file-ignores]\n"./docs/c.md" = ["QUOTE_NOT_IN_SOURCE"]\n', ["c.md"]),
]


@pytest.mark.parametrize(("settings", "left_out"), PATTERNS, ids=[text for text, _ in PATTERNS])
def test_patterns_are_relative_to_their_file_wherever_one_stands(
    lint, write, repository, settings, left_out
):
    write("tracecite-lint.toml", settings)
    for folder, arguments in [
        (".", ["--all"]),
        ("docs", ["--all", ".."]),
        ("docs", [".", "../b.md", "../tpl"]),
        ("docs", []),
    ]:
        ran = lint(*arguments, "--format=json", cwd=repository / folder)
        assert found(ran) == [name for name in EVERY if name not in left_out], (folder, arguments)


def test_those_of_a_file_in_a_folder_begin_there(lint, write, repository):
    write("docs/tracecite-lint.toml", 'exclude = ["vendor/*", "docs/d.md"]\n')
    for folder in (".", "docs", "docs/vendor"):
        ran = lint("--all", "--format=json", cwd=repository / folder)
        assert "a.md" not in found(ran)
    assert found(lint("docs", "--format=json")) == ["c.md", "d.md"]


def test_those_of_a_file_that_is_named_too(lint, write, repository):
    write("settings/ours.toml", 'exclude = ["../docs/vendor", "../tpl"]\n')
    for folder, config in ((".", "settings/ours.toml"), ("docs", "../settings/ours.toml")):
        ran = lint(f"--config={config}", "--format=json", cwd=repository / folder)
        assert found(ran) == ["b.md", "c.md", "d.md"]


def test_a_file_above_with_characters_of_patterns_in_its_path(lint, write, tmp_path):
    write("a[b]*/source.txt", SOURCE)
    write("a[b]*/tracecite-lint.toml", 'exclude = ["docs/x.md"]\n')
    for name in ("x", "y"):
        write(f"a[b]*/docs/{name}.md", FALSE.format(up="../"))
    assert found(lint("docs", "--format=json", cwd=tmp_path / "a[b]*")) == ["y.md"]


def test_a_path_that_leads_up_has_the_settings_of_where_it_ends(lint, write, repository):
    write("docs/tracecite-lint.toml", 'ignore = ["QUOTE_NOT_IN_SOURCE"]\n')
    ran = lint("../tpl/t.md", "--format=json", cwd=repository / "docs")
    assert found(ran) == ["t.md"]


def test_patterns_of_the_environment_are_relative_to_the_working_directory(lint, write, repository):
    environment = {"TRACECITE_LINT_EXCLUDE": "docs/vendor,./tpl"}
    assert found(lint("--all", "--format=json", env=environment)) == ["b.md", "c.md", "d.md"]


def test_a_pattern_that_matches_nothing_is_named_with_v(lint, write, repository):
    write(
        "tracecite-lint.toml",
        'exclude = ["vendor", "./vndor", "docs/x/**"]\n'
        '[per-file-ignores]\n"docs/c.md" = ["QUOTE_NOT_IN_SOURCE"]\n"docs/cc.md" = ["ELLIPSIS_GAP"]\n',
    )
    said = lint("--all", "-v").out
    for pattern in ("./vndor", "docs/x/**", "docs/cc.md"):
        assert f"'{pattern}' matches no document (tracecite-lint.toml)" in said
    assert said.count("matches no document") == 3
    assert "matches no document" not in lint("--all").out
    assert "matches no document" not in lint("docs", "-v").out  # not all that it could match
