"""An open document is in one of four states; only an outdated one is looked at."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from lsprotocol import types
from tracecite_lsp.client_settings import ClientSettings
from tracecite_lsp.document import OpenDocument, opened
from tracecite_lsp.looking import Looked


@pytest.fixture
def document(tmp_path) -> OpenDocument:
    item = types.TextDocumentItem((tmp_path / "report.md").as_uri(), "markdown", 1, "A line.\n")
    return opened(item, [tmp_path], ClientSettings())


def current(document: OpenDocument) -> None:
    """Make *document* one that was looked at as it stands."""
    document.looked = cast("Looked", SimpleNamespace(stamp=document.stamp))


def failed(document: OpenDocument) -> None:
    """Make *document* one whose look came to nothing."""
    document.failed = document.stamp


def typed(document: OpenDocument) -> None:
    change = types.TextDocumentContentChangeWholeDocument("Another line.\n")
    document.apply([change], 2, "utf-16")


def outdated(document: OpenDocument) -> None:
    document.outdate()


def test_one_that_was_opened_is_looked_at(document):
    assert (document.is_done, document.is_current) == (False, False)


@pytest.mark.parametrize("settle", [current, failed])
@pytest.mark.parametrize("change", [typed, outdated])
def test_what_was_settled_is_looked_at_again_after_any_change(document, settle, change):
    settle(document)
    assert document.is_done
    change(document)
    assert (document.is_done, document.is_current) == (False, False)


def test_a_look_that_came_to_nothing_knows_nothing(document):
    failed(document)
    assert (document.is_done, document.is_current) == (True, False)


def test_what_was_known_before_a_failure_is_not_known_of_the_text_as_it_is(document):
    current(document)
    typed(document)
    failed(document)
    assert (document.is_done, document.is_current) == (True, False)


def test_a_closed_one_is_looked_at_no_more(document):
    document.is_open = False
    assert document.is_done
    typed(document)
    assert document.is_done
