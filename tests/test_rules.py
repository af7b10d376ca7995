"""Every code of the documentation has a rule, and every rule all of its texts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tracecite_lint.cli import main
from tracecite_lint.model import Severity
from tracecite_lint.rules import (
    GROUPS,
    RULES,
    is_unreachable,
    rule_for,
    rule_markdown,
    rule_text,
    similar_codes,
)
from tracecite_lint.rules.page import rules_page

DOCS = Path(__file__).parents[1] / "docs"

CODES = {
    "citations": """
        QUOTE_NOT_IN_LIVE_SOURCE QUOTE_NOT_IN_SOURCE QUOTE_CASE QUOTE_PUNCTUATION OMITTED_NEGATION ELLIPSIS_GAP
        UNDEFINED_REFERENCE UNASSOCIATED_QUOTE
        LEFTOVER_MARKER TRACKING_PARAMETER MALFORMED_TEXT_DIRECTIVE
        FIGURE_NOT_IN_SOURCE TITLE_NOT_IN_SOURCE
    """,
    "suppressions": "UNUSED_SUPPRESSION UNKNOWN_SUPPRESSION_CODE MALFORMED_SUPPRESSION",
    "sources": """
        INVALID_OR_BLOCKED_URL URL_BLOCKED HOST_UNRESOLVED HTTP_REQUEST_FAILED REQUEST_TIMEOUT
        TOO_MANY_REDIRECTS REDIRECT_WITHOUT_LOCATION INVALID_REDIRECT_TARGET HTTPS_DOWNGRADE_REDIRECT
        HTTP_STATUS_<n> SOURCE_TOO_LARGE SOURCE_TRUNCATED INVALID_CONTENT_LENGTH HTTP_BODY_READ_FAILED
        UNSUPPORTED_CONTENT_TYPE HTML_PARSE_FAILED SOURCE_NOT_UTF8 SOURCE_HAS_NO_TEXT SOURCE_BLOCKED
        NOT_IN_CACHE NOT_CHECKED_TIME_BUDGET SOURCE_UNAVAILABLE UNSUPPORTED_SOURCE_URI SELF_CITATION
        SOURCE_FILE_MISMATCH
    """,
    "drift": "SOURCE_CHANGED SOURCE_DEAD",
    "baseline": "STALE_BASELINE_ENTRY",
    "reports": """
        MISSING_REPORT_SOURCE SOURCE_WITHOUT_QUOTE EMPTY_REPORT_QUOTE INVALID_REPORT_SOURCE
        NO_REPORT_CITATIONS
    """,
    "notes": """
        INVALID_NOTE_LINE EMPTY_NOTE_FIELD DUPLICATE_NOTE_FIELD UNKNOWN_NOTE_FIELD MISSING_NOTE_FIELD
        EMPTY_NOTE_INPUT
    """,
    "traces": """
        INVALID_JSON INVALID_EVENT INVALID_FIELD UNKNOWN_EVENT EMPTY_TRACE RUN_MISMATCH DUPLICATE_CALL
        ORPHAN_RESULT DUPLICATE_RESULT SOURCE_ON_FAILED_RESULT DUPLICATE_SOURCE DUPLICATE_URI
        EVENT_AFTER_ANSWER DUPLICATE_ANSWER MISSING_ANSWER MISSING_RESULT UNKNOWN_SOURCE
        MISSING_SOURCE_CONTENT MISSING_QUOTE EMPTY_ANSWER UNCITED_CLAIM NO_CITATIONS_FOR_SOURCE
    """,
    "calls": """
        invalid_manifest invalid_json invalid_record invalid_provider_record conflicting_call
        duplicate_call unexpected_run unexpected_model unexpected_task unexpected_stage
        aggregate_overflow missing_usage empty_log missing_stage
    """,
    "files": "FILE_NOT_FOUND UNREADABLE_FILE NOT_UTF8_TEXT FILE_TOO_LARGE",
}


@pytest.mark.parametrize("group", GROUPS)
def test_every_documented_code_has_a_rule_in_its_group(group):
    assert {code for code, rule in RULES.items() if rule.group == group} == set(
        CODES[group].split()
    )


@pytest.mark.parametrize("code", RULES)
def test_every_rule_says_what_why_and_what_to_do(code):
    rule = RULES[code]

    assert rule.code == code
    for text in (rule.explanation, rule.why.strip(), rule.fix):
        assert text.endswith((".", ".)", "`"))
    assert rule.example
    assert rule.summary and not rule.summary.endswith(".") and "\n" not in rule.summary
    for text in (rule.explanation, rule.why, rule.fix, rule.example.split("\n\n")[0], rule.summary):
        assert text.strip() in rule_text(rule).replace("\n    ", "\n")
        assert text.strip() in rule_markdown(rule)


def test_every_link_of_the_page_leads_to_its_own_heading():
    page = rules_page()
    headings = re.findall(r"^### `(.+)`$", page, re.MULTILINE)
    anchors: list[str] = []
    for heading in headings:
        # As GitHub makes them: lower case, without punctuation, numbered when repeated.
        anchor = re.sub(r"[^\w-]", "", heading.lower())
        again = sum(re.fullmatch(rf"{anchor}(-\d+)?", other) is not None for other in anchors)
        anchors.append(f"{anchor}-{again}" if again else anchor)

    assert headings == re.findall(r"^- \[`(.+)`\]\(", page, re.MULTILINE)
    assert anchors == re.findall(r"^- \[`.+`\]\(#(.+?)\):", page, re.MULTILINE)
    assert len(set(anchors)) == len(RULES)


@pytest.mark.parametrize(
    "code",
    [
        *(
            "HOST_UNRESOLVED",
            "HTTP_REQUEST_FAILED",
            "REQUEST_TIMEOUT",
            "SOURCE_BLOCKED",
            "NOT_IN_CACHE",
        ),
        *("NOT_CHECKED_TIME_BUDGET", "HTTP_STATUS_429", "HTTP_STATUS_500", "HTTP_STATUS_503"),
        *("HTTP_STATUS_408", "HTTP_STATUS_599", "REQUEST_TIMEOUT:claim-2"),
    ],
)
def test_sources_that_could_not_be_reached(code):
    assert is_unreachable(code)


@pytest.mark.parametrize(
    "code",
    [
        *("QUOTE_NOT_IN_LIVE_SOURCE", "HTTP_STATUS_404", "HTTP_STATUS_410", "HTTP_STATUS_400"),
        *(
            "SOURCE_HAS_NO_TEXT",
            "URL_BLOCKED",
            "HTTP_STATUS_600",
            "NO_SUCH_CODE",
            "SOURCE_TOO_LARGE",
        ),
        *("TOO_MANY_REDIRECTS", "HTTP_BODY_READ_FAILED", "SOURCE_UNAVAILABLE", "HTTP_STATUS_<n>"),
    ],
)
def test_everything_else_fails_the_run_also_when_unreachable_sources_are_allowed(code):
    assert not is_unreachable(code)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("HTTP_STATUS_404", "HTTP_STATUS_<n>"),
        ("HTTP_STATUS_<n>", "HTTP_STATUS_<n>"),
        ("QUOTE_NOT_IN_LIVE_SOURCE:claim-1", "QUOTE_NOT_IN_LIVE_SOURCE"),
        ("missing_usage", "missing_usage"),
        ("HTTP_STATUS_", None),
        ("HTTP_STATUS_40", None),
        ("HTTP_STATUS_4O4", None),
        ("HTTP_STATUS_٤٠٤", None),
        ("quote_not_in_source", None),
        ("", None),
    ],
)
def test_the_rule_of_a_code(code, rule):
    found = rule_for(code)

    assert (found.code if found else None) == rule


def test_usage_rules_are_those_of_input_that_cannot_be_used():
    assert {rule.group for rule in RULES.values() if rule.usage} == {"reports", "notes", "files"}
    assert all(rule.usage for rule in RULES.values() if rule.group in {"reports", "notes", "files"})


def test_only_titles_and_scare_quotes_are_off_by_default():
    assert [code for code, rule in RULES.items() if not rule.default] == ["UNASSOCIATED_QUOTE"]


def test_warnings_are_those_that_fail_nothing():
    assert {code for code, rule in RULES.items() if rule.severity is not Severity.ERROR} == {
        *("QUOTE_CASE", "QUOTE_PUNCTUATION", "OMITTED_NEGATION"),
        *("ELLIPSIS_GAP", "UNASSOCIATED_QUOTE", "UNUSED_SUPPRESSION", "UNKNOWN_SUPPRESSION_CODE"),
        *("FIGURE_NOT_IN_SOURCE", "TITLE_NOT_IN_SOURCE"),
        *("LEFTOVER_MARKER", "TRACKING_PARAMETER", "MALFORMED_TEXT_DIRECTIVE"),
        "MALFORMED_SUPPRESSION",
        "STALE_BASELINE_ENTRY",
        "NO_CITATIONS_FOR_SOURCE",
    }


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("quote-not-in-live-sorce", "QUOTE_NOT_IN_LIVE_SOURCE"),
        ("MISSING_USAGE", "missing_usage"),
        ("source_block", "SOURCE_BLOCKED"),
    ],
)
def test_a_misspelt_code_finds_the_one_that_was_meant(written, meant):
    assert similar_codes(written)[0] == meant


def test_a_word_unlike_any_code_finds_none():
    assert similar_codes("xyzzy") == ()


def test_the_page_of_rules_is_up_to_date():
    page = (DOCS / "rules.md").read_bytes().decode("utf-8")

    assert page == rules_page(), (
        "run `tracecite-lint explain --all --format markdown > docs/rules.md`"
    )


def test_explain_writes_the_page(capsys):
    assert main(["explain", "--all", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == rules_page()


@pytest.mark.parametrize("code", [*RULES, "HTTP_STATUS_503"])
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_explain_explains_every_code(code, form, capsys):
    assert main(["explain", code, "--format", form]) == 0

    shown = capsys.readouterr().out
    assert code in shown
    assert " ".join(rule_for(code).summary.split()) in shown


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("quote_not_in_source", "QUOTE_NOT_IN_SOURCE"),
        ("Missing_Usage", "missing_usage"),
        ("http_status_404", "HTTP_STATUS_404"),
    ],
)
def test_explain_takes_a_code_in_capitals_or_not(asked, code, capsys):
    assert main(["explain", asked]) == 0
    assert capsys.readouterr().out.startswith(f"{code}\n")


def test_explain_without_a_code_lists_all(capsys):
    assert main(["explain"]) == 0

    listed = {
        line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")
    }
    assert listed == set(RULES)


def test_explain_as_json_has_every_field(capsys):
    assert main(["explain", "--all", "--format", "json"]) == 0

    rules = json.loads(capsys.readouterr().out)
    assert [rule["code"] for rule in rules] == list(RULES)
    assert rules[0].keys() >= {
        "summary",
        "explanation",
        "why",
        "example",
        "fix",
        "severity",
        "group",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["QUOTE_NOT_IN_SORCE"], "did you mean QUOTE_NOT_IN_SOURCE"),
        (["xyzzy"], "`tracecite-lint explain` lists them all"),
        (["--all", "INVALID_JSON"], "--all explains every code"),
    ],
)
def test_explain_refuses_what_it_does_not_know(arguments, message, capsys):
    assert main(["explain", *arguments]) == 1

    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def codes_of(rule) -> set[str]:
    """Return what the tool itself finds in the example of *rule*."""
    import tracecite_lint
    from tracecite_lint.documents.markdown import parse_markdown

    text = rule.example
    match rule.group:
        case "notes":
            diagnostics = tracecite_lint.parse_citation_notes(text).diagnostics
        case "reports":
            diagnostics = tracecite_lint.parse_markdown_report(text).diagnostics
        case "calls":
            return {item.code for item in tracecite_lint.audit_calls(text).findings}
        case "traces":
            return {item.code for item in tracecite_lint.validate_evidence_jsonl(text).diagnostics}
        case _:
            diagnostics = parse_markdown("a.md", text).diagnostics
    return {item.code for item in diagnostics}


EXAMPLES = [
    *(code for code, rule in RULES.items() if rule.group in {"notes", "reports"}),
    *(
        "UNDEFINED_REFERENCE",
        "UNASSOCIATED_QUOTE",
        "MALFORMED_SUPPRESSION",
        "UNKNOWN_SUPPRESSION_CODE",
    ),
    *("invalid_json", "invalid_record", "missing_usage"),
    *(
        "INVALID_JSON",
        "INVALID_EVENT",
        "INVALID_FIELD",
        "UNKNOWN_EVENT",
        "ORPHAN_RESULT",
        "EMPTY_ANSWER",
    ),
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_that_is_input_leads_to_its_code(code):
    assert code in codes_of(RULES[code])


def test_an_editor_is_told_nothing_of_the_commands_options():
    for rule in RULES.values():
        if rule.group in {"citations", "sources"} and "--" in rule.fix:
            assert rule.fix_in_editor, rule.code
        assert "--" not in rule.fix_in_editor
        assert "tracecite-lint" not in rule.fix_in_editor
