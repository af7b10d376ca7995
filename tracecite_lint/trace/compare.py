"""Comparison of two runs: which of their sources were added, removed or changed."""

from __future__ import annotations

from tracecite_lint.errors import require_text
from tracecite_lint.trace.captured import captured_digests
from tracecite_lint.trace.events import FileTrace, TextTrace, Trace
from tracecite_lint.trace.report import DriftReport, SourceChange
from tracecite_lint.trace.validate import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def compare_jsonl(old: str, new: str) -> DriftReport:
    """Compare the captured contents of two traces by URI, byte for byte.

    Both must be valid in evidence mode; otherwise the report holds their diagnostics and no changes.
    """
    require_text("compare_jsonl", old=old, new=new)
    return _compare(TextTrace(old), TextTrace(new))


def compare_files(old: BinaryIO, new: BinaryIO) -> DriftReport:
    """Compare the traces in two seekable binary files of any size, as `compare_jsonl` does."""
    return _compare(FileTrace(old), FileTrace(new))


def _compare(old: Trace, new: Trace) -> DriftReport:
    old_report = validate(old, evidence=True).report()
    new_report = validate(new, evidence=True).report()
    changes: list[SourceChange] = []
    unchanged = 0
    if old_report.ok() and new_report.ok():
        before, after = captured_digests(old), captured_digests(new)
        for uri, digest in before.items():
            if uri not in after:
                changes.append(SourceChange("removed", uri))
            elif after[uri] != digest:
                changes.append(SourceChange("changed", uri))
            else:
                unchanged += 1
        changes += [SourceChange("added", uri) for uri in after if uri not in before]
    return DriftReport(
        old_run_id=old_report.run_id,
        new_run_id=new_report.run_id,
        old_valid=old_report.ok(),
        new_valid=new_report.ok(),
        unchanged_count=unchanged,
        changes=tuple(changes),
        old_diagnostics=old_report.diagnostics,
        new_diagnostics=new_report.diagnostics,
    )
