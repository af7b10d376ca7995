"""What is read twice as long takes twice the work: no input makes a reader quadratic."""

from __future__ import annotations

import pytest
from work import work

from benchmarks.growth import CASES

SIZE = 3_000
STARTING = 2_000
"""Work that is done once, whatever the size."""


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("match")])
def test_twice_the_input_is_at_most_some_more_than_twice_the_work(name):
    prepare = CASES[name]
    prepare(100)()  # imports
    small, large = work(prepare(SIZE)), work(prepare(2 * SIZE))
    if large > 2.5 * small + STARTING:
        # Some work begins only at a certain size: then how it goes on from there decides.
        assert work(prepare(4 * SIZE)) - large <= 2.5 * (large - small)
