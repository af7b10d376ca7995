"""How much of an attack suite runs: a seeded sample in the ordinary run, all of it under `pytest -m exhaustive`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def sample(cases: Sequence[Case], amount: int) -> list[Case]:
    """Return *amount* of *cases*, always the same ones, in their order."""
    chosen = sorted(random.Random(12).sample(range(len(cases)), min(amount, len(cases))))
    return [cases[index] for index in chosen]


def sample_and_all(name: str, cases: Sequence[Case], amount: int) -> pytest.MarkDecorator:
    """Run a test over *amount* of *cases*, its argument *name*, and over all of them by hand."""
    return pytest.mark.parametrize(
        name,
        [
            pytest.param(sample(cases, amount), id="sample"),
            pytest.param(cases, id="all", marks=pytest.mark.exhaustive),
        ],
    )
