"""No report holds a control character or a workflow command of somebody else's, and what machines read can be parsed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from hostile_words import FILE_NAMES, ROUNDS, SEQUENCES, document, hostile, page, quoting, trace
from loopback import Answer, redirect
from page_parts import assert_only_ours, parsed, shown_by_markdown

from tracecite_lint.cli import main
from tracecite_lint.output import FORMATS

WEB = "https://www.iana.org"
MARKDOWN_TAGS = {
    "-text",
    "html",
    "head",
    "body",
    "h2",
    "p",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
    "code",
    "strong",
    "details",
    "summary",
    "ul",
    "li",
}
STYLED = re.compile(r"\x1b\[[0-9;]*m")
COMMAND = re.compile(r"^::(error|warning|notice)( [a-zA-Z]+=[^:\n]*)?::")

Job = Callable[..., list[str]]


def documents(folder, loopback) -> list[str]:
    """Reports full of hostile words, which cite a page that says other things."""
    loopback.script(f"{WEB}/page", Answer("<p>Nothing of the kind.</p>" * 20))
    (folder / "report.md").write_text(document(f"{WEB}/page"), "utf-8")
    return ["report.md"]


def pages(folder, loopback) -> list[str]:
    """Hostile pages and answers of servers, which a harmless report cites."""
    loopback.script(f"{WEB}/page", Answer(page()))
    (folder / "local.html").write_text(page(), "utf-8")
    lines = [quoting(f"{WEB}/page"), quoting("local.html")]
    for number, trick in enumerate(SEQUENCES):
        location = trick.replace("\n", "").replace("\r", "").encode().decode("latin-1")
        answer = redirect("") if number % 2 else Answer(status=404 if number % 4 else 302)
        raw = answer.to_bytes().replace(b"Scripted", location.encode("latin-1"), 1)
        raw = raw.replace(
            b"\r\n\r\n", b"\r\nLocation: http://" + location.encode("latin-1") + b"/\r\n\r\n", 1
        )
        loopback.script(f"{WEB}/odd{number}", raw)
        lines.append(f"They say “some plain words {number}” ([odd]({WEB}/odd{number})).")
    (folder / "report.md").write_text("\n\n".join(lines), "utf-8")
    return ["report.md"]


def names(folder, loopback) -> list[str]:
    """Files with hostile names, some of them no UTF-8, and a hostile lock."""
    made = []
    for name in (*FILE_NAMES, "caf\udce9.md"):
        try:
            (folder / name).write_text("They say “some plain words” ([x](gone.md)).\n", "utf-8")
        except OSError:
            continue  # a name that this system does not have
        made.append(f"./{name}")
    assert len(made) > 20
    return [*made, "./gone\x1b[2J\n::error::x.md"]


def traces(folder, loopback) -> list[str]:
    """Agent traces and vendors' records whose every string is hostile."""
    (folder / "trace.jsonl").write_text(trace(), "utf-8")
    return ["trace.jsonl"]


JOBS = (documents, pages, names, traces)
REPORTS = [
    (job, name, color) for job in JOBS for name in FORMATS for color in ("auto", "always", "never")
]
IN_ORDINARY_RUNS = {(JOBS[number % 4], name, "always") for number, name in enumerate(FORMATS)}


def test_there_are_as_many_as_are_promised():
    assert len(REPORTS) >= 108


def steering(text: str) -> set[str]:
    """Return the characters of *text* that could move a cursor, reorder a line, hide or end it."""
    suspects = {
        char for char in text if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    }
    return suspects - {"\n", "\u200c", "\u200d"}


def assert_harmless(text: str, *, commands: bool = False) -> None:
    """Assert that *text* steers nothing; *commands* says that it is made of the tool's own workflow commands."""
    assert steering(text) == set()
    others = [line for line in text.splitlines() if not (commands and COMMAND.match(line))]
    assert [line for line in others if "##[" in line or line.lstrip().startswith("::")] == []


def assert_readable(name: str, text: str) -> None:
    """Assert that a program can read the report *text* of the format *name*."""
    match name:
        case "json" | "sarif" | "gitlab":
            json.loads(text)
        case "json-lines":
            assert [json.loads(line) for line in text.split("\n")[:-1]]
        case "junit":
            assert list(ET.fromstring(text).iter("testcase"))
        case "markdown":
            tags = {node.tag for node in parsed(shown_by_markdown(text)).root.traverse()}
            assert tags <= MARKDOWN_TAGS
        case "html":
            assert_only_ours(text)


@pytest.fixture(autouse=True)
def _at_once(tmp_path, monkeypatch):
    """Ask hosts without a pause between requests, as the user may say."""
    own = tmp_path.with_name(f"{tmp_path.name}-own.toml")
    own.write_text("[hosts.'www.iana.org']\ninterval = 0\nconcurrency = 8\n", "utf-8")
    monkeypatch.setenv("TRACECITE_LINT_USER_CONFIG", str(own))


@pytest.mark.parametrize(
    ("job", "name", "color"),
    [
        pytest.param(*case, marks=() if case in IN_ORDINARY_RUNS else pytest.mark.exhaustive)
        for case in REPORTS
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_no_report_holds_a_control_character(
    job, name, color, network, loopback, cafile, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    given = job(tmp_path, loopback)
    ways = loopback.arguments(cafile)
    status = main([*given, f"--format={name}", f"--color={color}", "--no-cache", "-v", *ways])
    out, err = capsys.readouterr()
    assert status in {1, 2}
    assert "internal error" not in err
    assert len(out.splitlines()) > 0
    if color == "always" and name in {"full", "concise", "grouped"}:
        assert STYLED.search(out)
        out, err = STYLED.sub("", out), STYLED.sub("", err)
    assert_harmless(out, commands=name == "github")
    assert_harmless(err)
    assert_readable(name, out)


@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_message_about_settings_or_arguments_holds_one(number, tmp_path, monkeypatch, capsys):
    """Whatever stands in a settings file, a baseline, a lock, a variable or on the command line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    words = hostile(number)
    quoted = json.dumps(words).replace("\\/", "/")
    (tmp_path / "report.md").write_text("They say “some plain words” ([x](gone.md)).\n", "utf-8")
    record = {
        "file": words,
        "code": words,
        "source": words,
        "quote": words,
        "count": words,
        words: words,
    }
    (tmp_path / "ledger.json").write_text(
        json.dumps({"version": 1, "findings": [record], "sources": [record]})
    )
    for setting in (
        f"{quoted} = 1",
        f"select = [{quoted}]",
        f"lock = {quoted}",
        f"hosts = {{ {quoted} = 1 }}",
        words,
    ):
        (tmp_path / "tracecite-lint.toml").write_bytes(setting.encode("utf-8", "surrogatepass"))
        main(["report.md", "--no-cache"])
    (tmp_path / "tracecite-lint.toml").unlink()
    for arguments in (
        ["report.md", "--baseline=ledger.json"],
        ["report.md", "--lock=ledger.json"],
        ["report.md", f"--baseline={words}"],
        ["report.md", f"--select={words}"],
        ["report.md", f"--proxy={words}://x:y@z"],
        ["report.md", f"--connect-to={words}"],
        ["report.md", f"--cafile={words}"],
        ["report.md", f"--diff-base={words}"],
        ["report.md", f"--stdin-filename={words}"],
        ["report.md", f"--format={words}"],
        ["report.md", f"--output-file=/dev/null/{words}"],
        [f"--{words}"],
        [words],
        ["explain", words],
        ["config", words],
        ["trace", words],
        ["audit", words],
        ["cache", words],
    ):
        try:
            main([*arguments, "--no-cache"] if arguments[0] == "report.md" else arguments)
        except SystemExit:
            continue
    out, err = capsys.readouterr()
    assert err
    assert "internal error" not in err
    assert_harmless(out, commands=True)
    assert_harmless(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["trace", "trace.jsonl"],
        ["verify-files", "trace.jsonl"],
        ["verify-urls", "trace.jsonl"],
        *([name, "trace.jsonl", "--json"] for name in ("trace", "verify-files", "verify-urls")),
        ["compare", "trace.jsonl", "other.jsonl", "--json"],
        *([name, "report.md", "--json"] for name in ("check-report", "verify-notes")),
        ["compare", "trace.jsonl", "other.jsonl"],
        *(
            ["audit", "trace.jsonl", f"--format={name}"]
            for name in ("full", "json", "github", "sarif", "junit")
        ),
        ["audit", "trace.jsonl", "--provider=mixed"],
        ["audit", "trace.jsonl", "--manifest=other.jsonl"],
        ["check-report", "report.md"],
        ["verify-notes", "report.md"],
        ["--dump", "report.md"],
        ["--diff", "--fix", "--unsafe-fixes", "report.md"],
        ["--statistics", "report.md"],
        ["baseline", "create", "report.md"],
    ],
    ids=" ".join,
)
def test_no_other_command_prints_one(
    arguments, network, loopback, cafile, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("TRACECITE_LINT_CAFILE", str(cafile))
    monkeypatch.setenv("TRACECITE_LINT_CONNECT_TO", ",".join(loopback.connect_to))
    (tmp_path / "trace.jsonl").write_text(trace(), "utf-8")
    (tmp_path / "other.jsonl").write_text(trace()[::-1], "utf-8")
    documents(tmp_path, loopback)
    try:
        main(arguments)
    except SystemExit as end:
        pytest.fail(f"{end.code}")
    out, err = capsys.readouterr()
    assert out + err or arguments[0].startswith("--d")
    assert "internal error" not in err
    own = any(word in ("report.md", "audit") for word in arguments)
    if "--json" in arguments or "--format=json" in arguments:
        json.loads(out)
    assert_harmless(out, commands=own)
    assert_harmless(err)
