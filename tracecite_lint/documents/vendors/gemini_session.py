"""Gemini CLI: the sessions that it keeps (`~/.gemini/tmp/*/chats`), one message a line; its older files are made into such lines.

A message is written again when something is added to it, such as the results of its tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tracecite_lint.documents.vendors.own_words import command_words, is_reading, strings_of
from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    items_of,
    record_of,
    text_of,
)
from tracecite_lint.documents.vendors.tool_output import is_cut
from tracecite_lint.documents.vendors.tools import Tools
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.lazy import regex

_SPEAKERS = frozenset({"user", "gemini"})
_REMARKS = frozenset({"info", "warning", "error"})
_SHELL = "run_shell_command"
_SEARCHES = frozenset({"grep_search", "search_file_content"})
# Tools whose results are the text itself. What web_fetch and google_web_search return was written by a model.
_VERBATIM = frozenset({"read_file", "read_many_files", _SHELL, *_SEARCHES})
_FILE_TOOLS = frozenset({"write_file", "replace", "edit"})
_COPIED = frozenset({"file_path", "old_string"})
_MCP = "mcp_"
# What the harness writes into a result, around what was read.
_HARNESS = regex(
    r"</?untrusted_context>|<hook_context>[^<]*</hook_context>|^Process Group PGID: \d+$",
    re.MULTILINE,
)


class GeminiSessionReader:
    """Reads the messages of a session against what its tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._said: dict[str, JsonValue] = {}
        self._calls: set[str] = set()
        self._changed: set[str] = set()
        self._in_session = False

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is the head of a session or a message of the model; in a session, also what others say there."""
        if isinstance(record.get("sessionId"), str) and isinstance(record.get("projectHash"), str):
            return True
        if isinstance(record_of(record.get("$set")).get("lastUpdated"), str):
            return self._in_session
        kind = text_of(record.get("type"))
        if kind not in _SPEAKERS | _REMARKS or "content" not in record:
            return False
        is_message = isinstance(record.get("id"), str) and isinstance(record.get("timestamp"), str)
        # Many a log has lines of the type `user` or `error`.
        return is_message and (kind == "gemini" or self._in_session)

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what a message of the model quotes."""
        self._in_session = True
        for path, message in _messages(record):
            if message.get("type") == "user":
                self._tools.add_told(text for _, text in _texts(message.get("content"), ()))
                continue
            if message.get("type") != "gemini":
                continue
            name = text_of(message.get("id"))
            # Its tools are called after it was said: what they return is no source of it, nor for what is said again.
            if self._said.get(name) != message.get("content"):
                self._said[name] = message.get("content")
                for place, text in _texts(message.get("content"), (*path, "content")):
                    yield from self._tools.quotations(text, place)
            for item in items_of(message.get("toolCalls")):
                self._add_call(record_of(item))

    def _add_call(self, call: Record) -> None:
        name, results = text_of(call.get("name")), list(_results(call.get("result")))
        identity = text_of(call.get("id"))
        if not results or (identity and identity in self._calls):
            return
        self._calls.add(identity)
        given = record_of(call.get("args"))
        asked: tuple[str, ...] = ()
        is_search = name in _SEARCHES
        if name == _SHELL:
            words = command_words(text_of(given.get("command")))
            self._tools.add_own_words(words.said)
            self._tools.add_told([*words.asked, text_of(given.get("description"))])
            is_search = words.is_search
        elif name in _FILE_TOOLS:
            self._changed.add(_file_name(given))
            own = {key: value for key, value in given.items() if key not in _COPIED}
            self._tools.add_own_words(strings_of(own), to_a_file=True)
        elif name.startswith(_MCP) and not is_reading(name.rpartition("_")[2]):
            self._tools.add_own_words(strings_of(given))
        else:
            asked = tuple(strings_of(given))
        if name in _VERBATIM or name.startswith(_MCP):
            for text in results:
                self._add_result(text, given, asked, is_search=is_search)

    def _add_result(
        self, text: str, given: Record, asked: tuple[str, ...], *, is_search: bool
    ) -> None:
        shown = _HARNESS.sub("", text).strip("\n").removeprefix("Output: ")
        words = "\n".join(strings_of(given))
        if any(name and name in words for name in self._changed):
            self._tools.add_own_result(shown)
        else:
            self._tools.add_result(shown, asked=asked, is_search=is_search, is_cut=is_cut(text))


def _messages(record: Record) -> Iterator[tuple[JsonPath, Record]]:
    """Yield the messages of a line with the way to each: itself, or those that it sets or holds."""
    if text_of(record.get("type")):
        yield (), record
        return
    for path, holder in (((), record), (("$set",), record_of(record.get("$set")))):
        for index, item in enumerate(items_of(holder.get("messages"))):
            yield (*path, "messages", index), record_of(item)


def _texts(content: JsonValue, path: JsonPath) -> Iterator[tuple[JsonPath, str]]:
    """Yield the texts of a content, a string or parts, with the way to each."""
    if isinstance(content, str):
        yield path, text_of(content)
    for index, item in enumerate(items_of(content)):
        if text := text_of(record_of(item).get("text")):
            yield (*path, index, "text"), text


def _results(result: JsonValue) -> Iterator[str]:
    """Yield what a tool returned."""
    for item in items_of(result):
        response = record_of(record_of(record_of(item).get("functionResponse")).get("response"))
        yield from filter(None, (text_of(response.get(name)) for name in ("output", "content")))


def _file_name(given: Record) -> str:
    return text_of(given.get("file_path")).replace("\\", "/").rpartition("/")[2]
