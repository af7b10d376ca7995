"""The findings of one document on their way out: severity by settings, suppressions applied and counted."""

from __future__ import annotations

from tracecite_lint.light.by_identity import ByIdentity
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import Diagnostic, Severity, Span, Suppression
from tracecite_lint.rules import is_unreachable, names_of, rule_for
from tracecite_lint.rules.silenced import ANY_CODE, CodeLines, silenced_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tracecite_lint.engine.job import Job


class Findings:
    """Takes in the findings of one document and keeps those that are reported."""

    def __init__(
        self,
        job: Job,
        before: ByIdentity[Diagnostic, Diagnostic] | None = None,
        reported: ByIdentity[Diagnostic, Diagnostic] | None = None,
    ) -> None:
        """Report what *before* reported as it did, and note in *reported* what findings are reported as."""
        self._before = ByIdentity() if before is None else before
        self._reported = reported
        self._levels: dict[tuple[str, Severity], tuple[Severity | None, frozenset[str]]] = {}
        """By code and severity of a finding, the severity that it has, and the names by which it may be silenced."""
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
        severity, names = self._level(finding)
        # Asked even where nothing is reported: a comment that stands over an ignored finding is not called unused.
        suppressed = self._suppressed(finding, names)
        if severity is None or suppressed:
            return False
        same = self._before.get(finding)
        if same is None or (same.severity, same.file) != (severity, self._document.path):
            same = replace(
                finding,
                severity=severity,
                file=self._document.path,
                private=self._document.private,
            )
        if self._reported is not None:
            self._reported.put(finding, same)
        self.kept.append(same)
        return True

    def _level(self, finding: Diagnostic) -> tuple[Severity | None, frozenset[str]]:
        key = finding.code, finding.severity
        if key not in self._levels:
            rule = rule_for(finding.code)
            # The rule's own severity, and not what the finding came with: settings start from what docs/rules.md says.
            default = finding.severity if rule is None else rule.severity
            if self._settings.allow_unreachable and is_unreachable(finding.code):
                default = Severity.WARNING
            code = finding.code if rule is None else rule.code
            # Silenced by the very comment that it is about, it would never be seen.
            is_about_comment = code == "UNUSED_SUPPRESSION"
            # A comment may name one status (`HTTP_STATUS_404`) or all of them (`HTTP_STATUS_<n>`).
            names = () if is_about_comment else (ANY_CODE, finding.code, *names_of(finding.code))
            severity = self._settings.severity_of(finding.code, default)
            self._levels[key] = severity, frozenset(names)
        return self._levels[key]

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
            from tracecite_lint.rules import RULES  # few documents have a comment

            if not RULES.keys() - codes:
                codes = []  # `disable`, of which `enable A` left all others
            if not used and not _are_about_drift(codes):
                names = ", ".join(codes) or "any code"
                message = f"this suppression of {names} silences nothing"
                self.add(Diagnostic(code="UNUSED_SUPPRESSION", message=message, span=span))

    def _suppressed(self, finding: Diagnostic, names: frozenset[str]) -> bool:
        if not self._document.suppressions:
            return False
        lines = finding.span.line, finding.span.end_line
        self._found.extend((name, *lines) for name in names)
        return any(self._suppressions.meet(name, *lines) for name in names)


def _are_about_drift(codes: Sequence[str]) -> bool:
    """Tell whether some of *codes* only a later step finds, under a lock: their comment cannot be called unused here."""
    rules = list(map(rule_for, codes))
    return any(rule is not None and rule.group == "drift" for rule in rules)
