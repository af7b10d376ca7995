"""`check-report`, `verify-notes` and `verify-urls`: what they call live was asked for in this run, and comes from the web."""

from __future__ import annotations

import json
import re

import pytest
from loopback import Answer, Exchange, Script, redirect

URL = "https://www.example.org/geese"
OTHER = "https://www.example.org/swans"
WORDS = "Twelve grey geese flew south"


def note(url: str, words: str = WORDS) -> str:
    return f"claim: c\nquote: {words}\nurl: {url}\n"


def trace(*uris: str, cited: int = 1) -> str:
    """Return a run whose sources are *uris*; the first *cited* of them are quoted."""
    sources = [{"id": f"s{at}", "uri": uri, "content": WORDS} for at, uri in enumerate(uris)]
    citations = [{"source_id": f"s{at}", "quote": WORDS} for at in range(cited)]
    events = [
        {"type": "tool_call", "call_id": "c1", "tool": "read"},
        {"type": "tool_result", "call_id": "c1", "ok": True, "sources": sources},
        {"type": "answer", "claims": [{"text": "x", "citations": citations}]},
    ]
    return "".join(json.dumps({"run_id": "r1", **event}) + "\n" for event in events)


COMMANDS = {
    "check-report": f"It says “{WORDS}” ([geese]({URL})).\n",
    "verify-notes": note(URL),
    "verify-urls": trace(URL),
}
PASSES = {
    "check-report": f"quotes appear in 1 live web source\n  input:1 PASS {URL}\n",
    "verify-notes": f"quotes appear in 1 live web source\n  line 1 PASS {URL}\n",
    "verify-urls": f"citations appear in 1 live web sources\n  PASS {URL}\n",
}


@pytest.fixture(params=COMMANDS)
def live(request, lint, write, loopback, cafile):
    """Run one of the commands over a file that quotes the page at URL; the fixture's `name` is the command's."""
    command = request.param
    write("input", COMMANDS[command])

    def run(*options: str, cwd=None):
        arguments = [command, "input", *loopback.arguments(cafile), *options]
        return lint(*arguments) if cwd is None else lint(*arguments, cwd=cwd)

    run.name = command
    return run


# ---- Only the web has live sources


@pytest.mark.parametrize(
    "url",
    [
        *("local.txt", "./local.txt", "/local.txt", "sub/../local.txt", "file:local.txt"),
        *(
            "file:///etc/hostname",
            "FILE:local.txt",
            "[[local]]",
            "local.txt#L1",
            "?q",
            "ftp://a.org/x",
        ),
    ],
)
def test_what_is_no_web_address_is_no_source_of_a_note(lint, write, url):
    write("local.txt", WORDS)
    write("local.md", WORDS)
    write("n.md", note(url))
    ran = lint("verify-notes", "n.md")
    assert (ran.status, ran.out) == (
        2,
        "FAIL: 0/1 quotes appear in 1 live web source\n"
        f"  line 1 FAIL {url}\n    [UNSUPPORTED_SOURCE_URI]\n",
    )


def test_in_the_other_commands_neither(lint, write):
    write("local.txt", WORDS)
    write("r.md", f"It says “{WORDS}” ([geese](local.txt)).\n")
    write("t.jsonl", trace("file:local.txt"))
    report, urls = lint("check-report", "r.md"), lint("verify-urls", "t.jsonl")
    assert report.status == 1
    assert "[INVALID_REPORT_SOURCE]" in report.out
    assert urls.status == 2
    assert urls.out.startswith("FAIL: 0/1 ")


# ---- Live


def test_each_run_asks_the_server(live, loopback):
    loopback.page(URL, WORDS)
    for _ in range(2):
        ran = live()
        assert (ran.status, ran.out, ran.err) == (0, f"PASS: 1/1 {PASSES[live.name]}", "")
    assert loopback.urls() == [URL] * 2
    loopback.page(URL, "Nobody flew.")
    assert "QUOTE_NOT_IN_LIVE_SOURCE" in live().out


def test_a_page_that_has_not_changed_need_not_be_sent_again(live, loopback):
    loopback.page(URL, WORDS, ETag='"1"')
    assert live().status == 0
    loopback.script(URL, Answer(status=304))
    ran = live()
    assert (ran.status, ran.out) == (0, f"PASS: 1/1 {PASSES[live.name]}")
    assert loopback.requests[-1].headers["if-none-match"] == '"1"'


def test_a_server_that_gives_no_answer_is_no_live_page(live, loopback):
    loopback.page(URL, WORDS)
    assert live().status == 0
    loopback.script(URL, Answer(status=503, headers={"Retry-After": "60"}))
    ran = live()
    assert ran.status == 2
    assert "[HTTP_STATUS_503]" in ran.out
    loopback.page(URL, WORDS)  # mended: the failure of a moment ago is not remembered
    assert live().status == 0


def test_the_time_to_live_of_a_project_is_for_check(live, loopback, write):
    write("tracecite-lint.toml", 'ttl = "7d"\n[hosts."www.example.org"]\nttl = "7d"\n')
    loopback.page(URL, WORDS)
    assert [live().status, live().status] == [0, 0]
    assert len(loopback.requests) == 2


@pytest.mark.parametrize("options", [["--ttl=1h"], ["--offline"]], ids=str)
def test_who_chooses_a_page_of_before_is_told_from_when_it_is(live, loopback, options):
    loopback.page(URL, WORDS)
    assert live().status == 0
    ran = live(*options)
    assert ran.status == 0
    assert len(loopback.requests) == 1
    assert "live" not in ran.out
    assert re.search(r"PASS https:\S+\n    as read at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$", ran.out)
    [item] = live(*options, "--json").json["items"]
    assert item["ok"] is True
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", item["fetched_at"])


def test_a_page_that_is_too_old_for_the_ttl_is_asked_for(live, loopback):
    loopback.page(URL, WORDS)
    assert live("--ttl=1h").out == f"PASS: 1/1 {PASSES[live.name]}"
    assert live("--ttl=0").out == f"PASS: 1/1 {PASSES[live.name]}"
    assert len(loopback.requests) == 2
    loopback.script(URL, Answer(status=500, headers={"Retry-After": "60"}))
    assert live("--ttl=0").status == 2


def test_json_says_nothing_of_time_for_a_page_that_was_asked_for(live, loopback):
    loopback.page(URL, WORDS)
    for _ in range(2):
        assert "fetched_at" not in live("--json").json["items"][0]


def test_check_takes_a_ttl_too(lint, write, loopback, cafile):
    write("r.md", COMMANDS["check-report"])
    loopback.page(URL, WORDS)
    reach = loopback.arguments(cafile)
    counts = []
    for options in ([], [], ["--ttl=0"]):
        assert lint("r.md", *options, *reach).status == 0
        counts.append(len(loopback.requests))
    assert counts == [1, 1, 2]


# ---- The time of one source


def test_no_attempt_is_waited_for_that_comes_after_the_time_of_a_source(live, loopback):
    late = Answer(
        status=503, headers={"Retry-After": "25"}
    )  # shorter than any that `check` gives up for
    loopback.script(URL, redirect(OTHER))
    loopback.script(OTHER, late)
    ran = live()
    assert ran.status == 2
    assert "[HTTP_STATUS_503]" in ran.out
    assert loopback.urls() == [URL, OTHER]


GIVEN = Answer(f"<p>{WORDS}</p>")
UNAVAILABLE = Answer(status=503)


def late(answer: Answer, seconds: float) -> Script:
    return lambda exchange: b"" if exchange.wait(seconds) else answer


def trickled(exchange: Exchange) -> bytes:
    """Send the page in pieces: none is late, all of them together are."""
    data = GIVEN.to_bytes()
    for at in range(0, len(data), len(data) // 10):
        exchange.send(data[at : at + len(data) // 10])
        if exchange.wait(0.3):
            break
    return b""


# By http: what is broken off under TLS is closed after the run has ended, of which pytest complains.
PLAIN, PLAIN_OTHER = (url.replace("https:", "http:") for url in (URL, OTHER))
HOPS = [f"http://www{at}.example.org/" for at in range(8)]
SLOW: dict[str, dict[str, list[Script]]] = {
    "silence": {PLAIN: [late(GIVEN, 3)]},
    "a page that trickles in": {PLAIN: [trickled]},
    "redirects": {
        at: [late(redirect(to), 0.3)]
        for at, to in zip([PLAIN, *HOPS], [*HOPS, PLAIN_OTHER], strict=True)
    },
    "attempts": {PLAIN: [late(UNAVAILABLE, 0.7), late(UNAVAILABLE, 0.7), GIVEN]},
    "attempts behind a redirect": {
        PLAIN: [late(redirect(PLAIN_OTHER), 0.7)],
        PLAIN_OTHER: [late(UNAVAILABLE, 0.7), GIVEN],
    },
}


@pytest.mark.parametrize("scripts", SLOW.values(), ids=SLOW)
def test_all_that_is_done_for_one_source_is_within_its_time(
    live, write, loopback, monkeypatch, scripts
):
    monkeypatch.setattr("tracecite_lint.cli.live.SOURCE_SECONDS", 1.0)
    loopback.page(PLAIN_OTHER, WORDS)
    write("input", COMMANDS[live.name].replace(URL, PLAIN))
    for url, answers in scripts.items():
        loopback.script(url, *answers)
    ran = live()
    assert ran.status == 2
    assert re.search(r"\[(REQUEST_TIMEOUT|HTTP_STATUS_503)\]", ran.out)
    assert PLAIN in loopback.urls()


def test_the_time_is_that_of_each_source_and_not_of_the_run(
    lint, write, loopback, cafile, monkeypatch
):
    monkeypatch.setattr("tracecite_lint.cli.live.SOURCE_SECONDS", 3.0)
    loopback.script(PLAIN, late(GIVEN, 8))
    loopback.page(OTHER, WORDS)
    write("n.md", note(PLAIN) + "\n" + note(OTHER))
    ran = lint("verify-notes", "n.md", *loopback.arguments(cafile))
    assert f"FAIL {PLAIN}\n    [REQUEST_TIMEOUT]\n" in ran.out
    assert f"PASS {OTHER}\n" in ran.out


# ---- What nothing cites


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        (OTHER, "HTTP_STATUS_404"),
        ("file:x", "INVALID_OR_BLOCKED_URL"),
        ("ftp://www.example.org/x", "INVALID_OR_BLOCKED_URL"),
        ("https://localhost/x", "INVALID_OR_BLOCKED_URL"),
    ],
)
def test_a_source_that_cannot_be_read_fails_though_nothing_cites_it(
    lint, write, loopback, cafile, uri, code
):
    loopback.page(URL, WORDS)
    write("t.jsonl", trace(URL, uri))
    ran = lint("verify-urls", "t.jsonl", *loopback.arguments(cafile))
    assert (ran.status, ran.out) == (
        2,
        "FAIL: 1/1 citations appear in 2 live web sources\n"
        f"  PASS {URL}\n  FAIL {uri}\n    [{code}]\n",
    )


def test_a_source_that_was_read_passes_though_nothing_cites_it(lint, write, loopback, cafile):
    loopback.page(URL, WORDS)
    loopback.page(OTHER, WORDS)
    write("t.jsonl", trace(URL, OTHER))
    ran = lint("verify-urls", "t.jsonl", *loopback.arguments(cafile))
    assert (ran.status, ran.out) == (
        0,
        "PASS: 1/1 citations appear in 2 live web sources\n"
        f"  PASS {URL}\n  PASS {OTHER}\n    [NO_CITATIONS_FOR_SOURCE]\n",
    )
    items = lint("verify-urls", "t.jsonl", "--json", *loopback.arguments(cafile)).json["items"]
    assert [item["ok"] for item in items] == [True, True]


# ---- What --allow-unreachable forgives

DOWN = Answer(status=503, headers={"Retry-After": "60"})
TWO = {
    "check-report": COMMANDS["check-report"] + f"\nIt says “{WORDS}” ([swans]({OTHER})).\n",
    "verify-notes": f"{note(URL)}\n{note(OTHER)}",
    "verify-urls": trace(URL, OTHER, cited=2),
    "verify-urls of what nothing cites": trace(URL, OTHER),
}


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("missing", [False, True], ids=["words there", "words missing"])
@pytest.mark.parametrize("down", [[OTHER], [URL, OTHER]], ids=["one down", "both down"])
@pytest.mark.parametrize("options", [[], ["--allow-unreachable"]], ids=["strict", "lenient"])
def test_what_is_printed_of_the_sources_says_what_the_status_says(
    lint, write, loopback, cafile, name, missing, down, options
):
    loopback.page(URL, "Nobody flew." if missing else WORDS)
    for url in down:
        loopback.script(url, DOWN)
    write("input", TWO[name])
    ran = lint(name.split()[0], "input", *options, *loopback.arguments(cafile))
    head, *lines = ran.out.splitlines()
    words = re.findall(r"\b(PASS|FAIL|SKIP) https:", "\n".join(lines))
    assert len(words) == 2
    assert ran.status == (2 if "FAIL" in words else 0)
    assert head.startswith("FAIL: " if ran.status else "PASS: ")
    assert words.count("SKIP") == (len(down) if options else 0)
    read = 2 - words.count("SKIP")
    assert re.search(rf" in {read} live web source", head)
    if ran.status == 0:
        assert re.match(rf"PASS: {read}/{read} ", head)


# ---- The cache


def test_a_cache_inside_the_work_tree_is_refused_aloud(live, loopback, tmp_path):
    loopback.page(URL, WORDS)
    ran = live("--cache-dir=kept")
    assert ran.status == 0
    assert "the cache in kept is not used: it lies in the work tree" in ran.err
    assert not (tmp_path / "kept").exists()


def test_the_work_tree_is_that_of_the_run_wherever_the_notes_lie(
    lint, write, loopback, cafile, tmp_path
):
    loopback.page(URL, WORDS)
    write("elsewhere/n.md", note(URL))
    folder = write("work/README", "").parent
    ran = lint(
        "verify-notes",
        "../elsewhere/n.md",
        "--cache-dir=kept",
        *loopback.arguments(cafile),
        cwd=folder,
    )
    assert ran.status == 0
    assert "work tree" in ran.err
    assert not (folder / "kept").exists()
