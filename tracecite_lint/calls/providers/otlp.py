"""OpenTelemetry spans in OTLP JSON, one export request per line: the spans of model calls are the calls.

OTLP/JSON writes a 64-bit integer as a string (protobuf's JSON mapping). The attribute names are those of the GenAI
semantic conventions. Spans of agents, tools and workflows are no calls, and a call that encloses other calls (two
instrumentations at work) repeats their usage: only the innermost count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from tracecite_lint.calls.call import (
    MAX_COUNT,
    Call,
    CallError,
    LoggedCall,
    Status,
    kind_of,
    name_of,
    object_of,
    shown,
)
from tracecite_lint.calls.providers.bodies import CODE, refuse
from tracecite_lint.jsonl import JsonLine, JsonValue
from tracecite_lint.light.lazy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

CALL_OPERATIONS: Final = frozenset({"chat", "text_completion", "generate_content", "embeddings"})
OTHER_OPERATIONS: Final = frozenset(
    {"create_agent", "invoke_agent", "execute_tool", "invoke_workflow", "retrieval", "plan"}
)
USAGE_NAMES: Final = (
    ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
)
"""The attributes with the usage, each followed by its name in earlier versions of the conventions."""

NO_CALLS: Final = "spans that are no model calls"
REPEATED: Final = "spans whose usage repeats that of the calls they enclose"

_INTEGER: Final = regex(r"0|[1-9][0-9]*")
_HEX: Final = regex(r"[0-9A-Fa-f]+")

Object = dict[str, JsonValue]


class Span:
    """One span: its trace, its key in the whole log, its parent's, and its attributes by name."""

    __slots__ = ("attributes", "key", "parent", "record", "resource", "trace")

    def __init__(self, record: Object, resource: Object) -> None:
        self.trace = _id(name_of(record, "traceId", CODE, within="span."))
        self.record = record
        self.resource = resource
        self.key = f"{self.trace}/{_id(name_of(record, 'spanId', CODE, within='span.'))}"
        parent = record.get("parentSpanId")
        self.parent = f"{self.trace}/{_id(parent)}" if isinstance(parent, str) and parent else None
        self.attributes = _attributes(record)

    def text(self, *names: str) -> str | None:
        """Return the first non-empty string among the attributes *names* of the span."""
        return _text(self.attributes, names)

    @property
    def is_call(self) -> bool:
        """Whether the span is that of a model call; raises CallError if it has usage and does not say."""
        operation = self.text("gen_ai.operation.name")
        if operation in CALL_OPERATIONS:
            return True
        if operation in OTHER_OPERATIONS:
            return False
        if any(name in self.attributes for names in USAGE_NAMES for name in names):
            said = f"is {shown(operation)}" if operation else "is missing"
            refuse(
                f"the span {shown(self.key)} has usage, but its gen_ai.operation.name {said}: a call or a sum of calls?"
            )
        return False


def span_decoder(
    lines: Callable[[], Iterator[JsonLine]], left_out: dict[str, int]
) -> Callable[[JsonLine], list[LoggedCall]]:
    """Return the decoder of a log that *lines* reads from its start; what is no call is counted in *left_out*."""
    enclosing = enclosing_calls(lines())

    def decode(line: JsonLine) -> list[LoggedCall]:
        calls = []
        for span in spans_of(line.value):
            if not span.is_call:
                left_out[NO_CALLS] = left_out.get(NO_CALLS, 0) + 1
            elif span.key in enclosing:
                left_out[REPEATED] = left_out.get(REPEATED, 0) + 1
            else:
                calls.append(LoggedCall(line.number, span_call(span), _meaning(span)))
        return calls

    return decode


def enclosing_calls(lines: Iterator[JsonLine]) -> frozenset[str]:
    """Return the keys of those model-call spans that have another model call below them.

    A span is exported when it ends, so its parent stands anywhere in the log. Lines that cannot be decoded are passed over
    here: the audit reports them.
    """
    parents: dict[str, str] = {}
    calls: set[str] = set()
    for line in lines:
        with suppress(CallError):
            for span in spans_of(line.value) if line.error is None else ():
                if span.parent is not None:
                    parents[span.key] = span.parent
                if span.is_call:
                    calls.add(span.key)
    above: set[str] = set()
    for key in calls:
        parent = parents.get(key)
        while parent is not None and parent not in above:
            above.add(parent)
            parent = parents.get(parent)
    return frozenset(calls & above)


def spans_of(value: JsonValue) -> Iterator[Span]:
    """Yield the spans of one line; logs and metrics have none. Raises CallError."""
    record = object_of(value, CODE)
    if "resourceSpans" not in record:
        if "resourceMetrics" in record or "resourceLogs" in record:
            return
        refuse("`resourceSpans` is missing: the line is no OTLP JSON export")
    for group in _objects(record, "resourceSpans"):
        resource = group.get("resource")
        attributes = _attributes(resource) if isinstance(resource, dict) else {}
        for scope in _objects(group, "scopeSpans"):
            for span in _objects(scope, "spans"):
                yield Span(span, attributes)


def span_call(span: Span) -> Call:
    """Return the call of a span; raises CallError.

    run_id, task_id and stage are the attributes `tracecite.run_id`, `tracecite.task_id` and `tracecite.stage` of the
    span or its resource; failing these, the trace, the conversation, and the agent or the operation.
    """
    operation = span.text("gen_ai.operation.name") or ""
    model = span.text("gen_ai.response.model", "gen_ai.request.model")
    if model is None:
        refuse(f"the span {shown(span.key)} has neither gen_ai.response.model nor .request.model")
    input_tokens, output_tokens = (_count(span, names) for names in USAGE_NAMES)
    if operation == "embeddings" and input_tokens is not None:
        output_tokens = output_tokens or 0  # nothing is generated
    return Call(
        _own(span, "tracecite.run_id") or span.trace,
        _own(span, "tracecite.task_id") or span.text("gen_ai.conversation.id") or span.trace,
        _own(span, "tracecite.stage") or span.text("gen_ai.agent.name") or operation,
        span.key,
        model,
        _status(span),
        input_tokens,
        output_tokens,
    )


def _id(written: str) -> str:
    """Return an id as it is compared: the hex digits of OTLP/JSON have no case. Other spellings, as base64, do."""
    return written.lower() if _HEX.fullmatch(written) else written


def _meaning(span: Span) -> str:
    vendor = span.text("gen_ai.provider.name", "gen_ai.system") or "an unnamed provider"
    return (
        f"gen_ai.usage.input_tokens for {vendor}: with cached input, if the instrumentation "
        "follows the conventions"
    )


def _own(span: Span, name: str) -> str | None:
    return span.text(name) or _text(span.resource, (name,))


def _status(span: Span) -> Status:
    status = span.record.get("status")
    code = status.get("code", 0) if isinstance(status, dict) else 0
    if code in (2, "STATUS_CODE_ERROR") or span.text("error.type") is not None:
        return "error"
    if code not in (0, 1, "STATUS_CODE_UNSET", "STATUS_CODE_OK"):
        refuse(f"the status code of the span {shown(span.key)} is none of OTLP")
    return "ok"


def _count(span: Span, names: tuple[str, str]) -> int | None:
    counts = {_integer(name, span.attributes[name]) for name in names if name in span.attributes}
    if len(counts) > 1:
        refuse(f"`{names[0]}` and `{names[1]}` of the span {shown(span.key)} differ")
    return counts.pop() if counts else None


def _integer(name: str, value: JsonValue) -> int:
    literal = value.get("intValue") if isinstance(value, dict) else None
    if isinstance(literal, str) and len(literal) <= 16 and _INTEGER.fullmatch(literal):
        literal = int(literal)
    if type(literal) is not int or not 0 <= literal <= MAX_COUNT:
        refuse(f"`{name}` is no intValue from 0 to {MAX_COUNT}")
    return literal


def _attributes(record: Object) -> Object:
    attributes: Object = {}
    for attribute in _objects(record, "attributes"):
        name = name_of(attribute, "key", CODE, within="attribute.")
        if name in attributes and name.startswith("gen_ai."):
            refuse(f"the attribute {shown(name)} stands there twice")
        attributes[name] = attribute.get("value")
    return attributes


def _text(attributes: Object, names: tuple[str, ...]) -> str | None:
    for name in names:
        value = attributes.get(name)
        if isinstance(value, dict) and value.get("stringValue"):
            return name_of(value, "stringValue", CODE, within=f"{name}.")
    return None


def _objects(record: Object, field: str) -> Iterator[Object]:
    values = record.get(field)
    if values is None:
        return
    if not isinstance(values, list):
        refuse(f"`{field}` is {kind_of(values)}, not an array")
    for value in values:
        if not isinstance(value, dict):
            refuse(f"`{field}` holds {kind_of(value)}, not only objects")
        yield value
