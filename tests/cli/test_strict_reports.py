"""`check-report`: whatever is quoted with a link in its sentence is a citation, or is counted, and with --strict named."""

from __future__ import annotations

import pytest

URL = "https://www.example.org/fox"
SOUND = f"“the quick brown fox jumps” ([x]({URL}))\n\n"

PASSED_OVER = {
    "a number": "They said “invented words stand nowhere” ([#123](URL)).",
    "an issue": "They said “invented words stand there” ([issue 5](https://github.com/a/b/issues/5)).",
    "a profile": "They said “invented words stand here” ([@acme](https://twitter.com/acme)).",
    "a title, PDF": "The page says “Invented Numbers Rose By Half” ([PDF](URL)).",
    "a title, link": "The page says “Invented Numbers Fell By Half” ([link](URL)).",
    "said behind": "“Invented words one,” says the [report](URL).",
    "said in the midst": "“Invented words two” is what [the report](URL) says.",
    "according to": "According to [r](URL), “invented words three”.",
    "the text of a link": "[“Invented words four”](URL) is well known.",
    "part of the text of a link": "See [the “invented words” of it](URL).",
    "one word": "It is “fast”, which [a page](URL) denies.",
}


@pytest.fixture
def report(lint, write, loopback, cafile):
    """Run check-report over a text behind one sound citation."""
    loopback.page(URL, "the quick brown fox jumps")

    def run(text: str, *options: str):
        write("report.md", SOUND + text.replace("URL", URL) + "\n")
        return lint("check-report", "report.md", *options, *loopback.arguments(cafile))

    return run


@pytest.mark.parametrize("text", PASSED_OVER.values(), ids=PASSED_OVER)
def test_a_quotation_with_a_link_is_no_silent_pass(report, text):
    ran = report(text)
    assert ran.status == 0
    assert ran.err == (
        "1 quotation has no source in reach and cannot be checked: --strict lists them, and fails\n"
    )
    strict = report(text, "--strict")
    assert (strict.status, strict.err) == (2, "")
    assert strict.out.startswith("FAIL: 1/1 quotes appear in 1 live web source\n")
    assert (
        "\n  report.md:3 [UNASSOCIATED_QUOTE] this quotation has no source in reach" in strict.out
    )
    [finding] = report(text, "--strict", "--json").json["diagnostics"]
    assert (finding["line"], finding["code"]) == (3, "UNASSOCIATED_QUOTE")


@pytest.mark.parametrize(
    "text",
    ["‘invented words that stand nowhere’ ([r](URL))", "“invented words five.” ([#9](URL))"],
    ids=["single marks", "a number behind a sentence"],
)
def test_or_it_is_a_citation_that_fails(report, text):
    ran = report(text)
    assert ran.status == 2
    assert f"report.md:3 FAIL {URL}" in ran.out


def test_a_report_in_which_all_is_cited_passes_under_strict(report):
    ran = report("And a [link](URL) beside.", "--strict")
    assert (ran.status, ran.err) == (0, "")
    assert "diagnostics" not in report("", "--strict", "--json").json


def test_several_are_counted(report):
    ran = report("\n\n".join(PASSED_OVER.values()))
    assert ran.err.startswith(f"{len(PASSED_OVER)} quotations have no source in reach")
