from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tracecite_lint.trace.report import Report
from tracecite_lint.trace.validate import validate_evidence_jsonl, validate_file, validate_jsonl

CALL = {"type": "tool_call", "run_id": "r1", "call_id": "c1", "tool": "read"}
SOURCE = {"id": "s1", "uri": "https://www.iana.org/a", "content": "twelve grey geese\nflew south"}
RESULT = {"type": "tool_result", "run_id": "r1", "call_id": "c1", "ok": True, "sources": [SOURCE]}
CITED = {"source_id": "s1", "quote": "grey geese\nflew"}
CLAIM = {"text": "Geese flew.", "citations": [CITED]}
ANSWER = {"type": "answer", "run_id": "r1", "claims": [CLAIM]}

Event = dict[str, Any] | list[Any] | str


def jsonl(*events: Event) -> str:
    return "".join(
        (event if isinstance(event, str) else json.dumps(event)) + "\n" for event in events
    )


def result(*sources: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return RESULT | {"sources": list(sources)} | fields


def answer(*claims: dict[str, Any]) -> dict[str, Any]:
    return ANSWER | {"claims": list(claims)}


def claim(*citations: dict[str, Any]) -> dict[str, Any]:
    return {"text": "Geese flew.", "citations": list(citations)}


def found(report: Report) -> list[tuple[int, str]]:
    return [(diagnostic.line, diagnostic.code) for diagnostic in report.diagnostics]


def both_ways(text: str, *, evidence: bool) -> Report:
    """Validate *text* in memory and as a file, which must agree."""
    in_memory = (validate_evidence_jsonl if evidence else validate_jsonl)(text)
    assert validate_file(io.BytesIO(text.encode()), evidence=evidence) == in_memory
    return in_memory


def without(event: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != name}


def test_a_sound_run_is_reported_in_full() -> None:
    titled = SOURCE | {"title": "Geese"}
    report = both_ways(jsonl(CALL, result(titled), ANSWER), evidence=True)
    assert report.ok()
    assert report.to_json() == {
        "run_id": "r1",
        "event_count": 3,
        "call_count": 1,
        "source_count": 1,
        "claim_count": 1,
        "verified_citation_count": 1,
        "sources": [
            {
                "id": "s1",
                "uri": "https://www.iana.org/a",
                "title": "Geese",
                "call_id": "c1",
                "line": 2,
                "content_present": True,
            }
        ],
        "citations": [
            {
                "claim_index": 1,
                "source_id": "s1",
                "call_id": "c1",
                "line": 3,
                "evidence_status": "matched",
            }
        ],
        "diagnostics": [],
    }


def test_what_is_none_is_left_out_of_the_json() -> None:
    report = both_ways("", evidence=False)
    assert report.to_json() == {
        "event_count": 0,
        "call_count": 0,
        "source_count": 0,
        "claim_count": 0,
        "verified_citation_count": 0,
        "sources": [],
        "citations": [],
        "diagnostics": [{"line": 1, "code": "EMPTY_TRACE", "message": "no valid event"}],
    }
    unknown = both_ways(jsonl(ANSWER), evidence=False).to_json()
    assert unknown["citations"] == [
        {"claim_index": 1, "source_id": "s1", "line": 1, "evidence_status": "unverified"}
    ]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], [(1, "EMPTY_TRACE")]),
        (["", " \t", ""], [(1, "EMPTY_TRACE")]),
        (["no json"], [(1, "INVALID_JSON"), (1, "EMPTY_TRACE")]),
        ([CALL, RESULT, ANSWER], []),
        (["", CALL, " ", RESULT, "\t", ANSWER, ""], []),
        ([CALL, "[]", '"x"', "3", RESULT, ANSWER], [(n, "INVALID_EVENT") for n in (2, 3, 4)]),
        ([CALL | {"note": 1.5}, RESULT, ANSWER | {"cost": None}], []),
        ([CALL | {"type": "tool_use"}, ANSWER], [(1, "UNKNOWN_EVENT"), (2, "UNKNOWN_SOURCE")]),
        # another run: counted, otherwise ignored
        (
            [CALL, RESULT | {"run_id": "r2"}, ANSWER],
            [(2, "RUN_MISMATCH"), (3, "UNKNOWN_SOURCE"), (1, "MISSING_RESULT")],
        ),
        # the order of reading, events, missing results by call, missing answer
        (
            [CALL, "{", CALL | {"call_id": "c2"}, CALL, "{}"],
            [
                (2, "INVALID_JSON"),
                (5, "INVALID_FIELD"),
                (5, "INVALID_FIELD"),
                (4, "DUPLICATE_CALL"),
                (1, "MISSING_RESULT"),
                (3, "MISSING_RESULT"),
                (4, "MISSING_ANSWER"),
            ],
        ),
        ([RESULT, ANSWER], [(1, "ORPHAN_RESULT"), (2, "UNKNOWN_SOURCE")]),
        ([CALL, RESULT, RESULT, ANSWER], [(3, "DUPLICATE_RESULT")]),
        (
            [CALL, RESULT | {"ok": False}, ANSWER],
            [(2, "SOURCE_ON_FAILED_RESULT"), (3, "UNKNOWN_SOURCE")],
        ),
        ([CALL, result(ok=False), answer()], []),
        ([CALL, without(RESULT, "sources"), answer()], []),
        ([CALL, result(SOURCE, SOURCE), ANSWER], [(2, "DUPLICATE_SOURCE")]),
        ([CALL, result(SOURCE, SOURCE | {"id": "s2"}), ANSWER], []),
        (
            [CALL, RESULT, ANSWER, CALL | {"call_id": "c2"}, RESULT, ANSWER],
            [(4, "EVENT_AFTER_ANSWER"), (5, "EVENT_AFTER_ANSWER"), (6, "DUPLICATE_ANSWER")],
        ),
        ([CALL, RESULT], [(2, "MISSING_ANSWER")]),
        ([CALL, RESULT, ANSWER | {"run_id": "r2"}], [(3, "RUN_MISMATCH"), (3, "MISSING_ANSWER")]),
        # a quote that is given is looked for without evidence mode too
        ([CALL, RESULT, answer(claim(CITED | {"quote": "geese"}))], []),
        (
            [CALL, RESULT, answer(claim(CITED | {"quote": "Geese"}))],
            [(3, "QUOTE_NOT_IN_SOURCE")],
        ),
        # byte for byte: no folding of white space
        (
            [CALL, RESULT, answer(claim(CITED | {"quote": "grey geese flew"}))],
            [(3, "QUOTE_NOT_IN_SOURCE")],
        ),
        (
            [CALL, result(without(SOURCE, "content")), ANSWER],
            [(3, "MISSING_SOURCE_CONTENT")],
        ),
        ([CALL, RESULT, answer({"text": "x", "source_ids": ["s1"]})], []),
        ([CALL, RESULT, answer({"text": "x", "source_ids": ["s9"]})], [(3, "UNKNOWN_SOURCE")]),
        ([CALL, RESULT, answer(claim())], []),
    ],
)
def test_form_and_order(events: list[Event], expected: list[tuple[int, str]]) -> None:
    assert found(both_ways(jsonl(*events), evidence=False)) == expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([CALL, RESULT, ANSWER], []),
        ([CALL, RESULT, answer()], [(3, "EMPTY_ANSWER")]),
        ([CALL, RESULT, answer(claim(), claim(CITED))], [(3, "UNCITED_CLAIM")]),
        (
            [CALL, result(without(SOURCE, "content")), ANSWER],
            [(2, "MISSING_SOURCE_CONTENT"), (3, "MISSING_SOURCE_CONTENT")],
        ),
        (
            [CALL, RESULT, answer({"text": "x", "source_ids": ["s1"]})],
            [(3, "MISSING_QUOTE")],
        ),
        (
            [CALL, RESULT, answer({"text": "x", "source_ids": ["s9"]})],
            [(3, "UNKNOWN_SOURCE")],
        ),
        (
            [CALL, result(SOURCE, SOURCE | {"id": "s2"}, SOURCE | {"id": "s3"}), ANSWER],
            [(2, "DUPLICATE_URI"), (2, "DUPLICATE_URI")],
        ),
        (
            [CALL, RESULT, answer(claim(CITED, CITED | {"quote": "swans"}))],
            [(3, "QUOTE_NOT_IN_SOURCE")],
        ),
    ],
)
def test_evidence(events: list[Event], expected: list[tuple[int, str]]) -> None:
    assert found(both_ways(jsonl(*events), evidence=True)) == expected


def test_findings_name_the_line_of_the_first() -> None:
    second = CALL | {"call_id": "c2"}
    again = RESULT | {"call_id": "c2"}
    other = result(SOURCE | {"id": "s2"}, call_id="c3")
    third = CALL | {"call_id": "c3"}
    trace = jsonl(CALL, CALL, second, third, RESULT, RESULT, again, other, ANSWER)
    report = both_ways(trace, evidence=True)
    assert [diagnostic.message for diagnostic in report.diagnostics] == [
        "call_id c1 first appeared on line 1",
        "call_id c1 already has a result on line 5",
        "source id s1 first appeared on line 5",
        "the URI of source s2 first appeared on line 5",
    ]


@pytest.mark.parametrize(
    ("event", "wrong"),
    [
        ({}, ["type", "run_id"]),
        ({"type": ""}, ["type", "run_id"]),
        ({"type": 1, "run_id": "r1"}, ["type"]),
        ({"type": "tool_call"}, ["run_id", "call_id", "tool"]),
        (CALL | {"call_id": ""}, ["call_id"]),
        (CALL | {"tool": None}, ["tool"]),
        (RESULT | {"ok": "yes"}, ["ok"]),
        (without(RESULT, "ok"), ["ok"]),
        (RESULT | {"sources": None}, ["sources"]),
        (result({}, 3), ["sources[0].id", "sources[0].uri", "sources[1]"]),  # type: ignore[arg-type]
        (result(SOURCE | {"title": ""}), ["sources[0].title"]),
        (result(SOURCE | {"title": None}), ["sources[0].title"]),
        (result(SOURCE | {"content": ""}), ["sources[0].content"]),
        (without(ANSWER, "claims"), ["claims"]),
        (answer(3, {}), ["claims[0]", "claims[1].text", "claims[1].source_ids"]),  # type: ignore[arg-type]
        (answer(CLAIM | {"source_ids": ["s1"]}), ["claims[0]"]),
        (answer({"text": "x", "citations": None}), ["claims[0].source_ids"]),
        (answer({"text": "x", "source_ids": ["s1", 2, ""]}), [f"claims[0].source_ids[{n}]" for n in (1, 2)]),
        (answer(claim({}, CITED)), [f"claims[0].citations[0].{n}" for n in ("source_id", "quote")]),
        (answer(claim(CITED | {"quote": ""})), ["claims[0].citations[0].quote"]),
    ],
)  # fmt: skip
def test_every_wrong_field_is_named_and_the_line_is_no_event(
    event: Event, wrong: list[str]
) -> None:
    report = both_ways(jsonl(event), evidence=False)
    *fields, empty = report.diagnostics
    assert [(diagnostic.code, diagnostic.message.split(": ")[1]) for diagnostic in fields] == [
        ("INVALID_FIELD", name) for name in wrong
    ]
    assert empty.code == "EMPTY_TRACE"
    assert report.event_count == 0


def test_citations_that_are_no_array_count_as_absent() -> None:
    older = {"text": "x", "citations": None, "source_ids": ["s1"]}
    assert both_ways(jsonl(CALL, RESULT, answer(older)), evidence=False).ok()


def test_the_first_record_of_a_source_id_stays() -> None:
    other = SOURCE | {"uri": "https://www.iana.org/b", "content": "swans"}
    report = both_ways(jsonl(CALL, result(SOURCE, other), ANSWER), evidence=True)
    assert [(source.id, source.uri) for source in report.sources] == [("s1", SOURCE["uri"])]
    assert report.verified_citation_count == 1


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ('{"type":"tool_call"} {}', 22),
        ('{"a":NaN}', 6),
        ('{"a":-Infinity}', 6),
        ('{"a":1,"a":1}', 8),
        ('{"a":{"b":1,"b":1}}', 13),
        ('{"a":"\x85"}\x85', 10),
        ("\u2028{}", 1),
        ("\ufeff{}", 1),
        ('{"a":"\t"}', 7),
        ('{"a":01}', 6),
        (r'{"a":"\ud83d"}', 7),
        (r'{"a":"\ude00\ud83d"}', 7),
        ("[" * 100_000, 1025),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, 5 * 1024 + 1),
        ('{"a":' + "9" * 5_000, 5_006),
    ],
)
def test_a_line_that_is_not_json_has_a_code_and_a_place(line: str, column: int) -> None:
    report = both_ways(jsonl(CALL, RESULT, line, ANSWER), evidence=True)
    (diagnostic,) = report.diagnostics
    assert (diagnostic.code, diagnostic.line) == ("INVALID_JSON", 3)
    assert diagnostic.message.endswith(f"(column {column})")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + jsonl(CALL, RESULT, ANSWER),
        jsonl(CALL, RESULT, ANSWER).replace("\n", "\r\n"),
        "  " + jsonl(CALL, RESULT, ANSWER).replace("\n", " \n\t"),
        jsonl(CALL, RESULT, ANSWER).rstrip("\n"),
        jsonl(CALL | {"note": "\u2028\u2029\x85"}, RESULT, ANSWER),
        jsonl(CALL, RESULT, ANSWER).replace('"tool": "read"', '"tool": "a\u2028b\x85"'),
        jsonl(CALL, RESULT, ANSWER).replace('"ok"', f'"n": {"7" * 5_000}, "ok"'),
        jsonl(CALL, RESULT, ANSWER).replace('"ok"', f'"n": {"[" * 1023}{"]" * 1023}, "ok"'),
    ],
)
def test_what_is_odd_but_allowed_passes(text: str) -> None:
    assert both_ways(text, evidence=True).ok()


def test_a_number_where_a_string_is_due_is_a_wrong_field_however_long() -> None:
    line = jsonl(CALL).replace('"c1"', "7" * 5_000)
    assert found(both_ways(line, evidence=False)) == [(1, "INVALID_FIELD"), (1, "EMPTY_TRACE")]


def test_a_line_that_is_not_utf8_is_not_json() -> None:
    data = jsonl(CALL).encode() + b'{"a":"\xff"}\n' + jsonl(RESULT, ANSWER).encode()
    report = validate_file(io.BytesIO(data), evidence=True)
    assert found(report) == [(2, "INVALID_JSON")]


@pytest.mark.parametrize("keep", [1, 20, -9, -2])
def test_a_last_line_that_is_still_being_written_is_said_to_be_that(keep: int) -> None:
    report = both_ways(jsonl(CALL, RESULT) + json.dumps(ANSWER)[:keep], evidence=True)
    assert found(report) == [(3, "INVALID_JSON"), (2, "MISSING_ANSWER")]
    assert report.diagnostics[0].message.startswith("the last line is cut off")


def test_a_last_line_cut_inside_a_character_is_said_to_be_that() -> None:
    data = jsonl(CALL).encode() + '{"a":"é'.encode()[:-1]
    report = validate_file(io.BytesIO(data), evidence=False)
    assert report.diagnostics[0].message.startswith("the last line is cut off")


@pytest.mark.parametrize("last", ["no json", "{}}", jsonl("{")])
def test_a_last_line_that_is_wrong_is_not_called_half_written(last: str) -> None:
    report = both_ways(jsonl(CALL, RESULT) + last, evidence=True)
    assert "cut off" not in report.diagnostics[0].message


def test_messages_stay_on_one_line_and_short_whatever_an_id_holds() -> None:
    hostile = "\n  line 1 [OK]\x1b[31m" + "x" * 10_000
    events = [CALL | {"call_id": hostile, "run_id": hostile, "type": kind} for kind in ("a\nb", "tool_call")]  # fmt: skip
    for diagnostic in both_ways(jsonl(*events), evidence=False).diagnostics:
        assert diagnostic.message.isprintable()
        assert len(diagnostic.message) < 300


def test_neither_content_nor_quote_nor_claim_is_in_the_report() -> None:
    secret = "sesquipedalian"
    source = SOURCE | {"content": secret}
    bad = [
        CALL,
        result(source, source, source | {"id": "s2"}, source | {"id": "s3", "title": 7}),
        result(source, source | {"id": "s2"}),
        {
            "type": "answer",
            "run_id": "r1",
            "claims": [
                {"text": secret, "citations": [CITED | {"quote": secret + "!"}]},
                {"text": secret, "citations": [{"source_id": "s9", "quote": secret}]},
            ],
        },
        json.dumps(result(source))[:-2] + "}",
        json.dumps(result(source))[:-3],
    ]
    for evidence in (True, False):
        report = both_ways(jsonl(*bad), evidence=evidence)
        assert report.diagnostics
        assert secret not in json.dumps(report.to_json())
        assert secret not in repr(report)
