"""Session files of Claude Code: each answer of the model is a call.

While an answer streams in, its message is written two to four times under one message.id, with usage that grows: the
copy with a stop_reason is the call, wherever it stands, and the others are left out. A message of which no copy has one
was cut off while it was written, and what it used is unknown. Other lines (prompts, tool results, summaries) are no calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

COPIES: Final = "other copies of a message that was streaming in"
SYNTHETIC: Final = "messages that Claude Code wrote itself"

_SYNTHETIC_MODEL: Final = "<synthetic>"


def session_decoder(
    lines: Callable[[], Iterator[JsonLine]], left_out: dict[str, int], meaning: str
) -> Callable[[JsonLine], list[LoggedCall]]:
    """Return the decoder of a session that *lines* reads from its start; what is left out is counted in *left_out*."""
    final_lines = final_copies(lines())

    def decode(line: JsonLine) -> list[LoggedCall]:
        call = session_call(line.value, left_out)
        if call is None:
            return []
        if final_lines.get(identity_digest(call.call_id), line.number) != line.number:
            left_out[COPIES] = left_out.get(COPIES, 0) + 1
            return []
        return [LoggedCall(line.number, call, meaning)]

    return decode


def final_copies(lines: Iterator[JsonLine]) -> dict[bytes, int]:
    """Return the line of the final copy of each message: the last that is finished, else the last.

    Lines that cannot be decoded are reported by the audit.
    """
    final: dict[bytes, int] = {}
    unfinished: set[bytes] = set()
    for line in lines:
        with suppress(CallError):
            call = session_call(line.value, {}) if line.error is None else None
            if call is None:
                continue
            message = identity_digest(call.call_id)
            if is_finished(line.value):
                unfinished.discard(message)
            elif message not in final:
                unfinished.add(message)
            elif message not in unfinished:
                continue
            final[message] = line.number
    return final


def is_finished(value: JsonValue) -> bool:
    """Tell whether a line holds no snapshot of a message: while one streams in, its stop_reason is null."""
    message = value.get("message") if isinstance(value, dict) else None
    return not isinstance(message, dict) or bool(message.get("stop_reason", True))


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
    counts = [
        token_count(usage, name, CODE, within=within) for name in ("input_tokens", "output_tokens")
    ]
    if not is_finished(record):
        counts = [None, None]
    return Call(session, task, stage, call_id, model, "ok", *counts)
