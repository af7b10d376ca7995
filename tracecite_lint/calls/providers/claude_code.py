"""Session files of Claude Code: each answer of the model is a call.

While an answer streams in, its message is written two to four times under one message.id, with usage that grows: all
but the last copy are left out. Other lines (prompts, tool results, summaries) are no calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from tracecite_lint.calls.call import (
    Call,
    CallError,
    LoggedCall,
    identity_digest,
    kind_of,
    name_of,
    object_of,
    token_count,
)
from tracecite_lint.calls.providers.bodies import CODE, refuse
from tracecite_lint.jsonl import JsonLine, JsonValue

COPIES: Final = "earlier copies of a message that was streaming in"
SYNTHETIC: Final = "messages that Claude Code wrote itself"

_SYNTHETIC_MODEL: Final = "<synthetic>"


def session_decoder(
    lines: Callable[[], Iterator[JsonLine]], left_out: dict[str, int], meaning: str
) -> Callable[[JsonLine], list[LoggedCall]]:
    """Return the decoder of a session that *lines* reads from its start; what is left out is counted in *left_out*."""
    last_lines = last_copies(lines())

    def decode(line: JsonLine) -> list[LoggedCall]:
        call = session_call(line.value, left_out)
        if call is None:
            return []
        if last_lines.get(identity_digest(call.call_id), line.number) != line.number:
            left_out[COPIES] = left_out.get(COPIES, 0) + 1
            return []
        return [LoggedCall(line.number, call, meaning)]

    return decode


def last_copies(lines: Iterator[JsonLine]) -> dict[bytes, int]:
    """Return the line of the last copy of each message. Lines that cannot be decoded are reported by the audit."""
    last: dict[bytes, int] = {}
    for line in lines:
        with suppress(CallError):
            call = session_call(line.value, {}) if line.error is None else None
            if call is not None:
                last[identity_digest(call.call_id)] = line.number
    return last


def session_call(value: JsonValue, left_out: dict[str, int]) -> Call | None:
    """Return the call of one line, None for a line that is no answer of a model; raises CallError.

    The run is the session, the task the subagent or else the session, the stage `main` or `sidechain`.
    """
    record = object_of(value, CODE)
    if name_of(record, "type", CODE) != "assistant":
        return None
    message = record.get("message")
    if not isinstance(message, dict):
        refuse(f"`message` is {kind_of(message)}, not an object")
    session = name_of(record, "sessionId", CODE)
    task = name_of(record, "agentId", CODE) if record.get("agentId") is not None else session
    stage = "sidechain" if record.get("isSidechain") is True else "main"
    if record.get("isApiErrorMessage") is True:
        # Written in the model's place, with counts of 0 that nobody reported.
        call_id = name_of(record, "uuid", CODE)
        return Call(session, task, stage, call_id, _SYNTHETIC_MODEL, "error")
    model = name_of(message, "model", CODE, within="message.")
    if model == _SYNTHETIC_MODEL:
        left_out[SYNTHETIC] = left_out.get(SYNTHETIC, 0) + 1
        return None
    call_id = name_of(message, "id", CODE, within="message.")
    usage = message.get("usage")
    if usage is None:
        usage = {}
    elif not isinstance(usage, dict):
        refuse(f"`message.usage` is {kind_of(usage)}, not an object")
    within = "message.usage."
    return Call(
        session,
        task,
        stage,
        call_id,
        model,
        "ok",
        token_count(usage, "input_tokens", CODE, within=within),
        token_count(usage, "output_tokens", CODE, within=within),
    )
