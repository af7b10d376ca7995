"""Linked claims: how many there are at the end of every run, and what `--claims` asks of their sources."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from loopback import Answer, redirect

HOST = "https://www.example.org"
FILLER = "The committee met in the old town hall, as it does every spring. " * 8
REPORT = f"""\
# Harbours

Traffic rose by 12.4 % in the year ([report]({HOST}/report)). The port has 1,250 berths [1]. Nobody was hurt.

It says that it “met in the old town hall, as it does” ([report]({HOST}/report)).

- [Annual survey of northern harbours]({HOST}/report)

## References

1. [A register of berths and moorings]({HOST}/register)
"""
SITE = {
    "/report": f"<p>{FILLER}Traffic rose by 12.41 percent.</p><p>Annual survey of northern harbours</p>",
    "/register": f"<p>{FILLER}There are 1,520 berths. Nothing else is registered.</p>",
}


@pytest.fixture
def check(lint, loopback, cafile, write):
    """Check a report against a site."""

    def checked(*options, report=REPORT, site=SITE, name="r.md"):
        for path, answer in site.items():
            loopback.script(HOST + path, answer if isinstance(answer, Answer) else Answer(answer))
        write(name, report)
        return lint(name, *options, *loopback.arguments(cafile))

    return checked


def test_every_run_ends_with_the_claims_it_did_not_check(check):
    ran = check()

    assert ran.status == 0
    assert "; 2 linked claims without a quotation: not checked, see --claims" in ran.out


def test_figures_are_counted_and_the_missing_one_is_told(check):
    ran = check("--claims", "figures")

    assert ran.status == 0, "a warning fails nothing"
    assert "3 linked claims: 1 with a quotation, 2 with figures (1 stands, 1 does not)" in ran.out
    assert "warning[FIGURE_NOT_IN_SOURCE]: “1,250” does not stand in the visible text of" in ran.out
    assert "whether the claim is supported is not checked" in ran.out


def test_the_setting_makes_it_an_error(check, write):
    write(
        ".tracecite-lint.toml",
        'claims = ["figures"]\nseverity = { FIGURE_NOT_IN_SOURCE = "error" }\n',
    )
    ran = check("--format", "json")

    assert ran.status == 2
    assert ran.codes == ["FIGURE_NOT_IN_SOURCE"]
    assert ran.json["summary"]["claims"] == {
        "linked": 3,
        "quoted": 1,
        "asked": ["figures"],
        "figures": {"claims": 2, "stand": 1, "missing": 1, "unread": 0},
        "titles": {"claims": 0, "missing": 0},
    }
    assert [(item["asks"], item["verdict"]) for item in ran.json["claims"]] == [
        ("figures", "verified"),
        ("figures", "mismatch"),
    ]


def test_titles_are_those_of_their_pages(check):
    ran = check("--claims", "titles", "--format", "json")

    assert ran.status == 0
    assert [(item["code"], item["severity"], item["line"]) for item in ran.json["diagnostics"]] == [
        ("TITLE_NOT_IN_SOURCE", "info", 11)
    ]


def test_every_source_is_read_once_and_told_at_its_link(check, loopback):
    site = {**SITE, "/register": Answer("Gone", status=404)}
    ran = check("--claims", "sources", "--format", "json", site=site)

    assert [(item["code"], item["line"]) for item in ran.json["diagnostics"]] == [
        ("HTTP_STATUS_404", 11)
    ]
    assert sorted(request.target for request in loopback.requests) == ["/register", "/report"]


@pytest.mark.parametrize("front", ["/", "/en/", "/de-at/index.html"])
@pytest.mark.parametrize("asked", ["sources", "figures", "titles"])
def test_a_page_that_only_leads_to_the_front_page_is_gone(check, front, asked):
    report = (
        f"It has 84 cranes ([a]({HOST}/a)).\n\n- [Annual survey of northern harbours]({HOST}/a)\n"
    )
    site = {
        "/a": redirect(front),
        front: f"<p>{FILLER} 84 cranes. Annual survey of northern harbours</p>",
    }
    ran = check("--claims", asked, "--format", "json", report=report, site=site)

    assert {item["code"] for item in ran.json["claims"]} == {"SOURCE_HAS_NO_TEXT"}


def test_a_front_page_that_is_cited_is_a_source(check):
    report = f"It has 84 cranes ([a]({HOST}/index.html)).\n"
    site = {"/index.html": redirect("/"), "/": f"<p>{FILLER} 84 cranes.</p>"}
    ran = check("--claims", "figures", "--format", "json", report=report, site=site)

    assert [item["verdict"] for item in ran.json["claims"]] == ["verified"]


def test_what_stands_in_a_short_text_stands(check):
    report = (
        f"It has 84 cranes ([a]({HOST}/a)).\n\n- [Annual survey of northern harbours]({HOST}/a)\n"
    )
    site = {
        "/a": "<p>84 cranes: annual survey of northern harbours, of which this is the first part</p>"
    }
    ran = check("--claims", "figures,titles", report=report, site=site)

    assert ran.status == 0
    assert "1 with figures (1 stands, 0 do not); 1 title, 0 not on the page" in ran.out


def test_a_source_that_cannot_be_read_is_told_once_and_where_sources_are_asked_for(check):
    site = {"/a": Answer("", status=410), "/b": B}
    figures = check("--claims", "figures", report=BOTH, site=site)
    both = check("--claims", "figures,sources", "--format", "json", report=BOTH, site=site)

    assert figures.status == 0
    assert "1 with figures (0 stand, 0 do not, 1 could not be read)" in figures.out
    assert (both.status, both.codes) == (2, ["HTTP_STATUS_410"])


def test_a_dump_looks_nothing_up(check):
    assert "2 with figures" in (said := check("--claims", "figures", "--dump").out)
    assert "could not be read" not in said


def test_without_claims_only_quoted_sources_are_read(check, loopback):
    check()

    assert [request.target for request in loopback.requests] == ["/report"]


BOTH = f"It has 1,250 berths and 84 cranes ([a]({HOST}/a), [b]({HOST}/b)).\n"
A, B = (f"<p>{FILLER}{words}</p>" for words in ("1,250 berths", "84 cranes"))


@pytest.mark.parametrize(
    ("site", "verdicts", "codes"),
    [
        ({"/a": A, "/b": B}, ["verified", "verified"], []),
        ({"/a": A, "/b": A}, ["mismatch", "mismatch"], ["FIGURE_NOT_IN_SOURCE"]),
        (
            {"/a": A, "/b": Answer("", status=410)},
            ["unverifiable", "unverifiable"],
            [],
        ),
        (
            {"/a": "<p>84 of them</p>", "/b": "<p>84 of them</p>"},
            ["unverifiable", "unverifiable"],
            [],
        ),
    ],
    ids=["together", "in neither", "one is gone", "too short"],
)
def test_several_sources_hold_the_figures_together(check, site, verdicts, codes):
    ran = check("--claims", "figures", "--format", "json", report=BOTH, site=site)

    assert [item["verdict"] for item in ran.json["claims"]] == verdicts
    assert ran.codes == codes


def test_a_comment_and_ignore_hold_for_claims(check):
    one = f"It has 1,250 berths ([a]({HOST}/a)). <!-- tracecite-disable-line FIGURE_NOT_IN_SOURCE -->\n"
    silenced = check(
        "--claims", "figures", "--format", "json", report=one, site={"/a": FILLER.join("  ")}
    )
    assert silenced.codes == []
    assert [item["suppressed"] for item in silenced.json["claims"]] == [True]

    plain = check("--claims", "figures", "--ignore", "FIGURE_NOT_IN_SOURCE", report=BOTH)
    assert "FIGURE_NOT_IN_SOURCE" not in plain.out


def test_the_baseline_knows_a_claim(check, lint, loopback, cafile, write):
    error = ("--claims", "figures", "--config", "c.toml")
    site = {"/a": A, "/b": A}
    write("c.toml", 'severity = { FIGURE_NOT_IN_SOURCE = "error" }\n')
    assert check(*error, report=BOTH, site=site).status == 2
    made = lint("baseline", "create", *error, "r.md", *loopback.arguments(cafile))
    assert made.status == 0, made.said
    ran = check(*error, "--format", "json", "--baseline", ".tracecite-baseline.json", report=BOTH)
    assert ran.status == 0, ran.said
    assert [item["baselined"] for item in ran.json["claims"]] == [True, False], (
        "one tells it for both"
    )


def test_dump_lists_what_would_be_asked(check, loopback):
    ran = check("--claims", "figures,titles", "--dump", "-v")

    assert "(asked for: figures)" in ran.out
    assert "(asked for: title)" in ran.out
    assert not loopback.requests


def test_a_wrong_check_is_named(check):
    ran = check("--claims", "figure")

    assert ran.status == 1
    assert "did you mean 'figures'?" in ran.err


def test_answers_in_json_lines_are_documents_too_and_nothing_of_them_is_printed(check):
    answer = f"The port has 1,250 berths ([a]({HOST}/a)). It “met in the old town hall, as it does” ([a]({HOST}/a))."
    record = json.dumps({"role": "assistant", "content": answer}) + "\n"
    site = {"/a": f"<p>{FILLER}</p>"}
    plain = check(report=record, site=site, name="chat.jsonl")
    ran = check("--claims", "figures", "-v", report=record, site=site, name="chat.jsonl")

    assert "; 1 linked claim without a quotation: not checked" in plain.out
    assert "2 linked claims: 1 with a quotation, 1 with figures (0 stand, 1 does not)" in ran.out
    assert "a figure of this claim does not stand in" in ran.out
    assert "1,250" not in ran.said
    assert "berths" not in ran.said


def test_on_a_commit_only_the_new_claims_count(check, tmp_path, lint, loopback, cafile):
    old = f"It has 84 cranes ([a]({HOST}/a)).\n"
    check(report=old, site={"/a": A, "/b": B})
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "r.md"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "r.md").write_text(f"{old}\nIt has 1,250 berths ([a]({HOST}/a)).\n")
    subprocess.run([*git, "add", "r.md"], check=True)
    ran = lint("--claims", "figures", *loopback.arguments(cafile))

    assert "1 linked claim: 0 with a quotation, 1 with figures (1 stands, 0 do not)" in ran.out


def test_nothing_of_the_check_is_imported_where_it_is_not_asked_for(
    write, tmp_path, loopback, cafile
):
    loopback.script(f"{HOST}/a", Answer(A))
    write("r.md", f"It has 1,250 berths ([a]({HOST}/a)), “the committee” says.\n")
    command = [sys.executable, "-X", "importtime", "-m", "tracecite_lint", "r.md"]
    command += loopback.arguments(cafile)
    without, asked = (
        subprocess.run([*command, *more], cwd=tmp_path, capture_output=True, text=True, check=True)
        for more in ((), ("--claims", "figures"))
    )

    for name in ("text.figures", "engine.claims", "matching.figures", "matching.titles"):
        assert f"tracecite_lint.{name}" not in without.stderr
        assert f"tracecite_lint.{name}" in asked.stderr


def test_the_html_page_shows_claims_apart_from_quotations(check):
    ran = check("--claims", "figures,titles", "--format", "html")

    assert "claims without quotation marks" in ran.out
    assert '<b class="verdict">claim</b>' in ran.out
    assert "It does not stand there." in ran.out
    assert "It was not read." not in ran.out
