"""What an editor's status line is told of a document."""

from __future__ import annotations

from lsp_editor import editor, neovim_0_7, until
from traces import Cited, trace

from tracecite_lint import __version__


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
        assert session.counts[uri] == {
            **dict.fromkeys(("mismatch", "unverifiable", "suppressed", "unread"), 0),
            "verified": 1,
            "passedOver": 1,
        }


async def test_the_list_has_each_citation_with_its_state(tmp_path):
    (tmp_path / "one.md").write_text("The gate is shut.")
    uri = (tmp_path / "report.md").as_uri()
    text = (
        "“The gate is shut” ([one](one.md)), “the gate is open” ([one](one.md)),\n"
        "“the pond is full” ([web](https://u:secret@example.com/)), “the wheel is at rest” ([none](none.md)),\n"
        "and “it is never opened again”.\n"
    )
    async with editor(neovim_0_7(), folder=tmp_path, settings={"network": "off"}) as session:
        session.open(uri, text)
        await until(lambda: uri in session.statuses)
        entries = await session.command("tracecite.citations", uri)

        fields = ("state", "words", "note")
        assert [tuple(entry[field] for field in fields) for entry in entries] == [
            ("verified", "The gate is shut", "one.md"),
            ("mismatch", "the gate is open", "QUOTE_NOT_IN_SOURCE: one.md"),
            (
                "unverifiable",
                "the pond is full",
                "INVALID_OR_BLOCKED_URL: https://…@example.com/",
            ),
            ("unverifiable", "the wheel is at rest", "SOURCE_UNAVAILABLE: none.md"),
            ("passedOver", "it is never opened again", "no source in reach"),
        ]
        assert entries[0]["range"]["start"]["character"] == 1


async def test_the_list_of_a_private_document_has_no_words(tmp_path):
    uri = (tmp_path / "trace.jsonl").as_uri()
    secret = "The owner has told nobody."
    text = trace(Cited("https://example.com/a", f"Home. {secret}", secret))
    async with editor(neovim_0_7(), folder=tmp_path, settings={"network": "off"}) as session:
        session.open(uri, text, "jsonl")
        await until(lambda: uri in session.statuses)
        (entry,) = await session.command("tracecite.citations", uri)

        assert (entry["state"], entry["words"]) == ("unread", "")
        assert "owner" not in str(entry)


async def test_the_log_begins_with_command_version_and_settings(tmp_path):
    settings = {"network": "off", "proxy": "http://me:secret@proxy.example:8080"}
    async with editor(neovim_0_7(), folder=tmp_path, settings=settings) as session:
        await until(lambda: session.client.log_messages)
        first = session.client.log_messages[0].message

    assert first.startswith(f"tracecite-lint {__version__} (Python ")
    assert "__main__.py server; settings" in first
    assert '"network": "off"' in first
    assert "secret" not in first
