"""No password of a URL is printed or kept, and names that are not UTF-8 go through JSON and back to the same bytes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

import pytest
from git_work import Work
from loopback import Loopback
from ran_in import FORMATS
from ran_in import lint_here as lint
from traces import Cited, trace

from tracecite_lint.naming.file_names import native_name, portable_name
from tracecite_lint.naming.uris import masked, public_uri, without_passwords

SECRET = "hunter2hunter2"
LONG = "x" * 250
URLS = [
    f"https://user:{SECRET}@www.example.org/a",
    f"//user:{SECRET}@www.example.org/b",
    f"https:user:{SECRET}@www.example.org/c",
    f"https://user:{LONG}{SECRET}@www.example.org/d",
    f"https://user:pa/ss{SECRET}@www.example.org/e",
    f"ftp://user:{SECRET}@www.example.org/f",
    f"https://www.example.org/web/https://user:{SECRET}@www.example.net/g",
]
QUOTE = "the mill was closed in the spring"
REPORT = "".join(f"It says “{QUOTE}” ([the page]({url})).\n\n" for url in URLS)
NOTES = "\n".join(f"claim: It closed.\nquote: {QUOTE}\nurl: {url}\n" for url in URLS)


def captured(*uris: str) -> str:
    return trace(*(Cited(uri, QUOTE, QUOTE) for uri in uris))


@pytest.fixture
def documents(work: Work) -> Work:
    for name, text in (
        ("report.md", REPORT),
        ("claims.txt", NOTES),
        ("run.jsonl", captured(*URLS)),
        ("twice.jsonl", captured(URLS[0], URLS[0])),
    ):
        work.stage(name, text)
    return work


@pytest.mark.parametrize("format", FORMATS)
def test_no_report_holds_a_password(documents: Work, format: str) -> None:
    names = ["report.md", "claims.txt", "run.jsonl", "twice.jsonl"]
    for more in (
        ["--offline", "-v"],
        ["--dump"],
        ["--fix", "--unsafe-fixes", "--diff", "--offline"],
    ):
        ran = lint(documents.path, *names, f"--format={format}", *more)
        assert SECRET not in ran.said, (more, ran.said)
        if "--diff" not in more and "--dump" not in more:
            assert "www.example.org" in ran.said.replace("\\.", ".")  # Markdown is escaped


@pytest.mark.parametrize(
    "command",
    [
        *(["check-report", "report.md"], ["verify-notes", "claims.txt"]),
        *(["verify-urls", "run.jsonl"], ["verify-files", "run.jsonl"], ["trace", "run.jsonl"]),
        *(["trace", "twice.jsonl"], ["trace", "--evidence", "twice.jsonl"]),
        ["compare", "run.jsonl", "twice.jsonl"],
        ["compare", "run.jsonl", "other.jsonl"],
    ],
    ids=" ".join,
)
def test_no_older_command_prints_a_password(documents: Work, command: list[str]) -> None:
    documents.write("other.jsonl", captured("https://www.example.org/z"))
    reach = ["--offline"] if command[0] in ("check-report", "verify-notes", "verify-urls") else []
    for more in ([], ["--json"]):
        ran = lint(documents.path, *command, *reach, *more)
        assert ran.said
        assert SECRET not in ran.said, ran.said


def test_no_file_that_remembers_holds_a_password(
    documents: Work, loopback: Loopback, cafile: Path
) -> None:
    loopback.page(URLS[-1], QUOTE)
    lint(documents.path, "baseline", "create", "--offline")
    kept = (documents.path / ".tracecite-baseline.json").read_text()
    assert SECRET not in kept
    assert "www.example.org" in kept
    known = lint(documents.path, "--all", "--offline", "--format=json")
    assert (known.status, known.json["summary"]["unverifiable"]) == (0, 0)
    arguments = ["--all", "--no-baseline", "--lock", "lock.json", *loopback.arguments(cafile)]
    lint(documents.path, *arguments)
    kept = (documents.path / "lock.json").read_text()
    assert SECRET not in kept
    assert "//…@www.example.net/g" in kept


def test_the_settings_are_shown_without_the_password_of_the_proxy(work: Work) -> None:
    for proxy in (f"http://user:{SECRET}@proxy.example.org:3128", f"user:{SECRET}@proxy:3128"):
        ran = lint(work.path, "config", "show", "--proxy", proxy)
        assert "…@proxy" in ran.out
        assert SECRET not in ran.said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://u:p@h.org/a@b", "https://…@h.org/a@b"),
        ("https://token@h.org", "https://…@h.org"),
        ("HTTP:\\\\u:p@h", "HTTP:\\\\…@h"),
        ("https://u:p/q?r#s@h", "https://…@h"),
        ("(//u:p@h)", "(//…@h)"),
        ("https://h.org:8080/@user", "https://h.org:8080/@user"),
        ("https://h.org/a//b@c", "https://h.org/a//b@c"),
        ("mailto:a@b.org", "mailto:a@b.org"),
        ("http: a@b", "http: a@b"),
        ("docs//a@b.md", "docs//a@b.md"),
    ],
)
def test_what_counts_as_a_password(text: str, shown: str) -> None:
    assert without_passwords(text) == shown
    assert len(masked(text)) == len(text)


def test_a_uri_by_itself_may_hold_white_space() -> None:
    assert public_uri("https://u:p w@h\ud800") == "https://…@h\N{REPLACEMENT CHARACTER}"


NAMES = [b"caf\xe9.md", b"\xff%41.md", "file:ü.md".encode(), b"file:caf%E9.md", b"plain%E9.md"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_not_utf_8_goes_through_json_and_back(work: Work, name: bytes) -> None:
    path = work.path / "docs" / os.fsdecode(name)
    path.parent.mkdir()
    path.write_text("It says “the mill was closed” ([the notes](notes.txt)).\n")
    work.git("add", "docs")
    whole = b"docs/" + name
    for format in ("json", "json-lines", "gitlab", "sarif"):
        ran = lint(work.path, "--all", f"--format={format}")
        assert ran.status == 2
        values = [
            json.loads(line)
            for line in ([ran.out] if format != "json-lines" else ran.out.splitlines())
        ]
        json.dumps(values, ensure_ascii=False).encode()  # Unicode text, no half of a pair
        if format == "sarif":
            (uri,) = {*re.findall(r'"uri": "(docs[^"]*)"', ran.out)}
            assert unquote_to_bytes(uri) == whole
            continue
        (shown,) = {*re.findall(r'"(?:file|path)": "([^"]*)"', ran.out)}
        assert os.fsencode(native_name(shown)) == whole
        back = unquote_to_bytes(shown[5:]) if shown.startswith("file:") else shown.encode()
        assert back == whole  # as docs/outputs.md says
    assert lint(work.path, "baseline", "create").status == 0
    json.loads((work.path / ".tracecite-baseline.json").read_bytes().decode())
    assert lint(work.path, "--all").status == 0
    work.write("docs/notes.txt", "They wrote: the mill was closed in spring.\n")
    lint(work.path, "--all", "--no-baseline", "--lock", "lock.json")
    json.loads((work.path / "lock.json").read_bytes().decode())
    work.write("docs/notes.txt", "They never wrote: the mill was closed in spring.\n")
    ran = lint(work.path, "--all", "--no-baseline", "--lock", "lock.json", "--format=json")
    assert [item["code"] for item in ran.json["diagnostics"]] == ["SOURCE_CHANGED"]


def test_names_of_logs_in_the_report_of_an_audit_are_text(work: Work) -> None:
    for name in (b"caf\xe9.jsonl", b"b.jsonl"):
        (work.path / os.fsdecode(name)).write_text('{"run_id": "\\ud800"}\n')
    names = [os.fsdecode(b"caf\xe9.jsonl"), "b.jsonl"]
    for more in ([], ["--output-file", "out.json"]):
        ran = lint(work.path, "audit", *names, "--json", *more)
        text = ran.out or (work.path / "out.json").read_text()
        reports = json.loads(text)["reports"]
        assert [item["file"] for item in reports] == ["file:caf%E9.jsonl", "b.jsonl"]
        json.dumps(reports, ensure_ascii=False).encode()


def test_every_name_has_one_form() -> None:
    names = ["a.md", "caf\udce9.md", "file:caf%E9.md", "file:", "ü", "file:\udcff"]
    assert [native_name(portable_name(name)) for name in names] == names
    assert len({*map(portable_name, names)}) == len(names)
    assert unquote(portable_name("file:ü").removeprefix("file:")) == "file:ü"
