"""Codex: the events that `codex exec --json` writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tracecite_lint.documents.vendors.own_words import command_words, is_reading, strings_of
from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    items_of,
    record_of,
    text_of,
    texts_of,
)
from tracecite_lint.documents.vendors.tool_output import is_cut
from tracecite_lint.documents.vendors.tools import Tools

_EVENTS = frozenset({"thread.started", "turn.started", "turn.completed", "turn.failed"})
_ITEM_EVENTS = frozenset({"item.started", "item.updated", "item.completed"})


class CodexReader:
    """Reads the messages of a run against what its commands and MCP tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._changed: set[str] = set()
        """The names of the files that the agent changed; the record does not say to what."""

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
            command = text_of(item.get("command"))
            words = command_words(command)
            self._tools.add_own_words(words.said)
            self._tools.add_told(words.asked)
            output = text_of(item.get("aggregated_output"))
            self._add_result(output, [command], is_search=words.is_search)
        elif kind == "mcp_tool_call":
            arguments = tuple(strings_of(item.get("arguments")))
            asked = arguments if is_reading(text_of(item.get("tool"))) else ()
            if not asked:
                self._tools.add_own_words(arguments)
            for _, text in texts_of(record_of(item.get("result")).get("content"), ()):
                self._add_result(text, arguments, asked=asked)
        elif kind == "file_change":
            paths = (text_of(record_of(each).get("path")) for each in items_of(item.get("changes")))
            self._changed.update(path.rpartition("/")[2] for path in paths)
            self._changed.discard("")
        elif kind in ("agent_message", "assistant_message"):
            yield from self._tools.quotations(text_of(item.get("text")), ("item", "text"))

    def _add_result(
        self,
        text: str,
        arguments: Iterable[str],
        *,
        asked: Iterable[str] = (),
        is_search: bool = False,
    ) -> None:
        """Take in what a tool returned; what it read of a file that the agent changed may be the agent's own words."""
        if any(name in argument for name in self._changed for argument in arguments):
            self._tools.add_own_result(text)
        else:
            self._tools.add_result(text, asked=asked, is_search=is_search, is_cut=is_cut(text))
