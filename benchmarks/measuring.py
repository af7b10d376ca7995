"""Costs of commands: CPU and peak memory of a process with its children, taken in turn so that what else runs meets all of them.

A ratio is the median over the pairs of one round; two commands of one round run right after each other.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent

# What the environment of the one who measures may not decide.
for _name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH"):
    os.environ.pop(_name, None)


@dataclass(frozen=True)
class Command:
    """A command to measure. *before* is called before each run and not counted; *seconds* is what a run may take."""

    arguments: Sequence[str]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], object] | None = None
    statuses: tuple[int, ...] = (0,)
    seconds: float = 600


@dataclass(frozen=True)
class Cost:
    """CPU and wall seconds, and the peak memory of the largest process in MiB."""

    cpu: float
    wall: float
    memory: float


@dataclass(frozen=True)
class Row:
    """A line of the table: what was measured beside what, the targets, and what came out for each candidate."""

    what: str
    beside: str
    target: str
    found: Mapping[str, str]


def cost(command: Command) -> Cost | None:
    """Run *command* once; None if it did not end in its time. Raises SystemExit if it ended with another status."""
    import time

    if command.before is not None:
        command.before()
    start = time.perf_counter()
    process = subprocess.Popen(
        command.arguments,
        cwd=command.folder,
        env={**os.environ, **command.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    late = threading.Timer(command.seconds, process.kill)
    late.start()
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    in_time = late.is_alive()
    late.cancel()
    if not in_time:
        return None
    if process.returncode not in command.statuses:
        message = said.decode(errors="replace")[-2000:]
        raise SystemExit(
            f"{' '.join(command.arguments)} ended with {process.returncode}\n{message}"
        )
    # ru_maxrss is in KiB on Linux, in bytes on macOS (getrusage(2)).
    unit = 1024 if sys.platform == "darwin" else 1
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / unit / 1024)


def in_turn(commands: Mapping[str, Command], rounds: int) -> dict[str, list[Cost | None]]:
    """Return the costs of each command in each round, after a round that does not count."""
    found: dict[str, list[Cost | None]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            if number and found[name] and found[name][-1] is None:
                continue
            one = cost(command)
            if number or one is None:
                found[name].append(one)
    return found


def compare(
    what: str,
    beside: str,
    target: str,
    anchor: Command | Mapping[str, Command],
    commands: Mapping[str, Command],
    rounds: int,
    *,
    elapsed: bool = False,
) -> Row:
    """Measure the *commands* of all candidates beside *anchor*, one for all or one for each; *elapsed*: the time too."""
    anchors = anchor if isinstance(anchor, Mapping) else {"": anchor}
    turn = {("beside", name): command for name, command in anchors.items()}
    turn |= {("own", name): command for name, command in commands.items()}
    found = in_turn({"/".join(key): command for key, command in turn.items()}, rounds)
    cells = {}
    for name in commands:
        base = found[f"beside/{name if isinstance(anchor, Mapping) else ''}"]
        cells[name] = cell(found[f"own/{name}"], base, elapsed=elapsed)
    return Row(what, beside, target, cells)


def cell(own: Sequence[Cost | None], base: Sequence[Cost | None], *, elapsed: bool) -> str:
    """Return the ratio of CPU seconds (and of *elapsed* ones) as text, with the median CPU time and the peak memory."""
    pairs = [(one, other) for one, other in zip(own, base, strict=False) if one and other]
    if not pairs or len(pairs) < len(own):
        return "did not end"
    ratio = statistics.median(one.cpu / other.cpu for one, other in pairs)
    seconds = statistics.median(one.cpu for one, _ in pairs)
    memory = max(one.memory for one, _ in pairs)
    wall = statistics.median(one.wall / other.wall for one, other in pairs)
    ratios = f"{ratio:.1f}×, elapsed {wall:.1f}×" if elapsed else f"{ratio:.1f}×"
    return f"{ratios} ({time_text(seconds)}, {memory:.0f} MiB)"


def time_text(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.0f} s"


def table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return *rows* as a table in Markdown."""
    lines = [
        f"| what | beside | {' | '.join(names)} | has to become |",
        f"| --- | --- |{' --- |' * len(names)} --- |",
    ]
    for row in rows:
        cells = " | ".join(row.found.get(name, "") for name in names)
        lines.append(f"| {row.what} | {row.beside} | {cells} | {row.target} |")
    return "\n".join(lines)
