"""Envelopes: the five identity fields of a call beside the `response` of its vendor."""

from __future__ import annotations

from tracecite_lint.calls.call import Call, identity_of, kind_of, shown
from tracecite_lint.calls.providers.bodies import CODE, BodyReader, refuse
from tracecite_lint.jsonl import JsonValue


def envelope_call(record: dict[str, JsonValue], read_body: BodyReader) -> Call:
    """Return the call of an envelope whose response *read_body* understands; raises CallError."""
    identity = identity_of(record, CODE)
    response = record["response"]
    if not isinstance(response, dict):
        refuse(f"`response` is {kind_of(response)}, not an object")
    outcome = read_body(response, identity[-1], "response.")
    stated = record.get("status", outcome.status)
    if stated != outcome.status:
        described = shown(stated) if isinstance(stated, str) else kind_of(stated)
        refuse(f"`status` is {described}, but the response is that of a call with {outcome.status}")
    return Call(*identity, *outcome)
