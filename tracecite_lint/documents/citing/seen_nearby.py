"""What stood near a candidate and did not count: the reasons that are given where no rule found anything."""

from __future__ import annotations

from bisect import bisect_left

from tracecite_lint.documents.citing.candidate import Candidate, Table, filled, refusal
from tracecite_lint.documents.citing.lead_ins import before
from tracecite_lint.documents.citing.links import is_source, is_work, work_links
from tracecite_lint.documents.markup.flow import AT, START, Mark

_EAGER = 'citations = "eager" takes it'


def _place(c: Candidate) -> tuple[int, int]:
    """Return the range of the text in which a reference would be the candidate's: to the sentence's end, or a block's last text."""
    if not c.is_block:
        return c.parts[0].trimmed().end, c.sentence[1] + 1
    last = c.parts[-1] if c.parts else None
    return (last.start, last.end + 1) if last is not None else (0, 0)


def _notes(c: Candidate) -> list[Mark]:
    flow = c.parts[-1].flow if c.parts else c.flow
    if not flow.footnotes:
        return []
    start, end = _place(c)
    first = bisect_left(flow.footnotes, start, key=AT)
    return flow.footnotes[first : bisect_left(flow.footnotes, end, first, key=AT)]


@refusal("its footnote names no source", is_remark=True)
def note_without_source(c: Candidate) -> str:
    """The footnote behind it has no link, or is a remark.

    ```markdown
    “The cache is never read again.”[^1]

    [^1]: Jane Smith, in a talk.
    ```
    """
    references, flow = c.reading.references, c.parts[-1].flow if c.parts else c.flow
    for mark in _notes(c):
        if not references.footnotes_at(flow, mark.at, mark.at):
            definition = references.footnotes.get(mark.name.casefold())
            texts = definition.children if definition is not None else []
            why = "is a remark" if any(text.flow.links for text in texts) else "has no link"
            return f"[^{mark.name}] {why}"
    return ""


@refusal("the entry of its number names no source", is_remark=True)
def entry_without_source(c: Candidate) -> str:
    """The entry in the list of works has no link.

    ```markdown
    She called it “a cache that nobody reads” [1].

    ## References

    1. Jane Smith, *A day without a cache*, 2020
    ```
    """
    lists, flow = c.reading.references.lists, c.parts[-1].flow if c.parts else c.flow
    if not lists.unlinked:
        return ""
    start, end = _place(c)
    first = bisect_left(lists.marks(flow), start, key=START)
    for mark in lists.marks(flow)[first : first + 1]:
        written = flow.text[mark.start : mark.end]
        if mark.end <= end and lists.is_unlinked(written):
            return f"{written} has no link"
    return ""


@refusal("the next words of its sentence are linked", is_remark=True)
def linked_next_words(c: Candidate) -> bool:
    """The link right behind is not the name of a source, but what the sentence goes on with.

    ```markdown
    “The cache is never read again” [is a phrase](https://example.org/essay) of those who know it.
    ```
    """
    return c.next_link is not None and not c.between.strip(" \t\n.,;:*_–—-")


@refusal("another quotation stands between it and the link", is_remark=True)
def behind_another(c: Candidate) -> bool:
    """A link follows in the sentence, and a quotation before it takes it.

    ```markdown
    “The cache is never read again” is what everybody says who has worked on it for more than a week or two, while “it is
    read all of the time” stands in the manual ([page](https://example.org/page)).
    ```
    """
    pair = c.flow.pair_behind(c.end)
    return pair is not None and pair.start < c.sentence[1] and c.reading.found(pair) is not None


@refusal("the link stands before it, without a word of saying", is_remark=True)
def link_before(c: Candidate) -> str:
    """A link stands before it in the sentence, with or without a colon, and nothing says that somebody says it; with
    `citations = "eager"` it counts.

    ```markdown
    From [an essay](https://example.org/essay): “The cache is never read again.”
    ```
    """
    links = c.flow.links_before(c.sentence[0], c.start)
    return _EAGER if any(map(is_work, links)) else ""


@refusal("a linked paragraph before it announces nothing", is_remark=True)
def silent_paragraph(c: Candidate) -> str:
    """The paragraph before has a link, but neither a colon nor a verb of saying at its end; with `citations = "eager"` it
    counts.

    ```markdown
    There is [an essay](https://example.org/essay) about this, and it is a long one.

    > The cache is never read again.
    ```
    """
    lead = before(c.block)
    linked = lead is not None and any(map(is_source, lead.flow.links))
    return _EAGER if linked else ""


@refusal("a link in it is part of what is quoted", is_remark=True)
def link_inside(c: Candidate) -> bool:
    """A link stands in the block, but not at its end or beginning as its source.

    ```markdown
    > You can find more in [this essay](https://example.org/essay) about caches.
    ```
    """
    return any(is_source(link) for part in c.parts for link in part.flow.links)


@refusal("it is signed, without a link", is_remark=True)
def signed_without_link(c: Candidate) -> bool:
    """Its last line says who said it, and no link says where.

    ```markdown
    > The cache is never read again.
    >
    > — Jane Smith
    ```
    """
    return not c.ending.sources and c.ending.parts != filled(c.parts)


@refusal("a link elsewhere in the paragraph", is_remark=True)
def link_elsewhere(c: Candidate) -> str:
    """The paragraph has a link, but not in its sentence, or too far from it; with `citations = "eager"` it counts.

    ```markdown
    “The cache is never read again.” He left. There was an answer that many people have read and liked very much since
    then, and it is on [the page of the project](https://example.org/page) today.
    ```
    """
    return _EAGER if work_links(c.flow) else ""


AROUND_WORDS: Table = (
    note_without_source,
    entry_without_source,
    behind_another,
    linked_next_words,
    link_before,
    link_elsewhere,
)
AROUND_BLOCKS: Table = (
    note_without_source,
    entry_without_source,
    signed_without_link,
    link_inside,
    silent_paragraph,
)
