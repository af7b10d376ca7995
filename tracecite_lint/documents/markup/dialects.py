"""Marks of the editors that Markdown is written in and that no reader sees: taken out of a text, its places kept.

Obsidian: `[[note|shown]]` is a link, `![[note]]` an embedded note, `==marked==` plain words, `^block-id` an anchor.
Kramdown, Pandoc and Quarto: attribute lists (`{: .class}`, `{#id .class}`), fences of divs (`:::`) and notes that are written
where they are referred to (`^[…]`).
"""

from __future__ import annotations

import re
from bisect import bisect_right

from tracecite_lint.documents.markup.flow import Flow, Link, LinkKind, Mark, Places
from tracecite_lint.light.lazy import regex, replace

_MARKS = regex(
    r"(?P<wiki>!?\[\[(?!\d+\]\])(?P<target>[^\[\]|\n]{1,300})(?:\|(?P<shown>[^\[\]\n]{1,300}))?\]\](?![(\[]))"
    r"|(?P<marked>==(?=\S)(?P<words>[^=\n]{1,1000})(?<=\S)==)"
    r"|(?P<note>\^\[(?P<inner>[^\[\]\n]{1,500})\])"
    r"|(?P<gone>\{(?::|[.#])[^{}\n]{0,200}\}|^[ \t]*:{3,}[^\n]*$|(?<=\s)\^[A-Za-z0-9-]{1,60}[ \t]*$)",
    re.MULTILINE,
)
MAY_HOLD = (regex(r"\[\["), regex("=="), regex(r"\^(?<!\[\^)"), regex(r"\{[:.#]"), regex(":::"))
"""Without one of these a text holds no such mark."""


def without_dialects(flow: Flow) -> Flow:
    """Return *flow* without the marks, and with the links and notes that they stand for."""
    found = [
        match
        for match in _MARKS.finditer(flow.text)
        if not flow.in_code(match.start()) and flow.link_around(*match.span()) is None
    ]
    return _Rewriting(flow, found).flow if found else flow


def _cuts(match: re.Match[str]) -> list[tuple[int, int]]:
    """Return the ranges of a mark that no reader sees."""
    start, end = match.span()
    if match["wiki"] and not match["wiki"].startswith("!"):
        first, last = match.span("shown" if match["shown"] else "target")
        return [(start, first), (last, end)]
    if match["marked"]:
        return [(start, start + 2), (end - 2, end)]
    return [(start, end)]


class _Rewriting:
    """A flow with ranges of its text taken out; whatever stands at a place moves along."""

    def __init__(self, flow: Flow, found: list[re.Match[str]]) -> None:
        self._cut = [cut for match in found for cut in _cuts(match)]
        self._starts = [start for start, _ in self._cut]
        self._gone = [0]
        for start, end in self._cut:
            self._gone.append(self._gone[-1] + end - start)
        self._old = flow
        self.flow = self._rewritten()
        for match in found:
            if match["wiki"]:
                self._link(match)
            elif match["note"]:
                self._note(match)
        self.flow.links.sort(key=lambda link: (link.start, -link.end))
        self.flow.footnotes.sort(key=lambda mark: mark.at)

    def _at(self, offset: int) -> int:
        """Return where the character at *offset* stands now; one that was taken out, where the next one does."""
        index = bisect_right(self._starts, offset)
        if index and offset < self._cut[index - 1][1]:
            offset = self._cut[index - 1][1]
        return offset - self._gone[index]

    def _rewritten(self) -> Flow:
        old = self._old
        pieces: list[str] = []
        places = Places()
        at = 0
        for start, end in [*self._cut, (len(old.text), len(old.text))]:
            pieces.append(old.text[at:start])
            old.places.copy(places, at, start)
            at = end
        return replace(
            old,
            text="".join(pieces),
            places=places,
            facts={},
            links=[
                replace(link, start=self._at(link.start), end=self._at(link.end))
                for link in old.links
                if not self._is_in_note(link)
            ],
            footnotes=[replace(mark, at=self._at(mark.at)) for mark in old.footnotes],
            tags=[replace(mark, at=self._at(mark.at)) for mark in old.tags],
            images=[replace(mark, at=self._at(mark.at)) for mark in old.images],
            codes=[(self._at(start), self._at(end)) for start, end in old.codes],
            emphases=[(self._at(start), self._at(end)) for start, end in old.emphases],
            strongs=[(self._at(start), self._at(end)) for start, end in old.strongs],
        )

    def _is_in_note(self, link: Link) -> bool:
        index = bisect_right(self._starts, link.start) - 1
        return index >= 0 and link.end <= self._cut[index][1] and link.end > link.start

    def _link(self, match: re.Match[str]) -> None:
        start, end = self._old.source_range(*match.span())
        if match["wiki"].startswith("!"):
            self.flow.images.append(Mark(self._at(match.start()), match["target"], start, end))
            return
        first, last = match.span("shown" if match["shown"] else "target")
        url = f"[[{match['target'].strip()}]]"
        link = Link(self._at(first), self._at(last - 1) + 1, url, "", LinkKind.MARKDOWN, start, end)
        self.flow.links.append(link)

    def _note(self, match: re.Match[str]) -> None:
        name = f"^{match.start()}"
        self.flow.notes[name] = list(self._old.links_within(*match.span("inner")))
        start, end = self._old.source_range(*match.span())
        self.flow.footnotes.append(Mark(self._at(match.start()), name, start, end))
