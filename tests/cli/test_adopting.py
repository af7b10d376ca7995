"""docs/adopting.md: three hundred findings in eighty files are fixed, ignored or known after three commands, as it is shown there."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adopting.md"
SOURCE = "The keeper lit the lamp at dusk, and the boats came home. {number} boats were counted in the year {number}.\n"
CHAPTER = """# Chapter {number}

They wrote that “the keeper lit the lamp at dusk and the boats came home” ([log](/source.txt)).

“9{number} boats were counted in the year {number}” ([log](/source.txt)), and “{number} boats were sunk in the year {number}”
([log](/source.txt)). One page has it that “nobody at all kept the log of chapter {number}” ([log](/source.txt)).
"""
PRINTED = """# Edition {number}

- “the lamp of edition {number} was never lit” ([log](/source.txt))
- “the boats of edition {number} stayed at sea” ([log](/source.txt))

> Of edition {number} nobody has kept a copy.
>
> — [log](/source.txt)
"""


def shown() -> list[tuple[str, int, str]]:
    """Return each command of the page with how many of its last lines are shown, and these."""
    runs = []
    for block in re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        for run in re.split(r"^\$ tracecite-lint ", block, flags=re.MULTILINE)[1:]:
            command, _, output = run.partition("\n")
            arguments, _, last = command.partition(" | tail -n ")
            runs.append((arguments, int(last or 0), output))
    return runs


@pytest.fixture
def repository(write, tmp_path) -> Path:
    write("source.txt", "".join(SOURCE.format(number=number) for number in range(1801, 1861)))
    for number in range(1801, 1861):
        write(f"docs/chapter-{number}.md", CHAPTER.format(number=number))
    for number in range(1, 21):
        write(f"docs/printed/edition-{number:02}.md", PRINTED.format(number=number))
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_three_commands_settle_three_hundred_findings(lint, repository):
    first = lint("docs", "--json").json
    assert len(first["diagnostics"]) == 300
    assert len({item["file"] for item in first["diagnostics"]}) == 80
    runs = shown()
    assert len(runs) == 5  # how much it is, the three commands, and what is left
    for arguments, last, output in runs:
        ran = lint(*shlex.split(arguments))
        lines = ran.out.splitlines(keepends=True)
        assert "".join(lines[-last:] if last else lines) == output, arguments
    assert lint("docs").status == 0
    # A new one still fails, and so does a known one that is written once more.
    page = repository / "docs" / "chapter-1801.md"
    page.write_text(
        page.read_text() + "\n“1801 boats were burnt in the year 1801” ([log](/source.txt)).\n"
    )
    assert [item["line"] for item in lint("docs", "--json").json["diagnostics"]] == [8]
