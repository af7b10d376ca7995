"""Claude Code: the lines of a session, and of `claude -p --output-format stream-json`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    items_of,
    record_of,
    text_of,
    texts_of,
)
from tracecite_lint.documents.vendors.tools import Tools

# Tools whose results are the text itself. What WebFetch, WebSearch and Task return was written by a model.
_VERBATIM_TOOLS = frozenset({"Read", "Bash", "BashOutput", "Grep"})
_MCP_TOOL = "mcp__"
_LINE_NUMBER = re.compile(r"^ *\d+[→\t]", re.MULTILINE)


class ClaudeCodeReader:
    """Reads the assistant's messages against what Read, Bash and MCP tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._names: dict[str, str] = {}

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is a line of a session."""
        session = record.get("sessionId", record.get("session_id"))
        if not isinstance(session, str) or not isinstance(record.get("type"), str):
            return False
        return "role" in record_of(record.get("message")) or "uuid" in record

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what a message of the assistant quotes."""
        message = record_of(record.get("message"))
        content = message.get("content")
        if message.get("role") == "assistant":
            for item in items_of(content):
                self._add_call(record_of(item))
            for path, text in texts_of(content, ("message", "content")):
                yield from self._tools.quotations(text, path)
        elif message.get("role") == "user":
            for _, text in texts_of(content, ()):
                self._tools.add_own_words(text)
            for item in items_of(content):
                self._add_result(record_of(item))

    def _add_call(self, block: Record) -> None:
        if block.get("type") == "tool_use":
            self._names[text_of(block.get("id"))] = text_of(block.get("name"))
            self._tools.add_own_words(block.get("input"))

    def _add_result(self, block: Record) -> None:
        if block.get("type") != "tool_result":
            return
        name = self._names.get(text_of(block.get("tool_use_id")), "")
        if name not in _VERBATIM_TOOLS and not name.startswith(_MCP_TOOL):
            return
        for _, text in texts_of(block.get("content"), ()):
            self._tools.add_result(_LINE_NUMBER.sub("", text) if name == "Read" else text)
