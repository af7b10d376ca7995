"""`text SOURCE`: the text of a page or a file as quotations are compared with it, and where words stand in it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from tracecite_lint.cli.options import (
    FINDINGS,
    OK,
    UsageError,
    add_progress_option,
    add_reach_options,
    add_verbosity_options,
    settings_from,
    wants_color,
)
from tracecite_lint.cli.progress import progress_of
from tracecite_lint.engine.check import Check, fetch_pending
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.files.roots import repository_root
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import Match, find
from tracecite_lint.matching.passages import closest_passages, longest_part
from tracecite_lint.model import (
    Citation,
    Document,
    DocumentKind,
    Shape,
    SourceRef,
    Span,
    Verdict,
    without_added_marks,
)
from tracecite_lint.naming.uris import is_web, public_uri
from tracecite_lint.output.findings import alike
from tracecite_lint.output.passage import legend, marked_passage, wrapped
from tracecite_lint.output.terminal import Style, printable, printable_lines, styled
from tracecite_lint.settings import Settings
from tracecite_lint.sources.files import RECORDS
from tracecite_lint.sources.page import Page

_PASSAGES = 3
_WIDTH = 94
_WHITE_SPACE = regex(r"\s+")
_CONTEXT = 60
"""Characters that are shown on either side of words that were found."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the source, --find and the reach options."""
    parser.add_argument(
        "source", metavar="SOURCE", help="a web address, or a file; a fragment names a part of it"
    )
    parser.add_argument(
        "--find", metavar="WORDS", help="show where these words stand, or the closest passages"
    )
    add_reach_options(parser)
    add_verbosity_options(parser)
    add_progress_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print the text, or where the words stand. Raises UsageError, SettingsError."""
    if args.find is not None and not fold(args.find).text:
        raise UsageError("--find needs words")
    here = Path.cwd()
    asked = _asked(args.source, args.find, here, settings_from(args))
    (citation,) = asked.document.citations
    work_tree = repository_root(here, here)
    reach = asked.settings.reach()
    progress = progress_of(args)
    with open_store(reach, work_tree=work_tree, started=args.started) as store:
        check = Check([asked], store, pages={}, extras=()).look_up()
        fetch_pending(check, store, on_start=progress.start, on_page=progress.page)
        progress.clear()
        page, decision = check.page(asked, citation), check.decision(asked, citation)
    assert decision is not None  # nothing is pending any more
    if page is None or decision.verdict is Verdict.UNVERIFIABLE:
        print(f"{printable(decision.code or '')}: {printable(decision.message)}", file=sys.stderr)
        if decision.help:
            print(f"help: {printable(decision.help)}", file=sys.stderr)
        return FINDINGS
    if page.content_type == RECORDS:
        raise UsageError(f"{args.source} holds records, and their words are not shown")
    if not args.quiet:
        print(_about(page), file=sys.stderr)
    if args.find is None:
        print(printable_lines(_part(page, citation.source.uri)).rstrip("\n"))
        return OK
    source = fold(page.text)
    match = find(source, (args.find,), within=_window(page, citation.source.uri))
    color = wants_color(args.color)
    print(
        *_found(page, match, color=color)
        if match
        else _not_found(page, source, args.find, color=color),
        sep="\n",
    )
    return OK if match is not None else FINDINGS


def _asked(source: str, words: str | None, here: Path, settings: Settings) -> Job:
    """Return the job of looking for *words* in *source*, as if a document in the working directory cited it."""
    uri, root = source, repository_root(here, here)
    path = here / source
    if not is_web(source) and path.exists():
        # The person at the keyboard names it: it may lie anywhere, and have any name.
        uri = quote(path.name.encode("utf-8", "surrogateescape"))
        here = path.parent
        root = root if path.resolve().is_relative_to(root) else path.resolve().parent
    citation = Citation(
        passages=(words or "-",),
        span=Span(1, 1, 1, 1),
        source=SourceRef(uri),
        shape=Shape.NOTE,
    )
    document = Document("", "", DocumentKind.NOTES, (citation,))
    return Job(document=document, location=here / "-", root=root, settings=settings)


def _about(page: Page) -> str:
    """Return one line on what was read."""
    read = f"read {datetime.fromtimestamp(page.fetched_at, UTC):%Y-%m-%d %H:%M} UTC"
    if page.stale:
        read += ", and the server could not be asked again"
    elif page.from_cache:
        read += " (from the cache)"
    size = f"{len(without_added_marks(page.text)):,} characters"
    return printable(
        f"{public_uri(page.final_url)}: {page.content_type or 'no type'}, {size}, {read}"
    )


def _part(page: Page, uri: str) -> str:
    """Return the text that a quotation of *uri* is compared with: of a local file the part that the fragment names."""
    window = _window(page, uri)
    return without_added_marks(page.text if window is None else page.text[slice(*window)])


def _window(page: Page, uri: str) -> tuple[int, int] | None:
    """Return the range of the page's text that a fragment names; None for all of it."""
    fragment = "" if is_web(uri) else uri.partition("#")[2]
    return page.sections.window(fragment, len(page.text)) if fragment else None


def _found(page: Page, match: Match, *, color: bool) -> Iterator[str]:
    """Yield where the words stand, and what it took to find them there."""
    folds = f" (folds: {', '.join(match.folds)})" if match.folds else ""
    yield styled("found", Style.GOOD, color=color) + folds
    for start, end in match.ranges:
        shown = _in_context(page.text, start, end, color=color)
        yield from _shown(_Place(page, start, end), shown, color=color)


def _not_found(page: Page, source: FoldedText, words: str, *, color: bool) -> Iterator[str]:
    """Yield what comes close to the words in the page, whose text is given as *source* too."""
    passages = closest_passages(source, words, _PASSAGES)
    yield styled("not found", Style.ERROR, color=color) + (
        f"; the closest passages, {legend(color=color)}" if passages else ""
    )
    for passage in passages:
        place = _Place(page, passage.start, passage.end, alike(passage.nearest))
        yield from _shown(place, marked_passage(passage.nearest, color=color), color=color)
    if not passages and (part := longest_part(source, words)) is not None:
        yield "the longest part of it that stands there:"
        shown = _in_context(page.text, *part, color=color)
        yield from _shown(_Place(page, *part), shown, color=color)
    elif not passages:
        yield "nothing there comes close"


@dataclass(frozen=True, slots=True)
class _Place:
    """A range of a page's text, for people."""

    page: Page
    start: int
    end: int
    remark: str = ""

    def __str__(self) -> str:
        before = without_added_marks(self.page.text[: self.start])
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        parts = [f"line {line}, column {column}"]
        number = self.page.sections.page_at(self.start)
        if number is not None:
            parts.append(f"page {number}")
        if heading := self._heading():
            parts.append(f"#{heading}")
        return ", ".join([*parts, *filter(None, [self.remark])])

    def _heading(self) -> str:
        """Return the anchor of the smallest part that holds the place; empty if no anchor does."""
        held = [
            (end - start, name)
            for name, (start, end) in self.page.sections.headings.items()
            if start <= self.start < end
        ]
        return min(held)[1] if held else ""


def _in_context(text: str, start: int, end: int, *, color: bool) -> list[tuple[str, Style]]:
    """Return the words of a range, where colours can tell them apart with some of those around them."""
    if not color:
        return [(printable(_one_line(text[start:end])), Style.PLAIN)]
    before = _one_line(text[max(0, start - _CONTEXT) : start])
    after = _one_line(text[end : end + _CONTEXT])
    head = "…" if start > _CONTEXT else ""
    tail = "…" if end + _CONTEXT < len(text) else ""
    runs = [
        (head + before, Style.DIM),
        (_one_line(text[start:end]), Style.PLAIN),
        (after + tail, Style.DIM),
    ]
    return [(printable(words), style) for words, style in runs]


def _one_line(text: str) -> str:
    """Return *text* with each run of white space as one space, at its ends too."""
    return _WHITE_SPACE.sub(" ", without_added_marks(text))


def _shown(place: _Place, runs: list[tuple[str, Style]], *, color: bool) -> Iterator[str]:
    yield f"  {styled(printable(str(place)), Style.BOLD, color=color)}"
    yield from wrapped(runs, "    | ", _WIDTH, color=color)
