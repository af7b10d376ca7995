"""The sessions that Codex and Gemini CLI keep for themselves: what their answers quote, and what their tools returned."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tracecite_lint.documents.jsonl import read_jsonl
from tracecite_lint.model import Document, DocumentKind

READ = "the window is open for 180 days after the flood"
NEVER = "the window is shut for ninety days after that"
ANSWER = f"The file says “{READ}”, and also “{NEVER}”."
Lines = list[dict[str, Any]]


def document(lines: Lines) -> Document:
    return read_jsonl("run.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def outcomes(lines: Lines) -> dict[str, bool | None]:
    """Return for each quotation whether a tool had returned it; the agent's own words are no quotations."""
    found = document(lines)
    assert found.kind is DocumentKind.VENDOR
    assert found.private
    return {citation.quote: citation.captured for citation in found.citations}


def codex(*items: dict[str, Any]) -> Lines:
    """A session of Codex 0.171.0: the head, and one item of the conversation a line."""
    head = {"type": "session_meta", "payload": {"id": "s", "cwd": "/p", "cli_version": "0.171.0"}}
    lines = [head, *({"type": "response_item", "payload": item} for item in items)]
    return [
        {"timestamp": "2026-12-01T15:38:16.010Z", "ordinal": at, **line}
        for at, line in enumerate(lines)
    ]


def call(name: str, output: object, **arguments: object) -> Lines:
    return [
        {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": output},
    ]


def said(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "role": "assistant", "content": content}


HARNESS = "Chunk ID: f178f9\nWall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 18\nOutput:\n"


@pytest.mark.parametrize(
    "calls",
    [
        call("exec_command", f"{HARNESS}Notes\n{READ}\n", cmd="cat src.md"),
        call("shell", json.dumps({"output": f"{READ}\n", "metadata": {"exit_code": 0}}), command=["bash", "-lc", "cat src.md"]),
        call("shell_command", f"Exit code: 0\nWall time: 1 seconds\nOutput:\n{READ}", command="cat src.md"),
        call("mcp__docs__search", [{"type": "input_text", "text": READ}], query="window"),
        [
            {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["cat", "src.md"]}},
            {"type": "local_shell_call_output", "call_id": "c", "output": READ},
        ],
    ],
    ids=["exec_command", "shell", "shell_command", "mcp", "local_shell"],
)  # fmt: skip
def test_codex_quotes_what_its_tools_returned(calls: Lines) -> None:
    assert outcomes(codex(*calls, said(ANSWER))) == {READ: True, NEVER: False}


@pytest.mark.parametrize(
    "calls",
    [
        call("exec_command", f"{HARNESS}{READ}\n", cmd=f"echo '{READ}'"),
        [
            {"type": "custom_tool_call", "name": "apply_patch", "call_id": "p", "input": f"*** Begin Patch\n*** Add File: notes.md\n+{READ}\n*** End Patch"},
            *call("exec_command", f"{HARNESS}{READ}\n", cmd="cat notes.md"),
        ],
        [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"Is it so that {READ}?"}]},
            *call("exec_command", f"{HARNESS}no match\n", cmd="ls"),
        ],
    ],
    ids=["echo", "its own file", "the user"],
)  # fmt: skip
def test_words_of_codex_and_its_user_are_no_source(calls: Lines) -> None:
    assert READ not in outcomes(codex(*calls, said(ANSWER)))


def test_events_of_codex_are_not_counted_twice() -> None:
    lines = codex(*call("exec_command", f"{HARNESS}{READ}\n", cmd="cat src.md"), said(ANSWER))
    event = {
        "type": "item_completed",
        "item": {"type": "AgentMessage", "content": [{"type": "Text", "text": ANSWER}]},
    }
    repeated = {"timestamp": "2026-12-01T15:38:17.000Z", "type": "event_msg", "payload": event}
    assert len(document([*lines, repeated]).citations) == 2


def gemini(*messages: dict[str, Any]) -> Lines:
    """A session of Gemini CLI 0.61.0."""
    head = {
        "sessionId": "s",
        "projectHash": "h",
        "startTime": "t",
        "lastUpdated": "t",
        "kind": "main",
    }
    at = {"timestamp": "2026-12-01T15:21:30.679Z"}
    return [
        head,
        {
            "$set": {
                "messages": [{"id": "0", **at, "type": "user", "content": [{"text": "context"}]}]
            }
        },
        *({"id": f"m{number}", **at, **message} for number, message in enumerate(messages)),
        {"$set": {"lastUpdated": "t"}},
    ]


def tool(name: str, output: str, **args: object) -> dict[str, Any]:
    response = {"functionResponse": {"id": "f", "name": name, "response": {"output": output}}}
    calls = [
        {"id": f"{name}-1", "name": name, "args": args, "result": [response], "status": "success"}
    ]
    return {"type": "gemini", "content": "", "toolCalls": calls}


@pytest.mark.parametrize(
    "message",
    [
        tool("read_file", f"Notes\n{READ}\n", file_path="src.md"),
        tool("run_shell_command", f"<untrusted_context>\nOutput: {READ}\nProcess Group PGID: 23884\n</untrusted_context>", command="cat src.md"),
        tool("grep_search", f"Found 1 match\nFile: src.md\nL2: {READ}\n", pattern="window"),
        tool("mcp_docs_search", READ, query="window"),
    ],
    ids=["read_file", "shell", "grep", "mcp"],
)  # fmt: skip
def test_gemini_cli_quotes_what_its_tools_returned(message: dict[str, Any]) -> None:
    answer = {"type": "gemini", "content": ANSWER}
    assert outcomes(gemini(message, answer)) == {READ: True, NEVER: False}


@pytest.mark.parametrize(
    "message",
    [
        tool("web_fetch", READ, prompt="read it"),
        tool("google_web_search", READ, query="window"),
    ],
    ids=["web_fetch", "web_search"],
)
def test_a_digest_that_a_model_wrote_is_no_source(message: dict[str, Any]) -> None:
    read = tool("list_directory", "src.md", path=".")
    shell = tool("run_shell_command", "Output: nothing", command="ls")
    answer = {"type": "gemini", "content": ANSWER}
    assert outcomes(gemini(read, shell, message, answer)) == {READ: False, NEVER: False}


@pytest.mark.parametrize(
    "messages",
    [
        [tool("run_shell_command", f"Output: {READ}", command=f"echo '{READ}'")],
        [tool("write_file", "written", file_path="notes.md", content=READ), tool("read_file", READ, file_path="notes.md")],
        [{"type": "user", "content": [{"text": f"Is it so that {READ}?"}]}, tool("run_shell_command", "Output: no", command="ls")],
    ],
    ids=["echo", "its own file", "the user"],
)  # fmt: skip
def test_words_of_gemini_cli_and_its_user_are_no_source(messages: Lines) -> None:
    assert READ not in outcomes(gemini(*messages, {"type": "gemini", "content": ANSWER}))


def test_a_message_that_is_written_again_is_read_once() -> None:
    read = tool("read_file", f"Notes\n{READ}\n", file_path="src.md")
    answer = {"type": "gemini", "id": "a", "content": ANSWER}
    later = answer | {
        "toolCalls": tool("read_file", NEVER, file_path="b.md")["toolCalls"],
        "id": "a",
    }
    later["toolCalls"][0]["id"] = "later"
    found = document(gemini(read, answer, later, later))
    assert len(found.citations) == 2


def test_a_session_that_is_one_object_in_one_line_is_read_too() -> None:
    read = tool("read_file", f"Notes\n{READ}\n", file_path="src.md")
    lines = gemini(read, {"type": "gemini", "content": [{"text": ANSWER}]})
    session = lines[0] | {"messages": lines[2:-1]}
    assert outcomes([session]) == {READ: True, NEVER: False}


@pytest.mark.parametrize(
    "line",
    [
        {"$set": {"lastUpdated": "t", "messages": []}},
        {"id": "1", "timestamp": "t", "type": "user", "content": "hello"},
        {"id": "1", "timestamp": "t", "type": "error", "content": "out of memory"},
        {"type": "event_msg", "timestamp": "t", "payload": "text"},
        {"type": "response_item", "payload": {"type": "message"}},
    ],
)
def test_logs_of_others_are_left_alone(line: dict[str, Any]) -> None:
    assert document([line, line]).kind is DocumentKind.UNKNOWN


@pytest.mark.parametrize("broken", [None, 1, "x", [], {}, [[]], {"text": 1}])
def test_lines_of_any_shape_are_read(broken: object) -> None:
    fields = (
        "content",
        "toolCalls",
        "type",
        "id",
        "payload",
        "output",
        "arguments",
        "result",
        "args",
        "name",
    )
    for lines in (
        gemini(tool("read_file", READ, file_path="a")),
        codex(*call("exec_command", READ, cmd="x"), said(ANSWER)),
    ):
        for field in fields:
            changed = json.loads(
                json.dumps(lines),
                object_hook=lambda item, field=field: (
                    item | ({field: broken} if field in item else {})
                ),
            )
            document(changed)
