from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import NamedTuple

import pytest
from call_records import MODEL, RUN, envelope, literal_record, manifest, record

from tracecite_lint.calls import (
    Call,
    CallError,
    LoggedCall,
    account,
    audit_calls,
    check_coverage,
    decode_call,
    decode_manifest,
)
from tracecite_lint.calls.ledger import MAX_TOTAL

MAX = 9007199254740991

ALL = [
    record("a", task="t1", stage="draft"),
    record("b", task="t1", stage="check"),
    record("c", task="t2", stage="draft"),
    record("d", task="t2", stage="check"),
]
NOTHING_COVERED = [
    (0, "missing_stage", "t1", "draft"),
    (0, "missing_stage", "t1", "check"),
    (0, "missing_stage", "t2", "draft"),
    (0, "missing_stage", "t2", "check"),
]


class Case(NamedTuple):
    """A log, a manifest, and what the audit is to find: totals are (calls, input, output, unknown, failed)."""

    log: list[str]
    manifest: str | None
    totals: tuple[int, int, int, int, int]
    complete: bool
    findings: list[tuple[int | str | None, ...]]


def shown(report: dict[str, object]) -> list[tuple[object, ...]]:
    findings = report["findings"]
    assert isinstance(findings, list)
    return [
        tuple(item[key] for key in ("line", "code", "task_id", "stage") if key in item)
        for item in findings
    ]


CASES = {
    "one call": Case([record("a")], None, (1, 10, 2, 0, 0), True, []),
    "all covered": Case(ALL, manifest(), (4, 40, 8, 0, 0), True, []),
    "null is unknown, as absent is": Case(
        [record("a").replace("10", "null"), record("b", output_tokens=None)],
        None,
        (2, 10, 2, 2, 0),
        False,
        [(1, "missing_usage"), (2, "missing_usage")],
    ),
    "zero is known": Case(
        [record("a", input_tokens=0, output_tokens=0)], None, (1, 0, 0, 0, 0), True, []
    ),
    "a failed call with usage counts in full": Case(
        [record("a", status="error")], None, (1, 10, 2, 0, 1), True, []
    ),
    "a failed call without usage is unknown": Case(
        [record("a", status="error", input_tokens=None)],
        None,
        (1, 0, 2, 1, 1),
        False,
        [(1, "missing_usage")],
    ),
    "a duplicate may differ in order, null and unknown fields": Case(
        [
            record("a", output_tokens=None),
            "",
            json.dumps(
                {**dict(reversed(json.loads(record("a")).items())), "output_tokens": None, "x": [1]}
            ),
        ],
        None,
        (1, 10, 0, 1, 0),
        False,
        [(1, "missing_usage"), (3, "duplicate_call")],
    ),
    "three copies are two duplicates": Case(
        [record("a")] * 3,
        None,
        (1, 10, 2, 0, 0),
        True,
        [(2, "duplicate_call"), (3, "duplicate_call")],
    ),
    "a conflict takes its duplicates with it, wherever they stand": Case(
        [record("a"), record("b"), record("a"), record("a", input_tokens=11), record("a")],
        None,
        (1, 10, 2, 0, 0),
        False,
        [
            (1, "conflicting_call"),
            (3, "conflicting_call"),
            (4, "conflicting_call"),
            (5, "conflicting_call"),
        ],
    ),
    "conflicting calls have no other finding": Case(
        [
            record("a", model="other", input_tokens=None),
            record("a", stage="nowhere", input_tokens=MAX),
            *ALL[1:],
        ],
        manifest(),
        (3, 30, 6, 0, 0),
        False,
        [(1, "conflicting_call"), (2, "conflicting_call"), (0, "missing_stage", "t1", "draft")],
    ),
    "one field unlike is a conflict": Case(
        [
            record("a"),
            record("a", run_id="x"),
            record("b"),
            record("b", task="x"),
            record("c"),
            record("c", stage="x"),
            record("d"),
            record("d", model="x"),
            record("e"),
            record("e", status="error"),
            record("f"),
            record("f", input_tokens=None),
            record("g", output_tokens=0),
            record("g", output_tokens=None),
        ],
        None,
        (0, 0, 0, 0, 0),
        False,
        [(line, "conflicting_call") for line in range(1, 15)],
    ),
    "ids are compared verbatim": Case(
        [record("a"), record("A"), record(" a"), record("a\u0301"), record("á")],
        None,
        (5, 50, 10, 0, 0),
        True,
        [],
    ),
    "a line that cannot be decoded is no party to a conflict": Case(
        [record("a"), record("a", status="?"), record("a")],
        None,
        (1, 10, 2, 0, 0),
        False,
        [(2, "invalid_record"), (3, "duplicate_call")],
    ),
    "one finding per field that does not fit, in this order": Case(
        [record("z", run_id="r", model="n", task="t", stage="s", output_tokens=None), *ALL],
        manifest(),
        (5, 50, 8, 1, 0),
        False,
        [
            (1, "unexpected_run"),
            (1, "unexpected_model"),
            (1, "unexpected_task"),
            (1, "unexpected_stage"),
            (1, "missing_usage"),
        ],
    ),
    "a call of another run or model covers nothing": Case(
        [record("a", run_id="r"), record("b", stage="check", model="n"), *ALL[2:]],
        manifest(),
        (4, 40, 8, 0, 0),
        True,
        [
            (1, "unexpected_run"),
            (2, "unexpected_model"),
            (0, "missing_stage", "t1", "draft"),
            (0, "missing_stage", "t1", "check"),
        ],
    ),
    "a retry covers whether it stands before or after": Case(
        [ALL[0], record("z", status="error"), *ALL[1:]], manifest(), (5, 50, 10, 0, 1), True, []
    ),
    "a failed call alone does not cover": Case(
        [record("a", status="error"), *ALL[1:]],
        manifest(),
        (4, 40, 8, 0, 1),
        True,
        [(0, "missing_stage", "t1", "draft")],
    ),
    "unknown usage covers": Case(
        [record("a", input_tokens=None, output_tokens=None), *ALL[1:]],
        manifest(),
        (4, 30, 6, 1, 0),
        False,
        [(1, "missing_usage")],
    ),
    "the last row that fits is added, the next is not, later ones are": Case(
        [
            *(record(f"c{n}", input_tokens=MAX, output_tokens=0) for n in range(1024)),
            record("over", input_tokens=1024, output_tokens=7),
            record("fits", input_tokens=1023, output_tokens=1),
            record("full", input_tokens=0, output_tokens=3),
            record("none", input_tokens=1, output_tokens=None),
        ],
        None,
        (1028, MAX_TOTAL, 4, 1, 0),
        False,
        [(1025, "aggregate_overflow"), (1028, "aggregate_overflow"), (1028, "missing_usage")],
    ),
    "output overflows too, and an overflowing call covers": Case(
        [
            *(record(f"c{n}", task="x", input_tokens=1, output_tokens=MAX) for n in range(1024)),
            record("over", output_tokens=MAX, status="ok"),
        ],
        manifest(task_ids=["t1", "x"], required_stages=["draft"]),
        (1025, 1024, MAX * 1024, 0, 0),
        False,
        [(1025, "aggregate_overflow")],
    ),
    "blank lines count": Case(
        ["", " \t", "[]", "", record("a"), "{"],
        None,
        (1, 10, 2, 0, 0),
        False,
        [(3, "invalid_record"), (6, "invalid_json")],
    ),
    "nothing": Case([], None, (0, 0, 0, 0, 0), False, [(0, "empty_log")]),
    "blank lines only, with a manifest": Case(
        ["", "\t"], manifest(), (0, 0, 0, 0, 0), False, [(0, "empty_log"), *NOTHING_COVERED]
    ),
    "an invalid manifest comes first, and coverage is not judged": Case(
        ["x", record("a", run_id="r")],
        manifest(task_ids=[]),
        (1, 10, 2, 0, 0),
        False,
        [(0, "invalid_manifest"), (1, "invalid_json")],
    ),
    "an invalid manifest and an empty log": Case(
        [], "", (0, 0, 0, 0, 0), False, [(0, "invalid_manifest"), (0, "empty_log")]
    ),
    "text after the object": Case(
        [record("a") + " {}"], None, (0, 0, 0, 0, 0), False, [(1, "invalid_json")]
    ),
    "a key twice in a field that is ignored": Case(
        [record("a", note="?").replace('"?"', '[{"k":1,"k":1}]')],
        None,
        (0, 0, 0, 0, 0),
        False,
        [(1, "invalid_json")],
    ),
    "the same key in two objects": Case(
        [record("a", note=[{"k": 1}, {"k": 1}])], None, (1, 10, 2, 0, 0), True, []
    ),
    "1024 deep": Case(
        [record("a", note="?").replace('"?"', "[" * 1023 + "]" * 1023)],
        None,
        (1, 10, 2, 0, 0),
        True,
        [],
    ),
    "1025 deep": Case(
        [record("a", note="?").replace('"?"', "[" * 1024 + "]" * 1024)],
        None,
        (0, 0, 0, 0, 0),
        False,
        [(1, "invalid_json")],
    ),
    "line separators inside a string are part of it": Case(
        [record("a\u2028\u2029\u0085").encode().decode("unicode_escape"), record("b")],
        None,
        (2, 20, 4, 0, 0),
        True,
        [],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_protocol(case: Case) -> None:
    report = audit_calls("\n".join(case.log), case.manifest).to_json()
    names = ("calls", "input_tokens", "output_tokens", "unknown_usage_calls", "failed_calls")
    expected: dict[str, object] = dict(zip(names, case.totals, strict=True))
    expected |= {name: str(expected[name]) for name in ("input_tokens", "output_tokens")}
    assert shown(report) == case.findings
    assert report["totals"] == expected
    assert report["usage_complete"] is case.complete
    assert report["ok"] is (not case.findings)
    assert list(report) == ["ok", "usage_complete", "totals", "findings"]


@pytest.mark.parametrize(
    "literal",
    [
        "10.0",
        "1e1",
        "1E1",
        "-0",
        "-1",
        '"10"',
        "true",
        "false",
        "[10]",
        "{}",
        "9007199254740992",
        "9" * 5000,
        "10.",
        "-0.0",
    ],
)
@pytest.mark.parametrize("field", ["input_tokens", "output_tokens"])
def test_a_count_is_a_plain_integer_literal(literal: str, field: str) -> None:
    line = literal_record("a", literal)
    if field == "output_tokens":
        line = record("a", output_tokens=987654321).replace("987654321", literal)
    report = audit_calls(line).to_json()
    code = "invalid_json" if literal == "10." else "invalid_record"
    assert shown(report) == [(1, code)]
    assert report["usage_complete"] is False


@pytest.mark.parametrize("literal", ["0", "7", "9007199254740991"])
def test_a_count_that_is_one(literal: str) -> None:
    assert decode_call(literal_record("a", literal)).input_tokens == int(literal)


@pytest.mark.parametrize("field", ["run_id", "task_id", "stage", "call_id", "model", "status"])
@pytest.mark.parametrize("value", [None, "", 1, True, ["x"], {"x": 1}, "\ud800"])
def test_a_field_that_is_wrong_is_named(field: str, value: object) -> None:
    with pytest.raises(CallError, match=f"`{field}`") as caught:
        decode_call(record("a", **{field: value}))
    assert caught.value.code == "invalid_record"


@pytest.mark.parametrize("status", ["OK", "Error", "failed", " ok"])
def test_status_is_ok_or_error(status: str) -> None:
    with pytest.raises(CallError, match="not `ok` or `error`"):
        decode_call(record("a", status=status))


def test_half_a_surrogate_pair_in_a_field_that_is_ignored_is_ignored() -> None:
    assert audit_calls(record("a", note="\ud800")).ok


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("{", "not JSON"),
        ("[]", "an array"),
        ("null", "null"),
        (manifest(run_id=None), "`run_id` is missing"),
        (manifest(run_id=""), "`run_id` is an empty string"),
        (manifest(model=3), "`model` is a number"),
        (manifest(task_ids=None), "`task_ids` is missing"),
        (manifest(task_ids="t1"), "`task_ids` is a string"),
        (manifest(task_ids=[]), "`task_ids` is an empty array"),
        (manifest(task_ids=["t1", ""]), r"`task_ids\[1\]`"),
        (manifest(task_ids=["t1", None]), r"`task_ids\[1\]` is null"),
        (manifest(task_ids=["t1", "t2", "t1"]), r'`task_ids\[2\]` is "t1" again'),
        (manifest(required_stages=[]), "`required_stages` is an empty array"),
        (manifest(required_stages=[["draft"]]), r"`required_stages\[0\]` is an array"),
        (manifest(required_stages=["\udc00"]), r"`required_stages\[0\]`"),
        (manifest().replace('"model"', '"run_id"'), "same key twice"),
        (manifest() + "x", "text after"),
        (manifest(x="?").replace('"?"', "[" * 1024 + "]" * 1024), "1024"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_manifest_that_is_wrong_says_where(text: str | bytes, part: str) -> None:
    with pytest.raises(CallError, match=part) as caught:
        decode_manifest(text)
    assert caught.value.code == "invalid_manifest"
    report = audit_calls(record("a", run_id="other"), text)
    assert [(item.line, item.code) for item in report.findings] == [(0, "invalid_manifest")]
    assert report.usage_complete


def test_a_manifest_is_read() -> None:
    read = decode_manifest("\ufeff" + manifest(note={"ignored": 1}))
    assert (read.run_id, read.model) == (RUN, MODEL)
    assert (read.task_ids, read.required_stages) == (("t1", "t2"), ("draft", "check"))
    assert decode_manifest(manifest().encode()) == decode_manifest(manifest())


OLLAMA = {"model": MODEL, "done": True, "prompt_eval_count": 10, "eval_count": 2}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (envelope(OLLAMA), ("ok", 10, 2)),
        (envelope(OLLAMA, status="ok"), ("ok", 10, 2)),
        (envelope({**OLLAMA, "prompt_eval_count": None}), ("ok", None, 2)),
        (envelope({"model": MODEL, "done": True}), ("ok", None, None)),
        (envelope({"error": "gone"}), ("error", None, None)),
        (envelope({"error": "gone"}, status="error"), ("error", None, None)),
        (envelope({**OLLAMA, "error": "gone"}), ("error", 10, 2)),
        (
            envelope({"error": "gone", "done": False, "model": "other", "eval_count": 3}),
            ("error", None, 3),
        ),
        (record("a"), ("ok", 10, 2)),
        (envelope({**OLLAMA, "done": False}), "done"),
        (envelope({**OLLAMA, "done": "true"}), "done"),
        (envelope({**OLLAMA, "done": 1}), "done"),
        (envelope({**OLLAMA, "model": "other"}), "response.model"),
        (envelope({"done": True}), "response.model"),
        (envelope({**OLLAMA, "eval_count": -1}), "eval_count"),
        (envelope({**OLLAMA, "eval_count": 2.0}), "eval_count"),
        (envelope({"error": "gone", "eval_count": "2"}), "eval_count"),
        (envelope({"error": ""}), "error"),
        (envelope({**OLLAMA, "error": {"message": "gone"}}), "error"),
        (envelope(OLLAMA, status="error"), "status"),
        (envelope({"error": "gone"}, status="ok"), "status"),
        (envelope(OLLAMA, status="done"), "status"),
        (envelope(None), "response"),
        (envelope([OLLAMA]), "response"),
        (envelope("ok"), "response"),
        (envelope(OLLAMA, call_id=""), "call_id"),
        (envelope(OLLAMA, stage=3), "stage"),
    ],
)
def test_ollama(line: str, expected: tuple[str, int | None, int | None] | str) -> None:
    if isinstance(expected, tuple):
        call = decode_call(line, provider="ollama")
        assert (call.status, call.input_tokens, call.output_tokens) == expected
        return
    with pytest.raises(CallError, match=expected) as caught:
        decode_call(line, provider="ollama")
    assert caught.value.code == "invalid_provider_record"


@pytest.mark.parametrize(
    ("line", "code"),
    [("[]", "invalid_record"), (record("a", status=None), "invalid_record"), ("{", "invalid_json")],
)
def test_a_line_without_a_response_is_a_normalised_record_in_an_ollama_log(
    line: str, code: str
) -> None:
    with pytest.raises(CallError) as caught:
        decode_call(line, provider="ollama")
    assert caught.value.code == code


def test_a_normalised_log_ignores_a_response_but_points_to_the_option_where_a_status_is_missing() -> (
    None
):
    assert audit_calls(record("a", response={"done": False})).ok
    [finding] = audit_calls(envelope(OLLAMA)).findings
    assert finding.code == "invalid_record"
    assert "--provider" in finding.message


@pytest.mark.parametrize("provider", ["otlp", "claude-code", "olama"])
def test_a_single_record_of_some_logs_cannot_be_decoded(provider: str) -> None:
    with pytest.raises(ValueError, match=provider):
        decode_call(record("a"), provider=provider)


@pytest.mark.parametrize(
    "given",
    [
        lambda text: text,
        lambda text: "\ufeff" + text,
        lambda text: text.encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: io.BytesIO(text.encode()),
        lambda text: text.replace("\n", "\r\n"),
    ],
)
def test_a_log_may_be_text_bytes_or_a_file(
    given: Callable[[str], str | bytes | io.BytesIO],
) -> None:
    log = "\n".join([record("a"), record("b"), record("a", input_tokens=3)])
    assert audit_calls(given(log)) == audit_calls(log)


def test_a_line_that_is_not_utf8_is_invalid_json() -> None:
    report = audit_calls(record("a").encode() + b'\n{"run_id":"\xff"}\n' + record("b").encode())
    assert [(item.line, item.code, item.column) for item in report.findings] == [
        (2, "invalid_json", 12)
    ]
    assert report.totals.calls == 2


def test_messages_name_the_first_copy_and_hold_no_long_ids() -> None:
    report = audit_calls("\n".join([record("a" * 9000), "", record("a" * 9000)]))
    [finding] = report.findings
    assert "line 1 " in finding.message
    assert len(finding.message) < 200


def logged(*lines: str) -> list[LoggedCall]:
    return [LoggedCall(number, decode_call(line)) for number, line in enumerate(lines, 1)]


def test_account_and_check_coverage_together_find_what_the_audit_finds() -> None:
    lines = [
        record("a"),
        record("a"),
        record("b", task="t2"),
        record("b", task="t2", model="other"),
        record("c", task="t3", input_tokens=None),
        record("d", stage="check", run_id="r"),
    ]
    expected = decode_manifest(manifest())
    accounted = account(logged(*lines))
    coverage = check_coverage(accounted.kept, expected)
    report = audit_calls("\n".join(lines), manifest())
    assert [entry.line for entry in accounted.kept] == [1, 5, 6]
    assert accounted.totals == report.totals
    assert accounted.usage_complete is report.usage_complete is False
    assert sorted((*accounted.findings, *coverage)) == sorted(report.findings)
    assert [item.code for item in accounted.findings] == [
        "duplicate_call",
        "conflicting_call",
        "conflicting_call",
        "missing_usage",
    ]


def test_calls_that_do_not_say_their_line_stand_where_they_come() -> None:
    calls = [decode_call(line) for line in (record("a"), record("a"), record("b", stage="s"))]
    assert account(calls) == account(LoggedCall(n, call) for n, call in enumerate(calls, 1))
    found = check_coverage(calls, decode_manifest(manifest(task_ids=["t1"])))
    assert [(item.line, item.code) for item in found] == [
        (3, "unexpected_stage"),
        (0, "missing_stage"),
    ]


def test_account_of_nothing_is_not_complete() -> None:
    assert not account([]).usage_complete
    assert account(logged(record("a"))).usage_complete


def test_a_call_is_its_eight_fields() -> None:
    assert decode_call(record("a", note=1)) == Call(RUN, "t1", "draft", "a", MODEL, "ok", 10, 2)
