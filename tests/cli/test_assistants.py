"""Twelve quotations in the styles of four assistants: each is found, and everything else that is quoted is listed with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tracecite_lint import cli

FIXTURES = Path(__file__).parents[2] / "fixtures"
REPORTS = sorted(path.name for path in (FIXTURES / "assistants").glob("*.md"))
FOUND = {
    "numbered-sources.md": [
        ("numeric", "If a night train arrives more than 60 minutes late, a quarter of the fare is paid back"),
        ("numeric", "can be made for three months — not for a year"),
        ("numeric", "wakes you before your stop"),
    ],
    "prose-links.md": [
        ("inline", "is driven by the rise and fall of the sea"),
        ("inline", "Most mills could work for about five hours on each tide"),
        ("attribution", "The pond was free, and coal was not"),
    ],
    "text-fragments.md": [
        ("text-fragment", "Tickets are sold up to 180 days ahead."),
        ("inline", "need a reservation of their own"),
        ("text-fragment", "need a reservation of their own"),
    ],
    "works-cited.md": [
        ("numeric", "The archive command now refuses to overwrite an existing file."),
        ("numeric", "Dates are written as YYYY-MM-DD everywhere"),
        ("numeric", "引文必须与原文逐字一致"),
    ],
}  # fmt: skip
PASSED_OVER = {
    "numbered-sources.md": [
        ("the rudest service in Europe", "no source in reach", True),
        ("no washbasin", "fewer than three words", False),
    ],
    "prose-links.md": [
        ("wheels", "a single word", False),
        ("the lungs of the coast", "no source in reach", True),
    ],
    "text-fragments.md": [
        ("Tickets are sold up to 180 days ahead.", "the text of a link", False),
        ("folders", "a single word", False),
        ("refund", "a single word", False),
        ("Sleeping Across Borders", "no source in reach", True),
        ("narrower than any coffin", "no source in reach", True),
    ],
    "works-cited.md": [
        ("semantic versioning", "a label or a search term", True),
        ("the end of the home directory as we know it", "an undefined reference", False),
    ],
}
FINDINGS = {
    "text-fragments.md": ["LEFTOVER_MARKER"],
    "works-cited.md": ["UNDEFINED_REFERENCE"],
}


@pytest.fixture
def report(lint):
    def run(name):
        return lint(name, "--json", "--no-cache", cwd=FIXTURES / "assistants").json

    return run


def test_they_are_the_reports_of_four_assistants_with_twelve_quotations(lint):
    assert [*FOUND] == REPORTS
    ran = lint(*REPORTS, cwd=FIXTURES / "assistants")
    assert "12 quotations in 4 files, 1 with a second source: 12 verified" in ran.out
    assert "; 5 more have no source in reach" in ran.out


@pytest.mark.parametrize("name", REPORTS)
def test_each_quotation_is_found_and_stands_in_its_source(report, name):
    citations = {}
    for item in report(name)["citations"]:
        citations.setdefault((item["line"], item["column"]), item)
        assert item["verdict"] == "verified" or item["alternative"]
    found = [(item["shape"], " ".join(item["quote"].split())) for item in citations.values()]
    assert found == FOUND[name]


@pytest.mark.parametrize("name", REPORTS)
def test_everything_else_that_is_quoted_is_listed(report, name):
    lines = (FIXTURES / "assistants" / name).read_text("utf-8").splitlines()
    found = report(name)
    listed = [
        (
            lines[item["line"] - 1][item["column"] - 1 : item["end_column"] - 1],
            item["reason"],
            item["counted"],
        )
        for item in found["passed_over"]
    ]
    assert listed == PASSED_OVER[name]
    assert [item["code"] for item in found["diagnostics"]] == FINDINGS.get(name, [])


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_quoted_is_silent(report, name):
    """Each pair of marks in the text begins a citation, or is listed."""
    lines = (FIXTURES / "assistants" / name).read_text("utf-8").splitlines()
    found = report(name)
    known = {
        (item["line"], item["column"]) for item in [*found["citations"], *found["passed_over"]]
    }
    for number, line in enumerate(lines, start=1):
        for mark in re.finditer("“", line):
            assert (number, mark.end() + 1) in known, line


def test_the_sweep_of_the_fixtures_leaves_them_out(monkeypatch, capsys):
    monkeypatch.chdir(FIXTURES.parent)
    assert cli.main(["--all", "fixtures/", "--offline"]) == 0
    assert "left out by `exclude`" in capsys.readouterr().out
