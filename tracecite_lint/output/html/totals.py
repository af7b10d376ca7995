"""The totals of a run as bars: all of it, by host, and by document."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from tracecite_lint.model import CheckResult
from tracecite_lint.output.html.elements import attributes, element, text
from tracecite_lint.output.html.entries import OUTCOMES, Entry
from tracecite_lint.output.summary import total_of

SHOWN = 8
"""Rows of a table that are open to begin with."""
_FAILED = ("mismatch", "unverifiable", "claim", "finding")


def totals(result: CheckResult, entries: Iterable[Entry], sections: Mapping[str, str]) -> str:
    """Return the totals as HTML; *sections* are the anchors of the documents that have findings."""
    hosts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    files: defaultdict[str, Counter[str]] = defaultdict(Counter)
    beside: Counter[str] = Counter()
    """What is no quotation."""
    for entry in entries:
        beside[entry.outcome] += entry.outcome in ("claim", "finding")
        files[entry.file][entry.outcome] += 1
        if entry.host:
            hosts[entry.host][entry.outcome] += 1
    total = total_of(result.citations)
    counts = {
        "mismatch": total.mismatch,
        "unverifiable": total.unverifiable,
        "claim": beside["claim"],
        "finding": beside["finding"],
        "verified": total.verified,
        "suppressed": total.suppressed,
    }
    counts["unknown"] = total.quotations - sum(counts.values()) + beside.total()
    return (
        element("div", _bar(Counter(counts)) + _legend(counts), class_="all")
        + '<div class="tables">'
        + _table("Hosts", "h", hosts, {})
        + _table("Documents", "f", files, sections)
        + "</div>"
    )


def _legend(counts: Mapping[str, int]) -> str:
    shown = {
        name: count for name, count in counts.items() if count or name in ("verified", "mismatch")
    }
    items = [
        f'<li class="{name}"><b>{count:,}</b> {OUTCOMES[name]}</li>'
        for name, count in shown.items()
    ]
    return f'<ul class="legend">{"".join(items)}</ul>'


def _table(
    heading: str,
    kind: str,
    table: Mapping[str, Counter[str]],
    sections: Mapping[str, str],
) -> str:
    if not table:
        return ""
    ranked = sorted(
        table.items(),
        key=lambda row: (-sum(row[1][name] for name in _FAILED), -row[1].total(), row[0]),
    )
    most = max(counts.total() for counts in table.values())
    rows = [
        _row(kind, name, counts, most, sections.get(name, "")) for name, counts in ranked if name
    ]
    shown = f"<ol>{''.join(rows[:SHOWN])}</ol>"
    if len(rows) > SHOWN:
        rest = f"<ol>{''.join(rows[SHOWN:])}</ol>"
        shown += f"<details><summary>{len(rows) - SHOWN:,} more</summary>{rest}</details>"
    return f"<section><h2>{heading} <small>{len(rows):,}</small></h2>{shown}</section>"


def _row(kind: str, name: str, counts: Counter[str], most: int, section: str) -> str:
    label = element("bdi", text(name))
    if section:
        label = f'<a href="#{section}"{attributes(title=name)}>{label}</a>'
    said = ", ".join(f"{counts[key]:,} {OUTCOMES[key]}" for key in OUTCOMES if counts[key])
    failed = sum(counts[key] for key in _FAILED)
    short = f"{failed:,} of {counts.total():,}" if failed else f"{counts.total():,}"
    return (
        f"<li{attributes(**{f'data_{kind}': name})}>{label}"
        f"<small{attributes(title=said)}>{short}</small>{_bar(counts, width=counts.total() / most)}</li>"
    )


def _bar(counts: Mapping[str, int], *, width: float = 1.0) -> str:
    """Return a stacked bar, as SVG since the page's policy lets no element have a style of its own."""
    total = sum(counts.values())
    parts, at = [], 0.0
    for name in OUTCOMES:
        if count := counts.get(name, 0):
            share = 1000 * width * count / total
            parts.append(f'<rect class="{name}" x="{at:.1f}" width="{share:.1f}" height="1"/>')
            at += share
    return f'<svg class="bar" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>'
