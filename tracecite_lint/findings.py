"""The findings of one document on their way out: severity by settings, suppressions applied and counted."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate

from tracecite_lint.model import Diagnostic, Document, Severity, Suppression
from tracecite_lint.rules import is_unreachable, rule_for
from tracecite_lint.settings import Settings

_ANY = ""
"""Stands for every code."""


class Findings:
    """Takes in the findings of one document and keeps those that are reported."""

    def __init__(self, document: Document, settings: Settings) -> None:
        self._document = document
        self.kept: list[Diagnostic] = []
        self.seen: list[Diagnostic] = []
        self._suppressions = _Lines(
            (code, item.first_line, item.last_line)
            for item in document.suppressions
            for code in item.codes or (_ANY,)
        )
        self._found: list[tuple[str, int, int]] = []
        """Code and lines of each finding that a suppression may silence."""
        self._settings = settings.for_document(document.path)

    def add(self, finding: Diagnostic) -> bool:
        """Take in a finding; tell whether it is reported."""
        self.seen.append(finding)
        rule = rule_for(finding.code)
        code = rule.code if rule else finding.code
        default = finding.severity if rule is None else rule.severity
        if self._settings.allow_unreachable and is_unreachable(finding.code):
            default = Severity.WARNING
        severity = self._settings.severity_of(finding.code, default)
        # Asked even where nothing is reported: a comment that stands over an ignored finding is not called unused.
        suppressed = self._suppressed(finding, code)
        if severity is None or suppressed:
            return False
        self.kept.append(
            replace(
                finding,
                severity=severity,
                file=self._document.path,
                private=self._document.private,
            )
        )
        return True

    def add_unused_suppressions(self) -> None:
        """Report each suppression that silenced nothing."""
        found = _Lines(self._found)
        for item in self._document.suppressions:
            used = any(
                found.meet(code, item.first_line, item.last_line) for code in item.codes or (_ANY,)
            )
            if not used and not _is_about_drift(item):
                names = ", ".join(item.codes) or "any code"
                message = f"this suppression of {names} silences nothing"
                self.add(Diagnostic(code="UNUSED_SUPPRESSION", message=message, span=item.span))

    def _suppressed(self, finding: Diagnostic, code: str) -> bool:
        if code == "UNUSED_SUPPRESSION":
            return False
        lines = finding.span.line, finding.span.end_line
        codes = {_ANY, code, finding.code}
        self._found.extend((name, *lines) for name in codes)
        return any(self._suppressions.meet(name, *lines) for name in codes)


class _Lines:
    """Ranges of lines by code, each inclusive, and whether one of them meets another range."""

    def __init__(self, ranges: Iterable[tuple[str, int, int]]) -> None:
        by_code: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for code, first, last in ranges:
            by_code[code].append((first, last))
        self._by_code: dict[str, tuple[list[int], list[int]]] = {}
        """The first lines in order, and the furthest last line up to each."""
        for code, lines in by_code.items():
            lines.sort()
            furthest = list(accumulate((last for _, last in lines), max))
            self._by_code[code] = [first for first, _ in lines], furthest

    def meet(self, code: str, first: int, last: int) -> bool:
        """Tell whether a range for *code* has a line from *first* to *last*."""
        starts, furthest = self._by_code.get(code, ([], []))
        index = bisect_right(starts, last) - 1
        return index >= 0 and furthest[index] >= first


def _is_about_drift(suppression: Suppression) -> bool:
    """Tell whether a suppression names codes that only a later step finds, under a lock: it cannot be called unused here."""
    rules = [rule_for(code) for code in suppression.codes]
    return any(rule is not None and rule.group == "drift" for rule in rules)
