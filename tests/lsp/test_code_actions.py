"""Code actions: what is offered, and that the documents they leave behind are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import Editor, edited, editor, neovim_0_7, neovim_0_11, until, vs_code
from lsprotocol import types
from lsprotocol.types import Position, Range
from test_positions import text_in

PAGE = "https://www.example.com/mills"
OTHER = "https://www.example.com/gates"
SENTENCE = "The old mill 😀 stands at the mouth of the river."
GATE = "The gate is shut when the tide turns, and the pond is full."
FALSE = f"😀 It says “The old mill 😀 stood at the mouth of the river” ([mills]({PAGE}))."
FALSE_GATE = f"It says “The gate was shut when the tide turns” ([gates]({OTHER}))."
TRUE = f"😀 It says “The old mill 😀 stands at the mouth” ([mills]({PAGE}))."
NOT_THERE = "QUOTE_NOT_IN_LIVE_SOURCE"
STRAY_CODE = "QUOTE_PUNCTUATION"
FIX = "Quote the source's own words: stood → stands"
FIX_GATE = "Quote the source's own words: was → is"
STRAY = FALSE.replace("mill 😀 stood", "mill, 😀 stands")
STRAY_GATE = FALSE_GATE.replace("was shut", "is, shut")
FIX_ALL = "Quote the sources' own words in all of this file"


async def offered(
    ed: Editor, uri: str, range: Range, only: list[str] | None = None
) -> dict[str, types.CodeAction]:
    """Return the actions that are offered for *range*, by their titles."""
    context = types.CodeActionContext(diagnostics=[], only=only)
    actions = await ed.client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), range, context)
    )
    return {
        action.title: action for action in actions or () if isinstance(action, types.CodeAction)
    }


async def titles(ed: Editor, uri: str, range: Range) -> list[str]:
    """Return the titles of the actions that are offered for *range*, as often as each is."""
    context = types.CodeActionContext(diagnostics=[])
    actions = await ed.client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), range, context)
    )
    return [action.title for action in actions or ()]


def at(line: int, character: int) -> Range:
    return Range(Position(line, character), Position(line, character))


async def test_the_sources_words_replace_the_quotation(
    capabilities: types.ClientCapabilities,
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    text = f"# T\n\n{FALSE}\n"
    async with editor(capabilities, folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        (mark,) = await ed.marks(uri, [NOT_THERE])
        action = (await offered(ed, uri, mark.range))[FIX]
        assert action.kind == types.CodeActionKind.QuickFix
        assert not action.is_preferred  # it changes a word
        assert [item.range for item in action.diagnostics or ()] == [mark.range]
        resolved = await ed.client.code_action_resolve_async(action)
        assert resolved == action  # as Neovim asks, although nothing is missing
        fixed = edited(text, action.edit, uri, ed.encoding)
        assert fixed == text.replace("stood", "stands")
        version = ed.change(uri, fixed)
        await ed.marks(uri, [], version=version)
        assert FIX not in await offered(ed, uri, mark.range)


async def test_there_are_actions_for_every_finding_in_the_range(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    loopback.page(OTHER, GATE)
    uri = (folder / "report.md").as_uri()
    text = f"{FALSE}\n\n{FALSE_GATE}\n\n{FALSE.replace(PAGE, PAGE + '/none')}\n"
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        marks = await ed.marks(uri, [NOT_THERE, NOT_THERE, "HTTP_STATUS_404"])
        context = types.CodeActionContext(diagnostics=[])
        whole = Range(Position(0, 0), Position(5, 0))
        actions = await ed.client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(uri), whole, context)
        )
        titles = [action.title for action in actions or ()]
        assert titles.count(FIX) == titles.count(FIX_GATE) == 1
        assert FIX_ALL not in titles
        assert titles.count(f"Silence {NOT_THERE} here") == 2
        assert titles.count("Silence HTTP_STATUS_404 here") == 1
        assert titles.count("Read this source again") == 3
        one = await offered(ed, uri, marks[2].range)
        assert FIX not in one
        assert "Silence HTTP_STATUS_404 in this file" in one


def without_resolve() -> types.ClientCapabilities:
    """An editor that does not ask for the edit of an action later."""
    capabilities = neovim_0_7()
    assert capabilities.text_document and capabilities.text_document.code_action
    capabilities.text_document.code_action.resolve_support = None
    return capabilities


# In a long document the edit is worked out when the action is chosen.
LONG = "There is more text here, which quotes nothing at all.\n\n" * 2500


@pytest.mark.parametrize(
    ("kind", "more", "how"),
    [(vs_code, "", "edit"), (vs_code, LONG, "data"), (without_resolve, LONG, "command")],
)
async def test_all_of_a_file_is_mended_at_once(
    kind: Any, more: str, how: str, folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    loopback.page(OTHER, GATE)
    uri = (folder / "report.md").as_uri()
    text = f"{STRAY}\n\n{STRAY_GATE}\n\n{FALSE}\n\n{more}"
    async with editor(kind(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        (mark, _, _) = await ed.marks(uri, [STRAY_CODE, STRAY_CODE, NOT_THERE])
        (fix,) = [
            action
            for title, action in (await offered(ed, uri, mark.range)).items()
            if title == "Quote the source's own words"
        ]
        assert fix.is_preferred
        assert (await titles(ed, uri, mark.range)).count(FIX_ALL) == 1
        actions = await offered(ed, uri, mark.range, ["source.fixAll"])
        assert list(actions) == [FIX_ALL]
        assert actions[FIX_ALL].kind == "source.fixAll.tracecite-lint"
        action = (await offered(ed, uri, mark.range, ["quickfix"]))[FIX_ALL]
        assert getattr(action, how) is not None
        if action.command is None:
            edit = (await ed.client.code_action_resolve_async(action)).edit
        else:
            await ed.command(action.command.command, *(action.command.arguments or ()))
            (applied,) = ed.applied
            edit = applied.edit
        fixed = edited(text, edit, uri, ed.encoding)
        assert fixed == text.replace("mill,", "mill").replace(
            "is,", "is"
        )  # the other would change a word
        version = ed.change(uri, fixed)
        await ed.marks(uri, [NOT_THERE], version=version)


@pytest.mark.parametrize("where", ["here", "in this file"])
async def test_a_finding_is_silenced_with_a_reason(
    where: str, folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    text = f"# T\r\n\r\n{FALSE}\r\n"
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        (mark,) = await ed.marks(uri, [NOT_THERE])
        action = (await offered(ed, uri, mark.range))[f"Silence {NOT_THERE} {where}"]
        changed = edited(text, action.edit, uri, ed.encoding)
        assert f"{NOT_THERE} -- say why -->\r\n" in changed
        version = ed.change(uri, changed)
        await ed.marks(uri, [], version=version)
        version = ed.change(uri, changed.replace("stood", "stands"))
        (mark,) = await ed.marks(uri, ["UNUSED_SUPPRESSION"], version=version)
        assert list(mark.tags or ()) == [types.DiagnosticTag.Unnecessary]
        assert "Remove this comment" in await offered(ed, uri, mark.range)


async def test_a_source_is_read_again_on_request(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        (mark,) = await ed.marks(uri, [NOT_THERE])
        loopback.page(PAGE, SENTENCE.replace("stands", "stood"))
        action = (await offered(ed, uri, mark.range))["Read this source again"]
        assert action.command is not None
        await ed.command(action.command.command, *(action.command.arguments or ()))
        await ed.marks(uri, [], version=1)
    assert loopback.urls() == [PAGE, PAGE]


async def test_a_source_is_opened_at_the_sentence(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, "Home.", SENTENCE)
    (folder / "source.md").write_text("# Title\n\nOne line.\nThe gate is shut for good.\n")
    uri = (folder / "report.md").as_uri()
    local = "“The gate is shut for good” ([s](source.md))"
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n\n{TRUE}\n\n{local}\n")
        await ed.marks(uri, [NOT_THERE])
        for line in (0, 2, 4):
            action = (await offered(ed, uri, at(line, 20)))["Open this source at the quotation"]
            assert action.command is not None
            await ed.command(action.command.command, *(action.command.arguments or ()))
        shown = ed.client.shown_documents
        assert [(item.uri, item.external) for item in shown] == [
            (
                f"{PAGE}#:~:text=The%20old%20mill%20%F0%9F%98%80%20stands%20at%20the%20mouth%20of%20the%20river",
                True,
            ),
            (f"{PAGE}#:~:text=The%20old%20mill%20%F0%9F%98%80%20stands%20at%20the%20mouth", True),
            # An address with a fragment would be another file to an editor: a second copy of this one.
            ((folder / "source.md").as_uri(), False),
        ]
        assert [item.selection for item in shown] == [
            None,
            None,
            Range(Position(3, 0), Position(3, 25)),
        ]


SOURCE = "# Title\n\n- 😀 item\r\n- 😀 The *gate*\r\n  is é-shut, for _good_.\n"


@pytest.mark.parametrize("encoding", types.PositionEncodingKind)
@pytest.mark.parametrize("is_open", [False, True], ids=["on disk", "open"])
async def test_the_selection_is_the_quotation_in_the_units_of_the_editor(
    encoding: types.PositionEncodingKind, is_open: bool, folder: Path
):
    name = "a source #1.md"
    source = folder / name
    source.write_bytes(SOURCE.encode())
    uri = (folder / "report.md").as_uri()
    capabilities = neovim_0_11()
    capabilities.general = types.GeneralClientCapabilities(position_encodings=[encoding])
    async with editor(capabilities, folder=folder, settings={"network": "off"}) as ed:
        held = f"New, and not saved.\n\n{SOURCE}" if is_open else SOURCE
        if is_open:
            ed.open(source.as_uri(), held)
        ed.open(uri, "“gate is é-shut, for good” ([s](a%20source%20%231.md))\n")
        await ed.marks(uri, [])
        title = "Open this source at the quotation"
        action = (await offered(ed, uri, at(0, 5)))[title]
        assert action.kind is None  # no quick fix: it mends nothing
        assert title not in await offered(ed, uri, at(0, 5), ["quickfix"])
        assert title in await offered(ed, uri, at(0, 5), [""])
        assert action.command is not None
        await ed.command(action.command.command, *(action.command.arguments or ()))
        (shown,) = ed.client.shown_documents
        assert shown.uri == source.as_uri()
        assert shown.selection is not None
        assert ed.encoding == encoding.value
        found = text_in(held, shown.selection, ed.encoding)
        assert found.replace("\r\n", "\n") == "gate*\n  is é-shut, for _good"


async def test_a_place_that_is_written_otherwise_is_its_line_and_a_pdf_is_for_another_program(
    folder: Path,
):
    (folder / "source.md").write_text("One.\n\nA gate is [shut](https://example.com) for good.\n")
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings={"network": "off"}) as ed:
        ed.open(uri, "“gate is shut for good” ([s](source.md))\n")
        await ed.marks(uri, [])
        action = (await offered(ed, uri, at(0, 5)))["Open this source at the quotation"]
        assert action.command is not None
        await ed.command(action.command.command, *(action.command.arguments or ()))
        await ed.command(action.command.command, (folder / "paper.pdf").as_uri())
        first, second = ed.client.shown_documents
        assert first.selection == Range(Position(2, 0), Position(3, 0))
        assert (first.external, second.external) == (False, True)


async def test_a_link_is_made_to_lead_to_the_sentence(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, "Home.", SENTENCE)
    uri = (folder / "report.md").as_uri()
    text = f"{TRUE}\n"
    title = "Link to the sentence (#:~:text=)"
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        await until(lambda: loopback.urls())
        await until_offered(ed, uri, at(0, 20), title)
        action = (await offered(ed, uri, at(0, 20), ["refactor"]))[title]
        changed = edited(text, action.edit, uri, ed.encoding)
        directive = "The%20old%20mill%20%F0%9F%98%80%20stands%20at%20the%20mouth"
        assert changed == text.replace(PAGE, f"{PAGE}#:~:text={directive}")
        version = ed.change(uri, changed)
        await ed.marks(uri, [], version=version)
        assert title not in await offered(ed, uri, at(0, 20))
    assert loopback.urls() == [PAGE]


async def until_offered(ed: Editor, uri: str, range: Range, title: str) -> None:
    async def is_offered() -> bool:
        return title in await offered(ed, uri, range)

    await until(is_offered)


async def test_an_editor_without_show_document_is_not_offered_to_open_anything(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        (mark,) = await ed.marks(uri, [NOT_THERE])
        assert not [title for title in await offered(ed, uri, mark.range) if "Open" in title]


async def test_nothing_is_offered_to_fetch_where_nothing_may_be_fetched(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings={**reach, "trusted": False}) as ed:
        ed.open(uri, f"{FALSE}\n")
        (mark,) = await ed.marks(uri, ["NOT_IN_CACHE"])
        assert "Read this source again" not in await offered(ed, uri, mark.range)
