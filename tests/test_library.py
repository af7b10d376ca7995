"""`verify` and `check_text`: what the command does, as one call, from a thread with an event loop and from one without."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Exchange, Loopback

from tracecite_lint import (
    CheckResult,
    Settings,
    SettingsError,
    Verdict,
    Verification,
    check_text,
    check_text_async,
    verify,
    verify_async,
)
from tracecite_lint.model import DifferenceKind

URL = "http://mills.example.org/tide"
SAYS = "The tide turns the wheel twice a day."


def run_verify_async(*arguments: Any, **options: Any) -> Verification:
    return asyncio.run(verify_async(*arguments, **options))


def run_check_text_async(*arguments: Any, **options: Any) -> CheckResult:
    return asyncio.run(check_text_async(*arguments, **options))


VERIFY = pytest.mark.parametrize("ask", [verify, run_verify_async], ids=["sync", "async"])
CHECK = pytest.mark.parametrize("check", [check_text, run_check_text_async], ids=["sync", "async"])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def reached(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """The server under every host's name, as the user's environment says."""
    monkeypatch.setenv("TRACECITE_LINT_CONNECT_TO", ",".join(loopback.connect_to))
    loopback.page(URL, SAYS)
    return loopback


@VERIFY
def test_a_quotation_is_verified_on_a_web_page_that_is_then_in_the_cache(
    ask: Callable[..., Verification], reached: Loopback
) -> None:
    first, second = ask(SAYS, URL), ask("turns the wheel", URL)
    assert (first.verdict, first.code, first.from_cache) == (Verdict.VERIFIED, None, False)
    assert (second.verdict, second.from_cache) == (Verdict.VERIFIED, True)
    assert first.final_url == second.final_url == URL
    assert first.fetched_at == second.fetched_at is not None
    assert reached.urls() == [URL]


@VERIFY
def test_a_mismatch_says_what_differs(ask: Callable[..., Verification], reached: Loopback) -> None:
    said = ask("The tide turns the wheel thrice a day.", URL)
    assert (said.verdict, said.code) == (Verdict.MISMATCH, "QUOTE_NOT_IN_LIVE_SOURCE")
    assert said.difference is DifferenceKind.WORD
    assert said.nearest is not None
    assert said.nearest.text == SAYS
    as_json = json.loads(json.dumps(said.to_json()))
    assert as_json["verdict"] == "mismatch"
    assert as_json["nearest"]["text"] == SAYS
    assert "page" not in as_json


@VERIFY
def test_an_error_of_a_source_is_a_verdict(
    ask: Callable[..., Verification], reached: Loopback
) -> None:
    gone = ask(SAYS, "http://mills.example.org/gone")
    assert (gone.verdict, gone.code) == (Verdict.UNVERIFIABLE, "HTTP_STATUS_404")
    assert gone.message
    assert gone.final_url is None


@VERIFY
def test_private_addresses_are_refused_as_the_command_refuses_them(
    ask: Callable[..., Verification], loopback: Loopback
) -> None:
    url = f"http://127.0.0.1:{loopback.http_port}/tide"
    said = ask(SAYS, url)
    assert (said.verdict, said.code) == (Verdict.UNVERIFIABLE, "INVALID_OR_BLOCKED_URL")
    assert loopback.urls() == []


@VERIFY
def test_files_are_read_below_the_directory_and_no_further(
    ask: Callable[..., Verification], here: Path
) -> None:
    below = here / "notes"
    below.mkdir()
    (below / "a page.md").write_text(f"# Mills\n\n{SAYS}\n\n# Locks\n\nNothing.\n", "utf-8")
    (here / "outside.md").write_text(SAYS, "utf-8")
    assert ask(SAYS, "a%20page.md#mills", directory=below).verdict is Verdict.VERIFIED
    assert ask(SAYS, "notes/a%20page.md", directory=str(here)).verdict is Verdict.VERIFIED
    assert ask(SAYS, "a%20page.md#locks", directory="notes").verdict is Verdict.MISMATCH
    assert ask(SAYS, "../outside.md", directory=below).code == "URL_BLOCKED"
    assert ask(SAYS, "missing.md").code == "SOURCE_UNAVAILABLE"


def test_paragraphs_of_a_quotation_are_parted_by_an_empty_line(here: Path) -> None:
    (here / "notes.md").write_text("First of them.\n\nBetween.\n\nLast of them.\n", "utf-8")
    assert verify("First of them.\n \nLast of them.", "notes.md").verdict is Verdict.VERIFIED
    assert verify("Last of them.\n\nFirst of them.", "notes.md").verdict is Verdict.MISMATCH


@VERIFY
def test_the_settings_of_the_directory_hold_unless_others_are_given(
    ask: Callable[..., Verification],
    here: Path,
    reached: Loopback,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (here / ".tracecite-lint.toml").write_text("offline = true\n", "utf-8")
    assert ask(SAYS, URL).verdict is Verdict.UNVERIFIABLE
    assert reached.urls() == []
    monkeypatch.setenv("TRACECITE_LINT_OFFLINE", "1")
    given = Settings(connect_to=reached.connect_to, no_cache=True)
    assert ask(SAYS, URL, settings=given).verdict is Verdict.VERIFIED
    assert ask(SAYS, URL, settings=given).verdict is Verdict.VERIFIED
    assert reached.urls() == [URL, URL]


@CHECK
def test_a_text_is_checked_as_the_command_checks_its_file(
    check: Callable[..., CheckResult], here: Path, reached: Loopback
) -> None:
    (here / "sub").mkdir()
    (here / "sub" / "notes.txt").write_text("There are three words here.\n", "utf-8")
    text = (
        f"“{SAYS}” ([Mills]({URL}))\n\n"
        "“three words here” ([notes](notes.txt))\n\n"
        "“four words there” ([notes](notes.txt))\n"
    )
    result = check(text, "sub/report.md")
    assert [item.verdict for item in result.citations] == ["verified", "verified", "mismatch"]
    found = [(item.file, item.line, item.code) for item in result.diagnostics]
    assert found == [("sub/report.md", 5, "QUOTE_NOT_IN_SOURCE")]

    (here / "sub" / "report.md").write_text(text, "utf-8")
    command = [sys.executable, "-m", "tracecite_lint", "--format", "json", "sub/report.md"]
    done = subprocess.run(command, text=True, capture_output=True)
    said = [(item["file"], item["code"]) for item in json.loads(done.stdout)["diagnostics"]]
    assert said == [("sub/report.md", "QUOTE_NOT_IN_SOURCE")]
    assert reached.urls() == [URL]  # the same cache


@CHECK
def test_the_name_says_what_a_text_is_read_as(check: Callable[..., CheckResult]) -> None:
    text = "“three words here” ([notes](notes.txt))\n"
    assert len(check(text).citations) == len(check(text, "report.md").citations) == 1
    as_records = check(text, "report.jsonl")
    assert as_records.citations == ()
    assert "no records of a known kind" in as_records.notes[0]


@CHECK
def test_settings_that_are_given_reach_the_findings(
    check: Callable[..., CheckResult], here: Path
) -> None:
    (here / ".tracecite-lint.toml").write_text('ignore = ["SOURCE_UNAVAILABLE"]\n', "utf-8")
    text = "“three words here” ([notes](notes.txt))\n"
    assert check(text).diagnostics == ()
    given = Settings(no_cache=True, severity={"SOURCE_UNAVAILABLE": None})
    assert check(text, settings=given).diagnostics == ()
    given = Settings(no_cache=True, per_file_ignores={"other.md": ("SOURCE_UNAVAILABLE",)})
    assert [item.code for item in check(text, settings=given).diagnostics] == ["SOURCE_UNAVAILABLE"]
    assert check(text, "other.md", settings=given).diagnostics == ()


@CHECK
@pytest.mark.parametrize("text", ["a\n\ud800", "a\n\0"], ids=["surrogate", "NUL"])
def test_a_text_that_is_none_is_a_finding_with_its_line(
    check: Callable[..., CheckResult], text: str
) -> None:
    (finding,) = check(text).diagnostics
    assert finding.code == "NOT_UTF8_TEXT"
    assert "line 2" in finding.message


BAD = [
    ({"quote": "  \n"}, ValueError, "words in quote"),
    ({"source": " "}, ValueError, "needs a source"),
    ({"directory": "nowhere"}, ValueError, "is no directory"),
    ({"settings": {"offline": True}}, TypeError, "a Settings, not as dict"),
    ({"settings": Settings(ignore=("NO_CODE",))}, SettingsError, "settings.ignore: there is no"),
    ({"settings": Settings(connect_to=("x",))}, SettingsError, "settings.connect_to: x"),
    ({"settings": Settings(max_time=float("nan"))}, SettingsError, "settings.max_time: a time"),
    ({"settings": Settings(proxy="socks5://x:1")}, SettingsError, "is not supported"),
]


@VERIFY
@pytest.mark.parametrize(("bad", "error", "said"), BAD, ids=[said for *_, said in BAD])
def test_bad_input_is_refused_with_what_is_needed(
    ask: Callable[..., Verification],
    bad: dict[str, Any],
    error: type[Exception],
    said: str,
) -> None:
    with pytest.raises(error, match=said):
        ask(**{"quote": "words", "source": "notes.md"} | bad)


@CHECK
@pytest.mark.parametrize("name", ["", "a\0.md"])
def test_a_document_needs_a_name(check: Callable[..., CheckResult], name: str) -> None:
    with pytest.raises(ValueError, match=r"needs the name of a document"):
        check("text", name)


@VERIFY
def test_a_broken_settings_file_is_named(ask: Callable[..., Verification], here: Path) -> None:
    (here / ".tracecite-lint.toml").write_text("offlin = true\n", "utf-8")
    with pytest.raises(SettingsError, match=r"tracecite-lint\.toml: unknown setting 'offlin'"):
        ask("words", "notes.md")


@pytest.mark.parametrize("source", [URL, "notes.md"])
def test_the_sync_forms_refuse_a_running_loop_whether_or_not_they_would_fetch(source: str) -> None:
    async def inside() -> None:
        with pytest.raises(RuntimeError, match=r"await verify_async\(\)"):
            verify(SAYS, source)
        with pytest.raises(RuntimeError, match=r"await check_text_async\(\)"):
            check_text(f"“{SAYS}” ([Mills]({source}))\n")

    asyncio.run(inside())


def test_the_loop_runs_on_while_a_source_is_slow(reached: Loopback) -> None:
    asked, answer = threading.Event(), threading.Event()

    def slow(_: Exchange) -> Answer:
        asked.set()
        assert answer.wait(30)
        return Answer(f"<p>{SAYS}</p>")

    reached.script(URL, slow)

    async def main() -> list[Verdict | None]:
        one = asyncio.create_task(verify_async(SAYS, URL))
        many = asyncio.create_task(check_text_async(f"“{SAYS}” ([Mills]({URL}))\n"))
        until = time.monotonic() + 30
        while not asked.is_set() and time.monotonic() < until:
            await asyncio.sleep(0.01)
        # Only a loop that is free comes here: the server waits for it.
        assert not one.done()
        assert not many.done()
        answer.set()
        return [(await one).verdict, *(item.verdict for item in (await many).citations)]

    assert asyncio.run(main()) == [Verdict.VERIFIED, Verdict.VERIFIED]


@pytest.mark.parametrize(
    "begin",
    [
        lambda: verify_async(SAYS, URL),
        lambda: check_text_async(f"“{SAYS}” ([Mills]({URL}))\n"),
    ],
    ids=["verify", "check_text"],
)
def test_a_task_that_is_cancelled_ends_with_its_requests(
    begin: Callable[[], Coroutine[Any, Any, object]], reached: Loopback
) -> None:
    asked, answer, gave_up = threading.Event(), threading.Event(), threading.Event()

    def slow(_: Exchange) -> None:
        asked.set()
        if not answer.wait(10):
            gave_up.set()

    reached.script(URL, slow)

    async def main() -> None:
        task = asyncio.create_task(begin())
        while not asked.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    # It waits for the threads that are at work, and so for the server if the request were not given up.
    asyncio.run(main())
    assert not gave_up.is_set()
    answer.set()
    assert reached.urls() == [URL]


def test_no_call_costs_an_import_before_it_is_made() -> None:
    code = (
        "import sys, tracecite_lint\n"
        "print(*sorted({'asyncio', 'tracecite_lint.library', 'tracecite_lint.engine'} & sys.modules.keys()))\n"
        "tracecite_lint.verify\n"
        "print('tracecite_lint.library' in sys.modules, 'aiohttp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert done.stdout == "\nTrue False\n"
