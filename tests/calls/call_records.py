"""Builders of call logs for these tests."""

from __future__ import annotations

import json

RUN, MODEL = "night-run", "tide-2"


def record(call_id: str, /, *, task: str = "t1", stage: str = "draft", **fields: object) -> str:
    """Return a normalised record of 10 input and 2 output tokens; `fields` replace or (None) remove its fields."""
    values: dict[str, object] = {
        "run_id": RUN,
        "task_id": task,
        "stage": stage,
        "call_id": call_id,
        "model": MODEL,
        "status": "ok",
        "input_tokens": 10,
        "output_tokens": 2,
        **fields,
    }
    return json.dumps({name: value for name, value in values.items() if value is not None})


def literal_record(call_id: str, literal: str) -> str:
    """Return a record whose input_tokens is written as *literal*."""
    return record(call_id, input_tokens=987654321).replace("987654321", literal)


def envelope(response: object, *, call_id: str = "e1", model: str = MODEL, **fields: object) -> str:
    """Return an envelope round *response*."""
    values = {
        "run_id": RUN,
        "task_id": "t1",
        "stage": "draft",
        "call_id": call_id,
        "model": model,
        "response": response,
        **fields,
    }
    return json.dumps(values)


def manifest(**fields: object) -> str:
    """Return a manifest of the tasks t1 and t2 and the stages draft and check."""
    values = {
        "run_id": RUN,
        "model": MODEL,
        "task_ids": ["t1", "t2"],
        "required_stages": ["draft", "check"],
        **fields,
    }
    return json.dumps({name: value for name, value in values.items() if value is not None})
