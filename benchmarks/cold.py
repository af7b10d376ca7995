"""Measures cold sweeps: nothing is in the cache, and pages come from a loopback server under 20 host names."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import partial

from benchmarks.candidates import Candidate
from benchmarks.measuring import ROOT, Command, Row, compare, cost, time_text
from benchmarks.survey import HOSTS
from benchmarks.workspace import CONFIG, Survey, Workspace, reaching, run, serving

SPACING = 0.25
"""Seconds between two requests to a host by default (docs/settings.md)."""


def rows(space: Workspace) -> Iterator[Row]:
    """Measure sweeps of 1,000 pages of 100 KB without limits and with the default ones, and what the cache keeps."""
    survey = Survey(pages=space.scaled(1000), size=100_000)
    plain = space.top / "cold.db"
    documents = space.documents(
        "cold", survey, citations=10 * survey.pages, files=space.scaled(200), plain=plain
    )
    (space.top / "lifted.toml").write_text(CONFIG)
    with serving(survey) as port:
        bare = Command(
            [sys.executable, str(ROOT / "benchmarks/bare_cold.py"), str(plain), str(port)],
            space.top,
        )

        def sweep(candidate: Candidate, *options: str) -> Command:
            cache = space.top / f"cold-{candidate.name}"
            arguments = [
                candidate.tool,
                "-q",
                f"--cache-dir={cache}",
                *options,
                *reaching(port),
                ".",
            ]
            return Command(
                arguments, documents, {}, partial(shutil.rmtree, cache, ignore_errors=True)
            )

        lifted = space.for_each(lambda one: sweep(one, f"--config={space.top}/lifted.toml"))
        what = f"cold sweep, {survey.pages:,} × 100 KB, limits lifted"
        beside = "bare aiohttp + Lexbor, fetch and extract"
        target = "≤ 5× CPU, ≤ 3.5× elapsed, ≤ 200 MB"
        yield compare(what, beside, target, bare, lifted, max(2, space.rounds // 4), elapsed=True)
        floor = max(1, -(-survey.pages // HOSTS) - 1) * SPACING
        found = {name: _beside_floor(one, floor) for name, one in space.for_each(sweep).items()}
        beside = "the floor that the spacing per host sets"
        yield Row("cold, default limits", beside, "≤ 1.15×", found)
    yield _kept(space)


def _beside_floor(command: Command, floor: float) -> str:
    found = cost(command)
    return f"{found.wall / floor:.2f}× ({time_text(found.wall)})" if found else "did not end"


def _kept(space: Workspace) -> Row:
    """Count the pages that are in the cache after 10,000 of 20 KB were read."""
    survey = Survey(pages=space.scaled(10_000), size=20_000)
    with serving(survey) as port:
        caches = space.caches(survey, port)
    found = {}
    for candidate in space.candidates:
        stats = [candidate.tool, "cache", "stats", f"--cache-dir={caches[candidate.name]}"]
        found[candidate.name] = run(stats, space.top).strip().rpartition(": ")[2]
    return Row(f"{survey.pages:,} pages of 20 KB in the cache", "", "all kept", found)
