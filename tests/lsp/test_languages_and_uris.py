"""Which documents are read as what, and the URIs they go by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from loopback import Loopback
from lsp_editor import editor, neovim_0_7, neovim_0_11, vs_code
from lsprotocol import types
from tracecite_lsp.uris import document_key, file_path
from traces import Cited, trace

PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill stands at the mouth of the river."
CHANGED = SENTENCE.replace("stands", "stood")
MARKDOWN = f"“{CHANGED}” ([mills]({PAGE}))\n"
NOTES = f"claim: mills\nquote: {CHANGED}\nurl: {PAGE}\n"


@pytest.mark.parametrize(
    ("uri", "windows", "path"),
    [
        ("file:///home/a/report.md", False, "/home/a/report.md"),
        ("file:///a%20b/%23c%25.md", False, "/a b/#c%.md"),
        ("file:///a b/#c?.md", False, "/a b/#c?.md"),
        ("file:///%E6%9D%A5.md", False, "/来.md"),
        ("file:///a;b.md", False, "/a;b.md"),
        ("file://localhost/a.md", False, "/a.md"),
        ("FILE:///a.md", False, "/a.md"),
        ("file:/a.md", False, "/a.md"),
        ("file:///C:/a.md", False, "/C:/a.md"),
        ("file:///c%3A/Users/a%20b.md", True, "C:\\Users\\a b.md"),
        ("file:///C:/Users/a.md", True, "C:\\Users\\a.md"),
        ("file:///d:", True, "D:\\"),
        ("file://server/share/a.md", True, "\\\\server\\share\\a.md"),
        ("untitled:Untitled-1", False, None),
        ("vscode-vfs://github/a/b.md", False, None),
        ("https://example.com/a.md", False, None),
    ],
)
def test_the_path_of_a_uri(uri: str, windows: bool, path: str | None):
    assert file_path(uri, windows=windows) == path


def test_spellings_of_one_uri_are_one_document():
    assert document_key("file:///tmp/a%2Db.md") == document_key("file:///tmp/a-b.md")
    assert document_key("file:///tmp/a%2520b.md") != document_key("file:///tmp/a%20b.md")
    assert document_key("untitled:Untitled-1") != document_key("untitled:Untitled-2")


DOCUMENTS = [
    ("{folder}/with%20space%20%23%20%25.md", "markdown", MARKDOWN),
    ("{folder}/berichte/%C3%BCber%20%E6%9D%A5.md", "markdown", MARKDOWN),
    ("{folder}/report.mdx", "mdx", MARKDOWN),
    ("{folder}/report.qmd", "quarto", MARKDOWN),
    ("{folder}/report.Rmd", "rmd", MARKDOWN),
    ("{folder}/README", "markdown", MARKDOWN),
    ("{folder}/notes.txt", "plaintext", NOTES),
    ("untitled:Untitled-1", "markdown", MARKDOWN),
    ("untitled:/somewhere/else/new.md", "markdown", MARKDOWN),
]


async def test_a_document_is_checked_under_the_uri_that_the_editor_gave(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        for name, language, text in DOCUMENTS:
            uri = name.replace("{folder}", folder.as_uri())
            ed.open(uri, text, language)
            await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
            ed.close(uri)
            await ed.marks(uri, [])


OTHERS = [
    ("plain.txt", "plaintext", MARKDOWN),
    ("program.py", "python", f'TEXT = """\n{MARKDOWN}"""\n'),
    ("package.json", "json", json.dumps({"quote": CHANGED, "url": PAGE}, indent=1)),
]


async def test_what_is_no_document_is_left_alone(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        for name, language, text in OTHERS:
            uri = (folder / name).as_uri()
            ed.open(uri, text, language)
            await ed.marks(uri, [], version=1)
    assert loopback.urls() == []


async def test_relative_sources_start_at_the_document_whatever_its_name(
    folder: Path, reach: dict[str, Any]
):
    home = folder / "a #1 folder" / "ü"
    home.mkdir(parents=True)
    (home / "quelle.md").write_text("Die Mühle steht an der Mündung des Flusses.\n")
    uri = f"file://{quote(str(home))}/{quote('bericht 100%.md')}"
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, "„Die Mühle stand an der Mündung des Flusses“ ([Quelle](quelle.md))\n")
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])
        version = ed.change(
            uri, "„Die Mühle steht an der Mündung des Flusses“ ([Quelle](quelle.md))\n"
        )
        await ed.marks(uri, [], version=version)


async def test_an_untitled_document_cites_files_of_the_workspace_and_itself(
    folder: Path, reach: dict[str, Any]
):
    (folder / "source.md").write_text("The mill was closed in the spring of that year.\n")
    uri = "untitled:Untitled-7"
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, "“The mill was closed in the autumn of that year” ([s](source.md))\n")
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])


async def test_a_byte_order_mark_counts_as_the_editor_counts_it(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"\ufeff{MARKDOWN}")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        assert mark.range.start.character == 2


async def test_halves_of_surrogate_pairs_and_nul_do_no_harm(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(vs_code(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"\ud83d\0 {MARKDOWN}")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
        assert mark.range.start.character == 4
        assert ed.client.messages == []


SECRET = "The owner has told nobody that the wheel is broken."


def captured(quote: str) -> str:
    """Return a trace whose captured content holds SECRET."""
    return trace(Cited(PAGE, f"Home. {SECRET} More.", quote), claim="It is broken.")


TRACES = [
    ("{folder}/trace.jsonl", "jsonl"),
    ("{folder}/trace.jsonl", "jsonlines"),
    ("{folder}/trace.ndjson", "ndjson"),
    ("{folder}/trace.json", "json"),
    ("{folder}/trace.log", "jsonl"),
    ("{folder}/trace.jsonl", "plaintext"),
    ("untitled:Untitled-1", "jsonl"),
    ("untitled:Untitled-1", "ndjson"),
]


async def test_json_lines_are_read_by_their_content_under_every_name(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        for name, language in TRACES:
            uri = name.replace("{folder}", folder.as_uri())
            text = captured(SECRET)
            ed.open(uri, text, language)
            (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE"])
            line = text.split("\n")[2]
            assert mark.range.start.line == 2
            assert line[mark.range.start.character : mark.range.end.character] == SECRET
            version = ed.change(uri, captured("The owner has told everybody."))
            await ed.marks(
                uri, ["QUOTE_NOT_IN_LIVE_SOURCE", "QUOTE_NOT_IN_SOURCE"], version=version
            )
            ed.close(uri)


async def test_a_call_log_is_audited_against_the_manifest_of_the_settings(
    folder: Path, reach: dict[str, Any]
):
    log = (Path(__file__).parents[2] / "fixtures/calls/wrong/normalized.jsonl").read_text()
    uri = (folder / "calls.jsonl").as_uri()
    async with editor(
        neovim_0_7(), folder=folder, settings={**reach, "manifest": "no-such-manifest.json"}
    ) as ed:
        ed.open(uri, log, "jsonl")
        seen = await ed.publication(uri, lambda params: len(params.diagnostics) > 1)
        codes = [item.code for item in seen.diagnostics]
        assert "invalid_manifest" in codes
        assert "duplicate_key" in codes or len(set(codes)) > 2


async def test_folders_come_to_the_workspace_and_leave_it(folder: Path, reach: dict[str, Any]):
    later = folder / "100%25 later"
    later.mkdir()
    (later / "source.md").write_text("The mill was closed in the spring of that year.\n")
    text = "“The mill was closed in the autumn of that year” ([s](source.md))\n"
    async with editor(neovim_0_11(), settings=reach) as ed:
        event = types.WorkspaceFoldersChangeEvent(
            added=[types.WorkspaceFolder(uri=later.as_uri(), name="later")], removed=[]
        )
        ed.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(event)
        )
        ed.open("untitled:Untitled-1", text)
        await ed.marks("untitled:Untitled-1", ["QUOTE_NOT_IN_SOURCE"])


async def test_a_record_is_private_whatever_the_case_of_its_name(folder: Path):
    (folder / ".tracecite-lint.toml").write_text('extend-select = ["UNASSOCIATED_QUOTE"]\n')
    text = json.dumps({"note": "he said “some private words stand here”"}) + "\n"
    async with editor(neovim_0_7(), folder=folder) as ed:
        for name, codes in [("LOG.md", ["UNASSOCIATED_QUOTE"]), ("LOG.JSONL", [])]:
            uri = (folder / name).as_uri()
            ed.open(uri, text, "plaintext")
            await ed.marks(uri, codes, version=1)
