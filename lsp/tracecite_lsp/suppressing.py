"""Edits that silence a finding: a comment in the document, or for JSON Lines, which have no comments, an entry in settings."""

from __future__ import annotations

import glob
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from tracecite_lint.documents import read_document
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Diagnostic, Document, DocumentKind
from tracecite_lint.naming.file_names import is_mdx
from tracecite_lint.rules import rule_for
from tracecite_lint.rules.silenced import silenced_lines
from tracecite_lint.text.lines import Lines

REASON = "say why"
"""Stands where the user is to write the reason."""

_FRONT_MATTER = regex(
    r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text that is put in at an offset of the document."""

    at: int
    text: str


def line_suppression(
    document: Document, finding: Diagnostic, *, eager: bool = False
) -> Insertion | None:
    """Return the comment that silences *finding* where it stands; None if there is no safe place for one.

    The document, which was read with the *eager* shapes or without them, is read again with the comment: that has to
    silence the finding, and to leave all citations as they are.
    """
    for candidate in _line_candidates(document, finding):
        if _silences(document, finding, candidate, eager=eager):
            return candidate
    return None


def file_suppression(
    document: Document, finding: Diagnostic, *, eager: bool = False
) -> Insertion | None:
    """Return the comment that silences all findings of the kind of *finding* in the document."""
    front_matter = _FRONT_MATTER.match(document.text)
    at = front_matter.end() if front_matter else 0
    comment = _comment(document, "disable-file", finding.code)
    candidate = Insertion(at, comment + _line_end(document.text))
    if document.kind is DocumentKind.MARKDOWN:
        candidate = Insertion(at, candidate.text + _line_end(document.text))
    return candidate if _silences(document, finding, candidate, eager=eager) else None


def settings_suppression(text: str, name: str, code: str, *, table: str) -> str | None:
    """Return the text of a settings file with *code* among the `per-file-ignores` of the document *name*.

    *table* is the table of the settings in the file, empty for the file itself. None if the file is written in a way that
    cannot be added to safely, or has it already.
    """
    # A pattern without a slash means a file of that name anywhere (docs/settings.md), and this one file is meant.
    pattern = glob.escape(name if "/" in name else f"/{name}")
    header = f"{table}.per-file-ignores" if table else "per-file-ignores"
    before = _table(text, header)
    if before is None or code in before.get(pattern, ()):
        return None
    wanted = {**before, pattern: [*before.get(pattern, ()), code]}
    for changed in _settings_candidates(text, header, pattern, code, before):
        # Judged by what the file says then: TOML can be written in more ways than a search knows.
        if _table(changed, header) == wanted:
            return changed
    return None


def _line_candidates(document: Document, finding: Diagnostic) -> Iterator[Insertion]:
    lines = Lines(document.text)
    number = finding.span.line
    line = lines.line(number)
    indent = line[: len(line) - len(line.lstrip())]
    code = finding.code
    above = Insertion(
        lines.start(number),
        f"{indent}{_comment(document, 'disable-next-line', code)}{_line_end(document.text)}",
    )
    if document.kind is DocumentKind.NOTES:
        yield above
        return
    # Above the beginning of a block a comment is out of the way; within a block it would cut it in two.
    if not lines.line(number - 1).strip() and not re.match(r"[-*+|]|\d+[.)]", line.lstrip()):
        yield above
    end = lines.start(number) + len(line.rstrip())
    yield Insertion(end, f" {_comment(document, 'disable-line', code)}")
    yield above


def _comment(document: Document, kind: str, code: str) -> str:
    rule = rule_for(code)
    # A comment names rules; `HTTP_STATUS_404` is one of its own, `X:claim-1` an X.
    name = code.partition(":")[0] if rule is not None else code
    words = f"tracecite-{kind} {name} -- {REASON}"
    if document.kind is DocumentKind.NOTES:
        return f"# {words}"
    if is_mdx(document.path):
        return f"{{/* {words} */}}"
    return f"<!-- {words} -->"


def _silences(
    document: Document, finding: Diagnostic, insertion: Insertion, *, eager: bool
) -> bool:
    text = document.text[: insertion.at] + insertion.text + document.text[insertion.at :]
    changed = read_document(document.path, text, eager=eager)
    before = [item.passages for item in document.citations]
    # A comment in the wrong place ends a paragraph, or becomes a part of a quotation.
    if [item.passages for item in changed.citations] != before:
        return False
    # A comment stands at or above the finding: lines that it adds move the finding down.
    shift = len(Lines(text)) - len(Lines(document.text))
    first, last = finding.span.line + shift, finding.span.end_line + shift
    silenced = silenced_lines(changed.suppressions)
    return any(
        silenced.meet(code, first, last) for code in {finding.code, finding.code.partition(":")[0]}
    )


def _line_end(text: str) -> str:
    found = re.search(r"\r\n|\n|\r", text)
    return found[0] if found else "\n"


def _settings_candidates(
    text: str, header: str, pattern: str, code: str, before: dict[str, Any]
) -> Iterator[str]:
    key = f'"{_escaped(pattern)}"'
    entry = f'{key} = ["{code}"]  # {REASON}\n'
    if pattern in before:
        present = re.compile(
            rf"^({re.escape(key)}[ \t]*=[ \t]*\[[^\]\n]*?),?[ \t]*\]", re.MULTILINE
        )
        comma = ", " if before[pattern] else ""
        yield present.sub(lambda match: f'{match[1]}{comma}"{code}"]', text, count=1)
        return
    found = re.search(rf"^\[{re.escape(header)}\][^\n]*\n?", text, re.MULTILINE)
    if found is not None:
        line = found[0] if found[0].endswith("\n") else found[0] + "\n"
        yield text[: found.start()] + line + entry + text[found.end() :]
        return
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    yield f"{text}{gap}[{header}]\n{entry}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _table(text: str, header: str) -> dict[str, Any] | None:
    """Return the table named *header* of a TOML text, empty if there is none; None if that is no TOML, or no table."""
    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    for name in header.split("."):
        table = table.get(name, {})
        if not isinstance(table, dict):
            return None
    result: dict[str, Any] = table
    return result
