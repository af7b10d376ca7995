"""The documentation: its links lead somewhere, what it names is there, and its commands and examples do what it says."""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import tracecite_lint
from tracecite_lint.cli import COMMANDS, main, parser_for
from tracecite_lint.output import FORMATS
from tracecite_lint.rules import rule_for

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("lsp/*/*.md"), *DOCS.glob("*.md")])
IDS = [page.relative_to(ROOT).as_posix() for page in PAGES]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_bytes())

_FENCE = re.compile(r"^( *)(```+)(\w*)\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_COMMAND = re.compile(
    r"(?:^|[\s/])tracecite-lint (?=[a-z.-])(.+)"
)  # not `id: tracecite-lint # …`, nor a sentence about it
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

ENVIRONMENT = {
    *("GIT_DIR", "GIT_WORK_TREE"),
    *("GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR", "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "XDG_CONFIG_HOME"),
    *("TRACECITE_LINT_CACHE_DIR", "TRACECITE_LINT_FORMAT", "TRACECITE_LINT_USER_CONFIG"),
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"),
}


def fences(page: Path, *languages: str) -> list[str]:
    """Return the fenced blocks of *page* that are in one of *languages*."""
    found = _FENCE.findall(page.read_text("utf-8"))
    return [body for _, _, language, body in found if language in languages]


def prose(page: Path) -> str:
    """Return the text of *page* without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def spans(page: Path) -> list[str]:
    """Return the code spans of *page*, without those in its fenced blocks."""
    return [found[1] for found in _SPAN.findall(prose(page))]


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of *page*: numbered when repeated."""
    found: list[str] = []
    for heading in _HEADING.findall(prose(page)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w -]", "", text.strip().lower()).replace(" ", "-")
        again = sum(
            re.fullmatch(rf"{re.escape(slug)}(-\d+)?", other) is not None for other in found
        )
        found.append(f"{slug}-{again}" if again else slug)
    return set(found)


def commands() -> list[tuple[str, str]]:
    """Return each command line of the documentation's blocks, as (page, arguments)."""
    return [
        (page.name, found[1])
        for page in PAGES
        for block in fences(page, "sh", "console", "yaml")
        for line in block.splitlines()
        if (found := _COMMAND.search(line))
    ]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_to_files_and_headings_that_are_there(page):
    dead = []
    for target in _LINK.findall(_SPAN.sub("", prose(page))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            dead.append(target)
    assert not dead


def test_the_table_of_contents_names_every_page():
    linked = set(_LINK.findall((DOCS / "README.md").read_text("utf-8")))
    assert linked >= {page.name for page in DOCS.glob("*.md")} - {"README.md"}


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "hook.md"], ids=["README", "hook"])
@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_every_hook_is_named(page, hook):
    assert hook["id"] in spans(page)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_the_table_of_hooks_says_what_each_runs_and_when(hook):
    (row,) = re.findall(rf"^\| `{hook['id']}` \|.*$", prose(DOCS / "hook.md"), re.MULTILINE)
    assert row.split(" | ")[1] == ", ".join(hook["stages"])
    assert f"`{hook['entry'].removeprefix('tracecite-lint ')}`" in row


@pytest.mark.parametrize(
    "page", [DOCS / "settings.md", DOCS / "editors.md"], ids=lambda page: page.stem
)
def test_the_tables_of_settings_are_those_of_the_declarations(page):
    text = page.read_text("utf-8")
    assert runpy.run_path(str(DOCS / "settings_tables.py"))["page_with_tables"](text) == text, (
        "run `python docs/settings_tables.py`"
    )
    assert "<!-- table: " in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described(name):
    named = [word.strip(",") for span in spans(DOCS / "commands.md") for word in span.split()[:1]]
    assert name in named


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_described(name):
    assert re.search(rf"^\| `{name}` \|", prose(DOCS / "outputs.md"), re.MULTILINE)


@pytest.mark.parametrize(
    "option",
    [
        action.option_strings[-1]
        for action in parser_for("check")._actions
        if action.option_strings and action.dest != "help"
    ],
)
def test_every_option_of_check_is_described(option):
    short = {"--quiet": "-q", "--verbose": "-v"}.get(option, option)
    assert short in " ".join(spans(DOCS / "commands.md")).split()


@pytest.mark.parametrize(("page", "arguments"), commands())
def test_command_lines_are_understood(page, arguments):
    shown = re.sub(r"\$\{\{.*?\}\}", "x", arguments)  # an expression of GitHub Actions
    words = shlex.split(shown, comments=True)
    for end in (">", "|", "&&"):
        words = words[: words.index(end)] if end in words else words
    name = words.pop(0) if words[0] in COMMANDS else "check"
    parser_for(name).parse_args(words)  # raises UsageError for what it does not know


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_options_in_running_text_exist(page):
    if page.name == "matching.md":
        pytest.skip("its dashes are examples of dashes")
    known = {
        option
        for name in COMMANDS
        for action in parser_for(name)._actions
        for option in action.option_strings
    }
    used = {
        option
        for span in spans(page)
        if not span.startswith(("git ", "pre-commit ", "codex ", "claude "))
        for option in _OPTION.findall(span)
    }
    assert used <= known


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_codes_in_running_text_exist(page):
    codes = [span for span in spans(page) if re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", span)]
    assert [code for code in codes if rule_for(code) is None and code not in ENVIRONMENT] == []


def test_every_public_name_is_described():
    named = set(re.findall(r"\w+", " ".join(spans(DOCS / "library.md"))))
    assert {name for name in tracecite_lint.__all__ if name != "__version__"} <= named


def shown_runs() -> list[tuple[str, str, str]]:
    """Return each command that a `console` block shows with its output, as (page, arguments, output)."""
    runs = [
        (page.name, *run.partition("\n")[::2])
        for page in PAGES
        for block in fences(page, "console")
        for run in re.split(r"^\$ tracecite-lint ", block, flags=re.MULTILINE)[1:]
    ]
    return [run for run in runs if run[2].strip()]


@pytest.mark.parametrize(("page", "arguments", "output"), shown_runs())
def test_commands_print_what_is_shown(page, arguments, output, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    main(shlex.split(arguments))
    assert capsys.readouterr().out == output


def test_the_fixtures_pass_without_a_network(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert "tracecite-lint --all fixtures/" in fences(ROOT / "README.md", "sh")[0]
    assert main(["--all", "fixtures/", "--offline"]) == 0
    assert " 0 mismatched, 0 unverifiable" in capsys.readouterr().out


def test_the_failing_fixture_shows_what_the_readme_says(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main(["fixtures/failing/altered.md"]) == 2
    shown = capsys.readouterr().out
    for words in ("[-90-] {+180+}", "not for a year", "found in: ../pages/release-notes.md"):
        assert words in shown
    assert "5 quotations in 1 file: 1 verified, 3 mismatched, 1 unverifiable" in shown


@pytest.mark.parametrize(
    ("page", "code"),
    [(page.name, code) for page in PAGES for code in fences(page, "python")],
)
def test_python_examples_run(page, code, tmp_path, monkeypatch):
    (tmp_path / "report.md").write_text("“three words here” ([notes](notes.txt))\n", "utf-8")
    (tmp_path / "notes.txt").write_text("There are three words here.\n", "utf-8")
    shutil.copy(ROOT / "fixtures/calls/ollama.jsonl", tmp_path / "calls.jsonl")
    shutil.copy(ROOT / "fixtures/calls/manifest.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "fixtures/traces/trace.jsonl").read_text("utf-8")
    exec(compile(code, page, "exec"), {"text": text})


_PATH = re.compile(r"`(?P<path>(?:[\w.-]+/)*[\w-]+\.py|(?:[\w.-]+/)+[\w.-]*)`")
MAP = [
    row
    for row in (ROOT / "CONTRIBUTING.md").read_text().split("\n")
    if row.startswith("| ") and _PATH.search(row)
]


@pytest.mark.parametrize("row", MAP, ids=[row.split("|")[1].strip() for row in MAP])
def test_the_map_of_the_tree_leads_to_what_is_there(row: str) -> None:
    """A path begins at the top or in the package; the file's name alone is enough beside one that was named before."""
    folders = [ROOT, ROOT / "tracecite_lint"]
    for match in _PATH.finditer(row):
        found = [folder / match["path"] for folder in folders if (folder / match["path"]).exists()]
        assert found, match["path"]
        path = found[-1] if found[-1].is_dir() else found[-1].parent
        folders += [path, path.parent]


def revisions() -> list[str]:
    """Return each `rev` that a page gives for the hooks."""
    return sorted(
        {
            rev
            for page in PAGES
            for rev in re.findall(r"^ +rev: (\S+)", page.read_text("utf-8"), re.M)
        }
    )


def test_the_revision_of_the_hooks_exists_and_has_them():
    (revision,) = revisions()  # one for all pages
    if subprocess.run(["git", "rev-parse", "--git-dir"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("this is no clone")
    shallow = subprocess.run(
        ["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True
    )
    if shallow.stdout.strip() == "true":
        pytest.skip("this clone has no history")
    done = subprocess.run(
        ["git", "show", f"{revision}:.pre-commit-hooks.yaml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    ids = re.findall(r"^- id: (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.M)
    assert ids and set(ids) <= set(re.findall(r"^- id: (\S+)", done.stdout, re.M))
