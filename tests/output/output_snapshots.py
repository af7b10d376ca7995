"""The reports that the snapshot tests compare; run as a script, it writes them anew (then read the diff)."""

from __future__ import annotations

from pathlib import Path

from output_sample import DUMPED, NOTHING_REACHED, RESULT

from tracecite_lint import __version__
from tracecite_lint.output import render

DIRECTORY = Path(__file__).parent / "snapshots"

CASES = {
    "full.txt": lambda: render("full", RESULT),
    "full-color.txt": lambda: render("full", RESULT, color=True),
    "full-quiet.txt": lambda: render("full", RESULT, verbosity=-1),
    "concise.txt": lambda: render("concise", RESULT),
    "concise-verbose.txt": lambda: render("concise", RESULT, verbosity=1),
    "grouped.txt": lambda: render("grouped", RESULT),
    "dump.txt": lambda: render("full", DUMPED),
    "dump.json": lambda: render("json", DUMPED),
    "nothing-reached.txt": lambda: render("full", NOTHING_REACHED),
    "report.json": lambda: render("json", RESULT),
    "report.jsonl": lambda: render("json-lines", RESULT),
    "report.sarif": lambda: render("sarif", RESULT).replace(
        f'"semanticVersion": "{__version__}"', '"semanticVersion": "0.0.0"'
    ),
    "github.txt": lambda: render("github", RESULT),
    "github-nothing-reached.txt": lambda: render("github", NOTHING_REACHED),
    "gitlab.json": lambda: render("gitlab", RESULT),
    "junit.xml": lambda: render("junit", RESULT),
    "summary.md": lambda: render("markdown", RESULT),
    "agent.txt": lambda: render("agent", RESULT),
}

if __name__ == "__main__":
    DIRECTORY.mkdir(exist_ok=True)
    for name, rendered in CASES.items():
        (DIRECTORY / name).write_text(rendered(), encoding="utf-8", newline="\n")
