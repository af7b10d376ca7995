"""Diagnostics end to end over stdio, for editors that ask for them and for editors that are sent them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback
from lsp_editor import after, editor, neovim_0_7, neovim_0_11, until, vs_code
from lsprotocol import types

PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill stands at the mouth of the river and grinds at ebb tide."
TRUE = f"It says “{SENTENCE}” ([mills]({PAGE}))."
FALSE = f"It says “{SENTENCE.replace('ebb', 'high')}” ([mills]({PAGE}))."


async def test_a_changed_quotation_is_marked_until_it_is_right(
    capabilities: types.ClientCapabilities,
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(capabilities, folder=folder, settings=reach) as ed:
        ed.open(uri, f"# Mills\n\n{FALSE}\n")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"], version=1)
        assert (mark.severity, mark.source) == (
            types.DiagnosticSeverity.Error,
            "tracecite-lint",
        )
        assert SENTENCE in mark.message
        assert mark.range.start.line == mark.range.end.line == 2
        version = ed.change(uri, f"# Mills\n\n{TRUE}\n")
        assert await ed.marks(uri, [], version=version) == []
    assert loopback.urls() == [PAGE]


async def test_what_needs_no_network_is_shown_before_the_page_is_there(
    capabilities: types.ClientCapabilities,
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
):
    loopback.script(PAGE, after(60, b""))
    (folder / "notes.md").write_text("# Notes\n\nThe mill was closed in the spring of that year.\n")
    local = "It says “The mill was closed in the autumn of that year” ([notes](notes.md))."
    uri = (folder / "report.md").as_uri()
    async with editor(capabilities, folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n\n{local}\n")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])
        assert mark.range.start.line == 2


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(status=404), "HTTP_STATUS_404"),
        (Answer(status=403), "SOURCE_BLOCKED"),
        (Answer(b"\x89PNG", content_type="image/png"), "UNSUPPORTED_CONTENT_TYPE"),
    ],
)
async def test_a_source_that_cannot_be_read_is_marked_with_the_reason(
    answer: Answer, code: str, folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, answer)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{TRUE}\n")
        await ed.marks(uri, [code])


async def test_marks_vanish_on_close(folder: Path, loopback: Loopback, reach: dict[str, Any]):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        ed.close(uri)
        await ed.publication(uri, lambda params: not params.diagnostics and params.version is None)


async def test_a_fetch_goes_on_for_another_document_when_one_is_closed(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.script(PAGE, after(1, Answer(f"<p>{SENTENCE}</p>")))
    first, second = (folder / "first.md").as_uri(), (folder / "second.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(first, f"{FALSE}\n")
        ed.open(second, f"{FALSE}\n")
        await until(lambda: loopback.urls())
        ed.close(first)
        await ed.marks(second, ["QUOTE_NOT_IN_LIVE_SOURCE"])
    assert loopback.urls() == [PAGE]


class TestPull:
    async def test_an_editor_that_asks_is_sent_nothing(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any]
    ):
        loopback.page(PAGE, SENTENCE)
        uri = (folder / "report.md").as_uri()
        async with editor(vs_code(), folder=folder, settings=reach) as ed:
            assert ed.capabilities.diagnostic_provider is not None
            assert ed.capabilities.diagnostic_provider.workspace_diagnostics
            ed.open(uri, f"{FALSE}\n")
            await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
            ed.close(uri)
            await ed.pull(uri)
            assert ed.published == []

    async def test_the_result_id_tells_whether_anything_changed(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any]
    ):
        loopback.page(PAGE, SENTENCE)
        uri = (folder / "report.md").as_uri()
        async with editor(vs_code(), folder=folder, settings=reach) as ed:
            ed.open(uri, f"{FALSE}\n")
            await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
            first = await ed.pull(uri)
            assert isinstance(first, types.RelatedFullDocumentDiagnosticReport)
            again = await ed.pull(uri, first.result_id)
            assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
            assert again.result_id == first.result_id
            ed.change(uri, f"{FALSE}\nMore text that moves nothing.\n")
            same = await ed.pull(uri, first.result_id)
            assert isinstance(same, types.RelatedUnchangedDocumentDiagnosticReport)
            ed.change(uri, f"\n{FALSE}\n")
            moved = await ed.pull(uri, first.result_id)
            assert isinstance(moved, types.RelatedFullDocumentDiagnosticReport)
            assert moved.items[0].range.start.line == 1

    async def test_it_is_told_to_ask_again_when_a_page_arrives(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any]
    ):
        released = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait(exchange: Any) -> Answer:
            asyncio.run_coroutine_threadsafe(released.wait(), loop).result()
            return Answer(f"<p>{SENTENCE}</p>")

        loopback.script(PAGE, wait)
        uri = (folder / "report.md").as_uri()
        async with editor(vs_code(), folder=folder, settings=reach) as ed:
            ed.open(uri, f"{FALSE}\n")
            report = await ed.pull(uri)
            assert not report.items
            await until(lambda: loopback.urls())
            before = ed.client.diagnostic_refresh_count
            released.set()
            await until(lambda: ed.client.diagnostic_refresh_count > before)
            report = await ed.pull(uri, report.result_id)
            assert [item.code for item in report.items] == ["QUOTE_NOT_IN_LIVE_SOURCE"]

    async def test_one_that_cannot_be_told_to_ask_again_is_sent_its_diagnostics(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any]
    ):
        loopback.page(PAGE, SENTENCE)
        uri = (folder / "report.md").as_uri()
        async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
            assert ed.capabilities.diagnostic_provider is None
            ed.open(uri, f"{FALSE}\n")
            await ed.publication(uri, lambda params: len(params.diagnostics) == 1)
            report = await ed.pull(uri)  # and is answered all the same
            assert [item.code for item in report.items] == ["QUOTE_NOT_IN_LIVE_SOURCE"]


class TestWorkspace:
    async def test_documents_that_are_not_open_are_judged_by_what_is_at_hand(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any]
    ):
        loopback.page(PAGE, SENTENCE)
        (folder / "notes.md").write_text("The mill was closed in the spring of that year.\n")
        local = "“The mill was closed in the autumn of that year” ([notes](notes.md))\n"
        (folder / "closed.md").write_text(local)
        (folder / "web.md").write_text(FALSE)
        uri = (folder / "open.md").as_uri()
        async with editor(vs_code(), folder=folder, settings=reach) as ed:
            ed.open(uri, local)
            reports = await self.ask(ed)
            assert {name: self.codes(report) for name, report in reports.items()} == {
                "closed.md": ["QUOTE_NOT_IN_SOURCE"],
                "notes.md": [],
                "open.md": ["QUOTE_NOT_IN_SOURCE"],
                "web.md": [],
            }
            assert reports["open.md"].version == 1
            assert reports["closed.md"].version is None
            again = await self.ask(ed, reports)
            assert {report.kind for report in again.values()} == {"unchanged"}
            (folder / "closed.md").write_text("Nothing is quoted here.\n")
            (folder / "web.md").unlink()
            later = await self.ask(ed, reports)
            assert self.codes(later["closed.md"]) == []
            assert self.codes(later["web.md"]) == []
        assert loopback.urls() == []

    async def test_settings_that_change_are_those_of_documents_that_are_not_open(
        self, folder: Path
    ):
        (folder / "notes.md").write_text("The mill was closed in the spring of that year.\n")
        (folder / "closed.md").write_text(
            "“The mill was closed in the autumn of that year” ([notes](notes.md))\n"
        )
        settings = folder / ".tracecite-lint.toml"
        async with editor(vs_code(), folder=folder) as ed:
            ed.open((folder / "open.md").as_uri(), "Nothing is quoted here.\n")
            reports = await self.ask(ed)
            assert self.codes(reports["closed.md"]) == ["QUOTE_NOT_IN_SOURCE"]
            before = ed.client.diagnostic_refresh_count
            settings.write_text('ignore = ["QUOTE_NOT_IN_SOURCE"]\n')
            ed.files_changed(settings)
            await until(lambda: ed.client.diagnostic_refresh_count > before)
            later = await self.ask(ed, reports)
            assert self.codes(later["closed.md"]) == []

    async def ask(self, ed: Any, earlier: Any = None) -> dict[str, Any]:
        previous = [
            types.PreviousResultId(uri=report.uri, value=report.result_id)
            for report in (earlier or {}).values()
        ]
        report = await ed.client.workspace_diagnostic_async(
            types.WorkspaceDiagnosticParams(previous_result_ids=previous)
        )
        return {item.uri.rpartition("/")[2]: item for item in report.items}

    def codes(self, report: Any) -> list[str]:
        return [item.code for item in report.items]
