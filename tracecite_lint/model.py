"""The values that every part of tracecite-lint passes on: no I/O, no clock, no behaviour beyond themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from tracecite_lint.light.lazy import dataclass, field, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Extraction wraps a superscript number or letter (a reference marker such as <sup>12</sup>) in these two
# Unicode noncharacters, so that matching can tell "word¹²" from "word12" (docs/matching.md, reference markers).
# They never come from a page: extraction drops any that a page holds, and `without_added_marks` takes them out again.
MARKER_START = "\ufdd0"
MARKER_END = "\ufdd1"
# Likewise where a browser draws a quotation mark that the page does not hold (<q>), and before white space that parts
# the tokens of a formula, which people write with spaces or without: `x = 2`, `x=2`.
DRAWN_QUOTE = "\ufdd2"
SOFT_SPACE = "\ufdd3"

MARKS = MARKER_START + MARKER_END + DRAWN_QUOTE + SOFT_SPACE
_MARKS = regex(f"[{MARKS}]+")


def without_added_marks(text: str) -> str:
    """Return *text* as it stands in its source, without the marks that extraction adds."""
    return text if text.isascii() else _MARKS.sub("", text)


class Verdict(StrEnum):
    """What is known of one citation (docs/verdicts.md)."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"
    UNVERIFIABLE = "unverifiable"


class Severity(StrEnum):
    """How a diagnostic counts: an error fails the run, a warning and a hint do not."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Shape(StrEnum):
    """How a citation is written down in its document (docs/citations.md)."""

    LABELLED = "labelled"
    LEAD_IN = "lead-in"
    INLINE = "inline"
    ATTRIBUTION = "attribution"
    TRAILING_LINK = "trailing-link"
    SOURCE_AFTER = "source-after"
    FOOTNOTE = "footnote"
    NUMERIC = "numeric"
    TEXT_FRAGMENT = "text-fragment"
    LIST_TITLE = "list-title"
    CALLOUT = "callout"
    TABLE = "table"
    HTML = "html"
    EAGER = "eager"
    NOTE = "note"
    TRACE = "trace"
    VENDOR = "vendor"
    CLAIM = "claim"


class Asks(StrEnum):
    """What is looked for in the source of a citation (docs/claims.md)."""

    QUOTATION = "quotation"
    SOURCE = "source"
    """That it can be read at all."""
    FIGURES = "figures"
    YEARS = "figures and years"
    DATES = "figures and dates"
    TITLE = "title"

    @property
    def are_figures(self) -> bool:
        """Whether figures are looked for."""
        return self in (Asks.FIGURES, Asks.YEARS, Asks.DATES)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of a document.

    Lines and columns are 1-based, columns count Unicode characters (code points), the end is exclusive. A line
    ends at LF, CRLF or CR.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class TextDirective:
    """One `text=` directive of a URL fragment: percent-decoded parts, as the Text Fragments draft (WICG) names them."""

    start: str
    end: str | None = None
    prefix: str | None = None
    suffix: str | None = None


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A source as a document names it: the URI as written there (Markdown decoded), not yet resolved or judged."""

    uri: str
    span: Span | None = None
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One quotation with one source.

    `passages` holds the quoted words as a reader sees them (markup resolved, entities decoded, marks taken off); several
    when the quotation has several paragraphs, which must stand in the source in this order. `span` is the range of the
    quotation's text without its marks. Two citations with the same `span` are one quotation with two sources.
    """

    passages: tuple[str, ...]
    span: Span
    source: SourceRef
    shape: Shape
    rule: str = ""
    """The name of the rule that found the source (docs/citations.md)."""
    directives: tuple[TextDirective, ...] = ()
    """Not empty for a text fragment: the source is then searched for these, under the rules of text fragments."""
    claim: str = ""
    """The nearest heading (reports), the claim (notes, traces)."""
    captured: bool | None = None
    """Traces only: whether the quotation stands byte for byte in the trace's own content."""
    private: bool = False
    """From a trace: nothing of its words may be printed."""
    record: int | None = None
    """JSONL only: the 1-based index of the claim in its answer."""
    line: int = 0
    """Where the older commands report the citation (1-based); 0 means `span.line`."""
    asks: Asks = Asks.QUOTATION
    """What the source is asked for: of a linked claim, `passages` holds its sentence, without what is quoted in it."""

    @property
    def quote(self) -> str:
        """The whole quotation, its paragraphs separated by an empty line."""
        return "\n\n".join(self.passages)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace the text in `span` by `new_text`."""

    span: Span
    new_text: str


class Applicability(StrEnum):
    """Whether a fix may be made unseen: a safe one leaves the document's words, numbers and negations as they are."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a diagnostic: `replacement` is what a person reads, `edits` what a program applies."""

    title: str
    replacement: str
    edits: tuple[TextEdit, ...]
    applicability: Applicability = Applicability.SAFE

    @property
    def is_safe(self) -> bool:
        """Whether it may be made unseen."""
        return self.applicability is Applicability.SAFE


class DifferenceKind(StrEnum):
    """What keeps a quotation from standing in its source (docs/verdicts.md); the first two fail nothing."""

    CASE = "case"
    PUNCTUATION = "punctuation"
    NUMBER = "number"
    NEGATION = "negation"
    SIGN = "sign"
    WORD = "word"
    ORDER = "order"
    PART_OF_WORD = "part-of-word"
    NOTHING_ALIKE = "nothing-alike"


@dataclass(frozen=True, slots=True)
class Difference:
    """One run of a word diff between a quotation and a source passage; `op` is `equal`, `insert` (only in the source) or
    `delete` (only in the quotation). Concatenating the texts of `equal` and `insert` gives the source passage."""

    op: str
    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage of a source that comes closest to a quotation; `similarity` runs from 0 to 1 and never decides a verdict."""

    text: str
    similarity: float
    differences: tuple[Difference, ...] = ()
    suggestion: str = ""
    """What to write in the quotation's place, which the source does hold; empty where there is nothing to offer."""
    is_safe: bool = False
    """The suggestion has the quotation's words, numbers and negations, all of them and in their order."""


_NO_SPAN = Span(0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding, at one place of one document. `code` is one of rules.RULES, or has one as its part before a `:`.

    The place is given as a `span`, or as a `line` alone, as those of the protocol are; raises TypeError without either.
    """

    code: str
    message: str
    span: Span = _NO_SPAN
    line: int = -1
    """The 1-based line on which the finding starts."""
    file: str = ""
    """Relative to the working directory, with `/`."""
    severity: Severity = Severity.ERROR
    help: str = ""
    source: str = ""
    """The URI as written, if the finding is about one."""
    nearest: Nearest | None = None
    elsewhere: tuple[str, ...] = ()
    """Other sources of the same document that do hold the quotation."""
    fix: Fix | None = None
    quote: str = ""
    """The words in question; empty when they are private."""
    private: bool = False
    """The document's own lines may not be printed either."""

    def __post_init__(self) -> None:
        if self.span is not _NO_SPAN:
            object.__setattr__(self, "line", self.span.line)
        elif self.line < 0:
            raise TypeError("a Diagnostic needs a span or a line")
        else:
            object.__setattr__(self, "span", Span(self.line, 1, self.line, 1))

    def to_json(self) -> dict[str, object]:
        """Return the three fields of a protocol diagnostic: line, code, message (docs/traces.md)."""
        return {"line": self.line, "code": self.code, "message": self.message}


class DocumentKind(StrEnum):
    """What a document is read as."""

    MARKDOWN = "markdown"
    NOTES = "notes"
    TRACE = "trace"
    VENDOR = "vendor"
    CALLS = "calls"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Suppression:
    """One suppression comment, with the 1-based lines for which it silences `codes` (empty: all codes).

    `first_line` to `last_line` is inclusive. `span` is where the comment stands.
    """

    codes: tuple[str, ...]
    first_line: int
    last_line: int
    span: Span
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Something quoted that is no citation: its place, and for which reason (docs/citations.md)."""

    span: Span
    reason: str
    file: str = ""
    """Relative to the working directory, with `/`; empty in a document."""
    counted: bool = False
    """Somebody may have meant a quotation, so that it is one of those without a source; said of the results of a run alone."""


@dataclass(frozen=True, slots=True)
class LinkedClaim:
    """A sentence that names a source: its words without what is quoted, its place, its sources as written."""

    words: str
    span: Span
    sources: tuple[str, ...]
    is_quoted: bool = False
    """A quotation stands in it, or its source is that of one."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: its citations in the order of their spans, and what is wrong with its form.

    `path` is shown to people and matched against settings; `text` is the decoded text, with its line ends kept.
    """

    path: str
    text: str
    kind: DocumentKind
    citations: tuple[Citation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    suppressions: tuple[Suppression, ...] = field(default=())
    passed_over: tuple[PassedOver, ...] = ()
    """What is quoted in it and is no citation (Markdown only)."""
    claims: tuple[LinkedClaim, ...] = ()
    """Its linked claims, with a quotation or without (Markdown only)."""
    is_uncited: bool = False
    """It has links and not a single citation (Markdown only)."""
    private: bool = False
    """A trace or a vendor record: no line of it may be printed."""
    captured: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)
    """Records only: what the document itself holds of the sources that can be read nowhere else, by their URI."""
    cut: frozenset[str] = frozenset()
    """The URIs of `captured` of which the document says itself that it holds a part only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """A citation after the check. `verdict` is None where nothing was looked up (`--dump`)."""

    file: str
    citation: Citation
    verdict: Verdict | None = None
    code: str | None = None
    """Why it is not verified."""
    folds: tuple[str, ...] = ()
    """The folds the match needed, by the names of docs/matching.md."""
    swallowed: tuple[str, ...] = ()
    """What editorial brackets stood for in the source."""
    final_url: str | None = None
    fetched_at: float | None = None
    """Seconds since the epoch."""
    from_cache: bool = False
    stale: bool = False
    """The page was past its TTL and could not be revalidated."""
    page: int | None = None
    """The 1-based page of a PDF on which the quotation was found."""
    around: tuple[str, str] | None = None
    """Verified only: what stands in the source right before and right after the quotation (surroundings.words_around)."""
    alternative: bool = False
    """Another source of the same quotation holds it: this one fails nothing."""
    suppressed: bool = False
    """A suppression comment or the baseline silences it."""
    baselined: bool = False
    """It is the baseline that does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCounts:
    """The linked claims of one run: each counts once, as quoted, as one with figures, or as one that is not checkable."""

    linked: int = 0
    quoted: int = 0
    asked: tuple[str, ...] = ()
    """What was asked of them besides: `sources`, `figures`, `titles`."""
    figures: int = 0
    """How many without a quotation have figures that were looked for; `stand` + `missing` + `unread`."""
    stand: int = 0
    missing: int = 0
    unread: int = 0
    titles: int = 0
    """Links that are nothing but a title; `titles_missing` of them are not those of their pages."""
    titles_missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The counts of one run. verified + mismatch + unverifiable + alternative + suppressed = citations."""

    files: int = 0
    sources: int = 0
    citations: int = 0
    verified: int = 0
    mismatch: int = 0
    unverifiable: int = 0
    alternative: int = 0
    unchanged: int = 0
    suppressed: int = 0
    baselined: int = 0
    """How many of the suppressed ones the baseline silences."""
    passed_over: int = 0
    """Quotations that have no source in reach (UNASSOCIATED_QUOTE): those of CheckResult.passed_over that are counted."""
    uncited: int = 0
    """Documents that have links and not a single citation."""
    claims: ClaimCounts = field(default_factory=ClaimCounts)


def verdict_counts(citations: Iterable[CheckedCitation]) -> dict[str, Any]:
    """Return the fields of Summary that are counted from *citations*: each citation in one of them, but for `baselined`."""
    counts = dict.fromkeys((*Verdict, "alternative", "suppressed", "baselined"), 0)
    for item in citations:
        if item.suppressed:
            counts["suppressed"] += 1
            counts["baselined"] += item.baselined
        elif item.alternative:
            counts["alternative"] += 1
        elif item.verdict is not None:
            counts[item.verdict] += 1
    return {str(name): count for name, count in counts.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """All that one run found out. `texts` holds the text of each document that may be shown, by its path."""

    citations: tuple[CheckedCitation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    summary: Summary = field(default_factory=Summary)
    texts: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[CheckedCitation, ...] = ()
    """The linked claims whose sources were asked for something (`--claims`): apart from what is quoted."""
    passed_over: tuple[PassedOver, ...] = ()
    """What is quoted in the documents and is no citation, whether somebody may have meant a quotation or not."""
    notes: tuple[str, ...] = ()
    """What the user should know beside the findings: skipped files, a check in full, stale pages."""
    directory: str = ""
    """The working directory below the repository root, with `/`: empty at the root and outside of git."""

    @property
    def checked(self) -> tuple[CheckedCitation, ...]:
        """All that was asked of sources: quotations, then claims."""
        return (*self.citations, *self.claims)
