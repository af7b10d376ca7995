"""Lines of a trace become its events: tool_call, tool_result and answer, with every wrong field named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import (
    MAX_LINE_BYTES,
    JsonLine,
    JsonValue,
    json_lines,
    lone_surrogate,
    read_json_lines,
)
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.naming.uris import without_passwords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

_SHOWN_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong on a 1-based line. `path` leads to the string in question, or is empty for the whole line."""

    line: int
    code: str
    message: str
    path: JsonPath = ()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool."""

    line: int
    run_id: str
    call_id: str


@dataclass(frozen=True, slots=True)
class Source:
    """A source as a result gives it."""

    id: str
    uri: str
    title: str | None
    content: str | None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call. `offset` is where its line begins, for `Trace.line_at`."""

    line: int
    run_id: str
    call_id: str
    ok: bool
    sources: tuple[Source, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation of a claim; `path` leads to its quote in the line, or to its source id if it has none."""

    source_id: str
    quote: str | None
    path: JsonPath


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of the run: the citations of each claim."""

    line: int
    run_id: str
    claims: tuple[tuple[Cited, ...], ...]


Event: TypeAlias = ToolCall | ToolResult | Answer
Reporter: TypeAlias = Callable[[Finding], None]


class Trace(Protocol):
    """The lines of a trace, in order, and the way back to one of them: contents need not be kept in memory."""

    def lines(self) -> Iterator[JsonLine]:
        """Yield the lines that are not blank."""

    def line_at(self, offset: int) -> JsonLine:
        """Return the line that begins at *offset*, numbered 1."""


class TextTrace:
    """A trace in memory."""

    def __init__(self, text: str) -> None:
        self._text = text

    def lines(self) -> Iterator[JsonLine]:
        """Yield the lines that are not blank."""
        return json_lines(self._text)

    def line_at(self, offset: int) -> JsonLine:
        """Return the line that begins at *offset*, numbered 1."""
        end = self._text.find("\n", offset)
        return next(json_lines(self._text[offset : None if end == -1 else end]))


class FileTrace:
    """A trace in a seekable binary file, of any size: no more than one line of it is in memory at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def lines(self) -> Iterator[JsonLine]:
        """Yield the lines that are not blank, from the start of the file."""
        self._stream.seek(0)
        return read_json_lines(self._stream)

    def line_at(self, offset: int) -> JsonLine:
        """Return the line that begins at *offset*, numbered 1; does not disturb `lines`."""
        position = self._stream.tell()
        self._stream.seek(offset)
        line = next(read_json_lines(self._stream))
        self._stream.seek(position)
        return line


def read_events(trace: Trace, report: Reporter) -> Iterator[Event]:
    """Yield the events of *trace*, and *report* each line or field that is wrong; such a line yields no event."""
    for line in trace.lines():
        event = read_event(line, report)
        if event is not None:
            yield event


def read_event(line: JsonLine, report: Reporter) -> Event | None:
    """Return the event of one line, or *report* what is wrong with it and return None."""
    problem = json_problem(line)
    if problem is not None:
        report(Finding(line.number, "INVALID_JSON", problem))
        return None
    if not isinstance(line.value, dict):
        report(Finding(line.number, "INVALID_EVENT", "expected a JSON object"))
        return None
    return _Fields(line, report).event(line.value)


def json_problem(line: JsonLine) -> str | None:
    """Return why *line* is not to be used as JSON, without a word of what stands in it; None if it is."""
    if line.cut_off:
        return "the last line is cut off: it is still being written, or was written only in part"
    if line.error is not None:
        return f"invalid JSON: {line.error.message} (column {line.error.column})"
    if len(line.text) > MAX_LINE_BYTES:
        return f"invalid JSON: the line is longer than {MAX_LINE_BYTES} bytes (column 1)"
    half = lone_surrogate(line.text)
    if half is not None:
        return f"invalid JSON: half a surrogate pair (column {half + 1})"
    return None


def shown(value: str) -> str:
    """Return an id, a type or a URI as a message may show it: on one line, printable, not too long."""
    value = without_passwords(value)
    if len(value) > _SHOWN_LENGTH:
        value = value[:_SHOWN_LENGTH] + "…"
    if value.isprintable():
        return value
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in value
    )


class _Fields:
    """Reads the fields of one event and reports each wrong one, by its path."""

    def __init__(self, line: JsonLine, report: Reporter) -> None:
        self._line = line
        self._report = report
        self._wrong = 0

    def event(self, value: dict[str, JsonValue]) -> Event | None:
        number = self._line.number
        kind = self._string(value, "type")
        run_id = self._string(value, "run_id")
        event: Event | None = None
        if kind == "tool_call":
            call_id = self._string(value, "call_id")
            self._string(value, "tool")
            event = ToolCall(number, run_id, call_id)
        elif kind == "tool_result":
            call_id = self._string(value, "call_id")
            ok = value.get("ok")
            if not isinstance(ok, bool):
                self._fault("expected boolean", "ok")
            sources = tuple(self._sources(value))
            event = ToolResult(number, run_id, call_id, ok is True, sources, self._line.offset)
        elif kind == "answer":
            event = Answer(number, run_id, tuple(self._claims(value)))
        elif kind:
            self._report(Finding(number, "UNKNOWN_EVENT", f"unknown event type: {shown(kind)}"))
        return None if self._wrong else event

    def _sources(self, value: dict[str, JsonValue]) -> Iterator[Source]:
        items = value.get("sources", [])
        if not isinstance(items, list):
            self._fault("expected array", "sources")
            return
        for index, item in enumerate(items):
            path = f"sources[{index}]"
            if not isinstance(item, dict):
                self._fault("expected object", path)
                continue
            yield Source(
                id=self._string(item, "id", path),
                uri=self._string(item, "uri", path),
                title=self._optional_string(item, "title", path),
                content=self._optional_string(item, "content", path),
            )

    def _claims(self, value: dict[str, JsonValue]) -> Iterator[tuple[Cited, ...]]:
        items = value.get("claims")
        if not isinstance(items, list):
            self._fault("expected array", "claims")
            return
        for index, item in enumerate(items):
            path = f"claims[{index}]"
            if not isinstance(item, dict):
                self._fault("expected object", path)
                continue
            self._string(item, "text", path)
            yield tuple(self._cited(item, index, path))

    def _cited(self, claim: dict[str, JsonValue], index: int, path: str) -> Iterator[Cited]:
        citations = claim.get("citations")
        if not isinstance(citations, list):
            yield from self._source_ids(claim, index, path)
            return
        if "source_ids" in claim:
            self._fault("use citations or source_ids, not both", path)
            return
        for number, item in enumerate(citations):
            fields = item if isinstance(item, dict) else {}
            where = f"{path}.citations[{number}]"
            yield Cited(
                source_id=self._string(fields, "source_id", where),
                quote=self._string(fields, "quote", where),
                path=("claims", index, "citations", number, "quote"),
            )

    def _source_ids(self, claim: dict[str, JsonValue], index: int, path: str) -> Iterator[Cited]:
        source_ids = claim.get("source_ids")
        if not isinstance(source_ids, list):
            self._fault("expected array", f"{path}.source_ids")
            return
        for number, item in enumerate(source_ids):
            if not isinstance(item, str) or not item:
                self._fault("expected nonempty string", f"{path}.source_ids[{number}]")
                continue
            yield Cited(item, None, ("claims", index, "source_ids", number))

    def _string(self, value: dict[str, JsonValue], name: str, path: str = "") -> str:
        """Return the field; a wrong one is reported and becomes empty."""
        text = value.get(name)
        if isinstance(text, str) and text:
            return text
        self._fault("expected nonempty string", f"{path}.{name}" if path else name)
        return ""

    def _optional_string(self, value: dict[str, JsonValue], name: str, path: str) -> str | None:
        return self._string(value, name, path) if name in value else None

    def _fault(self, expected: str, where: str) -> None:
        self._wrong += 1
        self._report(Finding(self._line.number, "INVALID_FIELD", f"{expected}: {where}"))
