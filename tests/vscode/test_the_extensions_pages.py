"""The pages of the extension in VS Code: its settings and its walkthrough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from vs_code import Window, words

Opened = Callable[..., Window]
MINE = "@ext:tracecite-lint.tracecite-lint"


@pytest.mark.parametrize("tab", ["User", "Remote"])
def test_every_setting_has_a_box_a_list_or_a_choice_of_labels(
    tab: str, window: Opened, work: Path, pictures: Path
):
    (work / "plain.txt").write_text("Nothing.\n")
    code = window({}, height=1600)
    code.run("Preferences: Open Settings (UI)")
    code.page.wait_for_selector(".settings-editor .suggest-input-container")
    code.page.keyboard.type(MINE)
    code.page.click(f".settings-tabs-widget .action-label:has-text('{tab}')")
    items = code.page.locator(".settings-editor .setting-item-contents")
    # Those of the machine are on the page of the machine alone, where that is not the one with the window.
    code.until(lambda: items.count() >= (13 if tab == "Remote" else 7))
    shown = words(" ".join(items.all_inner_texts()))
    assert ("Server: Command" in shown) == (tab == "Remote")
    code.picture(pictures / f"settings-{tab}.png")
    assert "Edit in settings.json" not in shown
    assert "null" not in shown


def test_the_walkthrough_leads_from_the_server_to_the_list(
    window: Opened, work: Path, pictures: Path
):
    (work / "plain.txt").write_text("Nothing.\n")
    code = window({})
    code.run("Welcome: Open Walkthrough...")
    code.page.wait_for_selector(".quick-input-list .monaco-list-row")
    code.page.fill(".quick-input-widget input", "Check what you quote")
    code.page.wait_for_selector('.monaco-list-row.focused:has-text("Check what you quote")')
    code.press("Enter")
    code.page.wait_for_selector('.gettingStartedContainer :text("Install the server")')
    code.page.click('.gettingStartedContainer :text("Put the source\'s words in")')
    code.page.wait_for_timeout(2000)
    code.picture(pictures / "walkthrough.png")
    text = words(code.page.inner_text(".gettingStartedContainer"))
    for step in ("Install the server", "Open a report that quotes", "See how a document stands"):
        assert step in text
    assert code.page.locator(".getting-started-media img").evaluate("e => e.naturalWidth") > 0
