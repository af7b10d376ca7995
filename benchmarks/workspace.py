"""A directory to measure in: documents, the caches of the candidates and repositories, all made through command lines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.candidates import Candidate
from benchmarks.measuring import ROOT
from benchmarks.survey import HOSTS

CONFIG = "".join(
    f'[hosts."host{number:02}.survey-readings.org"]\nconcurrency = 32\ninterval = 0\n'
    for number in range(HOSTS)
)
"""Settings without which politeness would decide how long a sweep takes."""


@dataclass(frozen=True)
class Survey:
    """How many pages there are, of how many characters, with how many sentences to quote."""

    pages: int
    size: int
    quotes: int = 12


@dataclass(frozen=True)
class Workspace:
    """What all measurements share: where to write, what is measured, how often, and how much of everything."""

    top: Path
    candidates: Sequence[Candidate]
    rounds: int
    scale: float

    def scaled(self, count: int) -> int:
        """Return *count*, or the share of it that was asked for."""
        return max(1, round(count * self.scale))

    def for_each(self, make: Callable[[Candidate], T]) -> dict[str, T]:
        """Return what *make* makes of each candidate, by name."""
        return {candidate.name: make(candidate) for candidate in self.candidates}

    def documents(self, name: str, survey: Survey, **options: int | bool | Path) -> Path:
        """Return a new folder *name* with documents; *options* are those of `benchmarks.survey`."""
        words = [f"--{key}={value}" for key, value in options.items() if value is not True]
        words += [f"--{key}" for key, value in options.items() if value is True]
        folder = self.top / name
        size = [f"--pages={survey.pages}", f"--size={survey.size}", f"--quotes={survey.quotes}"]
        run([*MODULE, "benchmarks.survey", str(folder), *size, *words], ROOT)
        return folder

    def caches(self, survey: Survey, port: int) -> dict[str, Path]:
        """Return for each candidate a cache that holds all pages of *survey*, filled by a run over one document.

        A cache may not lie in the folder that a run starts in.
        """
        pages = survey.pages
        name = f"{pages}-{survey.size}"
        seed = self.documents(
            f"seed-{name}", survey, citations=pages, files=1, skip=survey.quotes - 1
        )
        (self.top / "lifted.toml").write_text(CONFIG)

        def fill(candidate: Candidate) -> Path:
            cache = self.top / f"cache-{candidate.name}-{name}"
            options = ["-q", f"--config={self.top}/lifted.toml", f"--cache-dir={cache}"]
            run([candidate.tool, *options, *reaching(port), "00000.md"], seed)
            return cache

        return self.for_each(fill)


T = TypeVar("T")

MODULE = [sys.executable, "-m"]


def reaching(port: int) -> list[str]:
    """Return the options that lead every host to a loopback server."""
    return ["--connect-to", f"::127.0.0.1:{port}"]


@contextmanager
def serving(survey: Survey) -> Iterator[int]:
    """Serve the pages of *survey*; give the port."""
    command = [*MODULE, "benchmarks.web", f"--pages={survey.pages}", f"--size={survey.size}"]
    with subprocess.Popen(
        [*command, f"--quotes={survey.quotes}"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        assert process.stdin is not None
        process.stdin.close()


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run *command* and return what it prints; raises CalledProcessError if it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, text=True, stdout=subprocess.PIPE
    )
    return done.stdout


def git(folder: Path, *words: str) -> None:
    """Run git in *folder* as somebody."""
    somebody = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    run(["git", *somebody, *words], folder)
