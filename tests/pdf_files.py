"""PDFs made by hand: each page a list of lines with their place and size."""

from typing import NamedTuple


class Drawn(NamedTuple):
    """A line of text as it is drawn: points from the lower left corner, font size in points."""

    x: float
    y: float
    text: str
    size: float = 12


def pdf(*pages: list[Drawn], encryption: bytes = b"") -> bytes:
    """Return a PDF 1.4 file with the given pages, its text in Helvetica and Windows-1252."""
    tree = 2 * len(pages) + 2
    kids = b" ".join(b"%d 0 R" % (2 * number + 3) for number in range(len(pages)))
    objects = [
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        *(part for number, lines in enumerate(pages) for part in page(number, lines, tree)),
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids),
        b"<</Type/Catalog/Pages %d 0 R>>" % tree,
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(objects), encryption, len(body))
    )


def page(number: int, lines: list[Drawn], tree: int) -> tuple[bytes, bytes]:
    """Return the content stream and the page object of the page with this 0-based *number*."""
    drawn = b"".join(
        b"/F1 %g Tf 1 0 0 1 %g %g Tm (%s) Tj\n" % (line.size, line.x, line.y, escaped(line.text))
        for line in lines
    )
    stream = b"BT\n%sET" % drawn
    return (
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
        b"/Resources<</Font<</F1 1 0 R>>>>>>" % (tree, 2 * number + 2),
    )


def escaped(text: str) -> bytes:
    encoded = text.encode("cp1252")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def paragraph(*lines: str, x: float = 72, y: float = 700) -> list[Drawn]:
    """Return *lines* drawn one below the other."""
    return [Drawn(x, y - 14 * number, line) for number, line in enumerate(lines)]
