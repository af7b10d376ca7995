"""Measures the check of figures on labelled claims: what it flags, what changed digits it catches, and what it costs.

    python -m benchmarks.figures DIR

DIR holds `claims.jsonl`: `{id, claim, page, label, kind}`; `pages.jsonl.gz`: `{id, text}`; `adversarial.jsonl`: `{change, claim,
page, figure_kind}`, supported claims with a digit of one figure changed, or beside another page; `spellings.jsonl`:
`{text, values}`.

Printed are the claims flagged by label, the changed digits caught by the kind of figure, the pages caught that are not the
claim's, the spellings that were not read, and the time beside a literal search for each figure as it is written.

Exit status 0 when the targets hold: at most 2.5 % of the supported claims with full pages flagged, at least 85 % of changed
digits of counted kinds and 45 % of other pages caught, every spelling read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tracecite_lint.matching.figures import Standing
from tracecite_lint.text.figures.claimed import figures_of
from tracecite_lint.text.figures.values import values

COUNTED = ("int2", "int3", "int4+", "money", "percent", "scaled", "decimal")
MOST_FLAGGED, LEAST_DIGITS, LEAST_PAGES = 0.025, 0.85, 0.45

Row = Mapping[str, Any]


def rows(path: Path) -> Iterator[Row]:
    """Yield the objects of a file of JSON Lines, packed or not."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        yield from map(json.loads, lines)


class Pages:
    """The texts of the pages, each made ready once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._ready: dict[str, Standing] = {}

    def flags(self, claim: Row) -> bool:
        """Tell whether a figure of *claim* is missing on its page."""
        figures = figures_of(claim["claim"])
        if not figures:
            return False
        page = claim["page"]
        if page not in self._ready:
            self._ready[page] = Standing(self._texts[page])
        return bool(self._ready[page].missing(figures))

    def literally(self, claims: Iterable[Row]) -> float:
        """Return the seconds that a search for the figures as they are written takes."""
        asked = [(figures_of(claim["claim"]), self._texts[claim["page"]]) for claim in claims]
        begun = time.process_time()
        for figures, text in asked:
            for figure in figures:
                text.find(figure.text)
        return time.process_time() - begun


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; 0 when the targets hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.figures")
    parser.add_argument("directory", type=Path)
    folder: Path = parser.parse_args(arguments).directory
    pages = Pages({row["id"]: row["text"] for row in rows(folder / "pages.jsonl.gz")})
    claims = list(rows(folder / "claims.jsonl"))

    begun = time.process_time()
    flagged = by_label(claims, pages)
    taken = time.process_time() - begun
    print(
        f"\n{taken:.1f} s for {len(claims)} claims, {taken / pages.literally(claims):.0f} times a literal search"
    )

    digits, swapped = changed(rows(folder / "adversarial.jsonl"), pages)
    unread = [row["text"] for row in rows(folder / "spellings.jsonl") if not is_read(row)]
    print(f"spellings not read: {len(unread)} {unread or ''}")
    held = flagged <= MOST_FLAGGED and digits >= LEAST_DIGITS and swapped >= LEAST_PAGES
    return 0 if held and not unread else 1


def by_label(claims: Iterable[Row], pages: Pages) -> float:
    """Print the claims by label and kind of text; return the part of supported ones with full pages that is flagged."""
    counts: Counter[tuple[str, str]] = Counter()
    flagged: Counter[tuple[str, str]] = Counter()
    for claim in claims:
        group = claim["label"], claim["kind"]
        counts[group] += 1
        flagged[group] += pages.flags(claim)
    print("label        text     claims  flagged")
    for group, count in sorted(counts.items()):
        print(
            f"{group[0]:12} {group[1]:8} {count:6}  {flagged[group]:5} {flagged[group] / count:6.1%}"
        )
    return flagged["supported", "full"] / counts["supported", "full"]


def changed(claims: Iterable[Row], pages: Pages) -> tuple[float, float]:
    """Print what is caught of changed digits and swapped pages; return both as parts, of digits for counted kinds."""
    counts: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for claim in claims:
        kind = claim.get("figure_kind") or "another page"
        counts[kind] += 1
        caught[kind] += pages.flags(claim)
    print("\nchanged        claims  caught")
    for kind, count in counts.items():
        print(f"{kind:14} {count:6}  {caught[kind]:5} {caught[kind] / count:6.1%}")
    digits = sum(caught[kind] for kind in COUNTED) / sum(counts[kind] for kind in COUNTED)
    print(f"digits of counted kinds: {digits:.1%}\n")
    return digits, caught["another page"] / counts["another page"]


def is_read(row: Row) -> bool:
    """Tell whether all values of a spelling are read, and none where there is none."""
    found = [item.value for item in values(row["text"])]
    wanted = row["values"]
    return all(
        any(abs(value - one) <= 1e-9 * max(1, value) for one in found) for value in wanted
    ) and (bool(wanted) or not found)


if __name__ == "__main__":
    sys.exit(main())
