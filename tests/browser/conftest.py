"""A real Chromium, that of the system: `apt-get install chromium`, or the one that CHROMIUM names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tracecite_lint.model import CheckResult
from tracecite_lint.output import render

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Chromium, started once. Skips without it."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: `apt-get install chromium`, or name one in CHROMIUM")
    with playwright.sync_playwright() as driver:
        # No sandbox within a container, where these tests are often run.
        launched = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def opened(browser, tmp_path) -> Iterator[Callable[..., object]]:
    """Return a function that opens the page of a run; at the end nothing was requested, run or refused."""
    contexts, seen = [], []

    def open_page(result: CheckResult, *, width: int = 1440, **options: object) -> object:
        file = tmp_path / "report.html"
        file.write_text(render("html", result, written_to="report.html"), "utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        for event in ("request", "console", "pageerror", "dialog"):
            page.on(event, lambda what, event=event: seen.append((event, str(what))))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    requests = [what for event, what in seen if event == "request"]
    assert len(requests) == len(contexts) and all("report.html" in what for what in requests)
    assert [entry for entry in seen if entry[0] != "request"] == []
