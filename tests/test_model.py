"""What a run amounts to: each citation is counted once."""

from __future__ import annotations

from typing import Any

import pytest

from tracecite_lint.model import (
    CheckedCitation,
    Citation,
    Shape,
    SourceRef,
    Span,
    Verdict,
    verdict_counts,
)

CITATION = Citation(
    passages=("some words",), span=Span(1, 1, 1, 10), source=SourceRef("a.txt"), shape=Shape.INLINE
)


@pytest.mark.parametrize(
    ("state", "counted"),
    [
        ({"verdict": Verdict.VERIFIED}, {"verified": 1}),
        ({"verdict": Verdict.MISMATCH}, {"mismatch": 1}),
        ({"verdict": Verdict.UNVERIFIABLE}, {"unverifiable": 1}),
        ({"verdict": Verdict.MISMATCH, "alternative": True}, {"alternative": 1}),
        ({"verdict": Verdict.MISMATCH, "suppressed": True}, {"suppressed": 1}),
        (
            {"verdict": Verdict.MISMATCH, "suppressed": True, "baselined": True},
            {"suppressed": 1, "baselined": 1},
        ),
        ({"verdict": None}, {}),
    ],
)
def test_a_citation_counts_as_what_became_of_it(
    state: dict[str, Any], counted: dict[str, int]
) -> None:
    counts = verdict_counts([CheckedCitation(file="report.md", citation=CITATION, **state)])
    assert {name: count for name, count in counts.items() if count} == counted
