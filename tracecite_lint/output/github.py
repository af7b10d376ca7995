"""The github format: workflow commands, which GitHub Actions shows as annotations of a pull request."""

from __future__ import annotations

import io
import os

from tracecite_lint.known.identity import repository_path
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import CheckResult, Diagnostic, Severity, Span
from tracecite_lint.output.findings import details_of, help_for, one_line
from tracecite_lint.output.summary import is_inconclusive, summary_lines
from tracecite_lint.output.terminal import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

_COMMAND = regex(r"(?m)(^[^\S\n]*|##)((?<!##):(?=:)|(?<=##)\[)")
_ESCAPES = {
    **dict.fromkeys(("json", "json-lines", "sarif", "gitlab"), (r"\u005b", r"\u003a")),
    **dict.fromkeys(("junit", "html"), ("&#91;", "&#58;")),
}
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(result: CheckResult) -> str:
    """Return one command per finding and note, and the summary as the last lines of the step's log."""
    lines = [_annotation(diagnostic, result.directory) for diagnostic in result.diagnostics]
    lines += [f"::notice title=tracecite-lint::{_data(printable(note))}" for note in result.notes]
    summary = summary_lines(result)
    if is_inconclusive(result):
        lines.append(f"::warning title=tracecite-lint::{_data(summary[0])}")
    return "".join(line + "\n" for line in lines + summary)


def without_commands(name: str, text: str) -> str:
    """Return the report *text* of the format *name* so that GitHub Actions finds no workflow command in its log.

    The runner obeys `##[name]` anywhere and `::name::` at the start of a line (actions/runner, ActionCommand.cs), and a
    report holds words of documents and pages. What is JSON or XML stays so, and means the same.
    """
    bracket, colon = _ESCAPES.get(name, (r"\x5b", r"\x3a"))
    return _COMMAND.sub(lambda match: match[1] + (colon if match[2] == ":" else bracket), text)


def for_a_log(text: str) -> str:
    """Return *text* as it may stand in the log of this process: on GitHub Actions without workflow commands."""
    on_github = os.environ.get("GITHUB_ACTIONS") == "true"
    return without_commands("full", text) if on_github else text


class CommandFree(io.TextIOBase):
    """A text stream that hands on to *stream* what is written to it, as `without_commands` makes it for the format *name*.

    Each write has to bring whole lines, or whole values of JSON.
    """

    def __init__(self, stream: TextIO, name: str = "json") -> None:
        self._stream = stream
        self._name = name

    def write(self, text: str) -> int:
        """Write *text*, and return its length."""
        self._stream.write(without_commands(self._name, text))
        return len(text)

    def flush(self) -> None:
        """Hand on what is held back."""
        self._stream.flush()


def _annotation(diagnostic: Diagnostic, directory: str) -> str:
    properties = {
        "file": printable(repository_path(diagnostic.file, directory)),
        **_range(diagnostic.span),
        "title": diagnostic.code,
    }
    shown = ",".join(
        f"{name}={_property(str(value))}" for name, value in properties.items() if value
    )
    details = details_of(diagnostic)
    if not diagnostic.help and help_for(diagnostic):
        details.append(f"help: {one_line(help_for(diagnostic))}")
    message = "\n".join((one_line(diagnostic.message), *details))
    return f"::{_COMMANDS[diagnostic.severity]} {shown}::{_data(message)}"


def _range(span: Span) -> dict[str, int]:
    if span.line < 1:
        return {}
    if span.line != span.end_line:
        # GitHub accepts columns only where a range stays on one line.
        return {"line": span.line, "endLine": span.end_line}
    return {
        "line": span.line,
        "endLine": span.end_line,
        "col": span.column,
        "endColumn": span.end_column,
    }


def _data(text: str) -> str:
    """Escape *text* as the message of a command (actions/toolkit, `escapeData`)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape *text* as the value of a property (actions/toolkit, `escapeProperty`)."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
