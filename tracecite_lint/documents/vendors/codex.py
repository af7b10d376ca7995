"""Codex: the events that `codex exec --json` writes."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    record_of,
    text_of,
    texts_of,
)
from tracecite_lint.documents.vendors.tools import Tools

_EVENTS = frozenset({"thread.started", "turn.started", "turn.completed", "turn.failed"})
_ITEM_EVENTS = frozenset({"item.started", "item.updated", "item.completed"})


class CodexReader:
    """Reads the messages of a run against what its commands and MCP tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is an event of a thread."""
        kind = text_of(record.get("type"))
        return kind in _EVENTS or (kind in _ITEM_EVENTS and isinstance(record.get("item"), dict))

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what a message quotes."""
        if record.get("type") != "item.completed":
            return
        item = record_of(record.get("item"))
        kind = item.get("type") or item.get("item_type")
        if kind == "command_execution":
            self._tools.add_own_words(item.get("command"))
            self._tools.add_result(text_of(item.get("aggregated_output")))
        elif kind == "mcp_tool_call":
            self._tools.add_own_words(item.get("arguments"))
            for _, text in texts_of(record_of(item.get("result")).get("content"), ()):
                self._tools.add_result(text)
        elif kind in ("agent_message", "assistant_message"):
            yield from self._tools.quotations(text_of(item.get("text")), ("item", "text"))
