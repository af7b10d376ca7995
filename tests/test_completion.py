"""Shell completion, asked of the shells themselves."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from tracecite_lint.cli import COMMANDS, main
from tracecite_lint.cli.completion import SHELLS

ASKED = [
    (["--form"], {"--format"}),
    (["--format", "git"], {"github", "gitlab"}),
    (["baseline", "cr"], {"create"}),
    (["explain", "QUOTE_N"], {"QUOTE_NOT_IN_LIVE_SOURCE", "QUOTE_NOT_IN_SOURCE"}),
    (["--select", "ELL"], {"ELLIPSIS_GAP"}),
    (["basel"], {"baseline"}),
    (["completion", "fi"], {"fish"}),
    (["check", "--strict"], {"--strict-baseline"}),
    (["repo"], {"report one.md"}),
    (["--baseline", "repo"], {"report one.md"}),
]


@pytest.fixture
def script(tmp_path, monkeypatch, capsys):
    """Write the completion script of a shell, in a directory with one report."""
    monkeypatch.chdir(tmp_path)
    Path("report one.md").touch()

    def write(shell: str) -> Path:
        assert main(["completion", shell]) == 0
        path = tmp_path / f".completion.{shell}"
        path.write_text(capsys.readouterr().out, "utf-8")
        return path

    return write


def shell(name: str, *arguments: str) -> str:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([name, *arguments], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(("words", "expected"), ASKED)
def test_bash(script, words, expected):
    driver = f"""
        source {script("bash")}
        COMP_WORDS=(tracecite-lint "$@")
        COMP_CWORD=$#
        _tracecite_lint
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """

    assert set(shell("bash", "--norc", "-c", driver, "bash", *words).splitlines()) == expected


@pytest.mark.parametrize(("words", "expected"), ASKED)
def test_fish(script, words, expected):
    asked = shell(
        "fish",
        "--no-config",
        "-c",
        f"source {script('fish')}; complete -C 'tracecite-lint {' '.join(words)}'",
    )

    found = {line.partition("\t")[0].replace("\\ ", " ") for line in asked.splitlines()}
    assert found == expected


@pytest.mark.parametrize(("words", "expected"), [row for row in ASKED if "repo" not in row[0][-1]])
def test_powershell(script, words, expected):
    line = f"tracecite-lint {' '.join(words)}"
    driver = (
        f"& {{ . '{script('powershell')}'; "
        f"(TabExpansion2 -inputScript '{line}' -cursorColumn {len(line)}).CompletionMatches.CompletionText }}"
    )

    assert set(shell("pwsh", "-NoProfile", "-Command", driver).split()) == expected


def test_zsh_reads_the_script(script):
    assert shell("zsh", "-f", "-n", str(script("zsh"))) == ""


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "powershell"])
def test_every_command_is_in_every_script(script, name):
    text = script(name).read_text("utf-8")

    assert all(command in text for command in COMMANDS)
    assert "HTTP_STATUS_<" not in text


def test_the_scripts_are_up_to_date() -> None:
    path = Path(__file__).parents[1] / "docs/completion_scripts.py"
    spec = importlib.util.spec_from_file_location("completion_scripts", path)
    assert spec is not None and spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    for shell in SHELLS:
        kept = (writer.SCRIPTS / shell).read_bytes().decode("utf-8")
        assert kept == writer.scripts()[shell], "run `python docs/completion_scripts.py`"
