"""A real VS Code in a real Chromium, with the extension as it is packaged: code-server, as lsp/vscode/test/ installs it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 90
"""Seconds after which a test gives up waiting: an extension host on a busy machine takes its time."""

CODE_SERVER = os.environ.get("TRACECITE_CODE_SERVER")
ENTRY = Path("node_modules", "code-server", "out", "node", "entry.js")
SETTINGS = {
    "files.autoSave": "off",
    "files.hotExit": "off",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.enableExperiments": False,
    "window.commandCenter": False,
    "editor.minimap.enabled": False,
    "editor.wordWrap": "off",
    "editor.quickSuggestions": {"other": "off", "comments": "off", "strings": "off"},
    "extensions.ignoreRecommendations": True,
    "telemetry.telemetryLevel": "off",
    "security.workspace.trust.enabled": False,
    "git.enabled": False,
}


class Installed:
    """A code-server with the extension, for any number of windows one after the other."""

    def __init__(self, folder: Path, package: Path, home: Path) -> None:
        """Install *package* into the code-server in *folder*; everything that it keeps goes below *home*."""
        self._entry = folder / ENTRY
        self._extensions = home / "extensions"
        self._home = home
        self.run("--install-extension", str(package), timeout=PATIENCE)

    def command(self, *arguments: str) -> list[str]:
        config = self._home / "config.yaml"
        config.touch()
        return [
            *("node", str(self._entry), "--config", str(config)),
            *("--extensions-dir", str(self._extensions)),
            *("--user-data-dir", str(self._home / "data")),
            *arguments,
        ]

    def environment(self) -> dict[str, str]:
        # Else PATH comes from a login shell, and what the tests put there is not found.
        own = {"HOME": str(self._home), "VSCODE_CLI": "1"}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, **own, "PATH": path}

    def run(self, *arguments: str, timeout: int) -> None:
        subprocess.run(
            self.command(*arguments),
            env=self.environment(),
            capture_output=True,
            timeout=timeout,
            check=True,
        )

    @contextmanager
    def window(
        self,
        browser: Any,
        folder: Path,
        settings: dict[str, Any],
        *,
        height: int = 800,
        on_path: bool = True,
    ) -> Iterator[Window]:
        """Open *folder* in a window, with *settings* of the machine; *on_path* tells whether PATH leads to the server."""
        data = self._home / "data"
        _write_json(data / "User" / "settings.json", SETTINGS)
        _write_json(data / "Machine" / "settings.json", settings)
        port = _free_port()
        options = ("--auth", "none", "--disable-telemetry", "--disable-update-check")
        server = subprocess.Popen(
            self.command(*("--bind-addr", f"127.0.0.1:{port}", "--ignore-last-opened"), *options),
            env=self.environment() | ({} if on_path else {"PATH": os.environ["PATH"]}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _until(lambda: _answers(port))
            context = browser.new_context(viewport={"width": 1280, "height": height})
            page = context.new_page()
            page.set_default_timeout(PATIENCE * 1000)
            page.goto(f"http://127.0.0.1:{port}/?folder={folder}")
            page.wait_for_selector(".monaco-workbench .explorer-folders-view .monaco-list-row")
            yield Window(page, data / "Machine" / "settings.json")
            context.close()
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(PATIENCE)


class Starts:
    """A command that starts the real server, and takes down that it did."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "starts"
        self._script = folder / "tracecite-lint"
        self._script.write_text(
            f"#!/bin/sh\necho $$ >> '{self._log}'\nexec '{sys.executable}' -m tracecite_lint \"$@\"\n"
        )
        self._script.chmod(0o755)

    @property
    def command(self) -> list[str]:
        """The words for `tracecite.server.command`."""
        return [str(self._script), "server"]

    @property
    def count(self) -> int:
        """How often the server was started."""
        return len(self._processes)

    @property
    def running(self) -> int:
        """How many of them run."""
        return sum(Path("/proc", process).exists() for process in self._processes)

    def kill(self) -> None:
        """Kill the one that was started last."""
        os.kill(int(self._processes[-1]), signal.SIGKILL)

    @property
    def _processes(self) -> list[str]:
        return self._log.read_text().split() if self._log.exists() else []


class Window:
    """What a person does and sees in one window."""

    def __init__(self, page: Any, machine_settings: Path) -> None:
        self.page = page
        self._machine_settings = machine_settings

    def configure(self, settings: dict[str, Any]) -> None:
        """Write new settings of the machine, which VS Code reads at once."""
        _write_json(self._machine_settings, settings)

    def press(self, *keys: str) -> None:
        """Press *keys*, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def run(self, command: str) -> None:
        """Run a command from the palette by its title."""
        self._choose(f">{command}")

    def open(self, name: str) -> None:
        """Open a file of the folder by its name, and wait until the editor shows it."""
        self._choose(name)
        self.page.wait_for_selector(f'.tab.active[data-resource-name="{name}"]')
        self.page.wait_for_selector(".editor-group-container.active .monaco-editor .view-line")
        self.page.click(".editor-group-container.active .monaco-editor .view-line >> nth=0")
        self.press("Control+Home")

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the cursor on a 1-based place."""
        self._choose(f":{line}:{column}")
        self.until(lambda: self.cursor.startswith(f"Ln {line}, Col {column}"))

    def _choose(self, text: str) -> None:
        self.press("F1")
        self.page.wait_for_selector(".quick-input-widget input", state="visible")
        # The palette opens with `>`; without it files are chosen.
        self.page.fill(".quick-input-widget input", text)
        row = ".quick-input-list .monaco-list-row.focused"
        if text.startswith(":"):
            self.page.wait_for_timeout(300)
        else:
            wanted = text.removeprefix(">")
            self.page.wait_for_selector(f'{row}:has-text("{wanted}")')
        self.press("Enter")
        self.page.wait_for_selector(".quick-input-widget", state="hidden")

    @property
    def cursor(self) -> str:
        """Where the cursor is, and how much is selected, as the status bar says it."""
        return str(self.page.inner_text("#status\\.editor\\.selection"))

    @property
    def tabs(self) -> list[str]:
        """The names of the open editors."""
        found = self.page.locator(".tabs-container .tab")
        return [str(tab.get_attribute("data-resource-name")) for tab in found.all()]

    @property
    def squiggles(self) -> int:
        """How many marks of errors are drawn in the visible part of the editor."""
        return int(self.page.locator(".editor-instance .cdr.squiggly-error").count())

    @property
    def status(self) -> str:
        """What the item in the status bar says, in words; empty if there is none."""
        item = self.page.locator(".statusbar-item[aria-label^='tracecite-lint']")
        return str(item.get_attribute("aria-label")) if item.count() else ""

    @property
    def notices(self) -> list[str]:
        """The texts of the notices that are shown, with their buttons."""
        found = self.page.locator(
            ".notifications-toasts .notification-toast .notification-list-item"
        )
        return [" ".join(item.inner_text().split()) for item in found.all()]

    def problems(self) -> str:
        """What the Problems panel shows."""
        self.run("Problems: Focus on Problems View")
        self.page.wait_for_selector(".markers-panel .monaco-list")
        return _plain(self.page.inner_text(".markers-panel"))

    def lines(self) -> list[str]:
        """The visible lines of the editor, from the top."""
        script = """() => [...document.querySelectorAll('.editor-group-container.active .view-line')]
            .map(e => [e.getBoundingClientRect().top, e.textContent]).sort((a, b) => a[0] - b[0]).map(e => e[1])"""
        return [_plain(line) for line in self.page.evaluate(script)]

    def until(self, holds: Callable[[], Any]) -> None:
        """Wait until *holds* does. Fails the test after PATIENCE seconds."""
        _until(holds, pause=lambda: self.page.wait_for_timeout(100))

    def picture(self, path: Path, **options: Any) -> None:
        """Keep what is seen as a picture."""
        self.page.screenshot(path=path, **options)


def _plain(text: str) -> str:
    # The editor draws blanks as no-break spaces.
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{MIDDLE DOT}", " ")


def _until(
    holds: Callable[[], Any], *, pause: Callable[[], None] = lambda: time.sleep(0.1)
) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited for too long"
        pause()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def words(text: str) -> str:
    """Return *text* with its white space made even."""
    return re.sub(r"\s+", " ", text).strip()
