"""What a run was expected to do: the manifest, or the input file of a batch in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tracecite_lint.calls.call import Call, CallError, is_unicode, kind_of, shown
from tracecite_lint.jsonl import JsonError, JsonValue, decode_utf8, json_lines, parse_json
from tracecite_lint.light.lazy import dataclass, field, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

CODE: Final = "invalid_manifest"

BATCH_RUN: Final = "batch"
"""The run_id and the stage of every call of a batch, whose output names neither."""

# What a vendor appends to the name it was asked for: gpt-4o-2024-08-06, gpt-4-0613, claude-sonnet-4-5-20250929,
# gemini-2.0-flash-001.
_SNAPSHOT: Final = regex(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The run, the model, and the tasks and stages of which every pair needs a successful call.

    `models` is filled for a batch alone: the model that each task (custom_id) asked for.
    """

    run_id: str
    model: str
    task_ids: tuple[str, ...]
    required_stages: tuple[str, ...]
    models: Mapping[str, str] = field(default_factory=dict)
    tasks: frozenset[str] = field(init=False)
    stages: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tasks", frozenset(self.task_ids))
        object.__setattr__(self, "stages", frozenset(self.required_stages))

    def expects_model_of(self, call: Call) -> bool:
        """Tell whether the model of *call* is the expected one."""
        if not self.models:
            return call.model == self.model
        requested = self.models.get(call.task_id)
        return requested is None or is_model_or_snapshot(call.model, requested)


def is_model_or_snapshot(model: str, requested: str) -> bool:
    """Tell whether a vendor that was asked for *requested* may call the model that answered *model*.

    Vendors answer with the dated snapshot behind a name (`gpt-4o-2024-08-06` for `gpt-4o`), Google also with a
    path (`models/…`).
    """
    model = model.removeprefix("models/")
    requested = requested.removeprefix("models/")
    if model == requested:
        return True
    base = requested.removesuffix("-latest").removesuffix("-0")  # claude-opus-4-0 is an alias too
    return model.startswith(base) and _SNAPSHOT.fullmatch(model[len(base) :]) is not None


def decode_manifest(text: str | bytes) -> Manifest:
    """Return the manifest that *text* holds, unknown fields ignored.

    Raises CallError (code `invalid_manifest`), with the first defect, unless it is one JSON object with the non-empty
    strings `run_id` and `model` and the arrays `task_ids` and `required_stages`, each of at least one non-empty,
    unique string.
    """
    record = _object(_json(_text(text)))
    return Manifest(
        _name(record, "run_id"),
        _name(record, "model"),
        _names(record, "task_ids"),
        _names(record, "required_stages"),
    )


def decode_batch_input(text: str | bytes, *, request: str) -> Manifest:
    """Return as a manifest what the input file of a batch expects: a successful call for each of its requests.

    The file holds one request per line, or one object with the array `requests`; a request names its model in the
    object *request* (`body` with OpenAI, `params` with Anthropic). Raises CallError (code `invalid_manifest`).
    """
    requests = _requests(_text(text))
    if not requests:
        raise CallError(CODE, "the batch input holds no request")
    models: dict[str, str] = {}
    for where, value in requests:
        if not isinstance(value, dict) or "custom_id" not in value:
            message = f"{where} of the batch input is no request with a `custom_id`"
            if isinstance(value, dict) and "task_ids" in value:
                message += "; with a batch, the manifest is the batch's input file"
            raise CallError(CODE, message)
        task = _name(value, "custom_id", where=f"{where}: ")
        if task in models:
            raise CallError(CODE, f"{where}: the custom_id {shown(task)} stands there twice")
        parameters = value.get(request)
        if not isinstance(parameters, dict):
            raise CallError(CODE, f"{where}: `{request}` is {kind_of(parameters)}, not an object")
        models[task] = _name(parameters, "model", where=f"{where}: ", within=f"{request}.")
    return Manifest(BATCH_RUN, "", tuple(models), (BATCH_RUN,), models)


def _requests(text: str) -> list[tuple[str, JsonValue]]:
    lines = list(json_lines(text))
    if lines and (len(lines) == 1 or lines[0].error is not None):
        # One object with all requests, as the API takes it: on one line, or printed over several.
        whole = _json(text)
        array = whole.get("requests") if isinstance(whole, dict) else None
        if isinstance(array, list):
            return [(f"request {number}", value) for number, value in enumerate(array, 1)]
    for line in lines:
        if line.error is not None:
            raise CallError(CODE, f"the batch input is not JSON lines: {line.error}")
    return [(f"line {line.number}", line.value) for line in lines]


def _text(text: str | bytes) -> str:
    try:
        decoded = text if isinstance(text, str) else decode_utf8(text)
    except JsonError as error:
        raise CallError(CODE, f"the manifest is {error}") from None
    return decoded.removeprefix("\ufeff")


def _json(text: str) -> JsonValue:
    if not text.strip():
        raise CallError(CODE, "the manifest is empty")
    try:
        return parse_json(text)
    except JsonError as error:
        raise CallError(CODE, f"the manifest is not JSON: {error}") from None


def _object(value: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise CallError(CODE, f"the manifest is {kind_of(value)}, not an object")
    return value


def _name(record: dict[str, JsonValue], field: str, *, where: str = "", within: str = "") -> str:
    value = record.get(field)
    if not _is_name(value):
        described = kind_of(value) if field in record else "missing"
        raise CallError(
            CODE, f"{where}`{within}{field}` is {described}, not a string with something in it"
        )
    return str(value)


def _names(record: dict[str, JsonValue], field: str) -> tuple[str, ...]:
    values = record.get(field)
    if not isinstance(values, list):
        described = kind_of(values) if field in record else "missing"
        raise CallError(CODE, f"`{field}` is {described}, not an array")
    if not values:
        raise CallError(CODE, f"`{field}` is an empty array")
    names: dict[str, int] = {}
    for index, value in enumerate(values):
        if not _is_name(value):
            raise CallError(
                CODE, f"`{field}[{index}]` is {kind_of(value)}, not a string with something in it"
            )
        if str(value) in names:
            raise CallError(
                CODE, f"`{field}[{index}]` is {shown(str(value))} again, as [{names[str(value)]}]"
            )
        names[str(value)] = index
    return tuple(names)


def _is_name(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(value) and is_unicode(value)
