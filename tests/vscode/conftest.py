"""The real VS Code that lsp/vscode/test/install-code-server.sh installs, with the extension as it is packaged.

Opt-in: TRACECITE_CODE_SERVER=FOLDER pytest -m vscode
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from vs_code import CODE_SERVER, ENTRY, Installed, Starts, Window

EXTENSION = Path(__file__).parents[2] / "lsp" / "vscode"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.vscode)


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as it is published."""
    path = tmp_path_factory.mktemp("package") / "tracecite-lint.vsix"
    if not (EXTENSION / "node_modules").exists():
        subprocess.run(["npm", "ci"], cwd=EXTENSION, check=True, capture_output=True)
    for command in (["npm", "run", "build"], ["npm", "run", "package", "--", "--out", str(path)]):
        subprocess.run(command, cwd=EXTENSION, check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """VS Code with the extension. Skips without it."""
    if CODE_SERVER is None or not (Path(CODE_SERVER) / ENTRY).exists():
        pytest.skip(
            "no VS Code: lsp/vscode/test/install-code-server.sh FOLDER; TRACECITE_CODE_SERVER=FOLDER"
        )
    return Installed(Path(CODE_SERVER).resolve(), package, tmp_path_factory.mktemp("code"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once. Skips without it."""
    playwright = pytest.importorskip("playwright.sync_api")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium: `apt-get install chromium`, or name one in CHROMIUM")
    with playwright.sync_playwright() as driver:
        # No sandbox within a container, where these tests are often run.
        launched = driver.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        yield launched
        launched.close()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder that is open in the window."""
    folder = tmp_path.resolve() / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    """The server's command, which counts its starts."""
    return Starts(tmp_path.resolve())


@pytest.fixture
def window(installed: Installed, browser: Any, work: Path) -> Iterator[Callable[..., Window]]:
    """Return a function that opens the folder in a window with settings of the machine; all are closed in the end."""
    with ExitStack() as stack:

        def opened(settings: dict[str, Any], **options: Any) -> Window:
            return stack.enter_context(installed.window(browser, work, settings, **options))

        yield opened


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go; with TRACECITE_SCREENSHOTS=FOLDER to where those of the documentation are."""
    return Path(os.environ.get("TRACECITE_SCREENSHOTS", tmp_path))
