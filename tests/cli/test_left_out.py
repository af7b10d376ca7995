"""`--exclude`, `--exclude-url`, `--citations`, `--timeout`, `--retries`, `--user-agent`: for one run, and said aloud."""

from __future__ import annotations

import json

import pytest
from loopback import Answer

PAGE = "http://pages.example.org/drafts/a"
OTHER = "http://other.example.org/a"
SAYS = "Five wizards jump quickly over the sleeping giant"


@pytest.fixture
def asked(lint, loopback):
    """Run the command with the names of the web leading here."""
    loopback.script(PAGE, lambda exchange: Answer(f"<p>{SAYS} at dawn.</p>"))
    loopback.script(OTHER, lambda exchange: Answer("", status=503))
    rules = [f"--connect-to={rule}" for rule in loopback.connect_to]

    def run(*arguments, **options):
        return lint(*arguments, *rules, **options)

    return run


@pytest.fixture
def report(write):
    return write(
        "a.md", f"“{SAYS}” ([a]({PAGE})).\n\n“The lizards never jump at all” ([b]({OTHER})).\n"
    )


def test_a_source_that_is_left_out_is_not_asked_and_that_is_said(asked, loopback, report):
    ran = asked("a.md", "--exclude-url", "other.example.org")
    assert ran.status == 0
    assert "note: 1 citation is left out for the source by `exclude-url`" in ran.out
    assert "1 quotation in 1 file: 1 verified" in ran.out
    assert loopback.urls() == [PAGE]
    ran = asked("a.md", "--exclude-url", "*.example.org")
    assert (ran.status, "2 citations are left out" in ran.out) == (0, True)
    assert "nothing to check" in ran.out


def test_nothing_is_said_of_what_was_left_out(asked, report, write):
    write(
        "a.md",
        report.read_text().replace("“The", "<!-- tracecite-disable-line HTTP_STATUS_503 -->“The"),
    )
    assert "UNUSED_SUPPRESSION" not in asked("a.md", "--exclude-url", "other.example.org").out
    write("a.md", report.read_text().replace("<!-- tracecite-disable-line HTTP_STATUS_503 -->", ""))
    asked("baseline", "create", "--retries=0")
    known = (report.parent / ".tracecite-baseline.json").read_text()
    assert len(json.loads(known)["findings"]) == 1
    ran = asked("--all", "--exclude-url", "other.example.org", "--strict-baseline")
    assert (ran.status, "STALE" in ran.out) == (0, False)
    for action in ("update", "prune"):
        asked("baseline", action, "--exclude-url", "other.example.org")
        assert (report.parent / ".tracecite-baseline.json").read_text() == known


def test_a_request_is_sent_again_as_often_as_that_is_wanted(asked, loopback, report):
    for retries in (0, 1):
        before = len(loopback.urls())
        ran = asked("a.md", "--no-cache", "--exclude-url=pages.example.org", f"--retries={retries}")
        assert "HTTP_STATUS_503" in ran.out
        assert len(loopback.urls()) - before == retries + 1


def test_a_server_that_is_silent_is_waited_for_as_long_as_that_is_wanted(asked, loopback, report):
    loopback.script(OTHER, lambda exchange: exchange.wait(30) and Answer())
    ran = asked("a.md", "--timeout=0.2", "--retries=0")
    assert "other.example.org did not answer within 0.2 s" in ran.out


def test_hosts_are_told_who_asks(asked, loopback, report, write):
    write("a.md", f"“{SAYS}” ([a]({PAGE})).\n")
    agents = lambda: [request.headers["user-agent"] for request in loopback.requests]  # noqa: E731
    asked("a.md", "--user-agent", "Reader/2.0 (me@example.org)")
    assert agents() == ["Reader/2.0 (me@example.org)"]
    # To another it may show another page: one that was read as somebody else is asked for again.
    asked("a.md")
    assert len(agents()) == 2 and agents()[1].startswith("tracecite-lint/")
    ran = asked("a.md", "--user-agent", "x\ny")
    assert (ran.status, "--user-agent" in ran.err) == (1, True)


def test_documents_are_left_out_for_one_run(asked, report, write):
    write("my drafts/b.md", f"“{SAYS}” ([a]({PAGE})).\n")
    ran = asked("--all", "--exclude", "a.md,my drafts")
    assert (
        "2 documents are left out by `exclude`" in ran.out
        or "every document there is left out" in ran.out
    )
    assert "1 document is left out" in asked("--all", "--exclude", "my drafts", "--retries=0").out


def test_looser_shapes_count_for_one_run(asked, write):
    write("a.md", f"In [the page]({PAGE}), “{SAYS}” is all there is.\n")
    found = [
        asked("a.md", "--json", *more).json["summary"]["citations"]
        for more in ([], ["--citations", "eager"])
    ]
    assert found == [0, 1]
