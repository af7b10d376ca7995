from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from call_records import envelope

from tracecite_lint.calls import CallError, audit_calls, decode_batch_input, decode_call
from tracecite_lint.calls.manifest import is_model_or_snapshot
from tracecite_lint.calls.providers import PROVIDERS
from tracecite_lint.calls.providers.bodies import vendor_of
from tracecite_lint.calls.providers.claude_code import COPIES

LOGS = Path(__file__).parents[2] / "fixtures" / "calls"


class Expected(NamedTuple):
    """What a log of fixtures/calls holds: totals are (calls, input, output, unknown, failed)."""

    totals: tuple[int, int, int, int, int]
    findings: list[tuple[int, str]]
    wrong: tuple[int, str]
    """Line and code of the wrong record in fixtures/calls/wrong."""


EXPECTED = {
    "normalized": Expected((5, 4605, 444, 0, 1), [], (3, "invalid_record")),
    "ollama": Expected((3, 88, 291, 0, 1), [], (2, "invalid_provider_record")),
    "openai": Expected(
        (5, 1464, 101, 1, 1), [(4, "missing_usage")], (2, "invalid_provider_record")
    ),
    "anthropic": Expected(
        (2, 21, 305, 1, 1), [(1, "missing_usage")], (1, "invalid_provider_record")
    ),
    "vllm": Expected(
        (3, 43, 15, 2, 1),
        [(2, "missing_usage"), (3, "missing_usage")],
        (2, "invalid_provider_record"),
    ),
    "gemini": Expected((3, 170, 230, 1, 2), [(3, "missing_usage")], (2, "invalid_provider_record")),
    "mixed": Expected((3, 2231, 392, 0, 0), [], (2, "invalid_provider_record")),
    "openai-batch": Expected(
        (4, 46, 13, 2, 2),
        [(3, "missing_usage"), (4, "missing_usage")],
        (2, "invalid_provider_record"),
    ),
    "anthropic-batch": Expected(
        (3, 21, 70, 1, 1), [(3, "missing_usage")], (2, "invalid_provider_record")
    ),
    "otlp": Expected((3, 427, 65, 0, 1), [], (2, "invalid_provider_record")),
    "claude-code": Expected(
        (4, 20, 341, 1, 1), [(10, "missing_usage")], (2, "invalid_provider_record")
    ),
}


def test_every_provider_has_a_log_and_a_wrong_one() -> None:
    assert set(EXPECTED) == set(PROVIDERS)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_log_of_each_provider(provider: str) -> None:
    expected = EXPECTED[provider]
    report = audit_calls((LOGS / f"{provider}.jsonl").read_bytes(), provider=provider)
    totals = report.totals
    assert (
        totals.calls,
        totals.input_tokens,
        totals.output_tokens,
        totals.unknown_usage_calls,
        totals.failed_calls,
    ) == expected.totals
    assert [(item.line, item.code) for item in report.findings] == expected.findings
    assert report.usage_complete is (not expected.totals[3])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_wrong_record_of_each_provider_is_refused_with_its_line(provider: str) -> None:
    report = audit_calls((LOGS / "wrong" / f"{provider}.jsonl").read_bytes(), provider=provider)
    assert EXPECTED[provider].wrong in [(item.line, item.code) for item in report.findings]
    assert not report.usage_complete


CHAT_CHOICE = {"index": 0, "finish_reason": "stop"}
CHAT = {
    "object": "chat.completion",
    "model": "m",
    "choices": [CHAT_CHOICE],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
}
RESPONSE = {
    "object": "response",
    "status": "completed",
    "error": None,
    "model": "m",
    "output": [],
    "usage": {"input_tokens": 7, "output_tokens": 3},
}
MESSAGE = {
    "type": "message",
    "model": "m",
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 7, "cache_read_input_tokens": 900, "output_tokens": 3},
}
GEMINI = {
    "candidates": [{"finishReason": "STOP"}],
    "modelVersion": "m",
    "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10},
}


def usage(**counts: object) -> dict[str, object]:
    return {**GEMINI, "usageMetadata": counts}


@pytest.mark.parametrize(
    ("provider", "body", "expected"),
    [
        ("openai", CHAT, ("ok", 7, 3)),
        ("openai", RESPONSE, ("ok", 7, 3)),
        ("openai", {**CHAT, "usage": None}, ("ok", None, None)),
        (
            "openai",
            {**RESPONSE, "usage": {"input_tokens": 7, "output_tokens": None}},
            ("ok", 7, None),
        ),
        ("openai", {**RESPONSE, "status": "incomplete"}, ("ok", 7, 3)),
        ("openai", {**RESPONSE, "status": "cancelled"}, ("error", 7, 3)),
        (
            "openai",
            {**RESPONSE, "status": "failed", "error": {"code": "server_error"}},
            ("error", 7, 3),
        ),
        ("openai", {**CHAT, "model": "m-2024-08-06"}, ("ok", 7, 3)),
        ("openai", {**CHAT, "object": "chat.completion.chunk", "choices": []}, ("ok", 7, 3)),
        ("openai", {"error": {"message": "no"}}, ("error", None, None)),
        (
            "openai",
            {"object": "list", "data": [], "model": "m", "usage": {"prompt_tokens": 7}},
            ("ok", 7, 0),
        ),
        ("vllm", {**CHAT, "usage": None}, ("ok", None, None)),
        ("vllm", {"object": "error", "message": "no", "code": 400}, ("error", None, None)),
        ("vllm", {"error": {"message": "no", "code": 404}}, ("error", None, None)),
        ("anthropic", MESSAGE, ("ok", 7, 3)),
        ("anthropic", {**MESSAGE, "model": "m-20250929"}, ("ok", 7, 3)),
        ("anthropic", {"type": "error", "error": {"type": "api_error"}}, ("error", None, None)),
        ("gemini", GEMINI, ("ok", 7, 3)),
        ("gemini", {**GEMINI, "modelVersion": "models/m-001"}, ("ok", 7, 3)),
        (
            "gemini",
            usage(
                promptTokenCount=7,
                toolUsePromptTokenCount=5,
                candidatesTokenCount=3,
                thoughtsTokenCount=9,
            ),
            ("ok", 12, 12),
        ),
        (
            "gemini",
            usage(promptTokenCount=7, thoughtsTokenCount=9, totalTokenCount=16),
            ("ok", 7, 9),
        ),
        (
            "gemini",
            usage(promptTokenCount=7, thoughtsTokenCount=9, totalTokenCount=17),
            ("ok", 7, None),
        ),
        ("gemini", usage(promptTokenCount=7, thoughtsTokenCount=9), ("ok", 7, None)),
        ("gemini", usage(candidatesTokenCount=3), ("ok", None, 3)),
        ("gemini", {"error": {"code": 500, "status": "INTERNAL"}}, ("error", None, None)),
        ("gemini", {"promptFeedback": {"blockReason": "OTHER"}}, ("error", None, None)),
        # refused
        ("openai", {**CHAT, "choices": None}, "no body of the OpenAI API"),
        ("openai", MESSAGE, "no body of the OpenAI API"),
        ("openai", {**CHAT, "model": "n"}, "not the requested"),
        ("openai", {**CHAT, "model": "m-mini-2024-07-18"}, "not the requested"),
        ("openai", {**CHAT, "model": None}, r"`response\.model` is null"),
        (
            "openai",
            {**CHAT, "usage": {"input_tokens": 7, "output_tokens": 3}},
            "usage of another API",
        ),
        ("openai", {**CHAT, "usage": [7, 3]}, r"`response\.usage` is an array"),
        ("openai", {**CHAT, "usage": {"prompt_tokens": "7"}}, r"`response\.usage\.prompt_tokens`"),
        ("openai", {**CHAT, "object": "chat.completion.chunk"}, "chunk of a stream"),
        ("openai", {**RESPONSE, "status": "queued"}, "finished response"),
        *(
            (provider, {**CHAT, "choices": [{"index": 0, **reason}]}, "still being written")
            for provider in ("openai", "vllm", "mixed")
            for reason in ({}, {"finish_reason": None}, {"finish_reason": ""})
        ),
        *(
            (provider, {**RESPONSE, **status}, "finished response")
            for provider in ("openai", "vllm", "mixed")
            for status in ({"status": None}, {"status": ""}, {"status": "in_progress"})
        ),
        ("openai", {k: v for k, v in RESPONSE.items() if k != "status"}, "finished response"),
        (
            "vllm",
            {**CHAT, "choices": [CHAT_CHOICE, {"finish_reason": None}]},
            r"choices\[1\]` has no finish_reason",
        ),
        ("openai", {"error": {}}, "not what went wrong"),
        ("openai", {"error": 7}, "not what went wrong"),
        ("vllm", {**CHAT, "model": "m-2024-08-06"}, "not the requested"),
        ("vllm", {"object": "error", "message": ""}, r"`response\.message`"),
        ("anthropic", CHAT, "no body of the Messages API"),
        ("anthropic", {**MESSAGE, "stop_reason": None}, "still being written"),
        ("anthropic", {**MESSAGE, "stop_reason": ""}, "still being written"),
        ("anthropic", {**MESSAGE, "usage": CHAT["usage"]}, "usage of another API"),
        (
            "anthropic",
            {**MESSAGE, "usage": {"input_tokens": 7.5}},
            r"`response\.usage\.input_tokens`",
        ),
        ("anthropic", {"type": "error"}, "not what went wrong"),
        ("gemini", {**GEMINI, "candidates": [{"content": {}}]}, "still being written"),
        ("gemini", {**GEMINI, "candidates": []}, "missing or empty"),
        ("gemini", {**GEMINI, "modelVersion": "n"}, "not the requested"),
        ("gemini", usage(promptTokenCount="7"), r"usageMetadata\.promptTokenCount"),
        ("gemini", usage(promptTokenCount=2**53 - 1, toolUsePromptTokenCount=1), "add up to more"),
        ("mixed", {"text": "?"}, "no vendor known here"),
        ("mixed", "?", "no vendor known here"),
    ],
)
def test_bodies(
    provider: str, body: object, expected: tuple[str, int | None, int | None] | str
) -> None:
    line = envelope(body, model="m")
    if isinstance(expected, tuple):
        call = decode_call(line, provider=provider)
        assert (call.status, call.input_tokens, call.output_tokens) == expected
        return
    with pytest.raises(CallError, match=expected) as caught:
        decode_call(line, provider=provider)
    assert caught.value.code == "invalid_provider_record"


@pytest.mark.parametrize("provider", ["openai", "anthropic", "vllm", "gemini", "mixed"])
def test_an_envelope_may_not_contradict_itself_or_lack_an_identity(provider: str) -> None:
    body = {"anthropic": MESSAGE, "gemini": GEMINI}.get(provider, CHAT)
    assert decode_call(envelope(body, model="m", status="ok"), provider=provider).status == "ok"
    for line in (
        envelope(body, model="m", status="error"),
        envelope(body, model="m", status=None),
        envelope(body, model="m", call_id=""),
        envelope(None, model="m"),
    ):
        with pytest.raises(CallError) as caught:
            decode_call(line, provider=provider)
        assert caught.value.code == "invalid_provider_record"


@pytest.mark.parametrize(
    ("body", "vendor"),
    [
        (CHAT, "openai"),
        (RESPONSE, "openai"),
        ({"error": {"message": "no", "type": "tokens"}}, "openai"),
        (MESSAGE, "anthropic"),
        ({"type": "error", "error": {"type": "overloaded_error"}}, "anthropic"),
        (GEMINI, "gemini"),
        ({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}, "gemini"),
        ({"model": "m", "done": True}, "ollama"),
        ({"error": "gone"}, "ollama"),
        ({"object": "error", "message": "no"}, "vllm"),
        ({"text": "?"}, None),
    ],
)
def test_a_vendor_is_known_by_its_fields(body: dict[str, object], vendor: str | None) -> None:
    assert vendor_of(json.loads(json.dumps(body))) == vendor


@pytest.mark.parametrize(
    ("model", "requested", "same"),
    [
        ("gpt-4o", "gpt-4o", True),
        ("gpt-4o-2024-08-06", "gpt-4o", True),
        ("gpt-4-0613", "gpt-4", True),
        ("claude-3-5-haiku-20241022", "claude-3-5-haiku-latest", True),
        ("claude-opus-4-20250514", "claude-opus-4-0", True),
        ("models/gemini-2.0-flash-001", "gemini-2.0-flash", True),
        ("gpt-4o-mini", "gpt-4o", False),
        ("gpt-4o-mini-2024-07-18", "gpt-4o", False),
        ("gpt-4o", "gpt-4o-2024-08-06", False),
        ("gpt-4o-2024", "gpt-4o-2024-08-06", False),
        ("claude-opus-4-1-20250805", "claude-opus-4", False),
    ],
)
def test_a_dated_snapshot_is_the_model_that_was_asked_for(
    model: str, requested: str, same: bool
) -> None:
    assert is_model_or_snapshot(model, requested) is same


def test_a_sum_over_vendors_says_so() -> None:
    report = audit_calls((LOGS / "mixed.jsonl").read_bytes(), provider="mixed").to_json()
    meanings = report["input_tokens_mean"]
    assert isinstance(meanings, dict)
    assert sorted(meanings.values()) == [1, 1, 1]
    assert any("OpenAI" in meaning for meaning in meanings)
    assert any("Anthropic" in meaning for meaning in meanings)


def batch_line(custom_id: str, model: str = "m", **fields: object) -> str:
    response = {"status_code": 200, "request_id": "q", "body": {**CHAT, "model": model}}
    return json.dumps({"custom_id": custom_id, "response": response, "error": None, **fields})


def batch_request(custom_id: object, model: object = "m") -> dict[str, object]:
    return {
        "custom_id": custom_id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": model},
    }


def lines_of(*records: object) -> str:
    return "\n".join(json.dumps(record) for record in records)


def test_the_input_of_a_batch_is_its_manifest() -> None:
    requests = lines_of(*(batch_request(name) for name in "abcde"))
    failed = {"status_code": 429, "request_id": "q", "body": {"error": {"message": "no"}}}
    log = "\n".join(
        [
            batch_line("b", "m-2024-08-06"),
            batch_line("a", "other"),
            batch_line("x"),
            batch_line("c", response=failed),
            batch_line("d", response=None, error={"code": "batch_expired", "message": "late"}),
        ]
    )
    report = audit_calls(log, requests, provider="openai-batch")
    assert [(item.line, item.code, item.task_id) for item in report.findings] == [
        (2, "unexpected_model", None),
        (3, "unexpected_task", None),
        (4, "missing_usage", None),
        (5, "missing_usage", None),
        (0, "missing_stage", "a"),
        (0, "missing_stage", "c"),
        (0, "missing_stage", "d"),
        (0, "missing_stage", "e"),
    ]
    assert report.totals.failed_calls == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (batch_line(""), "custom_id"),
        (batch_line("a", response=None), "no line of a batch output"),
        (batch_line("a", response=[]), "`response` is an array"),
        (batch_line("a", response={"body": CHAT}), "status_code"),
        (batch_line("a", response={"status_code": 200, "body": None}), "body"),
        (batch_line("a", response={"status_code": 500, "body": CHAT}), "that of a success"),
        (
            batch_line("a", response={"status_code": 200, "body": MESSAGE}),
            "no body of the OpenAI API",
        ),
        ("[]", "not an object"),
    ],
)
def test_a_wrong_line_of_an_openai_batch(line: str, message: str) -> None:
    with pytest.raises(CallError, match=message) as caught:
        decode_call(line, provider="openai-batch")
    assert caught.value.code == "invalid_provider_record"


def test_a_failed_request_without_a_body_is_a_failed_call() -> None:
    call = decode_call(
        batch_line("a", response={"status_code": 503, "body": None}), provider="openai-batch"
    )
    assert (call.status, call.call_id, call.input_tokens) == ("error", "a", None)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"type": "succeeded", "message": MESSAGE}, "ok"),
        ({"type": "errored", "error": {"type": "error", "error": {"type": "api_error"}}}, "error"),
        ({"type": "canceled"}, "error"),
        ({"type": "expired"}, "error"),
        ({"type": "succeeded"}, "refused"),
        ({"type": "succeeded", "message": {**MESSAGE, "stop_reason": None}}, "refused"),
        ({"type": "errored"}, "refused"),
        ({"type": "processing"}, "refused"),
        ({}, "refused"),
        (None, "refused"),
    ],
)
def test_results_of_an_anthropic_batch(result: object, expected: str) -> None:
    line = json.dumps({"custom_id": "a", "result": result})
    if expected == "refused":
        with pytest.raises(CallError) as caught:
            decode_call(line, provider="anthropic-batch")
        assert caught.value.code == "invalid_provider_record"
    else:
        assert decode_call(line, provider="anthropic-batch").status == expected


@pytest.mark.parametrize("indent", [None, 2])
def test_the_input_of_a_batch_may_be_one_object(indent: int | None) -> None:
    requests = [{"custom_id": name, "params": {"model": "m"}} for name in ("a", "b")]
    text = json.dumps({"requests": requests}, indent=indent)
    assert decode_batch_input(text, request="params").task_ids == ("a", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no request"),
        ("{", "not JSON"),
        (lines_of(batch_request("a")) + "\n{", "line 2"),
        ("[]", "line 1"),
        (lines_of(batch_request("a"), batch_request("a")), "line 2: the custom_id"),
        (lines_of(batch_request("a"), batch_request("")), "line 2: `custom_id`"),
        (lines_of(batch_request("a", None)), "line 1: `body.model`"),
        (lines_of({"custom_id": "a", "params": {"model": "m"}}), "`body` is null"),
        (
            '{"run_id":"r","model":"m","task_ids":["a"],"required_stages":["s"]}',
            "batch's input file",
        ),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_wrong_input_of_a_batch_says_where(text: str | bytes, message: str) -> None:
    with pytest.raises(CallError, match=message) as caught:
        decode_batch_input(text, request="body")
    assert caught.value.code == "invalid_manifest"


TRACE = "0af7651916cd43dd8448eb211c80319c"


IDS = ("traceId", "spanId", "parentSpanId")


def span(
    name: str, parent: str = "", *, given: dict[str, object] | None = None, **fields: object
) -> dict[str, object]:
    values = {
        "gen_ai.operation.name": {"stringValue": "chat"},
        "gen_ai.request.model": {"stringValue": "m"},
        "gen_ai.usage.input_tokens": {"intValue": "7"},
        "gen_ai.usage.output_tokens": {"intValue": "3"},
        **(given or {}),
    }
    return {
        "traceId": TRACE,
        "spanId": name,
        "parentSpanId": parent,
        "name": "chat m",
        "attributes": [
            {"key": key, "value": value} for key, value in values.items() if value is not None
        ],
        **fields,
    }


def export(*spans: object, resource: dict[str, str] | None = None) -> dict[str, object]:
    attributes = [
        {"key": key, "value": {"stringValue": value}} for key, value in (resource or {}).items()
    ]
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes},
                "scopeSpans": [{"scope": {}, "spans": list(spans)}],
            }
        ]
    }


def test_only_the_innermost_model_calls_of_a_trace_count_in_whatever_order_they_were_exported() -> (
    None
):
    tool = {"gen_ai.operation.name": {"stringValue": "execute_tool"}}
    spans = [
        span("agent", given={"gen_ai.operation.name": {"stringValue": "invoke_agent"}}),
        span("outer", "agent"),
        span("http", "outer", given=dict.fromkeys(span_names(), None)),
        span("inner", "http"),
        span("tool", "agent", given=tool),
        span("alone", "agent"),
        span("loop-1", "loop-2"),
        span("loop-2", "loop-1"),
    ]
    for order in (spans, spans[::-1]):
        report = audit_calls(lines_of(*(export(item) for item in order)), provider="otlp")
        assert report.ok
        assert report.totals.calls == 2
        assert sorted(report.summary.left_out.values()) == [3, 3]


def span_names() -> list[str]:
    attributes = span("x")["attributes"]
    assert isinstance(attributes, list)
    return [attribute["key"] for attribute in attributes]


@pytest.mark.parametrize(
    ("attributes", "fields", "expected"),
    [
        ({}, {}, ("ok", "m", 7, 3)),
        ({"gen_ai.response.model": {"stringValue": "m-1"}}, {}, ("ok", "m-1", 7, 3)),
        ({"gen_ai.usage.input_tokens": {"intValue": 7}}, {}, ("ok", "m", 7, 3)),
        ({"gen_ai.usage.input_tokens": None}, {}, ("ok", "m", None, 3)),
        (
            {
                "gen_ai.usage.input_tokens": None,
                "gen_ai.usage.prompt_tokens": {"intValue": "8"},
                "gen_ai.usage.completion_tokens": {"intValue": "3"},
            },
            {},
            ("ok", "m", 8, 3),
        ),
        (
            {
                "gen_ai.operation.name": {"stringValue": "embeddings"},
                "gen_ai.usage.output_tokens": None,
            },
            {},
            ("ok", "m", 7, 0),
        ),
        ({}, {"status": {"code": 2}}, ("error", "m", 7, 3)),
        ({}, {"status": {"code": "STATUS_CODE_ERROR"}}, ("error", "m", 7, 3)),
        ({"error.type": {"stringValue": "timeout"}}, {"status": {}}, ("error", "m", 7, 3)),
        ({}, {"status": {"code": 1}}, ("ok", "m", 7, 3)),
        ({"gen_ai.usage.input_tokens": {"intValue": "7.0"}}, {}, "no intValue"),
        ({"gen_ai.usage.input_tokens": {"intValue": "-7"}}, {}, "no intValue"),
        ({"gen_ai.usage.input_tokens": {"intValue": "٧"}}, {}, "no intValue"),
        ({"gen_ai.usage.input_tokens": {"intValue": "9" * 5000}}, {}, "no intValue"),
        ({"gen_ai.usage.input_tokens": {"intValue": "9007199254740992"}}, {}, "no intValue"),
        ({"gen_ai.usage.input_tokens": {"doubleValue": 7}}, {}, "no intValue"),
        ({"gen_ai.usage.input_tokens": {"stringValue": "7"}}, {}, "no intValue"),
        ({"gen_ai.usage.prompt_tokens": {"intValue": "8"}}, {}, "differ"),
        ({"gen_ai.operation.name": None}, {}, "a call or a sum of calls"),
        ({"gen_ai.operation.name": {"stringValue": "think"}}, {}, "a call or a sum of calls"),
        ({"gen_ai.request.model": None}, {}, "neither gen_ai.response.model"),
        ({}, {"status": {"code": 9}}, "status code"),
        ({}, {"spanId": None}, "spanId"),
        ({}, {"attributes": {}}, "not an array"),
        ({}, {"attributes": ["x"]}, "not only objects"),
        ({}, {"attributes": [{"value": {}}]}, "key"),
    ],
)
def test_spans(
    attributes: dict[str, object],
    fields: dict[str, object],
    expected: tuple[str, str, int | None, int | None] | str,
) -> None:
    log = lines_of(export(), export(span("a", given=attributes, **fields)))
    report = audit_calls(log, provider="otlp")
    if isinstance(expected, str):
        [finding] = report.findings
        assert (finding.line, finding.code) == (2, "invalid_provider_record")
        assert expected in finding.message
        return
    status, _, input_tokens, output_tokens = expected
    assert report.totals.failed_calls == (status == "error")
    assert report.totals.input_tokens == (input_tokens or 0)
    assert report.totals.output_tokens == output_tokens
    assert report.totals.unknown_usage_calls == (input_tokens is None)


@pytest.mark.parametrize("spelling", [str.lower, str.upper])
def test_ids_are_hex_digits_which_have_no_case(spelling: Callable[[str], str]) -> None:
    first, second = span("ab" * 8, "cd" * 8), span("cd" * 8)
    again = {**first, **{name: spelling(str(first[name])) for name in IDS}}
    report = audit_calls(lines_of(export(first), export(again)), provider="otlp")
    assert [(item.line, item.code) for item in report.findings] == [(2, "duplicate_call")]
    report = audit_calls(lines_of(export(again, second)), provider="otlp")
    assert (report.totals.calls, report.totals.input_tokens) == (1, 7)
    changed = {**again, "status": {"code": 2}}
    report = audit_calls(lines_of(export(first), export(changed)), provider="otlp")
    assert [item.code for item in report.findings] == ["conflicting_call"] * 2
    # The trace is what a run is called where nothing else is.
    report = audit_calls(lines_of(export(again)), provider="otlp")
    assert report.summary.attempts == {(TRACE, "chat"): (1, 0)}


def test_ids_of_another_spelling_keep_their_case() -> None:
    spans = [span("q83vEjRWeJA="), span("Q83VEJRWEJA=")]
    assert audit_calls(lines_of(export(*spans)), provider="otlp").totals.calls == 2


def test_an_attribute_that_stands_twice_is_refused() -> None:
    doubled = span("a")
    assert isinstance(doubled["attributes"], list)
    doubled["attributes"] += doubled["attributes"][-1:]
    [finding] = audit_calls(lines_of(export(doubled)), provider="otlp").findings
    assert "twice" in finding.message


def test_spans_meet_the_manifest_through_attributes() -> None:
    text = json.dumps({"run_id": "r", "model": "m", "task_ids": ["t"], "required_stages": ["s"]})
    own = {"tracecite.task_id": {"stringValue": "t"}, "tracecite.stage": {"stringValue": "s"}}
    log = lines_of(export(span("a", given=own), resource={"tracecite.run_id": "r"}))
    assert audit_calls(log, text, provider="otlp").ok


def test_the_same_span_twice_on_one_line_is_a_duplicate() -> None:
    report = audit_calls(lines_of(export(span("a"), span("a"))), provider="otlp")
    assert [(item.line, item.code) for item in report.findings] == [(1, "duplicate_call")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"resourceLogs": []}, "empty_log"),
        (export(), "empty_log"),
        ({"spans": []}, "invalid_provider_record"),
        ([], "invalid_provider_record"),
        ({"resourceSpans": {}}, "invalid_provider_record"),
    ],
)
def test_a_line_of_otlp_without_a_model_call(line: object, code: str) -> None:
    report = audit_calls(lines_of(line), provider="otlp")
    assert [item.code for item in report.findings] == [code]
    assert not report.usage_complete


def answer(
    message_id: str, output: object, *, session: object = "s1", **fields: object
) -> dict[str, object]:
    message = {
        "id": message_id,
        "model": "claude-x",
        "role": "assistant",
        "usage": {"input_tokens": 4, "cache_read_input_tokens": 9000, "output_tokens": output},
    }
    return {
        "type": "assistant",
        "uuid": f"u-{output}",
        "sessionId": session,
        "message": message,
        **fields,
    }


def test_copies_of_a_streaming_message_are_one_call_with_the_last_usage() -> None:
    log = lines_of(
        answer("m1", 1),
        {"type": "user", "message": {}},
        answer("m2", 2, isSidechain=True),
        answer("m1", 50),
        answer("m1", 40),
        answer("m3", 5),
        answer("m2", 8, isSidechain=True),
    )
    report = audit_calls(log, provider="claude-code")
    assert report.ok
    assert (report.totals.calls, report.totals.input_tokens, report.totals.output_tokens) == (
        3,
        12,
        53,
    )
    assert list(report.summary.left_out.values()) == [3]
    assert report.summary.attempts == {("s1", "main"): (2, 0), ("s1", "sidechain"): (1, 0)}


def copy(message_id: str, output: int, stop_reason: str | None) -> dict[str, object]:
    record = answer(message_id, output)
    assert isinstance(record["message"], dict)
    record["message"]["stop_reason"] = stop_reason
    return record


@pytest.mark.parametrize(
    ("copies", "output", "missing"),
    [
        # the finished copy is the call, wherever it stands
        ([(1, None), (250, "end_turn")], 250, []),
        ([(250, "end_turn"), (1, None)], 250, []),
        ([(1, None), (250, "tool_use"), (8, None), (9, "")], 250, []),
        ([(200, "tool_use"), (250, "end_turn")], 250, []),
        # without one, what it used is not known
        ([(1, None)], 0, [1]),
        ([(8, None), (8, None), (310, None)], 0, [3]),
    ],
)
def test_a_snapshot_of_a_message_is_not_its_final_count(
    copies: list[tuple[int, str | None]], output: int, missing: list[int]
) -> None:
    log = lines_of(*(copy("m1", *each) for each in copies))
    report = audit_calls(log, provider="claude-code")
    assert [(item.line, item.code) for item in report.findings] == [
        (line, "missing_usage") for line in missing
    ]
    assert (report.totals.calls, report.totals.output_tokens) == (1, output)
    assert report.usage_complete is not bool(missing)
    assert report.summary.left_out.get(COPIES, 0) == len(copies) - 1


def test_a_copy_that_cannot_be_decoded_is_reported_and_the_last_one_that_can_counts() -> None:
    log = lines_of(answer("m1", 1), answer("m1", 30), answer("m1", -1))
    report = audit_calls(log, provider="claude-code")
    assert [(item.line, item.code) for item in report.findings] == [(3, "invalid_provider_record")]
    assert report.totals.output_tokens == 30
    assert not report.usage_complete


def test_an_api_error_is_a_failed_call_whose_usage_nobody_reported() -> None:
    failed = answer("m9", 0, isApiErrorMessage=True)
    assert isinstance(failed["message"], dict)
    failed["message"]["model"] = "<synthetic>"
    own = answer("m8", 0)
    assert isinstance(own["message"], dict)
    own["message"]["model"] = "<synthetic>"
    report = audit_calls(lines_of(failed, own), provider="claude-code")
    assert [(item.line, item.code) for item in report.findings] == [(1, "missing_usage")]
    assert (report.totals.calls, report.totals.failed_calls) == (1, 1)


@pytest.mark.parametrize(
    "line",
    [
        answer("", 1),
        answer("m1", 1, session=None),
        answer("m1", "1"),
        answer("m1", 1, agentId=""),
        answer("m1", 1, message="text"),
        answer("m1", 1, message={"id": "m1", "model": "x", "usage": [1]}),
        {"run_id": "r1", "status": "ok"},
        [],
    ],
)
def test_a_wrong_line_of_a_session(line: object) -> None:
    [finding] = audit_calls(lines_of(line), provider="claude-code").findings
    assert (finding.line, finding.code) == (1, "invalid_provider_record")


def test_a_session_without_an_answer_is_an_empty_log() -> None:
    report = audit_calls(lines_of({"type": "summary"}), provider="claude-code")
    assert [(item.line, item.code) for item in report.findings] == [(0, "empty_log")]
    assert not report.usage_complete
