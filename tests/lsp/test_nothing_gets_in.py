"""What the editor shows of a source: nothing of git's own, no password, and a link without a scheme as https."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from loopback import Loopback
from lsp_editor import Editor, editor, neovim_0_7, neovim_0_11, until
from lsprotocol import types
from lsprotocol.types import Position

TOKEN = "ThisIsTheTokenOfTheRemote"
WORDS = "The mill was closed in the spring of that year"


async def told(ed: Editor, uri: str, line: int) -> str:
    """Return what the editor shows on a line: the hover, all links, all actions."""
    document = types.TextDocumentIdentifier(uri)
    here = types.Range(Position(line, 12), Position(line, 12))
    hover = await ed.client.text_document_hover_async(types.HoverParams(document, here.start))
    links = await ed.client.text_document_document_link_async(types.DocumentLinkParams(document))
    return f"{hover} {links}"


async def test_no_file_of_gits_is_shown(folder: Path, reach: dict[str, Any]) -> None:
    command = ["git", "init", "--quiet", "--separate-git-dir", ".bare"]
    subprocess.run(command, cwd=folder, check=True)
    header = f"extraheader = AUTHORIZATION: basic {TOKEN}"
    (folder / ".bare" / "config").write_text(f"[http]\n\t{header}\n")
    (folder / "link.txt").symlink_to(".bare/config")
    uri = (folder / "report.md").as_uri()
    sources = [".bare/config", "link.txt", (folder / ".bare" / "config").as_uri()]
    quote = "extraheader = AUTHORIZATION: basic something"
    text = "".join(f"It says “{quote}” ([it]({source})).\n\n" for source in sources)
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        marks = await ed.marks(uri, ["URL_BLOCKED"] * len(sources))
        assert TOKEN not in str(marks)
        for line in (0, 2, 4):
            shown = await told(ed, uri, line)
            assert "Could not be checked" in shown
            assert TOKEN not in shown
            assert "target='file:" not in shown


async def test_no_password_is_shown(folder: Path, reach: dict[str, Any]) -> None:
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"It says “{WORDS}” ([it](https://user:{TOKEN}@www.example.com/mill)).\n")
        marks = await ed.marks(uri, ["INVALID_OR_BLOCKED_URL"])
        shown = await told(ed, uri, 0)
        assert "…@www" in shown
        assert TOKEN not in f"{marks} {shown}"


async def test_a_link_without_a_scheme_is_opened_over_https(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
) -> None:
    loopback.page("https://www.example.com/mill", WORDS)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"It says “{WORDS}” ([it](//www.example.com/mill)).\n")
        await ed.marks(uri, [])
        assert "target='https://www.example.com/mill" in await told(ed, uri, 0)
        await until(loopback.urls)
    assert loopback.urls() == ["https://www.example.com/mill"]
