"""References that nothing defines, and what an assistant leaves behind in a text: its own marks, its own parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tracecite_lint.documents.citing.references import References
from tracecite_lint.documents.markup.flow import Flow
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Citation, Diagnostic, Fix, Severity, Span, TextEdit
from tracecite_lint.naming.uris import tracking_in, without_tracking
from tracecite_lint.text.lines import Lines

_LEFTOVER = (
    r"【\d{1,3}†[^】\n]{0,80}】|【\d{1,3}:\d{1,3}†[^】\n]{0,80}】"
    r"|[\ue200-\ue206]?\bcite[\ue200-\ue206]?turn\d+[a-z]+\d+(?:[\ue200-\ue206]?turn\d+[a-z]+\d+)*[\ue200-\ue206]?"
    r"|:contentReference\[oaicite:\d+\](?:\{index=\d+\})?|\[oaicite:\d+\]"
    r"|\[cite(?:_start|_end)?(?::\s?\d+(?:\s*,\s*\d+)*)?\]|\[s\.(?:id|\d+)\]"
    r"|\[(?:verbatim |exact |direct )?(?:quot(?:e|ation)|citation|source|reference|link)s? (?:pending|needed|required|tbd|here|to be \w+)\]"
)
# What the parser leaves as text because no definition has that label: `[^1]`, `[text][label]`; and `[3]`.
_UNDEFINED_MARK = r"\[\^[^\[\]\s]{1,100}\]|\[[^\[\]\n]{1,200}\]\[[^\[\]\n]{0,100}\]|\[\d{1,3}(?:\s*,\s*\d{1,3}){0,9}\]"
_MARK = rf"(?P<mark>{_LEFTOVER}|{_UNDEFINED_MARK})"
LEFTOVER = regex(_LEFTOVER, re.IGNORECASE)
MAY_BE_LEFT = (
    regex("†"),
    regex("oaicite"),
    regex(r"turn\d"),
    regex(
        r"\[(?:cite|s\.|verbatim|exact|direct|quot|citation|source|reference|link)", re.IGNORECASE
    ),
)
"""Without one of these a text holds no mark of an assistant."""
_BEHIND = regex(r"[\s.,。，\-–—]{0,20}[(（]?\s{0,3}" + _MARK, re.IGNORECASE)
_AT_END = regex(_MARK + r"[\s.,。)）]{0,5}\Z", re.IGNORECASE)
_END_LIMIT = 320


@dataclass(frozen=True, slots=True)
class Undefined:
    """A reference as it is written, and its place (offsets) in the document."""

    mark: str
    start: int
    end: int


def undefined_behind(flow: Flow, at: int, references: References) -> Undefined | None:
    """Return the reference right after *at* that nothing defines."""
    return _undefined(_BEHIND.match(flow.text, at), flow, references)


def undefined_at_end(flow: Flow, start: int, end: int, references: References) -> Undefined | None:
    """Return the reference at the end of the stretch from *start* to *end* that nothing defines."""
    begin = max(start, end - _END_LIMIT)
    return _undefined(_AT_END.search(flow.text, begin, end), flow, references)


def _undefined(match: re.Match[str] | None, flow: Flow, references: References) -> Undefined | None:
    if match is None or references.lists.is_entry(flow):
        return None
    start, end = match.span("mark")
    if any(flow.places.end(index) - flow.places.start(index) > 1 for index in (start, end - 1)):
        return None  # An escaped bracket is a bracket, not a reference.
    if references.in_range(flow, start, end) or references.lists.is_unlinked(match["mark"]):
        return None
    return Undefined(match["mark"], *flow.source_range(start, end))


def leftovers(flow: Flow, references: References) -> Iterator[Undefined]:
    """Yield the marks that an assistant left in a text and that lead nowhere, those in code left out."""
    for match in LEFTOVER.finditer(flow.text):
        if not flow.in_code(match.start()) and flow.link_around(*match.span()) is None:
            found = _undefined_leftover(match, flow, references)
            if found is not None:
                yield found


def _undefined_leftover(
    match: re.Match[str], flow: Flow, references: References
) -> Undefined | None:
    if references.in_range(flow, *match.span()):
        return None
    return Undefined(match[0], *flow.source_range(*match.span()))


def tracking_parameters(citations: Iterable[Citation], lines: Lines) -> Iterator[Diagnostic]:
    """Yield a finding for each source that tells its server where the reader comes from, with the fix that takes it out.

    The fix is there where the address stands in the source's own place: that of a link by reference stands elsewhere.
    """
    for span, uri in {(item.source.span, item.source.uri): None for item in citations}:
        found = tracking_in(uri)
        if found and span is not None:
            yield Diagnostic(
                code="TRACKING_PARAMETER",
                severity=Severity.INFO,
                message=f"the source's address holds {', '.join(found)}",
                span=span,
                source=uri,
                fix=_fix(lines, span, uri, without_tracking(uri)),
            )


def _fix(lines: Lines, place: Span, uri: str, bare: str) -> Fix | None:
    start = lines.offset(place.line, place.column)
    at = lines.text.find(uri, start, lines.offset(place.end_line, place.end_column))
    if at == -1:
        return None
    span = lines.span(at, at + len(uri))
    return Fix(title="Take the parameter out", replacement=bare, edits=(TextEdit(span, bare),))
