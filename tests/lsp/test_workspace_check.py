"""The command that checks all documents of the workspace, those that are not open and the pages that they cite included."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import Editor, after, editor, neovim_0_7, neovim_0_11, until, vs_code
from lsprotocol import types

PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill stands at the mouth of the river."
TRUE = f"“The old mill stands at the mouth” ([mills]({PAGE}/{{}})).\n"
FALSE = TRUE.replace("stands", "stood")
CHECK = "tracecite.checkWorkspace"


def fill(folder: Path, loopback: Loopback, count: int) -> list[Path]:
    """Write *count* documents, each of which cites a page of its own falsely; return where they are."""
    paths = [folder / f"report-{number}.md" for number in range(count)]
    for number, path in enumerate(paths):
        loopback.page(f"{PAGE}/{number}", SENTENCE)
        path.write_text(FALSE.format(number))
    return paths


def bars(ed: Editor) -> dict[str, types.ProgressToken]:
    """Return the titles of the progress bars that have begun, each with its token."""
    return {
        reports[0].title: token for token, reports in ed.client.progress_reports.items() if reports
    }


def published(ed: Editor) -> dict[str, list[str]]:
    """Return the codes that were published last, by document."""
    return {item.uri: [str(mark.code) for mark in item.diagnostics] for item in ed.published}


async def test_documents_that_are_not_open_are_checked_with_the_pages_they_cite(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    paths = fill(folder, loopback, 3)
    (folder / "true.md").write_text(TRUE.format(0))
    async with editor(neovim_0_7(), folder=folder, settings={**reach, "run": "manual"}) as ed:
        ed.open(paths[0].as_uri(), paths[0].read_text())
        assert await ed.command(CHECK) == {"documents": 4, "findings": 3}
        await ed.marks(paths[0].as_uri(), ["QUOTE_NOT_IN_LIVE_SOURCE"])
        assert published(ed) == {
            **{path.as_uri(): ["QUOTE_NOT_IN_LIVE_SOURCE"] for path in paths},
            (folder / "true.md").as_uri(): [],
        }
    assert sorted(loopback.urls()) == [f"{PAGE}/{number}" for number in range(3)]


async def test_an_editor_that_asks_is_told_to_ask_again(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    paths = fill(folder, loopback, 2)
    async with editor(vs_code(), folder=folder, settings=reach) as ed:
        await ed.command(CHECK)
        report = await ed.client.workspace_diagnostic_async(
            types.WorkspaceDiagnosticParams(previous_result_ids=[])
        )
        assert {item.uri: [mark.code for mark in item.items] for item in report.items} == {
            path.as_uri(): ["QUOTE_NOT_IN_LIVE_SOURCE"] for path in paths
        }
        assert ed.published == []


@pytest.mark.parametrize("settings", [{"network": "cache-only"}, {"trusted": False}])
async def test_nothing_is_fetched_where_nothing_may_be(
    settings: dict[str, Any], folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    fill(folder, loopback, 2)
    async with editor(neovim_0_7(), folder=folder, settings={**reach, **settings}) as ed:
        assert await ed.command(CHECK) == {"documents": 2, "findings": 2}
    assert loopback.urls() == []


async def test_it_can_be_cancelled_while_pages_are_read(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    paths = fill(folder, loopback, 2)
    loopback.script(f"{PAGE}/1", after(60, b""))
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        check = asyncio.create_task(ed.command(CHECK))
        await until(lambda: f"{PAGE}/1" in loopback.urls())
        await until(lambda: "Reading cited pages" in bars(ed))
        assert "Checking the workspace" in bars(ed)
        assert await ed.command(CHECK) is None  # one at a time
        token = bars(ed)["Reading cited pages"]
        ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        assert await check is None
        assert await ed.command("tracecite.citations", paths[0].as_uri()) == []  # it lives


async def test_it_can_be_cancelled_while_documents_are_read(folder: Path):
    for number in range(300):
        (folder / f"{number}.md").write_text("“The gate is shut” ([s](source.md))\n" * 20)
    async with editor(neovim_0_11(), folder=folder, settings={"network": "off"}) as ed:
        check = asyncio.create_task(ed.command(CHECK))
        await until(lambda: bars(ed))
        ((_, token),) = bars(ed).items()
        ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        assert await check is None
