"""Takes the picture of an html report for docs/images/report.png, in the system's Chromium.

    tracecite-lint fixtures/failing/altered.md fixtures/reports --format html --output-file report.html
    python docs/page_picture.py report.html docs/images/report.png

Needs a Chromium (or CHROMIUM with its path), Playwright and Pillow.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

SIZE = {"width": 1180, "height": 1190}


def main() -> None:
    """Take the picture of the page that the first argument names, into the file of the second."""
    page_file, path = map(Path, sys.argv[1:])
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(page_file.resolve().as_uri())
        taken = page.screenshot(animations="disabled")
        browser.close()
    # A palette: a third of the bytes, and nobody sees it.
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    main()
