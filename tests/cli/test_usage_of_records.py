"""Usage that is that of a moment is not taken for the final count, and no span counts twice: `audit` as people run it."""

from __future__ import annotations

import json

import pytest


def session(*copies: tuple[int, str | None]) -> list[object]:
    return [
        {
            "type": "assistant",
            "sessionId": "s1",
            "message": {
                "id": "m1",
                "model": "claude-x",
                "stop_reason": stop_reason,
                "usage": {"input_tokens": 2, "output_tokens": output},
            },
        }
        for output, stop_reason in copies
    ]


def chat(**choice: object) -> list[object]:
    identity = dict.fromkeys(("run_id", "task_id", "stage", "call_id", "model"), "x")
    usage = {"prompt_tokens": 5, "completion_tokens": 7}
    body = {"object": "chat.completion", "model": "x", "choices": [choice], "usage": usage}
    return [{**identity, "response": body}]


def spans(*ids: tuple[str, str]) -> list[object]:
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
        {"key": "gen_ai.request.model", "value": {"stringValue": "m"}},
        {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "10"}},
        {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "5"}},
    ]
    named = [
        {"traceId": "EF" * 16, "spanId": span, "parentSpanId": parent, "attributes": attributes}
        for span, parent in ids
    ]
    return [{"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]} for span in named]


@pytest.mark.parametrize(
    ("provider", "records", "output", "codes"),
    [
        ("claude-code", session((250, "end_turn"), (1, None)), "250", []),
        ("claude-code", session((1, None), (250, "end_turn")), "250", []),
        ("claude-code", session((2, None)), "0", ["missing_usage"]),
        ("claude-code", session((8, None), (8, None), (310, None)), "0", ["missing_usage"]),
        *(
            (provider, chat(**reason), "0", ["invalid_provider_record"])
            for provider in ("openai", "vllm", "mixed")
            for reason in ({"finish_reason": None}, {"finish_reason": ""}, {})
        ),
        *(
            (provider, chat(finish_reason="stop"), "7", [])
            for provider in ("openai", "vllm", "mixed")
        ),
        ("otlp", spans(("ab" * 8, ""), ("AB" * 8, "")), "5", ["duplicate_call"]),
        ("otlp", spans(("cd" * 8, ""), ("ef" * 8, "CD" * 8)), "5", []),
    ],
)
def test_only_the_final_count_of_a_call_counts(lint, write, provider, records, output, codes):
    write("calls.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    ran = lint("audit", "calls.jsonl", "--provider", provider, "--json")
    assert [item["code"] for item in ran.json["findings"]] == codes
    assert ran.status == (2 if codes else 0)
    assert ran.json["totals"]["output_tokens"] == output
    assert ran.json["usage_complete"] is (codes in ([], ["duplicate_call"]))
