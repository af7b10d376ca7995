"""What was once wrong in VS Code: where sources are opened, and when the server is started, is not, and is again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from vs_code import Starts, Window

Opened = Callable[..., Window]
SOURCE = (
    "# Tide mills\n\nThe pond is filled by the flood.\n\nThe gate *is shut* when the tide turns.\n"
)
TRUE = "“The gate is shut when the tide turns” ([source](source.md))\n"
FALSE = TRUE.replace("is shut", "was shut")


def test_a_source_is_opened_once_and_at_the_quotation(window: Opened, work: Path, starts: Starts):
    (work / "source.md").write_text(SOURCE)
    (work / "report.md").write_text(f"# Report\n\n{FALSE}")
    code = window({"tracecite.server.command": starts.command})
    code.open("source.md")
    code.open("report.md")
    code.until(lambda: code.squiggles == 1)
    for _ in range(2):
        code.open("report.md")
        code.go_to(3, 6)
        code.press("Control+.")
        take(code, "Open this source at the quotation")
        code.until(lambda: code.cursor.startswith("Ln 5, "))
        assert "(38 selected)" in code.cursor
        assert sorted(code.tabs) == ["report.md", "source.md"]
    code.open("report.md")
    code.go_to(3, FALSE.index("source.md") + 3)
    code.run("Open Link")
    code.until(lambda: code.cursor.startswith("Ln 5, "))
    assert sorted(code.tabs) == ["report.md", "source.md"]


def test_restarting_works_from_every_state(window: Opened, work: Path, starts: Starts):
    (work / "source.md").write_text(SOURCE)
    (work / "report.md").write_text(FALSE)
    wrong = {"tracecite.server.command": [str(work / "nothing-here"), "server"]}
    silent = {"tracecite.server.command": ["sleep", "1000"]}
    right = {"tracecite.server.command": starts.command}
    restart = "tracecite-lint: Restart the language server"
    code = window(wrong)
    code.open("report.md")
    code.until(lambda: any("cannot be started" in notice for notice in code.notices))
    code.configure(right)
    code.until(lambda: code.squiggles == 1)
    assert starts.count == 1
    # While it runs; and twice at once.
    code.run(restart)
    code.until(lambda: starts.count == 2)
    code.run(restart)
    code.run(restart)
    code.until(lambda: starts.count >= 3 and "1 wrong" in code.status)
    code.until(lambda: code.squiggles == 1)
    # From a server that never answers.
    code.configure(silent)
    code.until(lambda: code.squiggles == 0 and "being started" in code.status)
    before = starts.count
    code.configure(right)
    code.until(lambda: starts.count > before and code.squiggles == 1)
    code.until(lambda: starts.running == 1)
    # And over the end of the extension.
    before = starts.count
    code.run("Developer: Reload Window")
    code.until(lambda: starts.count > before)
    code.until(lambda: code.squiggles == 1)
    code.until(lambda: starts.running == 1)


def test_a_server_that_is_killed_is_started_again_but_not_for_ever(
    window: Opened, work: Path, starts: Starts
):
    (work / "source.md").write_text(SOURCE)
    (work / "report.md").write_text(FALSE)
    code = window({"tracecite.server.command": starts.command})
    code.open("report.md")
    for number in range(1, 6):
        code.until(lambda number=number: starts.count == number and "1 wrong" in code.status)
        assert code.notices == []
        starts.kill()
        code.until(lambda: "1 wrong" not in code.status)
    code.until(lambda: any("ended 5 times in three minutes" in notice for notice in code.notices))
    assert len(code.notices) == 1
    code.page.click('.notification-toast .monaco-button:has-text("Restart")')
    code.until(lambda: starts.count == 6 and code.squiggles == 1)


def test_python_is_started_for_documents_that_are_served_and_for_no_other(
    window: Opened, work: Path, starts: Starts
):
    (work / "plain.txt").write_text("A claim: this is a plain text.\n")
    (work / "settings.json").write_text("{}\n")
    (work / "notes.txt").write_text(
        "# Notes\n\nclaim: it is shut\nquote: The gate was shut\nurl: https://example.com/\n"
    )
    code = window({"tracecite.server.command": starts.command, "tracecite.network": "cache-only"})
    code.open("plain.txt")
    code.open("settings.json")
    # A command of the extension: it is awake, and has seen both.
    code.run("tracecite-lint: Show the log")
    code.page.wait_for_timeout(3000)
    assert starts.count == 0
    assert code.status == ""
    code.open("notes.txt")
    code.until(lambda: starts.count == 1)
    code.until(lambda: "1 could not be checked" in code.status)


def test_a_plain_text_becomes_one_that_is_served_while_it_is_typed(
    window: Opened, work: Path, starts: Starts
):
    (work / "notes.txt").write_text("\n")
    code = window({"tracecite.server.command": starts.command})
    code.open("notes.txt")
    code.page.keyboard.type("claim: it is shut")
    code.until(lambda: starts.count == 1)


def test_a_server_without_its_packages_makes_one_notice_that_names_the_way_out(
    window: Opened, work: Path, tmp_path: Path
):
    (work / "report.md").write_text(FALSE)
    started = tmp_path / "starts"
    program = tmp_path / "lacking.py"
    program.write_text(
        "import sys\n"
        f"open({str(started)!r}, 'a').write('x')\n"
        # As if these were not installed.
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in {'pygls', 'lsprotocol'}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from tracecite_lint.__main__ import main\n"
        "sys.exit(main())\n"
    )
    code = window({"tracecite.server.command": [sys.executable, str(program), "server"]})
    code.open("report.md")
    code.until(lambda: code.notices)
    code.page.wait_for_timeout(8000)
    (notice,) = code.notices
    assert f"{sys.executable} -m pip install 'tracecite-lint[lsp]'" in notice
    for button in ("Open settings", "Restart", "Show the log"):
        assert button in notice
    assert started.read_text() == "x"
    assert fits(code)
    code.page.click('.notification-toast .monaco-button:has-text("Show the log")')
    # It begins with the command.
    code.page.wait_for_selector('.part.panel .view-line:has-text("lacking.py")')


def test_a_server_that_is_not_found_makes_one_notice(window: Opened, work: Path, pictures: Path):
    (work / "report.md").write_text(FALSE)
    code = window({}, on_path=False)
    code.open("report.md")
    code.until(lambda: code.notices)
    (notice,) = code.notices
    assert (
        "tracecite-lint was not found. To install it: pip install 'tracecite-lint[lsp]'" in notice
    )
    assert fits(code)
    code.picture(pictures / "vscode-not-found.png")
    code.page.click('.notification-toast .monaco-button:has-text("Open settings")')
    code.page.wait_for_selector('.settings-editor :text("tracecite.server.command")')


def take(code: Window, title: str) -> None:
    """Choose the action *title* in the menu that is open: by keys, as clicks on it are caught."""
    code.page.wait_for_selector(".action-widget .monaco-list-row")
    rows = code.page.locator(".action-widget .monaco-list-row.action")
    titles = [" ".join(row.inner_text().split()) for row in rows.all()]
    assert title in titles, titles
    code.until(lambda: step(code, title))
    code.press("Enter")
    code.page.wait_for_selector(".action-widget", state="hidden")


def step(code: Window, title: str) -> bool:
    focused = code.page.locator(".action-widget .monaco-list-row.focused")
    if focused.count() and " ".join(focused.inner_text().split()) == title:
        return True
    code.press("ArrowDown")
    return False


def fits(code: Window) -> bool:
    """Tell whether the text of the only notice is shown as a whole."""
    script = """() => { const e = document.querySelector('.notification-toast .notification-list-item-message');
        return e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight + 1; }"""
    return bool(code.page.evaluate(script))
