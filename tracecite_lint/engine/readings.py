"""What documents said in earlier runs, kept beside the pages: a document whose bytes are the same is not parsed again.

What lies in a cache is input. Every field is checked, no address counts that the document does not hold itself, and what
cannot be read counts as missing (docs/cache.md). Records and logs are not kept: nothing of their words is.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from tracecite_lint.light.digests import blake2b
from tracecite_lint.model import (
    Asks,
    Citation,
    Diagnostic,
    Document,
    DocumentKind,
    LinkedClaim,
    PassedOver,
    Severity,
    Shape,
    SourceRef,
    Span,
    Suppression,
    TextDirective,
)
from tracecite_lint.rules import rule_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tracecite_lint.settings import Settings
    from tracecite_lint.sources.store import Store

_KINDS = frozenset({DocumentKind.MARKDOWN, DocumentKind.NOTES})
"""What is kept: documents that are no records."""

_WORTH_KEEPING = 100_000
"""Characters of the documents of a run from which on their readings are kept: a commit has few, and opens no database to
write."""

_LARGEST_COLUMN = 2**31


class KeptReadings:
    """The readings that a store keeps, and those of this run that are to be kept."""

    def __init__(self, store: Callable[[], Store]) -> None:
        """Use the store that *store* gives; it is asked for it when the first document is read."""
        self._store = store
        self._new: dict[str, bytes] = {}
        self._characters = 0

    def get(self, name: str, text: str, settings: Settings) -> Document | None:
        """Return what *text* said as the document *name*; None if that is not known."""
        data = self._store().derived(_row_key(name, text, settings))
        if data is None:
            return None
        try:
            return decoded(data, name, text)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def add(self, document: Document, settings: Settings) -> None:
        """Take down what a document says, if it may be kept."""
        data = encoded(document)
        if data is not None:
            self._new[_row_key(document.path, document.text, settings)] = data
            self._characters += len(document.text)

    def save(self) -> None:
        """Keep what was taken down, if it is much."""
        if self._characters >= _WORTH_KEEPING:
            self._store().keep_derived(self._new)
        self._new, self._characters = {}, 0


def _row_key(name: str, text: str, settings: Settings) -> str:
    """Return a key that names all that a reading rests on: the program, the settings that count, name and text."""
    from tracecite_lint.engine.program import (
        program_digest,  # not for a commit, which asks for no reading
    )

    digest = blake2b(program_digest(), digest_size=16)
    digest.update(
        f"{settings.eager} {sorted(settings.asked_of_claims)} {len(name)} {name}\n".encode(
            errors="surrogateescape"
        )
    )
    digest.update(text.encode())
    return f"reading/{digest.hexdigest()}"


def encoded(document: Document) -> bytes | None:
    """Return what *document* says as bytes for `decoded`; None for one that is not kept."""
    if document.private or document.kind not in _KINDS:
        return None
    said = {
        "kind": document.kind,
        "citations": [_citation_fields(item) for item in document.citations],
        "diagnostics": [_diagnostic_fields(item) for item in document.diagnostics],
        "suppressions": [
            [item.codes, item.first_line, item.last_line, _place(item.span), item.reason]
            for item in document.suppressions
        ],
        "passed_over": [[_place(item.span), item.reason] for item in document.passed_over],
        "claims": [
            [item.words, _place(item.span), item.sources, item.is_quoted]
            for item in document.claims
        ],
        "is_uncited": document.is_uncited,
    }
    data = json.dumps(said, separators=(",", ":")).encode()
    try:
        # What would not be read back as it is, whichever field has been added meanwhile, is not kept.
        return data if decoded(data, document.path, document.text) == document else None
    except ValueError:
        return None


def decoded(data: bytes, name: str, text: str) -> Document:
    """Read back what `encoded` made of the document *name* with this *text*.

    Raises ValueError, TypeError or KeyError for what it does not make.
    """
    said = json.loads(data)
    if not isinstance(said, dict) or type(said["is_uncited"]) is not bool:
        raise ValueError("a kept reading is an object")
    reader = _Fields(text)
    kind = DocumentKind(said["kind"])
    if kind not in _KINDS:
        raise ValueError("a kept reading is of a document that is no record")
    return Document(
        path=name,
        text=text,
        kind=kind,
        citations=tuple(map(reader.citation, said["citations"])),
        diagnostics=tuple(map(reader.diagnostic, said["diagnostics"])),
        suppressions=tuple(map(reader.suppression, said["suppressions"])),
        passed_over=tuple(map(reader.passed_over, said["passed_over"])),
        claims=tuple(map(reader.linked_claim, said["claims"])),
        is_uncited=said["is_uncited"],
    )


def _place(span: Span) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def _citation_fields(item: Citation) -> list[object]:
    source = item.source
    return [
        item.passages,
        _place(item.span),
        source.uri,
        None if source.span is None else _place(source.span),
        source.title,
        item.shape,
        item.rule,
        [[part.start, part.end, part.prefix, part.suffix] for part in item.directives],
        item.claim,
        item.line,
        item.asks,
    ]


def _diagnostic_fields(item: Diagnostic) -> list[object]:
    place = _place(item.span)
    return [item.code, item.message, place, item.severity, item.help, item.source, item.quote]


class _Fields:
    """Reads the fields of a kept reading of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.count("\n") + text.count("\r") + 1
        self._uris: set[str] = set()

    def citation(self, fields: list[object]) -> Citation:
        passages, span, uri, at, title, shape, rule, directives, claim, line, asks = fields
        return Citation(
            passages=_strings(passages),
            span=self._span(span),
            source=SourceRef(
                self._uri(uri), None if at is None else self._span(at), _string(title)
            ),
            shape=Shape(_string(shape)),
            rule=_string(rule),
            directives=tuple(map(_directive, _list(directives))),
            claim=_string(claim),
            line=_number(line, 0, self._lines),
            asks=Asks(_string(asks)),
        )

    def diagnostic(self, fields: list[object]) -> Diagnostic:
        code, message, span, severity, help, source, quote = fields
        if rule_for(_string(code)) is None:
            raise ValueError("a kept finding has no code that is known")
        return Diagnostic(
            code=_string(code),
            message=_string(message),
            span=self._span(span),
            severity=Severity(_string(severity)),
            help=_string(help),
            source=_string(source),
            quote=_string(quote),
        )

    def suppression(self, fields: list[object]) -> Suppression:
        codes, first, last, span, reason = fields
        # One of a whole file ends after its last line.
        return Suppression(
            _strings(codes),
            _number(first, 1, _LARGEST_COLUMN),
            _number(last, 0, _LARGEST_COLUMN),
            self._span(span),
            _string(reason),
        )

    def passed_over(self, fields: list[object]) -> PassedOver:
        span, reason = fields
        return PassedOver(self._span(span), _string(reason))

    def linked_claim(self, fields: list[object]) -> LinkedClaim:
        words, span, sources, is_quoted = fields
        if type(is_quoted) is not bool:
            raise ValueError("a claim has a quotation or none")
        uris = tuple(map(self._uri, _list(sources)))
        return LinkedClaim(_string(words), self._span(span), uris, is_quoted)

    def _uri(self, value: object) -> str:
        """Return an address that the document holds: a row alone never has one asked."""
        uri = _string(value)
        if uri not in self._uris:
            if uri not in self._text:
                raise ValueError("a kept reading names an address that is not in its document")
            self._uris.add(uri)
        return uri

    def _span(self, value: object) -> Span:
        numbers: list[Any] = _list(value)
        if len(numbers) != 4 or not all(type(number) is int for number in numbers):
            raise ValueError("a kept place has four numbers")
        line, column, end_line, end_column = numbers
        if not (
            0 < line <= end_line <= self._lines
            and (line, column) <= (end_line, end_column)
            and 0 < column < _LARGEST_COLUMN
            and 0 < end_column < _LARGEST_COLUMN
        ):
            raise ValueError("a kept place lies in its document")
        return Span(line, column, end_line, end_column)


def _directive(value: object) -> TextDirective:
    start, *others = _list(value)
    end, prefix, suffix = (None if part is None else _string(part) for part in others)
    return TextDirective(_string(start), end, prefix, suffix)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("a kept field is no list")
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a kept field is no text")
    return value


def _strings(value: object) -> tuple[str, ...]:
    return tuple(map(_string, _list(value)))


def _number(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError("a kept number is out of range")
    return value
