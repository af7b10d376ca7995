"""Which findings a suppression comment silences in a run: those on its lines, none before them and none behind."""

from __future__ import annotations

import pytest

FINDING = "It says “the old mill stood there” ([mills](mills.txt))."
CODE = "QUOTE_NOT_IN_SOURCE"

# Lines of a document, F for a finding, and the lines whose findings are still reported.
DOCUMENTS = [
    ("disable-line", ["F", f"{FINDING} <!-- tracecite-disable-line {CODE} -->", "F"], [1, 5]),
    ("next line", ["F", f"<!-- tracecite-disable-next-line {CODE} -->", "F", "F"], [1, 7]),
    ("open to the end", ["F", f"<!-- tracecite-disable {CODE} -->", "F", "F"], [1]),
    (
        "enabled again",
        ["F", f"<!-- tracecite-disable {CODE} -->", "F", f"<!-- tracecite-enable {CODE} -->", "F"],
        [1, 9],
    ),
    ("the file", ["F", f"<!-- tracecite-disable-file {CODE} -->", "F"], []),
    ("another code", ["F", "<!-- tracecite-disable HTTP_STATUS_404 -->", "F"], [1, 5]),
    ("all codes", ["F", "<!-- tracecite-disable -->", "F"], [1]),
    ("a last comment", ["F", "F", f"<!-- tracecite-disable-next-line {CODE} -->"], [1, 3]),
    ("a last line", ["F", "F", f"{FINDING} <!-- tracecite-disable-line -->"], [1, 3]),
]


# What stands in a document with one finding, and how many of its comments are called unused.
UNUSED = [
    ("<!-- tracecite-disable -->\n\nF\n\n<!-- tracecite-enable HTTP_STATUS_404 -->", []),
    ("<!-- tracecite-disable -->\n\n<!-- tracecite-enable HTTP_STATUS_404 -->\n\nF", []),
    (
        f"<!-- tracecite-disable {CODE} QUOTE_CASE -->\n\nF\n\n<!-- tracecite-enable QUOTE_CASE -->",
        [],
    ),
    (f"<!-- tracecite-disable -->\n\n<!-- tracecite-enable {CODE} -->\n\nF", ["any code"]),
    ("F\n\n<!-- tracecite-disable HTTP_STATUS_404 -->", ["HTTP_STATUS_404"]),
]


@pytest.mark.parametrize(("text", "unused"), UNUSED)
def test_a_comment_is_unused_only_where_none_of_its_codes_was_found(lint, write, text, unused):
    write("mills.txt", "The old mill stands at the mouth of the river.\n")
    write(
        "report.md",
        text.replace("F", FINDING, 1) if text[0] == "F" else text.replace("\nF", "\n" + FINDING),
    )
    ran = lint("report.md", "--format=json")
    messages = [x["message"] for x in ran.json["diagnostics"] if x["code"] == "UNUSED_SUPPRESSION"]
    assert messages == [f"this suppression of {codes} silences nothing" for codes in unused]


@pytest.mark.parametrize(
    ("lines", "reported"), [rest for _, *rest in DOCUMENTS], ids=[name for name, *_ in DOCUMENTS]
)
def test_a_comment_silences_its_own_lines(lint, write, lines, reported):
    write("mills.txt", "The old mill stands at the mouth of the river.\n")
    paragraphs = [FINDING if line == "F" else line for line in lines]
    write("report.md", "\n\n".join(paragraphs) + "\n")
    ran = lint("report.md", "--format=json", "--ignore=UNUSED_SUPPRESSION")
    assert [item["line"] for item in ran.json["diagnostics"]] == reported
    assert set(ran.codes) <= {CODE}
    assert ran.status == (2 if reported else 0)
