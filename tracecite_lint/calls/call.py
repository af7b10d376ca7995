"""One model call: the eight fields of the protocol, and how a record of a log is decoded into them."""

from __future__ import annotations

import json
from typing import Literal, NamedTuple

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.digests import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

MAX_COUNT: Final = 9007199254740991
"""The largest token count of one call, 2^53 - 1: what every JSON reader can hold."""

_RECORD_CODE: Final = "invalid_record"

Status = Literal["ok", "error"]


class Call(NamedTuple):
    """One attempt to get an answer from a model; a retry is another call. None is a token count that is not known.

    Two calls are equal if all eight fields are: that is what the duplicate rule compares.
    """

    run_id: str
    task_id: str
    stage: str
    call_id: str
    model: str
    status: Status
    input_tokens: int | None = None
    output_tokens: int | None = None


class LoggedCall(NamedTuple):
    """A call and where it stands: `line` is the 1-based physical line, `meaning` says what its input_tokens counts."""

    line: int
    call: Call
    meaning: str = ""


class CallError(TraceciteLintError, ValueError):
    """Why a record is no call: `code` is that of the finding, `column` the 1-based column in its line."""

    def __init__(self, code: str, message: str, column: int = 1) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.column = column


def object_of(value: JsonValue, code: str) -> dict[str, JsonValue]:
    """Return *value* if it is an object; raises CallError with *code*."""
    if type(value) is not dict:
        raise CallError(code, f"the line holds {kind_of(value)}, not an object")
    return value


def normalized_call(record: dict[str, JsonValue]) -> Call:
    """Return the call of a normalised record; raises CallError naming the first wrong field."""
    run_id, task_id, stage, call_id, model = identity_of(record, _RECORD_CODE)
    status = record.get("status")
    if status == "ok" or status == "error":
        return Call(
            run_id,
            task_id,
            stage,
            call_id,
            model,
            "ok" if status == "ok" else "error",
            token_count(record, "input_tokens", _RECORD_CODE),
            token_count(record, "output_tokens", _RECORD_CODE),
        )
    if status is None and "status" not in record and "response" in record:
        raise CallError(
            _RECORD_CODE,
            "`status` is missing; the record has a `response`: name its vendor with --provider",
        )
    raise CallError(
        _RECORD_CODE, f"`status` is {_described(record, 'status')}, not `ok` or `error`"
    )


def identity_of(record: dict[str, JsonValue], code: str) -> tuple[str, str, str, str, str]:
    """Return the five identity fields of *record*; raises CallError with *code* for the first wrong one."""
    names = (
        record.get("run_id"),
        record.get("task_id"),
        record.get("stage"),
        record.get("call_id"),
        record.get("model"),
    )
    for name in names:
        if type(name) is not str or not name or not name.isascii():
            break
    else:
        return names  # type: ignore[return-value]  # five strings, as the loop found
    return (
        name_of(record, "run_id", code),
        name_of(record, "task_id", code),
        name_of(record, "stage", code),
        name_of(record, "call_id", code),
        name_of(record, "model", code),
    )


def name_of(record: dict[str, JsonValue], field: str, code: str, *, within: str = "") -> str:
    """Return the non-empty string in *field*; raises CallError. *within* is the path to *record*, for the message."""
    value = record.get(field)
    if type(value) is not str or not value:
        described = _described(record, field)
        raise CallError(
            code, f"`{within}{field}` is {described}, not a string with something in it"
        )
    if not value.isascii() and not is_unicode(value):
        raise CallError(code, f"`{within}{field}` holds half a surrogate pair, which is no text")
    return value


def token_count(
    record: dict[str, JsonValue], field: str, code: str, *, within: str = ""
) -> int | None:
    """Return the token count in *field*, None if it is absent or null; raises CallError for anything else."""
    value = record.get(field)
    if value is None:
        return None
    # The reader gives an int for a plain integer literal only: `1.0`, `1e2` and `-0` are floats, `true` is a bool.
    if type(value) is not int or not 0 <= value <= MAX_COUNT:
        described = _described(record, field)
        raise CallError(
            code, f"`{within}{field}` is {described}, not an integer from 0 to {MAX_COUNT}"
        )
    return value


def is_unicode(text: str) -> bool:
    """Tell whether *text* can be written as UTF-8: JSON's escapes can also spell half a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(text: str) -> str:
    """Return *text* as a message has it: a JSON string, shortened to 60 characters."""
    short = text if len(text) <= 60 else text[:59] + "…"
    return json.dumps(short, ensure_ascii=not is_unicode(short))


def identity_digest(name: str) -> bytes:
    """Return what stands for an identity of whatever length: 15 bytes, which is what 48 bytes of memory hold."""
    return blake2b(name.encode(), digest_size=15).digest()


def kind_of(value: JsonValue) -> str:
    """Return what kind of JSON value *value* is, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string" if value else "an empty string"
    return "an array" if isinstance(value, list) else "an object"


def _described(record: dict[str, JsonValue], field: str) -> str:
    if field not in record:
        return "missing"
    value = record[field]
    if type(value) is int and len(str(abs(value))) <= 20:
        return str(value)
    if isinstance(value, str) and value:
        return f"the string {shown(value)}"
    if isinstance(value, float):
        return "a number with a sign, fraction, exponent or too many digits"
    return kind_of(value)
