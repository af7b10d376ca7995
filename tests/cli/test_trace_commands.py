"""`trace`, `compare` and `verify-files` as people and scripts run them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

CALL = {"type": "tool_call", "run_id": "r1", "call_id": "c1", "tool": "read"}
CONTENT = "Twelve grey geese\nflew south.\n"
SECRET = "sesquipedalian"
FIXTURES = Path(__file__).parents[2] / "fixtures"


def trace(*sources: dict[str, Any], quotes: list[tuple[str, str]] | None = None) -> str:
    """Return a run with *sources*; by default it quotes `geese` from each."""
    cited = [(item["id"], "geese") for item in sources] if quotes is None else quotes
    claims = [
        {"text": SECRET, "citations": [{"source_id": source_id, "quote": quote}]}
        for source_id, quote in cited
    ]
    events = [
        CALL,
        {
            "type": "tool_result",
            "run_id": "r1",
            "call_id": "c1",
            "ok": True,
            "sources": list(sources),
        },
        {"type": "answer", "run_id": "r1", "claims": claims},
    ]
    return "".join(json.dumps(event) + "\n" for event in events)


def source(number: int, uri: str, content: str = CONTENT) -> dict[str, Any]:
    return {"id": f"s{number}", "uri": uri, "content": content}


def test_a_valid_trace_is_one_line(lint, write):
    write("t.jsonl", trace(source(1, "file:a.txt")))
    for arguments in (["t.jsonl"], ["t.jsonl", "--evidence"]):
        ran = lint("trace", *arguments)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == "PASS r1: 3 events, 1 calls, 1 sources, 1 claims, 1/1 matched citations\n"


def test_an_invalid_trace_names_lines_and_codes(lint, write):
    write("t.jsonl", trace(source(1, "file:a.txt"), quotes=[("s1", SECRET), ("s9", "x")]))
    ran = lint("trace", "t.jsonl", "--evidence")
    assert (ran.status, ran.err) == (2, "")
    assert ran.out == (
        "FAIL r1: 2 diagnostics\n"
        "  line 3 [QUOTE_NOT_IN_SOURCE] claim 1: quote not found in captured content of source s1\n"
        "  line 3 [UNKNOWN_SOURCE] claim 2 cites unknown source: s9\n"
    )
    empty = lint("trace", "-", stdin=b"")
    assert (empty.status, empty.out) == (
        2,
        "FAIL (unknown): 1 diagnostics\n  line 1 [EMPTY_TRACE] no valid event\n",
    )


def test_the_report_as_json(lint, write):
    write("t.jsonl", trace(source(1, "file:a.txt")))
    ran = lint("trace", "t.jsonl", "--json")
    assert ran.status == 0
    assert ran.json["verified_citation_count"] == 1
    assert ran.json["sources"][0]["uri"] == "file:a.txt"
    assert "title" not in ran.json["sources"][0]


def test_a_pipe_is_read_like_a_file(lint):
    data = trace(source(1, "file:a.txt")).encode()
    assert lint("trace", "-", "--evidence", stdin=data).status == 0


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("trace", ["none.jsonl"]),
        ("trace", ["."]),
        ("verify-files", ["none.jsonl"]),
        ("verify-urls", ["none.jsonl"]),
        ("compare", ["none.jsonl", "t.jsonl"]),
        ("compare", ["t.jsonl", "none.jsonl"]),
    ],
)
def test_a_file_that_cannot_be_read_is_a_usage_error(lint, write, command, files):
    write("t.jsonl", trace(source(1, "file:a.txt")))
    ran = lint(command, *files)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "cannot read" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["trace"],
        ["trace", "t.jsonl", "--unknown"],
        ["trace", "t.jsonl", "--from", "codex", "--evidence"],
        ["trace", "t.jsonl", "--from", "codex", "--json"],
        ["trace", "t.jsonl", "--from", "something"],
        ["trace", "t.jsonl", "--output-file", "x"],
        ["compare", "t.jsonl"],
        ["verify-files"],
    ],
)
def test_wrong_arguments_are_a_usage_error(lint, write, arguments):
    write("t.jsonl", trace(source(1, "file:a.txt")))
    ran = lint(*arguments)
    assert (ran.status, ran.out) == (1, "")


def test_lines_that_are_no_events_end_in_a_code_each(lint, write):
    lines = [
        "\ufeff" + json.dumps(CALL) + "\r",
        '{"a":NaN}',
        '{"a":1,"a":1}',
        json.dumps(CALL)[:-1] + f',"n":{"7" * 5_000}',
        json.dumps(CALL | {"call_id": "x"}).replace('"x"', "7" * 5_000),
        r'{"a":"\ud83d"}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "\u2028",
        "\x85",
        "\ufeff",
        json.dumps(CALL | {"note": "\u2028\x85"}, ensure_ascii=False).replace("c1", "c2"),
        '{"type":"answer","run_id":"r1","claims":[',
    ]
    write("t.jsonl", "\n".join(lines))
    ran = lint("trace", "t.jsonl", "--json")
    assert ran.status == 2
    found = [(item["line"], item["code"]) for item in ran.json["diagnostics"]]
    assert found == [
        *((line, "INVALID_JSON") for line in (2, 3, 4)),
        (5, "INVALID_FIELD"),
        *((line, "INVALID_JSON") for line in (6, 7, 8, 9, 10, 11, 13)),
        (1, "MISSING_RESULT"),
        (12, "MISSING_RESULT"),
        (12, "MISSING_ANSWER"),
    ]
    assert "cut off" in ran.json["diagnostics"][10]["message"]


def test_a_line_of_100_megabytes_is_named_and_passed_over(lint, write):
    valid = trace(source(1, "file:a.txt")).splitlines(keepends=True)
    path = write("t.jsonl", valid[0])
    with path.open("a") as file:
        file.write('{"type":"tool_result","content":"')
        for _ in range(100):
            file.write("x" * 1_000_000)
        file.write('"}\n')
        file.writelines(valid[1:])
    ran = lint("trace", "t.jsonl", "--evidence", "--json")
    assert ran.status == 2
    (finding,) = ran.json["diagnostics"]
    assert (finding["line"], finding["code"]) == (2, "INVALID_JSON")
    assert "longer than" in finding["message"]


def test_a_run_id_cannot_steer_the_terminal(lint, write):
    text = trace(source(1, "file:a\x1b[31m.txt")).replace('"r1"', '"\\u001b[2J\\nPASS"')
    write("t.jsonl", text)
    for command in (["trace", "t.jsonl"], ["verify-files", "t.jsonl"]):
        ran = lint(*command)
        assert "\x1b" not in ran.out
        assert "\nPASS" not in ran.out


# ---- compare


def test_compare_says_what_changed(lint, write):
    write("old.jsonl", trace(source(1, "file:a.txt"), source(2, "file:b.txt"), source(3, "file:c")))
    new = [source(1, "file:d"), source(2, "file:b.txt", "grey geese"), source(3, "file:a.txt")]
    write("new.jsonl", trace(*new))
    ran = lint("compare", "old.jsonl", "new.jsonl")
    assert (ran.status, ran.err) == (2, "")
    assert ran.out == (
        "3 source changes; 1 unchanged\n"
        "  [changed] file:b.txt\n  [removed] file:c\n  [added] file:d\n"
    )
    as_json = lint("compare", "old.jsonl", "new.jsonl", "--json")
    assert as_json.status == 2
    assert as_json.json["changes"][0] == {"kind": "changed", "uri": "file:b.txt"}
    same = lint("compare", "old.jsonl", "old.jsonl")
    assert (same.status, same.out) == (0, "0 source changes; 3 unchanged\n")


def test_compare_needs_evidence(lint, write):
    write("old.jsonl", trace(source(1, "file:a.txt")))
    write("new.jsonl", trace(source(1, "file:a.txt"), quotes=[("s1", SECRET)]))
    ran = lint("compare", "old.jsonl", "new.jsonl")
    assert ran.status == 2
    assert ran.out == (
        "Cannot compare: input evidence validation failed\n"
        "  new line 3 [QUOTE_NOT_IN_SOURCE]"
        " claim 1: quote not found in captured content of source s1\n"
    )
    assert lint("compare", "old.jsonl", "new.jsonl", "--json").json["new_valid"] is False


# ---- verify-files


def test_files_are_compared_in_full(lint, write, tmp_path):
    for name in ("a.txt", "sub/b c.txt", "d%20e.txt", "f.txt"):
        write(name, CONTENT)
    uris = [
        "file:a.txt",
        "file://sub/b%20c.txt",
        "file:d%20e.txt",
        f"file://{tmp_path}/f.txt",
        f"file://localhost{tmp_path}/sub/../f.txt",
        f"FILE:{tmp_path}/a.txt",
    ]
    write("t.jsonl", trace(*(source(number, uri) for number, uri in enumerate(uris))))
    ran = lint("verify-files", "t.jsonl")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "PASS: 6 source files match captured content\n"
    elsewhere = lint("verify-files", "../t.jsonl", cwd=tmp_path / "sub")
    assert elsewhere.status == 2
    assert "[SOURCE_UNAVAILABLE] file:a.txt\n" in elsewhere.out


def test_every_file_that_differs_is_named(lint, write, tmp_path):
    write("same.txt", CONTENT)
    write("longer.txt", CONTENT + "x")
    write("crlf.txt", CONTENT.replace("\n", "\r\n"))
    write("latin.txt", b"\xe9")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    expected = {
        "file:same.txt": None,
        "file:longer.txt": "SOURCE_FILE_MISMATCH",
        "file:crlf.txt": "SOURCE_FILE_MISMATCH",
        "file:latin.txt": "SOURCE_FILE_MISMATCH",
        "file:none.txt": "SOURCE_UNAVAILABLE",
        "file:folder": "SOURCE_UNAVAILABLE",
        "file:pipe": "SOURCE_UNAVAILABLE",
        "file:/dev/zero": "SOURCE_UNAVAILABLE",
        "file:a%00b": "SOURCE_UNAVAILABLE",
        "file:": "SOURCE_UNAVAILABLE",
        "https://www.iana.org/a": "UNSUPPORTED_SOURCE_URI",
        "same.txt": "UNSUPPORTED_SOURCE_URI",
    }
    write("t.jsonl", trace(*(source(number, uri) for number, uri in enumerate(expected))))
    ran = lint("verify-files", "t.jsonl")
    assert ran.status == 2
    lines = [f"[{code}] {uri}\n" for uri, code in expected.items() if code]
    assert ran.out == "FAIL: 1/12 source files match captured content\n" + "".join(lines)
    as_json = lint("verify-files", "t.jsonl", "--json")
    assert as_json.status == 2
    assert (as_json.json["source_count"], as_json.json["matched_count"]) == (12, 1)
    items = as_json.json["items"]
    assert {item["url"]: (item["diagnostics"] or [None])[0] for item in items} == expected
    assert items[0] == {"index": 1, "url": "file:same.txt", "ok": True, "diagnostics": []}


@pytest.mark.parametrize("command", ["verify-files", "verify-urls"])
def test_sources_are_looked_at_only_if_the_evidence_holds(lint, write, command):
    write("t.jsonl", trace(source(1, "file:a.txt"), quotes=[("s1", SECRET)]))
    message = "claim 1: quote not found in captured content of source s1"
    ran = lint(command, "t.jsonl")
    assert ran.status == 2
    assert ran.out == (
        f"FAIL: trace evidence validation failed\n  line 3 [QUOTE_NOT_IN_SOURCE] {message}\n"
    )
    as_json = lint(command, "t.jsonl", "--json")
    assert as_json.status == 2
    assert as_json.json == {
        "diagnostics": [{"line": 3, "code": "QUOTE_NOT_IN_SOURCE", "message": message}]
    }


# ---- trace --from codex

EVENTS = FIXTURES / "traces" / "codex.jsonl"


def test_codex_events_become_a_trace_that_passes(lint):
    ran = lint("trace", "--from", "codex", str(EVENTS))
    assert (ran.status, ran.err) == (0, "")
    out = lint("trace", "--from", "codex", str(EVENTS), "--output-file", "t.jsonl")
    assert (out.status, out.out) == (0, "")
    assert lint("trace", "--evidence", "-", stdin=ran.out.encode()).status == 0
    assert lint("trace", "--evidence", "t.jsonl").status == 0


def test_events_that_are_no_whole_run_are_a_usage_error(lint, write):
    write("events.jsonl", "".join(EVENTS.read_text().splitlines(keepends=True)[:-1]))
    ran = lint("trace", "--from", "codex", "events.jsonl", "--output-file", "t.jsonl")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "no turn.completed event" in ran.err
    assert not list(EVENTS.parent.glob("t.jsonl"))


# ---- privacy


@pytest.mark.parametrize("flags", [[], ["--evidence"], ["--json"], ["--evidence", "--json"]])
def test_neither_content_nor_quote_is_ever_printed(lint, write, flags):
    sources = [
        source(1, "file:a.txt", SECRET),
        source(1, "file:a.txt", SECRET),
        source(2, "file:b.txt", SECRET) | {"title": 7},
    ]
    good = trace(sources[0], quotes=[("s1", SECRET)])
    bad = trace(*sources[:2], quotes=[("s1", f"{SECRET}!"), ("s9", SECRET)])
    write("good.jsonl", good)
    write("bad.jsonl", bad + trace(*sources) + good[:-40])
    write("a.txt", "something else")
    json_flag = ["--json"] if "--json" in flags else []
    for arguments in (
        ["trace", "bad.jsonl", *flags],
        ["trace", "good.jsonl", *flags],
        ["compare", "good.jsonl", "bad.jsonl", *json_flag],
        ["verify-files", "good.jsonl", *json_flag],
        ["verify-files", "bad.jsonl", *json_flag],
        ["verify-urls", "good.jsonl", "--offline", *json_flag],
        ["verify-urls", "bad.jsonl", *json_flag],
    ):
        ran = lint(*arguments)
        assert ran.out
        assert SECRET not in ran.out + ran.err


# ---- What an exported trace can be used for


def events(command: str, output: str, answer: str) -> str:
    started = {"id": "i1", "type": "command_execution", "command": command, "status": "completed"}
    lines = [
        {"type": "thread.started", "thread_id": "t1"},
        {"type": "turn.started"},
        {
            "type": "item.completed",
            "item": {**started, "aggregated_output": output, "exit_code": 0},
        },
        {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": answer}},
        {"type": "turn.completed", "usage": {}},
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_an_invented_quotation_with_a_link_does_not_pass(lint, write):
    link = "([IANA](https://www.iana.org/help/example-domains))"
    sound = f"It says “Twelve grey geese” {link}."
    invented = f"It says “a wholly invented sentence that stands nowhere” {link}."
    for answer, status in ((sound, 0), (invented, 2), (f"{sound} {invented}", 2)):
        write("events.jsonl", events("cat a.txt", CONTENT, answer))
        lint("trace", "--from=codex", "events.jsonl", "--output-file=t.jsonl")
        ran = lint("trace", "t.jsonl", "--evidence")
        assert ran.status == status, answer
    write("events.jsonl", events("cat a.txt", CONTENT, invented))
    lint("trace", "--from=codex", "events.jsonl", "--output-file=t.jsonl")
    assert "[UNCITED_CLAIM]" in lint("trace", "t.jsonl", "--evidence").out


def test_files_of_an_exported_trace_can_be_reread_and_compared(lint, write):
    write("docs/a.txt", CONTENT)
    for name, output in (("old", CONTENT), ("new", "Twelve grey geese\nflew north.\n")):
        text = events("bash -lc 'cat docs/a.txt'", output, "“Twelve grey geese” [source-1]")
        write("events.jsonl", text)
        lint("trace", "--from=codex", "events.jsonl", f"--output-file={name}.jsonl")
    assert lint("verify-files", "old.jsonl").out == "PASS: 1 source files match captured content\n"
    assert "[SOURCE_FILE_MISMATCH] file:docs/a.txt" in lint("verify-files", "new.jsonl").out
    changed = lint("compare", "old.jsonl", "new.jsonl").out
    assert changed == "1 source changes; 0 unchanged\n  [changed] file:docs/a.txt\n"
