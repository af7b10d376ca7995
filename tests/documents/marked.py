"""Markdown with the expected quotation between ⟦ and ⟧, for tests that are exact about lines and columns."""

from __future__ import annotations

from dataclasses import dataclass

from tracecite_lint.documents import read_document
from tracecite_lint.model import Citation, Document, Span

OPENING, CLOSING = "⟦", "⟧"


@dataclass(frozen=True)
class Marked:
    """A text without its marks, and the spans that the marks were around."""

    text: str
    spans: list[Span]


def marked(text: str) -> Marked:
    """Take the marks out of *text*. Lines end at LF, CRLF and CR; columns count characters from 1."""
    spans = []
    plain = []
    line, column = 1, 1
    start = (0, 0)
    for index, character in enumerate(text):
        if character == OPENING:
            start = (line, column)
        elif character == CLOSING:
            spans.append(Span(*start, line, column))
        else:
            plain.append(character)
            if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
                line, column = line + 1, 1
            else:
                column += 1
    return Marked("".join(plain), spans)


def read(text: str, path: str = "report.md", *, eager: bool = False) -> Document:
    """Read *text* as a document."""
    return read_document(path, text, eager=eager)


def citations(text: str, path: str = "report.md", *, eager: bool = False) -> list[Citation]:
    """Return the citations of *text*."""
    return list(read(text, path, eager=eager).citations)


def assert_cites(
    text: str, *sources: str, path: str = "report.md", eager: bool = False
) -> list[Citation]:
    """Check that the marked quotations, in order, are all that *text* cites, each from the source of its place.

    With one source it is that of all. Returns the citations.
    """
    expected = marked(text)
    found = citations(expected.text, path, eager=eager)
    assert [item.span for item in found] == expected.spans, [item.passages for item in found]
    wanted = list(sources) * len(expected.spans) if len(sources) == 1 else list(sources)
    assert [item.source.uri for item in found] == wanted
    return found


def codes(document: Document) -> list[str]:
    """Return the codes of a document's diagnostics, those off by default left out."""
    return [item.code for item in document.diagnostics if item.code != "UNASSOCIATED_QUOTE"]
