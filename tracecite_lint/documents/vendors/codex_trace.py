"""The trace of a run of Codex, written from the events of `codex exec --json` (docs/traces.md)."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import accumulate

from tracecite_lint.documents.markup.blocks import parse_blocks
from tracecite_lint.documents.markup.cost import TooCostlyError
from tracecite_lint.documents.markup.pairs import weight
from tracecite_lint.documents.vendors.codex import (
    ChangedFiles,
    codex_call,
    item_kind,
    texts_returned,
)
from tracecite_lint.documents.vendors.own_words import plain_words
from tracecite_lint.documents.vendors.record import Record, record_of, text_of
from tracecite_lint.documents.vendors.tool_output import is_cut
from tracecite_lint.documents.vendors.tools import FEWEST_WORDS, agent_quotations
from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.trace.events import FileTrace, json_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

_MARK = regex(r"\[(source-\d+)\]")
_LIST_MARK = regex(r"^\s*(?:[-*+]|\d+[.)])\s+")
_AROUND = "\"'`“”‘’ \t"
_SHELL = regex(r"(?:\S*/)?(?:ba|z|da)?sh")
_SHELL_SYNTAX = regex(r"[|&;<>()$`*?\[\]{}~!#\\\n]")
_MESSAGES = ("agent_message", "assistant_message")
_COMMAND, _MCP, _SEARCH = "command_execution", "mcp_tool_call", "web_search"


class ExportError(TraceciteLintError, ValueError):
    """Why the events make no trace; the message names the line where there is one."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A claim of the answer: what it quotes, and the sources it names itself, if it does."""

    text: str
    quotes: tuple[str, ...]
    source_ids: tuple[str, ...]


def codex_trace(stream: BinaryIO) -> Iterator[str]:
    """Return the lines of the trace of the events in a seekable binary file.

    The thread is the run, its commands and MCP calls are the calls, what they returned are the sources, and the last
    message is the answer: a line of it that names `[source-2]` quotes that source; another quotation, with a link or
    without one, cites the source that holds it, if one does. Raises ExportError before the first line for events that are no whole run.
    """
    events = FileTrace(stream)
    run_id, answer = _run_and_answer(events)
    try:
        claims = list(_claims(answer))
    except TooCostlyError as error:
        raise ExportError(f"the answer holds {error}") from None
    return _trace_lines(events, run_id, claims)


def _events(trace: FileTrace) -> Iterator[tuple[int, Record]]:
    for line in trace.lines():
        problem = json_problem(line)
        if problem is not None:
            raise ExportError(f"line {line.number}: {problem}")
        yield line.number, record_of(line.value)


def _run_and_answer(trace: FileTrace) -> tuple[str, str]:
    run_id = answer = state = ""
    for number, event in _events(trace):
        kind = text_of(event.get("type"))
        if kind == "thread.started":
            thread = text_of(event.get("thread_id"))
            if not thread or (run_id and thread != run_id):
                fault = "begins another thread" if thread else "has no thread_id"
                raise ExportError(f"line {number} {fault}: a trace is of one run")
            run_id = thread
        elif kind.startswith("turn."):
            state = kind
        elif kind == "item.completed" and item_kind(record_of(event.get("item"))) in _MESSAGES:
            answer = text_of(record_of(event.get("item")).get("text"))
    if not run_id:
        raise ExportError("no thread.started event: these are not events of `codex exec --json`")
    if state != "turn.completed":
        what = "the last turn failed" if state == "turn.failed" else "no turn.completed event"
        raise ExportError(f"{what}: the run has no answer yet")
    if not answer:
        raise ExportError("no agent message: the run has no answer")
    return run_id, answer


def _claims(answer: str) -> Iterator[_Claim]:
    """Yield the claims of the answer: its lines that name a source, and its other quotations."""
    lines = answer.splitlines(keepends=True)
    starts = list(accumulate(map(len, lines), initial=0))
    quoted: defaultdict[int, list[str]] = defaultdict(list)
    # The link of a quotation names no source of the run, so with a link or without one: it stands in a result or nowhere.
    found = {
        (item.start, item.end): item for item in agent_quotations(answer, ()) if not item.answer
    }
    for item in found.values():
        if not item.directives:
            quoted[bisect_right(starts, item.start) - 1] += item.passages
    for number, line in enumerate(lines):
        quotes = tuple(quoted[number])
        source_ids = tuple(dict.fromkeys(_MARK.findall(line)))
        if source_ids and not quotes:
            quotes = _marked_words(_MARK.sub("", line))
        if quotes:
            yield _Claim(line.strip(), quotes, source_ids)


def _marked_words(line: str) -> tuple[str, ...]:
    """Return what a line that names its source quotes: what stands between quotation marks, or else all of it."""
    flows = [block.flow for block in parse_blocks(line).blocks if block.flow.text]
    quoted = tuple(flow.words(*pair.inner) for flow in flows for pair in flow.pairs())
    whole = _LIST_MARK.sub("", line, count=1).strip().strip(_AROUND)
    return tuple(filter(None, quoted or (whole,)))


def _trace_lines(trace: FileTrace, run_id: str, claims: Sequence[_Claim]) -> Iterator[str]:
    exporter = _Exporter(run_id, claims, _file_reads(trace))
    for _, event in _events(trace):
        if event.get("type") in ("item.started", "item.completed"):
            item = record_of(event.get("item"))
            if event["type"] == "item.completed":
                exporter.note(item)
            if item_kind(item) in (_COMMAND, _MCP, _SEARCH):
                yield from exporter.item(item, completed=event["type"] == "item.completed")
    yield exporter.answer()


class _Exporter:
    """Writes events one by one; remembers ids, and which sources hold the quotes."""

    def __init__(self, run_id: str, claims: Sequence[_Claim], reads: Counter[str]) -> None:
        """*reads* counts how often each file is read, by its URI: the last time it has what the file then held."""
        self._run_id = run_id
        self._reads = reads
        self._claims = claims
        self._holders: dict[str, list[str]] = {
            quote: [] for claim in claims for quote in claim.quotes
        }
        self._own: defaultdict[str, set[str]] = defaultdict(set)
        """By quote, the sources that give it back as the agent's own words, which are no evidence."""
        self._written: set[str] = set()
        self._changed = ChangedFiles()
        self._open: dict[str, str] = {}
        self._ids: Counter[str] = Counter()
        self._uris: Counter[str] = Counter()
        self._calls = self._sources = 0

    def note(self, item: Record) -> None:
        """Note what an item says that the agent wrote, before what it returned is looked at."""
        self._changed.add(item)
        call = codex_call(item)
        if call is not None:
            self._written.update(self._quotes_in(call.written))

    def _quotes_in(self, texts: Iterable[str]) -> list[str]:
        words = plain_words(" ".join(texts))
        long = (quote for quote in self._holders if weight(quote) >= FEWEST_WORDS)
        return [quote for quote in long if plain_words(quote) in words]

    def item(self, item: Record, *, completed: bool) -> Iterator[str]:
        """Yield the call, if this is the first event of the item, and the result, if it is the last."""
        item_id = text_of(item.get("id")) or f"{item_kind(item)}-{self._calls + 1}"
        if item_id not in self._open:
            self._ids[item_id] += 1
            self._calls += 1
            again = self._ids[item_id]
            # Ids begin anew when a thread is resumed; those of a trace may not.
            self._open[item_id] = item_id if again == 1 else f"{item_id}~{again}"
            yield self._line("tool_call", call_id=self._open[item_id], tool=_tool(item))
        if completed:
            ok = _succeeded(item)
            sources = self._given(item) if ok else []
            yield self._line("tool_result", call_id=self._open.pop(item_id), ok=ok, sources=sources)

    def answer(self) -> str:
        """Return the last line."""
        return self._line(
            "answer", claims=[each for claim in self._claims for each in self._cited(claim)]
        )

    def _cited(self, claim: _Claim) -> Iterator[dict[str, object]]:
        """Yield what *claim* becomes: its quotations with the sources they cite, and apart those that no source holds.

        A claim with one citation is a cited one, whatever else it quotes: beside a sound quotation an invented one would pass.
        """
        sources = {
            quote: [
                source_id
                for source_id in claim.source_ids or self._holders[quote][:1]
                if source_id not in self._own[quote]
            ]
            for quote in claim.quotes
        }
        citations = [
            {"source_id": source_id, "quote": quote}
            for quote in claim.quotes
            for source_id in sources[quote]
        ]
        if citations:
            yield {"text": claim.text, "citations": citations}
        if not all(sources.values()):
            yield {"text": claim.text, "citations": []}

    def _given(self, item: Record) -> list[dict[str, str]]:
        content = _content(item)
        if not content:
            return []
        self._sources += 1
        source_id = f"source-{self._sources}"
        own = self._own_quotes(item)
        for quote, holders in self._holders.items():
            if quote in own:
                self._own[quote].add(source_id)
            elif quote in content:
                holders.append(source_id)
        uri = self._uri(item)
        self._uris[uri] += 1
        if self._uris[uri] > 1:
            uri = f"{uri}:{self._uris[uri]}"
        title = f"Result {self._sources} of {_tool(item)}"
        return [{"id": source_id, "uri": uri, "title": title, "content": content}]

    def _own_quotes(self, item: Record) -> Collection[str]:
        """Return the quotes that a result gives back as words of the agent, if it holds them."""
        call = codex_call(item)
        if call is not None and self._changed.are_named_by(call):
            return self._holders
        return self._written.union(self._quotes_in(call.asked) if call is not None else ())

    def _uri(self, item: Record) -> str:
        """Return a name for the source that is the same in every run: that of the file, if it is one, else of the call."""
        file = _file_uri(item)
        if file is not None:
            self._reads[file] -= 1
            if not self._reads[file]:
                return file
        return _call_uri(item)

    def _line(self, kind: str, **fields: object) -> str:
        event = {"type": kind, "run_id": self._run_id, **fields}
        return json.dumps(event, ensure_ascii=False) + "\n"


def _tool(item: Record) -> str:
    if item_kind(item) == _MCP:
        return f"{text_of(item.get('server'))}.{text_of(item.get('tool'))}"
    return item_kind(item)


def _content(item: Record) -> str:
    return "\n".join(filter(None, texts_returned(item)))


def _succeeded(item: Record) -> bool:
    ok = item.get("status", "completed") == "completed" and not item.get("error")
    return ok and (item_kind(item) != _COMMAND or item.get("exit_code") == 0)


def _file_reads(trace: FileTrace) -> Counter[str]:
    items = (
        record_of(event.get("item"))
        for _, event in _events(trace)
        if event.get("type") == "item.completed"
    )
    return Counter(
        uri for item in items if _succeeded(item) and (uri := _file_uri(item)) is not None
    )


def _file_uri(item: Record) -> str | None:
    """Return the `file:` URI of the one file that a command printed in full (`cat notes.txt`), None for any other call."""
    output = text_of(item.get("aggregated_output"))
    if item_kind(item) != _COMMAND or not output or is_cut(output):
        return None
    words = _plain_command(text_of(item.get("command")))
    if words[:1] == ["cat"] and words[1:2] == ["--"]:
        del words[1]
    if len(words) != 2 or words[0] != "cat" or words[1].startswith("-"):
        return None
    from urllib.parse import quote

    return f"file:{quote(words[1])}"


def _plain_command(command: str) -> list[str]:
    """Return the words of a command that a shell does nothing else with, none for another; `bash -lc "…"` is taken off."""
    import shlex

    for _ in range(2):
        try:
            words = shlex.split(command)
        except ValueError:  # a quotation mark that nothing closes
            return []
        if len(words) != 3 or not _SHELL.fullmatch(words[0]) or words[1] not in ("-c", "-lc"):
            break
        command = words[2]
    return [] if _SHELL_SYNTAX.search(command) else words


def _call_uri(item: Record) -> str:
    """Return a name for the source that the same call has in every run, and that does not tell the call."""
    if item_kind(item) == _COMMAND:
        kind, call = "command", text_of(item.get("command"))
    else:
        kind = "mcp"
        call = json.dumps([_tool(item), item.get("arguments")], sort_keys=True)
    return f"urn:tracecite:{kind}:sha256:{sha256(call.encode()).hexdigest()}"
