"""The examples of docs/citations.md and docs/suppressions.md are read as these pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from marked import read

from tracecite_lint.model import Shape

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```markdown\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(page: str, heading: str) -> list[str]:
    """Return the Markdown examples under a heading, up to the next one."""
    text = (DOCS / page).read_bytes().decode("utf-8")
    section = re.split(r"^#{2,3} ", text.partition(f"{heading}\n")[2], flags=re.MULTILINE)[0]
    return _BLOCK.findall(section)


SHAPES = [
    shape
    for shape in Shape
    if shape not in {Shape.EAGER, Shape.NOTE, Shape.TRACE, Shape.VENDOR, Shape.CLAIM}
]


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_has_examples_that_are_read_as_it(shape):
    blocks = examples("citations.md", f"### `{shape.value}`")
    expected = {shape, Shape.CALLOUT} if shape is Shape.HTML else {shape}

    assert blocks
    for block in blocks:
        found = read(block).citations
        assert found, block
        assert {item.shape for item in found} <= expected, block


def test_what_is_no_citation_is_none():
    blocks = examples("citations.md", "## What is no citation")

    assert blocks
    for block in blocks:
        assert read(block).citations == (), block


def test_the_interview_has_a_citation_for_each_turn():
    block = examples("citations.md", "### `html`")[-1]

    assert [item.quote for item in read(block).citations] == [
        "Who reads the cache?",
        "Nobody does.",
    ]


def test_examples_of_suppressions_silence_their_quotation():
    blocks = examples("suppressions.md", "# Suppressions") + examples("suppressions.md", "## Forms")

    assert len(blocks) == 2
    for block in blocks:
        document = read(block)
        (suppression,) = document.suppressions
        (citation,) = document.citations
        assert suppression.first_line <= citation.span.line <= suppression.last_line
