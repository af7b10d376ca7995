"""One run with every verdict, kind of finding and awkward character: what the snapshots are made of."""

from __future__ import annotations

from dataclasses import replace

from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Difference,
    Fix,
    Nearest,
    Severity,
    Shape,
    SourceRef,
    Span,
    Summary,
    TextEdit,
    Verdict,
)

REPORT = """\
# Example domains

They are “maintained for documentation purposes” ([IANA](https://www.iana.org/help/example-domains)).

According to the page, “example domains may be used without permission” ([IANA](https://www.iana.org/help/example-domains)).

文档说“这些域名🌐\t可以用于示例” ([指南](https://example.org/zh)).

> Restart the service [of your choice]
> after every change.
>
> — [guide](guide.md#install)

\x1b[2J\u202eIt “was gone” ([old page](https://example.net/gone?a=1,2:3%25)).

The “agreed plan” ([minutes](https://example.org/minutes)) was [kept][plan].
"""
NOTES = (
    "# 100 % : notes, more\r\n\r\nThey say “one two three” (<https://wiki.example.org/a_b>).\r\n"
)
SECRET = "the merger closes on friday"

IANA = "https://www.iana.org/help/example-domains"
ODD_NAME = "docs/über, 100 %: notes.md"


def span_of(text: str, words: str) -> Span:
    """Return the span of the first occurrence of *words* in *text*."""
    lines = text.replace("\r\n", "\n").split("\n")
    wanted = words.split("\n")
    for index, line in enumerate(lines):
        column = line.find(wanted[0])
        if column < 0:
            continue
        last = index + len(wanted) - 1
        if len(wanted) == 1:
            return Span(index + 1, column + 1, index + 1, column + 1 + len(words))
        return Span(
            index + 1, column + 1, last + 1, lines[last].index(wanted[-1]) + 1 + len(wanted[-1])
        )
    raise ValueError(words)


def citation(text: str, words: str, uri: str, shape: Shape = Shape.INLINE) -> Citation:
    """Return a citation of *words*, which stand in *text*."""
    return Citation(
        passages=(" ".join(words.replace("\n> ", " ").split()),),
        span=span_of(text, words),
        source=SourceRef(uri),
        shape=shape,
    )


VERIFIED = CheckedCitation(
    file="report.md",
    citation=citation(REPORT, "maintained for documentation purposes", IANA),
    verdict=Verdict.VERIFIED,
    folds=("quotation-marks",),
    final_url=IANA,
    fetched_at=1795953600.0,
    from_cache=True,
)
ALTERED = CheckedCitation(
    file="report.md",
    citation=citation(REPORT, "example domains may be used without permission", IANA),
    verdict=Verdict.MISMATCH,
    code="QUOTE_NOT_IN_LIVE_SOURCE",
    final_url=IANA,
    fetched_at=1795953600.0,
)
WIDE = CheckedCitation(
    file="report.md",
    citation=citation(REPORT, "这些域名🌐\t可以用于示例", "https://example.org/zh"),
    verdict=Verdict.MISMATCH,
    code="QUOTE_NOT_IN_LIVE_SOURCE",
    final_url="https://example.org/zh/",
    fetched_at=1795953601.5,
)
BRACKETS = CheckedCitation(
    file="report.md",
    citation=citation(
        REPORT,
        "Restart the service [of your choice]\n> after every change.",
        "guide.md#install",
        Shape.ATTRIBUTION,
    ),
    verdict=Verdict.VERIFIED,
    folds=("white-space", "editorial-brackets"),
    swallowed=("that you \x1b[31mrun",),
)
GONE = CheckedCitation(
    file="report.md",
    citation=citation(REPORT, "was gone", "https://example.net/gone?a=1,2:3%25"),
    verdict=Verdict.UNVERIFIABLE,
    code="HTTP_STATUS_404",
)
ALTERNATIVE = CheckedCitation(
    file="report.md",
    citation=citation(REPORT, "maintained for documentation purposes", "https://example.com/"),
    verdict=Verdict.MISMATCH,
    code="QUOTE_NOT_IN_LIVE_SOURCE",
    alternative=True,
)
SUPPRESSED = CheckedCitation(
    file="report.md",
    citation=citation(REPORT, "agreed plan", "https://example.org/minutes"),
    verdict=Verdict.MISMATCH,
    code="QUOTE_NOT_IN_LIVE_SOURCE",
    suppressed=True,
)
BASELINED = CheckedCitation(
    file=ODD_NAME,
    citation=citation(NOTES, "one two three", "https://wiki.example.org/a_b"),
    verdict=Verdict.UNVERIFIABLE,
    code="SOURCE_BLOCKED",
    suppressed=True,
    baselined=True,
)
PRIVATE = CheckedCitation(
    file="runs/trace.jsonl",
    citation=Citation(
        passages=(SECRET,),
        span=Span(3, 120, 3, 147),
        source=SourceRef("https://example.org/news"),
        shape=Shape.TRACE,
        captured=True,
        private=True,
        record=1,
    ),
    verdict=Verdict.MISMATCH,
    code="QUOTE_NOT_IN_LIVE_SOURCE",
    swallowed=(),
)

DIAGNOSTICS = (
    Diagnostic(
        code="QUOTE_NOT_IN_LIVE_SOURCE",
        message=f"the quotation does not stand in {IANA}",
        span=ALTERED.citation.span,
        file="report.md",
        source=IANA,
        quote=ALTERED.citation.quote,
        nearest=Nearest(
            text="You may use example domains may be used with permission and in literature.",
            similarity=0.9983,
            differences=(
                Difference("equal", "example domains may be used "),
                Difference("delete", "without "),
                Difference("insert", "with\ufdd012\ufdd1 "),
                Difference("equal", "permission"),
            ),
        ),
        elsewhere=("https://example.org/copy", "guide.md"),
        fix=Fix(
            title="Use the source's words",
            replacement="example domains may be used with permission",
            edits=(TextEdit(ALTERED.citation.span, "example domains may be used with permission"),),
        ),
    ),
    Diagnostic(
        code="QUOTE_NOT_IN_LIVE_SOURCE",
        message="the quotation does not stand in the page",
        span=WIDE.citation.span,
        file="report.md",
        source="https://example.org/zh",
        quote=WIDE.citation.quote,
        help="The page was read in Chinese.",
    ),
    Diagnostic(
        code="HTTP_STATUS_404",
        message="404 Not Found:\nhttps://example.net/gone?a=1,2:3%25",
        span=GONE.citation.span,
        file="report.md",
        severity=Severity.WARNING,
        source="https://example.net/gone?a=1,2:3%25",
        quote="was gone",
    ),
    Diagnostic(
        code="UNDEFINED_REFERENCE",
        message="the reference [plan] is defined nowhere",
        span=span_of(REPORT, "[plan]"),
        file="report.md",
        quote="kept",
    ),
    Diagnostic(
        code="UNUSED_SUPPRESSION",
        message="silences nothing",
        span=Span(1, 1, 1, 8),
        file=ODD_NAME,
        severity=Severity.INFO,
    ),
    Diagnostic(
        code="QUOTE_NOT_IN_LIVE_SOURCE:claim-1",
        message="the quotation of claim 1 does not stand in the page",
        span=PRIVATE.citation.span,
        file="runs/trace.jsonl",
        source="https://example.org/news",
        private=True,
        # What a careless producer might leave in; no report may show it.
        quote=SECRET,
        nearest=Nearest(text=SECRET + " at noon", similarity=0.9),
        fix=Fix(title="Use the source's words", replacement=SECRET, edits=()),
    ),
    Diagnostic(
        code="empty_log",
        message="the log is empty",
        span=Span(0, 0, 0, 0),
        file="calls.jsonl",
    ),
)

RESULT = CheckResult(
    citations=(
        VERIFIED,
        ALTERNATIVE,
        ALTERED,
        WIDE,
        BRACKETS,
        GONE,
        SUPPRESSED,
        BASELINED,
        PRIVATE,
    ),
    diagnostics=DIAGNOSTICS,
    summary=Summary(
        files=4,
        sources=8,
        citations=9,
        verified=2,
        mismatch=3,
        unverifiable=1,
        alternative=1,
        unchanged=5,
        suppressed=2,
        baselined=1,
    ),
    texts={"report.md": REPORT, ODD_NAME: NOTES},
    notes=("2 files are not in the change and were not checked",),
    directory="handbook",
)

DUMPED = replace(
    RESULT,
    citations=tuple(
        replace(
            VERIFIED,
            citation=item.citation,
            file=item.file,
            verdict=None,
            folds=(),
            final_url=None,
            fetched_at=None,
            from_cache=False,
        )
        for item in RESULT.citations
    ),
    diagnostics=(),
    summary=Summary(files=3, sources=8, citations=9),
    notes=(),
)

NOTHING_REACHED = CheckResult(
    citations=(replace(GONE, code="NOT_IN_CACHE"),),
    diagnostics=(
        replace(
            DIAGNOSTICS[2], code="NOT_IN_CACHE", message="not in the cache, and the run is offline"
        ),
    ),
    summary=Summary(files=1, sources=1, citations=1, unverifiable=1),
)
