"""Links with a text directive, which are quotations by themselves."""

from __future__ import annotations

from tracecite_lint.documents.citing.candidate import Candidate, Hit, rule
from tracecite_lint.documents.citing.links import Source
from tracecite_lint.documents.citing.reading import Reading
from tracecite_lint.model import Citation, Shape, SourceRef
from tracecite_lint.text.directives import DELIMITER, TEXT, is_malformed, text_directives


@rule(Shape.TEXT_FRAGMENT)
def text_directive(_: Candidate) -> Hit | None:
    """A link with a text directive is a quotation by itself (`read_directives`).

    ```markdown
    See [the essay](https://example.org/essay#:~:text=never%20read,again).
    ```
    """
    return None


def read_directives(source: Source, reading: Reading) -> None:
    """Take in a link whose text directives are a quotation; its place is that of the directives in the link."""
    if DELIMITER not in source.uri:
        return
    lines = reading.tree.lines
    place = lines.span(source.start, source.end)
    written = source.uri.partition(DELIMITER)[2].partition(TEXT)[2]
    at = lines.text.find(written, source.start, source.end) if written else -1
    start, end = (source.start, source.end) if at == -1 else (at, at + len(written))
    if is_malformed(source.uri):
        message = (
            "this text directive is not read as it looks: an empty part, or a bare hyphen in a term"
        )
        reading.report("MALFORMED_TEXT_DIRECTIVE", message, start, end)
    directives = text_directives(source.uri)
    if directives:
        reading.citations.append(
            Citation(
                passages=tuple(
                    words for item in directives for words in (item.start, item.end) if words
                ),
                span=lines.span(start, end),
                source=SourceRef(source.uri, place, source.title),
                shape=Shape.TEXT_FRAGMENT,
                rule=text_directive.name,
                directives=directives,
                claim=reading.claim,
            )
        )
