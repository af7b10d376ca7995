"""Measures warm sweeps: all pages are in the cache, the documents never seen, seen, of one long page, or wrong throughout."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.candidates import Candidate
from benchmarks.measuring import ROOT, Command, Row, compare
from benchmarks.workspace import Survey, Workspace, reaching, serving

BARE = "a bare loop: SQLite read and `in`"


def rows(space: Workspace) -> Iterator[Row]:
    """Measure sweeps of 10,000 citations: of 1,000 pages of 100 KB, and of one page of 2 MB."""
    citations, files = space.scaled(10_000), space.scaled(200)
    many = Survey(pages=space.scaled(1000), size=100_000)
    sweep = _Sweep(space, many, citations, files)
    bare = sweep.bare()
    rounds = max(3, space.rounds // 3)
    what = f"{citations:,} citations, {many.pages:,} pages of 100 KB"
    unseen = sweep.commands("right", unseen=True)
    yield compare(
        f"warm sweep, {what}, documents never seen", BARE, "≤ 12×, ≤ 150 MB", bare, unseen, rounds
    )
    again = sweep.commands("right")
    yield compare("the same again, nothing changed", BARE, "≤ 2.5×", bare, again, rounds)
    wrong = sweep.commands("wrong", unseen=True, statuses=(2,), seconds=300)
    yield compare(
        f"{citations:,} mismatches", f"{citations:,} verified", "≤ 3×", unseen, wrong, rounds
    )
    one = Survey(pages=1, size=1_700_000, quotes=citations + 1)  # 2 MB of HTML
    sweep = _Sweep(space, one, citations, files)
    what = f"{citations:,} citations of one 2 MB page"
    yield compare(what, BARE, "≤ 2.5×", sweep.bare(), sweep.commands("right", unseen=True), rounds)


class _Sweep:
    """Documents of a survey, and caches with all of its pages."""

    def __init__(self, space: Workspace, survey: Survey, citations: int, files: int) -> None:
        self._space = space
        with serving(survey) as self._port:
            self._caches = space.caches(survey, self._port)
        name = f"sweep-{survey.pages}"
        self._plain = space.top / f"{name}.db"
        self._folders = {
            "right": space.documents(
                f"{name}-right", survey, citations=citations, files=files, plain=self._plain
            ),
            "wrong": space.documents(
                f"{name}-wrong", survey, citations=citations, files=files, wrong=True
            ),
        }

    def bare(self) -> Command:
        return Command(
            [sys.executable, str(ROOT / "benchmarks/bare_warm.py"), str(self._plain)],
            self._space.top,
        )

    def commands(
        self,
        kind: str,
        *,
        unseen: bool = False,
        statuses: tuple[int, ...] = (0,),
        seconds: float = 600,
    ) -> dict[str, Command]:
        """Return sweeps over the documents of *kind*; if they are to be *unseen*, each with a fresh copy of its cache."""

        def sweep(candidate: Candidate) -> Command:
            filled = self._caches[candidate.name]
            cache = filled.with_name(f"{filled.name}-{kind}")

            def copy() -> None:
                shutil.rmtree(cache, ignore_errors=True)
                shutil.copytree(filled, cache)

            arguments = [candidate.tool, "--offline", "-q", *reaching(self._port), "."]
            environment = {"TRACECITE_LINT_CACHE_DIR": str(cache)}
            before = copy if unseen else None
            folder: Path = self._folders[kind]
            return Command(arguments, folder, environment, before, statuses, seconds)

        return self._space.for_each(sweep)
