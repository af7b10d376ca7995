"""Each rule takes its example, each refusal passes its example over, and docs/citations.md has them all."""

from __future__ import annotations

import pytest
from marked import read
from rules_page import CONTEXTS, PAGE, entries, rewritten

from tracecite_lint.documents.citing.candidate import Refusal, Rule, described, no_source

ENTRIES = [
    pytest.param(title, entry, id=f"{title}-{getattr(entry, 'name', None) or entry.reason}")
    for title, table in CONTEXTS.items()
    for entry in entries(table)
]


@pytest.mark.parametrize(
    ("title", "rule"), [item for item in ENTRIES if isinstance(item.values[1], Rule)]
)
def test_a_rule_takes_its_example(title, rule):
    looks_for, example = described(rule)
    found = read(example, eager="eager" in title).citations

    assert looks_for
    if title != "HTML elements" or rule.name in ("q-element", "cite-attribute", "credit-element"):
        assert rule.name in {item.rule for item in found}


@pytest.mark.parametrize(
    ("title", "refusal"),
    [
        item
        for item in ENTRIES
        if isinstance(item.values[1], Refusal) and "eager" not in item.values[0]
    ],
)
def test_a_refusal_passes_its_example_over(title, refusal):
    looks_for, example = described(refusal)
    document = read(example)

    assert looks_for
    if refusal.reason != "led in by another link":
        assert len(document.citations) == refusal.reason.startswith("another quotation")
        assert refusal.reason in {item.reason.partition(" (")[0] for item in document.passed_over}


def test_without_anything_there_is_no_source():
    (passed_over,) = read(described(no_source)[1]).passed_over

    assert passed_over.reason == no_source.reason


def test_the_page_has_every_rule_in_its_order():
    assert PAGE.read_bytes().decode("utf-8") == rewritten(), (
        "run `python tests/documents/rules_page.py`"
    )


def test_names_and_reasons_are_told_apart():
    names = [item.values[1].name for item in ENTRIES if isinstance(item.values[1], Rule)]
    shared = {"attribution", "trailing-link", "footnote-at-end", "number-at-end"}

    assert {name for name in names if names.count(name) > 1} <= shared | {
        "credit-after",
        "lead-in",
        "link-after",
    }


@pytest.mark.parametrize("quoted", ["“so it was then” ", "> So it was.\n\n"])
def test_what_is_beyond_the_first_thousands_is_told(quoted):
    document = read(quoted * 10_100)

    assert len(document.passed_over) == 10_001
    assert "beyond the first 10,000 of a document" in {item.reason for item in document.passed_over}
