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
from tracecite_lint.light.lazy import dataclass

_EVENTS = frozenset({"thread.started", "turn.started", "turn.completed", "turn.failed"})
_ITEM_EVENTS = frozenset({"item.started", "item.updated", "item.completed"})


@dataclass(frozen=True, slots=True)
class CodexCall:
    """What a command or a call of an MCP tool was given (docs/vendors.md, "Whose words")."""

    arguments: tuple[str, ...]
    written: tuple[str, ...] = ()
    """Words of the agent that this and later results may give back."""
    asked: tuple[str, ...] = ()
    """Words that this result alone may give back."""
    told: tuple[str, ...] = ()
    is_search: bool = False


def codex_call(item: Record) -> CodexCall | None:
    """Return what an item was given, None for one that is no command and no call of an MCP tool."""
    kind = item_kind(item)
    if kind == "command_execution":
        return call_of_command(text_of(item.get("command")))
    if kind == "mcp_tool_call":
        arguments = tuple(strings_of(item.get("arguments")))
        if is_reading(text_of(item.get("tool"))):
            return CodexCall(arguments, asked=arguments)
        return CodexCall(arguments, written=arguments)
    return None


def call_of_command(command: str) -> CodexCall:
    """Return what a shell *command* was given."""
    words = command_words(command)
    return CodexCall(
        (command,), (" ".join(words.said),), told=tuple(words.asked), is_search=words.is_search
    )


def item_kind(item: Record) -> str:
    """Return the kind of an item; earlier versions call it `item_type`."""
    return text_of(item.get("type")) or text_of(item.get("item_type"))


def texts_returned(item: Record) -> Iterator[str]:
    """Yield what a command or an MCP tool returned."""
    if item_kind(item) == "command_execution":
        yield text_of(item.get("aggregated_output"))
    for _, text in texts_of(record_of(item.get("result")).get("content"), ()):
        yield text


class ChangedFiles:
    """The files that the agent changed; the record does not say to what, so that what they hold may be its own words."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def add(self, item: Record) -> None:
        """Take in the files of a `file_change`."""
        if item_kind(item) == "file_change":
            self.add_names(
                text_of(record_of(each).get("path")) for each in items_of(item.get("changes"))
            )

    def add_names(self, paths: Iterable[str]) -> None:
        """Take in files by their paths."""
        self._names.update(filter(None, (path.rpartition("/")[2] for path in paths)))

    def are_named_by(self, call: CodexCall) -> bool:
        """Tell whether *call* names one of them."""
        return any(name in argument for name in self._names for argument in call.arguments)


class CodexReader:
    """Reads the messages of a run against what its commands and MCP tools returned."""

    def __init__(self) -> None:
        self._tools = Tools()
        self._changed = ChangedFiles()

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is an event of a thread."""
        kind = text_of(record.get("type"))
        return kind in _EVENTS or (kind in _ITEM_EVENTS and isinstance(record.get("item"), dict))

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what a message quotes."""
        if record.get("type") != "item.completed":
            return
        item = record_of(record.get("item"))
        self._changed.add(item)
        call = codex_call(item)
        if call is not None:
            self._add_call(call, texts_returned(item))
        elif item_kind(item) in ("agent_message", "assistant_message"):
            yield from self._tools.quotations(text_of(item.get("text")), ("item", "text"))

    def _add_call(self, call: CodexCall, texts: Iterable[str]) -> None:
        if call.written:
            self._tools.add_own_words(call.written)
        self._tools.add_told(call.told)
        for text in texts:
            if self._changed.are_named_by(call):
                self._tools.add_own_result(text)
            else:
                self._tools.add_result(
                    text, asked=call.asked, is_search=call.is_search, is_cut=is_cut(text)
                )
