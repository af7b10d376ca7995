"""Hovers, links and hints: what is known of a citation; and that nothing private is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import Editor, editor, neovim_0_7, neovim_0_11, until, vs_code
from lsprotocol import types
from lsprotocol.types import Position, Range
from tracecite_lsp.citations import read_ago
from tracecite_lsp.hover import escaped
from traces import Cited, trace

PAGE = "https://www.example.com/mills"
OTHER = "https://www.example.com/gates"
SENTENCE = "The old mill - or “wheel house” - stands at the mouth of the river."
TRUE = f"It says “The old mill – or 'wheel house' – stands at the mouth” ([mills]({PAGE}))."
FALSE = f"It says “The old mill – or 'wheel house' – stood at the mouth” ([mills]({PAGE}))."
SECRET = "The owner has told nobody that the wheel is broken."


async def hovered(ed: Editor, uri: str, line: int, character: int) -> str:
    """Return the text of the hover at a position, empty if there is none."""
    hover = await ed.client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(uri), Position(line, character))
    )
    if hover is None:
        return ""
    assert isinstance(hover.contents, types.MarkupContent)
    return hover.contents.value


async def until_hovered(ed: Editor, uri: str, line: int, character: int, words: str) -> str:
    found = ""

    async def holds() -> bool:
        nonlocal found
        found = await hovered(ed, uri, line, character)
        return words in found

    await until(holds)
    return found


async def test_a_hover_tells_verdict_time_folds_and_the_words_around(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(
        PAGE, f"Here is what we know. {SENTENCE} It is &lt;b&gt;old&lt;/b&gt; ![x](https://e.com/i)"
    )
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"# T\n\n{TRUE}\n")
        text = await until_hovered(ed, uri, 2, 12, "Verified")
        assert "just now" in text
        assert "from the cache" not in text
        assert "quotation-marks, dashes" in text
        assert "Here is what we know" in text
        assert "of the river" in text
        # What a page says is never Markdown: no image of its choosing is loaded by a hover.
        assert "<b>" not in text
        assert "![x" not in text
        assert await hovered(ed, uri, 2, 0) == ""
        assert await hovered(ed, uri, 0, 0) == ""
        link = TRUE.index("[mills]") + 2
        assert "Verified" in await hovered(ed, uri, 2, link)
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"# T\n\n{TRUE}\n")
        text = await until_hovered(ed, uri, 2, 12, "Verified")
        assert "from the cache" in text


async def test_a_hover_tells_what_differs_and_who_else_holds_the_words(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    loopback.page(OTHER, SENTENCE.replace("stands", "stood"))
    uri = (folder / "report.md").as_uri()
    also = f"It says “The old mill” too ([gates]({OTHER}))."
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n\n{also}\n")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        text = await until_hovered(ed, uri, 0, 12, "Another source")
        assert "> ~~stood~~ → **stands**\n" in text
        assert f"<{OTHER}>" in text
        # Editors show the mark and this in one window: nothing stands in both.
        assert mark.code_description is not None
        assert mark.code_description.href.endswith("/docs/rules.md#quote_not_in_live_source")
        for said in (str(mark.code), "in the web page it cites", "at the mouth", "--fix"):
            assert said not in text
        assert "at the mouth" in mark.message


async def test_a_silenced_citation_has_no_mark_so_that_the_hover_says_all(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    silenced = f"{FALSE} <!-- tracecite-disable-line QUOTE_NOT_IN_LIVE_SOURCE -- known -->"
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{silenced}\n")
        text = await until_hovered(ed, uri, 0, 12, "Not in the source")
        assert "(`QUOTE_NOT_IN_LIVE_SOURCE`): The quotation does not stand" in text
        assert "**stands** ~~stood~~ at the mouth" in text


async def test_a_file_is_shown_by_its_path_in_the_workspace(folder: Path):
    work = folder / "work [1]"
    (work / "a_b").mkdir(parents=True)
    (work / "a_b" / "source.md").write_text("One.\n\nThe gate is shut.\n")
    uri = (work / "a_b" / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=work, settings={"network": "off"}) as ed:
        ed.open(uri, "“The gate is shut” ([s](source.md))\n")
        text = await until_hovered(ed, uri, 0, 5, "Verified")
        address = (work / "a_b" / "source.md").as_uri()
        assert f"Source: [a\\_b/source.md]({address}#L3), line 3\n" in text
        assert "a file" not in text


async def test_a_hover_tells_why_nothing_is_known(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{TRUE}\n")
        (mark,) = await ed.marks(uri, ["HTTP_STATUS_404"])
        assert mark.code_description is not None
        assert mark.code_description.href.endswith("/docs/rules.md#http_status_n")
        await until_hovered(ed, uri, 0, 12, "**? Could not be checked**\n")
    async with editor(neovim_0_11(), folder=folder, settings={**reach, "network": "off"}) as ed:
        ed.open(uri, f"{TRUE}\n")
        assert "`tracecite.network` is `off`" in await until_hovered(ed, uri, 0, 12, "Not checked")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words, (in brackets). 1.5 - or so!", "plain words, (in brackets). 1.5 - or so!"),
        ("![x](https://e.com/i)", r"!\[x\](https://e.com/i)"),
        ("<img src=x>&lt;", r"\<img src=x\>\&lt;"),
        ("# *a* _b_ `c` ~~d~~ \\ |", r"\# \*a\* \_b\_ \`c\` \~\~d\~\~ \\ \|"),
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
    ],
)
def test_what_a_page_says_is_no_markdown(text: str, expected: str):
    assert escaped(text) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "just now"), (59, "just now"), (60, "1 min ago"), (7300, "2 h ago"), (180_000, "2 d ago")],
)
def test_how_long_ago_that_was(seconds: int, expected: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    assert read_ago(1_000_000.0 - seconds) == expected


async def test_links_lead_to_the_sentence(folder: Path, loopback: Loopback, reach: dict[str, Any]):
    loopback.page(PAGE, "Home.", SENTENCE)
    (folder / "source.md").write_text("# Title\n\nThe gate is shut for good.\n")
    uri = (folder / "report.md").as_uri()
    text = f"{TRUE}\n\n“The gate is shut for good” ([s](source.md))\n"
    async with editor(vs_code(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        await until_hovered(ed, uri, 0, 12, "Verified")
        links = await ed.client.text_document_document_link_async(
            types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
        )
        assert links is not None
        start = TRUE.index("[mills]")
        assert [(link.range, link.target) for link in links] == [
            (
                Range(Position(0, start), Position(0, len(TRUE) - 2)),
                f"{PAGE}#:~:text=The%20old%20mill%20%2D%20or%20%E2%80%9Cwheel%20house%E2%80%9D%20%2D%20stands%20at%20the%20mouth",
            ),
            (
                Range(Position(2, 29), Position(2, 43)),
                (folder / "source.md").as_uri() + "#L3",
            ),
        ]


async def test_hints_are_shown_to_those_who_want_them(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    text = f"{TRUE}\n\n{FALSE}\n\n{TRUE.replace(PAGE, PAGE + '/none')}\n"
    whole = Range(Position(0, 0), Position(5, 0))

    async def hints(ed: Editor) -> list[str]:
        found = await ed.client.text_document_inlay_hint_async(
            types.InlayHintParams(types.TextDocumentIdentifier(uri), whole)
        )
        return [str(hint.label) for hint in found or ()]

    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE", "HTTP_STATUS_404"])
        assert await hints(ed) == []
        ed.configure({"inlayHints": True})
        expected = ["✓ just now", "✗ not in the source", "? HTTP_STATUS_404"]

        async def shown() -> bool:
            return await hints(ed) == expected

        await until(shown)


async def test_nothing_of_a_traces_content_or_quotes_is_told(
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
    capfd: pytest.CaptureFixture[str],
):
    loopback.page(PAGE, f"{SECRET.replace('nobody', 'everybody')}")
    loopback.page(OTHER, SECRET)
    cited = [Cited(source, f"Home. {SECRET}", SECRET) for source in (PAGE, OTHER)]
    text = trace(*cited, claim="It is broken.")
    uri = (folder / "trace.jsonl").as_uri()
    identifier = types.TextDocumentIdentifier(uri)
    whole = Range(Position(0, 0), Position(3, 0))
    said: list[object] = []
    async with editor(
        neovim_0_7(), folder=folder, settings={**reach, "inlayHints": True}, arguments=["-vv"]
    ) as ed:
        ed.open(uri, text, "jsonl")
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        for character in range(0, len(text.split("\n")[2]), 20):
            said.append(await hovered(ed, uri, 2, character))
        said.append(
            await ed.client.text_document_code_action_async(
                types.CodeActionParams(identifier, whole, types.CodeActionContext(diagnostics=[]))
            )
        )
        links = types.DocumentLinkParams(identifier)
        said.append(await ed.client.text_document_document_link_async(links))
        said.append(
            await ed.client.text_document_inlay_hint_async(types.InlayHintParams(identifier, whole))
        )
        said += [ed.published, ed.client.messages, ed.client.log_messages, ed.applied]
        assert "✗" in str(said)
        assert "Read this source again" in str(said)
    everything = f"{said} {capfd.readouterr().err}"
    for words in ("owner", "told", "nobody", "everybody", "broken", "Home"):
        assert words not in everything


async def test_json_lines_are_silenced_in_the_settings(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    config = folder / "pyproject.toml"
    config.write_text('[tool.tracecite-lint]\nttl = "1h"\n')
    uri = (folder / "trace.jsonl").as_uri()
    text = '{"type":"tool_call","run_id":"r1","call_id":"c1","tool":"search"}\n'
    start = Range(Position(0, 0), Position(0, 0))
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, text, "jsonl")
        marks = await ed.publication(uri, lambda params: len(params.diagnostics) > 0)
        code = str(marks.diagnostics[0].code)
        actions = await ed.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri), start, types.CodeActionContext(diagnostics=[])
            )
        )
        action = next(item for item in actions or () if code in item.title)
        assert action.title == f"Ignore {code} in this file (settings)"
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None and action.edit.changes is not None
        ((target, (edit,)),) = action.edit.changes.items()
        assert target == config.as_uri()
        config.write_text(edit.new_text)
        await ed.publication(
            uri, lambda params: code not in [item.code for item in params.diagnostics]
        )


async def test_a_hover_on_a_claim_tells_which_figure_stands_where(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, f"{SENTENCE} It has 84 cranes, and no more than that. " * 12)
    (folder / ".tracecite-lint.toml").write_text('claims = ["figures"]\n')
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"The mill has 84 cranes and 1,250 wheels ([mills]({PAGE})).\n")
        text = await until_hovered(ed, uri, 0, 5, "Not in the source")

        assert "“84”: …" in text
        assert "It has 84 cranes" in text
        assert "“1,250”: does not stand there" in text
