"""The hooks of coding agents: what their messages say of an edit, and how an answer reaches the model.

Each tool has a form of its own (docs/agents.md names the versions), and one may run a hook that was written down for another:
Cursor runs those of `.claude/settings.json`. So a message is told by what is in it, and answered in the form of its sender.
Pure: no I/O.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import dataclass, replace
from tracecite_lint.text.patches import patched_files


class Agent(StrEnum):
    """A tool that runs hooks."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI_CLI = "gemini-cli"


class Moment(StrEnum):
    """What a hook is run for."""

    EDIT = "edit"
    """After an edit: what is found goes to the model."""
    OBSERVED = "observed"
    """After an edit of which the hook can say nothing (Cursor's afterFileEdit)."""
    END = "end"
    """When the agent is about to stop (Cursor's stop)."""
    OTHER = "other"


class MessageError(TraceciteLintError):
    """A message that is none of a hook; exit status 1, which blocks nothing in any of the tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookMessage:
    """What a hook is told: `files` are as the edit names them, relative to `folder` (None: the working directory).

    `conversation` is the agent's name for what belongs together, None where it gives none.
    """

    agent: Agent
    moment: Moment
    event: str
    files: tuple[str, ...] = ()
    folder: str | None = None
    conversation: str | None = None


EDITS = {
    Agent.CLAUDE_CODE: {"Edit", "MultiEdit", "Write", "NotebookEdit"},
    Agent.CODEX: {"apply_patch", "Edit", "Write"},
    Agent.CURSOR: {
        *("Edit", "MultiEdit", "Write", "NotebookEdit"),
        *("StrReplace", "EditNotebook", "ApplyPatch", "edit_file", "search_replace", "write"),
    },
    Agent.GEMINI_CLI: {"write_file", "replace", "edit"},
}
"""The tools that edit files; all else that runs a hook (shells too) changes no file that a message names."""

_PATHS = ("file_path", "notebook_path", "path", "target_file", "target_notebook")
"""Under which of these names an edit says what it edited."""


def read_message(data: bytes, expected: Agent) -> HookMessage:
    """Return what the message *data* says; one that could be of several tools is of *expected*. Raises MessageError."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        raise MessageError("the message of the hook is not JSON") from None
    if not isinstance(fields, dict):
        raise MessageError("the message of the hook is no JSON object")
    event = _text(fields, "hook_event_name", needed=True) or ""
    agent = _sender(fields, event, expected)
    named = "conversation_id" if agent is Agent.CURSOR else "session_id"
    message = HookMessage(
        agent=agent,
        moment=Moment.OTHER,
        event=event,
        folder=_folder(fields),
        conversation=_text(fields, named) or _text(fields, "session_id"),
    )
    if agent is Agent.CURSOR and event == "stop":
        # A run that was ended, or failed, is not begun anew for a quotation.
        completed = _text(fields, "status") in (None, "completed")
        return replace(message, moment=Moment.END) if completed else message
    if agent is Agent.CURSOR and event == "afterFileEdit":
        return replace(message, moment=Moment.OBSERVED, files=(_path(fields, event),))
    if not _is_edit(fields, agent, event):
        return message
    return replace(message, moment=Moment.EDIT, files=tuple(_edited(fields)))


def answer(message: HookMessage, text: str) -> str:
    """Return what is printed so that *text* reaches the model, or what its tool takes as nothing if that is empty."""
    if message.agent is Agent.CURSOR:
        key = "followup_message" if message.moment is Moment.END else "additional_context"
        return json.dumps({key: text} if text else {}, ensure_ascii=False) + "\n"
    if not text:
        return "{}\n" if message.agent is Agent.GEMINI_CLI else ""
    # Not a key more: Codex refuses an answer with one that it does not know.
    said = {"hookEventName": message.event, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": said}, ensure_ascii=False) + "\n"


def _sender(fields: Mapping[str, object], event: str, expected: Agent) -> Agent:
    """Return whose message this is: by what only that tool puts into one, else *expected*."""
    if "cursor_version" in fields or {"conversation_id", "workspace_roots"} <= fields.keys():
        return Agent.CURSOR
    if event in ("postToolUse", "afterFileEdit", "stop"):
        return Agent.CURSOR
    if event in ("AfterTool", "BeforeTool", "AfterAgent", "BeforeAgent"):
        return Agent.GEMINI_CLI
    if event != "PostToolUse":
        return expected
    if "turn_id" in fields or fields.get("tool_name") == "apply_patch":
        return Agent.CODEX
    # A message of Claude Code has nothing that those of others lack, so that theirs may look like it in some version.
    return Agent.CLAUDE_CODE if expected is Agent.GEMINI_CLI else expected


def _is_edit(fields: Mapping[str, object], agent: Agent, event: str) -> bool:
    """Tell whether a tool has edited files: an edit that failed (Gemini CLI tells of these too) has not."""
    if event not in ("PostToolUse", "postToolUse", "AfterTool"):
        return False
    if _text(fields, "tool_name", needed=True) not in EDITS[agent]:
        return False
    response = fields.get("tool_response")
    return not (isinstance(response, dict) and response.get("error"))


def _edited(fields: Mapping[str, object]) -> Iterator[str]:
    """Yield the files that an edit names. Raises MessageError if it names none."""
    given = fields.get("tool_input")
    if not isinstance(given, dict):
        raise MessageError("the message of the hook has no object tool_input")
    tool = _text(fields, "tool_name") or ""
    if tool not in ("apply_patch", "ApplyPatch") or not isinstance(given.get("command"), str):
        yield _path(given, f"tool_input of {tool}")
        return
    files = list(patched_files(given["command"]))
    if not files:
        raise MessageError("tool_input.command of apply_patch is no patch that names a file")
    yield from files


def _path(fields: Mapping[str, object], where: str) -> str:
    for name in _PATHS:
        if (path := _text(fields, name)) is not None:
            if not path or "\0" in path:
                raise MessageError(f"the message of the hook has no path in {name}")
            return path
    raise MessageError(f"the message of the hook names no file: {where} has no {_PATHS[0]}")


def _folder(fields: Mapping[str, object]) -> str | None:
    """Return what relative paths are relative to: Cursor names the folders of its window where others have `cwd`."""
    if cwd := _text(fields, "cwd"):
        return cwd
    roots = fields.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    return first if isinstance(first, str) and first else None


def _text(fields: Mapping[str, object], name: str, *, needed: bool = False) -> str | None:
    value = fields.get(name)
    if value is None and not needed:
        return None
    if not isinstance(value, str):
        raise MessageError(f"the message of the hook has no text {name}")
    return value
