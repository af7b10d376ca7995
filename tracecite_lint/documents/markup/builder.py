"""Writes down the visible text of a block with its places: what Markdown and HTML have in common."""

from __future__ import annotations

from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind, Mark
from tracecite_lint.documents.markup.html_tags import MOST_NESTED, attributes, tag_of


class FlowBuilder:
    """A flow that is being written: its text grows at the end, with the document's range of each piece."""

    def __init__(self) -> None:
        self.flow = Flow()
        self.places = self.flow.places
        self.pieces: list[str] = []
        self._anchors: list[Link] = []

    @property
    def length(self) -> int:
        """How many characters are written."""
        return self.places.length

    def put(self, text: str, start: int, end: int) -> None:
        """Add *text* that is written from *start* to *end* as one thing."""
        self.pieces.append(text)
        self.places.add_as_one(len(text), start, end)

    def link(self, url: str, title: str, kind: LinkKind, start: int, end: int) -> Link:
        """Return a link that begins here."""
        return Link(self.length, self.length, url, title, kind, start, end)

    def tag(self, raw: str, start: int, end: int) -> None:
        """Add an HTML tag: `br` is a line's end, an `a` with an address a link."""
        name, closing = tag_of(raw)
        self.flow.tags.append(Mark(self.length, raw, start, end))
        if name == "br":
            self.put("\n", start, end)
        elif name == "a" and not closing:
            url = attributes(raw).get("href", "")
            self._anchors.append(self.link(url, "", LinkKind.HTML, start, end))
        elif name == "a" and self._anchors:
            link = self._anchors.pop()
            link.end, link.source_end = self.length, end
            if link.url and len(self._anchors) < MOST_NESTED:
                self.flow.links.append(link)

    def finish(self, start: int, end: int) -> Flow:
        """Return the flow of a block that stands from *start* to *end* in the document."""
        flow = self.flow
        flow.text = "".join(self.pieces)
        flow.links.sort(key=lambda link: (link.start, -link.end))
        flow.codes.sort()
        flow.source_start, flow.source_end = start, end
        return flow
