"""What the formats share about one finding: where it stands, how it counts, what to do, what may be shown of it."""

from __future__ import annotations

from collections import defaultdict

from tracecite_lint.light.lazy import replace
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Diagnostic,
    Fix,
    Nearest,
    Severity,
    Span,
)
from tracecite_lint.naming import uris
from tracecite_lint.output.terminal import Style, cut, printable
from tracecite_lint.rules import rule_for

STYLES = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING, Severity.INFO: Style.INFO}
_DIFFERENCE_WIDTH = 300


def without_private_words(result: CheckResult) -> CheckResult:
    """Return *result* without what diagnostics of private documents hold of their words, or of words close to them."""
    if not any(diagnostic.private for diagnostic in result.diagnostics):
        return result
    diagnostics = tuple(
        replace(diagnostic, quote="", nearest=None, fix=None) if diagnostic.private else diagnostic
        for diagnostic in result.diagnostics
    )
    return replace(result, diagnostics=diagnostics)


def without_passwords(result: CheckResult) -> CheckResult:
    """Return *result* with no password of a URL in what it says: sources, messages, quotations, notes.

    The edits of a fix stay as they are: they hold the source's own words.
    """
    return replace(
        result,
        citations=tuple(map(_public_citation, result.citations)),
        claims=tuple(map(_public_citation, result.claims)),
        diagnostics=tuple(map(_public_diagnostic, result.diagnostics)),
        notes=tuple(map(uris.without_passwords, result.notes)),
    )


def _public_citation(item: CheckedCitation) -> CheckedCitation:
    citation, hidden = item.citation, uris.without_passwords
    said = (citation.source.uri, *citation.passages, item.final_url or "")
    if not any(map(uris.may_hold_password, said)):
        return item
    source = replace(citation.source, uri=uris.public_uri(citation.source.uri))
    passages = tuple(map(hidden, citation.passages))
    final_url = item.final_url and uris.public_uri(item.final_url)
    return replace(
        item, citation=replace(citation, source=source, passages=passages), final_url=final_url
    )


def _public_diagnostic(item: Diagnostic) -> Diagnostic:
    hidden, nearest, fix = uris.without_passwords, item.nearest, item.fix
    if nearest is not None:
        differences = (replace(part, text=hidden(part.text)) for part in nearest.differences)
        nearest = replace(nearest, text=hidden(nearest.text), differences=tuple(differences))
    if fix is not None:
        fix = replace(fix, replacement=hidden(fix.replacement))
    return replace(
        item,
        message=hidden(item.message),
        help=hidden(item.help),
        source=uris.public_uri(item.source),
        nearest=nearest,
        elsewhere=tuple(map(uris.public_uri, item.elsewhere)),
        fix=fix,
        quote=hidden(item.quote),
    )


def findings_by_citation(
    result: CheckResult,
) -> defaultdict[tuple[str, Span, str], list[Diagnostic]]:
    """Return the findings of *result* by what their citation is known by there: its document, span and source."""
    found: defaultdict[tuple[str, Span, str], list[Diagnostic]] = defaultdict(list)
    for diagnostic in result.diagnostics:
        found[diagnostic.file, diagnostic.span, diagnostic.source].append(diagnostic)
    return found


def place(file: str, line: int, column: int) -> str:
    """Return `file:line:column`, printable; line 0 stands for the whole file."""
    where = printable(file)
    if line < 1:
        return where
    return f"{where}:{line}:{column}" if where else f"line {line}"


def place_of(item: Diagnostic | CheckedCitation) -> str:
    """Return the place of a finding or a citation."""
    span = item.span if isinstance(item, Diagnostic) else item.citation.span
    return place(item.file, span.line, span.column)


def base_code(code: str) -> str:
    """Return *code* without what may follow a colon: `QUOTE_NOT_IN_LIVE_SOURCE:claim-1` belongs to the rule before it."""
    return code.partition(":")[0]


def details_of(diagnostic: Diagnostic, *, marked: bool = True) -> list[str]:
    """Return the lines that follow a message where there are no colours or carets.

    They are the closest passage (its differences *marked* as wdiff does), the sources that hold the words, the fix and
    a help of its own. They are not yet escaped for anything but a terminal.
    """
    from tracecite_lint.output.passage import plain_passage

    lines = []
    if diagnostic.source and diagnostic.source not in diagnostic.message:
        lines.append(f"source: {printable(diagnostic.source)}")
    if diagnostic.nearest is not None:
        nearest = diagnostic.nearest if marked else replace(diagnostic.nearest, differences=())
        lines.append(f"closest passage ({alike(nearest)}): {plain_passage(nearest)}")
    if diagnostic.elsewhere:
        lines.append(f"found in: {printable(', '.join(diagnostic.elsewhere))}")
    if diagnostic.fix is not None:
        lines.append(f"{fix_label(diagnostic.fix)}: {one_line(diagnostic.fix.replacement)}")
    if diagnostic.help:
        lines.append(f"help: {one_line(diagnostic.help)}")
    return lines


def description(diagnostic: Diagnostic) -> str:
    """Return on one line what was found, in which source, and in which words the quotation differs from it."""
    from tracecite_lint.output.passage import differing_words

    parts = [one_line(diagnostic.message)]
    if diagnostic.source and diagnostic.source not in diagnostic.message:
        parts.append(f"source: {one_line(diagnostic.source)}")
    if diagnostic.nearest is not None and (words := differing_words(diagnostic.nearest)):
        parts.append(f"differs in {cut(words, _DIFFERENCE_WIDTH)}")
    return "; ".join(parts)


def fix_label(fix: Fix) -> str:
    """Return under which name a fix is shown: the option that makes it, or that it needs a look."""
    return "--fix" if fix.is_safe else "unsafe"


def alike(nearest: Nearest) -> str:
    """Return the similarity in per cent, rounded down: 100 % would say that there is no difference."""
    return f"{min(int(nearest.similarity * 100), 99)} % alike"


def one_line(text: str) -> str:
    """Return *text* printable, with each run of white space as one space."""
    return printable(" ".join(text.split()))


def help_for(diagnostic: Diagnostic) -> str:
    """Return what to do about *diagnostic*: its own help, else that of its rule."""
    if diagnostic.help:
        return diagnostic.help
    rule = rule_for(diagnostic.code)
    return rule.fix if rule else ""
