"""Typing in long documents, through a real server: no key is lost, and what is known moves along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_editor import editor, neovim_0_7, neovim_0_11, vs_code
from lsprotocol import types
from tracecite_lsp.positions import UTF_8

SENTENCE = "The old mill stands at the mouth of the river and grinds at ebb tide."
FALSE = SENTENCE.replace("stands", "stood")
WRONG = (7, 500, 993)
"""Which of the thousand quotations do not stand in their source."""
TYPED = "Here somebody goes on.\n\nAnd: "
ENTRY = 5
"""Lines of each quotation with what stands behind it."""


def report() -> str:
    """Return a report of 5,000 lines with a thousand quotations."""
    lines = []
    for number in range(1000):
        words = FALSE if number in WRONG else SENTENCE
        lines += [
            f"{number}: “{words}” ([mills](mills.txt)).",
            "",
            "Nothing is",
            "quoted here.",
            "",
        ]
    return "\n".join(lines)


@pytest.mark.parametrize("editor_kind", [neovim_0_7, neovim_0_11, vs_code])
async def test_a_sentence_is_typed_in_a_long_report(editor_kind: Any, folder: Path):
    (folder / "mills.txt").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(editor_kind(), folder=folder) as ed:
        ed.open(uri, report())
        before = await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"] * 3)
        assert [mark.range.start.line for mark in before] == [ENTRY * number for number in WRONG]
        line, column = ENTRY * 300 + 2, 0
        for letter in TYPED:
            version = ed.type(uri, line, column, letter)
            line, column = (line + 1, 0) if letter == "\n" else (line, column + 1)
        # What was typed in front of the line makes a quotation of the next one: each key is in it.
        version = ed.type(uri, line, column, f"“{FALSE}” ([mills](mills.txt)). ")
        marks = await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"] * 4, version=version)
        at = [(mark.range.start.line, mark.range.start.character) for mark in marks]
        mark = 3 if ed.encoding == UTF_8 else 1
        first, *others = [(ENTRY * number, len(f"{number}: ") + mark) for number in WRONG]
        moved = [(place + TYPED.count("\n"), character) for place, character in others]
        assert at == [first, (line, column + mark), *moved]
        assert column == len("And: ")
        place = types.Position(moved[-1][0], 20)
        hover = await ed.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), place)
        )
        assert hover is not None
        assert "Not in the source" in str(hover.contents)


async def test_records_are_read_again_as_a_whole(folder: Path):
    text = (Path(__file__).parents[2] / "fixtures/traces/failing/trace.jsonl").read_text()
    uri = (folder / "trace.jsonl").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings={"network": "off"}) as ed:
        ed.open(uri, text, "jsonl")
        seen = await ed.publication(uri, lambda params: bool(params.diagnostics))
        before = [(mark.code, mark.range.start.line) for mark in seen.diagnostics]
        for _ in range(3):
            version = ed.type(uri, 0, 0, "\n")
        seen = await ed.publication(uri, lambda params: params.version == version)
        # An empty line is passed over.
        assert [(mark.code, mark.range.start.line - 3) for mark in seen.diagnostics] == before
