"""Codex: the sessions that it keeps for itself (`~/.codex/sessions`), one item of the conversation a line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from tracecite_lint.documents.vendors.codex import ChangedFiles, CodexCall, call_of_command
from tracecite_lint.documents.vendors.own_words import is_reading, strings_of
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
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.lazy import regex
from tracecite_lint.text.patches import patched_files

_LINES = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"}
)
_SHELLS = frozenset({"exec_command", "shell", "shell_command", "local_shell", "container.exec"})
_MCP = "mcp__"
# What stands before the output of a command: `Chunk ID: …`, `Wall time: …`, `Process exited with code 0`.
_BEFORE_OUTPUT = regex(r"(?:[A-Z][A-Za-z ]{1,40}(?::| with code) ?[^\n]{0,200}\n){1,8}?Output:\n")


class CodexSessionReader:
    """Reads the messages of a session against what its commands and MCP tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._changed = ChangedFiles()
        self._calls: dict[str, CodexCall] = {}

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is a line of a session."""
        known = text_of(record.get("type")) in _LINES and isinstance(record.get("timestamp"), str)
        return known and isinstance(record.get("payload"), dict)

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what a message of the assistant quotes; events repeat what the items hold, and are passed over."""
        if record.get("type") != "response_item":
            return
        item = record_of(record.get("payload"))
        kind = text_of(item.get("type"))
        if kind == "message" and item.get("role") == "assistant":
            for path, text in texts_of(item.get("content"), ("payload", "content")):
                yield from self._tools.quotations(text, path)
        elif kind == "message":
            blocks = map(record_of, items_of(item.get("content")))
            self._tools.add_told(text_of(block.get("text")) for block in blocks)
        elif kind.endswith("_output"):
            self._add_output(item)
        elif kind.endswith("_call"):
            self._add_call(item, kind)

    def _add_call(self, item: Record, kind: str) -> None:
        if kind == "custom_tool_call":
            patch = text_of(item.get("input"))
            self._changed.add_names(patched_files(patch))
            self._tools.add_own_words([patch], to_a_file=True)
            return
        call = _call(item, kind)
        if call is None:
            return
        self._calls[text_of(item.get("call_id"))] = call
        if call.written:
            self._tools.add_own_words(call.written)
        self._tools.add_told(call.told)

    def _add_output(self, item: Record) -> None:
        call = self._calls.get(text_of(item.get("call_id")))
        if call is None:
            return
        for text in _texts(item.get("output")):
            if self._changed.are_named_by(call):
                self._tools.add_own_result(text)
            else:
                self._tools.add_result(
                    text, asked=call.asked, is_search=call.is_search, is_cut=is_cut(text)
                )


def _call(item: Record, kind: str) -> CodexCall | None:
    """Return what a call was given, None for one whose result is no source (plans, questions, agents, searches of the web)."""
    if kind == "local_shell_call":
        return call_of_command(_command(record_of(item.get("action")).get("command")))
    if kind != "function_call":
        return None
    name = text_of(item.get("name"))
    given = _decoded(item.get("arguments"))
    if name in _SHELLS:
        arguments = record_of(given)
        return call_of_command(_command(arguments.get("cmd", arguments.get("command"))))
    if _MCP not in f"{text_of(item.get('namespace'))}{name}":
        return None
    words = tuple(strings_of(given))
    if is_reading(name.rpartition("__")[2]):
        return CodexCall(words, asked=words)
    return CodexCall(words, written=words)


def _command(value: JsonValue) -> str:
    return shlex.join(map(text_of, value)) if isinstance(value, list) else text_of(value)


def _decoded(value: JsonValue) -> JsonValue:
    """Return what a string of JSON holds, as the arguments of a call are; an empty object for what is none."""
    try:
        decoded: JsonValue = json.loads(text_of(value))
    except (ValueError, RecursionError):
        return {}
    return decoded


def _texts(output: JsonValue) -> Iterator[str]:
    """Yield what a call returned: a text with lines of the harness before it, JSON that holds one, or blocks."""
    if isinstance(output, list):
        yield from (text_of(record_of(block).get("text")) for block in output)
        return
    if isinstance(output, dict):
        yield from _texts(output.get("content"))
        return
    text = text_of(output)
    held = record_of(_decoded(text)).get("output") if text.startswith("{") else None
    if isinstance(held, str):
        text = text_of(held)
    before = _BEFORE_OUTPUT.match(text)
    yield text[before.end() :] if before else text
