"""Messages of hooks as the tools' documentation, their source, or they themselves give them (docs/agents.md says which)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

Message = dict[str, Any]


def claude_code(folder: Path, file: str, tool: str = "Write", **fields: Any) -> Message:
    """As Claude Code 2.1.197 sends it."""
    named = "notebook_path" if tool == "NotebookEdit" else "file_path"
    return {
        "session_id": "5f0c1e9a-0000-4000-8000-000000000001",
        "transcript_path": str(folder / "session.jsonl"),
        "cwd": str(folder),
        "prompt_id": "30fa71be-0000-4000-8000-000000000002",
        "permission_mode": "acceptEdits",
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": {named: str(folder / file), "content": "…"},
        "tool_response": {"type": "create", "filePath": str(folder / file), "structuredPatch": []},
        "tool_use_id": "toolu_1",
        "duration_ms": 25,
    } | fields


def codex(folder: Path, *files: str, **fields: Any) -> Message:
    """As Codex 0.171.0 sends it: the patch is the command, its paths are relative to `cwd`."""
    hunks = "".join(f"*** Add File: {file}\n+…\n" for file in files)
    return {
        "session_id": "01a23231-0000-7000-8000-000000000001",
        "turn_id": "01a23231-0000-7000-8000-000000000002",
        "transcript_path": str(folder / "rollout.jsonl"),
        "cwd": str(folder),
        "hook_event_name": "PostToolUse",
        "model": "gpt-5.5",
        "permission_mode": "default",
        "tool_name": "apply_patch",
        "tool_input": {"command": f"*** Begin Patch\n{hunks}*** End Patch\n"},
        "tool_response": "Exit code: 0\nOutput:\nSuccess. Updated the following files:\n",
        "tool_use_id": "call_1",
    } | fields


def cursor(folder: Path, file: str, **fields: Any) -> Message:
    """As the documentation of Cursor's postToolUse has it."""
    return {
        "conversation_id": "conversation-1",
        "generation_id": "generation-1",
        "model": "a-model",
        "hook_event_name": "postToolUse",
        "cursor_version": "3.2.16",
        "workspace_roots": [str(folder)],
        "user_email": None,
        "transcript_path": None,
        "tool_name": "Write",
        "tool_input": {"file_path": str(folder / file), "content": "…"},
        "tool_output": "{}",
        "tool_use_id": "tool-1",
        "cwd": str(folder),
        "duration": 12,
    } | fields


def cursor_observed(folder: Path, file: str) -> Message:
    """As the documentation of Cursor's afterFileEdit has it."""
    edits = [{"old_string": "a", "new_string": "b"}]
    given = cursor(folder, file, hook_event_name="afterFileEdit", edits=edits)
    kept = {"conversation_id", "generation_id", "cursor_version", "workspace_roots", "model"}
    message = {name: given[name] for name in (*kept, "hook_event_name", "edits")}
    return message | {"file_path": str(folder / file)}


def cursor_stop(folder: Path, status: str = "completed") -> Message:
    """As the documentation of Cursor's stop has it."""
    given = cursor_observed(folder, "-")
    del given["file_path"], given["edits"]
    return given | {"hook_event_name": "stop", "status": status, "loop_count": 0}


def gemini_cli(folder: Path, file: str, **fields: Any) -> Message:
    """As Gemini CLI 0.61.0 sends it: the model's own arguments, so that a path may be relative."""
    return {
        "session_id": "4ddf0f45-0000-4000-8000-000000000001",
        "transcript_path": str(folder / "session.jsonl"),
        "cwd": str(folder),
        "hook_event_name": "AfterTool",
        "timestamp": "2026-12-01T15:21:53.045Z",
        "tool_name": "write_file",
        "tool_input": {"file_path": file, "content": "…"},
        "tool_response": {"llmContent": "Successfully created", "returnDisplay": {}},
    } | fields
