"""The names that the package exports: made and called as the documents say."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tracecite_lint
from tracecite_lint import (
    CitationEdge,
    CitationNote,
    Diagnostic,
    DriftReport,
    LiveCitationMatch,
    Report,
    SourceChange,
    SourceRecord,
)
from tracecite_lint.model import Span

LIBRARY = (Path(__file__).parents[1] / "docs" / "library.md").read_text("utf-8")
CALLS = re.findall(r"`(\w+)\(([\w, ]+)\)`", LIBRARY)

MADE = [
    (
        CitationEdge(1, "s1", "c1", 3, "matched"),
        {
            "claim_index": 1,
            "source_id": "s1",
            "call_id": "c1",
            "line": 3,
            "evidence_status": "matched",
        },
    ),
    (
        CitationEdge(
            claim_index=1, source_id="s1", call_id=None, line=3, evidence_status="unverified"
        ),
        {"claim_index": 1, "source_id": "s1", "line": 3, "evidence_status": "unverified"},
    ),
    (
        Diagnostic(line=1, code="MISSING_ANSWER", message="m"),
        {"line": 1, "code": "MISSING_ANSWER", "message": "m"},
    ),
    (
        Diagnostic(line=0, code="empty_log", message=""),
        {"line": 0, "code": "empty_log", "message": ""},
    ),
    (
        SourceRecord("s1", "https://a.org/", None, "c1", 2, True),
        {"id": "s1", "uri": "https://a.org/", "call_id": "c1", "line": 2, "content_present": True},
    ),
    (SourceChange("added", "u"), {"kind": "added", "uri": "u"}),
    (
        LiveCitationMatch("s1", 1, False),
        {"source_id": "s1", "claim_index": 1, "quote_present": False},
    ),
    (
        CitationNote("c", "q", "u", 4),
        {"claim": "c", "quote": "q", "url": "u", "line": 4},
    ),
]


@pytest.mark.parametrize(("value", "expected"), MADE, ids=lambda value: type(value).__name__)
def test_what_is_made_of_its_documented_fields_becomes_json(value: Any, expected: Any) -> None:
    assert value.to_json() == expected


def test_reports_are_made_of_their_parts() -> None:
    finding = Diagnostic(line=2, code="MISSING_ANSWER", message="m")
    report = Report(run_id="r1", diagnostics=(finding,))
    assert not report.ok()
    assert report.to_json()["diagnostics"] == [finding.to_json()]
    drift = DriftReport(old_run_id="r1", new_run_id="r2", old_valid=True, new_valid=True)
    assert drift.ok()


def test_a_diagnostic_stands_on_one_line_however_it_is_made() -> None:
    by_line = Diagnostic(line=7, code="X", message="m")
    assert by_line == Diagnostic(span=Span(7, 1, 7, 1), code="X", message="m")
    assert replace(by_line, span=Span(9, 2, 9, 4)).line == 9
    assert replace(by_line, message="n").span == by_line.span
    with pytest.raises(TypeError, match="a span or a line"):
        Diagnostic(code="X", message="m")


def test_another_word_is_no_evidence_status() -> None:
    with pytest.raises(ValueError, match="perhaps"):
        CitationEdge(1, "s1", "c1", 3, "perhaps")  # type: ignore[arg-type]


def test_parameters_are_called_as_the_documents_call_them() -> None:
    assert {name for name, _ in CALLS} >= {"parse_markdown_report", "check_live_source_quotes"}
    for name, parameters in CALLS:
        signature = inspect.signature(getattr(tracecite_lint, name))
        assert [*signature.parameters][: parameters.count(",") + 1] == parameters.split(", "), name


TAKE_TEXT = [
    (name, parameters.split(", "))
    for name, parameters in CALLS
    if name not in ("audit_calls", "check_documents")
]


@pytest.mark.parametrize(("name", "parameters"), TAKE_TEXT, ids=[name for name, _ in TAKE_TEXT])
@pytest.mark.parametrize("value", [b"x", None, 1], ids=["bytes", "None", "int"])
def test_what_is_no_text_is_refused_with_what_is_taken(
    name: str, parameters: list[str], value: object
) -> None:
    for wrong in parameters:
        arguments = dict.fromkeys(parameters, "x") | {wrong: value}
        kind = type(value).__name__
        with pytest.raises(TypeError, match=rf"^{name}\(\) takes {wrong} as a str, not as {kind}"):
            getattr(tracecite_lint, name)(**arguments)
