"""Answers of agents that read with tools: what they quote without a link stands, if anywhere, in a tool's result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tracecite_lint.documents.markdown import parse_markdown
from tracecite_lint.documents.markup.blocks import Block, BlockKind, parse_blocks
from tracecite_lint.documents.markup.lines import Lines
from tracecite_lint.documents.markup.pairs import CLOSING, OPENING, weight
from tracecite_lint.documents.vendors.answer import (
    Annotation,
    Source,
    annotated_quotations,
)
from tracecite_lint.documents.vendors.record import Quotation
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.naming.uris import is_web

TOOL_RESULTS = "captured:tool-results"
"""The source of what cites nothing but the tools' results of its run."""

# What agents put between quotation marks is often a name or a label; a sentence of this many words rarely is.
_FEWEST_WORDS = 4
_CLOSING_MARK = re.compile(rf"\s?[{''.join(sorted(CLOSING))}]")
_BETWEEN = "\n\n"


class Tools:
    """What the tools of a run returned, and what the agent and its user wrote themselves."""

    def __init__(self) -> None:
        self._results: list[str] = []
        self._own: list[str] = []

    def add_result(self, text: str) -> None:
        """Take in what a tool returned."""
        if text:
            self._results.append(text)

    def add_own_words(self, value: JsonValue) -> None:
        """Take in what the user asked or the agent passed to a tool: a string, or an object or array of them."""
        if isinstance(value, str):
            self._own.append(value)
        elif isinstance(value, dict):
            self._own += [item for item in value.values() if isinstance(item, str)]

    def quotations(self, text: str, path: JsonPath) -> Iterator[Quotation]:
        """Yield what the answer *text* quotes: from the web with a link, else from the results so far."""
        for quotation in agent_quotations(text, path):
            if quotation.uri != TOOL_RESULTS:
                yield quotation
            elif self._results:
                yield replace(quotation, captured=self._joined_results, own_words=self._joined_own)

    def _joined_results(self) -> str:
        return _joined(self._results)

    def _joined_own(self) -> str:
        return _joined(self._own)


def agent_quotations(text: str, path: JsonPath) -> Iterator[Quotation]:
    """Yield what the answer *text* quotes, from TOOL_RESULTS unless it gives a link to the web for it."""
    for quotation in annotated_quotations(text, path, _unlinked(text), accept=bool):
        # A link to a file shows where the agent read; what it read there then is in the results.
        yield quotation if is_web(quotation.uri) else replace(quotation, uri=TOOL_RESULTS)


def _joined(texts: list[str]) -> str:
    if len(texts) > 1:
        texts[:] = [_BETWEEN.join(texts)]
    return texts[0] if texts else ""


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
            if is_pair and weight(text[start:end]) >= _FEWEST_WORDS:
                yield _annotation(start - 1, end + 1)
    for block in parse_blocks(text).root.walk():
        if block.kind is BlockKind.BLOCKQUOTE and _is_led_in(block):
            flows = [inner.flow for inner in block.walk() if inner.flow.text]
            if flows:
                yield _annotation(flows[0].source_start, flows[-1].source_end)


def _annotation(start: int, end: int) -> Annotation:
    return Annotation(start, end, (Source(TOOL_RESULTS),), covers=True)


def _is_led_in(block: Block) -> bool:
    before = block.previous()
    return before is not None and before.flow.text.rstrip().endswith((":", "："))
