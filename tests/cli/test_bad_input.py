"""Bad input: one line that names the place and the way out, the other files still checked, never a traceback."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tracecite_lint.matching.folded import FOLD_VERSION
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import resolve

GOOD = "“The tide turns the wheel of every mill.” ([s](source.md))\n"
SOURCE = "The tide turns the wheel of every mill.\n"


@pytest.fixture
def good(write) -> Path:
    write("source.md", SOURCE)
    return write("good.md", GOOD)


BROKEN_FILES = [
    ("latin1.md", "Grüße\n".encode("latin-1"), "NOT_UTF8_TEXT", "line 1"),
    ("nul.md", b"one\ntwo\0three\n", "NOT_UTF8_TEXT", "NUL byte on line 2"),
]


@pytest.mark.parametrize(("name", "data", "code", "place"), BROKEN_FILES)
def test_a_file_that_is_no_text_is_named_and_the_others_are_checked(
    lint, write, good, name, data, code, place
):
    write(name, data)
    ran = lint(name, "good.md", "--format=json")
    assert (ran.status, ran.codes) == (1, [code])
    assert place in ran.json["diagnostics"][0]["message"]
    assert ran.json["summary"]["verified"] == 1


def test_a_missing_file(lint, good):
    ran = lint("missing.md", "good.md", "--format=json")
    assert (ran.status, ran.codes) == (1, ["FILE_NOT_FOUND"])
    assert ran.json["diagnostics"][0]["file"] == "missing.md"
    assert ran.json["summary"]["verified"] == 1


def test_a_fifo_is_refused_and_does_not_hold_up_the_run(lint, good, tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    ran = lint("pipe.md", "good.md", "--format=json")
    assert (ran.status, ran.codes) == (1, ["UNREADABLE_FILE"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(lint, write, good):
    write("secret.md", GOOD).chmod(0)
    ran = lint("secret.md", "good.md", "--format=json")
    assert (ran.status, ran.codes) == (1, ["UNREADABLE_FILE"])


def test_an_empty_file_is_said_to_hold_nothing(lint, write):
    write("empty.md", "")
    ran = lint("empty.md")
    assert ran.status == 0
    assert "no citations" in ran.out


BAD_SOURCES = [
    ("http://[::1/x", "INVALID_OR_BLOCKED_URL", 2),
    ("https://localhost/x", "INVALID_OR_BLOCKED_URL", 2),
    ("https://user:pass@a.org/", "INVALID_OR_BLOCKED_URL", 2),
    ("https://a.org:8443/", "INVALID_OR_BLOCKED_URL", 2),
    ("https://127.0.0.1/", None, 2),
    ("../../secret.md", "URL_BLOCKED", 2),
    ("nowhere.md", "SOURCE_UNAVAILABLE", 2),
    ("source.md#no-such-heading", "SOURCE_UNAVAILABLE", 2),
    ("ftp://a.org/x", "UNSUPPORTED_SOURCE_URI", 2),
]


@pytest.mark.parametrize(("uri", "code", "status"), BAD_SOURCES)
def test_a_source_that_cannot_be_read_is_unverifiable(lint, write, good, uri, code, status):
    write("bad.md", f"“The tide turns the wheel of every mill.” ([s]({uri}))\n")
    ran = lint("bad.md", "good.md", "--offline", "--format=json")
    assert ran.status == status, ran.out
    if code is not None:
        assert ran.codes == [code]
        assert "\n" not in ran.json["diagnostics"][0]["message"]
    assert ran.json["summary"]["verified"] == 1


def test_a_symlink_or_device_as_source_is_never_opened(lint, write, tmp_path):
    outside = tmp_path.parent / f"{tmp_path.name}-secret.md"
    outside.write_text(SOURCE)
    (tmp_path / "link.md").symlink_to(outside)
    (tmp_path / "null.md").symlink_to("/dev/null")
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("link.md", "null.md", "pipe.md"):
        write("r.md", f"“The tide turns the wheel of every mill.” ([s]({name}))\n")
        ran = lint("r.md", "--format=json")
        assert ran.status == 2, name
        assert ran.json["summary"]["unverifiable"] == 1, name


WRONG_ARGUMENTS = [
    (["--no-such-option"], "unrecognized arguments: --no-such-option"),
    (["--all", "--changed"], "cannot be given together"),
    (["--diff", "x.md"], "--diff shows what --fix or --add-ignore would write"),
    (["--format=xml", "x.md"], "invalid choice: 'xml'"),
    (["--format=json", "--format=sarif", "x.md"], "only one --format can go to stdout"),
    (["-", "x.md"], "standard input (-) is checked alone"),
    (["--max-time=soon", "x.md"], "a time is needed"),
    (["--connect-to=nonsense", "x.md"], "HOST:PORT:ADDR:PORT"),
    (["--select=NO_SUCH_CODE", "x.md"], "there is no code 'NO_SUCH_CODE'"),
    (["--config=nowhere.toml", "x.md"], "nowhere.toml: no such file"),
    (["--fix"], "--fix changes files on disk"),
    ([], "--all"),
    (["check-report"], "required: FILE"),
    (["verify-notes", "nowhere.txt"], "nowhere.txt: No such file or directory"),
    (["cache", "empty"], "invalid choice: 'empty'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_ARGUMENTS)
def test_wrong_arguments_are_one_clear_error(lint, arguments, message):
    ran = lint(*arguments)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("tracecite-lint: error: ")
    assert message in ran.err
    assert len(ran.err.splitlines()) <= 2


def test_a_broken_setting_is_one_line(lint, write, good):
    write("tracecite-lint.toml", "tll = 5\n")
    ran = lint("good.md")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "did you mean 'ttl'?" in ran.err


def test_an_output_file_that_cannot_be_written_is_named(lint, good):
    ran = lint("good.md", "--output-file=no/such/folder/r.txt")
    assert ran.status == 1
    assert "no/such/folder/r.txt: No such file or directory" in ran.err


def test_a_read_only_home_costs_nothing_but_speed(lint, good, tmp_path):
    ran = lint("good.md", env={"TRACECITE_LINT_CACHE_DIR": "/proc/nowhere/cache"})
    assert ran.status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([""], "a PATH is empty"),
        (["r.md", ""], "a PATH is empty"),
        (["--diff-base", ""], "--diff-base is empty"),
        (["--diff-base=", "r.md"], "--diff-base is empty"),
        (["-", "--stdin-filename="], "--stdin-filename is empty"),
    ],
)
def test_an_empty_argument_is_no_directory_and_no_commit(lint, write, arguments, message):
    """A script whose variable is not set must not check something else, or nothing, and pass."""
    write("r.md", "Nothing.\n")
    ran = lint(*arguments)
    assert ran.status == 1
    assert message in ran.err


VALUES = (
    *("--diff-base", "--stdin-filename", "--format", "--output-file", "--baseline", "--lock"),
    *(
        "--config",
        "--cache-dir",
        "--max-time",
        "--connect-to",
        "--allow-host",
        "--cafile",
        "--proxy",
    ),
    *("--select", "--extend-select", "--ignore", "--color"),
)


@pytest.mark.parametrize("option", VALUES)
def test_two_dashes_are_no_value(lint, write, option):
    write("r.md", "Nothing.\n")
    for arguments in ([f"{option}=--", "r.md"], [option, "--", "r.md"]):
        ran = lint(*arguments)
        assert (ran.status, ran.out) == (1, "")
        assert f"argument {option}: " in ran.err


def test_the_value_of_an_option_is_no_command(lint, write, good):
    write("audit", "")
    ran = lint("--config", "audit", "-q", "explain", "QUOTE_TOO_SHORT", "--isolated")
    assert "unrecognized arguments: --config" in ran.err
    write("compare", GOOD)
    ran = lint("--dump", "--", "compare")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("compare:")


def test_a_diff_of_fixes_does_not_hide_what_could_not_be_read(lint, write):
    write("r.md", b"\xff")
    write("s.txt", "The quick brown fox jumps over the lazy dog.\n")
    write("wrong.md", "“The quick brown fax jumps over the lazy dog” ([s](s.txt))\n")
    ran = lint("r.md", "missing.md", "wrong.md", "--fix", "--unsafe-fixes", "--diff")
    assert ran.status == 1
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == [
        "error[NOT_UTF8_TEXT]",
        "error[FILE_NOT_FOUND]",
    ]
    assert ran.out.startswith("--- a/wrong.md\n")
    assert lint("wrong.md", "--fix", "--unsafe-fixes", "--diff").status == 2
    assert lint("wrong.md", "--fix", "--unsafe-fixes", "--diff", "--exit-zero").status == 0


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["good.md", "-q", "-x.md"], None),
        (["good.md", "--dump", "source.md"], ["good.md"]),
        (["--dump", "--", "-x.md", "good.md"], ["-x.md", "good.md"]),
        (["good.md", "--dump", "--", "-x.md"], ["good.md", "-x.md"]),
        (["--", "--dump"], None),
    ],
)
def test_options_may_stand_among_the_files(lint, write, good, arguments, files):
    write("-x.md", GOOD)
    ran = lint(*arguments)
    if files is None:
        assert ran.status == 1
    else:
        assert (ran.status, ran.err) == (0, "")
        shown = [line.partition(":")[0] for line in ran.out.splitlines()[:-1]]
        assert shown == files


def test_no_report_is_written_over_a_document(lint, good):
    ran = lint("good.md", "--format", "json", "--output-file", "./good.md")
    assert (ran.status, ran.err) == (
        1,
        "tracecite-lint: error: --output-file good.md: that is a document to check\n",
    )
    assert good.read_text() == GOOD


def test_a_cache_that_is_not_used_is_spoken_of_once(lint, write):
    # Asked for a page, and then for a place to remember that the page could not be read.
    report = write("r.md", "“The tide turns the wheel.” ([s](https://www.iana.org/help))\n")
    (report.parent / ".git").mkdir()
    ran = lint("r.md", "--offline", "--allow-unreachable", "--cache-dir", "cache")
    assert ran.status == 0
    assert ran.out.count("is not used") == 1


def test_a_cached_page_whose_prepared_text_cannot_be_read_is_prepared_anew(lint, write, tmp_path):
    url = "https://www.iana.org/help"
    write("r.md", f"“The tide turns the wheel of every mill.” ([s]({url}))\n")
    now = time.time()
    page = Page(
        url=url,
        final_url=url,
        status=200,
        content_type="text/plain",
        text=SOURCE,
        prepared=b"prepared for something else",
        fetched_at=now,
        fresh_until=now + 3600,
    )
    directory = tmp_path.with_name(f"{tmp_path.name}-planted")
    cache = Cache(directory)
    cache.keep_page(resolve(url, allow_hosts=()).key, page, FOLD_VERSION)
    cache.close()
    ran = lint("r.md", "--offline", "--format", "json", f"--cache-dir={directory}")
    assert (ran.status, ran.err, ran.codes) == (0, "", [])
    assert ran.json["citations"][0]["from_cache"]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["chek"], "check"),
        (["chek", "docs/"], "check"),
        (["basline", "create"], "baseline"),
        (["--formt", "json", "x.md"], "--format"),
        (["--format", "jsno", "x.md"], "json"),
        (["baseline", "create", "--ofline"], "--offline"),
    ],
)
def test_what_is_mistyped_is_guessed(lint, arguments, meant):
    ran = lint(*arguments)
    assert ran.status == 1
    assert f"(did you mean '{meant}'?)" in ran.err


@pytest.mark.parametrize("name", ["chek", "nothing-like-a-command", "chek.md"])
def test_a_file_is_no_mistyped_command(lint, write, name):
    write(name, "Nothing is quoted.\n")
    assert lint(name).status == 0
