"""`exclude` and `per-file-ignores` belong to the file that holds them, wherever the server was started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import editor, neovim_0_7

PAGE = "https://www.example.com/mills"
FALSE = f"It says “the old mill stood at the mouth of the river” ([mills]({PAGE})).\n"
NOT_THERE = ["QUOTE_NOT_IN_LIVE_SOURCE"]
SETTINGS = {
    "exclude": "exclude = [{}]\n",
    "per-file-ignores": '[per-file-ignores]\n{} = ["QUOTE_NOT_IN_LIVE_SOURCE"]\n',
}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    ("pattern", "started_in"), [("part/v*.md", "docs/part"), ("./part/vendor.md", "other")]
)
async def test_patterns_are_relative_to_their_file(
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
    setting: str,
    pattern: str,
    started_in: str,
):
    loopback.page(PAGE, "The old mill stands at the mouth of the river.")
    # The same names once more, in each place that a wrong reading of the pattern would begin at.
    named = folder / "docs/part/vendor.md"
    others = [folder / "part/vendor.md", folder / "docs/part/part/vendor.md"]
    others += [folder / "docs/part/mine.md", folder / "other/part/vendor.md"]
    for path in (named, *others):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FALSE)
    config = folder / "docs/tracecite-lint.toml"
    config.write_text(SETTINGS[setting].format(f'"{pattern}"'))
    async with editor(neovim_0_7(), folder=folder / started_in, settings=reach) as ed:
        for path in (named, *others):
            ed.open(path.as_uri(), FALSE)
        for path in others:
            await ed.marks(path.as_uri(), NOT_THERE)
        await ed.marks(named.as_uri(), [])
        config.write_text("")
        ed.files_changed(config)
        await ed.marks(named.as_uri(), NOT_THERE)
