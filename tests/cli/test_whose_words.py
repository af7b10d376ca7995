"""Whose words count as a source, what cut results can show, and what dressing goes: `check` on records, as people run it.

Each case is a record of its own; all of them are checked in one run.
"""

from __future__ import annotations

import json

import pytest
from ran_in import lint_here

FIRST, SECOND = "the ferry left at noon", "and came back at dusk"
QUOTE = f"{FIRST} {SECOND}"
LINES = f"Notes of the day: {FIRST}\n{SECOND} with forty goats."
NUMBERED = f"     1→Notes of the day: {FIRST}\n     2→{SECOND} with forty goats."
ANSWER = f"The notes say “{QUOTE}”."


def claude(*events):
    """Return the lines of a session: (tool, arguments, result) are a call and what came back, a text is an answer."""
    lines = []
    for number, event in enumerate(events):
        if isinstance(event, str):
            message = {"role": "assistant", "content": [{"type": "text", "text": event}]}
            lines.append({"type": "assistant", "message": message})
            continue
        if isinstance(event, dict):
            lines.append({"type": "user", "message": {"role": "user", **event}})
            continue
        tool, arguments, result, *more = event
        call = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": arguments}
        lines.append({"type": "assistant", "message": {"role": "assistant", "content": [call]}})
        block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": result}
        block |= dict.fromkeys(more, True)
        lines.append({"type": "user", "message": {"role": "user", "content": [block]}})
    return [{"sessionId": "s1", "uuid": f"u{index}", **line} for index, line in enumerate(lines)]


def codex(*items):
    """Return the events of a run: (command, output) is a command, a text the answer, anything else an item."""

    def item(each):
        if isinstance(each, str):
            return {"type": "agent_message", "text": each}
        if isinstance(each, dict):
            return each
        command, output = each
        return {"type": "command_execution", "command": command, "aggregated_output": output}

    events = [{"type": "item.completed", "item": item(each)} for each in items]
    return [{"type": "thread.started", "thread_id": "t1"}, *events]


def mcp(tool, result, **arguments):
    return (f"mcp__files__{tool}", arguments, [{"type": "text", "text": result}])


def codex_mcp(tool, result, **arguments):
    content = {"content": [{"type": "text", "text": result}]}
    item = {"type": "mcp_tool_call", "server": "files", "tool": tool}
    return {**item, "arguments": arguments, "result": content}


def bash(command, result, *more):
    return ("Bash", {"command": command}, result, *more)


def read(path, result):
    return ("Read", {"file_path": path}, result)


READ = read("/p/notes.txt", NUMBERED)
CAT = bash("cat notes.txt", LINES)
WRITE = ("Write", {"file_path": "/p/notes.txt", "content": LINES}, "File created successfully")
REMINDER = f"<system-reminder>\n{QUOTE}\n</system-reminder>"
EDITS = {"file_path": "/p/notes.txt", "edits": [{"old_string": "x", "new_string": LINES}]}
EDIT = {"file_path": "/p/notes.txt", "old_string": "x", "new_string": LINES}
CELL = {"notebook_path": "/p/notes.ipynb", "new_source": LINES}
PATCH = {"type": "file_change", "changes": [{"path": "/p/notes.txt", "kind": "add"}]}

VERIFIED = {
    "read": claude(READ, ANSWER),
    "read in one line": claude(read("/p/notes.txt", f"1\t{QUOTE}"), ANSWER),
    "cat": claude(CAT, ANSWER),
    "codex cat": codex(("cat notes.txt", LINES), ANSWER),
    "mcp": claude(mcp("read_file", LINES, path="notes.txt"), ANSWER),
    "codex mcp": codex(codex_mcp("read_file", LINES, path="notes.txt"), ANSWER),
    # what was read first stays a source, whatever the agent does with the words
    "read, then written": claude(READ, WRITE, READ, ANSWER),
    "cat, then echo": claude(CAT, bash(f"echo '{QUOTE}'", QUOTE), ANSWER),
    "codex cat, then patch": codex(("cat notes.txt", LINES), PATCH, ANSWER),
    # a search gives back what it finds, not what it looks for
    "grep for the words": claude(bash(f"grep -rn '{QUOTE}' .", f"n.txt:3:{QUOTE}"), ANSWER),
    "Grep for the words": claude(("Grep", {"pattern": QUOTE}, f"n.txt:3:{QUOTE}"), ANSWER),
    "codex rg": codex((f"bash -lc \"rg -n '{QUOTE}' .\"", f"n.txt:3:{QUOTE}"), ANSWER),
    "git grep": codex((f"git grep '{QUOTE}'", f"n.txt:{QUOTE}"), ANSWER),
    # the words of the question are no words of the agent
    "asked by the user": claude({"content": f"Does it say “{QUOTE}”?"}, READ, ANSWER),
    # the agent's words went elsewhere
    "written elsewhere": claude(("Write", {**EDIT, "file_path": "/p/my.md"}, ""), READ, ANSWER),
    "search, then read": claude(
        mcp("search_notes", "1 hit: notes.txt", query=QUOTE), mcp("open", LINES, id="3"), ANSWER
    ),
    "few words, by chance": claude(
        bash("sed -n '/at noon/p' n", LINES), "It says “at noon” ([n](n.txt))."
    ),
    "old words of an edit": claude(
        CAT, ("Edit", {**EDIT, "old_string": LINES, "new_string": "x"}, ""), ANSWER
    ),
    # what looks like a harness's words stands in the file
    "a reminder in the file": claude(
        read(
            "/p/notes.txt", f"     1→<system-reminder>\n     2→{QUOTE}\n     3→</system-reminder>"
        ),
        ANSWER,
    ),
    # cut, but not where the words stand
    "in the preview": claude(
        bash(
            "cat notes.txt",
            f"<persisted-output>\nOutput too large (1.2MB). Full output saved to: /t/x\n\n"
            f"Preview (first 2KB):\n{LINES}\n...\n</persisted-output>",
        ),
        ANSWER,
    ),
    "in the head": codex(
        ("cat n.txt", f"{LINES}\n[... omitted 812 of 1000 lines ...]\nEnd"), ANSWER
    ),
}

MISMATCH = {
    "nowhere": claude(read("/p/notes.txt", "1→Other words of another day."), ANSWER),
    "nowhere, codex": codex(("cat notes.txt", "Other words of another day."), ANSWER),
    # text that a harness put into a result
    "reminder in Read": claude(read("/p/notes.txt", f"     1→Notes\n\n{REMINDER}"), ANSWER),
    "reminder behind numbers": claude(
        read("/p/notes.txt", f"     1→Notes\n{QUOTE}\n     2→End"), ANSWER
    ),
    "reminder in Bash": claude(bash("cat notes.txt", f"Notes\n{REMINDER}"), ANSWER),
    "reminder left open": claude(bash("cat notes.txt", f"Notes\n<system-reminder>{QUOTE}"), ANSWER),
    "reminder in MCP": claude(mcp("read_file", f"Notes\n{REMINDER}", path="n"), ANSWER),
    "error of a tool": claude(
        CAT,
        bash("x", f"<tool_use_error>my {QUOTE[4:]}</tool_use_error>"),
        ANSWER.replace("the f", "my f"),
    ),
    # lines that do not follow one another
    "lines far apart": claude(bash("grep -n e n.txt", f"3:{FIRST}\n9:{SECOND}"), ANSWER),
    "parts far apart": codex(
        ("rg -n e", f"n.txt:2:x\nn.txt:3:{FIRST}\nn.txt:8:{SECOND}\nn.txt:9:x"), ANSWER
    ),
    "old and new text": codex(
        ("git diff", f"@@ -1,2 +1,2 @@\n {FIRST}\n-or so\n+{SECOND}"),
        ANSWER.replace("noon", "noon or so"),
    ),
}

OWN = {
    "echo": claude(bash(f"echo '{QUOTE}'", QUOTE), ANSWER),
    "echo, twice": claude(bash(f'echo {FIRST}; echo "{SECOND}"', LINES), ANSWER),
    "printf": codex((f"bash -lc \"printf '{FIRST}\\n{SECOND}'\"", LINES), ANSWER),
    "here-document": codex((f"cat <<EOF | tee n.txt\nIt's\n{LINES}\nEOF", LINES), ANSWER),
    "python": claude(bash(f'python3 -c \'print("{FIRST}", "{SECOND}")\'', QUOTE), ANSWER),
    "echo into a file": claude(
        bash(f"echo '{QUOTE}' > n.txt", ""), bash("cat n.txt", QUOTE), ANSWER
    ),
    "echo, then read another": claude(
        bash(f"echo '{QUOTE}' | split", ""), read("/p/xaa", NUMBERED), ANSWER
    ),
    "Write, then Read": claude(WRITE, READ, ANSWER),
    "Write, then Read of a relative path": claude(WRITE, read("notes.txt", NUMBERED), ANSWER),
    "Write, moved, then Read": claude(
        WRITE, bash("mv notes.txt final.txt", ""), read("/p/final.txt", NUMBERED), ANSWER
    ),
    "Write, then cat": claude(WRITE, CAT, ANSWER),
    "Write, then Grep": claude(WRITE, ("Grep", {"pattern": "ferry"}, f"n.txt:1:{QUOTE}"), ANSWER),
    "Edit, then Read": claude(("Edit", EDIT, "ok"), READ, ANSWER),
    "MultiEdit, then Read": claude(("MultiEdit", EDITS, "ok"), READ, ANSWER),
    "NotebookEdit, then Read": claude(
        ("NotebookEdit", CELL, "ok"), read("/p/notes.ipynb", f"<cell>{LINES}</cell>"), ANSWER
    ),
    "Edit, then git diff": claude(
        ("Edit", EDIT, "ok"), bash("git diff", f"@@ -1 +1,2 @@\n-x\n+{FIRST}\n+{SECOND}"), ANSWER
    ),
    "patch, then cat": codex(PATCH, ("cat notes.txt", LINES), ANSWER),
    "patch in a command": codex(
        (f"apply_patch <<'EOF'\n*** Add File: n.txt\n+{FIRST}\n+{SECOND}\nEOF", "Done"),
        ("cat n.txt", LINES),
        ANSWER,
    ),
    "search that repeats": claude(mcp("search", f"No results for “{QUOTE}”.", query=QUOTE), ANSWER),
    "codex search that repeats": codex(
        codex_mcp("search", json.dumps({"query": QUOTE, "hits": []}), query=QUOTE), ANSWER
    ),
    "MCP write, then read": claude(
        mcp("write_file", "ok", content=LINES), mcp("read_file", LINES, path="n"), ANSWER
    ),
    "codex MCP write, then read": codex(
        codex_mcp("create_page", "ok", blocks=[{"text": LINES}]),
        codex_mcp("get_page", LINES),
        ANSWER,
    ),
    "the user's words": claude(
        {"content": f"Write “{QUOTE}” into it."}, bash("ls", "notes"), ANSWER
    ),
    "the user's words in a refusal": claude(
        CAT,
        bash(
            "rm n",
            f"The user doesn't want to proceed. The user said:\nwrite {QUOTE[4:]}",
            "is_error",
        ),
        f"You said “write {QUOTE[4:]}”.",
    ),
    "a reminder of its own": claude(
        {"content": [{"type": "text", "text": REMINDER}]}, bash("ls", "notes"), ANSWER
    ),
}

CUT = {
    name: claude(bash("cat n.txt", result), ANSWER)
    for name, result in {
        "persisted": "<persisted-output>\nOutput too large (1.2MB). Full output saved to: /t/x\n\n"
        "Preview (first 2KB):\nNotes\n...\n</persisted-output>",
        "lines truncated": "Notes\n\n... [1234 lines truncated] ...\n\nthe end",
        "characters truncated": "Notes\n\n... [12,345 characters truncated] ...\n\nthe end",
        "lines omitted": "Notes\n[... omitted 812 of 1000 lines ...]\nthe end",
        "omitted in prose": "Notes\nomitted 812 of 1000 lines\nthe end",
        "tokens truncated": "Notes…812 tokens truncated…the end",
        "fitted": "Notes\n[... output truncated to fit 10240 bytes ...]\n",
        "cleared": "[Old tool result content cleared]",
        "partial view": "[Truncated: PARTIAL view of the file]\nNotes",
        "long line": "Notes of a day that go on... [truncated]",
        "results truncated": "n.txt:1:Notes\n(Results are truncated. Consider a more specific path.)",
        "more": "Notes\n... 34 more lines omitted ...",
    }.items()
}
CUT["mcp"] = claude(mcp("read", "Notes\n[OUTPUT TRUNCATED - exceeded 25000 token limit]"), ANSWER)
CUT["codex"] = codex(("cat n.txt", "Notes\n[... omitted 812 of 1000 lines ...]\nthe end"), ANSWER)
CUT["another result"] = claude(bash("ls", "n.txt"), bash("cat n.txt", "[cleared]"), ANSWER)

RED, PLAIN = "\x1b[31m", "\x1b[0m"
LINK = "\x1b]8;;https://example.org/\x1b\\{}\x1b]8;;\x1b\\"
DRESSED = {
    "colour": ("cat n", LINES.replace("noon", f"{RED}noon{PLAIN}")),
    "grep --color": (
        "grep --color x n",
        LINES.replace("noon", "\x1b[01;31m\x1b[Knoon\x1b[m\x1b[K"),
    ),
    "8-bit colour": ("cat n", LINES.replace("noon", "\x9b31mnoon\x9b0m")),
    "link": ("cat n", LINES.replace("noon", LINK.format("noon"))),
    "link with BEL": (
        "cat n",
        LINES.replace("noon", LINK.format("noon").replace("\x1b\\", "\x07")),
    ),
    "overstrike": ("man n", LINES.replace("noon", "n\bno\boo\bon\bn")),
    "underline": ("man n", LINES.replace("noon", "_\bn_\bo_\bo_\bn")),
    "cat -n": ("cat -n n", f"     1\t{FIRST}\n     2\t{SECOND}"),
    "cat -n in colour": ("cat -n n", f"     1\t{RED}{FIRST}{PLAIN}\n     2\t{SECOND}"),
    "nl": ("nl -ba n | sed -n 1,80p", f"     9\t{FIRST}\n    10\t{SECOND}\n"),
    "nl with a blank line": ("nl n", f"     1\t{FIRST}\n       \n     2\t{SECOND}\n"),
    "bat": ("bat n", f"   1   │ {FIRST}\n   2   │ {SECOND}"),
    "git blame": (
        "git blame n",
        f"^1a2b3c4 (A. Writer 2026-01-02 10:00:00 +0000 1) {FIRST}\n"
        f"5d6e7f8a (A. Writer 2026-01-03 10:00:00 +0000 2) {SECOND}",
    ),
    "grep -n": ("grep -n '' n", f"7:{FIRST}\n8:{SECOND}"),
    "grep -rn": ("grep -rn e .", f"a/n.md:7:{FIRST}\na/n.md:8:{SECOND}"),
    "grep -n -C": ("grep -n -C1 x n", f"6-Notes\n7:{FIRST}\n8-{SECOND}"),
    "grep -rn -C": (
        "grep -rn -C1 x .",
        f"a-b/n.md-6-Notes\na-b/n.md:7:{FIRST}\na-b/n.md-8-{SECOND}",
    ),
    "grep -r": ("grep -r e .", f"n.md:{FIRST}\nn.md:{SECOND}"),
    "rg -n": ("rg -n e", f"n.md\n7:{FIRST}\n8:{SECOND}"),
    "git diff": (
        "git diff",
        f"diff --git a/n b/n\n--- a/n\n+++ b/n\n@@ -1,2 +1,3 @@ x\n {FIRST}\n-old\n+{SECOND}\n+end",
    ),
    "git diff of two files": (
        "git diff",
        f"@@ -1 +1 @@\n-a\n+b\ndiff --git a/n b/n\n--- a/n\n+++ b/n\n@@ -1,2 +0,0 @@\n-{FIRST}\n-{SECOND}",
    ),
    "diff": ("diff a b", f"1,2c1\n< {FIRST}\n< {SECOND}\n---\n> x"),
}
VERIFIED |= {f"claude {name}": claude(bash(*each), ANSWER) for name, each in DRESSED.items()}
VERIFIED |= {f"codex {name}": codex(each, ANSWER) for name, each in DRESSED.items()}
VERIFIED["Grep with numbers"] = claude(
    ("Grep", {"pattern": "e"}, f"n.md:7:{FIRST}\nn.md:8:{SECOND}"), ANSWER
)
VERIFIED["mcp in colour"] = claude(mcp("read", DRESSED["colour"][1]), ANSWER)
VERIFIED["as it stands"] = claude(
    bash("cat times", "12:the ferry leaves\n13:the ferry comes back"),
    "It says “12:the ferry leaves 13:the ferry comes back”.",
)

VERDICTS = {
    "verified": VERIFIED,
    "QUOTE_NOT_IN_SOURCE": MISMATCH,
    "UNASSOCIATED_QUOTE": OWN,
    "SOURCE_TRUNCATED": CUT,
}
CASES = [(verdict, name) for verdict, records in VERDICTS.items() for name in records]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """What one run says of each case: `verified`, or the code."""
    folder = tmp_path_factory.mktemp("records")
    names = [f"{index}.jsonl" for index in range(len(CASES))]
    for name, (verdict, case) in zip(names, CASES, strict=True):
        lines = map(json.dumps, VERDICTS[verdict][case])
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = lint_here(folder, "--extend-select=UNASSOCIATED_QUOTE", "--format=json", *names)
    report = json.loads(ran.out)
    assert QUOTE not in ran.said
    assert "forty goats" not in ran.said
    said = {item["file"]: item["verdict"] for item in report["citations"]}
    said |= {item["file"]: item["code"] for item in report["diagnostics"]}
    return {case: said.get(name) for name, case in zip(names, CASES, strict=True)}


@pytest.mark.parametrize(("verdict", "case"), CASES, ids=lambda part: part)
def test_whose_words_count(verdicts, verdict, case):
    assert verdicts[verdict, case] == verdict
