"""docs/matching.md: each example holds, and the list of negations is the one in use."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracecite_lint.matching.editorial import (
    HARMLESS_SYLLABLES,
    NEGATING_SYLLABLES,
    NEGATIONS,
    OMITTED,
)
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find

DOCS = Path(__file__).parents[2] / "docs" / "matching.md"
EXAMPLE = re.compile(r"^\| `(?P<source>.+?)` \| `(?P<quote>.+?)` \| ?(?P<folds>.*?) ?\|$", re.M)


def shown(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)


def examples() -> Iterator[tuple[str, str, tuple[str, ...] | None]]:
    for match in EXAMPLE.finditer(DOCS.read_text(encoding="utf-8")):
        folds = match["folds"]
        names = None if folds == "no match" else tuple(re.findall("`(.+?)`", folds))
        yield shown(match["source"]), shown(match["quote"]), names


@pytest.mark.parametrize(("source", "quote", "folds"), [*examples()])
def test_example_holds(source, quote, folds):
    match = find(fold(source), (quote,))
    assert (None if match is None else match.folds) == folds


def test_every_fold_has_an_example():
    from tracecite_lint.matching.result import FOLDS

    assert {name for _, _, folds in examples() for name in folds or ()} == set(FOLDS)


def test_every_row_is_an_example():
    text = DOCS.read_text(encoding="utf-8")
    assert len(re.findall(r"^\| `", text, re.M)) == len(list(examples())) > 50


def test_all_negations_are_listed():
    text = DOCS.read_text(encoding="utf-8")
    for language, words in (NEGATIONS | NEGATING_SYLLABLES).items():
        assert f"| {language} | {' '.join(words.split())} |" in text
    assert f"but not in {HARMLESS_SYLLABLES}." in text


def test_all_words_that_say_omitted_are_listed():
    assert f"says the same: {OMITTED}." in DOCS.read_text(encoding="utf-8")
