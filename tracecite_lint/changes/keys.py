"""What a citation is recognised by from one version of its document to the next: its words and its source, never its line.

Pure: no I/O. docs/hook.md tells the rules to users.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from functools import lru_cache

from tracecite_lint.light.lazy import NamedTuple, regex
from tracecite_lint.matching.fold import fold
from tracecite_lint.model import Asks, Document, DocumentKind, Span, TextDirective
from tracecite_lint.rules.silenced import silenced_lines
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.sources.resolving import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

_LINE_END = regex(r"\r\n|\r|\n")
_PLACE = regex(r"\b(lines?|claims?) \d+", re.IGNORECASE)


class SourceKey(NamedTuple):
    """Where a citation points: `name` is the page's key or the file's path below the root, `local` says which."""

    name: str
    fragment: str
    local: bool


class CitationKey(NamedTuple):
    """All that the verdict of a citation hangs on, but for the content of its source.

    `others` are the sources that the same quotation has besides: if one of them holds it, this citation fails nothing.
    `silenced` are the codes that suppression comments silence where it stands, `captured` stands for what the document
    itself holds of the source.
    """

    passages: tuple[str, ...]
    directives: tuple[TextDirective, ...]
    source: SourceKey
    others: frozenset[SourceKey]
    silenced: frozenset[str]
    captured: Hashable
    options: Hashable
    asks: Asks = Asks.QUOTATION


def citation_keys(
    document: Document, path: str, root: Path, options: Hashable = None
) -> list[CitationKey]:
    """Return the key of each citation of *document*, in their order.

    *path* is the document's, relative to *root* (absolute) with `/`: relative sources are resolved from there, so that
    moving a document makes them others. *options* stands for whatever in the settings of the document can change a verdict.
    """
    sources = [source_key(citation.source.uri, path, root) for citation in document.citations]
    of_quotation: defaultdict[Span, set[SourceKey]] = defaultdict(set)
    for citation, source in zip(document.citations, sources, strict=True):
        of_quotation[citation.span].add(source)
    contents = _captured_contents(document)
    silenced = silenced_lines(document.suppressions)
    return [
        CitationKey(
            tuple(map(_folded, citation.passages)),
            citation.directives,
            source,
            # A source that is taken away makes the citation new: until now another one may have held the words.
            frozenset(of_quotation[citation.span] - {source}),
            silenced.codes(citation.span),
            (citation.captured, contents.get(citation.source.uri)),
            options,
            citation.asks,
        )
        for citation, source in zip(document.citations, sources, strict=True)
    ]


def diagnostic_keys(document: Document) -> list[Hashable]:
    """Return the key of each finding about the form of *document*, in their order; numbers of lines and claims do not count.

    That a document or a record is too large to be read is never old: nobody knows what is new in it.
    """
    silenced = silenced_lines(document.suppressions)
    return [
        # An object that equals nothing but itself.
        object()
        if finding.code == "FILE_TOO_LARGE"
        else (
            finding.code,
            _PLACE.sub(r"\1", finding.message),
            finding.source,
            finding.quote,
            silenced.codes(finding.span),
        )
        for finding in document.diagnostics
    ]


def claim_keys(document: Document) -> list[Hashable]:
    """Return the key of each linked claim of *document*, in their order: its words and its sources as written."""
    return [(item.words, item.sources, item.is_quoted) for item in document.claims]


def new_indexes(
    new: Sequence[Hashable], olds: Iterable[Iterable[Hashable]], familiar: Sequence[bool]
) -> list[int]:
    """Return the positions in *new* of what is new against every one of *olds*, as multisets.

    Of several equal keys those count as old first whose place is *familiar*, then those that stand first.
    """
    left: Counter[Hashable] = Counter()
    # The union of multisets: what any parent had so many times may stand here as often.
    for old in olds:
        left |= Counter(old)
    fresh = []
    # Of a copy and its original the one on a changed line is the copy, whichever stands first.
    for index in sorted(range(len(new)), key=lambda index: not familiar[index]):
        if left[new[index]] > 0:
            left[new[index]] -= 1
        else:
            fresh.append(index)
    return sorted(fresh)


def familiar_places(spans: Iterable[Span], text: str, old_texts: Iterable[str]) -> list[bool]:
    """Tell for each of *spans* whether the line of *text* on which it starts stands in one of *old_texts* as well."""
    known = {line for old in old_texts for line in _LINE_END.split(old)}
    lines = _LINE_END.split(text)
    return [span.line <= len(lines) and lines[span.line - 1] in known for span in spans]


def source_key(uri: str, path: str, root: Path) -> SourceKey:
    """Return the key of the source *uri* as written in the document *path* of the repository *root*.

    What cannot be resolved stands for itself.
    """
    try:
        source = resolve(uri, document=root / path, root=root)
    except SourceError:
        return SourceKey(uri, "", local=False)
    if isinstance(source, WebSource):
        return SourceKey(source.key, source.fragment, local=False)
    name = posixpath.relpath(source.path.as_posix(), root.as_posix())
    return SourceKey(name, source.fragment, local=True)


def _captured_contents(document: Document) -> Mapping[str, Hashable]:
    """Return what a trace or a record holds of its sources, by URI: editing it makes the citations of it new."""
    if document.kind is not DocumentKind.TRACE:
        return document.captured
    from tracecite_lint.trace.captured import captured_digests
    from tracecite_lint.trace.events import TextTrace

    return captured_digests(TextTrace(document.text))


# Both sides of a change hold mostly the same passages.
@lru_cache(maxsize=65_536)
def _folded(passage: str) -> str:
    return fold(passage).text
