"""Measures how the time to read grows with the size of what is read.

    python -m benchmarks.growth [WORD ...] [--size BYTES]

For each reader and kind of input the CPU seconds at a quarter, at half and at all of the size are shown, and the exponent of
the last doubling: 1 is linear, 2 quadratic. Only the kinds whose names hold a WORD are measured. Exit status 1 if an
exponent reaches 1.3 where the time can be told from noise.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from tracecite_lint.calls import audit_calls
from tracecite_lint.changes.git import raw_changes
from tracecite_lint.changes.keys import (
    citation_keys,
    diagnostic_keys,
    familiar_places,
    new_indexes,
)
from tracecite_lint.documents import read_document
from tracecite_lint.documents.vendors.codex_trace import codex_trace
from tracecite_lint.engine.edits import edited
from tracecite_lint.engine.fixes import fixes_by_file
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find
from tracecite_lint.matching.nearest import nearest
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Document,
    Fix,
    Shape,
    SourceRef,
    Span,
    Summary,
    TextEdit,
    Verdict,
)
from tracecite_lint.output import FORMATS, render
from tracecite_lint.settings import parse_toml
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract
from tracecite_lint.sources.page import Sections

LIMIT = 1.3
NOISE = 0.1
"""Seconds below which an exponent says nothing."""

LINK = "[t](http://u.v)"
QUOTE = "“a b c d”"
REFERENCES = "\n\n# References\n\n1. <http://u.v>\n"

Make = Callable[[int], str]


def repeated(piece: str, before: str = "", behind: str = "") -> Make:
    """Return what makes *piece* over and over, `{i}` in it counted, to about a given number of characters."""

    def make(size: int) -> str:
        count = max((size - len(before) - len(behind)) // len(piece), 1)
        numbered = "{i}" in piece
        middle = (
            "".join(piece.replace("{i}", str(i)) for i in range(1, count + 1))
            if numbered
            else piece * count
        )
        return before + middle + behind

    return make


def halves(first: str, second: str, between: str = "") -> Make:
    """Return what makes half of *first* and half of *second*."""
    return lambda size: (
        first * (size // 2 // len(first)) + between + second * (size // 2 // len(second))
    )


def nested(opening: str, middle: str, closing: str) -> Make:
    """Return what makes *middle* in as many levels as there is room for."""

    def make(size: int) -> str:
        depth = max(size // (len(opening) + len(closing)), 1)
        return opening * depth + middle + closing * depth

    return make


def wide_table(size: int) -> str:
    """Return a table of one row and many columns."""
    columns = size // 16
    return f"{'|a' * columns}|\n{'|-' * columns}|\n{('|' + QUOTE) * columns}|\n"


def deeper_and_deeper(size: int) -> str:
    """Return blockquotes of 1 to 30 levels, over and over."""
    return "\n".join(">" * (level % 30 + 1) + "a" for level in range(size // 17))


SILENCED = "<!-- tracecite-disable -->\n\n"
"""With a comment for the linter all running text is read, for its code."""
IN_QUOTED = f"{QUOTE} "
"""So is a paragraph with a quotation."""

MARKDOWN: Mapping[str, Make] = {
    "headings": repeated("# a\n"),
    "setext headings": repeated("a\n===\n"),
    "lists": repeated("- a\n"),
    "nested lists": lambda size: "\n".join(
        "  " * (level % 50) + f"- {QUOTE}" for level in range(size // 60)
    ),
    "items with their source": repeated(f"- {LINK}: {QUOTE}\n"),
    "items below one source": repeated(f"  - {QUOTE}\n", before=f"- {LINK}\n"),
    "definitions": repeated("[a{i}]: http://x\n"),
    "references": repeated(f"{QUOTE} [t][a] ", before="[a]: http://x\n\n"),
    "footnotes": repeated(f"{QUOTE}[^{{i}}].\n\n[^{{i}}]: {LINK}\n\n"),
    "footnote of many quotations": repeated(f"{QUOTE}[^1]. ", behind=f"\n\n[^1]: {LINK}\n"),
    "footnote at the end": repeated(f"{QUOTE} ", behind=f"x[^1].\n\n[^1]: {LINK}\n"),
    "footnote of many links": lambda size: (
        f"{QUOTE}[^1] " * (size // 28) + "\n\n[^1]: " + f"{LINK} " * (size // 32)
    ),
    "footnote that quotes": repeated(f"said {QUOTE}, ", before="[^1]: "),
    "links": repeated(f"{QUOTE} ({LINK}) "),
    "quotations, then links": halves(f"{QUOTE} ", f"{LINK} "),
    "quotations, then anchors": halves(f"{QUOTE} ", "[t](#u) "),
    "quotations, then profiles": halves(f"{QUOTE} ", "[t](https://x.com/a) "),
    "quotations, then tickets": halves(f"{QUOTE} ", "[#12](http://u.v) "),
    "anchors, then quotations": halves("[t](#u) ", f"{QUOTE} "),
    "links over line ends": repeated("[t](http://u.v\n'x') *a* "),
    "images": repeated("![i](u)\n\n"),
    "bare URLs": repeated("http://u.v "),
    "table": repeated(f"| {QUOTE} | {LINK} |\n", before="| a | Source |\n|-|-|\n"),
    "wide table": wide_table,
    "blockquotes": repeated(f"> a b c d\n>\n> — {LINK}\n\n"),
    "blockquote of lines": repeated(f"> “a `b` c d” — {LINK}\n"),
    "nested blockquotes": nested("> ", "a b c", ""),
    "lead-in of many links": repeated(f"{LINK} says ", behind=":\n\n> a b c d\n"),
    "labelled": repeated(f"> Quote: {QUOTE}\n> Source: {LINK}\n\n"),
    "code": repeated("`a` "),
    "HTML attributes": repeated('a="b" ', before="<div ", behind=">x</div>\n"),
    "HTML blocks": repeated('<blockquote cite="http://u.v">a b c d</blockquote>\n'),
    "HTML, nested": nested("<blockquote>\n\n", "a b c", "\n\n</blockquote>\n"),
    "HTML figures": repeated("<figure>a b c</figure>\n"),
    "HTML quotations, nested": nested('a <q cite="http://u.v">', "a b c", "</q>"),
    "HTML links, nested": nested('<a href="http://u.v">', QUOTE, "</a>"),
    "HTML credits": repeated("<cite></p>", before="<blockquote>", behind="</blockquote>\n"),
    "HTML spaces": repeated(" ", before="<blockquote cite='http://u.v'>a", behind="b</blockquote>"),
    "emphasis": repeated("*a **b "),
    "brackets": repeated("[a"),
    "parentheses": repeated("(", before=f"{QUOTE} "),
    "text fragments": repeated("[t](http://u.v#:~:text=a,b) "),
    "numbers": repeated(f"{QUOTE} [1] ", behind=REFERENCES),
    "number at the end": repeated(f"{QUOTE} ", behind=f"[1] {'x ' * 1000}[1]{REFERENCES}"),
    "reference list": repeated("[{i}] http://u.v\n", before="# References\n\n"),
    "front matter": repeated("a: b\n", before="---\n", behind="---\n"),
    "one line": repeated("a "),
    "CR": repeated(f"{QUOTE} ({LINK})\r\r"),
    "CRLF": repeated(f"{QUOTE} ({LINK})\r\n\r\n"),
    "claims": lambda size: (
        "# " + "a " * (size // 4) + "\n\n" + f"{QUOTE} ({LINK})\n\n" * (size // 60)
    ),
    "suppressions": repeated("<!-- tracecite-disable UNASSOCIATED_QUOTE -->\n"),
    "suppressions that stay": halves(
        "<!-- tracecite-disable UNASSOCIATED_QUOTE -->\n",
        "<!-- tracecite-enable NOT_IN_CACHE -->\n",
    ),
    "suppressions before blanks": halves("<!-- tracecite-disable-next-line -->", "\n"),
    "suppressions in one another": repeated("<!-- tracecite-disable ", behind="-->"),
    "quoted headings": repeated(f"# {QUOTE}\n"),
    "quoted setext headings": repeated(f"{QUOTE}\n===\n"),
    "quoted bullets": repeated(f"- {QUOTE}\n"),
    "quoted tasks": repeated(f"- [ ] {QUOTE}\n"),
    "empty headings": repeated("#\n"),
    "headings that are read": repeated("#\n", before=SILENCED),
    "empty bullets": repeated("-\n"),
    "numbered": repeated("1. a\n"),
    "bullets on one line": repeated("- - - - a\n"),
    "deep bullets": lambda size: "- " * (size // 2) + "a\n",
    "paragraphs": repeated("a\n\n"),
    "paragraphs that are read": repeated("a\n\n", before=SILENCED),
    "blockquotes of a word": repeated("> a\n\n"),
    "blockquotes of code": repeated("> `a`\n\n"),
    "blockquotes of one another": repeated("> > > > a\n\n"),
    "blockquotes in lists": repeated("> - > a\n\n"),
    "blockquotes, deeper and deeper": deeper_and_deeper,
    "blockquotes with credits": repeated(f"> {QUOTE}\n— c\n\n"),
    "cells of code": repeated("| `a` | `b` |\n", before="| a | b |\n|-|-|\n"),
    "cells that are read": repeated("|`a`|`b`|\n", before=f"{SILENCED}| a | b |\n|-|-|\n"),
    "rules": repeated("***\n"),
    "fences": repeated("```\n"),
    "comments": repeated("<!-- a -->\n\n"),
    "footnote definitions": repeated("[^{i}]: a\n\n"),
    "definitions with titles": repeated("[a{i}]: u 'x'\n"),
    "HTML paragraphs": repeated("<p>\n\n"),
    "HTML and text": repeated("<details>\n\na\n\n"),
    "HTML cells": repeated(f"<td>{QUOTE}</td>\n"),
    "HTML <q>": repeated("<q>a b c</q> "),
    "HTML anchors": repeated(f"<a href=u>{QUOTE}</a>"),
    "entities for marks": repeated("&ldquo;a b c&rdquo; "),
    "numeric entities for marks": repeated("&#8220;a b c&#8221; "),
    "marks on marks": repeated('"'),
    **{
        f"quoted, then {name}": repeated(piece, before=IN_QUOTED)
        for name, piece in {
            "emphasis": "*a* ",
            "code": "`a` ",
            "line ends": "a\n",
            "tags": "<b>",
            "escapes": "\\* ",
            "entities": "&amp;",
            "images": "![](u) ",
            "autolinks": "<http://u.v> ",
            "bare URLs": "http://u.v ",
            "bare names": "www.u.v ",
            "addresses of mail": "a@b.c ",
            "deletions": "~a~ ",
            "letters": "x",
            "CR": "a\r",
        }.items()
    },
    **{
        f"marks {opening}{closing}": repeated(f"{opening}a b c d{closing} ")
        for opening, closing in ("“”", '""', "„“", "«»", "»«", "「」", "『』", "〝〞", "＂＂", "❝❞")
    },
    **{f"marks {mark} alone": repeated(f" {mark}a") for mark in '“"„«»「『〝＂❝'},
}


def records(*pieces: Callable[[int], object]) -> Make:
    """Return what makes lines of JSON: of each of *pieces* one for a number of items, one for twenty characters."""

    def make(size: int) -> str:
        return "".join(f"{json.dumps(piece(max(size // 20, 1)))}\n" for piece in pieces)

    return make


def lines_of(record: Callable[[int], object]) -> Make:
    """Return what makes as many lines of JSON, each of its number."""
    return lambda size: "".join(f"{json.dumps(record(at))}\n" for at in range(size // 20))


SAID = f"{QUOTE} x. "
CODE = "`a b c d e f`. "


def grounded(count: int) -> object:
    """Return an answer of Gemini with many supports."""
    width = len(SAID.encode())
    supports = [
        {
            "segment": {"startIndex": at * width, "endIndex": (at + 1) * width},
            "groundingChunkIndices": [0],
        }
        for at in range(count)
    ]
    return _gemini([{"text": SAID * count}], supports, 1)


def grounded_parts(count: int) -> object:
    """Return an answer of Gemini in many parts, each with its support."""
    supports = [
        {"segment": {"partIndex": at, "endIndex": 9}, "groundingChunkIndices": [0]}
        for at in range(count)
    ]
    return _gemini([{"text": QUOTE}] * count, supports, 1)


def grounded_in_many(count: int) -> object:
    """Return an answer of Gemini with a support of one range for each of many pages."""
    supports = [{"segment": {"endIndex": 9}, "groundingChunkIndices": [at]} for at in range(count)]
    return _gemini([{"text": SAID}], supports, count)


def _gemini(parts: object, supports: object, pages: int) -> object:
    chunks = [{"web": {"uri": f"https://u.v/{at}"}} for at in range(pages)]
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": parts}, "groundingMetadata": grounding}]}


def annotated(words: str) -> Callable[[int], object]:
    """Return what makes an answer of OpenAI, *words* over and over, each with an annotation."""

    def record(count: int) -> object:
        notes = [
            {
                "type": "url_citation",
                "url": f"https://u.v/{at}",
                "start_index": len(QUOTE) + at * len(words) + 2,
                "end_index": len(QUOTE) + at * len(words) + 5,
            }
            for at in range(count)
        ]
        block = {"type": "output_text", "text": QUOTE + words * count, "annotations": notes}
        return {"output": [{"type": "message", "content": [block]}]}

    return record


def documents(count: int) -> object:
    """Return a response of Anthropic that cites many documents of the same title, each once."""
    given = [
        {"type": "document", "title": "t", "source": {"type": "text", "data": f"a {at}"}}
        for at in range(count)
    ]
    citations = [
        {"cited_text": f"a {at}", "document_index": at, "document_title": "t"}
        for at in range(count)
    ]
    return {
        "request": {"messages": [{"role": "user", "content": given}]},
        "response": {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": "x", "citations": citations}],
        },
    }


def agent_says(text: str) -> Callable[[int], object]:
    """Return what makes a message of Codex, *text* over and over."""
    return lambda count: {
        "type": "item.completed",
        "item": {"type": "agent_message", "text": text * count},
    }


def call(number: int) -> dict[str, object]:
    """Return a call of a model."""
    return {
        "run_id": "r",
        "task_id": f"t{number}",
        "stage": "s",
        "call_id": f"c{number}",
        "model": "m",
        "status": "ok",
        "input_tokens": 1,
        "output_tokens": 1,
    }


def span(number: int) -> dict[str, object]:
    """Return a span of a call, below the one before it, as a line of an OTLP export."""
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
        {"key": "gen_ai.request.model", "value": {"stringValue": "m"}},
    ]
    held = {
        "traceId": "1" * 32,
        "spanId": f"{number + 1:016x}",
        "parentSpanId": f"{number:016x}",
        "name": "chat",
        "attributes": attributes,
    }
    return {"resourceSpans": [{"scopeSpans": [{"spans": [held]}]}]}


STARTED = {"type": "thread.started", "thread_id": "t"}
RESULT = {
    "type": "item.completed",
    "item": {"type": "command_execution", "aggregated_output": "a b c d e"},
}
COMPLETED = {"type": "turn.completed"}


def echo(number: int) -> object:
    """Return a command of Codex that gives the agent's own words back."""
    words = f"a b c d e {number}"
    item = {"type": "command_execution", "command": f"echo {words}", "aggregated_output": words}
    return {"type": "item.completed", "item": item}


SAYS = "It says “a b c d e” [source-1].\n" + "x\n" * 20

RECORDS: Mapping[str, Make] = {
    "supports": records(grounded),
    "supports of parts": records(grounded_parts),
    "supports of one range": records(grounded_in_many),
    "annotations": records(annotated(SAID)),
    "annotations in code": records(annotated(CODE)),
    "documents": records(documents),
    "quotations of results": records(
        lambda _: STARTED, lambda _: RESULT, agent_says("It says “a b c d e”.\n\n")
    ),
    "quotations of written words": lines_of(
        lambda at: agent_says(f"It says “a b c d e {at - 1}”.")(1) if at % 2 else echo(at)
    ),
    "blockquotes of results": records(
        lambda _: STARTED, lambda _: RESULT, agent_says("so:\n\n> a b c d e\n\n")
    ),
    "events": lines_of(lambda at: {"role": "assistant", "content": f"{QUOTE} {at} ({LINK})"}),
    "trace": records(
        lambda _: {"type": "tool_call", "run_id": "r", "call_id": "c", "tool": "t"},
        lambda count: {
            "type": "tool_result",
            "run_id": "r",
            "call_id": "c",
            "ok": True,
            "sources": [
                {"id": f"s{at}", "uri": f"https://u.v/{at}", "title": "t", "content": f"a {at}"}
                for at in range(count)
            ],
        },
        lambda count: {
            "type": "answer",
            "run_id": "r",
            "claims": [
                {"text": "x", "citations": [{"source_id": f"s{at}", "quote": f"a {at}"}]}
                for at in range(count)
            ],
        },
    ),
}

CALLS: Mapping[str, tuple[str, Make]] = {
    "of their own": ("normalized", lines_of(call)),
    "of one id": ("normalized", lines_of(lambda at: {**call(0), "input_tokens": at})),
    "of two of an id": (
        "normalized",
        lines_of(lambda at: {**call(at // 2), "input_tokens": at}),
    ),
    "spans": ("otlp", lines_of(span)),
    "batch": (
        "openai-batch",
        lines_of(lambda at: {"custom_id": f"c{at}", "response": {"status_code": 500}}),
    ),
}

SETTINGS: Mapping[str, Make] = {
    "keys": repeated("a{i} = 1\n"),
    "tables": repeated("[a.b{i}.c]\n"),
    "tables in arrays": repeated("[[a]]\n[[a.b]]\n"),
    "dotted keys": repeated("a.b{i}.c = 1\n"),
    "array": repeated("1,", before="a = [", behind="]"),
    "escapes": repeated("\\n", before='a = "', behind='"'),
    "lines": repeated("\n\\\n", before='a = """', behind='"""'),
}

COMPARED = (
    "footnote of many links",
    "links",
    "text fragments",
    "suppressions that stay",
    "quoted headings",
)
"""The kinds of Markdown of which the keys are compared, as for a commit."""


def _compared(document: Document) -> None:
    path, root = "a.md", Path("/r")
    keys = citation_keys(document, path, root)
    places = [citation.span for citation in document.citations]
    known = familiar_places(places, document.text, [document.text])
    new_indexes(keys, [citation_keys(document, path, root)], known)
    diagnostic_keys(document)


def _keys(make: Make) -> Callable[[int], Callable[[], object]]:
    def prepare(size: int) -> Callable[[], object]:
        document = read_document("a.md", make(size))
        return lambda: _compared(document)

    return prepare


def _raw_diff(size: int) -> Callable[[], object]:
    side = b"1" * 40
    record = b":100644 100644 %b %b M\0%%d.md\0" % (side, side)
    data = b"".join(record % number for number in range(size // 20))
    return lambda: list(raw_changes(data))


def _line_anchors(size: int) -> Callable[[], object]:
    """Return a look at each line of a rendered file whose lines are all empty."""
    lines = size // 4
    sections = Sections(lines=(0,) * lines)
    return lambda: [sections.window(f"L{number}", 9) for number in range(1, lines + 1)]


def many_findings(size: int) -> CheckResult:
    """Return a result with many findings on one line."""
    count = size // 100
    text = f"{QUOTE} " * count
    spans = [Span(1, 10 * at + 2, 1, 10 * at + 9) for at in range(count)]
    return CheckResult(
        citations=tuple(
            CheckedCitation(
                file="a.md",
                citation=Citation(
                    passages=("a b c d",),
                    span=span,
                    source=SourceRef("http://u.v", span),
                    shape=Shape.INLINE,
                ),
                verdict=Verdict.MISMATCH,
                code="QUOTE_NOT_IN_SOURCE",
            )
            for span in spans
        ),
        diagnostics=tuple(
            Diagnostic(
                code="QUOTE_NOT_IN_SOURCE", message="m", span=span, file="a.md", source="http://u.v"
            )
            for span in spans
        ),
        summary=Summary(files=1, sources=1, citations=count, mismatch=count),
        texts={"a.md": text},
    )


def _fixes(size: int) -> Callable[[], object]:
    """Return how fixes of many quotations on one line are put into their document."""
    result = many_findings(10 * size)
    findings = tuple(
        replace(item, fix=Fix("t", "x", (TextEdit(item.span, "x"),))) for item in result.diagnostics
    )

    def mend() -> None:
        (chosen,) = fixes_by_file(findings).values()
        edited(result.texts["a.md"], tuple(edit for fix in chosen for edit in fix.edits))

    return mend


def _page(body: str, content_type: str) -> None:
    with suppress(SourceError):  # A page that costs too much is refused.
        extract(body.encode(), content_type, "http://u.v/")


def _found(page: str, quote: str) -> None:
    folded = fold(page)
    find(folded, [quote])
    nearest(folded, [quote])


def _prepared(make: Make, read: Callable[[str], object]) -> Callable[[int], Callable[[], object]]:
    def prepare(size: int) -> Callable[[], object]:
        text = make(size)
        return lambda: read(text)

    return prepare


def _report(name: str) -> Callable[[int], Callable[[], object]]:
    def prepare(size: int) -> Callable[[], object]:
        result = many_findings(size)
        return lambda: render(name, result)

    return prepare


CASES: Mapping[str, Callable[[int], Callable[[], object]]] = {
    **{
        f"Markdown: {name}": _prepared(make, lambda text: read_document("a.md", text))
        for name, make in MARKDOWN.items()
    },
    "notes": _prepared(
        repeated("claim: a\nquote: b c d\nurl: http://u.v\n\n"),
        lambda text: read_document("a.txt", text),
    ),
    "JSONL": _prepared(
        repeated(
            '{"type":"assistant","message":{"content":[{"type":"text","text":"“a b c d”"}]}}\n'
        ),
        lambda text: read_document("a.jsonl", text),
    ),
    **{
        f"record: {name}": _prepared(make, lambda text: read_document("a.jsonl", text))
        for name, make in RECORDS.items()
    },
    "record: Codex to trace": _prepared(
        records(lambda _: STARTED, lambda _: RESULT, agent_says(SAYS), lambda _: COMPLETED),
        lambda text: list(codex_trace(io.BytesIO(text.encode()))),
    ),
    "record: items of Codex to trace": _prepared(
        lambda size: "".join(
            f"{json.dumps(event)}\n"
            for event in (
                STARTED,
                *[RESULT] * (size // 20),
                agent_says(SAYS)(1),
                COMPLETED,
            )
        ),
        lambda text: list(codex_trace(io.BytesIO(text.encode()))),
    ),
    **{
        f"calls: {name}": _prepared(make, partial(audit_calls, provider=provider))
        for name, (provider, make) in CALLS.items()
    },
    **{
        f"settings: {name}": _prepared(make, lambda text: parse_toml(text.encode()))
        for name, make in SETTINGS.items()
    },
    **{f"keys: {name}": _keys(MARKDOWN[name]) for name in COMPARED},
    "raw diff": _raw_diff,
    "fixes": _fixes,
    "line anchors": _line_anchors,
    "page: HTML": _prepared(repeated("<p>a <b>b</b>\n"), lambda text: _page(text, "text/html")),
    "page: nested HTML": _prepared(
        nested("<div>", "a", "</div>"), lambda text: _page(text, "text/html")
    ),
    "page: text": _prepared(repeated("a b.\n"), lambda text: _page(text, "text/plain")),
    "page: JSON": _prepared(
        repeated('"a b",', before="[", behind='"a"]'), lambda text: _page(text, "application/json")
    ),
    "page: XML": _prepared(
        repeated("<a>b</a>", before="<r>", behind="</r>"),
        lambda text: _page(text, "application/xml"),
    ),
    "match: long quotation": _prepared(
        repeated("one two three four "), lambda text: _found(text, text[:-5] + "x")
    ),
    "match: omissions": _prepared(
        repeated("one two three "), lambda text: _found(text, "one … " * 50 + "x")
    ),
    "match: markers": _prepared(repeated("a[1] "), lambda text: _found(text, "a[1] " * 50 + "x")),
    "match: brackets": _prepared(
        repeated("one two "), lambda text: _found(text, "one [two] " * 50 + "x")
    ),
    **{f"output: {name}": _report(name) for name in FORMATS},
}


def seconds(run: Callable[[], object]) -> float:
    """Return the CPU time of *run*."""
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--size", type=int, default=512 * 1024)
    options = parser.parse_args(arguments)
    bad = 0
    for name, prepare in CASES.items():
        if options.words and not any(word in name for word in options.words):
            continue
        times = [seconds(prepare(options.size // part)) for part in (4, 2, 1)]
        exponent = math.log2(times[2] / times[1]) if times[1] else 0.0
        steep = exponent >= LIMIT and times[2] > NOISE
        bad += steep
        shown = " ".join(f"{value:8.3f}" for value in times)
        print(f"{name:40} {shown}  {exponent:5.2f}{'  STEEP' if steep else ''}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
