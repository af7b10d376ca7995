"""While somebody types: stale results, one fetch, addresses that are not complete, and when pages are fetched at all."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback
from lsp_editor import after, editor, neovim_0_7, until, vs_code
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

PAGE = "https://www.example.com/mills"
OTHER = "https://www.example.com/other"
SENTENCE = "The old mill stands at the mouth of the river and grinds at ebb tide."
FALSE = f"It says “{SENTENCE.replace('ebb', 'high')}” ([mills]({PAGE}))."
HTML = Answer(f"<p>{SENTENCE}</p>")
NOT_THERE = ["QUOTE_NOT_IN_LIVE_SOURCE"]


@pytest.mark.parametrize("editor_kind", [neovim_0_7, vs_code])
async def test_forty_edits_while_a_slow_page_loads_end_with_the_last_version_and_one_request(
    editor_kind: Any, folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, after(1.5, HTML))
    uri = (folder / "report.md").as_uri()
    async with editor(editor_kind(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await until(loopback.urls)
        for _ in range(40):
            version = ed.type(uri, 0, 0, "x")
            await asyncio.sleep(0.01)
        assert version == 41
        (mark,) = await ed.marks(uri, NOT_THERE, version=41)
        assert mark.range.start.character == 40 + FALSE.index("The old")
        await asyncio.sleep(0.3)
        versions = [params.version for params in ed.published]
        assert versions == sorted(versions)
    assert loopback.urls() == [PAGE]


async def test_what_is_typed_breaks_the_citation_for_a_moment_and_the_fetch_goes_on(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, after(1.0, HTML))
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await until(loopback.urls)
        at = FALSE.index("]")
        ed.type(uri, 0, at, "", delete=1)
        await asyncio.sleep(0.2)
        version = ed.type(uri, 0, at, "]")
        await ed.marks(uri, NOT_THERE, version=version)
    assert loopback.urls() == [PAGE]


async def test_an_address_is_not_fetched_while_it_is_typed(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    """Typed letter by letter with a rest in the middle, between the brackets that an editor closes by itself."""
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    start = FALSE.replace(PAGE, "")
    at = start.index("()") + 1
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{start}\n")
        for index, letter in enumerate(PAGE):
            version = ed.type(uri, 0, at + index, letter)
            await asyncio.sleep(1.2 if PAGE[: index + 1].endswith((".com/", "/mil")) else 0)
        await asyncio.sleep(1.2)
        assert loopback.urls() == []
        version = ed.type(uri, 1, 0, "\nThe next line.")
        await ed.marks(uri, NOT_THERE, version=version)
    assert loopback.urls() == [PAGE]


async def test_an_address_that_is_put_in_as_a_whole_is_fetched_when_typing_rests(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    start = FALSE.replace(PAGE, "")
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{start}\n")
        version = ed.type(uri, 0, start.index("()") + 1, PAGE)
        await ed.marks(uri, NOT_THERE, version=version)


async def test_an_address_is_fetched_on_save_wherever_the_cursor_is(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    cut = FALSE.replace(PAGE, PAGE[:-1])
    async with editor(neovim_0_7(), folder=folder, settings={**reach, "run": "onSave"}) as ed:
        ed.open(uri, "\n")
        ed.change(uri, f"{cut}\n")
        version = ed.type(uri, 0, cut.index(PAGE[:-1]) + len(PAGE) - 1, PAGE[-1])
        ed.save(uri)
        await ed.marks(uri, NOT_THERE, version=version)
    assert loopback.urls() == [PAGE]


async def test_on_save_only_a_saved_text_is_checked(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings={**reach, "run": "onSave"}) as ed:
        ed.open(uri, "Nothing yet.\n")
        await ed.marks(uri, [], version=1)
        version = ed.change(uri, f"{FALSE}\n")
        await asyncio.sleep(1.2)
        assert ed.published[-1].version == 1
        assert loopback.urls() == []
        ed.save(uri)
        await ed.marks(uri, NOT_THERE, version=version)


async def test_on_save_an_editor_that_asks_gets_what_it_knew_until_the_text_is_saved(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    async with editor(vs_code(), folder=folder, settings={**reach, "run": "onSave"}) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)
        known = await ed.pull(uri)
        ed.change(uri, "Nothing is quoted any more.\n")
        report = await ed.pull(uri, known.result_id)
        assert report.kind == "unchanged"
        before = ed.client.diagnostic_refresh_count
        ed.save(uri)
        await until(lambda: ed.client.diagnostic_refresh_count > before)
        await ed.marks(uri, [])


async def test_manual_checks_on_command_alone(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings={**reach, "run": "manual"}) as ed:
        ed.open(uri, f"{FALSE}\n")
        ed.save(uri)
        await asyncio.sleep(1.2)
        assert ed.published == []
        assert loopback.urls() == []
        await ed.command("tracecite.check", uri)
        await ed.marks(uri, NOT_THERE, version=1)


async def test_two_documents_that_cite_a_page_ask_for_it_once(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, after(0.5, HTML))
    uris = [(folder / f"{name}.md").as_uri() for name in ("one", "two", "three")]
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        for uri in uris:
            ed.open(uri, f"{FALSE}\n")
        for uri in uris:
            await ed.marks(uri, NOT_THERE)
    assert loopback.urls() == [PAGE]


async def test_progress_is_shown_while_pages_are_fetched(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, after(0.3, HTML))
    loopback.script(OTHER, after(0.6, HTML))
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n\n{FALSE.replace(PAGE, OTHER)}\n")
        await ed.marks(uri, NOT_THERE * 2)
        (reports,) = ed.client.progress_reports.values()
        assert isinstance(reports[0], types.WorkDoneProgressBegin)
        assert reports[0].cancellable
        messages = [item.message for item in reports if item.kind == "report"]
        assert messages[-1] == "1 of 2"
        await until(lambda: isinstance(reports[-1], types.WorkDoneProgressEnd))


async def test_cancelling_the_progress_ends_the_fetches_until_the_next_save(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, after(60, b""), HTML)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await until(lambda: ed.client.progress_reports and loopback.urls())
        ((token, reports),) = ed.client.progress_reports.items()
        ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        await until(lambda: isinstance(reports[-1], types.WorkDoneProgressEnd))
        await asyncio.sleep(0.2)
        assert len(loopback.urls()) == 1
        ed.save(uri)
        await ed.marks(uri, NOT_THERE)
    assert loopback.urls() == [PAGE, PAGE]


async def test_a_request_for_an_old_text_can_be_cancelled_and_the_check_goes_on(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, HTML)
    uri = (folder / "report.md").as_uri()
    async with editor(vs_code(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        request = types.TextDocumentIdentifier(uri=uri)
        future = ed.client.protocol.send_request(
            types.TEXT_DOCUMENT_DIAGNOSTIC,
            types.DocumentDiagnosticParams(text_document=request),
            msg_id="the-request",
        )
        ed.client.cancel_request(types.CancelParams(id="the-request"))
        with suppress(JsonRpcRequestCancelled):  # unless the answer was faster
            await asyncio.wrap_future(future)
        await ed.marks(uri, NOT_THERE)
