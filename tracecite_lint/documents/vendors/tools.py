"""Answers of agents that read with tools: what they quote without a link stands, if anywhere, in a tool's result."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import inf

from tracecite_lint.documents.markdown import parse_markdown
from tracecite_lint.documents.markup.blocks import Block, BlockKind, parse_blocks
from tracecite_lint.documents.markup.pairs import CLOSING, OPENING, weight
from tracecite_lint.documents.vendors.answer import annotated_quotations
from tracecite_lint.documents.vendors.own_words import plain_words
from tracecite_lint.documents.vendors.record import Quotation
from tracecite_lint.documents.vendors.reference_marks import Annotation, RecordSource
from tracecite_lint.documents.vendors.tool_output import APART, views
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.light.lazy import dataclass, regex, replace
from tracecite_lint.naming.uris import is_web
from tracecite_lint.text.lines import Lines

TOOL_RESULTS = "captured:tool-results"
"""The source of what cites nothing but the tools' results of its run."""

# What agents put between quotation marks is often a name or a label; a sentence of this many words rarely is.
FEWEST_WORDS = 4
_CLOSING_MARK = regex(rf"\s?[{''.join(sorted(CLOSING))}]")
_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class _Event:
    """One event of a run that has words. `at` is its place among them; `asked` are plain words that it may only repeat."""

    at: int
    text: str
    asked: str = ""


class _Events:
    """Events of one kind, in their order, searched for plain words all at once: a run has thousands of them."""

    def __init__(self) -> None:
        self.all: list[_Event] = []
        self._words = ""
        self._starts: list[int] = []

    def __contains__(self, words: str) -> bool:
        """Tell whether one of the events has the plain *words*."""
        self._join()
        return words in self._words

    def holding(self, wanted: Sequence[str]) -> Iterator[_Event]:
        """Yield the events that hold each of the plain words *wanted*, in their order."""
        self._join()
        longest = max(wanted, key=len)
        found = self._words.find(longest)
        while found >= 0:
            index = bisect_right(self._starts, found) - 1
            start, end = self._starts[index], self._starts[index + 1]
            if all(self._words.find(words, start, end) >= 0 for words in wanted):
                yield self.all[index]
            found = self._words.find(longest, end)

    def _join(self) -> None:
        if len(self._starts) != len(self.all) + 1:
            texts = [plain_words(event.text) for event in self.all]
            self._words = "".join(texts)
            self._starts = list(accumulate(map(len, texts), initial=0))


class Tools:
    """What the tools of a run read, and what the agent and its user wrote themselves, in the order of the record.

    Words are their writer's who had them first: what a tool returned after the agent had written it is no source for it,
    while what the agent writes down after it was read stays one (docs/vendors.md, "Whose words").
    """

    def __init__(self) -> None:
        self._reads, self._untouched = _Events(), _Events()
        self._written, self._filed, self._told = _Events(), _Events(), _Events()
        self._shown: list[str] = []
        self._events = 0
        self._joined: tuple[int, str] = (0, "")
        self._returned = self._is_cut = False

    def add_result(
        self,
        text: str,
        *,
        asked: Iterable[str] = (),
        is_search: bool = False,
        untouched: bool = False,
        is_cut: bool = False,
    ) -> None:
        """Take in what a tool returned.

        *asked* are arguments that this very result may repeat; *is_search* tells that its lines may begin as those of
        `grep -n`; *untouched* that it read a file which the agent has not written to; *is_cut* that it is not whole.
        """
        self._returned |= is_cut or bool(text)
        self._is_cut |= is_cut
        if not text:
            return
        shown = APART.join(views(text, is_search=is_search))
        self._shown.append(shown)
        asked = tuple(asked)
        self.add_told(asked)
        repeated = plain_words("\n".join(asked)) if asked else ""
        self._add(self._untouched if untouched else self._reads, shown, repeated)

    def add_own_result(self, text: str) -> None:
        """Take in what a tool returned of something that the agent has written in words which the record does not hold."""
        self._returned = True
        self.add_own_words([text])

    def add_own_words(self, texts: Iterable[str], *, to_a_file: bool = False) -> None:
        """Take in what the agent passed to a tool, which later results may give back: any, or those that read the file."""
        self._add(self._filed if to_a_file else self._written, " ".join(texts))

    def add_told(self, texts: Iterable[str]) -> None:
        """Take in what no tool gives back: what the user or the harness told the agent, and what it searched for."""
        for text in texts:
            self._add(self._told, text)

    def _add(self, events: _Events, text: str, asked: str = "") -> None:
        self._events += 1
        events.all.append(_Event(self._events, text, asked))

    def quotations(self, text: str, path: JsonPath) -> Iterator[Quotation]:
        """Yield what the answer *text* quotes: from the web with a link, else from the results of the run."""
        for quotation in agent_quotations(text, path):
            if quotation.uri != TOOL_RESULTS:
                yield quotation
            elif self._returned:
                yield replace(
                    quotation,
                    captured=self._text,
                    is_own=partial(self._is_own, quotation.passages),
                    is_cut=lambda: self._is_cut,
                )

    def _text(self) -> str:
        """Return all that was read."""
        if self._joined[0] != len(self._shown):
            self._joined = (len(self._shown), _BETWEEN.join(self._shown))
        return self._joined[1]

    def _is_own(self, passages: Sequence[str]) -> bool:
        """Tell whether *passages* are words of the agent or its user that no tool had read before."""
        wanted = [words for words in map(plain_words, passages) if words.strip()]
        unread = (self._written, self._filed, self._told)
        if not wanted or not all(any(words in each for each in unread) for words in wanted):
            return False
        # Few words, as "release date", stand in a command by chance.
        is_long = sum(map(weight, passages)) >= FEWEST_WORDS
        written, filed = (
            next((event.at for event in events.holding(wanted) if is_long), inf)
            for events in (self._written, self._filed)
        )

        def are_read(reads: _Events, before: float) -> bool:
            for read in reads.holding(wanted):
                if read.at > before:
                    return False
                if not (is_long and all(words in read.asked for words in wanted)):
                    return True
            return False

        return not (
            are_read(self._reads, min(written, filed)) or are_read(self._untouched, written)
        )


def agent_quotations(text: str, path: JsonPath) -> Iterator[Quotation]:
    """Yield what the answer *text* quotes, from TOOL_RESULTS unless it gives a link to the web for it."""
    for quotation in annotated_quotations(text, path, _unlinked(text), accept=bool):
        if quotation.answer:
            yield quotation
            continue
        # A link to a file shows where the agent read; what it read there then is in the results.
        yield quotation if is_web(quotation.uri) else replace(quotation, uri=TOOL_RESULTS)


def _unlinked(text: str) -> Iterator[Annotation]:
    """Yield the ranges of the quotations in *text* that have no source of their own, their marks included."""
    lines = Lines(text)
    for finding in parse_markdown("", text).diagnostics:
        if finding.code == "UNASSOCIATED_QUOTE":
            start = lines.offset(finding.span.line, finding.span.column)
            end = lines.offset(finding.span.end_line, finding.span.end_column)
            # French marks stand apart from the words.
            opening = text[max(start - 2, 0) : start].rstrip()[-1:]
            closing = _CLOSING_MARK.match(text, end)
            is_pair = opening in OPENING and closing is not None
            if is_pair and weight(text[start:end]) >= FEWEST_WORDS:
                yield _annotation(start - 1, end + 1)
    for block in parse_blocks(text).blocks:
        if block.kind is BlockKind.BLOCKQUOTE and _is_led_in(block):
            flows = [inner.flow for inner in block.walk() if inner.flow.text]
            if flows:
                yield _annotation(flows[0].source_start, flows[-1].source_end)


def _annotation(start: int, end: int) -> Annotation:
    return Annotation(start, end, (RecordSource(TOOL_RESULTS),), covers=True)


def _is_led_in(block: Block) -> bool:
    before = block.previous()
    return before is not None and before.flow.text.rstrip().endswith((":", "："))
