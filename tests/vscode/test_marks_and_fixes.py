"""A report in VS Code from its first squiggle to a clean save: what is drawn, listed, told, mended, undone and counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from test_source_and_server import take
from vs_code import Starts, Window, words

Opened = Callable[..., Window]
PAGE = "https://www.example.com/tide-mills"
PARAGRAPHS = (
    "A tide mill is a water mill driven by the rise and fall of the sea.",
    "The pond is filled by the flood through gates that close by themselves when the tide turns, and the wheel runs at "
    "ebb, for five or six hours.",
    "In 1938 ten of these mills were still at work on this coast.",
)
REPORT = f"""# Tide mills

The gates need no keeper: they “close by themselves when the tide turns”
([tide mills]({PAGE})).

By 1938 “twelve of these mills were still at work on this coast”
([tide mills]({PAGE})).

A guide of the time calls the sound of the wheel “a slow and patient drum”.
"""
NOT_THERE = "the quoted words do not stand in the source"
FIX = "Quote the source's own words: twelve → ten"


@pytest.fixture
def settings(loopback: Loopback, cafile: Path, starts: Starts) -> dict[str, Any]:
    """Settings of the machine that lead every URL to the loopback server."""
    loopback.page(PAGE, *PARAGRAPHS)
    return {
        "tracecite.server.command": starts.command,
        "tracecite.connectTo": list(loopback.connect_to),
        "tracecite.cafile": str(cafile),
    }


def test_a_report_is_marked_explained_mended_undone_and_saved(
    window: Opened, work: Path, settings: dict[str, Any], pictures: Path
):
    report = work / "report.md"
    report.write_text(REPORT)
    code = window(settings, height=640)
    code.open("report.md")
    code.until(lambda: code.squiggles == 1)
    assert "1 wrong, 1 verified, 1 passed over" in code.status

    found = words(code.problems())
    assert NOT_THERE in found
    assert "there it says: “ten of these mills" in found
    assert "QUOTE_NOT_IN_LIVE_SOURCE" in found
    link = code.page.locator(".markers-panel a", has_text="QUOTE_NOT_IN_LIVE_SOURCE")
    assert link.count() == 1  # the code leads to its explanation
    code.picture(pictures / "marks.png")
    code.run("View: Toggle Panel Visibility")

    code.go_to(6, 12)
    code.run("Show or Focus Hover")
    code.page.wait_for_selector('.monaco-hover:visible :text("Not in the source")')
    hover = words(code.page.locator(".monaco-hover:visible").first.inner_text())
    assert hover.count(NOT_THERE) == 1
    assert hover.count("QUOTE_NOT_IN_LIVE_SOURCE") == 1
    assert "twelve → ten" in hover
    assert hover.count("ten of these mills") == 1
    assert "--fix" not in hover
    code.picture(pictures / "hover.png")
    code.press("Escape")

    code.go_to(6, 12)
    code.press("Control+.")
    code.page.wait_for_selector(".action-widget .monaco-list-row")
    code.picture(pictures / "fix.png")
    take(code, FIX)
    code.until(lambda: any("“ten of these mills" in line for line in code.lines()))
    code.until(lambda: code.squiggles == 0)
    code.press("Control+s")
    code.until(lambda: report.read_text() == REPORT.replace("twelve", "ten"))
    code.until(lambda: "0 wrong, 2 verified" in code.status)

    code.press("Control+z")
    code.until(lambda: any("“twelve of these" in line for line in code.lines()))
    code.until(lambda: code.squiggles == 1)
    code.press("Control+s")
    code.until(lambda: report.read_text() == REPORT)


def test_the_status_opens_the_list_of_citations(
    window: Opened, work: Path, settings: dict[str, Any], pictures: Path
):
    (work / "report.md").write_text(REPORT)
    code = window(settings)
    code.open("report.md")
    code.until(lambda: "1 wrong, 1 verified, 1 passed over" in code.status)
    code.page.click(".statusbar-item[aria-label^='tracecite-lint'] a")
    code.page.wait_for_selector(".quick-input-list .monaco-list-row")
    rows = words(code.page.inner_text(".quick-input-list"))
    assert "twelve of these mills" in rows
    assert f"QUOTE_NOT_IN_LIVE_SOURCE: {PAGE}" in rows
    assert "a slow and patient drum" in rows
    assert "no source in reach" in rows
    code.picture(pictures / "list.png")
    code.page.fill(".quick-input-widget input", "slow and patient")
    code.page.wait_for_selector('.monaco-list-row.focused:has-text("a slow and patient drum")')
    code.press("Enter")
    code.until(lambda: code.cursor.startswith("Ln 9, ") and "(23 selected)" in code.cursor)


def test_lenses_hints_silence_and_the_whole_workspace(
    window: Opened, work: Path, settings: dict[str, Any], pictures: Path
):
    (work / "report.md").write_text(REPORT)
    (work / "other.md").write_text(REPORT.replace("twelve", "thirty"))
    more = {"tracecite.codeLens": True, "tracecite.inlayHints": True}
    code = window(settings | more)
    code.open("report.md")
    code.page.wait_for_selector('.codelens-decoration:has-text("1 of 2 quotations stands")')
    code.until(lambda: "✗ not in the source" in " ".join(code.lines()))
    code.picture(pictures / "lenses.png")

    code.run("tracecite-lint: Check the whole workspace")
    code.until(lambda: any("2 findings in 2 documents" in notice for notice in code.notices))
    code.page.click('.notification-toast .monaco-button:has-text("Show the problems")')
    code.page.wait_for_selector('.markers-panel :text("other.md")')
    code.run("View: Toggle Panel Visibility")

    code.go_to(6, 12)
    code.press("Control+.")
    take(code, "Silence QUOTE_NOT_IN_LIVE_SOURCE here")
    code.until(lambda: code.squiggles == 0)
    assert any("tracecite-disable" in line for line in code.lines())


def test_thirty_keys_in_five_thousand_lines_are_all_there_and_the_squiggle_moves_along(
    window: Opened, work: Path, settings: dict[str, Any]
):
    source = "\n\n".join(f"The gate number {n} is shut when the tide turns." for n in range(1000))
    (work / "source.md").write_text(source)
    blocks = [
        f"Paragraph {n}.\n\n“The gate number {n} is shut” ([source](source.md)).\n\n\n"
        for n in range(1000)
    ]
    blocks[500] = blocks[500].replace("is shut", "was shut")
    report = work / "report.md"
    report.write_text("".join(blocks))
    line = 500 * 5 + 3
    code = window(settings)
    code.open("report.md")
    code.until(lambda: "1 wrong, 999 verified" in code.status)
    code.go_to(line, 1)
    code.until(lambda: code.squiggles == 1)
    before = squiggle(code)
    typed = "abcdefghijklmnopqrstuvwxyz 123"
    assert len(typed) == 30
    code.page.keyboard.type(typed)
    code.until(
        lambda: any(shown.startswith(f"{typed}“The gate number 500") for shown in code.lines())
    )
    width = before["width"] / len("The gate number 500 was shut")
    code.until(lambda: abs(squiggle(code)["x"] - before["x"] - 30 * width) < 1)
    # It stands under the words, and not where a mark was dragged along by the editor: it is there after a new check.
    code.press("Enter")
    code.until(lambda: code.squiggles == 1 and squiggle(code)["y"] > before["y"])
    code.until(lambda: abs(squiggle(code)["x"] - before["x"]) < 1)
    code.press("Control+s")
    text = "".join(blocks).split("\n")
    text[line - 1 : line] = [typed, text[line - 1]]
    code.until(lambda: report.read_text() == "\n".join(text))
    code.until(lambda: re.search(r"1 wrong, 999 verified", code.status))


def squiggle(code: Window) -> dict[str, float]:
    """Return where the only squiggle is drawn."""
    box = code.page.locator(".editor-instance .cdr.squiggly-error").first.bounding_box()
    return dict(box or {"x": -1, "y": -1, "width": 0, "height": 0})
