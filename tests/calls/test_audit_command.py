from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from call_records import envelope, manifest, record

from tracecite_lint.calls import audit_calls
from tracecite_lint.cli import main
from tracecite_lint.cli.audit import FORMATS

LOGS = Path(__file__).parents[2] / "fixtures" / "calls"

CLEAN = record("a")
DUPLICATE = f"{CLEAN}\n{CLEAN}\n"
UNKNOWN = record("a", input_tokens=None)


@pytest.fixture(autouse=True)
def _working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def audited(*arguments: str) -> int:
    return main(["audit", *arguments])


@pytest.mark.parametrize(
    ("log", "status"),
    [(CLEAN, 0), (DUPLICATE, 2), (UNKNOWN, 2), ("{", 2), ("", 2)],
)
@pytest.mark.parametrize("format", FORMATS)
def test_exit_status_is_the_same_in_every_format(
    log: str, status: int, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("calls.jsonl").write_text(log)
    assert audited("calls.jsonl", "--format", format) == status
    shown = capsys.readouterr()
    assert shown.err == ""
    if status and format not in ("full", "concise", "github", "junit"):
        assert re.search("duplicate_call|missing_usage|invalid_json|empty_log", shown.out)


def test_json_is_the_report_of_the_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    # The first reading finds the unknown usage, and has to forget it: it is part of a conflict.
    log = [record("a", input_tokens=None), record("a", input_tokens=1), "[]"]
    Path("calls.jsonl").write_text("\n".join(log))
    Path("run.json").write_text(manifest())
    assert audited("calls.jsonl", "--manifest", "run.json", "--json") == 2
    printed = capsys.readouterr().out
    report = audit_calls(Path("calls.jsonl").read_text(), manifest()).to_json()
    assert json.loads(printed) == report
    assert printed.startswith(
        '{"ok":false,"usage_complete":false,"totals":{"calls":0,"input_tokens":"0","output_tokens":"0",'
        '"unknown_usage_calls":0,"failed_calls":0},"findings":[{"line":1,"code":"conflicting_call","message":'
    )
    assert report["findings"][-1] == {  # type: ignore[index]
        "line": 0,
        "code": "missing_stage",
        "message": 'no successful call for the task "t2", stage "check"',
        "task_id": "t2",
        "stage": "check",
    }
    assert audited("calls.jsonl", "--manifest", "run.json", "--format", "json") == 2
    assert capsys.readouterr().out == printed


def test_several_logs_are_audited_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.jsonl").write_text(CLEAN)
    Path("two.jsonl").write_text(CLEAN.replace("10", "11"))
    assert audited("one.jsonl", "two.jsonl", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["ok"] is True
    assert [item["file"] for item in printed["reports"]] == ["one.jsonl", "two.jsonl"]
    assert [item["totals"]["input_tokens"] for item in printed["reports"]] == ["10", "11"]
    Path("two.jsonl").write_text(DUPLICATE)
    assert audited("one.jsonl", "two.jsonl") == 2
    assert "two.jsonl:2:1: error[duplicate_call]" in capsys.readouterr().out


def test_the_text_report(capsys: pytest.CaptureFixture[str]) -> None:
    log = [
        record("a"),
        record("b", stage="check", status="error"),
        record("c", stage="check", input_tokens=1000000),
        record("d", task="t2", output_tokens=None),
        record("e", task="t2", stage="check", status="error"),
    ]
    Path("calls.jsonl").write_text("\n".join(log))
    Path("run.json").write_text(manifest(required_stages=["draft", "check", "ship"]))
    assert audited("calls.jsonl", "--manifest", "run.json") == 2
    assert capsys.readouterr().out == (
        """\
calls.jsonl:4:1: error[missing_usage]: the call "d" has no known output_tokens
calls.jsonl: error[missing_stage]: no successful call for the task "t1", stage "ship"
calls.jsonl: error[missing_stage]: no successful call for the task "t2", stage "check"
calls.jsonl: error[missing_stage]: no successful call for the task "t2", stage "ship"
  help[missing_usage]: Record the usage that the provider reports; never write 0 for what is not known.
  help[missing_stage]: Run the stage again, or look whether its call was not recorded.

calls.jsonl: 5 calls, 2 of them failed; 4 findings
  input_tokens   1,000,040  (what is known)
  output_tokens          8  (what is known)
  usage is NOT complete: claim no saving in per cent and no cost from these totals
    1 call with unknown usage
  coverage: 3 of 6 expected pairs of task and stage
    task  draft  check           ship
    t1    ok     1 ok, 1 failed  missing
    t2    ok     1 failed        missing
"""
    )


def test_a_complete_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert audited(str(LOGS / "normalized.jsonl"), "--manifest", str(LOGS / "manifest.json")) == 0
    printed = capsys.readouterr().out
    assert "usage is complete" in printed
    assert "coverage: 4 of 4 expected pairs" in printed


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("{", "1 line could not be decoded"),
        (UNKNOWN, "1 call with unknown usage"),
        (f"{CLEAN}\n{UNKNOWN}", "2 lines left out: their call_id is used with different contents"),
        ("", "there is no call"),
        (
            "\n".join(record(f"c{n}", input_tokens=2**53 - 1) for n in range(1025)),
            "1 call not added, the total would be too large",
        ),
    ],
)
def test_no_share_and_no_cost_is_printed_while_usage_is_not_complete(
    log: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("calls.jsonl").write_text(log)
    for options in ([], ["-v"], ["--format", "github"], ["--format", "concise"], ["--json"]):
        assert audited("calls.jsonl", *options) == 2
        printed = capsys.readouterr().out
        if not options:
            assert "claim no saving in per cent and no cost" in printed
            assert reason in printed
        # Workflow commands escape a line feed as %0A.
        assert not re.search(r"%|[$€£¥]|percent\b|USD", printed.replace("%0A", ""))


def test_a_log_is_read_from_standard_input_and_from_a_pipe() -> None:
    command = [sys.executable, "-m", "tracecite_lint", "audit", "--json"]
    conflict = f"{CLEAN}\n{UNKNOWN}\n"
    piped = subprocess.run([*command, "-"], input=conflict, capture_output=True, text=True)
    assert piped.returncode == 2
    assert json.loads(piped.stdout) == audit_calls(conflict).to_json()
    if Path("/dev/stdin").exists():
        named = subprocess.run(
            [*command, "/dev/stdin"], input=conflict, capture_output=True, text=True
        )
        assert (named.returncode, named.stdout) == (2, piped.stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.jsonl"], "none.jsonl: No such file"),
        (["."], ".: Is a directory"),
        (["calls.jsonl", "--manifest", "none.json"], "--manifest none.json: No such file"),
        (["calls.jsonl", "--provider", "olama"], "olama"),
        (["calls.jsonl", "--json", "--format", "sarif"], "cannot be given together"),
        (["calls.jsonl", "calls.jsonl"], "named twice"),
        (["calls.jsonl", "--output-file", "none/out.json"], "--output-file none/out.json: No such"),
        ([], "CALLS.jsonl"),
    ],
)
def test_wrong_arguments_are_one_line_and_status_1(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("calls.jsonl").write_text(CLEAN)
    assert audited(*arguments) == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == ""


def test_a_manifest_that_is_wrong_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text(CLEAN)
    Path("run.json").write_text(manifest(task_ids=[]))
    assert audited("calls.jsonl", "--manifest", "run.json") == 2
    printed = capsys.readouterr().out
    assert "run.json: error[invalid_manifest]: `task_ids` is an empty array" in printed
    assert "coverage was not judged: the manifest is invalid" in printed


def test_a_manifest_may_be_a_setting(capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text(CLEAN)
    Path("run.json").write_text(manifest())
    Path("tracecite-lint.toml").write_text('manifest = "run.json"\n')
    assert audited("calls.jsonl") == 2
    assert "missing_stage" in capsys.readouterr().out
    assert audited("calls.jsonl", "--isolated") == 0


def test_the_report_may_go_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text(DUPLICATE)
    assert audited("calls.jsonl", "--json", "--output-file", "out.json", "--exit-zero") == 0
    assert capsys.readouterr().out == ""
    assert json.loads(Path("out.json").read_text())["ok"] is False


@pytest.mark.parametrize(("option", "parts"), [("-q", 1), ("-qq", 0)])
def test_quiet(option: str, parts: int, capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text(DUPLICATE)
    assert audited("calls.jsonl", option) == 2
    assert len(capsys.readouterr().out.splitlines()) == parts


def test_names_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text(
        "\n".join(
            [record("\x1b[2J\u202e", stage="\x1b]0;x\x07"), record("\x1b[2J\u202e", stage="s")]
        )
    )
    assert audited("calls.jsonl", "-v") == 2
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\u202e" not in printed


def test_many_tasks_are_cut_to_those_that_lack_something(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tasks = [f"t{number:03}" for number in range(100)]
    Path("calls.jsonl").write_text("\n".join(record(name, task=name) for name in tasks[:-1]))
    Path("run.json").write_text(manifest(task_ids=tasks, required_stages=["draft"]))
    assert audited("calls.jsonl", "--manifest", "run.json") == 2
    printed = capsys.readouterr().out
    assert printed.index("t099  missing") < printed.index("t000  ok")
    assert printed.endswith("    and 60 more tasks (all with -v)\n")
    assert audited("calls.jsonl", "--manifest", "run.json", "-v") == 2
    assert capsys.readouterr().out.count("  ok\n") == 99


def test_a_sum_over_vendors_is_labelled(capsys: pytest.CaptureFixture[str]) -> None:
    assert audited(str(LOGS / "mixed.jsonl"), "--provider", "mixed") == 0
    assert "a sum of what is not counted alike" in capsys.readouterr().out
    assert audited(str(LOGS / "anthropic.jsonl"), "--provider", "anthropic") == 2
    printed = capsys.readouterr().out
    assert "input_tokens means: input tokens without those read from" in printed


def test_annotations_on_github_actions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    Path("calls.jsonl").write_text(DUPLICATE)
    assert audited("calls.jsonl") == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("::error file=calls.jsonl,line=2,endLine=2,col=1,endColumn=")
    assert lines[1] == "calls.jsonl: 1 call; 1 finding"


def test_the_help_names_every_provider(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        audited("--help")
    assert "claude-code" in capsys.readouterr().out


def test_a_provider_of_envelopes(capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text(
        envelope({"model": "tide-2", "done": True, "prompt_eval_count": 4, "eval_count": 2})
    )
    assert audited("calls.jsonl", "--provider", "ollama", "--json") == 0
    assert json.loads(capsys.readouterr().out)["totals"]["input_tokens"] == "4"


def test_a_conflict_names_the_other_lines_of_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = record("a"), record("a", input_tokens=11)
    Path("calls.jsonl").write_text("\n".join([one, record("b"), one, other]))
    assert audited("calls.jsonl", "--json") == 2
    messages = [item["message"] for item in json.loads(capsys.readouterr().out)["findings"]]
    named = [re.findall(r"contents, on (.*) too", message) for message in messages]
    assert named == [["lines 3 and 4"], ["lines 1 and 4"], ["lines 1 and 3"]]
    Path("calls.jsonl").write_text(f"{one}\n{other}\n")
    audited("calls.jsonl", "--json")
    assert "on line 2 too" in capsys.readouterr().out


def test_of_a_large_group_the_first_lines_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("calls.jsonl").write_text("\n".join(record("a", input_tokens=n) for n in range(1, 10)))
    assert audited("calls.jsonl", "--json") == 2
    said = [item["message"] for item in json.loads(capsys.readouterr().out)["findings"]]
    assert "on lines 2, 3, 4, 5, 6 and 3 more too" in said[0]
    assert "on lines 1, 2, 3, 4, 5 and 3 more too" in said[8]
