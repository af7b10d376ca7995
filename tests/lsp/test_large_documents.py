"""Documents that are too large to be checked in an editor: that is said, they can be edited, and then be small again."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsp_editor import editor, neovim_0_7, vs_code
from lsprotocol import types
from tracecite_lsp.client_settings import ClientSettings
from tracecite_lsp.document import opened
from tracecite_lsp.large_text import MAX_CHARACTERS, LargeText
from tracecite_lsp.positions import UTF_8, UTF_16, UTF_32, changed
from wire import bare_server

SENTENCE = "The old mill stands at the mouth of the river."
FALSE = f"It says “{SENTENCE.replace('stands', 'stood')}” ([mills](mills.txt)).\n"
LINE = f"{99 * 'x'}\n"
LARGE = FALSE + (MAX_CHARACTERS // 100) * LINE


async def test_a_large_document_is_told_and_checked_again_when_it_shrinks(folder: Path):
    (folder / "mills.txt").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder) as ed:
        ed.open(uri, LARGE)
        (mark,) = await ed.marks(uri, ["FILE_TOO_LARGE"])
        assert mark.severity == types.DiagnosticSeverity.Information
        assert mark.range == types.Range(types.Position(0, 0), types.Position(0, 0))
        assert f"{MAX_CHARACTERS:,} characters" in mark.message
        place = types.Position(0, 12)
        hover = types.HoverParams(types.TextDocumentIdentifier(uri), place)
        assert await ed.client.text_document_hover_async(hover) is None
        actions = types.CodeActionParams(
            types.TextDocumentIdentifier(uri),
            types.Range(place, place),
            types.CodeActionContext(diagnostics=[mark]),
        )
        assert not await ed.client.text_document_code_action_async(actions)
        version = ed.type(uri, 0, 0, "é\n")
        await ed.marks(uri, ["FILE_TOO_LARGE"], version=version)
        last = types.Position(len(LARGE), 0)
        cut = types.TextDocumentContentChangePartial(types.Range(types.Position(2, 0), last), "")
        version = ed._change(uri, cut)
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=version)
        assert mark.range.start == types.Position(1, 9)
        version = ed.type(uri, 0, 0, LARGE)
        await ed.marks(uri, ["FILE_TOO_LARGE"], version=version)
        version = ed.change(uri, "")
        await ed.marks(uri, [], version=version)
        version = ed.change(uri, FALSE)
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=version)


@pytest.mark.parametrize("settings", ['ignore = ["FILE_TOO_LARGE"]\n', 'exclude = ["*.md"]\n'])
async def test_settings_silence_what_is_told_of_a_large_document(folder: Path, settings: str):
    (folder / ".tracecite-lint.toml").write_text(settings)
    uri = (folder / "report.md").as_uri()
    async with editor(vs_code(), folder=folder) as ed:
        ed.open(uri, LARGE)
        await ed.marks(uri, [])


async def test_a_large_document_that_is_not_open_is_told_too(folder: Path):
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    (folder / "long.md").write_text(LARGE)
    (folder / "longer.md").write_text(5 * LARGE)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    async with editor(vs_code(), folder=folder) as ed:
        report = await ed.client.workspace_diagnostic_async(
            types.WorkspaceDiagnosticParams(previous_result_ids=[])
        )
    codes = [mark.code for item in report.items for mark in getattr(item, "items", ())]
    assert codes == ["FILE_TOO_LARGE", "FILE_TOO_LARGE"]


async def test_a_large_document_that_is_cited_is_no_empty_source(folder: Path):
    (folder / "mills.txt").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder) as ed:
        ed.open((folder / "mills.txt").as_uri(), LARGE, "plaintext")
        ed.open(uri, FALSE)
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])


async def test_a_message_that_is_larger_than_any_is_told_and_the_next_is_answered(folder: Path):
    (folder / "mills.txt").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with bare_server(folder) as wire:
        await wire.initialize(folder)
        await wire.write(b"Content-Length: 200000000\r\n\r\n" + 1000 * b"x")
        await wire.open(uri, FALSE)
        await wire.marks(uri, ["QUOTE_NOT_IN_SOURCE"], version=1)
        said = [m["params"]["message"] for m in wire.received if m.get("method") == LOGGED]
        assert [text for text in said if "200,000,000 bytes" in text]


LOGGED = "window/logMessage"


def document(text: str) -> Any:
    item = types.TextDocumentItem("untitled:x.md", "markdown", 1, text)
    return opened(item, (), ClientSettings())


TEXTS = st.text(st.sampled_from("ab \té€𝄞\r\n\x0b\x0c\x1c\x85\u2028"), max_size=30)
PLACES = st.builds(types.Position, st.integers(0, 8), st.integers(0, 12))
CHANGES = st.builds(
    types.TextDocumentContentChangePartial, st.builds(types.Range, PLACES, PLACES), TEXTS
)


@given(TEXTS, st.lists(CHANGES, max_size=5), st.sampled_from([UTF_8, UTF_16, UTF_32]))
def test_edits_do_to_a_large_text_what_they_do_to_any(
    text: str, changes: list[types.TextDocumentContentChangePartial], encoding: str
):
    large = LargeText(text).apply(changes, encoding)
    for change in changes:
        text, _ = changed(text, change, encoding)
    assert str(large) == text
    assert large.length == len(text)


def test_a_key_in_a_large_text_leaves_its_other_lines_alone():
    text = LargeText(LARGE).apply([], UTF_16)
    change = types.TextDocumentContentChangePartial(
        types.Range(types.Position(500, 3), types.Position(500, 3)), "y"
    )
    text = text.apply([change], UTF_16)
    before = list(text._lines)
    text = text.apply([change], UTF_16)
    assert [at for at, line in enumerate(text._lines) if line is not before[at]] == [500]


def test_many_changes_in_one_message_split_the_text_once(monkeypatch: pytest.MonkeyPatch):
    from tracecite_lsp import large_text

    split: list[int] = []
    lines = large_text._lines
    monkeypatch.setattr(
        large_text, "_lines", lambda text: (split.append(len(text)), lines(text))[1]
    )
    doc = document(1000 * LINE)
    changes = [
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(number, 0), types.Position(number, 1)), "zz"
        )
        for number in range(1000)
    ]
    doc.apply(changes, 2, UTF_16)
    assert doc.text == 1000 * f"zz{98 * 'x'}\n"
    assert sum(split) < 3 * len(doc.text)
