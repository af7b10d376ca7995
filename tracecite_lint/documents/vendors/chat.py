"""Chat logs: messages with a role and a content, one on a line or all of a conversation on one."""

from __future__ import annotations

from collections.abc import Iterator

from tracecite_lint.documents.vendors.answer import linked_quotations
from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    bodies,
    items_of,
    record_of,
    text_of,
    texts_of,
)
from tracecite_lint.json_strings import JsonPath

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


class ChatReader:
    """Reads what the assistant said; the messages of all others are recognised and passed over."""

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is a message, or holds messages."""
        return any(True for _ in _messages(record))

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what the assistant's messages quote with a source in their text."""
        for path, message in _messages(record):
            if message.get("role") == "assistant":
                for text_path, text in texts_of(message.get("content"), (*path, "content")):
                    yield from linked_quotations(text, text_path, accept=bool)


def _messages(record: Record) -> Iterator[tuple[JsonPath, Record]]:
    for path, body in bodies(record):
        if text_of(body.get("role")) in _ROLES and "content" in body:
            yield path, body
        for index, item in enumerate(items_of(body.get("messages"))):
            message = record_of(item)
            if text_of(message.get("role")) in _ROLES and "content" in message:
                yield (*path, "messages", index), message
