"""The main job from end to end: a report, the web pages it cites on a real server, and what is said of it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loopback import Answer, Loopback

URL = "https://www.iana.org/help/example-domains"
PAGE = """<!doctype html><html><head><meta charset="utf-8"><title>Example Domains</title></head><body>
<h1>Example Domains</h1>
<p>As described in <a href="/go/rfc2606">RFC 2606</a> and RFC 6761, a number of domains such as example.com
and example.org are maintained for documentation purposes. These domains may be used as illustrative examples
in documents without prior coordination with us.</p></body></html>"""
FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def iana(loopback: Loopback) -> Loopback:
    """The page that the README's report cites; it has not changed when it is asked for again."""

    def answer(exchange):
        if exchange.request.headers.get("if-none-match") == '"v1"':
            return Answer(status=304, headers={"ETag": '"v1"'}, content_type=None)
        return Answer(PAGE, headers={"ETag": '"v1"'})

    loopback.script(URL, answer)
    return loopback


@pytest.fixture
def report(write) -> Path:
    return write("report.md", (FIXTURES / "web" / "report.md").read_bytes())


def test_the_readmes_report_passes_and_a_second_run_asks_for_nothing(lint, iana, cafile, report):
    first = lint("report.md", *iana.arguments(cafile))
    assert (first.status, first.err) == (0, "")
    assert "2 of 2" in first.out or "2 quotations" in first.out
    assert iana.urls() == [URL]
    again = lint("report.md", *iana.arguments(cafile))
    assert again.status == 0
    assert iana.urls() == [URL]


def test_after_the_ttl_one_conditional_request_ends_in_304(lint, iana, cafile, report):
    lint("report.md", *iana.arguments(cafile))
    write_ttl = {"TRACECITE_LINT_TTL": "0"}
    again = lint("report.md", "--format=json", *iana.arguments(cafile), env=write_ttl)
    assert again.status == 0
    assert len(iana.requests) == 2
    assert iana.requests[1].headers["if-none-match"] == '"v1"'
    assert again.json["summary"]["verified"] == 2


def test_one_changed_word_gives_line_column_and_the_pages_own_words(lint, iana, cafile, report):
    report.write_text(
        report.read_text().replace("without prior coordination", "without any coordination")
    )
    ran = lint("report.md", "--format=json", *iana.arguments(cafile))
    assert ran.status == 2
    (finding,) = ran.json["diagnostics"]
    line = report.read_text().splitlines()[finding["line"] - 1]
    assert finding["code"] == "QUOTE_NOT_IN_LIVE_SOURCE"
    assert line[finding["column"] - 2] == "“"
    assert "without prior coordination" in finding["nearest"]["text"]
    assert (
        ran.json["summary"] | {"verified": 1, "mismatch": 1, "citations": 2} == ran.json["summary"]
    )
    full = lint("report.md", *iana.arguments(cafile))
    assert full.status == 2
    assert f"report.md:{finding['line']}:{finding['column']}" in full.out
    assert "prior" in full.out


def test_fix_puts_the_sources_words_in(lint, iana, cafile, report):
    good = report.read_text()
    report.write_text(good.replace("without prior coordination", "without any coordination"))
    shown = lint("report.md", "--fix", "--unsafe-fixes", "--diff", *iana.arguments(cafile))
    assert shown.status == 2
    assert "+documents without prior coordination" in shown.out or "+Documentation" in shown.out
    assert "without any coordination" in report.read_text()
    fixed = lint("report.md", "--fix", "--unsafe-fixes", *iana.arguments(cafile))
    assert fixed.status == 0, fixed.out
    assert "without prior coordination" in report.read_text()
    assert lint("report.md", *iana.arguments(cafile)).status == 0
    assert [path.name for path in report.parent.iterdir()] == ["report.md"]


def test_fix_keeps_bom_crlf_and_mode(lint, iana, cafile, write):
    text = f"\ufeff# R\r\n\r\n“for documentation purpose. These domains may be used as illustrative examples” ([s]({URL}))\r\n"
    path = write("r.md", text)
    path.chmod(0o640)
    ran = lint("r.md", "--fix", "--unsafe-fixes", *iana.arguments(cafile))
    assert ran.status == 0, ran.out
    assert path.read_bytes().decode() == text.replace("purpose.", "purposes.")
    assert path.stat().st_mode & 0o777 == 0o640


def test_what_cannot_be_reached_is_unverifiable_and_may_be_allowed(lint, loopback, cafile, write):
    write("r.md", "“These words stand somewhere else” ([s](https://down.example.org/a))\n")
    loopback.script("https://down.example.org/a", Answer(status=503))
    env = {"TRACECITE_LINT_MAX_TIME": "20"}
    ran = lint("r.md", "--format=json", *loopback.arguments(cafile), env=env)
    assert (ran.status, ran.codes) == (2, ["HTTP_STATUS_503"])
    assert ran.json["summary"]["unverifiable"] == 1
    allowed = lint("r.md", "--allow-unreachable", *loopback.arguments(cafile), env=env)
    assert allowed.status == 0
    assert "HTTP_STATUS_503" in allowed.out
    assert "0 of 1" in allowed.out


def test_a_page_that_is_gone_fails_even_so(lint, loopback, cafile, write):
    write("r.md", "“These words stand somewhere else” ([s](https://gone.example.org/a))\n")
    ran = lint("r.md", "--allow-unreachable", "--format=json", *loopback.arguments(cafile))
    assert (ran.status, ran.codes) == (2, ["HTTP_STATUS_404"])


def test_offline_uses_the_cache_alone(lint, iana, cafile, report):
    cold = lint("report.md", "--offline", "--format=json", *iana.arguments(cafile))
    assert (cold.status, set(cold.codes)) == (2, {"NOT_IN_CACHE"})
    lint("report.md", *iana.arguments(cafile))
    warm = lint("report.md", "--offline", *iana.arguments(cafile))
    assert warm.status == 0
    assert len(iana.requests) == 1


def test_refresh_asks_again_and_no_cache_keeps_nothing(lint, iana, cafile, report, tmp_path):
    lint("report.md", "--no-cache", *iana.arguments(cafile))
    lint("report.md", "--no-cache", *iana.arguments(cafile))
    assert len(iana.requests) == 2
    lint("report.md", *iana.arguments(cafile))
    lint("report.md", "--refresh", *iana.arguments(cafile))
    assert len(iana.requests) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]


def test_a_source_that_does_not_hold_it_beside_one_that_does_is_an_alternative(
    lint, loopback, cafile, write
):
    loopback.page("https://a.example.org/", "The quoted sentence stands on this page alone.")
    loopback.page("https://b.example.org/", "Nothing of the kind is to be read on that one.")
    write(
        "r.md",
        "“The quoted sentence stands on this page alone.”[^a][^b]\n\n"
        "[^a]: [A](https://a.example.org/)\n[^b]: [B](https://b.example.org/)\n",
    )
    ran = lint("r.md", "--format=json", *loopback.arguments(cafile))
    assert ran.status == 0, ran.out
    assert ran.json["summary"]["alternative"] == 1


def test_another_source_of_the_document_that_holds_it_is_named(lint, loopback, cafile, write):
    loopback.page("https://a.example.org/", "The quoted sentence stands on this page alone.")
    loopback.page("https://b.example.org/", "Nothing of the kind is to be read on that one.")
    write(
        "r.md",
        "“The quoted sentence stands on this page alone.” ([B](https://b.example.org/))\n\n"
        "“quoted sentence stands on this page” ([A](https://a.example.org/))\n",
    )
    ran = lint("r.md", "--format=json", *loopback.arguments(cafile))
    (finding,) = ran.json["diagnostics"]
    assert finding["elsewhere"] == ["https://a.example.org/"]


def test_an_omission_of_more_than_two_thousand_characters_is_a_warning(
    lint, loopback, cafile, write
):
    filler = "Some words that stand between the two ends. " * 60
    loopback.page(
        "https://a.example.org/", f"The first half of it. {filler} And the second half of it."
    )
    write(
        "r.md",
        "“The first half of it. […] And the second half of it.” ([A](https://a.example.org/))\n",
    )
    ran = lint("r.md", "--format=json", *loopback.arguments(cafile))
    assert (ran.status, ran.codes) == (0, ["ELLIPSIS_GAP"])
    assert ran.json["summary"]["verified"] == 1


def test_two_hundred_quotations_on_fifty_pages_make_fifty_requests(lint, loopback, cafile, write):
    lines = []
    for page in range(50):
        url = f"https://many.example.org/{page}"
        loopback.page(
            url, *(f"Sentence number {page * 4 + n} of the whole collection." for n in range(4))
        )
        lines += [
            f"“Sentence number {page * 4 + n} of the whole collection.” ([p]({url}))\n"
            for n in range(4)
        ]
    write("r.md", "\n".join(lines))
    write("tracecite-lint.toml", '[hosts."many.example.org"]\ninterval = 0\n')
    ran = lint("r.md", "--format=json", *loopback.arguments(cafile))
    assert ran.status == 0, ran.out[:2000]
    assert ran.json["summary"]["verified"] == 200
    assert len(loopback.requests) == len(set(loopback.urls())) == 50
    assert loopback.most_at_a_time["many.example.org"] <= 2


def test_ctrl_c_ends_the_run_at_once(loopback, cafile, write, tmp_path):
    write("r.md", "“These words stand somewhere else” ([s](https://slow.example.org/a))\n")
    loopback.script("https://slow.example.org/a", lambda exchange: exchange.wait(60) and None)
    process = subprocess.Popen(
        [sys.executable, "-m", "tracecite_lint", "r.md", *loopback.arguments(cafile)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not loopback.requests and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert process.returncode == 130
    assert out == ""
    assert err == "tracecite-lint: interrupted\n"


def test_max_time_leaves_the_rest_as_not_checked(started, loopback, cafile, write):
    write("r.md", "“These words stand somewhere else” ([s](https://slow.example.org/a))\n")
    loopback.script("https://slow.example.org/a", lambda exchange: exchange.wait(60) and None)
    ran = started("r.md", "--max-time=1", "--format=json", *loopback.arguments(cafile))
    assert (ran.status, ran.codes) == (2, ["NOT_CHECKED_TIME_BUDGET"])
    assert (
        started("r.md", "--max-time=1", "--allow-unreachable", *loopback.arguments(cafile)).status
        == 0
    )


def test_nothing_of_a_page_steers_the_terminal(lint, loopback, cafile, write):
    loopback.page(
        "https://a.example.org/",
        "An \x1b]0;title\x07 evil \u202eright-to-left\u202c sentence that is quoted here.",
    )
    write(
        "r.md",
        "“evil right-to-left sentence that was quoted here.” ([A](https://a.example.org/))\n",
    )
    ran = lint("r.md", "--color=always", *loopback.arguments(cafile))
    assert ran.status == 2
    without_colour = re.sub("\x1b\\[[0-9;]*m", "", ran.out)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", without_colour)


def test_a_text_fragment_may_point_into_a_local_file(lint, write):
    write("page.md", "# Head\n\nThe cache is never read.\n")
    write(
        "report.md",
        "See [a](page.md#:~:text=never%20read), [b](page.md#head:~:text=always%20read).\n",
    )
    run = lint("report.md", "--format=json")

    assert [item["verdict"] for item in run.json["citations"]] == ["verified", "mismatch"]


def test_dump_fetches_nothing(lint, loopback, cafile, report):
    ran = lint("report.md", "--dump", "--format=json", *loopback.arguments(cafile))
    assert ran.status == 0
    assert [item["verdict"] for item in ran.json["citations"]] == [None, None]
    assert {item["source"] for item in ran.json["citations"]} == {URL}
    assert lint("report.md", "--dump").out.count(URL) == 2
    assert loopback.requests == []


def test_standard_input_is_checked_under_its_name(lint, iana, cafile, report):
    text = report.read_bytes().replace(b"documentation purposes", b"demonstration purposes")
    ran = lint(
        "-", "--stdin-filename=docs/x.md", "--format=json", *iana.arguments(cafile), stdin=text
    )
    assert ran.status == 2
    assert {item["file"] for item in ran.json["diagnostics"]} == {"docs/x.md"}


def test_reports_can_go_to_files(lint, iana, cafile, report, tmp_path):
    ran = lint(
        "report.md",
        "--format=full",
        "--format=json",
        f"--output-file={tmp_path / 'r.json'}",
        *iana.arguments(cafile),
    )
    assert ran.status == 0
    assert "{" not in ran.out
    assert json.loads((tmp_path / "r.json").read_text())["summary"]["verified"] == 2


EARLIER = [
    (
        "check-report",
        "report.md",
        f"> Quote: “example.org are maintained for documentation purposes”\n> Source: [IANA]({URL})\n",
        0,
        f"PASS: 1/1 quotes appear in 1 live web source\n  report.md:1 PASS {URL}\n",
    ),
    (
        "check-report",
        "report.md",
        f"> Quote: “a number of domains are sold”\n> Source: [IANA]({URL})\n",
        2,
        "FAIL: 0/1 quotes appear in 1 live web source\n"
        f"  report.md:1 FAIL {URL}\n    [QUOTE_NOT_IN_LIVE_SOURCE]\n",
    ),
    (
        "verify-notes",
        "notes.txt",
        f"claim: c\n\nclaim: c\nquote: a number of domains such as example.com\nurl: {URL}\n"[9:],
        0,
        f"PASS: 1/1 quotes appear in 1 live web source\n  line 2 PASS {URL}\n",
    ),
]


@pytest.mark.parametrize(("command", "name", "text", "status", "out"), EARLIER)
def test_the_earlier_tools_commands_keep_their_lines(
    lint, iana, cafile, write, command, name, text, status, out
):
    write(name, text)
    ran = lint(command, name, *iana.arguments(cafile))
    assert (ran.status, ran.out) == (status, out)


def test_the_earlier_tools_json(lint, iana, cafile, write):
    write("n.txt", f"claim: c\nquote: domains are sold\nurl: {URL}\n")
    ran = lint("verify-notes", "n.txt", "--json", *iana.arguments(cafile))
    assert ran.status == 2
    assert ran.json == {
        "source_count": 1,
        "citation_count": 1,
        "matched_count": 0,
        "items": [
            {
                "index": 1,
                "url": URL,
                "ok": False,
                "citation_count": 1,
                "matched_count": 0,
                "diagnostics": ["QUOTE_NOT_IN_LIVE_SOURCE"],
            }
        ],
    }
    write("n.txt", "claim: c\nwrong\n")
    broken = lint("verify-notes", "n.txt", "--json")
    assert broken.status == 1
    assert {"line": 2, "code": "INVALID_NOTE_LINE"}.items() <= broken.json["diagnostics"][0].items()


def test_a_folder_without_tracked_documents_is_said_to_be_one(lint, write, tmp_path):
    write("source.md", "The tide turns the wheel of every mill.\n")
    write("docs/new.md", "“The tide turns the wheel of every mill.” ([s](../source.md))\n")
    outside_of_git = lint("docs", "--format=json")
    assert outside_of_git.json["summary"]["verified"] == 1
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert lint("docs", "--format=json").json["summary"]["verified"] == 1
    untracked = lint("docs", "--all")
    assert untracked.status == 0
    assert "`git add` it, or name it or its folder" in untracked.out
    (tmp_path / ".gitignore").write_text("new.md\n")
    assert "no document that git does not ignore is there" in lint("docs").out
    subprocess.run(["git", "add", "--force", "docs"], cwd=tmp_path, check=True)
    assert lint("docs", "--format=json").json["summary"]["verified"] == 1


def test_a_folder_that_the_settings_leave_out_is_said_to_be_left_out(lint, write):
    write(".tracecite-lint.toml", 'exclude = ["old"]\n')
    write("old/r.md", "“three words here” ([s](s.txt))\n")
    write("old/s.txt", "three words here\n")
    ran = lint("old")
    assert ran.status == 0
    assert "left out by `exclude` in the settings: name the file" in ran.out
    assert "1 verified" in lint("old/r.md").out


def test_a_suppression_over_an_ignored_code_is_not_called_unused(lint, write):
    write("source.md", "The tide turns the wheel of every mill.\n")
    write(
        "r.md",
        "<!-- tracecite-disable-next-line QUOTE_NOT_IN_SOURCE -- translated -->\n"
        "“The wind turns the wheel of every mill.” ([s](source.md))\n",
    )
    assert lint("r.md", "--format=json").codes == []
    ignored = lint("r.md", "--ignore=QUOTE_NOT_IN_SOURCE", "--format=json")
    assert (ignored.status, ignored.codes) == (0, [])
