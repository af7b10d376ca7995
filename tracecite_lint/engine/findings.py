"""The findings of one document on their way out: severity by settings, suppressions applied and counted."""

from __future__ import annotations

from tracecite_lint.light.lazy import replace
from tracecite_lint.model import Diagnostic, Severity, Span, Suppression
from tracecite_lint.rules import RULES, is_unreachable, names_of, rule_for
from tracecite_lint.rules.silenced import ANY_CODE, CodeLines, silenced_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tracecite_lint.engine.job import Job


class Findings:
    """Takes in the findings of one document and keeps those that are reported."""

    def __init__(self, job: Job) -> None:
        document = self._document = job.document
        self.kept: list[Diagnostic] = []
        self.seen: list[Diagnostic] = []
        self._suppressions = silenced_lines(document.suppressions)
        self._found: list[tuple[str, int, int]] = []
        """Code and lines of each finding that a suppression may silence."""
        self._settings = job.settings.for_document(job.location)

    def add(self, finding: Diagnostic) -> bool:
        """Take in a finding; tell whether it is reported."""
        self.seen.append(finding)
        rule = rule_for(finding.code)
        code = rule.code if rule else finding.code
        # The rule's own severity, and not what the finding came with: settings start from what docs/rules.md says.
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
        """Report each comment that silenced nothing, whichever of its codes were enabled again before the others."""
        found = CodeLines(self._found)
        comments: dict[Span, list[Suppression]] = {}
        for item in self._document.suppressions:
            comments.setdefault(item.span, []).append(item)
        for span, items in comments.items():
            used = any(
                found.meet(code, item.first_line, item.last_line)
                for item in items
                for code in item.codes or (ANY_CODE,)
            )
            codes = [code for item in items for code in item.codes]
            if not RULES.keys() - codes:
                codes = []  # `disable`, of which `enable A` left all others
            if not used and not _are_about_drift(codes):
                names = ", ".join(codes) or "any code"
                message = f"this suppression of {names} silences nothing"
                self.add(Diagnostic(code="UNUSED_SUPPRESSION", message=message, span=span))

    def _suppressed(self, finding: Diagnostic, code: str) -> bool:
        # Silenced by the very comment that it is about, it would never be seen.
        if code == "UNUSED_SUPPRESSION":
            return False
        lines = finding.span.line, finding.span.end_line
        # A comment may name one status (`HTTP_STATUS_404`) or all of them (`HTTP_STATUS_<n>`).
        codes = {ANY_CODE, finding.code, *names_of(finding.code)}
        self._found.extend((name, *lines) for name in codes)
        return any(self._suppressions.meet(name, *lines) for name in codes)


def _are_about_drift(codes: Sequence[str]) -> bool:
    """Tell whether some of *codes* only a later step finds, under a lock: their comment cannot be called unused here."""
    rules = list(map(rule_for, codes))
    return any(rule is not None and rule.group == "drift" for rule in rules)
