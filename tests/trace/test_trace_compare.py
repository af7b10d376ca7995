from __future__ import annotations

import io

import pytest
from traces import Cited, trace

from tracecite_lint.trace.captured import source_snapshot_matches
from tracecite_lint.trace.compare import compare_files, compare_jsonl
from tracecite_lint.trace.report import DriftReport


def captured(run_id: str, contents: dict[str, str]) -> str:
    """Return a run that captured *contents*, by URI, and quotes each in full."""
    return trace(*(Cited(uri, text, text) for uri, text in contents.items()), run_id=run_id)


def compared(old: str, new: str) -> DriftReport:
    report = compare_jsonl(old, new)
    assert compare_files(io.BytesIO(old.encode()), io.BytesIO(new.encode())) == report
    return report


@pytest.mark.parametrize(
    ("old", "new", "changes", "unchanged"),
    [
        ({"file:a": "1"}, {"file:a": "1"}, [], 1),
        ({"file:a": "1"}, {"file:a": "2"}, [("changed", "file:a")], 0),
        ({"file:a": "1"}, {"file:b": "1"}, [("removed", "file:a"), ("added", "file:b")], 0),
        ({"file:a": "é"}, {"file:a": "e\u0301"}, [("changed", "file:a")], 0),
        (
            {"file:d": "1", "file:c": "2", "file:b": "3", "file:a": "4"},
            {"file:f": "5", "file:a": "9", "file:b": "3", "file:e": "6", "file:d": "8"},
            [
                ("changed", "file:d"),
                ("removed", "file:c"),
                ("changed", "file:a"),
                ("added", "file:f"),
                ("added", "file:e"),
            ],
            1,
        ),
    ],
)
def test_changes_come_in_the_old_order_and_then_what_was_added(
    old: dict[str, str], new: dict[str, str], changes: list[tuple[str, str]], unchanged: int
) -> None:
    report = compared(captured("r1", old), captured("r2", new))
    assert [(change.kind, change.uri) for change in report.changes] == changes
    assert report.unchanged_count == unchanged
    assert report.ok() == (not changes)


def test_the_report_names_the_runs() -> None:
    report = compared(captured("r1", {"file:a": "1"}), captured("r2", {"file:a": "2"}))
    assert report.to_json() == {
        "old_run_id": "r1",
        "new_run_id": "r2",
        "old_valid": True,
        "new_valid": True,
        "unchanged_count": 0,
        "changes": [{"kind": "changed", "uri": "file:a"}],
        "old_diagnostics": [],
        "new_diagnostics": [],
    }


def test_an_invalid_trace_is_not_compared() -> None:
    report = compared("", captured("r2", {"file:a": "1"}))
    assert report.to_json() == {
        "new_run_id": "r2",
        "old_valid": False,
        "new_valid": True,
        "unchanged_count": 0,
        "changes": [],
        "old_diagnostics": [{"line": 1, "code": "EMPTY_TRACE", "message": "no valid event"}],
        "new_diagnostics": [],
    }
    assert not report.ok()


def test_a_trace_that_only_passes_without_evidence_is_not_compared() -> None:
    empty_answer = captured("r1", {})
    report = compared(empty_answer, empty_answer)
    assert not report.old_valid
    assert not report.new_valid


@pytest.mark.parametrize(
    ("uri", "content", "matches"),
    [
        ("file:a", "one\n", True),
        ("file:a", "one", False),
        ("file:a", " one\n", False),
        ("file:b", "two", True),
        ("file:c", "two", False),
    ],
)
def test_a_snapshot_is_compared_in_full(uri: str, content: str, matches: bool) -> None:
    text = captured("r1", {"file:a": "one\n", "file:b": "two"})
    assert source_snapshot_matches(text, uri, content) is matches


def test_a_snapshot_needs_a_trace_that_reads_without_diagnostics() -> None:
    text = captured("r1", {"file:a": "one"})
    assert source_snapshot_matches(text, "file:a", "one")
    assert not source_snapshot_matches(text + "{}\n", "file:a", "one")
    # its order and completeness are another matter
    without_answer = "".join(text.splitlines(keepends=True)[:2])
    assert source_snapshot_matches(without_answer, "file:a", "one")
