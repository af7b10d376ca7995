"""Claude Code: the lines of a session, and of `claude -p --output-format stream-json`."""

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
    texts_of,
)
from tracecite_lint.documents.vendors.tool_output import is_cut, numbered_lines
from tracecite_lint.documents.vendors.tools import Tools
from tracecite_lint.light.lazy import dataclass, regex

# Tools whose results are the text itself. What WebFetch, WebSearch and Task return was written by a model.
_SHELLS = frozenset({"Bash", "BashOutput"})
_VERBATIM_TOOLS = frozenset({"Read", "Grep", "ReadMcpResourceTool", *_SHELLS})
# Tools that give nothing of their arguments back.
_READING_TOOLS = frozenset(
    {"Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "BashOutput", "ReadMcpResourceTool"}
)
_FILE_PATHS = ("file_path", "notebook_path")
_COPIED = frozenset({*_FILE_PATHS, "old_string"})
"""Arguments of tools that change files which are no words of the agent: Edit fails unless the file holds the old ones."""
_MCP_TOOL = "mcp__"

# What the harness writes into a result, beside or in place of what was read.
_HARNESS = regex(
    r"<(system-reminder|tool_use_error|new-diagnostics|user-prompt-submit-hook|task-notification)>.*?(?:</\1>|\Z)"
    r"|<persisted-output>.{0,500}?^Preview[^\n]{0,80}:$"
    r"|</persisted-output>",
    re.DOTALL | re.MULTILINE,
)


# What stands in the result of a call that the user refused; the user's own words follow.
_REFUSAL = regex(r"^The user doesn't want to (?:proceed|take).*\Z", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a tool whose result is still to come. `asked` is what that result may repeat of it."""

    name: str
    asked: tuple[str, ...] = ()
    is_search: bool = False
    untouched: bool = False


class ClaudeCodeReader:
    """Reads the assistant's messages against what Read, Bash, Grep and MCP tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._calls: dict[str, _Call] = {}
        self._changing: list[str] = []
        """The paths that were written to, and all commands: what files the agent may have changed."""

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
            self._tools.add_told(text for _, text in texts_of(content, ()))
            for item in items_of(content):
                self._add_result(record_of(item))

    def _add_call(self, block: Record) -> None:
        if block.get("type") != "tool_use":
            return
        name = text_of(block.get("name"))
        given = record_of(block.get("input"))
        call = _Call(name)
        if name == "Bash":
            command = text_of(given.get("command"))
            words = command_words(command)
            self._changing.append(command)
            self._tools.add_own_words(words.said)
            self._tools.add_told(words.asked)
            call = _Call(name, is_search=words.is_search)
        elif name in _READING_TOOLS:
            self._tools.add_told(strings_of(given))
            call = _Call(name, is_search=name == "Grep", untouched=self._is_untouched(name, given))
        elif name.startswith(_MCP_TOOL) and is_reading(name.rpartition("__")[2]):
            call = _Call(name, asked=tuple(strings_of(given)))
        else:
            self._changing += (text_of(given.get(field)) for field in _FILE_PATHS)
            self._add_changes(given)
        self._calls[text_of(block.get("id"))] = call

    def _add_changes(self, given: Record) -> None:
        edits = [given, *map(record_of, items_of(given.get("edits")))]
        for edit in edits:
            own = {key: value for key, value in edit.items() if key not in (*_COPIED, "edits")}
            to_a_file = any(field in given for field in _FILE_PATHS)
            self._tools.add_own_words(strings_of(own), to_a_file=to_a_file)

    def _is_untouched(self, name: str, given: Record) -> bool:
        """Tell whether Read reads a file that no command and no other tool of the agent has named."""
        file_name = text_of(given.get("file_path")).replace("\\", "/").rpartition("/")[2]
        return (
            name == "Read"
            and bool(file_name)
            and not any(file_name in changing for changing in self._changing)
        )

    def _add_result(self, block: Record) -> None:
        call = self._calls.get(text_of(block.get("tool_use_id")))
        if block.get("type") != "tool_result" or call is None:
            return
        is_mcp = call.name.startswith(_MCP_TOOL)
        if call.name not in _VERBATIM_TOOLS and not is_mcp:
            return
        texts = [text for _, text in texts_of(block.get("content"), ())]
        refusals = [refusal[0] for text in texts if (refusal := _REFUSAL.search(text))]
        self._tools.add_told(refusals)
        if block.get("is_error") is True and not is_mcp and call.name not in _SHELLS:
            self._tools.add_told(texts)
            return
        for text in texts:
            numbered = numbered_lines(text) if call.name == "Read" else None
            self._tools.add_result(
                _HARNESS.sub("\n\n", _REFUSAL.sub("", text)) if numbered is None else numbered,
                asked=call.asked,
                is_search=call.is_search,
                untouched=call.untouched,
                is_cut=is_cut(text),
            )
