"""What people read: lines with carets, marked passages, the summary."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from output_sample import ALTERED, GONE, IANA, RESULT, VERIFIED

from tracecite_lint.model import (
    CheckResult,
    Diagnostic,
    Difference,
    Nearest,
    Severity,
    Span,
    Summary,
    Verdict,
    verdict_counts,
)
from tracecite_lint.output import render
from tracecite_lint.output.passage import marked_passage, plain_passage, wrapped
from tracecite_lint.output.snippet import WIDTH, document_lines, snippet
from tracecite_lint.output.statistics import statistics
from tracecite_lint.output.summary import counts_line, summary_lines
from tracecite_lint.output.terminal import Style, columns, cut, printable, printable_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain “text”, 文字, e\u0301", "plain “text”, 文字, e\u0301"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\x9b31m", "\\x9b31m"),
        ("a\r\nb\tc", "a\\r\\nb\\tc"),
        ("\u202e\u2066\u061c", "\\u202e\\u2066\\u061c"),
        ("soft\u00adhyphen\u200b\ufeff", "soft\\xadhyphen\\u200b\\ufeff"),
        ("\u2028\u2029\x85", "\\u2028\\u2029\\x85"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
        ("word\ufdd012\ufdd1", "word12"),
        ("👩\u200d👧 نمی\u200cخواهم", "👩\u200d👧 نمی\u200cخواهم"),
    ],
)
def test_printable_escapes_what_could_steer_a_terminal(text, expected):
    assert printable(text) == expected


def test_printable_lines_keep_their_line_feeds():
    assert printable_lines("a\x07\nb\r") == "a\\x07\nb\\r"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("文字", 4),
        ("ｆｕｌｌ", 8),
        ("한글", 4),
        ("\u1112\u1161\u11ab", 2),
        ("नमस्ते", 4),
        ("👍🏽", 2),
        ("👩\u200d👩\u200d👧", 2),
        ("🇫🇷", 2),
        ("❤\ufe0f", 2),
        ("“…”", 3),
    ],
)
def test_columns_are_those_of_a_terminal(text, width):
    assert columns(text) == width


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [("short", 5, "short"), ("shorter", 5, "shor…"), ("文字文字", 5, "文字…"), ("ab cd", 4, "ab…")],
)
def test_cut_keeps_to_the_limit(text, limit, expected):
    assert cut(text, limit) == expected
    assert columns(expected) <= limit


def words_above_carets(text, span):
    """Return what stands above the carets of each marked line of a snippet, by terminal columns."""
    shown = snippet(document_lines(text), span, Style.ERROR, color=False)
    bodies = [line.partition("|")[2].removeprefix(" ") for line in shown[1:]]
    found = []
    for line, carets in pairwise(bodies):
        if carets.strip() and not carets.strip(" ^"):
            start, end = carets.index("^"), len(carets)
            ends = [columns(line[: index + 1]) for index in range(len(line))]
            found.append(
                "".join(char for char, at in zip(line, ends, strict=True) if start < at <= end)
            )
    return found


LONG = "x" * 300


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("say “one two” now", Span(1, 6, 1, 13), ["one two"]),
        ("文档说“这些域名” 。", Span(1, 5, 1, 9), ["这些域名"]),
        ("\t1.\t“a\tb” c", Span(1, 6, 1, 9), ["a  b"]),
        ("e\u0301te\u0301 “cafe\u0301” x", Span(1, 8, 1, 13), ["cafe\u0301"]),
        ("👩\u200d👧 ❤\ufe0f “so 👍🏽” x", Span(1, 9, 1, 14), ["so 👍🏽"]),
        ("\x1b[31m “red” x", Span(1, 8, 1, 11), ["red"]),
        ("> one two\r\n>   three\r\n> four five", Span(1, 3, 3, 7), ["one two", "three", "four"]),
        ("a\rb “c”\r", Span(2, 4, 2, 5), ["c"]),
        ("at the end ", Span(1, 12, 1, 12), [""]),
        (f"{LONG} “the words” {LONG}", Span(1, 303, 1, 312), ["the words"]),
        (f"“the words” {LONG}", Span(1, 2, 1, 11), ["the words"]),
        (f"{LONG} “the words”", Span(1, 303, 1, 312), ["the words"]),
        ("文" * 200 + "“字”" + "文" * 200, Span(1, 202, 1, 203), ["字"]),
        (f"{LONG * 9} “the words” {LONG * 9}", Span(1, 2703, 1, 2712), ["the words"]),
        ("\u0301" * 900 + "“w” x", Span(1, 902, 1, 903), ["w"]),
        ("x" + "文" * 200 + "“字”" + "文" * 200, Span(1, 203, 1, 204), ["字"]),
    ],
)
def test_carets_stand_below_the_words(text, span, expected):
    assert words_above_carets(text, span) == expected


@pytest.mark.parametrize("text", [f"{LONG} “w” {LONG}", "文" * 300, "x" + "文" * 300, "\t" * 90])
@pytest.mark.parametrize("column", [1, 2, 60, 90])
def test_long_lines_are_cut(text, column):
    lines = snippet(document_lines(text), Span(1, column, 1, column + 1), Style.ERROR, color=False)

    assert all(columns(line) <= len("1 | ") + WIDTH + 2 for line in lines)
    assert "…" in lines[1]


def test_a_line_of_a_megabyte_is_not_looked_at_as_a_whole():
    looked_at = []

    class Line(str):
        def __getitem__(self, key):
            part = str.__getitem__(self, key)
            looked_at.append(len(part))
            return part

    line = Line("word " * 200_000)
    shown = snippet([line], Span(1, 500_001, 1, 500_005), Style.ERROR, color=False)

    assert "word" in shown[1]
    assert sum(looked_at) < 1000


def test_the_middle_of_a_long_quotation_is_left_out():
    text = "\n".join(f"> line {number}" for number in range(1, 31))

    lines = snippet(document_lines(text), Span(1, 3, 30, 10), Style.ERROR, color=False)

    assert [line for line in lines if "line" in line] == [
        " 1 | > line 1",
        " 2 | > line 2",
        " 3 | > line 3",
        "30 | > line 30",
    ]
    assert "   | …" in lines


@pytest.mark.parametrize("span", [Span(0, 0, 0, 0), Span(9, 1, 9, 4), Span(1, 1, 9, 4)])
def test_a_span_outside_of_the_document_shows_no_lines(span):
    assert snippet(["one"], span, Style.ERROR, color=False) == []


def test_a_column_outside_of_its_line_is_no_error():
    assert snippet(["one"], Span(1, 90, 1, 99), Style.ERROR, color=False)[-1] == "  |    ^"


PASSAGE = Nearest(
    text="It is not permitted",
    similarity=0.9,
    differences=(
        Difference("equal", "It is "),
        Difference("insert", "not "),
        Difference("delete", "\x1b[1m"),
        Difference("equal", "permitted"),
    ),
)


def test_differences_are_marked_as_wdiff_does():
    assert plain_passage(PASSAGE) == "It is [-\\x1b[1m-]{+not+} permitted"


def test_differences_are_coloured_instead_where_there_is_colour():
    runs = marked_passage(PASSAGE, color=True)

    assert "".join(text for text, _ in runs) == "It is \\x1b[1mnot permitted"
    assert ("not", Style.ONLY_IN_SOURCE) in runs


def test_a_difference_of_white_space_alone_is_visible():
    nearest = Nearest(
        "ab", 0.9, (Difference("equal", "a"), Difference("delete", " "), Difference("equal", "b"))
    )

    assert plain_passage(nearest) == "a[- -]b"


def test_long_agreement_between_differences_is_shortened():
    words = "lorem ipsum " * 40
    nearest = Nearest(
        "",
        0.9,
        (
            Difference("equal", words),
            Difference("insert", "new "),
            Difference("equal", words),
            Difference("delete", "old"),
        ),
    )

    shown = plain_passage(nearest)

    assert len(shown) < 240
    assert shown.startswith("… ") and "{+new+}" in shown and shown.endswith("[-old-]")
    assert set(re.findall(r"\w+", shown)) == {"lorem", "ipsum", "new", "old"}


@pytest.mark.parametrize("text", ["word " * 40, "文字" * 90, "x" * 250])
def test_passages_are_wrapped_by_columns(text):
    lines = wrapped([(text, Style.PLAIN)], "    ", 40, color=False)

    assert len(lines) > 1
    assert all(columns(line) <= 44 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def run(*verdicts: Verdict, **counts: int) -> CheckResult:
    """Return a run over two documents, with a quotation of one source for each of *verdicts*."""
    citations = tuple(
        replace(
            VERIFIED,
            citation=replace(VERIFIED.citation, span=Span(line, 1, line, 9)),
            verdict=verdict,
        )
        for line, verdict in enumerate(verdicts, 1)
    )
    summary = Summary(files=2, citations=len(citations), **verdict_counts(citations))
    return CheckResult(citations=citations, summary=replace(summary, **counts))


@pytest.mark.parametrize(
    ("result", "first"),
    [
        (
            run(*[Verdict.UNVERIFIABLE] * 14),
            "0 of 14 quotations could be checked: nothing is known about them",
        ),
        (
            run(*[Verdict.VERIFIED] * 12, *[Verdict.UNVERIFIABLE] * 2),
            "2 of 14 quotations could not be checked",
        ),
        (
            run(Verdict.VERIFIED),
            "1 quotation in 2 files: 1 verified, 0 mismatched, 0 unverifiable",
        ),
        (run(unchanged=5), "nothing to check: no citations that are new"),
        (run(), "nothing to check: no citations"),
    ],
)
def test_the_summary_never_reads_better_than_the_run_was(result, first):
    summary = result.summary
    lines = summary_lines(result)

    assert lines[0] == first
    assert f"{summary.verified} verified, {summary.mismatch} mismatched, " in lines[-1]
    assert ("5 unchanged left out" in lines[-1]) is (summary.unchanged == 5)


@pytest.mark.parametrize(
    ("outcomes", "counted"),
    [
        (["verified", "alternative"], "1 verified, 0 mismatched, 0 unverifiable"),
        (["verified", "verified"], "1 verified, 0 mismatched, 0 unverifiable"),
        (["unverifiable", "mismatch"], "0 verified, 1 mismatched, 0 unverifiable"),
        (["suppressed", "unverifiable"], "0 verified, 0 mismatched, 1 unverifiable"),
        (["suppressed", "suppressed"], "0 verified, 0 mismatched, 0 unverifiable, 1 suppressed"),
    ],
)
def test_a_quotation_with_two_sources_is_counted_once(outcomes, counted):
    both = tuple(
        replace(
            VERIFIED,
            verdict=Verdict(outcome) if outcome in list(Verdict) else Verdict.MISMATCH,
            alternative=outcome == "alternative",
            suppressed=outcome == "suppressed",
        )
        for outcome in outcomes
    )

    line = counts_line(CheckResult(citations=both, summary=Summary(files=1, citations=2)))

    assert line == f"1 quotation in 1 file, 1 with a second source: {counted}"


@pytest.mark.parametrize(
    ("captured", "verdict", "expected"),
    [
        (True, Verdict.VERIFIED, "1 captured and live"),
        (True, Verdict.MISMATCH, "1 captured only"),
        (False, Verdict.VERIFIED, "1 live only"),
        (False, Verdict.MISMATCH, "1 neither captured nor live"),
        (True, Verdict.UNVERIFIABLE, "1 captured, live source not read"),
        (False, Verdict.UNVERIFIABLE, "1 not captured, live source not read"),
    ],
)
def test_the_evidence_of_a_trace_is_told_apart(captured, verdict, expected):
    item = replace(
        VERIFIED,
        citation=replace(VERIFIED.citation, captured=captured, private=True),
        verdict=verdict,
    )

    assert f"evidence of traces: {expected}\n" in render("concise", CheckResult(citations=(item,)))


def test_statistics_count_codes_and_not_claims_hosts_and_files():
    assert statistics(RESULT) == (
        "3  QUOTE_NOT_IN_LIVE_SOURCE  The quotation does not stand in the web page it cites\n"
        "1  HTTP_STATUS_404           The source answered with an HTTP error status\n"
        "1  UNDEFINED_REFERENCE       The quotation points at a reference that is defined nowhere in the document\n"
        "1  UNUSED_SUPPRESSION        A suppression comment that silences nothing\n"
        "1  empty_log                 The call log is empty\n"
        "\n"
        "by host:\n"
        "  2  example.org\n"
        "  1  example.net\n"
        "  1  iana.org\n"
        "\n"
        "by file:\n"
        "  4  report.md\n"
        "  1  calls.jsonl\n"
        "  1  docs/über, 100 %: notes.md\n"
        "  1  runs/trace.jsonl\n"
    )


def test_statistics_of_nothing_are_empty():
    assert statistics(CheckResult()) == ""


@pytest.mark.parametrize("name", ["full", "concise", "grouped"])
@pytest.mark.parametrize(
    ("verbosity", "findings", "summary", "verified"),
    [
        (-2, False, False, False),
        (-1, True, False, False),
        (0, True, True, False),
        (1, True, True, True),
    ],
)
def test_verbosity(name, verbosity, findings, summary, verified):
    report = render(name, RESULT, verbosity=verbosity)

    assert ("UNDEFINED_REFERENCE" in report) is findings
    assert ("8 quotations" in report) is summary
    assert (f"verified {IANA}" in report) is verified
    assert (report == "") is (verbosity == -2)


def test_what_to_do_is_said_once():
    one = Diagnostic(
        code="HTTP_STATUS_404",
        message="gone",
        span=GONE.citation.span,
        file="a.md",
        severity=Severity.WARNING,
    )
    own = replace(one, help="Try the archive.")

    report = render("full", CheckResult(diagnostics=(one, one, own, own)))

    assert report.count("Open the link.") == 1
    assert report.count("Try the archive.") == 1


def test_similarity_is_never_rounded_up_to_the_whole():
    finding = Diagnostic(
        code="QUOTE_NOT_IN_LIVE_SOURCE",
        message="no",
        span=ALTERED.citation.span,
        nearest=Nearest("x", 0.99999),
    )

    assert "99 % alike" in render("full", CheckResult(diagnostics=(finding,)))


def test_names_of_files_cannot_steer_a_terminal():
    finding = Diagnostic(
        code="FILE_NOT_FOUND", message="no", span=Span(1, 1, 1, 1), file="a\x1b[2J\n.md"
    )

    assert render("concise", CheckResult(diagnostics=(finding,))).startswith(
        "a\\x1b[2J\\n.md:1:1: "
    )
