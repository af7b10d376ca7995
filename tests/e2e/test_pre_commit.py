"""The hook through real `git commit`, `git merge`, `git push` and `pre-commit run`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from git_work import Work, make_work, quoting
from hooked import Project, hook_program
from loopback import Answer, Exchange, Loopback

URL = "https://www.iana.org/help/example-domains"
GOOD = "the first words stand here"
ALSO_GOOD = "the second words stand here"
BAD = "words that stand nowhere at all"
ALSO_BAD = "words that no page has either"
TOP = 3  # the line of the first quotation of `quoting`


@pytest.fixture
def page(loopback: Loopback) -> Loopback:
    """The page that holds the good quotations."""
    loopback.page(URL, f"On {URL} {GOOD}, and {ALSO_GOOD}.")
    return loopback


def test_the_first_commit_is_checked(project: Project, page: Loopback) -> None:
    project.stage("report.md", quoting(GOOD, BAD))
    refused = project.run("git", "commit", "-m", "first")
    assert refused.status == 1
    assert refused.counts == {
        "files": 1,
        "sources": 1,
        "citations": 2,
        "verified": 1,
        "mismatch": 1,
    }
    assert refused.places == [("report.md", TOP + 2)]
    project.stage("report.md", quoting(GOOD, ALSO_GOOD))
    assert project.run("git", "commit", "-m", "first").status == 0
    assert page.urls() == [URL]


def test_only_the_edited_quotation_is_checked(project: Project, page: Loopback) -> None:
    project.record("report.md", quoting(BAD, GOOD))
    project.stage("report.md", quoting(BAD, ALSO_GOOD))
    done = project.run("git", "commit", "-m", "edited")
    assert done.status == 0
    assert done.counts["citations"] == 1
    assert done.counts["unchanged"] == 1


def test_commit_of_one_file_leaves_the_others_alone(project: Project, page: Loopback) -> None:
    project.record("report.md", quoting(GOOD))
    project.stage("other.md", quoting(BAD))
    project.write("report.md", quoting(GOOD, ALSO_GOOD))
    done = project.run("git", "commit", "-m", "one file", "report.md")
    assert done.status == 0
    assert done.counts == {"files": 1, "sources": 1, "citations": 1, "verified": 1, "unchanged": 1}


def test_commit_in_a_linked_work_tree(project: Project, page: Loopback, tmp_path: Path) -> None:
    project.record("report.md", quoting(GOOD))
    project.stage("report.md", quoting(ALSO_BAD))
    project.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = Project(tmp_path / "linked", project._source)
    linked.stage("report.md", quoting(GOOD, BAD))
    refused = linked.run("git", "commit", "-m", "linked")
    assert refused.status == 1
    assert refused.places == [("report.md", TOP + 2)]
    linked.stage("report.md", quoting(GOOD, ALSO_GOOD))
    assert linked.run("git", "commit", "-m", "linked").status == 0


def test_of_a_partly_staged_file_the_staged_text_and_lines_count(
    project: Project, page: Loopback
) -> None:
    project.record("report.md", quoting(GOOD))
    project.stage("report.md", quoting(GOOD, BAD))
    on_disk = "A line above.\n\n" + quoting(GOOD, BAD, ALSO_BAD)
    project.write("report.md", on_disk)
    refused = project.run("git", "commit", "-m", "staged")
    assert refused.places == [("report.md", TOP + 2)]
    assert (project.path / "report.md").read_text() == on_disk
    # Without pre-commit nothing puts the unstaged lines away.
    direct = subprocess.run([hook_program(), "--format", "json"], capture_output=True)
    assert b'"line": 5' in direct.stdout or b'"line":5' in direct.stdout


def test_a_merge_without_conflict_brings_nothing_new(project: Project, page: Loopback) -> None:
    project.record("report.md", quoting(GOOD))
    project.git("checkout", "--quiet", "-b", "topic")
    project.record("topic.md", quoting(GOOD))
    project.git("checkout", "--quiet", "main")
    project.record("main.md", quoting(BAD))
    project.git("checkout", "--quiet", "topic")
    done = project.run("git", "merge", "--no-ff", "--no-edit", "main")
    assert done.status == 0, done.text
    assert "Passed" in done.text
    assert project.git("rev-parse", "HEAD^2") == project.git("rev-parse", "main")


def test_what_a_resolved_conflict_adds_is_new(project: Project, page: Loopback) -> None:
    project.record("report.md", quoting(GOOD))
    project.git("checkout", "--quiet", "-b", "topic")
    project.record("report.md", quoting(ALSO_GOOD))
    project.git("checkout", "--quiet", "main")
    project.record("report.md", quoting(BAD))
    project.git("checkout", "--quiet", "topic")
    project.git("merge", "main", check=False)
    project.stage("report.md", quoting(ALSO_GOOD, BAD, ALSO_BAD))
    refused = project.run("git", "commit", "--no-edit")
    assert refused.status == 1
    assert refused.places == [("report.md", TOP + 4)]
    project.stage("report.md", quoting(ALSO_GOOD, BAD))
    assert project.run("git", "commit", "--no-edit").status == 0


def test_a_changed_source_concerns_the_reports_that_quote_it(project: Project) -> None:
    project.stage("source.txt", f"Here {GOOD}.")
    project.record("report.md", quoting(GOOD, source="source.txt"))
    project.stage("source.txt", "Something else.")
    refused = project.run("git", "commit", "-m", "source")
    assert refused.status == 1
    assert refused.places == [("report.md", TOP)]


def test_on_a_clean_tree_all_files_are_checked_in_full(project: Project, page: Loopback) -> None:
    project.stage("source.json", f'"{BAD}"')
    project.record("report.md", quoting(GOOD, BAD))
    done = project.run("pre-commit", "run", "--all-files")
    assert done.status == 1
    assert done.counts == {"files": 1, "sources": 1, "citations": 2, "verified": 1, "mismatch": 1}


def test_the_sweep_checks_everything(project: Project, page: Loopback) -> None:
    project.configure("tracecite-lint-all")
    project.record("docs/report.md", quoting(GOOD, BAD))
    project.stage("new.md", quoting(ALSO_GOOD))
    done = project.run("pre-commit", "run", "--hook-stage", "manual", "tracecite-lint-all")
    assert done.status == 1
    assert (done.counts["files"], done.counts["citations"]) == (2, 3)


def test_the_audit_hook_audits_the_logs_that_the_user_names(project: Project) -> None:
    project.configure("tracecite-lint-audit", files=r"^runs/.*\.jsonl$")
    call = dict.fromkeys(("run_id", "task_id", "stage", "call_id", "model"), "x")
    line = json.dumps(call | {"status": "ok", "input_tokens": 1, "output_tokens": 1}) + "\n"
    project.stage("runs/calls.jsonl", line)
    project.stage("other.jsonl", "no JSON")
    assert project.run("pre-commit", "run").status == 0
    project.stage("runs/calls.jsonl", line * 2)
    refused = project.run("pre-commit", "run")
    assert refused.status == 1
    assert "duplicate_call" in refused.text


def test_a_hook_that_passes_says_nothing(project: Project, page: Loopback) -> None:
    project.configure(verbose=False)
    project.stage("report.md", quoting(GOOD))
    done = project.run("git", "commit", "-m", "quiet")
    assert done.status == 0
    assert re.fullmatch(r"tracecite-lint\.+Passed", done.text.splitlines()[0])
    assert "summary" not in done.text


def test_the_arguments_of_a_user_replace_none_of_the_hook_s(
    project: Project, page: Loopback
) -> None:
    project.configure(args=["--format", "json", "--select", "QUOTE_NOT_IN_LIVE_SOURCE"])
    page.script(URL, Answer(status=503))
    project.stage("report.md", quoting(GOOD))
    done = project.run("git", "commit", "-m", "unreachable")
    assert done.status == 0, done.text


def test_nothing_is_written_into_the_work_tree(project: Project, page: Loopback) -> None:
    project.stage("report.md", quoting(GOOD))
    before = {path for path in project.path.rglob("*") if ".git" not in path.parts}
    done = project.run("git", "commit", "-m", "first")
    assert done.status == 0
    assert "modified by this hook" not in done.text
    assert {path for path in project.path.rglob("*") if ".git" not in path.parts} == before
    assert project.git("status", "--porcelain") == ""


def test_the_second_commit_of_the_same_asks_nobody_and_loads_nothing_heavy(
    project: Project, page: Loopback
) -> None:
    project.stage("report.md", quoting(GOOD))
    assert project.run("git", "commit", "-m", "first").status == 0
    project.git("reset", "--quiet", "--soft", "HEAD^", check=False)
    project.git("update-ref", "-d", "HEAD")
    done = project.run(
        "pre-commit", "run", env={"PYTHONPROFILEIMPORTTIME": "1", "PYTHONUNBUFFERED": "1"}
    )
    assert done.status == 0
    assert '"from_cache": true' in done.text or '"from_cache":true' in done.text
    loaded = {line.rpartition("|")[2].strip() for line in done.text.splitlines() if "|" in line}
    assert "tracecite_lint.changes.changeset" in loaded
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {"aiohttp", "asyncio", "selectolax", "pygls", "pypdfium2", "rapidfuzz"}
    assert page.urls() == [URL]


def test_one_changed_quotation_of_three_thousand(project: Project, loopback: Loopback) -> None:
    for number in range(300):
        url = f"https://www.iana.org/{number}"
        quotes = [f"report {number} holds quotation {index} of ten" for index in range(10)]
        project.write(f"reports/{number:03}.md", quoting(*quotes, source=url))
    project.git("add", ".")
    project.commit()
    path = project.path / "reports" / "123.md"
    project.stage("reports/123.md", path.read_text().replace("quotation 4 of", "quotation four of"))
    loopback.page("https://www.iana.org/123", "That report 123 holds quotation four of ten.")
    done = project.run("git", "commit", "-m", "one")
    assert done.status == 0, done.text
    assert done.counts == {"files": 1, "sources": 1, "citations": 1, "verified": 1, "unchanged": 9}
    assert loopback.urls() == ["https://www.iana.org/123"]


def test_several_hooks_at_once_share_the_cache(project: Project, page: Loopback) -> None:
    project.configure(require_serial=False, args=["-v"])
    for number in range(40):
        project.stage(f"report-{number}.md", quoting(GOOD))
    done = project.run("git", "commit", "-m", "many")
    assert done.status == 0, done.text
    assert "locked" not in done.text
    assert page.urls() == [URL]


# -- unreachable sources, offline --------------------------------------------------------------------


def test_what_could_not_be_reached_does_not_hold_up_a_commit_but_a_push(
    project: Project, page: Loopback, tmp_path: Path
) -> None:
    remote(project, tmp_path)
    project.configure("tracecite-lint", "tracecite-lint-push")
    page.script(URL, Answer(status=503))
    project.stage("report.md", quoting(GOOD))
    committed = project.run("git", "commit", "-m", "offline")
    assert committed.status == 0, committed.text
    assert committed.counts["unverifiable"] == 1
    refused = project.run("git", "push", "--quiet", "origin", "main")
    assert refused.status == 1, refused.text
    page.page(URL, f"On {URL} {GOOD}.")
    # A failure is remembered for a minute at most, to spare the host.
    pushed = project.run("git", "push", "--quiet", "origin", "main", env=fresh_cache(tmp_path))
    assert pushed.status == 0, pushed.text


def test_what_a_commit_let_pass_comes_first_at_the_next_push(
    project: Project, page: Loopback, tmp_path: Path
) -> None:
    remote(project, tmp_path)
    project.configure("tracecite-lint", "tracecite-lint-push")
    page.script(URL, Answer(status=503))
    project.stage("report.md", quoting(GOOD))
    assert project.run("git", "commit", "-m", "offline").status == 0
    project.git("push", "--quiet", "--no-verify", "origin", "main")
    project.record("other.md", "# Nothing quoted\n")
    refused = project.run("git", "push", "origin", "main")
    assert refused.status == 1, refused.text
    assert refused.places == [("report.md", TOP)]


def test_the_offline_hook_asks_nobody(project: Project, page: Loopback) -> None:
    project.configure("tracecite-lint-offline")
    project.stage("source.txt", f"Here {GOOD}.")
    project.stage("report.md", quoting(GOOD) + quoting(GOOD, source="source.txt"))
    done = project.run("git", "commit", "-m", "offline")
    assert done.status == 0, done.text
    assert (done.counts["verified"], done.counts["unverifiable"]) == (1, 1)
    assert page.urls() == []


def remote(project: Project, tmp_path: Path) -> Work:
    """Make an empty repository to push to."""
    made = make_work(tmp_path / "remote", "--bare")
    project.git("remote", "add", "origin", str(made.path))
    return made


def fresh_cache(tmp_path: Path) -> dict[str, str]:
    return {"TRACECITE_LINT_CACHE_DIR": str(tmp_path.with_name(f"{tmp_path.name}-fresh"))}


# -- pushes ----------------------------------------------------------------------------------------


def test_the_push_of_a_root_commit_is_checked_as_committed(
    project: Project, page: Loopback, tmp_path: Path
) -> None:
    remote(project, tmp_path)
    project.configure("tracecite-lint-push")
    project.record("report.md", quoting(GOOD, BAD))
    project.stage("staged.md", quoting(ALSO_BAD))
    refused = project.run("git", "push", "origin", "main")
    assert refused.status == 1
    assert refused.places == [("report.md", TOP + 2)]


def test_a_push_is_checked_from_what_the_remote_has(
    project: Project, page: Loopback, tmp_path: Path
) -> None:
    remote(project, tmp_path)
    project.configure("tracecite-lint-push")
    project.record("report.md", quoting(BAD))
    project.git("push", "--quiet", "--no-verify", "origin", "main")
    project.record("report.md", quoting(BAD, GOOD))
    pushed = project.run("git", "push", "origin", "main")
    assert pushed.status == 0, pushed.text
    assert (pushed.counts["citations"], pushed.counts["unchanged"]) == (1, 1)
    project.record("report.md", quoting(BAD, GOOD, ALSO_BAD))
    project.write("report.md", quoting(GOOD))
    refused = project.run("git", "push", "origin", "main")
    assert refused.places == [("report.md", TOP + 4)]


def test_refs_that_are_not_there_fail_with_the_way_out(project: Project) -> None:
    project.record("report.md", quoting(GOOD))
    variables = {"PRE_COMMIT_FROM_REF": "1" * 40, "PRE_COMMIT_TO_REF": "HEAD"}
    done = project.run(hook_program(), "--changed", "report.md", env=variables)
    assert done.status == 1
    assert "fetch-depth: 0" in done.text
    assert "Traceback" not in done.text


# -- Ctrl-C ----------------------------------------------------------------------------------------


def hanging(loopback: Loopback) -> threading.Event:
    """Let the page hang; the event is set when it is asked for."""
    asked = threading.Event()

    def hang(exchange: Exchange) -> None:
        asked.set()
        exchange.wait(60)

    loopback.script(URL, hang)
    return asked


def interrupted(command: list[str], asked: threading.Event) -> tuple[int, str]:
    """Run *command*, press Ctrl-C once the page is asked for, and return its status and what it said."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            assert asked.wait(30)
            os.killpg(process.pid, signal.SIGINT)
            said, _ = process.communicate(timeout=15)  # the page would take 20 s to time out
        finally:
            process.kill()
    return process.returncode, said.decode()


def test_an_interrupted_commit_brings_the_unstaged_changes_back(
    project: Project, loopback: Loopback
) -> None:
    project.record("report.md", quoting(GOOD))
    project.stage("report.md", quoting(GOOD, BAD))
    project.write("report.md", quoting(GOOD, BAD, ALSO_BAD))
    head = project.git("rev-parse", "HEAD")
    status, said = interrupted(["git", "commit", "-m", "x"], hanging(loopback))
    assert status != 0
    assert "Traceback" not in said
    assert project.git("rev-parse", "HEAD") == head
    assert (project.path / "report.md").read_text() == quoting(GOOD, BAD, ALSO_BAD)
    assert project.git("show", ":report.md") + "\n" == quoting(GOOD, BAD)


def test_an_interrupted_check_ends_with_130(project: Project, loopback: Loopback) -> None:
    project.stage("report.md", quoting(GOOD))
    status, said = interrupted([hook_program(), "--changed"], hanging(loopback))
    assert status == 130
    assert "Traceback" not in said


def test_out_of_time_the_commit_goes_on_and_the_rest_is_said(
    project: Project, loopback: Loopback
) -> None:
    project.configure(args=["--format", "json", "--max-time", "1"])
    hanging(loopback)
    project.stage("report.md", quoting(GOOD))
    done = project.run("git", "commit", "-m", "slow")
    assert done.status == 0, done.text
    assert "NOT_CHECKED_TIME_BUDGET" in done.text
