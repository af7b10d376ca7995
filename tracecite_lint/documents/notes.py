"""Citation notes: records of `claim:`, `quote:` and `url:` lines (docs/citations.md, "Notes")."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.errors import require_text
from tracecite_lint.light.lazy import dataclass, field
from tracecite_lint.model import (
    Citation,
    Diagnostic,
    Document,
    DocumentKind,
    Shape,
    SourceRef,
    Span,
)
from tracecite_lint.text.lines import Lines, each_line

FIELDS = ("claim", "quote", "url")


@dataclass(frozen=True, slots=True)
class CitationNote:
    """One claim with its quotation and the URL it is said to come from; `line` is 1-based."""

    claim: str
    quote: str
    url: str
    line: int

    def to_json(self) -> dict[str, object]:
        """Return the note's fields under their own names."""
        return {"claim": self.claim, "quote": self.quote, "url": self.url, "line": self.line}


@dataclass(frozen=True, slots=True)
class CitationNotes:
    """The notes of one text, and what is wrong with its form."""

    notes: tuple[CitationNote, ...]
    diagnostics: tuple[Diagnostic, ...]
    unassociated: tuple[Diagnostic, ...] = ()
    """Of a report: its quotations that have no source in reach (UNASSOCIATED_QUOTE)."""

    def to_json(self) -> dict[str, object]:
        """Return `{notes, diagnostics}`, each a list of objects."""
        return {
            "notes": [note.to_json() for note in self.notes],
            "diagnostics": [diagnostic.to_json() for diagnostic in self.diagnostics],
        }


@dataclass(slots=True)
class _Field:
    value: str
    start: int
    """Offset of the value."""

    @property
    def end(self) -> int:
        return self.start + len(self.value)


@dataclass(slots=True)
class _Record:
    line: int
    fields: dict[str, _Field] = field(default_factory=dict)
    broken: bool = False


def parse_citation_notes(text: str) -> CitationNotes:
    """Parse notes of the form `claim: …`, `quote: …`, `url: …`, one field a line, in any order.

    A blank line or `---` ends a record, a line that begins with `#` is a comment, and a value is what stands behind the
    first colon, verbatim but for the white space around it. A note's line is the first line of its record. Only records
    without a finding become notes.
    """
    require_text("parse_citation_notes", text=text)
    diagnostics: list[Diagnostic] = []
    records = _sound_records(Lines(text), diagnostics)
    notes = tuple(
        CitationNote(**{name: record.fields[name].value for name in FIELDS}, line=record.line)
        for record in records
    )
    return CitationNotes(notes, tuple(diagnostics))


def read_notes(path: str, text: str) -> Document:
    """Read a text of citation notes as a document; its citations' spans are the `quote:` values."""
    from tracecite_lint.documents.suppressions import note_suppressions

    lines = Lines(text)
    diagnostics: list[Diagnostic] = []
    citations = []
    for record in _sound_records(lines, diagnostics):
        quote, url = record.fields["quote"], record.fields["url"]
        citations.append(
            Citation(
                passages=(quote.value,),
                span=lines.span(quote.start, quote.end),
                source=SourceRef(url.value, lines.span(url.start, url.end)),
                shape=Shape.NOTE,
                claim=record.fields["claim"].value,
                line=record.line,
            )
        )
    suppressions, malformed = note_suppressions(lines)
    return Document(
        path=path,
        text=text,
        kind=DocumentKind.NOTES,
        citations=tuple(citations),
        diagnostics=(*diagnostics, *malformed),
        suppressions=suppressions,
    )


def looks_like_notes(text: str) -> bool:
    """Tell whether *text* is a file of citation notes: its first line is a field of notes, and so are most of the others.

    Not all of them have to be: a file with one broken line is a file of notes with an error, not Markdown without citations.
    """
    fields = others = 0
    for written in each_line(text):
        line = written.strip()
        if not line or line == "---" or line.startswith("#"):
            continue
        if line.partition(":")[0].rstrip() in FIELDS:
            fields += 1
        elif not fields:
            return False
        else:
            others += 1
    return fields > others


def _sound_records(lines: Lines, diagnostics: list[Diagnostic]) -> list[_Record]:
    sound = []
    for record in _records(lines, diagnostics):
        for name in FIELDS:
            if name not in record.fields:
                record.broken = True
                diagnostics.append(
                    _finding(
                        lines, record.line, "MISSING_NOTE_FIELD", f"this record has no {name}: line"
                    )
                )
        if not record.broken:
            sound.append(record)
    if not sound and not diagnostics:
        diagnostics.append(
            _finding(lines, 1, "EMPTY_NOTE_INPUT", "there is no claim:, quote:, url: record here")
        )
    return sound


def _records(lines: Lines, diagnostics: list[Diagnostic]) -> Iterator[_Record]:
    record: _Record | None = None
    for number in range(1, len(lines) + 1):
        line = lines.line(number)
        stripped = line.strip()
        if stripped.startswith("#"):
            continue
        if not stripped or stripped == "---":
            if record is not None:
                yield record
            record = None
            continue
        record = record or _Record(number)
        problem = _add_field(record, line, lines.start(number))
        if problem is not None:
            record.broken = True
            diagnostics.append(_finding(lines, number, *problem))
    if record is not None:
        yield record


def _add_field(record: _Record, line: str, start: int) -> tuple[str, str] | None:
    """Put the field that *line* holds into *record*, or return code and message of what is wrong with it."""
    head, colon, rest = line.partition(":")
    name, value = head.strip(), rest.strip()
    if not colon or not name:
        return "INVALID_NOTE_LINE", "expected claim:, quote: or url: and a value"
    if not value:
        return "EMPTY_NOTE_FIELD", f"{name}: has no value"
    if name not in FIELDS:
        return "UNKNOWN_NOTE_FIELD", f"{name!r} is no field of citation notes (claim, quote, url)"
    if name in record.fields:
        return "DUPLICATE_NOTE_FIELD", f"{name}: stands in this record already"
    record.fields[name] = _Field(value, start + line.index(value, len(head) + 1))
    return None


def _finding(lines: Lines, number: int, code: str, message: str) -> Diagnostic:
    line = lines.line(number)
    indent = len(line) - len(line.lstrip())
    span = Span(number, indent + 1, number, max(len(line.rstrip()), indent) + 1)
    return Diagnostic(code=code, message=message, span=span)
