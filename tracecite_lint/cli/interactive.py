"""`--fix --interactive`: a terminal is asked about each fix, with the lines of the document and the source's passage beside."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from tracecite_lint.cli.options import UsageError, wants_color
from tracecite_lint.engine.fixes import ChosenFixes
from tracecite_lint.engine.suppressing import refuse_reason
from tracecite_lint.light.lazy import dataclass, field
from tracecite_lint.model import CheckResult, Diagnostic, Fix
from tracecite_lint.output.findings import without_passwords, without_private_words
from tracecite_lint.output.full import finding_lines
from tracecite_lint.output.snippet import document_lines
from tracecite_lint.output.terminal import Style, styled

_HELP = """\
  y  make this fix
  n  leave the quotation as it is
  a  make this fix and all that follow in this file
  i  write a comment that silences the finding, with a reason that you give
  q  leave the rest as it is (Ctrl-D too); what was accepted is written
"""


@dataclass(slots=True)
class Answers:
    """The fixes that were accepted, by document, and the findings to be silenced, each with its reason."""

    fixes: Mapping[str, list[Fix]]
    ignored: list[tuple[Diagnostic, str]] = field(default_factory=list)
    interrupted: bool = False
    """It was Ctrl-C that ended the questions."""


def refuse_without_terminal() -> None:
    """Raise UsageError if nobody can be asked: questions go to stderr, since stdout carries the report alone."""
    for stream, name in ((sys.stdin, "standard input"), (sys.stderr, "standard error")):
        if stream is None or not stream.isatty():
            raise UsageError(
                f"--interactive asks on a terminal, and {name} is none: leave it out, or give --diff to look first"
            )


def asked(result: CheckResult, *, unsafe: bool, color: str) -> Answers:
    """Ask about the fixes in *result*, those too that change words if *unsafe*, and return the answers."""
    dialogue = _Dialogue(result, colored=wants_color(color, sys.stderr))
    shown = without_passwords(without_private_words(result)).diagnostics
    fixable = [
        (finding, public)
        for finding, public in zip(result.diagnostics, shown, strict=True)
        # Of a record nothing may be shown that one could judge by.
        if public.fix is not None and (unsafe or public.fix.is_safe)
    ]
    answers = Answers(dialogue.chosen.by_file, dialogue.ignored)
    try:
        dialogue.ask_about(fixable)
    except EOFError:
        pass
    except KeyboardInterrupt:
        answers.interrupted = True
    if fixable:
        _write("\n")
    return answers


class _Dialogue:
    def __init__(self, result: CheckResult, *, colored: bool) -> None:
        self.chosen = ChosenFixes()
        self.ignored: list[tuple[Diagnostic, str]] = []
        self._texts = result.texts
        self._colored = colored
        self._said: set[str] = set()

    def ask_about(self, findings: Sequence[tuple[Diagnostic, Diagnostic]]) -> None:
        """Go through *findings*, which have fixes, each given with what may be shown of it.

        Raises EOFError where the terminal says no more.
        """
        whole: set[str] = set()
        """The documents in which all fixes are wanted."""
        for number, (finding, public) in enumerate(findings, start=1):
            assert finding.fix is not None
            # The other source of a quotation whose words have just been replaced.
            if not self.chosen.has_room_for(finding.file, finding.fix):
                continue
            if finding.file not in whole:
                self._show(public)
                match self._answer(f"[{number} of {len(findings)}] make this fix? [y,n,a,i,q,?] "):
                    case "n":
                        continue
                    case "q":
                        return
                    case "a":
                        whole.add(finding.file)
                    case "i":
                        self._ignore(finding)
                        continue
            self.chosen.add(finding.file, finding.fix)

    def _show(self, finding: Diagnostic) -> None:
        text = self._texts.get(finding.file)
        texts = {} if text is None else {finding.file: document_lines(text)}
        lines = finding_lines(finding, texts, self._said, color=self._colored)
        _write("".join(f"{line}\n" for line in ("", *lines)))

    def _answer(self, question: str) -> str:
        while True:
            answer = self._line(question).lower()
            if answer in ("y", "n", "a", "i", "q"):
                return answer
            _write(_HELP)

    def _ignore(self, finding: Diagnostic) -> None:
        while True:
            reason = self._line("reason: ")
            try:
                refuse_reason(reason)
            except ValueError as error:
                _write(f"{error}\n")
            else:
                self.ignored.append((finding, reason))
                return

    def _line(self, question: str) -> str:
        _write(styled(question, Style.BOLD, color=self._colored))
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
