"""Code lenses: what each source of a document amounts to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from loopback import Loopback
from lsp_editor import Editor, editor, neovim_0_11, until
from lsprotocol import types

PAGE = "https://www.example.com/mills"
REPORT = f"""\
“The old mill stands” and “at the mouth” are in [mills][m], and “of the sea” ([mills]({PAGE}#top)).

“The gate is shut” ([gate](gate.md)), “the pond” ([gone]({PAGE}/none)).

[m]: {PAGE}
"""


async def lenses(ed: Editor, uri: str) -> list[tuple[int, str]]:
    found = await ed.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(uri))
    )
    return [(lens.range.start.line, lens.command.title) for lens in found or () if lens.command]


async def test_each_source_says_how_many_of_its_quotations_stand_to_those_who_want_it(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, "The old mill stands at the mouth of the river.")
    (folder / "gate.md").write_text("The gate is shut.\n")
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach) as ed:
        ed.open(uri, REPORT)
        await ed.marks(uri, ["QUOTE_NOT_IN_LIVE_SOURCE", "HTTP_STATUS_404"])
        assert await lenses(ed, uri) == []
        ed.configure({"codeLens": True})
        await until(lambda: lenses(ed, uri))
        assert await lenses(ed, uri) == [
            (0, "2 of 3 quotations stand"),
            (2, "1 of 1 quotation stands"),
            (2, "0 of 1 quotation stands, 1 could not be checked"),
        ]


async def test_claims_that_quote_nothing_are_listed_as_claims_and_counted_at_no_source(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, "The old mill stands at the mouth of the river. It has 84 cranes. " * 12)
    uri = (folder / "report.md").as_uri()
    settings = {**reach, "codeLens": True, "claims": ["figures"]}
    async with editor(neovim_0_11(), folder=folder, settings=settings) as ed:
        ed.open(
            uri,
            f"The mill has 84 cranes ([mills]({PAGE})).\n\n“The old mill stands” ([mills]({PAGE})).\n",
        )

        async def is_read() -> bool:
            return [title for _, title in await lenses(ed, uri)] == ["1 of 1 quotation stands"]

        await until(is_read)
        entries = await ed.command("tracecite.citations", uri)
        assert [entry["note"] for entry in entries] == [f"figures: {PAGE}", PAGE]
