"""The hook after an agent's edit: each tool's form, what is new, once in a conversation, and nothing that blocks the work."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from git_work import Work, make_work
from hook_forms import (
    Message,
    claude_code,
    codex,
    cursor,
    cursor_observed,
    cursor_stop,
    gemini_cli,
)
from loopback import Loopback
from ran_in import Ran, lint_here

from tracecite_lint.agents.hook_messages import EDITS, Agent
from tracecite_lint.cli import parser_for

URL = "http://mills.example.org/tide"
SAYS = "The tide turns the wheel twice a day, within 180 days of the flood."
WRONG = SAYS.replace("180", "90")
STATED = 'says "90", the source "180" (page.md) [QUOTE_NOT_IN_SOURCE]'
LAST = "tracecite-lint: 1 finding in quotations that are new here; JSON strings hold quoted text"
NOTHING = {"claude-code": "", "codex": "", "cursor": "{}\n", "gemini-cli": "{}\n"}
AGENTS = pytest.mark.parametrize("agent", NOTHING)
FORMS: dict[str, Callable[..., Message]] = {
    "claude-code": claude_code,
    "codex": codex,
    "cursor": cursor,
    "gemini-cli": gemini_cli,
}


@pytest.fixture
def work(tmp_path: Path) -> Work:
    made = make_work(tmp_path / "work")
    made.record("page.md", f"{SAYS}\n")
    return made


def quoting(*quotes: str, source: str = "page.md") -> str:
    return "# Report\n" + "".join(f"\nIt says “{quote}” ([page]({source})).\n" for quote in quotes)


def hook(work: Work, agent: str, message: object, *options: str) -> Ran:
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return lint_here(work.path, "agent-hook", f"--for={agent}", *options, stdin=data)


def context(ran: Ran) -> str:
    """Return what the model is told, in whichever form."""
    assert (ran.status, ran.err) == (0, "")
    said: dict[str, Any] = json.loads(ran.out) if ran.out else {}
    inner = said.get("hookSpecificOutput", said)
    return str(inner.get("additionalContext", inner.get("additional_context", "")))


@AGENTS
def test_a_finding_goes_to_the_model_in_the_form_of_its_tool(work: Work, agent: str) -> None:
    work.write("report.md", quoting(WRONG))
    ran = hook(work, agent, FORMS[agent](work.path, "report.md"))
    text = f"report.md:3 {STATED}\n{LAST}"
    event = {"gemini-cli": "AfterTool"}.get(agent, "PostToolUse")
    wrapped = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == ({"additional_context": text} if agent == "cursor" else wrapped)


@AGENTS
def test_without_a_finding_it_prints_what_the_tool_takes_as_nothing(work: Work, agent: str) -> None:
    work.write("report.md", quoting(SAYS))
    ran = hook(work, agent, FORMS[agent](work.path, "report.md"))
    assert (ran.status, ran.out, ran.err) == (0, NOTHING[agent], "")


@AGENTS
@pytest.mark.parametrize(
    "change",
    [
        {"tool_name": "Bash", "tool_input": {"command": "cat > report.md"}},
        {"tool_name": "run_shell_command", "tool_input": {}},
        {"tool_name": "Read"},
        {"hook_event_name": "PreToolUse"},
        {"hook_event_name": "SessionStart"},
    ],
)
def test_what_is_no_edit_is_answered_with_nothing(
    work: Work, agent: str, change: dict[str, Any]
) -> None:
    work.write("report.md", quoting(WRONG))
    ran = hook(work, agent, FORMS[agent](work.path, "report.md") | change)
    assert (ran.status, ran.out, ran.err) == (0, NOTHING[agent], "")


MALFORMED: list[tuple[str, Callable[[Message], object], str]] = [
    ("no JSON", lambda _: b"{not json", "is not JSON"),
    ("nothing", lambda _: b"", "is not JSON"),
    ("no UTF-8", lambda _: b"\xff\xfe{}", "is not JSON"),
    ("deep", lambda _: b"[" * 100_000, "is not JSON"),
    ("a list", lambda _: [], "is no JSON object"),
    ("null", lambda _: None, "is no JSON object"),
    ("no event", lambda m: {k: v for k, v in m.items() if k != "hook_event_name"}, "hook_event_name"),
    ("an event that is a number", lambda m: m | {"hook_event_name": 1}, "hook_event_name"),
    ("no tool", lambda m: {k: v for k, v in m.items() if k != "tool_name"}, "tool_name"),
    ("no input", lambda m: {k: v for k, v in m.items() if k != "tool_input"}, "tool_input"),
    ("an input that is a text", lambda m: m | {"tool_input": "report.md"}, "tool_input"),
    ("an input without a file", lambda m: m | {"tool_input": {}}, "names no file"),
    ("a path that is a list", lambda m: m | {"tool_input": {"file_path": ["a"]}}, "file_path"),
    ("a path with a NUL", lambda m: m | {"tool_input": {"file_path": "a\0"}}, "file_path"),
    ("a patch without a file", lambda m: m | {"tool_name": "apply_patch", "turn_id": "1", "tool_input": {"command": "x"}}, "no patch"),
    ("a conversation that is a number", lambda m: m | {"session_id": 1, "conversation_id": 1}, "_id"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("agent", "break_it", "said"),
    [
        pytest.param(agent, break_it, said, id=f"{agent}, {name}")
        for agent in NOTHING
        for name, break_it, said in MALFORMED
        if (agent, name) != ("gemini-cli", "a patch without a file")  # it has no patches
    ],
)
def test_a_malformed_message_is_one_line_and_blocks_nothing(
    work: Work, agent: str, break_it: Callable[[Message], object], said: str
) -> None:
    broken = break_it(FORMS[agent](work.path, "report.md"))
    if agent == "cursor" and isinstance(broken, dict) and broken.get("tool_name") == "apply_patch":
        broken["tool_name"] = "ApplyPatch"
    ran = hook(work, agent, broken)
    assert ran.status == 1  # 2 would block the edit, or take the place of its result
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("tracecite-lint: error: ")
    assert said in ran.err


@pytest.mark.parametrize("configured", ["claude-code", "gemini-cli", "codex"])
def test_cursor_is_answered_in_its_form_whoever_the_hook_was_written_for(
    work: Work, configured: str
) -> None:
    work.write("report.md", quoting(WRONG))
    for event in ("postToolUse", "PostToolUse"):  # Cursor runs the hooks of .claude/settings.json
        message = cursor(work.path, "report.md", hook_event_name=event, conversation_id=event)
        ran = hook(work, configured, message)
        assert list(json.loads(ran.out)) == ["additional_context"]
        assert STATED in context(ran)
        assert hook(work, configured, message).out == "{}\n"


def test_other_tools_are_answered_in_theirs(work: Work) -> None:
    work.write("report.md", quoting(WRONG))
    for agent, form in FORMS.items():
        for configured in NOTHING:
            named = {"session_id": f"{agent}-{configured}", "conversation_id": f"x-{configured}"}
            if agent != "cursor":
                del named["conversation_id"]
            if agent == "claude-code" and configured in ("codex", "cursor"):
                continue  # its message could be an older one of theirs
            ran = hook(work, configured, form(work.path, "report.md") | named)
            assert ("additional_context" in ran.out) == (agent == "cursor"), (agent, configured)
            assert STATED in context(ran)


def test_the_files_of_a_patch_are_all_looked_at_where_they_are_now(work: Work) -> None:
    for name in ("report.md", "docs/a b.md", "docs/new.md", "old.md"):
        work.write(name, quoting(WRONG, source="/page.md"))
    patch = (
        "*** Begin Patch\n*** Add File: report.md\n+x\n*** Update File: docs/a b.md\n@@\n-x\n+*** y\n"
        "*** Update File: docs/old.md\n*** Move to: docs/new.md\n@@\n"
        "*** Delete File: old.md\n*** Add File: ../outside.md\n*** End Patch"
    )
    (work.path.parent / "outside.md").write_text(quoting(WRONG), "utf-8")
    said = context(hook(work, "codex", codex(work.path, tool_input={"command": patch})))
    found = sorted(line.split(" says")[0] for line in said.splitlines()[:-1])
    assert found == ["docs/a b.md:3", "docs/new.md:3", "report.md:3"]


def test_paths_are_relative_to_the_folder_of_the_message(work: Work) -> None:
    work.write("docs/report.md", quoting(WRONG, source="../page.md"))
    message = gemini_cli(work.path / "docs", "report.md")
    assert context(hook(work, "gemini-cli", message)).startswith("report.md:3 says")
    message = codex(work.path / "docs", "report.md", cwd=None)
    assert context(hook(work, "codex", message)) == ""  # there is none in the working directory


def test_an_edit_that_failed_says_nothing(work: Work) -> None:
    work.write("report.md", quoting(WRONG))
    failed = {
        "llmContent": "no",
        "error": {"message": "0 occurrences", "type": "edit_no_occurrence"},
    }
    ran = hook(work, "gemini-cli", gemini_cli(work.path, "report.md", tool_response=failed))
    assert ran.out == "{}\n"


def test_what_head_or_the_index_has_is_not_new(work: Work) -> None:
    other, third = WRONG.replace("twice", "thrice"), WRONG.replace("twice", "once")
    work.record("report.md", quoting(WRONG))
    work.stage("report.md", quoting(WRONG, other))
    work.write("report.md", "One more line.\n\n" + quoting(WRONG, other, third))
    said = context(hook(work, "claude-code", claude_code(work.path, "report.md", "Edit")))
    assert said.splitlines()[0].startswith('report.md:9 says "once"')
    assert said.splitlines()[1] == LAST


def test_an_edit_inside_a_quotation_makes_it_new(work: Work) -> None:
    work.record("report.md", quoting(SAYS))
    work.write("report.md", quoting(SAYS.replace("180", "181")))
    assert 'says "181"' in context(hook(work, "codex", codex(work.path, "report.md")))


def test_an_untracked_file_is_all_new(work: Work) -> None:
    work.write("report.md", quoting(WRONG, WRONG.replace("wheel", "stone")))
    said = context(hook(work, "cursor", cursor(work.path, "report.md")))
    found = sorted(line.split()[0] for line in said.splitlines()[:-1])
    assert found == ["report.md:3", "report.md:5"]


def test_outside_of_git_everything_is_new(tmp_path: Path) -> None:
    folder = Work(tmp_path / "plain")
    folder.write("page.md", SAYS)
    folder.write("report.md", quoting(WRONG))
    assert STATED in context(hook(folder, "claude-code", claude_code(folder.path, "report.md")))


@AGENTS
def test_a_finding_is_told_once_in_a_conversation(work: Work, agent: str) -> None:
    work.write("report.md", quoting(WRONG))
    message = FORMS[agent](work.path, "report.md")
    assert STATED in context(hook(work, agent, message))
    work.write("report.md", "More.\n\n" + quoting(WRONG))  # it moves, and stays the same
    assert hook(work, agent, message).out == NOTHING[agent]
    work.write("report.md", quoting(WRONG, WRONG.replace("tide", "moon")))
    assert context(hook(work, agent, message)).count("[QUOTE_NOT_IN_SOURCE]") == 1
    other = message | {"session_id": "another", "conversation_id": "another"}
    if agent != "cursor":
        del other["conversation_id"]
    assert context(hook(work, agent, other)).count("[QUOTE_NOT_IN_SOURCE]") == 2
    nameless = {key: value for key, value in other.items() if not key.endswith("_id")}
    for _ in range(2):  # nothing to remember it by
        assert context(hook(work, agent, nameless)).count("[QUOTE_NOT_IN_SOURCE]") == 2


def test_what_was_told_is_forgotten_with_the_cache(work: Work) -> None:
    work.write("report.md", quoting(WRONG))
    message = codex(work.path, "report.md")
    assert STATED in context(hook(work, "codex", message))
    assert hook(work, "codex", message).out == ""
    assert lint_here(work.path, "cache", "clear").status == 0
    assert STATED in context(hook(work, "codex", message))
    for _ in range(2):
        assert hook(work, "codex", message, "--no-cache").out


def test_cursor_may_be_told_at_the_end_of_what_it_edited(work: Work) -> None:
    work.write("report.md", quoting(WRONG))
    assert hook(work, "cursor", cursor_stop(work.path)).out == "{}\n"  # nothing was edited
    assert hook(work, "cursor", cursor_observed(work.path, "report.md")).out == "{}\n"
    assert hook(work, "cursor", cursor_stop(work.path, "aborted")).out == "{}\n"
    ran = hook(work, "cursor", cursor_stop(work.path))
    assert json.loads(ran.out) == {"followup_message": f"report.md:3 {STATED}\n{LAST}"}
    assert hook(work, "cursor", cursor_stop(work.path)).out == "{}\n"  # or it would never stop


def test_nothing_is_fetched_unless_it_is_asked_for(work: Work, loopback: Loopback) -> None:
    loopback.page(URL, SAYS)
    reaching = [f"--connect-to={rule}" for rule in loopback.connect_to]
    work.write("report.md", quoting(WRONG, source=URL))
    said = context(hook(work, "codex", codex(work.path, "report.md"), *reaching))
    assert said.startswith(
        "1 new quotation was not looked up (offline): the source is not in the cache"
    )
    assert loopback.urls() == []
    said = context(hook(work, "codex", codex(work.path, "report.md"), *reaching, "--fetch"))
    assert said.startswith('report.md:3 says "90", the source "180"')
    assert loopback.urls() == [URL]
    both = hook(work, "codex", codex(work.path, "report.md"), "--fetch", "--offline")
    assert (both.status, both.out) == (1, "")


def test_an_edit_and_the_commit_of_it_say_the_same_from_one_cache(
    work: Work, loopback: Loopback
) -> None:
    loopback.page(URL, SAYS)
    reaching = [f"--connect-to={rule}" for rule in loopback.connect_to]
    work.record("report.md", quoting(SAYS, source=URL))
    work.stage("report.md", quoting(WRONG, source=URL))
    committed = lint_here(work.path, "--changed", "--format=json", *reaching, "report.md").json
    (finding,) = committed["diagnostics"]
    work.git("restore", "--staged", "report.md")
    said = context(hook(work, "codex", codex(work.path, "report.md"), *reaching))  # offline
    assert f"report.md:{finding['line']} says" in said
    assert f"[{finding['code']}]" in said
    assert loopback.urls() == [URL]

    work.write("report.md", quoting(SAYS, SAYS.replace("twice a day, ", "… "), source=URL))
    work.git("add", "report.md")
    assert lint_here(work.path, "--changed", *reaching, "report.md").status == 0
    work.git("restore", "--staged", "report.md")
    assert hook(work, "codex", codex(work.path, "report.md"), *reaching).out == ""
    assert loopback.urls() == [URL]


def test_what_the_team_has_settled_is_no_news(work: Work) -> None:
    work.record("report.md", quoting(WRONG))
    assert lint_here(work.path, "baseline", "create", "report.md").status == 0
    work.git("rm", "-q", "--cached", "report.md")
    work.commit()
    assert hook(work, "codex", codex(work.path, "report.md")).out == ""
    work.write(".tracecite-lint.toml", 'exclude = ["drafts/**"]\n')
    work.write("drafts/report.md", quoting(WRONG, source="/page.md"))
    assert hook(work, "codex", codex(work.path, "drafts/report.md")).out == ""


def test_a_file_elsewhere_is_left_alone(work: Work, tmp_path: Path) -> None:
    outside = tmp_path / "plan.md"
    outside.write_text(quoting(WRONG, source="work/page.md"), "utf-8")
    work.path.joinpath("link.md").symlink_to(outside)
    other = make_work(tmp_path / "other")
    other.write("page.md", SAYS)
    in_another = str(
        other.write("report.md", quoting(WRONG))
    )  # of which these settings say nothing
    for name in (
        "../plan.md",
        in_another,
        str(outside),
        "link.md",
        "gone.md",
        ".git/config",
        "notes.py",
    ):
        assert hook(work, "codex", codex(work.path, name)).out == ""


def test_settings_that_cannot_be_used_block_nothing(work: Work) -> None:
    work.write(".tracecite-lint.toml", "offlin = true\n")
    work.write("report.md", quoting(WRONG))
    ran = hook(work, "claude-code", claude_code(work.path, "report.md"))
    assert (ran.status, ran.out) == (1, "")
    assert "unknown setting 'offlin'" in ran.err


def test_what_is_said_keeps_within_its_room_and_the_rest_comes_later(work: Work) -> None:
    many = [WRONG.replace("wheel", f"wheel number {number}") for number in range(200)]
    work.write("report.md", quoting(*many))
    seen = []
    for _ in range(20):
        said = context(hook(work, "codex", codex(work.path, "report.md")))
        assert len(said) <= 8_000
        found = [line.split()[0] for line in said.splitlines()[:-1]]
        if not found:
            break
        seen += found
    assert len(seen) == len(set(seen)) == 200


def test_a_private_record_gives_no_word_away(work: Work) -> None:
    secret = "the merger closes on friday of next week"
    events = [
        {"type": "tool_call", "run_id": "r", "call_id": "c", "tool": "t"},
        {"type": "tool_result", "run_id": "r", "call_id": "c", "ok": True, "sources": [{"id": "s", "uri": "file:page.md", "content": SAYS}]},
        {"type": "answer", "run_id": "r", "claims": [{"text": "x", "citations": [{"source_id": "s", "quote": secret}]}]},
    ]  # fmt: skip
    work.write("run.jsonl", "".join(json.dumps(event) + "\n" for event in events))
    said = context(hook(work, "codex", codex(work.path, "run.jsonl")))
    assert "run.jsonl:3" in said
    assert "merger" not in said


DOCS = Path(__file__).parents[2] / "docs" / "agents.md"


def commands(value: Any) -> list[str]:
    """Return every command in a block of settings."""
    if isinstance(value, list):
        return [command for item in value for command in commands(item)]
    if isinstance(value, dict):
        own = [value["command"]] if isinstance(value.get("command"), str) else []
        given = value.get("args", [])
        return [" ".join([*own, *given])] if own else commands(list(value.values()))
    return []


def test_the_blocks_to_paste_are_settings_whose_commands_are_understood() -> None:
    blocks = re.findall(r"```json\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    found = [command.split() for block in blocks for command in commands(json.loads(block))]
    for program, name, *arguments in found:
        assert program == "tracecite-lint"
        parser_for(name).parse(arguments)
    hooked = [arguments[0] for _, name, *arguments in found if name == "agent-hook"]
    assert set(hooked) == {"--for"}
    assert {arguments[1] for _, name, *arguments in found if name == "agent-hook"} == set(NOTHING)


def test_the_matchers_to_paste_are_the_tools_that_are_looked_at() -> None:
    text = DOCS.read_text("utf-8")
    for matcher, agent in (
        ("Edit|Write|NotebookEdit", Agent.CLAUDE_CODE),
        ("apply_patch", Agent.CODEX),
        ("Write", Agent.CURSOR),
        ("write_file|replace", Agent.GEMINI_CLI),
    ):
        assert f'"matcher": "{matcher}"' in text
        assert set(matcher.split("|")) <= EDITS[agent]
