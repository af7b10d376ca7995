"""What is asked and what is answered: a candidate for a citation, the rules and refusals, and the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing.attributions import Ending, attributed
from tracecite_lint.documents.citing.leftovers import Undefined, undefined_at_end, undefined_behind
from tracecite_lint.documents.citing.links import Source, links_behind, source_of
from tracecite_lint.documents.markup.blocks import Block, BlockKind
from tracecite_lint.documents.markup.flow import Flow, Link, Part
from tracecite_lint.documents.markup.pairs import (
    CLOSING,
    FEW,
    OPENING,
    Pair,
    is_sentence,
    is_title,
    weight,
)
from tracecite_lint.light.lazy import dataclass, field
from tracecite_lint.model import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from tracecite_lint.documents.citing.reading import Reading

FEW_WORDS = 5
"""A string of fewer words that is no sentence is a term wherever its source is not right behind it."""
REACH = 80
"""How many characters of running text may stand between a quotation and the parenthesis with its source."""
UNDEFINED = "an undefined reference"
"""The reason of what is reported as UNDEFINED_REFERENCE."""
LONG_TITLE = 20
"""Words of a title where something else says that it is one."""


@dataclass(eq=False)
class Candidate:
    """Something quoted in a document, with what is known of it: each trait is worked out when first asked for, and once.

    `parts` are the quoted paragraphs. Words in marks have a `pair` in the text of `block`; of everything else `block` is the
    blockquote, the table cell or the HTML block in which it begins, and `last_block` the one in which it ends.
    """

    reading: Reading
    block: Block
    parts: list[Part]
    pair: Pair | None = None
    last_block: Block | None = None
    callout: tuple[Flow, int, int] | None = None
    """The title of the callout that it is."""
    attribute: Source | None = None
    """The source that an element's own attribute names."""
    credits: list[Part] = field(default_factory=list)
    """The elements in it that hold a credit."""

    def __post_init__(self) -> None:
        self.flow = self.block.flow
        """The text in which words in marks stand."""
        place = self.pair or Part(
            self.flow, *((self.parts[0].start, self.parts[-1].end) if self.parts else (0, 0))
        )
        self.start = place.start
        """Where the opening mark stands in the flow's text."""
        self.end = place.end
        """Just behind the closing mark."""

    @cached_property
    def has_sources(self) -> bool:
        """The text in which the words stand has a link, a footnote or a number that could be one."""
        flow = self.flow
        return bool(flow.links or flow.footnotes or self.reading.references.lists.marks(flow))

    @cached_property
    def words(self) -> str:
        """The words as a reader sees them."""
        return " ".join(part.text for part in self.parts)

    @cached_property
    def weight(self) -> float:
        """How many words there are."""
        return weight(self.words)

    @property
    def is_short(self) -> bool:
        """Fewer than three words, or eight Han, Kana or Hangul characters."""
        return self.weight < FEW

    @property
    def is_term(self) -> bool:
        """Fewer than five words, and no sentence."""
        return self.weight < FEW_WORDS and not self.is_sentence

    @cached_property
    def is_sentence(self) -> bool:
        """Ends as a sentence does."""
        return is_sentence(self.words)

    @cached_property
    def is_title(self) -> bool:
        """Written like a title."""
        return is_title(self.words)

    @cached_property
    def is_long_title(self) -> bool:
        """Written like a title, which may be long where something else says that it is one."""
        return is_title(self.words.rstrip(".,?!"), LONG_TITLE)

    @cached_property
    def is_linked(self) -> bool:
        """The words are (part of) a link's text: more often the title of what is linked than its words."""
        if not self.flow.links:
            return False
        part = self.parts[0].trimmed()
        return self.flow.link_around(self.start, self.end) is not None or (
            part.start < part.end and self.flow.link_around(part.start, part.end) is not None
        )

    @cached_property
    def next_link(self) -> Link | None:
        """The next link behind words in marks that may be their source, if it is near."""
        return next(links_behind(self.flow, self.end, 2 * REACH, sentence=self.is_sentence), None)

    @cached_property
    def between(self) -> str:
        """The text up to that link."""
        return self.flow.text[self.end : self.next_link.start] if self.next_link else ""

    @cached_property
    def sentence(self) -> tuple[int, int]:
        """The range of the sentence that the words in marks stand in."""
        return self.flow.sentence(self.start, self.end)

    @property
    def has_link_in_sentence(self) -> bool:
        """A link stands in the sentence of the words in marks, or right behind them."""
        if self.pair is None:
            return False
        start, end = self.sentence
        return self.next_link is not None or any(
            link.start < end and link.end > start for link in self.flow.links
        )

    @cached_property
    def leading_link(self) -> Link | None:
        """The link that the entry, callout or section begins with in which the candidate stands."""
        return self.reading.leading_link(self.block)

    @cached_property
    def next_number(self) -> tuple[int, list[Source]]:
        """Where the next number in brackets behind words in marks stands, and the sources of all that stand there."""
        return self.reading.references.next_number(self.flow, self.end)

    @cached_property
    def ending(self) -> Ending:
        """Of a block: its paragraphs without the attribution at their end, and the source that this names."""
        return attributed(self.parts, self.reading.references)

    @cached_property
    def undefined(self) -> Undefined | None:
        """The reference right behind words in marks, or at the end of a block, that nothing defines."""
        references = self.reading.references
        if not self.is_block:
            return undefined_behind(self.flow, self.end, references)
        last = self.ending.parts[-1].trimmed() if self.ending.parts else None
        if last is None or last.start >= last.end:
            return None
        return undefined_at_end(last.flow, last.start, last.end, references)

    @cached_property
    def item(self) -> Block | None:
        """The list item that its text is a paragraph of."""
        parent = self.block.parent
        return parent if parent is not None and parent.kind is BlockKind.ITEM else None

    @property
    def is_block(self) -> bool:
        """It is a blockquote, a callout or an HTML element, not words in marks or in a cell."""
        return self.block.kind in (BlockKind.BLOCKQUOTE, BlockKind.HTML) and self.pair is None

    def hit(self, sources: list[Source]) -> Hit:
        """Return *sources* as those of the words: of a block without its attribution."""
        return Hit(sources, self.ending.parts if self.is_block else None)

    @cached_property
    def parenthesis(self) -> tuple[int, Link] | None:
        """The next parenthesis behind words in marks that begins with a link, alone or behind a label: its place, the link."""
        text = self.flow.text
        for link in links_behind(self.flow, self.end, 2 * REACH, sentence=self.is_sentence):
            opening = max(text.rfind(mark, self.end, link.start) for mark in "(（[［【")
            if opening != -1 and vocabulary.is_label(text[opening + 1 : link.start]):
                return opening, link
        return None


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found: the sources, and the quoted words where they are not just those of the candidate."""

    sources: list[Source]
    parts: list[Part] | None = None


Answer: TypeAlias = Hit | Link | list[Source] | None
"""What a rule says: the sources, or the link that is the only one."""
"""What a rule says: the sources, or the link that is the only one."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason for which something quoted is no citation: what it looks for and an example stand in `holds`'s docstring."""

    reason: str
    holds: Callable[[Candidate], bool | str]
    """It may say in a few words what it saw."""
    is_counted: bool = True
    """Somebody may have meant a quotation: it is among those that have no source in reach."""
    is_remark: bool = False
    """It only tells what stands nearby: another reason goes before it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A way in which a source is given; what it looks for and an example stand in `find`'s docstring.

    What it finds does not count where one of `unless` holds.
    """

    name: str
    shape: Shape
    find: Callable[[Candidate], Answer]
    unless: tuple[Refusal, ...] = ()
    beyond: bool = False
    """It looks beyond the text in which words in marks stand: asked also where that has no link and no reference."""


def rule(
    shape: Shape, *unless: Refusal, beyond: bool = False
) -> Callable[[Callable[[Candidate], Answer]], Rule]:
    """Make a rule of a function that finds the sources of a candidate; its name is that of the function."""
    return lambda find: Rule(find.__name__.replace("_", "-"), shape, find, unless, beyond)


def refusal(
    reason: str, *, is_counted: bool = True, is_remark: bool = False
) -> Callable[[Callable[[Candidate], bool | str]], Refusal]:
    """Make a refusal of a function that tells whether it holds for a candidate."""
    return lambda holds: Refusal(reason, holds, is_counted, is_remark)


def described(entry: Rule | Refusal) -> tuple[str, str]:
    """Return what a rule or a refusal looks for, and an example in Markdown (docs/citations.md)."""
    from inspect import cleandoc  # for docs/citations.md alone

    function = entry.find if isinstance(entry, Rule) else entry.holds
    looks_for, _, example = cleandoc(function.__doc__ or "").partition("\n\n```markdown\n")
    return " ".join(looks_for.split()), example.removesuffix("\n```")


@dataclass(frozen=True, slots=True)
class Found:
    """The candidate is a citation of these sources, by this rule."""

    rule: Rule
    hit: Hit


@dataclass(frozen=True, slots=True)
class Refused:
    """The candidate is none, for this reason."""

    refusal: Refusal
    seen: str = ""

    @property
    def reason(self) -> str:
        """The reason, with what was seen."""
        return f"{self.refusal.reason} ({self.seen})" if self.seen else self.refusal.reason


Outcome: TypeAlias = Found | Refused
Table: TypeAlias = Sequence[Rule | Refusal]


@refusal("no source in reach")
def no_source(_: Candidate) -> bool:
    """Nothing of all this: no link, footnote or reference stands where a source is looked for.

    ```markdown
    One engineer called it “the most expensive typo in the history of the company”.
    ```
    """
    return True


@refusal("beyond the first 10,000 of a document")
def too_many(_: Candidate) -> bool:
    """A document with more is not read by anybody, and takes no more time than one with so many."""
    return False


def decide(candidate: Candidate, table: Table) -> Outcome:
    """Ask the rules and refusals of *table* in their order; the first one that answers decides.

    A rule whose find is refused leaves its reason, which holds if no later rule finds anything.
    """
    reason = no_source
    near = candidate.pair is None or candidate.has_sources
    for entry in table:
        if isinstance(entry, Refusal):
            if entry.is_remark and reason is not no_source:
                break
            if seen := entry.holds(candidate):
                return Refused(entry, "" if seen is True else seen)
        elif (near or entry.beyond) and (answer := entry.find(candidate)):
            hit = _hit(answer)
            refusal = next((item for item in entry.unless if item.holds(candidate)), None)
            if refusal is None and hit.sources:
                return Found(entry, hit)
            reason = refusal if refusal and hit.sources and reason is no_source else reason
    return Refused(reason)


def _hit(answer: Hit | Link | list[Source]) -> Hit:
    if isinstance(answer, Link):
        answer = [source_of(answer)]
    return answer if isinstance(answer, Hit) else Hit(answer)


def without_quotation_marks(parts: Sequence[Part]) -> list[Part]:
    """Return the paragraphs of a quotation without the quotation marks around them.

    A quotation of several paragraphs opens each with a mark and closes only the last.
    """
    bare = filled(parts)
    if not bare:
        return []
    first = bare[0].flow.text[bare[0].start]
    end = bare[-1]
    if first in OPENING and end.flow.text[end.end - 1] in ":;," and end.end - end.start > 1:
        end = Part(end.flow, end.start, end.end - 1)  # `> “so”:`
    last = end.flow.text[end.end - 1]
    if first not in OPENING or last not in CLOSING | {first}:
        return bare
    if len(bare) == 1 and not _is_one_pair(end):
        return bare
    bare[-1] = Part(end.flow, end.start, end.end - 1)
    return filled(
        Part(part.flow, part.start + (part.flow.text[part.start] == first), part.end)
        for part in bare
    )


def filled(parts: Iterable[Part]) -> list[Part]:
    """Return *parts* without white space at their ends, and none that is nothing else."""
    return [part for part in (part.trimmed() for part in parts) if part.start < part.end]


def _is_one_pair(part: Part) -> bool:
    """Tell whether the marks at both ends are a pair, or the same one twice with no other between: `“so“`."""
    pair = part.flow.pair_ending_at(part.end)
    if pair is not None and pair.start == part.start:
        return True
    text = part.flow.text[part.start : part.end]
    return text[0] == text[-1] and not (OPENING | CLOSING) & set(text[1:-1])
