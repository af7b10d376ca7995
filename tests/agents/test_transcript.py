"""`transcript`: the records in a home, found when asked, checked as records are, and private."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from ran_in import Ran, lint_here

from tracecite_lint.agents import transcripts
from tracecite_lint.output import FORMATS

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

READ = "the window is open for 180 days after the flood"
NEVER = "sesquipedalian windows are shut for ninety days"
ANSWER = f"The file says “{READ}”, and also “{NEVER}”."
AT = {"timestamp": "2026-12-01T15:38:16.010Z"}
Lines = list[dict[str, Any]]


def claude_code(answer: str = ANSWER) -> Lines:
    use = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/p/src.md"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": f"     1→{READ}"}
    messages = [
        ("assistant", [use]),
        ("user", [result]),
        ("assistant", [{"type": "text", "text": answer}]),
    ]
    return [
        {"type": role, "sessionId": "s", "uuid": str(at), "message": {"role": role, "content": content}}
        for at, (role, content) in enumerate(messages)
    ]  # fmt: skip


def codex(answer: str = ANSWER) -> Lines:
    given = json.dumps({"cmd": "cat src.md"})
    items: Lines = [
        {"type": "function_call", "name": "exec_command", "arguments": given, "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": f"Output:\n{READ}\n"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]},
    ]  # fmt: skip
    return [{**AT, "type": "response_item", "payload": item} for item in items]


def gemini_messages(answer: str = ANSWER) -> Lines:
    response = {"functionResponse": {"name": "read_file", "response": {"output": READ}}}
    call = {"id": "c", "name": "read_file", "args": {"file_path": "src.md"}, "result": [response]}
    return [
        {"id": "1", **AT, "type": "gemini", "content": "", "toolCalls": [call]},
        {"id": "2", **AT, "type": "gemini", "content": answer},
    ]


GEMINI_HEAD = {"sessionId": "s", "projectHash": "h", "startTime": "t", "lastUpdated": "t"}


def jsonl(lines: Lines) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


class Home:
    """A user's home with records in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._clock = 1_000_000

    def keep(self, name: str, content: bytes) -> Path:
        """Put a record there, the latest so far."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self._clock += 60
        os.utime(path, (self._clock, self._clock))
        return path


RECORDS = {
    "claude-code": (".claude/projects/-p/11111111-aaaa.jsonl", jsonl(claude_code())),
    "codex": (".codex/sessions/2026/12/01/rollout-2026-12-01T15-38-15-22222222.jsonl", jsonl(codex())),
    "codex, compressed": (".codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-33333333.jsonl.zst", zstd.compress(jsonl(codex()))),
    "gemini-cli": (".gemini/tmp/p/chats/session-2026-12-01T15-38-44444444.jsonl", jsonl([GEMINI_HEAD, *gemini_messages()])),
    "gemini-cli, before": (".gemini/tmp/p/chats/session-2026-01-01T15-38-55555555.json", json.dumps({**GEMINI_HEAD, "messages": gemini_messages()}, indent=2).encode()),
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    for kept in transcripts.HOMES.values():
        monkeypatch.delenv(kept.variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    return Home(tmp_path / "home")


def transcript(home: Home, *arguments: str, **environment: str) -> Ran:
    return lint_here(home.path.parent / "work", "transcript", *arguments, **environment)


@pytest.mark.parametrize("record", RECORDS)
def test_an_answer_is_compared_with_what_its_tools_returned(home: Home, record: str) -> None:
    name, content = RECORDS[record]
    kept = home.keep(name, content)
    for arguments in (
        [],
        [f"--for={record.split(',')[0]}"],
        [str(kept)],
        [kept.name.split(".")[0][-8:]],
    ):
        ran = transcript(home, *arguments, "--format=json")
        assert ran.status == 2
        summary = ran.json["summary"]
        assert (summary["verified"], summary["mismatch"]) == (1, 1)
        assert ran.codes == ["QUOTE_NOT_IN_SOURCE"]
    home.keep(
        name, content.replace(NEVER.encode(), READ.encode()) if b"sesqui" in content else content
    )
    if record != "codex, compressed":
        assert transcript(home).status == 0


def test_the_latest_is_checked_or_the_one_that_is_named(home: Home) -> None:
    for name, content in RECORDS.values():
        home.keep(name, content)
    listed = transcript(home, "--list")
    assert (listed.status, listed.err) == (0, "")
    names = [line.split()[-1] for line in listed.out.splitlines()]
    assert [name[-8:] for name in names] == [
        "55555555",
        "44444444",
        "33333333",
        "22222222",
        "111-aaaa",
    ]
    assert "55555555" in transcript(home, "--format=concise").out
    assert "22222222" in transcript(home, "22222222", "--format=concise").out
    assert "33333333" in transcript(home, "--for=codex", "--format=concise").out
    many = transcript(home, "rollout-2026")
    assert (many.status, many.out) == (1, "")
    assert "2 records are called 'rollout-2026'" in many.err
    assert transcript(home, "nope").status == 1


def test_what_is_not_the_record_of_a_conversation_is_left_alone(home: Home, tmp_path: Path) -> None:
    home.keep(".claude/projects/-p/agent-7.jsonl", jsonl(claude_code()))  # a subagent's
    home.keep(".claude/settings.json", b"{}")
    (tmp_path / "elsewhere.jsonl").write_bytes(jsonl(claude_code()))
    (home.path / ".claude/projects/-p/link.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    assert transcript(home, "--list").out == ""
    ran = transcript(home)
    assert (ran.status, ran.out) == (1, "")
    assert "there is no record of a conversation" in ran.err


def test_the_variables_of_the_agents_say_where_records_are(home: Home, tmp_path: Path) -> None:
    elsewhere = Home(tmp_path / "elsewhere")
    for name, content in RECORDS.values():
        elsewhere.keep(name, content)
    places = {"CLAUDE_CONFIG_DIR": ".claude", "CODEX_HOME": ".codex", "GEMINI_CLI_HOME": ""}
    for variable, below in places.items():
        listed = transcript(home, "--list", **{variable: str(elsewhere.path / below)})
        assert len(listed.out.splitlines()) == (1 if variable == "CLAUDE_CONFIG_DIR" else 2)
    assert transcript(home, "--list").out == ""


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("record", RECORDS)
def test_nothing_of_a_record_is_printed(home: Home, record: str, form: str) -> None:
    home.keep(*RECORDS[record])
    ran = transcript(home, f"--format={form}", "-v")
    assert ran.status == 2
    for words in ("sesquipedalian", "ninety", "window is open", "180", "The file says"):
        assert words not in ran.said


def test_the_environment_may_name_the_format(home: Home) -> None:
    home.keep(*RECORDS["codex"])
    ran = transcript(home, TRACECITE_LINT_FORMAT="agent")
    assert ran.out.startswith("rollout-2026")
    assert ran.out.splitlines()[-1].startswith("all findings are shown")


def test_no_page_that_an_answer_cites_is_asked_for_unless_it_is_said(
    home: Home, loopback: Loopback
) -> None:
    url = "http://mills.example.org/tide"
    loopback.page(url, "The tide turns the wheel twice a day.")
    answer = f"It says “The tide turns the wheel twice a day” ([page]({url}))."
    home.keep(RECORDS["codex"][0], jsonl(codex(answer)))
    reaching = [f"--connect-to={rule}" for rule in loopback.connect_to]
    ran = transcript(home, *reaching)
    assert ran.status == 0
    assert "0 of 1 quotation could be checked" in ran.out
    assert loopback.urls() == []
    assert "1 verified" in transcript(home, *reaching, "--fetch").out
    assert loopback.urls() == [url]
    assert transcript(home, "--fetch", "--offline").status == 1


BROKEN = [
    ("session-1.json", b"{", "is not JSON"),
    ("session-1.json", b"[]", "no record of a conversation"),
    ("session-1.json", b"[" * 100_000, "is not JSON"),
    ("rollout-1.jsonl.zst", b"no zstd", "compression is damaged"),
    ("rollout-1.jsonl.zst", zstd.compress(jsonl(codex()) * 9)[:-20], "compression is damaged"),
    ("gone/rollout-1.jsonl", None, "no file and no record"),
]


@pytest.mark.parametrize(("name", "content", "said"), BROKEN, ids=[said for *_, said in BROKEN])
def test_a_damaged_record_is_one_line(
    home: Home, name: str, content: bytes | None, said: str
) -> None:
    path = home.path.parent / "work" / name
    if content is not None:
        path.write_bytes(content)
    ran = transcript(home, name)
    assert (ran.status, ran.out) == (1, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_small_file_that_holds_very_much_is_refused(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "SIZE_LIMIT", 1024 * 1024)
    bomb = zstd.compress(b"\n" * 50 * 1024 * 1024)
    assert len(bomb) < 100_000
    home.keep(RECORDS["codex, compressed"][0], bomb)
    ran = transcript(home)
    assert ran.status == 1
    assert "larger than 1 MiB" in ran.err


def test_without_a_reader_of_zstd_the_way_out_is_said(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.keep(*RECORDS["codex, compressed"])
    for module in ("compression", "compression.zstd", "backports.zstd", "backports"):
        monkeypatch.setitem(sys.modules, module, None)
    ran = transcript(home)
    assert ran.status == 1
    assert "pip install 'tracecite-lint[zstd]'" in ran.err


OBSERVED = """
import sys
seen = []
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "glob.glob", "pathlib.Path.glob"):
        seen.append(str(arguments[0]))
sys.addaudithook(note)
from tracecite_lint.__main__ import main
sys.argv = ["tracecite-lint", *sys.argv[1:]]
main()
sys.stderr.write("".join(f"{path}\\n" for path in seen if any(f"/{name}/" in f"{path}/" for name in (".claude", ".codex", ".gemini"))))
"""


@pytest.mark.parametrize(
    ("arguments", "looks"),
    [
        (["transcript", "--list"], True),
        (["report.md"], False),
        ([".", "--dump"], False),
        (["trace", "x.jsonl"], False),
    ],
)
def test_the_home_is_looked_into_only_when_it_is_asked(
    home: Home, arguments: list[str], looks: bool
) -> None:
    for name, content in RECORDS.values():
        home.keep(name, content)
    work = home.path.parent / "work"
    (work / "report.md").write_text("“three words here” ([s](s.txt))\n", "utf-8")
    (work / "s.txt").write_text("three words here\n", "utf-8")
    (work / "x.jsonl").write_bytes(RECORDS["codex"][1])
    done = subprocess.run(
        [sys.executable, "-c", OBSERVED, *arguments], cwd=work, text=True, capture_output=True
    )
    seen = [line for line in done.stderr.splitlines() if str(home.path) in line]
    assert bool(seen) is looks, done.stderr
