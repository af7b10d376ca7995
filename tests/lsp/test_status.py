"""What an editor's status line is told of a document."""

from __future__ import annotations

from lsp_editor import editor, neovim_0_7, until


async def test_the_status_says_what_a_document_amounts_to(tmp_path):
    (tmp_path / "one.md").write_text("The gate is shut.")
    uri = (tmp_path / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=tmp_path, settings={"network": "off"}) as session:
        session.open(uri, "“The gate is shut” ([one](one.md)), and “it is never opened again”.\n")
        await until(lambda: uri in session.statuses)

        assert session.statuses[uri] == (
            "1 quotation in 1 file: 1 verified, 0 mismatched, 0 unverifiable; 1 more has no source in reach "
            "(list them with --extend-select UNASSOCIATED_QUOTE)"
        )
