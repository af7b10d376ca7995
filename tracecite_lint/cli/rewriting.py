"""`--fix`, `--interactive` and `--add-ignore`: what a check found is mended in the documents, or silenced there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from tracecite_lint.cli.fix import (
    ChangedFile,
    fixed_files,
    show_changes,
    silenced_files,
    write_changes,
)
from tracecite_lint.engine.fixes import fixes_by_file
from tracecite_lint.engine.job import Job
from tracecite_lint.inputs.reader import enumerated
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import CheckResult, Diagnostic, Fix
from tracecite_lint.rules import is_unreachable, rule_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

Recheck = Callable[[Sequence[Job]], tuple[Sequence[Job], CheckResult]]
"""Reads the documents of jobs as they stand now, and checks them again."""

# Findings of these groups are not about words of the document that holds them, or about comments themselves.
_NEVER_SILENCED = frozenset({"files", "suppressions", "baseline"})


def rewritten(
    args: argparse.Namespace,
    jobs: Sequence[Job],
    result: CheckResult,
    recheck: Recheck,
    without_known: Callable[[CheckResult], CheckResult],
) -> CheckResult:
    """Change the documents of *jobs* as the arguments ask for, and return what is found in them then.

    *result* is what was found before; *without_known* takes out of it what the baseline knows. With --diff the changes are
    shown. Raises UsageError; KeyboardInterrupt once that is written which was accepted before.
    """
    rewriting = _Rewriting(args, jobs, result, recheck)
    if args.add_ignore is not None:
        findings = without_known(result).diagnostics
        rewriting.silence([(item, args.add_ignore) for item in findings])
    elif args.interactive:
        rewriting.ask()
    else:
        rewriting.fix(fixes_by_file(result.diagnostics, unsafe=args.unsafe_fixes))
    return rewriting.result


class _Rewriting:
    """The documents of a run and what is found in them, as they change."""

    def __init__(
        self,
        args: argparse.Namespace,
        jobs: Sequence[Job],
        result: CheckResult,
        recheck: Recheck,
    ) -> None:
        self._args = args
        self._jobs = jobs
        self._found = result
        self._recheck = recheck
        self._notes: list[str] = []

    @property
    def result(self) -> CheckResult:
        """What is found in the documents as they stand now, and what was done."""
        return replace(self._found, notes=(*self._notes, *self._found.notes))

    def fix(self, fixes: Mapping[str, Sequence[Fix]]) -> None:
        """Make *fixes*, by document."""
        self._change(fixed_files(self._jobs, fixes), "fixed", "quotation")
        unsafe = sum(
            item.fix is not None and not item.fix.is_safe for item in self._found.diagnostics
        )
        if unsafe and not self._args.unsafe_fixes and not self._args.diff:
            was, them = ("was", "it") if unsafe == 1 else ("were", "them")
            fixes_would = "1 fix would" if unsafe == 1 else f"{unsafe} fixes would"
            self._notes.append(
                f"{fixes_would} change words and {was} not made: look at {them}, and add --unsafe-fixes"
            )

    def silence(self, findings: Iterable[tuple[Diagnostic, str]]) -> None:
        """Write comments over *findings*, each with its reason."""
        chosen = [
            (finding, reason)
            for finding, reason in findings
            if (rule := rule_for(finding.code)) is None or rule.group not in _NEVER_SILENCED
        ]
        reached = [(item, reason) for item, reason in chosen if not is_unreachable(item.code)]
        silenced = silenced_files(self._jobs, reached)
        self._change(silenced.files, "silenced", "finding")
        self._leave(
            [item for item, _ in chosen if is_unreachable(item.code)],
            "the source could not be reached, so nothing is known of the quotation",
        )
        self._leave(
            silenced.in_records,
            "JSON Lines have no comments: use `per-file-ignores` in the settings, or a baseline",
        )
        self._leave(
            silenced.without_place, "no comment can stand there that leaves what is quoted as it is"
        )

    def ask(self) -> None:
        """Ask about each fix, make those that are accepted and silence what is to be ignored."""
        from tracecite_lint.cli.interactive import asked

        answers = asked(self._found, unsafe=self._args.unsafe_fixes, color=self._args.color)
        self.fix(answers.fixes)
        # The fixes have moved what stands below them: findings are recognised by what they are about.
        reasons = {_subject(finding): reason for finding, reason in answers.ignored}
        self.silence(
            (finding, reasons[_subject(finding)])
            for finding in self._found.diagnostics
            if _subject(finding) in reasons
        )
        if answers.interrupted:
            sys.stderr.writelines(f"{note}\n" for note in self._notes)
            raise KeyboardInterrupt

    def _leave(self, findings: Sequence[Diagnostic], why: str) -> None:
        if findings:
            names = enumerated([*dict.fromkeys(item.file for item in findings)])
            self._notes.append(
                f"not silenced: {_count(len(findings), 'finding')} in {names}; {why}"
            )

    def _change(self, files: Sequence[ChangedFile], done: str, what: str) -> None:
        if self._args.diff:
            show_changes(files)
            return
        write_changes(files)
        if files:
            count = sum(file.count for file in files)
            self._notes.append(f"{done} {_count(count, what)} in {_count(len(files), 'file')}")
            # Looked at again as it now stands: the pages are there, and what was not mended is still reported.
            self._jobs, self._found = self._recheck(self._jobs)


def _subject(finding: Diagnostic) -> tuple[str, str, str, str]:
    return finding.file, finding.code, finding.source, finding.quote


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number:,} {word}s"
