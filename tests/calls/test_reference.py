"""The audit against a second, plainer reading of the protocol, on logs made of few ids so that they collide."""

from __future__ import annotations

import json

from call_records import manifest, record
from hypothesis import given, settings
from hypothesis import strategies as st

from tracecite_lint.calls import Call, audit_calls, decode_call

EXPECTED = manifest()

RECORDS = st.builds(
    record,
    st.sampled_from("abc"),
    task=st.sampled_from(["t1", "t2", "t3"]),
    stage=st.sampled_from(["draft", "check", "ship"]),
    run_id=st.sampled_from(["night-run", "night-run", "r"]),
    model=st.sampled_from(["tide-2", "tide-2", "m"]),
    status=st.sampled_from(["ok", "error"]),
    input_tokens=st.sampled_from([None, 0, 7]),
    output_tokens=st.sampled_from([None, 3]),
)
LINES = st.lists(
    st.one_of(
        RECORDS, st.sampled_from(["", "{", "[]"]), st.sampled_from([record("a"), record("b")])
    ),
    max_size=12,
)


def audited_plainly(lines: list[str], with_manifest: bool) -> dict[str, object]:
    calls: dict[int, Call] = {}
    findings: list[tuple[int, str]] = []
    wanted = json.loads(EXPECTED)
    pairs = {
        (task, stage): False for task in wanted["task_ids"] for stage in wanted["required_stages"]
    }
    totals = {"calls": 0, "in": 0, "out": 0, "unknown": 0, "failed": 0}
    for number, line in enumerate(lines, 1):
        if line in ("{", "[]"):
            findings.append((number, "invalid_json" if line == "{" else "invalid_record"))
        elif line:
            calls[number] = decode_call(line)
    complete = bool(calls) and not findings
    for number, call in calls.items():
        same_id = {other for other in calls.values() if other.call_id == call.call_id}
        if len(same_id) > 1:
            findings.append((number, "conflicting_call"))
            complete = False
            continue
        if any(earlier < number and other == call for earlier, other in calls.items()):
            findings.append((number, "duplicate_call"))
            continue
        totals["calls"] += 1
        totals["in"] += call.input_tokens or 0
        totals["out"] += call.output_tokens or 0
        totals["failed"] += call.status == "error"
        if with_manifest:
            findings += [(number, "unexpected_run")] * (call.run_id != wanted["run_id"])
            findings += [(number, "unexpected_model")] * (call.model != wanted["model"])
            findings += [(number, "unexpected_task")] * (call.task_id not in wanted["task_ids"])
            findings += [(number, "unexpected_stage")] * (
                call.stage not in wanted["required_stages"]
            )
            right = (call.run_id, call.model, call.status) == (
                wanted["run_id"],
                wanted["model"],
                "ok",
            )
            if right and (call.task_id, call.stage) in pairs:
                pairs[call.task_id, call.stage] = True
        if None in (call.input_tokens, call.output_tokens):
            findings.append((number, "missing_usage"))
            totals["unknown"] += 1
            complete = False
    findings.sort(key=lambda finding: finding[0])
    if not any(lines):
        findings.append((0, "empty_log"))
    if with_manifest:
        findings += [(0, "missing_stage") for covered in pairs.values() if not covered]
    return {"findings": findings, "complete": complete, **totals}


@given(LINES, st.booleans())
@settings(max_examples=300)
def test_the_audit_agrees_with_a_plain_reading_of_the_protocol(
    lines: list[str], with_manifest: bool
) -> None:
    report = audit_calls("\n".join(lines), EXPECTED if with_manifest else None)
    totals = report.totals
    assert {
        "findings": [(item.line, item.code) for item in report.findings],
        "complete": report.usage_complete,
        "calls": totals.calls,
        "in": totals.input_tokens,
        "out": totals.output_tokens,
        "unknown": totals.unknown_usage_calls,
        "failed": totals.failed_calls,
    } == audited_plainly(lines, with_manifest)
