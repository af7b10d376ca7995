"""The manual page: written from the parsers, and free of what groff warns about."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tracecite_lint.cli import COMMANDS

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def manual():
    spec = importlib.util.spec_from_file_location("manual_page", DOCS / "manual_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(manual):
    page = manual.PAGE.read_bytes().decode("utf-8")

    assert page == manual.manual_page(), "run `python docs/manual_page.py`"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_shows_it_without_a_warning(manual):
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", str(manual.PAGE)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(".\x08", "", done.stdout)  # bold is a letter printed over itself
    shown = " ".join(shown.split())  # a long list of choices takes the next line
    for command in COMMANDS:
        assert f"tracecite-lint {command}" in shown
    assert "--baseline FILE" in shown
