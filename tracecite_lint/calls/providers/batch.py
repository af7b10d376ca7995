"""Output files of the batch APIs of OpenAI and Anthropic: one result per line, told apart by custom_id.

A batch has neither run, task nor stage: its run and stage are called `batch`, and each custom_id is a task of one call.
"""

from __future__ import annotations

from tracecite_lint.calls.call import Call, kind_of, name_of, shown
from tracecite_lint.calls.manifest import BATCH_RUN, Manifest
from tracecite_lint.calls.providers.bodies import CODE, Outcome, anthropic, openai, refuse
from tracecite_lint.jsonl import JsonValue

UNKNOWN_MODEL = "unknown"
"""The model of a failed request where no batch input says which one was asked for."""


def openai_batch_call(record: dict[str, JsonValue], manifest: Manifest | None) -> Call:
    """Return the call of one line of OpenAI's output or error file; raises CallError."""
    custom_id = name_of(record, "custom_id", CODE)
    response = record.get("response")
    if response is None:
        if not isinstance(record.get("error"), dict):
            refuse("neither `response` nor `error` is an object: no line of a batch output")
        return _call(custom_id, _requested_model(custom_id, manifest), Outcome("error"))
    if not isinstance(response, dict):
        refuse(f"`response` is {kind_of(response)}, not an object")
    status_code = response.get("status_code")
    if type(status_code) is not int:
        refuse(f"`response.status_code` is {kind_of(status_code)}, not an HTTP status")
    body = response.get("body")
    answered = 200 <= status_code < 300
    if not isinstance(body, dict):
        if answered:
            refuse(f"`response.body` is {kind_of(body)}, not an object")
        body = {"error": "no body"}
    if body.get("error") is not None:
        model = _requested_model(custom_id, manifest)
    else:
        # Whether it is the requested model is judged with the manifest (unexpected_model), not here.
        model = name_of(body, "model", CODE, within="response.body.")
    outcome = openai(body, model, "response.body.")
    if outcome.status == "ok" and not answered:
        refuse(f"`response.status_code` is {status_code}, but the body is that of a success")
    return _call(custom_id, model, outcome)


def anthropic_batch_call(record: dict[str, JsonValue], manifest: Manifest | None) -> Call:
    """Return the call of one line of Anthropic's batch results; raises CallError."""
    custom_id = name_of(record, "custom_id", CODE)
    result = record.get("result")
    if not isinstance(result, dict):
        refuse(f"`result` is {kind_of(result)}, not an object: no line of a batch output")
    kind = name_of(result, "type", CODE, within="result.")
    if kind == "succeeded":
        message = result.get("message")
        if not isinstance(message, dict):
            refuse(f"`result.message` is {kind_of(message)}, not an object")
        model = name_of(message, "model", CODE, within="result.message.")
        outcome = anthropic(message, model, "result.message.")
        return _call(custom_id, model, outcome)
    if kind == "errored" and not isinstance(result.get("error"), dict):
        refuse("`result.error` is not an object, though the request errored")
    if kind not in ("errored", "canceled", "expired"):
        refuse(f"`result.type` is {shown(kind)}: no result of a batch")
    return _call(custom_id, _requested_model(custom_id, manifest), Outcome("error"))


def _requested_model(custom_id: str, manifest: Manifest | None) -> str:
    if manifest is None:
        return UNKNOWN_MODEL
    return manifest.models.get(custom_id, UNKNOWN_MODEL)


def _call(custom_id: str, model: str, outcome: Outcome) -> Call:
    return Call(BATCH_RUN, custom_id, BATCH_RUN, custom_id, model, *outcome)
