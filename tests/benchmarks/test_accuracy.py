"""The accuracy benchmark tells what is right from what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (
    "<p>The grey owl hunts at dusk, and it does not fly far from its nest at all.</p>"
    "<p hidden>The white owl hunts at noon and flies very far from its nest.</p>"
)


def measured(folder, pages, quotes=None):
    for name, rows in (("pages.jsonl", pages), ("quotes.jsonl", quotes)):
        if rows is not None:
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / name).write_text(lines, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.accuracy", str(folder)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.stderr == ""
    return run


def quote(text, present, kind="sentence"):
    return {"page": "p1", "quote": text, "present": present, "kind": kind, "note": ""}


def test_pages_with_quotes(tmp_path):
    (tmp_path / "p1.html").write_text(PAGE, encoding="utf-8")
    pages = [{"id": "p1", "file": "p1.html", "url": None, "charset": "utf-8"}]
    quotes = [
        quote("The grey owl hunts at dusk, and it does not fly far", True),
        quote("The grey owl [...] does *not* fly far", False, "replace-word"),
        quote("The white owl hunts at noon", False, "hidden"),
    ]
    run = measured(tmp_path, pages, quotes)
    assert run.returncode == 0, run.stdout
    assert "false alarms               0 of 3" in run.stdout


def test_failures_are_listed(tmp_path):
    (tmp_path / "p1.html").write_text(PAGE, encoding="utf-8")
    pages = [{"id": "p1", "file": "p1.html", "url": None, "charset": "utf-8"}]
    quotes = [
        quote("The grey owl hunts at noon and so on", True),
        quote("it does not fly far from its nest", False, "digit"),
    ]
    run = measured(tmp_path, pages, quotes)
    assert run.returncode == 1
    lines = run.stdout.splitlines()
    assert sum(line.startswith("false alarm (") for line in lines) == 3
    assert sum(line.startswith("miss (") for line in lines) == 3


def test_pages_with_a_quotation_each(tmp_path):
    (tmp_path / "e1.html").write_bytes("<p>Die Größe der Vögel ist bekannt</p>".encode("latin-1"))
    pages = [
        {
            "file": "e1.html",
            "content_type": "text/html; charset=iso-8859-1",
            "quote": "Die Größe der Vögel ist bekannt",
            "present": True,
            "group": "header",
        }
    ]
    run = measured(tmp_path, pages)
    assert run.returncode == 0, run.stdout
    assert "present: header" in run.stdout
