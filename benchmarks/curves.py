"""Measures how costs grow with what is read, and draws the curves.

    python -m benchmarks.curves measure FILE.json [NAME ...] [--scale SHARE]
    python -m benchmarks.curves draw FILE.json FOLDER

Names: citations, size, lines, pages (default: all). What is measured is kept in FILE.json, from which a picture of each is
drawn as SVG: both axes are logarithmic, so that what grows as fast as its input is a line with the slope of the dashed one.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path

from benchmarks.candidates import Candidate
from benchmarks.commits import HOOK
from benchmarks.measuring import ROOT, Command, cost
from benchmarks.workspace import CONFIG, Survey, Workspace, git, reaching, serving

Curves = dict[str, list[tuple[float, float]]]
"""What was measured, by the name of each curve: amounts and CPU seconds."""

_COLOURS = ("#0b6e99", "#c2410c", "#15803d", "#7e22ce")
_WIDTH, _HEIGHT = 640, 400
_LEFT, _TOP, _RIGHT, _BOTTOM = 70, 44, 200, 56


def citations(space: Workspace) -> Curves:
    """Measure sweeps of 1,000, 10,000 and 100,000 citations of 100 pages of 100 KB, all in the cache."""
    found: Curves = {"never seen": [], "nothing changed": [], "bare loop": []}
    for count in (space.scaled(1000), space.scaled(10_000), space.scaled(100_000)):
        survey = Survey(pages=100, size=100_000, quotes=count // 100 + 2)
        for name, seconds in zip(found, _sweeps(space, f"c{count}", survey, count), strict=True):
            found[name].append((count, seconds))
    return found


def size(space: Workspace) -> Curves:
    """Measure sweeps of 200 citations of 20 pages of 100 KB to 2 MB, in the cache and not."""
    found: Curves = {"never seen": [], "nothing changed": [], "bare loop": [], "cold": []}
    for characters in (100_000, 300_000, 800_000, 1_700_000):  # the last has 2 MB of HTML
        survey = Survey(pages=space.scaled(20), size=characters)
        costs = _sweeps(space, f"s{characters}", survey, 10 * survey.pages, cold=True)
        for name, seconds in zip(found, costs, strict=True):
            found[name].append((characters * 1.18 / 1e6, seconds))
    return found


def lines(space: Workspace) -> Curves:
    """Measure the hook on commits that change 100 to 10,000 lines of a document with a citation on every fifth line."""
    found: Curves = {"the hook": [], "git diff --cached": []}
    pages = Survey(pages=10, size=20_000, quotes=203)
    with serving(pages) as port:
        caches = space.caches(pages, port)
    for changed in (100, 1000, 10_000):
        folder = space.documents(f"lines-{changed}", pages, citations=space.scaled(changed) // 5)
        git(folder, "init", "-q")
        git(folder, "commit", "-q", "--allow-empty", "-m", "begin")
        git(folder, "add", ".")
        [candidate] = space.candidates
        environment = {"TRACECITE_LINT_CACHE_DIR": str(caches[candidate.name])}
        hook = Command([candidate.tool, *HOOK, *reaching(port)], folder, environment)
        diff = Command(["git", "diff", "--cached"], folder)
        for curve, command in zip(found.values(), (hook, diff), strict=True):
            curve.append((changed, _seconds(space, command)))
    return found


def pages(space: Workspace) -> Curves:
    """Measure cold runs over 1 to 16 pages of 100 KB that are fetched at once, ten citations of each."""
    found: Curves = {"CPU": [], "elapsed": []}
    for count in (1, 2, 4, 8, 16):
        survey = Survey(pages=count, size=100_000)
        folder = space.documents(f"pages-{count}", survey, citations=10 * count)
        with serving(survey) as port:
            command = _cold(space, folder, port)
            runs = [run for run in (cost(command) for _ in range(space.rounds)) if run]
        found["CPU"].append((count, min(run.cpu for run in runs)))
        found["elapsed"].append((count, min(run.wall for run in runs)))
    return found


PICTURES: dict[str, tuple[Callable[[Workspace], Curves], str, str]] = {
    "citations": (citations, "Sweeps of more citations", "citations of 100 pages of 100 KB"),
    "size": (size, "Sweeps of larger pages", "MB of HTML a page, 20 pages, 200 citations"),
    "lines": (lines, "Commits of more lines", "lines changed"),
    "pages": (pages, "Cold runs over more pages", "pages fetched at once, of 100 KB"),
}


def _sweeps(
    space: Workspace, name: str, survey: Survey, count: int, *, cold: bool = False
) -> Iterator[float]:
    """Yield the CPU seconds of a sweep that was never made, of the same again, of a bare loop, and of a cold one."""
    plain = space.top / f"{name}.db"
    folder = space.documents(
        f"{name}-documents", survey, citations=count, files=max(1, count // 50), plain=plain
    )
    with serving(survey) as port:
        filled = next(iter(space.caches(survey, port).values()))
        cache = space.top / f"{name}-cache"

        def copied() -> None:
            shutil.rmtree(cache, ignore_errors=True)
            shutil.copytree(filled, cache)

        [candidate] = space.candidates
        arguments = [candidate.tool, "--offline", "-q", *reaching(port), "."]
        environment = {"TRACECITE_LINT_CACHE_DIR": str(cache)}
        sweep = Command(arguments, folder, environment, copied)
        yield _seconds(space, sweep)
        yield _seconds(space, Command(arguments, folder, environment))
        bare = [sys.executable, str(ROOT / "benchmarks/bare_warm.py"), str(plain)]
        yield _seconds(space, Command(bare, space.top))
        if cold:
            yield _seconds(space, _cold(space, folder, port))


def _cold(space: Workspace, folder: Path, port: int) -> Command:
    cache = space.top / "cold-cache"
    (space.top / "lifted.toml").write_text(CONFIG)
    [candidate] = space.candidates
    options = ["-q", f"--config={space.top}/lifted.toml", f"--cache-dir={cache}", *reaching(port)]
    return Command(
        [candidate.tool, *options, "."],
        folder,
        {},
        partial(shutil.rmtree, cache, ignore_errors=True),
    )


def _seconds(space: Workspace, command: Command) -> float:
    """Return the least CPU time of some runs: what else the machine does only adds to it."""
    runs = [cost(command) for _ in range(space.rounds)]
    return min(run.cpu for run in runs if run)


def drawn(curves: Mapping[str, Sequence[tuple[float, float]]], title: str, amount: str) -> str:
    """Return a picture of *curves* as SVG, over an *amount* named below, in seconds."""
    points = [point for curve in curves.values() for point in curve]
    across = _Axis([x for x, _ in points], _LEFT, _WIDTH - _RIGHT)
    up = _Axis([y for _, y in points], _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' font-family="sans-serif" font-size="12"><title>{escape(title)}</title>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    for value in across.ticks():
        x = across.place(value)
        parts.append(_line((x, _TOP), (x, _HEIGHT - _BOTTOM), "#ddd"))
        parts.append(_text(x, _HEIGHT - _BOTTOM + 18, f"{value:,g}", "middle"))
    for value in up.ticks():
        y = up.place(value)
        parts.append(_line((_LEFT, y), (_WIDTH - _RIGHT, y), "#ddd"))
        parts.append(_text(_LEFT - 8, y + 4, f"{value:g} s", "end"))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(_text(middle, _HEIGHT - 14, amount, "middle"))
    parts.append(_proportional(across, up))
    last = []
    for (name, curve), colour in zip(curves.items(), _COLOURS, strict=False):
        places = [(across.place(x), up.place(y)) for x, y in curve]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
        last.append((places[-1][1], f"{name}: {curve[-1][1]:.2g} s", colour))
    parts += _labels(last)
    return "\n".join([*parts, "</svg>\n"])


class _Axis:
    """A logarithmic axis between two places of a picture."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._low = math.log10(min(values)) - 0.05
        self._high = math.log10(max(values)) + 0.05
        self._start, self._end = start, end

    def place(self, value: float) -> float:
        """Return where *value* stands in the picture."""
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Return the round values on the axis: 1, 2, 5 and 10 of each decade, or the decades alone."""
        steps = (1,) if self._high - self._low > 2.5 else (1, 2, 5)
        decades = range(math.floor(self._low), math.ceil(self._high) + 1)
        values = [step * 10.0**decade for decade in decades for step in steps]
        return [value for value in values if self._low <= math.log10(value) <= self._high]

    @property
    def per_decade(self) -> float:
        """The length of a decade."""
        return (self._end - self._start) / (self._high - self._low)


def _proportional(across: _Axis, up: _Axis) -> str:
    """Return a dashed line with the slope of what is in proportion to its input."""
    slope = up.per_decade / across.per_decade
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    length = min(right - _LEFT, (bottom - _TOP) / abs(slope))
    return _line((_LEFT, bottom), (_LEFT + length, bottom + slope * length), "#999", dashed=True)


def _labels(ends: Sequence[tuple[float, str, str]]) -> Iterator[str]:
    """Yield the names of curves beside their ends, moved apart."""
    below = 0.0
    for y, label, colour in sorted(ends):
        below = max(y + 4, below + 16)
        yield _text(_WIDTH - _RIGHT + 10, below, label, "start", colour)


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def _line(
    start: tuple[float, float], end: tuple[float, float], colour: str, *, dashed: bool = False
) -> str:
    dashes = ' stroke-dasharray="4 4"' if dashed else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        f' stroke="{colour}"{dashes}/>'
    )


def main() -> None:
    """Measure, or draw what was measured."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.curves",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    measure = commands.add_parser("measure")
    measure.add_argument("file", type=Path)
    measure.add_argument("names", nargs="*", metavar="NAME")
    measure.add_argument("--scale", type=float, default=1.0, help="a share of all that is read")
    measure.add_argument("--rounds", type=int, default=3)
    draw = commands.add_parser("draw")
    draw.add_argument("file", type=Path)
    draw.add_argument("folder", type=Path)
    args = parser.parse_args()
    if args.command == "draw":
        for name, curves in json.loads(args.file.read_text()).items():
            _, title, amount = PICTURES[name]
            (args.folder / f"growth-{name}.svg").write_text(drawn(curves, title, amount))
        return
    measured = json.loads(args.file.read_text()) if args.file.exists() else {}
    with tempfile.TemporaryDirectory() as directory:
        top = Path(directory)
        (top / "home").mkdir()
        os.environ |= {"HOME": f"{top}/home", "GIT_CONFIG_GLOBAL": os.devnull}
        own = Candidate("this-tree", Path(sys.executable))
        space = Workspace(top, [own], args.rounds, args.scale)
        for name in args.names or PICTURES:
            measured[name] = PICTURES[name][0](space)
            print(name, measured[name], flush=True)
            args.file.write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main()
