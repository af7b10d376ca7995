"""Every run says what it passed over; `--dump -v` says for everything quoted by which rule, or why not."""

from __future__ import annotations

import json

import pytest

REPORT = """\
“The gate is shut” ([one](one.md)), and “it is never opened again”.

The “gate” has a [page](one.md).
"""
CLAIMS = "1 linked claim without a quotation: not checked, see --claims"
END = "1 more has no source in reach (list them with --extend-select UNASSOCIATED_QUOTE)"


@pytest.fixture(autouse=True)
def _report(write):
    write("one.md", "The gate is shut.\n")
    write("report.md", REPORT)


@pytest.mark.parametrize("format", ["full", "concise", "markdown", "github", "junit"])
def test_each_report_says_how_many_quotations_have_no_source(lint, format):
    done = lint("--format", format, "report.md")

    assert done.status == 0
    said = done.out.replace("&#95;", "_").replace("&#40;", "(").replace("&#41;", ")")
    assert END in said.replace("&lt;", "<")


def test_the_count_is_that_of_the_findings(lint):
    report = json.loads(lint("--format", "json", "--select", "ALL", "report.md").out)

    codes = [item["code"] for item in report["diagnostics"]]
    assert report["summary"]["passed_over"] == codes.count("UNASSOCIATED_QUOTE") == 1


def test_dump_explains_every_candidate(lint):
    lines = lint("--dump", "-v", "report.md").out.splitlines()

    assert lines == [
        "report.md:1:2: inline “The gate is shut” <- one.md (rule: parenthesis)",
        "report.md:1:42: passed over “it is never opened again”: the link stands before it, without a word of saying "
        '(citations = "eager" takes it)',
        "report.md:3:6: passed over “gate”: a single word (not counted)",
        f"1 quotation understood, none looked up; {END}; {CLAIMS}",
    ]


def test_dump_as_json_has_rules_and_reasons(lint):
    report = json.loads(lint("--dump", "--format", "json", "report.md").out)

    assert [item["rule"] for item in report["citations"]] == ["parenthesis"]
    assert [(item["line"], item["column"], item["reason"]) for item in report["passed_over"]] == [
        (
            1,
            42,
            'the link stands before it, without a word of saying (citations = "eager" takes it)',
        ),
        (3, 6, "a single word"),
    ]
    assert {item["file"] for item in report["passed_over"]} == {"report.md"}


def test_a_document_with_links_and_no_citation_says_so(lint, write):
    write("links.md", "See [one](one.md) and [this](https://example.org/).\n")
    done = lint("links.md")

    assert done.status == 0
    assert "1 document has links but no citation" in done.out


def test_nothing_of_a_private_record_is_shown(lint, write):
    secret = "the gate was never really shut at all"
    record = {"role": "assistant", "content": f"He said “{secret}”. See https://example.org/"}
    write("chat.jsonl", json.dumps({"messages": [record]}) + "\n")
    for arguments in (("--dump", "-v"), ("--dump", "--format", "json")):
        assert secret not in lint(*arguments, "chat.jsonl").out


def test_an_older_command_says_it_on_standard_error(lint, write):
    write("web.md", f"“The gate is shut” (https://source.invalid/a)\n\n{REPORT.splitlines()[0]}\n")
    done = lint("check-report", "--offline", "web.md")

    assert "no source in reach" not in done.out
    assert done.out == "" or done.out.startswith(("FAIL", "Invalid"))


def test_the_number_of_those_without_a_source_is_one_number(lint, write, tmp_path):
    write("more.md", "“One quotation without a source” and “another one that has none” say “so”.\n")
    write("[v].md", "[“the text of a link”](one.md) and “a third one without any”\n")
    for arguments in (["report.md", "more.md", "[v].md"], ["more.md"]):
        for dump in ([], ["--dump"]):
            found = lint(*arguments, *dump, "--json").json
            assert found["summary"]["passed_over"] == sum(
                item["counted"] for item in found["passed_over"]
            )
        shown = lint(*arguments, "--dump", "-v").out
        counted = [
            line
            for line in shown.splitlines()
            if ": passed over" in line and "not counted" not in line
        ]
        assert f"; {len(counted)} more ha" in shown
    assert len(counted) == 2
