"""Measures the time of folding, loading, finding and suggesting on one page.

    python -m benchmarks.matching [FILE] [--size CHARACTERS] [--repeat N]

FILE is a text; without it one is made up, with typography, line breaks and reference markers. Times are CPU milliseconds, the
best of N runs, for a page of the given size.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FoldedText
from tracecite_lint.matching.match import find
from tracecite_lint.matching.nearest import nearest

SEPARATORS = [" "] * 40 + [", ", ".\n\n", " — ", "’s ", " “", "” ", "\n", "[12] ", ";\u00a0", "…"]


def made_up_text(size: int) -> str:
    """Return *size* characters of words and typography, always the same."""
    draw = random.Random(size)
    words = [
        "".join(draw.choices("abcdefghilmnoprstuvéö", k=draw.randint(1, 10))) for _ in range(3000)
    ]
    parts: list[str] = []
    length = 0
    while length < size:
        part = draw.choice(words) + draw.choice(SEPARATORS)
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


def milliseconds(run: Callable[[], object], repeat: int) -> float:
    """Return the CPU time of the fastest of *repeat* runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matching", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--size", type=int, default=300_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    text = made_up_text(options.size)
    if options.file is not None:
        read = options.file.read_text(encoding="utf-8")
        text = (read * (options.size // max(1, len(read)) + 1))[: options.size]
    page = fold(text)
    stored = page.to_bytes()
    middle = text.index(" ", len(text) // 2) + 1
    end = text.index(" ", middle + 200)
    quote = text[middle:end]
    plain = quote.translate(str.maketrans("“”’—", '""\'-'))
    words = quote.split(" ")
    changed = " ".join([*words[:5], "otherwise", *words[6:]])
    abridged = " ".join([*words[:8], "[…]", *words[-8:]])
    operations: dict[str, Callable[[], object]] = {
        "fold": lambda: fold(text),
        "store": page.to_bytes,
        "load": lambda: FoldedText.from_bytes(stored, text),
        "load and find": lambda: find(FoldedText.from_bytes(stored, text), [quote]),
        "find exact": lambda: find(page, [quote]),
        "find folded": lambda: find(page, [plain]),
        "find abridged": lambda: find(page, [abridged]),
        "find nothing": lambda: find(page, [changed]),
        "nearest": lambda: nearest(page, [changed]),
    }
    print(f"{len(text)} characters, folded {len(page.text)}, stored {len(stored)} bytes")
    for name, run in operations.items():
        print(f"{name:14} {milliseconds(run, options.repeat):8.2f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
