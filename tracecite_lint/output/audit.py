"""The audit's report for people: totals, what is not known, and the coverage of tasks and stages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracecite_lint.calls.providers import NORMALIZED_MEANING
from tracecite_lint.calls.report import Attempts, Summary
from tracecite_lint.output.terminal import Style, columns, cut, printable, styled
from tracecite_lint.rules import rule_for

ROWS = 40
"""How many tasks the table shows unless all are asked for; with more, those that lack something come first."""

STAGES = 8
"""How many stages the table shows."""

_NAME_COLUMNS = 32

_UNREADABLE = ("invalid_json", "invalid_record", "invalid_provider_record")


def summary_text(
    summary: Summary, *, file: str, color: bool = False, every_row: bool = False
) -> str:
    """Return the report below the findings, ending in a line feed.

    No share, saving or cost is ever in it: they would be wrong while usage is not complete.
    """
    lines = [*_totals(summary, file, color=color), *_meanings(summary)]
    lines += [f"  left out, {what}: {number:,}" for what, number in summary.left_out.items()]
    lines += _completeness(summary, color=color)
    lines += _coverage(summary, color=color, every_row=every_row)
    return "".join(line + "\n" for line in lines)


def help_text(summary: Summary, *, color: bool = False) -> str:
    """Return what to do about each code that was found, one line each."""
    lines = []
    for code in summary.codes:
        rule = rule_for(code)
        if rule is not None:
            lines.append(f"  {styled(f'help[{code}]', Style.DIM, color=color)}: {rule.fix}\n")
    return "".join(lines)


def _totals(summary: Summary, file: str, *, color: bool) -> Iterator[str]:
    totals = summary.totals
    found = sum(summary.codes.values())
    findings = _count(found, "finding") if found else "no findings"
    failed = f", {totals.failed_calls} of them failed" if totals.failed_calls else ""
    heading = f"{printable(file)}: {_count(totals.calls, 'call')}{failed}; {findings}"
    yield styled(heading, Style.BOLD, color=color)
    known = "" if summary.usage_complete else "  (what is known)"
    numbers = [f"{totals.input_tokens:,}", f"{totals.output_tokens:,}"]
    width = max(map(len, numbers))
    yield f"  input_tokens   {numbers[0]:>{width}}{known}"
    yield f"  output_tokens  {numbers[1]:>{width}}{known}"


def _meanings(summary: Summary) -> Iterator[str]:
    meanings = summary.meanings
    if len(meanings) > 1:
        yield "  input_tokens is a sum of what is not counted alike:"
        for meaning, calls in meanings.items():
            yield f"    {_count(calls, 'call')}: {printable(meaning)}"
    elif meanings and NORMALIZED_MEANING not in meanings:
        yield f"  input_tokens means: {printable(next(iter(meanings)))}"


def _completeness(summary: Summary, *, color: bool) -> Iterator[str]:
    if summary.usage_complete:
        yield styled("  usage is complete", Style.GOOD, color=color)
        return
    yield styled(
        "  usage is NOT complete: claim no saving in per cent and no cost from these totals",
        Style.WARNING,
        color=color,
    )
    codes = summary.codes
    reasons = (
        (sum(codes.get(code, 0) for code in _UNREADABLE), "line", "could not be decoded"),
        (
            codes.get("conflicting_call", 0),
            "line",
            "left out: their call_id is used with different contents",
        ),
        (codes.get("aggregate_overflow", 0), "call", "not added, the total would be too large"),
        (codes.get("missing_usage", 0), "call", "with unknown usage"),
    )
    for number, what, why in reasons:
        if number:
            yield f"    {_count(number, what)} {why}"
    if "empty_log" in codes:
        yield "    there is no call"


def _coverage(summary: Summary, *, color: bool, every_row: bool) -> Iterator[str]:
    if summary.expected is None:
        if summary.manifest:
            yield "  coverage was not judged: the manifest is invalid"
        elif summary.attempts is None:
            yield "  coverage was not judged: there is no --manifest"
        elif summary.attempts:
            yield "  calls by task and stage (without --manifest nothing says which are missing)"
            tasks = list(dict.fromkeys(task for task, _ in summary.attempts))
            stages = list(dict.fromkeys(stage for _, stage in summary.attempts))
            yield from _table(summary, tasks, stages, "-", color=color, every_row=every_row)
        return
    tasks, stages = map(list, summary.expected)
    missing = summary.codes.get("missing_stage", 0)
    pairs = len(tasks) * len(stages)
    yield f"  coverage: {pairs - missing} of {_count(pairs, 'expected pair')} of task and stage"
    yield from _table(summary, tasks, stages, "missing", color=color, every_row=every_row)


def _table(
    summary: Summary,
    tasks: Sequence[str],
    stages: Sequence[str],
    none: str,
    *,
    color: bool,
    every_row: bool,
) -> Iterator[str]:
    attempts = summary.attempts or {}

    def covered(task: str) -> bool:
        return all(attempts.get((task, stage), Attempts()).ok for stage in stages)

    rows = tasks
    if len(tasks) > ROWS and not every_row:
        rows = sorted(tasks, key=covered)[:ROWS]
    shown = stages[:STAGES]
    cells = [["task", *map(_name, shown)]]
    for task in rows:
        counts = (attempts.get((task, stage), Attempts()) for stage in shown)
        cells.append([_name(task), *(_cell(count, none) for count in counts)])
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    for number, row in enumerate(cells):
        padded = [
            text + " " * (width - columns(text)) for text, width in zip(row, widths, strict=True)
        ]
        line = f"    {'  '.join(padded)}".rstrip()
        yield styled(line, Style.DIM, color=color) if number == 0 else line
    if len(rows) < len(tasks):
        rest = len(tasks) - len(rows)
        lacking = sum(not covered(task) for task in tasks) - sum(not covered(task) for task in rows)
        tail = f", {lacking} of them incomplete" if lacking else ""
        yield f"    and {_count(rest, 'more task')}{tail} (all with -v)"
    if len(shown) < len(stages):
        yield f"    and {_count(len(stages) - len(shown), 'more stage')}"


def _cell(count: Attempts, none: str) -> str:
    if not count.ok and not count.failed:
        return none
    if count == (1, 0):
        return "ok"
    parts = [f"{count.ok} ok"] if count.ok else []
    parts += [f"{count.failed} failed"] if count.failed else []
    return ", ".join(parts)


def _name(name: str) -> str:
    return cut(printable(name), _NAME_COLUMNS)


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
