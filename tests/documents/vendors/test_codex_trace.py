"""The trace that is written from the events of `codex exec --json`."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tracecite_lint.documents.vendors.codex_trace import ExportError, codex_trace
from tracecite_lint.trace.validate import validate_evidence_jsonl

CONTENT = "Twelve grey geese\nflew south.\n"


def export(events: str) -> str:
    return "".join(codex_trace(io.BytesIO(events.encode())))


def exported(events: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(events).splitlines()]


def codex(*events: dict[str, Any], thread: str = "t1", end: str = "turn.completed") -> str:
    every = [{"type": "thread.started", "thread_id": thread}, {"type": "turn.started"}, *events]
    if end:
        every.append({"type": end})
    return "".join(json.dumps(event) + "\n" for event in every)


def item(kind: str, event: str = "completed", **fields: Any) -> dict[str, Any]:
    return {"type": f"item.{event}", "item": {"type": kind, **fields}}


def command(number: int, output: str, line: str = "cat a.txt", **fields: Any) -> dict[str, Any]:
    done = {"status": "completed", "exit_code": 0, "aggregated_output": output}
    return item("command_execution", id=f"i{number}", command=line, **(done | fields))


MESSAGE = "It reads “Twelve grey geese” and “nine white swans swam by”."


def test_codex_events_become_a_trace_that_passes() -> None:
    events = [
        item("command_execution", "started", id="i1", command="cat a.txt", status="in_progress"),
        command(1, CONTENT),
        item("web_search", id="i2", query="geese"),
        item("reasoning", id="i3", text="hm"),
        item(
            "mcp_tool_call",
            id="i4",
            server="birds",
            tool="read",
            arguments={"page": 1},
            result={"content": [{"type": "text", "text": "Swans swim."}]},
            status="completed",
        ),
        command(5, CONTENT),
        command(6, "boom", exit_code=1),
        item(
            "agent_message",
            id="i7",
            text="It says so:\n\n> Twelve grey geese\n\n- `Swans swim.` [source-2]\n\nDone.",
        ),
    ]
    lines = exported(codex(*events))
    kinds = [(line["type"], line.get("call_id"), line.get("ok")) for line in lines]
    assert kinds == [
        *[("tool_call", "i1", None), ("tool_result", "i1", True)],
        *[("tool_call", "i2", None), ("tool_result", "i2", True)],
        *[("tool_call", "i4", None), ("tool_result", "i4", True)],
        *[("tool_call", "i5", None), ("tool_result", "i5", True)],
        *[("tool_call", "i6", None), ("tool_result", "i6", False)],
        ("answer", None, None),
    ]
    assert {line["run_id"] for line in lines} == {"t1"}
    assert [line["tool"] for line in lines if "tool" in line][:3] == [
        "command_execution",
        "web_search",
        "birds.read",
    ]
    sources = [given for line in lines for given in line.get("sources", [])]
    assert [given["content"] for given in sources] == [CONTENT, "Swans swim.", CONTENT]
    assert len({given["uri"] for given in sources}) == 3
    assert all("cat a.txt" not in given["uri"] for given in sources)
    assert [claim["citations"] for claim in lines[-1]["claims"]] == [
        [{"source_id": "source-1", "quote": "Twelve grey geese"}],
        [{"source_id": "source-2", "quote": "Swans swim."}],
    ]
    assert validate_evidence_jsonl(export(codex(*events))).ok()


GEESE = "Twelve grey geese flew south"


@pytest.mark.parametrize(
    "events",
    [
        [command(1, GEESE, f"echo '{GEESE}'")],
        [command(1, "", f"echo '{GEESE}' > a.txt"), command(2, GEESE)],
        [item("file_change", id="i1", changes=[{"path": "/p/a.txt"}]), command(2, GEESE)],
        [
            item(
                "mcp_tool_call",
                id="i1",
                tool="search",
                arguments={"query": GEESE},
                result={"content": [{"type": "text", "text": f"Nothing for “{GEESE}”."}]},
                status="completed",
            )
        ],
    ],
    ids=["echo", "file", "change", "search"],
)
@pytest.mark.parametrize("mark", ["", " [source-1]"])
def test_words_of_the_agent_are_no_evidence(events: list[dict[str, Any]], mark: str) -> None:
    says = item("agent_message", id="m", text=f"It reads “{GEESE}”.{mark}")
    read_first = [command(0, CONTENT.replace("\n", " "), "cat b.txt")]
    *_, answer = exported(codex(*events, says))
    assert GEESE not in [quote["quote"] for each in answer["claims"] for quote in each["citations"]]
    if not mark:
        *_, answer = exported(codex(*read_first, *events, says))
        assert GEESE in [quote["quote"] for each in answer["claims"] for quote in each["citations"]]


def test_the_same_call_has_the_same_uri_in_every_run() -> None:
    def uris(thread: str, output: str) -> list[str]:
        message = item("agent_message", text="42 [source-1]")
        lines = exported(codex(command(1, output), message, thread=thread))
        return [given["uri"] for line in lines for given in line.get("sources", [])]

    assert uris("t1", "answer=42") == uris("t2", "answer=43")


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("42 [source-1]", [[("source-1", "42")]]),
        (
            "- “answer=42” [source-1][source-9]",
            [[("source-1", "answer=42"), ("source-9", "answer=42")]],
        ),
        ("The value is “42” [source-1].", [[("source-1", "42")]]),
        ("[source-1]", []),
        ("no quotation", []),
        ("It says “the answer is surely not here”.", [[]]),
        # The link is no source of the run: the words stand in a result, or the claim has no citation.
        ("It says “some five words and more” ([x](https://www.iana.org/)).", [[]]),
        ("As [x](https://www.iana.org/) says:\n\n> some words of their own", [[]]),
        ("It is “answer=42” ([x](https://www.iana.org/)).", [[("source-1", "answer=42")]]),
        ("It is [what it is](https://www.iana.org/#:~:text=some%20words).", []),
    ],
)
def test_what_the_answer_claims(text: str, citations: list[Any]) -> None:
    answer = exported(codex(command(1, "answer=42\n"), item("agent_message", text=text)))[-1]
    assert [
        [(cited["source_id"], cited["quote"]) for cited in claim["citations"]]
        for claim in answer["claims"]
    ] == citations


@pytest.mark.parametrize(
    ("command_line", "uri"),
    [
        ("cat notes.txt", "file:notes.txt"),
        ("cat -- notes.txt", "file:notes.txt"),
        ("bash -lc 'cat docs/notes.txt'", "file:docs/notes.txt"),
        ("/bin/zsh -lc \"cat 'my notes.txt'\"", "file:my%20notes.txt"),
        ("cat /srv/notes.txt", "file:/srv/notes.txt"),
        *((text, None) for text in ("cat", "cat -n a", "cat a b", "cat a | head", "cat a > b")),
        *(
            (text, None)
            for text in ("cat *.txt", "cat $X", "cat a; rm a", "sed -n 1,9p a", "cat 'a")
        ),
        *((text, None) for text in ("bash -lc 'cd x && cat a'", "cat ~/a", "echo cat a", "")),
    ],
)
def test_what_a_command_printed_in_full_keeps_the_name_of_its_file(
    command_line: str, uri: str | None
) -> None:
    message = item("agent_message", text="geese [source-1]")
    lines = exported(codex(command(1, CONTENT, command_line), message))
    [given] = lines[1]["sources"]
    assert (
        given["uri"].startswith("urn:tracecite:command:sha256:")
        if uri is None
        else given["uri"] == uri
    )


def test_of_a_file_that_is_read_twice_the_last_reading_has_its_name() -> None:
    message = item("agent_message", text="geese [source-1]")
    first = command(1, "an older text")
    lines = exported(codex(first, command(2, CONTENT), message))
    sources = [given for line in lines for given in line.get("sources", [])]
    assert [given["uri"] == "file:a.txt" for given in sources] == [False, True]


def test_a_result_that_is_cut_is_not_its_file() -> None:
    message = item("agent_message", text="geese [source-1]")
    cut = "Twelve grey geese\n... [1234 lines truncated] ...\n"
    [given] = exported(codex(command(1, cut), message))[1]["sources"]
    assert given["uri"].startswith("urn:")


def test_ids_that_begin_anew_in_a_later_turn_stay_apart() -> None:
    turn = [{"type": "turn.completed"}, {"type": "turn.started"}]
    message = item("agent_message", text="geese [source-2]")
    lines = exported(codex(command(1, "x"), *turn, command(1, CONTENT), message))
    assert [line["call_id"] for line in lines[:-1]] == ["i1", "i1", "i1~2", "i1~2"]


ANSWERED = [command(1, CONTENT), item("agent_message", text=MESSAGE)]


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ("", "no thread.started event"),
        ('{"type":"tool_call","run_id":"r1"}\n', "no thread.started event"),
        (codex(*ANSWERED, end=""), "no turn.completed event"),
        (codex(*ANSWERED, end="turn.failed"), "the last turn failed"),
        (codex(command(1, CONTENT)), "no agent message"),
        (codex(*ANSWERED) + codex(*ANSWERED, thread="t2"), "line 6 begins another thread"),
        (codex(*ANSWERED) + "{", "line 6: the last line is cut off"),
        ("nothing\n", "line 1: invalid JSON"),
        (codex(*ANSWERED).replace('"t1"', "7"), "line 1 has no thread_id"),
    ],
)
def test_events_that_are_no_whole_run_are_refused(events: str, message: str) -> None:
    with pytest.raises(ExportError, match=message) as raised:
        codex_trace(io.BytesIO(events.encode()))
    assert "geese" not in str(raised.value)
