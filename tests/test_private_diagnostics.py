"""The result of a check, which other programs get as objects: a diagnostic of a private document holds none of its words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from traces import Cited, trace

from tracecite_lint.documents import read_document
from tracecite_lint.engine.check import check_documents
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.model import CheckResult, Verdict
from tracecite_lint.settings import Settings

SECRET = "sesquipedalian"
QUOTE = f"the {SECRET} geese of the north flew over five hills"
CAPTURED = f"the {SECRET} swans of the north flew over five hills"


def captured(uri: str) -> str:
    return trace(Cited(uri, CAPTURED, QUOTE), claim=QUOTE)


def record(uri: str) -> str:
    text = f"# {QUOTE}\n\nIt says “{QUOTE}” ([x]({uri}))."
    return json.dumps({"role": "assistant", "content": text}) + "\n"


def checked(folder: Path, name: str, text: str) -> CheckResult:
    job = Job(
        document=read_document(name, text),
        location=folder / name,
        root=folder,
        settings=Settings(no_cache=True, offline=True),
    )
    with open_store(job.settings.reach(), work_tree=folder) as store:
        return check_documents([job], store)


URIS = ["birds.txt", "missing.txt", "/etc/passwd", "https://www.example.org/geese", "urn:birds:1"]


@pytest.mark.parametrize("uri", URIS)
@pytest.mark.parametrize("make", [captured, record])
def test_no_diagnostic_of_a_record_holds_its_words(tmp_path: Path, make, uri: str):
    (tmp_path / "birds.txt").write_text(QUOTE.replace("five", "six"))
    result = checked(tmp_path, "run.jsonl", make(uri))
    assert result.diagnostics
    assert all(item.private and item.quote == "" for item in result.diagnostics)
    assert SECRET not in repr((result.diagnostics, result.texts, result.notes, result.summary))
    assert all(item.citation.private for item in result.citations)


def test_what_brackets_of_a_record_stand_for_is_not_told(tmp_path: Path):
    (tmp_path / "birds.txt").write_text(QUOTE)
    text = f"It says “{QUOTE.replace(SECRET, '[proud]')}” ([x](birds.txt)).\n"
    (public,) = checked(tmp_path, "report.md", text).citations
    assert public.swallowed == (SECRET,)
    written = json.dumps({"role": "assistant", "content": text}) + "\n"
    (private,) = checked(tmp_path, "run.jsonl", written).citations
    assert private.verdict is Verdict.VERIFIED
    assert private.swallowed == ()


def test_a_report_says_which_words_it_means(tmp_path: Path):
    (tmp_path / "birds.txt").write_text(QUOTE.replace("five", "six"))
    result = checked(tmp_path, "report.md", f"It says “{QUOTE}” ([x](birds.txt)).\n")
    assert [item.quote for item in result.diagnostics] == [QUOTE]
